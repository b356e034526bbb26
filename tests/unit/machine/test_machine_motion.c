/// What the levers do, and what the machine does with forces.
// test: sanitized
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

#include <time.h>

#include "data/core/constants.h"
#include "machine/body/machine_internal.h"
#include "machine/cylinder.h"
#include "machine/excavator_arm.h"

TEST(positive_levers_move_as_the_operator_script_says)
{
    Site site = site_create();
    site_run(&site, 1.0);
    MachineReadout before = site_readout(&site);

    Site boom = site_create();
    site_lever(&boom, CONTROL_BOOM, 1.0);
    site_run(&boom, 1.0);
    MachineReadout after = site_readout(&boom);
    assert_true(after.tip.z > before.tip.z + 0.5);
    assert_true(after.angle[EXCAVATOR_JOINT_BOOM] > before.angle[EXCAVATOR_JOINT_BOOM]);
    site_destroy(&boom);

    Site stick = site_create();
    site_lever(&stick, CONTROL_STICK, 1.0);
    site_run(&stick, 1.0);
    after = site_readout(&stick);
    assert_true(after.tip.x < before.tip.x - 0.5);
    assert_true(after.angle[EXCAVATOR_JOINT_STICK] < before.angle[EXCAVATOR_JOINT_STICK]);
    site_destroy(&stick);

    Site bucket = site_create();
    site_lever(&bucket, CONTROL_BUCKET, 1.0);
    site_run(&bucket, 1.0);
    after = site_readout(&bucket);
    assert_true(after.angle[EXCAVATOR_JOINT_BUCKET] < before.angle[EXCAVATOR_JOINT_BUCKET] - 0.3);
    site_destroy(&bucket);

    site_lever(&site, CONTROL_SWING, 1.0);
    site_run(&site, 1.5);
    after = site_readout(&site);
    assert_true(after.angle[EXCAVATOR_JOINT_SWING] > 0.2);
    assert_true(after.tip.y < -1.0); // right of a machine that looks along +x
    site_destroy(&site);
}

TEST(the_machine_starts_where_and_as_asked)
{
    MachineParams params = shipped_params();
    params.start_pose[0] = 30.0 * degree;
    Site site = site_of(&params);
    machine_start(site.machine, 3.0, -4.0, 0.0, 120.0 * degree, &site.state);
    MachineReadout readout = site_readout(&site);
    assert_near(readout.yaw, 120.0 * degree, 1e-3);
    assert_near(readout.base.x, 3.0, 1e-9);
    assert_near(readout.base.y, -4.0, 1e-9);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        assert_near(readout.angle[k], params.start_pose[k], 1e-9);
    }
    // The tip lies where the kinematics say, in the direction of heading less swing.
    ArmTip tip;
    excavator_tip(&params, &(ArmAngles){params.start_pose[1], params.start_pose[2], params.start_pose[3]}, &tip);
    assert_near(readout.tip.x, 3.0 + tip.x * cos(90.0 * degree), 0.05);
    assert_near(readout.tip.y, -4.0 + tip.x * sin(90.0 * degree), 0.05);
    assert_near(readout.tip.z, excavator_swing_height(&params) + tip.z, 0.05);
    site_destroy(&site);
}

TEST(standing_still_keeps_still_and_carries_the_weight)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    site_run(&site, 2.0);
    MachineReadout before = site_readout(&site);
    double weight = total_mass(&params) * STANDARD_GRAVITY;
    assert_near(before.track_load[0] + before.track_load[1], weight, 0.005 * weight);
    double pressure = 0.0;
    for (int i = 0; i < 2 * params.tracks.patches; i++) {
        pressure += machine_patch_pressure(site.machine, &site.state, i) * machine_patch_area(site.machine);
    }
    assert_near(pressure, weight, 0.005 * weight);
    site_run(&site, 60.0);
    MachineReadout after = site_readout(&site);
    assert_true(vec3_length(vec3_sub(after.base, before.base)) < 1e-3);
    assert_true(vec3_length(vec3_sub(after.tip, before.tip)) < 1e-3);
    assert_true(fabs(site.state.body[EXCAVATOR_HOUSE].velocity[2]) < 1e-6); // no jitter
    assert_int_equal(after.limit, MACHINE_LIMIT_NONE);
    site_destroy(&site);
}

