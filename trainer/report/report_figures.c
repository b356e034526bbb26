/// The figures of the report: over time (phases and events, score, loads, pressures, functions used together) and in
/// space (the edge's path from above and from the side, maps of the ground). Colours are those of Okabe and
/// Ito, and every mark has a shape or pattern of its own.
#include "trainer/report/report_pages_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/report/change_map.h"
#include "trainer/sim/sim.h"

/// ---- axes, colours, text -------------------------------------------------------------------------------------------

#define LABEL_SIZE 8.0 ///< points
#define TICKS      6 ///< about so many numbers along an axis

/// The inside of a plot, and the values at its edges.
typedef struct Axes {
    double left, top, width, height; ///< points: the plot's inside
    double x_low, x_high, y_low, y_high; ///< values at its edges
    double x_scale, y_scale; ///< of the number beside a place over its value; 0: 1
} Axes;

/// Okabe and Ito 2008, "Color universal design".
void report_colour(cairo_t *cairo, int colour, double alpha)
{
    static const double colours[][3] = {
        [REPORT_INK] = {0.13, 0.13, 0.13},   [REPORT_ORANGE] = {0.90, 0.62, 0.00}, [REPORT_BLUE] = {0.00, 0.45, 0.70},
        [REPORT_GREEN] = {0.00, 0.62, 0.45}, [REPORT_SKY] = {0.34, 0.71, 0.91},    [REPORT_YELLOW] = {0.94, 0.89, 0.26},
        [REPORT_RED] = {0.84, 0.37, 0.00},   [REPORT_GREY] = {0.60, 0.60, 0.60}};
    cairo_set_source_rgba(cairo, colours[colour][0], colours[colour][1], colours[colour][2], alpha);
}

static void set_label_font(cairo_t *cairo, double size)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

void report_text(cairo_t *cairo, double x, double y, double size, const char *text)
{
    set_label_font(cairo, size);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
}

static double text_width(cairo_t *cairo, double size, const char *text)
{
    cairo_text_extents_t extents;
    set_label_font(cairo, size);
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

/// Points of a value.
static double axes_x(const Axes *axes, double value)
{
    return axes->left + axes->width * (value - axes->x_low) / (axes->x_high - axes->x_low);
}

static double axes_y(const Axes *axes, double value)
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

static double scale_or_one(double scale)
{
    return scale > 0.0 ? scale : 1.0;
}

/// How many of the unit that lengths are read in ("m", "ft") there are in a metre.
static double length_scale(const ReportData *data)
{
    const char *unit;
    return quantity_scale(QUANTITY_LENGTH, data->units, &unit);
}

static const char *length_unit(const ReportData *data)
{
    const char *unit;
    quantity_scale(QUANTITY_LENGTH, data->units, &unit);
    return unit;
}

static void draw_columns(cairo_t *cairo, const Axes *axes)
{
    char text[24];
    double scale = scale_or_one(axes->x_scale), low = scale * axes->x_low, high = scale * axes->x_high;
    double step = round_step(high - low);
    cairo_set_line_width(cairo, 0.5);
    for (double v = ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        double x = axes_x(axes, v / scale);
        report_colour(cairo, REPORT_GREY, 0.4);
        cairo_move_to(cairo, x, axes->top);
        cairo_line_to(cairo, x, axes->top + axes->height);
        cairo_stroke(cairo);
        number_text(v, step, text);
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, x - 0.5 * text_width(cairo, LABEL_SIZE, text), axes->top + axes->height + 11.0, LABEL_SIZE,
                    text);
    }
}

static void draw_lines(cairo_t *cairo, const Axes *axes)
{
    char text[24];
    double scale = scale_or_one(axes->y_scale), low = scale * axes->y_low, high = scale * axes->y_high;
    double step = round_step(high - low);
    cairo_set_line_width(cairo, 0.5);
    for (double v = ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        double y = axes_y(axes, v / scale);
        report_colour(cairo, REPORT_GREY, 0.4);
        cairo_move_to(cairo, axes->left, y);
        cairo_line_to(cairo, axes->left + axes->width, y);
        cairo_stroke(cairo);
        number_text(v, step, text);
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, axes->left - 4.0 - text_width(cairo, LABEL_SIZE, text), y + 3.0, LABEL_SIZE, text);
    }
}

/// Draws frame, grid and numbers in the reader's units; labels name value and unit. y_label NULL: the vertical axis has
/// neither numbers nor a name.
static void draw_axes(cairo_t *cairo, const Axes *axes, const char *x_label, const char *y_label)
{
    draw_columns(cairo, axes);
    if (y_label != NULL) {
        draw_lines(cairo, axes);
    }
    report_colour(cairo, REPORT_INK, 1.0);
    cairo_set_line_width(cairo, 0.8);
    cairo_rectangle(cairo, axes->left, axes->top, axes->width, axes->height);
    cairo_stroke(cairo);
    double width = text_width(cairo, LABEL_SIZE, x_label);
    report_text(cairo, axes->left + axes->width - width, axes->top + axes->height + 22.0, LABEL_SIZE, x_label);
    if (y_label == NULL) {
        return;
    }
    report_text(cairo, axes->left - 30.0 > 2.0 ? axes->left - 30.0 : 2.0, axes->top - 5.0, LABEL_SIZE, y_label);
}

