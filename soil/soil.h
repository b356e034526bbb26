/// The soil: a layered heightfield whose disturbed part is particles.
///
/// A tick is soil_begin_tick, a fixed number of soil_substep, soil_end_tick. Everything else is called between two
/// ticks, getters also between substeps.
///
///     Soil *soil = soil_create(&scene, 1, SOIL_SOLVER_DEFAULT, 1, &status); // data_load_scene fills the scene
///     Wrench wrench = {0}; // of the soil on the tool
///     soil_begin_tick(soil, &tool, 1, 1.0 / 60.0);
///     for (int k = 0; k < 8; k++) {
///         soil_substep(soil, &tool, 1, 1.0 / 480.0, &wrench); // then move the tool
///     }
///     soil_end_tick(soil, &tool, 1);
///     soil_destroy(soil);
///
/// Mass       An integer count of quanta (SOIL_QUANTUM kg each) in every form: ground column, particle, tray. A tick
///            neither makes nor destroys a quantum; a build with asserts checks it in soil_end_tick.
/// Frame      World: x east, y north, z up, origin in the middle of the site. SI units, radians.
/// Threads    One thread at a time calls a soil, which has threads of its own; soils share nothing.
///            Results do not depend on the number of threads or on the width of the processor's vectors, but on the
///            caller's floating-point environment, which must be the default one (data/core/float_mode.h). A process
///            that fork made has none of these threads: it may use the soils alone that it creates itself.
/// Memory     All is taken by soil_create and soil_add_tray but for three things that a tick may take and keep: a tile
///            of 32 x 32 columns (90 kB) when something first touches it, a larger grid of the neighbour search when
///            particles spread over more cells than ever before, and a thread's memory for the contacts of a block that
///            has more of them than any before (test_soil_memory). Where one of them cannot be had, the soil has failed
///            (soil_has_failed): it stands still until it is restored or destroyed, and nothing crashes.
/// Ownership  Pointers in views belong to the soil and hold until the next call that changes it. Nothing that is passed
///            in is kept after the call but the shapes of tools, which the caller keeps from soil_begin_tick to
///            soil_end_tick, and the scene's kept heights (SceneRelief.text).
/// Errors     Functions with a Status fail for reasons outside the program and say why; wrong arguments are asserted.
/// Headers    soil_types.h (plain types, included here) and soil_lab.h (for tests and experiments). Behind them, from
///            bottom to top: parallel, grains, model.h, ground, law, pairs, contact, tool, published, soil_parts.h,
///            exchange, soil.c.
#ifndef SPADEWORK_SOIL_SOIL_H
#define SPADEWORK_SOIL_SOIL_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/column_grid.h"
#include "data/core/constants.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "soil/soil_types.h"

/// Creates the soil of a scene; the caller owns it and destroys it with soil_destroy.
/// scene    copied; the texts of meshes (`grains`) are read in this call alone, the heights of `ground.surface` as long
///          as the soil lives
/// seed     of the ground's roughness, of the grains and of the jitter of new particles
/// solver   SOIL_SOLVER_DEFAULT unless the published solvers are to be compared
/// threads  1..256, more count as 256; 0 = one for each processor
/// Returns NULL with `status`: STATUS_BAD_FILE when grains of the scene have no room, STATUS_LACKING when memory or
/// threads lack.
Soil *soil_create(const SceneParams *scene, uint64_t seed, SoilSolver solver, int threads, Status *status);
/// Destroys a soil and its threads; NULL is allowed.
void soil_destroy(Soil *soil);

/// Begins a tick: ground ahead of cutting edges and settled load that cannot stay turn into particles, neighbours are
/// found.
/// tools       [tool_count], as they are now; each tool keeps its index for the life of the soil
/// tool_count  0..SOIL_MAX_TOOLS
/// dt          s, of the whole tick, above 0: how far ahead edges cut and pairs are looked for
/// Where an edge cuts: Rankine's passive wedge (exchange/spawn.c).
void soil_begin_tick(Soil *soil, const SoilTool *tools, int tool_count, double dt);

