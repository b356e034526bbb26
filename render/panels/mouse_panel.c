/// Draws the levers for the mouse, and finds which of them is under it.
#include <math.h>

#include "render/panels/canvas.h"
#include "render/panels/panels.h"

static const double reach = 22.0; ///< design units. Chosen: of a grip from its gate's middle

/// ---- drawing -------------------------------------------------------------------------------------------------------

static void draw_gate(cairo_t *cairo, const RenderMouseField *field, const PanelPlace *box)
{
    const double x = box->x + 0.5 * box->width, y = box->y + 0.5 * box->height;
    canvas_rounded(cairo, box->x, box->y, box->width, box->height, 8.0);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.06});
    cairo_fill(cairo);
    const double to_x = x + reach * field->at[0], to_y = y - reach * field->at[1];
    canvas_color(cairo, canvas_faint);
    cairo_set_line_width(cairo, 1.0);
    if (field->words[2][0] != '\0' || field->words[3][0] != '\0') {
        cairo_move_to(cairo, x - reach, y);
        cairo_line_to(cairo, x + reach, y);
    }
    if (field->words[0][0] != '\0' || field->words[1][0] != '\0') {
        cairo_move_to(cairo, x, y - reach);
        cairo_line_to(cairo, x, y + reach);
    }
    cairo_stroke(cairo);
    canvas_color(cairo, canvas_accent);
    cairo_arc(cairo, to_x, to_y, 7.0, 0.0, 2.0 * M_PI);
    cairo_fill(cairo);
    const double size = 9.5, room = 0.5 * box->width - 8.0, side = y + 9.0;
    canvas_fitted_line(cairo, x, box->y + 3.0, size, false, CANVAS_CENTER, box->width - 6.0, canvas_text,
                       field->words[0]);
    canvas_fitted_line(cairo, x, box->y + box->height - 15.0, size, false, CANVAS_CENTER, box->width - 6.0, canvas_text,
                       field->words[1]);
    canvas_fitted_line(cairo, box->x + 3.0, side, size, false, CANVAS_LEFT, room, canvas_text, field->words[2]);
    canvas_fitted_line(cairo, box->x + box->width - 3.0, side, size, false, CANVAS_RIGHT, room, canvas_text,
                       field->words[3]);
}

static void draw_button(cairo_t *cairo, const RenderMouseField *field, const PanelPlace *box)
{
    canvas_rounded(cairo, box->x, box->y, box->width, box->height, 4.0);
    canvas_color(cairo, field->lit ? (CanvasColor){1.00, 0.72, 0.13, 0.55} : (CanvasColor){1.0, 1.0, 1.0, 0.12});
    cairo_fill(cairo);
    canvas_fitted_line(cairo, box->x + 0.5 * box->width, box->y + 4.5, 10.5, false, CANVAS_CENTER, box->width - 6.0,
                       canvas_text, field->words[0]);
}

static void draw_mouse(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderMouse *mouse = &view->hud.mouse;
    canvas_panel_box(cairo, place->width, place->height);
    for (int k = 0; k < mouse->count; k++) {
        PanelPlace box = mouse_field_place(mouse, k);
        if (mouse->fields[k].kind == RENDER_MOUSE_GATE) {
            draw_gate(cairo, &mouse->fields[k], &box);
        } else {
            draw_button(cairo, &mouse->fields[k], &box);
        }
    }
}

static uint64_t sign_mouse(uint64_t hash, const RenderView *view)
{
    const RenderMouse *mouse = &view->hud.mouse;
    for (int k = 0; k < mouse->count; k++) {
        const RenderMouseField *field = &mouse->fields[k];
        for (int way = 0; way < (field->kind == RENDER_MOUSE_GATE ? 4 : 1); way++) {
            hash = signature_text(hash, field->words[way]);
        }
        hash = signature_value(signature_value(hash, field->at[0], 0.02), field->at[1], 0.02);
        hash = signature_value(hash, field->kind + 2 * field->lit, 1.0);
    }
    return hash;
}

const PanelType panel_mouse = {sign_mouse, draw_mouse, .runs_with_time = false};

/// ---- under the mouse -----------------------------------------------------------------------------------------------

int render_mouse_at(const RenderView *view, int width, int height, double x, double y)
{
    panel_column_of(view, &width, &x);
    double unit = panel_unit(view, width, height);
    PanelPlace panel = panel_place(view, PANEL_MOUSE, width / unit, height / unit);
    for (int k = 0; k < view->hud.mouse.count && panel.width > 0.0; k++) {
        PanelPlace box = mouse_field_place(&view->hud.mouse, k);
        double across = x / unit - panel.x - box.x, down = y / unit - panel.y - box.y;
        if (across >= 0.0 && across < box.width && down >= 0.0 && down < box.height) {
            return k;
        }
    }
    return -1;
}

double render_mouse_reach(const RenderView *view, int width, int height)
{
    double x = 0.0;
    panel_column_of(view, &width, &x);
    return reach * panel_unit(view, width, height);
}