/// Gives both directions one scale, so that as much as now fits; the middle stays.
static void even_axes(Axes *axes)
{
    double across = (axes->x_high - axes->x_low) / axes->width, up = (axes->y_high - axes->y_low) / axes->height;
    double scale = fmax(across, up); // units a point
    double x = 0.5 * (axes->x_low + axes->x_high), y = 0.5 * (axes->y_low + axes->y_high);
    axes->x_low = x - 0.5 * scale * axes->width;
    axes->x_high = x + 0.5 * scale * axes->width;
    axes->y_low = y - 0.5 * scale * axes->height;
    axes->y_high = y + 0.5 * scale * axes->height;
}

/// ---- the edge's path and the site ----------------------------------------------------------------------------------

#define SITE_MARGIN  2.0 ///< m around what is drawn of the site
#define MOST_CHANGE  1.0 ///< m of cut or fill with the strongest colour
#define LEAST_CHANGE 0.03 ///< m: less is roughness
enum { PATH_POINTS = 4000 };

typedef struct Extent {
    double x_low, x_high, y_low, y_high; ///< m
} Extent;

static void include_place(Extent *extent, double x, double y, double around)
{
    extent->x_low = fmin(extent->x_low, x - around);
    extent->x_high = fmax(extent->x_high, x + around);
    extent->y_low = fmin(extent->y_low, y - around);
    extent->y_high = fmax(extent->y_high, y + around);
}

/// The part of the site that was worked on: the edge's path, the work, the dump.
static Extent work_extent(const ReportData *data)
{
    Extent extent = {1e9, -1e9, 1e9, -1e9};
    const ReportRun *run = &data->run;
    for (int64_t k = 0; k < run->sample_count; k++) {
        include_place(&extent, (double)run->samples[k].tip_x, (double)run->samples[k].tip_y, 0.0);
    }
    include_place(&extent, data->scene.machine.x, data->scene.machine.y, 2.0);
    const SceneExercise *exercise = &data->scene.exercise;
    if (exercise->kind == EXERCISE_TRENCH) {
        include_place(&extent, exercise->trench.dump_x, exercise->trench.dump_y, exercise->trench.dump_radius);
    }
    DesignBox box;
    if (design_box(data->design, &box)) {
        include_place(&extent, box.low.x, box.low.y, 0.0);
        include_place(&extent, box.high.x, box.high.y, 0.0);
    }
    include_place(&extent, extent.x_low, extent.y_low, SITE_MARGIN);
    include_place(&extent, extent.x_high, extent.y_high, SITE_MARGIN);
    return extent;
}

static Axes plan_axes(const ReportData *data, double width, double height)
{
    Extent extent = work_extent(data);
    Axes axes = {.left = 36.0,
                 .top = 18.0,
                 .width = width - 48.0,
                 .height = height - 46.0,
                 .x_low = extent.x_low,
                 .x_high = extent.x_high,
                 .y_low = extent.y_low,
                 .y_high = extent.y_high};
    even_axes(&axes);
    axes.x_scale = axes.y_scale = length_scale(data);
    return axes;
}

/// A rectangle from a middle line's ends: along[0] to along[1] m beyond (x, y) towards the heading.
static void outline(cairo_t *cairo, const Axes *axes, double x, double y, double heading, const double along[2],
                    double half)
{
    double c = cos(heading), s = sin(heading);
    for (int k = 0; k < 4; k++) {
        double u = along[k == 1 || k == 2], v = k < 2 ? -half : half;
        cairo_line_to(cairo, axes_x(axes, x + c * u - s * v), axes_y(axes, y + s * u + c * v));
    }
    cairo_close_path(cairo);
    cairo_stroke(cairo);
}

static void circle(cairo_t *cairo, const Axes *axes, double x, double y, double radius)
{
    cairo_new_sub_path(cairo);
    double points = axes_x(axes, radius) - axes_x(axes, 0.0);
    cairo_arc(cairo, axes_x(axes, x), axes_y(axes, y), points, 0.0, 2.0 * M_PI);
    cairo_stroke(cairo);
}

/// Draws the lines of the design surface.
static void draw_design(cairo_t *cairo, const DesignSurface *design, const Axes *axes)
{
    DesignLine lines[DESIGN_LINES];
    int count = design_lines(design, lines, DESIGN_LINES);
    for (int k = 0; k < count; k++) {
        if (lines[k].starts) {
            cairo_move_to(cairo, axes_x(axes, lines[k].a.x), axes_y(axes, lines[k].a.y));
        }
        cairo_line_to(cairo, axes_x(axes, lines[k].b.x), axes_y(axes, lines[k].b.y));
    }
    cairo_stroke(cairo);
}

/// Writes a name at a place, on white; not where it would leave the plan.
static void name_place(cairo_t *cairo, const Axes *axes, double x, double y, const char *name)
{
    double width = text_width(cairo, LABEL_SIZE, name);
    double left = axes_x(axes, x) - 0.5 * width, base = axes_y(axes, y) + 0.4 * LABEL_SIZE;
    if (left < axes->left || left + width > axes->left + axes->width || base - LABEL_SIZE < axes->top ||
        base > axes->top + axes->height) {
        return;
    }
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.75);
    cairo_rectangle(cairo, left - 1.0, base - LABEL_SIZE, width + 2.0, LABEL_SIZE + 2.0);
    cairo_fill(cairo);
    report_colour(cairo, REPORT_INK, 1.0);
    report_text(cairo, left, base, LABEL_SIZE, name);
}