/// Advances the soil by one substep. Call between soil_begin_tick and soil_end_tick.
/// tools       [tool_count], as they are at the start of the substep; as many as soil_begin_tick was given
/// dt          s, constant over the life of the soil; 1/480 in the shipped scenes
/// wrenches    [tool_count], out, the caller's: mean force (N) and moment (N m) of the soil on each tool in this
///             substep, world axes, about the tool's centre of mass
/// The equations of a contact stand in law/contact_equations.h, those of ground under a tool in tool/bearing.c.
void soil_substep(Soil *soil, const SoilTool *tools, int tool_count, double dt, Wrench *wrenches);

/// Ends a tick: ground under tools compacts or gives way, particles at rest become ground, loose slopes slide to their
/// angle of repose, intact faces that cannot stand (Culmann 1875; ground/wedge.c) fail, trays stand still. Tools as of
/// the last substep.
void soil_end_tick(Soil *soil, const SoilTool *tools, int tool_count);

/// True when memory was short in a tick, or in soil_indent or soil_press, since the soil was created or last restored.
/// Its state is then worthless. Ticks do nothing, their wrenches are 0, and getters may be called; a restore by
/// soil_visit that succeeds makes it a whole soil again.
bool soil_has_failed(const Soil *soil);

/// Mass in quanta by where it is.
typedef struct SoilLedger {
    int64_t ground, particles, trays;
    int64_t left; ///< came to rest far beyond the edge of the site, or lay beyond it when the budget was short
    int64_t total; ///< the sum of the four, which never changes but by the functions of soil_lab.h
} SoilLedger;
/// Counts the mass of ground, particles and trays, from the columns and particles themselves.
SoilLedger soil_get_ledger(const Soil *soil);
/// Returns the quanta that have left the site, as the ledger has them.
int64_t soil_get_left(const Soil *soil);

/// Returns the counters of the last tick.
SoilCounters soil_get_counters(const Soil *soil);

/// The ground surface at a place.
typedef struct SoilSurface {
    double height; ///< m, world z
    Vec3 normal; ///< unit, up
    double looseness; ///< 0 intact or compacted to bank density .. 1 loose, of the top 0.2 m
    int soil; ///< index into the scene's soils, of the top layer
} SoilSurface;
/// Returns the site's surface at (x, y), m; outside the site that of its edge at the start. Bilinear between the
/// middles of columns, as particles feel it. What lies in trays does not count.
SoilSurface soil_get_surface(const Soil *soil, double x, double y);
/// Returns the height alone of the same surface at (x, y), m.
double soil_get_height(const Soil *soil, double x, double y);
/// Returns the height of the highest intact layer of the column at (x, y), m: what lies above has been broken, moved or
/// heaped. Where all is loose, bedrock.
double soil_get_firm_height(const Soil *soil, double x, double y);
/// Returns how thick loose soil lies on the column at (x, y) where the ground under it has not changed, m,
/// and that ground's soil, `under`; -1 where it was cut.
double soil_get_cover(const Soil *soil, double x, double y, int *under);

/// Writes what the column at (x, y), m, is made of, top first, and returns the number of layers: at most
/// SOIL_MAX_LAYERS. The first begins at the surface, below the last is bedrock.
int soil_get_layers(const Soil *soil, double x, double y, SoilLayer layers[SOIL_MAX_LAYERS]);

/// Returns how much of what lies between two heights of a column of the site has at least `share` of its soil's bank
/// density, m: intact ground, and loose soil that was compacted.
/// row, column  of soil_get_grid;   low, high  m, world
double soil_get_dense_thickness(const Soil *soil, int row, int column, double low, double high, double share);

/// The settled soil, or the floor of a tray, that bears things at a place.
typedef struct SoilBase {
    double height; ///< m, world z of the surface straight below or above; of a tilted tray: of its plane there
    Vec3 normal; ///< unit
    int tray; ///< index; -1: the site
} SoilBase;
/// Returns the surface nearest below `at` (m, world), of the site and of all trays.
SoilBase soil_get_base(const Soil *soil, Vec3 at);

