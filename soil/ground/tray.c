/// Trays: containers that carry soil, move and tip. Their settled load is a height field in their own frame.
#include "soil/ground/tray.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Particles touch walls of this thickness (m), thick enough that none is pushed through.
#define TRAY_WALL 0.12

#define LONGEST      30.0 ///< m
#define HIGHEST      5.0 ///< m: walls
#define FASTEST      30.0 ///< m/s
#define FASTEST_SPIN 10.0 ///< rad/s
#define STILL        0.02 ///< m/s: what is slower stands still
#define LEVEL        0.98480775301220802 ///< cosine of 10 degrees

static ToolPiece box_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max)
{
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x_min, z_min}, {x_max, z_min}, {x_max, z_max}, {x_min, z_max}},
                       .y_min = y_min,
                       .y_max = y_max};
}

/// How far below the floor the slab begins that keeps what is under the tray from coming up through it, m. What lies on the floor is
/// held by the tray's ground alone: it does not reach so deep.
static double slab_depth(const Soil *soil)
{
    return 0.02 + 0.5 * soil->model.particle_radius;
}

/// Height of the closed tail, m.
static double tail_height(const SoilTray *params)
{
    return params->tail > 0.0 ? params->tail : params->wall;
}

static void make_walls(const Soil *soil, Tray *tray)
{
    const SoilTray *params = &tray->params;
    double l = 0.5 * params->length, w = 0.5 * params->width, t = TRAY_WALL, wall = params->wall;
    double top = -slab_depth(soil), bottom = top - t;
    tray->walls.pieces[0] = box_piece(-l, l, -w, w, bottom, top);
    tray->walls.pieces[1] = box_piece(-l - t, l + t, w, w + t, bottom, wall);
    tray->walls.pieces[2] = box_piece(-l - t, l + t, -w - t, -w, bottom, wall);
    tray->walls.pieces[3] = box_piece(l, l + t, -w, w, bottom, wall);
    tray->walls.pieces[4] = box_piece(-l - t, -l, -w, w, bottom, tail_height(params));
}

static void set_tail(Tray *tray, bool open)
{
    tray->tail_open = open;
    tray->walls.piece_count = open ? 4 : 5;
}

/// ---- adding ----------------------------------------------------------------------------------------------------------

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high; // false for NaN
}

/// Highest ground below the tray's floor and walls, m.
static double highest_ground(const Soil *soil, const SoilTray *params)
{
    double c = cos(params->heading), s = sin(params->heading), spacing = soil->state.ground->spacing,
           highest = -HUGE_VAL;
    int across = (int)(params->width / spacing) + 2, along = (int)(params->length / spacing) + 2;
    for (int i = 0; i <= along; i++) {
        for (int j = 0; j <= across; j++) {
            double u = params->length * ((double)i / along - 0.5), v = params->width * ((double)j / across - 0.5);
            highest =
                fmax(highest, ground_height(soil->state.ground, params->x + c * u - s * v, params->y + s * u + c * v));
        }
    }
    return highest;
}

static bool check_tray(const Soil *soil, const SoilTray *params, Status *status)
{
    double least = 4.0 * soil->model.scene.ground.column_spacing, half_x = 0.5 * soil->model.scene.ground.size_x,
           half_y = 0.5 * soil->model.scene.ground.size_y;
    if (soil->state.tray_count == SOIL_MAX_TRAYS) {
        return status_fail(status, STATUS_BAD_FILE, "a tray more than %d cannot be added", SOIL_MAX_TRAYS);
    }
    if (!is_between(params->length, least, LONGEST) || !is_between(params->width, least, LONGEST)) {
        return status_fail(status, STATUS_BAD_FILE, "a tray of %g x %g m cannot be added: a side is %g to %g m",
                           params->length, params->width, least, LONGEST);
    }
    if (!is_between(params->wall, 0.0, HIGHEST)) {
        return status_fail(status, STATUS_BAD_FILE, "a tray with walls of %g m cannot be added: they are 0 to %g m",
                           params->wall, HIGHEST);
    }
    if (!is_between(params->tail, 0.0, params->wall)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray with a tail of %g m cannot be added: it is 0 to %g m, as its walls", params->tail,
                           params->wall);
    }
    if (!is_between(params->x, -half_x, half_x) || !is_between(params->y, -half_y, half_y) ||
        !isfinite(params->heading)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray at (%g, %g) with heading %g cannot be added: x is %g to %g, y %g to %g", params->x,
                           params->y, params->heading, -half_x, half_x, -half_y, half_y);
    }
    double ground = highest_ground(soil, params);
    if (!is_between(params->floor, ground, 1000.0)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray at (%g, %g) with its floor at %g m cannot be added: the ground there is at %.3f m",
                           params->x, params->y, params->floor, ground);
    }
    return true;
}