/// Writes names beside what draw_work draws.
static void name_work(cairo_t *cairo, const ReportData *data, const Axes *axes)
{
    const SceneExercise *exercise = &data->scene.exercise;
    if (exercise->kind == EXERCISE_TRENCH) {
        const SceneTrench *trench = &exercise->trench;
        name_place(cairo, axes, trench->x + 0.5 * trench->length * cos(trench->heading),
                   trench->y + 0.5 * trench->length * sin(trench->heading), language_text("trench"));
        name_place(cairo, axes, trench->dump_x, trench->dump_y + trench->dump_radius, language_text("place to dump"));
    } else if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        name_place(cairo, axes, exercise->truck.x, exercise->truck.y, language_text("truck"));
        name_place(cairo, axes, exercise->truck.dig_x, exercise->truck.dig_y + EXERCISE_DIG_RADIUS,
                   language_text("dig here"));
    }
    for (int k = 0; k < exercise->targets_count; k++) {
        char number[16];
        snprintf(number, sizeof number, "%d", k + 1);
        name_place(cairo, axes, exercise->targets[k].x, exercise->targets[k].y, number);
    }
    for (int k = 0; k < data->scene.persons_count; k++) {
        name_place(cairo, axes, data->scene.persons[k].x, data->scene.persons[k].y, data->scene.persons[k].name);
    }
    name_place(cairo, axes, data->scene.machine.x, data->scene.machine.y, language_text("start"));
}

/// From here to cairo_restore nothing is drawn outside the plot's frame: a PDF page has text around a figure.
static void clip_to_frame(cairo_t *cairo, const Axes *axes)
{
    cairo_save(cairo);
    cairo_rectangle(cairo, axes->left, axes->top, axes->width, axes->height);
    cairo_clip(cairo);
}

/// Draws the work that the scene asks for, as lines.
static void draw_work(cairo_t *cairo, const ReportData *data, const Axes *axes)
{
    const SceneExercise *exercise = &data->scene.exercise;
    clip_to_frame(cairo, axes);
    report_colour(cairo, REPORT_INK, 1.0);
    cairo_set_line_width(cairo, 1.2);
    if (exercise->kind == EXERCISE_TRENCH) {
        const SceneTrench *trench = &exercise->trench;
        circle(cairo, axes, trench->dump_x, trench->dump_y, trench->dump_radius);
    } else if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        const SceneTruck *truck = &exercise->truck;
        double half = 0.5 * truck->bed_length;
        outline(cairo, axes, truck->x, truck->y, truck->heading, (double[]){-half, half}, 0.5 * truck->bed_width);
        circle(cairo, axes, truck->dig_x, truck->dig_y, EXERCISE_DIG_RADIUS);
    }
    draw_design(cairo, data->design, axes);
    if (exercise->rip.depth > 0.0) {
        const SceneRip *rip = &exercise->rip;
        outline(cairo, axes, rip->x, rip->y, rip->heading, (double[]){0.0, rip->length}, 0.5 * rip->width);
    }
    if (exercise->rock_place.radius > 0.0) {
        circle(cairo, axes, exercise->rock_place.x, exercise->rock_place.y, exercise->rock_place.radius);
    }
    for (int k = 0; k < exercise->targets_count; k++) {
        circle(cairo, axes, exercise->targets[k].x, exercise->targets[k].y, exercise->targets[k].radius);
    }
    for (int k = 0; k < data->scene.persons_count; k++) {
        circle(cairo, axes, data->scene.persons[k].x, data->scene.persons[k].y, fmax(data->scene.persons[k].zone, 0.3));
    }
    cairo_set_line_width(cairo, 0.8);
    const SceneMachine *machine = &data->scene.machine;
    outline(cairo, axes, machine->x, machine->y, machine->heading, (double[]){-2.2, 2.2}, 1.5);
    cairo_restore(cairo);
}

