/// Draws the head-up display: task with time and score, state (recording, pause, slow simulation), key hints, message,
/// the two levers with the tracks' levels beside them, and the gauges along the lower edge.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"

/// ---- task, state, hints and message --------------------------------------------------------------------------------

/// Draws the lines of the exercise, of which at most `most` are shown (the first ones and the last), and those of a
/// race and of a banksman below them.
static void draw_progress(cairo_t *cairo, const RenderView *view, int most, const PanelPlace *first, double size)
{
    const RenderHud *hud = &view->hud;
    int count = panel_lines(hud->progress, RENDER_HUD_LINES), shown = count < most ? count : most;
    for (int k = 0; k < shown; k++) {
        canvas_fitted_line(cairo, first->x, first->y + first->height * k, size, false, CANVAS_LEFT, first->width,
                           canvas_text, hud->progress[k == most - 1 ? count - 1 : k]);
    }
    for (int k = 0; k < hud->race_count; k++) {
        canvas_fitted_line(cairo, first->x, first->y + first->height * (shown + k), size, true, CANVAS_LEFT,
                           first->width, canvas_accent, hud->race[k]);
    }
    if (panel_shows_signal(view)) {
        canvas_fitted_line(cairo, first->x, first->y + first->height * (shown + hud->race_count), size, true,
                           CANVAS_LEFT, first->width, canvas_accent, hud->signal);
    }
}

/// Draws the task beside a strip of gauges: time and score in one line, then the exercise's lines.
static void draw_small_task(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    char text[HUD_TEXT_LENGTH];
    double w = place->width, right = w - 12.0;
    bool late = hud->time_limit > 0.0 && hud->time > 0.9 * hud->time_limit;
    canvas_panel_box(cairo, w, place->height);
    hud_format_time(hud->time, text);
    double used =
        12.0 + canvas_line(cairo, 12.0, 6.0, 18.0, true, CANVAS_LEFT, 0.0, late ? canvas_bad : canvas_text, text);
    if (!hud->unscored) {
        snprintf(text, sizeof(text), "%.0f", metric_whole(fmin(fmax(hud->score, 0.0), 100.0)));
        right -= canvas_line(cairo, right, 6.0, 18.0, true, CANVAS_RIGHT, 0.0, canvas_accent, text) + 6.0;
        canvas_fitted_line(cairo, right, 11.0, 12.0, false, CANVAS_RIGHT, right - used - 8.0,
                           hud->held ? canvas_accent : canvas_soft,
                           language_text(hud->held ? TEXT("held") : TEXT("score")));
    }
    if (hud->time_limit > 0.0) {
        canvas_bar(cairo, 12.0, 32.0, w - 24.0, 2.5, hud->time / hud->time_limit, -1.0,
                   late ? canvas_bad : canvas_soft);
    }
    draw_progress(cairo, view, PANEL_TASK_LINES, &(PanelPlace){12.0, 38.0, w - 24.0, 17.0}, 12.5);
}

static void draw_task(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    char text[HUD_TEXT_LENGTH], limit[HUD_TEXT_LENGTH];
    double w = place->width;
    if (hud->compact) {
        draw_small_task(cairo, view, place);
        return;
    }
    bool narrow = w < 300.0; // smaller figures; only the bar below the time shows the limit
    double size = narrow ? 22.0 : 30.0, top = narrow ? 42.0 : 35.0;
    canvas_panel_box(cairo, w, place->height);
    canvas_line(cairo, 14.0, 10.0, 15.0, true, CANVAS_LEFT, w - 28.0, canvas_text,
                hud->title == NULL ? "" : hud->title);
    hud_format_time(hud->time, text);
    bool late = hud->time_limit > 0.0 && hud->time > 0.9 * hud->time_limit;
    double used = canvas_line(cairo, 14.0, top, size, true, CANVAS_LEFT, 0.0, late ? canvas_bad : canvas_text, text);
    if (hud->time_limit > 0.0) {
        hud_format_time(hud->time_limit, text);
        snprintf(limit, sizeof(limit), language_text("of %.40s"), text);
        if (!narrow) {
            canvas_line(cairo, 22.0 + used, 53.0, 13.0, false, CANVAS_LEFT, 0.0, canvas_soft, limit);
        }
        canvas_bar(cairo, 14.0, 75.0, w - 28.0, 3.0, hud->time / hud->time_limit, -1.0,
                   late ? canvas_bad : canvas_soft);
    }
    if (!hud->unscored) {
        snprintf(text, sizeof(text), "%.0f", metric_whole(fmin(fmax(hud->score, 0.0), 100.0)));
        double right = w - 22.0 - canvas_line(cairo, w - 14.0, top, size, true, CANVAS_RIGHT, 0.0, canvas_accent, text);
        canvas_fitted_line(cairo, right, narrow ? 49.0 : 36.0, 13.0, false, CANVAS_RIGHT, right - 22.0 - used,
                           hud->held ? canvas_accent : canvas_soft,
                           language_text(hud->held ? TEXT("held") : TEXT("score")));
    }
    draw_progress(cairo, view, RENDER_HUD_LINES, &(PanelPlace){14.0, 88.0, w - 28.0, 19.0}, 13.0);
}

