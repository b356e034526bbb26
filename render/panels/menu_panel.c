/// Draws the menu over the view (scenes, pause, briefing) and the table of controls. A menu has items in a list, and
/// beside it pictures and a text about the selected one; a menu longer than its panel is shown in part.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"
#include "render/panels/controls_drawing.h"

static const double bottom = 46.0; ///< of the footer
static const double side_share = 0.345, side_most = 400.0, side_gap = 24.0; ///< of the panel's width
static const double wide_share = 0.63; ///< of a side with a picture of the controls
static const double text_room = 200.0, least_picture = 80.0; ///< of the side: pictures give way to its text
static const double subtitle_line = 18.0, most_subtitle_lines = 4.0;
static const double value_share = 0.36, arrow_width = 30.0; ///< of a value that changes, its arrows included
static const double least_thumb = 14.0; ///< of the scroll bar
static const double bar_share = 0.24; ///< of the list's width
/// Pixels a design unit below which a menu is drawn larger than the other panels, and by which factor at most, so that
/// it can be read in small windows. Chosen
static const double small_unit = 0.7, most_zoom = 1.4;
static const double letter = 7.2; ///< mean width of a letter of the subtitle, estimated without a font

/// ---- layout of the menu --------------------------------------------------------------------------------------------

static double side_width(const RenderMenu *menu, double panel_width)
{
    return menu->side.controls != NULL ? wide_share * panel_width : fmin(side_share * panel_width, side_most);
}

static double list_width(const RenderMenu *menu, double panel_width)
{
    return panel_width - (menu->side.visible ? side_width(menu, panel_width) + side_gap : 0.0);
}

static double value_width(double list)
{
    return value_share * list;
}

/// Returns the factor by which a menu is drawn larger than other panels.
static double find_zoom(double unit)
{
    return fmin(fmax(small_unit / unit, 1.0), most_zoom);
}

static PanelPlace zoom_in(const PanelPlace *panel, double zoom)
{
    return (PanelPlace){panel->x / zoom, panel->y / zoom, panel->width / zoom, panel->height / zoom};
}

/// Returns where the items begin, below the subtitle's lines.
static double top_of_items(const RenderMenu *menu, double panel_width)
{
    double letters = menu->subtitle != NULL ? (double)strlen(menu->subtitle) : 0.0;
    double lines = ceil(letters * letter / (panel_width - 80.0));
    return 78.0 + subtitle_line * fmin(fmax(lines, 1.0), most_subtitle_lines);
}

static double height_of_item(const RenderMenuItem *item)
{
    switch (item->style) {
    case RENDER_MENU_HEADING:
        return 34.0;
    case RENDER_MENU_TELLS:
        return item->detail != NULL ? 42.0 : 24.0;
    default:
        return item->detail != NULL ? 54.0 : item->changes && item->bar.visible ? 44.0 : 38.0;
    }
}

static int count_items(const RenderMenu *menu)
{
    return menu->count < RENDER_MAX_MENU ? menu->count : RENDER_MAX_MENU;
}

/// Returns how many items from `first` on have room, and writes their height together.
static int count_fitting(const RenderMenu *menu, int first, double room, double *height)
{
    int fits = 0;
    *height = 0.0;
    for (int k = first; k < count_items(menu) && *height + height_of_item(&menu->items[k]) <= room; k++, fits++) {
        *height += height_of_item(&menu->items[k]);
    }
    return fits;
}

int menu_first_item(const RenderMenu *menu, const PanelPlace *panel, int *shown)
{
    double room = panel->height - top_of_items(menu, panel->width) - bottom, height = 0.0;
    int count = count_items(menu), last = count, first = menu->first;
    for (double below = 0.0; last > 0 && below + height_of_item(&menu->items[last - 1]) <= room; last--) {
        below += height_of_item(&menu->items[last - 1]);
    }
    if (first < 0) { // the selected one near the middle
        first = menu->selected > 0 ? menu->selected : 0;
        for (double above = 0.0; first > 0 && above + height_of_item(&menu->items[first - 1]) <= 0.45 * room; first--) {
            above += height_of_item(&menu->items[first - 1]);
        }
    }
    first = first < last ? first : last; // no room stays empty below
    *shown = count_fitting(menu, first, room, &height);
    return first;
}

