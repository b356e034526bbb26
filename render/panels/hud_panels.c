/// The panels around the view while driving: task with time and score, state (recording, pause, slow simulation), key
/// hints, the message in the middle, and the two levers with the tracks' levels beside them.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "render/panels/canvas.h"
#include "render/panels/hud_text.h"
#include "render/panels/signature.h"

/// Beside a strip of gauges: time and score in one line, and what is to be done now.
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
    int count = 0, lines = 0;
    while (count < RENDER_HUD_LINES && hud->progress[count] != NULL) {
        count++;
    }
    for (; lines < PANEL_TASK_LINES && lines < count; lines++) {
        int line = lines == PANEL_TASK_LINES - 1 ? count - 1 : lines;
        canvas_fitted_line(cairo, 12.0, 38.0 + 17.0 * lines, 12.5, false, CANVAS_LEFT, w - 24.0, canvas_text,
                           hud->progress[line]);
    }
    for (int k = 0; k < hud->race_count; k++) {
        canvas_fitted_line(cairo, 12.0, 38.0 + 17.0 * (lines + k), 12.5, true, CANVAS_LEFT, w - 24.0, canvas_accent,
                           hud->race[k]);
    }
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
    bool narrow = w < 300.0; // smaller figures; the limit is the bar below the time alone
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
    int lines = 0;
    for (; lines < RENDER_HUD_LINES && hud->progress[lines] != NULL; lines++) {
        canvas_fitted_line(cairo, 14.0, 88.0 + 19.0 * lines, 13.0, false, CANVAS_LEFT, w - 28.0, canvas_text,
                           hud->progress[lines]);
    }
    for (int k = 0; k < hud->race_count; k++) {
        canvas_fitted_line(cairo, 14.0, 88.0 + 19.0 * (lines + k), 13.0, true, CANVAS_LEFT, w - 28.0, canvas_accent,
                           hud->race[k]);
    }
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
    int count = 0;
    while (count < RENDER_MAX_HINTS && hud->hints[count] != NULL) {
        count++;
    }
    double pitch = (place->height - 16.0) / fmax(count, 1.0);
    canvas_panel_box(cairo, place->width, place->height);
    for (int k = 0; k < count; k++) {
        canvas_fitted_line(cairo, 14.0, 8.0 + pitch * k, fmin(11.5, 0.8 * pitch), false, CANVAS_LEFT,
                           place->width - 28.0, canvas_soft, hud->hints[k]);
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

/// Level of one track: up = forward.
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
    // The gate the grip moves in.
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
    return hash;
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

const PanelType panel_task = {sign_task, draw_task, .runs_with_time = false};
const PanelType panel_state = {sign_state, draw_state, .runs_with_time = false};
const PanelType panel_hints = {sign_hints, draw_hints, .runs_with_time = false};
const PanelType panel_message = {sign_message, draw_message, .runs_with_time = false};
const PanelType panel_left_stick = {sign_sticks, draw_left_stick, .runs_with_time = true};
const PanelType panel_right_stick = {sign_sticks, draw_right_stick, .runs_with_time = true};
