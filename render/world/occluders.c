/// Bodies over the ground as rectangles with soft rims. A tool's is so strong and so sharp as it is near: of the two
/// signs by which its height is seen, the shadow of the sun and the dark under it, this one needs no sun.
#include "render/world/occluders.h"

#include <math.h>
#include <string.h>

#include "render/camera/places.h"
#include "render/models/truck_model.h"

#define UNDER_TRACKS 0.62f ///< strength
#define UNDER_TOOL   0.60 ///< strength, where it touches the ground
#define TOOL_REACH   1.3 ///< m: from this height on a tool takes no light
#define BODY_TOP     0.8 ///< m over a body's frame

static void set_occluder(OccluderUniforms *occluders, int index, Vec3 at, double heading, double half_length,
                         double half_width, float strength, double softness)
{
    const float place[4] = {(float)at.x, (float)at.y, (float)cos(heading), (float)sin(heading)};
    const float size[4] = {(float)half_length, (float)half_width, strength, (float)softness};
    memcpy(occluders->place[index], place, sizeof place);
    memcpy(occluders->size[index], size, sizeof size);
    occluders->top[index] = (float)at.z;
}

static double heading_of(const Pose *pose)
{
    return atan2(pose->rotation.m[1][0], pose->rotation.m[0][0]);
}

/// The box about a tool in the plane in which its arm moves: m ahead of its body's place, and m over it.
static void find_extent(const ToolShape *shape, const Pose *body, double heading, double ahead[2], double *lowest)
{
    const Vec3 along = vec3(cos(heading), sin(heading), 0.0);
    ahead[0] = *lowest = 1e9;
    ahead[1] = -1e9;
    for (int k = 0; k < shape->piece_count; k++) {
        for (int c = 0; c < shape->pieces[k].corner_count; c++) {
            const double *corner = shape->pieces[k].corners[c];
            Vec3 p = mat3_mul(&body->rotation, vec3(corner[0], 0.0, corner[1]));
            double u = vec3_dot(p, along);
            ahead[0] = fmin(ahead[0], u);
            ahead[1] = fmax(ahead[1], u);
            *lowest = fmin(*lowest, p.z);
        }
    }
}

static void add_tool(const RenderView *view, OccluderUniforms *occluders)
{
    const MachineToolParams *tool = &view->machine->tool[0];
    const Pose *body = &view->body[tool->body], *cab = &view->body[view->machine->cab_body];
    double heading = heading_of(cab), ahead[2], lowest;
    if (tool->shape.piece_count == 0) {
        return;
    }
    find_extent(&tool->shape, body, heading, ahead, &lowest);
    double middle = 0.5 * (ahead[0] + ahead[1]);
    Vec3 at = vec3_madd(body->position, middle, vec3(cos(heading), sin(heading), 0.0));
    at.z = body->position.z + lowest;
    double gap = fmax(at.z - camera_ground_height(view, at.x, at.y), 0.0), near = fmax(1.0 - gap / TOOL_REACH, 0.0);
    at.z += 0.15; // what is in the tool is not under it
    set_occluder(occluders, OCCLUDERS_TOOL, at, heading, 0.42 * (ahead[1] - ahead[0]), 0.42 * tool->shape.edge_width,
                 (float)(UNDER_TOOL * near * near), 0.25 + 0.7 * gap);
}

void occluders_compute(const RenderView *view, OccluderUniforms *occluders)
{
    memset(occluders, 0, sizeof *occluders);
    for (int k = 0; k < OCCLUDERS_MAX; k++) {
        occluders->size[k][3] = 1.0f;
    }
    if (view->machine != NULL) {
        const Pose *base = &view->body[MACHINE_BASE];
        set_occluder(occluders, 0, vec3_add(base->position, vec3(0.0, 0.0, BODY_TOP)), heading_of(base),
                     0.5 * view->machine->tracks.length - 0.45, 0.5 * view->machine->tracks.gauge - 0.1, UNDER_TRACKS,
                     1.1);
        add_tool(view, occluders);
    }
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int count = truck_model_places(view, trucks);
    for (int k = 0; k < count; k++) {
        const SceneTruck *truck = &view->scene->exercise.truck;
        const Pose *chassis = &trucks[k].chassis;
        set_occluder(occluders, 1 + k, pose_apply(chassis, vec3(1.0, 0.0, BODY_TOP)), heading_of(chassis),
                     0.5 * truck->bed_length + 0.8, 0.5 * truck->bed_width - 0.4, UNDER_TRACKS, 1.1);
    }
}
