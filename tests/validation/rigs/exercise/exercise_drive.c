/// Sessions of turned scenes.
#include "tests/validation/rigs/exercise/exercise_drive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"
#include "tests/validation/rigs/soil/site.h"
#include "trainer/pilot/pilot.h"

#define REST_LEAST 1.0 ///< s of neutral levers after recorded ones: a machine stops, and the ground is looked at
#define REST_MOST  12.0 ///< s of them until stirred ground is judged: more than EXERCISE_PATIENCE
#define EARLY      1.0 ///< s in which no tool of these exercises reaches soil

const char *const exercise_figure_units[EXERCISE_FIGURES] = {"",   "s", "m3", "kg", "kg", "kg",
                                                             "kJ", "m", "m",  "m",  "m",  "deg"};
const char *const exercise_figure_names[EXERCISE_FIGURES] = {
    "score", "time",       "dug",        "delivered",     "spilled",       "fuel",
    "work",  "heap ahead", "heap aside", "machine ahead", "machine aside", "machine's heading"};

void exercise_levers_free(ExerciseLevers *levers)
{
    free(levers->ticks);
    *levers = (ExerciseLevers){0};
}

static void keep(ExerciseLevers *levers, const OperatorControls *controls)
{
    if (levers->count == levers->capacity) {
        levers->capacity = levers->capacity == 0 ? 4096 : 2 * levers->capacity;
        levers->ticks = realloc(levers->ticks, (size_t)levers->capacity * sizeof *levers->ticks);
        if (levers->ticks == NULL) {
            abort();
        }
    }
    levers->ticks[levers->count++] = *controls;
}

/// One drive under way.
typedef struct Work {
    const ExerciseDrive *drive;
    Session *session;
    Autopilot *autopilot; ///< NULL: recorded levers
    SiteSurvey before;
    double done; ///< J
    bool touched; ///< the tool has been loaded
} Work;

static OperatorControls levers_of(Work *work, int tick, int driven)
{
    OperatorControls controls = control_neutral;
    if (tick >= driven) {
        return controls;
    }
    if (work->autopilot != NULL) {
        autopilot_controls(work->autopilot, work->session, &controls);
    } else if (tick < work->drive->levers->count) {
        const OperatorControls *kept = &work->drive->levers->ticks[tick];
        controls = work->drive->turn.mirrored ? scene_mirror_levers(kept) : *kept;
    }
    if (work->drive->record != NULL) {
        keep(work->drive->record, &controls);
    }
    return controls;
}

/// One tick; adds to the tool's work, and keeps where the tool is while it is free.
static void tick_once(Work *work, const OperatorControls *controls, ExerciseOutcome *outcome)
{
    session_tick(work->session, controls);
    const SessionFrame *frame = session_frame(work->session);
    const RigidMotion *tool = &frame->tool;
    work->done -= session_dt(work->session) * (vec3_dot(frame->tool_wrench.force, tool->velocity) +
                                               vec3_dot(frame->tool_wrench.moment, tool->spin));
    work->touched = work->touched || session_tool_load(work->session, 0) > 0.0;
    if (frame->time <= EARLY && !work->touched) {
        outcome->early_time = frame->time;
        outcome->early = scene_turn_back(&work->drive->turn, frame->machine.tip, false);
    }
}

/// Drives until the exercise is finished, or for the seconds that are asked for and then until the ground is judged.
static void drive_on(Work *work, ExerciseOutcome *outcome)
{
    const Exercise *exercise = session_exercise(work->session);
    double dt = session_dt(work->session), limit = session_scene(work->session)->exercise.time_limit;
    bool whole = work->drive->seconds <= 0.0;
    int driven = (int)round((whole ? limit + EXERCISE_SETTLING + 1.0 : work->drive->seconds) / dt);
    int least = driven + (int)round(REST_LEAST / dt), most = driven + (int)round(REST_MOST / dt);
    for (int tick = 0; tick < most && !exercise_is_finished(exercise); tick++) {
        if (tick >= least && exercise_held(exercise) <= 0.0) {
            break;
        }
        OperatorControls controls = levers_of(work, tick, driven);
        tick_once(work, &controls, outcome);
    }
}

