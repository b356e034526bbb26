/// `bench-counted`: the length of a stirred heap's ticks on so many threads, counted in instructions. `bench run scale
/// --threads-counted` starts it: its soil is compiled to count (counted_team.h), which nothing that is timed may be.
// Memory that a process shares with those that it starts is no part of POSIX.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/counted/counted_kernel.h"
#include "tests/bench/counted/counted_team.h"
#include "tests/bench/pile.h"

enum { WARM_FRAMES = 60, MOST_STAGES = 128 };
static const int sizes[] = {10000, 100000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

#define COUNTED_SECONDS 0.5 ///< of the heap that is stirred

/// What the frames of one number of members come to.
typedef struct Count {
    uint64_t length; ///< instructions, of all frames
    uint64_t alone; ///< of those, outside the team's runs
    uint64_t hash; ///< of the soil after them
    int stages;
    CountedStage stage[MOST_STAGES];
} Count;

/// Frames [first, end) of the heap as `bench run solve` stirs it.
static void stir(Soil *soil, const SceneParams *scene, int first, int end)
{
    ToolShape shape = pile_stirrer_shape();
    for (int frame = first; frame < end; frame++) {
        SoilTool tool = pile_stirrer(&shape, frame / (double)scene->rates.tick_rate);
        pile_frame(soil, scene, &tool, 1);
    }
}

static void visit_soil(void *subject, StateVisitor *visitor)
{
    soil_visit(subject, visitor);
}

static void count_frames(Soil *soil, const SceneParams *scene, int members, int frames, Count *count)
{
    counted_set_members(members);
    uint64_t start = counted_clock(), alone = counted_alone();
    stir(soil, scene, WARM_FRAMES, WARM_FRAMES + frames);
    count->length = counted_clock() - start;
    count->alone = counted_alone() - alone;
    count->hash = state_hash_visit(visit_soil, soil);
    const CountedStage *stage = counted_stages(&count->stages);
    count->stages = count->stages < MOST_STAGES ? count->stages : MOST_STAGES;
    memcpy(count->stage, stage, (size_t)count->stages * sizeof *stage);
}

/// Counts in a process of its own, so that all numbers of members start from the same memory. `count` is shared.
static bool count_apart(Soil *soil, const SceneParams *scene, int members, int frames, Count *count, Status *status)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        count_frames(soil, scene, members, frames, count);
        _exit(0);
    }
    int ended = 0;
    bool good = child > 0 && waitpid(child, &ended, 0) == child && ended == 0;
    return good || status_fail(status, STATUS_LACKING, "the process that counts for %d threads has failed", members);
}

/// What lies between two waits for all: its length, and the work of all members in it.
static json_t *list_stages(const Count *count, int frames)
{
    json_t *list = json_array();
    for (int k = 0; k < count->stages; k++) {
        const CountedStage *stage = &count->stage[k];
        json_t *row = json_object();
        json_object_set_new(row, "function", json_string(stage->function)); // its memory is this process's, too
        json_object_set_new(row, "part", json_integer(stage->part + 1));
        json_object_set_new(row, "of", json_integer(stage->parts));
        json_object_set_new(row, "runs_a_tick", json_real((double)stage->runs / frames));
        json_object_set_new(row, "length_a_tick", json_real((double)stage->length / frames));
        json_object_set_new(row, "work_a_tick", json_real((double)stage->work / frames));
        json_array_append_new(list, row);
    }
    return list;
}

static void report_count(BenchReport *report, int n, int members, int frames, const Count *count, double single)
{
    BenchTimes none = {0};
    json_t *row = bench_report_row(report, "scale-counted", n, members, "default", &none);
    bench_report_extra(row, "instructions_a_tick", (double)count->length / frames);
    bench_report_extra(row, "alone_share", (double)count->alone / single);
    bench_report_extra(row, "speed_up_counted", single / (double)count->length);
    json_object_set_new(row, "stages", list_stages(count, frames));
    bench_report_end(report, row);
}

