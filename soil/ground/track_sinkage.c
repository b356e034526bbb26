/// Presses columns of ground under tracks and tyres, and remembers how far. The laws stand in the header.
#include "soil/ground/track_sinkage.h"

#include <math.h>

#include "data/core/elementary.h"
#include "soil/ground/footprint.h"

#define SLIP_SINKAGE 1.5
/// m: a column sinks by no less at a time, so that a machine at rest changes nothing. Chosen.
#define LEAST 1e-4
/// m/s: soil sinks no faster under a track; what it resists meanwhile is its bearing. Chosen; see test_soil_compact.
#define TRACK_RATE 0.12
#define BERM       0.4 ///< m: width of the strip beside a track on which what it displaces is laid. Chosen

/// Pa for each metre^n: Bekker's modulus of a strip.
static double modulus(const SoilParams *soil, double width)
{
    return soil->sinkage_cohesive / width + soil->sinkage_frictional;
}

double sinkage_depth(const SoilParams *soil, double width, double pressure)
{
    return pressure > 0.0 ? same_exp(same_log(pressure / modulus(soil, width)) / soil->sinkage_exponent) : 0.0;
}

/// Pa that the ground bears at `depth`, m.
static double pressure_at(const SoilParams *soil, double width, double depth)
{
    return depth > 0.0 ? modulus(soil, width) * same_exp(same_log(depth) * soil->sinkage_exponent) : 0.0;
}

double ground_pressed_depth(const Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile == NULL) {
        return 0.0;
    }
    int slot = ground_tile_slot(row, column);
    double changed = fabs((double)ground->height[ground_index(ground, row, column)] - (double)tile->pressed_top[slot]);
    return fmax(0.0, (double)tile->pressed[slot] - changed);
}

double ground_track_bearing(const Ground *ground, int row, int column, double width, double depth)
{
    const SoilParams *soil = &ground->soils[ground_top_soil(ground, row, column)];
    return depth > 0.0 ? pressure_at(soil, width, ground_pressed_depth(ground, row, column) + depth) : 0.0;
}

/// Notes how far a column has been pressed down, and what it has yet to sink, m.
static void remember(Ground *ground, int row, int column, double pressed, double shorn)
{
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    int slot = ground_tile_slot(row, column);
    if (tile == NULL) {
        tile = ground_touch(ground, row, column, &slot);
    }
    tile->pressed[slot] = (float)pressed;
    tile->pressed_top[slot] = ground->height[ground_index(ground, row, column)];
    tile->shorn[slot] = (float)shorn;
}

static double shorn_depth(const Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    return tile != NULL ? (double)tile->shorn[ground_tile_slot(row, column)] : 0.0;
}

void ground_note_pressed(Ground *ground, int row, int column, double before, double more)
{
    remember(ground, row, column, before + more, shorn_depth(ground, row, column));
}

static void sink_column(Ground *ground, const SoilFootprint *patch, const FootprintWalk *at, double most)
{
    int row = at->row, column = at->column;
    double plane = patch->middle.z + patch->slope[0] * at->along + patch->slope[1] * at->across;
    double elastic = (double)ground->height[ground_index(ground, row, column)] - plane;
    if (elastic <= 0.0) {
        return;
    }
    double pressed = ground_pressed_depth(ground, row, column);
    double stays = elastic - ground_track_bearing(ground, row, column, patch->width, elastic) / patch->stiffness;
    double shorn =
        shorn_depth(ground, row, column) + SLIP_SINKAGE * (pressed + elastic) * patch->sheared / patch->track_length;
    stays = fmin(fmax(0.0, stays), most);
    shorn = fmin(shorn, most);
    if (stays + shorn < LEAST) {
        if (shorn > 0.0) {
            remember(ground, row, column, pressed, shorn);
        }
        return;
    }
    double aside = 0.5 * (patch->width + BERM + ground->spacing) * (at->across < 0.0 ? -1.0 : 1.0);
    ground_move_aside(ground, row, column, stays + shorn, patch->middle.x + at->along * at->c - aside * at->s,
                      patch->middle.y + at->along * at->s + aside * at->c, BERM);
    remember(ground, row, column, pressed + stays, 0.0);
}

void ground_press(Ground *ground, const SoilFootprint *patch, double tick)
{
    FootprintWalk at = footprint_walk(ground, patch);
    while (footprint_next(ground, patch, &at)) {
        if (ground_is_inside_fixture(ground, at.row, at.column)) {
            continue;
        }
        double pressed = ground_pressed_depth(ground, at.row, at.column);
        double before = (double)ground->height[ground_index(ground, at.row, at.column)];
        ground_compact(ground, at.row, at.column, patch->pressure, patch->width, TRACK_RATE * tick);
        if ((double)ground->height[ground_index(ground, at.row, at.column)] < before) {
            remember(ground, at.row, at.column, pressed, shorn_depth(ground, at.row, at.column));
        }
        if (patch->stiffness > 0.0) {
            sink_column(ground, patch, &at, TRACK_RATE * tick);
        }
    }
}