TEST(a_neutral_arm_holds_its_load)
{
    Site site = site_create();
    site_lever(&site, CONTROL_STICK, -1.0); // far out
    site_run(&site, 2.0);
    site_lever(&site, CONTROL_STICK, 0.0);
    site.tool.force = vec3(0.0, 0.0, -1500.0 * STANDARD_GRAVITY);
    site_run(&site, 5.0);
    MachineReadout before = site_readout(&site);
    site_run(&site, 10.0);
    MachineReadout after = site_readout(&site);
    assert_true(vec3_length(vec3_sub(after.tip, before.tip)) < 10.0 * 1e-3);
    // The gauge carries the arm and the load: torque about the boom foot over the cylinder's arm.
    assert_true(after.pressure[EXCAVATOR_JOINT_BOOM] > 10e6);
    site_destroy(&site);
}

TEST(the_boom_gauge_shows_the_static_load)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    site_run(&site, 5.0);
    double torque = 0.0;
    Pose house;
    machine_get_body_frame(site.machine, &site.state, EXCAVATOR_HOUSE, &house);
    Vec3 foot = pose_apply(&house, vec3(excavator_boom_foot(&params).x, 0.0, excavator_boom_foot(&params).z));
    for (int i = EXCAVATOR_BOOM; i <= EXCAVATOR_BUCKET; i++) {
        torque += params.body[i].mass * STANDARD_GRAVITY * (site.state.body[i].position[0] - foot.x);
    }
    MachineReadout readout = site_readout(&site);
    double length, arm;
    cylinder_length(&params.joint[EXCAVATOR_JOINT_BOOM], readout.angle[EXCAVATOR_JOINT_BOOM], &length, &arm);
    double area = params.joint[EXCAVATOR_JOINT_BOOM].cylinder.count * M_PI / 4.0 *
                  params.joint[EXCAVATOR_JOINT_BOOM].cylinder.bore * params.joint[EXCAVATOR_JOINT_BOOM].cylinder.bore;
    double pressure = torque / arm / area;
    assert_near(readout.pressure[EXCAVATOR_JOINT_BOOM], pressure, 0.005 * pressure);
    site_destroy(&site);
}

TEST(a_lift_beyond_the_weight_lifts_and_tips)
{
    Site site = site_create();
    site_run(&site, 1.0);
    site.tool.force = vec3(0.0, 0.0, 400e3);
    bool tip = false, relief = false;
    for (int i = 0; i < 480; i++) {
        site_step(&site);
        tip = tip || site_readout(&site).limit == MACHINE_LIMIT_TIP;
        relief = relief || site_readout(&site).limit == MACHINE_LIMIT_RELIEF;
    }
    assert_true(tip);
    assert_true(relief || site_readout(&site).pitch > 0.05); // the cylinders give way, or the nose rises
    assert_true(machine_state_is_finite(&site.state));
    site_destroy(&site);
}

TEST(a_load_beyond_relief_moves_a_neutral_cylinder)
{
    Site site = site_create();
    site_run(&site, 1.0);
    MachineReadout before = site_readout(&site);
    site.tool.force = vec3(-300e3, 0.0, 0.0); // against the bucket's front
    site.friction = 2.0;
    double pressure = 0.0;
    for (int i = 0; i < 240; i++) {
        site_step(&site);
        MachineReadout now = site_readout(&site);
        pressure = fmax(pressure, now.pressure[EXCAVATOR_JOINT_STICK]);
    }
    MachineReadout after = site_readout(&site);
    assert_near(pressure, 35e6, 0.01e6); // never above relief
    assert_true(fabs(after.angle[EXCAVATOR_JOINT_STICK] - before.angle[EXCAVATOR_JOINT_STICK]) > 0.05);
    site_destroy(&site);
}

static double time_to_turn(Site *site, int joint, double change)
{
    double start = site_readout(site).angle[joint], time = 0.0;
    while (fabs(site_readout(site).angle[joint] - start) < change) {
        site_run(site, 1.0 / 60.0);
        time += 1.0 / 60.0;
        assert_true(time < 20.0);
    }
    return time;
}

TEST(functions_share_the_pumps)
{
    Site alone = site_create(), both = site_create();
    site_lever(&alone, CONTROL_BOOM, 1.0);
    site_lever(&both, CONTROL_BOOM, 1.0);
    site_lever(&both, CONTROL_STICK, 1.0);
    double single = time_to_turn(&alone, EXCAVATOR_JOINT_BOOM, 20.0 * degree);
    double shared = time_to_turn(&both, EXCAVATOR_JOINT_BOOM, 20.0 * degree);
    assert_true(shared > 1.4 * single);
    site_destroy(&both);
    site_destroy(&alone);
}

