/// The dozer: work ranges, powershift, brakes, traction, and its state.
// test: sanitized
#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

#include "machine/cylinder.h"
#include "machine/drive/drive.h"
#include "tests/support/state_tape.h"

static Site dozer_site(void)
{
    MachineParams params = dozer_params();
    return site_of(&params);
}

static void levers(Site *site, double left, double right)
{
    site_lever(site, CONTROL_LEFT_TRACK, left);
    site_lever(site, CONTROL_RIGHT_TRACK, right);
}

TEST(it_is_built_and_stands)
{
    Site site = dozer_site();
    assert_near(total_mass(machine_params(site.machine)), 20500.0, 1.0);
    site_run(&site, 2.0);
    MachineReadout readout = site_readout(&site);
    assert_near(readout.base.x, 0.0, 0.01);
    assert_near(readout.base.z, 0.0, 0.03);
    assert_near(readout.pitch, 0.0, 1.0 * degree);
    assert_near(readout.track_load[0] + readout.track_load[1], 20500.0 * STANDARD_GRAVITY, 2000.0);
    assert_int_equal(readout.gear, 0);
    assert_int_equal(readout.limit, MACHINE_LIMIT_NONE);
    site_destroy(&site);
}

// The angles that lever and hinge make are those of the frames: a joint of its own for every lever, no other moves.
TEST(each_lever_moves_its_own_joint)
{
    static const struct {
        ControlAxis axis;
        int joint;
    } pairs[] = {{CONTROL_RIPPER, DOZER_JOINT_RIPPER},
                 {CONTROL_BLADE, DOZER_JOINT_LIFT},
                 {CONTROL_BLADE_ANGLE, DOZER_JOINT_ANGLE},
                 {CONTROL_BLADE_TILT, DOZER_JOINT_TILT}};
    for (int k = 0; k < 4; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            Site site = dozer_site();
            MachineReadout before = site_readout(&site);
            site_lever(&site, pairs[k].axis, sign);
            site_run(&site, 0.6);
            MachineReadout after = site_readout(&site);
            for (int joint = 0; joint < DOZER_JOINT_COUNT; joint++) {
                double moved = after.angle[joint] - before.angle[joint];
                if (joint == pairs[k].joint) {
                    bool at_start_end = joint == DOZER_JOINT_RIPPER && sign < 0;
                    assert_true(sign * moved > (at_start_end ? 1.0 : 3.0) * degree);
                } else {
                    assert_near(moved, 0.0, 0.5 * degree);
                }
            }
            site_destroy(&site);
        }
    }
}

// Signs on the blade itself: tilt + lowers the right corner, angle + turns the face to the right, lift + raises the
// edge.
TEST(the_blade_goes_where_the_levers_say)
{
    Site site = dozer_site();
    site_lever(&site, CONTROL_BLADE_TILT, 1.0);
    site_run(&site, 5.0);
    Pose blade;
    machine_get_body_frame(site.machine, &site.state, DOZER_BLADE, &blade);
    Vec3 right = pose_apply(&blade, vec3(0.0, -1.0, 0.0)), left = pose_apply(&blade, vec3(0.0, 1.0, 0.0));
    assert_near(left.z - right.z, 2.0 * sin(13.12 * degree), 0.02);
    site_lever(&site, CONTROL_BLADE_TILT, -1.0);
    site_lever(&site, CONTROL_BLADE_ANGLE, 1.0);
    site_run(&site, 0.5 * 5.0);
    site_lever(&site, CONTROL_BLADE_TILT, 0.0);
    site_run(&site, 5.0);
    machine_get_body_frame(site.machine, &site.state, DOZER_BLADE, &blade);
    assert_near(atan2(blade.rotation.m[1][0], blade.rotation.m[0][0]), -25.0 * degree, 1.0 * degree);
    double height = site_readout(&site).tip_height;
    site_lever(&site, CONTROL_BLADE, 1.0);
    site_run(&site, 0.5);
    assert_true(site_readout(&site).tip_height > height + 0.15);
    site_destroy(&site);
}

// dL/dangle of every cylinder against its length's slope.
TEST(lever_arms_are_the_slopes_of_the_lengths)
{
    MachineParams params = dozer_params();
    for (int joint = 0; joint < DOZER_JOINT_COUNT; joint++) {
        for (int k = 0; k <= 10; k++) {
            const double *range = params.joint[joint].range, step = 1e-6;
            double angle = range[0] + 0.1 * k * (range[1] - range[0]), low, high, arm, other;
            assert_true(cylinder_length(&params.joint[joint], angle - step, &low, &other));
            assert_true(cylinder_length(&params.joint[joint], angle + step, &high, &other));
            assert_true(cylinder_length(&params.joint[joint], angle, &other, &arm));
            assert_near(arm, (high - low) / (2.0 * step), 1e-6);
        }
    }
}

