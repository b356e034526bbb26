/// Takes times and writes the report of the benchmarks. A step is timed by the wall clock and by the processors' clock;
/// medians and p99 are read from the sorted times; rows go to a table for people or to JSON for programs, with the same
/// keys. Memory is what the system says is resident (/proc/self/statm).
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/bench.h"

void bench_times_add(BenchTimes *times, double ms)
{
    if (times->count == times->capacity) {
        times->capacity = times->capacity > 0 ? 2 * times->capacity : 256;
        times->ms = realloc(times->ms, times->capacity * sizeof *times->ms);
        if (times->ms == NULL) {
            abort();
        }
    }
    times->ms[times->count++] = ms;
}

void bench_times_free(BenchTimes *times)
{
    free(times->ms);
    *times = (BenchTimes){0};
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_times_quantile(BenchTimes *times, double share)
{
    if (times->count == 0) {
        return 0.0;
    }
    qsort(times->ms, times->count, sizeof *times->ms, compare_doubles);
    return times->ms[(size_t)((double)(times->count - 1) * share)];
}

double bench_times_median(BenchTimes *times)
{
    return bench_times_quantile(times, 0.5);
}

double bench_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

BenchSample bench_now(void)
{
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return (BenchSample){bench_clock_ms(), (double)cpu.tv_sec * 1e3 + (double)cpu.tv_nsec * 1e-6};
}

BenchSample bench_since(BenchSample start)
{
    BenchSample now = bench_now();
    return (BenchSample){now.wall_ms - start.wall_ms, now.cpu_ms - start.cpu_ms};
}

void bench_steps_add(BenchSteps *steps, BenchSample sample)
{
    bench_times_add(&steps->wall, sample.wall_ms);
    bench_times_add(&steps->cpu, sample.cpu_ms);
}

void bench_steps_free(BenchSteps *steps)
{
    bench_times_free(&steps->wall);
    bench_times_free(&steps->cpu);
}

double bench_resident_bytes(void)
{
    malloc_trim(0);
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%*s %ld", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

const char *bench_solver_name(SoilSolver solver)
{
    static const char *const names[] = {
        [SOIL_SOLVER_DEFAULT] = "default", [SOIL_SOLVER_P2] = "p2", [SOIL_SOLVER_GS] = "gs"};
    return names[solver];
}

int bench_step_count(const BenchOptions *options, double fallback, double dt)
{
    double seconds = options->seconds > 0.0 ? options->seconds : fallback;
    return (int)fmax(1.0, floor(seconds / dt + 0.5));
}

json_t *bench_report_row(BenchReport *report, const char *name, int particles, int threads, const char *solver,
                         BenchTimes *times)
{
    double median = bench_times_median(times);
    json_t *row = json_object();
    json_object_set_new(row, "name", json_string(name));
    json_object_set_new(row, "n", json_integer(particles));
    json_object_set_new(row, "threads", json_integer(threads));
    json_object_set_new(row, "solver", json_string(solver));
    json_object_set_new(row, "ms_median", json_real(median));
    json_object_set_new(row, "ms_p99", json_real(bench_times_quantile(times, 0.99)));
    json_object_set_new(row, "ns_per_particle", particles > 0 ? json_real(median * 1e6 / particles) : json_null());
    json_object_set_new(row, "bytes_per_particle", json_null());
    json_object_set_new(row, "steps", json_integer((json_int_t)times->count));
    json_array_append_new(report->rows, row);
    return row;
}

json_t *bench_report_steps(BenchReport *report, const char *name, int particles, int threads, const char *solver,
                           BenchSteps *steps)
{
    json_t *row = bench_report_row(report, name, particles, threads, solver, &steps->wall);
    bench_report_extra(row, "cpu_ms_median", bench_times_median(&steps->cpu));
    return row;
}

void bench_report_extra(json_t *row, const char *key, double value)
{
    json_object_set_new(row, key, isfinite(value) ? json_real(value) : json_null());
}

void bench_report_bytes(json_t *row, double bytes_per_particle)
{
    bench_report_extra(row, "bytes_per_particle", bytes_per_particle);
}

/// The columns of a table without its own; every other key of a row follows as key=value.
static const BenchColumn columns[] = {
    {"name", -12},    {"n", 7},      {"threads", 7},          {"solver", -8},
    {"ms_median", 9}, {"ms_p99", 9}, {"ns_per_particle", 15}, {"bytes_per_particle", 18}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void print_value(const json_t *value, int width)
{
    if (json_is_string(value)) {
        printf("%*s", width, json_string_value(value));
    } else if (json_is_integer(value)) {
        printf("%*lld", width, (long long)json_integer_value(value));
    } else if (json_is_real(value)) {
        printf("%*.4g", width, json_real_value(value));
    } else {
        printf("%*s", width, "-");
    }
}

static bool is_column(const char *key)
{
    for (int k = 0; k < COLUMNS; k++) {
        if (strcmp(columns[k].key, key) == 0) {
            return true;
        }
    }
    return false;
}

static void print_extras(const json_t *row)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)row, key, value)
    {
        if (!is_column(key)) {
            printf("%s=", key);
            print_value(value, 0);
            putchar(' ');
        }
    }
}

void bench_report_end(BenchReport *report, const json_t *row)
{
    if (report->options->json) {
        return;
    }
    bool own = report->columns != NULL;
    const BenchColumn *shown = own ? report->columns : columns;
    int count = own ? report->column_count : COLUMNS;
    if (json_array_size(report->rows) == 1) {
        for (int k = 0; k < count; k++) {
            printf("%*s%s", shown[k].width, shown[k].key, k + 1 < count ? "  " : "\n");
        }
    }
    for (int k = 0; k < count; k++) {
        print_value(json_object_get(row, shown[k].key), shown[k].width);
        fputs("  ", stdout);
    }
    if (!own) {
        print_extras(row);
    }
    putchar('\n');
    fflush(stdout);
}

void bench_report_progress(const BenchReport *report, const char *what, double done, double whole)
{
    enum { BAR = 30 };
    (void)report;
    if (isatty(STDERR_FILENO) != 1) {
        return;
    }
    int filled = (int)(BAR * fmin(1.0, done / whole));
    fprintf(stderr, "\r\033[Kbench: %s [%.*s%*s] %.0f of at most %.0f s%s", what, filled,
            "##############################", BAR - filled, "", done, whole, done < whole ? "" : "\r\033[K");
    fflush(stderr);
}

void bench_report_says(const BenchReport *report, const char *format, ...)
{
    (void)report;
    if (isatty(STDERR_FILENO) != 1) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fputs("bench: ", stderr);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is two lines before; clang 14 does not see it
    vfprintf(stderr, format, arguments);
    fputs("...\n", stderr);
    va_end(arguments);
}

/// ---- command line --------------------------------------------------------------------------------------------------

bool bench_read_number(const char *option, const char *text, double low, double high, bool whole, double *value,
                       Status *status)
{
    char *end = NULL;
    *value = strtod(text, &end);
    bool plain = text[0] != '\0' && strspn(text, "0123456789.") == strlen(text) && *end == '\0';
    if (!plain || !(*value >= low && *value <= high) || (whole && floor(*value) != *value)) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.60s: a %snumber from %g to %g is allowed", option, text,
                           whole ? "whole " : "", low, high);
    }
    return true;
}

int bench_flush(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return STATUS_GOOD;
    }
    fprintf(stderr, "bench: the output cannot be written: %s\n", strerror(errno));
    return STATUS_LACKING;
}

int bench_report_print(const BenchReport *report)
{
    if (report->options->json) {
        json_dumpf(report->rows, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    }
    return bench_flush();
}
