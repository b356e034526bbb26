/// The machine's steel beside its tools on the ground, in sessions: it rests on heaps, is stopped by them and pushes
/// them; what falls over comes to rest; the mass of the soil stays to the quantum.
// test: long
#include "data/core/constants.h"
#include "data/core/tool_geometry.h"
#include "data/schema/machine_params.h"
#include "machine/excavator_arm.h"
#include "soil/soil_lab.h"
#include "tests/support/machine_fixture.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"
#include "trainer/sim/coupling.h"

/// J: what ground of 2e7 Pa/m under half a square metre stores when it bears a machine of 22 t, W^2 / (2 k A).
#define SPRING 2.3e3

/// m in 4 s: bodies that lie askew creep, for friction of steel on soil is full only from 5 cm/s on.
#define CREEP 0.04

/// A sandbox of level loam with one heap, and the machine in a pose.
typedef struct Yard {
    Session *session;
    OperatorControls controls;
    int64_t mass; ///< quanta
} Yard;

static Yard open_yard(const char *const *set, int count)
{
    static const char *const level[] = {"ground.roughness=0",    "ground.layers.0.soil=loam", "ground.size_x=30",
                                        "ground.size_y=30",      "ground.mounds.0.x=-10",     "ground.mounds.1.x=-10",
                                        "ground.mounds.2.x=-10", "ground.mounds.0.y=-10",     "ground.mounds.1.y=0",
                                        "ground.mounds.2.y=10"};
    enum { LEVEL = sizeof level / sizeof *level };
    const char *all[LEVEL + 16];
    memcpy(all, level, sizeof level);
    for (int k = 0; k < count; k++) {
        all[LEVEL + k] = set[k];
    }
    SessionParams params = {.scene = "free", .set = all, .set_count = LEVEL + count, .threads = 1};
    Status status;
    Yard yard = {.session = session_create(&params, &status), .controls = control_neutral};
    assert_good(yard.session != NULL, status);
    yard.mass = session_frame(yard.session)->ledger.total;
    return yard;
}

static void close_yard(Yard *yard)
{
    assert_true(session_frame(yard->session)->ledger.total == yard->mass);
    session_destroy(yard->session);
}

static void lever(Yard *yard, ControlAxis axis, double value)
{
    yard->controls.axis[axis] = control_quantise(value);
}

static void run(Yard *yard, double seconds)
{
    for (int k = 0; k < (int)(60.0 * seconds + 0.5); k++) {
        session_tick(yard->session, &yard->controls);
    }
    assert_true(session_is_finite(yard->session));
}

static const MachineReadout *readout_of(const Yard *yard)
{
    return &session_frame(yard->session)->machine;
}

/// Sum of what the ground does to the steel beside the tools, N.
static Vec3 hull_force(const Yard *yard)
{
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        sum = vec3_add(sum, session_hull(yard->session)->pending[body].force);
    }
    return sum;
}

/// Weight of the machine, N.
static double weight_of(const Yard *yard)
{
    return STANDARD_GRAVITY * total_mass(session_machine_params(yard->session));
}

/// What bears the machine upwards, N: ground under tracks (level ground), under the steel beside the tools, and tools.
static double lift_of(const Yard *yard)
{
    const MachineReadout *readout = readout_of(yard);
    return readout->track_load[0] + readout->track_load[1] + hull_force(yard).z +
           session_frame(yard->session)->tool_wrench.force.z;
}

/// Takes the ground of a rectangle down to a height.
static void dig(Yard *yard, double x0, double x1, double y0, double y1, double height)
{
    Soil *soil = session_soil(yard->session);
    SoilGridView grid = soil_get_grid(soil);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing, y = grid.origin_y + k / grid.columns * grid.spacing;
        if (x > x0 && x < x1 && y > y0 && y < y1) {
            soil_remove_ground(soil, x, y, height);
        }
    }
    yard->mass = soil_get_ledger(soil).total;
}

static double highest_of(const Yard *yard)
{
    SoilGridView grid = soil_get_grid(session_soil(yard->session));
    double highest = -HUGE_VAL;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        highest = fmax(highest, (double)grid.height[k]);
    }
    return highest;
}