/// Returns the mass (kg) of the particles that a tool carries: in its `inside` polygon or heaped up to 0.6 m above it,
/// and no faster against it than 2 m/s. `count` receives their number; NULL is allowed.
double soil_get_payload(const Soil *soil, const SoilTool *tool, int *count);

/// True when what is at a place (m, world) is part of the site: no tool carries it, in its `inside` polygon or heaped
/// up to 0.6 m above it, and it lies over no tray.
/// tools  [tool_count], as they are now; those of the last tick play no part, so that a restored soil answers alike
bool soil_is_on_site(const Soil *soil, const SoilTool *tools, int tool_count, Vec3 at);

/// Adds a tray, before the first tick. Returns its index (from 0), or -1 with `status`: STATUS_BAD_FILE when a side,
/// height or place is out of range (SoilTray) or there are SOIL_MAX_TRAYS already, STATUS_LACKING when memory is short.
int soil_add_tray(Soil *soil, const SoilTray *tray, Status *status);
/// Sets how a tray moves in the next tick; a tray that is not moved again stands still where the tick left it. Its
/// settled load moves with it and carries by friction what lies on it. Where that load would slide off the tilted
/// floor, over a wall or out of an open tail, it turns into particles in soil_begin_tick, as many as the budget holds.
/// In a tray that moves (> 0.02 m/s) or leans (> 10 degrees) nothing settles. The pose is part of the state, the
/// velocities are not. Returns false with `status` (STATUS_BAD_FILE) when the motion is out of range (SoilTrayMotion);
/// the tray then stays as it is.
bool soil_move_tray(Soil *soil, int index, const SoilTrayMotion *motion, Status *status);
/// Returns where a tray is now, as in SoilTrayMotion. `index` must be one that soil_add_tray returned.
Pose soil_get_tray_frame(const Soil *soil, int index);
/// Returns a tray as it was added, and in `motion` how it moves in this tick from where it is now; NULL when there is
/// none of that index.
const SoilTray *soil_get_tray(const Soil *soil, int index, SoilTrayMotion *motion);
/// Returns the mass (kg) in a tray and on it: settled load, and particles over its floor up to 0.5 m above its walls
/// that no tool carries. 0 when there is none of that index.
double soil_get_tray_mass(const Soil *soil, int index);
/// The same, and in `center` where its centre of mass is, m, in the tray's frame; the middle of the floor when it is
/// empty.
double soil_get_tray_load(const Soil *soil, int index, Vec3 *center);

/// Returns the gain since the soil was created of those columns of the site that `query` chooses, with the grains laid
/// down on them. What lies in trays is no part of the site. The volume counts each soil with its own bank
/// density; of a column that gained, the gain is what lies on top.
SoilGain soil_get_gain(Soil *soil, const SoilGainQuery *query);
/// The same of a tray's whole load: what has settled and the grains over it, as soil_get_tray_mass counts them. Nothing
/// when there is none of that index.
SoilGain soil_get_tray_gain(const Soil *soil, int index);
/// Returns the mass (quanta) that was spilled: the gain outside all places where soil may lie, of what lies.
/// places  [count] where soil may lie
/// least   m of loose soil, 0 or more, that a column must have gained to count
int64_t soil_get_spill(Soil *soil, const SoilPlace *places, int count, double least);

/// True when more than `least` quanta of grains move over the site, outside all places: grains that have not been
/// slower than 0.08 m/s for six ticks on end. What a tool carries and what is over a tray does not count. Of a restored
/// soil only after a tick.
/// places  [count] that are not looked at; NULL with 0
bool soil_is_stirred(const Soil *soil, const SoilPlace *places, int count, int64_t least);
/// The same of the grains over a tray; false when there is none of that index.
bool soil_tray_is_stirred(const Soil *soil, int index, int64_t least);
/// Writes how high the site's columns are with the grains over them laid down where they are: loose ones with the
/// density of loose soil, those that never moved with that of the bank. Without grains it is the grid's heights.
/// grains   which are laid down; never those over a tray
/// heights  [rows][columns] of soil_get_grid, m, out, the caller's
void soil_get_rest(const Soil *soil, SoilGrains grains, float *heights);

