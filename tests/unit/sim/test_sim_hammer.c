/// The hammer in a session: a boulder under its chisel breaks, nothing is lost, pieces do not fly, and it repeats.

#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 60 }; // a second

static Session *open_scene(const char *const *set, int set_count)
{
    Status status;
    SessionParams params = {.scene = "break-boulders", .threads = 1, .set = set, .set_count = set_count};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Presses the chisel on the boulder below it, then holds the button.
static void hammer(Session *session, bool button)
{
    int64_t tick = session_frame(session)->tick;
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(tick >= 30 && tick < 60 ? -0.3 : 0.0);
    controls.axis[CONTROL_AUXILIARY] = button && tick >= 60 ? CONTROL_FULL : 0;
    session_tick(session, &controls);
}

static double fastest(const Session *session)
{
    double speed = 0.0;
    RockView view;
    for (int i = 0; i < session_rocks_count(session_rocks(session)); i++) {
        if (rocks_get(session_rocks_get(session_rocks(session)), i, &view)) {
            speed = fmax(speed, vec3_length(view.motion.velocity));
        }
    }
    return speed;
}

TEST(a_boulder_breaks_under_the_chisel)
{
    Session *session = open_scene(NULL, 0);
    int rocks = session_rocks_count(session_rocks(session)), first = 0;
    int64_t mass = session_rocks_mass(session_rocks(session));
    double speed = 0.0;
    for (int tick = 0; tick < 9 * TICKS; tick++) {
        hammer(session, true);
        assert_true(session_rocks_mass(session_rocks(session)) == mass);
        assert_true(session_frame(session)->mass_drift == 0);
        speed = fmax(speed, fastest(session));
        first = first == 0 && session_rocks_count(session_rocks(session)) > rocks ? tick : first;
    }
    int more = session_rocks_count(session_rocks(session)) - rocks;
    print_message("first piece after %.1f s of blows, %d more rocks; fastest rock %.2f m/s\n", (first - 60.0) / TICKS,
                  more, speed);
    assert_true(more >= 1);
    // 90 kJ at 28 kW, give or take the boulder's shape and how it is pressed.
    assert_true(first > 60 + 2 * TICKS && first < 60 + 5 * TICKS);
    // A piece that falls off a boulder of 1 m.
    assert_true(speed < sqrt(2.0 * 9.81 * 1.0));
    session_destroy(session);
}

TEST(without_blows_it_stays_whole)
{
    Session *session = open_scene(NULL, 0);
    int rocks = session_rocks_count(session_rocks(session));
    for (int tick = 0; tick < 6 * TICKS; tick++) {
        hammer(session, false);
    }
    assert_int_equal(session_rocks_count(session_rocks(session)), rocks);
    session_destroy(session);
}

/// A tougher rock takes as many more blows as its work index is higher.
TEST(a_tough_rock_takes_longer)
{
    static const char *const set[] = {"rocks.0.work_index=30"};
    Session *session = open_scene(set, 1);
    int rocks = session_rocks_count(session_rocks(session)), first = 0;
    for (int tick = 0; tick < 12 * TICKS && first == 0; tick++) {
        hammer(session, true);
        first = session_rocks_count(session_rocks(session)) > rocks ? tick : 0;
    }
    assert_true(first > 60 + 5 * TICKS && first < 60 + 10 * TICKS);
    session_destroy(session);
}

/// Taken over in mid-blow and after the first break, by a fresh session and by the one that went on.
TEST(it_goes_on_from_any_moment)
{
    static const int moments[] = {150, 330};
    for (int k = 0; k < 2; k++) {
        Session *session = open_scene(NULL, 0), *fresh = open_scene(NULL, 0);
        for (int tick = 0; tick < moments[k]; tick++) {
            hammer(session, true);
        }
        StateBuffer buffer = {0};
        Status status;
        assert_good(state_save(session, &buffer, &status), status);
        assert_good(state_restore(fresh, buffer.data, buffer.size, &status), status);
        assert_true(state_hash(session) == state_hash(fresh));
        state_buffer_free(&buffer);
        for (int tick = 0; tick < 2 * TICKS; tick++) {
            hammer(session, true);
            hammer(fresh, true);
        }
        assert_true(state_hash(session) == state_hash(fresh));
        session_destroy(fresh);
        session_destroy(session);
    }
}

TEST_GROUP(NULL, NULL)
