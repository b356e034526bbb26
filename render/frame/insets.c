/// Small pictures of a frame: second cameras in a corner of the view, and what the mirrors of the cab show. Each is
/// kept in a texture of its own and drawn again every few frames, in turn: no frame has to draw them all.
#include "render/shot.h"

#include <math.h>

#include "render/camera/mirror.h"
#include "render/panels/panels.h"

#define MIRROR_RADIUS 0.8 ///< m: how mirrors of excavators and dozers bulge. Estimate

bool insets_create(Insets *insets, const GlShaders *shaders, Status *status)
{
    insets->inset_program = gl_program_create(shaders, "glass", "", status);
    insets->mirror_program =
        insets->inset_program == 0 ? 0 : gl_program_create(shaders, "glass", "#define MIRROR\n", status);
    if (insets->mirror_program == 0) {
        return false;
    }
    insets->corner = glGetUniformLocation(insets->mirror_program, "corner");
    glGenVertexArrays(1, &insets->array);
    return true;
}

void insets_destroy(Insets *insets)
{
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        stage_destroy(&insets->view[k].stage);
    }
    for (int k = 0; k < FITTINGS_MAX_MIRRORS; k++) {
        stage_destroy(&insets->mirror[k].stage);
    }
    glDeleteProgram(insets->inset_program);
    glDeleteProgram(insets->mirror_program);
    glDeleteVertexArrays(1, &insets->array);
    *insets = (Insets){0};
}

/// ---- what is due ---------------------------------------------------------------------------------------------------

/// Pictures of a frame are drawn in turn: the `turn`th of them.
static bool is_due(const Renderer *renderer, const Inset *inset, int turn)
{
    int every = renderer->low ? 4 : 2; // frames. Chosen
    return renderer->whole || !inset->drawn || (renderer->frames + turn) % every == 0 ||
           renderer->frames - inset->frame >= every;
}

static void refresh(Renderer *renderer, const RenderView *view, Inset *inset, Shot *shot)
{
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    if (stage_begin(&inset->stage, shot->width, shot->height, renderer->low)) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        shot->stage = &inset->stage;
        shot_draw(renderer, view, shot);
        inset->drawn = true;
        inset->frame = renderer->frames;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}

static int scaled(const Renderer *renderer, double pixels)
{
    return (int)fmax(round(renderer->scale * pixels), 16.0);
}

static void refresh_views(Renderer *renderer, const RenderView *view, int width, int height)
{
    PanelColumn columns[2];
    panel_columns(view, width, columns);
    double unit = panel_unit(view, columns[0].width, height);
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        Inset *inset = &renderer->insets.view[k];
        bool shown = k < view->inset_count && !view->menu.visible;
        inset->drawn = inset->drawn && shown && inset->camera == view->insets[k];
        if (shown && is_due(renderer, inset, k)) {
            PanelPlace place = panel_inset(view, k, columns[0].width / unit, height / unit);
            Shot shot = shot_of(view, view->insets[k], 0, 0, scaled(renderer, place.width * unit),
                                scaled(renderer, place.height * unit));
            shot.coarse = true;
            inset->camera = view->insets[k];
            refresh(renderer, view, inset, &shot);
        }
    }
}

/// ---- mirrors -------------------------------------------------------------------------------------------------------

static bool has_mirrors(const Renderer *renderer, const RenderView *view)
{
    return view->machine != NULL && view->camera == RENDER_CAMERA_CAB && view->mirrors != RENDER_MIRRORS_OFF &&
           (view->mirrors == RENDER_MIRRORS_ON || !renderer->low);
}

static MirrorGlass glass_of(const RenderView *view, const FittingMirror *mirror)
{
    const double before = 0.002; // m before the pane that the housing has
    const Pose *body = &view->body[mirror->body];
    const Mat3 *turn = &mirror->glass.rotation;
    Vec3 out = vec3(turn->m[0][0], turn->m[1][0], turn->m[2][0]);
    return (MirrorGlass){.frame = {pose_apply(body, vec3_madd(mirror->glass.position, before, out)),
                                   mat3_product(&body->rotation, turn)},
                         .width = mirror->width,
                         .height = mirror->height,
                         .radius = MIRROR_RADIUS};
}

