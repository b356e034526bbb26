/// The rotator of a grab: its place in the tree, speed and torques by its file, equal in all headings, the jaws closing
/// while it turns, grabs and thumbs on couplers, and files that cannot be.
// test: sanitized
#include "data/core/constants.h"
#include "data/files/document.h"
#include "data/schema/load.h"
#include "machine/excavator_arm.h"
#include "tests/support/machine_fixture.h"

enum { ROTATE = EXCAVATOR_JOINT_COUNT }; ///< its joint

static MachineParams tool_params(const char *attachment, const char *coupler)
{
    MachineParams machine = shipped_params();
    Status status;
    assert_good(data_load_attachment(attachment, &machine, NULL, &status), status);
    if (coupler != NULL) {
        assert_good(data_load_coupler(coupler, &machine, NULL, &status), status);
    }
    return machine;
}

static double angle_of(const Site *site, int joint)
{
    return site_readout(site).angle[joint];
}

static Pose body_frame(const Site *site, int body)
{
    Pose frame;
    machine_get_body_frame(site->machine, &site->state, body, &frame);
    return frame;
}

/// m: from the machine's pin to the tip of the outer jaw, in a frame of the house.
static Vec3 tip_of(const Site *site)
{
    const MachineParams *params = machine_params(site->machine);
    Pose jaw = body_frame(site, params->body_count - params->jaw_count);
    return pose_apply(&jaw, vec3(0.9, 0.0, -0.27));
}

TEST(the_grab_turns_below_its_bracket)
{
    MachineParams params = tool_params("sorting-grab-1200", NULL);
    assert_int_equal(params.joint_count, ROTATE + 3);
    assert_int_equal(params.tool[0].body, EXCAVATOR_BUCKET + 1);
    assert_string_equal(params.body[EXCAVATOR_BUCKET].name, "rotator");
    assert_int_equal(machine_joint_of_control(&params, CONTROL_TOOL_ROTATE), ROTATE);
    assert_true(machine_joint_is_endless(&params.joint[ROTATE]));
    assert_near(excavator_tip_radius(&params), 0.72, 1e-12);
    double mass = 0.0;
    for (int k = EXCAVATOR_BUCKET; k < params.body_count; k++) {
        mass += params.body[k].mass;
    }
    assert_near(mass, 1200.0, 1e-9);
    Site site = raised_site(&params, 40.0);
    MachineReadout readout = site_readout(&site);
    const ArmAngles angles = {readout.angle[1], readout.angle[2], readout.angle[3]};
    ArmTip tip;
    excavator_tip(&params, &angles, &tip);
    Pose house = body_frame(&site, EXCAVATOR_HOUSE);
    assert_true(vec3_length(vec3_sub(pose_apply(&house, vec3(tip.x, 0.0, tip.z)), readout.tip)) < 1e-3);
    site_destroy(&site);
}

/// 12 rpm in all headings, to the right with a positive lever, without an end; the edge stays where it is.
TEST(it_turns_as_fast_as_its_file_says)
{
    for (int k = 0; k < 4; k++) {
        MachineParams params = tool_params("sorting-grab-1200", NULL);
        Site site = raised_site(&params, 90.0 * k + 17.0);
        Vec3 edge = site_readout(&site).tip, before = tip_of(&site);
        site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
        site_run(&site, 0.5);
        Vec3 out = vec3_sub(before, edge), now = vec3_sub(tip_of(&site), edge);
        assert_true(vec3_cross(out, now).z < 0.0); // clockwise from above
        double from = angle_of(&site, ROTATE);
        site_run(&site, 1.0);
        assert_near(remainder(angle_of(&site, ROTATE) - from, 2.0 * M_PI), 12.0 * 2.0 * M_PI / 60.0, 0.02);
        for (int n = 0; n < 8; n++) {
            site_run(&site, 1.0);
            assert_true(site_readout(&site).speed[ROTATE] > 1.1);
        }
        site_lever(&site, CONTROL_TOOL_ROTATE, 0.0);
        site_run(&site, 1.0);
        assert_true(fabs(site_readout(&site).speed[ROTATE]) < 1e-3);
        assert_true(vec3_length(vec3_sub(site_readout(&site).tip, edge)) < 0.02);
        for (int n = 0; n < params.joint_count; n++) {
            assert_true(machine_joint_gap(site.machine, &site.state, n).distance < 2e-3);
        }
        site_destroy(&site);
    }
}