TEST(joints_stop_at_their_ranges)
{
    MachineParams params = shipped_params();
    static const ControlAxis axes[] = {CONTROL_BOOM, CONTROL_STICK, CONTROL_BUCKET};
    static const double sign[] = {1.0, -1.0, -1.0};
    const double *ranges[] = {params.joint[EXCAVATOR_JOINT_BOOM].range, params.joint[EXCAVATOR_JOINT_STICK].range,
                              params.joint[EXCAVATOR_JOINT_BUCKET].range};
    for (int k = 0; k < 3; k++) {
        for (int end = 0; end < 2; end++) {
            Site site = site_of(&params);
            if (k == 1) { // room for the stick
                site_lever(&site, CONTROL_BOOM, 1.0);
                site_run(&site, 1.5);
                site_lever(&site, CONTROL_BOOM, 0.0);
            }
            site_lever(&site, axes[k], end == 0 ? -sign[k] : sign[k]);
            site_run(&site, 6.0);
            MachineReadout readout = site_readout(&site);
            assert_near(readout.angle[EXCAVATOR_JOINT_BOOM + k], ranges[k][end], 0.2 * degree);
            assert_int_equal(readout.limit, MACHINE_LIMIT_RELIEF);
            site_destroy(&site);
        }
    }
}

/// A load has driven a joint past its range: without a lever the steel at its cylinder's end brings it back within a
/// second, no faster than 0.1 m/s, and leaves it there.
TEST(an_end_stop_springs_back)
{
    enum { SECOND = 480 };
    double over = 0.05, fastest = 0.0, farthest = 0.0;
    for (int k = 0; k < 6; k++) {
        MachineParams params = shipped_params();
        int joint = EXCAVATOR_JOINT_BOOM + k / 2;
        const MachineJointParams *hinge = &params.joint[joint];
        double end = hinge->range[k % 2], outward = k % 2 == 0 ? -1.0 : 1.0, length, arm;
        assert_true(cylinder_length(hinge, end, &length, &arm));
        params.start_pose[joint] = end + outward * over;
        Site site = site_of(&params);
        double angle = site_readout(&site).angle[joint];
        assert_near(outward * (angle - end), over, 1e-9);
        for (int step = 0; step < 2 * SECOND; step++) {
            site_step(&site);
            double now = site_readout(&site).angle[joint], beyond = fabs(arm) * outward * (now - end);
            fastest = fmax(fastest, fabs(arm * (now - angle)) / step_time);
            farthest = step < SECOND ? farthest : fmax(farthest, fabs(beyond));
            angle = now;
        }
        site_destroy(&site);
    }
    print_message("it comes back at %.3f m/s at most; %.2f mm are left after a second\n", fastest, 1e3 * farthest);
    assert_true(fastest < 0.11 && farthest < 1e-3); // the lever arm changes a little on the way
}

// Times of the class over the whole range, empty: boom up 3-4.5 s, stick in 2.5-4 s, bucket in 2-3.5 s; down is faster.
TEST(cycle_times_of_the_class)
{
    Site site = site_create();
    site_lever(&site, CONTROL_BOOM, -1.0);
    site_run(&site, 6.0);
    site_lever(&site, CONTROL_BOOM, 1.0);
    double up = time_to_turn(&site, EXCAVATOR_JOINT_BOOM, 102.0 * degree);
    site_run(&site, 1.0);
    site_lever(&site, CONTROL_BOOM, -1.0);
    double down = time_to_turn(&site, EXCAVATOR_JOINT_BOOM, 102.0 * degree);
    assert_true(up > 3.0 && up < 4.5);
    assert_true(down < 0.8 * up);

    site_lever(&site, CONTROL_BOOM, 1.0);
    site_lever(&site, CONTROL_STICK, -1.0);
    site_lever(&site, CONTROL_BUCKET, -1.0);
    site_run(&site, 12.0);
    site_lever(&site, CONTROL_BOOM, 0.0);
    site_lever(&site, CONTROL_BUCKET, 0.0);
    site_lever(&site, CONTROL_STICK, 1.0);
    double in = time_to_turn(&site, EXCAVATOR_JOINT_STICK, 122.0 * degree);
    site_lever(&site, CONTROL_STICK, 0.0);
    site_lever(&site, CONTROL_BUCKET, 1.0);
    double curl = time_to_turn(&site, EXCAVATOR_JOINT_BUCKET, 170.0 * degree);
    assert_true(in > 2.5 && in < 4.0);
    assert_true(curl > 2.0 && curl < 3.5);
    site_destroy(&site);
}

