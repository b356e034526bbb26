/// Faults: each does what its law says, and leaves nothing behind.
// test: sanitized
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "machine/cylinder.h"
#include "machine/excavator_arm.h"
#include "tests/support/machine_fixture.h"

/// Levers that move everything, in and out of rest.
static void move_levers(Site *site, int step)
{
    static const ControlAxis axes[] = {CONTROL_BOOM, CONTROL_STICK, CONTROL_BUCKET, CONTROL_SWING, CONTROL_LEFT_TRACK};
    for (int k = 0; k < 5; k++) {
        site_lever(site, axes[k], (step / (100 + 37 * k)) % 3 - 1.0);
    }
}

TEST(without_faults_no_bit_is_another)
{
    Site told = site_create(), plain = site_create();
    for (int step = 0; step < 2400; step++) {
        move_levers(&told, step);
        plain.controls = told.controls;
        site_step(&told);
        Vec3 points[MACHINE_MAX_PATCHES];
        MachineGround ground[MACHINE_MAX_PATCHES];
        int count = machine_track_patches(plain.machine, &plain.state, points);
        for (int k = 0; k < count; k++) {
            ground[k] =
                (MachineGround){.normal = vec3(0.0, 0.0, 1.0), .firmness = 1.0, .bearing = HUGE_VAL, .friction = 1.0};
        }
        machine_step(plain.machine, &(MachineInputs){.controls = &plain.controls, .ground = ground}, step_time,
                     &plain.state);
    }
    assert_memory_equal(&told.state, &plain.state, sizeof told.state);
    site_destroy(&told);
    site_destroy(&plain);
}

/// Greatest force with which the stick is still drawn in, N, against a pull at its bucket that grows; its gauge then,
/// Pa.
static double greatest_stick_force(double share, double *pressure)
{
    enum { STICK = EXCAVATOR_JOINT_STICK };
    Site site = site_create();
    double most = 0.0;
    *pressure = 0.0;
    site.faults.pressure = share;
    site_lever(&site, CONTROL_STICK, 0.3);
    site_run(&site, 0.5);
    for (int step = 0; step < 1920; step++) {
        site.tool.force = vec3(40e3 * step * step_time, 0.0, 0.0);
        site_step(&site);
        if (site_readout(&site).speed[STICK] < -0.01) {
            most = fmax(most, fabs(site.state.joint_force[STICK]));
            *pressure = fmax(*pressure, site_readout(&site).pressure[STICK]);
        }
    }
    site_destroy(&site);
    return most;
}

TEST(half_the_pressure_is_half_the_greatest_force)
{
    MachineParams params = shipped_params();
    double whole, half, relief = params.joint[EXCAVATOR_JOINT_STICK].cylinder.relief;
    double most = greatest_stick_force(1.0, &whole), weak = greatest_stick_force(0.5, &half);
    assert_near(most, relief * cylinder_area(&params.joint[EXCAVATOR_JOINT_STICK].cylinder, true), 0.01 * most);
    assert_near(weak, 0.5 * most, 0.01 * most);
    assert_near(whole, relief, 0.01 * relief);
    assert_near(half, 0.5 * relief, 0.02 * relief); // the gauge shows no more than a real one would
}

TEST(weak_pumps_lift_nothing_and_drop_nothing)
{
    Site site = site_create();
    site_lever(&site, CONTROL_STICK, -1.0); // far out
    site_run(&site, 2.0);
    site_lever(&site, CONTROL_STICK, 0.0);
    site.tool.force = vec3(0.0, 0.0, -1000.0 * STANDARD_GRAVITY);
    site_run(&site, 3.0);
    double height = site_readout(&site).tip.z;
    site.faults.pressure = 0.1;
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_run(&site, 3.0);
    assert_near(site_readout(&site).tip.z, height, 0.03);
    site_lever(&site, CONTROL_BOOM, -0.5); // its own weight lowers it, and the valve holds it back
    site_run(&site, 0.5);
    double rate = site_readout(&site).speed[EXCAVATOR_JOINT_BOOM];
    assert_true(rate < -0.02 && rate > -0.5);
    site.faults.pressure = 1.0;
    site_lever(&site, CONTROL_BOOM, 0.0);
    site_run(&site, 1.0);
    height = site_readout(&site).tip.z;
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_run(&site, 2.0);
    assert_true(site_readout(&site).tip.z > height + 0.5);
    site_destroy(&site);
}

static double swing_rate(double share)
{
    Site site = site_create();
    site.faults.swing = share;
    site_lever(&site, CONTROL_SWING, 1.0);
    site_run(&site, 6.0);
    double rate = fabs(site_readout(&site).speed[EXCAVATOR_JOINT_SWING]);
    site_destroy(&site);
    return rate;
}

TEST(a_slow_swing_reaches_its_share)
{
    double whole = swing_rate(1.0);
    assert_true(whole > 1.0);
    assert_near(swing_rate(0.5), 0.5 * whole, 0.01 * whole);
    assert_near(swing_rate(0.0), 0.0, 1e-6);
}

static double stick_rate(double heat)
{
    Site site = site_create();
    site.faults.oil_heat = heat;
    site_lever(&site, CONTROL_STICK, -0.5);
    site_run(&site, 0.7);
    double rate = fabs(site_readout(&site).speed[EXCAVATOR_JOINT_STICK]);
    site_destroy(&site);
    return rate;
}