/// rad that it turns in a second with its lever at `lever` against a moment, N m, about its axis.
static double turned_against(double lever, double moment)
{
    MachineParams params = tool_params("sorting-grab-1200", NULL);
    Site site = raised_site(&params, 0.0);
    double from = angle_of(&site, ROTATE);
    site_lever(&site, CONTROL_TOOL_ROTATE, lever);
    for (int k = 0; k < 480; k++) {
        Pose frame = body_frame(&site, EXCAVATOR_BUCKET);
        site.tool.moment = vec3_scale(mat3_mul(&frame.rotation, machine_joint_axis(site.machine, ROTATE)), moment);
        site_step(&site);
    }
    double turned = remainder(angle_of(&site, ROTATE) - from, 2.0 * M_PI);
    site_destroy(&site);
    return turned;
}

/// It turns against nearly its torque, not against more, holds a little more than it drives, and gives way beyond.
TEST(torques_are_those_of_its_file)
{
    assert_true(turned_against(1.0, -5.5e3) > 0.5);
    assert_true(fabs(turned_against(1.0, -7.2e3)) < 0.05);
    assert_true(fabs(turned_against(0.0, -7.0e3)) < 0.01);
    assert_true(turned_against(0.0, -9.0e3) < -0.1);
}

/// Turned a quarter, the jaws close about an axis along the arm; both run together on the pumps' oil.
TEST(jaws_close_while_it_turns)
{
    MachineParams params = tool_params("sorting-grab-1200", NULL);
    Site site = raised_site(&params, 0.0);
    site_lever(&site, CONTROL_AUXILIARY, -1.0);
    site_run(&site, 2.0);
    site_lever(&site, CONTROL_AUXILIARY, 1.0);
    site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
    site_run(&site, 1.25);
    site_lever(&site, CONTROL_TOOL_ROTATE, 0.0);
    site_run(&site, 3.0);
    assert_near(angle_of(&site, ROTATE), 0.5 * M_PI, 0.2);
    assert_near(angle_of(&site, ROTATE + 1), 0.0, 1.5 * degree);
    assert_near(angle_of(&site, ROTATE + 2), 0.0, 1.5 * degree);
    Pose outer = body_frame(&site, params.body_count - 2), inner = body_frame(&site, params.body_count - 1);
    Vec3 across = vec3_sub(outer.position, inner.position);
    assert_true(fabs(across.y) > 5.0 * fabs(across.x));
    site_destroy(&site);
}

/// ---- on couplers ---------------------------------------------------------------------------------------------------

/// With all joints at rest each jaw lies as the tool has it: what it is from the tool's pin in the tool's own frame.
static void assert_jaws_lie_right(const char *attachment, const char *coupler)
{
    MachineParams plain = tool_params(attachment, NULL), params = tool_params(attachment, coupler);
    assert_int_equal(params.jaw_count, plain.jaw_count);
    Site sites[2] = {site_of(&plain), site_of(&params)};
    Vec3 place[2][2];
    for (int n = 0; n < 2; n++) {
        const MachineParams *of = n == 0 ? &plain : &params;
        Pose tool = body_frame(&sites[n], of->tool[0].body);
        // The tool's frame in its file: its origin and the direction of its x axis.
        Mat3 turn = mat3_from_quat(quat_turn(vec3(0.0, -1.0, 0.0), of->tool_turn));
        Pose own = {pose_apply(&tool, vec3(of->tool_origin.x, 0.0, of->tool_origin.z)),
                    mat3_product(&tool.rotation, &turn)};
        for (int k = 0; k < 2; k++) {
            Pose jaw = body_frame(&sites[n], of->body_count - 2 + k);
            place[n][k] = pose_apply_inverse(&own, pose_apply(&jaw, vec3(0.9, 0.0, k == 0 ? -0.27 : 0.27)));
        }
    }
    for (int k = 0; k < 2; k++) {
        assert_true(vec3_length(vec3_sub(place[0][k], place[1][k])) < 1e-6);
    }
    site_run(&sites[1], 2.0);
    site_lever(&sites[1], CONTROL_AUXILIARY, 1.0);
    site_run(&sites[1], 5.0);
    for (int k = 0; k < 2; k++) { // closed on each other
        const MachineParams *of = &params;
        int joint = of->joint_count - 2 + k;
        double end = of->joint[joint].range[of->joint[joint].control_sign > 0 ? 1 : 0];
        assert_near(angle_of(&sites[1], joint), end, 1.5 * degree);
    }
    for (int n = 0; n < params.joint_count; n++) {
        assert_true(machine_joint_gap(sites[1].machine, &sites[1].state, n).distance < 2e-3);
    }
    site_destroy(&sites[0]);
    site_destroy(&sites[1]);
}

