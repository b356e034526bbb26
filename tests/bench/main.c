/// `bench`: how fast the simulation is. Ratios are taken within one run, since computers differ.
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soil/parallel/team.h"
#include "tests/bench/bench.h"
#include "tests/support/clumsy_operator.h"

static const struct Bench {
    const char *name;
    BenchRun *run;
    const char *title;
} benches[] = {
    {"solve", bench_solve, "one frame of 1/60 s with neighbour search: a settled heap (10000), and stirred"},
    {"scale", bench_scale, "the same for beds of 1000 to 200000 particles; bytes a particle; threads"},
    {"ode", bench_ode, "the settled heap beside the same spheres as ODE QuickStep bodies (10 iterations)"},
    {"tick", bench_tick, "the whole session tick: the trench, dug by the scripted operator"},
    {"record", bench_record, "the same, recorded"},
    {"machine", bench_machine,
     "a tick of the machine on 20 track contacts, and with 50 rocks: moving, in a pile, carried"},
    {"play", bench_play,
     "the worst ticks of play: whole exercises, clumsy hands, stuck machines, as shares of ODE's frame"},
    {"door", bench_door, "a session as programs use it: made, reset, saved, restored, many in one process"},
    {"render", bench_render, "frames of 1280 x 720 drawn without a window"},
    {"window", bench_window, "the window as it is driven: pictures a second, the clock's time, levers"},
};
enum { BENCHES = sizeof benches / sizeof benches[0] };

static const char help[] =
    "usage: bench list\n"
    "       bench run NAME [--n N] [--threads T] [--threads-counted T] [--solver default|p2|gs] [--seconds S]\n"
    "                      [--only PARTS] [--json]\n"
    "       bench script SEED\n"
    "  --n N         particles, 1..400000: of solve and ode; the largest of scale; of tick, record and render: a heap\n"
    "                beside the machine whose particles never turn back into ground; of play: operator scripts a "
    "scene\n"
    "                (20) and cycles a soil (100)\n"
    "  --threads T   1..256 (default: one for each processor); solve, scale and ode measure one thread too\n"
    "  --threads-counted T\n"
    "                1..256, of scale: counts in instructions how much shorter a stirred heap's tick is on 2, 4 .. T\n"
    "                threads, of 10000 and 100000 particles or --n, and measures no time\n"
    "  --seconds S   simulated seconds measured a row; of play: of each run, at most; of door: of its ticks\n"
    "  --only PARTS  parts of play, split by commas; `random` stands for all that begin so; scenes of door (trench);\n"
    "                rows of render\n"
    "  --json        one array, printed at the end\n"
    "script prints the clumsy operator's script of a seed, 0..2^53, for spadework run --operator FILE.csv.\n"
    "Times are wall times; the median over the frames counts. Numbers of different runs or computers do not compare;\n"
    "ratios within one run do.\n"
    "Exit codes: 0 good, 1 bad data file, 2 bad usage, 4 the computer lacks something.\n";

static int fail(const Status *status)
{
    fprintf(stderr, "bench: %s\n", status->text);
    return (int)status->code;
}

