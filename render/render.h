/// Draws a RenderView: a plain snapshot of everything there is to see. Knows nothing of sessions, soil or ODE.
///
///     Renderer *renderer = render_create(&params, &status); // with an OpenGL context
///     if (renderer != NULL) {
///         render_draw(renderer, &view, 1280, 720);
///         render_write_png("view.png", 1280, 720, &status);
///         render_destroy(renderer);
///     }
///
/// World frame: x east, y north, z up; m, rad, s, SI throughout; a view that is all zero is valid and shows nothing.
/// All pointers in a view belong to the caller and are read only during the call.
/// Thread: every function but those that say "any thread" needs a current OpenGL 3.3 core context, which the caller
/// makes (a window, or offscreen), and must be called from the thread that the context is current on.
#ifndef SPADEWORK_RENDER_RENDER_H
#define SPADEWORK_RENDER_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/operator_controls.h"
#include "data/core/status.h"
#include "data/core/vec.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/settings_params.h"
#include "render/dust.h"
#include "render/ground_trace.h"

enum {
    RENDER_MAX_STRUTS = 16,
    /// A ring around each person has 40 at most, a target 64, the place of a load 40.
    RENDER_MAX_LINES = 384 + 40 * SCENE_MAX_PERSONS + 64 * SCENE_MAX_TARGETS + 40 * SCENE_MAX_LOADS,
    RENDER_MAX_MENU = 256,
    RENDER_MAX_GRIDS = 4,
    RENDER_MAX_HINTS = 27,
    RENDER_TIMELINE_KEYS = 2,
    RENDER_MAX_CURVES = 6,
    RENDER_MAX_COLUMNS = 512,
    RENDER_MAX_DEVICES = 8,
    RENDER_MAX_ROCK_SHAPES = 320, ///< ROCK_MAX_KINDS
    RENDER_MAX_ROCK_TRIANGLES = 44,
    RENDER_MAX_TRUCKS = 2,
    RENDER_MAX_INSETS = 2,
    RENDER_GRADE_POINTS = 97, ///< of a section
    RENDER_GRADE_CELLS = 48, ///< a side of the map, at most
    RENDER_GRADE_LINES = 96,
    RENDER_GRADE_TOOL = 160, ///< corners of the tool's outline
    RENDER_SECTION_COLUMNS = 256,
    RENDER_SECTION_LAYERS = 6 ///< of soil in a column
};

typedef enum RenderCamera {
#define X(id, name) RENDER_CAMERA_##id,
    CAMERAS(X)
#undef X
        RENDER_CAMERA_COUNT
} RenderCamera;

/// Whether the mirrors of the cab show what is behind, to who sits in it.
typedef enum RenderMirrors {
    RENDER_MIRRORS_AUTO, ///< at high quality
    RENDER_MIRRORS_OFF, ///< they are grey
    RENDER_MIRRORS_ON,
} RenderMirrors;

enum {
    RENDER_STRATA = 4,
    RENDER_STRATUM_STEPS = 500
}; ///< layers of a column that are passed on; steps of depth a metre

/// Packs a layer of a column: its soil (index into the scene's soils), whether it is loose, and how deep below the
/// column's top its lower side lies (m; what is deeper than 8.19 m counts as that). Never 0.
static inline uint16_t render_stratum(int soil, bool loose, double depth)
{
    double steps = depth * RENDER_STRATUM_STEPS;
    int deep = steps < 1.0 ? 1 : steps < 4095.0 ? (int)steps : 4095;
    return (uint16_t)(deep << 4 | (loose ? 8 : 0) | (soil & 7));
}

/// A height grid, arrays [rows][columns], row-major; grid frame -> world by `x, y, heading` (heights are world z).
typedef struct RenderGrid {
    int rows, columns;
    double spacing, origin_x, origin_y; ///< m, of column (0, 0) in the grid frame
    double x, y, heading; ///< m, m, rad: of the grid frame's origin in the world
    double floor; ///< m: of a tray: height that counts as its floor
    bool moves; ///< a tray that lies as `frame` says instead
    Pose frame; ///< of a tray that moves: its floor's middle and axes in the world
    const float *height; ///< m, [rows][columns]
    const uint8_t *soil; ///< index into the scene's soils
    const uint8_t *loose; ///< 0 weathered .. 255 fresh
    /// [rows][columns][RENDER_STRATA] of render_stratum, the uppermost first, where ground is steep: what a face shows
    /// at its depth; 0: not known, the face looks as its top. NULL: nowhere known.
    const uint16_t *strata;
    const uint32_t *marks; ///< [rows][columns] of render_mark; 0: none; NULL: nowhere any
    double bar_pitch, bar_width, tooth_pitch; ///< m: of the marks; widths of a belt's, 0: there are none
    double blade_width; ///< m: of the marks of an edge without teeth
    int dirty_row_min, dirty_row_max, dirty_column_min, dirty_column_max; ///< since the last draw; min > max = none
    bool all_dirty; ///< after a seek or a restart
} RenderGrid;

