/// The gauges along the lower edge: engine and payload as dials, the joints' pressures as bars with a mark at the
/// relief pressure, and the figures that an operator steers by. Scales end a little beyond full, so that too much is
/// seen as such.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"
#include "render/panels/hud_text.h"
#include "render/panels/signature.h"

static const double arc_start = 0.78 * M_PI, arc_sweep = 1.44 * M_PI;

static void draw_arc(cairo_t *cairo, double x, double y, double radius, double from, double to, CanvasColor color,
                     double width)
{
    canvas_color(cairo, color);
    cairo_set_line_width(cairo, width);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, radius, arc_start + from * arc_sweep, arc_start + to * arc_sweep);
    cairo_stroke(cairo);
}

/// A round gauge: value and unit in the middle, name below.
static void draw_dial(cairo_t *cairo, double x, double share, CanvasColor color, const char *value, const char *unit,
                      const char *name)
{
    const double y = 57.0, radius = 40.0;
    draw_arc(cairo, x, y, radius, 0.0, 1.0, canvas_faint, 7.0);
    if (share > 0.005) {
        draw_arc(cairo, x, y, radius, 0.0, fmin(share, 1.0), color, 7.0);
    }
    canvas_line(cairo, x, y - 17.0, strlen(value) > 6 ? 16.0 : 19.0, true, CANVAS_CENTER, 0.0, canvas_text, value);
    canvas_fitted_line(cairo, x, y + 8.0, 11.0, false, CANVAS_CENTER, 70.0, canvas_soft, unit);
    canvas_line(cairo, x, 99.0, 11.0, false, CANVAS_CENTER, 0.0, canvas_soft, name);
}

static const double lamps_width = 136.0;

static void draw_pressures(cairo_t *cairo, const RenderView *view, double x)
{
    const RenderHud *hud = &view->hud;
    const double over = 1.12; // the scale ends a little beyond the relief pressure
    for (int k = 0; k < 4 && hud->joint_name[k] != NULL; k++) {
        double y = 14.0 + 25.0 * k, full = fmax(hud->pressure_relief[k], 1.0) * over;
        double share = hud->pressure[k] / full;
        canvas_fitted_line(cairo, x, y, 11.5, false, CANVAS_LEFT, 47.0, canvas_soft, hud->joint_name[k]);
        canvas_bar(cairo, x + 50.0, y + 4.5, 118.0, 7.0, share, 1.0 / over,
                   hud->at_relief[k] ? canvas_bad : canvas_accent);
        Quantity pressure = quantity(QUANTITY_PRESSURE, fmax(hud->pressure[k], 0.0), view->units);
        canvas_fitted_line(cairo, x + 238.0, y, 11.5, false, CANVAS_RIGHT, 66.0, canvas_text,
                           hud->joint_value[k] != NULL ? hud->joint_value[k] : pressure.text);
    }
}

static void draw_figure(cairo_t *cairo, double x, double y, const char *name, const char *value)
{
    double used = canvas_line(cairo, x, y, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, name);
    canvas_fitted_line(cairo, x + 136.0, y - 2.0, 14.0, true, CANVAS_RIGHT, 130.0 - used, canvas_text, value);
}

/// A lamp for each limit, side by side: several may be lit.
static void draw_limits(cairo_t *cairo, double x, double y, const RenderHud *hud)
{
    const double width = lamps_width / 4.0;
    for (int k = 0; k < 4 && hud->limit[k] != NULL; k++) {
        bool on = hud->limit_acts[k];
        canvas_rounded(cairo, x + k * width + 1.0, y, width - 2.0, 24.0, 4.0);
        canvas_color(cairo, on ? (CanvasColor){0.75, 0.20, 0.14, 0.95} : (CanvasColor){1.0, 1.0, 1.0, 0.06});
        cairo_fill(cairo);
        canvas_fitted_line(cairo, x + (k + 0.5) * width, y + 5.5, 9.5, on, CANVAS_CENTER, width - 1.0,
                           on ? canvas_text : canvas_soft, hud->limit[k]);
    }
}