static void read_ground(const Work *work, double of[EXERCISE_FIGURES])
{
    SoilGridView grid = soil_get_grid(session_soil(work->session));
    double square = grid.spacing * grid.spacing, risen = 0.0;
    Vec3 moment = {0.0, 0.0, 0.0};
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double rise = (double)grid.height[k] - (double)work->before.height[k];
        of[EXERCISE_DUG] += square * fmax(0.0, -rise);
        if (rise > 0.0) {
            risen += rise;
            moment.x += rise * (grid.origin_x + k % grid.columns * grid.spacing);
            moment.y += rise * (grid.origin_y + (double)(k / grid.columns) * grid.spacing);
        }
    }
    if (risen > 0.0) {
        Vec3 middle = scene_turn_back(&work->drive->turn, (Vec3){moment.x / risen, moment.y / risen, 0.0}, false);
        of[EXERCISE_HEAP_X] = middle.x;
        of[EXERCISE_HEAP_Y] = middle.y;
    }
}

static void read_figures(const Work *work, double of[EXERCISE_FIGURES])
{
    double values[METRIC_COUNT];
    const MachineReadout *machine = &session_frame(work->session)->machine;
    exercise_values(session_exercise(work->session), values);
    of[EXERCISE_SCORE] = values[METRIC_SCORE];
    of[EXERCISE_TIME] = values[METRIC_TIME];
    of[EXERCISE_DELIVERED] = values[METRIC_DUMPED] + values[METRIC_LOADED]; // an exercise has one of the two
    of[EXERCISE_SPILLED] = values[METRIC_SPILLED];
    of[EXERCISE_FUEL] = values[METRIC_FUEL];
    of[EXERCISE_WORK] = 1e-3 * work->done;
    Vec3 base = scene_turn_back(&work->drive->turn, machine->base, false);
    Vec3 ahead = scene_turn_back(&work->drive->turn, (Vec3){cos(machine->yaw), sin(machine->yaw), 0.0}, true);
    of[EXERCISE_BASE_X] = base.x;
    of[EXERCISE_BASE_Y] = base.y;
    of[EXERCISE_HEADING] = atan2(ahead.y, ahead.x) * 180.0 / M_PI;
    read_ground(work, of);
}

static Session *begin(Run *run, const ExerciseDrive *drive)
{
    Status status = {0};
    SceneParams *scene = malloc(sizeof *scene);
    MachineParams *machine = malloc(sizeof *machine);
    TurnedScene *turned = malloc(sizeof *turned);
    if (scene == NULL || machine == NULL || turned == NULL) {
        abort();
    }
    Session *session = NULL;
    if (data_load_scene(drive->scene, NULL, 0, scene, machine, NULL, &status) &&
        scene_turn(scene, &drive->turn, turned, &status)) {
        SessionParams params = {.scene = drive->scene,
                                .set = turned->set,
                                .set_count = turned->count,
                                .has_seed = true,
                                .seed = run_seed(run),
                                .solver = run_solver(run),
                                .threads = run_threads(run)};
        session = session_create(&params, &status);
    }
    if (session == NULL) {
        run_fail(run, "%s", status.text);
    }
    free(turned);
    free(machine);
    free(scene);
    return session;
}

bool exercise_drive(Run *run, const ExerciseDrive *drive, ExerciseOutcome *outcome)
{
    *outcome = (ExerciseOutcome){0};
    Work work = {.drive = drive, .session = begin(run, drive)};
    if (work.session == NULL) {
        return false;
    }
    if (strcmp(session_scene(work.session)->exercise.expert, "auto") != 0) {
        run_fail(run, "%s: its expert is \"%s\"; \"auto\" is needed", drive->scene,
                 session_scene(work.session)->exercise.expert);
        session_destroy(work.session);
        return false;
    }
    work.before = site_survey(session_soil(work.session));
    work.autopilot = drive->levers == NULL ? autopilot_create(work.session) : NULL;
    if (drive->levers == NULL && work.autopilot == NULL) {
        abort();
    }
    drive_on(&work, outcome);
    read_figures(&work, outcome->of);
    autopilot_destroy(work.autopilot);
    site_survey_free(&work.before);
    session_destroy(work.session);
    return true;
}
