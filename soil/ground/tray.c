/// One tray: a box on a prescribed way whose settled load is a height field in the tray's own frame.
///
/// Particles feel a plane of the load as they feel the site's, but that the plane moves with the tray. Below the floor
/// lies a slab and around it stand walls, which contacts treat as a body that nothing stops. How high loose soil may
/// stand in a tray that leans follows from its angle of repose against the true vertical, from the top of each wall or
/// from the floor at an open tail.
#include "soil/ground/tray.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "soil/ground/ground_internal.h"

#define TRAY_STILL 0.02 ///< m/s: what moves more slowly counts as standing still. Chosen; see test_soil_tray
/// Cosine of 10 degrees: soil settles in a tray that leans less. Chosen; see test_soil_tray.
#define TRAY_LEVEL 0.98480775301220802

static ToolPiece box_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max)
{
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x_min, z_min}, {x_max, z_min}, {x_max, z_max}, {x_min, z_max}},
                       .y_min = y_min,
                       .y_max = y_max};
}

double tray_slab_depth(const SoilModel *model)
{
    return 0.02 + 0.5 * model->particle_radius;
}

/// Height of the closed tail, m.
static double tail_height(const SoilTray *params)
{
    return params->tail > 0.0 ? params->tail : params->wall;
}

static void make_walls(const SoilModel *model, Tray *tray)
{
    const SoilTray *params = &tray->params;
    double l = 0.5 * params->length, w = 0.5 * params->width, t = TRAY_WALL, wall = params->wall;
    double top = -tray_slab_depth(model), bottom = top - t;
    tray->walls.pieces[0] = box_piece(-l, l, -w, w, bottom, top);
    tray->walls.pieces[1] = box_piece(-l - t, l + t, w, w + t, bottom, wall);
    tray->walls.pieces[2] = box_piece(-l - t, l + t, -w - t, -w, bottom, wall);
    tray->walls.pieces[3] = box_piece(l, l + t, -w, w, bottom, wall);
    tray->walls.pieces[4] = box_piece(-l - t, -l, -w, w, bottom, tail_height(params));
    tray->walls.piece_count = 5;
    tool_shape_finish(&tray->walls);
}

void tray_set_tail(Tray *tray, bool open)
{
    tray->tail_open = open;
    tray->walls.piece_count = open ? 4 : 5;
}

bool tray_create(const SoilModel *model, const SoilTray *params, Tray *tray)
{
    double spacing = model->scene.ground.column_spacing;
    memset(tray, 0, sizeof *tray);
    tray->params = *params;
    tray->frame = (Pose){vec3(params->x, params->y, params->floor), mat3_yaw(params->heading)};
    int rows = (int)(params->width / spacing + 0.5), columns = (int)(params->length / spacing + 0.5);
    tray->ground = ground_create(&model->scene, NULL, model->seed, rows, columns, params->floor);
    tray->first = calloc((size_t)(rows * columns) + 2, sizeof *tray->first);
    if (tray->ground == NULL || tray->first == NULL) {
        tray_destroy(tray);
        return false;
    }
    make_walls(model, tray);
    tray_set_tail(tray, params->tail_open);
    return true;
}

void tray_destroy(Tray *tray)
{
    ground_destroy(tray->ground);
    free(tray->first);
}

