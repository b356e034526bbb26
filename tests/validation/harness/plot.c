/// Draws curves as inline SVG: axes with steps of 1, 2 or 5 times a power of ten, laws as lines and measured values as
/// lines with marks, the seeds of one solver over one another. Ranges are drawn as rows over one axis.
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
    bool logarithmic; ///< low is above 0, and steps are 1, 2, 5, 10, 20...
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
    Axis x = {HUGE_VAL, -HUGE_VAL, 1.0, false}, y = {HUGE_VAL, -HUGE_VAL, 1.0, false};
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

/// Ranges fill the width of the picture; the names of rows stand above their bands.
enum { EDGE = 22, ROW_WORDS = 18, BAND = 15, ROW_GAP = 15, LETTERS_OF_A_ROW = 46 };

/// The next mark of a logarithmic axis: 1, 2, 5, 10...
static double next_mark(double mark)
{
    double power = pow(10.0, floor(log10(mark) + 1e-9)), digit = mark / power;
    return power * (digit < 1.5 ? 2.0 : digit < 3.5 ? 5.0 : 10.0);
}

/// Rounds the range outwards to marks.
static void round_logarithmic(Axis *axis)
{
    double mark = pow(10.0, floor(log10(axis->low) + 1e-9)), low = mark;
    for (; mark <= axis->low * (1.0 + 1e-9); mark = next_mark(mark)) {
        low = mark;
    }
    for (mark = low; mark < axis->high * (1.0 - 1e-9); mark = next_mark(mark)) {
    }
    axis->low = low;
    axis->high = mark;
}

static double range_x(const Axis *axis, double value)
{
    double share = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                     : (value - axis->low) / (axis->high - axis->low);
    return EDGE + share * (WIDTH - 2 * EDGE);
}

static Axis axis_of_ranges(const PlotRange *ranges, int count)
{
    Axis axis = {HUGE_VAL, -HUGE_VAL, 1.0, false};
    for (int k = 0; k < count; k++) {
        stretch(&axis, ranges[k].least); // fmin and fmax leave NAN out
        stretch(&axis, ranges[k].most);
        stretch(&axis, ranges[k].law);
        for (int f = 0; f < ranges[k].count; f++) {
            stretch(&axis, ranges[k].figures[f]);
        }
    }
    // A band that ends where the axis does would look cut off.
    enum { SHARES = 50 };
    double gap = (axis.high - axis.low) / SHARES;
    axis.logarithmic = axis.low > 0.0 && axis.high > 10.0 * axis.low;
    if (axis.logarithmic) {
        axis.low *= 1.0 - 1.0 / SHARES;
        axis.high *= 1.0 + 1.0 / SHARES;
        round_logarithmic(&axis);
    } else {
        axis.low = axis.low >= 0.0 ? fmax(0.0, axis.low - gap) : axis.low - gap;
        axis.high += gap;
        round_axis(&axis);
    }
    return axis;
}

/// What a row says beside its name: "0.61, within" or, of several, "0.61 · 0.63 · 0.7, 2 of 3 within".
typedef struct RangeWords {
    char text[256];
    bool within; ///< all are
} RangeWords;

static RangeWords words_of(const PlotRange *range)
{
    RangeWords words = {"", true};
    int good = 0;
    for (int f = 0; f < range->count; f++) {
        size_t used = strlen(words.text);
        char figure[32] = "no figure";
        if (!isnan(range->figures[f])) {
            snprintf(figure, sizeof figure, "%.3g", range->figures[f]);
        }
        snprintf(words.text + used, sizeof words.text - used, "%s%s", f > 0 ? " · " : "", figure);
        good += range->within[f];
    }
    words.within = good == range->count;
    size_t used = strlen(words.text);
    if (range->count > 1) {
        snprintf(words.text + used, sizeof words.text - used, ", %d of %d within", good, range->count);
    } else {
        snprintf(words.text + used, sizeof words.text - used, good == 1 ? ", within" : ", outside");
    }
    return words;
}

/// Whether name and words fit into one line.
static bool fit_a_line(const PlotRange *range)
{
    return strlen(range->name) + strlen(words_of(range).text) <= LETTERS_OF_A_ROW;
}

static int row_height(const PlotRange *range)
{
    return ROW_GAP + (fit_a_line(range) ? 1 : 2) * ROW_WORDS + BAND;
}

