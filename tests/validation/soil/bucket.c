/// Experiment 14, `bucket`: one drag fill with the shipped bucket, on a prescribed way: enter, drag, curl, lift, hold.
///
/// - Nothing is lost: what is missing in the ground is in particles, to the quantum, on every tick.
/// - The payload, weighed at the linkage: the mean vertical force on the bucket while it is held still, against the
/// weight of all
///   particles that are up there with it: its payload, and what sticks to its outside.
/// - The volume it holds, as a surveyor would measure it (between the bucket's floor and the outline of the grains from
/// above),
///   against its mass over the soil's loose density: bank density / (1 + swell).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/digging.h"
#include "tests/validation/rigs/soil/packing.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "which soil is dug", "loam|sand|gravel|topsoil|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"depth", 0.35, 0.1, 0.6, "m", "depth of the cut", NULL},
    {"length", 3.0, 0.5, 4.0, "m", "length of the cut", NULL},
    {"radius", 0.05, 0.025, 0.1, "m", "radius of the particles (full form: also 0.035)", NULL},
    {"attachment", 0, 0, 0, "", "which bucket digs (data/attachments)", "own|grading-bucket-1800|trenching-bucket-600"},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// What is watched from tick to tick.
typedef struct Fill {
    ToolShape shape;
    SoilTool bucket;
    SiteWay way;
    SceneParams scene;
    Soil *soil;
    double radius; ///< m, of the particles
    double capacity; ///< m3, heaped, as the machine's file states it
    int64_t total, most_wrong; ///< quanta: in the beginning, and the largest difference since
    Statistics force, hanging, payload; ///< N, kg and kg while the bucket is held still
    int peak; ///< most particles at once
} Fill;

#define BELOW_PIN 1.2 ///< m: lower than all of the level bucket, and higher than what lies on the ground
#define HOLD      3.0 ///< s that the bucket is held still; the last two count

/// Mass (kg) of the particles above a height.
static double mass_above(const Soil *soil, double height)
{
    SoilParticleView p = soil_get_particles(soil);
    int64_t quanta = 0;
    for (int k = 0; k < p.count; k++) {
        quanta += p.z[k] > height ? p.mass[k] : 0;
    }
    return (double)quanta * SOIL_QUANTUM;
}

static void watch(Run *run, Fill *fill, int plot, double time, const Wrench *mean)
{
    char series[32];
    double payload = soil_get_payload(fill->soil, &fill->bucket, NULL);
    int64_t wrong = llabs(soil_get_ledger(fill->soil).total - fill->total);
    int particles = soil_get_counters(fill->soil).particles;
    fill->most_wrong = wrong > fill->most_wrong ? wrong : fill->most_wrong;
    fill->peak = particles > fill->peak ? particles : fill->peak;
    snprintf(series, sizeof series, "payload, r = %g m", fill->radius);
    run_point(run, plot, series, time, payload);
    snprintf(series, sizeof series, "force / g, r = %g m", fill->radius);
    run_point(run, plot, series, time, -mean->force.z / STANDARD_GRAVITY);
    if (time > site_way_end(&fill->way) - 2.0) {
        statistics_add(&fill->force, -mean->force.z);
        statistics_add(&fill->hanging, mass_above(fill->soil, fill->bucket.motion.frame.position.z - BELOW_PIN));
        statistics_add(&fill->payload, payload);
    }
}

/// A quantity's name with the size of the particles.
static const char *named(const Fill *fill, const char *text, char buffer[96])
{
    snprintf(buffer, 96, "%s, r = %g m", text, fill->radius);
    return buffer;
}

