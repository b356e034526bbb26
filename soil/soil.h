/// The soil: a layered heightfield whose disturbed part is particles.
///
/// Mass is an integer count of quanta (SOIL_QUANTUM kg each) in every form: ground column, particle, tray. Nothing
/// creates or destroys a quantum. World frame: x east, y north, z up; SI units. Results do not depend on the number of
/// threads. Nothing here allocates after soil_create except whole ground tiles, outside the tick's hot loops.
#ifndef SPADEWORK_SOIL_SOIL_H
#define SPADEWORK_SOIL_SOIL_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/constants.h"
#include "data/scene_params.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/core/vec.h"
#include "soil/soil_types.h"

typedef struct Soil Soil;

/// Creates the soil of a scene. The ground is generated from the scene and `seed`. `threads` 0 = one for each
/// processor.
Soil *soil_create(const SceneParams *scene, uint64_t seed, SoilSolver solver, int threads, Status *status);
void soil_destroy(Soil *soil);

/// Start of a tick: spawns particles ahead of the tools (for the motion of a whole tick of `dt`), sorts, finds
/// neighbours.
void soil_begin_tick(Soil *soil, const SoilTool *tools, int tool_count, double dt);
/// One substep of `dt`, the same in all of a soil's life; writes one wrench a tool.
void soil_substep(Soil *soil, const SoilTool *tools, int tool_count, double dt, Wrench *wrenches);
/// End of a tick: absorbs particles at rest, slides slopes, lets faces fail that are too high, checks the ledger.
void soil_end_tick(Soil *soil, const SoilTool *tools, int tool_count);

/// Mass in quanta by where it is. The sum never changes.
typedef struct SoilLedger {
    int64_t ground, particles, trays, total;
} SoilLedger;
SoilLedger soil_get_ledger(const Soil *soil);

/// Counters of the last tick.
typedef struct SoilCounters {
    int particles, contacts, active_columns;
    int spawned, absorbed;
    int faces, failed; ///< feet of intact faces that were judged, and that could not stand
    int lists; ///< how often neighbour lists were made anew in this tick
} SoilCounters;
SoilCounters soil_get_counters(const Soil *soil);

/// The ground surface at a place (outside the site: its edge).
typedef struct SoilSurface {
    double height;
    Vec3 normal;
    double looseness; ///< 0 intact or compacted to bank density .. 1 loose, of the top 0.2 m
    int soil; ///< index into the scene's soils, of the top layer
} SoilSurface;
SoilSurface soil_get_surface(const Soil *soil, double x, double y);
/// Height without the surface detail, for probes of tracks; the same bilinear surface that particles touch.
double soil_get_height(const Soil *soil, double x, double y);

/// Mass (kg) of the particles a tool carries, and their number: inside its `inside` polygon or heaped above it, and
/// moving with it.
double soil_get_payload(const Soil *soil, const SoilTool *tool, int *count);
/// Mass (kg) above a circle or in a tray: ground and particles of the tray `index` (0 when none).
double soil_get_tray_mass(const Soil *soil, int index);
/// Before the first tick; returns its index or -1.
int soil_add_tray(Soil *soil, const SoilTray *tray, Status *status);
/// Moves a tray within the next tick, between soil_end_tick and soil_begin_tick; a tray that is not moved again stands
/// still where the tick left it. Its settled load moves with it and carries by friction what lies on it. Where that
/// load would slide off the tilted floor, over a wall or out of an open tail, it turns into particles in
/// soil_begin_tick, as many as the budget holds. In a tray that moves (> 0.02 m/s) or leans (> 10 degrees) nothing
/// settles. The pose is part of the state, the velocities are not. False, with the reason, when the motion is out of
/// range; the tray then stays as it is.
bool soil_move_tray(Soil *soil, int index, const SoilTrayMotion *motion, Status *status);
Pose soil_get_tray_frame(const Soil *soil, int index); ///< as in SoilTrayMotion, now
/// A tray as it was added, with its motion in this tick, from where it is now; NULL when there is none of that index.
const SoilTray *soil_get_tray(const Soil *soil, int index, SoilTrayMotion *motion);

/// What settled soil, or the floor of a tray, bears things at a place: the surface nearest below it.
typedef struct SoilBase {
    double height; ///< m, world z of the surface straight below or above; of a tilted tray: of its plane there
    Vec3 normal; ///< unit
    int tray; ///< index; -1: the site
} SoilBase;
SoilBase soil_get_base(const Soil *soil, Vec3 at);

