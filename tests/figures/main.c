/// Drives exercises with good, bad and random hands and looks at every figure that they come to: does the soil's ledger
/// agree with what the exercise says was moved, is there one verdict, does the score stay what it was when the attempt
/// ends, and could the machine have done what is told?
///
///   figures [--operator NAME]... [--machine FILE]... [--list] [SCENE...]
///
/// Without names: all exercises, all operators, the scene's own machine and, where that is the 22 t excavator with its
/// own bucket, the 8 t one. Prints a line a drive; ends with 1 when anything was wrong, 2 for a wrong call.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"
#include "tests/figures/ledger.h"
#include "tests/support/drives/random_script.h"
#include "input/input.h"
#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

#define JUMP   5.0 ///< points that the score may differ at the end from what was last shown
#define AGREES 0.02 ///< of what was moved: it is what was delivered and what was spilled
#define CRUMBS 25.0 ///< kg that may lie about in columns that gained too little to be spill
// Of a full tool of loose soil: a bucket delivers up to 120 % of its rated, heaped capacity in moist loam, the most of
// all materials (Caterpillar Performance Handbook 47, page 18-30, "Bucket Fill Factors").
#define HEAPED      1.20
#define SHORT_CYCLE 6.0 ///< s: no machine digs, swings and dumps faster
#define SETTLES     15.0 ///< s that the ground gets after a script
#define RANDOM_TIME 90.0 ///< s that random levers are driven
#define SCRATCHES   125.0 ///< s of the script that scratches

enum { MOST_FAULTS = 12, FAULT = 200, MOST_NAMES = 32 };

typedef enum Hands { HANDS_SCRIPTED, HANDS_IDLE, HANDS_SCRATCH, HANDS_RANDOM } Hands;

typedef struct Hand {
    const char *name;
    Hands hands;
    double clumsy; ///< 0..1
    uint64_t seed;
} Hand;

static const Hand all_hands[] = {
    {"expert", HANDS_SCRIPTED, 0.0, 0}, {"0.2", HANDS_SCRIPTED, 0.2, 0},    {"0.5", HANDS_SCRIPTED, 0.5, 0},
    {"0.8", HANDS_SCRIPTED, 0.8, 0},    {"idle", HANDS_IDLE, 0.0, 0},       {"scratch", HANDS_SCRATCH, 0.0, 0},
    {"random-1", HANDS_RANDOM, 0.0, 1}, {"random-2", HANDS_RANDOM, 0.0, 2}, {"random-3", HANDS_RANDOM, 0.0, 3},
    {"random-4", HANDS_RANDOM, 0.0, 4}, {"random-5", HANDS_RANDOM, 0.0, 5},
};
enum { HANDS = sizeof all_hands / sizeof all_hands[0] };

/// One drive.
typedef struct FiguresDrive {
    const char *scene, *machine; ///< machine: file; NULL: the scene's own
    const Hand *hand;
    Session *session;
    Operator operator;
    InputScript *scratch;
    ClumsyScript *script;
    Ledger ledger;
    ScoreTrail trail;
    double shown; ///< points while the exercise ran
    int64_t total; ///< quanta at the start
    bool balanced; ///< the ledger could be compared
    int fault_count;
    char faults[MOST_FAULTS][FAULT];
} FiguresDrive;

static void wrong(FiguresDrive *drive, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void wrong(FiguresDrive *drive, const char *format, ...)
{
    if (drive->fault_count < MOST_FAULTS) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(drive->faults[drive->fault_count++], FAULT, format, arguments);
        va_end(arguments);
    }
}

static double figure(const FiguresDrive *drive, Metric metric)
{
    double values[METRIC_COUNT];
    exercise_values(session_exercise(drive->session), values);
    return values[metric];
}

/// ---- driving -------------------------------------------------------------------------------------------------------

/// What is counted of soil that slid by itself before a tool was in the ground, kg.
typedef struct Before {
    StateVisitor base;
    double moved;
} Before;

static void look_at_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Before *before = (Before *)(void *)visitor;
    if (strcmp(name, "exercise.moved_before") == 0 && size * count == sizeof(double)) {
        memcpy(&before->moved, data, sizeof(double));
    }
}

