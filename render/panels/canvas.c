/// Draws text, bars and marks with cairo and pango, formats numbers and hashes what panels show. A missing font falls
/// back to the next of the list, so that every computer shows legible text.
#include "render/panels/canvas.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <pango/pangocairo.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

#define LEAST_LETTERS 0.65 ///< share of their size, to which the letters of a fitted line shrink at most

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

/// Draws a layout with its upper left corner at (x, y), and passes it to the context's watch.
static void draw_layout(cairo_t *cairo, PangoLayout *layout, double x, double y)
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
                           .size = (double)pango_font_description_get_size(pango_layout_get_font_description(layout)) /
                                   PANGO_SCALE,
                           .cut = pango_layout_is_ellipsized(layout) != FALSE};
        cairo_user_to_device(cairo, &text.x, &text.y);
        cairo_user_to_device_distance(cairo, &text.width, &text.height);
        watch->see(watch->context, &text);
    }
}

static PangoLayout *create_layout(cairo_t *cairo, double size, bool bold, const char *text)
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

static PangoLayout *create_line(cairo_t *cairo, double size, bool bold, const char *text, double *used)
{
    PangoLayout *layout = create_layout(cairo, size, bold, text);
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
    PangoLayout *layout = create_line(cairo, size, bold, text, &used);
    if (width > 0.0 && used > width) {
        pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        used = width;
    }
    double start = align == CANVAS_LEFT ? x : align == CANVAS_CENTER ? x - 0.5 * used : x - used;
    canvas_color(cairo, color);
    draw_layout(cairo, layout, start, y);
    g_object_unref(layout);
    return used;
}

double canvas_width(cairo_t *cairo, double size, bool bold, const char *text)
{
    double used = 0.0;
    g_object_unref(create_line(cairo, size, bold, text, &used));
    return used;
}

double canvas_fitting_size(cairo_t *cairo, double size, bool bold, double width, const char *text)
{
    if ((double)strlen(text) * size <= width) {
        return size; // no letter is wider than its size: most lines of long lists need no measuring
    }
    double used = canvas_width(cairo, size, bold, text), share = 1.0;
    if (used > width) { // hinting keeps small letters wider than their size says
        for (share = fmax(0.99 * width / used, LEAST_LETTERS); share > LEAST_LETTERS; share -= 0.02) {
            if (canvas_width(cairo, share * size, bold, text) <= width) {
                break;
            }
        }
        share = fmax(share, LEAST_LETTERS);
    }
    return share * size;
}

double canvas_fitted_line(cairo_t *cairo, double x, double y, double size, bool bold, CanvasAlign align, double width,
                          CanvasColor color, const char *text)
{
    double fitting = canvas_fitting_size(cairo, size, bold, width, text);
    return canvas_line(cairo, x, y + 0.6 * (size - fitting), fitting, bold, align, width, color, text);
}