enum { RENDER_TRUCK_SUPPORTS = 4 }; ///< rear left, rear right, front left, front right

/// A truck that drives; its measures are the scene's.
typedef struct RenderTruck {
    Pose chassis, bed; ///< frames as of data/schema/truck_params.h
    double rolled; ///< m the wheels have run
    double steering; ///< rad of the front wheels, + left
    double travel[RENDER_TRUCK_SUPPORTS]; ///< m by which the wheels have come up into the chassis
} RenderTruck;

enum { RENDER_LOAD_LEGS = 2 };

/// A pipe that is to be lifted, and the sling that it hangs on.
typedef struct RenderLoad {
    Vec3 end[2]; ///< m: of its axis
    double radius; ///< m
    int leg_count; ///< 0: it is on no hook
    Vec3 eye, hitch[RENDER_LOAD_LEGS]; ///< m: ends of the legs
} RenderLoad;

typedef struct RenderParticles {
    int count;
    const float *xyzr; ///< 4 a particle: world position (m), radius
    const uint8_t *soil;
    const uint32_t *id; ///< for a stable variation of colour and shape
    const uint8_t *tint; ///< 4 a particle: sRGB colour laid over it and its share; NULL: none
} RenderParticles;

/// A kind of rock: its surface, in the rock's frame. Unused triangles are zero.
typedef struct RenderRockShape {
    int triangle_count;
    float triangle[RENDER_MAX_ROCK_TRIANGLES][3][3]; ///< m: corners, counter-clockwise seen from outside
    float normal[RENDER_MAX_ROCK_TRIANGLES][3]; ///< unit
} RenderRockShape;

typedef struct RenderRock {
    int shape;
    Pose frame;
} RenderRock;

typedef struct RenderRocks {
    int shape_count; ///< 0..RENDER_MAX_ROCK_SHAPES
    const RenderRockShape *shapes;
    int count;
    const RenderRock *rocks;
} RenderRocks;

typedef struct RenderStrut {
    bool bar; ///< false: hydraulic cylinder (barrel and rod); true: plain bar
    Vec3 a, b;
    double radius, rod_radius, barrel; ///< m: of the barrel and of the rod, and length of the barrel
} RenderStrut;

enum { RENDER_MAX_STAFFS = 48 };

/// What depths and heights are read from in the picture.
typedef enum RenderStaffKind {
    RENDER_STAFF_POLE, ///< a ranging pole, round: red and white, half a metre each
    RENDER_STAFF_STAKE, ///< a wooden stake with bands of 0.1 m over its zero, which is a blue band
    RENDER_STAFF_BOARD, ///< bands of 0.1 m, another colour for each metre, with decimetres in figures at every fifth
    RENDER_STAFF_PROFILE, ///< a stake as broad as a hand with a rail at its top, to its right, that tells its height
} RenderStaffKind;

/// A staff that is only looked at: nothing touches it.
typedef struct RenderStaff {
    RenderStaffKind kind;
    Vec3 at; ///< m, world: its axis, at the zero that its bands count from
    double heading; ///< rad: where its face looks
    double low, high; ///< m over the zero: its ends; a board's bands count from the zero up and down
} RenderStaff;

/// A coloured line: of the exercise overlay (marked trench, dump circle, depth) or of the debug view. Where both ends
/// are the same it is a dot.
typedef struct RenderLine {
    Vec3 a, b;
    float color[4]; ///< 0..1, sRGB and opacity
    float width; ///< times the usual one; 0 = 1
} RenderLine;

/// One lever in the table of what each axis does.
typedef struct RenderControl {
    const char *lever, *less, *more; ///< "boom", "down", "up"
    const char *source; ///< what moves it now, or what can move it
    bool moved; ///< `source` is what moves it now
    bool analog; ///< and an axis, which reads `raw`
    bool waiting; ///< an axis must be let go once before it counts
    bool unrested; ///< it counts after a pause at the soonest
    double raw; ///< -1..1, as the device tells
    double value; ///< -1..1, what the machine gets
} RenderControl;