// Stalled: the engine at full torque holds the stall speed, and the force is torque x stall ratio x efficiency x
// reduction. At equal speeds nothing is left. Power never comes out of it that did not go in.
TEST(a_converter_multiplies_torque_and_makes_no_power)
{
    MachineParams params = dozer_params();
    const MachinePowertrain *train = &params.powertrain;
    double full = params.engine.power / params.engine.rated_speed;
    Conversion stalled = powertrain_convert(&params, 1, train->stall_speed, 0.0);
    assert_near(stalled.torque, full, 1e-6 * full);
    double wanted = full * train->stall_ratio * train->efficiency * params.engine.rated_speed / train->forward[0];
    assert_near(stalled.force, wanted, 1e-6 * wanted);
    for (int gear = -MACHINE_GEARS; gear <= MACHINE_GEARS; gear++) {
        double last = HUGE_VAL;
        for (int k = 0; gear != 0 && k <= 50; k++) {
            double speed = (gear < 0 ? train->reverse[-gear - 1] : train->forward[gear - 1]) * k / 50.0;
            Conversion now = powertrain_convert(&params, gear, params.engine.rated_speed, speed);
            assert_true(now.force * speed <=
                        now.torque * params.engine.rated_speed * train->efficiency * (1.0 + 1e-12));
            assert_true(now.force <= last);
            last = now.force;
        }
        assert_true(gear == 0 || last < 1e-6);
    }
    Conversion dead = powertrain_convert(&params, 1, 0.0, 0.5);
    assert_true(dead.force == 0.0 && dead.torque == 0.0);
}

TEST(levers_choose_the_gear)
{
    static const struct {
        double lever;
        int gear;
        double speed; // km/h
    } cases[] = {{0.30, 1, 3.0}, {0.36, 1, 3.8}, {0.60, 2, 6.6}, {1.0, 3, 11.4}, {-0.36, -1, 4.8}, {-1.0, -3, 14.5}};
    for (int k = 0; k < 6; k++) {
        Site site = dozer_site();
        levers(&site, cases[k].lever, cases[k].lever);
        site_run(&site, 9.0);
        MachineReadout readout = site_readout(&site);
        assert_int_equal(readout.gear, cases[k].gear);
        assert_near(3.6 * fabs(readout.speed_over_ground), cases[k].speed, 0.05 * cases[k].speed);
        assert_true(readout.speed_over_ground * cases[k].lever > 0.0);
        assert_near(readout.base.y, 0.0, 0.2);
        site_destroy(&site);
    }
}

// Under load a full lever works in the first gear; without it, in the third.
TEST(load_shifts_down_and_back_up)
{
    Site site = dozer_site();
    site.cohesion = 25e3;
    levers(&site, 1.0, 1.0);
    site_run(&site, 8.0);
    assert_int_equal(site_readout(&site).gear, 3);
    site.tool.force = vec3(-120e3, 0.0, 0.0);
    site_run(&site, 6.0);
    MachineReadout loaded = site_readout(&site);
    assert_int_equal(loaded.gear, 1);
    assert_true(loaded.speed_over_ground > 0.3);
    // The power at the belts is what the engine has, less the losses.
    assert_true(loaded.pump_power < 1.05 * machine_params(site.machine)->engine.power);
    assert_true(120e3 * loaded.speed_over_ground < 0.85 * machine_params(site.machine)->engine.power);
    site.tool.force = vec3(0.0, 0.0, 0.0);
    site_run(&site, 8.0);
    assert_int_equal(site_readout(&site).gear, 3);
    site_destroy(&site);
}

TEST(levers_at_neutral_brake_and_hold_on_a_slope)
{
    Site site = dozer_site();
    levers(&site, 1.0, 1.0);
    site_run(&site, 6.0);
    levers(&site, 0.0, 0.0);
    double before = site_readout(&site).base.x;
    site_run(&site, 3.0);
    MachineReadout readout = site_readout(&site);
    assert_near(readout.speed_over_ground, 0.0, 0.02);
    assert_true(readout.base.x - before < 3.0);
    assert_int_equal(readout.gear, 0);
    site_destroy(&site);

    site = dozer_site();
    site.slope = 0.3;
    site_run(&site, 2.0);
    before = site_readout(&site).base.x;
    site_run(&site, 5.0);
    assert_near(site_readout(&site).base.x, before, 0.02);
    site_destroy(&site);
}

