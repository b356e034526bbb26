/// The arm's closed form: poses and their inverse, lever arms as derivatives of cylinder lengths, the bucket's linkage,
/// and the working ranges and digging forces that manufacturers publish for machines of this class.
// test: sanitized
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

#include "machine/cylinder.h"
#include "machine/excavator_arm.h"

static double length_at(const MachineParams *params, int joint, double angle)
{
    double length, arm;
    assert_true(cylinder_length(&params->joint[joint], angle, &length, &arm));
    return length;
}

TEST(the_lever_arm_is_the_derivative_of_the_length)
{
    MachineParams params = shipped_params();
    const double h = 1e-5;
    for (int joint = EXCAVATOR_JOINT_BOOM; joint <= EXCAVATOR_JOINT_BUCKET; joint++) {
        const double *range = params.joint[joint].range;
        for (int i = 0; i <= 100; i++) {
            double angle = range[0] + (range[1] - range[0]) * i / 100, length, arm;
            assert_true(cylinder_length(&params.joint[joint], angle, &length, &arm));
            double difference = length_at(&params, joint, angle + h) - length_at(&params, joint, angle - h);
            assert_near(arm, difference / (2.0 * h), 1e-7);
        }
    }
}

TEST(the_linkage_keeps_its_lengths_and_its_side)
{
    MachineParams params = shipped_params();
    const MachineLinkage *linkage = &params.joint[EXCAVATOR_JOINT_BUCKET].linkage;
    for (int i = 0; i <= 100; i++) {
        double angle =
            params.joint[EXCAVATOR_JOINT_BUCKET].range[0] +
            (params.joint[EXCAVATOR_JOINT_BUCKET].range[1] - params.joint[EXCAVATOR_JOINT_BUCKET].range[0]) * i / 100;
        PlanePoint c, b;
        assert_true(linkage_pins(&params.joint[EXCAVATOR_JOINT_BUCKET], angle, &c, &b));
        double rocker_x = c.x - linkage->rocker_pivot.x, rocker_z = c.z - linkage->rocker_pivot.z;
        double link_x = b.x - linkage->rocker_pivot.x, link_z = b.z - linkage->rocker_pivot.z;
        assert_near(hypot(rocker_x, rocker_z), linkage->rocker_length, 1e-12);
        assert_near(hypot(c.x - b.x, c.z - b.z), linkage->link_length, 1e-12);
        assert_near(hypot(b.x - excavator_stick_length(&params), b.z), hypot(linkage->link_pin.x, linkage->link_pin.z),
                    1e-12);
        assert_true(link_x * rocker_z - link_z * rocker_x > 0.0); // never flips through
        double length = length_at(&params, EXCAVATOR_JOINT_BUCKET, angle);
        assert_near(length,
                    hypot(c.x - params.joint[EXCAVATOR_JOINT_BUCKET].cylinder.base.x,
                          c.z - params.joint[EXCAVATOR_JOINT_BUCKET].cylinder.base.z),
                    1e-12);
    }
}

TEST(a_linkage_too_short_does_not_close)
{
    MachineParams params = shipped_params();
    params.joint[EXCAVATOR_JOINT_BUCKET].linkage.link_length = 0.1;
    params.joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_length = 0.1;
    double length, arm;
    assert_false(cylinder_length(&params.joint[EXCAVATOR_JOINT_BUCKET], -1.0, &length, &arm));
    assert_false(cylinder_length(&params.joint[EXCAVATOR_JOINT_SWING], 0.0, &length, &arm));
}

TEST(the_tip_of_simple_poses)
{
    MachineParams params = shipped_params();
    ArmTip tip;
    excavator_tip(&params, &(ArmAngles){0.0, 0.0, 0.0}, &tip);
    assert_near(tip.x,
                excavator_boom_foot(&params).x + excavator_boom_length(&params) + excavator_stick_length(&params) +
                    excavator_tip_radius(&params),
                1e-12);
    assert_near(tip.z, excavator_boom_foot(&params).z, 1e-12);
    excavator_tip(&params, &(ArmAngles){0.0, -0.5 * M_PI, 0.0}, &tip); // stick hangs
    assert_near(tip.x, excavator_boom_foot(&params).x + excavator_boom_length(&params), 1e-12);
    assert_near(tip.z, excavator_boom_foot(&params).z - excavator_stick_length(&params) - excavator_tip_radius(&params),
                1e-12);
    assert_near(tip.elevation, -0.5 * M_PI, 1e-12);
}

TEST(solving_finds_the_angles_of_every_pose)
{
    MachineParams params = shipped_params();
    for (int i = 0; i < 9 * 9 * 9; i++) {
        double share[3] = {(i % 9) / 8.0, (i / 9 % 9) / 8.0, (i / 81) / 8.0};
        ArmAngles angles, found;
        angles.boom =
            params.joint[EXCAVATOR_JOINT_BOOM].range[0] +
            share[0] * (params.joint[EXCAVATOR_JOINT_BOOM].range[1] - params.joint[EXCAVATOR_JOINT_BOOM].range[0]);
        angles.stick =
            params.joint[EXCAVATOR_JOINT_STICK].range[0] +
            share[1] * (params.joint[EXCAVATOR_JOINT_STICK].range[1] - params.joint[EXCAVATOR_JOINT_STICK].range[0]);
        angles.bucket =
            params.joint[EXCAVATOR_JOINT_BUCKET].range[0] +
            share[2] * (params.joint[EXCAVATOR_JOINT_BUCKET].range[1] - params.joint[EXCAVATOR_JOINT_BUCKET].range[0]);
        ArmTip tip;
        excavator_tip(&params, &angles, &tip);
        assert_true(excavator_reach(&params, &tip, &found));
        assert_near(found.boom, angles.boom, 1e-9);
        assert_near(found.stick, angles.stick, 1e-9);
        assert_near(found.bucket, angles.bucket, 1e-9);
    }
}