typedef struct RenderControls {
    bool visible;
    const char *title;
    int count;
    RenderControl rows[CONTROL_COUNT];
    int device_count;
    const char *devices[RENDER_MAX_DEVICES]; ///< "pedals: Pedals", "left: not plugged in"
    bool device_present[RENDER_MAX_DEVICES];
} RenderControls;

enum { RENDER_HUD_LINES = 8, RENDER_RACE_LINES = 2 }; ///< of an exercise, of a race, at most

typedef struct RenderHud {
    bool visible;
    bool compact; ///< gauges as a strip at the lower edge, no levers: the place of work stays free
    const char *title; ///< scene title
    double time, time_limit; ///< s; the limit 0: there is none
    bool unscored; ///< nothing gives points: no score is shown
    double score; ///< 0..100
    bool held; ///< score and progress are those of the ground before it was stirred, and wait for it to settle
    double levers[CONTROL_COUNT]; ///< -1..1
    const char *pattern; ///< "ISO" / "BHL" / "DOZER"
    double pressure[4]; ///< Pa, of the machine's joints
    double pressure_relief[4]; ///< Pa, full scale
    const char *joint_name[4]; ///< of what they are: "Boom", "Lift"; NULL ends
    const char *joint_value[4]; ///< what stands for the pressure; NULL: that
    bool at_relief[4]; ///< the joint's relief valve is open
    const char *drive; ///< "F2  4.3 km/h" instead of the pumps' power; NULL: that
    double engine_speed, engine_rated; ///< rad/s
    double pump_power; ///< W
    double payload, payload_full; ///< kg: in the bucket; of a heaped one
    double fuel; ///< kg
    double tool_force; ///< N: all that the tool feels
    double second_force; ///< N: the same of a second tool, a ripper
    const char *tool_name[2]; ///< "Blade", "Ripper" of a machine that has both; NULL: it has one tool
    double depth; ///< m of the tip below z = 0
    const char *limit[4]; ///< lamps side by side: "stall", "relief", ...; NULL ends
    bool limit_acts[4]; ///< the lamp is lit
    bool oil_hot; ///< the lamp of the oil's temperature is lit
    double real_time; ///< simulated s per wall s; below 0.98 a badge is shown
    const char *progress[RENDER_HUD_LINES]; ///< exercise lines ("Depth 0.62 of 1.50 m"); NULL ends
    int race_count; ///< 0..RENDER_RACE_LINES
    const char *race[RENDER_RACE_LINES]; ///< how far ahead of a ghost one is, under the exercise's lines
    const char *message; ///< centre lines (pad lost, recording stopped), one or two parted by \n; NULL = none
    const char *hints[RENDER_MAX_HINTS]; ///< key and pad hints, one a line; NULL ends
    RenderControls controls;
    bool recording;
    bool paused;
} RenderHud;

/// A picture inside a panel.
typedef struct RenderPicture {
    int width, height; ///< pixels
    const unsigned char
        *pixels; ///< [height][width] of 32 bits, 0xXXRRGGBB in the processor's order of bytes, as cairo's
    uint64_t id; ///< another picture has another number
} RenderPicture;

typedef enum RenderMenuStyle {
    RENDER_MENU_CHOICE,
    RENDER_MENU_CLOSED, ///< shown, but not open yet
    RENDER_MENU_TELLS, ///< a line of text, which cannot be chosen
    RENDER_MENU_HEADING, ///< the same over a group
} RenderMenuStyle;

/// A bar at the right end of an item, below or beside its value.
typedef struct RenderMenuBar {
    bool visible;
    bool two_way; ///< it grows from its middle
    bool done; ///< what it shows is as it should be
    double share; ///< 0..1, of two ways -1..1
} RenderMenuBar;

typedef struct RenderMenuItem {
    const char *text;
    const char *detail; ///< second line, NULL = none
    const char *value; ///< at the right end ("87 points"), NULL = none
    bool changes; ///< of a choice: the value stands between two arrows
    RenderMenuBar bar;
    RenderMenuStyle style;
} RenderMenuItem;

enum { RENDER_SIDE_PICTURES = 2 };

