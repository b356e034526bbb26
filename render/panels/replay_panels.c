/// Draws what a replay shows beside and under the picture: the list of events, curves of the machine's figures with a
/// cursor at the present time, and the time line with its marks, keys and speed. Curves lie over the time line's bar.
#include "render/panels/panels.h"

#include <math.h>

#include "render/panels/canvas.h"

/// ---- list of events ------------------------------------------------------------------------------------------------

int events_first_row(const RenderEvents *events, double panel_height, int *shown)
{
    int fits = (int)((panel_height - events_top - 6.0) / events_pitch);
    fits = fits < 1 ? 1 : fits;
    *shown = events->count < fits ? events->count : fits;
    int first = events->chosen - *shown / 2;
    first = first > events->count - *shown ? events->count - *shown : first;
    return first < 0 ? 0 : first;
}

int render_event_at(const RenderView *view, int width, int height, double x, double y)
{
    panel_column_of(view, &width, &x);
    double unit = panel_unit(view, width, height);
    PanelPlace place = panel_place(view, PANEL_EVENTS, width / unit, height / unit);
    int shown = 0, first = events_first_row(&view->events, place.height, &shown);
    double column = x / unit - place.x, line = y / unit - place.y - events_top;
    if (place.width <= 0.0 || column < 0.0 || column >= place.width || line < 0.0 || line >= events_pitch * shown) {
        return -1;
    }
    return first + (int)(line / events_pitch);
}

static void draw_events(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderEvents *events = &view->events;
    double w = place->width;
    int shown = 0, first = events_first_row(events, place->height, &shown);
    canvas_panel_box(cairo, w, place->height);
    canvas_line(cairo, 12.0, 8.0, 13.0, true, CANVAS_LEFT, w - 24.0, canvas_text,
                events->title == NULL ? "" : events->title);
    double size = 11.5;
    for (int k = 0; k < events->count; k++) {
        size = fmin(size, canvas_fitting_size(cairo, 11.5, true, w - 88.0, events->rows[k].text));
    }
    for (int k = 0; k < shown; k++) {
        const RenderEvent *row = &events->rows[first + k];
        double y = events_top + events_pitch * k;
        bool chosen = first + k == events->chosen;
        if (chosen) {
            canvas_rounded(cairo, 5.0, y - 1.0, w - 14.0, events_pitch, 4.0);
            canvas_color(cairo, (CanvasColor){1.0, 0.72, 0.13, 0.24});
            cairo_fill(cairo);
        }
        canvas_mark(cairo, row->kind, 16.0, y + 0.5 * events_pitch - 1.0, 3.8);
        canvas_line(cairo, 68.0, y + 1.0, 11.5, chosen, CANVAS_RIGHT, 0.0, chosen ? canvas_text : canvas_soft,
                    row->time);
        canvas_line(cairo, 76.0, y + 1.0 + 0.6 * (11.5 - size), size, chosen, CANVAS_LEFT, w - 88.0, canvas_text,
                    row->text);
    }
    if (shown < events->count) {
        double track = events_pitch * shown, share = (double)shown / events->count;
        canvas_rounded(cairo, w - 7.0, events_top + track * first / events->count, 3.0, fmax(track * share, 8.0), 1.5);
        canvas_color(cairo, canvas_soft);
        cairo_fill(cairo);
    }
}

static uint64_t sign_events(uint64_t hash, const RenderView *view)
{
    const RenderEvents *events = &view->events;
    hash = signature_value(signature_text(hash, events->title), events->chosen, 1.0);
    hash = signature_value(hash, events->count, 1.0);
    for (int k = 0; k < events->count; k++) {
        const RenderEvent *row = &events->rows[k];
        hash = signature_value(signature_text(signature_text(hash, row->time), row->text), row->kind, 1.0);
    }
    return hash;
}

/// ---- curves --------------------------------------------------------------------------------------------------------

/// Okabe and Ito 2008, "Color universal design", lightened for a dark ground.
static const CanvasColor curve_colors[RENDER_MAX_CURVES] = {{0.95, 0.67, 0.10, 1.0}, {0.42, 0.77, 0.96, 1.0},
                                                            {0.15, 0.78, 0.58, 1.0}, {0.95, 0.91, 0.35, 1.0},
                                                            {0.95, 0.47, 0.25, 1.0}, {0.90, 0.60, 0.78, 1.0}};

/// The part of the panel in which curves lie, design units.
typedef struct Plot {
    double x, y, width, height;
} Plot;

/// Every second curve is dashed, so that colour is not the only difference.
static void draw_curve(cairo_t *cairo, const RenderCurves *curves, int index, const Plot *plot)
{
    static const double dashes[2] = {5.0, 2.5};
    const RenderCurve *curve = &curves->curves[index];
    bool drawing = false;
    for (int k = 0; k < curves->columns; k++) {
        double low = (double)curve->low[k], high = (double)curve->high[k];
        if (!isfinite(low) || !isfinite(high)) {
            drawing = false;
            continue;
        }
        double x = plot->x + plot->width * (k + 0.5) / curves->columns;
        double y = plot->y + plot->height * (1.0 - fmin(fmax(low, 0.0), 1.0));
        (drawing ? cairo_line_to : cairo_move_to)(cairo, x, y);
        cairo_line_to(cairo, x, plot->y + plot->height * (1.0 - fmin(fmax(high, 0.0), 1.0)));
        drawing = true;
    }
    canvas_color(cairo, curve_colors[index]);
    cairo_set_line_width(cairo, 1.4);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_BEVEL);
    cairo_set_dash(cairo, dashes, index % 2 == 1 ? 2 : 0, 0.0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0.0);
}

