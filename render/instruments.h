/// Instruments that measure the soil for the operator: the debug view, the grade display, and the section of the
/// ground. Each is filled from the simulation while it is shown. Pointers belong to the caller.
#ifndef SPADEWORK_RENDER_INSTRUMENTS_H
#define SPADEWORK_RENDER_INSTRUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "render/site.h"

enum {
    RENDER_GRADE_POINTS = 97, ///< of a section
    RENDER_GRADE_CELLS = 48, ///< a side of the map, at most
    RENDER_GRADE_LINES = 96,
    RENDER_GRADE_TOOL = 160, ///< corners of the tool's outline
    RENDER_SECTION_COLUMNS = 256,
    RENDER_SECTION_LAYERS = 6 ///< of soil in a column
};

/// The debug view: the state of the soil, as lines in the picture and as figures in a panel.
typedef struct RenderDebug {
    bool visible;
    int ground_line_count; ///< 0 or more
    const RenderLine *ground_lines; ///< hidden by what stands before them
    int force_line_count; ///< 0 or more
    const RenderLine *force_lines; ///< seen through everything
    int64_t tick; ///< of the session
    bool known; ///< false after a start or a seek: what belongs to a tick is shown as a dash
    int particles, budget; ///< particles that move; most that may
    double crowding; ///< 0..1: how strongly soil is settled sooner because too much of it moves
    int contacts, tool_contacts; ///< of particles; those of them with tools
    int spawned, absorbed; ///< in the last tick
    int active_columns; ///< of the ground
    int cut_columns, recent_cut_columns; ///< in the last tick; in the last half second
    int yields; ///< places where intact ground is overstressed
    double soil_ms, machine_ms, tick_ms; ///< ms of wall time in the last tick
    double quantum; ///< kg: the unit of mass
    int64_t mass_ground, mass_particles, mass_trays, mass_left, mass_total; ///< quanta
    int64_t mass_drift; ///< quanta: the total less what it was at the start
    double force; ///< N on the tool, mean over the last tick
    double arrow_scale, contact_scale; ///< N a metre of the force's arrow and of a contact's line
    double contact_force; ///< N at the upper end of the colours
} RenderDebug;

/// Colours (sRGB, opaque) of the debug view's lines, which its panel explains.
static const float render_debug_cut[4] = {1.0f, 0.55f, 0.10f, 1.0f};
static const float render_debug_yield[4] = {1.0f, 0.25f, 0.85f, 1.0f};
static const float render_debug_changed[4] = {0.20f, 0.95f, 0.90f, 1.0f};
static const float render_debug_sliding[4] = {0.30f, 0.50f, 1.00f, 1.0f};
/// Writes the `color` (sRGB, opaque; any thread) of a contact's force, from blue over green to red: `share` of
/// RenderDebug.contact_force, 0..1; the colours go with its root, so that small forces can be distinguished.
void render_force_color(double share, float color[4]);

#define RENDER_NO_DESIGN    (-1e4f) ///< m: a height of the design where nothing is asked for
#define RENDER_GRADE_ASPECT 2.4 ///< width of the section over its height

/// The operator's grade display: how far the tool's edge is from the design, seen from the side and from above.
typedef struct RenderGrade {
    bool visible; ///< the panel
    bool colors; ///< cut and fill on the ground, which needs `design`
    double tolerance; ///< m, > 0
    const char *name; ///< "Trench", "Surface"
    bool over; ///< the edge's middle is where the design asks for something
    double offset[3]; ///< m over the design, of the edge's left end, middle and right end; NaN: off the design
    double depth; ///< m of the edge's middle below z = 0
    double cut, fill, overdig; ///< m3: left to cut, left to fill, dug too deep; < 0: not measured
    /// Section through the edge's middle, in the arm's or the machine's direction; m ahead of the edge, m world.
    double from, step; ///< m: of the first point; between points
    double low; ///< m: of the section's lower edge; it is (RENDER_GRADE_POINTS - 1) * step / RENDER_GRADE_ASPECT high
    float ground[RENDER_GRADE_POINTS]; ///< m, world z
    float wanted[RENDER_GRADE_POINTS]; ///< m, world z; RENDER_NO_DESIGN: nothing is asked for
    double edge_height; ///< m, world z: of the edge's middle
    int tool_count; ///< 0..RENDER_GRADE_TOOL: corners of the tool's plates one after the other, each closed
    float tool[RENDER_GRADE_TOOL][2]; ///< m ahead of the edge, m world
    bool tool_starts[RENDER_GRADE_TOOL]; ///< a plate begins
    /// Map, north up: errors in steps of a third of the tolerance, -127 to 127, above 0 too high; -128: nothing asked.
    int rows, columns; ///< 0..RENDER_GRADE_CELLS each
    double map_x, map_y, cell; ///< m: lower left corner and side of the first cell
    int8_t error[RENDER_GRADE_CELLS * RENDER_GRADE_CELLS]; ///< [rows][columns]
    int line_count; ///< 0..RENDER_GRADE_LINES
    float lines[RENDER_GRADE_LINES][4]; ///< m: x, y of both ends of the design's sides
    double base_x, base_y, heading; ///< m, m, rad: the machine
    double edge[2][2]; ///< m: x, y of the left and right end of the edge
    /// For the colours on the ground.
    const float *design; ///< m, [rows][columns] of grid 0; RENDER_NO_DESIGN: nothing is asked for; NULL: not known
    uint64_t design_key; ///< another number for another design
} RenderGrade;

/// Writes the `color` (sRGB, 0..1) of ground that is `error` m too high (orange) or too low (blue): white within the
/// tolerance (m), then the stronger the more it is out, to six times the tolerance. Pure; any thread.
void render_grade_color(double error, double tolerance, float color[3]);

/// The layers of the ground where a section cuts it: columns with a step between them.
typedef struct RenderSection {
    bool visible; ///< false: the ground that the section camera cuts is hollow
    Vec3 start, along; ///< m, world: where the first column is; unit, level
    double step; ///< m, > 0: from a column to the next
    float surface[RENDER_SECTION_COLUMNS + 1]; ///< m, world z
    uint8_t count[RENDER_SECTION_COLUMNS + 1]; ///< 0..RENDER_SECTION_LAYERS: layers, top first
    float bottom[RENDER_SECTION_COLUMNS + 1][RENDER_SECTION_LAYERS]; ///< m, world z; below the last is bedrock
    uint8_t soil[RENDER_SECTION_COLUMNS + 1][RENDER_SECTION_LAYERS]; ///< index into the scene's soils
    uint8_t loose[RENDER_SECTION_COLUMNS + 1][RENDER_SECTION_LAYERS]; ///< 0 intact .. 255 as tipped
    float wanted[RENDER_SECTION_COLUMNS + 1]; ///< m, world z; RENDER_NO_DESIGN: nothing is asked for
} RenderSection;

#endif