/// Rotation by the vector `turn`, rad (Rodrigues), after `rotation`.
static Mat3 turned(const Mat3 *rotation, Vec3 turn)
{
    double angle = vec3_length(turn), s = angle > 0.0 ? same_sin(angle) : 0.0, c = 1.0 - same_cos(angle);
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

void tray_advance(Tray *tray, double h)
{
    tray->frame.position = vec3_madd(tray->frame.position, h, tray->velocity);
    if (vec3_dot(tray->spin, tray->spin) > 0.0) {
        tray->frame.rotation = turned(&tray->frame.rotation, vec3_scale(tray->spin, h));
    }
}

static bool is_still(const Tray *tray)
{
    double reach = 0.5 * (tray->params.length + tray->params.width);
    return vec3_length(tray->velocity) + reach * vec3_length(tray->spin) <= TRAY_STILL;
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

SoilTool tray_see_tool(const Tray *tray, const SoilTool *tool)
{
    SoilTool seen = *tool;
    const Mat3 *turn = &tray->frame.rotation;
    seen.motion.frame.position = pose_apply_inverse(&tray->frame, tool->motion.frame.position);
    seen.motion.frame.position.z += tray->params.floor;
    seen.motion.center = pose_apply_inverse(&tray->frame, tool->motion.center);
    seen.motion.center.z += tray->params.floor;
    seen.motion.velocity =
        mat3_mul_transposed(turn, vec3_sub(tool->motion.velocity, tray_velocity(tray, tool->motion.center)));
    seen.motion.spin = mat3_mul_transposed(turn, vec3_sub(tool->motion.spin, tray->spin));
    for (int axis = 0; axis < 3; axis++) {
        const Mat3 *own = &tool->motion.frame.rotation;
        Vec3 side = mat3_mul_transposed(turn, vec3(own->m[0][axis], own->m[1][axis], own->m[2][axis]));
        seen.motion.frame.rotation.m[0][axis] = side.x;
        seen.motion.frame.rotation.m[1][axis] = side.y;
        seen.motion.frame.rotation.m[2][axis] = side.z;
    }
    return seen;
}

Vec3 tray_show_place(const Tray *tray, Vec3 at)
{
    return pose_apply(&tray->frame, vec3(at.x, at.y, at.z - tray->params.floor));
}

bool tray_is_below(const Tray *tray, Vec3 at, double margin)
{
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    return fabs(local.x) < 0.5 * tray->params.length + margin && fabs(local.y) < 0.5 * tray->params.width + margin;
}

double tray_surface(const Tray *tray, double x, double y, Vec3 *normal)
{
    return ground_surface(tray->ground, x, y, normal) - tray->params.floor;
}

/// Loose soil may rise from an edge as steeply as its angle of repose allows, less what the floor rises itself; `fall`
/// is the sine of the floor's slope towards the edge.
static double stable_slope(double repose, double fall)
{
    double angle = repose - same_asin(fmax(-1.0, fmin(1.0, fall)));
    return same_tan(fmin(angle, 0.45 * M_PI)); // as good as a wall
}

void tray_edges(const Tray *tray, int soil_index, TrayEdges *edges)
{
    const SoilParams *soil = &tray->ground->soils[soil_index];
    Vec3 gravity = mat3_mul_transposed(&tray->frame.rotation, vec3(0.0, 0.0, -1.0));
    const double fall[4] = {-gravity.x, gravity.x, -gravity.y, gravity.y};
    edges->soil = soil_index;
    edges->slides =
        gravity.z >= 0.0 || (tray->tail_open && fall[0] > -gravity.z * same_tan(soil->steel_friction_angle));
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

void tray_find_lean(const Tray *tray, double lean[2])
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
    tray_find_lean(tray, lean);
    bool changed = lean[0] != ground->lean[0] || lean[1] != ground->lean[1];
    memcpy(ground->lean, lean, sizeof lean);
    for (int k = 0; changed && k < ground->tile_rows * ground->tile_columns; k++) {
        if (ground->tiles[k] != NULL) {
            ground->tiles[k]->sliding = 1;
            ground_unsettle_tile(ground->tiles[k]);
        }
    }
}

bool tray_settles(const SoilModel *model, const Tray *tray, Vec3 at)
{
    if (!is_still(tray) || tray->frame.rotation.m[2][2] < TRAY_LEVEL) {
        return false;
    }
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    int row, column;
    ground_column_at(tray->ground, local.x, local.y, &row, &column);
    TrayEdges edges;
    tray_edges(tray, ground_top_soil(tray->ground, row, column), &edges);
    double height = tray_surface(tray, local.x, local.y, NULL);
    return height < tray_stable_height(tray, &edges, local.x, local.y) + 0.5 * model->layer_height;
}
