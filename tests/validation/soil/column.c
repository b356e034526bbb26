/// Experiment 1, `column`: what stands on a plate weighs what it weighs, and is as compressed as its springs say.
///
/// A stack of N spheres exactly above one another is a chain of springs. Contact j above the plate carries (N - j) m g
/// with the stiffness k of a pair, the lowest one N m g with that of a plate, 2 k; so the top sinks by
///   s = N m g / (2 k) + sum_{j=1}^{N-1} (N - j) m g / k = m g N^2 / (2 k),   k = stiffness r / 0.05 m.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"

static const ExperimentOption options[] = {
    {"count", 20, 2, 200, "", "spheres of a stack; when given, the only stack (otherwise 10, 20 and 40)", NULL},
    {"radius", 0.05, 0.005, 0.2, "m", "of the spheres; when given, the only size (otherwise 0.05 and 0.03)", NULL},
    {"stiffness", 2.5e5, 1e4, 1e8, "N/m", "of a contact of two spheres of radius 0.05 m", NULL},
    {"damping", 0.5, 0, 2, "", "damping ratio of a contact", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { LONGEST = 200, MEASURED_TICKS = 120 };

/// One stack or box during its run.
typedef struct Scale {
    SceneParams scene;
    Soil *soil;
    ToolShape shape;
    SoilTool tool;
    double weight; ///< N
    char label[40];
    int plot; ///< of the scale's reading
    int ticks; ///< all of them; the last MEASURED_TICKS count
    double share_before, share; ///< of the whole experiment, for the progress
} Scale;

/// Runs to the end; plots and judges the reading.
static void read_scale(Run *run, Scale *scale)
{
    Statistics reading = {0};
    for (int tick = 0; tick < scale->ticks; tick++) {
        Wrench wrench;
        run_tick(scale->soil, &scale->scene, &scale->tool, 1, &wrench);
        double ratio = -wrench.force.z / scale->weight;
        if (tick >= scale->ticks - MEASURED_TICKS) {
            statistics_add(&reading, ratio);
        }
        if (tick % 3 == 0) {
            run_point(run, scale->plot, scale->label, (tick + 1) / 60.0, ratio);
        }
        run_progress(run, scale->share_before + scale->share * tick / scale->ticks);
    }
    char quantity[96];
    snprintf(quantity, sizeof quantity, "%s: plate/weight", scale->label);
    run_result(run, quantity, "", statistics_mean(&reading), 1.0, 0.005);
    snprintf(quantity, sizeof quantity, "%s: its standard deviation", scale->label);
    run_result_between(run, quantity, "", statistics_deviation(&reading), 0.0, 0.01);
}

/// Heights of the particles, lowest first (insertion sort: a stack is short).
static int sorted_heights(const Soil *soil, double heights[LONGEST])
{
    SoilParticleView p = soil_get_particles(soil);
    for (int k = 0; k < p.count; k++) {
        int place = k;
        while (place > 0 && heights[place - 1] > p.z[k]) {
            heights[place] = heights[place - 1];
            place--;
        }
        heights[place] = p.z[k];
    }
    return p.count;
}

/// Sinking of every sphere against the chain of springs; judges that of the top.
static void judge_compression(Run *run, const Scale *scale, int plot, double radius, double stiffness)
{
    double heights[LONGEST] = {0}, force = scale->weight, exact = 0.0;
    int count = sorted_heights(scale->soil, heights);
    double grain = scale->weight / count;
    char law[64], quantity[96];
    snprintf(law, sizeof law, "law: springs, %s", scale->label);
    for (int k = 0; k < count; k++) {
        exact += k == 0 ? 0.5 * force / stiffness : force / stiffness;
        force -= grain;
        double height = (2.0 * k + 1.0) * radius;
        run_point(run, plot, law, height, 1000.0 * exact);
        run_point(run, plot, scale->label, height, 1000.0 * (height - heights[k]));
    }
    double measured = (2.0 * count - 1.0) * radius - heights[count - 1];
    snprintf(quantity, sizeof quantity, "%s: compression/exact", scale->label);
    run_result(run, quantity, "", measured / exact, 1.0, count < 40 ? 0.1 : 0.2);
}

static bool create_scale(Run *run, Scale *scale, double radius, int budget)
{
    SoilParams grains = grain_soil(option_number(run, "stiffness"), option_number(run, "damping"), 0.3);
    scale->scene = run_scene(run, &grains, budget, 2.0);
    scale->scene.ground.column_spacing = 2.0 * radius;
    scale->soil = run_create_soil(run, &scale->scene);
    scale->tool = still_tool(&scale->shape, vec3(0, 0, 0));
    return scale->soil != NULL;
}

/// Time for the slowest oscillation of a stack to die out: its frequency falls with 1/N, its damping with 1/N^2.
static int settling_ticks(const Run *run, double radius, int count)
{
    double mass = grain_mass(radius), k = option_number(run, "stiffness") * radius / 0.05;
    double ratio = fmax(option_number(run, "damping"), 0.05), omega = 0.5 * M_PI / count * sqrt(k / mass);
    double decay = omega * omega * ratio * sqrt(0.5 * mass / k); // 1/s: c omega^2 / (2 k)
    return (int)(60.0 * fmin(fmax(3.0, 8.0 / decay), 60.0));
}

static bool weigh_stack(Run *run, Scale *scale, int profile, double radius, int count)
{
    double mass = grain_mass(radius);
    scale->shape = plate_shape(1.0, 1.0);
    if (!create_scale(run, scale, radius, count + 1)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        soil_add_particle(scale->soil, vec3(0, 0, (2.0 * k + 1.0) * radius), vec3(0, 0, 0), radius, 0, mass);
    }
    scale->weight = count * mass * STANDARD_GRAVITY;
    scale->ticks = settling_ticks(run, radius, count) + MEASURED_TICKS;
    snprintf(scale->label, sizeof scale->label, "%d of r = %g m", count, radius);
    read_scale(run, scale);
    judge_compression(run, scale, profile, radius, option_number(run, "stiffness") * radius / 0.05);
    soil_destroy(scale->soil);
    return true;
}

/// About a thousand grains on a loose lattice with jitter in a box.
static bool weigh_box(Run *run, Scale *scale, double radius)
{
    enum { SIDE = 8, LAYERS = 16 };
    double mass = grain_mass(radius), step = 2.1 * radius;
    scale->shape = box_shape((SIDE + 0.6) * step, (SIDE + 0.6) * step, (LAYERS + 4) * step);
    if (!create_scale(run, scale, radius, SIDE * SIDE * LAYERS)) {
        return false;
    }
    for (int k = 0; k < SIDE * SIDE * LAYERS; k++) {
        double jitter[3];
        for (int axis = 0; axis < 3; axis++) {
            jitter[axis] = 0.08 * radius * (run_random(run) - 0.5);
        }
        Vec3 at =
            vec3((k % SIDE - 0.5 * (SIDE - 1)) * step + jitter[0],
                 (k / SIDE % SIDE - 0.5 * (SIDE - 1)) * step + jitter[1], (k / (SIDE * SIDE) + 0.6) * step + jitter[2]);
        soil_add_particle(scale->soil, at, vec3(0, 0, 0), radius, 0, mass);
    }
    scale->weight = SIDE * SIDE * LAYERS * mass * STANDARD_GRAVITY;
    scale->ticks = (run_quick(run) ? 3 : 8) * 60 + MEASURED_TICKS;
    snprintf(scale->label, sizeof scale->label, "box of %d, r = %g m", SIDE * SIDE * LAYERS, radius);
    read_scale(run, scale);
    soil_destroy(scale->soil);
    return true;
}

static bool run_column(Run *run)
{
    int counts[3] = {10, 20, 40}, stacks = 3, sizes = 2, longest = 0;
    double radii[2] = {0.05, 0.03};
    if (option_is_set(run, "count")) {
        if (!option_whole(run, "count", &counts[0])) {
            return false;
        }
        stacks = 1;
    }
    if (option_is_set(run, "radius")) {
        radii[0] = option_number(run, "radius");
        sizes = 1;
    }
    int reading = run_plot(run, "Scale reading", "time, s", "force on the plate / weight");
    int profile = run_plot(run, "Compression", "height in the stack, m", "sunk by, mm");
    double part = 1.0 / (sizes * (stacks + 2)), done = 0.0;
    for (int s = 0; s < sizes; s++) {
        for (int k = 0; k <= stacks; k++) {
            Scale scale = {.plot = reading, .share_before = done, .share = k < stacks ? part : 2.0 * part};
            bool good =
                k < stacks ? weigh_stack(run, &scale, profile, radii[s], counts[k]) : weigh_box(run, &scale, radii[s]);
            if (!good) {
                return false;
            }
            longest = scale.ticks > longest ? scale.ticks : longest;
            done += scale.share;
        }
    }
    run_point(run, reading, "law: 1", 0.0, 1.0);
    run_point(run, reading, "law: 1", longest / 60.0, 1.0);
    return true;
}

const Experiment experiment_column = {
    .name = "column",
    .title = "stacks of 10, 20 and 40 spheres and a box of 1000: weight and compression",
    .law = "statics: the weight, and the compression of a chain of springs",
    .options = options,
    .run = run_column,
};
