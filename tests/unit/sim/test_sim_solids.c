/// Fixtures and trucks in a session: a machine that runs into one is stopped, and the event says which part met what;
/// the run goes on from any state with the same bits; a machine does not start inside one.

#include "tests/support/test.h"
#include "tests/support/event_fixture.h"

#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 240, SAVED_AT = 110 };

static Session *open_session(const char *scene, const char *const *set, int set_count, Status *status)
{
    SessionParams params = {.scene = scene, .set = set, .set_count = set_count, .threads = 1};
    return session_create(&params, status);
}

/// Swings to the left, into what is there.
static void tick(Session *session)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = session_frame(session)->tick < 40 ? control_quantise(0.3) : 0;
    controls.axis[CONTROL_SWING] = control_quantise(-1.0);
    session_tick(session, &controls);
}

/// Events of the kind `touch`; the first one's text.
static int touches(const Session *session, char first[EVENT_TEXT])
{
    const Exercise *exercise = session_exercise(session);
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (is_event(event, "touch") && count++ == 0) {
            english_of(event, NULL, first);
        }
    }
    return count;
}

/// Drives a session of a scene into what stands at its left, twice from a state on the way.
static void run_into(const char *scene, const char *what)
{
    Status status;
    Session *session = open_session(scene, NULL, 0, &status);
    assert_good(session != NULL, status);
    StateBuffer saved = {0};
    for (int k = 0; k < TICKS; k++) {
        if (k == SAVED_AT) {
            assert_good(state_save(session, &saved, &status), status);
        }
        tick(session);
    }
    char text[EVENT_TEXT] = "";
    int count = touches(session, text);
    print_message("%s: %d touches, first: %s\n", scene, count, text);
    assert_true(count >= 1 && count <= 4);
    assert_non_null(strstr(text, what));
    const MachineReadout *readout = &session_frame(session)->machine;
    assert_near(readout->speed[0], 0.0, 0.02);
    print_message("swing at %.2f of its relief\n",
                  readout->pressure[0] / session_machine_params(session)->swing.relief);
    assert_true(readout->pressure[0] > 0.95 * session_machine_params(session)->swing.relief);
    uint64_t hash = state_hash(session);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(session, &status), status);
    for (int k = SAVED_AT; k < TICKS; k++) {
        tick(session);
    }
    assert_true(state_hash(session) == hash);
    state_buffer_free(&saved);
    session_destroy(session);
}

TEST(an_arm_that_swings_into_a_container_is_told_of)
{
    run_into("tight-site", "bucket touches container at ");
}

/// J of a body's motion: (m v^2 + w . I w) / 2, with I w from the inverse of I by Cramer's rule.
static double kinetic_energy(const RigidMotion *motion)
{
    const Mat3 *m = &motion->inertia_inverse;
    Vec3 a = vec3(m->m[0][0], m->m[1][0], m->m[2][0]), b = vec3(m->m[0][1], m->m[1][1], m->m[2][1]);
    Vec3 c = vec3(m->m[0][2], m->m[1][2], m->m[2][2]), w = motion->spin;
    double determinant = vec3_dot(a, vec3_cross(b, c));
    Vec3 momentum =
        vec3_scale(vec3(vec3_dot(w, vec3_cross(b, c)), vec3_dot(a, vec3_cross(w, c)), vec3_dot(a, vec3_cross(b, w))),
                   1.0 / determinant);
    return 0.5 * vec3_dot(motion->velocity, motion->velocity) / motion->inverse_mass + 0.5 * vec3_dot(w, momentum);
}

static double machine_energy(const Session *session)
{
    double sum = 0.0;
    for (int k = 0; k < session_machine_params(session)->body_count; k++) {
        RigidMotion motion;
        machine_get_body(session_machine(session), session_machine_state(session), k, &motion);
        sum += kinetic_energy(&motion);
    }
    return sum;
}

/// A house that swings into a container loses its energy there: what the event says that the blow took up is no less
/// than what the machine's bodies lose in the tick that stops them, but for what the tracks take meanwhile, and no more
/// than what they lose in the whole blow, of which the arm's cylinders take a part.
TEST(the_energy_of_a_touch_is_what_the_machine_lost)
{
    Status status;
    Session *session = open_session("tight-site", NULL, 0, &status);
    assert_good(session != NULL, status);
    double before = 0.0, after = 0.0, stopped = 0.0;
    char text[EVENT_TEXT] = "";
    for (int k = 0; k < TICKS && touches(session, text) == 0; k++) {
        double last = after;
        tick(session);
        after = machine_energy(session);
        before = fmax(before, after);
        stopped = fmax(stopped, last - after);
    }
    const Exercise *exercise = session_exercise(session);
    const ExerciseEvent *event = exercise_event(exercise, exercise_event_count(exercise) - 1);
    print_message("%s; the machine lost %.1f kJ in a tick, %.1f of %.1f in all\n", english_of(event, NULL, text),
                  1e-3 * stopped, 1e-3 * (before - after), 1e-3 * before);
    assert_string_equal(event->part.name, "bucket");
    assert_string_equal(event->thing.name, "container");
    assert_true(stopped > 0.5 * before);
    assert_true(event->number.energy > stopped - 0.1 * before && event->number.energy < before - after);
    const MachineReadout *readout = &session_frame(session)->machine;
    assert_near(event->number.x, readout->tip.x, 1.5);
    assert_near(event->number.y, readout->tip.y, 1.5);
    session_destroy(session);
}

TEST(a_truck_is_solid)
{
    run_into("truck-loading", " touches the truck's ");
}

/// The tail of a truck on the road is not there while it is open; nothing of it reaches into the machine at the start.
TEST(a_haul_has_solid_trucks)
{
    Status status;
    Session *session = open_session("haul", NULL, 0, &status);
    assert_good(session != NULL, status);
    for (int k = 0; k < 60; k++) {
        session_tick(session, &control_neutral);
    }
    char text[EVENT_TEXT] = "";
    assert_int_equal(touches(session, text), 0);
    session_destroy(session);
}

TEST(a_machine_does_not_start_in_a_wall)
{
    static const char *const set[] = {"fixtures.0.y=0"};
    Status status;
    assert_null(open_session("tight-site", set, 1, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(strstr(status.text, "--set fixtures.0.y=0: "));
    assert_non_null(strstr(status.text, "tight-site.yaml:"));
    assert_non_null(strstr(status.text, ": fixtures.0 (wall): the machine starts in it: its "));
}

TEST_GROUP(NULL, NULL)
