/// Experiment 15, `cycles`: the shipped bucket digs in a pit, carries to a pile 6 m away and dumps, again and again.
///
/// - Nothing is lost: the mass in ground and particles is the same number of quanta on every tick.
/// - Spoil swells: when all has come to rest, the pile's volume, from the heights of the ground, is 1 + swell times the
/// volume
///   that its mass had in the bank. Its mass is that of the particles that became ground there.
/// - The ground rises nowhere where nothing was put down (within half a metre; loose soil slides).
///
/// The pit, the pile and the bucket's way: DiggingCycles.
#include <math.h>
#include <stdlib.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/deposits.h"
#include "tests/validation/rigs/soil/digging.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "which soil is dug", "loam|sand|gravel|topsoil|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"count", 100, 1, 500, "", "cycles", NULL},
    {"radius", 0.05, 0.03, 0.1, "m", "radius of the particles", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { ACTIVE = 10000 };

/// m: how far from where it was put down loose soil may lie in the end: what the bucket pushes aside is heaved up to
/// half a metre beside it, and slides half a metre on.
#define REACH 1.0

static const SiteArea pile_area = {0.0, -15.5, 23.5, 15.5}, pit_area = {-23.5, -15.5, 0.0, 15.5};

typedef struct Cycles {
    DiggingCycles rig;
    SiteSurvey before;
    Deposits deposits;
    int64_t total, most_wrong; ///< quanta: in the beginning, and the largest difference since
    int peak; ///< most particles at once
    double *times; ///< ms a tick took, [times_capacity]
    double *work_times; ///< ms that all threads worked for it
    double *active_times; ///< ms a tick took of those with ACTIVE particles or more
    int time_count, active_count, times_capacity;
} Cycles;

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
    if (soil_get_counters(cycles->rig.soil).particles >= ACTIVE) {
        cycles->active_times[cycles->active_count++] = milliseconds;
    }
}

static void watch(void *context, double milliseconds, double work)
{
    Cycles *cycles = context;
    const Soil *soil = cycles->rig.soil;
    keep_time(cycles, milliseconds, work);
    int particles = soil_get_counters(soil).particles;
    int64_t wrong = llabs(soil_get_ledger(soil).total - cycles->total);
    cycles->peak = particles > cycles->peak ? particles : cycles->peak;
    cycles->most_wrong = wrong > cycles->most_wrong ? wrong : cycles->most_wrong;
    deposits_note(&cycles->deposits, soil);
    deposits_note_tool(&cycles->deposits, soil, &cycles->rig.bucket);
}

static void report(Run *run, Cycles *cycles, const SoilParams *soil)
{
    double bank = deposits_mass(&cycles->deposits, cycles->rig.soil, &pile_area) / soil->bank_density;
    SiteChange pile = site_change(cycles->rig.soil, &cycles->before, &pile_area),
               pit = site_change(cycles->rig.soil, &cycles->before, &pit_area);
    double expected = 1.0 + soil->swell;
    run_result(run, "mass lost or made on any tick", "quanta", (double)cycles->most_wrong, 0.0, 0.0);
    run_result(run, "pile / its volume in the bank", "", (pile.risen - pile.fallen) / bank, expected, 0.01 * expected);
    run_result_between(run, "ground risen where nothing was put", "m",
                       deposits_rise_elsewhere(&cycles->deposits, cycles->rig.soil, &cycles->before, REACH), 0.0, 1e-3);
    run_note(run, "volume of the pile", "m3", pile.risen - pile.fallen);
    run_note(run, "height of the pile", "m", pile.highest);
    run_note(run, "pile / hole left in the pit", "", (pile.risen - pile.fallen) / (pit.fallen - pit.risen));
    run_note(run, "share of it that leaves the bucket there", "", cycles->rig.dumped / cycles->rig.dug);
    run_note(run, "put down at the pile / left the bucket there", "", bank * soil->bank_density / cycles->rig.dumped);
    run_note(run, "most particles at once", "", cycles->peak);
    run_note(run, "particles left in the end", "", soil_get_counters(cycles->rig.soil).particles);
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

/// What the bucket carries from moment to moment, and what its grains have swollen by since the bucket was curled.
static void report_carried(Run *run, const DiggingCycles *rig, const SoilParams *soil)
{
    static const char *const names[DIGGING_MOMENTS] = {"carried when the edge is over the ground",
                                                       "carried when the bucket is curled", "carried when it swings",
                                                       "carried when it is emptied"};
    const DiggingLoad *curled = &rig->carried[DIGGING_CURL_ENDS], *emptied = &rig->carried[DIGGING_DUMPS];
    double count = option_number(run, "count"), full = count * rig->capacity * soil->bank_density / (1.0 + soil->swell);
    for (int moment = 0; moment < DIGGING_MOMENTS; moment++) {
        run_note(run, names[moment], "kg", rig->carried[moment].payload / count);
    }
    run_note(run, "lost from curled to emptied / curled", "", 1.0 - emptied->payload / curled->payload);
    run_note(run, "room of the grains when emptied / when curled", "",
             emptied->solid / emptied->mass / (curled->solid / curled->mass));
    run_note(run, "curled load / heaped capacity of the machine's data", "", curled->payload / full);
}

/// The pile's volume over what its mass was in the bank, while it grows.
static void draw(Run *run, const Cycles *cycles, const SoilParams *soil, int plot)
{
    double bank = deposits_mass(&cycles->deposits, cycles->rig.soil, &pile_area) / soil->bank_density;
    SiteChange pile = site_change(cycles->rig.soil, &cycles->before, &pile_area);
    run_point(run, plot, "measured", bank, pile.risen - pile.fallen);
    run_point(run, plot, "law: 1 + swell", bank, (1.0 + soil->swell) * bank);
}

static bool run_cycles(Run *run)
{
    int count;
    SoilParams soil;
    Cycles cycles = {0};
    option_quick(run, "count", 3);
    if (!option_whole(run, "count", &count) || !run_load_soil(run, option_word(run, "soil"), &soil) ||
        !digging_cycles_create(run, &soil, option_number(run, "radius"), &cycles.rig)) {
        return false;
    }
    cycles.rig.after_tick = watch;
    cycles.rig.context = &cycles;
    cycles.before = site_survey(cycles.rig.soil);
    cycles.deposits = deposits_create(cycles.rig.soil);
    cycles.total = soil_get_ledger(cycles.rig.soil).total;
    int plot = run_plot(run, "The pile swells", "volume of its mass in the bank, m3", "volume of the pile, m3");
    for (int k = 0; k < count; k++) {
        digging_cycles_run(&cycles.rig, k);
        draw(run, &cycles, &soil, plot);
        run_progress(run, (k + 1.0) / count);
    }
    digging_cycles_settle(&cycles.rig);
    draw(run, &cycles, &soil, plot);
    report(run, &cycles, &soil);
    report_carried(run, &cycles.rig, &soil);
    soil_destroy(cycles.rig.soil);
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