static double moved_before(const FiguresDrive *drive)
{
    Before before = {.base = {.field = look_at_field}};
    session_visit(drive->session, &before.base);
    return before.moved;
}

static double limit_of(const FiguresDrive *drive)
{
    double most = session_scene(drive->session)->exercise.time_limit + EXERCISE_SETTLING + 5.0;
    return drive->hand->hands == HANDS_RANDOM    ? fmin(most, RANDOM_TIME)
           : drive->hand->hands == HANDS_SCRATCH ? fmin(most, SCRATCHES)
                                                 : most;
}

static void levers_of(FiguresDrive *drive, double time, OperatorControls *controls)
{
    *controls = control_neutral;
    switch (drive->hand->hands) {
    case HANDS_SCRIPTED:
        operator_controls(&drive->operator, drive->session, controls);
        break;
    case HANDS_IDLE:
        break;
    case HANDS_SCRATCH:
        input_script_get(drive->scratch, time, controls);
        break;
    case HANDS_RANDOM:
        clumsy_levers(drive->script, time, controls);
        break;
    }
}

/// Ticks once; compares the ledger in the looks that measure it.
static void tick(FiguresDrive *drive, const OperatorControls *controls)
{
    const Exercise *exercise = session_exercise(drive->session);
    bool running = exercise_end(exercise) == EXERCISE_RUNNING, waited = exercise_waited(exercise);
    double shown = exercise_score(exercise), steps = figure(drive, METRIC_STEPS_DONE);
    session_tick(drive->session, controls);
    const SessionFrame *frame = session_frame(drive->session);
    // What a step earns comes when it is done, which may be the last moment.
    bool earned = figure(drive, METRIC_STEPS_DONE) > steps;
    drive->shown = earned ? exercise_score(exercise) : running ? shown : drive->shown;
    if (frame->ledger.total != drive->total) {
        wrong(drive, "soil is lost in tick %lld", (long long)frame->tick);
        drive->total = frame->ledger.total;
    }
    bool counted = session_scene(drive->session)->exercise.kind != EXERCISE_FREE &&
                   frame->tick % (60 * exercise_look_interval(session_dt(drive->session))) == 0 &&
                   !exercise_is_finished(exercise);
    if (!counted || exercise_held(exercise) > 0.0) {
        return;
    }
    // While it is stirred beyond patience the ground is judged with what moves; a tool in the cut leaves it as it was.
    double says = figure(drive, METRIC_MOVED) + moved_before(drive);
    double lies = ledger_moved(&drive->ledger, drive->session, waited);
    bool stale = waited && fabs(says - lies) > 1e-6 * (1.0 + lies);
    if (!stale) {
        drive->balanced = true;
    }
    if (!stale && fabs(says - lies) > 1e-6 * (1.0 + lies)) {
        wrong(drive, "%.1f kg moved by the exercise, %.1f kg by the ledger, at %.1f s", says, lies, frame->time);
    }
}

static void drive_to_end(FiguresDrive *drive)
{
    const Exercise *exercise = session_exercise(drive->session);
    OperatorControls controls;
    double most = limit_of(drive), time = 0.0;
    while (!exercise_is_finished(exercise) && time < most) {
        levers_of(drive, time, &controls);
        tick(drive, &controls);
        time = session_frame(drive->session)->time;
    }
    controls = control_neutral;
    while (!exercise_is_finished(exercise) && time < most + SETTLES) {
        tick(drive, &controls);
        time = session_frame(drive->session)->time;
    }
}

/// ---- looking -------------------------------------------------------------------------------------------------------

static void look_at_ends(FiguresDrive *drive)
{
    const Exercise *exercise = session_exercise(drive->session);
    double score = exercise_score(exercise);
    if (exercise_is_finished(exercise) && exercise_end(exercise) != EXERCISE_FAILED &&
        fabs(score - drive->shown) > JUMP) {
        wrong(drive, "the score jumps from %.1f to %.1f at the end", drive->shown, score);
    }
}