TEST(a_grab_on_a_tiltrotator_has_nine_bodies)
{
    MachineParams params = tool_params("grab-1000", "tiltrotator-22t");
    assert_int_equal(params.body_count, MACHINE_MAX_BODIES);
    assert_int_equal(params.joint_count, MACHINE_MAX_JOINTS);
    assert_string_equal(params.body[7].name, "outer_jaw");
    assert_int_equal(params.joint[6].parent, params.tool[0].body);
    assert_jaws_lie_right("grab-1000", "tiltrotator-22t");
    assert_near(params.start_pose[EXCAVATOR_JOINT_TILT], 0.0, 1e-12);
    Site site = raised_site(&params, 30.0);
    site_lever(&site, CONTROL_TOOL_TILT, 1.0);
    site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
    site_lever(&site, CONTROL_AUXILIARY, -1.0);
    site_run(&site, 3.0);
    assert_near(angle_of(&site, EXCAVATOR_JOINT_TILT), 40.0 * degree, 1.0 * degree);
    assert_true(angle_of(&site, 6) > 70.0 * degree + params.joint[6].range[0]);
    site_destroy(&site);
}

TEST(grabs_hang_on_a_quick_coupler)
{
    assert_jaws_lie_right("grab-1000", "quick-coupler-22t");
    assert_jaws_lie_right("sorting-grab-1200", "quick-coupler-22t");
    MachineParams params = tool_params("sorting-grab-1200", "quick-coupler-22t");
    Site site = raised_site(&params, 0.0);
    site_lever(&site, CONTROL_TOOL_ROTATE, 1.0);
    site_run(&site, 2.0);
    assert_near(site_readout(&site).speed[ROTATE], 12.0 * 2.0 * M_PI / 60.0, 0.05);
    site_destroy(&site);
}

/// The thumb stays on the stick; the bucket hangs lower.
TEST(a_thumb_beside_couplers_stays_on_the_stick)
{
    static const char *const couplers[] = {"quick-coupler-22t", "tiltrotator-22t"};
    for (int k = 0; k < 2; k++) {
        MachineParams params = tool_params("thumb-bucket-1300", couplers[k]);
        int thumb = machine_joint_of_control(&params, CONTROL_AUXILIARY);
        assert_int_equal(thumb, params.joint_count - 1);
        assert_int_equal(params.joint[thumb].parent, EXCAVATOR_STICK);
        assert_near(params.start_pose[thumb], -140.0 * degree, 1e-12);
        Site site = raised_site(&params, 0.0);
        site_lever(&site, CONTROL_AUXILIARY, 1.0);
        double from = angle_of(&site, thumb);
        site_run(&site, 1.0);
        assert_true(angle_of(&site, thumb) > from + 10.0 * degree);
        site_destroy(&site);
    }
}

TEST(what_turns_twice_is_refused)
{
    MachineParams machine = tool_params("sorting-grab-1200", NULL);
    Status status;
    assert_false(data_load_coupler("tiltrotator-22t", &machine, NULL, &status));
    if (strstr(status.text, "sorting-grab-1200 has a rotator, allowed on tiltrotator-22t is a tool without") == NULL) {
        fail_msg("%s", status.text);
    }
}

