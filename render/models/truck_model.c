#include "render/models/truck_model.h"

#include <math.h>
#include <string.h>

#include "render/scene/camera.h"
#include "render/models/paint.h"
#include "render/models/truck_mesh.h"

void truck_model_destroy(TruckModel *model)
{
    GlMesh *const meshes[] = {&model->chassis, &model->glass,  &model->bed, &model->gate,
                              &model->wheel,   &model->barrel, &model->rod};
    for (size_t k = 0; k < sizeof meshes / sizeof meshes[0]; k++) {
        gl_mesh_destroy(meshes[k]);
    }
    model->made = false;
}

static void make(GlMesh *made, void (*build)(const TruckParams *, Mesh *), const TruckParams *shape)
{
    Mesh mesh = {0};
    build(shape, &mesh);
    gl_mesh_create(made, &mesh);
    mesh_free(&mesh);
}

/// A bar of length and radius 1 along x.
static void make_bar(GlMesh *made, const MeshMaterial *material)
{
    const double a[3] = {0.0, 0.0, 0.0}, b[3] = {1.0, 0.0, 0.0};
    Mesh mesh = {0};
    mesh_cylinder(&mesh, a, b, 1.0, 0.0, 24, material);
    gl_mesh_create(made, &mesh);
    mesh_free(&mesh);
}

void truck_model_follow(TruckModel *model, const SceneParams *scene)
{
    bool wanted = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    TruckParams shape;
    memset(&shape, 0, sizeof shape);
    if (wanted) {
        shape = truck_shape(scene);
    }
    if (model->made == wanted && (!wanted || memcmp(&model->shape, &shape, sizeof shape) == 0)) {
        return;
    }
    truck_model_destroy(model);
    if (!wanted) {
        return;
    }
    make(&model->chassis, truck_mesh_chassis, &shape);
    make(&model->glass, truck_mesh_glass, &shape);
    make(&model->bed, truck_mesh_bed, &shape);
    make(&model->gate, truck_mesh_gate, &shape);
    make(&model->wheel, truck_mesh_wheel, &shape);
    make_bar(&model->barrel, &paint_dark);
    make_bar(&model->rod, &paint_chrome);
    memcpy(&model->shape, &shape, sizeof shape);
    model->made = true;
}

int truck_model_places(const RenderView *view, RenderTruck trucks[RENDER_MAX_TRUCKS])
{
    int count = view->truck_count < RENDER_MAX_TRUCKS ? view->truck_count : RENDER_MAX_TRUCKS;
    memcpy(trucks, view->trucks, (size_t)count * sizeof trucks[0]);
    if (count == 0 && view->scene->exercise.kind == EXERCISE_TRUCK_LOADING) {
        const SceneTruck *t = &view->scene->exercise.truck;
        trucks[0] = (RenderTruck){.chassis = {vec3(t->x, t->y, 0.0), mat3_yaw(t->heading)},
                                  .bed = {vec3(t->x, t->y, t->floor_height), mat3_yaw(t->heading)}};
        count = 1;
    }
    return count;
}

/// Turn about y, + nose down.
static Mat3 pitch(double angle)
{
    double c = cos(angle), s = sin(angle);
    return (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

static void draw(const struct SolidProgram *program, const GlMesh *mesh, const Pose *pose)
{
    mat4 matrix;
    camera_pose_matrix(pose, matrix);
    glUniformMatrix4fv(program->model, 1, GL_FALSE, matrix[0]);
    gl_mesh_draw(mesh);
}

static void draw_wheels(const TruckModel *model, const struct SolidProgram *program, const RenderTruck *truck)
{
    TruckWheel wheels[TRUCK_MAX_WHEELS];
    int count = truck_wheels(&model->shape, wheels);
    double radius = 0.5 * model->shape.wheel_diameter;
    for (int k = 0; k < count; k++) {
        const TruckWheel *wheel = &wheels[k];
        // A right wheel is a left one turned round, which then rolls the other way.
        double turned = wheel->left ? 0.0 : M_PI, roll = truck->rolled / radius;
        Mat3 steer = mat3_yaw(turned + (wheel->steers ? truck->steering : 0.0)),
             spin = pitch(wheel->left ? roll : -roll);
        Mat3 local = mat3_product(&steer, &spin);
        Pose pose = {pose_apply(&truck->chassis, wheel->at), mat3_product(&truck->chassis.rotation, &local)};
        draw(program, &model->wheel, &pose);
    }
}

/// A bar from a to b.
static void draw_bar(const struct SolidProgram *program, const GlMesh *mesh, Vec3 a, Vec3 b, Vec3 side, double radius)
{
    Vec3 span = vec3_sub(b, a), axis = vec3_unit(span, vec3(0, 0, 1)), up = vec3_cross(axis, side);
    double length = vec3_length(span);
    Pose pose = {a,
                 {{{axis.x * length, side.x * radius, up.x * radius},
                   {axis.y * length, side.y * radius, up.y * radius},
                   {axis.z * length, side.z * radius, up.z * radius}}}};
    draw(program, mesh, &pose);
}

/// The cylinder under the bed that tips it.
static void draw_hoist(const TruckModel *model, const struct SolidProgram *program, const RenderTruck *truck)
{
    const TruckBed *bed = &model->shape.bed;
    Vec3 foot = pose_apply(&truck->chassis, vec3(0.02 * bed->length, 0.0, 0.5 * bed->floor_height));
    Vec3 head = pose_apply(&truck->bed, vec3(0.26 * bed->length, 0.0, -0.14));
    const Mat3 *turn = &truck->chassis.rotation;
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]), span = vec3_sub(head, foot);
    double barrel = fmin(1.3, 0.8 * vec3_length(span));
    Vec3 end = vec3_madd(foot, barrel, vec3_unit(span, vec3(0, 0, 1)));
    draw_bar(program, &model->barrel, foot, end, side, 0.13);
    draw_bar(program, &model->rod, end, head, side, 0.09);
}

/// The tail hangs from its hinges: its own weight opens it as the bed tips.
static void draw_gate(const TruckModel *model, const struct SolidProgram *program, const RenderTruck *truck)
{
    const TruckBed *bed = &model->shape.bed;
    Vec3 hinge = pose_apply(&truck->bed, vec3(-0.5 * bed->length, 0.0, bed->tail_height));
    Pose pose = {hinge, truck->chassis.rotation};
    draw(program, &model->gate, &pose);
}

void truck_model_draw(const TruckModel *model, const SolidShared *shared, const RenderView *view, const float dust[4],
                      bool depth)
{
    if (!model->made) {
        return;
    }
    const struct SolidProgram *program = depth ? &shared->plain_depth : &shared->plain;
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int count = truck_model_places(view, trucks);
    glUseProgram(program->program);
    glUniform4fv(program->dust_color, 1, dust);
    for (int k = 0; k < count; k++) {
        draw(program, &model->chassis, &trucks[k].chassis);
        draw(program, &model->bed, &trucks[k].bed);
        draw_gate(model, program, &trucks[k]);
        draw_hoist(model, program, &trucks[k]);
        draw_wheels(model, program, &trucks[k]);
        if (!depth) {
            draw(program, &model->glass, &trucks[k].chassis);
        }
    }
}