/// Returns the box that is drawn: of a short menu a short one in the middle of the panel.
static PanelPlace place_box(const RenderMenu *menu, const PanelPlace *panel)
{
    int shown = 0, first = menu_first_item(menu, panel, &shown);
    double items = 0.0;
    for (int k = first; k < first + shown; k++) {
        items += height_of_item(&menu->items[k]);
    }
    double height = menu->side.visible ? panel->height : top_of_items(menu, panel->width) + bottom + items;
    return (PanelPlace){panel->x, panel->y + fmax(0.0, 0.42 * (panel->height - height)), panel->width, height};
}

static PanelPlace place_on_screen(const RenderView *view, int width, int height, double *unit)
{
    *unit = panel_unit(view, width, height);
    PanelPlace panel = panel_place(view, PANEL_MENU, width / *unit, height / *unit);
    double zoom = find_zoom(*unit);
    *unit *= zoom;
    return zoom_in(&panel, zoom);
}

int render_menu_at(const RenderView *view, int width, int height, double x, double y)
{
    panel_column_of(view, &width, &x);
    double unit = 1.0;
    PanelPlace panel = place_on_screen(view, width, height, &unit);
    if (!view->menu.visible || panel.width <= 0.0) {
        return -1;
    }
    PanelPlace box = place_box(&view->menu, &panel);
    int shown = 0, first = menu_first_item(&view->menu, &panel, &shown);
    double across = x / unit - box.x, low = box.y + top_of_items(&view->menu, box.width);
    if (across < 20.0 || across > list_width(&view->menu, box.width) - 20.0 || y / unit < low) {
        return -1;
    }
    for (int k = first; k < first + shown; k++) {
        low += height_of_item(&view->menu.items[k]);
        if (y / unit < low) {
            return k;
        }
    }
    return -1;
}

int render_menu_arrow_at(const RenderView *view, int width, int height, double x, double y)
{
    double unit = 1.0;
    PanelPlace panel = place_on_screen(view, width, height, &unit);
    int item = render_menu_at(view, width, height, x, y);
    if (item < 0 || !view->menu.items[item].changes) {
        return 0;
    }
    double list = list_width(&view->menu, panel.width), begin = panel.x + list - 36.0 - value_width(list);
    double end = panel.x + list - 36.0, across = x / unit;
    bool left = across > begin && across < begin + arrow_width;
    return left ? -1 : across > end - arrow_width && across < end;
}

int render_menu_first(const RenderView *view, int width, int height, int *shown)
{
    double x = 0.0;
    panel_column_of(view, &width, &x);
    double unit = 1.0;
    PanelPlace panel = place_on_screen(view, width, height, &unit);
    *shown = 0;
    return panel.width > 0.0 ? menu_first_item(&view->menu, &panel, shown) : 0;
}

/// ---- drawing of the menu -------------------------------------------------------------------------------------------

/// Draws a bar, its middle at the height y.
static void draw_bar(cairo_t *cairo, const RenderMenuBar *bar, double x, double y, double width)
{
    const double height = 8.0;
    CanvasColor color = bar->done ? canvas_good : canvas_accent;
    if (bar->two_way) {
        canvas_two_way_bar(cairo, x, y - 0.5 * height, width, height, bar->share, color);
    } else {
        canvas_bar(cairo, x, y - 0.5 * height, width, height, bar->share, -1.0, color);
    }
}

/// Sizes of the letters of a list: one for all choices, for all lines that are only read, for what stands below them,
/// for values between arrows.
typedef struct Letters {
    double choice, line, detail, value;
} Letters;

/// Room of a line's bar and of the value behind it.
static double line_value_room(const RenderMenuItem *item, double w)
{
    const double value = 56.0;
    return item->bar.visible ? value + bar_share * w + 16.0 : item->value != NULL ? value : 0.0;
}

static double choice_room(cairo_t *cairo, const RenderMenuItem *item, double w)
{
    double room = w - 88.0;
    if (item->changes) {
        return room - value_width(w) - 8.0;
    }
    return item->value != NULL ? room - 12.0 - fmin(canvas_width(cairo, 13.5, false, item->value), 0.5 * room) : room;
}

