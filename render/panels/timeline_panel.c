/// The time line of a replay: where it stands, how fast it goes, marks of what happened, and the keys.
#include <math.h>

#include "render/panels/canvas.h"
#include "render/panels/hud_text.h"
#include "render/panels/mark.h"
#include "render/panels/panels.h"
#include "render/panels/signature.h"

/// Incidents last, so that nothing hides them.
static void draw_marks(cairo_t *cairo, const RenderTimeline *timeline, double left, double length, double y)
{
    if (timeline->marks == NULL || timeline->duration <= 0.0) {
        return;
    }
    for (int kind = 0; kind < RENDER_MARK_KINDS; kind++) {
        for (int k = 0; k < timeline->mark_count; k++) {
            double at = timeline->marks[k].time / timeline->duration;
            if ((int)timeline->marks[k].kind == kind && at >= 0.0 && at <= 1.0) {
                mark_draw(cairo, timeline->marks[k].kind, left + at * length, y, k == timeline->chosen ? 6.5 : 4.2);
            }
        }
    }
}

static void draw_timeline(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderTimeline *timeline = &view->timeline;
    char now[HUD_TEXT_LENGTH], end[HUD_TEXT_LENGTH], speed[HUD_TEXT_LENGTH];
    double w = place->width, left = timeline_left, length = timeline_length(w), y = 19.0;
    canvas_panel_box(cairo, w, place->height);
    double share = timeline->duration > 0.0 ? fmin(fmax(timeline->position / timeline->duration, 0.0), 1.0) : 0.0;
    hud_format_time(timeline->position, now);
    hud_format_time(timeline->duration, end);
    hud_format_replay(timeline->speed, speed);
    canvas_line(cairo, left - 14.0, y - 6.0, 15.0, true, CANVAS_RIGHT, 0.0, canvas_text, now);
    canvas_line(cairo, left + length + 14.0, y - 5.0, 13.0, false, CANVAS_LEFT, 0.0, canvas_soft, end);
    canvas_line(cairo, w - 18.0, y - 6.0, 15.0, true, CANVAS_RIGHT, 0.0, canvas_accent, speed);
    canvas_bar(cairo, left, y, length, 7.0, share, -1.0, canvas_accent);
    canvas_color(cairo, canvas_text);
    cairo_arc(cairo, left + share * length, y + 3.5, 7.0, 0.0, 2.0 * M_PI);
    cairo_fill(cairo);
    draw_marks(cairo, timeline, left, length, y + 3.5);
    if (timeline->told != NULL) {
        canvas_fitted_line(cairo, 0.5 * w, 35.0, 13.0, true, CANVAS_CENTER, w - 40.0, canvas_text, timeline->told);
    }
    for (int k = 0; k < RENDER_TIMELINE_KEYS && timeline->keys[k] != NULL; k++) {
        canvas_fitted_line(cairo, 0.5 * w, 55.0 + 15.0 * k, 11.5, false, CANVAS_CENTER, w - 40.0, canvas_soft,
                           timeline->keys[k]);
    }
}

static uint64_t sign_timeline(uint64_t hash, const RenderView *view)
{
    const RenderTimeline *timeline = &view->timeline;
    hash = signature_value(signature_value(hash, timeline->position, fmax(timeline->duration / 2000.0, 0.1)),
                           timeline->duration, 0.01);
    hash = signature_value(signature_value(hash, timeline->speed, 0.01), timeline->mark_count, 1.0);
    hash = signature_value(hash, timeline->chosen, 1.0);
    for (int k = 0; k < timeline->mark_count && timeline->marks != NULL; k++) {
        hash = signature_value(signature_value(hash, timeline->marks[k].time, 0.01), timeline->marks[k].kind, 1.0);
    }
    hash = signature_text(hash, timeline->told);
    for (int k = 0; k < RENDER_TIMELINE_KEYS; k++) {
        hash = signature_text(hash, timeline->keys[k]);
    }
    return hash;
}

double timeline_height(const RenderTimeline *timeline)
{
    int lines = 0;
    while (lines < RENDER_TIMELINE_KEYS && timeline->keys[lines] != NULL) {
        lines++;
    }
    return 56.0 + (lines > 0 ? 4.0 + 15.0 * lines : 0.0);
}

double timeline_length(double panel_width)
{
    return panel_width - 260.0;
}

double render_timeline_at(const RenderView *view, int width, int height, double x, double y)
{
    panel_column_of(view, &width, &x);
    double unit = panel_unit(view, width, height);
    PanelPlace place = panel_place(view, PANEL_TIMELINE, width / unit, height / unit);
    double line = y / unit - place.y, length = fmax(timeline_length(place.width), 1.0);
    if (place.width <= 0.0 || line < 0.0 || line > place.height) {
        return -1.0;
    }
    return fmin(fmax((x / unit - place.x - timeline_left) / length, 0.0), 1.0);
}

const PanelType panel_timeline = {sign_timeline, draw_timeline, .runs_with_time = false};
