/// A truck on its springs: what axles bear by the lever rule, when it slides and tips by statics, that it sleeps
/// without creep, and what happens where an excavator runs into it or leans on it.
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"
#include "tests/support/state_tape.h"

#include "data/core/constants.h"
#include "machine/truck/truck_body.h"

#define TICK (1.0 / 60.0)

/// A truck on level ground, and a machine whose ODE moves it.
typedef struct Stand {
    Site site;
    TruckParams params;
    TruckBody body;
    TruckFooting footing;
    Wrench push; ///< N, N m about the empty truck's centre, besides what acts by itself
    double bed_angle, bed_rate; ///< rad, rad/s: the bed tips by itself
    SolidThing things[TRUCK_SOLIDS];
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    int touch_count; ///< in the last step
    Vec3 force; ///< N: of all touches on the machine in the last step
    double time; ///< s
} Stand;

static Stand stand_of(const MachineParams *machine, double x, double y, double heading)
{
    Stand stand = {.site = site_of(machine)};
    Status status;
    assert_good(data_load_truck("truck-25t", &stand.params, NULL, &status), status);
    const double level[TRUCK_PROBE_COUNT] = {0.0};
    TruckPlace place = truck_place_of(&stand.params, &(ScenePose){x, y, heading});
    Pose chassis = truck_chassis(&stand.params, &place, level);
    truck_body_start(&stand.params, &chassis, &stand.body);
    stand.footing = (TruckFooting){.middle = chassis.position, .normal = vec3(0.0, 0.0, 1.0)};
    return stand;
}

/// The machine stands far away from the truck.
static Stand lone_truck(void)
{
    MachineParams machine = shipped_params();
    return stand_of(&machine, 0.0, 20.0, 0.0);
}

static void put_things(Stand *stand)
{
    TruckSolid solids[TRUCK_SOLIDS];
    truck_solids(&stand->params, solids);
    Pose chassis = truck_body_chassis(&stand->params, &stand->body);
    Pose bed = truck_bed(&stand->params, &chassis, stand->bed_angle);
    Vec3 hinge = pose_apply(&bed, vec3(-0.5 * stand->params.bed.length, 0.0, 0.0));
    Vec3 tips = mat3_mul(&chassis.rotation, vec3(0.0, -stand->bed_rate, 0.0));
    for (int k = 0; k < TRUCK_SOLIDS; k++) {
        Vec3 low = solids[k].low, high = solids[k].high, points[8];
        for (int c = 0; c < 8; c++) {
            Vec3 local = vec3(c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z);
            points[c] = pose_apply(solids[k].on_bed ? &bed : &chassis, local);
        }
        const char *reason;
        assert_true(solid_thing_make(points, 8, 0.4, &stand->things[k], &reason));
        stand->things[k].mover = 1;
        stand->things[k].velocity = truck_body_velocity(&stand->body, stand->things[k].center);
        stand->things[k].spin =
            vec3(stand->body.motion.spin[0], stand->body.motion.spin[1], stand->body.motion.spin[2]);
        if (solids[k].on_bed) {
            SolidThing *thing = &stand->things[k];
            thing->velocity = vec3_add(thing->velocity, vec3_cross(tips, vec3_sub(thing->center, hinge)));
            thing->spin = vec3_add(thing->spin, tips);
        }
    }
}

