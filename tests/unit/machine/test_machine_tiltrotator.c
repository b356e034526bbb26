/// A tiltrotator: which way its levers turn the tool, how fast and how hard, its ends, how it holds and gives way, and
/// what is refused.
// test: sanitized

#include "data/files/document.h"
#include "data/schema/load.h"
#include "machine/excavator_arm.h"
#include "tests/support/machine_fixture.h"

static const char name[] = "tiltrotator-22t";

static MachineParams rotator_params(void)
{
    MachineParams machine = shipped_params();
    Status status;
    assert_good(data_load_attachment("grading-bucket-1800", &machine, NULL, &status), status);
    assert_good(data_load_coupler(name, &machine, NULL, &status), status);
    return machine;
}

/// A machine at rest with its tool off the ground, heading `heading` degrees.
static Site rotator_site(double heading)
{
    MachineParams params = rotator_params();
    return raised_site(&params, heading);
}

/// Ends of the edge, right and left, m, world.
static void edge_ends(const Site *site, Vec3 ends[2])
{
    const MachineToolParams *tool = &machine_params(site->machine)->tool[0];
    Pose frame;
    machine_get_body_frame(site->machine, &site->state, tool->body, &frame);
    for (int k = 0; k < 2; k++) {
        double y = (k == 0 ? -0.5 : 0.5) * tool->shape.edge_width;
        ends[k] = pose_apply(&frame, vec3(tool->tip.x, y, tool->tip.z));
    }
}

static double angle_of(const Site *site, int joint)
{
    return site_readout(site).angle[joint];
}

TEST(the_tree_has_two_more_joints)
{
    MachineParams params = rotator_params();
    assert_int_equal(params.joint_count, 6);
    assert_int_equal(params.body_count, 7);
    assert_int_equal(params.tool[0].body, 6);
    assert_string_equal(params.body[4].name, "coupler");
    assert_string_equal(params.body[6].name, "bucket");
    assert_int_equal(machine_joint_of_control(&params, CONTROL_TOOL_TILT), EXCAVATOR_JOINT_TILT);
    assert_int_equal(machine_joint_of_control(&params, CONTROL_TOOL_ROTATE), EXCAVATOR_JOINT_ROTATE);
    MachineParams plain = shipped_params();
    double more = 0.0;
    for (int k = 0; k < params.body_count; k++) {
        more += params.body[k].mass - (k < 4 ? plain.body[k].mass : 0.0);
    }
    assert_near(more, 800.0 + 640.0, 1e-9); // grading bucket and tiltrotator
}

/// The closed form of the arm has the edge where the bodies have it, with both joints in the middle.
TEST(the_edge_is_where_the_arm_has_it)
{
    Site site = rotator_site(0.0);
    MachineReadout readout = site_readout(&site);
    const ArmAngles angles = {readout.angle[1], readout.angle[2], readout.angle[3]};
    ArmTip tip;
    excavator_tip(machine_params(site.machine), &angles, &tip);
    Pose house;
    machine_get_body_frame(site.machine, &site.state, EXCAVATOR_HOUSE, &house);
    Vec3 expected = pose_apply(&house, vec3(tip.x, 0.0, tip.z));
    assert_true(vec3_length(vec3_sub(expected, readout.tip)) < 1e-3);
    site_destroy(&site);
}

TEST(the_levers_turn_as_their_signs_say)
{
    Site site = rotator_site(30.0);
    Vec3 ends[2];
    site_lever(&site, CONTROL_TOOL_TILT, 1.0);
    site_run(&site, 1.0);
    edge_ends(&site, ends);
    assert_true(ends[0].z < ends[1].z - 0.3); // right corner down
    assert_true(angle_of(&site, EXCAVATOR_JOINT_TILT) > 0.2);
    site_lever(&site, CONTROL_TOOL_TILT, -1.0);
    site_run(&site, 2.0);
    edge_ends(&site, ends);
    assert_true(ends[0].z > ends[1].z + 0.1);
    site_destroy(&site);

    site = rotator_site(30.0);
    edge_ends(&site, ends);
    Vec3 before = vec3_sub(ends[0], ends[1]);
    site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
    site_run(&site, 1.0);
    edge_ends(&site, ends);
    Vec3 after = vec3_sub(ends[0], ends[1]);
    assert_true(vec3_cross(before, after).z < -0.3); // clockwise from above
    site_destroy(&site);
}