TEST(the_swing_reaches_its_speed_and_is_braked)
{
    Site site = site_create();
    site_lever(&site, CONTROL_SWING, -1.0);
    site_run(&site, 5.0);
    MachineReadout readout = site_readout(&site);
    assert_near(readout.speed[EXCAVATOR_JOINT_SWING], -11.3 * 2.0 * M_PI / 60.0, 0.02);
    site_lever(&site, CONTROL_SWING, 0.0);
    site_run(&site, 0.2);
    assert_true(site_readout(&site).speed[EXCAVATOR_JOINT_SWING] < -0.5); // runs on
    site_run(&site, 4.0);
    assert_near(site_readout(&site).speed[EXCAVATOR_JOINT_SWING], 0.0, 1e-4);
    site_destroy(&site);
}

TEST(a_wall_stops_the_swing_at_relief)
{
    Site site = site_create();
    site_run(&site, 0.5);
    site_lever(&site, CONTROL_SWING, 1.0);
    site.tool.force = vec3(0.0, 13e3, 0.0); // more than 74 kN m at 6 m takes back the start
    site_run(&site, 0.8);
    MachineReadout readout = site_readout(&site);
    assert_near(readout.pressure[EXCAVATOR_JOINT_SWING], 26.8e6, 0.05e6);
    site_destroy(&site);
}

static double energy(const MachineParams *params, const MachineState *state)
{
    double sum = 0.0;
    for (int i = 0; i < MACHINE_MAX_BODIES; i++) {
        const MachineBodyState *body = &state->body[i];
        for (int k = 0; k < 3; k++) {
            sum += 0.5 * params->body[i].mass * body->velocity[k] * body->velocity[k];
        }
        sum += params->body[i].mass * STANDARD_GRAVITY * body->position[2];
    }
    return sum;
}

TEST(energy_does_not_grow_with_neutral_levers)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    for (int i = 0; i < MACHINE_MAX_BODIES; i++) { // dropped from 0.2 m
        site.state.body[i].position[2] += 0.2;
    }
    double most = energy(&params, &site.state);
    for (int i = 0; i < 20; i++) {
        site_run(&site, 0.25);
        double now = energy(&params, &site.state);
        assert_true(now < most + 20.0);
        most = i == 7 ? now : most; // after 2 s it has come to rest on the tracks and stays there
    }
    assert_true(fabs(energy(&params, &site.state) - most) < 20.0);
    site_destroy(&site);
}

TEST(the_engine_lugs_under_load_and_idles)
{
    Site site = site_create();
    site_run(&site, 3.0);
    double free_speed = site_readout(&site).engine_speed;
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_lever(&site, CONTROL_STICK, -1.0);
    site_lever(&site, CONTROL_SWING, 1.0);
    site_run(&site, 1.0);
    MachineReadout loaded = site_readout(&site);
    assert_true(loaded.engine_speed < 0.985 * free_speed);
    assert_true(loaded.pump_power > 60e3 && loaded.pump_power <= 121e3 * 1.001);
    double burnt = 330.0 - loaded.fuel;
    assert_true(burnt > 2e-3 && burnt < 4.0 * 121.0 * 210e-3 / 3600.0 + 0.01); // at most full power for the 4 s
    site.controls = control_neutral;
    site_lever(&site, CONTROL_THROTTLE, -1.0);
    site_run(&site, 5.0);
    double idle = site_readout(&site).engine_speed;
    assert_true(idle < 0.65 * free_speed);
    site_destroy(&site);
}

TEST(without_fuel_nothing_moves)
{
    Site site = site_create();
    site.state.fuel = 0.0;
    site_run(&site, 6.0);
    MachineReadout before = site_readout(&site);
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_run(&site, 3.0);
    assert_near(site_readout(&site).angle[EXCAVATOR_JOINT_BOOM], before.angle[EXCAVATOR_JOINT_BOOM], 0.2 * degree);
    site_destroy(&site);
}

TEST(struts_join_pins_and_keep_within_their_stroke)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    site_lever(&site, CONTROL_BUCKET, -1.0);
    site_lever(&site, CONTROL_SWING, 0.5);
    site_run(&site, 1.0);
    MachineStrut struts[MACHINE_MAX_STRUTS];
    int count = machine_get_struts(site.machine, &site.state, struts);
    assert_int_equal(count, 6);
    assert_near(vec3_length(vec3_sub(struts[0].b, struts[0].a)),
                params.joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_length, 1e-6);
    assert_near(vec3_length(vec3_sub(struts[1].b, struts[1].a)),
                params.joint[EXCAVATOR_JOINT_BUCKET].linkage.link_length, 1e-4);
    const MachineCylinder *cylinders[] = {
        &params.joint[EXCAVATOR_JOINT_BUCKET].cylinder, &params.joint[EXCAVATOR_JOINT_STICK].cylinder,
        &params.joint[EXCAVATOR_JOINT_BOOM].cylinder, &params.joint[EXCAVATOR_JOINT_BOOM].cylinder};
    for (int i = 0; i < 4; i++) {
        const MachineStrut *strut = &struts[2 + i];
        double length = vec3_length(vec3_sub(strut->b, strut->a));
        assert_int_equal(strut->kind, MACHINE_STRUT_CYLINDER);
        assert_true(length > cylinders[i]->closed - 1e-3);
        assert_true(length < cylinders[i]->closed + cylinders[i]->stroke + 1e-3);
        assert_true(strut->barrel < length && strut->rod_radius < strut->radius);
    }
    site_destroy(&site);
}