/// One step of machine and truck, and with every eighth the truck's tick.
static void stand_step(Stand *stand)
{
    Site *site = &stand->site;
    Vec3 points[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(site->machine, &site->state, points);
    for (int i = 0; i < count; i++) {
        ground[i] = (MachineGround){
            .normal = vec3(0.0, 0.0, 1.0), .firmness = 1.0, .bearing = HUGE_VAL, .friction = 0.7, .cohesion = 2e4};
    }
    put_things(stand);
    stand->touch_count = machine_find_touches(site->machine, &site->state, stand->things, TRUCK_SOLIDS, stand->touches);
    if (stand->touch_count > 0 || vec3_length(stand->push.force) > 0.0) {
        truck_body_wake(&stand->body);
    }
    MachineMover mover = {.mass = 0.0};
    if (!stand->body.asleep[0]) {
        truck_body_push(&stand->params, &stand->footing, step_time, &stand->body, &mover);
        wrench_add(&mover.wrench, &stand->push, 1.0);
    }
    const MachineInputs inputs = {.controls = &site->controls,
                                  .ground = ground,
                                  .touches = stand->touches,
                                  .touch_count = stand->touch_count,
                                  .movers = &mover,
                                  .mover_count = 1};
    machine_step(site->machine, &inputs, step_time, &site->state);
    if (mover.mass > 0.0) {
        truck_body_take(&stand->params, &mover, &stand->body);
    }
    stand->force = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < stand->touch_count; k++) {
        stand->force = vec3_add(stand->force, stand->touches[k].force);
    }
    truck_body_rest(stand->touch_count > 0 || vec3_length(stand->push.force) > 0.0, step_time, &stand->body);
    stand->bed_angle += stand->bed_rate * step_time;
    stand->time += step_time;
}

static void stand_run(Stand *stand, double seconds)
{
    for (int k = 0; k < (int)(seconds / step_time + 0.5); k++) {
        stand_step(stand);
    }
    assert_true(truck_body_is_finite(&stand->body));
    assert_true(machine_state_is_finite(&stand->site.state));
}

static double roll_of(const Stand *stand)
{
    Pose chassis = truck_body_chassis(&stand->params, &stand->body);
    return atan2(chassis.rotation.m[2][1], chassis.rotation.m[2][2]);
}

/// m: of the whole truck's centre over the ground.
static double center_height(const Stand *stand)
{
    const TruckParams *p = &stand->params;
    return (p->tare * p->chassis.center_height + stand->body.load[0] * stand->body.load_center[2]) /
           (p->tare + stand->body.load[0]);
}

/// Axles and sides of the truck with a load, by the lever rule about the rear axle and the middle, where the truck
/// stands on its springs; and as though it stood level, from which the lean takes its centre by `flat` of the axle's
/// load.
static void assert_lever_rule(double load, Vec3 center, double flat)
{
    Stand stand = lone_truck();
    truck_body_carry(load, center, &stand.body);
    stand_run(&stand, 20.0);
    const TruckParams *p = &stand.params;
    double tare = p->tare * STANDARD_GRAVITY, weight = load * STANDARD_GRAVITY;
    double level = tare * p->chassis.front_share + weight * (center.x - p->rear_axle) / p->wheelbase;
    Pose chassis = truck_body_chassis(p, &stand.body);
    Vec3 at = pose_apply(&chassis, center), axle = pose_apply(&chassis, vec3(p->rear_axle, 0.0, 0.0));
    Vec3 nose = pose_apply(&chassis, vec3(p->rear_axle + p->wheelbase, 0.0, 0.0)), side, empty;
    side = pose_apply(&chassis, vec3(p->rear_axle, 0.5 * p->chassis.gauge, 0.0));
    empty =
        pose_apply(&chassis, vec3(p->rear_axle + p->chassis.front_share * p->wheelbase, 0.0, p->chassis.center_height));
    double front = (tare * (empty.x - axle.x) + weight * (at.x - axle.x)) / (nose.x - axle.x);
    double left =
        0.5 * (tare + weight) + 0.5 * (tare * (empty.y - axle.y) + weight * (at.y - axle.y)) / (side.y - axle.y);
    TruckLoads loads = truck_body_loads(&stand.body);
    print_message(
        "%.0f kg at %.2f, %.2f: front %.2f of %.2f kN (level %.2f), rear %.2f, left %.2f of %.2f kN, roll %.2f\n", load,
        center.x, center.y, loads.front / 1e3, front / 1e3, level / 1e3, loads.rear / 1e3, loads.left / 1e3, left / 1e3,
        roll_of(&stand) / degree);
    assert_near(loads.front, level, flat * level);
    assert_near(loads.front, front, 0.005 * front);
    assert_near(loads.rear, tare + weight - front, 0.005 * (tare + weight - front));
    assert_near(loads.left, left, 0.005 * left);
    assert_near(loads.left + loads.right, tare + weight, 0.001 * (tare + weight));
    assert_int_equal(stand.body.asleep[0], 1);
    assert_false(truck_body_is_tipped(p, &stand.body));
    site_destroy(&stand.site);
}

