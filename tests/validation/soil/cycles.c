/// Experiment 15, `cycles`: the shipped bucket digs in a pit, carries to a pile 6 m away and dumps, again and again.
///
/// - Nothing is lost: the mass in ground and particles is the same number of quanta on every tick.
/// - Spoil swells: when all has come to rest, the pile's volume, from the heights of the ground, is 1 + swell times the
/// volume
///   that its mass had in the bank. Its mass is that of the particles that became ground there.
/// - The ground rises nowhere where nothing was put down (within half a metre; loose soil slides).
///
/// The pit is dug in layers; a layer in lanes, a lane in three cuts. Every lane is dumped beside itself, which makes a
/// windrow.
#include <math.h>
#include <stdlib.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/deposits.h"
#include "tests/validation/rigs/soil/digging.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "which soil is dug", "loam|sand|gravel|topsoil|clay|wet-clay"},
    {"count", 100, 1, 500, "", "cycles", NULL},
    {"radius", 0.05, 0.03, 0.1, "m", "radius of the particles", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { LANES = 8, CUTS = 3, PER_LAYER = LANES * CUTS, ACTIVE = 10000 };

#define DEPTH        0.3 ///< m of a cut
#define LENGTH       3.0 ///< m of a cut
#define LANE         1.4 ///< m
#define PIT_X        (-2.5) ///< m: where the first cut starts
#define PILE_X       5.5 ///< m: where the bucket is emptied
#define ACCELERATION 2.5 ///< m/s2, most of the bucket on its way: what lies at its angle of repose must not run out
/// m: how far from where it was put down loose soil may lie in the end: what the bucket pushes aside is heaved up to
/// half a metre beside it, and slides half a metre on.
#define REACH 1.0

static const SiteArea pile_area = {0.0, -9.5, 15.5, 9.5}, pit_area = {-15.5, -9.5, 0.0, 9.5};

typedef struct Cycles {
    ToolShape shape;
    SoilTool bucket;
    SceneParams scene;
    Soil *soil;
    SiteSurvey before;
    Deposits deposits;
    SiteWay way;
    int64_t total, most_wrong; ///< quanta: in the beginning, and the largest difference since
    double dug, dumped; ///< kg: sums of the payloads before and of what left the bucket at the pile
    int peak; ///< most particles at once
    double *times; ///< ms a tick took, [times_capacity]
    double *work_times; ///< ms that all threads worked for it
    double *active_times; ///< ms a tick took of those with ACTIVE particles or more
    int time_count, active_count, times_capacity;
} Cycles;

/// Seconds that the bucket takes for a distance: least jerk accelerates by 10 / sqrt(3) L / T^2 at most.
static double travel_time(Vec3 from, Vec3 to)
{
    double length = vec3_length(vec3_sub(to, from));
    return fmax(1.0, sqrt(10.0 / sqrt(3.0) * length / ACCELERATION));
}

static void keep_time(Cycles *cycles, double milliseconds, double work)
{
    if (cycles->time_count == cycles->times_capacity) {
        cycles->times_capacity = 2 * cycles->times_capacity + 4096;
        size_t size = (size_t)cycles->times_capacity * sizeof(double);
        cycles->times = realloc(cycles->times, size);
        cycles->work_times = realloc(cycles->work_times, size);
        cycles->active_times = realloc(cycles->active_times, size);
        if (cycles->times == NULL || cycles->work_times == NULL || cycles->active_times == NULL) {
            abort();
        }
    }
    cycles->work_times[cycles->time_count] = work;
    cycles->times[cycles->time_count++] = milliseconds;
    if (soil_get_counters(cycles->soil).particles >= ACTIVE) {
        cycles->active_times[cycles->active_count++] = milliseconds;
    }
}

/// Ticks from one time of the way to another.
static void go_on(Cycles *cycles, double from, double to)
{
    int ticks = (int)floor(60.0 * (to - from) + 0.5);
    for (int k = 0; k < ticks; k++) {
        double start = wall_milliseconds(), worked = processor_milliseconds();
        site_tick(cycles->soil, &cycles->scene, &cycles->bucket, &cycles->way, 1, from + k / 60.0, NULL);
        keep_time(cycles, wall_milliseconds() - start, processor_milliseconds() - worked);
        int particles = soil_get_counters(cycles->soil).particles;
        int64_t wrong = llabs(soil_get_ledger(cycles->soil).total - cycles->total);
        cycles->peak = particles > cycles->peak ? particles : cycles->peak;
        cycles->most_wrong = wrong > cycles->most_wrong ? wrong : cycles->most_wrong;
        deposits_note(&cycles->deposits, cycles->soil);
        deposits_note_tool(&cycles->deposits, cycles->soil, &cycles->bucket);
    }
}

/// Highest ground within 2 m of the place where a lane is dumped.
static double pile_top(const Cycles *cycles, double y)
{
    double top = 0.0;
    for (int k = 0; k < 400; k++) {
        top = fmax(top, soil_get_height(cycles->soil, PILE_X - 2.0 + 0.2 * (k % 20), y - 2.0 + 0.2 * (k / 20)));
    }
    return top;
}

/// Digs, carries and dumps once. The layers step back, so that the bucket's back stays clear of the pit's end.
static void run_cycle(Cycles *cycles, int number)
{
    int layer = number / PER_LAYER, lane = number % PER_LAYER / CUTS, spot = number % CUTS;
    double y = (lane - 0.5 * (LANES - 1)) * LANE;
    DiggingCut cut = {.x = PIT_X - 0.7 * layer - spot * LENGTH,
                      .y = y,
                      .surface = -DEPTH * layer,
                      .depth = DEPTH,
                      .length = LENGTH,
                      .clearance = 0.5,
                      .seconds = 6.0};
    SiteKnot last = cycles->way.knots[cycles->way.count - 1];
    cycles->way.count = 0;
    site_go(&cycles->way, 0.0, last.at, last.pitch, last.yaw);
    digging_go_fill(&cycles->way, travel_time(last.at, vec3(cut.x, y, 1.5)), &cycles->shape, &cut);
    Vec3 over = vec3(PILE_X, y, pile_top(cycles, y) + cycles->shape.edge[0] + 0.5);
    site_go(&cycles->way, travel_time(cycles->way.knots[cycles->way.count - 1].at, over), over, DIGGING_CURLED, 0.0);
    double arrived = site_way_end(&cycles->way);
    site_go(&cycles->way, 1.5, over, DIGGING_DUMPED, 0.0);
    site_go(&cycles->way, 1.0, over, DIGGING_DUMPED, 0.0);
    go_on(cycles, 0.0, arrived);
    double payload = soil_get_payload(cycles->soil, &cycles->bucket, NULL);
    go_on(cycles, arrived, site_way_end(&cycles->way));
    cycles->dug += payload;
    cycles->dumped += payload - soil_get_payload(cycles->soil, &cycles->bucket, NULL);
}

/// Waits, with the bucket aside, until all that does not stick in it is ground again; at most 30 s.
static void settle(Cycles *cycles)
{
    for (int second = 0; second < 30; second++) {
        int carried;
        soil_get_payload(cycles->soil, &cycles->bucket, &carried);
        if (soil_get_counters(cycles->soil).particles <= carried &&
            soil_get_counters(cycles->soil).active_columns == 0) {
            return;
        }
        double end = site_way_end(&cycles->way);
        go_on(cycles, end, end + 1.0);
    }
}

static void report(Run *run, Cycles *cycles, const SoilParams *soil)
{
    double bank = deposits_mass(&cycles->deposits, cycles->soil, &pile_area) / soil->bank_density;
    SiteChange pile = site_change(cycles->soil, &cycles->before, &pile_area),
               pit = site_change(cycles->soil, &cycles->before, &pit_area);
    double expected = 1.0 + soil->swell;
    run_result(run, "mass lost or made on any tick", "quanta", (double)cycles->most_wrong, 0.0, 0.0);
    run_result(run, "pile / its volume in the bank", "", (pile.risen - pile.fallen) / bank, expected, 0.01 * expected);
    run_result_between(run, "ground risen where nothing was put", "m",
                       deposits_rise_elsewhere(&cycles->deposits, cycles->soil, &cycles->before, REACH), 0.0, 1e-3);
    run_note(run, "volume of the pile", "m3", pile.risen - pile.fallen);
    run_note(run, "height of the pile", "m", pile.highest);
    run_note(run, "pile / hole left in the pit", "", (pile.risen - pile.fallen) / (pit.fallen - pit.risen));
    run_note(run, "mean payload when it reaches the pile", "kg", cycles->dug / option_number(run, "count"));
    run_note(run, "share of it that leaves the bucket there", "", cycles->dumped / cycles->dug);
    run_note(run, "put down at the pile / left the bucket there", "", bank * soil->bank_density / cycles->dumped);
    run_note(run, "most particles at once", "", cycles->peak);
    run_note(run, "particles left in the end", "", soil_get_counters(cycles->soil).particles);
    run_note(run, "median of a tick (wall clock)", "ms", share_below(cycles->times, cycles->time_count, 0.5));
    run_note(run, "99 % of ticks take less than (wall clock)", "ms",
             share_below(cycles->times, cycles->time_count, 0.99));
    run_note(run, "median of a tick (work of all threads)", "ms",
             share_below(cycles->work_times, cycles->time_count, 0.5));
    run_note(run, "99 % of ticks take less than (work of all threads)", "ms",
             share_below(cycles->work_times, cycles->time_count, 0.99));
    if (cycles->active_count > 0) {
        run_note(run, "99 % of ticks with 10,000 particles or more take less than (wall clock)", "ms",
                 share_below(cycles->active_times, cycles->active_count, 0.99));
    }
}

/// The pile's volume over what its mass was in the bank, while it grows.
static void draw(Run *run, const Cycles *cycles, const SoilParams *soil, int plot)
{
    double bank = deposits_mass(&cycles->deposits, cycles->soil, &pile_area) / soil->bank_density;
    SiteChange pile = site_change(cycles->soil, &cycles->before, &pile_area);
    run_point(run, plot, "measured", bank, pile.risen - pile.fallen);
    run_point(run, plot, "law: 1 + swell", bank, (1.0 + soil->swell) * bank);
}

static bool create(Run *run, Cycles *cycles, const SoilParams *soil)
{
    SiteForm form = {
        .size_x = 32.0, .size_y = 20.0, .depth = 4.0, .radius = option_number(run, "radius"), .budget = 40000};
    if (!site_load_bucket(run, "excavator-22t", &cycles->shape, NULL)) {
        return false;
    }
    cycles->scene = site_scene(run, soil, &form);
    cycles->soil = run_create_soil(run, &cycles->scene);
    if (cycles->soil == NULL) {
        return false;
    }
    cycles->bucket = digging_bucket(&cycles->shape);
    cycles->before = site_survey(cycles->soil);
    cycles->deposits = deposits_create(cycles->soil);
    cycles->total = soil_get_ledger(cycles->soil).total;
    site_go(&cycles->way, 0.0, vec3(0, 0, 3.0), DIGGING_PITCH, 0.0);
    return true;
}

static bool run_cycles(Run *run)
{
    int count;
    SoilParams soil;
    Cycles cycles = {0};
    option_quick(run, "count", 3);
    if (!option_whole(run, "count", &count) || !run_load_soil(run, option_word(run, "soil"), &soil) ||
        !create(run, &cycles, &soil)) {
        return false;
    }
    int plot = run_plot(run, "The pile swells", "volume of its mass in the bank, m3", "volume of the pile, m3");
    for (int k = 0; k < count; k++) {
        run_cycle(&cycles, k);
        draw(run, &cycles, &soil, plot);
        run_progress(run, (k + 1.0) / count);
    }
    settle(&cycles);
    draw(run, &cycles, &soil, plot);
    report(run, &cycles, &soil);
    soil_destroy(cycles.soil);
    site_survey_free(&cycles.before);
    deposits_free(&cycles.deposits);
    free(cycles.times);
    free(cycles.work_times);
    free(cycles.active_times);
    return true;
}

const Experiment experiment_cycles = {
    .name = "cycles",
    .title = "dig, carry, dump, again and again: mass, swell, ground that rises",
    .law = "conservation of mass; pile = bank volume x (1 + swell) of the soil's file",
    .options = options,
    .run = run_cycles,
};