int soil_add_tray(Soil *soil, const SoilTray *params, Status *status)
{
    if (!check_tray(soil, params, status)) {
        return -1;
    }
    double spacing = soil->model.scene.ground.column_spacing;
    Tray *tray = &soil->state.trays[soil->state.tray_count];
    memset(tray, 0, sizeof *tray);
    tray->params = *params;
    tray->frame = (Pose){vec3(params->x, params->y, params->floor), mat3_yaw(params->heading)};
    int rows = (int)(params->width / spacing + 0.5), columns = (int)(params->length / spacing + 0.5);
    tray->ground = ground_create(&soil->model.scene, NULL, soil->model.seed, rows, columns, params->floor);
    tray->first = calloc((size_t)(rows * columns) + 2, sizeof *tray->first);
    if (tray->ground == NULL || tray->first == NULL) {
        ground_destroy(tray->ground);
        free(tray->first);
        status_fail(status, STATUS_LACKING, "out of memory for a tray");
        return -1;
    }
    make_walls(soil, tray);
    set_tail(tray, params->tail_open);
    return soil->state.tray_count++;
}

void soil_destroy_trays(Soil *soil)
{
    for (int k = 0; k < soil->state.tray_count; k++) {
        ground_destroy(soil->state.trays[k].ground);
        free(soil->state.trays[k].first);
    }
}

/// ---- moving ----------------------------------------------------------------------------------------------------------

static bool is_rotation(const Mat3 *rotation)
{
    Vec3 axis[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
    }
    bool good = fabs(vec3_dot(vec3_cross(axis[0], axis[1]), axis[2]) - 1.0) < 1e-6;
    for (int k = 0; k < 3; k++) {
        good = good && fabs(vec3_dot(axis[k], axis[k]) - 1.0) < 1e-6;
    }
    return good;
}

/// Over the site, give or take its own length.
static bool is_frame(const Soil *soil, const Pose *frame)
{
    double x = 0.5 * soil->model.scene.ground.size_x + LONGEST, y = 0.5 * soil->model.scene.ground.size_y + LONGEST;
    return is_between(frame->position.x, -x, x) && is_between(frame->position.y, -y, y) &&
           is_between(frame->position.z, -1000.0, 1000.0) && is_rotation(&frame->rotation);
}

bool soil_move_tray(Soil *soil, int index, const SoilTrayMotion *motion, Status *status)
{
    if (index < 0 || index >= soil->state.tray_count) {
        return status_fail(status, STATUS_BAD_FILE, "tray %d cannot be moved: there are %d", index,
                           soil->state.tray_count);
    }
    const Vec3 *at = &motion->frame.position;
    if (!is_frame(soil, &motion->frame)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "tray %d cannot be moved to (%g, %g, %g): it stays over the site, its axes upright", index,
                           at->x, at->y, at->z);
    }
    double speed = vec3_length(motion->velocity), spin = vec3_length(motion->spin);
    if (!is_between(speed, 0.0, FASTEST) || !is_between(spin, 0.0, FASTEST_SPIN)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "tray %d cannot move at %g m/s and %g rad/s: at most %g m/s and %g rad/s", index, speed,
                           spin, FASTEST, FASTEST_SPIN);
    }
    Tray *tray = &soil->state.trays[index];
    tray->frame = motion->frame;
    tray->velocity = motion->velocity;
    tray->spin = motion->spin;
    set_tail(tray, motion->tail_open);
    ground_contacts_restore(soil, false); // what was near the ground may be so no more
    return true;
}

Pose soil_get_tray_frame(const Soil *soil, int index)
{
    return soil->state.trays[index].frame;
}

const SoilTray *soil_get_tray(const Soil *soil, int index, SoilTrayMotion *motion)
{
    if (index < 0 || index >= soil->state.tray_count) {
        return NULL;
    }
    const Tray *tray = &soil->state.trays[index];
    *motion = (SoilTrayMotion){
        .frame = tray->frame, .velocity = tray->velocity, .spin = tray->spin, .tail_open = tray->tail_open};
    return &tray->params;
}

