/// Persons who walk, keep clear, give signals, hook loads and are hurt: what they do, what is reported, that their
/// state continues to the bit, and scenes that are refused.
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/banksman.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define PEOPLE SPADEWORK_TEST_DIR "/support/people.yaml"
#define LIFT   SPADEWORK_TEST_DIR "/support/lift.yaml"

enum { SURVEYOR, HELPER, BANKSMAN, VISITOR, GEOLOGIST };

static Session *open_with(const char *scene, const char *const *set, int count, Status *status)
{
    return session_create(&(SessionParams){.scene = scene, .set = set, .set_count = count, .threads = 1}, status);
}

static Session *open_scene(const char *scene, const char *set)
{
    Status status = {0};
    Session *session = open_with(scene, &set, set != NULL, &status);
    assert_good(session != NULL, status);
    return session;
}

static void drive(Session *session, double seconds, ControlAxis axis, double lever)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls.axis[axis] = control_quantise(lever);
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
}

static void drive_back(Session *session, double seconds, double lever)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(-lever);
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
}

static int count_of(const Session *session, const char *kind, const ExerciseEvent **last)
{
    const Exercise *exercise = session_exercise(session);
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        if (is_event(exercise_event(exercise, k), kind)) {
            *last = exercise_event(exercise, k);
            count++;
        }
    }
    return count;
}

/// A state of the middle of a drive leads to the same end.
static void assert_continues(Session *session, const char *scene, const StateBuffer *saved, double seconds,
                             ControlAxis axis, double lever)
{
    Status status = {0};
    uint64_t hash = state_hash(session);
    Session *other = open_scene(scene, NULL);
    assert_good(state_restore(other, saved->data, saved->size, &status), status);
    assert_good(session_after_restore(other, &status), status);
    drive(other, seconds, axis, lever);
    assert_true(state_hash(other) == hash);
    session_destroy(other);
}

TEST(a_way_leads_round_what_stands_there_and_back)
{
    Session *session = open_scene(PEOPLE, NULL);
    const PersonState *surveyor = session_person(session, SURVEYOR);
    StateBuffer saved = {0};
    Status status = {0};
    double lowest = 1e9, nearest = 1e9;
    bool back = false;
    for (int k = 0; k < 60 * 22; k++) {
        if (k == 60 * 4) {
            assert_good(state_save(session, &saved, &status), status);
        }
        drive(session, 1.0 / 60.0, CONTROL_SWING, 0.0);
        double beside = fmax(fabs(surveyor->x - 12.0) - 3.0, fabs(surveyor->y) - 0.2);
        nearest = fmin(nearest, beside);
        lowest = fmin(lowest, surveyor->y);
        back = back || (lowest < -3.9 && surveyor->y > 3.9);
    }
    assert_near(lowest, -4.0, 0.06);
    assert_true(nearest > 0.5);
    assert_true(back);
    assert_true(surveyor->stride > 20.0);
    assert_continues(session, PEOPLE, &saved, 18.0, CONTROL_SWING, 0.0);
    state_buffer_free(&saved);
    session_destroy(session);
}

TEST(who_keeps_clear_steps_back_from_a_machine_that_comes)
{
    Session *session = open_scene(PEOPLE, NULL);
    const PersonState *helper = session_person(session, HELPER);
    const ExerciseEvent *event = NULL;
    drive_back(session, 12.0, 0.25);
    assert_true(session_frame(session)->machine.base.x < -2.5);
    assert_true(helper->x < session_frame(session)->machine.base.x - 3.5);
    assert_int_equal(count_of(session, "person_hit", &event), 0);
    session_destroy(session);
}

/// Whoever does not is hurt, and lies; that ends the attempt without a rule.
TEST(a_person_who_is_hit_lies_and_the_attempt_is_over)
{
    Session *session = open_scene(PEOPLE, "persons.1.keeps_clear=0");
    const ExerciseEvent *event = NULL;
    char text[EVENT_TEXT];
    drive_back(session, 10.0, 0.4);
    assert_int_equal(count_of(session, "person_hit", &event), 1);
    assert_string_equal(event->thing.name, "helper");
    assert_non_null(strstr(english_of(event, NULL, text), " hits helper at "));
    assert_int_equal(session_person(session, HELPER)->lies, 1);
    assert_int_equal(exercise_end(session_exercise(session)), EXERCISE_FAILED);
    assert_string_equal(exercise_failure(session_exercise(session)), "A person was hit.");
    session_destroy(session);
}

