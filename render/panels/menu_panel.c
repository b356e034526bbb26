/// The menu over the view (scene menu, pause menu) and the time line of a replay. A menu longer than its panel is shown
/// in part, the chosen item as near its middle as can be.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

#include "render/panels/canvas.h"
#include "render/panels/hud_text.h"
#include "render/panels/signature.h"

static const double menu_top = 96.0, menu_bottom = 46.0, item_height = 54.0, plain_height = 38.0;

static double height_of_items(const RenderMenu *menu)
{
    for (int k = 0; k < menu->count && k < RENDER_MAX_MENU; k++) {
        if (menu->details[k] != NULL) {
            return item_height;
        }
    }
    return plain_height;
}

int menu_first_item(const RenderMenu *menu, double panel_height, int *shown)
{
    int count = menu->count < RENDER_MAX_MENU ? menu->count : RENDER_MAX_MENU;
    int fits = (int)((panel_height - menu_top - menu_bottom) / height_of_items(menu));
    *shown = count < fits ? count : fits;
    int first = menu->selected - *shown / 2;
    first = first > count - *shown ? count - *shown : first;
    return first < 0 ? 0 : first;
}

static void draw_menu(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderMenu *menu = &view->menu;
    double w = place->width;
    int shown = 0, first = menu_first_item(menu, place->height, &shown);
    double step = height_of_items(menu), height = menu_top + menu_bottom + step * shown;
    // A short menu is a short panel in the middle.
    cairo_translate(cairo, 0.0, fmax(0.0, 0.42 * (place->height - height)));
    canvas_panel_box(cairo, w, height);
    canvas_color(cairo, canvas_accent);
    cairo_rectangle(cairo, 28.0, 28.0, 4.0, 46.0);
    cairo_fill(cairo);
    canvas_line(cairo, 44.0, 22.0, 27.0, true, CANVAS_LEFT, w - 80.0, canvas_text,
                menu->title == NULL ? "" : menu->title);
    if (menu->subtitle != NULL) {
        canvas_line(cairo, 44.0, 58.0, 13.5, false, CANVAS_LEFT, w - 80.0, canvas_soft, menu->subtitle);
    }
    for (int k = 0; k < shown; k++) {
        int item = first + k;
        double y = menu_top + step * k;
        bool chosen = item == menu->selected;
        const char *detail = menu->details[item];
        if (chosen) {
            canvas_rounded(cairo, 20.0, y, w - 40.0, step - 5.0, 7.0);
            canvas_color(cairo, canvas_accent);
            cairo_fill(cairo);
        }
        CanvasColor ink = chosen ? (CanvasColor){0.08, 0.07, 0.04, 1.0} : canvas_text;
        CanvasColor soft = chosen ? (CanvasColor){0.20, 0.15, 0.04, 1.0} : canvas_soft;
        const char *text = menu->items[item] == NULL ? "" : menu->items[item];
        canvas_line(cairo, 44.0, y + (detail == NULL && step > plain_height ? 14.0 : 6.0), 16.0, chosen, CANVAS_LEFT,
                    w - 88.0, ink, text);
        if (detail != NULL) {
            canvas_line(cairo, 44.0, y + 28.0, 12.0, false, CANVAS_LEFT, w - 88.0, soft, detail);
        }
    }
    if (shown < menu->count) {
        double track = step * shown - 5.0, share = (double)shown / menu->count;
        canvas_rounded(cairo, w - 13.0, menu_top + track * first / menu->count, 4.0, track * share, 2.0);
        canvas_color(cairo, canvas_soft);
        cairo_fill(cairo);
    }
    if (menu->footer != NULL) {
        canvas_line(cairo, 0.5 * w, height - 30.0, 12.0, false, CANVAS_CENTER, w - 40.0, canvas_soft, menu->footer);
    }
}

/// Colours that stay apart for people who see red and green alike; the shapes say the same.
static const CanvasColor mark_colors[RENDER_MARK_KINDS] = {
    [RENDER_MARK_NOTE] = {0.80, 0.82, 0.85, 0.80},   [RENDER_MARK_CYCLE] = {0.35, 0.85, 0.55, 1.0},
    [RENDER_MARK_DONE] = {0.45, 0.80, 1.0, 1.0},     [RENDER_MARK_FAULT] = {1.0, 0.72, 0.13, 1.0},
    [RENDER_MARK_INCIDENT] = {1.0, 0.33, 0.25, 1.0},
};

/// Around (x, y), which is the middle of the bar; `r` is half its width.
static void draw_mark(cairo_t *cairo, RenderMarkKind kind, double x, double y, double r)
{
    switch (kind) {
    case RENDER_MARK_CYCLE:
        cairo_arc(cairo, x, y, r, 0.0, 2.0 * M_PI);
        break;
    case RENDER_MARK_DONE:
        cairo_rectangle(cairo, x - r, y - r, 2.0 * r, 2.0 * r);
        break;
    case RENDER_MARK_FAULT:
        cairo_move_to(cairo, x, y - 1.4 * r);
        cairo_line_to(cairo, x + 1.4 * r, y);
        cairo_line_to(cairo, x, y + 1.4 * r);
        cairo_line_to(cairo, x - 1.4 * r, y);
        cairo_close_path(cairo);
        break;
    case RENDER_MARK_INCIDENT:
        cairo_move_to(cairo, x, y - 1.5 * r);
        cairo_line_to(cairo, x + 1.5 * r, y + 1.2 * r);
        cairo_line_to(cairo, x - 1.5 * r, y + 1.2 * r);
        cairo_close_path(cairo);
        break;
    default:
        cairo_rectangle(cairo, x - 0.75, y - 2.0 * r, 1.5, 4.0 * r);
        break;
    }
    canvas_color(cairo, mark_colors[kind]);
    cairo_fill_preserve(cairo);
    canvas_color(cairo, (CanvasColor){0.05, 0.05, 0.06, 0.9});
    cairo_set_line_width(cairo, kind == RENDER_MARK_NOTE ? 0.0 : 1.0);
    cairo_stroke(cairo);
}

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
                draw_mark(cairo, timeline->marks[k].kind, left + at * length, y, k == timeline->chosen ? 6.5 : 4.2);
            }
        }
    }
}

static void draw_timeline(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderTimeline *timeline = &view->timeline;
    char now[HUD_TEXT_LENGTH], end[HUD_TEXT_LENGTH], speed[HUD_TEXT_LENGTH];
    double w = place->width, left = 84.0, length = w - 260.0, y = 19.0;
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
        canvas_line(cairo, 0.5 * w, 38.0, 13.0, true, CANVAS_CENTER, w - 40.0, canvas_text, timeline->told);
    } else if (timeline->footer != NULL) {
        canvas_line(cairo, 0.5 * w, 39.0, 11.5, false, CANVAS_CENTER, w - 40.0, canvas_soft, timeline->footer);
    }
}

static uint64_t sign_menu(uint64_t hash, const RenderView *view)
{
    const RenderMenu *menu = &view->menu;
    hash = signature_text(signature_text(signature_text(hash, menu->title), menu->subtitle), menu->footer);
    hash = signature_value(signature_value(hash, menu->selected, 1.0), menu->count, 1.0);
    for (int k = 0; k < menu->count && k < RENDER_MAX_MENU; k++) {
        hash = signature_text(signature_text(hash, menu->items[k]), menu->details[k]);
    }
    return hash;
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
    return signature_text(hash, timeline->footer);
}

const PanelType panel_menu = {sign_menu, draw_menu, .runs_with_time = false, .low = false};
const PanelType panel_timeline = {sign_timeline, draw_timeline, .runs_with_time = false, .low = true};
