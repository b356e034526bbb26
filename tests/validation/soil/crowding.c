/// Experiment `crowding`: what a bucket feels when soil far from it is given up (soil/exchange/absorb.c).
///
/// The shipped bucket ploughs to and fro through a heap of loose soil and the ground below it, deep and not in its own
/// plane only, as clumsy hands do. The same way is driven without a bound on the particles that are awake, and with
/// one: force and work are those without a bound within 3 %. The way is prescribed: a difference is the soil's alone.
/// What a single grain does differently changes all that follows, so that one run says nothing of 3 %: compared are
/// means over runs in gravities that differ by 1e-9.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/digging.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "of the heap and of the ground", "loam|sand|clay|" OTHER_SOIL},
    {"bound", 6000, 100, 400000, "", "particles.most_awake (quick: 2500)", NULL},
    {"height", 1.4, 0.3, 2.5, "m", "of the heap (quick: 0.7)", NULL},
    {"runs", 4, 1, 50, "", "of each kind, in gravities that differ by 1e-9 (quick: 1)", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

#define DEEP     0.6 ///< m: the edge below the ground around
#define PITCH    (-75.0 * M_PI / 180.0) ///< rad: of a bucket half curled
#define SETTLES  4.0 ///< s after the way
#define GRAVITY  1e-9 ///< share by which the third run's gravity is larger
#define ACCEPTED 0.03 ///< of the force, and of the work

/// What a way through the heap gave.
typedef struct Ploughing {
    int bound; ///< most_awake
    int most_awake, most; ///< particles
    int64_t wrong; ///< quanta: most that lacked or were too many
    double force, work; ///< N: mean; J: of the bucket on the soil
    double crowding; ///< mean share
    int hastened; ///< particles
    double highest; ///< m, in the end
} Ploughing;

static void lay_way(const ToolShape *shape, double height, SiteWay *way)
{
    *way = (SiteWay){.count = 0};
    site_go_edge(way, 0.0, shape, vec3(2.0, -0.3, height + 0.5), PITCH, 0.0);
    site_go_edge(way, 1.5, shape, vec3(1.2, -0.3, -0.5 * DEEP), PITCH, 0.0);
    site_go_edge(way, 3.0, shape, vec3(-1.0, -0.3, -DEEP), PITCH, 0.1);
    site_go_edge(way, 1.5, shape, vec3(-0.9, 0.2, -DEEP), PITCH, 0.3);
    site_go_edge(way, 2.5, shape, vec3(0.9, 0.3, -0.5 * DEEP), PITCH, 0.2);
    site_go_edge(way, 3.0, shape, vec3(-1.0, 0.4, -1.2 * DEEP), PITCH - 0.2, -0.1);
    site_go_edge(way, 2.0, shape, vec3(-1.2, 0.4, height + 0.7), PITCH - 0.5, 0.0);
}

static void count_tick(const Soil *soil, int64_t total, Ploughing *ploughing)
{
    SoilCounters counters = soil_get_counters(soil);
    int64_t wrong = llabs(soil_get_ledger(soil).total - total);
    int awake = counters.particles - counters.asleep;
    ploughing->wrong = wrong > ploughing->wrong ? wrong : ploughing->wrong;
    ploughing->most = counters.particles > ploughing->most ? counters.particles : ploughing->most;
    ploughing->most_awake = awake > ploughing->most_awake ? awake : ploughing->most_awake;
    ploughing->crowding += counters.crowding;
    ploughing->hastened += counters.hastened;
}

/// Drives the way once and lets all come to rest.
static bool plough(Run *run, const SoilParams *params, double more_gravity, Ploughing *ploughing)
{
    ToolShape shape;
    SiteWay way;
    if (!site_load_bucket(run, "excavator-22t", "own", &shape, NULL)) {
        return false;
    }
    double height = option_number(run, "height");
    SiteForm form = {.size_x = 11.0, .size_y = 10.0, .depth = 2.0, .radius = 0.05, .budget = 30000};
    SceneParams scene = site_scene(run, params, &form);
    scene.particles.most_awake = ploughing->bound;
    scene.ground.mound_count = 1;
    scene.ground.mounds[0] = (SceneMound){.height = height};
    Soil *soil = run_create_soil(run, &scene);
    if (soil == NULL) {
        return false;
    }
    soil_set_gravity(soil, STANDARD_GRAVITY * (1.0 + more_gravity));
    int64_t total = soil_get_ledger(soil).total;
    SoilTool bucket = digging_bucket(&shape);
    lay_way(&shape, height, &way);
    int ticks = (int)(60.0 * site_way_end(&way));
    for (int k = 0; k < ticks + (int)(60.0 * SETTLES); k++) {
        Wrench mean;
        site_tick(soil, &scene, &bucket, &way, 1, k / 60.0, &mean);
        count_tick(soil, total, ploughing);
        if (k < ticks) {
            double power = vec3_dot(mean.force, bucket.motion.velocity) + vec3_dot(mean.moment, bucket.motion.spin);
            ploughing->force += vec3_length(mean.force) / ticks;
            ploughing->work -= power / 60.0;
        }
    }
    ploughing->crowding /= ticks;
    SoilGridView grid = soil_get_grid(soil);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        ploughing->highest = fmax(ploughing->highest, (double)grid.height[k]);
    }
    soil_destroy(soil);
    return true;
}

