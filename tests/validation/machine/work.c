/// Experiment `work`: a shipped exercise, driven by its expert or, where it has none, by the autopilot: cycle time,
/// load, production, as its report has them.
///
/// Nothing is judged here: what excavators do in practice is a set of `measured` (excavator-work).
#include <stdio.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "trainer/pilot/pilot.h"
#include "trainer/sim/sim.h"

#define LONGEST 3600.0 ///< s, of a scene without a time limit

static const ExperimentOption options[] = {
    {"scene", 0, 0, 0, "", "which exercise (data/scenes, or a file)", "truck-loading|trench|" OTHER_TEXT},
    {"soil", 0, 0, 0, "", "the grown ground; own: as the scene has it",
     "own|sand|gravel|topsoil|loam|clay|wet-clay|hard-clay"},
    {"seconds", 0, 0, LONGEST, "s", "that are driven; 0: to the exercise's end (quick: 60)", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// Drives to the end, or for `seconds`.
static void drive(Run *run, Session *session, Operator *operator, double seconds)
{
    const Exercise *exercise = session_exercise(session);
    double dt = session_dt(session), limit = session_scene(session)->exercise.time_limit;
    double whole = seconds > 0.0 ? seconds : limit > 0.0 ? limit : LONGEST;
    for (double time = 0.0; time < whole + (seconds > 0.0 ? 0.0 : 60.0) && !exercise_is_finished(exercise);
         time += dt) {
        OperatorControls controls;
        operator_controls(operator, session, &controls);
        session_tick(session, &controls);
        run_progress(run, time / whole);
    }
}

static bool run_work(Run *run)
{
    char ground[64];
    const char *soil = option_word(run, "soil"), *const set[] = {ground};
    snprintf(ground, sizeof ground, "ground.layers.0.soil=%s", soil);
    SessionParams wanted = {.scene = option_word(run, "scene"),
                            .set = set,
                            .set_count = strcmp(soil, "own") != 0 ? 1 : 0,
                            .threads = run_threads(run)};
    Status status;
    option_quick(run, "seconds", 60.0);
    Session *session = session_create(&wanted, &status);
    if (session == NULL) {
        run_fail(run, "%s", status.text);
        return false;
    }
    bool expert = session_scene(session)->exercise.expert[0] != '\0';
    OperatorParams hands = {.name = expert ? "expert" : "auto"};
    Operator operator;
    bool good = operator_create(&operator, & hands, session, &status);
    if (good) {
        drive(run, session, &operator, option_number(run, "seconds"));
        ExerciseMetric metrics[EXERCISE_MAX_METRICS];
        int count = exercise_metrics(session_exercise(session), metrics);
        for (int k = 0; k < count; k++) {
            const char *unit = strcmp(metrics[k].unit, "1") == 0 ? "" : metrics[k].unit;
            run_note(run, metrics[k].name, unit, metrics[k].value);
        }
        operator_destroy(&operator);
    } else {
        run_fail(run, "%s", status.text);
    }
    session_destroy(session);
    return good;
}

const Experiment experiment_work = {
    .name = "work",
    .title = "an exercise driven by its expert: cycle time, load, production",
    .law = "nothing; `measured` compares it with what excavators do in practice",
    .options = options,
    .run = run_work,
    .paper_only = true,
};