/// A value with its unit, over a bar when it is a share of something. Returns where the next one begins.
static double draw_short(cairo_t *cairo, double x, double width, const char *value, const char *unit, double share,
                         CanvasColor color)
{
    double used = canvas_fitted_line(cairo, x, 6.0, 15.0, true, CANVAS_LEFT,
                                     unit[0] != '\0' ? 0.7 * width : width - 8.0, canvas_text, value);
    canvas_fitted_line(cairo, x + used + 5.0, 9.5, 11.0, false, CANVAS_LEFT, width - 10.0 - used, canvas_soft, unit);
    if (share >= 0.0) {
        canvas_bar(cairo, x, 29.0, width - 18.0, 4.0, share, -1.0, color);
    }
    return x + width;
}

/// Oil that is too hot reddens the engine's gauge and stands in the place of its name.
static CanvasColor engine_color(const RenderHud *hud)
{
    return hud->oil_hot ? canvas_bad : hud->engine_speed < 0.8 * hud->engine_rated ? canvas_accent : canvas_good;
}

/// "76 kN"; of a machine with two tools "76 · 54 kN", under which their names stand.
static void format_force(const RenderHud *hud, TextUnits units, char text[HUD_TEXT_LENGTH])
{
    Quantity first = quantity(QUANTITY_FORCE, hud->tool_force, units);
    if (hud->tool_name[1] == NULL) {
        snprintf(text, HUD_TEXT_LENGTH, "%s", first.text);
    } else {
        Quantity second = quantity(QUANTITY_FORCE, hud->second_force, units);
        snprintf(text, HUD_TEXT_LENGTH, "%.16s \u00b7 %.24s", first.number, second.text);
    }
}

static void format_tools(const RenderHud *hud, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%.20s \u00b7 %.20s", hud->tool_name[0], hud->tool_name[1]);
}

/// One line: engine, payload, the edge, gear, force, lamps.
static void draw_strip(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    char text[HUD_TEXT_LENGTH], unit[HUD_TEXT_LENGTH];
    canvas_panel_box(cairo, place->width, place->height);
    hud_format_speed(hud->engine_speed, text);
    double speed = hud->engine_rated > 0.0 ? hud->engine_speed / (1.12 * hud->engine_rated) : 0.0;
    double x = draw_short(cairo, 16.0, 98.0, text, language_text(hud->oil_hot ? TEXT("oil hot") : TEXT("rpm")), speed,
                          engine_color(hud));
    double share = hud->payload_full > 0.0 ? fmax(hud->payload / hud->payload_full, 0.0) : 0.0;
    Quantity payload = quantity(QUANTITY_MASS, fmax(hud->payload, 0.0), view->units);
    snprintf(unit, sizeof(unit), "%s \u00b7 %.0f %%", payload.unit, 100.0 * fmin(share, 9.99));
    x = draw_short(cairo, x, 138.0, payload.number, unit, fmin(share, 1.0), share > 1.08 ? canvas_bad : canvas_good);
    hud_format_depth(hud->depth, view->units, text);
    x = draw_short(cairo, x, 112.0, text, language_text(hud->depth < 0.0 ? TEXT("high") : TEXT("deep")), -1.0,
                   canvas_text);
    if (hud->drive != NULL) {
        x = draw_short(cairo, x, 120.0, hud->drive, "", -1.0, canvas_text);
    }
    format_force(hud, view->units, text);
    draw_short(cairo, x, 120.0, text, "", -1.0, canvas_text);
    if (hud->tool_name[1] != NULL) {
        format_tools(hud, text);
        canvas_fitted_line(cairo, x, 25.0, 9.0, false, CANVAS_LEFT, 112.0, canvas_soft, text);
    }
    draw_limits(cairo, place->width - lamps_width - 8.0, 8.0, hud);
}

