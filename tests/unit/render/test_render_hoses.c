/// Hoses over the range of their joints: they keep their lengths, stay on their fittings and outside of the steel.

#include "data/schema/load.h"
#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"
#include "tests/support/render_scene.h"

static const char *const excavators[] = {"excavator-22t", "excavator-8t"};

/// Frames of all bodies with every joint at the same share of its range, 0..1.
static void pose_at(const MachineParams *m, double share, Pose body[MACHINE_MAX_BODIES])
{
    body[MACHINE_BASE] = (Pose){vec3(0.0, 0.0, 0.0), mat3_identity()};
    for (int k = 0; k < m->joint_count; k++) {
        const MachineJointParams *joint = &m->joint[k];
        double angle =
            joint->axis == MACHINE_PITCH ? joint->range[0] + share * (joint->range[1] - joint->range[0]) : 0.0;
        body[joint->child] = stage_link(&body[joint->parent], vec3(joint->origin.x, 0.0, joint->origin.z), angle);
    }
}

/// World: where the rod's end of a cylinder is.
static Vec3 rod_end(const MachineParams *m, const HoseEnd *end, const Pose *body)
{
    const MachineJointParams *joint = &m->joint[end->joint];
    double y = (0.5 * (joint->cylinder.count - 1) - end->cylinder) * joint->cylinder.spacing;
    if (joint->linkage.rocker_length <= 0.0) {
        return stage_pin(&body[joint->child], joint->cylinder.head, y);
    }
    Vec3 link = pose_apply_inverse(&body[joint->parent], stage_pin(&body[joint->child], joint->linkage.link_pin, 0.0));
    PlanePoint joined = stage_meet(joint->linkage.rocker_pivot, joint->linkage.rocker_length,
                                   (PlanePoint){link.x, link.z}, joint->linkage.link_length);
    return stage_pin(&body[joint->parent], joined, y);
}

static Pose end_frame(const MachineParams *m, const HoseEnd *end, const Pose *body)
{
    const Pose *carrier = &body[end->body];
    if (end->joint < 0) {
        return *carrier;
    }
    Vec3 pin = pose_apply(carrier, hose_cylinder_pin(m, end)), y = vec3(0.0, 1.0, 0.0);
    Vec3 x = vec3_unit(vec3_sub(rod_end(m, end, body), pin), y), z = vec3_cross(x, y);
    return (Pose){pin, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

static double length_of(const Vec3 *points, int count)
{
    double length = 0.0;
    for (int k = 1; k < count; k++) {
        length += vec3_length(vec3_sub(points[k], points[k - 1]));
    }
    return length;
}

TEST(hoses_keep_their_lengths_on_their_fittings)
{
    const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t", NULL};
    for (int m = 0; m < 4; m++) {
        Status status;
        MachineParams machine;
        Hose hoses[HOSES_MAX];
        Pose body[MACHINE_MAX_BODIES];
        Vec3 points[HOSE_MAX_POINTS];
        if (machines[m] != NULL) {
            assert_good(data_load_machine(machines[m], &machine, NULL, &status), status);
        } else { // with a hammer, which has two more
            SceneParams scene;
            assert_good(data_load_scene("break-rocks", NULL, 0, &scene, &machine, NULL, &status), status);
        }
        int count = machine_hoses(&machine, hoses);
        assert_int_equal(count == HOSES_MAX, machines[m] == NULL);
        assert_true(count >= 4 && count <= HOSES_MAX);
        for (int step = 0; step <= 20; step++) {
            pose_at(&machine, step / 20.0, body);
            for (int k = 0; k < count; k++) {
                Pose frames[2];
                for (int end = 0; end < 2; end++) {
                    frames[end] = end_frame(&machine, &hoses[k].end[end], body);
                }
                for (int finer = 0; finer < 2; finer++) { // at both qualities
                    int number = finer ? HOSE_MAX_POINTS : 8;
                    hose_curve(&hoses[k], frames, number, points);
                    assert_near(length_of(points, number) / hoses[k].length, 1.0, 0.02);
                    for (int end = 0; end < 2; end++) {
                        Vec3 fitting = pose_apply(&frames[end], hoses[k].end[end].at);
                        assert_near(vec3_length(vec3_sub(points[end * (number - 1)], fitting)), 0.0, 1e-9);
                    }
                }
            }
        }
    }
}

static bool in_boom(const MachineParams *m, Vec3 p)
{
    double share = p.x / excavator_boom_length(m);
    return share > 0.0 && share < 1.0 && fabs(p.y) < excavator_boom_half_width(m) &&
           fabs(p.z - excavator_boom_line(m, share)) < excavator_boom_half(m, share);
}

/// The stick as it touches things is a little larger than it is drawn.
static bool in_stick(const MachineParams *m, Vec3 p)
{
    return fabs(p.y) < excavator_stick_half_width(m) && p.x > -0.2 && p.x < excavator_stick_length(m) &&
           fabs(p.z) < 0.2;
}

TEST(hoses_stay_outside_of_boom_and_stick)
{
    for (int m = 0; m < 2; m++) {
        Status status;
        MachineParams machine;
        Hose hoses[HOSES_MAX];
        Pose body[MACHINE_MAX_BODIES];
        Vec3 points[HOSE_MAX_POINTS];
        assert_good(data_load_machine(excavators[m], &machine, NULL, &status), status);
        int count = machine_hoses(&machine, hoses);
        pose_at(&machine, 0.5, body);
        for (int k = 0; k < count; k++) {
            const Pose frames[2] = {end_frame(&machine, &hoses[k].end[0], body),
                                    end_frame(&machine, &hoses[k].end[1], body)};
            hose_curve(&hoses[k], frames, HOSE_MAX_POINTS, points);
            for (int i = 0; i < HOSE_MAX_POINTS; i++) {
                assert_false(in_boom(&machine, pose_apply_inverse(&body[EXCAVATOR_BOOM], points[i])));
                assert_false(in_stick(&machine, pose_apply_inverse(&body[EXCAVATOR_STICK], points[i])));
            }
        }
    }
}

/// The stick's cylinder stands on the boom's back, and its rod never comes out of it altogether.
TEST(the_stick_cylinder_is_long_enough)
{
    for (int m = 0; m < 2; m++) {
        Status status;
        MachineParams machine;
        Pose body[MACHINE_MAX_BODIES];
        assert_good(data_load_machine(excavators[m], &machine, NULL, &status), status);
        const MachineCylinder *cylinder = &machine.joint[EXCAVATOR_JOINT_STICK].cylinder;
        PlanePoint foot = excavator_stick_cylinder_foot(&machine);
        assert_false(in_boom(&machine, vec3(foot.x, 0.0, foot.z)));
        double barrel = cylinder->closed - 0.12 + excavator_stick_cylinder_longer(&machine);
        for (int step = 0; step <= 20; step++) {
            pose_at(&machine, step / 20.0, body);
            double length = vec3_length(vec3_sub(stage_pin(&body[EXCAVATOR_STICK], cylinder->head, 0.0),
                                                 stage_pin(&body[EXCAVATOR_BOOM], foot, 0.0)));
            assert_true(length > barrel + 0.05 && length < 1.9 * barrel);
        }
    }
}

TEST_GROUP(NULL, NULL)