/// A place where soil may lie: a circle, or a rectangle.
typedef struct SoilPlace {
    double x, y; ///< m: its middle
    double radius; ///< m; 0: a rectangle
    double heading, length, width; ///< rad, m, m: of a rectangle; its length runs along the heading
} SoilPlace;

/// Mass (quanta) that was spilled: what columns of the ground hold more than when the soil was created, with the
/// particles at rest on them, where their middles are outside all `places`. What lies in trays and tools, and what
/// still moves, is not spilled. A column counts when it gained at least `least` m of loose soil (0: every quantum;
/// 0.02: crumbs are none).
int64_t soil_get_spill(Soil *soil, const SoilPlace *places, int count, double least);

/// Presses loose ground under a track patch (ruts): the columns below compact (compact.c) by at most 2 mm a tick, never
/// by losing mass. `pressure` Pa over a rectangle of length x width with `heading`.
void soil_press(Soil *soil, double x, double y, double heading, double length, double width, double pressure);

/// The grid as drawn. Arrays are [rows][columns], row-major, row = y; valid until the next call that changes the soil.
typedef struct SoilGridView {
    int rows, columns;
    double spacing; ///< m
    double origin_x, origin_y; ///< centre of column (0, 0)
    const float *height; ///< m
    const uint8_t *soil; ///< soil index of the top layer
    const uint8_t *loose; ///< 0 intact .. 255 freshly loose
    uint64_t version; ///< changes when anything in the arrays changes
    int dirty_row_min, dirty_row_max, dirty_column_min,
        dirty_column_max; ///< changed since soil_clear_dirty; min > max = none
} SoilGridView;
SoilGridView soil_get_grid(const Soil *soil);
/// The grid of a tray, in the tray's frame: origin its middle, x along its length, heights off its floor plus
/// SoilTray.floor (while it has not been moved: over world zero).
SoilGridView soil_get_tray_grid(const Soil *soil, int index);
void soil_clear_dirty(Soil *soil);

/// Particles as drawn, at the end of the last tick (also between substeps); arrays of `count`, valid until the next
/// call that changes the soil.
typedef struct SoilParticleView {
    int count;
    const double *x, *y, *z; ///< m
    const float *radius; ///< m
    const uint8_t *soil;
    const uint32_t *id; ///< stable for a particle's life
    const double *vx, *vy, *vz; ///< m/s
    const int32_t *mass; ///< quanta
} SoilParticleView;
SoilParticleView soil_get_particles(const Soil *soil);

/// Every contact that carries a force; their sum is the last substep's wrench (of its last piece where the solver
/// divides it). Valid until the next call that changes the soil.
typedef struct SoilToolContactView {
    int count;
    const SoilToolContact *contacts; ///< [count]
} SoilToolContactView;
SoilToolContactView soil_get_tool_contacts(const Soil *soil);

/// A ground column that was cut down ahead of an edge and became particles.
typedef struct SoilCutColumn {
    int row, column;
    double floor, top; ///< m: heights of the column after and before
    int64_t age; ///< ticks: 0 = in the last one
} SoilCutColumn;

/// Copies the columns cut at most `oldest` ticks before the last one (0: in the last one), newest first; at most
/// `capacity`. Only the last 1024 cuts are known. Returns their number.
int soil_get_wedge(const Soil *soil, int oldest, SoilCutColumn *columns, int capacity);
/// Places (m, world) where ground gave way under a tool in the last substep; 64 at most.
int soil_get_yields(const Soil *soil, const Vec3 **places);

/// A tile of columns that costs time: it slides, or some of its columns changed in the last tick.
typedef struct SoilActiveTile {
    int row, column, rows, columns; ///< the tile
    bool slides; ///< its slopes are looked at in the next tick (part of the state: known after a restore, too)
    /// Smallest rectangle around the changed columns; 0 rows = none.
    int changed_row, changed_column, changed_rows, changed_columns;
} SoilActiveTile;
/// The active tiles of the site (`tray` < 0) or of a tray, at most `capacity`; returns their number.
int soil_get_active_tiles(const Soil *soil, int tray, SoilActiveTile *tiles, int capacity);

/// Visits every field of the state once (hash, save, restore, difference). Ground tiles never touched are not visited:
/// they follow from the scene and seed.
void soil_visit(Soil *soil, StateVisitor *visitor);
bool soil_is_finite(const Soil *soil);

#endif