static void draw_path(cairo_t *cairo, const ReportData *data, const Axes *axes)
{
    const ReportRun *run = &data->run;
    int64_t step = run->sample_count / PATH_POINTS + 1;
    clip_to_frame(cairo, axes);
    report_colour(cairo, REPORT_BLUE, 0.55);
    cairo_set_line_width(cairo, 0.7);
    for (int64_t k = 0; k < run->sample_count; k += step) {
        cairo_line_to(cairo, axes_x(axes, (double)run->samples[k].tip_x), axes_y(axes, (double)run->samples[k].tip_y));
    }
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

/// Draws frame, grid and directions of a plan; on a map the key takes the place of the label of the x axis.
static void draw_plan_axes(cairo_t *cairo, const ReportData *data, const Axes *axes, bool names_east)
{
    char east[REPORT_TEXT] = "", north[REPORT_TEXT];
    snprintf(north, sizeof north, language_text("%s north"), length_unit(data));
    if (names_east) {
        snprintf(east, sizeof east, language_text("%s east"), length_unit(data));
    }
    draw_axes(cairo, axes, east, north);
}

static void draw_plan(cairo_t *cairo, const ReportData *data, double width, double height)
{
    Axes axes = plan_axes(data, width, height);
    draw_plan_axes(cairo, data, &axes, true);
    draw_path(cairo, data, &axes);
    draw_work(cairo, data, &axes);
    name_work(cairo, data, &axes);
}

static void draw_side(cairo_t *cairo, const ReportData *data, double width, double height)
{
    const ReportRun *run = &data->run;
    Axes axes = {.left = 36.0, .top = 18.0, .width = width - 48.0, .height = height - 46.0, .x_high = 1.0};
    axes.y_low = -0.5;
    axes.y_high = 1.0;
    for (int64_t k = 0; k < run->sample_count; k++) {
        const TraceSample *sample = &run->samples[k];
        axes.x_high = fmax(axes.x_high,
                           hypot((double)(sample->tip_x - sample->base_x), (double)(sample->tip_y - sample->base_y)));
        axes.y_low = fmin(axes.y_low, (double)sample->tip_z - 0.5);
        axes.y_high = fmax(axes.y_high, (double)sample->tip_z + 0.5);
    }
    if (data->scene.exercise.kind == EXERCISE_TRENCH) { // its floor is drawn, however high the edge stayed
        axes.y_low = fmin(axes.y_low, -data->scene.exercise.trench.depth - 0.5);
    }
    even_axes(&axes);
    axes.x_scale = axes.y_scale = length_scale(data);
    char ahead[REPORT_TEXT], over[REPORT_TEXT];
    snprintf(ahead, sizeof ahead, language_text("%s from the machine's middle"), length_unit(data));
    snprintf(over, sizeof over, language_text("%s over the ground"), length_unit(data));
    draw_axes(cairo, &axes, ahead, over);
    report_colour(cairo, REPORT_INK, 1.0);
    cairo_set_line_width(cairo, 1.2);
    cairo_move_to(cairo, axes.left, axes_y(&axes, 0.0));
    cairo_line_to(cairo, axes.left + axes.width, axes_y(&axes, 0.0));
    cairo_stroke(cairo);
    if (data->scene.exercise.kind == EXERCISE_TRENCH) {
        double floor = axes_y(&axes, -data->scene.exercise.trench.depth);
        cairo_set_dash(cairo, (double[]){5.0, 3.0}, 2, 0.0);
        cairo_move_to(cairo, axes.left, floor);
        cairo_line_to(cairo, axes.left + axes.width, floor);
        cairo_stroke(cairo);
        cairo_set_dash(cairo, NULL, 0, 0.0);
    }
    int64_t step = run->sample_count / PATH_POINTS + 1;
    report_colour(cairo, REPORT_BLUE, 0.55);
    cairo_set_line_width(cairo, 0.7);
    for (int64_t k = 0; k < run->sample_count; k += step) {
        const TraceSample *sample = &run->samples[k];
        double reach = hypot((double)(sample->tip_x - sample->base_x), (double)(sample->tip_y - sample->base_y));
        cairo_line_to(cairo, axes_x(&axes, reach), axes_y(&axes, (double)sample->tip_z));
    }
    cairo_stroke(cairo);
}

/// ---- maps ----------------------------------------------------------------------------------------------------------

/// Difference of a column from the design or from before, m; NaN: not drawn.
typedef double MapValue(const ReportData *data, int row, int column, double x, double y);

static double column_height(const TraceGround *ground, int row, int column)
{
    return 1e-3 * ground->height[row * ground->columns + column];
}

static double change_at(const ReportData *data, int row, int column, double x, double y)
{
    (void)x;
    (void)y;
    double change = column_height(&data->after, row, column) - column_height(&data->before, row, column);
    return fabs(change) < LEAST_CHANGE ? (double)NAN : -change;
}

/// Above 0: too high.
static double error_at(const ReportData *data, int row, int column, double x, double y)
{
    double design;
    return design_height(data->design, x, y, &design) ? column_height(&data->after, row, column) - design : (double)NAN;
}

/// What a map is drawn of.
typedef struct MapSource {
    const ReportData *data;
    MapValue *value;
} MapSource;

static double map_value(const void *context, int row, int column)
{
    const MapSource *source = context;
    const TraceGround *ground = &source->data->after;
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    return source->value(source->data, row, column, x, y);
}

static void draw_map(cairo_t *cairo, const ReportData *data, const Axes *axes, MapValue *value,
                     const ChangeScale *scale)
{
    const TraceGround *ground = &data->after;
    if (ground->rows != data->before.rows || ground->columns != data->before.columns) {
        return;
    }
    const MapSource source = {data, value};
    const ChangeMap map = {.rows = ground->rows,
                           .columns = ground->columns,
                           .left = axes_x(axes, ground->origin_x - 0.5 * ground->spacing),
                           .top = axes_y(axes, ground->origin_y + (ground->rows - 0.5) * ground->spacing),
                           .cell = axes_x(axes, ground->spacing) - axes_x(axes, 0.0),
                           .at = map_value,
                           .context = &source};
    clip_to_frame(cairo, axes);
    change_map_draw(cairo, &map, scale);
    cairo_restore(cairo);
}

/// Draws the key of the colours along the lower edge.
static void draw_key(cairo_t *cairo, const ReportData *data, const Axes *axes, const ChangeScale *scale,
                     const char *above, const char *below)
{
    double y = axes->top + axes->height + 16.0, x = change_map_key(cairo, axes->left, y, scale);
    char text[128];
    const Quantity most = quantity(QUANTITY_LENGTH, scale->most, data->units);
    int length = snprintf(text, sizeof text, "%s %s ... %s %s", below, most.text, above, most.text);
    if (scale->tolerance > 0.0 && length > 0 && length < (int)sizeof text) {
        snprintf(text + length, sizeof text - (size_t)length, language_text("; white: %s"),
                 quantity(QUANTITY_FINE, scale->tolerance, data->units).text);
    }
    double room = axes->left + axes->width + 8.0 - (x + 5.0), wide = text_width(cairo, LABEL_SIZE, text);
    report_colour(cairo, REPORT_INK, 1.0);
    report_text(cairo, x + 5.0, y + 7.5, LABEL_SIZE * fmin(1.0, room / wide), text);
}

static void draw_change(cairo_t *cairo, const ReportData *data, double width, double height)
{
    Axes axes = plan_axes(data, width, height);
    draw_plan_axes(cairo, data, &axes, false);
    const ChangeScale scale = {.most = MOST_CHANGE};
    draw_map(cairo, data, &axes, change_at, &scale);
    draw_work(cairo, data, &axes);
    name_work(cairo, data, &axes);
    draw_key(cairo, data, &axes, &scale, language_text("cut away"), language_text("filled"));
}

static bool has_design(const ReportData *data)
{
    return !design_is_empty(data->design);
}

static void draw_error(cairo_t *cairo, const ReportData *data, double width, double height)
{
    const double around = 0.5; // m
    DesignBox box = {0};
    design_box(data->design, &box);
    const double tolerance = design_tolerance(data->design);
    const ChangeScale scale = {.tolerance = tolerance, .most = fmax(3.0 * tolerance, 0.1)};
    Axes axes = {.left = 36.0,
                 .top = 18.0,
                 .width = width - 48.0,
                 .height = height - 46.0,
                 .x_low = box.low.x - around,
                 .x_high = box.high.x + around,
                 .y_low = box.low.y - around,
                 .y_high = box.high.y + around};
    even_axes(&axes);
    axes.x_scale = axes.y_scale = length_scale(data);
    draw_plan_axes(cairo, data, &axes, false);
    draw_map(cairo, data, &axes, error_at, &scale);
    draw_work(cairo, data, &axes);
    draw_key(cairo, data, &axes, &scale, language_text("too high"), language_text("too deep"));
}

/// ---- figures over time ---------------------------------------------------------------------------------------------

#define MARK_ROWS 10.0 ///< points above the lanes of the time line, beside what every figure has there
enum { CURVE_POINTS = 1500 }; ///< of a curve at most

static Axes axes_in(double width, double height, double left)
{
    return (Axes){.left = left, .top = 18.0, .width = width - left - 12.0, .height = height - 46.0};
}

static double end_time(const ReportData *data)
{
    double end = report_time(&data->run, data->run.last_tick);
    return end > 1.0 ? end : 1.0;
}

/// Every n-th sample is enough for a curve.
static int64_t curve_step(const ReportRun *run)
{
    return run->sample_count / CURVE_POINTS + 1;
}

static bool has_samples(const ReportData *data)
{
    return data->run.sample_count > 1;
}

static const int phase_colours[WORK_PHASE_COUNT] = {
    [WORK_IDLE] = REPORT_GREY,           [WORK_TRAVEL] = REPORT_SKY, [WORK_DIG] = REPORT_RED,
    [WORK_SWING_LOADED] = REPORT_ORANGE, [WORK_DUMP] = REPORT_GREEN, [WORK_SWING_EMPTY] = REPORT_BLUE};

static void draw_phases(cairo_t *cairo, const ReportData *data, const Axes *axes, double lane)
{
    const ReportRun *run = &data->run;
    for (int64_t k = 0; k < run->sample_count;) {
        int phase = (int)run->samples[k].phase;
        int64_t end = k + 1;
        while (end < run->sample_count && (int)run->samples[end].phase == phase) {
            end++;
        }
        double from = axes_x(axes, report_time(run, run->samples[k].tick));
        int64_t last = end < run->sample_count ? end : run->sample_count - 1;
        double to = axes_x(axes, report_time(run, run->samples[last].tick));
        if (phase >= 0 && phase < WORK_PHASE_COUNT) {
            report_colour(cairo, phase_colours[phase], 1.0);
            cairo_rectangle(cairo, from, axes->top + lane * phase + 1.5, fmax(to - from, 0.3), lane - 3.0);
            cairo_fill(cairo);
        }
        k = end;
    }
}

/// Marks above the lanes, each of a shape of its own.
typedef enum EventMark { MARK_NONE, MARK_LOST, MARK_INCIDENT, MARK_DONE, MARK_MISTAKE, MARK_KINDS } EventMark;

static const char *const mark_names[MARK_KINDS] = {[MARK_LOST] = TEXT("points lost"),
                                                   [MARK_INCIDENT] = TEXT("incident"),
                                                   [MARK_DONE] = TEXT("step or target done"),
                                                   [MARK_MISTAKE] = TEXT("where a mistake cost most")};

static EventMark mark_of(const ExerciseEvent *event)
{
    bool done = event->kind == EVENT_STEP || event->kind == EVENT_TARGET;
    return event->kind < INCIDENT_COUNT ? MARK_INCIDENT
           : done                       ? MARK_DONE
           : event->number.points < 0.0 ? MARK_LOST
                                        : MARK_NONE;
}

/// Draws a shape of 7 points around (x, y).
static void draw_mark(cairo_t *cairo, EventMark mark, double x, double y, const char *number)
{
    static const int colours[MARK_KINDS] = {[MARK_LOST] = REPORT_ORANGE,
                                            [MARK_INCIDENT] = REPORT_RED,
                                            [MARK_DONE] = REPORT_GREEN,
                                            [MARK_MISTAKE] = REPORT_INK};
    cairo_new_path(cairo);
    if (mark == MARK_LOST) {
        cairo_move_to(cairo, x, y + 3.5);
        cairo_line_to(cairo, x - 3.5, y - 3.5);
        cairo_line_to(cairo, x + 3.5, y - 3.5);
    } else if (mark == MARK_INCIDENT) {
        cairo_rectangle(cairo, x - 3.2, y - 3.2, 6.4, 6.4);
    } else if (mark == MARK_DONE) {
        cairo_move_to(cairo, x, y - 4.0);
        cairo_line_to(cairo, x + 3.5, y);
        cairo_line_to(cairo, x, y + 4.0);
        cairo_line_to(cairo, x - 3.5, y);
    } else {
        cairo_arc(cairo, x, y, 5.0, 0.0, 2.0 * M_PI);
    }
    cairo_close_path(cairo);
    report_colour(cairo, colours[mark], 1.0);
    cairo_fill(cairo);
    if (number != NULL) {
        cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
        report_text(cairo, x - 0.5 * text_width(cairo, LABEL_SIZE, number), y + 3.0, LABEL_SIZE, number);
    }
}

/// A row of marks for what happened, one above it with the numbers of the costliest mistakes, and a line through all
/// lanes for the end.
static void draw_event_marks(cairo_t *cairo, const ReportData *data, const Axes *axes)
{
    for (int k = 0; k < data->run.event_count; k++) {
        const ExerciseEvent *event = &data->run.events[k];
        double x = axes_x(axes, report_time(&data->run, event->tick));
        EventMark mark = mark_of(event);
        if (mark != MARK_NONE) {
            draw_mark(cairo, mark, x, axes->top - 6.0, NULL);
        }
        if (event->kind == EVENT_FINISHED) {
            report_colour(cairo, REPORT_INK, 1.0);
            cairo_set_line_width(cairo, 1.0);
            cairo_move_to(cairo, x, axes->top);
            cairo_line_to(cairo, x, axes->top + axes->height);
            cairo_stroke(cairo);
        }
    }
    for (int k = data->summary.mistake_count - 1; k >= 0; k--) {
        const ReportMistake *mistake = &data->summary.mistakes[k];
        for (int n = 0; n < mistake->moment_count; n++) {
            char number[2] = {(char)('1' + k), '\0'};
            draw_mark(cairo, MARK_MISTAKE, axes_x(axes, report_time(&data->run, mistake->moments[n])), axes->top - 18.0,
                      number);
        }
    }
}

/// Draws the key of the shapes along the lower edge.
static void draw_mark_key(cairo_t *cairo, const Axes *axes)
{
    double x = axes->left, y = axes->top + axes->height + 21.0;
    for (int mark = MARK_LOST; mark < MARK_KINDS; mark++) {
        draw_mark(cairo, (EventMark)mark, x + 4.0, y, mark == MARK_MISTAKE ? "1" : NULL);
        report_colour(cairo, REPORT_INK, 1.0);
        const char *name = language_text(mark_names[mark]);
        report_text(cairo, x + 12.0, y + 3.0, LABEL_SIZE, name);
        x += 26.0 + text_width(cairo, LABEL_SIZE, name);
    }
}

static void draw_time_line(cairo_t *cairo, const ReportData *data, double width, double height)
{
    Axes axes = axes_in(width, height, 84.0);
    axes.top += MARK_ROWS;
    axes.height -= MARK_ROWS;
    axes.x_high = end_time(data);
    axes.y_high = WORK_PHASE_COUNT;
    double lane = axes.height / WORK_PHASE_COUNT;
    draw_phases(cairo, data, &axes, lane);
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        const char *name = language_text(work_phase_name((WorkPhase)k, data->machine.swing_joint >= 0));
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, axes.left - 6.0 - text_width(cairo, LABEL_SIZE, name), axes.top + lane * (k + 0.5) + 3.0,
                    LABEL_SIZE, name);
        report_colour(cairo, REPORT_GREY, 0.5);
        cairo_set_line_width(cairo, 0.5);
        cairo_move_to(cairo, axes.left, axes.top + lane * k);
        cairo_line_to(cairo, axes.left + axes.width, axes.top + lane * k);
        cairo_stroke(cairo);
    }
    draw_axes(cairo, &axes, "s", NULL);
    draw_event_marks(cairo, data, &axes);
    draw_mark_key(cairo, &axes);
}