static void lessen(double *size, double to)
{
    *size = fmin(*size, to);
}

static Letters find_letters(cairo_t *cairo, const RenderMenu *menu, double w)
{
    Letters letters = {16.0, 14.0, 12.0, 13.5};
    for (int k = 0; k < count_items(menu); k++) {
        const RenderMenuItem *item = &menu->items[k];
        const char *text = item->text == NULL ? "" : item->text;
        if (item->style == RENDER_MENU_TELLS) {
            double room = w - 88.0 - line_value_room(item, w);
            lessen(&letters.line, canvas_fitting_size(cairo, 14.0, false, room, text));
        } else if (item->style != RENDER_MENU_HEADING) {
            lessen(&letters.choice, canvas_fitting_size(cairo, 16.0, true, choice_room(cairo, item, w), text));
        }
        if (item->changes && item->value != NULL) {
            double room = value_width(w) - 2.0 * arrow_width;
            lessen(&letters.value, canvas_fitting_size(cairo, 13.5, false, room, item->value));
        }
        if (item->detail != NULL && item->style != RENDER_MENU_HEADING) {
            lessen(&letters.detail, canvas_fitting_size(cairo, 12.0, false, w - 88.0, item->detail));
        }
    }
    return letters;
}

/// Draws a line of letters of a size that may be smaller than usual, at the same height.
static void draw_letters(cairo_t *cairo, double x, double y, double usual, double size, bool bold, CanvasAlign align,
                         double room, CanvasColor color, const char *text)
{
    canvas_line(cairo, x, y + 0.6 * (usual - size), size, bold, align, room, color, text);
}

/// Draws a value between its arrows, its right end at x.
static void draw_changing(cairo_t *cairo, const RenderMenuItem *item, double x, double y, double width,
                          const Letters *letters, CanvasColor ink)
{
    double middle = x - 0.5 * width, room = width - 2.0 * arrow_width;
    canvas_line(cairo, x - width + 0.5 * arrow_width, y + 3.0, 19.0, true, CANVAS_CENTER, 0.0, ink, "\u2039");
    canvas_line(cairo, x - 0.5 * arrow_width, y + 3.0, 19.0, true, CANVAS_CENTER, 0.0, ink, "\u203a");
    draw_letters(cairo, middle, y + (item->bar.visible ? 4.0 : 8.0), 13.5, letters->value, false, CANVAS_CENTER, room,
                 ink, item->value != NULL ? item->value : "");
    if (item->bar.visible) {
        canvas_rounded(cairo, middle - 0.5 * room, y + 25.0, room, 7.0, 3.5);
        canvas_color(cairo, (CanvasColor){0.0, 0.0, 0.0, 0.25});
        cairo_fill(cairo);
        canvas_rounded(cairo, middle - 0.5 * room, y + 25.0, room * fmin(fmax(item->bar.share, 0.0), 1.0), 7.0, 3.5);
        canvas_color(cairo, ink);
        cairo_fill(cairo);
    }
}

/// Draws a line of text, or the heading of a group.
static void draw_line(cairo_t *cairo, const RenderMenuItem *item, double y, double w, const Letters *letters)
{
    const char *text = item->text == NULL ? "" : item->text;
    if (item->style == RENDER_MENU_HEADING) {
        canvas_fitted_line(cairo, 32.0, y + 10.0, 13.5, true, CANVAS_LEFT, w - 76.0, canvas_accent, text);
        return;
    }
    if (item->value != NULL) {
        canvas_line(cairo, w - 44.0, y + 3.0, 13.0, false, CANVAS_RIGHT, 0.0, canvas_soft, item->value);
    }
    if (item->bar.visible) {
        draw_bar(cairo, &item->bar, w - 100.0 - bar_share * w, y + 11.0, bar_share * w);
    }
    draw_letters(cairo, 44.0, y + 2.0, 14.0, letters->line, false, CANVAS_LEFT, w - 88.0 - line_value_room(item, w),
                 canvas_text, text);
    if (item->detail != NULL) {
        draw_letters(cairo, 44.0, y + 21.0, 12.0, letters->detail, false, CANVAS_LEFT, w - 88.0, canvas_soft,
                     item->detail);
    }
}

