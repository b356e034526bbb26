/// The soil solver alone: a settled pile, the same pile stirred, and growth with the number of particles.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/pile.h"

enum { WARM_FRAMES = 60, SOLVE_PARTICLES = 10000, BLOCK_FRAMES = 10 };

#define SOLVE_SECONDS  5.0
#define SCALE_SECONDS  1.0
#define COUNTED_SUFFIX "-counted" ///< of the name of the program that counts
#define FRAME          (1.0 / 60.0) ///< s

/// Two soils in the same state, stepped in turn, so that what disturbs the computer disturbs both.
typedef struct Pair {
    const Pile *pile;
    SceneParams scene;
    int threads[2]; ///< 1, and as asked
    int count; ///< 1 when one thread was asked for
    Soil *soil[2];
    BenchSteps steps[2];
    int rebuilt[2]; ///< of the measured frames, those that made the neighbour lists anew
} Pair;

static bool pair_create(Pair *pair, const Pile *pile, const BenchOptions *options, Status *status)
{
    *pair = (Pair){.pile = pile, .scene = pile_scene(pile, options->solver), .threads = {options->threads, 1}};
    pair->count = options->threads > 1 ? 2 : 1;
    for (int k = 0; k < pair->count; k++) {
        pair->soil[k] = pile_soil(pile, options->solver, pair->threads[k], status);
        if (pair->soil[k] == NULL) {
            return false;
        }
    }
    return true;
}

static void pair_destroy(Pair *pair)
{
    for (int k = 0; k < pair->count; k++) {
        soil_destroy(pair->soil[k]);
        bench_steps_free(&pair->steps[k]);
    }
}

/// Frames `block` to `block` + BLOCK_FRAMES of each soil; those before frame 0 do not count.
static void pair_block(Pair *pair, int block, int frames, bool stirred)
{
    ToolShape shape = pile_stirrer_shape();
    for (int k = 0; k < pair->count; k++) {
        for (int frame = block; frame < block + BLOCK_FRAMES && frame < frames; frame++) {
            SoilTool tool = pile_stirrer(&shape, (frame + WARM_FRAMES) * FRAME);
            BenchSample sample = pile_frame(pair->soil[k], &pair->scene, &tool, stirred ? 1 : 0);
            if (frame >= 0) {
                bench_steps_add(&pair->steps[k], sample);
                pair->rebuilt[k] += soil_get_counters(pair->soil[k]).lists > 0;
            }
        }
    }
}

/// Blocks of frames in turn: a block is short beside what disturbs a computer, and long enough to have the caches to
/// itself.
static void pair_run(Pair *pair, int frames, bool stirred)
{
    for (int block = -WARM_FRAMES; block < frames; block += BLOCK_FRAMES) {
        pair_block(pair, block, frames, stirred);
    }
}

/// Root mean square of the speeds, m/s: says whether the pile was at rest.
static double rms_speed(const Soil *soil)
{
    SoilParticleView view = soil_get_particles(soil);
    double sum = 0.0;
    for (int i = 0; i < view.count; i++) {
        sum += view.vx[i] * view.vx[i] + view.vy[i] * view.vy[i] + view.vz[i] * view.vz[i];
    }
    return view.count > 0 ? sqrt(sum / view.count) : 0.0;
}

static void pair_report(Pair *pair, const char *name, const BenchOptions *options, BenchReport *report)
{
    int n = pair->pile->n;
    for (int k = 0; k < pair->count; k++) {
        json_t *row =
            bench_report_steps(report, name, n, pair->threads[k], bench_solver_name(options->solver), &pair->steps[k]);
        bench_report_bytes(row, pair->pile->bytes / n);
        bench_report_extra(row, "contacts_per_particle", (double)soil_get_counters(pair->soil[k]).contacts / n);
        if (options->solver == SOIL_SOLVER_DEFAULT) { // the published solvers do not count it
            bench_report_extra(row, "rebuilt_share", pair->rebuilt[k] / (double)pair->steps[k].wall.count);
        }
        bench_report_extra(row, "rms_speed", rms_speed(pair->soil[k]));
        if (pair->count == 2 && k == 0) {
            bench_report_extra(row, "speed_up",
                               bench_times_median(&pair->steps[1].wall) / bench_times_median(&pair->steps[0].wall));
        }
        bench_report_end(report, row);
    }
}