TEST(axles_bear_what_the_lever_rule_says)
{
    assert_lever_rule(0.0, vec3(0.0, 0.0, 0.0), 0.005);
    assert_lever_rule(4000.0, vec3(0.5, 0.0, 1.8), 0.005);
    assert_lever_rule(8000.0, vec3(-1.5, 0.0, 1.9), 0.01);
    assert_lever_rule(6000.0, vec3(1.0, 0.4, 2.0), 0.01);
    assert_lever_rule(24000.0, vec3(0.0, 0.0, 2.2), 0.02);
}

/// N that a sideways force at the height of the centre has when `over` says so; it grows by 5 kN a second.
static double push_until(Stand *stand, bool (*over)(const Stand *stand))
{
    Pose chassis = truck_body_chassis(&stand->params, &stand->body);
    Vec3 left = mat3_mul(&chassis.rotation, vec3(0.0, 1.0, 0.0));
    double force = vec3_length(stand->push.force);
    while (!over(stand) && force < 1e6) {
        force += 5e3 * step_time;
        stand->push.force = vec3_scale(left, force);
        stand_step(stand);
    }
    return force;
}

static bool has_tipped(const Stand *stand)
{
    return truck_body_is_tipped(&stand->params, &stand->body);
}

static bool has_lifted(const Stand *stand)
{
    TruckLoads loads = truck_body_loads(&stand->body);
    return loads.left < 10.0 || loads.right < 10.0;
}

static bool slides(const Stand *stand)
{
    const double *v = stand->body.motion.velocity;
    return hypot(v[0], v[1]) > 0.05;
}

