/// A thumb in a session: a log and a rock are gripped against the bucket, lifted, held and let go; a restored state
/// continues with the same bits while it holds them; a stowed thumb does not change the digging.
#include "machine/excavator_arm.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

static const double degree = M_PI / 180.0;

static Session *open_scene(const char *scene, const char *const *set, int count)
{
    Status status;
    Session *session =
        session_create(&(SessionParams){.scene = scene, .threads = 1, .set = set, .set_count = count}, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Levers that take the arm's joints to their angles.
static OperatorControls arm_to(const Session *session, const ArmAngles *angles, double thumb)
{
    const double wanted[] = {angles->boom, angles->stick, angles->bucket};
    OperatorControls controls = control_neutral;
    for (int k = 0; k < 3; k++) {
        const MachineJointParams *joint = &session_machine_params(session)->joint[EXCAVATOR_JOINT_BOOM + k];
        double off = wanted[k] - session_frame(session)->machine.angle[EXCAVATOR_JOINT_BOOM + k];
        double lever = fabs(off) < 0.2 * degree ? 0.0 : copysign(0.07, off) + 3.0 * off;
        controls.axis[joint->control] = control_quantise(joint->control_sign * fmax(-0.6, fmin(lever, 0.6)));
    }
    controls.axis[CONTROL_AUXILIARY] = control_quantise(thumb);
    return controls;
}

/// The edge to (x, z), m ahead of the swing axis and above the ground, the bucket's line `elevation` degrees up.
static void go(Session *session, double x, double z, double elevation, double thumb, double seconds)
{
    const MachineParams *machine = session_machine_params(session);
    const ArmTip tip = {x, z - excavator_swing_height(machine), elevation * degree};
    ArmAngles angles;
    assert_true(excavator_reach(machine, &tip, &angles));
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        OperatorControls controls = arm_to(session, &angles, thumb);
        session_tick(session, &controls);
    }
    assert_true(session_is_finite(session));
    assert_int_equal(session_frame(session)->mass_drift, 0);
}

/// Beyond what lies at x, down, closed, and up again.
static void fetch(Session *session, double x, double size)
{
    go(session, x + 0.5 * size + 0.35, 1.2, -85.0, 0.0, 3.0);
    go(session, x + 0.5 * size + 0.25, 0.04, -85.0, 0.0, 3.0);
    go(session, x + 0.5 * size + 0.25, 0.04, -85.0, 1.0, 6.0);
    go(session, x + 0.5 * size + 0.25, 1.6, -85.0, 0.1, 3.0);
    go(session, x + 0.5 * size + 0.25, 1.6, -85.0, 0.0, 1.0);
}

static void assert_continues_alike(Session *session, const char *const *set, int count)
{
    Session *other = open_scene("sorting", set, count);
    StateBuffer buffer = {0};
    Status status;
    assert_true(state_save(session, &buffer, &status));
    assert_true(state_restore(other, buffer.data, buffer.size, &status));
    assert_true(state_hash(session) == state_hash(other));
    go(session, 7.2, 1.7, -85.0, 0.2, 1.0);
    go(other, 7.2, 1.7, -85.0, 0.2, 1.0);
    assert_true(state_hash(session) == state_hash(other));
    state_buffer_free(&buffer);
    session_destroy(other);
}

static double log_height(const Session *session)
{
    return session_loads_get(session_loads(session), 0)->motion.position[2];
}

TEST(a_log_is_gripped_held_and_let_go)
{
    static const char *const set[] = {"machine.attachment=thumb-bucket-1300", "exercise.loads.0.x=6.8", "rocks.0.x=3",
                                      "rocks.0.y=-5.5"};
    Session *session = open_scene("sorting", set, 4);
    fetch(session, 6.8, 0.4);
    double height = log_height(session);
    print_message("the log hangs %.2f m over the ground\n", height);
    assert_true(height > 1.2);
    assert_int_equal(session_frame(session)->lift.hooked, -1);
    assert_continues_alike(session, set, 4);
    go(session, 7.2, 1.7, -85.0, 0.0, 5.0);
    print_message("%.3f m after 5 s\n", log_height(session));
    assert_true(log_height(session) > 1.2);
    go(session, 7.2, 1.7, -75.0, -1.0, 2.5);
    assert_true(log_height(session) < 0.4);
    session_destroy(session);
}

static double rock_height(const Session *session)
{
    RockView view;
    assert_true(rocks_get(session_rocks_get(session_rocks(session)), 0, &view));
    return view.motion.frame.position.z;
}

TEST(a_rock_is_gripped_held_and_let_go)
{
    static const char *const set[] = {"machine.attachment=thumb-bucket-1300", "exercise.loads.0.x=11", "rocks.0.x=6.8",
                                      "rocks.0.y=0", "rocks.0.size=0.6"};
    Session *session = open_scene("sorting", set, 5);
    fetch(session, 6.8, 0.6);
    double height = rock_height(session);
    assert_true(height > 1.2);
    assert_continues_alike(session, set, 5);
    height = rock_height(session);
    go(session, 7.2, 1.7, -85.0, 0.0, 5.0);
    print_message("the rock hangs %.3f m over the ground, %.1f mm lower after 5 s\n", height,
                  1e3 * (height - rock_height(session)));
    assert_near(rock_height(session), height, 0.15);
    go(session, 7.2, 1.7, -75.0, -1.0, 2.5);
    assert_true(rock_height(session) < 0.6);
    session_destroy(session);
}

/// N: mean force of the soil on the bucket in a pull through the ground.
static double pull_force(const char *attachment)
{
    char tool[64];
    snprintf(tool, sizeof tool, "machine.attachment=%s", attachment);
    const char *const set[] = {"ground.roughness=0", tool};
    Session *session = open_scene("free", set, attachment[0] != '\0' ? 2 : 1);
    go(session, 7.5, 0.3, -60.0, 0.0, 3.0);
    go(session, 7.3, -0.35, -70.0, 0.0, 3.0);
    const MachineParams *machine = session_machine_params(session);
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < 180; k++) {
        const ArmTip tip = {7.3 - 2.0 * k / 180.0, -0.35 - excavator_swing_height(machine), -75.0 * degree};
        ArmAngles angles;
        assert_true(excavator_reach(machine, &tip, &angles));
        OperatorControls controls = arm_to(session, &angles, 0.0);
        session_tick(session, &controls);
        if (k >= 60) {
            sum += vec3_length(session_frame(session)->tool_wrench.force);
            count++;
        }
    }
    assert_int_equal(session_frame(session)->mass_drift, 0);
    session_destroy(session);
    return sum / count;
}

TEST(a_stowed_thumb_does_not_change_the_digging)
{
    double with = pull_force("thumb-bucket-1300"), without = pull_force("");
    print_message("%.1f kN with the thumb, %.1f kN without\n", 1e-3 * with, 1e-3 * without);
    assert_true(without > 5e3);
    assert_near(with, without, 0.05 * without);
}

TEST_GROUP(NULL, NULL)
