/// One tray: a container that carries settled soil, moves and tips.
#ifndef SPADEWORK_SOIL_TRAY_H
#define SPADEWORK_SOIL_TRAY_H

#include "soil/ground/ground.h"
#include "soil/model.h"

/// m: thickness of a tray's walls and slab. Chosen so large that no particle is pushed through; see test_soil_tray.
#define TRAY_WALL 0.12

/// Its settled soil is a small ground of its own; floor and walls are a body on a prescribed way.
typedef struct Tray {
    SoilTray params;
    Ground *ground; ///< in the tray's frame, but that heights count from below params.floor
    ToolShape walls; ///< the tail is the last piece
    Pose frame; ///< origin in the middle of the floor. State
    bool tail_open; ///< State
    Vec3 velocity; ///< m/s, of this tick
    Vec3 spin; ///< rad/s, of this tick
    int32_t *first; ///< [rows * columns + 2] scratch (tray_unload.c)
} Tray;

/// Makes a level tray without soil. False, with nothing left behind, when memory is short.
bool tray_create(const SoilModel *model, const SoilTray *params, Tray *tray);
void tray_destroy(Tray *tray);
void tray_set_tail(Tray *tray, bool open);
/// m: how far below the floor the slab begins that keeps what is under the tray from coming up through it. What lies on
/// the floor is held by the tray's ground alone: it does not reach so deep.
double tray_slab_depth(const SoilModel *model);

/// The body of a tray as the contacts see it.
SoilTool tray_body(const Tray *tray);
/// Velocity of the tray at a place in the world, m/s.
Vec3 tray_velocity(const Tray *tray, Vec3 at);
/// A tool as it is seen from a tray: in the tray's frame, heights as of the tray's ground, velocities against the tray.
/// Its inverse inertia stays the world's.
SoilTool tray_see_tool(const Tray *tray, const SoilTool *tool);
/// Place in the world of one that is seen from a tray so.
Vec3 tray_show_place(const Tray *tray, Vec3 at);
/// True unless a place in the world is at least `margin` m beside the tray's floor.
bool tray_is_below(const Tray *tray, Vec3 at, double margin);
/// Moves the tray on by `h` seconds.
void tray_advance(Tray *tray, double h);

/// Surface of the settled load over a place of its floor: m off the floor, and its normal, both in the tray's frame.
double tray_surface(const Tray *tray, double x, double y, Vec3 *normal);
/// How steeply loose soil of a kind may rise, in the tray's frame, from the four edges of the tray as it leans.
typedef struct TrayEdges {
    int soil;
    bool slides; ///< the floor falls to an open tail more steeply than steel holds the soil
    double rise[4]; ///< m: of the tail, the front, and beside at low and high y
    double slope[4]; ///< tangent
} TrayEdges;
void tray_edges(const Tray *tray, int soil_index, TrayEdges *edges);
/// Height off the floor (m, tray's frame) that it may have at a place without running out.
double tray_stable_height(const Tray *tray, const TrayEdges *edges, double x, double y);
/// How far the floor falls a metre of the tray's x and y, at most 2.
void tray_find_lean(const Tray *tray, double lean[2]);
/// Tells the tray's ground how it leans, for its slopes.
void tray_lean(Tray *tray);
/// True when a particle at rest at a place in the world may settle: the tray stands still and about level, and the
/// particle would not run out.
bool tray_settles(const SoilModel *model, const Tray *tray, Vec3 at);

#endif
