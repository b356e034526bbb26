/// State of the expert and the steps of its actions, from bottom to top: expert_ways.c, expert_foot.c,
/// expert_excavator.c and expert_dozer.c, expert.c.
#ifndef SPADEWORK_TRAINER_EXPERT_INTERNAL_H
#define SPADEWORK_TRAINER_EXPERT_INTERNAL_H

#include "trainer/pilot/expert.h"
#include "trainer/pilot/autopilot_internal.h"

/// What the expert sees in one tick. `arm` is misjudged by the aim, as is `tip`.
typedef struct ExpertView {
    Session *session; ///< for the autopilot
    const OperatorAim *aim; ///< what the operator misjudges, before a wait has made it less; NULL: nothing
    PilotView arm; ///< of an excavator: its house level, without the rocking on its tracks
    PilotView seen; ///< the same as it rocks
    const MachineReadout *machine;
    Vec3 force; ///< N on the tool, world
    const SessionRocks *rocks; ///< or NULL
    const SessionLoads *loads; ///< or NULL
    const SceneParams *scene;
    SessionLift lift;
    Vec3 base, tip; ///< m, world
    double yaw; ///< rad, of the base
    double time, dt; ///< s
    double beginner; ///< 0..1
    double late; ///< s: how late his hands are
    double ease; ///< 1..4: so much more error a beginner is satisfied with
} ExpertView;

/// One part of the edge's way.
typedef struct ExpertLeg {
    bool presses; ///< an edge that is held up is not raised
    bool straight; ///< in the world; else swing, reach, height and angle change together
    Vec3 from, to; ///< m, world
    double angle_from, angle_to; ///< rad: elevation of the tip line
    double speed; ///< m/s
    double ramp; ///< m/s2 with which the goal gets faster and slower; 0: as the arm can
    double tolerance; ///< m that the edge may be off where the leg ends; 0: the next one begins at once
} ExpertLeg;

enum { EXPERT_MAX_LEGS = 8 };

/// A way that the edge follows: where the goal is on it, and what was learned on it.
typedef struct ExpertWay {
    ExpertLeg legs[EXPERT_MAX_LEGS];
    int count, leg;
    double along; ///< m of the present leg
    double speed; ///< m/s of the goal
    double reach_trim, height_trim; ///< m: what the goal is moved by, because the edge stayed off it
    double direction_trim; ///< rad
    Vec3 sway; ///< m, level: by which the goal follows a load that swings
    double stalled; ///< s that the edge has not followed
    double raise; ///< m that the goal is higher while the edge is stalled
    double ended; ///< s that the goal has been at its end
    double held; ///< s that the edge has been within the last leg's tolerance at its end
} ExpertWay;

/// Tracks.
typedef struct ExpertDrive {
    double heading; ///< rad: of the line to drive
    bool turned; ///< the machine points along the line
    bool braking; ///< the levers are let go
    double lever; ///< of the tracks in the last tick, 0..1
} ExpertDrive;

/// A push of the blade.
typedef struct ExpertPushState {
    double x, y, heading, length; ///< m, m, rad, m: the edge's line
    double from, to; ///< m, world: of the edge
    BladeHand hand;
    double trim; ///< m: learned of what the edge stays off
    double raise; ///< m that the edge is higher because the tracks slipped
    double stuck, lasts; ///< s without a way ahead; since the start
} ExpertPushState;

/// Of a lane of the blade, and of a press.
typedef enum ExpertStage {
    EXPERT_STAGE_BACK,
    EXPERT_STAGE_STRAIGHT,
    EXPERT_STAGE_PUSH,
    EXPERT_STAGE_DOWN,
    EXPERT_STAGE_STRIKE,
    EXPERT_STAGE_UP,
} ExpertStage;

/// The lanes of a field.
typedef struct ExpertLanes {
    int lane, pass;
    bool worked; ///< a lane of this pass was worth it
    double began; ///< s: the present lane
    double aside; ///< m to the left of the field's middle
    double reach; ///< m from the machine's middle to its edge
    ExpertStage stage; ///< of the present lane
    bool reverse; ///< its start lies behind the machine
    bool begins; ///< of the present stage
    double over; ///< m over the design of the line on which a bucket planes the present lane
    double last; ///< m along the lanes where a bucket's line ends
    double cut; ///< m3 that stand over that line, as far as it is drawn
    bool stopped; ///< the line ends before the lane, as the bucket is full there
    bool carries; ///< `digger` takes the bucket to the heap
} ExpertLanes;
enum { EXPERT_PLACES = 200 }; ///< of a lane, DOZER_PITCH apart

