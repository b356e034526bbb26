/// Draws curves as inline SVG: axes with steps of 1, 2 or 5 times a power of ten, laws as lines and measured values as
/// lines with marks, the seeds of one solver over one another.
#include "data/core/visible_text.h"
#include "tests/validation/harness/plot.h"

#include <math.h>
#include <string.h>

/// The picture in its own units; CSS scales it to the width of the page.
enum { WIDTH = 460, HEIGHT = 300, LEFT = 74, RIGHT = 14, TOP = 12, BOTTOM = 46, COLOURS = 8 };
enum { MARKS_UP_TO = 60, DRAWN_POINTS = 400 };

static const char *const colours[COLOURS] = {"#1f6fb4", "#c8501e", "#2a8a4a", "#8a4fb0",
                                             "#b08a00", "#00868b", "#c23b6b", "#5b6670"};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static bool is_law(const json_t *series)
{
    return strncmp(text_of(series, "name"), "law", 3) == 0;
}

static void point_of(const json_t *points, size_t k, double *x, double *y)
{
    const json_t *point = json_array_get(points, k);
    *x = json_number_value(json_array_get(point, 0));
    *y = json_number_value(json_array_get(point, 1));
}

bool plot_has_points(const json_t *plot)
{
    size_t k;
    json_t *series;
    json_array_foreach(json_object_get(plot, "series"), k, series)
    {
        if (json_array_size(json_object_get(series, "points")) > 0) {
            return true;
        }
    }
    return false;
}

typedef struct Axis {
    double low, high, step;
} Axis;