static void report(Run *run, const Fill *fill, double depth, double length)
{
    const SoilParams *soil = &fill->scene.soils[0];
    char name[96];
    double payload = statistics_mean(&fill->payload), hanging = statistics_mean(&fill->hanging);
    double loose = payload * (1.0 + soil->swell) / soil->bank_density; // m3
    double volume = digging_volume(fill->soil, &fill->bucket, fill->radius);
    double elsewhere = (double)soil_get_ledger(fill->soil).particles * SOIL_QUANTUM - payload;
    double swept = depth * length * fill->shape.edge_width;
    run_result(run, named(fill, "mass lost or made on any tick", name), "quanta", (double)fill->most_wrong, 0.0, 0.0);
    run_result(run, named(fill, "force on the held bucket / weight of what it holds", name), "",
               statistics_mean(&fill->force) / (hanging * STANDARD_GRAVITY), 1.0, 0.005);
    run_result(run, named(fill, "volume held / (payload / loose density)", name), "", volume / loose, 1.0, 0.05);
    run_note(run, named(fill, "payload", name), "kg", payload);
    run_note(run, named(fill, "stuck to its outside / payload", name), "", hanging / payload - 1.0);
    run_note(run, named(fill, "volume held", name), "m3", volume);
    run_note(run, named(fill, "volume held / heaped capacity of the machine's data", name), "",
             volume / fill->capacity);
    run_note(run, named(fill, "payload in the bank / (depth x length x edge)", name), "",
             payload / soil->bank_density / swept);
    run_note(run, named(fill, "spread of the force while held", name), "N", statistics_deviation(&fill->force));
    run_note(run, named(fill, "particles not in the bucket", name), "kg", elsewhere);
    run_note(run, named(fill, "most particles at once", name), "", fill->peak);
}

static bool run_fill(Run *run, const SoilParams *soil, double radius, int plot, double before, double share)
{
    double depth = option_number(run, "depth"), length = option_number(run, "length");
    Fill fill = {.radius = radius};
    if (!site_load_bucket(run, "excavator-22t", option_word(run, "attachment"), &fill.shape, &fill.capacity)) {
        return false;
    }
    SiteForm form = {.size_x = 10.0, .size_y = 8.0, .depth = 2.0, .radius = radius, .budget = 30000};
    fill.scene = site_scene(run, soil, &form);
    fill.soil = run_create_soil(run, &fill.scene);
    if (fill.soil == NULL) {
        return false;
    }
    fill.bucket = digging_bucket(&fill.shape);
    DiggingCut cut = {.x = 0.5 * length, .depth = depth, .length = length, .clearance = 0.8, .seconds = 8.0};
    digging_go_fill(&fill.way, 0.0, &fill.shape, &cut);
    const SiteKnot *last = &fill.way.knots[fill.way.count - 1];
    site_go(&fill.way, HOLD, last->at, last->pitch, last->yaw);
    fill.total = soil_get_ledger(fill.soil).total;
    int ticks = (int)(60.0 * site_way_end(&fill.way) + 0.5);
    for (int tick = 0; tick < ticks; tick++) {
        Wrench mean;
        site_tick(fill.soil, &fill.scene, &fill.bucket, &fill.way, 1, tick / 60.0, &mean);
        watch(run, &fill, plot, (tick + 1) / 60.0, &mean);
        run_progress(run, before + share * tick / ticks);
    }
    report(run, &fill, depth, length);
    soil_destroy(fill.soil);
    return true;
}

static bool run_bucket(Run *run)
{
    static const double full[] = {0.05, 0.035, 0}, quick[] = {0.05, 0};
    double radii[SWEEP_MOST];
    int count = packing_sweep(run, "radius", full, quick, radii);
    int plot = run_plot(run, "A bucket is filled", "time, s", "kg");
    SoilParams soil;
    if (!run_load_soil(run, option_word(run, "soil"), &soil)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (!run_fill(run, &soil, radii[k], plot, (double)k / count, 1.0 / count)) {
            return false;
        }
    }
    return true;
}

const Experiment experiment_bucket = {
    .name = "bucket",
    .title = "one drag fill of the bucket: payload at the linkage, volume it holds",
    .law = "statics: force = weight of the payload; volume = mass / loose density",
    .options = options,
    .run = run_bucket,
};
