/// Random scripts as a property test: each in a session of a random scene and machine, in a process of its own, so that
/// one that ends it is told like any other fault. What fails is made as small as it can be and kept as a file.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/input.h"
#include "tests/soak/soak.h"
#include "tests/support/drives/random_script.h"
#include "tests/support/drives/shrink_script.h"

#define SHORTEST_SCRIPT 10.0 ///< s
#define LONGEST_SCRIPT  20.0 ///< s

enum {
    MOST_SET = 2, ///< overrides of a case
    MOST_TRIALS = 300, ///< to make a script small
    PATIENCE = 300, ///< s of the wall clock for one script
    TOLD_EVERY = 50, ///< scripts
};

/// Scenes that are made within a second, and other machines that fit into them.
static const struct Place {
    const char *scene;
    const char *machines[4]; ///< overrides; NULL: none more
} places[] = {
    {"trench", {"machine.file=excavator-8t", "machine.attachment=trenching-bucket-600"}},
    {"soils", {"machine.file=excavator-8t", "machine.attachment=grading-bucket-1800"}},
    {"free", {"machine.file=excavator-8t", "machine.attachment=hammer-1700", "machine.file=dozer-20t"}},
    {"truck-loading", {NULL}},
    {"haul", {NULL}},
    {"boulders", {"machine.attachment=hammer-1700"}},
    {"break-boulders", {NULL}},
    {"break-rocks", {NULL}},
    {"tight-site", {"machine.file=excavator-8t"}},
    {"dam-break", {NULL}},
    {"lift-pipe", {NULL}},
    {"expose-pipe", {NULL}},
    {"backfill", {NULL}},
    {"bench", {NULL}},
    {"slope-trim", {NULL}},
    {"slope-tilt", {NULL}},
    {"trench-people", {NULL}},
    {"travel-course", {NULL}},
    {"dozing", {NULL}},
    {"slot-dozing", {NULL}},
    {"ripping", {NULL}},
    {"pad", {NULL}},
    {"spread-pile", {NULL}},
    {"stockpile", {NULL}},
};
enum { PLACES = sizeof places / sizeof places[0] };

/// What is driven.
typedef struct Case {
    int place;
    const char *set[MOST_SET];
    int set_count;
    ClumsyScript script;
    int milliseconds;
    WatchKind wanted; ///< the kind of fault that is looked for; WATCH_NONE: any
    SessionWatch watch; ///< of the last drive
    char ended[64]; ///< how its process ended, when it did not come to the end of its script; "" = it did
} Case;

/// ---- one drive -----------------------------------------------------------------------------------------------------

/// Drives to the end, or to the first fault. False when the session cannot be made.
static bool drive_here(const Case *one, SessionWatch *watch)
{
    Status status = {0};
    SessionParams params = {
        .scene = places[one->place].scene, .set = one->set, .set_count = one->set_count, .threads = 1};
    Session *session = session_create(&params, &status);
    if (session == NULL) {
        fprintf(stderr, "soak: %s\n", status.text);
        return false;
    }
    watch_begin(watch, session);
    double dt = session_dt(session);
    int ticks = (int)ceil(one->milliseconds / 1000.0 / dt);
    bool good = true;
    for (int tick = 0; good && tick < ticks; tick++) {
        OperatorControls controls = control_neutral;
        clumsy_levers(&one->script, tick * dt, &controls);
        session_tick(session, &controls);
        good = watch_tick(watch, session);
    }
    watch->worst.messages = soak_messages();
    session_destroy(session);
    return true;
}