/// Pitch at which the bucket's tip and the counterweight's lower edge stand on one level, the boom all the way down:
/// farther the front cannot be lifted by pressing.
static double pitch_of_reach(const MachineParams *params)
{
    ArmTip tip;
    ArmAngles angles = {params->joint[EXCAVATOR_JOINT_BOOM].range[0], params->start_pose[EXCAVATOR_JOINT_STICK],
                        params->start_pose[EXCAVATOR_JOINT_BUCKET]};
    excavator_tip(params, &angles, &tip);
    double x = 0.0, z = 0.0;
    for (int k = 0; k < params->solid_count; k++) {
        for (int c = 0; c < params->solid[k].piece.corner_count; c++) {
            const double *corner = params->solid[k].piece.corners[c];
            bool behind = strcmp(params->solid[k].name, "counterweight") == 0 && corner[0] <= x;
            z = behind && (corner[0] < x || corner[1] < z) ? corner[1] : z;
            x = behind ? corner[0] : x;
        }
    }
    return atan2(z - tip.z, tip.x - x);
}

/// At full pressure the bucket lifts the front until the boom is down; the counterweight bears the machine then, and it
/// comes down again.
TEST(a_bucket_pressed_down_lifts_the_front)
{
    static const char *const set[] = {"ground.layers.0.soil=clay", "ground.layers.1.soil=clay"};
    Yard yard = open_yard(set, 2);
    double most = 0.0, reach = pitch_of_reach(session_machine_params(yard.session));
    lever(&yard, CONTROL_BOOM, -1.0);
    for (int k = 0; k < 10 * 60; k++) {
        run(&yard, 1.0 / 60.0);
        most = fmax(most, readout_of(&yard)->pitch);
    }
    const MachineReadout *readout = readout_of(&yard);
    double back = hull_force(&yard).z;
    print_message("pressed: pitch %.1f, at most %.1f, of the reach %.1f degrees; counterweight bears %.1f, all %.1f of "
                  "%.1f kN\n",
                  readout->pitch / degree, most / degree, reach / degree, back / 1e3, lift_of(&yard) / 1e3,
                  weight_of(&yard) / 1e3);
    assert_near(readout->pitch, reach, 4.0 * degree);
    assert_true(most < reach + 5.0 * degree);
    assert_true(back > 0.5 * weight_of(&yard));
    assert_near(lift_of(&yard), weight_of(&yard), 0.01 * weight_of(&yard));
    lever(&yard, CONTROL_BOOM, 1.0);
    run(&yard, 6.0);
    assert_near(readout_of(&yard)->pitch, 0.0, 2.0 * degree); // its rear end has pressed itself into the clay
    // Nothing bears it but its tracks: crumbs of the clay that broke at its edges lie on it.
    assert_true(hull_force(&yard).z <= 0.0 && hull_force(&yard).z > -100.0);
    close_yard(&yard);
}

/// The machine stands 1.4 m lower than ground with a heap beside it: the counterweight swings into that.
TEST(a_counterweight_is_stopped_by_a_heap)
{
    static const char *const set[] = {"ground.mounds.0.height=2.2", "ground.mounds.0.x=0", "ground.mounds.0.y=5.1",
                                      "ground.mounds.0.soil=loam"};
    double speeds[2] = {0.0, 0.0};
    for (int heap = 0; heap < 2; heap++) {
        Yard yard = open_yard(set, 4);
        dig(&yard, -3.2, 3.2, -1.9, heap ? 1.9 : 4.6, -1.4);
        lever(&yard, CONTROL_BOOM, 1.0);
        run(&yard, 3.5);
        lever(&yard, CONTROL_BOOM, 0.0);
        run(&yard, 0.5);
        lever(&yard, CONTROL_SWING, 1.0);
        double most = 0.0, before = highest_of(&yard);
        for (int k = 0; k < 150; k++) {
            run(&yard, 1.0 / 60.0);
            most = fmax(most, hypot(hull_force(&yard).x, hull_force(&yard).y));
        }
        speeds[heap] = readout_of(&yard)->speed[EXCAVATOR_JOINT_SWING];
        print_message("%s: swing %.3f rad/s at %.1f degrees, pushed with %.1f kN, heap %.3f -> %.3f\n",
                      heap ? "heap" : "free", speeds[heap], readout_of(&yard)->angle[0] / degree, most / 1e3, before,
                      highest_of(&yard));
        close_yard(&yard);
    }
    assert_true(speeds[1] < 0.5 * speeds[0]);
}