/// Rotation by the vector `turn`, rad (Rodrigues), after `rotation`.
static Mat3 turned(const Mat3 *rotation, Vec3 turn)
{
    double angle = vec3_length(turn), s = angle > 0.0 ? sin(angle) : 0.0, c = 1.0 - cos(angle);
    Vec3 unit = vec3_unit(turn, vec3(0.0, 0.0, 1.0));
    Mat3 result;
    for (int k = 0; k < 3; k++) {
        Vec3 axis = vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]), side = vec3_cross(unit, axis);
        axis = vec3_madd(vec3_madd(axis, s, side), c, vec3_cross(unit, side));
        result.m[0][k] = axis.x;
        result.m[1][k] = axis.y;
        result.m[2][k] = axis.z;
    }
    return result;
}

void soil_advance_trays(Soil *soil, double h)
{
    for (int k = 0; k < soil->state.tray_count; k++) {
        Tray *tray = &soil->state.trays[k];
        tray->frame.position = vec3_madd(tray->frame.position, h, tray->velocity);
        if (vec3_dot(tray->spin, tray->spin) > 0.0) {
            tray->frame.rotation = turned(&tray->frame.rotation, vec3_scale(tray->spin, h));
        }
    }
}

static bool is_still(const Tray *tray)
{
    double reach = 0.5 * (tray->params.length + tray->params.width);
    return vec3_length(tray->velocity) + reach * vec3_length(tray->spin) <= STILL;
}

void soil_rest_trays(Soil *soil)
{
    for (int k = 0; k < soil->state.tray_count; k++) {
        Tray *tray = &soil->state.trays[k];
        if (vec3_dot(tray->velocity, tray->velocity) + vec3_dot(tray->spin, tray->spin) > 0.0) {
            tray->velocity = tray->spin = vec3(0.0, 0.0, 0.0);
            ground_contacts_restore(soil, false);
        }
    }
}

SoilTool tray_body(const Tray *tray)
{
    return (SoilTool){.shape = &tray->walls,
                      .motion.frame = tray->frame,
                      .motion.center = tray->frame.position,
                      .motion.velocity = tray->velocity,
                      .motion.spin = tray->spin,
                      .steel_friction = 1.0};
}

Vec3 tray_velocity(const Tray *tray, Vec3 at)
{
    return vec3_add(tray->velocity, vec3_cross(tray->spin, vec3_sub(at, tray->frame.position)));
}

bool tray_is_below(const Tray *tray, Vec3 at, double margin)
{
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    return fabs(local.x) < 0.5 * tray->params.length + margin && fabs(local.y) < 0.5 * tray->params.width + margin;
}

/// ---- the load --------------------------------------------------------------------------------------------------------

double tray_surface(const Tray *tray, double x, double y, Vec3 *normal)
{
    return ground_surface(tray->ground, x, y, normal) - tray->params.floor;
}

/// Loose soil may rise from an edge as steeply as its angle of repose allows, less what the floor rises itself; `fall` is the sine of
/// the floor's slope towards the edge.
static double stable_slope(double repose, double fall)
{
    double angle = repose - asin(fmax(-1.0, fmin(1.0, fall)));
    return tan(fmin(angle, 0.45 * M_PI)); // as good as a wall
}

void tray_edges(const Tray *tray, int soil_index, TrayEdges *edges)
{
    const SoilParams *soil = &tray->ground->soils[soil_index];
    Vec3 gravity = mat3_mul_transposed(&tray->frame.rotation, vec3(0.0, 0.0, -1.0));
    const double fall[4] = {-gravity.x, gravity.x, -gravity.y, gravity.y};
    edges->soil = soil_index;
    edges->slides = gravity.z >= 0.0 || (tray->tail_open && fall[0] > -gravity.z * tan(soil->steel_friction_angle));
    for (int k = 0; k < 4; k++) {
        edges->rise[k] = k > 0 ? tray->params.wall : tray->tail_open ? 0.0 : tail_height(&tray->params);
        edges->slope[k] = stable_slope(soil->repose_angle, fall[k]);
    }
}

double tray_stable_height(const Tray *tray, const TrayEdges *edges, double x, double y)
{
    double l = 0.5 * tray->params.length, w = 0.5 * tray->params.width, height = HUGE_VAL;
    const double distance[4] = {x + l, l - x, y + w, w - y};
    for (int k = 0; k < 4; k++) {
        height = fmin(height, edges->rise[k] + distance[k] * edges->slope[k]);
    }
    return edges->slides ? 0.0 : fmax(height, 0.0);
}

