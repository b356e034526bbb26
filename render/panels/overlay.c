/// Keeps the panels as one picture, a cairo surface, and sends it to a texture. A panel is drawn and sent again only
/// when its signature differs, because laying out text for every frame costs too much. Also blurs the view under a
/// menu.
#include "render/panels/overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "data/core/language.h"
#include "render/panels/canvas.h"

static const PanelType *const types[PANEL_COUNT] = {
    [PANEL_TASK] = &panel_task,
    [PANEL_STATE] = &panel_state,
    [PANEL_HINTS] = &panel_hints,
    [PANEL_LEFT_STICK] = &panel_left_stick,
    [PANEL_RIGHT_STICK] = &panel_right_stick,
    [PANEL_GAUGES] = &panel_gauges,
    [PANEL_GRADE] = &panel_grade,
    [PANEL_MAP] = &panel_map,
    [PANEL_CONTROLS] = &panel_controls,
    [PANEL_MESSAGE] = &panel_message,
    [PANEL_TIMELINE] = &panel_timeline,
    [PANEL_EVENTS] = &panel_events,
    [PANEL_CURVES] = &panel_curves,
    [PANEL_MENU] = &panel_menu,
    [PANEL_DEBUG] = &panel_debug,
    [PANEL_MOUSE] = &panel_mouse,
};

uint64_t panel_signature(const RenderView *view, PanelKind kind)
{
    // Fixed words of a panel depend on the language and units alone.
    uint64_t hash = signature_text(SIGNATURE_START, language_code());
    return types[kind]->sign(signature_value(hash, view->units, 1.0), view);
}

void panel_draw(cairo_t *cairo, const RenderView *view, PanelKind kind, const PanelPlace *place)
{
    types[kind]->draw(cairo, view, place);
}

/// ---- the picture of the panels -------------------------------------------------------------------------------------

struct Overlay {
    GLuint program, blur_program, backdrop_program, array;
    GLint darkness;
    GLuint texture, blurred;
    int width, height, blurred_width, blurred_height;
    cairo_surface_t *surface;
    PanelPlace place[PANEL_COUNT]; ///< as last drawn
    uint64_t signature[PANEL_COUNT];
    double rate; ///< 1/s of hud.time: at most 15 (7 at low quality) updates of panels whose numbers run with the time
    double instant; ///< number of the last of these updates
};

Overlay *overlay_create(const GlShaders *shaders, double rate, Status *status)
{
    Overlay *overlay = calloc(1, sizeof(*overlay));
    if (overlay == NULL) {
        status_fail(status, STATUS_LACKING, "renderer: out of memory for the panels");
        return NULL;
    }
    overlay->rate = rate;
    if ((overlay->program = gl_program_create(shaders, "overlay", "", status)) == 0 ||
        (overlay->blur_program = gl_program_create(shaders, "overlay", "#define BLUR\n", status)) == 0 ||
        (overlay->backdrop_program = gl_program_create(shaders, "overlay", "#define BACKDROP\n", status)) == 0) {
        overlay_destroy(overlay);
        return NULL;
    }
    overlay->darkness = glGetUniformLocation(overlay->blur_program, "darkness");
    glGenVertexArrays(1, &overlay->array);
    return overlay;
}

void overlay_destroy(Overlay *overlay)
{
    if (overlay == NULL) {
        return;
    }
    glDeleteProgram(overlay->program);
    glDeleteProgram(overlay->blur_program);
    glDeleteProgram(overlay->backdrop_program);
    glDeleteVertexArrays(1, &overlay->array);
    glDeleteTextures(1, &overlay->texture);
    glDeleteTextures(1, &overlay->blurred);
    if (overlay->surface != NULL) {
        cairo_surface_destroy(overlay->surface);
    }
    free(overlay);
}

void overlay_forget(Overlay *overlay)
{
    memset(overlay->place, 0, sizeof(overlay->place));
}

static void make_texture(GLuint *texture, GLint format, int width, int height, GLint minify)
{
    glDeleteTextures(1, texture);
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl_texture_sampling(minify, GL_CLAMP_TO_EDGE);
}

