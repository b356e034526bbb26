/// The ghost of a replay: a machine that is set by a sample stands as the one that the sample was taken of.
#include "trainer/screens/replay/ghost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/// Drives a scene for two seconds with all levers and compares every body's place, mm.
static void stands_as_it_stood(const char *scene)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_non_null(session);
    OperatorControls controls = {0};
    for (int axis = 0; axis < CONTROL_THROTTLE; axis++) {
        controls.axis[axis] = (int16_t)(axis % 2 == 0 ? CONTROL_FULL / 2 : -CONTROL_FULL / 3);
    }
    controls.axis[CONTROL_BLADE_ANGLE] = controls.axis[CONTROL_BLADE_TILT] = CONTROL_FULL / 2;
    for (int tick = 0; tick < 120; tick++) {
        session_tick(session, &controls);
    }
    TraceSample sample;
    trace_take(session, &sample);
    MachineState state;
    const Machine *machine = session_machine(session);
    ghost_place(machine, &sample, &state);
    const MachineParams *params = session_machine_params(session);
    for (int body = 0; body < params->body_count; body++) {
        Pose was, is;
        machine_get_body_frame(machine, session_machine_state(session), body, &was);
        machine_get_body_frame(machine, &state, body, &is);
        assert_true(vec3_length(vec3_sub(was.position, is.position)) < 0.02); // joints give a little
        for (int k = 0; k < 9; k++) {
            assert_float_equal(was.rotation.m[k / 3][k % 3], is.rotation.m[k / 3][k % 3], 0.01);
        }
    }
    session_destroy(session);
}

static void an_excavator_stands_as_it_stood(void **state)
{
    (void)state;
    stands_as_it_stood("trench");
}

static void a_dozer_stands_as_it_stood(void **state)
{
    (void)state;
    stands_as_it_stood("slot-dozing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_excavator_stands_as_it_stood),
        cmocka_unit_test(a_dozer_stands_as_it_stood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