/// 1, 2, 4 and so on up to `most`, which is the last.
static int next_members(int members, int most)
{
    return members == most ? most + 1 : 2 * members < most ? 2 * members : most;
}

static bool count_size(int n, const BenchOptions *options, BenchReport *report, Status *status)
{
    Pile pile;
    int frames = bench_step_count(options, COUNTED_SECONDS, 1.0 / 60.0);
    counted_set_members(1);
    bool good = pile_make(&pile, PILE_HEAP, n, options->counted, report, status);
    Soil *soil = good ? pile_soil(&pile, SOIL_SOLVER_DEFAULT, options->counted, status) : NULL;
    good = soil != NULL;
    if (good && !counted_kernel_use(soil)) {
        good = status_fail(status, STATUS_LACKING, "--threads-counted: this processor has no AVX2");
    }
    if (good) {
        stir(soil, &pile.scene, 0, WARM_FRAMES);
    }
    Count *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (good && count == MAP_FAILED) {
        good = status_fail(status, STATUS_LACKING, "memory: %s", strerror(errno));
    }
    uint64_t single = 0, hash = 0;
    for (int members = 1; good && members <= options->counted; members = next_members(members, options->counted)) {
        good = count_apart(soil, &pile.scene, members, frames, count, status);
        single = members == 1 ? count->length : single;
        hash = members == 1 ? count->hash : hash;
        if (good && count->hash != hash) {
            good = status_fail(status, STATUS_NOT_VERIFIED, "%d threads come to another state than one", members);
        }
        if (good) {
            report_count(report, n, members, frames, count, (double)single);
        }
    }
    if (count != MAP_FAILED) {
        munmap(count, sizeof *count);
    }
    if (soil != NULL) {
        soil_destroy(soil);
    }
    pile_free(&pile);
    return good;
}

/// `bench-counted N THREADS SECONDS table|json`, as bench_scale writes them; 0: not given.
static bool read_arguments(int argc, char **argv, BenchOptions *options, Status *status)
{
    double n, threads;
    if (argc != 5 || (strcmp(argv[4], "table") != 0 && strcmp(argv[4], "json") != 0)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "N THREADS SECONDS table|json is expected: it is started by "
                           "bench run scale --threads-counted");
    }
    *options = (BenchOptions){.name = "scale", .json = strcmp(argv[4], "json") == 0};
    bool good = bench_read_number("N", argv[1], 0, BENCH_MOST_PARTICLES, true, &n, status) &&
                bench_read_number("THREADS", argv[2], 1, BENCH_MOST_THREADS, true, &threads, status) &&
                bench_read_number("SECONDS", argv[3], 0, BENCH_MOST_SECONDS, false, &options->seconds, status);
    options->n = good ? (int)n : 0;
    options->counted = good ? (int)threads : 0;
    return good;
}

int main(int argc, char **argv)
{
    Status status = {STATUS_GOOD, ""};
    BenchOptions options = {.name = "scale"};
    static const BenchColumn columns[] = {{"name", -13},       {"n", 7},
                                          {"threads", 7},      {"instructions_a_tick", 19},
                                          {"alone_share", 11}, {"speed_up_counted", 16}};
    BenchReport report = {.options = &options,
                          .rows = json_array(),
                          .columns = columns,
                          .column_count = sizeof columns / sizeof columns[0]};
    bool good = read_arguments(argc, argv, &options, &status) && counted_load(&status);
    for (int k = 0; good && k < (options.n > 0 ? 1 : SIZES); k++) {
        good = count_size(options.n > 0 ? options.n : sizes[k], &options, &report, &status);
    }
    int written = good && options.json ? bench_report_print(&report) : STATUS_GOOD;
    json_decref(report.rows);
    if (!good) {
        fprintf(stderr, "bench: %s\n", status.text);
    }
    return good ? written : (int)status.code;
}
