/// What stands and lies on the site: ground with its marks, particles, dust, rocks, trucks, loads, struts of a machine,
/// staffs and lines. Filled from the simulation once a frame. World frame: x east, y north, z up; m, rad, s.
///
/// All pointers belong to the caller. Nothing here calls OpenGL.
#ifndef SPADEWORK_RENDER_SITE_H
#define SPADEWORK_RENDER_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"
#include "data/schema/scene_params.h"

enum {
    RENDER_MAX_GRIDS = 4,
    RENDER_MAX_STRUTS = 16,
    /// A ring around each person has 40 at most, a target 64, the place of a load 40.
    RENDER_MAX_LINES = 384 + 40 * SCENE_MAX_PERSONS + 64 * SCENE_MAX_TARGETS + 40 * SCENE_MAX_LOADS,
    RENDER_MAX_ROCK_SHAPES = 320, ///< ROCK_MAX_KINDS
    RENDER_MAX_ROCK_TRIANGLES = 44,
    RENDER_MAX_TRUCKS = 2,
};

/// ---- ground --------------------------------------------------------------------------------------------------------

enum {
    RENDER_STRATA = 4, ///< layers of a column that a grid holds
    RENDER_STRATUM_STEPS = 500, ///< steps of their depth a metre
    RENDER_COVER_DEEP = 31, ///< steps of a cover's thickness: nothing under it is seen
    RENDER_COVER_STEPS = 500 ///< a metre
};

/// Packs a layer of a column: its soil (index into the scene's soils), whether it is loose, and how deep below the
/// column's top its lower side lies (m; what is deeper than 8.19 m counts as that). Never 0.
static inline uint16_t render_stratum(int soil, bool loose, double depth)
{
    double steps = depth * RENDER_STRATUM_STEPS;
    int deep = steps < 1.0 ? 1 : steps < 4095.0 ? (int)steps : 4095;
    return (uint16_t)(deep << 4 | (loose ? 8 : 0) | (soil & 7));
}

/// Packs the cover of a column: how thick loose soil lies there (m) on ground that is as it was at the start, and that
/// ground's soil. What is thicker than 6 cm counts as that.
static inline uint8_t render_cover(int under, double thickness)
{
    double steps = thickness * RENDER_COVER_STEPS;
    int deep = steps < 0.0 ? 0 : steps < (double)RENDER_COVER_DEEP ? (int)steps : RENDER_COVER_DEEP;
    return (uint8_t)(deep << 3 | (under & 7));
}

/// What made a mark.
typedef enum RenderTraceKind {
    RENDER_TRACE_BELT = 1, ///< bars across the way
    RENDER_TRACE_TEETH, ///< grooves along it
    RENDER_TRACE_BLADE ///< smooth, with a line along each end of the edge
} RenderTraceKind;
enum { RENDER_TRACE_FULL = 63 }; ///< strength of a mark that is fresh

/// Packs a mark in a column: the direction that it runs in, `heading` (rad); `turns` of the pattern at the column's
/// middle, whole ones left away; how far the column lies to the left of the middle, as a share of the width of belt or
/// blade, -0.5..0.5.
/// strength  1..RENDER_TRACE_FULL
uint32_t render_mark(RenderTraceKind kind, int strength, double heading, double turns, double left);
/// The same mark with another strength; 0: none is left.
uint32_t render_mark_faded(uint32_t mark, int strength);