static void draw_range_axis(FILE *file, const Axis *axis, const char *title, int bottom)
{
    bool crowded = axis->logarithmic && axis->high > 1e4 * axis->low; // then powers of ten alone have numbers
    double value = axis->low, last = axis->high + (axis->logarithmic ? 1e-9 : 0.5 * axis->step);
    while (value <= last) {
        double at = range_x(axis, value);
        bool power = axis->logarithmic && fabs(log10(value) - round(log10(value))) < 1e-9;
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %d V%d\"/>", at, 4, bottom);
        if (!crowded || power) {
            fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>\n", at, bottom + 15,
                    !axis->logarithmic && fabs(value) < 1e-9 * axis->step ? 0.0 : value);
        }
        value = axis->logarithmic ? next_mark(value) : value + axis->step;
    }
    fprintf(file, "<path class=\"axis\" d=\"M%d %d H%d\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", EDGE,
            bottom, WIDTH - EDGE, WIDTH / 2, bottom + 34);
    html_put(file, title);
    fputs(axis->logarithmic ? ", logarithmic</text>\n" : "</text>\n", file);
}

static void draw_band(FILE *file, const char *kind, double from, double to, double top)
{
    fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", kind, from, top,
            to - from, BAND);
}

/// The simulation's figure: a disc within, a rhomb outside.
static void draw_figure(FILE *file, double x, double y, bool within, bool pale)
{
    const char *opacity = pale ? " opacity=\"0.4\"" : "";
    if (within) {
        fprintf(file, "<circle class=\"within\"%s cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", opacity, x, y);
    } else {
        fprintf(file, "<path class=\"outside\"%s d=\"M%.1f %.1f l6.5 6.5 l-6.5 6.5 l-6.5 -6.5 z\"/>\n", opacity, x,
                y - 6.5);
    }
}

static void draw_row(FILE *file, const Axis *axis, const PlotRange *range, int top)
{
    enum { LEAST_BAND = 3 }; // a single measured value is a line of this width
    RangeWords words = words_of(range);
    int line = top + ROW_WORDS - 4, verdict = fit_a_line(range) ? line : line + ROW_WORDS;
    fprintf(file, "<text class=\"case\" x=\"%d\" y=\"%d\"", EDGE, line);
    if (strlen(range->name) > LETTERS_OF_A_ROW) { // closer together
        fprintf(file, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", WIDTH - 2 * EDGE);
    }
    fputc('>', file);
    html_put(file, range->name);
    fprintf(file, "</text><text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", words.within ? "good" : "bad",
            WIDTH - EDGE, verdict);
    html_put(file, words.text);
    fputs("</text>\n", file);
    double band = verdict + 7, low = range_x(axis, range->low), high = range_x(axis, range->high);
    double widened = fmax(0.0, 0.5 * (LEAST_BAND - (high - low)));
    if (range->least < range->low || range->most > range->high) {
        draw_band(file, "scatter", range_x(axis, range->least), range_x(axis, range->most), band);
    }
    draw_band(file, "range", low - widened, high + widened, band);
    if (!isnan(range->law)) {
        double law = range_x(axis, range->law);
        fprintf(file, "<path class=\"lawline\" d=\"M%.1f %.1f V%.1f\"/>\n", law, band - 2, band + BAND + 4);
    }
    for (int f = range->count - 1; f >= 0; f--) {
        if (!isnan(range->figures[f])) {
            draw_figure(file, range_x(axis, range->figures[f]), band + 0.5 * BAND, range->within[f], f > 0);
        }
    }
}

void plot_write_ranges(FILE *file, const char *title, const char *axis_title, const PlotRange *ranges, int count)
{
    Axis axis = axis_of_ranges(ranges, count);
    int bottom = ROW_GAP;
    for (int k = 0; k < count; k++) {
        bottom += row_height(&ranges[k]);
    }
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, bottom + 42);
    html_put(file, title);
    fputs("\">\n", file);
    draw_range_axis(file, &axis, axis_title, bottom);
    for (int k = 0, top = 4; k < count; top += row_height(&ranges[k]), k++) {
        draw_row(file, &axis, &ranges[k], top);
    }
    fputs("</svg>\n", file);
}

void plot_write_range_legend(FILE *file, const PlotRange *ranges, int count)
{
    bool scatter = false, law = false, within = false, outside = false, pale = false;
    for (int k = 0; k < count; k++) {
        scatter = scatter || ranges[k].least < ranges[k].low || ranges[k].most > ranges[k].high;
        law = law || !isnan(ranges[k].law);
        for (int f = 0; f < ranges[k].count; f++) {
            within = within || ranges[k].within[f];
            outside = outside || !(ranges[k].within[f] || isnan(ranges[k].figures[f]));
            pale = pale || f > 0;
        }
    }
    fputs("<p class=\"legend\"><span><i class=\"range\"></i>measured</span> ", file);
    fputs(scatter ? "<span><i class=\"scatter\"></i>scatter of a repetition</span> " : "", file);
    fputs(law ? "<span><i class=\"lawline\"></i>classical law</span> " : "", file);
    fputs(within ? "<span><b class=\"good\">&#9679;</b> Spadework, within</span> " : "", file);
    fputs(outside ? "<span><b class=\"bad\">&#9670;</b> Spadework, outside</span> " : "", file);
    fputs(pale ? "<span>pale: further seeds</span>" : "", file);
    fputs("</p>\n", file);
}