static void draw_score_curve(cairo_t *cairo, const ReportRun *run, const Axes *axes)
{
    for (int64_t k = 0; k < run->sample_count; k += curve_step(run)) {
        double x = axes_x(axes, report_time(run, run->samples[k].tick));
        double y = axes_y(axes, (double)run->samples[k].score);
        if (k == 0) {
            cairo_move_to(cairo, x, y);
        } else {
            cairo_line_to(cairo, x, y);
        }
    }
    if (run->has_values && run->sample_count > 0) { // what was judged in the end
        cairo_line_to(cairo, axes_x(axes, report_time(run, run->last_tick)), axes_y(axes, run->values[METRIC_SCORE]));
    }
    cairo_stroke(cairo);
}

/// Line patterns, so that curves differ without colour.
static void set_dash(cairo_t *cairo, int index)
{
    static const double dashes[][2] = {{1.0, 0.0}, {6.0, 3.0}, {2.0, 2.0}, {8.0, 2.0}};
    cairo_set_dash(cairo, dashes[index % 4], index % 4 == 0 ? 0 : 2, 0.0);
}

/// A letter where a curve ends, on white, so that it is read over other curves.
static void name_curve(cairo_t *cairo, const ReportRun *run, const Axes *axes, const char *name)
{
    if (run->sample_count < 1) {
        return;
    }
    double last = run->has_values ? run->values[METRIC_SCORE] : (double)run->samples[run->sample_count - 1].score;
    double width = text_width(cairo, LABEL_SIZE, name);
    double x = fmin(axes_x(axes, report_time(run, run->last_tick)) + 2.0, axes->left + axes->width - width - 2.0);
    double y = fmax(axes_y(axes, last) - 2.0, axes->top + LABEL_SIZE);
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.8);
    cairo_rectangle(cairo, x - 1.0, y - LABEL_SIZE, width + 2.0, LABEL_SIZE + 2.0);
    cairo_fill(cairo);
    report_colour(cairo, REPORT_INK, 1.0);
    report_text(cairo, x, y, LABEL_SIZE, name);
}

