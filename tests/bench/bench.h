/// What the benchmarks share: options, clock and statistics, and the report. Benchmarks run in the main thread, one at
/// a time.
#ifndef SPADEWORK_BENCH_BENCH_H
#define SPADEWORK_BENCH_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "soil/soil_lab.h"

/// The command line of `bench run`.
typedef struct BenchOptions {
    const char *name;
    int n; ///< particles; 0 = the benchmark's own
    int threads; ///< 1..256, as given or one for each processor
    int counted; ///< of scale: threads whose schedule is counted, 1..256; 0 = times are measured
    SoilSolver solver;
    double seconds; ///< simulated seconds that are measured a row; 0 = the benchmark's own
    const char *only; ///< parts of `play`, scenes of `door`, rows of `render`, split by commas; NULL = its own
    bool json;
} BenchOptions;

/// Largest values of `--n`, `--threads` and `--seconds`.
enum { BENCH_MOST_PARTICLES = 400000, BENCH_MOST_THREADS = 256, BENCH_MOST_SECONDS = 3600 };
/// Reads the value of an option, a plain decimal number. False with `status` when it is not one from `low` to `high`.
bool bench_read_number(const char *option, const char *text, double low, double high, bool whole, double *value,
                       Status *status);

/// Wall times of many steps, ms; zero-initialise, free with bench_times_free.
typedef struct BenchTimes {
    double *ms;
    size_t count, capacity;
} BenchTimes;
void bench_times_add(BenchTimes *times, double ms);
void bench_times_free(BenchTimes *times);
/// Value below which `share` (0..1) of the times lie; 0 when there are none. Sorts.
double bench_times_quantile(BenchTimes *times, double share);
double bench_times_median(BenchTimes *times);

double bench_clock_ms(void);

/// One step by the wall clock and by the processors' (all threads together): with one thread, the second is what an
/// idle computer would have taken, however many programs share this one.
typedef struct BenchSample {
    double wall_ms, cpu_ms;
} BenchSample;
BenchSample bench_now(void);
BenchSample bench_since(BenchSample start);

/// Samples of many steps; zero-initialise, free with bench_steps_free.
typedef struct BenchSteps {
    BenchTimes wall, cpu;
} BenchSteps;
void bench_steps_add(BenchSteps *steps, BenchSample sample);
void bench_steps_free(BenchSteps *steps);

/// Bytes of this process that lie in memory now; what was freed has gone back to the system before.
double bench_resident_bytes(void);

/// A column of the table: the key of its value, and how wide it is (negative: to the left).
typedef struct BenchColumn {
    const char *key;
    int width;
} BenchColumn;

/// What a benchmark found: printed as a table while it runs, or as one JSON array at the end.
typedef struct BenchReport {
    const BenchOptions *options;
    json_t *rows;
    const BenchColumn *columns; ///< [column_count] of the table; NULL: those of all rows, and extras behind them
    int column_count;
} BenchReport;

/// Begins a row. `particles` 0: the time a particle has no meaning. The keys of bench_report_extra follow;
/// bench_report_end ends it.
json_t *bench_report_row(BenchReport *report, const char *name, int particles, int threads, const char *solver,
                         BenchTimes *times);
/// The same, with the processors' median as cpu_ms_median.
json_t *bench_report_steps(BenchReport *report, const char *name, int particles, int threads, const char *solver,
                           BenchSteps *steps);
void bench_report_extra(json_t *row, const char *key, double value); ///< NaN: null
void bench_report_bytes(json_t *row, double bytes_per_particle);
void bench_report_end(BenchReport *report, const json_t *row);
/// Prints the rows where they are asked for as JSON, and ends the output. Returns an exit code.
int bench_report_print(const BenchReport *report);
/// Ends the output. Returns an exit code, with a message when it could not be written.
int bench_flush(void);
/// Tells on a terminal what takes long; what and how much of it is done is drawn over at the next call.
void bench_report_progress(const BenchReport *report, const char *what, double done, double whole);
/// Tells on a terminal what takes long.
void bench_report_says(const BenchReport *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *bench_solver_name(SoilSolver solver);
/// Simulated seconds to measure: as asked, else `fallback`; as whole steps of `dt`, at least one.
int bench_step_count(const BenchOptions *options, double fallback, double dt);

/// Frames of the settled heap of 10,000 particles, steps[0], and of the same heap stirred, steps[1], in turn; free both
/// with bench_steps_free (run_soil.c).
bool bench_stir(const BenchOptions *options, BenchReport *report, BenchSteps steps[2], Status *status);

/// One benchmark: writes its rows. False with `status` when it cannot run.
typedef bool BenchRun(const BenchOptions *options, BenchReport *report, Status *status);
BenchRun bench_solve, bench_scale, bench_ode, bench_tick, bench_record, bench_render, bench_window, bench_machine,
    bench_play, bench_door;
/// The rows of `door` for the interface for programs (run_interface.c).
BenchRun bench_interface;

#endif
