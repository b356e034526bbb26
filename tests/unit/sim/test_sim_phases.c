/// Phases of work, recognised from the machine's motion, against what the scripted operator says it is doing, and on
/// scripts whose phases are known by hand.
///
/// Runs of the scripted operator last 60 to 90 s, or as many seconds as SPADEWORK_PHASES_SECONDS says.
// test: long, first

#include <limits.h>

#include "tests/support/clumsy_operator.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/sim/work_phases.h"
#include "trainer/pilot/autopilot.h"

enum { RATE = 60 };
enum { NEAR_CHANGE = 48 }; ///< ticks around a change of the operator's word in which nobody says which phase it is
#define NOTHING 50.0 ///< kg before a blade
#define ALIKE   0.9 ///< share of the other ticks

static Session *make_session(const char *scene)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 2}, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Lengths of the phases that were told, but the first and the last, of which only parts are seen.
typedef struct Lengths {
    WorkPhase phase;
    int since, changes; ///< ticks
    int shortest[WORK_PHASE_COUNT]; ///< ticks
    int ticks[WORK_PHASE_COUNT];
} Lengths;

static Lengths begin_lengths(void)
{
    Lengths lengths = {.phase = WORK_IDLE};
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        lengths.shortest[k] = INT_MAX;
    }
    return lengths;
}

static void follow(Lengths *lengths, WorkPhase phase)
{
    if (phase != lengths->phase) {
        if (lengths->changes > 0 && lengths->since < lengths->shortest[lengths->phase]) {
            lengths->shortest[lengths->phase] = lengths->since;
        }
        lengths->changes++;
        lengths->since = 0;
        lengths->phase = phase;
    }
    lengths->since++;
    lengths->ticks[phase]++;
}

static void expect_no_flicker(const Lengths *lengths)
{
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        assert_true(lengths->shortest[k] >= (int)(WORK_PHASE_HOLD * RATE));
    }
}

/// ---- against the scripted operator ---------------------------------------------------------------------------------

/// What the operator's own word for a phase means; -1: planning, which may be any.
static int meaning(const char *word)
{
    static const struct {
        const char *word;
        WorkPhase phase;
    } words[] = {
        {"return", WORK_SWING_EMPTY}, {"lower", WORK_SWING_EMPTY}, {"dig", WORK_DIG}, {"lift", WORK_SWING_LOADED},
        {"dump", WORK_DUMP},          {"shake", WORK_DUMP},        {"cut", WORK_DIG}, {"carry", WORK_SWING_LOADED},
        {"spread", WORK_DUMP},        {"back", WORK_SWING_EMPTY}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (strcmp(words[k].word, word) == 0) {
            return (int)words[k].phase;
        }
    }
    return -1;
}

typedef struct Match {
    int ticks, alike; ///< farther than NEAR_CHANGE ticks from a change of the operator's word
    int told[WORK_PHASE_COUNT][WORK_PHASE_COUNT]; ///< [meant][told]
} Match;

static Match match_words(const int *meant, const int *told, int ticks)
{
    Match match = {0};
    for (int k = NEAR_CHANGE; k < ticks - NEAR_CHANGE; k++) {
        bool steady = meant[k] >= 0;
        for (int n = -NEAR_CHANGE; n <= NEAR_CHANGE && steady; n++) {
            steady = meant[k + n] == meant[k];
        }
        if (steady) {
            match.ticks++;
            match.alike += meant[k] == told[k];
            match.told[meant[k]][told[k]]++;
        }
    }
    return match;
}

static void print_match(const char *scene, const Match *match, bool swings)
{
    print_message("%s: %.3f of %d ticks alike\n", scene, (double)match->alike / match->ticks, match->ticks);
    for (int a = 0; a < WORK_PHASE_COUNT; a++) {
        for (int b = 0; b < WORK_PHASE_COUNT; b++) {
            if (a != b && match->told[a][b] > 0) {
                print_message("  %s told as %s: %d\n", work_phase_name((WorkPhase)a, swings),
                              work_phase_name((WorkPhase)b, swings), match->told[a][b]);
            }
        }
    }
}