static void draw_score(cairo_t *cairo, const ReportData *data, double width, double height)
{
    static const int colours[] = {REPORT_ORANGE, REPORT_GREEN, REPORT_SKY, REPORT_RED};
    Axes axes = axes_in(width, height, 40.0);
    axes.y_high = 100.0;
    axes.x_high = end_time(data);
    for (int k = 0; k < data->against_count; k++) {
        axes.x_high = fmax(axes.x_high, report_time(&data->against[k], data->against[k].last_tick));
    }
    draw_axes(cairo, &axes, "s", language_text("points"));
    cairo_set_line_width(cairo, 1.3);
    for (int k = data->against_count - 1; k >= 0; k--) {
        report_colour(cairo, colours[k % 4], 1.0);
        set_dash(cairo, k + 1);
        draw_score_curve(cairo, &data->against[k], &axes);
        name_curve(cairo, &data->against[k], &axes, (char[]){(char)('A' + k), '\0'});
    }
    set_dash(cairo, 0);
    report_colour(cairo, REPORT_BLUE, 1.0);
    cairo_set_line_width(cairo, 1.8);
    draw_score_curve(cairo, &data->run, &axes);
    report_colour(cairo, REPORT_INK, 0.6);
    set_dash(cairo, 2);
    cairo_set_line_width(cairo, 0.8);
    double mark = axes_y(&axes, data->scene.exercise.pass_mark);
    cairo_move_to(cairo, axes.left, mark);
    cairo_line_to(cairo, axes.left + axes.width, mark);
    cairo_stroke(cairo);
    set_dash(cairo, 0);
    if (data->against_count > 0) {
        name_curve(cairo, &data->run, &axes, language_text("this run"));
    }
    report_text(cairo, axes.left + 4.0, mark - 3.0, LABEL_SIZE, language_text("pass mark"));
}

