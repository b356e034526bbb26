/// The whole session: the shipped trench dug by the scripted operator, with and without a recording.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/pile.h"
#include "tests/bench/trench.h"
#include "trainer/record/record.h"

#define TICK_SECONDS 30.0
#define WARM_SECONDS 4.0 ///< until the bucket is in the ground

bool trench_create(Trench *trench, const BenchOptions *options, Status *status)
{
    *trench = (Trench){0};
    char budget[48];
    snprintf(budget, sizeof budget, "particles.budget=%d", options->n + 20000);
    const char *const set[] = {budget, "particles.persistent=yes"};
    SessionParams params = {.scene = "trench",
                            .set = set,
                            .set_count = options->n > 0 ? 2 : 0,
                            .solver = options->solver,
                            .threads = options->threads};
    trench->session = session_create(&params, status);
    if (trench->session == NULL) {
        return false;
    }
    const Vec3 aside = {8.0, 8.0, 0.05}; // where neither machine nor trench nor dump are
    if (options->n > 0 && !pile_add(session_soil(trench->session), session_scene(trench->session), PILE_HEAP,
                                    options->n, aside, status)) {
        return false;
    }
    trench->pilot = autopilot_create(trench->session);
    return trench->pilot != NULL || status_fail(status, STATUS_LACKING, "out of memory for the operator");
}

void trench_destroy(Trench *trench)
{
    autopilot_destroy(trench->pilot);
    session_destroy(trench->session);
}

void trench_tick(Trench *trench)
{
    OperatorControls controls;
    autopilot_controls(trench->pilot, trench->session, &controls);
    session_tick(trench->session, &controls);
}

int trench_warm_ticks(const Trench *trench)
{
    return (int)(WARM_SECONDS / session_dt(trench->session));
}

/// What is measured of each tick.
typedef struct TickTimes {
    BenchTimes tick, soil, machine, particles, record, both;
    double rebuilt, looked,
        late; ///< sums: ticks that made the neighbour lists anew; particles looked for in the others
} TickTimes;

static void tick_times_free(TickTimes *times)
{
    bench_times_free(&times->tick);
    bench_times_free(&times->soil);
    bench_times_free(&times->machine);
    bench_times_free(&times->particles);
    bench_times_free(&times->record);
    bench_times_free(&times->both);
}

static void note_tick(TickTimes *times, const SessionFrame *frame, double record_ms)
{
    bench_times_add(&times->tick, frame->tick_ms);
    bench_times_add(&times->soil, frame->soil_ms);
    bench_times_add(&times->machine, frame->machine_ms);
    bench_times_add(&times->particles, frame->counters.particles);
    bench_times_add(&times->record, record_ms);
    bench_times_add(&times->both, frame->tick_ms + record_ms);
    times->rebuilt += frame->counters.lists > 0;
    times->looked += frame->counters.looked;
    times->late += frame->counters.late;
}

/// `recorder` may be NULL.
static bool run_trench(Trench *trench, const BenchOptions *options, Recorder *recorder, TickTimes *times,
                       Status *status)
{
    int ticks = bench_step_count(options, TICK_SECONDS, session_dt(trench->session)), warm = trench_warm_ticks(trench);
    for (int k = -warm; k < ticks; k++) {
        trench_tick(trench);
        double before = bench_clock_ms();
        if (recorder != NULL && !recorder_tick(recorder, trench->session, status)) {
            return false;
        }
        if (k >= 0) {
            note_tick(times, session_frame(trench->session), bench_clock_ms() - before);
        }
    }
    return true;
}

static json_t *tick_row(BenchReport *report, const char *name, const BenchOptions *options, TickTimes *times,
                        BenchTimes *measured)
{
    json_t *row = bench_report_row(report, name, (int)bench_times_median(&times->particles), options->threads,
                                   bench_solver_name(options->solver), measured);
    bench_report_extra(row, "particles_peak", bench_times_quantile(&times->particles, 1.0));
    bench_report_extra(row, "ms_max", bench_times_quantile(measured, 1.0));
    return row;
}

static void report_tick(BenchReport *report, const BenchOptions *options, TickTimes *times)
{
    json_t *row = tick_row(report, "tick", options, times, &times->tick);
    bench_report_extra(row, "soil_ms", bench_times_median(&times->soil));
    bench_report_extra(row, "machine_ms", bench_times_median(&times->machine));
    double ticks = times->tick.count > 0 ? (double)times->tick.count : 1.0;
    bench_report_extra(row, "rebuilt_share", times->rebuilt / ticks);
    bench_report_extra(row, "looked_mean", times->looked / ticks);
    bench_report_extra(row, "late_mean", times->late / ticks);
    bench_report_end(report, row);
}

bool bench_tick(const BenchOptions *options, BenchReport *report, Status *status)
{
    Trench trench;
    TickTimes times = {0};
    bench_report_says(report, "digging");
    bool good = trench_create(&trench, options, status) && run_trench(&trench, options, NULL, &times, status);
    if (good) {
        report_tick(report, options, &times);
    }
    tick_times_free(&times);
    trench_destroy(&trench);
    return good;
}

/// Records into `path`, and tells the ticks with and without the recording.
static bool record_trench(const char *path, const BenchOptions *options, BenchReport *report, Status *status)
{
    Trench trench;
    TickTimes times = {0};
    Recorder *recorder = NULL;
    if (trench_create(&trench, options, status)) {
        RecorderParams params = {.path = path, .operator_name = "auto"};
        recorder = recorder_create(&params, trench.session, status);
    }
    bool good = recorder != NULL && run_trench(&trench, options, recorder, &times, status);
    double seconds = trench.session != NULL ? session_frame(trench.session)->time : 0.0;
    Status later;
    if (recorder != NULL && !recorder_close(recorder, trench.session, &later) && good) {
        *status = later;
        good = false;
    }
    struct stat info;
    if (good && stat(path, &info) == 0) {
        report_tick(report, options, &times);
        json_t *row = tick_row(report, "record", options, &times, &times.both);
        bench_report_extra(row, "ratio_to_tick", bench_times_median(&times.both) / bench_times_median(&times.tick));
        bench_report_extra(row, "record_ms_median", bench_times_median(&times.record));
        bench_report_extra(row, "record_ms_p99", bench_times_quantile(&times.record, 0.99));
        bench_report_extra(row, "bytes_per_second", (double)info.st_size / seconds);
        bench_report_end(report, row);
    }
    tick_times_free(&times);
    trench_destroy(&trench);
    return good;
}

bool bench_record(const BenchOptions *options, BenchReport *report, Status *status)
{
    const char *where = getenv("TMPDIR");
    char folder[512], path[544];
    snprintf(folder, sizeof folder, "%.480s/bench-XXXXXX", where != NULL && where[0] != '\0' ? where : "/tmp");
    if (mkdtemp(folder) == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: cannot be made: %s", folder, strerror(errno));
    }
    snprintf(path, sizeof path, "%s/bench.spade", folder);
    bench_report_says(report, "digging and recording");
    bool good = record_trench(path, options, report, status);
    unlink(path);
    rmdir(folder);
    return good;
}