static void draw_choice(cairo_t *cairo, const RenderMenuItem *item, double y, double w, const Letters *letters,
                        bool selected)
{
    double height = height_of_item(item);
    if (selected) {
        canvas_rounded(cairo, 20.0, y, w - 40.0, height - 5.0, 7.0);
        canvas_color(cairo, canvas_accent);
        cairo_fill(cairo);
    }
    CanvasColor ink = selected ? (CanvasColor){0.08, 0.07, 0.04, 1.0} : canvas_text;
    CanvasColor soft = selected ? (CanvasColor){0.20, 0.15, 0.04, 1.0} : canvas_soft;
    ink = !selected && item->style == RENDER_MENU_CLOSED ? canvas_soft : ink;
    if (item->changes) {
        draw_changing(cairo, item, w - 36.0, y, value_width(w), letters, selected ? ink : canvas_text);
    } else if (item->value != NULL) {
        canvas_line(cairo, w - 44.0, y + 8.0, 13.5, false, CANVAS_RIGHT, 0.5 * (w - 88.0), soft, item->value);
    }
    draw_letters(cairo, 44.0, y + 6.0, 16.0, letters->choice, selected, CANVAS_LEFT, choice_room(cairo, item, w), ink,
                 item->text == NULL ? "" : item->text);
    if (item->detail != NULL) {
        draw_letters(cairo, 44.0, y + 28.0, 12.0, letters->detail, false, CANVAS_LEFT, w - 88.0, soft, item->detail);
    }
}

