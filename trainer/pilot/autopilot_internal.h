/// The autopilots of excavator and dozer without a session: view of a tick, memory, planning (autopilot_plan.c), slot
/// dozing (autopilot_dozer.c), phases and levers (autopilot.c). Experts use them, too.
#ifndef SPADEWORK_TRAINER_AUTOPILOT_INTERNAL_H
#define SPADEWORK_TRAINER_AUTOPILOT_INTERNAL_H

#include <stdbool.h>

#include "data/core/operator_controls.h"
#include "data/core/vec.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "machine/excavator_arm.h"
#include "machine/truck.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/pilot/blade_hand.h"

// Elevation of the tip line against the horizon, rad: edge entering the soil, load held level, bucket emptied.
// The edge enters along an arc about the pin, beside a wall with its leading plate upright; at the end of the drag that
// plate meets level ground at 8 degrees.
#define PILOT_ELEVATION_ENTER   (-40.0 * M_PI / 180.0)
#define PILOT_ELEVATION_UPRIGHT (-22.0 * M_PI / 180.0)
#define PILOT_ELEVATION_END     (-102.0 * M_PI / 180.0)
#define PILOT_ELEVATION_HELD    (-178.0 * M_PI / 180.0)
#define PILOT_ELEVATION_OPEN    (-35.0 * M_PI / 180.0)

/// m that the near end of a trench leans back for each metre of its depth: so far the edge keeps away from it, and what
/// is behind stands.
#define PILOT_NEAR_FACE 0.22

/// m down per m forward of the edge that enters a heap. Chosen: flatter, the bucket wastes its way through a high rim;
/// steeper, it fills less evenly; `haul` and `truck-loading`, seeds 1-3.
#define PILOT_HEAP_ENTRY 0.9

/// m that a bucket which is drawn along goes on while it scoops up what it pushes ahead.
#define PILOT_SCOOP 1.0

static inline double pilot_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/// What the operator sees in one tick.
typedef struct PilotView {
    double time, dt; ///< s
    Pose house; ///< house frame in the world
    Vec3 base; ///< origin of the undercarriage, world
    double angle[MACHINE_MAX_JOINTS]; ///< rad
    double speed[MACHINE_MAX_JOINTS]; ///< rad/s
    double payload; ///< kg
    double missing; ///< kg that the truck still wants; 0: nobody says
    bool finished; ///< the exercise is done
    bool truck_away; ///< no truck stands where it is to be loaded
    double (*height)(void *context, double x, double y); ///< m: ground surface
    void *context;
} PilotView;

/// Where soil is taken: a box in the ground (or around a mound), down to a floor.
typedef struct PilotField {
    double x, y; ///< m: middle of the near end
    double heading; ///< rad
    double length, width; ///< m
    double floor; ///< m: world height of the floor
    bool walled; ///< a trench, whose walls are to stand; else the place around a heap
} PilotField;

/// One pass of the bucket, planned in the vertical plane through the swing axis.
typedef struct PilotStroke {
    double direction, direction_end; ///< rad: world directions of its start and end, seen from the swing axis
    double start, end; ///< m: distance from the swing axis where the edge enters and where it starts to curl
    double surface; ///< m: world height where it enters
    double rim; ///< m: world height of what stands behind that place
    double enter; ///< rad: elevation with which the edge enters
    double entry_floor, end_floor; ///< m: world heights between which the edge is drawn
    double slope; ///< m per m that this line rises towards the machine, before it is cut off at the field's floor
    double volume; ///< m3 of soil above that line, up to where the curl ends
    double wanted; ///< m3: as much as fills the bucket, with what is lost
    double hold; ///< 0..1: how much soil there is before the edge where it curls
    double near; ///< m: distance from the swing axis where the trench ends, far below zero where none does
    bool climbs; ///< level to where `slope` leads up to the end, up the near end of a trench
    bool sweep; ///< a long sweep; `near` is then where the field ends
    double fill; ///< 0..1: how full such a sweep makes the bucket
    bool scrapes; ///< over the ground beside a trench, straight from start to end
    bool rakes; ///< such a scrape away from the near end
    double
        direction_in; ///< rad: world direction of the place over the trench to which such a scrape is swung at its end
} PilotStroke;