static bool resize(Overlay *overlay, int width, int height)
{
    if (overlay->surface != NULL && overlay->width == width && overlay->height == height) {
        return true;
    }
    if (overlay->surface != NULL) {
        cairo_surface_destroy(overlay->surface);
    }
    overlay->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    if (cairo_surface_status(overlay->surface) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(overlay->surface);
        overlay->surface = NULL;
        return false;
    }
    overlay->width = width;
    overlay->height = height;
    make_texture(&overlay->texture, GL_RGBA8, width, height, GL_LINEAR);
    memset(overlay->place, 0, sizeof(overlay->place));
    return true;
}

/// Sends a rectangle of pixels, clipped to the surface.
static void send_pixels(const Overlay *overlay, int x0, int y0, int x1, int y1)
{
    x0 = x0 > 0 ? x0 : 0;
    y0 = y0 > 0 ? y0 : 0;
    x1 = x1 < overlay->width ? x1 : overlay->width;
    y1 = y1 < overlay->height ? y1 : overlay->height;
    if (x0 >= x1 || y0 >= y1) {
        return;
    }
    int stride = cairo_image_surface_get_stride(overlay->surface);
    const unsigned char *data = cairo_image_surface_get_data(overlay->surface);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride / 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x0, y0, x1 - x0, y1 - y0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                    data + (size_t)y0 * (size_t)stride + 4 * (size_t)x0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static void draw_panel(const Overlay *overlay, cairo_t *cairo, const RenderView *view, PanelKind kind, double unit,
                       bool send)
{
    const PanelPlace *place = &overlay->place[kind];
    int x0 = (int)floor(place->x * unit), y0 = (int)floor(place->y * unit);
    int x1 = (int)ceil((place->x + place->width) * unit), y1 = (int)ceil((place->y + place->height) * unit);
    cairo_save(cairo);
    cairo_rectangle(cairo, x0, y0, x1 - x0, y1 - y0);
    cairo_clip(cairo);
    cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR);
    cairo_paint(cairo);
    cairo_set_operator(cairo, CAIRO_OPERATOR_OVER);
    cairo_scale(cairo, unit, unit);
    cairo_translate(cairo, place->x, place->y);
    panel_draw(cairo, view, kind, place);
    cairo_restore(cairo);
    if (send) {
        cairo_surface_flush(overlay->surface);
        send_pixels(overlay, x0, y0, x1, y1);
    }
}

/// Stores the new places; true when a panel appeared, disappeared or moved.
static bool lay_out(Overlay *overlay, const RenderView *view, double screen_width, double screen_height)
{
    PanelPlace places[PANEL_COUNT];
    memset(places, 0, sizeof(places)); // compared as bytes
    for (int kind = 0; kind < PANEL_COUNT; kind++) {
        places[kind] = panel_place(view, (PanelKind)kind, screen_width, screen_height);
    }
    bool moved = memcmp(places, overlay->place, sizeof(places)) != 0;
    memcpy(overlay->place, places, sizeof(places));
    return moved;
}

static void update(Overlay *overlay, const RenderView *view)
{
    double unit = panel_unit(view, overlay->width, overlay->height);
    bool all = lay_out(overlay, view, overlay->width / unit, overlay->height / unit);
    double instant = floor(view->hud.time * overlay->rate);
    bool same_instant = !(instant < overlay->instant) && !(instant > overlay->instant) && !view->hud.paused;
    cairo_t *cairo = cairo_create(overlay->surface);
    if (all) {
        cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR);
        cairo_paint(cairo);
        cairo_set_operator(cairo, CAIRO_OPERATOR_OVER);
    }
    for (int kind = 0; kind < PANEL_COUNT; kind++) {
        if (overlay->place[kind].width <= 0.0 || (!all && same_instant && types[kind]->runs_with_time)) {
            continue;
        }
        uint64_t signature = panel_signature(view, (PanelKind)kind);
        if (all || signature != overlay->signature[kind]) {
            draw_panel(overlay, cairo, view, (PanelKind)kind, unit, !all);
            overlay->signature[kind] = signature;
        }
    }
    overlay->instant = instant;
    cairo_destroy(cairo);
    if (all) {
        cairo_surface_flush(overlay->surface);
        send_pixels(overlay, 0, 0, overlay->width, overlay->height);
    }
}

