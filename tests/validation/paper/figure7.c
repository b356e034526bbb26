/// Parallel Particles, figure 7: a kinematic blade pushes soil over a long way and leaves ridges on both sides.
///
/// The blade is upright from `depth` below the surface to a metre above it, square to its way. Behind it remains a flat
/// cut; what flowed around its ends lies in two ridges, and the rest in a heap in front.
/// - Both ridges are alike, as the blade is: their cross-sections differ by less than a fifth of their mean.
/// - The cut is as deep as the blade in its middle, within a grain's radius. Some loose soil stays on it: with L its
/// volume, R what lies above the
///   old surface and F what is missing below it, the mass gives R + L = (1 + swell) (F + L), so L = (R - (1 + swell) F)
///   / swell.
/// - A blade that leans back is drawn into the ground: what slides up its face presses it down, V > 0 in the
/// earthmoving equation
///   up to 60 degrees. It is pushed again with its face `rake_deg` over the horizontal; the vertical force on it, from
///   contacts alone, must point down. On the upright one soil slides up and lifts it, by tan(delta) of its draft at
///   most.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/site.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "which soil is pushed", "loam|sand|gravel|topsoil|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"length", 8.0, 2.0, 20.0, "m", "of the way", NULL},
    {"width", 1.6, 0.5, 3.3, "m", "of the blade", NULL},
    {"depth", 0.2, 0.1, 0.4, "m", "of the cut", NULL},
    {"speed", 0.8, 0.1, 2.0, "m/s", "of the blade", NULL},
    {"rake_deg", 45, 20, 60, "degrees", "of the blade that is drawn down", NULL},
    {"radius", 0.05, 0.03, 0.1, "m", "radius of the particles", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

#define HEIGHT 1.0 ///< m of the blade over its edge
#define THICK  0.1 ///< m at its upper end

typedef struct Push {
    double length, width, depth, speed, radius; ///< m, m/s
    ToolShape shape;
    SoilTool blade;
    SiteWay way;
    SceneParams scene;
    Soil *soil;
    SiteSurvey before;
    int64_t total, most_wrong; ///< quanta
    Statistics draft, down; ///< N, over the second half of the way
} Push;

/// A plate, sharp at its edge, whose face leans back by `rake` over the horizontal (pi/2: upright); it is pushed along
/// +x.
static ToolShape blade_shape(double width, double rake)
{
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    double back = HEIGHT / tan(rake);
    shape.piece_count = 1;
    shape.pieces[0] = (ToolPiece){.corner_count = 3,
                                  .corners = {{0, 0}, {-back, HEIGHT}, {-back - THICK, HEIGHT}},
                                  .y_min = -0.5 * width,
                                  .y_max = 0.5 * width};
    shape.edge_width = width;
    return shape;
}

/// Pushes, lifts the blade straight up and waits until all is ground again.
static void push(Run *run, Push *push, double before, double share)
{
    double end = site_way_end(&push->way), middle = 0.5 * push->length / push->speed;
    double pushed = push->length / push->speed;
    for (int tick = 0; tick < (int)(60.0 * (end + 20.0)); tick++) {
        Wrench mean;
        double time = tick / 60.0;
        site_tick(push->soil, &push->scene, &push->blade, &push->way, 1, time, &mean);
        int64_t wrong = soil_get_ledger(push->soil).total - push->total;
        push->most_wrong = wrong != 0 ? wrong : push->most_wrong;
        if (time > middle && time < pushed) {
            statistics_add(&push->draft, -mean.force.x);
            statistics_add(&push->down, -mean.force.z);
        }
        bool still = soil_get_counters(push->soil).particles == 0 && soil_get_counters(push->soil).active_columns == 0;
        if (time > end && still) {
            break;
        }
        run_progress(run, before + share * fmin(1.0, time / end));
    }
}

static bool create(Run *run, Push *push, const SoilParams *soil, double rake)
{
    *push = (Push){.length = option_number(run, "length"),
                   .width = option_number(run, "width"),
                   .depth = option_number(run, "depth"),
                   .speed = option_number(run, "speed"),
                   .radius = option_number(run, "radius")};
    SiteForm form = {.size_x = push->length + 8.0,
                     .size_y = push->width + 6.0,
                     .depth = 2.0,
                     .radius = push->radius,
                     .budget = 60000};
    push->scene = site_scene(run, soil, &form);
    push->soil = run_create_soil(run, &push->scene);
    if (push->soil == NULL) {
        return false;
    }
    push->shape = blade_shape(push->width, rake);
    push->blade = still_tool(&push->shape, vec3(0, 0, 0));
    push->blade.cuts = true;
    push->before = site_survey(push->soil);
    push->total = soil_get_ledger(push->soil).total;
    push->way.even = true;
    Vec3 from = vec3(-0.5 * push->length, 0, -push->depth), to = vec3(0.5 * push->length, 0, -push->depth);
    site_go(&push->way, 0.0, from, 0.0, 0.0);
    site_go(&push->way, push->length / push->speed, to, 0.0, 0.0);
    site_go(&push->way, 1.0, to, 0.0, 0.0);
    to.z = 2.5;
    site_go(&push->way, 3.0, to, 0.0, 0.0);
    return true;
}

static void destroy(Push *push)
{
    soil_destroy(push->soil);
    site_survey_free(&push->before);
}

/// Mean over the middle half of the way of the cross-section above the old surface on one side (m2), and its mean
/// height (m).
static void measure_ridge(const Push *push, double side, double *section, double *height)
{
    SoilGridView grid = soil_get_grid(push->soil);
    int columns = 0;
    *section = *height = 0.0;
    for (int column = 0; column < grid.columns; column++) {
        double x = grid.origin_x + column * grid.spacing, top = 0.0;
        if (fabs(x) > 0.25 * push->length) {
            continue;
        }
        columns++;
        for (int row = 0; row < grid.rows; row++) {
            double y = grid.origin_y + row * grid.spacing;
            double rise = (double)grid.height[row * grid.columns + column];
            if (side * y > 0.0 && rise > 0.0) {
                *section += rise * grid.spacing;
                top = fmax(top, rise);
            }
        }
        *height += top;
    }
    *section /= columns;
    *height /= columns;
}

/// Draws the cross-section of the ground, mean of the middle half of the way; returns the depth in the middle third of
/// the cut, m.
static double draw_section(Run *run, const Push *push)
{
    int plot = run_plot(run, "The ground across the blade's way", "across, m", "height, m");
    SoilGridView grid = soil_get_grid(push->soil);
    double cut = 0.0;
    int rows_in_cut = 0;
    for (int row = 0; row < grid.rows; row++) {
        double y = grid.origin_y + row * grid.spacing, sum = 0.0;
        int columns = 0;
        for (int column = 0; column < grid.columns; column++) {
            double x = grid.origin_x + column * grid.spacing;
            if (fabs(x) <= 0.25 * push->length) {
                sum += (double)grid.height[row * grid.columns + column];
                columns++;
            }
        }
        run_point(run, plot, "ground", y, sum / columns);
        run_point(run, plot, "law: depth of the blade", y, fabs(y) <= 0.5 * push->width ? -push->depth : 0.0);
        if (fabs(y) < push->width / 6.0) { // beside that the ridges slope into it
            cut += sum / columns;
            rows_in_cut++;
        }
    }
    return rows_in_cut > 0 ? -cut / rows_in_cut : (double)NAN;
}

static void report_ridges(Run *run, Push *push, const SoilParams *soil)
{
    double section[2], height[2];
    measure_ridge(push, 1.0, &section[0], &height[0]);
    measure_ridge(push, -1.0, &section[1], &height[1]);
    double mean = 0.5 * (section[0] + section[1]);
    double cut = draw_section(run, push), swept = push->depth * push->width * push->length;
    SiteArea all = {-1e3, -1e3, 1e3, 1e3};
    SiteChange change = site_change(push->soil, &push->before, &all);
    run_result(run, "mass lost or made on any tick", "quanta", (double)push->most_wrong, 0.0, 0.0);
    run_result_least(run, "cross-section of a ridge / (depth x width)", "", mean / (push->depth * push->width), 0.02);
    run_result(run, "left ridge / right ridge, cross-sections", "", section[0] / section[1], 1.0, 0.2);
    run_result(run, "depth of the cut behind the blade", "m", cut, push->depth, push->radius);
    run_note(run, "height of the left ridge", "m", height[0]);
    run_note(run, "height of the right ridge", "m", height[1]);
    run_note(run, "cross-section of the left ridge", "m2", section[0]);
    run_note(run, "cross-section of the right ridge", "m2", section[1]);
    run_note(run, "height of the heap in front", "m", change.highest);
    run_note(run, "loose soil left on the cut, from the volumes", "m",
             (change.risen - (1.0 + soil->swell) * change.fallen) / soil->swell / (push->width * push->length));
    run_note(run, "hole / (depth x width x length)", "", change.fallen / swept);
    run_note(run, "draft of the upright blade", "kN", 1e-3 * statistics_mean(&push->draft));
    run_note(run, "force up / draft of the upright blade (full friction: tan delta)", "",
             -statistics_mean(&push->down) / statistics_mean(&push->draft));
    run_note(run, "tan delta of the soil on steel", "", tan(soil->steel_friction_angle));
}

static bool run_figure7(Run *run)
{
    SoilParams soil;
    Push upright, raked;
    option_quick(run, "length", 4.0);
    if (!run_load_soil(run, option_word(run, "soil"), &soil) || !create(run, &upright, &soil, 0.5 * M_PI)) {
        return false;
    }
    push(run, &upright, 0.0, 0.5);
    report_ridges(run, &upright, &soil);
    destroy(&upright);
    if (!create(run, &raked, &soil, option_number(run, "rake_deg") * M_PI / 180.0)) {
        return false;
    }
    push(run, &raked, 0.5, 0.5);
    run_note(run, "draft of the raked blade", "kN", 1e-3 * statistics_mean(&raked.draft));
    run_result_least(run, "force down on the raked blade", "kN", 1e-3 * statistics_mean(&raked.down), 0.0);
    destroy(&raked);
    return true;
}

const Experiment experiment_figure7 = {
    .name = "figure7",
    .title = "a blade pushes soil over a long way: ridges on both sides, the pull downwards",
    .law = "Parallel Particles, fig. 7: ridges on both sides; symmetry; volume; earthmoving equation: V > 0 up to 60 "
           "degrees",
    .options = options,
    .run = run_figure7,
};