/// N with which the wheels of a side leave the ground, over its weight times half the gauge over the height of its
/// centre. It lies on its side then.
static double tipping_share(double stiffer)
{
    Stand stand = lone_truck();
    stand.params.chassis.tyre_friction = 2.0;
    stand.params.chassis.front_stiffness *= stiffer;
    stand.params.chassis.rear_stiffness *= stiffer;
    stand_run(&stand, 1.0);
    double weight = stand.params.tare * STANDARD_GRAVITY;
    double tips = weight * 0.5 * stand.params.chassis.gauge / center_height(&stand);
    double force = push_until(&stand, has_lifted);
    assert_false(has_tipped(&stand));
    push_until(&stand, has_tipped);
    stand.push = (Wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    stand_run(&stand, 10.0);
    print_message("lifts a side at %.1f kN, by statics %.1f kN; lies at a roll of %.0f degrees, asleep %d\n",
                  force / 1e3, tips / 1e3, roll_of(&stand) / degree, stand.body.asleep[0]);
    assert_true(fabs(roll_of(&stand)) > 60.0 * degree && fabs(roll_of(&stand)) < 120.0 * degree);
    assert_true(has_tipped(&stand));
    site_destroy(&stand.site);
    return force / tips;
}

/// On rubber that holds, a sideways force at the centre's height tips the truck at weight times half the gauge over
/// that height when its springs are hard; as it leans on its own springs, at less. On rubber that does not hold it
/// slides at friction times weight, before it tips.
TEST(a_sideways_force_tips_or_slides_it)
{
    assert_near(tipping_share(10.0), 1.0, 0.05);
    double shipped = tipping_share(1.0);
    assert_true(shipped > 0.80 && shipped < 1.0);
    Stand stand = lone_truck();
    stand_run(&stand, 1.0);
    double weight = stand.params.tare * STANDARD_GRAVITY, force;
    double holds = stand.params.chassis.tyre_friction * weight;
    force = push_until(&stand, slides);
    print_message("slides at %.1f kN, by statics %.1f kN\n", force / 1e3, holds / 1e3);
    assert_near(force, holds, 0.05 * holds);
    assert_false(has_tipped(&stand));
    site_destroy(&stand.site);
}

/// Nothing moves it for a minute: it falls asleep where it stands, and not a bit of it changes any more.
TEST(it_sleeps_without_creep)
{
    Stand stand = lone_truck();
    truck_body_carry(7000.0, vec3(-0.4, 0.3, 1.9), &stand.body);
    for (int k = 0; k < 10 * 480 && !stand.body.asleep[0]; k++) {
        stand_step(&stand);
    }
    print_message("asleep after %.1f s\n", stand.time);
    assert_int_equal(stand.body.asleep[0], 1);
    TruckBody before = stand.body;
    stand_run(&stand, 60.0);
    assert_memory_equal(&before.motion, &stand.body.motion, sizeof before.motion);
    assert_memory_equal(before.force, stand.body.force, sizeof before.force);
    truck_body_carry(7005.0, vec3(-0.4, 0.3, 1.9), &stand.body); // crumbs
    assert_int_equal(stand.body.asleep[0], 1);
    truck_body_carry(8400.0, vec3(-0.4, 0.3, 1.9), &stand.body);
    assert_int_equal(stand.body.asleep[0], 0);
    site_destroy(&stand.site);
}

static double kinetic_energy(const Stand *stand)
{
    double sum = 0.0;
    const MachineParams *params = machine_params(stand->site.machine);
    for (int body = 0; body < params->body_count; body++) {
        RigidMotion motion;
        machine_get_body(stand->site.machine, &stand->site.state, body, &motion);
        const double *s = params->body[body].inertia_size;
        double m = params->body[body].mass;
        Vec3 w = mat3_mul_transposed(&motion.frame.rotation, motion.spin);
        sum += 0.5 * m * vec3_dot(motion.velocity, motion.velocity) +
               m / 24.0 *
                   ((s[1] * s[1] + s[2] * s[2]) * w.x * w.x + (s[0] * s[0] + s[2] * s[2]) * w.y * w.y +
                    (s[0] * s[0] + s[1] * s[1]) * w.z * w.z);
    }
    const double *v = stand->body.motion.velocity, *w = stand->body.motion.spin, *q = stand->body.motion.quaternion;
    const double *s = stand->params.chassis.inertia_size, m = stand->params.tare;
    Mat3 turn = mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
    Vec3 spin = mat3_mul_transposed(&turn, vec3(w[0], w[1], w[2]));
    return sum + 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           m / 24.0 *
               ((s[1] * s[1] + s[2] * s[2]) * spin.x * spin.x + (s[0] * s[0] + s[2] * s[2]) * spin.y * spin.y +
                (s[0] * s[0] + s[1] * s[1]) * spin.z * spin.z);
}

/// The arm, stretched out over the ground, is swung into the side of the bed, which is a few degrees away.
static Stand swing_at_side(void)
{
    MachineParams machine = shipped_params();
    machine.start_pose[EXCAVATOR_JOINT_SWING] = -14.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_BOOM] = 5.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_STICK] = -30.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_BUCKET] = -20.0 * degree;
    return stand_of(&machine, 4.6, 4.0, 172.0 * degree);
}

