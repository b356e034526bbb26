/// Piles of rocks with and without the stacking structure: the same pile, in less time.
///
/// Hsu and Keyser 2010, "Piles of Objects", ACM Trans. Graph. 29(6): examples 1, 2, 3, 5 and 6 with their numbers of
/// objects and their angles, and the speed-ups of table 1. Both simulations are poured and stepped side by side in one
/// run; the speed-up is the ratio of the processor times of their steps. Heaps of the same rocks scatter: means of
/// several. What is dropped when is not printed in the paper; sizes are those of stones that an excavator handles.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/machine/rock_heap.h"

static const ExperimentOption options[] = {
    {"example", 0, 0, 0, "", "which of the paper's examples", "all|1|2|3|5|6"},
    {"pours", OF_THE_FILE, 1, 50, "", "heaps to average, instead of enough for about 700 rocks", NULL},
    {"count", OF_THE_FILE, 10, 4000, "", "rocks, instead of the paper's number", NULL},
    {"friction", 0.6, 0.05, 1.5, "", "between rocks, and on the plane", NULL},
    {"rate", 240, 60, 480, "1/s", "steps", NULL},
    {"interval", 0.1, 0.05, 1, "s", "between rocks", NULL},
    {"settle", 4, 0, 60, "s", "after the last rock", NULL},
    {"tau", 0.5, 0, 1, "", "threshold of the sleep score", NULL},
    {"sleep", 0, 0, 0, "", "rest: rocks that lie still sleep, too; structure: by the structure alone",
     "rest|structure"},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { FULL, PILED, SIDES, MOST_ROCKS = ROCK_MAX_BUDGET };

/// Same pile: of height, radius and volume.
#define ALIKE 0.1
/// m: how far from the middle heaps are measured.
#define REACH 6.0

typedef struct Example {
    const char *name;
    int number, count, pours;
    double angle; ///< deg, of the cones
    double speed_up; ///< table 1
} Example;

static const Example examples[] = {
    {"1 drop in a pile", 1, 400, 2, 45, 6.0}, {"2 varying drops", 2, 140, 5, 30, 2.1},
    {"3 multiple piles", 3, 400, 2, 45, 3.7}, {"5 drop in a line", 5, 400, 2, 45, 2.4},
    {"6 rings in a box", 6, 450, 1, 60, 1.9},
};

typedef struct Contest {
    const Example *example;
    Rocks *rocks[SIDES];
    int count, poured, steps;
    double cpu[SIDES]; ///< s
    double awake[SIDES]; ///< rocks, summed over the steps
    double moved, differed; ///< m: sums of section 4.2.4
    int pours; ///< finished
    double heap[SIDES][4]; ///< sums over the pours: height, peak, radius, volume
    double avalanches;
    int plot_time, plot_awake;
} Contest;

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A box without a lid, 2 x 2 x 1 m inside.
static void build_box(RocksParams *params)
{
    params->obstacle_count = 4;
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? 1.1 : -1.1;
        Vec3 middle = k < 2 ? vec3(side, 0.0, 0.5) : vec3(0.0, side, 0.5);
        rock_heap_make_box(&params->obstacle[k], middle, k < 2 ? vec3(0.2, 2.4, 1.0) : vec3(2.4, 0.2, 1.0));
    }
}

static bool add_piles(Run *run, const Example *example, Rocks *rocks)
{
    Status status;
    bool good = true;
    for (int k = 0; k < 7 && example->number == 5; k++) {
        good = good && rocks_add_pile(rocks, vec3(0.8 * (k - 3), 0.0, 0.0), 0.0, &status);
    }
    if (example->number == 6) {
        good = rocks_add_pile(rocks, vec3(0.0, 0.0, 0.0), 1.0, &status);
    }
    if (!good) {
        run_fail(run, "%s", status.text);
    }
    return good;
}

static bool contest_create(Run *run, Contest *self, const Example *example)
{
    double count = option_number(run, "count");
    self->example = example;
    self->count = isnan(count) ? example->count : (int)count;
    self->poured = 0;
    static RocksParams params; // large; written anew each time
    for (int side = 0; side < SIDES; side++) {
        rocks_default(&params);
        params.budget = self->count;
        params.friction = option_number(run, "friction");
        params.shape_count = 2;
        rock_heap_make_l(&params.shape[0], 0.4, 0.15);
        rock_heap_make_ring(&params.shape[1], 0.2, 0.12, 0.1);
        params.sleep.piles = side == PILED;
        params.sleep.rest = side == PILED && strcmp(option_word(run, "sleep"), "rest") == 0;
        params.sleep.threshold = option_number(run, "tau");
        params.sleep.repose_slope = tan(example->angle * M_PI / 180.0);
        if (example->number == 6) {
            build_box(&params);
        }
        Status status;
        self->rocks[side] = rocks_create(&params, &status);
        if (self->rocks[side] == NULL) {
            run_fail(run, "%s", status.text);
            return false;
        }
        if (!add_piles(run, example, self->rocks[side])) {
            return false;
        }
    }
    return true;
}

