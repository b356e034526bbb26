/// Draws a RenderView: a plain snapshot of everything there is to see. Knows nothing of sessions, soil or ODE.
///
/// Needs a current OpenGL 3.3 core context (the caller makes it: a window, or offscreen). World frame: x east, y north, z up.
/// All pointers in a view belong to the caller and are read only during the call.
#ifndef SPADEWORK_RENDER_RENDER_H
#define SPADEWORK_RENDER_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "data/machine_params.h"
#include "data/operator_controls.h"
#include "data/scene_params.h"
#include "data/status.h"
#include "data/vec.h"

enum {
    RENDER_MAX_STRUTS = 16,
    RENDER_MAX_LINES = 256,
    RENDER_MAX_MENU = 32,
    RENDER_MAX_GRIDS = 4,
    RENDER_MAX_HINTS = 16
};

typedef enum RenderCamera {
    RENDER_CAMERA_ORBIT,
    RENDER_CAMERA_CHASE,
    RENDER_CAMERA_CAB,
    RENDER_CAMERA_COUNT
} RenderCamera;

/// A height grid, arrays [rows][columns], row-major; grid frame -> world by `x, y, heading` (heights are world z).
typedef struct RenderGrid {
    int rows, columns;
    double spacing, origin_x, origin_y; ///< m, of column (0, 0) in the grid frame
    double x, y, heading; ///< of the grid frame's origin in the world
    const float *height;
    const uint8_t *soil; ///< index into the scene's soils
    const uint8_t *loose; ///< 0 weathered .. 255 fresh
    int dirty_row_min, dirty_row_max, dirty_column_min, dirty_column_max; ///< since the last draw; min > max = none
    bool all_dirty; ///< after a seek or a restart
} RenderGrid;

typedef struct RenderParticles {
    int count;
    const float *xyzr; ///< 4 a particle: world position (m), radius
    const uint8_t *soil;
    const uint32_t *id; ///< for a stable variation of colour and shape
} RenderParticles;

typedef struct RenderStrut {
    bool bar; ///< false: hydraulic cylinder (barrel and rod); true: plain bar
    Vec3 a, b;
    double radius, rod_radius, barrel;
} RenderStrut;

/// A coloured line of the exercise overlay (marked trench, dump circle, depth).
typedef struct RenderLine {
    Vec3 a, b;
    float color[4];
} RenderLine;

typedef struct RenderHud {
    bool visible;
    const char *title; ///< scene title
    double time, time_limit; ///< s
    double score; ///< 0..100
    double levers[CONTROL_COUNT]; ///< -1..1
    const char *pattern; ///< "ISO" / "BHL"
    double pressure[4]; ///< Pa: swing, boom, stick, bucket
    double pressure_relief[4]; ///< Pa, full scale
    double engine_speed, engine_rated; ///< rad/s
    double pump_power; ///< W
    double payload; ///< kg
    double payload_full; ///< kg: of a heaped bucket
    double fuel; ///< kg
    double tool_force; ///< N
    double depth; ///< m of the tip below z = 0
    const char *limit; ///< "none", "relief", ...
    double real_time; ///< simulated s per wall s; below 0.98 a badge is shown
    const char *progress[6]; ///< exercise lines ("Depth 0.62 of 1.50 m"); NULL ends
    const char *message; ///< centre line (pad lost, recording stopped), NULL = none
    const char *hints[RENDER_MAX_HINTS]; ///< key and pad hints, one a line; NULL ends
    bool recording;
    bool paused;
} RenderHud;

/// A menu over the view (scene menu, pause menu).
typedef struct RenderMenu {
    bool visible;
    const char *title, *subtitle;
    int count, selected;
    const char *items[RENDER_MAX_MENU];
    const char *details[RENDER_MAX_MENU]; ///< second line of an item, NULL = none
    const char *footer;
} RenderMenu;

/// Time line of a replay.
typedef struct RenderTimeline {
    bool visible;
    double position, duration; ///< s
    double speed; ///< 0.25..16, 0 = paused
    int event_count;
    const double *events; ///< s, ascending
    const char *footer; ///< keys
} RenderTimeline;

typedef struct RenderView {
    const SceneParams *scene; ///< colours of soils, site; NULL: only the menu is drawn
    const MachineParams *machine; ///< shapes
    int grid_count;
    RenderGrid grids[RENDER_MAX_GRIDS]; ///< 0 = the site, then trays
    RenderParticles particles;
    Pose body[MACHINE_BODY_COUNT]; ///< frames of the machine's bodies (machine_params.h)
    double track_travel[2]; ///< m the belts have run
    int strut_count;
    RenderStrut struts[RENDER_MAX_STRUTS];
    int line_count;
    RenderLine lines[RENDER_MAX_LINES];
    RenderCamera camera;
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad, m about the machine
    double cab_yaw, cab_pitch; ///< rad: head of the driver
    RenderHud hud;
    RenderMenu menu;
    RenderTimeline timeline;
} RenderView;

typedef struct Renderer Renderer;

/// Needs the context current. `shader_folder`: data/shaders.
Renderer *render_create(const char *shader_folder, Status *status);
void render_destroy(Renderer *renderer);
/// Draws one frame of width x height pixels into the current framebuffer.
void render_draw(Renderer *renderer, const RenderView *view, int width, int height);
/// Writes the current framebuffer as PNG.
bool render_write_png(const char *path, int width, int height, Status *status);
/// Reads the current framebuffer, 3 bytes a pixel, top row first (for video).
void render_read_pixels(int width, int height, unsigned char *rgb);

#endif