/// A height grid, arrays [rows][columns], row-major; grid frame -> world by `x, y, heading` (heights are world z).
typedef struct RenderGrid {
    int rows, columns; ///< 2 or more each, else the grid is not drawn
    double spacing; ///< m between columns, > 0
    double origin_x, origin_y; ///< m: column (0, 0) in the grid frame
    double x, y, heading; ///< m, m, rad: the grid frame's origin in the world
    double floor; ///< m, of a tray: the height that counts as its floor
    bool moves; ///< a tray that stands at `frame` instead of `x, y, heading`
    Pose frame; ///< of a tray that moves: its floor's middle and axes in the world
    const float *height; ///< m
    const uint8_t *soil; ///< index into the scene's soils, 0..7; NULL: 0 everywhere
    const uint8_t *loose; ///< 0 weathered .. 255 fresh; NULL: 0 everywhere
    /// m: heights that the ground beyond the edge has, as column_grid_height (data/core) has them; NULL: those of the
    /// outermost columns.
    const float *border;
    /// [rows][columns][RENDER_STRATA] of render_stratum, the uppermost first, where ground is steep: what a face shows
    /// at its depth; 0: not known, the face has the colour of its top. NULL: nowhere known.
    const uint16_t *strata;
    /// [rows][columns] of render_cover, where loose soil lies on what was there at the start; else
    /// RENDER_COVER_DEEP << 3. NULL: nowhere known, and all that is loose hides what is under it.
    const uint8_t *cover;
    const uint32_t *marks; ///< [rows][columns] of render_mark; 0: none; NULL: nowhere any
    double bar_pitch, bar_width; ///< m, of a belt's marks: between its bars; of the belt; 0: there are none
    double tooth_pitch; ///< m, of a bucket's marks: between its teeth
    double blade_width; ///< m, of the marks of an edge without teeth
    /// What changed since the last draw, both ends included; min > max: nothing.
    int dirty_row_min, dirty_row_max, dirty_column_min, dirty_column_max;
    bool all_dirty; ///< all of it changed, as after a seek or a restart
} RenderGrid;

/// ---- objects -------------------------------------------------------------------------------------------------------

enum { RENDER_MAX_PUFFS = 512 };
#define RENDER_PUFF_LIFE 2.6 ///< s after which a puff is no longer seen

/// A puff of dust as it began; how it drifts and thins out follows from its age.
typedef struct RenderPuff {
    float at[3], ground; ///< m, world; m: height of the ground under it
    float born, strength, radius, rise; ///< s; share 0..1 of light that it takes; m; m/s upwards
    uint32_t number; ///< its number * 8 + index into the scene's soils
} RenderPuff;

/// Dust in the air.
typedef struct RenderDust {
    int count; ///< 0..RENDER_MAX_PUFFS
    const RenderPuff *puffs; ///< [count]
    double now; ///< s, of the clock that `born` is of
} RenderDust;

enum { RENDER_TRUCK_SUPPORTS = 4 }; ///< rear left, rear right, front left, front right

/// A truck that drives; its measures are the scene's.
typedef struct RenderTruck {
    Pose chassis, bed; ///< frames as of data/schema/truck_params.h
    double rolled; ///< m that the wheels have run
    double steering; ///< rad of the front wheels, + left
    double travel[RENDER_TRUCK_SUPPORTS]; ///< m by which the wheels have moved up into the chassis
} RenderTruck;

enum { RENDER_LOAD_LEGS = 2 };

/// A pipe, a log or a trench box to be lifted, and the sling that it hangs on.
typedef struct RenderLoad {
    Vec3 end[2]; ///< m, world: ends of its axis
    bool solid; ///< it is a log
    double radius; ///< m; 0 of a trench box
    double width, height, wall; ///< m: of a trench box, outside, and its plates' thickness; 0 of a pipe
    Vec3 up; ///< unit: upwards in its frame
    int leg_count; ///< 0..RENDER_LOAD_LEGS; 0: it is on no hook
    Vec3 eye, hitch[RENDER_LOAD_LEGS]; ///< m, world: upper end of all legs; lower end of each
} RenderLoad;

/// Water that stands on the site. It is drawn as a level surface over its box; what of the ground is higher hides it.
typedef struct RenderWater {
    double depth; ///< m: of the deepest place; 0: there is none
    double level; ///< m, world
    double low[2], high[2]; ///< m, world: its box in plan
} RenderWater;

/// A fixture that was pushed over.
typedef struct RenderFall {
    bool lies;
    double heading; ///< rad: towards which it fell
} RenderFall;

/// A thing to be looked at on a walk round the machine.
typedef struct RenderThing {
    SceneThingLook look;
    Pose frame; ///< world, m: x out of its front
} RenderThing;

enum { RENDER_MAX_TOOLS = 1 + SCENE_MAX_TOOLS };