static void stretch(Axis *axis, double value)
{
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

/// Rounds the range to whole steps of 1, 2 or 5 times a power of ten.
static void round_axis(Axis *axis)
{
    if (!(axis->low <= axis->high)) {
        axis->low = 0.0;
        axis->high = 1.0;
    }
    double span = axis->high - axis->low, size = fmax(fabs(axis->low), fabs(axis->high));
    if (span < 1e-9 * size || span == 0.0) {
        span = size > 0.0 ? 0.2 * size : 1.0;
        axis->low -= 0.5 * span;
        axis->high += 0.5 * span;
    }
    double power = pow(10.0, floor(log10(span / 5.0))), ratio = span / 5.0 / power;
    axis->step = power * (ratio < 1.5 ? 1.0 : ratio < 3.5 ? 2.0 : ratio < 7.5 ? 5.0 : 10.0);
    axis->low = floor(axis->low / axis->step + 1e-9) * axis->step;
    axis->high = ceil(axis->high / axis->step - 1e-9) * axis->step;
}

static double to_x(const Axis *axis, double value)
{
    return LEFT + (value - axis->low) / (axis->high - axis->low) * (WIDTH - LEFT - RIGHT);
}

static double to_y(const Axis *axis, double value)
{
    return HEIGHT - BOTTOM - (value - axis->low) / (axis->high - axis->low) * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(FILE *file, const Axis *x, const Axis *y, const json_t *plot)
{
    for (double value = x->low; value <= x->high + 0.5 * x->step; value += x->step) {
        double at = to_x(x, value);
        fprintf(file,
                "<path class=\"grid\" d=\"M%.1f %d V%d\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">%.4g</text>\n",
                at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 15, fabs(value) < 1e-9 * x->step ? 0.0 : value);
    }
    for (double value = y->low; value <= y->high + 0.5 * y->step; value += y->step) {
        double at = to_y(y, value);
        fprintf(file,
                "<path class=\"grid\" d=\"M%d %.1f H%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
                LEFT, at, WIDTH - RIGHT, LEFT - 5, at + 4.0, fabs(value) < 1e-9 * y->step ? 0.0 : value);
    }
    fprintf(file, "<path class=\"axis\" d=\"M%d %d V%d H%d\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT,
            TOP, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
    html_put(file, text_of(plot, "x"));
    fprintf(file, "</text>\n<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    html_put(file, text_of(plot, "y"));
    fputs("</text>\n", file);
}

static void draw_line(FILE *file, const json_t *points, const Axis *x, const Axis *y)
{
    size_t count = json_array_size(points), stride = count / DRAWN_POINTS + 1;
    fputs("<polyline points=\"", file);
    for (size_t k = 0; k < count; k += k + stride < count || k == count - 1 ? stride : count - 1 - k) {
        double px, py;
        point_of(points, k, &px, &py);
        fprintf(file, "%.1f,%.1f ", to_x(x, px), to_y(y, py));
    }
    fputs("\"/>\n", file);
}

static void draw_marks(FILE *file, const json_t *points, const Axis *x, const Axis *y)
{
    for (size_t k = 0; k < json_array_size(points); k++) {
        double px, py;
        point_of(points, k, &px, &py);
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"/>\n", to_x(x, px), to_y(y, py));
    }
}

/// All measured series of one run, or all its laws.
static void draw_series(FILE *file, const json_t *plot, bool laws, bool pale, const Axis *x, const Axis *y)
{
    size_t k;
    json_t *series;
    int measured = 0;
    json_array_foreach(json_object_get(plot, "series"), k, series)
    {
        const json_t *points = json_object_get(series, "points");
        const char *colour = colours[measured % COLOURS];
        measured += !is_law(series);
        if (is_law(series) != laws || json_array_size(points) == 0) {
            continue;
        }
        if (laws) {
            fputs("<g class=\"law\">", file);
        } else {
            fprintf(file, "<g class=\"measured\" stroke=\"%s\" fill=\"%s\"%s>", colour, colour,
                    pale ? " opacity=\"0.4\"" : "");
        }
        if (laws || json_array_size(points) > MARKS_UP_TO) {
            draw_line(file, points, x, y);
        } else {
            draw_marks(file, points, x, y);
        }
        fputs("</g>\n", file);
    }
}

void plot_write_legend(FILE *file, const json_t *plot)
{
    size_t k;
    json_t *series;
    int measured = 0, laws = 0;
    json_array_foreach(json_object_get(plot, "series"), k, series)
    {
        laws += is_law(series);
    }
    fputs("<p class=\"legend\">", file);
    json_array_foreach(json_object_get(plot, "series"), k, series)
    {
        if (!is_law(series)) {
            fprintf(file, "<span><i style=\"background:%s\"></i>", colours[measured++ % COLOURS]);
            html_put(file, text_of(series, "name"));
            fputs("</span> ", file);
        } else if (laws == 1) {
            fputs("<span><i class=\"dashed\"></i>", file);
            html_put(file, text_of(series, "name"));
            fputs("</span> ", file);
        }
    }
    fputs(laws > 1 ? "<span><i class=\"dashed\"></i>laws</span></p>\n" : "</p>\n", file);
}

static const json_t *plot_of(const json_t *run, size_t index)
{
    return json_array_get(json_object_get(run, "plots"), index);
}

static void measure_ranges(const json_t *plot, bool laws, Axis *x, Axis *y)
{
    size_t k;
    json_t *series;
    json_array_foreach(json_object_get(plot, "series"), k, series)
    {
        const json_t *points = json_object_get(series, "points");
        for (size_t i = 0; (laws || !is_law(series)) && i < json_array_size(points); i++) {
            double px, py;
            point_of(points, i, &px, &py);
            stretch(x, px);
            stretch(y, py);
        }
    }
}

void plot_write(FILE *file, const json_t *const *runs, int run_count, size_t index)
{
    const json_t *first = plot_of(runs[0], index);
    Axis x = {HUGE_VAL, -HUGE_VAL, 1.0}, y = {HUGE_VAL, -HUGE_VAL, 1.0};
    for (int r = 0; r < run_count; r++) {
        measure_ranges(plot_of(runs[r], index), r == 0, &x, &y);
    }
    round_axis(&x);
    round_axis(&y);
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    html_put(file, text_of(first, "title"));
    fputs("\">\n", file);
    draw_axes(file, &x, &y, first);
    for (int r = run_count - 1; r >= 0; r--) {
        draw_series(file, plot_of(runs[r], index), false, r > 0, &x, &y);
    }
    draw_series(file, first, true, false, &x, &y);
    fputs("</svg>\n", file);
}