static void draw_state(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    char badge[HUD_TEXT_LENGTH];
    double right = place->width - 14.0, y = 9.0;
    canvas_panel_box(cairo, place->width, place->height);
    if (hud->recording) {
        canvas_color(cairo, canvas_bad);
        cairo_arc(cairo, 21.0, 17.0, 5.5, 0.0, 2.0 * M_PI);
        cairo_fill(cairo);
        canvas_line(cairo, 34.0, y, 13.0, true, CANVAS_LEFT, 0.0, canvas_text, language_text("REC"));
    }
    if (hud_format_badge(hud->real_time, badge)) {
        right -= canvas_line(cairo, right, y, 13.0, true, CANVAS_RIGHT, 0.0, canvas_accent, badge) + 6.0;
        right -=
            canvas_line(cairo, right, y, 13.0, false, CANVAS_RIGHT, 0.0, canvas_soft, language_text("speed")) + 14.0;
    }
    if (hud->paused) {
        right -=
            canvas_line(cairo, right, y, 13.0, true, CANVAS_RIGHT, 0.0, canvas_text, language_text("PAUSED")) + 7.0;
        canvas_color(cairo, canvas_text);
        cairo_rectangle(cairo, right - 10.0, 11.0, 3.5, 12.0);
        cairo_rectangle(cairo, right - 4.0, 11.0, 3.5, 12.0);
        cairo_fill(cairo);
    }
}

static void draw_hints(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    int count = panel_lines(hud->hints, RENDER_MAX_HINTS);
    double pitch = (place->height - 16.0) / fmax(count, 1.0);
    double usual = fmin(11.5, 0.8 * pitch), size = usual;
    canvas_panel_box(cairo, place->width, place->height);
    for (int k = 0; k < count; k++) {
        size = fmin(size, canvas_fitting_size(cairo, usual, false, place->width - 28.0, hud->hints[k]));
    }
    for (int k = 0; k < count; k++) {
        canvas_line(cairo, 14.0, 8.0 + pitch * k + 0.6 * (usual - size), size, false, CANVAS_LEFT, place->width - 28.0,
                    canvas_soft, hud->hints[k]);
    }
}

static void draw_message(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    canvas_panel_box(cairo, place->width, place->height);
    canvas_color(cairo, canvas_accent);
    cairo_rectangle(cairo, 1.0, 10.0, 3.0, place->height - 20.0);
    cairo_fill(cairo);
    const char *second = strchr(hud->message, '\n');
    char first[160];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(hud->message, "\n"), hud->message);
    canvas_fitted_line(cairo, 0.5 * place->width, 15.0, 17.0, true, CANVAS_CENTER, place->width - 40.0, canvas_text,
                       first);
    if (second != NULL) {
        canvas_fitted_line(cairo, 0.5 * place->width, 39.0, 15.0, false, CANVAS_CENTER, place->width - 40.0,
                           canvas_text, second + 1);
    }
}

/// ---- levers --------------------------------------------------------------------------------------------------------

