/// Places the cameras. Orbit and tool views turn about what is worked on, chase follows the machine, and the cab's view
/// is the driver's, whose head turns part of the way to the tool. Plan and section are drawings: from straight above,
/// and square to the plane that the arm moves in. Distances and angles are chosen so that the place of work is free of
/// panels (orbit_looks_at_the_place_of_work in test_render_shapes) and the eye never below the ground.
#include "render/camera/places.h"

#include <math.h>

static const double default_yaw = -0.75; ///< rad against the undercarriage's heading: from the front right
static const double default_pitch = 0.30; ///< rad: the eye over the level
static const double default_distance = 16.0; ///< m: the whole machine with its arm stretched
/// m that the driver's eyes come ahead and down when he leans forward. Chosen: short of the windscreen.
#define LEAN_AHEAD      0.34
#define LEAN_DOWN       0.08
#define GAZE_OVER_BLADE (-0.29) ///< rad. Chosen: horizon, the blade's upper edge and its corners on the ground are seen
static const double least_clearance = 0.4; ///< m of the eye over the ground

#define FARTHEST 2600.0 ///< m: the far plane; beyond the last ring of ground

/// Height that the ground around the site is drawn with at most, `away` m from its edge of `edge` m (terrain.glsl).
static double apron_height(double edge, double away)
{
    double share = fmin(away / 14.0, 1.0);
    return fmax(edge, edge * (1.0 - share * share * (3.0 - 2.0 * share)));
}

double camera_ground_height(const RenderView *view, double x, double y)
{
    if (view->grid_count < 1 || view->grids[0].height == NULL) {
        return 0.0;
    }
    const RenderGrid *grid = &view->grids[0];
    double c = cos(grid->heading), s = sin(grid->heading);
    double dx = x - grid->x, dy = y - grid->y;
    double column = (c * dx + s * dy - grid->origin_x) / grid->spacing;
    double row = (-s * dx + c * dy - grid->origin_y) / grid->spacing;
    double away_x = fmax(-column, column - (grid->columns - 1)), away_y = fmax(-row, row - (grid->rows - 1));
    double away = fmax(fmax(away_x, away_y), 0.0) * grid->spacing;
    column = fmin(fmax(column, 0.0), grid->columns - 1.001);
    row = fmin(fmax(row, 0.0), grid->rows - 1.001);
    int i = (int)column, j = (int)row;
    double u = column - i, v = row - j;
    const float *h = grid->height + (size_t)j * (size_t)grid->columns + i;
    double near_row = (1.0 - u) * (double)h[0] + u * (double)h[1];
    double far_row = (1.0 - u) * (double)h[grid->columns] + u * (double)h[grid->columns + 1];
    return apron_height((1.0 - v) * near_row + v * far_row, away);
}

/// A camera with perspective, upright.
static CameraPlace look(Vec3 eye, Vec3 target, double field_of_view)
{
    return (CameraPlace){.eye = eye,
                         .target = target,
                         .up = vec3(0.0, 0.0, 1.0),
                         .field_of_view = field_of_view,
                         .near_plane = 0.25,
                         .far_plane = FARTHEST};
}

/// Unit vector of where a body looks, level.
static Vec3 forward_of(const Pose *pose)
{
    return vec3_unit(vec3(pose->rotation.m[0][0], pose->rotation.m[1][0], 0.0), vec3(1.0, 0.0, 0.0));
}

/// Frame of the body with the cab.
static const Pose *cab_frame(const RenderView *view)
{
    return &view->body[view->machine != NULL ? view->machine->cab_body : MACHINE_BASE];
}

/// Frame of the body with the tool.
static const Pose *tool_frame(const RenderView *view)
{
    return &view->body[view->machine != NULL ? view->machine->tool[0].body : MACHINE_BASE];
}

/// What the view turns about, and where it looks: the house; of a machine without one, above its tracks.
static Pose middle_of(const RenderView *view)
{
    Pose pose = *cab_frame(view);
    if (view->machine != NULL && view->machine->cab_body == MACHINE_BASE) {
        pose.position = pose_apply(&pose, vec3(0.0, 0.0, view->machine->tracks.height));
    }
    return pose;
}

static void keep_above_ground(const RenderView *view, Vec3 *eye)
{
    eye->z = fmax(eye->z, camera_ground_height(view, eye->x, eye->y) + least_clearance);
}

static CameraPlace place_orbit(const RenderView *view)
{
    const Pose house = middle_of(view);
    double yaw = view->orbit_yaw, pitch = view->orbit_pitch, distance = view->orbit_distance;
    Vec3 ahead = forward_of(&view->body[MACHINE_BASE]);
    if (!(distance > 0.0)) {
        yaw = atan2(ahead.y, ahead.x) + default_yaw;
        pitch = default_pitch;
        distance = default_distance;
    }
    // Ahead of the machine and low: the place of work stays clear of the panels at the lower edge.
    Vec3 target = vec3_add(vec3_madd(house.position, 1.6, ahead), vec3(0.0, 0.0, -1.1));
    Vec3 out = vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch));
    Vec3 eye = vec3_madd(target, distance, out);
    keep_above_ground(view, &eye);
    return look(eye, target, 0.76);
}

