/// A tiltrotator's tool in the ground: soil resists and is moved where the turned and tilted tool goes, its mass is
/// kept, all headings are alike, and the two joints are state.
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

static const double degree = M_PI / 180.0;

static Session *open_at(double heading)
{
    char turned[48];
    snprintf(turned, sizeof turned, "machine.heading_deg=%.0f", heading);
    const char *const set[] = {"machine.attachment=grading-bucket-1800",
                               "machine.coupler=tiltrotator-22t",
                               "machine.x=0",
                               "machine.y=0",
                               turned,
                               "ground.roughness=0"};
    SessionParams params = {.scene = "slope-tilt", .set = set, .set_count = 6, .threads = 1};
    Status status;
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Holds levers for some time.
static void hold(Session *session, double seconds, const OperatorControls *controls)
{
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, controls);
    }
    assert_true(session_is_finite(session));
    assert_int_equal(session_frame(session)->mass_drift, 0);
}

static double angle_of(const Session *session, int joint)
{
    return session_frame(session)->machine.angle[joint];
}

/// What a quarter turn to the side, a tilt, a cut into the ground and a swing gave.
typedef struct Sideways {
    double rotate, tilt; ///< rad
    double across; ///< N: mean force of the soil on the tool against the swing; its peaks are those of single clods
    double moved; ///< m: way of the edge in the swing
} Sideways;

static Sideways dig_sideways(double heading)
{
    Session *session = open_at(heading);
    Sideways result = {0};
    OperatorControls turn = control_neutral, down = control_neutral, swing = control_neutral;
    turn.axis[CONTROL_TOOL_ROTATE] = CONTROL_FULL;
    hold(session, 1.75, &turn); // about a quarter turn: the edge leads to the left
    turn.axis[CONTROL_TOOL_ROTATE] = 0;
    turn.axis[CONTROL_TOOL_TILT] = control_quantise(-1.0);
    hold(session, 0.5, &turn);
    hold(session, 0.5, &control_neutral);
    result.rotate = angle_of(session, EXCAVATOR_JOINT_ROTATE);
    result.tilt = angle_of(session, EXCAVATOR_JOINT_TILT);
    down.axis[CONTROL_BOOM] = control_quantise(-0.4);
    for (int k = 0; k < 360 && session_frame(session)->machine.tip.z > -0.06; k++) {
        session_tick(session, &down);
    }
    hold(session, 0.4, &control_neutral);
    assert_true(session_frame(session)->machine.tip.z < 0.0);
    Vec3 from = session_frame(session)->machine.tip;
    double ahead = heading * degree;
    Vec3 left = vec3(-sin(ahead), cos(ahead), 0.0);
    swing.axis[CONTROL_SWING] = control_quantise(-1.0);
    const int ticks = 150;
    for (int k = 0; k < ticks; k++) {
        session_tick(session, &swing);
        const SessionFrame *frame = session_frame(session);
        result.across -= vec3_dot(frame->tool_wrench.force, left) / ticks;
        assert_int_equal(frame->mass_drift, 0);
    }
    result.moved = vec3_dot(vec3_sub(session_frame(session)->machine.tip, from), left);
    session_destroy(session);
    return result;
}

/// The turned tool cuts to the side with its edge: kilonewtons against the swing motor, in all headings.
TEST(a_turned_tool_digs_sideways)
{
    static const double headings[] = {0.0, 90.0, 37.0, 127.0}; // along the columns, then across them
    Sideways dug[4];
    for (int k = 0; k < 4; k++) {
        dug[k] = dig_sideways(headings[k]);
        print_message("%.0f degrees: %.1f kN, %.2f m\n", headings[k], 1e-3 * dug[k].across, dug[k].moved);
        assert_true(dug[k].across > 5e3 && dug[k].moved > 0.5);
        assert_near(dug[k].across, dug[0].across, 0.03 * dug[0].across);
    }
    assert_near(dug[0].rotate, 90.0 * degree, 8.0 * degree);
    assert_true(dug[0].tilt < -5.0 * degree);
    // Oblique to the columns the way is 0.13 m longer at the same force: a fault of the grid that is still open. Means
    // of two are compared, since the clods move a single way by 0.06 m.
    assert_near(dug[1].moved, dug[0].moved, 0.1);
    assert_near(dug[2].moved + dug[3].moved, dug[0].moved + dug[1].moved, 2.0 * 0.15);
}

/// A saved state holds tilt and turn; what follows is the same to the last bit.
TEST(tilt_and_turn_are_state)
{
    Session *session = open_at(0.0), *other = open_at(0.0);
    OperatorControls both = control_neutral;
    both.axis[CONTROL_TOOL_ROTATE] = CONTROL_FULL;
    both.axis[CONTROL_TOOL_TILT] = CONTROL_FULL;
    hold(session, 0.7, &both);
    StateBuffer saved = {0};
    Status status;
    assert_good(state_save(session, &saved, &status), status);
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    hold(session, 0.5, &both);
    hold(other, 0.5, &both);
    assert_true(state_hash(session) == state_hash(other));
    assert_true(angle_of(other, EXCAVATOR_JOINT_ROTATE) > 0.8);
    state_buffer_free(&saved);
    session_destroy(session);
    session_destroy(other);
}

TEST_GROUP(NULL, NULL)