/// What the dozer's levers hold between actions.
typedef struct ExpertHold {
    double height; ///< m of the edge over the tracks' plane; EXPERT_NOT_GIVEN: the lever is left alone
    double angle, tilt, ripper; ///< rad; the same
} ExpertHold;

/// A field that is tamped.
typedef struct ExpertTamping {
    ExpertPress press; ///< at the present place
    int done; ///< places begun
    double began; ///< s: the present one
} ExpertTamping;

/// The rock that is being broken.
typedef struct ExpertBreaking {
    ExpertPress press;
    int rock; ///< -1: none
    double size; ///< m
    int tries; ///< of this rock
    double began; ///< s: the present try
} ExpertBreaking;

/// A load that is lifted or laid down.
typedef enum ExpertLiftStage {
    EXPERT_LIFT_GO, ///< the eye goes over the load, or over its place
    EXPERT_LIFT_HOOK, ///< the lever is pressed until the load is on the hook, or off
    EXPERT_LIFT_RAISE,
    EXPERT_LIFT_STEADY, ///< until it hangs still
    EXPERT_LIFT_LOWER,
} ExpertLiftStage;
typedef struct ExpertLifting {
    ExpertLiftStage stage;
    double began; ///< s: the stage
    double arrived; ///< s: at the place over which it works
    double still; ///< s that the load has hung still
    double angle; ///< rad: elevation of the tip line
} ExpertLifting;

struct Expert {
    ExpertParams params;
    Pilot pilot; ///< for the arm's levers: the machine, and its level without rocking
    int index; ///< of the action that is done
    double began; ///< s
    bool entered; ///< the present action has looked at where it begins
    bool over; ///< the list is at its end
    int done[EXPERT_MAX_ACTIONS]; ///< of a `repeat`: how often its actions were done
    int begun, late, first_late;
    ExpertWay way;
    ExpertDrive drive;
    ExpertHold hold;
    ExpertLanes lanes;
    ExpertPushState push;
    ExpertTamping tamping; ///< of a `tamp`
    ExpertBreaking breaking; ///< of a `break`
    ExpertLifting lifting; ///< of a `hoist` or `place`
    double ground[EXPERT_PLACES]; ///< m, world: of the present lane, mean over its width
    Pilot digger; ///< of a `dig`, and of a `grade` that carries soil away
    bool looked; ///< the thing of an `inspect` was looked at closely
    int fitted; ///< number of the tool that `pilot.machine` has (session_tools.h), 0 at the start; -1: none
    Autopilot *autopilot; ///< of a `task`; NULL
    int cycles; ///< of it when the task began
    char phase[EXPERT_PHASE_TEXT];
};

/// ---- any machine (expert_ways.c) -----------------------------------------------------------------------------------

/// Drives straight to a place, and turns on the spot to a heading. `begins`: the first call, as they are parts of other
/// actions, too.
bool expert_travel_to(Expert *expert, const ExpertView *view, const ExpertTravel *travel, bool begins,
                      OperatorControls *controls);
bool expert_turn_to(Expert *expert, const ExpertView *view, const ExpertTurn *turn, bool begins,
                    OperatorControls *controls);

/// Lanes in which a tool of width `edge` (m) covers a field.
int expert_lane_count(const ExpertField *field, double edge);
/// m to the left of the field's middle.
double expert_lane_offset(const ExpertField *field, double edge, int lanes, int lane);
Vec3 expert_lane_point(const ExpertField *field, double along, double aside, double height);
/// m, world: mean height of the ground over the tool's width.
double expert_lane_mean(const ExpertView *view, const ExpertField *field, double along, double aside, double edge);

/// ---- actions -------------------------------------------------------------------------------------------------------

/// Carries out an action for one tick; the first call (`entered` is false) begins it. True when it is done.
typedef bool ExpertStep(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls);

/// ---- excavator (expert_excavator.c) --------------------------------------------------------------------------------

ExpertStep expert_tool; // expert_tool.c
ExpertStep expert_tip, expert_line, expert_curl, expert_swing, expert_dig, expert_grade, expert_tamp, expert_break;
ExpertStep expert_hoist, expert_place;
ExpertStep expert_press; ///< of a bucket, and of a hammer

/// ---- on foot (expert_foot.c) ---------------------------------------------------------------------------------------

ExpertStep expert_walk, expert_inspect;

/// ---- dozer (expert_dozer.c) ----------------------------------------------------------------------------------------

ExpertStep expert_push, expert_level, expert_rip, expert_blade;
/// Moves blade and ripper to where they are held.
void expert_hold_blade(const Expert *expert, const ExpertView *view, OperatorControls *controls);

#endif
