/// The way of the tool's edge from above and from the side, and maps of what became of the ground.
#include "trainer/report/report_plans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

#define MARGIN       2.0 ///< m around what is drawn of the site
#define MOST_CHANGE  1.0 ///< m of cut or fill with the strongest colour
#define LEAST_CHANGE 0.03 ///< m: less is roughness
#define NAME_SIZE    8.0 ///< points
enum { PATH_POINTS = 4000 };

typedef struct Extent {
    double x_low, x_high, y_low, y_high; ///< m
} Extent;

static void include(Extent *extent, double x, double y, double around)
{
    extent->x_low = fmin(extent->x_low, x - around);
    extent->x_high = fmax(extent->x_high, x + around);
    extent->y_low = fmin(extent->y_low, y - around);
    extent->y_high = fmax(extent->y_high, y + around);
}

/// What of the site was worked on: the edge's way, the work, the dump.
static Extent work_extent(const ReportData *data)
{
    Extent extent = {1e9, -1e9, 1e9, -1e9};
    const ReportRun *run = &data->run;
    for (int64_t k = 0; k < run->sample_count; k++) {
        include(&extent, (double)run->samples[k].tip_x, (double)run->samples[k].tip_y, 0.0);
    }
    include(&extent, data->scene.machine.x, data->scene.machine.y, 2.0);
    const SceneExercise *exercise = &data->scene.exercise;
    if (exercise->kind == EXERCISE_TRENCH) {
        include(&extent, exercise->trench.dump_x, exercise->trench.dump_y, exercise->trench.dump_radius);
    }
    DesignBox box;
    if (design_box(data->design, &box)) {
        include(&extent, box.low.x, box.low.y, 0.0);
        include(&extent, box.high.x, box.high.y, 0.0);
    }
    include(&extent, extent.x_low, extent.y_low, MARGIN);
    include(&extent, extent.x_high, extent.y_high, MARGIN);
    return extent;
}

static ReportAxes plan_axes(const ReportData *data, double width, double height)
{
    Extent extent = work_extent(data);
    ReportAxes axes = {.left = 36.0,
                       .top = 18.0,
                       .width = width - 48.0,
                       .height = height - 46.0,
                       .x_low = extent.x_low,
                       .x_high = extent.x_high,
                       .y_low = extent.y_low,
                       .y_high = extent.y_high};
    report_axes_even(&axes);
    axes.x_scale = axes.y_scale = report_length_scale(data);
    return axes;
}

/// A rectangle from a middle line's ends: along[0] to along[1] m beyond (x, y) towards the heading.
static void outline(cairo_t *cairo, const ReportAxes *axes, double x, double y, double heading, const double along[2],
                    double half)
{
    double c = cos(heading), s = sin(heading);
    for (int k = 0; k < 4; k++) {
        double u = along[k == 1 || k == 2], v = k < 2 ? -half : half;
        cairo_line_to(cairo, report_x(axes, x + c * u - s * v), report_y(axes, y + s * u + c * v));
    }
    cairo_close_path(cairo);
    cairo_stroke(cairo);
}

static void circle(cairo_t *cairo, const ReportAxes *axes, double x, double y, double radius)
{
    cairo_new_sub_path(cairo);
    double points = report_x(axes, radius) - report_x(axes, 0.0);
    cairo_arc(cairo, report_x(axes, x), report_y(axes, y), points, 0.0, 2.0 * M_PI);
    cairo_stroke(cairo);
}

/// The sides of what is to be cut to.
static void draw_design(cairo_t *cairo, const DesignSurface *design, const ReportAxes *axes)
{
    DesignLine lines[DESIGN_LINES];
    int count = design_lines(design, lines, DESIGN_LINES);
    for (int k = 0; k < count; k++) {
        if (lines[k].starts) {
            cairo_move_to(cairo, report_x(axes, lines[k].a.x), report_y(axes, lines[k].a.y));
        }
        cairo_line_to(cairo, report_x(axes, lines[k].b.x), report_y(axes, lines[k].b.y));
    }
    cairo_stroke(cairo);
}