/// The middle of the tool.
static Vec3 tool_middle(const RenderView *view)
{
    double middle = view->machine != NULL ? view->machine->tool[0].middle : 0.0;
    return pose_apply(tool_frame(view), vec3(middle, 0.0, 0.0));
}

/// As orbit, about the bucket and at a third of the distance; the yaw counts from where the house looks.
static CameraPlace place_tool(const RenderView *view)
{
    const double nearer = 0.3, wanted = view->orbit_distance > 0.0 ? view->orbit_distance : default_distance;
    Vec3 ahead = forward_of(cab_frame(view));
    double yaw = atan2(ahead.y, ahead.x) + (view->orbit_distance > 0.0 ? view->orbit_yaw : default_yaw);
    double pitch = view->orbit_distance > 0.0 ? view->orbit_pitch : default_pitch;
    Vec3 target = tool_middle(view);
    Vec3 eye = vec3_madd(target, nearer * wanted, vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)));
    keep_above_ground(view, &eye);
    return look(eye, target, 0.76);
}

static CameraPlace place_chase(const RenderView *view)
{
    const Pose house = middle_of(view);
    Vec3 ahead = forward_of(&house);
    Vec3 left = vec3(-ahead.y, ahead.x, 0.0);
    Vec3 eye = vec3_madd(vec3_madd(house.position, -7.5, ahead), 4.6, left);
    eye.z += 5.4;
    keep_above_ground(view, &eye);
    Vec3 target = vec3_madd(house.position, 5.0, ahead);
    target.z -= 1.2;
    return look(eye, target, 0.86);
}

/// Of a machine without a house the driver looks over the blade at where he goes: the horizon stays in the picture, and
/// half of the machine's pitch is taken out by his neck.
static double gaze_over_blade(const Pose *base)
{
    double nose_up = asin(fmin(fmax(base->rotation.m[2][0], -1.0), 1.0));
    return GAZE_OVER_BLADE - 0.5 * nose_up;
}

/// The driver looks ahead, and with half his mind at the bucket: the head turns part of the way to it.
static CameraPlace place_cab(const RenderView *view)
{
    const Pose *house = cab_frame(view);
    Vec3 seat = vec3(0.6, 0.8, 1.6);
    if (view->machine != NULL) {
        seat = vec3(view->machine->cab.eye[0], view->machine->cab.eye[1], view->machine->cab.eye[2]);
    }
    seat = vec3_madd(seat, fmin(fmax(view->cab_lean, 0.0), 1.0), vec3(LEAN_AHEAD, 0.0, -LEAN_DOWN));
    Vec3 bucket = vec3_sub(pose_apply_inverse(house, tool_frame(view)->position), seat);
    double reach = fmax(hypot(bucket.x, bucket.y), 1.0);
    double down = fmin(fmax(0.62 * atan2(bucket.z, reach), -0.62), 0.05) - 0.04;
    double aside = fmin(fmax(0.55 * atan2(bucket.y, fmax(bucket.x, 0.5)), -0.35), 0.35);
    if (view->machine != NULL && view->machine->cab_body == MACHINE_BASE) {
        down = gaze_over_blade(house);
    }
    double yaw = aside + view->cab_yaw;
    double pitch = fmin(fmax(down + view->cab_pitch, -1.45), 1.45);
    Vec3 gaze = vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch));
    CameraPlace place = look(pose_apply(house, seat), pose_apply(house, vec3_add(seat, gaze)), 1.12);
    place.up = vec3(house->rotation.m[0][2], house->rotation.m[1][2], house->rotation.m[2][2]);
    place.near_plane = 0.08;
    return place;
}

RenderPlane render_arm_plane(const RenderView *view)
{
    Vec3 ahead = forward_of(cab_frame(view)), middle = tool_middle(view);
    // Of an arm the plane through the body that it is on; a blade's middle may be turned out of it.
    const Vec3 base = cab_frame(view)->position, right = vec3(ahead.y, -ahead.x, 0.0);
    middle = vec3_madd(middle, vec3_dot(vec3_sub(base, middle), right), right);
    return (RenderPlane){middle, ahead, right};
}

/// The joint that carries the tool's body; NULL where nothing does.
static const MachineJointParams *joint_of_tool(const MachineParams *machine)
{
    for (int k = 0; k < machine->joint_count; k++) {
        if (machine->joint[k].child == machine->tool[0].body) {
            return &machine->joint[k];
        }
    }
    return NULL;
}

