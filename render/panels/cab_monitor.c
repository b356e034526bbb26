/// Draws the cab's monitor with cairo: engine, fuel, payload, depth, offset from the design, gear or pumps, force and
/// lamps; the same figures as the strip of gauges. The picture is a texture, which is sent only when a figure changes.
#include "render/panels/cab_monitor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cairo.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"

/// ---- what it shows -------------------------------------------------------------------------------------------------

static const double margin = 8.0, middle = 0.5 * 224.0;

/// Share of the tank that is full; below 0: the machine's file names no tank.
static double fuel_share(const RenderView *view)
{
    double tank = view->machine != NULL ? view->machine->engine.tank : 0.0;
    return tank > 0.0 ? fmin(fmax(view->hud.fuel / tank, 0.0), 1.0) : -1.0;
}

/// Draws engine and fuel, each over a bar.
static void draw_engine(cairo_t *cairo, const RenderView *view)
{
    const double low = 0.1; // share of the tank that is shown red. Chosen
    const RenderHud *hud = &view->hud;
    char text[HUD_TEXT_LENGTH];
    hud_format_speed(hud->engine_speed, text);
    double used = canvas_line(cairo, margin, 4.0, 17.0, true, CANVAS_LEFT, 0.0, canvas_text, text);
    canvas_fitted_line(cairo, margin + used + 4.0, 10.0, 10.5, false, CANVAS_LEFT, middle - margin - used - 12.0,
                       hud->oil_hot ? canvas_bad : canvas_soft,
                       language_text(hud->oil_hot ? TEXT("oil hot") : TEXT("rpm")));
    double speed = hud->engine_rated > 0.0 ? hud->engine_speed / (1.12 * hud->engine_rated) : 0.0;
    canvas_bar(cairo, margin, 27.0, middle - 2.0 * margin, 4.0, speed, -1.0, hud->oil_hot ? canvas_bad : canvas_good);
    double fuel = fuel_share(view);
    if (fuel >= 0.0) {
        double right = cab_monitor_width - margin;
        snprintf(text, sizeof text, "%.0f %%", 100.0 * fuel);
        used = canvas_line(cairo, right, 6.0, 14.0, true, CANVAS_RIGHT, 0.0, canvas_text, text);
        canvas_fitted_line(cairo, middle + margin, 10.0, 10.5, false, CANVAS_LEFT, right - used - middle - margin - 4.0,
                           canvas_soft, language_text("fuel"));
        canvas_bar(cairo, middle + margin, 27.0, middle - 2.0 * margin, 4.0, fuel, -1.0,
                   fuel < low ? canvas_bad : canvas_good);
    }
}

/// Draws the payload over its bar, and the edge's depth.
static void draw_load(cairo_t *cairo, const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    char text[HUD_TEXT_LENGTH];
    double share = hud->payload_full > 0.0 ? fmax(hud->payload / hud->payload_full, 0.0) : 0.0;
    Quantity payload = quantity(QUANTITY_MASS, fmax(hud->payload, 0.0), view->units);
    double used = canvas_line(cairo, margin, 35.0, 22.0, true, CANVAS_LEFT, 0.0, canvas_text, payload.number);
    snprintf(text, sizeof text, "%s \u00b7 %.0f %%", payload.unit, 100.0 * fmin(share, 9.99));
    canvas_fitted_line(cairo, margin + used + 4.0, 46.0, 10.5, false, CANVAS_LEFT, middle - used - margin - 6.0,
                       canvas_soft, text);
    canvas_bar(cairo, margin, 64.0, middle - 2.0 * margin, 4.0, fmin(share, 1.0), -1.0,
               share > 1.08 ? canvas_bad : canvas_good);
    hud_format_depth(hud->depth, view->units, text);
    const double left = middle + margin, width = middle - 2.0 * margin;
    canvas_fitted_line(cairo, left, 33.0, 22.0, true, CANVAS_LEFT, width, canvas_text, text);
    canvas_fitted_line(cairo, left, 58.0, 10.5, false, CANVAS_LEFT, width, canvas_soft,
                       language_text(hud->depth < 0.0 ? TEXT("high") : TEXT("deep")));
}