TEST(a_rock_that_falls_on_a_person_hurts)
{
    Session *session = open_scene(PEOPLE, "rocks.0.z=5");
    const ExerciseEvent *event = NULL;
    char text[EVENT_TEXT];
    drive(session, 2.0, CONTROL_SWING, 0.0);
    assert_int_equal(count_of(session, "person_hit", &event), 1);
    assert_non_null(strstr(english_of(event, NULL, text), "a rock hits geologist at "));
    assert_true(event->number.speed > 2.0);
    assert_int_equal(session_person(session, GEOLOGIST)->lies, 1);
    session_destroy(session);
    session = open_scene(PEOPLE, NULL); // one that lies there does not
    drive(session, 2.0, CONTROL_SWING, 0.0);
    assert_int_equal(count_of(session, "person_hit", &event), 0);
    session_destroy(session);
}

/// Somebody walks in: the banksman says stop, and who works on is reported once; then the work begins again.
TEST(work_against_a_stop_is_reported)
{
    Session *session = open_scene(PEOPLE, NULL);
    const PersonState *banksman = session_person(session, BANKSMAN);
    const ExerciseEvent *event = NULL;
    StateBuffer saved = {0};
    Status status = {0};
    drive(session, 1.0, CONTROL_SWING, 0.0);
    assert_int_equal(banksman->signal, ARM_START);
    drive(session, 4.0, CONTROL_SWING, 0.0);
    assert_int_equal(banksman->signal, ARM_NONE);
    for (int k = 0; k < 20 * 60 && banksman->signal != ARM_STOP; k++) {
        drive(session, 1.0 / 60.0, CONTROL_SWING, 0.0);
    }
    assert_int_equal(banksman->signal, ARM_STOP);
    assert_true(session_is_stopped(session));
    drive(session, 1.0, CONTROL_BOOM, 0.4); // within the time to react
    drive(session, 0.5, CONTROL_BOOM, 0.0);
    assert_int_equal(count_of(session, "signal_ignored", &event), 0);
    assert_good(state_save(session, &saved, &status), status);
    drive(session, 2.0, CONTROL_BOOM, 0.6);
    assert_int_equal(count_of(session, "signal_ignored", &event), 1);
    assert_string_equal(event->thing.name, "banksman");
    assert_continues(session, PEOPLE, &saved, 2.0, CONTROL_BOOM, 0.6);
    for (int k = 0; k < 20 * 60 && banksman->signal != ARM_START; k++) {
        drive(session, 1.0 / 60.0, CONTROL_SWING, 0.0);
    }
    assert_int_equal(banksman->signal, ARM_START);
    assert_false(session_is_stopped(session));
    assert_int_equal(count_of(session, "signal_ignored", &event), 1);
    state_buffer_free(&saved);
    session_destroy(session);
}

static ArmSignal signal_for(const BanksmanSight *sight)
{
    PersonState banksman = {.facing = M_PI, .x = 10.0};
    banksman_tick(&banksman, sight);
    return (ArmSignal)banksman.signal;
}

/// The banksman stands east of the machine and looks west: south is to the banksman's left.
TEST(signals_follow_the_load_to_its_place)
{
    BanksmanSight sight = {.time = 10.0, .dt = 1.0 / 60.0, .has_lift = true};
    BanksmanLift *lift = &sight.lift;
    *lift = (BanksmanLift){.wanted = true, .eye = vec3(5.0, 5.0, 5.0), .middle = vec3(5.0, 0.0, 0.3), .reach = 2.0};
    lift->place[0] = 5.0;
    lift->place[1] = 6.0;
    lift->within = 0.8;
    assert_int_equal(signal_for(&sight), ARM_LEFT);
    lift->eye = vec3(5.0, 0.1, 5.0);
    assert_int_equal(signal_for(&sight), ARM_LOWER);
    lift->eye.z = 2.2;
    assert_int_equal(signal_for(&sight), ARM_DISTANCE);
    lift->called = true;
    assert_int_equal(signal_for(&sight), ARM_STOP);
    lift->called = false;
    lift->hooked = true;
    assert_int_equal(signal_for(&sight), ARM_RAISE);
    lift->hangs = true;
    lift->clear = 0.8;
    assert_int_equal(signal_for(&sight), ARM_RIGHT);
    lift->place[0] = 9.0;
    lift->place[1] = 0.0;
    assert_int_equal(signal_for(&sight), ARM_FORWARD);
    lift->place[0] = 1.0;
    assert_int_equal(signal_for(&sight), ARM_BACKWARD);
    lift->place[0] = 5.0;
    assert_int_equal(signal_for(&sight), ARM_LOWER);
    lift->swing = 0.5;
    assert_int_equal(signal_for(&sight), ARM_DISTANCE);
    sight.stop = true;
    assert_int_equal(signal_for(&sight), ARM_STOP);
    sight.danger = true;
    assert_int_equal(signal_for(&sight), ARM_DANGER);
    *lift = (BanksmanLift){.wanted = false};
    sight.stop = sight.danger = false;
    assert_int_equal(signal_for(&sight), ARM_END);
}