/// A tool that no machine holds.
typedef struct RenderTool {
    const MachineParams *params; ///< a machine that has it on its own pins; its first tool's body is drawn
    Pose frame; ///< world, m: of that body
} RenderTool;

/// Particles of soil; arrays by field, [count].
typedef struct RenderParticles {
    int count; ///< 0 or more
    const float *xyzr; ///< 4 a particle: world position (m), radius
    const uint8_t *soil; ///< index into the scene's soils, 0..7; NULL: 0
    const uint32_t *id; ///< the same number from frame to frame: colour and shape vary by it; NULL: the index
    const uint8_t *tint; ///< 4 a particle: sRGB colour laid over it and its share; NULL: none
} RenderParticles;

/// A kind of rock: its surface, in the rock's frame. Unused triangles are zero.
typedef struct RenderRockShape {
    int triangle_count; ///< 0..RENDER_MAX_ROCK_TRIANGLES
    float triangle[RENDER_MAX_ROCK_TRIANGLES][3][3]; ///< m: corners, counter-clockwise seen from outside
    float normal[RENDER_MAX_ROCK_TRIANGLES][3]; ///< unit
} RenderRockShape;

/// A rock.
typedef struct RenderRock {
    int shape; ///< index into RenderRocks.shapes
    Pose frame; ///< world
} RenderRock;

/// Rocks and the shapes that they have.
typedef struct RenderRocks {
    int shape_count; ///< 0..RENDER_MAX_ROCK_SHAPES
    const RenderRockShape *shapes; ///< [shape_count]
    int count; ///< 0 or more
    const RenderRock *rocks; ///< [count]
} RenderRocks;

/// A hydraulic cylinder or a bar between two points of a machine.
typedef struct RenderStrut {
    bool bar; ///< false: hydraulic cylinder (barrel and rod); true: plain bar
    Vec3 a, b; ///< m, world: its ends, the barrel's first
    double radius, rod_radius; ///< m: of the barrel or bar; of the rod
    double barrel; ///< m: length of the barrel
} RenderStrut;

/// Parts of a machine that get dirty, each by what it touches.
typedef enum RenderDirtPart {
    RENDER_DIRT_TOOL, ///< bucket, blade; with the end of the arm that carries it
    RENDER_DIRT_SECOND, ///< ripper
    RENDER_DIRT_ARM, ///< boom, stick, push arms and cylinders, most near the tool
    RENDER_DIRT_BELTS,
    RENDER_DIRT_BASE, ///< undercarriage
    RENDER_DIRT_PARTS
} RenderDirtPart;

/// Soil that sticks to a part.
typedef struct RenderDirt {
    float color[3]; ///< 0..1, linear: of what sticks, dry
    float share; ///< 0..1 of the surface that is covered
    float wet; ///< 0..1 from dry to as moist as ground that was just opened
} RenderDirt;

enum { RENDER_MAX_STAFFS = 48 };

/// Staffs that depths and heights are read from in the picture.
typedef enum RenderStaffKind {
    RENDER_STAFF_POLE, ///< a ranging pole, round: red and white, half a metre each
    RENDER_STAFF_STAKE, ///< a wooden stake with bands of 0.1 m over its zero, which is a blue band
    RENDER_STAFF_BOARD, ///< bands of 0.1 m, another colour for each metre, with decimetres in figures at every fifth
    RENDER_STAFF_PROFILE, ///< a stake as broad as a hand with a rail at its top, to its right, that states its height
} RenderStaffKind;

/// A staff. It is only drawn: nothing touches it.
typedef struct RenderStaff {
    RenderStaffKind kind;
    Vec3 at; ///< m, world: its axis, at the zero that its bands count from
    double heading; ///< rad: direction that its face looks in
    double low, high; ///< m over the zero: its ends; a board's bands count from the zero up and down
} RenderStaff;

/// A coloured line: of the exercise overlay (marked trench, dump circle, depth) or of the debug view. Where both ends
/// are the same it is a dot.
typedef struct RenderLine {
    Vec3 a, b; ///< m, world
    float color[4]; ///< 0..1, sRGB and opacity
    float width; ///< times the usual one, > 0; 0 counts as 1
} RenderLine;

#endif