/// Speeds of the class, equal in all headings: 18 degrees a second, 9 rpm.
TEST(speeds_are_those_of_the_class)
{
    for (int k = 0; k < 4; k++) {
        Site site = rotator_site(90.0 * k + 17.0);
        site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
        site_run(&site, 0.5);
        double from = angle_of(&site, EXCAVATOR_JOINT_ROTATE);
        site_run(&site, 1.0);
        double turned = angle_of(&site, EXCAVATOR_JOINT_ROTATE) - from;
        assert_near(turned, 9.0 * 2.0 * M_PI / 60.0, 0.02);
        site_lever(&site, CONTROL_TOOL_ROTATE, 0.0);
        site_lever(&site, CONTROL_TOOL_TILT, -1.0);
        site_run(&site, 0.4);
        from = angle_of(&site, EXCAVATOR_JOINT_TILT);
        site_run(&site, 1.0);
        assert_near(from - angle_of(&site, EXCAVATOR_JOINT_TILT), 18.0 * degree, 0.5 * degree);
        site_destroy(&site);
    }
}

TEST(it_tilts_to_its_ends_and_turns_without_one)
{
    Site site = rotator_site(0.0);
    site_lever(&site, CONTROL_TOOL_TILT, 1.0);
    site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
    site_run(&site, 4.0);
    assert_near(angle_of(&site, EXCAVATOR_JOINT_TILT), 40.0 * degree, 0.5 * degree);
    assert_true((site.state.relief & MACHINE_RELIEF_JOINT(EXCAVATOR_JOINT_TILT)) != 0);
    double speed = 0.0;
    for (int k = 0; k < 8; k++) {
        site_run(&site, 1.0);
        speed = site_readout(&site).speed[EXCAVATOR_JOINT_ROTATE];
        assert_true(speed > 0.8);
    }
    site_lever(&site, CONTROL_TOOL_TILT, -1.0);
    site_run(&site, 7.0);
    assert_near(angle_of(&site, EXCAVATOR_JOINT_TILT), -40.0 * degree, 0.5 * degree);
    for (int k = 0; k < 6; k++) {
        assert_true(machine_joint_gap(site.machine, &site.state, k).distance < 2e-3);
    }
    site_destroy(&site);
}

/// rad that a joint turns in a second with its lever at `lever` against a moment, N m, about its axis.
static double turned_against(int joint, ControlAxis axis, double lever, double moment)
{
    Site site = rotator_site(0.0);
    double from = angle_of(&site, joint);
    site_lever(&site, axis, lever);
    for (int k = 0; k < 480; k++) {
        Pose frame;
        machine_get_body_frame(site.machine, &site.state, EXCAVATOR_JOINT_ROTATE == joint ? 5 : 4, &frame);
        Vec3 along = mat3_mul(&frame.rotation, machine_joint_axis(site.machine, joint));
        site.tool.moment = vec3_scale(along, moment);
        site_step(&site);
    }
    double turned = angle_of(&site, joint) - from;
    site_destroy(&site);
    return turned;
}

