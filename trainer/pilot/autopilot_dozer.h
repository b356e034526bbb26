/// The scripted operator of a dozer, without a session: slot dozing.
///
/// It works in lanes: through the trench of an exercise, with ramps before and behind it, to the dump circle, which has
/// to lie in the trench's direction; without an exercise, ahead from where the machine starts. A pass cuts a layer
/// until the blade is full, carries the soil to the spoil and spreads it there with the blade rising; then it backs up
/// for the next pass. In a trench it works from the front to the back: passes begin where they fill the blade, and go
/// on through what is cut already. When the tracks begin to slip it lifts the blade a little,
/// as an operator does, and lets it down again when they hold.
#ifndef SPADEWORK_TRAINER_AUTOPILOT_DOZER_H
#define SPADEWORK_TRAINER_AUTOPILOT_DOZER_H

#include <stdbool.h>

#include "data/core/operator_controls.h"
#include "data/core/vec.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"

/// What the operator sees in one tick.
typedef struct DozerView {
    double time, dt; ///< s
    Vec3 base; ///< origin of the chassis, world
    Vec3 tip; ///< middle of the edge, world
    double tip_height; ///< m over the plane the tracks stand on
    double yaw; ///< rad
    double speed; ///< m/s over the ground, forward positive
    double slip; ///< the greater one of both tracks
    double angle[MACHINE_MAX_JOINTS]; ///< rad
    double payload; ///< kg that the blade pushes
    double (*height)(void *context, double x, double y); ///< m: ground surface
    void *context;
} DozerView;

/// Places along a lane at which its ground is looked at.
enum { DOZER_PLACES = 200 };
#define DOZER_PITCH 0.25 ///< m between them

typedef enum DozerPhase {
    DOZER_CUT, ///< ahead, the edge on the pass's line
    DOZER_CARRY, ///< ahead, the edge on the ground
    DOZER_SPREAD, ///< ahead, the edge rising
    DOZER_CLEAR, ///< stands, the blade goes up
    DOZER_BACK, ///< back to the lane's start
    DOZER_REST, ///< all lanes are done
    DOZER_PHASE_COUNT
} DozerPhase;

typedef struct DozerPilot {
    MachineParams machine;
    double x, y, heading; ///< m, m, rad: where the lanes are counted from, and which way they run
    double cut_from, cut_length, depth; ///< m along the lanes, ramps and all; m below the surface
    double ramp; ///< m at either end of the cut, over which its floor falls and rises
    double dump_from, dump_to; ///< m along the lanes: between them loads may be laid down
    double spread_from, spread_length; ///< m along the lanes: of the present pass
    double start; ///< m along the lanes: where the present pass begins to cut
    int lanes; ///< how many there are
    double lane_spacing; ///< m
    double sway_most; ///< m: passes of a lane go along either wall, where the blade is narrower than the trench
    double sway; ///< m left: of the present pass
    bool exercise; ///< lanes share a trench's width evenly; else they lie in turn left and right of the first
    double surface; ///< m: undisturbed ground
    double site_x, site_y; ///< m: half sizes of the site
    double full; ///< kg of loose soil in a full blade
    double bank_density; ///< kg/m3
    double profile_from; ///< m along the lanes: of the first place
    double ground[DOZER_PLACES]; ///< m, world: mean over the blade's width and 1.5 m of the lane
    double excess[DOZER_PLACES]; ///< m: what lies above the floor there, mean over the lane's width
    double left_excess, right_excess; ///< m: sums of what lies above it along the walls
    DozerPhase phase;
    double phase_start; ///< s
    int lane; ///< of the present pass, 0..
    int passes; ///< of the present lane
    double tip_height, tip_rate; ///< m and m/s (smoothed over 0.1 s): of the edge over the tracks' plane, as last seen
    double plane, plane_rate; ///< m, world, and m/s: the tracks' plane at the edge, in the same way
    double raise; ///< m that the edge is held higher because the tracks slipped
    double stuck; ///< s without a way ahead
    int cycles; ///< passes that were spread
} DozerPilot;

void dozer_pilot_start(DozerPilot *pilot, const SceneParams *scene, const MachineParams *machine);
/// One tick: decides and moves the levers.
void dozer_pilot_update(DozerPilot *pilot, const DozerView *seen, OperatorControls *controls);
const char *dozer_phase_name(DozerPhase phase); ///< "cut", "carry", ...

#endif