/// What stands beside a menu's items: pictures, below each other, and a text about the selected one.
typedef struct RenderMenuSide {
    bool visible;
    const RenderPicture *pictures[RENDER_SIDE_PICTURES]; ///< NULL = none
    const char *text; ///< broken into lines; NULL = none
} RenderMenuSide;

/// A menu over the view (scene menu, pause menu).
typedef struct RenderMenu {
    bool visible;
    const char *title, *subtitle;
    int count, selected; ///< selected: an item that can be chosen, or -1
    int first; ///< the first item in sight of a menu longer than its panel; -1: the selected one is near the middle
    RenderMenuItem items[RENDER_MAX_MENU];
    int before, whole; ///< of a menu that is shown in part: items before these, and all there are; whole 0: `count`
    RenderMenuSide side;
    const char *footer;
} RenderMenu;

/// Kinds of marks on a time line; each has a colour and a shape of its own.
typedef enum RenderMarkKind {
    RENDER_MARK_NOTE, ///< anything else: a thin line
    RENDER_MARK_CYCLE, ///< a work cycle ended: a green dot
    RENDER_MARK_DONE, ///< a step, a target or the exercise is done: a blue square
    RENDER_MARK_FAULT, ///< cost points or may cost some: an orange diamond
    RENDER_MARK_INCIDENT, ///< a red triangle
    RENDER_MARK_BOOKMARK, ///< set by a person: a violet flag
    RENDER_MARK_KINDS
} RenderMarkKind;

typedef struct RenderMark {
    double time; ///< s
    RenderMarkKind kind;
} RenderMark;

/// Time line of a replay.
typedef struct RenderTimeline {
    bool visible;
    double position, duration; ///< s
    double speed; ///< 0.25..16, 0 = paused
    int mark_count;
    const RenderMark *marks; ///< in order of time
    int chosen; ///< the selected mark, drawn larger; -1 = none
    const char *told; ///< what happened there; NULL = nothing
    const char *keys[RENDER_TIMELINE_KEYS]; ///< lines that explain the keys; NULL ends
} RenderTimeline;

/// One of what happened in a recording.
typedef struct RenderEvent {
    const char *time; ///< "1:04.2"
    const char *text; ///< "cycle: 640 kg in 21.3 s"
    RenderMarkKind kind;
} RenderEvent;

/// The list of what happened, beside the picture of a replay; a long one is shown in part, around the chosen row.
typedef struct RenderEvents {
    bool visible;
    const char *title;
    int count, chosen; ///< rows; the one that stands out, -1 = none
    const RenderEvent *rows; ///< in order of time
} RenderEvents;

/// A figure over time: in each column of the picture its least and its greatest value, 0 (lower edge) to 1 (upper
/// edge); not a number where there is none.
typedef struct RenderCurve {
    const char *name, *value; ///< "Boom"; what it is at the cursor: "21.4"
    const float *low, *high; ///< 0..1 [RenderCurves.columns]
} RenderCurve;

/// Curves of one kind under the picture of a replay, over the bar of the time line.
typedef struct RenderCurves {
    bool visible;
    const char *title; ///< "Pressures, MPa"
    const char *top, *bottom; ///< what the edges mean: "35", "0"
    const char *from, *to; ///< the times at the left and the right edge
    double cursor; ///< 0..1 along the time; below 0: not in sight
    double zero; ///< 0..1 up the picture: where a line stands for 0; below 0: none
    int columns; ///< 0..RENDER_MAX_COLUMNS
    int count;
    RenderCurve curves[RENDER_MAX_CURVES];
} RenderCurves;