/// ---- files ---------------------------------------------------------------------------------------------------------

/// Reads a shipped file, and checks it with a value of it changed.
static void assert_refused(const char *folder, const char *file_name, const char *set, const char *says)
{
    char path[DATA_PATH_LENGTH];
    static char text[1 << 14];
    snprintf(path, sizeof path, "%s/%s/%s.yaml", SPADEWORK_DATA_DIR, folder, file_name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    Status status;
    Document document;
    assert_good(document_open(&document, "bad", text, size, &status), status);
    assert_good(override_apply(&document, set, &status), status);
    bool good = data_check_text("bad", document.text, document.size, &status);
    document_close(&document);
    if (good || strstr(status.text, says) == NULL) {
        fail_msg("%s gives \"%s\", expected \"%s\"", set, good ? "" : status.text, says);
    }
}

TEST(rotators_that_cannot_be_are_refused_where_they_stand)
{
    static const char *const wrong[][2] = {
        {"rotator.height=0.8", "rotator.height: read 0.8, allowed less than tool.edge.0 (0.72)"},
        {"rotator.height=2", "rotator.height: read 2, allowed 0.05 to 1.5"},
        {"rotator.drive.torque_knm=20", "rotator.drive.torque_knm: read 20: with speed_rpm that is 25.13 kW"},
        {"rotator.drive.holding_knm=5", "rotator.drive.holding_knm: read 5, allowed torque_knm (6.5) and more"},
        {"rotator.drive.speed_rpm=0", "rotator.drive.speed_rpm: read 0, allowed 0.5 to 60"},
        {"rotator.drive.flow_lpm=nan", "rotator.drive.flow_lpm: read nan, allowed a number"},
        {"rotator.drive.relief_mpa=90", "rotator.drive.relief_mpa: read 90, allowed 1 to 50"},
        {"rotator.bracket.mass=1", "rotator.bracket.mass: read 1, allowed "},
        {"rotator.pieces.0.y_max=-1", "rotator.pieces.0.y_max: read -1, allowed more than y_min (-0.22)"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_refused("attachments", "sorting-grab-1200", wrong[k][0], wrong[k][1]);
    }
}

/// Every key of a coupler's lock.
TEST(locks_that_cannot_be_are_refused_where_they_stand)
{
    static const char *const wrong[][2] = {
        {"lock.opening_deg=10", "lock.opening_deg: read 10, allowed -180 to 0"},
        {"lock.mouth=0.01", "lock.mouth: read 0.01, allowed 0.04 to 0.5"},
        {"lock.capture=0.5", "lock.capture: read 0.5, allowed 0.01 to 0.2"},
        {"lock.tolerance=0.2", "lock.tolerance: read 0.2, allowed 0.005 to 0.1"},
        {"lock.wedge_time=0", "lock.wedge_time: read 0, allowed 0.1 to 10"},
        {"lock.confirm_time=60", "lock.confirm_time: read 60, allowed 1 to 20"},
        {"lock.curled_deg=90", "lock.curled_deg: read 90, allowed 1 to 60"},
        {"lock.most_load=-1", "lock.most_load: read -1, allowed 1 to 2000"},
        {"lock.most_force_kn=nan", "lock.most_force_kn: read nan, allowed a number"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_refused("couplers", "quick-coupler-22t", wrong[k][0], wrong[k][1]);
    }
}

/// A tiltrotator has no lock: tools on a site are for couplers without.
TEST(a_tiltrotator_with_a_lock_is_refused)
{
    char path[DATA_PATH_LENGTH];
    static char text[1 << 14];
    snprintf(path, sizeof path, "%s/couplers/tiltrotator-22t.yaml", SPADEWORK_DATA_DIR);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 128, file);
    fclose(file);
    size +=
        (size_t)snprintf(text + size, 128, "\nlock: {mouth: 0.11, capture: 0.06, tolerance: 0.03, wedge_time: 1.2}\n");
    Status status;
    assert_false(data_check_text("bad", text, size, &status));
    assert_non_null(strstr(status.text, "lock: a tiltrotator's hitch takes tools by hand"));
}

TEST_GROUP(NULL, NULL)