/// What a lever does in a word or two when it goes the way `sign`.
static const char *stick_word(ControlAxis axis, bool forward, int sign)
{
    static const char *const words[CONTROL_COUNT][2] = {
        [CONTROL_SWING] = {TEXT("swing left"), TEXT("swing right")},
        [CONTROL_STICK] = {TEXT("stick out"), TEXT("stick in")},
        [CONTROL_BOOM] = {TEXT("boom down"), TEXT("boom up")},
        [CONTROL_BUCKET] = {TEXT("dump"), TEXT("curl")},
        [CONTROL_LEFT_TRACK] = {TEXT("back"), TEXT("ahead")},
        [CONTROL_BLADE] = {TEXT("blade down"), TEXT("blade up")},
        [CONTROL_BLADE_TILT] = {TEXT("tilt"), TEXT("tilt")},
    };
    if (!forward && (axis == CONTROL_SWING || axis == CONTROL_LEFT_TRACK)) { // the arrow says the side
        return language_text(axis == CONTROL_SWING ? TEXT("swing") : TEXT("steer"));
    }
    const char *word = words[axis][sign > 0];
    return word != NULL ? language_text(word) : "";
}

HudStick hud_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left)
{
    int across = 1, along = 1;
    ControlAxis aside = render_stick_way(pattern, left, false, &across);
    ControlAxis ahead = render_stick_way(pattern, left, true, &along);
    double at[2];
    render_stick(levers, pattern, left, at);
    return (HudStick){.x = at[0],
                      .y = at[1],
                      .ahead = stick_word(ahead, true, along),
                      .back = stick_word(ahead, true, -along),
                      .left = stick_word(aside, false, -across),
                      .right = stick_word(aside, false, across)};
}

/// Draws the level of one track: up = forward.
static void draw_track(cairo_t *cairo, double x, double y, double height, double value)
{
    canvas_rounded(cairo, x, y, 9.0, height, 4.5);
    canvas_color(cairo, canvas_faint);
    cairo_fill(cairo);
    double middle = y + 0.5 * height, share = fmin(fmax(value, -1.0), 1.0) * 0.5 * height;
    cairo_rectangle(cairo, x, share > 0.0 ? middle - share : middle, 9.0, fabs(share));
    canvas_color(cairo, canvas_accent);
    cairo_fill(cairo);
    cairo_rectangle(cairo, x - 2.0, middle - 0.5, 13.0, 1.0);
    canvas_color(cairo, canvas_soft);
    cairo_fill(cairo);
}

static void draw_stick(cairo_t *cairo, const RenderHud *hud, bool left, const PanelPlace *place)
{
    HudStick stick = hud_stick(hud->levers, hud->pattern, left);
    canvas_panel_box(cairo, place->width, place->height);
    double track_x = left ? 13.0 : place->width - 22.0;
    double cx = left ? 110.0 : place->width - 110.0, cy = 91.0, r = 45.0;
    draw_track(cairo, track_x, 40.0, 102.0, hud->levers[left ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK]);
    canvas_line(cairo, track_x + 4.5, 148.0, 10.5, false, CANVAS_CENTER, 0.0, canvas_soft,
                language_text(left ? TEXT("L") : TEXT("R")));
    // The gate that the grip moves in.
    canvas_rounded(cairo, cx - r, cy - r, 2.0 * r, 2.0 * r, 12.0);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.06});
    cairo_fill(cairo);
    canvas_color(cairo, canvas_faint);
    cairo_set_line_width(cairo, 1.0);
    cairo_move_to(cairo, cx - r, cy);
    cairo_line_to(cairo, cx + r, cy);
    cairo_move_to(cairo, cx, cy - r);
    cairo_line_to(cairo, cx, cy + r);
    cairo_stroke(cairo);
    double x = cx + fmin(fmax(stick.x, -1.0), 1.0) * (r - 8.0), y = cy - fmin(fmax(stick.y, -1.0), 1.0) * (r - 8.0);
    canvas_color(cairo, (CanvasColor){1.0, 0.72, 0.13, 0.35});
    cairo_set_line_width(cairo, 5.0);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(cairo, cx, cy);
    cairo_line_to(cairo, x, y);
    cairo_stroke(cairo);
    canvas_color(cairo, canvas_accent);
    cairo_arc(cairo, x, y, 8.0, 0.0, 2.0 * M_PI);
    cairo_fill(cairo);
    CanvasColor lit = canvas_text, dim = canvas_soft;
    canvas_line(cairo, cx, cy - r - 18.0, 11.0, false, CANVAS_CENTER, 0.0, stick.y > 0.05 ? lit : dim, stick.ahead);
    canvas_line(cairo, cx, cy + r + 4.0, 11.0, false, CANVAS_CENTER, 0.0, stick.y < -0.05 ? lit : dim, stick.back);
    char sides[2][HUD_TEXT_LENGTH];
    snprintf(sides[0], sizeof(sides[0]), "\u25c2 %.20s", stick.left);
    snprintf(sides[1], sizeof(sides[1]), "%.20s \u25b8", stick.right);
    const double half = 70.0; // the side words meet below the gate's middle
    canvas_fitted_line(cairo, cx - 4.0, cy + r + 20.0, 11.0, false, CANVAS_RIGHT, half, stick.x < -0.05 ? lit : dim,
                       sides[0]);
    canvas_fitted_line(cairo, cx + 4.0, cy + r + 20.0, 11.0, false, CANVAS_LEFT, half, stick.x > 0.05 ? lit : dim,
                       sides[1]);
    char title[HUD_TEXT_LENGTH];
    snprintf(title, sizeof(title), "%s%s%.12s", language_text(left ? TEXT("Left lever") : TEXT("Right lever")),
             hud->pattern != NULL ? "  \u00b7  " : "", hud->pattern != NULL ? language_text(hud->pattern) : "");
    canvas_line(cairo, cx, 7.0, 11.0, true, CANVAS_CENTER, 0.0, canvas_soft, title);
}