/// The debug view: what goes on in the soil, as lines in the picture and as figures in a panel.
typedef struct RenderDebug {
    bool visible;
    int ground_line_count;
    const RenderLine *ground_lines; ///< hidden by what stands before them
    int force_line_count;
    const RenderLine *force_lines; ///< seen through everything
    int64_t tick;
    bool known; ///< false: after a start or a seek; what belongs to a tick is shown as a dash
    int particles, budget;
    double crowding; ///< 0..1: how strongly soil is settled sooner because too much of it moves
    int contacts, tool_contacts;
    int spawned, absorbed; ///< in the last tick
    int active_columns;
    int cut_columns, recent_cut_columns; ///< in the last tick; in the last half second
    int yields; ///< places where intact ground is overstressed
    double soil_ms, machine_ms, tick_ms; ///< ms, wall time of the last tick
    double quantum; ///< kg
    int64_t mass_ground, mass_particles, mass_trays, mass_total; ///< quanta
    int64_t mass_drift; ///< quanta: the total less what it was at the start
    double force; ///< N on the tool, mean over the last tick
    double arrow_scale, contact_scale; ///< N a metre of the force's arrow and of a contact's line
    double contact_force; ///< N at the end of the colours
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

/// The operator's grade display: how far the edge is from what it is to cut to, seen from the side and from above.
typedef struct RenderGrade {
    bool visible; ///< the panel
    bool colors; ///< cut and fill on the ground, which needs `design`
    double tolerance; ///< m
    const char *name; ///< "Trench", "Surface"
    bool over; ///< the edge's middle is where something is asked for
    double offset[3]; ///< m over the design of the edge's left end, middle and right end; not a number: off it
    double depth; ///< m of the edge's middle below z = 0
    double cut, fill, overdig; ///< m3: left to cut, left to fill, dug too deep; below 0: not measured
    /// Section through the edge's middle, in the arm's or the machine's direction; m ahead of the edge, m world.
    double from, step; ///< of the first point; between points
    double low; ///< m: of the section's lower edge; it is (RENDER_GRADE_POINTS - 1) * step / RENDER_GRADE_ASPECT high
    float ground[RENDER_GRADE_POINTS];
    float wanted[RENDER_GRADE_POINTS]; ///< RENDER_NO_DESIGN: nothing
    double edge_height; ///< m
    int tool_count; ///< corners of the tool's plates one after the other, each closed
    float tool[RENDER_GRADE_TOOL][2]; ///< m ahead of the edge, m world
    bool tool_starts[RENDER_GRADE_TOOL]; ///< a plate begins
    /// Map, north up: errors in steps of a third of the tolerance, -127 to 127, above 0 too high; -128: nothing asked.
    int rows, columns;
    double map_x, map_y, cell; ///< m: lower left corner and side of the first cell
    int8_t error[RENDER_GRADE_CELLS * RENDER_GRADE_CELLS]; ///< [rows][columns]
    int line_count;
    float lines[RENDER_GRADE_LINES][4]; ///< m: x, y of both ends of the design's sides
    double base_x, base_y, heading; ///< m, m, rad: the machine
    double edge[2][2]; ///< m: left and right end of the edge
    /// For the colours on the ground.
    const float *design; ///< m, [rows][columns] of grid 0; RENDER_NO_DESIGN: nothing is asked for; NULL: not known
    uint64_t design_key; ///< another one for another design
} RenderGrade;

/// Writes the `color` (sRGB, 0..1) of ground that is `error` m too high (orange) or too low (blue): white within the
/// tolerance (m), then the stronger the more it is out, to six times the tolerance. Pure; any thread.
void render_grade_color(double error, double tolerance, float color[3]);

/// What the ground is made of where a section cuts it: columns side by side.
typedef struct RenderSection {
    bool visible; ///< the section camera shows it; else its ground is cut, and hollow
    Vec3 start, along; ///< m, where the first column begins; unit, level
    double step; ///< m: width of a column
    float surface[RENDER_SECTION_COLUMNS + 1]; ///< m, world z: at the columns' edges
    uint8_t count[RENDER_SECTION_COLUMNS]; ///< layers, top first
    float bottom[RENDER_SECTION_COLUMNS][RENDER_SECTION_LAYERS]; ///< m, world z; below the last is bedrock
    uint8_t soil[RENDER_SECTION_COLUMNS][RENDER_SECTION_LAYERS]; ///< index into the scene's soils
    uint8_t loose[RENDER_SECTION_COLUMNS][RENDER_SECTION_LAYERS]; ///< 0 intact .. 255 as it was put down
    float wanted[RENDER_SECTION_COLUMNS + 1]; ///< m, world z at the edges; RENDER_NO_DESIGN: nothing is asked for
} RenderSection;

/// Another machine that is only looked at: drawn blue, and seen through.
typedef struct RenderGhost {
    const MachineParams *machine; ///< NULL: there is none
    Pose body[MACHINE_MAX_BODIES];
    double track_travel[2]; ///< m the belts have run
    int strut_count;
    RenderStrut struts[RENDER_MAX_STRUTS];
} RenderGhost;

/// How the panels are laid out; zero is the usual way.
typedef struct RenderLayout {
    double scale; ///< 0.75..1.5 of the usual size; 0 is 1
    bool mirrored; ///< what stands on the left stands on the right, and the other way round, but for the levers
    bool no_task; ///< without title, time, score and progress
    bool no_gauges; ///< without gauges and levers
    bool map; ///< with the site from above
} RenderLayout;

typedef struct RenderView {
    const SceneParams *scene; ///< colours of soils, site; NULL: only the menu is drawn
    double visibility; ///< m that one sees, instead of the scene's; 0: that
    const MachineParams *machine; ///< shapes
    int grid_count;
    RenderGrid grids[RENDER_MAX_GRIDS]; ///< 0 = the site, then trays
    RenderParticles particles;
    RenderDust dust; ///< not drawn at low quality
    RenderRocks rocks;
    Pose body[MACHINE_MAX_BODIES]; ///< frames of the machine's bodies (machine_params.h)
    double track_travel[2]; ///< m the belts have run
    int strut_count;
    RenderStrut struts[RENDER_MAX_STRUTS];
    int line_count;
    RenderLine lines[RENDER_MAX_LINES];
    int staff_count;
    RenderStaff staffs[RENDER_MAX_STAFFS];
    RenderCamera camera;
    int inset_count; ///< 0..RENDER_MAX_INSETS: smaller pictures in a corner
    RenderCamera insets[RENDER_MAX_INSETS];
    RenderMirrors mirrors;
    int screens; ///< 3: so many beside each other share the picture, panels on the middle one; else one
    double screen_angle; ///< rad, 0.2..2: that the eye sees one of three screens under; 0: 50 degrees
    int eyes; ///< 2: the left half is the left eye's; else one. Not with three screens
    double eye_distance; ///< m, 0..0.2; 0: 0.064
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad, m about the machine
    double cab_yaw, cab_pitch, cab_lean; ///< rad, rad: the driver's head; 0..1: how far he leans forward, to see down
    double plan_height, section_height; ///< m that plan and section show from top to bottom, 0: 24, 7
    double plan_x, plan_y; ///< m: the plan's middle beside the machine
    bool free_placed; ///< the free camera stands where the next says; else beside the machine
    Vec3 free_eye; ///< m
    double free_yaw, free_pitch; ///< rad: where it looks; pitch > 0 up
    TextUnits units; ///< that panels are written in
    RenderHud hud;
    RenderLayout layout;
    RenderMenu menu;
    RenderGhost ghost;
    RenderTimeline timeline;
    RenderEvents events;
    RenderCurves curves;
    RenderDebug debug;
    RenderGrade grade;
    RenderSection section;
    int truck_count; ///< 0: the scene's truck, if it has one, stands where the scene says
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int load_count;
    RenderLoad loads[SCENE_MAX_LOADS];
    double person_ground[SCENE_MAX_PERSONS]; ///< m, world: what the scene's persons stand on
    bool has_walker; ///< somebody walks in; world, his feet, and the direction that he looks in:
    Pose walker;
} RenderView;

typedef struct Renderer Renderer;

/// How much is drawn. MEDIUM is for slow graphics cards: the same things at fewer pixels. LOW is for computers that
/// draw in software: less fine ground, grains and shadows, plainer light.
typedef enum RenderQuality {
    RENDER_QUALITY_HIGH,
    RENDER_QUALITY_MEDIUM,
    RENDER_QUALITY_LOW,
    RENDER_QUALITY_COUNT
} RenderQuality;

typedef struct RenderParams {
    const char *shader_folder; ///< data/shaders; read by render_create only
    RenderQuality quality;
    bool no_shadow_map; ///< as where OpenGL cannot draw into a depth texture; for tests
} RenderParams;

/// Returns a new renderer, which the caller frees with render_destroy while the same context is current.
/// NULL with STATUS_LACKING in `status` when OpenGL is older than 3.3, a shader does not compile or memory is short.
Renderer *render_create(const RenderParams *params, Status *status);

/// What this computer's OpenGL cannot do and pictures go without, in words for a line; NULL: nothing.
const char *render_lack(const Renderer *renderer);

/// True when the current context is lost, with all that was made in it: the graphics card was reset or taken away. Only
/// a new context draws again; the renderer is then to be destroyed and made anew in that.
bool render_is_lost(void);

/// Frees the renderer and all it has on the GPU; NULL is left alone.
void render_destroy(Renderer *renderer);

/// Draws one frame of width x height pixels (>= 1, else nothing happens) into the current framebuffer, which needs a
/// depth buffer. Leaves the framebuffer bound, other state of OpenGL as it falls. Shapes that memory is short for are
/// left out.
void render_draw(Renderer *renderer, const RenderView *view, int width, int height);
/// From now on the scene has this share, more than 0 and at most 1, of the pixels along a side that the quality gives
/// it; a picture of 240 pixels' height or less has them all. Panels stay as they are. Shadows and small pictures are
/// drawn every few frames only, in turn, unless frames are to be `whole`.
void render_set_fineness(Renderer *renderer, double share, bool whole);
/// The passes of a frame, for measuring.
#define RENDER_PASSES(X)                                                                                               \
    X(UPLOAD, upload) /* what changed goes to the GPU */                                                               \
    X(SHADOW, shadow) /* all solids as the sun sees them */                                                            \
    X(GROUND, ground)                                                                                                  \
    X(GRAINS, grains)                                                                                                  \
    X(MACHINES, machines) /* and rocks, fixtures, loads, trucks */                                                     \
    X(SKY, sky) /* with lines, ghost and glass */                                                                      \
    X(PANELS, panels)
typedef enum RenderPass {
#define X(id, name) RENDER_PASS_##id,
    RENDER_PASSES(X)
#undef X
        RENDER_PASS_COUNT
} RenderPass;
extern const char *const render_pass_names[RENDER_PASS_COUNT]; ///< "upload", ...
/// From now on each pass is waited for, and the time that it took, s, is added to `seconds`, which the caller keeps;
/// NULL: no longer. Frames that are measured take longer as a whole.
void render_measure(Renderer *renderer, double seconds[RENDER_PASS_COUNT]);

/// Finds where the camera of a view stands (`eye`, m) and where it looks (`yaw`, `pitch` up, rad). Pure; any thread.
void render_camera_stand(const RenderView *view, Vec3 *eye, double *yaw, double *pitch);

/// The upright plane that the arm, or the middle of a blade, moves in.
typedef struct RenderPlane {
    Vec3 origin; ///< m: in it, at the tool's middle
    Vec3 ahead; ///< unit, level: where the arm reaches
    Vec3 right; ///< unit, level: out of the plane
} RenderPlane;
/// Finds the plane that the section camera cuts the ground in. Pure; any thread.
RenderPlane render_arm_plane(const RenderView *view);

/// Returns the pixels a design unit of the panels, in which the screen is 720 high: by the screen's height (pixels), in
/// a narrow window by its width. Pure; any thread.
double render_panel_unit(int width, int height);

/// Tells where the grip of the left or right joystick is: `at` = {to the right, ahead}, -1..1 of its way. Pure; any
/// thread.
/// levers   [CONTROL_COUNT], -1..1
/// pattern  as RenderHud's: "BHL" swaps boom and stick against "ISO", "DOZER" has tracks and blade; NULL: "ISO"
void render_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left, double at[2]);

