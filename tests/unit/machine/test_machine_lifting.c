/// A pipe on a sling: the rope reads its weight, it swings as a pendulum does, the linkage and the tracks feel it, and
/// the machine tips where the lever rule of its masses says.
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"
#include "tests/support/state_tape.h"

#include "data/core/constants.h"
#include "machine/cylinder.h"
#include "machine/lifting.h"

/// A machine with a pipe on level ground.
typedef struct Hang {
    Site site;
    HungLoadParams params;
    HungLoad load;
} Hang;

static HungLoadParams pipe_of(double mass, double spread)
{
    return (HungLoadParams){.mass = mass, .length = 6.0, .radius = 0.3, .wall = 0.03, .sling = 2.5, .spread = spread};
}

static LiftingEye eye_of(const Hang *hang)
{
    return machine_get_eye(hang->site.machine, &hang->site.state);
}

static Hang hang_of(MachineParams params, double swing, double mass, double spread)
{
    const double pose[MACHINE_MAX_JOINTS] = {swing, 45.0 * degree, -85.0 * degree, -115.0 * degree};
    memcpy(params.start_pose, pose, sizeof pose);
    Hang hang = {.site = site_of(&params), .params = pipe_of(mass, spread)};
    hang.site.cohesion = 2e4;
    LiftingEye eye = eye_of(&hang);
    double half = 0.5 * spread, drop = sqrt(hang.params.sling * hang.params.sling - half * half) + hang.params.radius;
    hung_load_start(eye.point.x, eye.point.y, eye.point.z - drop, 0.0, &hang.load);
    hang.load.hooked[0] = 1;
    return hang;
}