/// The summary, the debrief, the results and the figures say the same.
static void look_at_verdicts(FiguresDrive *drive)
{
    const Exercise *exercise = session_exercise(drive->session);
    const SceneExercise *asked = &session_scene(drive->session)->exercise;
    char verdict[SCORE_VERDICT];
    ReportSummary summary;
    ResultAttempt *attempt = malloc(sizeof *attempt);
    if (attempt == NULL) {
        abort();
    }
    exercise_verdict(exercise, &(TextReader){0}, verdict);
    report_summarise_exercise(asked, exercise, &drive->trail, session_dt(drive->session), TEXT_UNITS_METRIC, &summary);
    results_fill(attempt, drive->session, &(Credit){0}, "");
    bool passed = exercise_is_passed(exercise), says = strncmp(verdict, "Passed", 6) == 0;
    if (passed != says || summary.passed != passed || attempt->passed != passed ||
        (figure(drive, METRIC_PASSED) > 0.0) != passed || (attempt->finished && !exercise_is_finished(exercise))) {
        wrong(drive, "passed %d, the verdict \"%s\", the debrief %d, the results %d", passed, verdict, summary.passed,
              attempt->passed);
    }
    if (strcmp(verdict, summary.verdict) != 0) {
        wrong(drive, "\"%s\" and in the debrief \"%s\"", verdict, summary.verdict);
    }
    int done = 0;
    for (int k = 0; k < asked->steps_count; k++) {
        done += exercise_step_tick(exercise, k) > 0;
    }
    double share = figure(drive, METRIC_STEPS_SHARE);
    if (asked->steps_count > 0 && (share >= 1.0) != (done == asked->steps_count)) {
        wrong(drive, "%d of %d steps done, their share %.4f", done, asked->steps_count, share);
    }
    free(attempt);
}

/// Phases, loads and rates within what there is.
static void look_at_cycles(FiguresDrive *drive, double full)
{
    const Exercise *exercise = session_exercise(drive->session);
    int found = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (event->kind != EVENT_CYCLE) {
            continue;
        }
        found++;
        if (event->number.load > HEAPED * full || event->number.load <= 0.0) {
            wrong(drive, "a cycle of %.0f kg; the tool holds %.0f kg", event->number.load, full);
        }
        if (event->number.dig <= 0.0 || event->number.carry <= 0.0 || event->number.dump <= 0.0) {
            wrong(drive, "a cycle of %.1f s digging, %.1f s carrying, %.1f s dumping", event->number.dig,
                  event->number.carry, event->number.dump);
        }
    }
    double cycles = figure(drive, METRIC_CYCLES), time = figure(drive, METRIC_TIME);
    if (found != (int)cycles && figure(drive, METRIC_EVENTS_LOST) == 0.0) {
        wrong(drive, "%d cycles among the events, %.0f counted", found, cycles);
    }
    if (cycles * SHORT_CYCLE > time + SHORT_CYCLE || figure(drive, METRIC_MEAN_BUCKET) > HEAPED * full) {
        wrong(drive, "%.0f cycles in %.0f s, %.0f kg each", cycles, time, figure(drive, METRIC_MEAN_BUCKET));
    }
}

static void look_at_figures(FiguresDrive *drive)
{
    const SceneParams *scene = session_scene(drive->session);
    const MachineParams *machine = session_machine_params(drive->session);
    double dense = 0.0; // the densest soil of the scene, loose
    for (int k = 0; k < scene->soil_count; k++) {
        dense = fmax(dense, scene->soils[k].bank_density / (1.0 + scene->soils[k].swell));
    }
    double full = machine->tool[0].capacity * dense;
    look_at_cycles(drive, full);
    double moved = figure(drive, METRIC_MOVED), spilled = figure(drive, METRIC_SPILLED);
    double rate = figure(drive, METRIC_PRODUCTION), most = machine->tool[0].capacity * HEAPED * 3600.0 / SHORT_CYCLE;
    bool carries = machine->tool[0].capacity > 0.0; // a hammer that ploughs the ground is no case of a full tool
    if (rate < 0.0 || (carries && rate > most)) {
        wrong(drive, "%.0f m3/h; the machine cannot do more than %.0f", rate, most);
    }
    bool trench = scene->exercise.kind == EXERCISE_TRENCH, truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    double delivered = trench ? figure(drive, METRIC_DUMPED) : figure(drive, METRIC_LOADED);
    if ((trench || truck) && fabs(moved - delivered - spilled) > AGREES * moved + CRUMBS) {
        wrong(drive, "%.0f kg moved, %.0f kg delivered and %.0f kg spilled", moved, delivered, spilled);
    }
    for (int k = 0; k < METRIC_COUNT; k++) {
        double value = figure(drive, (Metric)k);
        bool share = metric_infos[k].kind == METRIC_IS_SHARE && k != METRIC_TARGET_SHARE &&
                     k != METRIC_OVERLOAD_SHARE && k != METRIC_TIPPING_SHARE && k != METRIC_OVERDIG_SHARE;
        if (!isfinite(value) || (share && !(value >= 0.0 && value <= 1.0))) {
            wrong(drive, "%s is %g", metric_infos[k].name, value);
        }
    }
}