/// It turns against nearly its torque, not against more, holds more than it drives, and gives way beyond that.
TEST(torques_are_those_of_the_class)
{
    assert_true(turned_against(EXCAVATOR_JOINT_ROTATE, CONTROL_TOOL_ROTATE, 1.0, -7.5e3) > 0.5);
    assert_true(fabs(turned_against(EXCAVATOR_JOINT_ROTATE, CONTROL_TOOL_ROTATE, 1.0, -11e3)) < 0.05);
    assert_true(fabs(turned_against(EXCAVATOR_JOINT_ROTATE, CONTROL_TOOL_ROTATE, 0.0, -18e3)) < 0.01);
    assert_true(turned_against(EXCAVATOR_JOINT_ROTATE, CONTROL_TOOL_ROTATE, 0.0, -26e3) < -0.1);
    assert_true(turned_against(EXCAVATOR_JOINT_TILT, CONTROL_TOOL_TILT, 1.0, -45e3) > 0.15);
    assert_true(turned_against(EXCAVATOR_JOINT_TILT, CONTROL_TOOL_TILT, 1.0, -61e3) < 0.05);
    assert_true(fabs(turned_against(EXCAVATOR_JOINT_TILT, CONTROL_TOOL_TILT, 0.0, -50e3)) < 0.01);
    assert_true(turned_against(EXCAVATOR_JOINT_TILT, CONTROL_TOOL_TILT, 0.0, -75e3) < -0.05);
}

/// With all functions open the pumps' flow is shared.
TEST(it_shares_the_pumps)
{
    Site site = rotator_site(0.0);
    const ControlAxis all[] = {CONTROL_BOOM, CONTROL_SWING, CONTROL_TOOL_ROTATE};
    for (int k = 0; k < 3; k++) {
        site_lever(&site, all[k], 1.0);
    }
    site_lever(&site, CONTROL_STICK, -1.0);
    site_lever(&site, CONTROL_BUCKET, -1.0);
    site_run(&site, 0.8);
    double shared = site_readout(&site).speed[EXCAVATOR_JOINT_ROTATE];
    assert_true(shared > 0.2 && shared < 0.7);
    site_destroy(&site);
}

TEST(one_wrong_value)
{
    static const char *const broken[][2] = {
        {"start_boom_deg=90", "start_boom_deg: read 90, allowed 0 to 20"},
        {"tiltrotator.tilt_height=0.7", "tiltrotator.tilt_height: read 0.7, allowed less than height (0.56)"},
        {"tiltrotator.tilt_range_deg.0=5", "tiltrotator.tilt_range_deg: read 5 to 40, allowed the first below 0"},
        {"tiltrotator.tilt_range_deg.1=90", "tiltrotator.tilt_range_deg.1: read 90, allowed -60 to 60"},
        {"tiltrotator.tilt.torque_knm=60000", "tiltrotator.tilt.torque_knm: read 60000, allowed 0.1 to 500"},
        {"tiltrotator.tilt.torque_knm=90", "tiltrotator.tilt.torque_knm: read 90: with speed_rpm that is 28.27 kW"},
        {"tiltrotator.tilt.holding_knm=20", "tiltrotator.tilt.holding_knm: read 20, allowed torque_knm (57) and more"},
        {"tiltrotator.tilt.rod_mm=120", "tiltrotator.tilt.rod_mm: read 120, allowed less than bore_mm (110)"},
        {"tiltrotator.rotate.speed_rpm=0", "tiltrotator.rotate.speed_rpm: read 0, allowed 0.5 to 60"},
        {"tiltrotator.rotate.flow_lpm=nan", "tiltrotator.rotate.flow_lpm: read nan, allowed a number"},
        {"tiltrotator.rotate.torque_knm=30", "tiltrotator.rotate.torque_knm: read 30: with speed_rpm that is"},
        {"tiltrotator.housing.mass=1", "tiltrotator.housing.mass: read 1, allowed "},
        {"tiltrotator.hitch_pieces.0.y_max=-1", "tiltrotator.hitch_pieces.0.y_max: read -1, allowed more than y_min"},
    };
    char path[DATA_PATH_LENGTH], text[1 << 13];
    snprintf(path, sizeof path, "%s/couplers/%s.yaml", SPADEWORK_DATA_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        Status status;
        Document document;
        assert_good(document_open(&document, "bad", text, size, &status), status);
        assert_good(override_apply(&document, broken[k][0], &status), status);
        bool good = data_check_text("bad", document.text, document.size, &status);
        if (good || strstr(status.text, broken[k][1]) == NULL) {
            fail_msg("%s gives \"%s\", expected \"%s\"", broken[k][0], good ? "no error" : status.text, broken[k][1]);
        }
        document_close(&document);
    }
}

TEST_GROUP(NULL, NULL)
