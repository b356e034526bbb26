/// What experiments with the shipped bucket share: its ways through the ground and the volume it holds.
///
/// The bucket digs towards -x (its frame: data/machines, `tool`): at a pitch of -100 degrees its edge looks down and
/// its leading plate stands 31 degrees steep above the bottom of the cut, at -180 degrees its opening looks up.
#ifndef SPADEWORK_VALIDATION_DIGGING_H
#define SPADEWORK_VALIDATION_DIGGING_H

#include "tests/validation/rigs/soil/site.h"

#define DIGGING_PITCH  (-100.0 * M_PI / 180.0) ///< rad: while it cuts
#define DIGGING_CURLED (-180.0 * M_PI / 180.0) ///< rad: opening upwards
#define DIGGING_DUMPED (-45.0 * M_PI / 180.0) ///< rad: opening downwards, the floor 70 degrees steep

/// One drag fill.
typedef struct DiggingCut {
    double x, y; ///< m: where the edge enters
    double surface; ///< m: height of the ground there
    double depth, length; ///< m: of the cut below the surface, and along -x
    double clearance; ///< m: of the edge over the surface before and after
    double seconds; ///< s: from the first knot to the last
} DiggingCut;

/// Adds the knots of a fill: above the ground (`seconds` after the last knot), enter, drag, curl, lift.
void digging_go_fill(SiteWay *way, double seconds, const ToolShape *bucket, const DiggingCut *cut);

/// A kinematic bucket that cuts.
SoilTool digging_bucket(const ToolShape *shape);

enum { DIGGING_LANES = 8, DIGGING_CUTS = 3 }; ///< of a layer of the pit, and of a lane

/// When the load is weighed in a cycle: the edge is over the ground, the bucket is curled, it swings, it is emptied.
typedef enum DiggingMoment {
    DIGGING_LIP_CLEAR,
    DIGGING_CURL_ENDS,
    DIGGING_SWING_STARTS,
    DIGGING_DUMPS,
    DIGGING_MOMENTS
} DiggingMoment;

/// What the bucket carries at a moment, summed over the cycles.
typedef struct DiggingLoad {
    double payload; ///< kg, as soil_get_payload has it
    double mass, solid; ///< kg and m3 of the grains inside the bucket: as much soil takes more room as it swells
} DiggingLoad;

/// Digs in a pit, carries to a pile 8 m away and dumps, again and again. The pit is dug in layers; a layer in lanes, a
/// lane in three cuts. Every lane is dumped beside itself, which makes a windrow.
typedef struct DiggingCycles {
    ToolShape shape;
    double capacity; ///< m3, heaped, as the machine's file states it
    SoilTool bucket;
    SceneParams scene;
    Soil *soil;
    SiteWay way;
    DiggingLoad carried[DIGGING_MOMENTS];
    double dug, dumped; ///< kg: sums of the payloads before and of what left the bucket at the pile
    /// Called after each tick with what it took: ms by the wall's clock and by that of all processors. NULL: nobody.
    void (*after_tick)(void *context, double milliseconds, double work);
    void *context;
} DiggingCycles;

/// Makes the pit's site, of one soil and with particles of `radius` m, and hangs the bucket over it; zero-initialised
/// before. False with run_fail. The caller destroys `soil`.
bool digging_cycles_create(Run *run, const SoilParams *soil, double radius, DiggingCycles *cycles);
/// Digs, carries and dumps once. `number` counts from 0. The layers step back, so that the bucket's back stays clear of
/// the pit's end.
void digging_cycles_run(DiggingCycles *cycles, int number);
/// Waits, with the bucket aside, until all that does not stick in it is ground again; at most 30 s.
void digging_cycles_settle(DiggingCycles *cycles);

/// Volume (m3) of what lies in the bucket, heap and all: between its inner floor and the outline of the grains over its
/// inside.
double digging_volume(const Soil *soil, const SoilTool *bucket, double radius);

#endif