static void contest_destroy(Contest *self)
{
    for (int side = 0; side < SIDES; side++) {
        rocks_destroy(self->rocks[side]);
        self->rocks[side] = NULL;
    }
}

// Where and how fast the k-th rock starts.
static void aim(Run *run, const Contest *self, int k, int *shape, Vec3 *position, Vec3 *velocity)
{
    double share = (double)k / self->count, jitter = 0.15;
    *shape = 0;
    *position = vec3(jitter * (2.0 * run_random(run) - 1.0), jitter * (2.0 * run_random(run) - 1.0), 3.5);
    *velocity = vec3(0.0, 0.0, -4.0);
    switch (self->example->number) {
    case 2: // two strings, 25 degrees and more off the vertical, from two sides
        position->x += share < 0.5 ? -2.0 : 1.0;
        position->y += share < 0.5 ? 0.0 : 1.5;
        *velocity = share < 0.5 ? vec3(3.0, 0.0, -3.0) : vec3(-1.5, -2.2, -3.0);
        break;
    case 3: // L and O at two places in turn
        *shape = k % 2;
        position->x += k % 2 ? 1.0 : -1.0;
        break;
    case 5: // back and forth along a line, four times
        position->x += 2.4 * (2.0 * fabs(fmod(4.0 * share, 2.0) - 1.0) - 1.0);
        break;
    case 6:
        *shape = 1;
        break;
    default:
        break;
    }
}

static bool pour(Run *run, Contest *self)
{
    int shape;
    Vec3 position, velocity;
    aim(run, self, self->poured, &shape, &position, &velocity);
    Quat turn = rock_heap_random_turn(run);
    for (int side = 0; side < SIDES; side++) {
        Status status;
        if (rocks_add(self->rocks[side], shape, position, turn, velocity, vec3(0.0, 0.0, 0.0), &status) < 0) {
            run_fail(run, "%s", status.text);
            return false;
        }
    }
    self->poured++;
    return true;
}

static void step(Contest *self, double dt)
{
    static Vec3 before[SIDES][MOST_ROCKS];
    RockView view;
    for (int side = 0; side < SIDES; side++) {
        for (int i = 0; i < self->poured; i++) {
            before[side][i] = rocks_get(self->rocks[side], i, &view) ? view.motion.frame.position : vec3(0.0, 0.0, 0.0);
        }
        double start = cpu_now();
        rocks_step(self->rocks[side], NULL, NULL, dt);
        self->cpu[side] += cpu_now() - start;
        self->awake[side] += rocks_get_counters(self->rocks[side]).awake;
    }
    // Section 4.2.4, as a ratio of sums: rocks at rest would divide by nothing.
    for (int i = 0; i < self->poured; i++) {
        Vec3 motion[SIDES];
        for (int side = 0; side < SIDES; side++) {
            rocks_get(self->rocks[side], i, &view);
            motion[side] = vec3_sub(view.motion.frame.position, before[side][i]);
        }
        self->moved += vec3_length(motion[FULL]);
        self->differed += vec3_length(vec3_sub(motion[FULL], motion[PILED]));
    }
    self->steps++;
}

static void plot(Run *run, const Contest *self, double t)
{
    for (int side = 0; side < SIDES; side++) {
        const char *name = side == FULL ? "without structure" : "with structure";
        RocksCounters counters = rocks_get_counters(self->rocks[side]);
        run_point(run, self->plot_time, name, t, 1e3 * self->cpu[side] / self->steps);
        run_point(run, self->plot_awake, name, t, counters.awake);
    }
}

static void measure(Contest *self)
{
    for (int side = 0; side < SIDES; side++) {
        RockHeap heap = rock_heap_measure(self->rocks[side], self->count, REACH);
        const double figures[] = {heap.height, heap.peak, heap.radius, heap.volume};
        for (int k = 0; k < 4; k++) {
            self->heap[side][k] += figures[k];
        }
    }
    self->avalanches += (double)rocks_get_counters(self->rocks[PILED]).avalanches;
    self->pours++;
}