/// The greatest pressure of a joint among the samples of each point of the width, as an area.
static void draw_pressure(cairo_t *cairo, const ReportRun *run, const Axes *axes, int joint)
{
    int64_t count = run->sample_count, step = count / CURVE_POINTS + 1;
    cairo_new_path(cairo);
    cairo_move_to(cairo, axes->left, axes_y(axes, 0.0));
    double x = axes->left;
    for (int64_t k = 0; k < count; k += step) {
        double most = 0.0;
        for (int64_t n = k; n < k + step && n < count; n++) {
            most = fmax(most, 1e-6 * (double)run->samples[n].pressure[joint]);
        }
        x = axes_x(axes, report_time(run, run->samples[k].tick));
        cairo_line_to(cairo, x, axes_y(axes, fmin(most, axes->y_high)));
    }
    cairo_line_to(cairo, x, axes_y(axes, 0.0));
    cairo_close_path(cairo);
    cairo_fill(cairo);
}

/// Marks along the top of a lane: the function's relief valve is open.
static void draw_relief(cairo_t *cairo, const ReportRun *run, const Axes *axes, int joint)
{
    report_colour(cairo, REPORT_INK, 1.0);
    for (int64_t k = 0; k < run->sample_count; k++) {
        if (((int)run->samples[k].relief & MACHINE_RELIEF_JOINT(joint)) != 0) {
            cairo_rectangle(cairo, axes_x(axes, report_time(run, run->samples[k].tick)), axes->top, 0.7, 4.0);
            cairo_fill(cairo);
        }
    }
}

/// Writes the joint's name as its gauge shows it.
static void name_joint(const MachineJointParams *joint, char name[REPORT_TEXT])
{
    char english[sizeof joint->name];
    snprintf(english, sizeof english, "%s", joint->name);
    english[0] = (char)toupper((unsigned char)english[0]);
    snprintf(name, REPORT_TEXT, "%s", language_text(english));
}

/// A lane for each function, 0 to 40 MPa.
static void draw_pressures(cairo_t *cairo, const ReportData *data, double width, double height)
{
    static const int colours[] = {REPORT_BLUE, REPORT_RED, REPORT_GREEN, REPORT_ORANGE, REPORT_SKY, REPORT_GREY};
    Axes whole = axes_in(width, height, 84.0);
    whole.x_high = end_time(data);
    whole.y_high = 1.0;
    int joints = data->machine.joint_count < MACHINE_MAX_JOINTS ? data->machine.joint_count : MACHINE_MAX_JOINTS;
    double lane = whole.height / (joints > 0 ? joints : 1);
    for (int joint = 0; joint < joints; joint++) {
        Axes axes = whole;
        axes.top = whole.top + lane * joint + 1.0;
        axes.height = lane - 2.0;
        axes.y_high = 40.0;
        report_colour(cairo, colours[joint % 6], 0.85);
        draw_pressure(cairo, &data->run, &axes, joint);
        draw_relief(cairo, &data->run, &axes, joint);
        char name[REPORT_TEXT];
        name_joint(&data->machine.joint[joint], name);
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, axes.left - 6.0 - text_width(cairo, LABEL_SIZE, name), axes.top + 0.5 * lane + 2.0,
                    LABEL_SIZE, name);
    }
    draw_axes(cairo, &whole, "s", NULL);
    char scale[REPORT_TEXT];
    snprintf(scale, sizeof scale, language_text("each lane: 0 to %s"),
             quantity(QUANTITY_PRESSURE, 40e6, data->units).text);
    report_text(cairo, whole.left, whole.top - 5.0, LABEL_SIZE, scale);
}