/// The same in a process of its own. False when nothing could be driven.
static bool drive_apart(Case *one)
{
    int ends[2];
    one->watch = (SessionWatch){0};
    one->ended[0] = '\0';
    fflush(stdout);
    if (pipe(ends) != 0) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        SessionWatch watch = {0};
        alarm(PATIENCE);
        bool driven = drive_here(one, &watch);
        bool told = driven && write(ends[1], &watch, sizeof watch) == (ssize_t)sizeof watch;
        _exit(!driven ? 2 : told ? 0 : 3);
    }
    close(ends[1]);
    ssize_t got = 0, size = (ssize_t)sizeof one->watch;
    for (ssize_t more = 1; child > 0 && got < size && (more > 0 || errno == EINTR); got += more > 0 ? more : 0) {
        errno = 0;
        more = read(ends[0], (char *)&one->watch + got, (size_t)(size - got));
    }
    close(ends[0]);
    int code = 0;
    if (child < 0 || waitpid(child, &code, 0) != child || (WIFEXITED(code) && WEXITSTATUS(code) == 2)) {
        return false;
    }
    if (got < size) {
        one->watch = (SessionWatch){0};
        snprintf(one->ended, sizeof one->ended, WIFSIGNALED(code) ? "ended by signal %d" : "ended with %d",
                 WIFSIGNALED(code) ? WTERMSIG(code) : WEXITSTATUS(code));
    }
    return true;
}

static bool is_bad(const Case *one)
{
    return one->watch.kind != WATCH_NONE || one->ended[0] != '\0';
}

/// A trial for shrink_script. A process that ended does so at the end, for nobody knows when.
static int try_script(void *context, const ClumsyScript *script, int milliseconds)
{
    Case *one = context;
    one->script = *script;
    one->milliseconds = milliseconds;
    if (!drive_apart(one) || !is_bad(one) || one->watch.kind != one->wanted) {
        return -1;
    }
    return one->ended[0] != '\0' ? milliseconds : (int)ceil((double)one->watch.fault_tick * 1000.0 / 60.0);
}

/// ---- cases ---------------------------------------------------------------------------------------------------------

static void make_case(uint64_t seed, Case *one)
{
    ClumsyDraw draw = {.seed = random_mix(seed), .row = 0};
    *one = (Case){.place = (int)(PLACES * clumsy_unit(&draw))};
    const struct Place *place = &places[one->place];
    int machines = 0;
    while (machines < 4 && place->machines[machines] != NULL) {
        machines++;
    }
    int machine = (int)((machines + 1) * clumsy_unit(&draw));
    if (machine < machines) {
        one->set[one->set_count++] = place->machines[machine];
    }
    double seconds = SHORTEST_SCRIPT + (LONGEST_SCRIPT - SHORTEST_SCRIPT) * clumsy_unit(&draw);
    random_script_make(seed, seconds, &one->script);
    one->milliseconds = (int)(1000.0 * seconds);
}

static const char *what_is_wrong(const Case *one)
{
    return one->ended[0] != '\0' ? one->ended : one->watch.fault;
}

/// Writes a case's script; a second time over the first. Prints how to see it again.
static void keep_script(const Case *one, const ClumsyScript *script, int milliseconds, uint64_t seed,
                        const char *folder)
{
    const char *scene = places[one->place].scene, *set = one->set_count > 0 ? one->set[0] : "";
    char path[512];
    snprintf(path, sizeof path, "%.400s/%s-%llu.csv", folder, scene, (unsigned long long)seed);
    FILE *file = fopen(path, "w");
    bool written = file != NULL && clumsy_write(script, file);
    written = file != NULL && fclose(file) == 0 && written;
    printf("    %d rows, %.3f s%s: %s\n    spadework run %s%s%s --headless --operator %s --seconds %.3f\n",
           script->row_count, milliseconds / 1000.0, written ? "" : ", NOT WRITTEN", what_is_wrong(one), scene,
           set[0] != '\0' ? " --set " : "", set, path, milliseconds / 1000.0);
    fflush(stdout);
}

/// Tells a fault, makes its script small and keeps it as a file.
static void keep_fault(Case *one, uint64_t seed, const char *folder)
{
    printf("seed %llu: WRONG after %.2f s: %s\n", (unsigned long long)seed, (double)one->watch.fault_tick / 60.0,
           one->ended[0] != '\0' ? "process" : watch_kind_names[one->watch.kind]);
    ClumsyScript script = one->script;
    int milliseconds = one->milliseconds;
    keep_script(one, &script, milliseconds, seed, folder);
    one->wanted = one->watch.kind;
    int trials = shrink_script(&script, &milliseconds, try_script, one, MOST_TRIALS);
    (void)try_script(one, &script, milliseconds);
    printf("    after %d trials:\n", trials);
    keep_script(one, &script, milliseconds, seed, folder);
}