TEST(opposed_levers_turn_on_the_spot)
{
    Site site = dozer_site();
    levers(&site, -1.0, 1.0);
    site_run(&site, 4.0);
    MachineReadout readout = site_readout(&site);
    assert_true(fabs(readout.yaw) > 0.7);
    assert_near(readout.base.x, 0.0, 1.0);
    assert_near(readout.base.y, 0.0, 1.0);
    assert_int_equal(readout.gear < 0 ? -readout.gear : readout.gear, 1);
    site_destroy(&site);
}

TEST(too_great_a_pull_makes_the_tracks_slip)
{
    Site site = dozer_site();
    site.friction = 0.5;
    levers(&site, 0.3, 0.3);
    site.tool.force = vec3(-130e3, 0.0, 0.0); // the ground holds about 100 kN
    site_run(&site, 3.0);
    MachineReadout readout = site_readout(&site);
    assert_int_equal(readout.limit, MACHINE_LIMIT_SLIP);
    assert_true(readout.slip[0] > 0.9 && readout.slip[1] > 0.9);
    site_destroy(&site);
}

// A blade drawn into the ground takes the load to the foremost patches, whose shoes are always fresh: they never come
// as near to the greatest shear as those behind them.
TEST(tracks_that_stand_on_their_front_slip_too)
{
    Site site = dozer_site();
    site.friction = 0.5;
    levers(&site, 0.3, 0.3);
    site.tool.force = vec3(-163e3, 0.0, -135e3);
    site_run(&site, 3.0);
    MachineReadout readout = site_readout(&site);
    double front = 0.0, load = readout.track_load[0] + readout.track_load[1];
    for (int side = 0; side < 2; side++) {
        front += site.state.patch_load[(side + 1) * machine_params(site.machine)->tracks.patches - 1];
    }
    print_message("%.2f of the load on the foremost patches, slip %.2f\n", front / load, readout.slip[0]);
    assert_true(front > 0.5 * load && readout.slip[0] > 0.9 && readout.slip[1] > 0.9);
    assert_int_equal(readout.limit, MACHINE_LIMIT_SLIP);
    site_destroy(&site);
}

// In the third gear with an engine that idles it cannot pull: the converter stands.
TEST(a_load_beyond_the_converter_stalls_it)
{
    Site site = dozer_site();
    site.cohesion = 200e3;
    site_lever(&site, CONTROL_THROTTLE, -1.0);
    levers(&site, 0.3, 0.3);
    site.tool.force = vec3(-90e3, 0.0, 0.0);
    site_run(&site, 4.0);
    MachineReadout readout = site_readout(&site);
    assert_int_equal(readout.limit, MACHINE_LIMIT_STALL);
    assert_near(readout.speed_over_ground, 0.0, 0.05);
    site_destroy(&site);
}

TEST(a_blade_pushed_down_lifts_the_front)
{
    Site site = dozer_site();
    // The lift cylinders hold what the weight of all but the rear edge of the tracks gives at the edge: 73 kN by
    // moments.
    site.tool.force = vec3(0.0, 0.0, 90e3);
    site_run(&site, 2.0);
    assert_true(site_readout(&site).pitch > 2.0 * degree);
    site_destroy(&site);
}

static void use_everything(Site *site, int step)
{
    site_lever(site, CONTROL_BLADE, step < 100 ? -1.0 : 0.6);
    site_lever(site, CONTROL_BLADE_TILT, step < 200 ? 0.5 : -1.0);
    site_lever(site, CONTROL_BLADE_ANGLE, 0.7);
    site_lever(site, CONTROL_RIPPER, step < 150 ? 1.0 : -0.4);
    levers(site, step < 260 ? 1.0 : -0.5, step < 260 ? 0.8 : -1.0);
    site->tool.force = vec3(-20e3, 300.0 * (step % 7), 9000.0);
    site->tool.moment = vec3(10.0, 500.0, -20.0 * (step % 5));
    site_step(site);
}