/// The stick meets the side of the bed at about a metre a second: it stops, and with the lever held over the swing
/// pushes with its relief; the truck rocks on its springs and does not slide. What moves afterwards has no more energy
/// than what moved before and what the swing's motor gave.
TEST(a_stick_that_swings_into_its_side_stops)
{
    Stand stand = swing_at_side();
    const MachineParams *machine = machine_params(stand.site.machine);
    site_lever(&stand.site, CONTROL_SWING, -1.0);
    double before = 0.0, work = 0.0, most = 0.0, peak = 0.0, met = -1.0, speed = 0.0, deepest = 0.0;
    char part[MACHINE_NAME_SIZE] = "";
    Vec3 place = vec3(stand.body.motion.position[0], stand.body.motion.position[1], 0.0);
    for (int k = 0; k < 480 * 8; k++) {
        before = met < 0.0 ? kinetic_energy(&stand) : before;
        MachineReadout readout = site_readout(&stand.site);
        double rate = readout.speed[EXCAVATOR_JOINT_SWING];
        stand_step(&stand);
        if (met < 0.0 && stand.touch_count > 0) {
            met = stand.time;
            site_lever(&stand.site, CONTROL_SWING, -1.0); // a valve that is hardly open bleeds pressure off
            snprintf(part, sizeof part, "%s", machine_part_name(stand.site.machine, stand.touches[0].part));
            for (int i = 0; i < stand.touch_count; i++) {
                speed = fmax(speed, stand.touches[i].speed);
            }
        }
        if (met >= 0.0) {
            work += stand.site.state.joint_force[EXCAVATOR_JOINT_SWING] * rate * step_time;
            most = fmax(most, kinetic_energy(&stand) - before - work);
            peak = fmax(peak, fabs(roll_of(&stand)));
        }
        for (int i = 0; i < stand.touch_count; i++) {
            deepest = fmax(deepest, stand.touches[i].depth);
        }
    }
    MachineReadout readout = site_readout(&stand.site);
    double held = roll_of(&stand);
    print_message(
        "%s met the side at %.2f m/s after %.2f s, %.1f J before; most won after it %.1f J; roll %.2f at most, "
        "%.2f held; push %.1f kN; %.1f mm deep; swing at %.2f of its relief\n",
        part, speed, met, before, most, peak / degree, held / degree, vec3_length(stand.force) / 1e3, 1e3 * deepest,
        readout.pressure[EXCAVATOR_JOINT_SWING] / machine->swing.relief);
    assert_string_equal(part, "stick");
    assert_true(speed > 0.8 && speed < 1.2);
    assert_near(readout.speed[EXCAVATOR_JOINT_SWING], 0.0, 0.01);
    assert_true(readout.pressure[EXCAVATOR_JOINT_SWING] > 0.98 * machine->swing.relief);
    assert_true(peak > 0.1 * degree && peak < 5.0 * degree);
    assert_true(most <= 1.0);
    assert_true(deepest < 0.03);
    Vec3 moved = vec3_sub(vec3(stand.body.motion.position[0], stand.body.motion.position[1], 0.0), place);
    assert_true(vec3_length(moved) < 0.05);
    site_lever(&stand.site, CONTROL_SWING, 0.3);
    stand_run(&stand, 1.0);
    site_lever(&stand.site, CONTROL_SWING, 0.0);
    double from = stand.time;
    while (!stand.body.asleep[0] && stand.time < from + 20.0) {
        stand_step(&stand);
    }
    print_message("asleep %.1f s after the stick left\n", stand.time - from);
    assert_int_equal(stand.body.asleep[0], 1);
    assert_near(roll_of(&stand), 0.0, 0.2 * degree);
    site_destroy(&stand.site);
}

/// The bucket is pressed on the edge of the bed: the machine's front rises, the truck's springs give, and wheels and
/// tracks bear both weights.
TEST(a_bucket_on_its_edge_lifts_the_machine)
{
    MachineParams machine = shipped_params();
    machine.start_pose[EXCAVATOR_JOINT_BOOM] = 25.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_STICK] = -60.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_BUCKET] = -90.0 * degree;
    Stand stand = stand_of(&machine, 7.9, 0.0, 0.5 * M_PI);
    site_lever(&stand.site, CONTROL_BOOM, -0.5);
    stand_run(&stand, 3.0);
    site_lever(&stand.site, CONTROL_BOOM, 0.0);
    stand_run(&stand, 4.0);
    MachineReadout readout = site_readout(&stand.site);
    TruckLoads loads = truck_body_loads(&stand.body);
    double both = STANDARD_GRAVITY * (total_mass(&machine) + stand.params.tare);
    double tracks = readout.track_load[0] + readout.track_load[1];
    double wheels = loads.left + loads.right, weight = STANDARD_GRAVITY * stand.params.tare;
    Pose chassis = truck_body_chassis(&stand.params, &stand.body);
    print_message(
        "edge: pitch %.2f, on the truck %.1f kN more than its weight, tracks %.1f, wheels %.1f, both %.1f kN; "
        "its near side %.1f mm lower, roll %.2f\n",
        readout.pitch / degree, (wheels - weight) / 1e3, tracks / 1e3, wheels / 1e3, both / 1e3,
        -1e3 * pose_apply(&chassis, vec3(0.0, 1.4, 0.0)).z, roll_of(&stand) / degree);
    assert_true(stand.touch_count > 0);
    assert_true(readout.pitch > 2.0 * degree);
    assert_true(wheels > 1.1 * weight);
    assert_near(tracks + wheels, both, 0.01 * both);
    assert_near(wheels - weight, stand.force.z, 0.02 * (wheels - weight) + 500.0);
    site_destroy(&stand.site);
}

