/// What a tool that presses on the ground does to it, at the end of a tick: loose soil under it compacts, ground that
/// has failed gives way to the side. A tool sinks only so: it never passes through ground.
///
/// Ground at its capacity under a plate flows out beside it and is heaved there (Prandtl's mechanism); what flows is
/// no longer bank soil. The surface under each failing patch is lowered to where the patch is, by the weights of the
/// bilinear surface, and the quanta taken there are spread over the ground beside what the tool rests on, on the side
/// that the patch presses to.
#include <assert.h>
#include <math.h>

#include "soil/ground/compact.h"
#include "soil/tool/bearing.h"

static_assert((int)SOIL_MAX_BODIES <= (int)GROUND_COVERS, "every body may rest on the ground");

#define SINKING 0.005 ///< m: loose soil compacts by no more in a tick. Chosen; see test_soil_bearing
#define GIVING  0.05 ///< m: failed ground gives way by no more in a tick. Chosen; see test_soil_bearing
/// Sine of the lean from which on a face pushes soil to the side it leans to. Chosen; see test_soil_bearing.
#define SIDEWAYS 0.3
#define HEAVE    0.5 ///< m: widest strip beside a tool that is heaved. Chosen; see test_soil_bearing

static double depth_of(const Ground *ground, const BearingPatch *patch, Vec3 *normal)
{
    double height = ground_surface(ground, patch->under.x, patch->under.y, normal);
    return (height - patch->at.z) * normal->z;
}

static void compact_under(Ground *ground, const Footing *footing, const BearingPatch *patch)
{
    Vec3 normal;
    double depth = depth_of(ground, patch, &normal);
    if (patch->out.z > -0.5 || depth <= 0.0) {
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

/// Takes `depth` m off a column and puts it down at (x, y), as wide as `size`.
static void move_aside(Ground *ground, int row, int column, double depth, double x, double y, double size)
{
    double floor_height = (double)ground->height[ground_index(ground, row, column)] - depth;
    int index;
    double loose;
    int64_t mass = ground_cut(ground, row, column, fmax(floor_height, ground->base), &index, &loose);
    ground_spread(ground, x, y, size, index, mass);
}

/// Lowers the surface at a patch to where the ground still bears its pressure.
static void give_way(Ground *ground, const Footing *footing, const BearingPatch *patch)
{
    Vec3 normal;
    double drop = (depth_of(ground, patch, &normal) - patch->pressure / BEARING_MODULUS) / normal.z;
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
            move_aside(ground, row + k / 2, column + k % 2, depth, x, y, size);
        }
    }
}

/// Notes the rectangles that tools rest on: no soil slides in below them.
static void cover_ground(const Bearing *bearing, int body_count, Ground *ground)
{
    ground->cover_count = 0;
    for (int b = 0; b < body_count; b++) {
        if (bearing->footings[b].pressed > 0) {
            ground->covers[ground->cover_count++] = bearing->footings[b].cover;
        }
    }
}

void bearing_fail(const Bearing *bearing, int body_count, Ground *ground)
{
    cover_ground(bearing, body_count, ground);
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight > 0.0) {
            compact_under(ground, &bearing->footings[patch->body], patch);
        }
    }
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->fails) {
            give_way(ground, &bearing->footings[patch->body], patch);
        }
    }
}
