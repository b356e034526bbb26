/// Bodies of loose grains for experiments: how they are poured, settled and measured.
#ifndef SPADEWORK_VALIDATION_PACKING_H
#define SPADEWORK_VALIDATION_PACKING_H

#include "tests/validation/harness/experiment.h"

/// Grains of the scene's first soil: radii spread evenly around the mean, so that they do not crystallise at smooth
/// walls.
typedef struct Grains {
    double radius; ///< m, mean
    double spread; ///< 0..0.2: radii lie within radius (1 +- spread)
    double solid_density; ///< kg/m3 of a grain
} Grains;

/// An upright space that grains are put into.
typedef struct PackingSpace {
    double x, y; ///< m: its middle
    double radius; ///< m; 0 = a box of length x width
    double length, width; ///< m, along x and y
    /// Of a box: grains are moved by chance within roomy places that fill it from side to side. No order of the lattice
    /// is left when they land, and layers are level.
    bool scattered;
} PackingSpace;

/// The dry sand of the soil files, with the user's `friction` in its contacts where that option is set. False with
/// run_fail.
bool packing_load_sand(Run *run, SoilParams *sand);
/// Grains of a soil: as heavy as those that the soil itself turns into on its close-packed lattice.
Grains packing_grains(const SoilParams *soil, double radius);
/// Sets the scene's nominal particle to these grains.
void packing_fit_scene(SceneParams *scene, const Grains *grains);

enum { SWEEP_MOST = 12 };
/// What an experiment sweeps over: the value the user set, alone, or the list of the run's form (0 ends it). Returns
/// their number.
int packing_sweep(const Run *run, const char *key, const double *full, const double *quick, double values[SWEEP_MOST]);

/// Mean mass of a grain, kg.
double packing_grain_mass(const Grains *grains);
/// Number of grains that fill a volume (m3) once they have settled (0.6 solid).
int packing_count(const Grains *grains, double volume);

/// Puts `count` grains at rest into a space from the height `bottom` up, on a lattice with jitter: none overlaps
/// another or the space's sides. Returns how many there was room for in the budget.
int packing_fill(Soil *soil, const Grains *grains, const PackingSpace *space, double bottom, int count, uint64_t seed);

/// Grains in a layer of a scattered fill.
int packing_layer(const Grains *grains, const PackingSpace *space);

/// Runs ticks until the grains rest (root mean square speed below a hundredth of sqrt(g d)), at most `limit` seconds;
/// returns the time taken.
double packing_settle(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count, double limit);
/// Fills a space from z = 0 up, POUR grains deep at a time, and lets each pour come to rest (at most `limit` seconds in
/// the end): grains that fall far arrive so fast that they are pressed into each other.
void packing_pour(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count, const Grains *grains,
                  const PackingSpace *space, int count, uint64_t seed, double limit);
/// Puts the grains of another soil, at rest, where they are into an empty one: those with x >= `start` + z `slope`.
/// They were poured dry; in the new soil their contacts have other parameters, and the springs carry the same load
/// again.
void packing_copy(Soil *to, const Soil *from, double start, double slope);
/// Root mean square speed, m/s, of the grains above a height.
double packing_speed(const Soil *soil, double above);
/// Centre of the highest grain, m.
double packing_top(const Soil *soil);
/// Height of a body of even density over its floor: twice that of its middle of mass, m.
double packing_height(const Soil *soil, double floor);

/// Where the continuous deposit ends, m from the axis (or from x = 0 along x, between walls `width` apart; 0 = round):
/// the ground is covered up to there. Walking outwards from `start`, the first place where the grains' outlines cover
/// less than half of a strip two grains wide; single grains beyond it do not count, as in the experiments with
/// collapsing columns.
double packing_front(const Soil *soil, double start, double width, double grain_radius);
/// A column that runs out.
typedef struct Runout {
    double start; ///< m: radius or length of the column
    double height; ///< m: of the column
    double width; ///< m: of the channel; 0 = round
    double front; ///< m: measured, where the deposit ends
    double stop; ///< s: measured, since the start, until the front stays within half a grain of its end
} Runout;
/// Runs ticks until the grains rest (at most 8 sqrt(h0/g) + 1 s), draws the front over time and writes what is
/// measured.
void packing_run_out(Run *run, Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count,
                     const Grains *grains, int plot, Runout *runout);

/// The distance from the axis (width 0) or from x = 0 that holds a share of the mass, m.
double packing_reach(const Soil *soil, double share, double width);

#endif