/// The bed's front comes up under a bucket at 0.4 m/s: the bed does not pass through it, but lifts the arm or presses
/// its own truck down, and lets go when it comes down again.
TEST(a_bed_that_tips_does_not_pass_through_a_bucket)
{
    MachineParams machine = shipped_params();
    machine.start_pose[EXCAVATOR_JOINT_BOOM] = 35.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_STICK] = -60.0 * degree;
    machine.start_pose[EXCAVATOR_JOINT_BUCKET] = -90.0 * degree;
    Stand stand = stand_of(&machine, 7.0, -1.2, 0.5 * M_PI);
    stand_run(&stand, 2.0);
    assert_int_equal(stand.touch_count, 0);
    double deepest = 0.0, force = 0.0, met = 0.0;
    for (int up = 1; up >= -1; up -= 2) {
        stand.bed_rate = up * 0.08;
        while (up > 0 ? stand.bed_angle < 25.0 * degree : stand.bed_angle > 0.0) {
            truck_body_wake(&stand.body);
            stand_step(&stand);
            met = met == 0.0 && stand.touch_count > 0 ? stand.bed_angle : met;
            force = fmax(force, vec3_length(stand.force));
            for (int k = 0; k < stand.touch_count; k++) {
                deepest = fmax(deepest, stand.touches[k].depth);
            }
        }
    }
    print_message("met at %.1f degrees; %.1f mm deep; %.1f kN\n", met / degree, 1e3 * deepest, force / 1e3);
    assert_true(met > 0.0 && force > 10e3);
    assert_true(deepest < 0.01);
    assert_int_equal(stand.touch_count, 0);
    assert_true(truck_body_is_finite(&stand.body) && machine_state_is_finite(&stand.site.state));
    site_destroy(&stand.site);
}

/// A state that is restored goes on bit for bit; one of impossible numbers is refused and leaves a truck that is none.
TEST(its_state_is_whole)
{
    Stand stand = lone_truck();
    truck_body_carry(9000.0, vec3(-1.0, 0.6, 2.0), &stand.body);
    stand_run(&stand, 0.3);
    static Tape tape;
    tape = (Tape){.visitor.field = write_tape};
    truck_body_visit(&stand.body, &tape.visitor);
    Stand other = stand;
    stand_run(&stand, 0.5);
    TruckBody body = {.load = {1.0}};
    tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape.at = 0;
    truck_body_visit(&body, &tape.visitor);
    assert_false(tape.visitor.failed);
    other.body = body;
    stand_run(&other, 0.5);
    assert_memory_equal(&other.body, &stand.body, sizeof body);
    site_destroy(&stand.site);

    const double bad[] = {NAN, -1.0, 1e12};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        body.load[0] = bad[k];
        tape = (Tape){.visitor.field = write_tape};
        truck_body_visit(&body, &tape.visitor);
        tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
        tape.at = 0;
        TruckBody read;
        truck_body_visit(&read, &tape.visitor);
        assert_true(tape.visitor.failed);
        assert_true(truck_body_is_finite(&read));
    }
}

TEST_GROUP(NULL, NULL)
