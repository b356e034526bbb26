/// Draws the few things that panels are made of with cairo, and text with pango. A font that is missing falls back to
/// the next of the list, so that every computer shows something legible.
#include "render/panels/canvas.h"

#include <math.h>

#include <pango/pangocairo.h>

#define LEAST_LETTERS 0.65 ///< of their size, to which a line is fitted

void canvas_color(cairo_t *cairo, CanvasColor color)
{
    cairo_set_source_rgba(cairo, color.r, color.g, color.b, color.a);
}

void canvas_rounded(cairo_t *cairo, double x, double y, double width, double height, double radius)
{
    double r = fmin(radius, 0.5 * fmin(width, height));
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x + width - r, y + r, r, -0.5 * M_PI, 0.0);
    cairo_arc(cairo, x + width - r, y + height - r, r, 0.0, 0.5 * M_PI);
    cairo_arc(cairo, x + r, y + height - r, r, 0.5 * M_PI, M_PI);
    cairo_arc(cairo, x + r, y + r, r, M_PI, 1.5 * M_PI);
    cairo_close_path(cairo);
}

void canvas_panel_box(cairo_t *cairo, double width, double height)
{
    canvas_rounded(cairo, 0.5, 0.5, width - 1.0, height - 1.0, 9.0);
    canvas_color(cairo, canvas_panel);
    cairo_fill_preserve(cairo);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.09});
    cairo_set_line_width(cairo, 1.0);
    cairo_stroke(cairo);
}

static const cairo_user_data_key_t watch_key = {0};

void canvas_watch(cairo_t *cairo, CanvasWatch *watch)
{
    cairo_set_user_data(cairo, &watch_key, watch, NULL);
}

/// Draws a layout with its upper left corner there, and shows it to who watches.
static void show(cairo_t *cairo, PangoLayout *layout, double x, double y)
{
    const CanvasWatch *watch = cairo_get_user_data(cairo, &watch_key);
    cairo_move_to(cairo, x, y);
    pango_cairo_show_layout(cairo, layout);
    if (watch != NULL && pango_layout_get_text(layout)[0] != '\0') {
        PangoRectangle box;
        pango_layout_get_extents(layout, NULL, &box);
        CanvasText text = {.text = pango_layout_get_text(layout),
                           .x = x + (double)box.x / PANGO_SCALE,
                           .y = y + (double)box.y / PANGO_SCALE,
                           .width = (double)box.width / PANGO_SCALE,
                           .height = (double)box.height / PANGO_SCALE,
                           .cut = pango_layout_is_ellipsized(layout) != FALSE};
        cairo_user_to_device(cairo, &text.x, &text.y);
        cairo_user_to_device_distance(cairo, &text.width, &text.height);
        watch->see(watch->context, &text);
    }
}

static PangoLayout *lay_out(cairo_t *cairo, double size, bool bold, const char *text)
{
    PangoLayout *layout = pango_cairo_create_layout(cairo);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, "Inter,Noto Sans,DejaVu Sans,sans");
    pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout, text, -1);
    return layout;
}

static PangoLayout *lay_out_line(cairo_t *cairo, double size, bool bold, const char *text, double *used)
{
    PangoLayout *layout = lay_out(cairo, size, bold, text);
    int measured = 0;
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_get_size(layout, &measured, NULL);
    *used = (double)measured / PANGO_SCALE;
    return layout;
}

double canvas_line(cairo_t *cairo, double x, double y, double size, bool bold, CanvasAlign align, double width,
                   CanvasColor color, const char *text)
{
    double used = 0.0;
    PangoLayout *layout = lay_out_line(cairo, size, bold, text, &used);
    if (width > 0.0 && used > width) {
        pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        used = width;
    }
    double start = align == CANVAS_LEFT ? x : align == CANVAS_CENTER ? x - 0.5 * used : x - used;
    canvas_color(cairo, color);
    show(cairo, layout, start, y);
    g_object_unref(layout);
    return used;
}

double canvas_fitted_line(cairo_t *cairo, double x, double y, double size, bool bold, CanvasAlign align, double width,
                          CanvasColor color, const char *text)
{
    double used = 0.0, share = 1.0;
    g_object_unref(lay_out_line(cairo, size, bold, text, &used));
    if (used > width) { // hinting keeps small letters wider than their size says
        for (share = fmax(0.99 * width / used, LEAST_LETTERS); share > LEAST_LETTERS; share -= 0.02) {
            g_object_unref(lay_out_line(cairo, share * size, bold, text, &used));
            if (used <= width) {
                break;
            }
        }
        share = fmax(share, LEAST_LETTERS);
    }
    return canvas_line(cairo, x, y + 0.6 * (1.0 - share) * size, share * size, bold, align, width, color, text);
}

double canvas_paragraph(cairo_t *cairo, double x, double y, double size, double width, double height, CanvasColor color,
                        const char *text)
{
    int measured = 0;
    PangoLayout *layout = lay_out(cairo, size, false, text);
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_get_size(layout, NULL, &measured);
    if (measured > (int)(height * PANGO_SCALE)) {
        pango_layout_set_height(layout, (int)(height * PANGO_SCALE));
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        pango_layout_get_size(layout, NULL, &measured);
    }
    canvas_color(cairo, color);
    show(cairo, layout, x, y);
    g_object_unref(layout);
    return (double)measured / PANGO_SCALE;
}

void canvas_bar(cairo_t *cairo, double x, double y, double width, double height, double share, double mark,
                CanvasColor color)
{
    canvas_rounded(cairo, x, y, width, height, 0.5 * height);
    canvas_color(cairo, canvas_faint);
    cairo_fill(cairo);
    double filled = fmin(fmax(share, 0.0), 1.0) * width;
    if (filled > 0.5) {
        cairo_save(cairo);
        canvas_rounded(cairo, x, y, width, height, 0.5 * height);
        cairo_clip(cairo);
        cairo_rectangle(cairo, x, y, filled, height);
        canvas_color(cairo, color);
        cairo_fill(cairo);
        cairo_restore(cairo);
    }
    if (mark >= 0.0) {
        cairo_rectangle(cairo, x + fmin(mark, 1.0) * width - 0.75, y - 2.5, 1.5, height + 5.0);
        canvas_color(cairo, canvas_bad);
        cairo_fill(cairo);
    }
}
