/// Models of machines: moments of inertia as ODE gets them, limits of joints as the drives have them, and what becomes
/// of a model that cannot be drawn. tests/e2e/models.sh checks the files.
#include <ode/ode.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/schema/schema.h"
#include "machine/cylinder.h"
#include "machine/machine.h"
#include "tests/support/test.h"
#include "trainer/report/model_internal.h"

static const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t"};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static bool draw_triangle(void *context, const MachineParams *params, const ModelPart *part, ModelMesh *mesh)
{
    (void)params;
    (void)part;
    const int *good = context;
    if (!*good) {
        return false;
    }
    ModelVertex *vertices = calloc(3, sizeof *vertices);
    uint32_t *indices = calloc(3, sizeof *indices);
    for (int k = 0; k < 3 && vertices != NULL && indices != NULL; k++) {
        vertices[k].position[k] = 1.0f; // its normal, 0, is no unit vector
        indices[k] = (uint32_t)k;
    }
    assert_true(vertices != NULL && indices != NULL);
    *mesh = (ModelMesh){vertices, indices, 3, 3};
    return true;
}

static Model *make(const char *machine, const char *attachment)
{
    int good = 1;
    Status status;
    const ModelRequest request = {.machine = machine, .attachment = attachment, .painter = {&good, draw_triangle}};
    Model *model = model_create(&request, &status);
    assert_non_null(model);
    return model;
}

TEST(moments_of_inertia_are_those_that_ode_gets)
{
    for (int k = 0; k < MACHINES; k++) {
        Model *model = make(machines[k], NULL);
        for (int body = 0; body < model->params.body_count; body++) {
            const MachineBodyParams *params = &model->params.body[body];
            const double *side = params->inertia_size;
            dMass mass;
            dMassSetBoxTotal(&mass, params->mass, side[0], side[1], side[2]);
            Vec3 inertia = model_inertia(params);
            assert_near(inertia.x, mass.I[0], 1e-9 * mass.I[0]);
            assert_near(inertia.y, mass.I[5], 1e-9 * mass.I[5]);
            assert_near(inertia.z, mass.I[10], 1e-9 * mass.I[10]);
        }
        model_destroy(model);
    }
}

/// The 22-t machine's stick cylinder: 140 mm bore, 35 MPa; its greatest lever arm is found by looking at lengths.
TEST(torque_of_a_joint_is_relief_pressure_by_area_by_the_longest_lever_arm)
{
    Model *model = make("excavator-22t", NULL);
    const MachineJointParams *stick = &model->params.joint[EXCAVATOR_JOINT_STICK];
    const MachineHinge *hinge = &model->hinge[EXCAVATOR_JOINT_STICK];
    double longest = 0.0, before = 0.0, step = 1e-3, arm;
    for (double angle = stick->range[0]; angle < stick->range[1]; angle += step) {
        double length;
        assert_true(cylinder_length(stick, angle, &length, &arm));
        longest = before > 0.0 ? fmax(longest, fabs(length - before) / step) : longest;
        before = length;
    }
    double torque = 35e6 * 0.25 * 3.14159265 * 0.140 * 0.140 * longest;
    assert_near(hinge->torque, torque, 1e-3 * torque);
    // All of the flow, two pumps of 214.5 l/min, into the ring round the rod of 100 mm, at the shortest lever arm.
    assert_true(hinge->speed > 2.0 * 0.2145 / 60.0 / (0.25 * 3.14159265 * (0.0196 - 0.01)) / longest);
    assert_false(hinge->endless);
    const MachineHinge *swing = &model->hinge[EXCAVATOR_JOINT_SWING];
    assert_true(swing->endless);
    assert_near(swing->torque, 74e3, 1e-6);
    assert_near(swing->axis.z, -1.0, 0.0); // to the right
    model_destroy(model);
}

TEST(a_normal_without_length_becomes_that_of_its_triangle)
{
    Model *model = make("dozer-20t", NULL);
    int drawn = 0;
    for (int k = 0; k < model->node_count; k++) {
        for (int n = 0; n < model->node[k].group_count; n++, drawn++) {
            const float *normal = model->node[k].group[n].vertices[0].normal;
            for (int axis = 0; axis < 3; axis++) {
                assert_near((double)normal[axis], sqrt(1.0 / 3.0), 1e-6);
            }
        }
    }
    assert_true(drawn > 10);
    model_destroy(model);
}

TEST(an_attachment_brings_its_own_body_and_name)
{
    Model *model = make("excavator-22t", "hammer-1700");
    assert_string_equal(model->name, "excavator-22t-hammer-1700");
    assert_near(model->params.body[EXCAVATOR_BUCKET].mass, 1700.0, 0.0);
    model_destroy(model);
}

TEST(a_model_that_cannot_be_drawn_leaves_nothing)
{
    int good = 0;
    Status status;
    ModelSummary summary;
    struct stat info;
    char folder[] = "/tmp/spadework-model-XXXXXX", path[64], file[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/urdf", folder);
    snprintf(file, sizeof file, "%s/model.glb", folder);
    ModelRequest request = {.machine = "dozer-20t", .urdf = path, .gltf = file, .painter = {&good, draw_triangle}};
    assert_false(model_export(&request, &summary, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    request.package = "";
    assert_false(model_export(&request, &summary, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_true(stat(path, &info) != 0 && stat(file, &info) != 0);
    assert_int_equal(rmdir(folder), 0);
}

TEST_GROUP(NULL, NULL)