/// Each cycle's event tells a split that is made of whole phases: what is there at all lasts half a second.
static void expect_whole_splits(const Session *session)
{
    const Exercise *exercise = session_exercise(session);
    int found = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        char text[EVENT_TEXT];
        if (event->kind != EVENT_CYCLE) {
            continue;
        }
        bool swings = session_machine_params(session)->swing_joint >= 0;
        assert_int_equal(event->form, swings ? EVENT_CYCLE_OF_ARM : EVENT_CYCLE_OF_BLADE);
        print_message("  %s\n", english_of(event, NULL, text));
        const double part[] = {event->number.dig, event->number.carry, event->number.dump, event->number.back};
        for (int n = 0; n < 3; n++) {
            assert_true(part[n] >= WORK_PHASE_HOLD - 0.05);
        }
        assert_true(part[0] + part[1] + part[2] + part[3] <= event->number.duration + 1e-6);
        found++;
    }
    assert_true(found > 0);
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    double work = values[METRIC_DIG_TOTAL] + values[METRIC_SWING_TOTAL] + values[METRIC_DUMP_TOTAL];
    double rest = values[METRIC_RETURN_TOTAL] + values[METRIC_TRAVEL_TOTAL] + values[METRIC_IDLE_TOTAL];
    assert_near(work + rest, values[METRIC_TIME], 1e-6);
}

static void expect_alike(const char *scene, int seconds)
{
    const char *asked = getenv("SPADEWORK_PHASES_SECONDS");
    seconds = asked != NULL ? atoi(asked) : seconds;
    Session *session = make_session(scene);
    Autopilot *autopilot = autopilot_create(session);
    assert_non_null(autopilot);
    int ticks = seconds * RATE;
    int *meant = calloc((size_t)ticks, sizeof *meant), *told = calloc((size_t)ticks, sizeof *told);
    assert_non_null(meant);
    assert_non_null(told);
    Lengths lengths = begin_lengths();
    for (int k = 0; k < ticks; k++) {
        OperatorControls controls;
        autopilot_controls(autopilot, session, &controls);
        const char *word = autopilot_phase(autopilot);
        session_tick(session, &controls);
        // A dozer's operator calls it cutting from where he comes to the cut on, with nothing before the blade.
        bool comes = strcmp(word, "cut") == 0 && session_frame(session)->payload < NOTHING;
        meant[k] = comes ? -1 : meaning(word);
        told[k] = (int)exercise_phase(session_exercise(session));
        follow(&lengths, (WorkPhase)told[k]);
    }
    Match match = match_words(meant, told, ticks);
    print_match(scene, &match, session_machine_params(session)->swing_joint >= 0);
    assert_true(match.ticks > ticks / 4);
    assert_true(match.alike >= ALIKE * match.ticks);
    expect_no_flicker(&lengths);
    expect_whole_splits(session);
    free(meant);
    free(told);
    autopilot_destroy(autopilot);
    session_destroy(session);
}

TEST(a_trench_is_told_as_the_operator_has_it)
{
    expect_alike("trench", 60);
}

TEST(loading_a_truck_is_told_as_the_operator_has_it)
{
    expect_alike("truck-loading", 60);
}

TEST(hauling_is_told_as_the_operator_has_it)
{
    expect_alike("haul", 60);
}

TEST(a_slot_is_told_as_the_operator_has_it)
{
    expect_alike("slot-dozing", 90);
}

TEST(clumsy_hands_do_not_make_phases_flicker)
{
    static const char *const scenes[] = {"truck-loading", "slot-dozing"};
    for (int scene = 0; scene < 2; scene++) {
        Session *session = make_session(scenes[scene]);
        Lengths lengths = begin_lengths();
        ClumsyScript script = {0};
        clumsy_make((uint64_t)scene + 3, &script);
        for (int k = 0; k < 20 * RATE; k++) {
            OperatorControls controls;
            clumsy_levers(&script, (double)k / RATE, &controls);
            session_tick(session, &controls);
            follow(&lengths, exercise_phase(session_exercise(session)));
        }
        print_message("%s, clumsy: %d changes of phase\n", scenes[scene], lengths.changes);
        expect_no_flicker(&lengths);
        assert_true(lengths.changes > 1);
        session_destroy(session);
    }
}