static bool solve(const char *name, bool stirred, const Pile *pile, const BenchOptions *options, BenchReport *report,
                  Status *status)
{
    Pair pair;
    bool good = pair_create(&pair, pile, options, status);
    if (good) {
        pair_run(&pair, bench_step_count(options, SOLVE_SECONDS, FRAME), stirred);
        pair_report(&pair, name, options, report);
    }
    pair_destroy(&pair);
    return good;
}

bool bench_solve(const BenchOptions *options, BenchReport *report, Status *status)
{
    Pile pile;
    int n = options->n > 0 ? options->n : SOLVE_PARTICLES;
    bool good = pile_make(&pile, PILE_HEAP, n, options->threads, report, status) &&
                solve("solve", false, &pile, options, report, status) &&
                solve("solve-moving", true, &pile, options, report, status);
    pile_free(&pile);
    return good;
}

bool bench_stir(const BenchOptions *options, BenchReport *report, BenchSteps steps[2], Status *status)
{
    Pile pile;
    Pair pairs[2] = {{0}};
    bool good = pile_make(&pile, PILE_HEAP, SOLVE_PARTICLES, options->threads, report, status);
    for (int k = 0; good && k < 2; k++) {
        good = pair_create(&pairs[k], &pile, options, status);
        pairs[k].count = 1; // as many threads as asked for
    }
    int frames = bench_step_count(options, SOLVE_SECONDS, FRAME);
    for (int block = -WARM_FRAMES; good && block < frames; block += BLOCK_FRAMES) {
        pair_block(&pairs[0], block, frames, false);
        pair_block(&pairs[1], block, frames, true);
    }
    for (int k = 0; k < 2; k++) {
        steps[k] = pairs[k].steps[0];
        pairs[k].steps[0] = (BenchSteps){.wall = {0}};
        pair_destroy(&pairs[k]);
    }
    pile_free(&pile);
    return good;
}

static const int sizes[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000};
enum { SIZES = sizeof sizes / sizeof sizes[0], REFERENCE = 10000 };

/// Blocks of frames of this size and of the reference in turn: the ratio is taken between neighbours in time, and each
/// block warms its own caches.
static void run_blocks(Pair *pair, Pair *reference, int frames)
{
    for (int done = 0; done < frames; done += BLOCK_FRAMES) {
        for (int k = 0; k < BLOCK_FRAMES; k++) {
            for (int t = 0; t < pair->count; t++) {
                bench_steps_add(&pair->steps[t], pile_frame(pair->soil[t], &pair->scene, NULL, 0));
                pair->rebuilt[t] += soil_get_counters(pair->soil[t]).lists > 0;
            }
        }
        for (int k = 0; reference != NULL && k < BLOCK_FRAMES; k++) {
            for (int t = 0; t < reference->count; t++) {
                bench_steps_add(&reference->steps[t], pile_frame(reference->soil[t], &reference->scene, NULL, 0));
            }
        }
    }
}

/// Time a particle over that of the reference; null without one.
static void report_ratio(json_t *row, const char *key, BenchTimes *times, int n, BenchTimes *reference)
{
    double ratio = (double)NAN;
    if (reference != NULL) {
        ratio = bench_times_median(times) / n / (bench_times_median(reference) / REFERENCE);
    }
    bench_report_extra(row, key, ratio);
}

