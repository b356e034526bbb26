/// Places cameras and makes their matrices: of the nine views, of panes for several screens or two eyes, of the sun's
/// shadow map, and of mirrors.
#include "render/camera.h"

#include <math.h>

#include "data/core/column_grid.h"

/// ---- places --------------------------------------------------------------------------------------------------------

// Orbit and tool views turn about what is worked on, chase follows the machine, and the cab's view is the driver's,
// whose head turns part of the way to the tool. Plan and section are drawings: from straight above, and square to the
// plane that the arm moves in. Distances and angles are chosen so that the place of work is free of panels
// (orbit_looks_at_the_place_of_work in test_render_shapes) and the eye never below the ground.

static const double default_yaw = -0.75; ///< rad against the undercarriage's heading: from the front right
static const double default_pitch = 0.30; ///< rad: the eye over the level
static const double default_distance = 16.0; ///< m: the whole machine with its arm stretched
/// m that the driver's eyes come ahead and down when he leans forward. Chosen: short of the windscreen.
#define LEAN_AHEAD 0.34
#define LEAN_DOWN  0.08
/// rad below the level, between which the driver's head follows an arm's tool. The horizon then stays between 0.07 and
/// 0.42 of the picture's height: above the work, and below the roof, which hides what is higher from the eyes anyway.
#define CAB_HIGHEST     0.10
#define CAB_LOWEST      0.50
#define GAZE_OVER_BLADE (-0.29) ///< rad. Chosen: horizon, the blade's upper edge and its corners on the ground are seen
static const double least_clearance = 0.4; ///< m of the eye over the ground

#define FARTHEST 2600.0 ///< m: the far plane; beyond the last ring of ground

/// Height that the ground around the site is drawn with at most, `away` m from its edge of `edge` m (terrain.glsl).
static double apron_height(double edge, double away)
{
    double share = fmin(fmax((away - 30.0) / 60.0, 0.0), 1.0);
    return fmax(edge, edge * (1.0 - share * share * (3.0 - 2.0 * share)));
}

/// Height of a column of the site, m; of one beyond its edge that of the ground there.
static double column_height(const RenderGrid *grid, int row, int column)
{
    return column_grid_height(grid->height, grid->border, grid->rows, grid->columns, row, column);
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
    column = fmin(fmax(column, -1.0), grid->columns);
    row = fmin(fmax(row, -1.0), grid->rows);
    int i = (int)floor(column), j = (int)floor(row);
    double u = column - i, v = row - j;
    double near_row = (1.0 - u) * column_height(grid, j, i) + u * column_height(grid, j, i + 1);
    double far_row = (1.0 - u) * column_height(grid, j + 1, i) + u * column_height(grid, j + 1, i + 1);
    return apron_height((1.0 - v) * near_row + v * far_row, away);
}

/// A camera with perspective, upright.
static CameraPlace place_upright(Vec3 eye, Vec3 target, double field_of_view)
{
    return (CameraPlace){.eye = eye,
                         .target = target,
                         .up = vec3(0.0, 0.0, 1.0),
                         .field_of_view = field_of_view,
                         .near_plane = 0.25,
                         .far_plane = FARTHEST};
}

/// Unit vector of where a body looks, level.
static Vec3 level_forward(const Pose *pose)
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
    Vec3 ahead = level_forward(&view->body[MACHINE_BASE]);
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
    return place_upright(eye, target, 0.76);
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
    Vec3 ahead = level_forward(cab_frame(view));
    double yaw = atan2(ahead.y, ahead.x) + (view->orbit_distance > 0.0 ? view->orbit_yaw : default_yaw);
    double pitch = view->orbit_distance > 0.0 ? view->orbit_pitch : default_pitch;
    Vec3 target = tool_middle(view);
    Vec3 eye = vec3_madd(target, nearer * wanted, vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)));
    keep_above_ground(view, &eye);
    return place_upright(eye, target, 0.76);
}

static CameraPlace place_chase(const RenderView *view)
{
    const Pose house = middle_of(view);
    Vec3 ahead = level_forward(&house);
    Vec3 left = vec3(-ahead.y, ahead.x, 0.0);
    Vec3 eye = vec3_madd(vec3_madd(house.position, -7.5, ahead), 4.6, left);
    eye.z += 5.4;
    keep_above_ground(view, &eye);
    Vec3 target = vec3_madd(house.position, 5.0, ahead);
    target.z -= 1.2;
    return place_upright(eye, target, 0.86);
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
    double down = fmin(fmax(0.62 * atan2(bucket.z, reach) - 0.04, -CAB_LOWEST), -CAB_HIGHEST);
    double aside = fmin(fmax(0.55 * atan2(bucket.y, fmax(bucket.x, 0.5)), -0.35), 0.35);
    if (view->machine != NULL && view->machine->cab_body == MACHINE_BASE) {
        down = gaze_over_blade(house);
    }
    double yaw = aside + view->cab_yaw;
    double pitch = fmin(fmax(down + view->cab_pitch, -1.45), 1.45);
    Vec3 gaze = vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch));
    CameraPlace place = place_upright(pose_apply(house, seat), pose_apply(house, vec3_add(seat, gaze)), 1.12);
    place.up = vec3(house->rotation.m[0][2], house->rotation.m[1][2], house->rotation.m[2][2]);
    place.near_plane = 0.08;
    return place;
}