/// The boom is laid on a heap and presses into it until what it and the tracks bear is the weight. From a state on
/// the way it goes on with the same bits.
TEST(a_boom_rests_on_a_heap)
{
    static const char *const set[] = {"ground.mounds.0.height=2.4", "ground.mounds.0.x=11.6", "ground.mounds.0.y=0",
                                      "ground.mounds.0.soil=loam", "ground.size_x=32"};
    Yard yard = open_yard(set, 5);
    lever(&yard, CONTROL_STICK, -1.0);
    lever(&yard, CONTROL_BUCKET, -1.0);
    lever(&yard, CONTROL_BOOM, 1.0);
    run(&yard, 3.0);
    yard.controls = control_neutral;
    lever(&yard, CONTROL_LEFT_TRACK, 1.0);
    lever(&yard, CONTROL_RIGHT_TRACK, 1.0);
    run(&yard, 3.6);
    yard.controls = control_neutral;
    run(&yard, 1.0);
    lever(&yard, CONTROL_BOOM, -0.5);
    double before = highest_of(&yard);
    for (int k = 0; k < 600 && hull_force(&yard).z < 0.1 * weight_of(&yard); k++) {
        run(&yard, 1.0 / 60.0);
    }
    yard.controls = control_neutral;
    run(&yard, 4.0);
    const MachineReadout *readout = readout_of(&yard);
    print_message("boom: pitch %.2f, heap bears %.2f kN, all %.2f of %.2f kN; heap %.3f -> %.3f m\n",
                  readout->pitch / degree, hull_force(&yard).z / 1e3, lift_of(&yard) / 1e3, weight_of(&yard) / 1e3,
                  before, highest_of(&yard));
    assert_true(hull_force(&yard).z > 0.02 * weight_of(&yard));
    assert_near(lift_of(&yard), weight_of(&yard), 0.01 * weight_of(&yard));
    assert_true(highest_of(&yard) < before - 0.01);
    Vec3 tip = readout->tip;
    StateBuffer saved = {0};
    Status status;
    assert_good(state_save(yard.session, &saved, &status), status);
    run(&yard, 2.0);
    assert_near(vec3_length(vec3_sub(readout_of(&yard)->tip, tip)), 0.0, 0.01);
    uint64_t hash = state_hash(yard.session);
    assert_good(state_restore(yard.session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(yard.session, &status), status);
    run(&yard, 2.0);
    assert_true(state_hash(yard.session) == hash);
    state_buffer_free(&saved);
    close_yard(&yard);
}

/// A ridge between the tracks bears the machine by its belly: the belts run, and it stays where it is.
TEST(a_belly_hangs_on_a_hump)
{
    Yard yard = open_yard(NULL, 0);
    dig(&yard, -4.0, 4.0, 0.75, 1.7, -0.8);
    dig(&yard, -4.0, 4.0, -1.7, -0.75, -0.8);
    run(&yard, 2.0);
    const MachineReadout *readout = readout_of(&yard);
    double tracks = readout->track_load[0] + readout->track_load[1];
    print_message("belly: bears %.1f, all %.1f of %.1f kN\n", hull_force(&yard).z / 1e3, lift_of(&yard) / 1e3,
                  weight_of(&yard) / 1e3);
    assert_true(tracks == 0.0 && hull_force(&yard).z > 0.8 * weight_of(&yard));
    assert_near(lift_of(&yard), weight_of(&yard), 0.01 * weight_of(&yard));
    Vec3 base = readout->base;
    lever(&yard, CONTROL_LEFT_TRACK, 1.0);
    lever(&yard, CONTROL_RIGHT_TRACK, 1.0);
    run(&yard, 3.0);
    readout = readout_of(&yard);
    assert_true(readout->slip[0] > 0.99 && readout->slip[1] > 0.99);
    assert_near(vec3_length(vec3_sub(readout->base, base)), 0.0, 0.02);
    close_yard(&yard);
}

/// Turns the machine about its x axis and puts its lowest steel over the ground.
static void turn_over(Yard *yard, double angle)
{
    // The session hands its state out to be read; the object itself is no constant.
    MachineState *state = (MachineState *)session_machine_state(yard->session); // NOLINT
    const Machine *machine = session_machine(yard->session);
    const MachineParams *params = machine_params(machine);
    double c = cos(angle), s = sin(angle), qc = cos(0.5 * angle), qs = sin(0.5 * angle);
    for (int body = 0; body < params->body_count; body++) {
        double *p = state->body[body].position, *q = state->body[body].quaternion;
        double y = p[1], z = p[2], w = q[0], i = q[1], j = q[2], k = q[3];
        p[1] = c * y - s * z;
        p[2] = s * y + c * z;
        memcpy(q, (double[4]){qc * w - qs * i, qc * i + qs * w, qc * j - qs * k, qc * k + qs * j}, 4 * sizeof *q);
    }
    double lowest = HUGE_VAL;
    for (int body = 0; body < params->body_count; body++) {
        ToolShape steel;
        Pose frame;
        machine_get_body_frame(machine, state, body, &frame);
        machine_get_steel(machine, body, &steel);
        const ToolShape *tool = &params->tool[0].shape;
        steel = body == params->tool[0].body ? *tool : steel;
        for (int k = 0; k < steel.piece_count; k++) {
            Vec3 points[2 * TOOL_MAX_CORNERS];
            int count = tool_piece_points(&steel.pieces[k], points);
            for (int i = 0; i < count; i++) {
                lowest = fmin(lowest, pose_apply(&frame, points[i]).z);
            }
        }
    }
    for (int body = 0; body < params->body_count; body++) {
        state->body[body].position[2] += 0.05 - lowest;
    }
}

/// Kinetic and potential energy of the bodies, J; each turns as the box of equal inertia.
static double energy_of(const Yard *yard)
{
    double sum = 0.0;
    const MachineParams *params = session_machine_params(yard->session);
    for (int body = 0; body < params->body_count; body++) {
        RigidMotion motion;
        machine_get_body(session_machine(yard->session), session_machine_state(yard->session), body, &motion);
        double m = params->body[body].mass;
        const double *s = params->body[body].inertia_size;
        Vec3 v = motion.velocity, w = mat3_mul_transposed(&motion.frame.rotation, motion.spin);
        sum += m * (0.5 * vec3_dot(v, v) + STANDARD_GRAVITY * motion.center.z) +
               m / 24.0 *
                   ((s[1] * s[1] + s[2] * s[2]) * w.x * w.x + (s[0] * s[0] + s[2] * s[2]) * w.y * w.y +
                    (s[0] * s[0] + s[1] * s[1]) * w.z * w.z);
    }
    return sum;
}

/// On its side and on its roof a machine comes to rest, borne by its steel, and gains no energy but what the ground's
/// springs gave back. Friction of steel on soil is full from 5 cm/s on: what lies askew creeps.
TEST(a_machine_that_is_turned_over_lies_still)
{
    static const double angles[] = {90.0, 140.0, 180.0, -90.0};
    for (int k = 0; k < 4; k++) {
        Yard yard = open_yard(NULL, 0);
        turn_over(&yard, angles[k] * degree);
        double least = energy_of(&yard), gain = 0.0;
        for (int tick = 0; tick < 20 * 60; tick++) {
            run(&yard, 1.0 / 60.0);
            double now = energy_of(&yard);
            gain = fmax(gain, now - least);
            least = fmin(least, now);
        }
        MachineState before = *session_machine_state(yard.session);
        run(&yard, 4.0);
        const MachineState *state = session_machine_state(yard.session);
        double most = 0.0;
        for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
            const double *from = before.body[body].position, *to = state->body[body].position;
            most = fmax(most, vec3_length(vec3(to[0] - from[0], to[1] - from[1], to[2] - from[2])));
        }
        print_message("turned by %.0f: roll %.1f, moves %.4f m in 4 s, gain %.0f J, steel %.1f, all %.1f of %.1f kN\n",
                      angles[k], readout_of(&yard)->roll / degree, most, gain, hull_force(&yard).z / 1e3,
                      lift_of(&yard) / 1e3, weight_of(&yard) / 1e3);
        assert_true(most < CREEP);
        assert_true(gain < SPRING);
        assert_near(lift_of(&yard), weight_of(&yard), 0.02 * weight_of(&yard));
        close_yard(&yard);
    }
}

TEST_GROUP(NULL, NULL)