/// ---- known by hand -------------------------------------------------------------------------------------------------

/// A real machine that stands 4 s, drives 5 s and stands 5 s.
TEST(travel_and_idle_are_told)
{
    Session *session = make_session("free");
    Lengths lengths = begin_lengths();
    for (int k = 0; k < 14 * RATE; k++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
        bool drives = k >= 4 * RATE && k < 9 * RATE;
        controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = drives ? CONTROL_FULL : 0;
        session_tick(session, &controls);
        follow(&lengths, exercise_phase(session_exercise(session)));
    }
    double values[METRIC_COUNT];
    exercise_values(session_exercise(session), values);
    assert_int_equal(lengths.changes, 2);
    assert_int_equal(lengths.phase, WORK_IDLE);
    const double coasts = 0.7; // s from the lever's end to belts that stand; 0.9 to rest (test_machine_travel)
    assert_near(values[METRIC_TRAVEL_TOTAL], 5.0 + coasts, 0.3);
    assert_near(values[METRIC_IDLE_TOTAL], 9.0 - coasts, 0.3);
    session_destroy(session);
}

/// A stretch of a script: what is seen, and what it is.
typedef struct Stretch {
    double seconds;
    WorkMotion motion; ///< at its end; the payload goes there evenly
    WorkPhase phase;
} Stretch;

/// Plays stretches and compares what each phase was seen for, s, with what the stretches say.
/// late  s that the load's low pass may shift a change between two phases by
static void expect_phases(const Stretch *stretches, int count, bool swings, double late)
{
    WorkPhases phases;
    work_phases_start(&phases, 0.0);
    double told[WORK_PHASE_COUNT] = {0}, asked[WORK_PHASE_COUNT] = {0}, payload = 0.0;
    Lengths lengths = begin_lengths();
    for (int k = 0; k < count; k++) {
        asked[stretches[k].phase] += stretches[k].seconds;
        int ticks = (int)(stretches[k].seconds * RATE + 0.5);
        double step = (stretches[k].motion.payload - payload) / ticks;
        for (int n = 0; n < ticks; n++) {
            WorkMotion motion = stretches[k].motion;
            motion.dt = 1.0 / RATE;
            motion.swings = swings;
            motion.full = 1000.0;
            motion.joint_speed = fmax(fabs(motion.curl_speed), fabs(motion.swing_speed));
            motion.payload = payload += step;
            WorkPhase before = (WorkPhase)phases.phase;
            double seen;
            WorkPhase phase = work_phases_tick(&phases, &motion, &seen);
            told[before] -= seen;
            told[phase] += seen + motion.dt;
            follow(&lengths, phase);
        }
    }
    expect_no_flicker(&lengths);
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        print_message("%s: %.2f s, asked %.2f s\n", work_phase_name((WorkPhase)k, swings), told[k], asked[k]);
        assert_near(told[k], asked[k], late);
    }
}