/// Means of the runs without a bound and with one, and their scatter.
typedef struct Means {
    double force, work; ///< N, J
    double force_square; ///< N2
    int most_awake; ///< largest of all
    int hastened; ///< sum
    double crowding, highest; ///< means
    int64_t wrong; ///< quanta: sum
} Means;

static void add_run(Means *means, const Ploughing *ploughing, int runs)
{
    means->force += ploughing->force / runs;
    means->force_square += ploughing->force * ploughing->force / runs;
    means->work += ploughing->work / runs;
    means->crowding += ploughing->crowding / runs;
    means->highest += ploughing->highest / runs;
    means->hastened += ploughing->hastened;
    means->wrong += ploughing->wrong;
    means->most_awake = ploughing->most_awake > means->most_awake ? ploughing->most_awake : means->most_awake;
}

/// Share of the mean force by which single runs differ.
static double scatter_of(const Means *means)
{
    return sqrt(fmax(0.0, means->force_square - means->force * means->force)) / means->force;
}

static void report(Run *run, const Means *free, const Means *bound)
{
    run_result(run, "mass lost or made on any tick", "quanta", (double)(free->wrong + bound->wrong), 0.0, 0.0);
    double force = bound->force / free->force, work = bound->work / free->work;
    if (run_quick(run)) { // one run each says nothing of 3 %
        run_note(run, "mean force on the bucket, bound over free", "", force);
        run_note(run, "work, bound over free", "", work);
    } else {
        run_result(run, "mean force on the bucket, bound over free", "", force, 1.0, ACCEPTED);
        run_result(run, "work, bound over free", "", work, 1.0, ACCEPTED);
    }
    run_note(run, "single runs without a bound differ by", "", scatter_of(free));
    run_note(run, "single runs with a bound differ by", "", scatter_of(bound));
    run_note(run, "mean force, free", "kN", free->force * 1e-3);
    run_note(run, "awake at once, free", "", free->most_awake);
    run_note(run, "awake at once, bound", "", bound->most_awake);
    run_note(run, "mean share of the policy", "", bound->crowding);
    run_note(run, "absorbed sooner", "", bound->hastened);
    run_result(run, "highest ground in the end, bound less free", "m", bound->highest - free->highest, 0.0, 0.1);
}

static bool run_crowding(Run *run)
{
    SoilParams soil;
    int runs;
    option_quick(run, "height", 0.7);
    option_quick(run, "bound", 2500.0);
    option_quick(run, "runs", 1.0);
    if (!run_load_soil(run, option_word(run, "soil"), &soil) || !option_whole(run, "runs", &runs)) {
        return false;
    }
    Means free = {0}, bound = {0};
    for (int k = 0; k < 2 * runs; k++) {
        Ploughing ploughing = {.bound = k < runs ? 0 : (int)option_number(run, "bound")};
        if (!plough(run, &soil, k % runs * GRAVITY, &ploughing)) {
            return false;
        }
        add_run(k < runs ? &free : &bound, &ploughing, runs);
        run_progress(run, (k + 1) / (2.0 * runs));
    }
    report(run, &free, &bound);
    return true;
}

const Experiment experiment_crowding = {
    .name = "crowding",
    .title = "a bucket ploughs through a heap: its force with a bound on what is awake, and without",
    .law = "the same without a bound, on the same way",
    .options = options,
    .run = run_crowding,
};