/// A place of the edge on its way, in the stroke's plane.
typedef struct PilotKnot {
    double distance; ///< m from the swing axis
    double height; ///< m, world
    double elevation; ///< rad of the tip line against the horizon
    double time; ///< s since the path's start
} PilotKnot;

/// The knots of a pass, in their order.
enum {
    PILOT_KNOT_ABOVE, ///< over the soil
    PILOT_KNOT_SURFACE, ///< where the edge enters
    PILOT_KNOT_BITE, ///< on the line
    PILOT_KNOT_DRAG, ///< on the line, turned to where the plate cuts best
    PILOT_KNOT_CURL, ///< end of the line
    PILOT_KNOT_SCOOP, ///< edge ahead of the back, the back off the ground
    PILOT_KNOT_CLOSE, ///< mouth half closed
    PILOT_KNOT_HELD, ///< load held level
    PILOT_KNOT_COUNT
};
enum { PILOT_MAX_BAD = 16 };

enum {
    PILOT_RIM_LANES = 12, ///< lanes beside a trench, at most
    PILOT_RIM_TRIES = 2, ///< times that one is scraped, at most
};

/// A place that is left alone for a while.
typedef struct PilotBadPlace {
    double x, y; ///< m
    int until; ///< number of the pass from which it is tried again
} PilotBadPlace;

typedef enum PilotPhase {
    PILOT_PLAN,
    PILOT_RETURN, ///< swing back over the dig place, arm stretched, bucket open
    PILOT_LOWER, ///< down to the soil
    PILOT_DIG, ///< along the path, to the full curl
    PILOT_LIFT, ///< up and round to the dump place
    PILOT_DUMP,
    PILOT_SHAKE, ///< what sticks in the bucket, by reversals of its lever
    PILOT_RETRACT, ///< after a phase took too long
    PILOT_REST, ///< nothing is left to do
    PILOT_PHASE_COUNT
} PilotPhase;

typedef struct Pilot {
    MachineParams machine;
    ExerciseKind kind;
    PilotField field;
    SceneTrench trench; ///< dump circle
    SceneTruck truck;
    TruckSolid cab; ///< of that truck, in its chassis frame
    double loose_density; ///< kg/m3, to know a full bucket by its payload
    double swell;

    PilotPhase phase;
    double phase_start; ///< s
    int cycles; ///< full dig-dump cycles
    int poor; ///< strokes in a row that brought next to nothing
    double peak; ///< kg: payload after the last dig
    double watched; ///< kg: payload at the last look while the bucket is emptied
    double watched_since; ///< s: when that was, or when the lever was thrown last
    bool closing; ///< while shaking: the bucket's lever is held in
    int strokes; ///< passes planned so far
    PilotBadPlace bad[PILOT_MAX_BAD]; ///< places of the last passes that got stuck or brought nothing, a ring
    int bad_count;

    double setback; ///< m from the edges of the trench in which no soil may lie; 0: nobody asks
    int scraped[PILOT_RIM_LANES]; ///< times that each lane beside the trench was
    bool cleaning; ///< no full buckets are left: passes go up to the walls
    bool thorough; ///< nor anything else that is worth a pass, but the task is not done: the foot of the near end, too
    bool sweeping; ///< passes brought little: what is left is gathered in long sweeps
    int little; ///< passes in a row that brought little
    double truck_until; ///< s: until then a truck stands, or may stand, where it is loaded
    double stand; ///< m: world height of what the machine stands on
    PilotStroke stroke;
    PilotKnot knots[PILOT_KNOT_COUNT];
    double path_time; ///< s along the path
    double raise; ///< m: how much higher than planned the edge is drawn, because it stalled
    double stalled; ///< s
    double level; ///< rad: elevation of the house's x axis, low-passed: nobody steers after the machine's rocking
    double beginner; ///< 0..1: asks for less precision, and takes more time
    Vec3 dump; ///< where the load goes; z = the highest thing there
} Pilot;

/// Prepares an operator for a scene. `base` is where the machine stands.
void pilot_start(Pilot *pilot, const SceneParams *scene, const MachineParams *machine, Vec3 base);
/// The view without the rocking of the machine on its tracks.
PilotView pilot_steady_view(Pilot *pilot, const PilotView *view);
/// Adds what the operator misjudges to the view.
void pilot_misjudge(PilotView *view, const OperatorAim *aim);
/// One tick: decides and moves the levers.
void pilot_update(Pilot *pilot, const PilotView *seen, OperatorControls *controls);
const char *pilot_phase_name(PilotPhase phase);