/// A truck that backs is guided, stopped at the spot, and the operator begins.
TEST(signals_guide_a_truck_to_its_spot)
{
    PersonState banksman = {.facing = M_PI, .x = 10.0};
    BanksmanSight sight = {.time = 10.0, .dt = 0.1, .truck_moves = true};
    sight.truck = vec3(2.0, 0.0, 0.0);
    sight.truck_ahead = vec3(1.0, 0.0, 0.0);
    banksman_tick(&banksman, &sight);
    assert_int_equal(banksman.signal, ARM_FORWARD);
    assert_int_equal(banksman.to_truck, 1);
    for (int k = 0; k < 10; k++) {
        banksman_tick(&banksman, &sight);
    }
    sight.truck_moves = false;
    banksman_tick(&banksman, &sight);
    assert_int_equal(banksman.signal, ARM_STOP);
    assert_int_equal(banksman.to_truck, 1);
    assert_false(banksman_stops(&banksman)); // it is not for the operator
    for (int k = 0; k < 17; k++) {
        banksman_tick(&banksman, &sight);
    }
    assert_int_equal(banksman.signal, ARM_START);
    assert_int_equal(banksman.to_truck, 0);
    for (int k = 0; k < 25; k++) {
        banksman_tick(&banksman, &sight);
    }
    assert_int_equal(banksman.signal, ARM_NONE);
}

/// The pipe of this scene is on the hook at the start. A press calls the slinger, who takes time; a move while the
/// slinger is at the load is reported.
TEST(a_slinger_comes_takes_the_load_off_and_steps_away)
{
    for (int moves = 0; moves < 2; moves++) {
        Session *session = open_scene(LIFT, "persons.0.role=slinger");
        const PersonState *slinger = session_person(session, 0);
        const ExerciseEvent *event = NULL;
        drive(session, 3.0, CONTROL_SWING, 0.0);
        drive(session, 0.2, CONTROL_AUXILIARY, 1.0);
        assert_int_equal(count_of(session, "slinger", &event), 1);
        assert_int_equal(count_of(session, "unhooked", &event), 0);
        for (int k = 0; k < 60 * 20 && slinger->task != SLINGER_WORKS; k++) {
            drive(session, 1.0 / 60.0, CONTROL_SWING, 0.0);
        }
        assert_int_equal(slinger->task, SLINGER_WORKS);
        assert_true(session_frame(session)->lift.attended);
        drive(session, 1.0, CONTROL_SWING, moves ? 0.4 : 0.0);
        assert_int_equal(count_of(session, "slinger_endangered", &event), moves);
        if (moves) {
            assert_string_equal(event->thing.name, "surveyor");
            assert_int_equal(count_of(session, "unhooked", &event), 0);
        } else {
            drive(session, 4.0, CONTROL_SWING, 0.0);
            assert_int_equal(count_of(session, "unhooked", &event), 1);
            drive(session, 12.0, CONTROL_SWING, 0.0);
            assert_int_equal(slinger->task, SLINGER_WAITS);
            assert_false(session_frame(session)->lift.attended);
            assert_near(slinger->y, -6.5, 0.1);
            assert_int_equal(count_of(session, "person_zone", &event), 0);
        }
        session_destroy(session);
    }
}

TEST(persons_that_cannot_be_are_refused)
{
    static const char *const cases[][2] = {
        {"persons.0.role=flagman", "persons.0.role: read flagman, allowed none, banksman, slinger"},
        {"persons.1.role=banksman", "persons.2.role: persons.1 (helper) has it, allowed for one person"},
        {"persons.0.role=slinger", "persons.0.role: there is no load to hook, allowed with exercise.loads"},
        {"persons.1.keeps_clear=20", "persons.1.keeps_clear: read 20, allowed 0 to 15"},
        {"persons.1.hook_time=0", "persons.1.hook_time: read 0, allowed 1 to 60"},
        {"persons.0.path.speed=5", "persons.0.path.speed: read 5, allowed 0.2 to 3"},
        {"persons.0.path.after=-1", "persons.0.path.after: read -1, allowed 0 to 36000"},
        {"persons.0.path.loop=maybe", "persons.0.path.loop: read maybe, allowed no, yes"},
        {"persons.0.path.points.0.wait=601", "persons.0.path.points.0.wait: read 601, allowed 0 to 600"},
        {"persons.0.path.points.0.x=30", "persons.0.path.points.0.x: 30 lies outside the site, allowed -20 to 20"},
        {"persons.0.path.points.0.y=0.5",
         "persons.0.path.points.0: 0.3 m from fixtures.0 (wall), allowed from 0.6 m on"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status = {0};
        Session *session = open_with(PEOPLE, &cases[k][0], 1, &status);
        if (session != NULL || strstr(status.text, cases[k][1]) == NULL) {
            fail_msg("%s: wanted \"%s\", read \"%s\"", cases[k][0], cases[k][1], status.text);
        }
    }
}

TEST_GROUP(NULL, NULL)