/// Returns the pressure (Pa) that the ground at (x, y), m, bears under a face `width` m wide (the shorter side) whose
/// middle is `depth` m below the surface around. `down`: cosine between where the face presses and straight down, 0 (a
/// wall: Rankine's passive pressure) .. 1 (a footing: Terzaghi's bearing capacity). The law stands in tool/bearing.c.
double soil_get_bearing(const Soil *soil, double x, double y, double width, double depth, double down);

/// Lowers a column to `height` (m) under a body that presses on it with `pressure` (Pa) over `width` (m): loose soil
/// compacts (Terzaghi 1925, as in soil_press), the rest is heaved at (x, y), m, as loose soil. Call it between two
/// ticks.
void soil_indent(Soil *soil, int row, int column, double height, double pressure, double width, double x, double y);

/// Presses what stands on the ground into it: loose soil below it compacts (Terzaghi 1925, soil/ground/compaction.c),
/// by no more than 2 mm in a call; under a track, ground of every kind sinks as Bekker (1956) has it, deeper where the
/// track slips, and what it displaces is laid beside it (soil/ground/track_sinkage.h). Call it once a tick and
/// footprint.
void soil_press(Soil *soil, const SoilFootprint *footprint);

/// Tells the soil what stands on the ground in this tick. Its pressure, as a mean over the last half second, is a
/// surcharge on the faces beside it (exchange/standing.h). Call it once a tick, before soil_end_tick; without a call
/// nothing stands there.
/// footprints  [count], each at its own index in every tick; one without length, width or pressure is none. Slope,
///             stiffness and what concerns tracks alone is not read
/// count       0..SOIL_MAX_FOOTPRINTS
void soil_load(Soil *soil, const SoilFootprint *footprints, int count);

/// Tells the soil which plates hold faces in this tick (exchange/shoring.h). Call it once a tick, before soil_end_tick;
/// without a call there is none.
/// plates  [count];   count  0..SOIL_MAX_PLATES
void soil_shore(Soil *soil, const SoilPlate *plates, int count);
/// Returns the greatest pressure (Pa, 0 and more) of the soil on a plate, at its bottom: Rankine's active one. What
/// stands on the ground counts between soil_load and soil_end_tick.
double soil_get_plate_pressure(const Soil *soil, const SoilPlate *plate);
/// Points `falls` to the intact faces that fell in the last tick, the heaviest first, and returns their number, at most
/// SOIL_MAX_FALLS. None is known after a restore.
int soil_get_falls(const Soil *soil, const SoilFall **falls);
/// Points `cracks` to the tension cracks that the last look at faces found open, and returns their number, at most
/// SOIL_MAX_CRACKS. None is known after a restore, until the next look (a quarter of a second).
int soil_get_cracks(const Soil *soil, const SoilCrack **cracks);
/// Returns the depth (m, 0 and more) to which the soil at (x, y), m, undisturbed, lets a track `width` (m) wide sink
/// that presses with `pressure` (Pa).
double soil_get_sinkage(const Soil *soil, double x, double y, double width, double pressure);

/// Returns the pressure (Pa) that the ground at (x, y), m, bears under a track `width` (m) wide that stands `depth` (m)
/// below the surface there, before it sinks for good.
double soil_get_track_bearing(const Soil *soil, double x, double y, double width, double depth);