static bool shows_grade(const RenderView *view)
{
    return view->grade.visible && view->grade.over;
}

/// Draws the offset of the edge's middle from the design, with the word for it.
static void draw_grade(cairo_t *cairo, const RenderView *view, double y, double width)
{
    const double offset = view->grade.offset[1];
    char text[HUD_TEXT_LENGTH];
    CanvasColor color = hud_format_verdict(&view->grade, text);
    double used = canvas_fitted_line(cairo, margin, y, 17.0, true, CANVAS_LEFT, fmin(90.0, 0.6 * width), color,
                                     quantity(QUANTITY_OFFSET, offset, view->units).text);
    canvas_fitted_line(cairo, margin + used + 5.0, y + 4.0, 11.5, true, CANVAS_LEFT, width - used - 5.0, color, text);
}

/// Draws a value after its name.
static void draw_named(cairo_t *cairo, double x, double y, double width, const char *name, const char *value)
{
    double used = name[0] != '\0'
                      ? canvas_fitted_line(cairo, x, y + 5.0, 10.5, false, CANVAS_LEFT, 0.5 * width, canvas_soft, name)
                      : 0.0;
    canvas_fitted_line(cairo, x + width, y + 1.0, 15.0, true, CANVAS_RIGHT, width - used - 3.0, canvas_text, value);
}

/// Draws the offset from the design where one is asked for, then gear or pumps, and force.
static void draw_work(cairo_t *cairo, const RenderView *view)
{
    const double offset_y = 71.0, y = 90.0, split = 0.56 * cab_monitor_width;
    const RenderHud *hud = &view->hud;
    char force[HUD_TEXT_LENGTH];
    double right = cab_monitor_width - margin;
    Quantity power = quantity(QUANTITY_POWER, fmax(hud->pump_power, 0.0), view->units);
    hud_format_force(hud, view->units, force);
    double room = hud->tool_name[1] != NULL ? split - 2.0 * margin : right - margin; // beside the names of two tools
    if (shows_grade(view)) {
        draw_grade(cairo, view, offset_y, room);
    } else if (view->grade.visible) {
        canvas_fitted_line(cairo, margin, offset_y + 5.0, 10.5, false, CANVAS_LEFT, room, canvas_soft,
                           language_text("off the design"));
    }
    if (hud->tool_name[1] != NULL) {
        char names[HUD_TEXT_LENGTH];
        hud_format_tools(hud, names);
        canvas_fitted_line(cairo, right, offset_y + 6.0, 10.5, false, CANVAS_RIGHT, right - split, canvas_soft, names);
    }
    const char *beside = hud->drive != NULL ? hud->drive : hud->tool_turn;
    draw_named(cairo, margin, y, split - 2.0 * margin, beside != NULL ? "" : language_text("Pumps"),
               beside != NULL ? beside : power.text);
    draw_named(cairo, split, y, right - split, "", force);
}

/// Draws payload, depth, and gear or force one below the other, beside the rear camera's picture.
static void draw_beside_rear(cairo_t *cairo, const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    const double width = cab_monitor_rear.x - 2.0 * margin, pitch = 25.0, top = 36.0, size = 16.0;
    char text[HUD_TEXT_LENGTH];
    canvas_fitted_line(cairo, margin, top, size, true, CANVAS_LEFT, width, canvas_text,
                       quantity(QUANTITY_MASS, fmax(hud->payload, 0.0), view->units).text);
    hud_format_depth(hud->depth, view->units, text);
    canvas_fitted_line(cairo, margin, top + pitch, size, true, CANVAS_LEFT, width, canvas_text, text);
    hud_format_force(hud, view->units, text);
    canvas_fitted_line(cairo, margin, top + 2.0 * pitch, size, true, CANVAS_LEFT, width, canvas_text,
                       hud->drive != NULL       ? hud->drive
                       : hud->tool_turn != NULL ? hud->tool_turn
                                                : text);
}