TEST(a_script_of_an_excavator_is_told)
{
    static const Stretch stretches[] = {
        {4.0, {.edge_height = 1.0}, WORK_IDLE},
        {5.0, {.edge_height = 1.0, .belts = {1.0, 1.0}}, WORK_TRAVEL},
        {1.0, {.edge_height = 1.0}, WORK_TRAVEL}, // too short to be idle
        {3.0, {.edge_height = 1.0, .belts = {-1.0, 1.0}}, WORK_TRAVEL},
        {4.0, {.edge_height = -0.1, .curl_speed = 0.4, .payload = 900.0}, WORK_DIG},
        {3.0, {.edge_height = 2.0, .swing_speed = 0.6, .payload = 880.0}, WORK_SWING_LOADED},
        {0.3, {.edge_height = 2.0, .curl_speed = -0.5, .payload = 870.0}, WORK_SWING_LOADED}, // a hand that twitches
        {1.0, {.edge_height = 2.0, .swing_speed = 0.6, .payload = 870.0}, WORK_SWING_LOADED},
        {2.0, {.edge_height = 2.0, .curl_speed = -0.8, .payload = 20.0}, WORK_DUMP},
        {1.0, {.edge_height = 2.0, .curl_speed = 1.0, .payload = 10.0}, WORK_DUMP}, // shakes
        {3.0, {.edge_height = 2.0, .swing_speed = -0.6, .payload = 10.0}, WORK_SWING_EMPTY},
        {3.0, {.edge_height = 0.0, .curl_speed = 0.3, .payload = 10.0}, WORK_DIG},
        {4.0, {.edge_height = 1.0, .payload = 10.0}, WORK_IDLE},
        {3.0, {.edge_height = -0.1, .curl_speed = 0.4, .payload = 400.0}, WORK_DIG},
        {3.0, {.edge_height = 2.0, .swing_speed = 0.6, .payload = 400.0}, WORK_SWING_LOADED},
        {0.1, {.edge_height = 2.0, .curl_speed = -2.0, .payload = 0.0}, WORK_DUMP}, // it falls at once
        {0.9, {.edge_height = 2.0, .curl_speed = -2.0, .payload = 0.0}, WORK_DUMP},
        {2.0, {.edge_height = 2.0, .swing_speed = -0.6, .payload = 0.0}, WORK_SWING_EMPTY},
    };
    expect_phases(stretches, sizeof stretches / sizeof stretches[0], true, 0.1);
}

TEST(a_script_of_a_dozer_is_told)
{
    static const Stretch stretches[] = {
        {3.0, {.edge_height = 0.5}, WORK_IDLE},
        {4.0, {.edge_height = 0.3, .belts = {1.5, 1.5}}, WORK_TRAVEL},
        {5.0, {.edge_height = -0.1, .belts = {1.0, 1.0}, .payload = 800.0}, WORK_DIG},
        {6.0, {.edge_height = 0.0, .belts = {1.0, 1.0}, .payload = 780.0}, WORK_SWING_LOADED},
        {5.0, {.edge_height = 0.1, .belts = {1.0, 1.0}, .payload = 0.0}, WORK_DUMP},
        {6.0, {.edge_height = 0.5, .belts = {-2.0, -2.0}}, WORK_SWING_EMPTY},
        {3.0, {.edge_height = 0.5, .belts = {-0.5, 0.5}}, WORK_TRAVEL},
    };
    expect_phases(stretches, sizeof stretches / sizeof stretches[0], false,
                  2.0); // it carries once the load has stopped to grow
}

/// ---- a damaged state -----------------------------------------------------------------------------------------------

static void spoil_phase(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    memset(data, strcmp(name, "exercise.work.phase") == 0 ? 0x7f : 0, size * count);
}

static void spoil_seen(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    memset(data, strcmp(name, "exercise.work.seen") == 0 ? 0xff : 0, size * count);
}

TEST(phases_that_there_are_not_are_refused)
{
    WorkPhases phases;
    StateVisitor visitors[] = {{.field = spoil_phase, .restoring = true}, {.field = spoil_seen, .restoring = true}};
    for (int k = 0; k < 2; k++) {
        work_phases_start(&phases, 0.0);
        work_phases_visit(&phases, &visitors[k]);
        assert_true(visitors[k].failed);
        assert_int_equal(phases.phase, WORK_IDLE);
        assert_int_equal(phases.seen, WORK_IDLE);
    }
    assert_string_equal(work_phase_name(WORK_SWING_LOADED, false), "carry");
    assert_string_equal(work_phase_name((WorkPhase)99, true), "?");
}

TEST_GROUP(NULL, NULL)