/// ---- planning (autopilot_plan.c) -----------------------------------------------------------------------------------

/// Ground or truck, whatever is higher: what the bucket must clear.
double pilot_obstacle(const Pilot *pilot, const PilotView *view, double x, double y);
/// Whether the edge can be at a place, as seen from where the machine stands (level).
bool pilot_reaches(const Pilot *pilot, double distance, double height, double elevation);
/// The next pass. False when nothing worth a pass is left within reach.
bool pilot_plan_stroke(Pilot *pilot, const PilotView *view);
/// Leaves the start of the present pass alone for a while.
void pilot_avoid_stroke(Pilot *pilot, const PilotView *view);
/// Soil that one bucket takes, m3 as it lies in the bank.
double pilot_bucket_volume(const Pilot *pilot);
/// The knots of the planned pass.
void pilot_plan_path(Pilot *pilot);
/// Ends the drag where the edge is: the curl follows in `soon` seconds.
void pilot_curl_here(Pilot *pilot, double soon);
/// Takes over a bucket that has been drawn along: it scoops up what it pushes ahead, on a level way of PILOT_SCOOP;
/// the next phases carry the load to the dump circle and empty it. With PILOT_PLAN they are over.
/// tip, elevation  m, world, and rad: of the edge
void pilot_carry(Pilot *pilot, const PilotView *view, Vec3 tip, double elevation);
/// Where on the path the edge is to be at `time` (its height without the raise).
PilotKnot pilot_path_at(const Pilot *pilot, double time);
/// World direction in which the arm is to look at `time`, rad.
double pilot_path_direction(const Pilot *pilot, double time);
void pilot_plan_dump(Pilot *pilot, const PilotView *view);

/// m from the edges of a trench in which no soil may lie, when the scene scores it; else 0.
double pilot_asked_setback(const SceneExercise *exercise);
/// The next scrape of the strip, which counts as tried then, when the next pass in the trench would gather `left` m3.
/// False when nothing worth one lies there.
bool pilot_find_scrape(Pilot *pilot, const PilotView *view, double left, PilotStroke *chosen);

/// ---- levers (autopilot.c) ------------------------------------------------------------------------------------------

/// House-plane place of a point at `distance` from the swing axis and world `height`, straight ahead of the house
/// whatever its direction (the swing turns it), with an elevation against the horizon.
ArmTip pilot_tip_in_house(const PilotView *view, double distance, double height, double elevation);
/// Edge as it is now, in the house plane.
ArmTip pilot_tip_now(const Pilot *pilot, const PilotView *view);
/// Room the bucket takes as it hangs: distances from the swing axis, and the world height of its lowest corner.
typedef struct PilotExtent {
    double nearest, farthest, lowest; ///< m
} PilotExtent;
/// Levers that bring the arm to `target`, with `ahead` (rad/s) as the speed the target itself has.
void pilot_move_arm(const Pilot *pilot, const PilotView *view, const ArmAngles *target, const ArmAngles *ahead,
                    OperatorControls *controls);
/// Swing angle still to go to look along `direction`, rad, positive right.
double pilot_swing_error(const PilotView *view, double direction);
/// Swings towards `direction`, which itself turns at `rate` (rad/s to the left), braking in time; ignores obstacles.
void pilot_turn_to(const Pilot *pilot, const PilotView *view, double direction, double rate,
                   OperatorControls *controls);

/// ---- dozer (autopilot_dozer.c) -------------------------------------------------------------------------------------

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
    double beginner; ///< 0..1
    double late; ///< s: how late his hands are
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
    double left_on; ///< m over the floor that passes of the present lane leave on it until the last ones
    BladeHand hand;
    double raise; ///< m that the edge is held higher because the tracks slipped
    double stuck; ///< s without a way ahead
    int cycles; ///< passes that were spread
} DozerPilot;

void dozer_pilot_start(DozerPilot *pilot, const SceneParams *scene, const MachineParams *machine);
/// One tick: decides and moves the levers.
void dozer_pilot_update(DozerPilot *pilot, const DozerView *seen, OperatorControls *controls);
const char *dozer_phase_name(DozerPhase phase); ///< "cut", "carry", ...

#endif