/// Draws the lamps of the limits and of the tool's state side by side.
static void draw_lamps(cairo_t *cairo, const RenderHud *hud)
{
    HudLamp lamps[HUD_LAMPS];
    int count = hud_lamps(hud, lamps);
    const double y = 112.0, height = 22.0, width = (cab_monitor_width - 2.0 * margin) / fmax(count, 1.0);
    for (int k = 0; k < count; k++) {
        const HudLamp *lamp = &lamps[k];
        canvas_rounded(cairo, margin + k * width + 1.5, y, width - 3.0, height, 4.0);
        canvas_color(cairo, !lamp->on     ? (CanvasColor){1.0, 1.0, 1.0, 0.07}
                            : lamp->warns ? (CanvasColor){0.80, 0.18, 0.12, 1.0}
                                          : (CanvasColor){0.14, 0.46, 0.22, 1.0});
        cairo_fill(cairo);
        canvas_fitted_line(cairo, margin + (k + 0.5) * width, y + 4.5, 11.0, lamp->on, CANVAS_CENTER, width - 6.0,
                           lamp->on ? canvas_text : canvas_soft, lamp->text);
    }
}

void cab_monitor_paint(cairo_t *cairo, const RenderView *view)
{
    canvas_color(cairo, (CanvasColor){0.030, 0.038, 0.046, 1.0});
    cairo_rectangle(cairo, 0.0, 0.0, cab_monitor_width, cab_monitor_height);
    cairo_fill(cairo);
    draw_engine(cairo, view);
    if (view->layout.monitor_inset > 0) {
        draw_beside_rear(cairo, view);
    } else {
        draw_load(cairo, view);
        draw_work(cairo, view);
    }
    draw_lamps(cairo, &view->hud);
}

uint64_t cab_monitor_signature(const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    uint64_t hash = signature_value(signature_text(SIGNATURE_START, language_code()), view->units, 1.0);
    hash = signature_value(signature_value(hash, hud->engine_speed, 1.0), hud->engine_rated, 1.0);
    hash = signature_value(signature_value(hash, fuel_share(view), 0.01), hud->oil_hot, 1.0);
    hash = signature_value(signature_value(hash, hud->payload, 10.0), hud->payload_full, 1.0);
    hash = signature_value(signature_value(hash, hud->depth, 0.01), hud->tool_force, 1000.0);
    hash = signature_value(signature_text(hash, hud->tool_name[1]), hud->second_force, 1000.0);
    hash = signature_value(signature_text(signature_text(hash, hud->drive), hud->tool_turn), hud->pump_power, 1000.0);
    for (int k = 0; k < 4; k++) {
        hash = signature_value(signature_text(hash, hud->limit[k]), hud->limit_acts[k], 1.0);
    }
    hash = signature_value(signature_text(hash, hud->state), hud->state_acts + 2 * hud->state_warns, 1.0);
    hash = signature_value(hash, view->grade.visible + 2 * (view->layout.monitor_inset > 0), 1.0);
    return shows_grade(view)
               ? signature_value(signature_value(hash, view->grade.offset[1], 0.001), view->grade.tolerance, 0.001)
               : hash;
}

/// ---- on the GPU ----------------------------------------------------------------------------------------------------

struct CabMonitor {
    GLuint program, array, texture;
    GLint corner;
    cairo_surface_t *surface; ///< NULL until it is first wanted
    double scale; ///< pixels a unit
    uint64_t signature; ///< of what the texture holds
    bool drawn; ///< it holds something
    double rate, instant; ///< as in overlay.c
};

CabMonitor *cab_monitor_create(const GlShaders *shaders, double rate, Status *status)
{
    CabMonitor *monitor = calloc(1, sizeof *monitor);
    if (monitor == NULL) {
        status_fail(status, STATUS_LACKING, "renderer: out of memory for the cab's monitor");
        return NULL;
    }
    monitor->rate = rate;
    monitor->program = gl_program_create(shaders, "glass", "#define MONITOR\n", status);
    if (monitor->program == 0) {
        cab_monitor_destroy(monitor);
        return NULL;
    }
    monitor->corner = glGetUniformLocation(monitor->program, "corner");
    glGenVertexArrays(1, &monitor->array);
    return monitor;
}

