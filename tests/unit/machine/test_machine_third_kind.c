/// A kind of machine that no code knows: a loader of three bodies, made of the tables alone. It stands on its tracks,
/// its levers move the joints that the table names, the soil's force reaches its tool, and its state restores bit for
/// bit.
// test: sanitized
#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

enum { CHASSIS = MACHINE_BASE, ARM, SCOOP, BODY_COUNT };
enum { JOINT_LIFT, JOINT_CURL, JOINT_COUNT };

static MachineCylinder cylinder_between(PlanePoint base, PlanePoint head, double closed, double stroke)
{
    return (MachineCylinder){.count = 2,
                             .bore = 0.12,
                             .rod = 0.07,
                             .stroke = stroke,
                             .closed = closed,
                             .base = base,
                             .head = head,
                             .relief = 20e6,
                             .flow_share = 1.0,
                             .spacing = 0.8};
}

// Chassis, engine and drive are the shipped dozer's; blade and ripper give way to two arms and a scoop, which are where
// its hood would be.
static MachineParams loader_params(void)
{
    MachineParams params = dozer_params();
    memset(params.body + ARM, 0, sizeof params.body - sizeof params.body[0]);
    memset(params.joint, 0, sizeof params.joint);
    memset(params.start_pose, 0, sizeof params.start_pose);
    ToolShape shape = params.tool[DOZER_TOOL_RIPPER].shape;
    memset(params.tool, 0, sizeof params.tool);
    params.body_count = BODY_COUNT;
    params.body[ARM] = (MachineBodyParams){"arm", 900.0, {1.0, 0.0, 0.0}, {2.4, 1.6, 0.4}};
    params.body[SCOOP] = (MachineBodyParams){"scoop", 700.0, {0.4, 0.0, 0.2}, {0.9, 2.4, 0.9}};
    params.joint_count = JOINT_COUNT;
    params.joint[JOINT_LIFT] =
        (MachineJointParams){.name = "lift",
                             .parent = CHASSIS,
                             .child = ARM,
                             .origin = {0.2, 1.8},
                             .axis = MACHINE_PITCH,
                             .range = {-0.4, 0.4},
                             .control = CONTROL_BOOM,
                             .control_sign = 1,
                             .cylinder = cylinder_between((PlanePoint){0.4, 0.9}, (PlanePoint){1.1, 0.0}, 0.7, 0.9),
                             .falls = -1};
    params.joint[JOINT_CURL] =
        (MachineJointParams){.name = "curl",
                             .parent = ARM,
                             .child = SCOOP,
                             .origin = {2.2, 0.0},
                             .axis = MACHINE_PITCH,
                             .range = {-0.6, 0.6},
                             .control = CONTROL_BUCKET,
                             .control_sign = 1,
                             .cylinder = cylinder_between((PlanePoint){1.0, 0.5}, (PlanePoint){0.0, 0.5}, 0.7, 0.9)};
    params.tool_count = 1;
    params.solid_count = 0;
    params.tool[0] = (MachineToolParams){.body = SCOOP, .shape = shape, .cuts = true, .tip = {0.9, 0.0}};
    params.lift_joint = JOINT_LIFT;
    return params;
}

static Site loader_site(void)
{
    MachineParams params = loader_params();
    return site_of(&params);
}

TEST(it_stands_on_its_tracks)
{
    Site site = loader_site();
    site_run(&site, 3.0);
    MachineReadout readout = site_readout(&site);
    assert_near(readout.track_load[0] + readout.track_load[1], (16000.0 + 900.0 + 700.0) * STANDARD_GRAVITY, 500.0);
    assert_true(fabs(readout.pitch) < 2.0 * degree && fabs(readout.roll) < 0.1 * degree);
    for (int body = BODY_COUNT; body < MACHINE_MAX_BODIES; body++) {
        assert_true(site.state.body[body].quaternion[0] == 0.0); // what it does not have stays empty
    }
    site_destroy(&site);
}

TEST(its_levers_move_the_joints_that_the_table_names)
{
    static const ControlAxis levers[JOINT_COUNT] = {CONTROL_BOOM, CONTROL_BUCKET};
    for (int joint = 0; joint < JOINT_COUNT; joint++) {
        for (int way = -1; way <= 1; way += 2) {
            Site site = loader_site();
            site_lever(&site, levers[joint], way);
            site_lever(&site, CONTROL_BLADE, -way); // of a joint that it does not have
            site_run(&site, 0.7);
            MachineReadout readout = site_readout(&site);
            assert_true(way * readout.angle[joint] > 3.0 * degree);
            assert_near(readout.angle[1 - joint], 0.0, 1.0 * degree);
            site_destroy(&site);
        }
    }
}

TEST(the_soil_pushes_on_its_tool)
{
    Site site = loader_site();
    site_run(&site, 2.0);
    double free = site_readout(&site).pressure[JOINT_LIFT];
    site.tool.force.z = -30e3; // a load in the scoop
    site_run(&site, 2.0);
    assert_true(site_readout(&site).pressure[JOINT_LIFT] > free + 2e6);
    site_destroy(&site);
}

TEST(two_cylinders_a_joint_are_drawn)
{
    Site site = loader_site();
    MachineStrut struts[MACHINE_MAX_STRUTS];
    assert_int_equal(machine_get_struts(site.machine, &site.state, struts), 2 * JOINT_COUNT);
    assert_near(fabs(struts[0].a.y - struts[1].a.y), 0.8, 1e-9);
    site_destroy(&site);
}

TEST(its_state_continues_bit_for_bit)
{
    Site site = loader_site(), again = loader_site();
    site_lever(&site, CONTROL_BOOM, 0.8);
    site_lever(&site, CONTROL_LEFT_TRACK, 1.0);
    site_run(&site, 0.5);
    again.state = site.state;
    again.controls = site.controls;
    site_run(&site, 0.5);
    site_run(&again, 0.5);
    assert_memory_equal(&again.state, &site.state, sizeof site.state);
    site_destroy(&again);
    site_destroy(&site);
}

TEST_GROUP(NULL, NULL)