static void hang_step(Hang *hang)
{
    Site *site = &hang->site;
    Vec3 points[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(site->machine, &site->state, points);
    const Vec3 up = {0.0, 0.0, 1.0};
    for (int i = 0; i < count; i++) {
        ground[i] = (MachineGround){
            .normal = up, .firmness = 1.0, .bearing = HUGE_VAL, .friction = site->friction, .cohesion = 2e4};
    }
    double length = sqrt(1.0 + site->slope * site->slope);
    HungLoadGround under[HUNG_LOAD_FEET];
    Vec3 feet[HUNG_LOAD_FEET];
    hung_load_feet(&hang->params, &hang->load, feet);
    for (int k = 0; k < HUNG_LOAD_FEET; k++) {
        under[k] = (HungLoadGround){site->slope * feet[k].y, vec3(0.0, -site->slope / length, 1.0 / length)};
    }
    LiftingEye eye = eye_of(hang);
    MachineMover mover = {.mass = 0.0};
    if (!hang->load.asleep[0]) {
        hung_load_push(&hang->params, under, &eye, &hang->load, &mover);
    }
    const MachineInputs inputs = {.controls = &site->controls, .ground = ground, .movers = &mover, .mover_count = 1};
    machine_step(site->machine, &inputs, step_time, &site->state);
    if (mover.mass > 0.0) {
        hung_load_take(&mover, &hang->load);
    }
    hung_load_rest(false, step_time, &hang->load);
}

static void hang_run(Hang *hang, double seconds)
{
    for (int k = 0; k < (int)(seconds / step_time + 0.5); k++) {
        hang_step(hang);
    }
    assert_true(hung_load_is_finite(&hang->load));
    assert_true(machine_state_is_finite(&hang->site.state));
}

/// Until the machine has settled, and the load hangs still below its eye.
static void hang_settle(Hang *hang)
{
    for (int k = 0; k < 2; k++) {
        LiftingEye eye = eye_of(hang);
        MachineBodyState *motion = &hang->load.motion;
        motion->position[0] = eye.point.x;
        motion->position[1] = eye.point.y;
        memset(motion->velocity, 0, sizeof motion->velocity);
        memset(motion->spin, 0, sizeof motion->spin);
        hang_run(hang, 10.0);
    }
}

static double pull_of(const Hang *hang)
{
    LiftingEye eye = eye_of(hang);
    return hung_load_pull(&hang->params, &hang->load, &eye);
}

/// At rest the legs bear m g between them, from a tenth of the bucket's mass to five times as much. What hangs there
/// rocks the machine on its tracks a little, and nothing rings.
TEST(test_rope_reads_the_weight)
{
    static const double masses[] = {90.0, 600.0, 1800.0, 4500.0};
    for (int k = 0; k < 8; k++) {
        double mass = masses[k / 2], weight = mass * STANDARD_GRAVITY, low = HUGE_VAL, high = 0.0, mean = 0.0;
        Hang hang = hang_of(shipped_params(), 0.0, mass, k % 2 == 0 ? 3.0 : 0.0);
        hang_settle(&hang);
        const int steps = (int)(12.0 / step_time);
        for (int n = 0; n < steps; n++) {
            hang_step(&hang);
            low = fmin(low, pull_of(&hang));
            high = fmax(high, pull_of(&hang));
            mean += pull_of(&hang) / steps;
        }
        printf("%4.0f kg, %d legs: %.5f of m g, %.4f to %.4f\n", mass, k % 2 == 0 ? 2 : 1, mean / weight, low / weight,
               high / weight);
        assert_near(mean / weight, 1.0, 1e-3);
        assert_true(high - low < 0.01 * weight);
        site_destroy(&hang.site);
    }
}

/// s: mean period of the swing along a world axis over some turns.
static double period_of(Hang *hang, int axis, int turns)
{
    double last = 0.0, first = 0.0, time = 0.0;
    int crossings = 0;
    LiftingEye eye = eye_of(hang);
    const double *e = &eye.point.x;
    while (crossings <= 2 * turns && time < 120.0) {
        double off = hang->load.motion.position[axis] - e[axis];
        hang_step(hang);
        eye = eye_of(hang);
        e = &eye.point.x;
        time += step_time;
        double now = hang->load.motion.position[axis] - e[axis];
        if (off * now < 0.0) {
            double at = time - step_time * now / (now - off);
            first = crossings == 0 ? at : first;
            last = at;
            crossings++;
        }
    }
    return (last - first) / (crossings - 1) * 2.0;
}

static double drop_of(const Hang *hang)
{
    LiftingEye eye = eye_of(hang);
    return eye.point.z - hang->load.motion.position[2];
}

/// Across the pipe the sling lets it roll: 2 pi sqrt(L / g). Along it pipe and legs turn as one about the eye:
/// 2 pi sqrt((m L2 + I) / (m g L)), I = m (3 (R2 + r2) + l2) / 12 (Huygens 1673).
TEST(test_swings_as_a_pendulum)
{
    const double amplitude = 3.0 * degree;
    for (int axis = 0; axis < 2; axis++) {
        Hang hang = hang_of(shipped_params(), 0.0, 300.0, 3.0);
        hang_settle(&hang);
        double length = drop_of(&hang), inertia = 300.0 * (3.0 * (0.09 + 0.27 * 0.27) + 36.0) / 12.0;
        double moment = 300.0 * length * length + (axis == 0 ? inertia : 0.0);
        double period = 2.0 * M_PI * sqrt(moment / (300.0 * STANDARD_GRAVITY * length));
        double rate = amplitude * 2.0 * M_PI / period;
        hang.load.motion.velocity[axis] = rate * length;
        hang.load.motion.spin[1] = axis == 0 ? -rate : 0.0;
        double measured = period_of(&hang, axis, 6);
        printf("%s: %.4f s, law %.4f s (%+.2f %%)\n", axis == 0 ? "along" : "across", measured, period,
               100.0 * (measured / period - 1.0));
        assert_near(measured / period, 1.0, 0.01);
        site_destroy(&hang.site);
    }
}

/// J: of the load. The step moves by the velocities at its end, which are those of half a step before it: with the
/// height of that moment, the energy of a free fall is constant (leapfrog).
static double energy_of(const Hang *hang)
{
    const HungLoadParams *p = &hang->params;
    const double *v = hang->load.motion.velocity, *w = hang->load.motion.spin;
    double inner = p->radius - p->wall, square = p->radius * p->radius + inner * inner;
    double along = 0.5 * p->mass * square, around = p->mass * (3.0 * square + p->length * p->length) / 12.0;
    Pose frame = hung_load_frame(&hang->load);
    Vec3 spin = mat3_mul_transposed(&frame.rotation, vec3(w[0], w[1], w[2]));
    return 0.5 * p->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           0.5 * (along * spin.x * spin.x + around * (spin.y * spin.y + spin.z * spin.z)) +
           p->mass * STANDARD_GRAVITY * (hang->load.motion.position[2] - 0.5 * step_time * v[2]);
}

/// A pendulum that nobody drives never has more energy than before: on an eye that hardly gives way, and on one that
/// does, where each ten seconds have less than those before.
TEST(test_swing_gains_no_energy)
{
    for (int k = 0; k < 4; k++) {
        int axis = k % 2;
        Hang hang = hang_of(shipped_params(), 0.0, k < 2 ? 30.0 : 600.0, 3.0);
        hang_settle(&hang);
        double rest = energy_of(&hang);
        hang.load.motion.velocity[axis] = 1.8;
        hang.load.motion.spin[1] = axis == 0 ? -1.8 / drop_of(&hang) : 0.0;
        double start = energy_of(&hang) - rest, before = k < 2 ? start : HUGE_VAL, most = 0.0;
        for (int n = 0; n < 6; n++) {
            most = 0.0;
            for (int i = 0; i < (int)(10.0 / step_time); i++) {
                hang_step(&hang);
                most = fmax(most, energy_of(&hang) - rest);
            }
            assert_true(most <= before * (1.0 + 2e-4));
            before = most;
        }
        printf("%s, %.0f kg: after a minute %.3f of the energy\n", axis == 0 ? "along" : "across", hang.params.mass,
               most / start);
        site_destroy(&hang.site);
    }
}

/// N m about the boom's foot: of the house on the boom.
static double boom_torque(const Hang *hang)
{
    const MachineParams *params = machine_params(hang->site.machine);
    MachineReadout readout = site_readout(&hang->site);
    double length, arm;
    (void)cylinder_length(&params->joint[EXCAVATOR_JOINT_BOOM], readout.angle[EXCAVATOR_JOINT_BOOM], &length, &arm);
    return hang->site.state.joint_force[EXCAVATOR_JOINT_BOOM] * arm;
}

/// Moment of the arm's own weight about the boom's foot, and of a weight at the eye, N m.
static double arm_moment(const Hang *hang, double load)
{
    const MachineParams *params = machine_params(hang->site.machine);
    Pose boom;
    machine_get_body_frame(hang->site.machine, &hang->site.state, EXCAVATOR_BOOM, &boom);
    double sum = load * STANDARD_GRAVITY * (eye_of(hang).point.x - boom.position.x);
    for (int k = EXCAVATOR_BOOM; k < params->body_count; k++) {
        RigidMotion motion;
        machine_get_body(hang->site.machine, &hang->site.state, k, &motion);
        sum += params->body[k].mass * STANDARD_GRAVITY * (motion.center.x - boom.position.x);
    }
    return sum;
}

/// What the boom's cylinders bear beyond the arm's own weight is the load, as a payload gauge works it out.
TEST(test_linkage_weighs_the_load)
{
    static const double masses[] = {90.0, 600.0, 3000.0};
    for (int k = 0; k < 3; k++) {
        Hang hang = hang_of(shipped_params(), 0.0, masses[k], 3.0);
        hang_settle(&hang);
        Pose boom;
        machine_get_body_frame(hang.site.machine, &hang.site.state, EXCAVATOR_BOOM, &boom);
        double arm = eye_of(&hang).point.x - boom.position.x;
        double weighed = (boom_torque(&hang) - arm_moment(&hang, 0.0)) / (arm * STANDARD_GRAVITY);
        printf("%.0f kg: weighed %.2f kg at %.2f m\n", masses[k], weighed, arm);
        assert_near(weighed / masses[k], 1.0, 5e-3);
        site_destroy(&hang.site);
    }
}

/// Over the side a load that grows slowly lifts one track where machine_lifting_moment says, on a hard pad as such
/// tests are made; and that is the lever rule of the masses, by hand.
TEST(test_tips_by_the_lever_rule)
{
    MachineParams params = shipped_params();
    params.tracks.stiffness = 40e6;
    Hang hang = hang_of(params, 90.0 * degree, 3000.0, 3.0);
    hang_settle(&hang);
    LiftingEye eye = eye_of(&hang);
    double moment = 0.0, edge = -0.5 * params.tracks.gauge, weight = total_mass(&params) * STANDARD_GRAVITY;
    for (int k = 0; k < params.body_count; k++) {
        RigidMotion motion;
        machine_get_body(hang.site.machine, &hang.site.state, k, &motion);
        moment += params.body[k].mass * STANDARD_GRAVITY * (motion.center.y - edge);
    }
    double by_hand = moment / (edge - eye.point.y);
    LiftingMoment lifting = machine_lifting_moment(hang.site.machine, &hang.site.state, eye.point, pull_of(&hang));
    assert_near(lifting.tipping / by_hand, 1.0, 0.01);
    assert_near(lifting.share, pull_of(&hang) / lifting.tipping, 1e-9);
    while (site_readout(&hang.site).track_load[0] > 0.002 * weight && hang.params.mass < 20000.0) {
        hang.params.mass += 100.0 * step_time;
        hang_step(&hang);
    }
    printf("at %.2f m: tips with %.2f kN, lever rule %.2f kN\n", lifting.radius, 1e-3 * pull_of(&hang), 1e-3 * by_hand);
    assert_near(pull_of(&hang) / by_hand, 1.0, 0.05);
    assert_near(machine_lifting_moment(hang.site.machine, &hang.site.state, eye.point, pull_of(&hang)).share, 1.0,
                0.05);
    site_destroy(&hang.site);
}

/// Let down, ground and sling share the weight until the sling is slack; unhooked it sleeps where it lies.
TEST(test_laid_down)
{
    Hang hang = hang_of(shipped_params(), 0.0, 600.0, 3.0);
    double weight = 600.0 * STANDARD_GRAVITY;
    hang_run(&hang, 5.0);
    site_lever(&hang.site, CONTROL_BOOM, -0.25);
    double time = 0.0;
    while (hang.load.borne[0] < 0.5 * weight && time < 30.0) {
        hang_step(&hang);
        time += step_time;
    }
    site_lever(&hang.site, CONTROL_BOOM, 0.0);
    hang_run(&hang, 4.0);
    printf("ground %.3f, sling %.3f of the weight\n", hang.load.borne[0] / weight, pull_of(&hang) / weight);
    assert_near((hang.load.borne[0] + pull_of(&hang)) / weight, 1.0, 0.01);
    site_lever(&hang.site, CONTROL_BOOM, -0.25);
    hang_run(&hang, 0.8);
    site_lever(&hang.site, CONTROL_BOOM, 0.0);
    hang_run(&hang, 3.0);
    assert_near(pull_of(&hang), 0.0, 1.0);
    assert_near(hang.load.borne[0] / weight, 1.0, 0.005);
    hang.load.hooked[0] = 0;
    hang_run(&hang, 2.0);
    assert_int_equal(hang.load.asleep[0], 1);
    assert_near(hang.load.motion.position[2], hang.params.radius, 0.005);
    site_destroy(&hang.site);
}

/// A pipe across a slope stays where that falls by less than its rolling resistance, and rolls where it is steeper:
/// with the friction to roll without sliding, a = g (sin a - c cos a) / (1 + I / (m r2)).
TEST(test_rolls_down_a_slope)
{
    for (int steep = 0; steep < 2; steep++) {
        Hang hang = hang_of(shipped_params(), 0.0, 600.0, 3.0);
        hang.load.hooked[0] = 0;
        hang.site.slope = steep ? 0.2 : 0.05;
        double normal = sqrt(1.0 + hang.site.slope * hang.site.slope), r = hang.params.radius, y = 10.0;
        hung_load_start(20.0, y, hang.site.slope * y + r * normal - 0.002, 0.0, &hang.load);
        hang_run(&hang, 2.0);
        double sine = hang.site.slope / normal, square = r * r + 0.27 * 0.27;
        double rate = STANDARD_GRAVITY * (sine - 0.08 / normal) / (1.0 + 0.5 * square / (r * r));
        double way = (y - hang.load.motion.position[1]) * normal;
        printf("slope %.2f: %.3f m in 2 s, law %.3f m\n", hang.site.slope, way, steep ? 2.0 * rate : 0.0);
        assert_near(way, steep ? 2.0 * rate : 0.0, steep ? 0.03 * 2.0 * rate : 0.002);
        site_destroy(&hang.site);
    }
}

static void visit_hang(Hang *hang, StateVisitor *visitor)
{
    machine_state_visit(machine_params(hang->site.machine), &hang->site.state, visitor);
    hung_load_visit(&hang->load, visitor);
}

/// A swing that is saved and restored into another machine goes on to the bit, and impossible states are refused.
TEST(test_goes_on_from_a_saved_state)
{
    static Tape tape;
    Hang one = hang_of(shipped_params(), 0.0, 600.0, 3.0), two = hang_of(shipped_params(), 0.3, 600.0, 3.0);
    one.load.motion.velocity[1] = 1.0;
    site_lever(&one.site, CONTROL_SWING, 0.4);
    site_lever(&two.site, CONTROL_SWING, 0.4);
    hang_run(&one, 3.0);
    tape = (Tape){.visitor.field = write_tape};
    visit_hang(&one, &tape.visitor);
    tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape.at = 0;
    visit_hang(&two, &tape.visitor);
    assert_false(tape.visitor.failed);
    hang_run(&one, 3.0);
    hang_run(&two, 3.0);
    assert_memory_equal(&one.load, &two.load, sizeof one.load);
    assert_memory_equal(&one.site.state.body, &two.site.state.body, sizeof one.site.state.body);
    const double bad[] = {NAN, -1.0, 1e12};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        HungLoad broken = one.load, read;
        broken.tension[1] = bad[k];
        tape = (Tape){.visitor.field = write_tape};
        hung_load_visit(&broken, &tape.visitor);
        tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
        tape.at = 0;
        hung_load_visit(&read, &tape.visitor);
        assert_true(tape.visitor.failed);
        assert_true(hung_load_is_finite(&read));
    }
    site_destroy(&one.site);
    site_destroy(&two.site);
}

TEST_GROUP(NULL, NULL)
