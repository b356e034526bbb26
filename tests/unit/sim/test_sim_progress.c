/// Progress that is true, in real sessions: what is told of the ground is what lies there once it has settled, and the
/// score of finished work stays, but for what incidents cost.
///
/// The runs of `the_score_of_finished_work_stays` last 60 s (clumsy hands: 10 s), or as many seconds as
/// SPADEWORK_PROGRESS_SECONDS says. With it they are of all scenes and twenty seeds (1215: every exercise to its end).
// test: long, first
#include "tests/support/clumsy_operator.h"
#include "tests/support/expert_run.h"
#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"

#define FALL_WINDOW 10.0 ///< s
#define MOST_FALL   3.0 ///< points within the window

enum { WINDOW = 600 }; // ticks

static double metric(const Session *session, const char *name)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(session_exercise(session), metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric %s", name);
    return 0.0;
}

static Session *make_session(const char *scene, const char *const *set, int set_count)
{
    Status status;
    SessionParams params = {.scene = scene, .set = set, .set_count = set_count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// ---- what is told against what lies there --------------------------------------------------------------------------

/// A trench as it was before anything was dug, and as it is.
typedef struct Trial {
    Session *session;
    int rows, columns;
    float *before, *now; ///< m, [rows][columns]
} Trial;

static Trial make_trial(const char *const *set, int set_count)
{
    Trial trial = {.session = make_session("trench", set, set_count)};
    SoilGridView grid = soil_get_grid(session_soil(trial.session));
    size_t size = (size_t)grid.rows * (size_t)grid.columns * sizeof(float);
    trial.rows = grid.rows;
    trial.columns = grid.columns;
    trial.before = malloc(size);
    trial.now = malloc(size);
    assert_true(trial.before != NULL && trial.now != NULL);
    memcpy(trial.before, grid.height, size);
    return trial;
}

static void free_trial(Trial *trial)
{
    free(trial->before);
    free(trial->now);
    session_destroy(trial->session);
}

/// Share of the box that is dug by heights; the shipped trench looks along x.
static double removed(const Trial *trial, const float *heights)
{
    const SceneTrench *trench = &session_scene(trial->session)->exercise.trench;
    SoilGridView grid = soil_get_grid(session_soil(trial->session));
    double box = 0.0, sum = 0.0;
    for (int k = 0; k < trial->rows * trial->columns; k++) {
        double x = grid.origin_x + k % trial->columns * grid.spacing - trench->x;
        double y = grid.origin_y + k / trial->columns * grid.spacing - trench->y;
        if (x < 0.0 || x > trench->length || fabs(y) > 0.5 * trench->width) {
            continue;
        }
        double whole = (double)trial->before[k] + trench->depth, dug = (double)trial->before[k] - (double)heights[k];
        box += whole;
        sum += fmin(fmax(dug, 0.0), whole);
    }
    return sum / box;
}

/// Two cycles of the scripted operator. What is told is what lies there whenever it is not held; while it is held it
/// does not move, though the columns alone say that much more was dug.
TEST(what_is_told_is_true_or_held)
{
    Trial trial = make_trial(NULL, 0);
    Autopilot *pilot = autopilot_create(trial.session);
    assert_non_null(pilot);
    double told = 0.0, spilled = 0.0, most = 0.0, lowered = 0.0;
    int settled = 0, held = 0;
    for (int tick = 1; tick <= 30 * 60; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, trial.session, &controls);
        session_tick(trial.session, &controls);
        double share = metric(trial.session, "removed_share");
        lowered = fmax(lowered, removed(&trial, soil_get_grid(session_soil(trial.session)).height) - share);
        most = fmax(most, share);
        if (exercise_held(session_exercise(trial.session)) > 0.0) {
            held++;
            assert_true(share == told && metric(trial.session, "spilled_kg") == spilled);
        } else if (tick % exercise_look_interval(session_dt(trial.session)) == 0) {
            settled++;
            soil_get_rest(session_soil(trial.session), SOIL_GRAINS_LYING, trial.now);
            assert_near(share, removed(&trial, trial.now), 1e-6);
        }
        told = share;
        spilled = metric(trial.session, "spilled_kg");
    }
    print_message("told at most %.3f, the columns said %.3f more; held in %d ticks, true in %d looks\n", most, lowered,
                  held, settled);
    assert_true(settled > 20 && held > 300);
    assert_true(most > 0.02 && lowered > 0.02);
    autopilot_destroy(pilot);
    free_trial(&trial);
}

/// The time is up with the bucket in the cut, where it stays: ten seconds later what is loose there counts as fallen
/// back, and no more is told than lies there. The operator begins nine seconds before.
TEST(a_time_out_in_mid_cut_banks_no_peak)
{
    static const char *const set[] = {"exercise.time_limit=10", "exercise.par_time=10"};
    Trial trial = make_trial(set, 2);
    Autopilot *pilot = autopilot_create(trial.session);
    assert_non_null(pilot);
    double peak = 0.0;
    int ticks = 0;
    while (!exercise_is_finished(session_exercise(trial.session))) {
        OperatorControls controls = control_neutral;
        if (ticks >= 60 && !exercise_is_settling(session_exercise(trial.session))) {
            autopilot_controls(pilot, trial.session, &controls);
        }
        session_tick(trial.session, &controls);
        peak = fmax(peak, removed(&trial, soil_get_grid(session_soil(trial.session)).height));
        assert_true(++ticks < 21 * 60);
    }
    double share = metric(trial.session, "removed_share");
    soil_get_rest(session_soil(trial.session), SOIL_GRAINS_ALL, trial.now);
    print_message("judged %.1f s after the start: %.4f dug; with everything laid down %.4f, at its peak %.4f\n",
                  ticks / 60.0, share, removed(&trial, trial.now), peak);
    assert_true(ticks > 19 * 60);
    assert_near(share, removed(&trial, trial.now), 1e-6);
    assert_true(share < peak - 0.01);
    autopilot_destroy(pilot);
    free_trial(&trial);
}

/// ---- the score over whole runs -------------------------------------------------------------------------------------

/// The last ten seconds of a run.
typedef struct Window {
    double score[WINDOW];
    double dug[WINDOW]; ///< share of the box
    int64_t count;
    double fall, at; ///< points: the largest fall within the window so far; s: when
    double back, back_at; ///< the same of falls while soil came back into the box
} Window;

/// Share of a trench's box that soil came back into, within the window, and that alone makes a fall: 0.1 m3 of 10.
#define CAME_BACK 0.01

static void add_score(Window *window, double score, double dug)
{
    int64_t newest = window->count++ % WINDOW, known = window->count < WINDOW ? window->count : WINDOW;
    window->score[newest] = score;
    window->dug[newest] = dug;
    for (int64_t k = 0; k < known; k++) {
        double fall = window->score[k] - score, *worst = &window->fall, *at = &window->at;
        if (window->dug[k] - dug > CAME_BACK) {
            worst = &window->back;
            at = &window->back_at;
        }
        if (fall > *worst) {
            *worst = fall;
            *at = (double)window->count / 60.0;
        }
    }
}

/// Drives a scene: by the scripted operator, or with a seed above 0 by clumsy hands.
static void check_run(const char *scene, uint64_t seed, double seconds)
{
    static ClumsyScript script;
    Session *session = make_session(scene, NULL, 0);
    Autopilot *pilot = autopilot_create(session);
    assert_non_null(pilot);
    clumsy_make(seed, &script);
    bool trench = session_scene(session)->exercise.kind == EXERCISE_TRENCH;
    Window window = {.count = 0};
    double most = 0.0, longest = 0.0;
    for (int64_t tick = 0; (double)tick < seconds * 60.0 && !exercise_is_finished(session_exercise(session)); tick++) {
        OperatorControls controls;
        if (seed > 0) {
            clumsy_levers(&script, (double)tick / 60.0, &controls);
        } else {
            autopilot_controls(pilot, session, &controls);
        }
        session_tick(session, &controls);
        add_score(&window, session_frame(session)->score - metric(session, "points_incidents"),
                  trench ? metric(session, "removed_share") : 0.0);
        most = fmax(most, session_frame(session)->score - metric(session, "points_incidents"));
        longest = fmax(longest, session_frame(session)->held);
    }
    print_message(
        "%-13s %-6s seed %2d: %6.1f s, score %5.1f at most, %5.1f at the end; fell by %4.2f until %.0f s, with "
        "soil that came back by %4.2f until %.0f s; held for %.1f s on end\n",
        scene, seed > 0 ? "clumsy" : "auto", (int)seed, (double)window.count / 60.0, most,
        session_frame(session)->score, window.fall, window.at, window.back, window.back_at, longest);
    assert_true(window.fall <= MOST_FALL);
    autopilot_destroy(pilot);
    session_destroy(session);
}

/// In no run does the score fall by more than 3 points within 10 s, unless soil came back into the box. What is told of
/// the box is true (what_is_told_is_true_or_held).
TEST(the_score_of_finished_work_stays)
{
    static const char *const scenes[] = {"trench",   "slot-dozing", "truck-loading", "haul",     "soils",
                                         "boulders", "dozing",      "free",          "dam-break"};
    const char *asked = getenv("SPADEWORK_PROGRESS_SECONDS");
    double seconds = asked != NULL ? strtod(asked, NULL) : 60.0;
    assert_true(seconds > 0.0 && seconds <= 36000.0);
    int count = asked != NULL ? (int)(sizeof scenes / sizeof *scenes) : 4, seeds = asked != NULL ? 20 : 1;
    for (int k = 0; k < count; k++) {
        check_run(scenes[k], 0, seconds);
        for (int seed = 1; seed <= seeds; seed++) {
            check_run(scenes[k], (uint64_t)seed, asked != NULL ? fmin(seconds, CLUMSY_SECONDS) : 10.0);
        }
    }
}

/// A layer is spread with the edge a layer's height over the ground. What stands before the blade on the surface is not
/// left out there, and the exercise does not end, while it is pushed, though that lasts longer than the figures are
/// held.
TEST(a_blade_that_spreads_soil_is_at_work)
{
    Run run = run_begin("spread-pile", "machine.file=dozer-20t", MACHINE_DOZER);
    ExpertLevel level = {.field = {-8.2, 0.0, 0.0, 16.2, 3.2},
                         .z = 0.23,
                         .end_z = 0.23,
                         .layer = 0.5,
                         .beyond = 1.0,
                         .tolerance = 0.02,
                         .speed = 0.3,
                         .passes = 1,
                         .limit = 60.0};
    run_start(&run, (ExpertAction){.kind = EXPERT_LEVEL, .with.level = level});
    double pushed = 0.0, dt = session_dt(run.session);
    while (!expert_is_done(run.expert)) {
        run_tick(&run);
        bool pushes = session_frame(run.session)->payload > 500.0 && run_readout(&run)->tip.x < 7.5;
        pushed += pushes ? dt : 0.0;
        assert_false(pushes && exercise_is_finished(session_exercise(run.session)));
    }
    assert_true(pushed > EXERCISE_PATIENCE);
    run_end(&run);
}

TEST_GROUP(NULL, NULL)