/// A word at a place, on white; left out where it is outside the plan.
static void name_place(cairo_t *cairo, const ReportAxes *axes, double x, double y, const char *name)
{
    double width = report_text_width(cairo, NAME_SIZE, name);
    double left = report_x(axes, x) - 0.5 * width, base = report_y(axes, y) + 0.4 * NAME_SIZE;
    if (left < axes->left || left + width > axes->left + axes->width || base - NAME_SIZE < axes->top ||
        base > axes->top + axes->height) {
        return;
    }
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.75);
    cairo_rectangle(cairo, left - 1.0, base - NAME_SIZE, width + 2.0, NAME_SIZE + 2.0);
    cairo_fill(cairo);
    report_colour(cairo, REPORT_INK, 1.0);
    report_text(cairo, left, base, NAME_SIZE, name);
}

/// Names for what draw_work draws, so that nobody guesses.
static void name_work(cairo_t *cairo, const ReportData *data, const ReportAxes *axes)
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

/// What the scene asks for, as lines.
static void draw_work(cairo_t *cairo, const ReportData *data, const ReportAxes *axes)
{
    const SceneExercise *exercise = &data->scene.exercise;
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
    for (int k = 0; k < exercise->targets_count; k++) {
        circle(cairo, axes, exercise->targets[k].x, exercise->targets[k].y, exercise->targets[k].radius);
    }
    for (int k = 0; k < data->scene.persons_count; k++) {
        circle(cairo, axes, data->scene.persons[k].x, data->scene.persons[k].y, fmax(data->scene.persons[k].zone, 0.3));
    }
    cairo_set_line_width(cairo, 0.8);
    const SceneMachine *machine = &data->scene.machine;
    outline(cairo, axes, machine->x, machine->y, machine->heading, (double[]){-2.2, 2.2}, 1.5);
}