void cab_monitor_destroy(CabMonitor *monitor)
{
    if (monitor == NULL) {
        return;
    }
    glDeleteProgram(monitor->program);
    glDeleteVertexArrays(1, &monitor->array);
    glDeleteTextures(1, &monitor->texture);
    if (monitor->surface != NULL) {
        cairo_surface_destroy(monitor->surface);
    }
    free(monitor);
}

void cab_monitor_forget(CabMonitor *monitor)
{
    monitor->drawn = false;
}

/// Makes surface and texture for a scale. False where memory is short.
static bool resize(CabMonitor *monitor, double scale)
{
    if (monitor->surface != NULL && fabs(scale - monitor->scale) < 1e-9) {
        return true;
    }
    if (monitor->surface != NULL) {
        cairo_surface_destroy(monitor->surface);
    }
    int width = (int)(scale * cab_monitor_width), height = (int)(scale * cab_monitor_height);
    monitor->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    if (cairo_surface_status(monitor->surface) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(monitor->surface);
        monitor->surface = NULL;
        return false;
    }
    monitor->scale = scale;
    monitor->drawn = false;
    glDeleteTextures(1, &monitor->texture);
    glGenTextures(1, &monitor->texture);
    glBindTexture(GL_TEXTURE_2D, monitor->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl_texture_sampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    return true;
}

/// Pixels a unit: a little finer than the monitor is seen in a picture so high, at most 784 KB in all.
static double scale_for(int height)
{
    const double seen = 0.93 / 720.0; // pixels a unit and pixel of height, see machine_monitor
    return fmin(fmax(0.25 * ceil(4.0 * 1.1 * seen * height), 1.0), 2.5);
}

static void send(const CabMonitor *monitor)
{
    int width = cairo_image_surface_get_width(monitor->surface);
    int height = cairo_image_surface_get_height(monitor->surface);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, cairo_image_surface_get_stride(monitor->surface) / 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                    cairo_image_surface_get_data(monitor->surface));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void cab_monitor_update(CabMonitor *monitor, const RenderView *view, int height)
{
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    if (!resize(monitor, scale_for(height))) {
        return;
    }
    double instant = floor(view->hud.time * monitor->rate);
    bool same_instant = !(instant < monitor->instant) && !(instant > monitor->instant);
    uint64_t signature = cab_monitor_signature(view);
    if (monitor->drawn && (same_instant || signature == monitor->signature)) {
        return;
    }
    cairo_t *cairo = cairo_create(monitor->surface);
    cairo_scale(cairo, monitor->scale, monitor->scale);
    cab_monitor_paint(cairo, view);
    cairo_destroy(cairo);
    cairo_surface_flush(monitor->surface);
    glBindTexture(GL_TEXTURE_2D, monitor->texture);
    send(monitor);
    monitor->drawn = true;
    monitor->signature = signature;
    monitor->instant = instant;
}

static void draw_quad(const CabMonitor *monitor, GLuint texture, const float corners[4][3])
{
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    glBindTexture(GL_TEXTURE_2D, texture);
    glUseProgram(monitor->program);
    glUniform3fv(monitor->corner, 4, corners[0]);
    glBindVertexArray(monitor->array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void cab_monitor_draw(const CabMonitor *monitor, const float corners[4][3])
{
    if (monitor->drawn) {
        draw_quad(monitor, monitor->texture, corners);
    }
}

void cab_monitor_draw_rear(const CabMonitor *monitor, GLuint picture, const float corners[4][3])
{
    const PanelPlace *place = &cab_monitor_rear;
    float own[4][3];
    for (int k = 0; k < 4; k++) {
        double u = (place->x + (k % 2) * place->width) / cab_monitor_width;
        double v = 1.0 - (place->y + (k / 2) * place->height) / cab_monitor_height; // upper corners first
        for (int n = 0; n < 3; n++) {
            double low = (1.0 - u) * (double)corners[0][n] + u * (double)corners[1][n];
            double high = (1.0 - u) * (double)corners[2][n] + u * (double)corners[3][n];
            own[k][n] = (float)((1.0 - v) * low + v * high);
        }
    }
    draw_quad(monitor, picture, (const float(*)[3])own);
}