/// A grid of columns as drawn. Arrays are [rows][columns], row-major, row = y.
typedef struct SoilGridView {
    int rows, columns;
    double spacing; ///< m
    double origin_x, origin_y; ///< m: centre of column (0, 0)
    const float *height; ///< m
    const uint8_t *soil; ///< index of the top layer's soil
    const uint8_t *loose; ///< 0 intact .. 255 freshly loose
    /// m: heights at the start along the edge, which the ground beyond it has: [columns] of row 0 and of the last row,
    /// [rows] of column 0 and of the last column. NULL of a tray.
    const float *border;
    uint64_t version; ///< changes when anything in the arrays changes
    /// What changed since soil_clear_dirty, inclusive; min > max = nothing.
    int dirty_row_min, dirty_row_max, dirty_column_min, dirty_column_max;
} SoilGridView;
/// Height of a column, m; of one beyond the edge of the site that of the ground there.
static inline double soil_grid_height(const SoilGridView *grid, int row, int column)
{
    return column_grid_height(grid->height, grid->border, grid->rows, grid->columns, row, column);
}
/// Returns the grid of the site.
SoilGridView soil_get_grid(const Soil *soil);
/// Returns the grid of a tray, in the tray's frame: origin its middle, x along its length, heights off its floor plus
/// SoilTray.floor (while it has not been moved: over world zero). `index` must be one that soil_add_tray returned.
SoilGridView soil_get_tray_grid(const Soil *soil, int index);
/// Starts the dirty rectangles of all grids anew.
void soil_clear_dirty(Soil *soil);

/// Particles as drawn, at the end of the last tick (also between substeps). Arrays are [count], in no order that lasts.
typedef struct SoilParticleView {
    int count;
    const double *x, *y, *z; ///< m, world
    const float *radius; ///< m
    const uint8_t *soil; ///< index into the scene's soils
    const uint32_t *id; ///< stable for a particle's life
    const double *vx, *vy, *vz; ///< m/s
    const int32_t *mass; ///< quanta
} SoilParticleView;
/// Returns the particles.
SoilParticleView soil_get_particles(const Soil *soil);

/// Every contact that carries a force; their sum is the last substep's wrench (of its last piece where the solver
/// divides it). Nothing is known of it, nor of cuts and yields, after a restore: it is no part of the state.
typedef struct SoilToolContactView {
    int count;
    const SoilToolContact *contacts; ///< [count]
} SoilToolContactView;
/// Returns the contacts of the last substep with tools.
SoilToolContactView soil_get_tool_contacts(const Soil *soil);

/// A column of the site that was cut down ahead of an edge and became particles.
typedef struct SoilCutColumn {
    int row, column;
    double floor, top; ///< m: heights of the column after and before
    int64_t age; ///< ticks: 0 = in the last one
} SoilCutColumn;
/// Copies the columns cut at most `oldest` ticks before the last one (0: in the last one) to columns[capacity], newest
/// first. Only the last 1024 cuts are known. Returns their number.
int soil_get_wedge(const Soil *soil, int oldest, SoilCutColumn *columns, int capacity);
/// Points `places` to where ground gave way under a tool in the last substep (m, world) and returns their number, at
/// most 64.
int soil_get_yields(const Soil *soil, const Vec3 **places);

/// A tile of columns that costs time: it slides, or some of its columns changed in the last tick.
typedef struct SoilActiveTile {
    int row, column, rows, columns; ///< the tile
    bool slides; ///< its slopes are judged in the next tick (part of the state: known after a restore, too)
    /// Smallest rectangle around the changed columns; 0 rows = none.
    int changed_row, changed_column, changed_rows, changed_columns;
} SoilActiveTile;
/// Copies the active tiles of the site (`tray` < 0) or of a tray to tiles[capacity]; returns their number, 0 when there
/// is no such tray.
int soil_get_active_tiles(const Soil *soil, int tray, SoilActiveTile *tiles, int capacity);

/// Visits every field of the state once (hash, save, restore, difference), between two ticks. Tiles that nothing has
/// touched are not visited: they follow from scene and seed. A restoring visitor is failed, and the soil is then fit
/// for soil_destroy or another restore only, when the numbers could not have been written by this program.
void soil_visit(Soil *soil, StateVisitor *visitor);
/// True when all positions and velocities of particles are numbers.
bool soil_is_finite(const Soil *soil);

#endif