/// Draws level lines at each quarter, and that of 0.
static void draw_lines(cairo_t *cairo, const RenderCurves *curves, const Plot *plot)
{
    canvas_color(cairo, canvas_faint);
    for (int k = 0; k <= 4; k++) {
        cairo_rectangle(cairo, plot->x, plot->y + 0.25 * k * plot->height - 0.5, plot->width, 1.0);
    }
    cairo_fill(cairo);
    if (curves->zero >= 0.0) {
        canvas_color(cairo, canvas_soft);
        cairo_rectangle(cairo, plot->x, plot->y + (1.0 - curves->zero) * plot->height - 0.5, plot->width, 1.0);
        cairo_fill(cairo);
    }
}

static void draw_legend(cairo_t *cairo, const RenderCurves *curves, double left, double right)
{
    for (int k = 0; k < curves->count; k++) {
        double y = 24.0 + 16.5 * k;
        canvas_color(cairo, curve_colors[k]);
        cairo_rectangle(cairo, left, y + 6.0, k % 2 == 1 ? 6.0 : 14.0, 2.5);
        cairo_rectangle(cairo, left + 9.0, y + 6.0, 5.0, 2.5);
        cairo_fill(cairo);
        canvas_fitted_line(cairo, left + 20.0, y, 11.5, false, CANVAS_LEFT, right - left - 70.0, canvas_text,
                           curves->curves[k].name);
        canvas_line(cairo, right, y, 11.5, true, CANVAS_RIGHT, 0.0, curve_colors[k], curves->curves[k].value);
    }
}

static void draw_curves(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderCurves *curves = &view->curves;
    double w = place->width;
    Plot plot = {timeline_left, 25.0, timeline_length(w), place->height - 45.0};
    canvas_panel_box(cairo, w, place->height);
    canvas_line(cairo, plot.x, 5.0, 12.5, true, CANVAS_LEFT, 0.5 * plot.width, canvas_text, curves->title);
    draw_lines(cairo, curves, &plot);
    cairo_save(cairo);
    cairo_rectangle(cairo, plot.x, plot.y - 1.0, plot.width, plot.height + 2.0);
    cairo_clip(cairo);
    for (int k = 0; k < curves->count; k++) {
        draw_curve(cairo, curves, k, &plot);
    }
    cairo_restore(cairo);
    if (curves->cursor >= 0.0) {
        canvas_color(cairo, canvas_text);
        cairo_rectangle(cairo, plot.x + curves->cursor * plot.width - 0.75, plot.y - 3.0, 1.5, plot.height + 6.0);
        cairo_fill(cairo);
    }
    double low = plot.y + plot.height;
    canvas_line(cairo, plot.x - 8.0, plot.y - 7.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, curves->top);
    canvas_line(cairo, plot.x - 8.0, low - 8.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, curves->bottom);
    canvas_line(cairo, plot.x, low + 3.0, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, curves->from);
    canvas_line(cairo, plot.x + plot.width, low + 3.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, curves->to);
    draw_legend(cairo, curves, plot.x + plot.width + 16.0, w - 16.0);
}

static uint64_t sign_curves(uint64_t hash, const RenderView *view)
{
    const RenderCurves *curves = &view->curves;
    hash = signature_text(signature_text(signature_text(hash, curves->title), curves->top), curves->bottom);
    hash = signature_text(signature_text(hash, curves->from), curves->to);
    hash = signature_value(signature_value(hash, curves->cursor, 0.001), curves->zero, 0.001);
    for (int k = 0; k < curves->count; k++) {
        const RenderCurve *curve = &curves->curves[k];
        size_t size = (size_t)curves->columns * sizeof *curve->low;
        hash = signature_text(signature_text(hash, curve->name), curve->value);
        hash = signature_bytes(signature_bytes(hash, curve->low, size), curve->high, size);
    }
    return hash;
}

/// ---- time line -----------------------------------------------------------------------------------------------------

/// Draws incidents last, so that no mark covers them.
static void draw_marks(cairo_t *cairo, const RenderTimeline *timeline, double left, double length, double y)
{
    if (timeline->marks == NULL || timeline->duration <= 0.0) {
        return;
    }
    for (int kind = 0; kind < RENDER_MARK_KINDS; kind++) {
        for (int k = 0; k < timeline->mark_count; k++) {
            double at = timeline->marks[k].time / timeline->duration;
            if ((int)timeline->marks[k].kind == kind && at >= 0.0 && at <= 1.0) {
                canvas_mark(cairo, timeline->marks[k].kind, left + at * length, y, k == timeline->chosen ? 6.5 : 4.2);
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

const PanelType panel_events = {sign_events, draw_events, .runs_with_time = false};
const PanelType panel_curves = {sign_curves, draw_curves, .runs_with_time = false};
const PanelType panel_timeline = {sign_timeline, draw_timeline, .runs_with_time = false};