TEST(out_of_reach_gives_the_nearest_the_ranges_allow)
{
    MachineParams params = shipped_params();
    ArmAngles angles;
    ArmTip far = {.x = 30.0, .z = 1.0, .elevation = 0.0};
    assert_false(excavator_reach(&params, &far, &angles));
    assert_near(angles.stick, params.joint[EXCAVATOR_JOINT_STICK].range[1], 1e-12); // stretched towards it
    ArmTip reached;
    excavator_tip(&params, &angles, &reached);
    assert_true(reached.x > 9.0);

    ArmTip curled = {.x = 6.0, .z = 0.0, .elevation = 0.0}; // bucket turned the wrong way
    assert_false(excavator_reach(&params, &curled, &angles));
    assert_near(angles.bucket, params.joint[EXCAVATOR_JOINT_BUCKET].range[1], 1e-12);
    ArmTip inside = {.x = 0.3, .z = 0.9, .elevation = -1.5}; // in the cab
    assert_false(excavator_reach(&params, &inside, &angles));
}

// Published for the class: dig depth 6.7, ground reach 9.85, cut height 9.4, load height 6.5, least load height 2.2 m;
// the reach table is to be met within 2 %.
TEST(the_reach_table_of_the_class)
{
    MachineParams params = shipped_params();
    double depth = 0.0, reach = 0.0, cut = 0.0, load = 0.0, least_load = 99.0;
    for (int i = 0; i <= 60 * 61 * 61; i++) {
        int a = i % 61, b = i / 61 % 61, c = i / (61 * 61);
        ArmAngles angles = {
            params.joint[EXCAVATOR_JOINT_BOOM].range[0] +
                (params.joint[EXCAVATOR_JOINT_BOOM].range[1] - params.joint[EXCAVATOR_JOINT_BOOM].range[0]) * a / 60.0,
            params.joint[EXCAVATOR_JOINT_STICK].range[0] +
                (params.joint[EXCAVATOR_JOINT_STICK].range[1] - params.joint[EXCAVATOR_JOINT_STICK].range[0]) * b /
                    60.0,
            params.joint[EXCAVATOR_JOINT_BUCKET].range[0] +
                (params.joint[EXCAVATOR_JOINT_BUCKET].range[1] - params.joint[EXCAVATOR_JOINT_BUCKET].range[0]) * c /
                    60.0};
        ArmTip tip;
        excavator_tip(&params, &angles, &tip);
        double z = tip.z + excavator_swing_height(&params);
        depth = fmax(depth, -z);
        cut = fmax(cut, z);
        reach = fabs(z) < 0.1 ? fmax(reach, tip.x) : reach;
        if (fabs(tip.elevation + 0.5 * M_PI) < 0.05) { // dumping: the tip hangs below the pin
            load = fmax(load, z);
            least_load = a == 60 ? fmin(least_load, z) : least_load;
        }
    }
    assert_near(depth, 6.7, 0.02 * 6.7);
    assert_near(reach, 9.85, 0.02 * 9.85);
    assert_near(cut, 9.4, 0.02 * 9.4);
    assert_near(load, 6.5, 0.02 * 6.5);
    assert_near(least_load, 2.2, 0.02 * 2.2);
}

// Published for the class (ISO 6015): bucket 140.5 kN, stick 106.7 kN at the lip, the bucket where its force is
// greatest.
TEST(the_digging_forces_of_the_class)
{
    MachineParams params = shipped_params();
    double most[MACHINE_MAX_JOINTS] = {0.0}, at[MACHINE_MAX_JOINTS] = {0.0};
    for (int joint = EXCAVATOR_JOINT_STICK; joint <= EXCAVATOR_JOINT_BUCKET; joint++) {
        const double *range = params.joint[joint].range;
        for (int i = 0; i <= 400; i++) {
            double angle = range[0] + (range[1] - range[0]) * i / 400, length, arm;
            cylinder_length(&params.joint[joint], angle, &length, &arm);
            if (fabs(arm) > most[joint]) {
                most[joint] = fabs(arm);
                at[joint] = angle;
            }
        }
    }
    const MachineCylinder *bucket = &params.joint[EXCAVATOR_JOINT_BUCKET].cylinder,
                          *stick = &params.joint[EXCAVATOR_JOINT_STICK].cylinder;
    double bucket_force =
        bucket->relief * M_PI / 4.0 * bucket->bore * bucket->bore * most[3] / excavator_tip_radius(&params);
    double s = excavator_stick_length(&params), r = excavator_tip_radius(&params);
    double radius = sqrt(s * s + r * r + 2.0 * s * r * cos(at[EXCAVATOR_JOINT_BUCKET]));
    double stick_force = stick->relief * M_PI / 4.0 * stick->bore * stick->bore * most[2] / radius;
    assert_near(bucket_force, 140.5e3, 0.05 * 140.5e3);
    assert_near(stick_force, 106.7e3, 0.05 * 106.7e3);
}

TEST_GROUP(NULL, NULL)
