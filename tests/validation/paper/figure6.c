/// Parallel Particles, figure 6: sticky soil stays in a tipped bucket until it is shaken.
///
/// The bucket is filled by a drag, lifted, tipped slowly until its opening looks down, held, shaken and held again.
/// What it carries is weighed at the linkage: the mean vertical force over a second in which it stands still.
///
/// What hangs on steel is held by the soil's adhesion c: a layer of the mass m on a square metre stays while m (g + a)
/// < c, where a is the bucket's acceleration. Sand has no adhesion and must leave. Clay (5 kPa) holds 120 kg/m2, one
/// layer of grains of 0.05 m, up to a = 3 g where it lies on the steel all over; loam (1 kPa) hardly against its
/// weight. The bucket is shaken with the stroke s and the frequency f in moves of least jerk, which accelerate by 40 /
/// sqrt(3) s f^2 at most: 2 g as an operator shakes it, then twice as often, 8 g, as when it is knocked against its
/// stops.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/digging.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "which soil is carried (all: sand, loam, clay, wet-clay)",
     "all|sand|gravel|topsoil|loam|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"radius", 0.05, 0.025, 0.1, "m", "radius of the particles", NULL},
    {"angle_deg", 135, 60, 170, "degrees", "from level to tipped: at 135 the floor stands 73 degrees steep", NULL},
    {"stroke", 0.1, 0.0, 0.3, "m", "of the shaking, up and down", NULL},
    {"frequency", 3.0, 0.5, 6.0, "Hz", "of the first shaking; of the second: twice that", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

#define TIP   6.0 ///< s that tipping takes
#define REST  2.0 ///< s before a weighing, which takes the last one
#define SHAKE 2.0 ///< s, each time

#define STICKY 4e3 ///< Pa: soils with so much adhesion to steel must stay

typedef struct Tipping {
    ToolShape shape;
    SoilTool bucket;
    SiteWay way;
    SceneParams scene;
    Soil *soil;
    int plot;
    double time; ///< s
    const char *name;
} Tipping;

/// Goes on to the way's end; returns what the bucket carries, kg, as the mean over the last second.
static double weigh(Run *run, Tipping *tipping, double full)
{
    Statistics force = {0};
    double end = site_way_end(&tipping->way);
    while (tipping->time < end - 1e-6) {
        Wrench mean;
        site_tick(tipping->soil, &tipping->scene, &tipping->bucket, &tipping->way, 1, tipping->time, &mean);
        tipping->time += 1.0 / 60.0;
        if (full > 0.0) {
            run_point(run, tipping->plot, tipping->name, tipping->time,
                      soil_get_payload(tipping->soil, &tipping->bucket, NULL) / full);
        }
        if (tipping->time > end - 1.0) {
            statistics_add(&force, -mean.force.z / STANDARD_GRAVITY);
        }
    }
    return statistics_mean(&force);
}

static void go_rest(SiteWay *way, double seconds)
{
    SiteKnot last = way->knots[way->count - 1];
    site_go(way, seconds, last.at, last.pitch, last.yaw);
}

/// Up and down around where it is.
static void go_shake(SiteWay *way, double stroke, double frequency)
{
    SiteKnot last = way->knots[way->count - 1];
    int halves = (int)(2.0 * SHAKE * frequency);
    for (int k = 0; k < halves; k++) {
        Vec3 at = vec3_madd(last.at, k == halves - 1 ? 0.0 : k % 2 == 0 ? 0.5 * stroke : -0.5 * stroke, vec3(0, 0, 1));
        site_go(way, 0.5 / frequency, at, last.pitch, last.yaw);
    }
}

/// `shares` of the full load: tipped, shaken, knocked.
static void report(Run *run, const Tipping *tipping, double full, const double shares[3])
{
    char quantity[96];
    double adhesion = tipping->scene.soils[0].steel_adhesion;
    snprintf(quantity, sizeof quantity, "%s: stays when tipped slowly", tipping->name);
    if (adhesion <= 0.0) {
        run_result_between(run, quantity, "", shares[0], 0.0, 0.02);
    } else if (adhesion >= STICKY) {
        run_result_between(run, quantity, "", shares[0], 0.2, 1.0);
    } else {
        run_note(run, quantity, "", shares[0]);
    }
    snprintf(quantity, sizeof quantity, "%s: of that stays when shaken", tipping->name);
    run_note(run, quantity, "", shares[0] > 0.0 ? shares[1] / shares[0] : 0.0);
    snprintf(quantity, sizeof quantity, "%s: of that stays when shaken twice as often", tipping->name);
    if (adhesion >= STICKY) {
        run_result_between(run, quantity, "", shares[0] > 0.0 ? shares[2] / shares[0] : HUGE_VAL, 0.0, 1.0 / 3.0);
    } else {
        run_note(run, quantity, "", shares[0] > 0.0 ? shares[2] / shares[0] : 0.0);
    }
    snprintf(quantity, sizeof quantity, "%s: full bucket", tipping->name);
    run_note(run, quantity, "kg", full);
}

static void tip(Run *run, Tipping *tipping)
{
    SiteWay *way = &tipping->way;
    DiggingCut cut = {.x = 1.5, .depth = 0.35, .length = 3.0, .clearance = 2.0, .seconds = 8.0};
    digging_go_fill(way, 0.0, &tipping->shape, &cut);
    go_rest(way, REST);
    double full = weigh(run, tipping, 0.0);
    double pitch = DIGGING_CURLED + option_number(run, "angle_deg") * M_PI / 180.0;
    Vec3 at = way->knots[way->count - 1].at;
    way->count = 0;
    site_go(way, tipping->time, at, DIGGING_CURLED, 0.0);
    site_go(way, TIP, at, pitch, 0.0);
    go_rest(way, REST);
    double stays = weigh(run, tipping, full) / full;
    go_shake(way, option_number(run, "stroke"), option_number(run, "frequency"));
    go_rest(way, REST);
    double after = weigh(run, tipping, full) / full;
    go_shake(way, option_number(run, "stroke"), 2.0 * option_number(run, "frequency"));
    go_rest(way, REST);
    double last = weigh(run, tipping, full) / full;
    report(run, tipping, full, (double[3]){stays, after, last});
}

static bool run_soil(Run *run, const char *name, int plot)
{
    SoilParams soil;
    Tipping tipping = {.plot = plot, .name = name};
    if (!run_load_soil(run, name, &soil) || !site_load_bucket(run, "excavator-22t", "own", &tipping.shape, NULL)) {
        return false;
    }
    SiteForm form = {
        .size_x = 12.0, .size_y = 8.0, .depth = 2.0, .radius = option_number(run, "radius"), .budget = 30000};
    tipping.scene = site_scene(run, &soil, &form);
    tipping.soil = run_create_soil(run, &tipping.scene);
    if (tipping.soil == NULL) {
        return false;
    }
    tipping.bucket = digging_bucket(&tipping.shape);
    tip(run, &tipping);
    soil_destroy(tipping.soil);
    return true;
}

static bool run_figure6(Run *run)
{
    static const char *const soils[] = {"sand", "loam", "clay", "wet-clay"};
    enum { SOILS = 4 };
    const char *only = option_word(run, "soil");
    int plot = run_plot(run, "A bucket is tipped (10 to 16 s), shaken (18 to 20 s), shaken harder (22 to 24 s)",
                        "time, s", "share of the load that it carries");
    if (strcmp(only, "all") != 0) {
        return run_soil(run, only, plot);
    }
    int count = run_quick(run) ? SOILS - 1 : SOILS;
    for (int k = 0; k < count; k++) {
        if (!run_soil(run, soils[k], plot)) {
            return false;
        }
        run_progress(run, (k + 1.0) / count);
    }
    return true;
}

const Experiment experiment_figure6 = {
    .name = "figure6",
    .title = "a bucket tipped slowly, then shaken: what stays in it, by soil",
    .law = "Parallel Particles, fig. 6: sticky soil stays until it is shaken; sand leaves",
    .options = options,
    .run = run_figure6,
};
