/// Draws trucks: chassis and bed at their poses, wheels that roll and steer, the tail that hangs, and the cylinder that
/// tips the bed. All trucks of a scene are alike, so one set of meshes serves them.
#include "render/models/truck_model.h"

#include <math.h>
#include <string.h>

#include "data/schema/scene_site.h"
#include "render/meshes/fittings.h"
#include "render/meshes/truck_mesh.h"

#define FIRST_NUMBER 21 ///< of a scene's trucks

void truck_model_destroy(TruckModel *model)
{
    solid_meshes_destroy(model->part, TRUCK_PART_COUNT);
    memset(model, 0, sizeof(*model));
}

static void build_part(const TruckParams *truck, int part, Mesh *mesh)
{
    switch (part) {
    case TRUCK_PART_CHASSIS:
        truck_mesh_chassis(truck, mesh);
        break;
    case TRUCK_PART_GLASS:
        truck_mesh_glass(truck, mesh);
        break;
    case TRUCK_PART_BED:
        truck_mesh_bed(truck, mesh);
        break;
    case TRUCK_PART_GATE:
        truck_mesh_gate(truck, mesh);
        break;
    case TRUCK_PART_WHEEL:
        truck_mesh_wheel(truck, mesh);
        break;
    case TRUCK_PART_BARREL:
    case TRUCK_PART_ROD:
        mesh_cylinder(mesh, (double[]){0.0, 0.0, 0.0}, (double[]){1.0, 0.0, 0.0}, 1.0, 0.0, 24,
                      part == TRUCK_PART_ROD ? &paint_chrome : &paint_dark);
        break;
    case TRUCK_PART_LENS:
    case TRUCK_PART_LENS_LIT:
        fitting_mesh_lens(part == TRUCK_PART_LENS_LIT, mesh);
        break;
    default:
        truck_mesh_number(truck, FIRST_NUMBER + part - TRUCK_PART_NUMBER, mesh);
        break;
    }
}

void truck_model_follow(TruckModel *model, const SceneParams *scene)
{
    bool wanted = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    TruckParams shape;
    memset(&shape, 0, sizeof(shape)); // compared as bytes
    if (wanted) {
        shape = scene_truck_shape(scene);
    }
    if (model->made == wanted && (!wanted || memcmp(&model->shape, &shape, sizeof(shape)) == 0)) {
        return;
    }
    truck_model_destroy(model);
    for (int k = 0; k < TRUCK_PART_COUNT && wanted; k++) {
        Mesh mesh = {0};
        build_part(&shape, k, &mesh);
        solid_mesh_create(&model->part[k], &mesh);
    }
    memcpy(&model->shape, &shape, sizeof(shape));
    model->made = wanted;
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

/// Returns the turn about y by `angle` rad, + nose down.
static Mat3 pitch(double angle)
{
    double c = cos(angle), s = sin(angle);
    return (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

static void draw_wheels(const TruckModel *model, const SolidProgram *program, const RenderTruck *truck)
{
    TruckWheel wheels[TRUCK_WHEELS];
    truck_wheels(&model->shape, wheels);
    double roll = truck->rolled / (0.5 * model->shape.wheel_diameter);
    for (int k = 0; k < TRUCK_WHEELS; k++) {
        const TruckWheel *wheel = &wheels[k];
        // A right wheel is a left one turned by half a turn, which rolls the other way.
        Mat3 steer = mat3_yaw((wheel->left ? 0.0 : M_PI) + (wheel->steers ? truck->steering : 0.0));
        Mat3 spin = pitch(wheel->left ? roll : -roll), local = mat3_product(&steer, &spin);
        double travel = truck->travel[(wheel->steers ? 2 : 0) + (wheel->left ? 0 : 1)];
        Vec3 at = vec3(wheel->at.x, wheel->at.y, wheel->at.z + travel);
        Pose pose = {pose_apply(&truck->chassis, at), mat3_product(&truck->chassis.rotation, &local)};
        solid_draw(program, &model->part[TRUCK_PART_WHEEL], &pose);
    }
}

/// Draws the cylinder under the bed that tips it.
static void draw_hoist(const TruckModel *model, const SolidProgram *program, const RenderTruck *truck)
{
    const TruckBed *bed = &model->shape.bed;
    Vec3 foot = pose_apply(&truck->chassis, vec3(0.02 * bed->length, 0.0, 0.5 * bed->floor_height));
    Vec3 head = pose_apply(&truck->bed, vec3(0.26 * bed->length, 0.0, -0.14));
    const Mat3 *turn = &truck->chassis.rotation;
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]), span = vec3_sub(head, foot);
    Vec3 axis = vec3_unit(span, vec3(0, 0, 1));
    double length = vec3_length(span), barrel = fmin(1.3, 0.8 * length);
    Vec3 end = vec3_madd(foot, barrel, axis);
    solid_draw_stretched(program, &model->part[TRUCK_PART_BARREL], foot, axis, side, vec3(barrel, 0.13, 0.13));
    solid_draw_stretched(program, &model->part[TRUCK_PART_ROD], end, axis, side, vec3(length - barrel, 0.09, 0.09));
}

/// Draws the lenses of the headlamps, which are twice as wide as those of working lamps.
static void draw_lenses(const TruckModel *model, const SolidProgram *program, const RenderTruck *truck, bool lit)
{
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    int count = truck_lamps(&model->shape, lamps);
    const Mat3 *turn = &truck->chassis.rotation;
    for (int k = 0; k < count; k++) {
        Pose local = fitting_frame(lamps[k].at, lamps[k].direction);
        Vec3 ahead = mat3_mul(turn, lamps[k].direction);
        Vec3 left = mat3_mul(turn, vec3(local.rotation.m[0][1], local.rotation.m[1][1], local.rotation.m[2][1]));
        solid_draw_stretched(program, &model->part[lit ? TRUCK_PART_LENS_LIT : TRUCK_PART_LENS],
                             pose_apply(&truck->chassis, lamps[k].at), ahead, left, vec3(1.0, 2.3, 1.7));
    }
}

void truck_model_draw(const TruckModel *model, const SolidPass *pass, const RenderView *view)
{
    if (!model->made) {
        return;
    }
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int count = truck_model_places(view, trucks);
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    const TruckBed *bed = &model->shape.bed;
    for (int k = 0; k < count; k++) {
        const RenderTruck *truck = &trucks[k];
        // The tail hangs from its hinges: its own weight opens it as the bed tips.
        Vec3 hinge = pose_apply(&truck->bed, vec3(-0.5 * bed->length, 0.0, bed->tail_height));
        Pose gate = {hinge, truck->chassis.rotation};
        solid_draw(program, &model->part[TRUCK_PART_CHASSIS], &truck->chassis);
        solid_draw(program, &model->part[TRUCK_PART_BED], &truck->bed);
        solid_draw(program, &model->part[TRUCK_PART_GATE], &gate);
        draw_hoist(model, program, truck);
        draw_wheels(model, program, truck);
        if (!pass->depth) {
            draw_lenses(model, program, truck, pass->lamps_lit);
            solid_draw(program, &model->part[TRUCK_PART_NUMBER + k], &truck->chassis);
            solid_draw(program, &model->part[TRUCK_PART_GLASS], &truck->chassis);
        }
    }
}