static int count_cycles(const ReportData *data)
{
    int count = 0;
    for (int k = 0; k < data->run.event_count; k++) {
        count += data->run.events[k].kind == EVENT_CYCLE;
    }
    return count;
}

static bool has_cycles(const ReportData *data)
{
    return count_cycles(data) > 0;
}

/// Load and seconds of a cycle; false of another event.
static bool read_cycle(const ExerciseEvent *event, double *load, double *time)
{
    *load = event->number.load;
    *time = event->number.duration;
    return event->kind == EVENT_CYCLE && *load >= 0.0 && *time > 0.0;
}

static void draw_bars(cairo_t *cairo, const ReportData *data, const Axes *axes, bool times, int colour)
{
    int index = 0;
    for (int k = 0; k < data->run.event_count; k++) {
        double load, time;
        if (!read_cycle(&data->run.events[k], &load, &time)) {
            continue;
        }
        double from = axes_x(axes, index + 0.6), to = axes_x(axes, index + 1.4);
        double top = axes_y(axes, times ? fmin(time, axes->y_high) : fmin(load, axes->y_high));
        report_colour(cairo, colour, 1.0);
        cairo_rectangle(cairo, from, top, to - from, axes->top + axes->height - top);
        cairo_fill(cairo);
        index++;
    }
}

static void draw_cycles(cairo_t *cairo, const ReportData *data, double width, double height)
{
    double most_load = 100.0, most_time = 10.0;
    for (int k = 0; k < data->run.event_count; k++) {
        double load, time;
        if (read_cycle(&data->run.events[k], &load, &time)) {
            most_load = fmax(most_load, load);
            most_time = fmax(most_time, time);
        }
    }
    int count = count_cycles(data);
    double half = 0.5 * (width - 20.0);
    Axes loads = axes_in(half, height, 44.0), times = loads;
    loads.x_low = times.x_low = 0.4;
    loads.x_high = times.x_high = count + 0.6;
    loads.y_high = 1.05 * most_load;
    times.y_high = 1.05 * most_time;
    times.left += half + 20.0;
    const char *unit;
    loads.y_scale = quantity_scale(QUANTITY_MASS, data->units, &unit);
    draw_axes(cairo, &loads, language_text("cycle"), unit);
    draw_bars(cairo, data, &loads, false, REPORT_ORANGE);
    draw_axes(cairo, &times, language_text("cycle"), "s");
    draw_bars(cairo, data, &times, true, REPORT_BLUE);
}

static void draw_together(cairo_t *cairo, const ReportData *data, double width, double height)
{
    enum { MOST = 5 };
    double counts[MOST] = {0.0}, all = 0.0;
    for (int64_t k = 0; k < data->run.sample_count; k++) {
        int used = (int)data->run.samples[k].together;
        used = used < 0 ? 0 : used >= MOST ? MOST - 1 : used;
        counts[used] += 1.0;
        all += 1.0;
    }
    Axes axes = axes_in(width, height, 40.0);
    axes.x_low = -0.6;
    axes.x_high = MOST - 0.4;
    axes.y_high = 100.0;
    draw_axes(cairo, &axes, language_text("functions used at once"), language_text("% of the time"));
    for (int k = 0; k < MOST; k++) {
        double top = axes_y(&axes, all > 0.0 ? 100.0 * counts[k] / all : 0.0);
        report_colour(cairo, k < 2 ? REPORT_SKY : REPORT_BLUE, 1.0);
        cairo_rectangle(cairo, axes_x(&axes, k - 0.35), top, axes_x(&axes, 0.7) - axes_x(&axes, 0.0),
                        axes.top + axes.height - top);
        cairo_fill(cairo);
    }
}

/// ---- all figures ---------------------------------------------------------------------------------------------------

const ReportFigure report_figures[] = {
    {"time-line", TEXT("Phases of work and what happened"),
     TEXT("Time line: a lane for each phase of work; above them triangles for lost points, squares for incidents, "
          "diamonds "
          "for what was done, and the numbers of the costliest mistakes."),
     680, 190, has_samples, draw_time_line},
    {"score", TEXT("Score"),
     TEXT("Score against time, solid; other runs dashed, with their letters; the pass mark dotted."), 680, 190,
     has_samples, draw_score},
    {"plan", TEXT("Way of the edge, from above"),
     TEXT("Plan of the site with the way of the tool's edge, the work, the dump and the machine."), 335, 300,
     has_samples, draw_plan},
    {"side", TEXT("Way of the edge, from the side"),
     TEXT("Height of the tool's edge over its distance from the machine, with the ground and the depth asked for."),
     335, 300, has_samples, draw_side},
    {"ground", TEXT("Cut and fill"),
     TEXT("Map of the change of the ground since the start: hatched and orange where it was cut, blue where it was "
          "filled."),
     335, 300, NULL, draw_change},
    {"error", TEXT("Error against the design"),
     TEXT("Map of the ground against the design: hatched and orange where it is too high, blue where it is too deep, "
          "white "
          "where it is within the tolerance."),
     335, 300, has_design, draw_error},
    {"cycles", TEXT("Loads and times of cycles"), TEXT("Bars: the load and the duration of each cycle."), 680, 170,
     has_cycles, draw_cycles},
    {"together", TEXT("Functions used together"),
     TEXT("Bars: share of the time with so many functions in use at once."), 335, 200, has_samples, draw_together},
    {"pressures", TEXT("Pressures"),
     TEXT("Pressure of each function against time; marks at the top: relief valves open."), 680, 200, has_samples,
     draw_pressures},
};
const int report_figure_count = sizeof report_figures / sizeof report_figures[0];