/// ---- all drives ----------------------------------------------------------------------------------------------------

static bool begin(FiguresDrive *drive, Status *status)
{
    char machine[96];
    snprintf(machine, sizeof machine, "machine.file=%s", drive->machine != NULL ? drive->machine : "");
    const char *set[] = {machine};
    SessionParams params = {
        .scene = drive->scene, .set = set, .set_count = drive->machine != NULL ? 1 : 0, .threads = 1};
    drive->session = session_create(&params, status);
    if (drive->session == NULL) {
        return false;
    }
    drive->total = session_frame(drive->session)->ledger.total;
    drive->shown = exercise_score(session_exercise(drive->session));
    ledger_begin(&drive->ledger, drive->session);
    const Hand *hand = drive->hand;
    bool expert = session_scene(drive->session)->exercise.expert[0] != '\0';
    OperatorParams hands = {.name = expert ? "expert" : "auto", .clumsy = hand->clumsy};
    if (hand->hands == HANDS_SCRATCH) {
        drive->scratch = input_script_load(SPADEWORK_TEST_DIR "/figures/scratch.csv", status);
    } else if (hand->hands == HANDS_RANDOM) {
        drive->script = calloc(1, sizeof *drive->script);
        if (drive->script != NULL) {
            random_script_make(hand->seed, RANDOM_TIME, drive->script);
        }
    }
    return hand->hands == HANDS_SCRIPTED  ? operator_create(&drive->operator, & hands, drive->session, status)
           : hand->hands == HANDS_SCRATCH ? drive->scratch != NULL
                                          : hand->hands != HANDS_RANDOM || drive->script != NULL;
}

static void finish(FiguresDrive *drive)
{
    operator_destroy(&drive->operator);
    input_script_destroy(drive->scratch);
    free(drive->script);
    session_destroy(drive->session);
}

static void print_row(const FiguresDrive *drive)
{
    static const char *const ends[] = {[EXERCISE_RUNNING] = "runs",
                                       [EXERCISE_DONE] = "done",
                                       [EXERCISE_TIME_UP] = "time up",
                                       [EXERCISE_JUDGING] = "settles",
                                       [EXERCISE_FAILED] = "failed"};
    const Exercise *exercise = session_exercise(drive->session);
    printf("%-16s %-13s %-9s %5.1f %-3s %-7s %5.0f s %3.0f cycles %5.0f kg %6.1f t %5.0f m3/h spilled %5.0f kg %s%s\n",
           drive->scene, drive->machine != NULL ? drive->machine : "own", drive->hand->name, exercise_score(exercise),
           exercise_is_passed(exercise) ? "yes" : "no", ends[exercise_end(exercise)], figure(drive, METRIC_TIME),
           figure(drive, METRIC_CYCLES), figure(drive, METRIC_MEAN_BUCKET), 1e-3 * figure(drive, METRIC_MOVED),
           figure(drive, METRIC_PRODUCTION), figure(drive, METRIC_SPILLED), drive->balanced ? "balanced" : "",
           drive->fault_count > 0 ? " WRONG" : "");
    for (int k = 0; k < drive->fault_count; k++) {
        printf("    %s\n", drive->faults[k]);
    }
    fflush(stdout);
}