double canvas_paragraph(cairo_t *cairo, double x, double y, double size, double width, double height, CanvasColor color,
                        const char *text)
{
    int measured = 0;
    PangoLayout *layout = create_layout(cairo, size, false, text);
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_get_size(layout, NULL, &measured);
    if (measured > (int)(height * PANGO_SCALE)) {
        pango_layout_set_height(layout, (int)(height * PANGO_SCALE));
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        pango_layout_get_size(layout, NULL, &measured);
    }
    canvas_color(cairo, color);
    draw_layout(cairo, layout, x, y);
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

void canvas_two_way_bar(cairo_t *cairo, double x, double y, double width, double height, double value,
                        CanvasColor color)
{
    double middle = x + 0.5 * width, length = 0.5 * width * fmin(fmax(value, -1.0), 1.0);
    canvas_rounded(cairo, x, y, width, height, 0.5 * height);
    canvas_color(cairo, canvas_faint);
    cairo_fill(cairo);
    cairo_rectangle(cairo, length > 0.0 ? middle : middle + length, y, fabs(length), height);
    canvas_color(cairo, color);
    cairo_fill(cairo);
    cairo_rectangle(cairo, middle - 0.5, y - 2.0, 1.0, height + 4.0);
    canvas_color(cairo, canvas_soft);
    cairo_fill(cairo);
}

/// Colours that colour-blind people can distinguish; the shapes distinguish the marks, too.
static const CanvasColor mark_colors[RENDER_MARK_KINDS] = {
    [RENDER_MARK_NOTE] = {0.80, 0.82, 0.85, 0.80},   [RENDER_MARK_CYCLE] = {0.35, 0.85, 0.55, 1.0},
    [RENDER_MARK_DONE] = {0.45, 0.80, 1.0, 1.0},     [RENDER_MARK_FAULT] = {1.0, 0.72, 0.13, 1.0},
    [RENDER_MARK_INCIDENT] = {1.0, 0.33, 0.25, 1.0}, [RENDER_MARK_BOOKMARK] = {0.86, 0.62, 1.0, 1.0},
};

void canvas_mark(cairo_t *cairo, RenderMarkKind kind, double x, double y, double r)
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

/// ---- numbers as texts ----------------------------------------------------------------------------------------------

/// Values are rounded to what an operator can use (10 rpm, 1 cm), so that figures do not flicker.
void hud_format_time(double seconds, char text[HUD_TEXT_LENGTH])
{
    if (!(seconds >= 0.0 && seconds < 360000.0)) {
        snprintf(text, HUD_TEXT_LENGTH, "-:--");
        return;
    }
    int whole = (int)seconds, hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours > 0) {
        snprintf(text, HUD_TEXT_LENGTH, "%d:%02d:%02d", hours, minutes, whole % 60);
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "%d:%02d", minutes, whole % 60);
    }
}

void hud_format_depth(double m, TextUnits units, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%s", quantity(m < 0.0 ? QUANTITY_RISE : QUANTITY_LENGTH, fabs(m), units).text);
}

void hud_format_speed(double rad_per_s, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%.0f", 10.0 * round(fmax(rad_per_s, 0.0) * 30.0 / M_PI / 10.0));
}

void hud_format_count(int64_t count, char text[HUD_TEXT_LENGTH])
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%" PRId64, count), written = 0;
    int first = digits[0] == '-' ? 1 : 0;
    for (int k = 0; k < length; k++) {
        if (k > first && (length - k) % 3 == 0) {
            written += snprintf(text + written, HUD_TEXT_LENGTH - (size_t)written, "\u2009"); // a thin space
        }
        text[written++] = digits[k];
    }
    text[written] = '\0';
}

bool hud_format_badge(double real_time, char text[HUD_TEXT_LENGTH])
{
    text[0] = '\0';
    if (!(real_time > 0.0 && real_time < 0.98)) {
        return false;
    }
    snprintf(text, HUD_TEXT_LENGTH, "%s\u00d7", quantity_number(fmin(real_time, 0.9), real_time < 0.095 ? 2 : 1).text);
    return true;
}

void hud_format_replay(double speed, char text[HUD_TEXT_LENGTH])
{
    if (speed > 0.0) {
        snprintf(text, HUD_TEXT_LENGTH, "%s\u00d7", quantity_digits(speed, 6).text);
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "%s", language_text("paused"));
    }
}

/// ---- signatures ----------------------------------------------------------------------------------------------------

/// FNV-1a (Fowler, Noll and Vo, 1991): quick for a few hundred bytes; a collision costs a stale panel until its next
/// change.
uint64_t signature_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ bytes[k]) * 1099511628211ULL;
    }
    return hash;
}

uint64_t signature_text(uint64_t hash, const char *text)
{
    return text == NULL ? signature_bytes(hash, "\1", 1) : signature_bytes(hash, text, strlen(text) + 1);
}

uint64_t signature_value(uint64_t hash, double value, double step)
{
    int64_t rounded = isfinite(value) ? (int64_t)fmin(fmax(round(value / step), -1e15), 1e15) : INT64_MIN;
    return signature_bytes(hash, &rounded, sizeof(rounded));
}
