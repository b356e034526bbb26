/// The menu over the view (scene menu, pause menu). A menu longer than its panel is shown in part, the chosen item as
/// near its middle as can be.
#include "render/panels/panels.h"

#include <math.h>

#include "render/panels/canvas.h"
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

const PanelType panel_menu = {sign_menu, draw_menu, .runs_with_time = false, .low = false};