TEST(a_visited_state_continues_bit_for_bit)
{
    enum { BEFORE = 700, AFTER = 1100 }; // in the middle of a shift
    Site site = dozer_site();
    for (int step = 0; step < BEFORE; step++) {
        use_everything(&site, step);
    }
    assert_true(site.state.shift_clock > 0.0 && site.state.gear != 0);
    Tape tape = {.visitor = {.field = write_tape}};
    machine_state_visit(machine_params(site.machine), &site.state, &tape.visitor);
    Site restored = dozer_site();
    memset(&restored.state, 0, sizeof restored.state);
    tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape.at = 0;
    machine_state_visit(machine_params(restored.machine), &restored.state, &tape.visitor);
    assert_false(tape.visitor.failed);
    for (int step = BEFORE; step < AFTER; step++) {
        use_everything(&site, step);
        use_everything(&restored, step);
    }
    Tape first = {.visitor = {.field = write_tape}}, second = first;
    machine_state_visit(machine_params(site.machine), &site.state, &first.visitor);
    machine_state_visit(machine_params(restored.machine), &restored.state, &second.visitor);
    assert_memory_equal(first.bytes, second.bytes, first.at);
    site_destroy(&restored);
    site_destroy(&site);
}

static bool restores(const MachineState *bad)
{
    MachineState state = *bad;
    Tape tape = {.visitor = {.field = write_tape}};
    machine_state_visit(NULL, &state, &tape.visitor);
    tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape.at = 0;
    machine_state_visit(NULL, &state, &tape.visitor);
    assert_true(state.gear >= -MACHINE_GEARS && state.gear <= MACHINE_GEARS);
    return !tape.visitor.failed;
}

TEST(a_gear_that_is_none_is_refused)
{
    Site site = dozer_site();
    site.state.gear = -3;
    assert_true(restores(&site.state));
    site.state.gear = 4;
    assert_false(restores(&site.state));
    site.state.gear = 1;
    site.state.shift_clock = -1.0;
    assert_false(restores(&site.state));
    site.state.shift_clock = 1e9;
    assert_false(restores(&site.state));
    site_destroy(&site);
}

static void refuse(const MachineParams *params, const char *key, const char *reason)
{
    Status status = {STATUS_GOOD, ""};
    assert_null(machine_create(params, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (!strstr(status.text, key) || !strstr(status.text, reason)) {
        fail_msg("\"%s\" does not tell \"%s\" and \"%s\"", status.text, key, reason);
    }
}

TEST(a_dozer_that_cannot_be_built_is_refused)
{
    MachineParams params = dozer_params();
    params.joint[DOZER_JOINT_LIFT].cylinder.closed += 0.3;
    refuse(&params, "lift_cylinder: it would be", "closed_mm and stroke_mm");
    params = dozer_params();
    params.joint[DOZER_JOINT_ANGLE].cylinder.head.z = 0.0;
    params.joint[DOZER_JOINT_ANGLE].cylinder.closed = 0.2;
    params.joint[DOZER_JOINT_ANGLE].cylinder.stroke = 3.0;
    refuse(&params, "angle_cylinder", "no lever arm");
    params = dozer_params();
    params.body[DOZER_YOKE].mass = 0.0;
    refuse(&params, "yoke.mass", "positive");
    params = dozer_params();
    params.joint[DOZER_JOINT_TILT].range[1] = params.joint[DOZER_JOINT_TILT].range[0];
    refuse(&params, "tilt_range", "empty");
    params = dozer_params();
    params.joint[DOZER_JOINT_RIPPER].cylinder.rod = 1.0;
    refuse(&params, "ripper_cylinder.rod", "less than the bore");
}

/// Counts fields whose name holds a word.
typedef struct NameVisitor {
    StateVisitor visitor;
    const char *word;
    int count;
} NameVisitor;

static void count_name(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    NameVisitor *names = (NameVisitor *)visitor;
    (void)data, (void)size, (void)count;
    names->count += strstr(name, names->word) != NULL;
}

static int names_with(Site *site, const char *word)
{
    NameVisitor names = {.visitor = {.field = count_name}, .word = word};
    machine_state_visit(machine_params(site->machine), &site->state, &names.visitor);
    return names.count;
}

/// What a recording holds of a dozer is told under the names of its own bodies.
TEST(fields_of_the_state_bear_the_names_of_its_bodies)
{
    Site site = dozer_site(), excavator = site_create();
    assert_int_equal(names_with(&site, "machine.blade."), 4);
    assert_int_equal(names_with(&site, "machine.chassis."), 4);
    assert_int_equal(names_with(&site, "bucket") + names_with(&site, "boom") + names_with(&site, "house"), 0);
    assert_int_equal(names_with(&excavator, "machine.bucket."), 4);
    assert_int_equal(names_with(&excavator, "blade"), 0);
    site_destroy(&excavator);
    site_destroy(&site);
}

TEST_GROUP(NULL, NULL)