static void judge(Run *run, const Contest *self)
{
    char name[96];
    const char *example = self->example->name;
    static const char *const quantities[] = {"height", "peak", "radius", "volume"};
    static const char *const units[] = {"m", "m", "m", "m3"};
    for (int side = 0; side < SIDES; side++) {
        const char *which = side == FULL ? "without" : "with";
        for (int k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s, %s: %s", example, which, quantities[k]);
            run_note(run, name, units[k], self->heap[side][k] / self->pours);
        }
        snprintf(name, sizeof name, "%s, %s: rocks awake, mean", example, which);
        run_note(run, name, "", self->awake[side] / self->steps);
        snprintf(name, sizeof name, "%s, %s: time of a step", example, which);
        run_note(run, name, "ms", 1e3 * self->cpu[side] / self->steps);
    }
    for (int k = 0; k < 4; k++) {
        double ratio = self->heap[PILED][k] / self->heap[FULL][k];
        snprintf(name, sizeof name, "%s: %s, with / without", example, quantities[k]);
        if (k == 1 || run_quick(run)) { // a few rocks at the peak say little, and so does a small heap
            run_note(run, name, "", ratio);
        } else {
            run_result(run, name, "", ratio, 1.0, ALIKE);
        }
    }
    snprintf(name, sizeof name, "%s: avalanches", example);
    run_note(run, name, "", self->avalanches / self->pours);
    snprintf(name, sizeof name, "%s: difference in motion / motion (section 4.2.4)", example);
    run_note(run, name, "", self->differed / self->moved);
    snprintf(name, sizeof name, "%s: speed-up", example);
    // The table is for its number of rocks.
    double least = self->count == self->example->count ? self->example->speed_up : 1.0;
    run_result_least(run, name, "", self->cpu[FULL] / self->cpu[PILED], least);
}

static bool pour_heap(Run *run, Contest *self, double from, double to)
{
    double dt = 1.0 / option_number(run, "rate"), interval = option_number(run, "interval");
    int steps = (int)((self->count * interval + option_number(run, "settle")) / dt);
    for (int k = 0; k < steps; k++) {
        if (self->poured < self->count && k * dt >= self->poured * interval && !pour(run, self)) {
            return false;
        }
        step(self, dt);
        if (k % 120 == 119 && self->pours == 0) {
            plot(run, self, (k + 1) * dt);
        }
        run_progress(run, from + (to - from) * k / steps);
    }
    measure(self);
    return true;
}

static bool run_example(Run *run, const Example *example, double from, double to)
{
    Contest contest = {.example = example};
    char title[96];
    snprintf(title, sizeof title, "%s: processor time of a step, mean so far", example->name);
    contest.plot_time = run_plot(run, title, "time (s)", "ms");
    snprintf(title, sizeof title, "%s: rocks awake", example->name);
    contest.plot_awake = run_plot(run, title, "time (s)", "rocks");
    double pours = option_number(run, "pours");
    int wanted = isnan(pours) ? example->pours : (int)pours;
    bool good = true;
    for (int k = 0; k < wanted && good; k++) {
        double start = from + (to - from) * k / wanted;
        good = contest_create(run, &contest, example) && pour_heap(run, &contest, start, start + (to - from) / wanted);
        contest_destroy(&contest);
    }
    if (good) {
        judge(run, &contest);
    }
    return good;
}

static bool run_piles(Run *run)
{
    const char *word = option_word(run, "example");
    option_quick(run, "count", 60);
    option_quick(run, "pours", 1);
    int total = (int)(sizeof examples / sizeof examples[0]);
    for (int k = 0; k < total; k++) {
        bool all = strcmp(word, "all") == 0, first = all && run_quick(run) ? k == 0 : all;
        if (first || word[0] == examples[k].name[0]) {
            double from = all ? (double)k / total : 0.0;
            if (!run_example(run, &examples[k], from, all ? (k + 1.0) / total : 1.0)) {
                return false;
            }
        }
    }
    return true;
}

const Experiment experiment_piles = {
    .name = "piles",
    .title = "piles of rocks with the stacking structure and without",
    .law = "Hsu and Keyser 2010 (ACM Trans. Graph. 29(6)), table 1: speed-ups; the same pile within 10 %",
    .options = options,
    .run = run_piles,
    .paper_only = true, // rocks, no soil
};
