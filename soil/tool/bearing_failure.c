/// What a tool that presses on the ground does to it, at the end of a tick: loose soil under it compacts, ground that has
/// failed gives way to the side. A tool sinks only so: it never passes through ground.
///
/// Ground at its capacity under a plate flows out beside it and is heaved there (Prandtl's mechanism); what flows is
/// no longer bank soil. The surface under each failing point is lowered to where the point is, by the weights of the
/// bilinear surface, and the quanta taken there are spread over the ground beside what the tool rests on, on the side
/// that the point presses to.
#include <assert.h>
#include <math.h>

#include "soil/ground/compact.h"
#include "soil/contact/contact_geometry.h"

static_assert((int)SOIL_MAX_BODIES <= (int)GROUND_COVERS, "every body may rest on the ground");

#define SINKING  0.005 ///< m: loose soil compacts by no more in a tick
#define GIVING   0.05 ///< m: failed ground gives way by no more in a tick
#define SIDEWAYS 0.3 ///< a face leans so much towards a side that it pushes there
#define HEAVE    0.5 ///< m: widest strip beside a tool that is heaved

static double depth_of(const Soil *soil, const BearingPoint *point, Vec3 *normal)
{
    double height = ground_surface(soil->state.grounds.site, point->at.x, point->at.y, normal);
    return (height - point->at.z) * normal->z;
}

static void compact_under(Soil *soil, const Footing *footing, const BearingPoint *point)
{
    Vec3 normal;
    double depth = depth_of(soil, point, &normal);
    if (point->out.z > -0.5 || depth <= 0.0) {
        return;
    }
    int row, column;
    ground_column_at(soil->state.grounds.site, point->at.x, point->at.y, &row, &column);
    ground_compact(soil->state.grounds.site, row, column, point->pressure, footing_width(footing),
                   fmin(SINKING, 0.5 * depth));
}

/// Where the soil goes: beyond the footing's rectangle, towards where the face leans, or by the shortest way.
static void find_way(const Footing *footing, const BearingPoint *point, double size, double *x, double *y)
{
    double at[2] = {point->at.x * footing->cover.x[0] + point->at.y * footing->cover.x[1],
                    point->at.x * footing->cover.y[0] + point->at.y * footing->cover.y[1]};
    double out[2] = {point->out.x * footing->cover.x[0] + point->out.y * footing->cover.x[1],
                     point->out.x * footing->cover.y[0] + point->out.y * footing->cover.y[1]};
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
static void move_aside(Soil *soil, int row, int column, double depth, double x, double y, double size)
{
    Ground *ground = soil->state.grounds.site;
    double floor_height = (double)ground->height[ground_index(ground, row, column)] - depth;
    int index;
    double loose;
    int64_t mass = ground_cut(ground, row, column, fmax(floor_height, ground->base), &index, &loose);
    ground_spread(ground, x, y, size, index, mass);
}

/// Lowers the surface at a point to where the ground still bears its pressure.
static void give_way(Soil *soil, const Footing *footing, const BearingPoint *point)
{
    Ground *ground = soil->state.grounds.site;
    Vec3 normal;
    double drop = (depth_of(soil, point, &normal) - point->pressure / BEARING_MODULUS) / normal.z;
    if (drop <= 0.0) {
        return;
    }
    drop = fmin(drop, GIVING);
    double u = (point->at.x - ground->origin_x) / ground->spacing,
           v = (point->at.y - ground->origin_y) / ground->spacing;
    u = fmax(0.0, fmin(u, ground->columns - 1.001));
    v = fmax(0.0, fmin(v, ground->rows - 1.001));
    int column = (int)u, row = (int)v;
    double weight[4], squares = 0.0;
    for (int k = 0; k < 4; k++) {
        int index = ground_index(ground, row + k / 2, column + k % 2);
        bool above = (double)ground->height[index] > point->at.z;
        weight[k] = above ? (k % 2 ? u - column : 1.0 - u + column) * (k / 2 ? v - row : 1.0 - v + row) : 0.0;
        squares += weight[k] * weight[k];
    }
    double size = fmax(2.0 * ground->spacing, fmin(footing_width(footing), HEAVE)), x, y;
    find_way(footing, point, 0.5 * (size + ground->spacing), &x, &y);
    for (int k = 0; k < 4 && squares > 0.0; k++) {
        double height = (double)ground->height[ground_index(ground, row + k / 2, column + k % 2)];
        double depth = fmin(drop * weight[k] / squares, height - point->at.z);
        if (depth > 0.0 && weight[k] > 0.0) {
            move_aside(soil, row + k / 2, column + k % 2, depth, x, y, size);
        }
    }
}

/// By the tools that press.
static void cover_ground(Soil *soil)
{
    soil->state.grounds.site->cover_count = 0;
    for (int b = 0; b < soil->derived.body_count; b++) {
        if (soil->derived.footings[b].pressed > 0) {
            soil->state.grounds.site->covers[soil->state.grounds.site->cover_count++] = soil->derived.footings[b].cover;
        }
    }
}

void soil_tamp(Soil *soil)
{
    cover_ground(soil);
    for (int k = 0; k < soil->derived.pressed_count; k++) {
        const BearingPoint *point = &soil->derived.pressed[k];
        if (point->weight > 0.0) {
            compact_under(soil, &soil->derived.footings[point->body], point);
        }
    }
    for (int k = 0; k < soil->derived.pressed_count; k++) {
        const BearingPoint *point = &soil->derived.pressed[k];
        if (point->fails) {
            give_way(soil, &soil->derived.footings[point->body], point);
        }
    }
}