TEST(the_tool_carries_its_mass_and_inertia)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    RigidMotion tool;
    machine_get_tool(site.machine, &site.state, &tool);
    const double *size = params.body[EXCAVATOR_BUCKET].inertia_size;
    assert_near(1.0 / tool.inverse_mass, params.body[EXCAVATOR_BUCKET].mass, 1e-12);
    double across = 12.0 * tool.inverse_mass / (size[0] * size[0] + size[2] * size[2]);
    assert_near(tool.inertia_inverse.m[1][1], across, 1e-9 * across); // about y, the same in every pose of the arm
    assert_near(tool.inertia_inverse.m[0][2], tool.inertia_inverse.m[2][0], 1e-15);
    MachineReadout readout = site_readout(&site);
    Vec3 edge = pose_apply(&tool.frame, vec3(excavator_tip_radius(&params), 0.0, 0.0));
    assert_near(vec3_length(vec3_sub(edge, readout.tip)), 0.0, 1e-12);
    site_destroy(&site);
}

/// A full bucket of 0.28 m3 over the side, the arm nearly all the way out: a machine of the 8-t class lifts more there.
TEST(the_small_excavator_swings_a_full_bucket_over_its_side)
{
    MachineParams params = load_params(SPADEWORK_DATA_DIR "/machines/excavator-8t.yaml");
    params.start_pose[EXCAVATOR_JOINT_BOOM] = 10.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_STICK] = -45.0 * degree;
    Site site = site_of(&params);
    double weight = STANDARD_GRAVITY * total_mass(&params), load = STANDARD_GRAVITY * 450.0;
    site.tool.force = vec3(0.0, 0.0, -load);
    site_run(&site, 2.0);
    MachineReadout readout = site_readout(&site);
    assert_true(readout.limit == MACHINE_LIMIT_NONE);
    assert_near(readout.track_load[0] + readout.track_load[1], weight + load, 0.01 * weight);
    site_lever(&site, CONTROL_SWING, 0.6);
    for (double time = 0.0; time < 10.0 && readout.angle[EXCAVATOR_JOINT_SWING] < 80.0 * degree; time += 0.05) {
        site_run(&site, 0.05);
        readout = site_readout(&site);
        assert_true(readout.limit != MACHINE_LIMIT_TIP);
    }
    site_lever(&site, CONTROL_SWING, 0.0);
    site_run(&site, 3.0);
    readout = site_readout(&site);
    assert_true(readout.angle[EXCAVATOR_JOINT_SWING] > 60.0 * degree);
    assert_true(readout.limit == MACHINE_LIMIT_NONE && fabs(readout.roll) < 2.0 * degree);
    site_destroy(&site);
}

TEST(a_step_takes_microseconds)
{
    Site site = site_create();
    site_lever(&site, CONTROL_BOOM, 0.5);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    site_run(&site, 5.0);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    printf("machine_step: %.1f us\n", 1e6 * seconds / 2400.0);
    site_destroy(&site);
}

/// Limits are told one by one: a set has each of them, the gravest is the one that is named alone.
TEST(a_set_of_limits_is_written_with_all_of_them)
{
    char text[MACHINE_LIMITS_TEXT];
    int all = 0;
    assert_int_equal(machine_gravest_limit(0), MACHINE_LIMIT_NONE);
    machine_limits_text(0, text);
    assert_string_equal(text, "none");
    for (int k = MACHINE_LIMIT_NONE + 1; k < MACHINE_LIMIT_COUNT; k++) {
        machine_limits_text(MACHINE_LIMIT_BIT(k), text);
        assert_string_equal(text, machine_limit_names[k]);
        all |= MACHINE_LIMIT_BIT(k);
        assert_int_equal(machine_gravest_limit(all), k);
    }
    assert_int_equal(all, MACHINE_LIMIT_BITS);
    machine_limits_text(all, text);
    assert_string_equal(text, "stall+relief+slip+tip");
}

TEST_GROUP(NULL, NULL)