TEST(hot_oil_leaves_a_share_of_the_flow)
{
    MachineFaults faults = MACHINE_NO_FAULTS;
    assert_true(machine_flow_left(&faults) == 1.0);
    faults.oil_heat = MACHINE_OIL_HEAT_MOST;
    assert_near(machine_flow_left(&faults), 0.6, 1e-12);
    double cool = stick_rate(0.0);
    assert_near(stick_rate(15.0), 0.8 * cool, 0.02 * cool);
    assert_near(stick_rate(30.0), 0.6 * cool, 0.02 * cool);
}

TEST(a_stuck_valve_goes_on_with_the_lever_let_go)
{
    Site site = site_create();
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_run(&site, 0.5);
    double height = site_readout(&site).tip.z, spool = site.state.spool[EXCAVATOR_JOINT_BOOM];
    site.faults.stuck = MACHINE_RELIEF_JOINT(EXCAVATOR_JOINT_BOOM);
    site_lever(&site, CONTROL_BOOM, 0.0);
    site_run(&site, 1.0);
    assert_true(site.state.spool[EXCAVATOR_JOINT_BOOM] == spool);
    assert_true(site_readout(&site).tip.z > height + 0.5);
    site.faults.stuck = 0;
    site_run(&site, 1.0);
    height = site_readout(&site).tip.z;
    site_run(&site, 1.0);
    assert_near(site_readout(&site).tip.z, height, 0.03); // the machine rocks
    assert_true(site.state.spool[EXCAVATOR_JOINT_BOOM] == 0.0);
    site_destroy(&site);

    Site track = site_create();
    site_lever(&track, CONTROL_LEFT_TRACK, 1.0);
    site_run(&track, 1.0);
    track.faults.stuck = MACHINE_RELIEF_TRACK(0);
    site_lever(&track, CONTROL_LEFT_TRACK, 0.0);
    site_run(&track, 1.0);
    assert_true(track.state.track_speed[0] > 0.3);
    site_destroy(&track);
}

TEST(a_dead_function_gives_nothing_and_the_others_go_on)
{
    Site site = site_create();
    site.faults.dead = MACHINE_RELIEF_JOINT(EXCAVATOR_JOINT_BOOM) | MACHINE_RELIEF_TRACK(1);
    MachineReadout before = site_readout(&site);
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_lever(&site, CONTROL_BUCKET, 1.0);
    site_lever(&site, CONTROL_LEFT_TRACK, 0.5);
    site_lever(&site, CONTROL_RIGHT_TRACK, 0.5);
    site_run(&site, 1.0);
    MachineReadout after = site_readout(&site);
    assert_near(after.angle[EXCAVATOR_JOINT_BOOM], before.angle[EXCAVATOR_JOINT_BOOM], 0.01);
    assert_true(after.angle[EXCAVATOR_JOINT_BUCKET] < before.angle[EXCAVATOR_JOINT_BUCKET] - 0.3);
    assert_true(site.state.track_speed[0] > 0.2 && fabs(site.state.track_speed[1]) < 0.05);
    site.faults.dead = 0;
    site_run(&site, 1.0);
    assert_true(site_readout(&site).angle[EXCAVATOR_JOINT_BOOM] > after.angle[EXCAVATOR_JOINT_BOOM] + 0.1);
    site_destroy(&site);
}

TEST(a_stopped_engine_leaves_brakes_and_nothing_else)
{
    Site site = site_create();
    double rated = machine_params(site.machine)->engine.rated_speed;
    site_lever(&site, CONTROL_SWING, 1.0);
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_run(&site, 1.5);
    site.faults.engine_stopped = true;
    site_run(&site, 6.0);
    MachineReadout before = site_readout(&site);
    assert_true(site.state.engine_speed == 0.0 && site.state.pump_power == 0.0);
    assert_near(before.speed[EXCAVATOR_JOINT_SWING], 0.0, 1e-3);
    site_lever(&site, CONTROL_SWING, 0.0);
    site.tool.force = vec3(0.0, 2000.0, 0.0);
    site_run(&site, 2.0);
    MachineReadout after = site_readout(&site);
    assert_near(after.angle[EXCAVATOR_JOINT_SWING], before.angle[EXCAVATOR_JOINT_SWING], 1e-3);
    assert_near(after.tip.z, before.tip.z, 0.02);
    double fuel = site.state.fuel;
    site_run(&site, 1.0);
    assert_true(site.state.fuel == fuel);

    site.faults.engine_stopped = false;
    site.tool.force = vec3(0.0, 0.0, 0.0);
    site_run(&site, 3.0);
    assert_true(site.state.engine_speed > 0.95 * rated);
    assert_true(site_readout(&site).tip.z > after.tip.z + 0.3);
    site_destroy(&site);
}

TEST(a_dozer_without_engine_stands)
{
    MachineParams params = dozer_params();
    Site site = site_of(&params);
    site_lever(&site, CONTROL_LEFT_TRACK, 1.0);
    site_lever(&site, CONTROL_RIGHT_TRACK, 1.0);
    site_run(&site, 3.0);
    assert_true(site_readout(&site).speed_over_ground > 0.5);
    site.faults.engine_stopped = true;
    site_run(&site, 6.0);
    assert_true(fabs(site_readout(&site).speed_over_ground) < 0.05);
    site_destroy(&site);
}

TEST_GROUP(NULL, NULL)
