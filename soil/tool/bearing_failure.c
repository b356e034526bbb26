/// What a tool that presses on the ground does to it, at the end of a tick: loose soil under it compacts, ground that
/// has failed gives way to the side. A tool sinks only so: it never passes through ground.
///
/// Ground at its capacity under a plate flows out beside it and is heaved there (Prandtl's mechanism); what flows is
/// no longer bank soil. The surface under each failing patch is lowered to where the patch is, by the weights of the
/// bilinear surface, and the quanta taken there are spread over the ground beside what the tool rests on, on the side
/// that the patch presses to.
///
/// Before a wall whole columns give way, when it has passed their middle: they sink to its foot, and the wall stands
/// before the next ones. So the ground before it is never eaten ahead of it. What they held is heaved before the wall.
#include <math.h>

#include "data/core/tool_geometry.h"
#include "soil/ground/compact.h"
#include "soil/tool/bearing.h"

#define SINKING 0.005 ///< m: loose soil compacts by no more in a tick. Chosen; see test_soil_bearing
#define GIVING  0.05 ///< m: failed ground gives way by no more in a tick. Chosen; see test_soil_bearing
/// Sine of the lean from which on a face pushes soil to the side it leans to. Chosen; see test_soil_bearing.
#define SIDEWAYS 0.3
/// m: what a wall has passed may stand so much above its foot. Chosen: less than a grain's layer
#define THINNEST 1e-3
#define HEAVE    0.5 ///< m: widest strip beside a tool that is heaved. Chosen; see test_soil_bearing

static double depth_of(const Footing *footing, const BearingPatch *patch, Vec3 *normal)
{
    return (bearing_height(footing, patch->under, patch->out, normal) - patch->at.z) * normal->z;
}

static void compact_under(const Footing *footing, const BearingPatch *patch)
{
    Ground *ground = footing->ground;
    Vec3 normal;
    double depth = depth_of(footing, patch, &normal);
    if (patch->out.z > -BEARING_WALL || depth <= 0.0 || bearing_is_beyond(footing, patch->under)) {
        return;
    }
    int row, column;
    ground_column_at(ground, patch->under.x, patch->under.y, &row, &column);
    ground_compact(ground, row, column, patch->pressure, footing_width(footing), fmin(SINKING, 0.5 * depth));
}

/// Where the soil goes: beyond the footing's rectangle, towards where the face leans, or by the shortest way.
static void find_way(const Footing *footing, const BearingPatch *patch, double size, double *x, double *y)
{
    double at[2] = {patch->at.x * footing->cover.x[0] + patch->at.y * footing->cover.x[1],
                    patch->at.x * footing->cover.y[0] + patch->at.y * footing->cover.y[1]};
    double out[2] = {patch->out.x * footing->cover.x[0] + patch->out.y * footing->cover.x[1],
                     patch->out.x * footing->cover.y[0] + patch->out.y * footing->cover.y[1]};
    int axis = fabs(out[0]) > fabs(out[1]) ? 0 : 1;
    bool up = out[axis] > 0.0;
    if (fabs(out[axis]) < SIDEWAYS) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < 4; k++) {
            double way = k % 2 ? footing->cover.high[k / 2] - at[k / 2] : at[k / 2] - footing->cover.low[k / 2];
            if (way < nearest) {
                nearest = way;
                axis = k / 2;
                up = k % 2 != 0;
            }
        }
    }
    at[axis] = up ? footing->cover.high[axis] + size : footing->cover.low[axis] - size;
    *x = at[0] * footing->cover.x[0] + at[1] * footing->cover.y[0];
    *y = at[0] * footing->cover.x[1] + at[1] * footing->cover.y[1];
}

void bearing_move_aside(Ground *ground, int row, int column, double depth, double x, double y, double size)
{
    if (depth <= 0.0) {
        return;
    }
    double floor_height = (double)ground->height[ground_index(ground, row, column)] - depth;
    int index;
    double loose;
    int64_t mass =
        ground_cut(ground, row, column, fmax(floor_height, ground_lowest(ground, row, column)), &index, &loose);
    ground_stop_at_fixture(ground, row, column, &x, &y);
    ground_spread(ground, x, y, size, index, mass);
}

/// Lowers the surface at a patch to where the ground still bears its pressure.
static void give_way(const Footing *footing, const BearingPatch *patch)
{
    Ground *ground = footing->ground;
    Vec3 normal;
    double drop = (depth_of(footing, patch, &normal) - patch->pressure / BEARING_MODULUS) / normal.z;
    if (drop <= 0.0) {
        return;
    }
    drop = fmin(drop, GIVING);
    double u = (patch->under.x - ground->origin_x) / ground->spacing,
           v = (patch->under.y - ground->origin_y) / ground->spacing;
    u = fmax(0.0, fmin(u, ground->columns - 1.001));
    v = fmax(0.0, fmin(v, ground->rows - 1.001));
    int column = (int)u, row = (int)v;
    double weight[4], squares = 0.0;
    for (int k = 0; k < 4; k++) {
        int index = ground_index(ground, row + k / 2, column + k % 2);
        bool above = (double)ground->height[index] > patch->at.z;
        weight[k] = above ? (k % 2 ? u - column : 1.0 - u + column) * (k / 2 ? v - row : 1.0 - v + row) : 0.0;
        squares += weight[k] * weight[k];
    }
    double size = fmax(2.0 * ground->spacing, fmin(footing_width(footing), HEAVE)), x, y;
    find_way(footing, patch, 0.5 * (size + ground->spacing), &x, &y);
    for (int k = 0; k < 4 && squares > 0.0; k++) {
        double height = (double)ground->height[ground_index(ground, row + k / 2, column + k % 2)];
        double depth = fmin(drop * weight[k] / squares, height - patch->at.z);
        if (depth > 0.0 && weight[k] > 0.0) {
            bearing_move_aside(ground, row + k / 2, column + k % 2, depth, x, y, size);
        }
    }
}