/// Draws a picture into `width`, no higher than `most`; returns its height.
static double draw_picture(cairo_t *cairo, const RenderPicture *picture, double x, double y, double width, double most)
{
    double scale = fmin(width / picture->width, most / picture->height);
    double wide = scale * picture->width, high = scale * picture->height;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data((unsigned char *)(uintptr_t)picture->pixels, CAIRO_FORMAT_RGB24,
                                            picture->width, picture->height, 4 * picture->width); // it is only read
    cairo_save(cairo);
    canvas_rounded(cairo, x + 0.5 * (width - wide), y, wide, high, 6.0);
    cairo_clip(cairo);
    cairo_translate(cairo, x + 0.5 * (width - wide), y);
    cairo_scale(cairo, scale, scale);
    cairo_set_source_surface(cairo, surface, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(surface);
    return high;
}

static void draw_side(cairo_t *cairo, const RenderMenuSide *side, double x, double y, double width, double low)
{
    if (side->controls != NULL) {
        controls_drawing(cairo, side->controls, x, y, width, low - y);
        return;
    }
    for (int k = 0; k < RENDER_SIDE_PICTURES; k++) {
        double most = side->text != NULL ? fmax(low - y - text_room, fmin(least_picture, low - y)) : low - y;
        if (side->pictures[k] != NULL && low - y > 20.0) {
            y += draw_picture(cairo, side->pictures[k], x, y, width, most) + 14.0;
        }
    }
    if (side->text != NULL && low - y > 16.0) {
        canvas_paragraph(cairo, x, y, 14.0, width, low - y, canvas_text, side->text);
    }
}

static void draw_menu(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderMenu *menu = &view->menu;
    cairo_matrix_t scale;
    cairo_get_matrix(cairo, &scale);
    double zoom = find_zoom(scale.xx);
    cairo_scale(cairo, zoom, zoom);
    PanelPlace whole = {0.0, 0.0, place->width, place->height}, panel = zoom_in(&whole, zoom);
    PanelPlace box = place_box(menu, &panel);
    double w = list_width(menu, box.width), top = top_of_items(menu, box.width), y = top;
    int shown = 0, first = menu_first_item(menu, &panel, &shown);
    cairo_translate(cairo, 0.0, box.y);
    canvas_panel_box(cairo, box.width, box.height);
    canvas_color(cairo, canvas_accent);
    cairo_rectangle(cairo, 28.0, 28.0, 4.0, top - 50.0);
    cairo_fill(cairo);
    canvas_fitted_line(cairo, 44.0, 22.0, 27.0, true, CANVAS_LEFT, box.width - 80.0, canvas_text,
                       menu->title == NULL ? "" : menu->title);
    if (menu->subtitle != NULL) {
        canvas_paragraph(cairo, 44.0, 58.0, 13.5, box.width - 80.0, top - 58.0, canvas_soft, menu->subtitle);
    }
    const Letters letters = find_letters(cairo, menu, w);
    for (int k = first; k < first + shown; k++) {
        const RenderMenuItem *item = &menu->items[k];
        if (item->style == RENDER_MENU_TELLS || item->style == RENDER_MENU_HEADING) {
            draw_line(cairo, item, y, w, &letters);
        } else {
            draw_choice(cairo, item, y, w, &letters, k == menu->selected);
        }
        y += height_of_item(item);
    }
    int all = menu->whole > menu->count ? menu->whole : menu->count;
    if (shown < all) {
        double track = y - top - 5.0, part = track / all;
        double length = fmax(part * shown, least_thumb), room = track - length;
        int last = all - shown, above = menu->before + first;
        double at = last > 0 ? room * fmin((double)above / last, 1.0) : 0.0;
        canvas_rounded(cairo, w - 13.0, top + at, 4.0, length, 2.0);
        canvas_color(cairo, canvas_soft);
        cairo_fill(cairo);
    }
    if (menu->side.visible) {
        draw_side(cairo, &menu->side, w, top, side_width(menu, box.width), box.height - bottom);
    }
    if (menu->footer != NULL) {
        canvas_fitted_line(cairo, 0.5 * box.width, box.height - 30.0, 12.0, false, CANVAS_CENTER, box.width - 40.0,
                           canvas_soft, menu->footer);
    }
}

static uint64_t sign_menu(uint64_t hash, const RenderView *view)
{
    const RenderMenu *menu = &view->menu;
    hash = signature_text(signature_text(signature_text(hash, menu->title), menu->subtitle), menu->footer);
    hash = signature_value(signature_value(hash, menu->selected, 1.0), menu->count, 1.0);
    hash = signature_value(signature_value(hash, menu->first, 1.0), menu->before, 1.0);
    hash = signature_value(hash, menu->whole, 1.0);
    for (int k = 0; k < count_items(menu); k++) {
        const RenderMenuItem *item = &menu->items[k];
        hash = signature_text(signature_text(signature_text(hash, item->text), item->detail), item->value);
        hash = signature_value(signature_value(hash, item->style, 1.0), item->changes, 1.0);
        hash = signature_value(signature_value(hash, item->bar.visible, 1.0), item->bar.share, 0.01);
        hash = signature_value(signature_value(hash, item->bar.two_way, 1.0), item->bar.done, 1.0);
    }
    hash = signature_text(signature_value(hash, menu->side.visible, 1.0), menu->side.text);
    if (menu->side.controls != NULL) {
        hash = signature_bytes(hash, menu->side.controls, sizeof *menu->side.controls);
    }
    for (int k = 0; k < RENDER_SIDE_PICTURES; k++) {
        const RenderPicture *picture = menu->side.pictures[k];
        hash = signature_bytes(hash, picture != NULL ? &picture->id : &(uint64_t){0}, sizeof picture->id);
    }
    return hash;
}

const PanelType panel_menu = {sign_menu, draw_menu, .runs_with_time = false};

/// ---- table of controls ---------------------------------------------------------------------------------------------

/// What each axis does: lever, its two directions, the machine's input, and the device that moves it. Operators with
/// pads, pedals and joysticks at once see here which one of them counts.

/// Columns of the table, in design units from its left edge; `source` takes the rest.
typedef struct Columns {
    double lever, less, bar, bar_width, more, value, source, raw;
} Columns;

static Columns find_columns(double width)
{
    double bar = 140.0, bar_width = fmin(110.0, 0.18 * width), more = bar + bar_width + 8.0;
    return (Columns){.lever = 14.0,
                     .less = bar - 8.0,
                     .bar = bar,
                     .bar_width = bar_width,
                     .more = more,
                     .value = more + 88.0,
                     .source = more + 104.0,
                     .raw = width - 14.0};
}

static void draw_row(cairo_t *cairo, const RenderControl *row, const Columns *at, double y)
{
    bool up = row->value > 0.005, down = row->value < -0.005;
    char text[HUD_TEXT_LENGTH];
    canvas_line(cairo, at->lever, y, 12.0, true, CANVAS_LEFT, 0.0, canvas_text, row->lever);
    canvas_line(cairo, at->less, y, 11.0, false, CANVAS_RIGHT, 0.0, down ? canvas_text : canvas_soft, row->less);
    canvas_line(cairo, at->more, y, 11.0, false, CANVAS_LEFT, 0.0, up ? canvas_text : canvas_soft, row->more);
    canvas_two_way_bar(cairo, at->bar, y + 4.0, at->bar_width, 8.0, row->value, canvas_accent);
    snprintf(text, sizeof(text), "%s", quantity_signed(row->value, 2).text);
    canvas_line(cairo, at->value, y, 11.0, up || down, CANVAS_RIGHT, 0.0, up || down ? canvas_text : canvas_soft, text);
    double room = at->raw - at->source;
    if (row->waiting) {
        snprintf(text, sizeof(text),
                 row->unrested ? language_text("%.24s: let it go and pause once")
                               : language_text("%.24s: let it go once"),
                 row->moved ? row->source : language_text("an axis"));
        canvas_fitted_line(cairo, at->source, y, 11.0, true, CANVAS_LEFT, room, canvas_bad, text);
    } else if (row->moved && row->analog) {
        canvas_fitted_line(cairo, at->source, y, 11.0, true, CANVAS_LEFT, room - 84.0, canvas_text, row->source);
        canvas_two_way_bar(cairo, at->raw - 78.0, y + 6.0, 36.0, 4.0, row->raw, canvas_good);
        snprintf(text, sizeof(text), "%s", quantity_signed(row->raw, 2).text);
        canvas_line(cairo, at->raw, y, 11.0, false, CANVAS_RIGHT, 0.0, canvas_text, text);
    } else {
        canvas_fitted_line(cairo, at->source, y, 11.0, row->moved, CANVAS_LEFT, room,
                           row->moved ? canvas_text : canvas_soft, row->source);
    }
}

static void draw_controls(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderControls *controls = &view->hud.controls;
    Columns at = find_columns(place->width);
    canvas_panel_box(cairo, place->width, place->height);
    canvas_line(cairo, at.lever, 8.0, 14.0, true, CANVAS_LEFT, place->width - 28.0, canvas_text, controls->title);
    canvas_line(cairo, at.lever, 33.0, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, language_text("lever"));
    canvas_line(cairo, at.value, 33.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft,
                language_text("what the machine gets"));
    canvas_line(cairo, at.source, 33.0, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, language_text("moved by"));
    canvas_line(cairo, at.raw, 33.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, language_text("device reads"));
    double y = controls_top;
    for (int k = 0; k < controls->count; k++, y += controls_pitch) {
        draw_row(cairo, &controls->rows[k], &at, y);
    }
    y += 6.0;
    for (int k = 0; k < controls->device_count; k++, y += controls_device_pitch) {
        canvas_line(cairo, at.lever, y, 11.0, false, CANVAS_LEFT, place->width - 28.0,
                    controls->device_present[k] ? canvas_good : canvas_bad, controls->devices[k]);
    }
}

static uint64_t sign_controls(uint64_t hash, const RenderView *view)
{
    const RenderControls *controls = &view->hud.controls;
    hash = signature_text(hash, controls->title);
    for (int k = 0; k < controls->count; k++) {
        const RenderControl *row = &controls->rows[k];
        hash = signature_text(signature_text(hash, row->lever), row->source);
        hash = signature_value(signature_value(hash, row->raw, 0.01), row->value, 0.01);
        hash = signature_value(hash, row->moved + 2 * row->analog + 4 * row->waiting + 8 * row->unrested, 1.0);
    }
    for (int k = 0; k < controls->device_count; k++) {
        hash = signature_text(hash, controls->devices[k]);
    }
    return hash;
}

const PanelType panel_controls = {sign_controls, draw_controls, .runs_with_time = false};
