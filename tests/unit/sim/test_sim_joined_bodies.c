/// Bodies of a saved machine that do not hang together: refused with the joint's name, however well each number lies in
/// its range.
#include "tests/support/recording_fixture.h"
#include "tests/support/saved_state.h"
#include "trainer/sim/session.h"

typedef struct Joined {
    Session *session;
    StateBuffer good, changed;
} Joined;

static int set_up(void **state)
{
    Joined *joined = calloc(1, sizeof *joined);
    Status status = {0};
    assert_non_null(joined);
    joined->session = make_session(1);
    OperatorControls levers = control_neutral;
    levers.axis[0] = 20000;
    for (int tick = 0; tick < 30; tick++) {
        session_tick(joined->session, &levers);
    }
    assert_good(state_save(joined->session, &joined->good, &status), status);
    *state = joined;
    return 0;
}

static int tear_down(void **state)
{
    Joined *joined = *state;
    session_destroy(joined->session);
    state_buffer_free(&joined->good);
    state_buffer_free(&joined->changed);
    free(joined);
    return 0;
}

/// A fresh copy, in which a number is changed; whether it is restored, and what is told.
static bool restore_with(Joined *joined, const char *name, int index, double change, Status *status)
{
    StateBuffer *changed = &joined->changed;
    changed->size = 0;
    assert_true(state_buffer_reserve(changed, joined->good.size));
    memcpy(changed->data, joined->good.data, joined->good.size);
    changed->size = joined->good.size;
    saved_add(changed, name, index, change);
    saved_seal(changed);
    return state_restore(joined->session, changed->data, changed->size, status);
}

TEST_WITH(bodies_metres_apart_are_refused_by_name, Joined *joined)
{
    static const struct {
        const char *field, *told;
        int index;
        double change;
    } crafted[] = {
        {"machine.boom.position", "joint boom: machine.house and machine.boom are 2 m apart; allowed 0..0.02 m", 2,
         2.0},
        {"machine.boom.position", "joint boom: ", 0, 0.021},
        {"machine.house.position", "machine.house are 3 m apart", 0, -3.0},
        {"machine.bucket.position", "machine.stick and machine.bucket are 0.5 m apart", 1, 0.5},
        {"machine.stick.quaternion", "joint stick: ", 1, 0.02}, // about its own x axis
    };
    for (size_t k = 0; k < sizeof crafted / sizeof crafted[0]; k++) {
        Status status = {0};
        assert_false(restore_with(joined, crafted[k].field, crafted[k].index, crafted[k].change, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        assert_contains(status.text, crafted[k].told);
        assert_contains(status.text, "allowed 0..");
    }
}

TEST_WITH(what_a_solver_leaves_is_restored, Joined *joined)
{
    Status status = {0};
    assert_good(restore_with(joined, "machine.bucket.position", 1, 0.9 * JOINED_DISTANCE, &status), status);
    OperatorControls levers = control_neutral;
    for (int tick = 0; tick < 60; tick++) {
        session_tick(joined->session, &levers);
    }
    assert_true(session_is_finite(joined->session));
    assert_good(state_restore(joined->session, joined->good.data, joined->good.size, &status), status);
}

/// The tolerance is far from what the levers can do, thrown from stop to stop.
TEST_WITH(pins_of_an_honest_machine_hold_far_better, Joined *joined)
{
    Status status = {0};
    assert_good(state_restore(joined->session, joined->good.data, joined->good.size, &status), status);
    const MachineParams *params = session_machine_params(joined->session);
    double farthest = 0.0, most = 0.0;
    for (int tick = 0; tick < 240; tick++) {
        OperatorControls levers = control_neutral;
        levers.axis[tick / 30 % CONTROL_COUNT] = tick % 60 < 30 ? 32767 : -32767;
        session_tick(joined->session, &levers);
        for (int k = 0; k < params->joint_count; k++) {
            MachineJointGap gap =
                machine_joint_gap(session_machine(joined->session), session_machine_state(joined->session), k);
            farthest = fmax(farthest, gap.distance);
            most = fmax(most, gap.angle);
        }
    }
    printf("pins: %.2g m, %.2g rad\n", farthest, most);
    assert_true(farthest < 0.01 * JOINED_DISTANCE && most < 0.01 * JOINED_ANGLE);
}

TEST_GROUP(set_up, tear_down)