/// Lowers the column that a wall has passed to the wall's foot, and heaves what it held before the wall.
static void sweep(const Footing *footing, const BearingPatch *patch, double dt)
{
    Ground *ground = footing->ground;
    const SoilTool *tool = &footing->tool;
    Vec3 way = bearing_level_way(patch), arm = vec3_sub(patch->at, tool->motion.center);
    Vec3 behind = vec3_madd(patch->at, -bearing_reach(ground, way), way);
    int row, column;
    ground_column_at(ground, behind.x, behind.y, &row, &column);
    Vec3 middle =
        vec3(ground->origin_x + column * ground->spacing, ground->origin_y + row * ground->spacing, patch->at.z);
    Vec3 velocity = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, arm));
    double moved = fmax(0.0, dt * vec3_dot(velocity, patch->out));
    bool passed = vec3_dot(vec3_sub(patch->at, middle), way) >= 0.0;
    double beyond = nextafter(moved, HUGE_VAL);
    if (!passed || bearing_is_beyond(footing, behind) ||
        !tool_is_within(tool->shape, pose_apply_inverse(&tool->motion.frame, middle), beyond)) {
        return;
    }
    double foot = fmax(patch->at.z - bearing_half_height(footing, patch), ground->base);
    double size = fmax(2.0 * ground->spacing, fmin(patch->ahead, HEAVE)), before = 0.5 * (size + ground->spacing);
    double x = patch->at.x + before * way.x, y = patch->at.y + before * way.y;
    for (int layer = 0; layer < GROUND_LAYERS; layer++) {
        double height = (double)ground->height[ground_index(ground, row, column)];
        if (height - foot < THINNEST) {
            return;
        }
        double bottom = fmax(foot, ground_top_bottom(ground, row, column));
        bearing_move_aside(ground, row, column, height - bottom, x, y, size);
    }
}

/// A level rectangle along a way around a patch, and behind it by a column.
static GroundCover cover_of(const Footing *footing, const BearingPatch *patch, Vec3 way)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    Vec3 a = mat3_mul(turn, patch->along_local), b = mat3_mul(turn, patch->across_local);
    GroundCover cover = {.x = {way.x, way.y}, .y = {-way.y, way.x}};
    double along = patch->at.x * way.x + patch->at.y * way.y, across = patch->at.y * way.x - patch->at.x * way.y;
    double half = fabs(a.y * way.x - a.x * way.y) + fabs(b.y * way.x - b.x * way.y);
    cover.low[0] = along - footing->ground->spacing;
    cover.high[0] = along;
    cover.low[1] = across - half;
    cover.high[1] = across + half;
    return cover;
}

/// Notes the ground behind the walls of a footing that are pressed, one rectangle a face.
static void cover_walls(const Bearing *bearing, const Footing *footing)
{
    Ground *ground = footing->ground;
    GroundCover *cover = NULL;
    uint32_t face = 0;
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (!patch->wall || patch->pushed <= 0.0) {
            continue;
        }
        if (cover == NULL || bearing_face_of(patch) != face) {
            if (ground->cover_count == GROUND_COVERS) {
                return;
            }
            cover = &ground->covers[ground->cover_count++];
            face = bearing_face_of(patch);
            *cover = cover_of(footing, patch, bearing_level_way(patch));
        }
        GroundCover more = cover_of(footing, patch, vec3(cover->x[0], cover->x[1], 0.0));
        for (int axis = 0; axis < 2; axis++) {
            cover->low[axis] = fmin(cover->low[axis], more.low[axis]);
            cover->high[axis] = fmax(cover->high[axis], more.high[axis]);
        }
    }
}

/// Notes the rectangles that tools rest on: no soil slides in below them, nor through the walls that they push.
static void cover_grounds(const Bearing *bearing, Grounds *grounds)
{
    grounds->site->cover_count = 0;
    for (int t = 0; t < grounds->tray_count; t++) {
        grounds->trays[t].ground->cover_count = 0;
    }
    for (int f = 0; f < bearing->footing_count; f++) {
        const Footing *footing = &bearing->footings[f];
        if (footing->pressed > 0 && footing->ground->cover_count < GROUND_COVERS) {
            footing->ground->covers[footing->ground->cover_count++] = footing->cover;
        }
    }
    for (int f = 0; f < bearing->footing_count; f++) {
        cover_walls(bearing, &bearing->footings[f]);
    }
}

void bearing_fail(const Bearing *bearing, Grounds *grounds)
{
    cover_grounds(bearing, grounds);
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight > 0.0) {
            compact_under(&bearing->footings[patch->footing], patch);
        }
    }
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        const Footing *footing = &bearing->footings[patch->footing];
        if (patch->wall && patch->pushed > 0.0) {
            sweep(footing, patch, bearing->tick);
        } else if (patch->fails && !patch->wall) {
            give_way(footing, patch);
        }
    }
}
