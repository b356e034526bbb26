/// Shapes and colours of the marks on a time line and in the list of its events.
#include "render/panels/mark.h"

#include <math.h>

#include "render/panels/canvas.h"

/// Colours that stay apart for people who see red and green alike; the shapes say the same.
static const CanvasColor mark_colors[RENDER_MARK_KINDS] = {
    [RENDER_MARK_NOTE] = {0.80, 0.82, 0.85, 0.80},   [RENDER_MARK_CYCLE] = {0.35, 0.85, 0.55, 1.0},
    [RENDER_MARK_DONE] = {0.45, 0.80, 1.0, 1.0},     [RENDER_MARK_FAULT] = {1.0, 0.72, 0.13, 1.0},
    [RENDER_MARK_INCIDENT] = {1.0, 0.33, 0.25, 1.0}, [RENDER_MARK_BOOKMARK] = {0.86, 0.62, 1.0, 1.0},
};

void mark_draw(cairo_t *cairo, RenderMarkKind kind, double x, double y, double r)
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
    case RENDER_MARK_BOOKMARK: // a flag on its pole
        cairo_move_to(cairo, x - 0.6, y + 1.8 * r);
        cairo_line_to(cairo, x - 0.6, y - 1.9 * r);
        cairo_line_to(cairo, x + 1.9 * r, y - 1.0 * r);
        cairo_line_to(cairo, x + 0.6, y - 0.2 * r);
        cairo_line_to(cairo, x + 0.6, y + 1.8 * r);
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