static void draw_path(cairo_t *cairo, const ReportData *data, const ReportAxes *axes)
{
    const ReportRun *run = &data->run;
    int64_t step = run->sample_count / PATH_POINTS + 1;
    cairo_save(cairo);
    cairo_rectangle(cairo, axes->left, axes->top, axes->width, axes->height);
    cairo_clip(cairo);
    report_colour(cairo, REPORT_BLUE, 0.55);
    cairo_set_line_width(cairo, 0.7);
    for (int64_t k = 0; k < run->sample_count; k += step) {
        cairo_line_to(cairo, report_x(axes, (double)run->samples[k].tip_x),
                      report_y(axes, (double)run->samples[k].tip_y));
    }
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

/// Frame, grid and directions of what is seen from above; a map's key takes the place of the level axis's words.
static void draw_plan_axes(cairo_t *cairo, const ReportData *data, const ReportAxes *axes, bool names_east)
{
    char east[REPORT_TEXT] = "", north[REPORT_TEXT];
    snprintf(north, sizeof north, language_text("%s north"), report_length_unit(data));
    if (names_east) {
        snprintf(east, sizeof east, language_text("%s east"), report_length_unit(data));
    }
    report_axes_draw(cairo, axes, east, north);
}

void report_draw_plan(cairo_t *cairo, const ReportData *data, double width, double height)
{
    ReportAxes axes = plan_axes(data, width, height);
    draw_plan_axes(cairo, data, &axes, true);
    draw_path(cairo, data, &axes);
    draw_work(cairo, data, &axes);
    name_work(cairo, data, &axes);
}

void report_draw_side(cairo_t *cairo, const ReportData *data, double width, double height)
{
    const ReportRun *run = &data->run;
    ReportAxes axes = {.left = 36.0, .top = 18.0, .width = width - 48.0, .height = height - 46.0, .x_high = 1.0};
    axes.y_low = -0.5;
    axes.y_high = 1.0;
    for (int64_t k = 0; k < run->sample_count; k++) {
        const TraceSample *sample = &run->samples[k];
        axes.x_high = fmax(axes.x_high,
                           hypot((double)(sample->tip_x - sample->base_x), (double)(sample->tip_y - sample->base_y)));
        axes.y_low = fmin(axes.y_low, (double)sample->tip_z - 0.5);
        axes.y_high = fmax(axes.y_high, (double)sample->tip_z + 0.5);
    }
    report_axes_even(&axes);
    axes.x_scale = axes.y_scale = report_length_scale(data);
    char ahead[REPORT_TEXT], over[REPORT_TEXT];
    snprintf(ahead, sizeof ahead, language_text("%s from the machine's middle"), report_length_unit(data));
    snprintf(over, sizeof over, language_text("%s over the ground"), report_length_unit(data));
    report_axes_draw(cairo, &axes, ahead, over);
    report_colour(cairo, REPORT_INK, 1.0);
    cairo_set_line_width(cairo, 1.2);
    cairo_move_to(cairo, axes.left, report_y(&axes, 0.0));
    cairo_line_to(cairo, axes.left + axes.width, report_y(&axes, 0.0));
    cairo_stroke(cairo);
    if (data->scene.exercise.kind == EXERCISE_TRENCH) {
        double floor = report_y(&axes, -data->scene.exercise.trench.depth);
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
        cairo_line_to(cairo, report_x(&axes, reach), report_y(&axes, (double)sample->tip_z));
    }
    cairo_stroke(cairo);
}

/// ---- maps ----------------------------------------------------------------------------------------------------------

/// m by which a column is other than asked or before; NaN: not to be drawn.
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

/// What a map shows, and in which colours.
typedef struct MapScale {
    double tolerance; ///< m: so much off is white; 0: every value has a colour
    double most; ///< m with the strongest colour
} MapScale;

/// Orange above 0, blue below; stronger where it is more; white within the tolerance. Orange is hatched, so that a grey
/// print tells them apart.
static void set_map_pixel(unsigned char *pixel, double value, const MapScale *scale, bool hatched)
{
    if (fabs(value) <= scale->tolerance) {
        pixel[0] = pixel[1] = pixel[2] = pixel[3] = 255;
        return;
    }
    double beyond = (fabs(value) - scale->tolerance) / (scale->most - scale->tolerance);
    double strength = 0.25 + 0.75 * fmin(beyond, 1.0);
    static const double orange[3] = {0.90, 0.50, 0.00}, blue[3] = {0.00, 0.40, 0.75};
    const double *colour = value > 0.0 ? orange : blue;
    double shade = value > 0.0 && hatched ? 0.75 : 1.0;
    for (int k = 0; k < 3; k++) {
        double mixed = shade * (1.0 - strength + strength * colour[k]);
        pixel[2 - k] = (unsigned char)(255.0 * mixed + 0.5); // blue first
    }
    pixel[3] = 255;
}

static void draw_map(cairo_t *cairo, const ReportData *data, const ReportAxes *axes, MapValue *value,
                     const MapScale *scale)
{
    const TraceGround *ground = &data->after;
    if (ground->rows != data->before.rows || ground->columns != data->before.columns) {
        return;
    }
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, ground->columns, ground->rows);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int line = cairo_image_surface_get_stride(image);
    for (int row = 0; row < ground->rows && pixels != NULL; row++) {
        for (int column = 0; column < ground->columns; column++) {
            double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
            double at = value(data, row, column, x, y);
            if (!isnan(at)) {
                unsigned char *pixel = pixels + (size_t)(ground->rows - 1 - row) * (size_t)line + (size_t)column * 4;
                set_map_pixel(pixel, at, scale, (row + column) % 4 == 0);
            }
        }
    }
    cairo_surface_mark_dirty(image);
    double left = report_x(axes, ground->origin_x - 0.5 * ground->spacing);
    double top = report_y(axes, ground->origin_y + (ground->rows - 0.5) * ground->spacing);
    double cell = report_x(axes, ground->spacing) - report_x(axes, 0.0);
    cairo_save(cairo);
    cairo_rectangle(cairo, axes->left, axes->top, axes->width, axes->height);
    cairo_clip(cairo);
    cairo_translate(cairo, left, top);
    cairo_scale(cairo, cell, cell);
    cairo_set_source_surface(cairo, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(image);
}

/// Strokes as those of the map over a field of its key.
static void hatch(cairo_t *cairo, bool wanted, double x, double y)
{
    cairo_set_line_width(cairo, 0.8);
    cairo_set_source_rgba(cairo, 0.0, 0.0, 0.0, 0.35);
    for (int k = 0; wanted && k < 3; k++) {
        cairo_move_to(cairo, x + 4.0 * k, y + 8.0);
        cairo_line_to(cairo, x + 4.0 * k + 5.0, y);
        cairo_stroke(cairo);
    }
}

/// The colours and what they mean, along the lower edge.
static void draw_key(cairo_t *cairo, const ReportData *data, const ReportAxes *axes, const MapScale *scale,
                     const char *above, const char *below)
{
    double y = axes->top + axes->height + 16.0, x = axes->left;
    for (int k = -3; k <= 3; k++) {
        unsigned char pixel[4];
        if (k == 0 && !(scale->tolerance > 0.0)) {
            continue;
        }
        set_map_pixel(pixel, scale->most * k / 3.0, scale, false);
        cairo_rectangle(cairo, x, y, 14.0, 8.0);
        cairo_set_source_rgb(cairo, pixel[2] / 255.0, pixel[1] / 255.0, pixel[0] / 255.0);
        cairo_fill_preserve(cairo);
        report_colour(cairo, REPORT_GREY, 0.6);
        cairo_set_line_width(cairo, 0.4);
        cairo_stroke(cairo);
        hatch(cairo, k > 0, x, y);
        x += 14.0;
    }
    char text[128];
    const Quantity most = quantity(QUANTITY_LENGTH, scale->most, data->units);
    int length = snprintf(text, sizeof text, "%s %s ... %s %s", below, most.text, above, most.text);
    if (scale->tolerance > 0.0 && length > 0 && length < (int)sizeof text) {
        snprintf(text + length, sizeof text - (size_t)length, language_text("; white: %s"),
                 quantity(QUANTITY_FINE, scale->tolerance, data->units).text);
    }
    double room = axes->left + axes->width + 8.0 - (x + 5.0), wide = report_text_width(cairo, NAME_SIZE, text);
    report_colour(cairo, REPORT_INK, 1.0);
    report_text(cairo, x + 5.0, y + 7.5, NAME_SIZE * fmin(1.0, room / wide), text);
}

void report_draw_change(cairo_t *cairo, const ReportData *data, double width, double height)
{
    ReportAxes axes = plan_axes(data, width, height);
    draw_plan_axes(cairo, data, &axes, false);
    const MapScale scale = {.most = MOST_CHANGE};
    draw_map(cairo, data, &axes, change_at, &scale);
    draw_work(cairo, data, &axes);
    name_work(cairo, data, &axes);
    draw_key(cairo, data, &axes, &scale, language_text("cut away"), language_text("filled"));
}

bool report_has_design(const ReportData *data)
{
    return !design_is_empty(data->design);
}

void report_draw_error(cairo_t *cairo, const ReportData *data, double width, double height)
{
    const double around = 0.5; // m
    DesignBox box = {0};
    design_box(data->design, &box);
    const double tolerance = design_tolerance(data->design);
    const MapScale scale = {.tolerance = tolerance, .most = fmax(3.0 * tolerance, 0.1)};
    ReportAxes axes = {.left = 36.0,
                       .top = 18.0,
                       .width = width - 48.0,
                       .height = height - 46.0,
                       .x_low = box.low.x - around,
                       .x_high = box.high.x + around,
                       .y_low = box.low.y - around,
                       .y_high = box.high.y + around};
    report_axes_even(&axes);
    axes.x_scale = axes.y_scale = report_length_scale(data);
    draw_plan_axes(cairo, data, &axes, false);
    draw_map(cairo, data, &axes, error_at, &scale);
    draw_work(cairo, data, &axes);
    draw_key(cairo, data, &axes, &scale, language_text("too high"), language_text("too deep"));
}