static void report_size(Pair *pair, Pair *reference, const BenchOptions *options, BenchReport *report)
{
    int n = pair->pile->n;
    for (int k = 0; k < pair->count; k++) {
        json_t *row = bench_report_steps(report, "scale", n, pair->threads[k], bench_solver_name(options->solver),
                                         &pair->steps[k]);
        bench_report_bytes(row, pair->pile->bytes / n);
        bench_report_extra(row, "bytes_without_site", (pair->pile->bytes - pair->pile->bytes_empty) / n);
        bench_report_extra(row, "contacts_per_particle", (double)soil_get_counters(pair->soil[k]).contacts / n);
        if (options->solver == SOIL_SOLVER_DEFAULT) {
            bench_report_extra(row, "rebuilt_share", pair->rebuilt[k] / (double)pair->steps[k].wall.count);
        }
        report_ratio(row, "ratio_to_10000", &pair->steps[k].wall, n,
                     reference != NULL ? &reference->steps[k].wall : NULL);
        report_ratio(row, "cpu_ratio_to_10000", &pair->steps[k].cpu, n,
                     reference != NULL ? &reference->steps[k].cpu : NULL);
        if (pair->count == 2 && k == 0) {
            bench_report_extra(row, "speed_up",
                               bench_times_median(&pair->steps[1].wall) / bench_times_median(&pair->steps[0].wall));
        }
        bench_report_end(report, row);
    }
}

/// One size, beside the reference (NULL: there is none).
static bool scale_one(int n, const Pile *reference, const BenchOptions *options, BenchReport *report, Status *status)
{
    Pile pile;
    Pair pair = {0}, other = {0};
    bool good = pile_make(&pile, PILE_BED, n, options->threads, report, status) &&
                pair_create(&pair, &pile, options, status) &&
                (reference == NULL || pair_create(&other, reference, options, status));
    if (good) {
        pair_run(&pair, 0, false); // warms
        if (reference != NULL) {
            pair_run(&other, 0, false);
        }
        bench_report_says(report, "measuring %d particles", n);
        run_blocks(&pair, reference != NULL ? &other : NULL, bench_step_count(options, SCALE_SECONDS, FRAME));
        report_size(&pair, reference != NULL ? &other : NULL, options, report);
    }
    pair_destroy(&pair);
    pair_destroy(&other);
    pile_free(&pile);
    return good;
}

/// Becomes the program beside this one whose soil is compiled to count (counted/). Returns only when that fails.
static bool count_threads(const BenchOptions *options, Status *status)
{
    char path[4096], n[16], threads[16], seconds[32];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof COUNTED_SUFFIX);
    if (length <= 0) {
        return status_fail(status, STATUS_LACKING, "/proc/self/exe: %s", strerror(errno));
    }
    memcpy(path + length, COUNTED_SUFFIX, sizeof COUNTED_SUFFIX);
    snprintf(n, sizeof n, "%d", options->n);
    snprintf(threads, sizeof threads, "%d", options->counted);
    snprintf(seconds, sizeof seconds, "%.6f", options->seconds);
    execv(path, (char *[]){path, n, threads, seconds, options->json ? "json" : "table", NULL});
    return status_fail(status, STATUS_LACKING,
                       "--threads-counted: %.200s: %s; it is built by gcc for x86-64 where objdump is installed", path,
                       strerror(errno));
}

bool bench_scale(const BenchOptions *options, BenchReport *report, Status *status)
{
    if (options->counted > 0) {
        return count_threads(options, status);
    }
    int largest = options->n > 0 ? options->n : sizes[SIZES - 1];
    Pile reference = {0};
    bool compared = largest >= REFERENCE;
    bool good = !compared || pile_make(&reference, PILE_BED, REFERENCE, options->threads, report, status);
    for (int k = 0; good && k < SIZES && (k == 0 || sizes[k] <= largest); k++) {
        int n = sizes[k] < largest ? sizes[k] : largest;
        good = scale_one(n, compared ? &reference : NULL, options, report, status);
    }
    pile_free(&reference);
    return good;
}