static void draw_left_stick(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    draw_stick(cairo, &view->hud, true, place);
}

static void draw_right_stick(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    draw_stick(cairo, &view->hud, false, place);
}

/// ---- gauges --------------------------------------------------------------------------------------------------------

/// Scales end a little beyond full, so that too much is visible.
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

/// Draws a round gauge: value and unit in the middle, name below.
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

static const double lamps_width = 136.0; ///< of the four limits

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

/// Draws a lamp for each limit, and for the tool's state, side by side; several may be lit.
static void draw_limits(cairo_t *cairo, double x, double y, double room, const RenderHud *hud)
{
    HudLamp lamps[HUD_LAMPS];
    int count = hud_lamps(hud, lamps);
    const double width = room / fmax(count, 1.0);
    for (int k = 0; k < count; k++) {
        const HudLamp *lamp = &lamps[k];
        canvas_rounded(cairo, x + k * width + 1.0, y, width - 2.0, 24.0, 4.0);
        canvas_color(cairo, !lamp->on     ? (CanvasColor){1.0, 1.0, 1.0, 0.06}
                            : lamp->warns ? (CanvasColor){0.75, 0.20, 0.14, 0.95}
                                          : (CanvasColor){0.16, 0.48, 0.24, 0.95});
        cairo_fill(cairo);
        canvas_fitted_line(cairo, x + (k + 0.5) * width, y + 5.5, 9.5, lamp->on, CANVAS_CENTER, width - 1.0,
                           lamp->on ? canvas_text : canvas_soft, lamp->text);
    }
}

/// Draws a value with its unit, over a bar when `share` >= 0. Returns where the next one begins.
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

/// The engine's gauge is red when the oil is too hot; its name then says so.
static CanvasColor engine_color(const RenderHud *hud)
{
    return hud->oil_hot ? canvas_bad : hud->engine_speed < 0.8 * hud->engine_rated ? canvas_accent : canvas_good;
}

void hud_format_force(const RenderHud *hud, TextUnits units, char text[HUD_TEXT_LENGTH])
{
    Quantity first = quantity(QUANTITY_FORCE, hud->tool_force, units);
    if (hud->tool_name[1] == NULL) {
        snprintf(text, HUD_TEXT_LENGTH, "%s", first.text);
    } else {
        Quantity second = quantity(QUANTITY_FORCE, hud->second_force, units);
        snprintf(text, HUD_TEXT_LENGTH, "%.16s \u00b7 %.24s", first.number, second.text);
    }
}

int hud_lamps(const RenderHud *hud, HudLamp lamps[HUD_LAMPS])
{
    int count = 0;
    for (int k = 0; k < HUD_LAMPS - 1 && hud->limit[k] != NULL; k++) {
        lamps[count++] = (HudLamp){hud->limit[k], hud->limit_acts[k], true};
    }
    if (hud->state != NULL) {
        lamps[count++] = (HudLamp){hud->state, hud->state_acts, hud->state_warns};
    }
    return count;
}

void hud_format_tools(const RenderHud *hud, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%.20s \u00b7 %.20s", hud->tool_name[0], hud->tool_name[1]);
}