/// Pixels of the surface, from its upper left.
typedef struct Rectangle {
    int x0, y0, x1, y1;
} Rectangle;

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/// Adds a rectangle to those that are drawn. It is joined with those that it touches to the one around them, because
/// pixels blended twice would be too dark. Returns the number of rectangles.
static int add_rectangle(Rectangle *rectangles, int count, Rectangle added)
{
    for (int k = 0; k < count; k++) {
        Rectangle *other = &rectangles[k];
        if (added.x0 < other->x1 && other->x0 < added.x1 && added.y0 < other->y1 && other->y0 < added.y1) {
            Rectangle both = {least(added.x0, other->x0), least(added.y0, other->y0), most(added.x1, other->x1),
                              most(added.y1, other->y1)};
            *other = rectangles[count - 1];
            return add_rectangle(rectangles, count - 1, both);
        }
    }
    rectangles[count] = added;
    return count + 1;
}

/// Finds the rectangles that the panels cover. Returns their number.
static int find_rectangles(const Overlay *overlay, double unit, Rectangle rectangles[PANEL_COUNT])
{
    int count = 0;
    for (int kind = 0; kind < PANEL_COUNT; kind++) {
        const PanelPlace *place = &overlay->place[kind];
        Rectangle own = {most((int)floor(place->x * unit), 0), most((int)floor(place->y * unit), 0),
                         least((int)ceil((place->x + place->width) * unit), overlay->width),
                         least((int)ceil((place->y + place->height) * unit), overlay->height)};
        if (place->width > 0.0 && own.x0 < own.x1 && own.y0 < own.y1) {
            count = add_rectangle(rectangles, count, own);
        }
    }
    return count;
}

static void draw_screen(const Overlay *overlay, GLuint program)
{
    glUseProgram(program);
    glBindVertexArray(overlay->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Blurs and darkens the picture.
static void blur_picture(Overlay *overlay, int width, int height)
{
    if (overlay->blurred_width != width || overlay->blurred_height != height) {
        make_texture(&overlay->blurred, GL_RGBA8, width, height, GL_LINEAR_MIPMAP_LINEAR);
        overlay->blurred_width = width;
        overlay->blurred_height = height;
    }
    glBindTexture(GL_TEXTURE_2D, overlay->blurred);
    // Copying from a multisampled framebuffer needs a resolving blit.
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    GLuint copy = 0;
    glGenFramebuffers(1, &copy);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, copy);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, overlay->blurred, 0);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
    glDeleteFramebuffers(1, &copy);
    glGenerateMipmap(GL_TEXTURE_2D);
    glUseProgram(overlay->blur_program);
    glUniform1f(overlay->darkness, 0.42f);
    draw_screen(overlay, overlay->blur_program);
}

/// Draws the panels over the picture, but no pixel between them: software rendering pays for each pixel.
static void lay_panels(const Overlay *overlay, const PanelColumn *columns, int count, double unit)
{
    Rectangle rectangles[PANEL_COUNT];
    int rectangle_count = find_rectangles(overlay, unit, rectangles);
    glEnable(GL_SCISSOR_TEST);
    for (int k = 0; k < count; k++) {
        glViewport(columns[k].x, 0, columns[k].width, overlay->height);
        for (int n = 0; n < rectangle_count; n++) {
            const Rectangle *own = &rectangles[n];
            glScissor(columns[k].x + own->x0, overlay->height - own->y1, own->x1 - own->x0, own->y1 - own->y0);
            draw_screen(overlay, overlay->program);
        }
    }
    glDisable(GL_SCISSOR_TEST);
}

void overlay_draw(Overlay *overlay, const RenderView *view, bool has_picture, int width, int height)
{
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    if (!has_picture) {
        draw_screen(overlay, overlay->backdrop_program);
    } else if (view->menu.visible) {
        blur_picture(overlay, width, height);
    }
    if (!view->hud.visible && !view->menu.visible && !view->timeline.visible && !view->debug.visible) {
        return;
    }
    PanelColumn columns[2];
    int count = panel_columns(view, width, columns);
    if (!resize(overlay, columns[0].width, height)) {
        return;
    }
    glBindTexture(GL_TEXTURE_2D, overlay->texture);
    update(overlay, view);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    lay_panels(overlay, columns, count, panel_unit(view, overlay->width, overlay->height));
    glViewport(0, 0, width, height);
    glDisable(GL_BLEND);
}