/// A line of the file that holds what each script did; before the first one, the names.
static void note_figures(FILE *file, const Case *one, uint64_t seed, bool first)
{
    const WatchFigures *figures = &one->watch.worst;
    if (first) {
        fputs("seed,scene,set,seconds", file);
#define X(name) fputs("," #name, file);
        WATCH_FIGURES(X)
#undef X
        fputc('\n', file);
    }
    fprintf(file, "%llu,%s,%s,%.3f", (unsigned long long)seed, places[one->place].scene,
            one->set_count > 0 ? one->set[0] : "", one->milliseconds / 1000.0);
#define X(name) fprintf(file, ",%.6g", figures->name);
    WATCH_FIGURES(X)
#undef X
    fputc('\n', file);
    fflush(file);
}

int soak_scripts(int count, uint64_t seed, const char *folder)
{
    struct {
        int scripts, faults;
        double seconds;
    } of[PLACES] = {{0}};
    WatchFigures worst = {0};
    int faults = 0;
    double seconds = 0.0;
    char path[512];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%.400s/figures-%llu.csv", folder, (unsigned long long)seed);
    FILE *notes = fopen(path, "w");
    if (notes == NULL) {
        fprintf(stderr, "soak: %s: cannot be written\n", path);
        return 1;
    }
    for (uint64_t at = seed; at < seed + (uint64_t)count; at++) {
        static Case one;
        make_case(at, &one);
        if (!drive_apart(&one)) {
            fprintf(stderr, "soak: seed %llu cannot be driven\n", (unsigned long long)at);
            return 1;
        }
        of[one.place].scripts++;
        of[one.place].seconds += one.milliseconds / 1000.0;
        seconds += one.milliseconds / 1000.0;
        soak_worse(&worst, &one.watch.worst);
        note_figures(notes, &one, at, at == seed);
        if (is_bad(&one)) {
            of[one.place].faults++;
            faults++;
            keep_fault(&one, at, folder);
        }
        if ((at + 1 - seed) % TOLD_EVERY == 0) {
            printf("%llu scripts, %.0f s, %d faults\n", (unsigned long long)(at + 1 - seed), seconds, faults);
            soak_print_figures("   ", &worst);
            fflush(stdout);
        }
    }
    fclose(notes);
    printf("%-16s %7s %8s %6s\n", "scene", "scripts", "s", "faults");
    for (int k = 0; k < PLACES; k++) {
        printf("%-16s %7d %8.0f %6d\n", places[k].scene, of[k].scripts, of[k].seconds, of[k].faults);
    }
    printf("%-16s %7d %8.0f %6d\n", "all", count, seconds, faults);
    soak_print_figures("worst:", &worst);
    return faults > 0 ? 1 : 0;
}

int soak_repeat(const char *scene, const char *path, double seconds, const char *const *set, int set_count)
{
    Status status = {0};
    InputScript *script = input_script_load(path, &status);
    SessionParams params = {.scene = scene, .set = set, .set_count = set_count, .threads = 1};
    Session *session = script != NULL ? session_create(&params, &status) : NULL;
    if (session == NULL) {
        fprintf(stderr, "soak: %s\n", status.text);
        input_script_destroy(script);
        return 2;
    }
    SessionWatch watch;
    watch_begin(&watch, session);
    int ticks = (int)ceil(seconds / session_dt(session));
    bool good = true;
    for (int tick = 0; good && tick < ticks; tick++) {
        OperatorControls controls;
        input_script_get(script, tick * session_dt(session), &controls);
        session_tick(session, &controls);
        good = watch_tick(&watch, session);
    }
    soak_print_figures("worst:", &watch.worst);
    printf("%s: %s, tick %lld: %s\n", good ? "good" : "WRONG", watch_kind_names[watch.kind],
           (long long)(good ? session_frame(session)->tick : watch.fault_tick), watch.fault);
    session_destroy(session);
    input_script_destroy(script);
    return good ? 0 : 1;
}