RenderPlane render_arm_plane(const RenderView *view)
{
    Vec3 ahead = level_forward(cab_frame(view)), middle = tool_middle(view);
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
    CameraPlace place = place_upright(eye, tool_middle(view), 0.95);
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
    CameraPlace place = place_upright(pose_apply(house, mount), pose_apply(house, vec3_add(mount, gaze)), 1.35);
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
    CameraPlace place = place_upright(vec3(middle.x, middle.y, middle.z + over), middle, 0.0);
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
    CameraPlace place = place_upright(vec3_madd(middle, away, plane.right), middle, 0.0);
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
    return place_upright(eye, vec3_add(eye, gaze), 0.86);
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

/// ---- panes ---------------------------------------------------------------------------------------------------------

// A pane's camera turns about the upper axis of the picture, not of the world: seams of screens are upright in the
// picture, however the head is bent.

static const double usual_angle = 0.8726646; ///< rad: 50 degrees, a screen of 0.6 m from 0.64 m
static const double usual_eyes = 0.064; ///< m between the eyes, mean of adults

static bool is_flat(const RenderView *view)
{
    return !(camera_place(view, view->camera).field_of_view > 0.0);
}

static double screen_angle(const RenderView *view)
{
    return view->screen_angle > 0.0 ? view->screen_angle : usual_angle;
}

int camera_panes(const RenderView *view, int width, CameraPane panes[CAMERA_MAX_PANES])
{
    bool screens = view->screens == 3 && !is_flat(view), eyes = !screens && view->eyes == 2;
    int count = screens ? 3 : eyes ? 2 : 1;
    double apart = view->eye_distance > 0.0 ? view->eye_distance : usual_eyes;
    for (int k = 0; k < count; k++) {
        int from = width * k / count, to = width * (k + 1) / count;
        panes[k] = (CameraPane){.x = from,
                                .width = to - from,
                                .turn = screens ? (k - 1) * screen_angle(view) : 0.0,
                                .aside = eyes ? (k - 0.5) * apart : 0.0};
    }
    return count;
}

CameraPlace camera_pane_place(const RenderView *view, const CameraPlace *place, const CameraPane *pane, double aspect)
{
    CameraPlace out = *place;
    if (!(place->field_of_view > 0.0)) {
        return out;
    }
    Vec3 gaze = vec3_sub(place->target, place->eye);
    double away = vec3_length(gaze), mirror = place->mirrored ? -1.0 : 1.0;
    Vec3 ahead = vec3_unit(gaze, vec3(1.0, 0.0, 0.0));
    Vec3 right = vec3_scale(vec3_unit(vec3_cross(ahead, place->up), vec3(0.0, -1.0, 0.0)), mirror);
    out.eye = vec3_madd(place->eye, pane->aside, right);
    out.up = vec3_scale(vec3_cross(right, ahead), mirror);
    out.target = vec3_madd(vec3_madd(out.eye, away * cos(pane->turn), ahead), away * sin(pane->turn), right);
    if (view->screens == 3) {
        out.field_of_view = 2.0 * atan(tan(0.5 * screen_angle(view)) / aspect);
    }
    return out;
}

/// ---- matrices ------------------------------------------------------------------------------------------------------

// What is cut away of the ground is cut by a second near plane. Both projections can have one depth, since the depth of
// each is the same function of the distance but for a factor and a term; the range of depths (camera_cut) makes these
// equal.

/// Makes the other matrices and the planes from `view` and `projection`.
static void finish_camera(Camera *camera)
{
    glm_mat4_mul(camera->projection, camera->view, camera->view_projection);
    glm_mat4_inv(camera->view_projection, camera->inverse);
    glm_frustum_planes(camera->view_projection, camera->planes);
}

static void set_projection(Camera *camera, const CameraPlace *place, double aspect, double near_plane)
{
    float near = (float)near_plane, far = (float)place->far_plane;
    if (place->field_of_view > 0.0) {
        glm_perspective((float)place->field_of_view, (float)aspect, near, far, camera->projection);
    } else {
        float y = (float)(0.5 * place->height), x = (float)(0.5 * place->height * aspect);
        glm_ortho(-x, x, -y, y, near, far, camera->projection);
    }
    if (place->mirrored) {
        glm_vec4_scale(camera->projection[0], -1.0f, camera->projection[0]);
    }
}

void camera_from_place(const CameraPlace *place, double aspect, Camera *camera)
{
    FloatVec3 up;
    linear_from_vec3(place->eye, camera->eye);
    linear_from_vec3(place->target, camera->target);
    linear_from_vec3(place->up, up);
    double away = vec3_length(vec3_sub(place->target, place->eye));
    bool flat = !(place->field_of_view > 0.0);
    camera->field_of_view = (float)(flat ? 2.0 * atan(0.5 * place->height / away) : place->field_of_view);
    camera->mirrored = place->mirrored;
    glm_lookat(camera->eye, camera->target, up, camera->view);
    set_projection(camera, place, aspect, place->near_plane);
    finish_camera(camera);
}

double camera_cut(const CameraPlace *place, double aspect, Camera *camera)
{
    camera_from_place(place, aspect, camera);
    if (!(place->cut > place->near_plane)) {
        return 0.0;
    }
    set_projection(camera, place, aspect, place->cut);
    finish_camera(camera);
    double n = place->near_plane, f = place->far_plane, d = place->cut;
    return place->field_of_view > 0.0 ? f / (f - n) * (1.0 - n / d) : (d - n) / (f - n);
}

void camera_compute(const RenderView *view, double aspect, Camera *camera)
{
    CameraPlace place = camera_place(view, view->camera);
    camera_from_place(&place, aspect, camera);
}

void camera_compute_sun(const FloatVec3 center, const FloatVec3 to_sun, float radius, int texels, mat4 light,
                        vec4 planes[6])
{
    FloatVec3 eye, up = {0.0f, 0.0f, 1.0f}, middle = {center[0], center[1], center[2]};
    float back = 60.0f;
    for (int k = 0; k < 3; k++) {
        eye[k] = to_sun[k] * back;
    }
    mat4 view, projection;
    glm_lookat(eye, (FloatVec3){0.0f, 0.0f, 0.0f}, up, view);
    FloatVec3 seen;
    glm_mat4_mulv3(view, middle, 1.0f, seen);
    float texel = 2.0f * radius / (float)texels;
    // Depth moves in whole metres, so that what stands still has the same one from frame to frame, too.
    float x = roundf(seen[0] / texel) * texel, y = roundf(seen[1] / texel) * texel, z = roundf(seen[2]);
    glm_ortho(x - radius, x + radius, y - radius, y + radius, -z - 40.0f, -z + 40.0f, projection);
    glm_mat4_mul(projection, view, light);
    glm_frustum_planes(light, planes);
}

bool camera_sees_box(vec4 planes[6], const float low[3], const float high[3])
{
    FloatVec3 box[2] = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return glm_aabb_frustum(box, planes);
}

bool camera_project(const Camera *camera, const double point[3], int width, int height, double pixel[2])
{
    vec4 world = {(float)point[0], (float)point[1], (float)point[2], 1.0f}, clip;
    mat4 matrix;
    glm_mat4_copy((vec4 *)camera->view_projection, matrix);
    glm_mat4_mulv(matrix, world, clip);
    if (clip[3] <= 0.0f) {
        return false;
    }
    pixel[0] = (0.5 + 0.5 * (double)(clip[0] / clip[3])) * width;
    pixel[1] = (0.5 - 0.5 * (double)(clip[1] / clip[3])) * height;
    return true;
}

/// ---- mirrors -------------------------------------------------------------------------------------------------------

// A mirror is a window through which the eye's image looks out. Behind a flat glass the image stands as far as the eye
// before it, d; behind one of radius R, by the mirror equation 1/d' = 1/d + 2/R, at
//
//     d' = m d,   m = f / (f + d),   f = R / 2                                                                     (1)
//
// and m times as far from the axis. Near the axis, and driver's mirrors are small against R, all that the eye sees in
// the glass it sees in the directions in which the image sees it through the glass. Left and right are exchanged
// because the eye looks at the glass from the other side.

bool camera_of_mirror(const MirrorGlass *glass, Vec3 eye, CameraPlace *place, Camera *camera)
{
    Vec3 local = pose_apply_inverse(&glass->frame, eye);
    if (!(local.x > 0.01)) {
        return false;
    }
    double focus = 0.5 * glass->radius, m = glass->radius > 0.0 ? focus / (focus + local.x) : 1.0; // (1)
    Vec3 image = vec3(-m * local.x, m * local.y, m * local.z);
    const Mat3 *r = &glass->frame.rotation;
    *place = (CameraPlace){.eye = pose_apply(&glass->frame, image),
                           .up = vec3(r->m[0][2], r->m[1][2], r->m[2][2]),
                           .near_plane = m * local.x,
                           .far_plane = FARTHEST};
    place->target = pose_apply(&glass->frame, vec3(image.x + 1.0, image.y, image.z));
    place->field_of_view = 2.0 * atan(0.5 * glass->height / place->near_plane);
    camera_from_place(place, glass->width / glass->height, camera);
    // The glass as the image sees it: looking out along x with z up, the right is -y.
    glm_frustum((float)(image.y - 0.5 * glass->width), (float)(image.y + 0.5 * glass->width),
                (float)(-0.5 * glass->height - image.z), (float)(0.5 * glass->height - image.z),
                (float)place->near_plane, (float)FARTHEST, camera->projection);
    finish_camera(camera);
    return true;
}

void mirror_corners(const MirrorGlass *glass, Vec3 corners[4])
{
    for (int k = 0; k < 4; k++) {
        double y = (k & 1) != 0 ? 0.5 : -0.5, z = (k & 2) != 0 ? 0.5 : -0.5;
        corners[k] = pose_apply(&glass->frame, vec3(0.0, y * glass->width, z * glass->height));
    }
}