/// Draws the gauges in one line: engine, payload, the edge's depth, gear, force, lamps.
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
    const char *beside = hud->drive != NULL ? hud->drive : hud->tool_turn;
    if (beside != NULL) {
        x = draw_short(cairo, x, 120.0, beside, "", -1.0, canvas_text);
    }
    hud_format_force(hud, view->units, text);
    draw_short(cairo, x, 120.0, text, "", -1.0, canvas_text);
    if (hud->tool_name[1] != NULL) {
        hud_format_tools(hud, text);
        canvas_fitted_line(cairo, x, 25.0, 9.0, false, CANVAS_LEFT, 112.0, canvas_soft, text);
    }
    double room = lamps_width + (hud->state != NULL ? hud_state_width : 0.0);
    draw_limits(cairo, place->width - room - 8.0, 8.0, room, hud);
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
        hud_format_tools(hud, name);
    }
    hud_format_force(hud, view->units, text);
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
    draw_limits(cairo, x, 85.0, lamps_width, hud);
}

/// ---- signatures ----------------------------------------------------------------------------------------------------

static uint64_t sign_task(uint64_t hash, const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    hash = signature_value(signature_value(signature_text(hash, hud->title), hud->held, 1.0),
                           (hud->compact ? 1.0 : 0.0) + (hud->unscored ? 2.0 : 0.0), 1.0);
    hash = signature_value(signature_value(signature_value(hash, floor(hud->time), 1.0), hud->time_limit, 1.0),
                           hud->score, 1.0);
    for (int k = 0; k < RENDER_HUD_LINES && hud->progress[k] != NULL; k++) {
        hash = signature_text(hash, hud->progress[k]);
    }
    for (int k = 0; k < hud->race_count; k++) {
        hash = signature_text(hash, hud->race[k]);
    }
    return panel_shows_signal(view) ? signature_text(hash, hud->signal) : hash;
}

static uint64_t sign_state(uint64_t hash, const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    hash = signature_value(signature_value(hash, hud->recording, 1.0), hud->paused, 1.0);
    return signature_value(hash, hud->real_time, 0.1);
}

static uint64_t sign_hints(uint64_t hash, const RenderView *view)
{
    for (int k = 0; k < RENDER_MAX_HINTS && view->hud.hints[k] != NULL; k++) {
        hash = signature_text(hash, view->hud.hints[k]);
    }
    return hash;
}

static uint64_t sign_sticks(uint64_t hash, const RenderView *view)
{
    for (int k = 0; k < CONTROL_COUNT; k++) {
        hash = signature_value(hash, view->hud.levers[k], 0.02);
    }
    return signature_text(hash, view->hud.pattern);
}

static uint64_t sign_message(uint64_t hash, const RenderView *view)
{
    return signature_text(hash, view->hud.message);
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
    hash = signature_value(signature_text(hash, hud->state), hud->state_acts + 2 * hud->state_warns, 1.0);
    for (int k = 0; k < 4 && hud->joint_value[k] != NULL; k++) {
        hash = signature_text(hash, hud->joint_value[k]);
    }
    hash = signature_value(signature_text(signature_text(hash, hud->tool_name[0]), hud->tool_name[1]),
                           hud->second_force, 1000.0);
    hash = signature_value(signature_text(signature_text(hash, hud->drive), hud->tool_turn),
                           hud->compact + 2 * (int)view->units + (hud->oil_hot ? 16 : 0), 1.0);
    hash = signature_value(signature_value(hash, hud->engine_speed, 1.0), hud->engine_rated, 1.0);
    hash = signature_value(signature_value(hash, hud->pump_power, 1000.0), hud->payload, 10.0);
    hash = signature_value(signature_value(hash, hud->payload_full, 1.0), hud->fuel, 1.0);
    return signature_value(signature_value(hash, hud->tool_force, 1000.0), hud->depth, 0.01);
}

const PanelType panel_task = {sign_task, draw_task, .runs_with_time = false};
const PanelType panel_state = {sign_state, draw_state, .runs_with_time = false};
const PanelType panel_hints = {sign_hints, draw_hints, .runs_with_time = false};
const PanelType panel_message = {sign_message, draw_message, .runs_with_time = false};
const PanelType panel_left_stick = {sign_sticks, draw_left_stick, .runs_with_time = true};
const PanelType panel_right_stick = {sign_sticks, draw_right_stick, .runs_with_time = true};
const PanelType panel_gauges = {sign_gauges, draw_gauges, .runs_with_time = true};