static bool is_in_sight(const MirrorGlass *glass, const Shot *shots, int count)
{
    Vec3 corners[4];
    mirror_corners(glass, corners);
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 4; k++) {
        FloatVec3 at;
        linear_from_vec3(corners[k], at);
        for (int n = 0; n < 3; n++) {
            low[n] = fminf(low[n], at[n]);
            high[n] = fmaxf(high[n], at[n]);
        }
    }
    bool seen = false;
    for (int k = 0; k < count; k++) {
        seen = seen || camera_sees_box((vec4 *)shots[k].camera.planes, low, high);
    }
    return seen;
}

static void refresh_mirrors(Renderer *renderer, const RenderView *view, int height, const Shot *shots, int count)
{
    FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
    int mirror_count = has_mirrors(renderer, view) ? machine_mirrors(view->machine, mirrors) : 0;
    Vec3 eye = camera_place(view, RENDER_CAMERA_CAB).eye;
    for (int k = 0; k < FITTINGS_MAX_MIRRORS; k++) {
        Inset *inset = &renderer->insets.mirror[k];
        Shot shot = {.kind = RENDER_CAMERA_CAB, .coarse = true};
        MirrorGlass glass = k < mirror_count ? glass_of(view, &mirrors[k]) : (MirrorGlass){0};
        if (k >= mirror_count || !is_in_sight(&glass, shots, count) ||
            !camera_of_mirror(&glass, eye, &shot.place, &shot.camera)) {
            inset->drawn = false;
        } else if (is_due(renderer, inset, k)) {
            double longer = fmax(glass.width, glass.height); // as many pixels as its glass covers at arm's length
            shot.width = scaled(renderer, 0.40 * height * glass.width / longer);
            shot.height = scaled(renderer, 0.40 * height * glass.height / longer);
            refresh(renderer, view, inset, &shot);
        }
    }
}

void insets_refresh(Renderer *renderer, const RenderView *view, int width, int height, const Shot *shots, int count)
{
    refresh_mirrors(renderer, view, height, shots, count);
    refresh_views(renderer, view, width, height);
}

/// ---- what is kept --------------------------------------------------------------------------------------------------

static void bind(const Inset *inset)
{
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    glBindTexture(GL_TEXTURE_2D, inset->stage.color);
}

void insets_draw_mirrors(const Renderer *renderer, const RenderView *view)
{
    FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
    int count = has_mirrors(renderer, view) ? machine_mirrors(view->machine, mirrors) : 0;
    for (int k = 0; k < count; k++) {
        if (renderer->insets.mirror[k].drawn) {
            Vec3 corners[4];
            float places[4][3];
            MirrorGlass glass = glass_of(view, &mirrors[k]);
            mirror_corners(&glass, corners);
            for (int n = 0; n < 4; n++) {
                linear_from_vec3(corners[n], places[n]);
            }
            bind(&renderer->insets.mirror[k]);
            glUseProgram(renderer->insets.mirror_program);
            glUniform3fv(renderer->insets.corner, 4, places[0]);
            glBindVertexArray(renderer->insets.array);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
}

/// Lays an inset over a column of the picture.
static void draw_inset(Renderer *renderer, const PanelPlace *place, double unit, int from, int height)
{
    int x = from + (int)lround(place->x * unit), y = height - (int)lround((place->y + place->height) * unit);
    int w = (int)lround(place->width * unit), h = (int)lround(place->height * unit);
    frame_set_viewport(&renderer->uniforms, w, h);
    frame_send_uniforms(renderer);
    glViewport(x, y, w, h);
    glUseProgram(renderer->insets.inset_program);
    glBindVertexArray(renderer->insets.array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void insets_draw(Renderer *renderer, const RenderView *view, int width, int height)
{
    PanelColumn columns[2];
    int count = panel_columns(view, width, columns);
    double unit = panel_unit(view, columns[0].width, height);
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        const Inset *inset = &renderer->insets.view[k];
        PanelPlace place = panel_inset(view, k, columns[0].width / unit, height / unit);
        for (int c = 0; c < count && inset->drawn; c++) {
            bind(inset);
            draw_inset(renderer, &place, unit, columns[c].x, height);
        }
    }
    glViewport(0, 0, width, height);
}