static void find_lean(const Tray *tray, double lean[2])
{
    const double steepest = 2.0; // beyond 63 degrees nothing stays settled
    Vec3 gravity = mat3_mul_transposed(&tray->frame.rotation, vec3(0.0, 0.0, -1.0));
    double x = gravity.z < -0.1 ? -gravity.x / gravity.z : 0.0, y = gravity.z < -0.1 ? -gravity.y / gravity.z : 0.0;
    lean[0] = fmax(-steepest, fmin(steepest, x));
    lean[1] = fmax(-steepest, fmin(steepest, y));
}

void tray_lean(Tray *tray)
{
    Ground *ground = tray->ground;
    double lean[2];
    find_lean(tray, lean);
    bool changed = lean[0] != ground->lean[0] || lean[1] != ground->lean[1];
    memcpy(ground->lean, lean, sizeof lean);
    for (int k = 0; changed && k < ground->tile_rows * ground->tile_columns; k++) {
        if (ground->tiles[k] != NULL) {
            ground->tiles[k]->sliding = 1;
        }
    }
}

bool tray_settles(const Soil *soil, const Tray *tray, Vec3 at)
{
    if (!is_still(tray) || tray->frame.rotation.m[2][2] < LEVEL) {
        return false;
    }
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    int row, column;
    ground_column_at(tray->ground, local.x, local.y, &row, &column);
    TrayEdges edges;
    tray_edges(tray, ground_top_soil(tray->ground, row, column), &edges);
    double height = tray_surface(tray, local.x, local.y, NULL);
    return height < tray_stable_height(tray, &edges, local.x, local.y) + 0.5 * soil->model.layer_height;
}

Support soil_support(const Soil *soil, double x, double y, double z)
{
    Support support = {.ground = soil->state.ground};
    support.height = ground_surface(soil->state.ground, x, y, &support.normal);
    int row, column;
    ground_column_at(soil->state.ground, x, y, &row, &column);
    support.soil = ground_top_soil(soil->state.ground, row, column);
    double nearest = (z - support.height) * support.normal.z, lowest = -slab_depth(soil) - 0.5 * TRAY_WALL;
    for (int k = 0; k < soil->state.tray_count; k++) {
        const Tray *tray = &soil->state.trays[k];
        Vec3 local = pose_apply_inverse(&tray->frame, vec3(x, y, z)), normal;
        if (fabs(local.x) > 0.5 * tray->params.length || fabs(local.y) > 0.5 * tray->params.width || local.z < lowest) {
            continue;
        }
        double height = tray_surface(tray, local.x, local.y, &normal), distance = (local.z - height) * normal.z;
        if (distance >= nearest) {
            continue;
        }
        nearest = distance;
        support.ground = tray->ground;
        support.tray = tray;
        support.normal = mat3_mul(&tray->frame.rotation, normal);
        support.normal.z = fabs(support.normal.z) > 1e-6 ? support.normal.z : 1e-6; // a vertical plane is below nothing
        support.height = z - distance / support.normal.z;
        ground_column_at(tray->ground, local.x, local.y, &row, &column);
        support.soil = ground_top_soil(tray->ground, row, column);
        support.bare = height < 0.1 * soil->model.particle_radius;
    }
    return support;
}

double soil_support_friction(const Soil *soil, const Support *support, int soil_index)
{
    return support->bare ? soil->model.tan_steel[soil_index]
                         : 0.5 * (soil->model.tan_friction[soil_index] + soil->model.tan_friction[support->soil]);
}

/// ---- state -----------------------------------------------------------------------------------------------------------

void soil_visit_trays(Soil *soil, StateVisitor *visitor)
{
    for (int k = 0; k < soil->state.tray_count && !visitor->failed; k++) {
        Tray *tray = &soil->state.trays[k];
        Pose frame = tray->frame;
        uint8_t tail_open = tray->tail_open;
        state_visit_array(visitor, "tray.position", &frame.position, sizeof(double), 3);
        state_visit_array(visitor, "tray.rotation", &frame.rotation, sizeof(double), 9);
        STATE_VISIT(visitor, "tray.tail_open", tail_open);
        if (visitor->restoring && !visitor->failed) {
            if (!is_frame(soil, &frame) || tail_open > 1) {
                visitor->failed = true;
                return;
            }
            tray->frame = frame;
            set_tail(tray, tail_open != 0);
            tray->velocity = tray->spin = vec3(0.0, 0.0, 0.0);
            find_lean(tray, tray->ground->lean);
        }
        ground_visit(tray->ground, visitor);
    }
}