static bool read_solver(const char *text, SoilSolver *solver, Status *status)
{
    for (int k = SOIL_SOLVER_DEFAULT; k <= SOIL_SOLVER_GS; k++) {
        if (strcmp(text, bench_solver_name((SoilSolver)k)) == 0) {
            *solver = (SoilSolver)k;
            return true;
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "--solver %.60s: default, p2 or gs is allowed", text);
}

static bool take_option(BenchOptions *options, const char *option, const char *value, Status *status)
{
    double number = 0.0;
    bool good = true;
    if (strcmp(option, "--n") == 0) {
        good = bench_read_number(option, value, 1, BENCH_MOST_PARTICLES, true, &number, status);
        options->n = (int)number;
    } else if (strcmp(option, "--threads") == 0) {
        good = bench_read_number(option, value, 1, BENCH_MOST_THREADS, true, &number, status);
        options->threads = (int)number;
    } else if (strcmp(option, "--threads-counted") == 0) {
        good = bench_read_number(option, value, 1, BENCH_MOST_THREADS, true, &number, status);
        options->counted = (int)number;
    } else if (strcmp(option, "--seconds") == 0) {
        good = bench_read_number(option, value, 0.01, BENCH_MOST_SECONDS, false, &options->seconds, status);
    } else if (strcmp(option, "--only") == 0) {
        options->only = value;
    } else {
        good = read_solver(value, &options->solver, status);
    }
    return good;
}

static bool takes_value(const char *option)
{
    return strcmp(option, "--n") == 0 || strcmp(option, "--threads") == 0 || strcmp(option, "--threads-counted") == 0 ||
           strcmp(option, "--seconds") == 0 || strcmp(option, "--solver") == 0 || strcmp(option, "--only") == 0;
}

static bool parse_run(int argc, char **argv, BenchOptions *options, Status *status)
{
    *options = (BenchOptions){.threads = team_count_processors()};
    for (int k = 2; k < argc; k++) {
        if (strcmp(argv[k], "--json") == 0) {
            options->json = true;
        } else if (takes_value(argv[k])) {
            if (k + 1 == argc) {
                return status_fail(status, STATUS_BAD_USAGE, "%s: its value is missing", argv[k]);
            }
            if (!take_option(options, argv[k], argv[k + 1], status)) {
                return false;
            }
            k++;
        } else if (argv[k][0] == '-' || options->name != NULL) {
            return status_fail(status, STATUS_BAD_USAGE, "%.80s: unknown option; see: bench --help", argv[k]);
        } else {
            options->name = argv[k];
        }
    }
    return options->name != NULL || status_fail(status, STATUS_BAD_USAGE, "run: needs a NAME; see: bench list");
}

static int list(void)
{
    for (int k = 0; k < BENCHES; k++) {
        printf("%-8s %s\n", benches[k].name, benches[k].title);
    }
    return bench_flush();
}

/// Prints the operator script of a seed.
static int script(const char *text)
{
    Status status;
    ClumsyScript made;
    double seed;
    if (!bench_read_number("script", text, 0, 9007199254740992.0, true, &seed, &status)) {
        return fail(&status);
    }
    clumsy_make((uint64_t)seed, &made);
    clumsy_write(&made, stdout);
    return bench_flush();
}

static int run(int argc, char **argv)
{
    Status status = {STATUS_GOOD, ""};
    BenchOptions options;
    if (!parse_run(argc, argv, &options, &status) || options.name == NULL) {
        return fail(&status);
    }
    const struct Bench *bench = NULL;
    for (int k = 0; k < BENCHES; k++) {
        bench = strcmp(benches[k].name, options.name) == 0 ? &benches[k] : bench;
    }
    if (bench == NULL) {
        status_fail(&status, STATUS_BAD_USAGE, "no benchmark named %.60s; see: bench list", options.name);
        return fail(&status);
    }
    if (options.counted > 0 && (bench->run != bench_scale || options.solver != SOIL_SOLVER_DEFAULT)) {
        status_fail(&status, STATUS_BAD_USAGE,
                    "--threads-counted %d: only scale with the default solver is counted; leave it out or run scale",
                    options.counted);
        return fail(&status);
    }
    BenchReport report = {.options = &options, .rows = json_array()};
    bool good = bench->run(&options, &report, &status);
    int written = good ? bench_report_print(&report) : STATUS_GOOD;
    json_decref(report.rows);
    return good ? written : fail(&status);
}

int main(int argc, char **argv)
{
    // Large blocks always lie alone, so that what is freed leaves and what is allocated shows in the resident size.
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return bench_flush();
    }
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        return list();
    }
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        return run(argc, argv);
    }
    if (argc == 3 && strcmp(argv[1], "script") == 0) {
        return script(argv[2]);
    }
    Status status;
    status_fail(&status, STATUS_BAD_USAGE, "%.80s: list, run or script is expected; see: bench --help",
                argc > 1 ? argv[1] : "no command");
    return fail(&status);
}