static void draw_gauges(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    if (hud->compact) {
        draw_strip(cairo, view, place);
        return;
    }
    char text[HUD_TEXT_LENGTH], unit[HUD_TEXT_LENGTH];
    canvas_panel_box(cairo, place->width, place->height);
    hud_format_speed(hud->engine_speed, text);
    double speed = hud->engine_rated > 0.0 ? hud->engine_speed / (1.12 * hud->engine_rated) : 0.0;
    draw_dial(cairo, 64.0, speed, engine_color(hud), text, language_text("rpm"),
              language_text(hud->oil_hot ? TEXT("Oil hot") : TEXT("Engine")));
    double share = hud->payload_full > 0.0 ? hud->payload / hud->payload_full : 0.0;
    Quantity payload = quantity(QUANTITY_MASS, fmax(hud->payload, 0.0), view->units);
    snprintf(unit, sizeof(unit), "%s  \u00b7  %.0f %%", payload.unit, 100.0 * fmin(fmax(share, 0.0), 9.99));
    draw_dial(cairo, 174.0, share, share > 1.08 ? canvas_bad : canvas_good, payload.number, unit,
              language_text("Payload"));
    draw_pressures(cairo, view, 252.0);
    double x = place->width - 152.0;
    char name[HUD_TEXT_LENGTH];
    snprintf(name, sizeof(name), "%s", language_text("Tool force"));
    if (hud->tool_name[1] != NULL) {
        format_tools(hud, name);
    }
    format_force(hud, view->units, text);
    draw_figure(cairo, x, 13.0, name, text);
    hud_format_depth(hud->depth, view->units, text);
    bool edge = hud->tool_name[1] != NULL;
    draw_figure(cairo, x, 36.0,
                hud->depth < 0.0 ? language_text(edge ? TEXT("Edge height") : TEXT("Tip height"))
                                 : language_text(edge ? TEXT("Edge depth") : TEXT("Tip depth")),
                text);
    Quantity power = quantity(QUANTITY_POWER, fmax(hud->pump_power, 0.0), view->units);
    draw_figure(cairo, x, 59.0, language_text(hud->drive != NULL ? TEXT("Gear") : TEXT("Pumps")),
                hud->drive != NULL ? hud->drive : power.text);
    draw_limits(cairo, x, 85.0, hud);
}

static uint64_t sign_gauges(uint64_t hash, const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    for (int k = 0; k < 4; k++) {
        double full = fmax(hud->pressure_relief[k], 1.0);
        hash = signature_value(signature_value(hash, hud->pressure[k], full / 100.0), full, 1e5);
        hash = signature_text(hash, hud->joint_name[k]);
        hash = signature_value(hash, (hud->at_relief[k] ? 1.0 : 0.0) + (hud->limit_acts[k] ? 2.0 : 0.0), 1.0);
        hash = signature_text(hash, hud->limit[k]);
    }
    for (int k = 0; k < 4 && hud->joint_value[k] != NULL; k++) {
        hash = signature_text(hash, hud->joint_value[k]);
    }
    hash = signature_value(signature_text(signature_text(hash, hud->tool_name[0]), hud->tool_name[1]),
                           hud->second_force, 1000.0);
    hash = signature_value(signature_text(hash, hud->drive),
                           hud->compact + 2 * (int)view->units + (hud->oil_hot ? 16 : 0), 1.0);
    hash = signature_value(signature_value(hash, hud->engine_speed, 1.0), hud->engine_rated, 1.0);
    hash = signature_value(signature_value(hash, hud->pump_power, 1000.0), hud->payload, 10.0);
    hash = signature_value(signature_value(hash, hud->payload_full, 1.0), hud->fuel, 1.0);
    return signature_value(signature_value(hash, hud->tool_force, 1000.0), hud->depth, 0.01);
}

const PanelType panel_gauges = {sign_gauges, draw_gauges, .runs_with_time = true};
