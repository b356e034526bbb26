/// Axes, colours and text of figures.
#include <math.h>
#include <string.h>

#include "data/core/quantity.h"
#include "trainer/report/report_pages_internal.h"

#define TICK_SIZE 8.0 ///< points
#define TICKS     6 ///< about so many numbers along an axis

/// Okabe and Ito 2008, "Color universal design".
void report_colour(cairo_t *cairo, int colour, double alpha)
{
    static const double colours[][3] = {
        [REPORT_INK] = {0.13, 0.13, 0.13},   [REPORT_ORANGE] = {0.90, 0.62, 0.00}, [REPORT_BLUE] = {0.00, 0.45, 0.70},
        [REPORT_GREEN] = {0.00, 0.62, 0.45}, [REPORT_SKY] = {0.34, 0.71, 0.91},    [REPORT_YELLOW] = {0.94, 0.89, 0.26},
        [REPORT_RED] = {0.84, 0.37, 0.00},   [REPORT_GREY] = {0.60, 0.60, 0.60}};
    cairo_set_source_rgba(cairo, colours[colour][0], colours[colour][1], colours[colour][2], alpha);
}

static void set_font(cairo_t *cairo, double size)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

void report_text(cairo_t *cairo, double x, double y, double size, const char *text)
{
    set_font(cairo, size);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
}

double report_text_width(cairo_t *cairo, double size, const char *text)
{
    cairo_text_extents_t extents;
    set_font(cairo, size);
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

double report_x(const ReportAxes *axes, double value)
{
    return axes->left + axes->width * (value - axes->x_low) / (axes->x_high - axes->x_low);
}

double report_y(const ReportAxes *axes, double value)
{
    return axes->top + axes->height * (axes->y_high - value) / (axes->y_high - axes->y_low);
}

/// 1, 2 or 5 times a power of ten.
static double round_step(double span)
{
    double rough = span / TICKS, power = pow(10.0, floor(log10(rough))), lead = rough / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

static void number_text(double value, double step, char text[24])
{
    int digits = step >= 1.0 ? 0 : (int)ceil(-log10(step) - 1e-9);
    snprintf(text, 24, "%s", quantity_number(value, digits).number);
}

static double scale_of(double scale)
{
    return scale > 0.0 ? scale : 1.0;
}

double report_length_scale(const ReportData *data)
{
    const char *unit;
    return quantity_scale(QUANTITY_LENGTH, data->units, &unit);
}

const char *report_length_unit(const ReportData *data)
{
    const char *unit;
    quantity_scale(QUANTITY_LENGTH, data->units, &unit);
    return unit;
}

static void draw_columns(cairo_t *cairo, const ReportAxes *axes)
{
    char text[24];
    double scale = scale_of(axes->x_scale), low = scale * axes->x_low, high = scale * axes->x_high;
    double step = round_step(high - low);
    cairo_set_line_width(cairo, 0.5);
    for (double v = ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        double x = report_x(axes, v / scale);
        report_colour(cairo, REPORT_GREY, 0.4);
        cairo_move_to(cairo, x, axes->top);
        cairo_line_to(cairo, x, axes->top + axes->height);
        cairo_stroke(cairo);
        number_text(v, step, text);
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, x - 0.5 * report_text_width(cairo, TICK_SIZE, text), axes->top + axes->height + 11.0,
                    TICK_SIZE, text);
    }
}

static void draw_lines(cairo_t *cairo, const ReportAxes *axes)
{
    char text[24];
    double scale = scale_of(axes->y_scale), low = scale * axes->y_low, high = scale * axes->y_high;
    double step = round_step(high - low);
    cairo_set_line_width(cairo, 0.5);
    for (double v = ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        double y = report_y(axes, v / scale);
        report_colour(cairo, REPORT_GREY, 0.4);
        cairo_move_to(cairo, axes->left, y);
        cairo_line_to(cairo, axes->left + axes->width, y);
        cairo_stroke(cairo);
        number_text(v, step, text);
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, axes->left - 4.0 - report_text_width(cairo, TICK_SIZE, text), y + 3.0, TICK_SIZE, text);
    }
}

void report_axes_draw(cairo_t *cairo, const ReportAxes *axes, const char *x_label, const char *y_label)
{
    draw_columns(cairo, axes);
    if (y_label != NULL) {
        draw_lines(cairo, axes);
    }
    report_colour(cairo, REPORT_INK, 1.0);
    cairo_set_line_width(cairo, 0.8);
    cairo_rectangle(cairo, axes->left, axes->top, axes->width, axes->height);
    cairo_stroke(cairo);
    double width = report_text_width(cairo, TICK_SIZE, x_label);
    report_text(cairo, axes->left + axes->width - width, axes->top + axes->height + 22.0, TICK_SIZE, x_label);
    if (y_label == NULL) {
        return;
    }
    report_text(cairo, axes->left - 30.0 > 2.0 ? axes->left - 30.0 : 2.0, axes->top - 5.0, TICK_SIZE, y_label);
}

void report_axes_even(ReportAxes *axes)
{
    double across = (axes->x_high - axes->x_low) / axes->width, up = (axes->y_high - axes->y_low) / axes->height;
    double scale = fmax(across, up); // units a point
    double x = 0.5 * (axes->x_low + axes->x_high), y = 0.5 * (axes->y_low + axes->y_high);
    axes->x_low = x - 0.5 * scale * axes->width;
    axes->x_high = x + 0.5 * scale * axes->width;
    axes->y_low = y - 0.5 * scale * axes->height;
    axes->y_high = y + 0.5 * scale * axes->height;
}