/// Beside the boom's tip, so far to the left that the stick does not hide the bucket. Of a machine without an arm at
/// its roof's front edge.
static CameraPlace place_boom(const RenderView *view)
{
    RenderPlane plane = render_arm_plane(view);
    Vec3 eye = vec3_madd(middle_of(view).position, 2.0, vec3(0.0, 0.0, 1.0));
    const MachineJointParams *joint = view->machine != NULL ? joint_of_tool(view->machine) : NULL;
    if (joint != NULL && view->machine->cab_body != MACHINE_BASE) {
        eye = vec3_madd(view->body[joint->parent].position, -0.36 * joint->origin.x, plane.right);
    } else if (view->machine != NULL) {
        const MachineCab *cab = &view->machine->cab;
        eye =
            pose_apply(cab_frame(view), vec3(cab->corner[0] + cab->size[0], 0.0, cab->corner[2] + cab->size[2] + 0.15));
    }
    CameraPlace place = look(eye, tool_middle(view), 0.95);
    place.up = vec3_cross(plane.right, vec3_sub(place.target, eye)); // the arm's plane stays upright
    place.near_plane = 0.1;
    return place;
}

/// A tail's camera looks down so far that the ground at the counterweight is still seen.
static CameraPlace place_rear(const RenderView *view)
{
    const double down = 0.55; // rad
    const Pose *house = cab_frame(view);
    Vec3 mount = vec3(-3.0, 0.0, 1.3);
    if (view->machine != NULL) {
        const MachineParams *machine = view->machine;
        const MachineCab *cab = &machine->cab;
        bool arm = machine->cab_body != MACHINE_BASE;
        mount = arm ? vec3(-machine->tail_radius - 0.04, 0.0, cab->corner[2] + 0.65 * cab->size[2])
                    : vec3(cab->corner[0] - 0.06, cab->corner[1] + 0.5 * cab->size[1], cab->corner[2] + cab->size[2]);
    }
    Vec3 gaze = vec3(-cos(down), 0.0, -sin(down));
    CameraPlace place = look(pose_apply(house, mount), pose_apply(house, vec3_add(mount, gaze)), 1.35);
    place.up = vec3(house->rotation.m[0][2], house->rotation.m[1][2], house->rotation.m[2][2]);
    place.near_plane = 0.1;
    place.mirrored = true;
    return place;
}

static CameraPlace place_plan(const RenderView *view)
{
    const double over = 60.0; // m over what stands on the site
    double height = view->plan_height > 0.0 ? view->plan_height : 24.0;
    Vec3 middle = view->body[MACHINE_BASE].position;
    middle = vec3_add(middle, vec3(view->plan_x, view->plan_y, 0.0));
    CameraPlace place = look(vec3(middle.x, middle.y, middle.z + over), middle, 0.0);
    place.up = vec3(0.0, 1.0, 0.0);
    place.height = height;
    place.near_plane = 1.0;
    place.far_plane = over + 100.0;
    return place;
}

/// From the right, so that the arm reaches to the right as in the grade display. The picture goes half of the way up
/// and down with the tool.
static CameraPlace place_section(const RenderView *view)
{
    const double away = 30.0; // m
    RenderPlane plane = render_arm_plane(view);
    Vec3 middle = plane.origin;
    middle.z += 0.5 * (camera_ground_height(view, middle.x, middle.y) - middle.z);
    CameraPlace place = look(vec3_madd(middle, away, plane.right), middle, 0.0);
    place.height = view->section_height > 0.0 ? view->section_height : 7.0;
    place.near_plane = 1.0;
    place.far_plane = FARTHEST;
    place.cut = away;
    return place;
}

/// Until it is flown it stands beside the machine.
static CameraPlace place_free(const RenderView *view)
{
    RenderPlane plane = render_arm_plane(view);
    Vec3 eye = view->free_eye;
    Vec3 gaze = vec3(cos(view->free_pitch) * cos(view->free_yaw), cos(view->free_pitch) * sin(view->free_yaw),
                     sin(view->free_pitch));
    if (!view->free_placed) {
        eye = vec3_madd(vec3_madd(middle_of(view).position, 11.0, plane.right), 2.0, plane.ahead);
        eye.z += 2.2;
        gaze = vec3_sub(vec3_madd(middle_of(view).position, 4.0, plane.ahead), eye);
    }
    keep_above_ground(view, &eye);
    return look(eye, vec3_add(eye, gaze), 0.86);
}

CameraPlace camera_place(const RenderView *view, RenderCamera camera)
{
    static CameraPlace (*const places[RENDER_CAMERA_COUNT])(const RenderView *view) = {
        [RENDER_CAMERA_ORBIT] = place_orbit,     [RENDER_CAMERA_CHASE] = place_chase,
        [RENDER_CAMERA_CAB] = place_cab,         [RENDER_CAMERA_TOOL] = place_tool,
        [RENDER_CAMERA_BOOM] = place_boom,       [RENDER_CAMERA_PLAN] = place_plan,
        [RENDER_CAMERA_REAR] = place_rear,       [RENDER_CAMERA_FREE] = place_free,
        [RENDER_CAMERA_SECTION] = place_section,
    };
    return places[camera](view);
}

void render_camera_stand(const RenderView *view, Vec3 *eye, double *yaw, double *pitch)
{
    CameraPlace place = camera_place(view, view->camera);
    Vec3 gaze = vec3_sub(place.target, place.eye);
    *eye = place.eye;
    *yaw = atan2(gaze.y, gaze.x);
    *pitch = atan2(gaze.z, hypot(gaze.x, gaze.y));
}