/// True when nothing was wrong, or the machine does not fit the scene.
static bool run(const char *scene, const char *machine, const Hand *hand)
{
    FiguresDrive drive = {.scene = scene, .machine = machine, .hand = hand};
    Status status = {0};
    if (!begin(&drive, &status)) {
        bool fits = machine == NULL;
        printf("%-16s %-13s %-9s %s: %s\n", scene, machine != NULL ? machine : "own", hand->name,
               fits ? "WRONG" : "does not fit", status.text);
        finish(&drive);
        return !fits;
    }
    drive_to_end(&drive);
    look_at_ends(&drive);
    look_at_verdicts(&drive);
    look_at_figures(&drive);
    print_row(&drive);
    bool good = drive.fault_count == 0;
    finish(&drive);
    return good;
}

/// What a scene can be driven with.
typedef struct Site {
    bool scored, arm, small; ///< small: by the 8 t excavator, too
} Site;

static Site site_of(const char *name)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    Status status = {0};
    Site site = {0};
    if (scene != NULL && machine != NULL && data_load_scene(name, NULL, 0, scene, machine, NULL, &status)) {
        site = (Site){.scored = scene->exercise.scores_count > 0,
                      .arm = machine->swing_joint >= 0,
                      .small = strcmp(machine->name, "excavator-22t") == 0 && scene->machine.attachment[0] == '\0'};
    }
    free(machine);
    free(scene);
    return site;
}

static bool is_wanted(const char *name, const char *const *wanted, int count)
{
    bool found = count == 0;
    for (int k = 0; k < count; k++) {
        found = found || strcmp(name, wanted[k]) == 0;
    }
    return found;
}

/// Which drives are asked for.
typedef struct Choice {
    const char *scenes[MOST_NAMES], *hands[MOST_NAMES], *machines[MOST_NAMES];
    int scene_count, hand_count, machine_count;
    bool list;
} Choice;

static bool add(const char **list, int *count, const char *name)
{
    if (name == NULL || *count >= MOST_NAMES) {
        return false;
    }
    list[(*count)++] = name;
    return true;
}

static bool read_choice(int argc, char **argv, Choice *choice)
{
    for (int k = 1; k < argc; k++) {
        bool hand = strcmp(argv[k], "--operator") == 0, machine = strcmp(argv[k], "--machine") == 0;
        const char *value = k + 1 < argc ? argv[k + 1] : NULL;
        if (hand || machine) {
            k++;
            if (!(hand ? add(choice->hands, &choice->hand_count, value)
                       : add(choice->machines, &choice->machine_count, value))) {
                return false;
            }
        } else if (strcmp(argv[k], "--list") == 0) {
            choice->list = true;
        } else if (argv[k][0] == '-' || !add(choice->scenes, &choice->scene_count, argv[k])) {
            return false;
        }
    }
    return true;
}

static bool drive_scene(const char *scene, const Choice *choice)
{
    Site site = site_of(scene);
    static const char *const machines[] = {NULL, "excavator-8t"};
    bool good = true;
    if (choice->list) {
        puts(scene);
        return true;
    }
    for (int m = 0; m < (site.small ? 2 : 1); m++) {
        bool chosen = is_wanted(machines[m] != NULL ? machines[m] : "own", choice->machines, choice->machine_count);
        for (int k = 0; chosen && k < HANDS; k++) {
            bool skipped = all_hands[k].hands == HANDS_SCRATCH && !site.arm;
            if (!skipped && is_wanted(all_hands[k].name, choice->hands, choice->hand_count)) {
                good = run(scene, machines[m], &all_hands[k]) && good;
            }
        }
    }
    return good;
}

int main(int argc, char **argv)
{
    Choice choice = {0};
    DataListEntry *scenes = calloc(128, sizeof *scenes);
    Status status = {0};
    if (!read_choice(argc, argv, &choice) || scenes == NULL) {
        fprintf(stderr,
                "figures: read %s; usage: figures [--operator NAME]... [--machine FILE]... [--list] [SCENE...]\n",
                argc > 1 ? argv[argc - 1] : "nothing");
        free(scenes);
        return 2;
    }
    int count = data_list("scenes", scenes, 128, &status);
    bool good = count >= 0;
    for (int k = 0; k < count; k++) {
        if (is_wanted(scenes[k].name, choice.scenes, choice.scene_count) && site_of(scenes[k].name).scored) {
            good = drive_scene(scenes[k].name, &choice) && good;
        }
    }
    free(scenes);
    return good ? 0 : 1;
}