/// Finds what lies at (x, y), pixels from the upper left, in a screen of width x height pixels. Pure; any thread.
/// Returns the share of the time line's duration, 0..1, or -1 elsewhere: the whole panel holds its bar.
double render_timeline_at(const RenderView *view, int width, int height, double x, double y);
/// Returns the row of the list of events at (x, y), pixels, or -1 elsewhere. Pure; any thread.
int render_event_at(const RenderView *view, int width, int height, double x, double y);
/// Returns the menu's item at (x, y), pixels, or -1 elsewhere. Pure; any thread.
int render_menu_at(const RenderView *view, int width, int height, double x, double y);
/// Returns -1 or 1 where (x, y), pixels, lies on the left or right arrow of an item (RenderMenuItem.changes), else 0.
/// Pure; any thread.
int render_menu_arrow_at(const RenderView *view, int width, int height, double x, double y);
/// Returns the first of the menu's items that are in sight, and writes how many are. Pure; any thread.
int render_menu_first(const RenderView *view, int width, int height, int *shown);

/// Writes width x height pixels of the current framebuffer as PNG. False with STATUS_LACKING in `status` for sizes that
/// are not possible, a file that cannot be written, or short memory.
bool render_write_png(const char *path, int width, int height, Status *status);

/// Reads width x height pixels of the current framebuffer into rgb [height][width][3], top row first.
void render_read_pixels(int width, int height, unsigned char *rgb);

#endif
