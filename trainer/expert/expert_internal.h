/// The parts of the expert: its memory, and how each kind of action moves the levers.
#ifndef SPADEWORK_TRAINER_EXPERT_INTERNAL_H
#define SPADEWORK_TRAINER_EXPERT_INTERNAL_H

#include "trainer/expert/expert.h"
#include "trainer/operator/autopilot_internal.h"

/// What the expert sees in one tick. `arm` is misjudged by the aim, as is `tip`.
typedef struct ExpertView {
    PilotView arm; ///< of an excavator: its house level, without the rocking on its tracks
    const MachineReadout *machine;
    Vec3 base, tip; ///< m, world
    double yaw; ///< rad, of the base
    double time, dt; ///< s
    double ease; ///< 1..4: so much more error a beginner is satisfied with
} ExpertView;

/// One part of the edge's way.
typedef struct ExpertLeg {
    bool straight; ///< in the world; else swing, reach, height and angle change together
    Vec3 from, to; ///< m, world
    double angle_from, angle_to; ///< rad: elevation of the tip line
    double speed; ///< m/s
    double tolerance; ///< m that the edge may be off where the leg ends; 0: the next one begins at once
} ExpertLeg;

enum { EXPERT_MAX_LEGS = 4 };

/// A way that the edge follows: where the goal is on it, and what was learned on it.
typedef struct ExpertWay {
    ExpertLeg legs[EXPERT_MAX_LEGS];
    int count, leg;
    double along; ///< m of the present leg
    double speed; ///< m/s of the goal
    double reach_trim, height_trim; ///< m: what the goal is moved by, because the edge stayed off it
    double direction_trim; ///< rad
    double stalled; ///< s that the edge has not followed
    double raise; ///< m that the goal is higher while the edge is stalled
    double held; ///< s that the edge has been within the last leg's tolerance at its end
} ExpertWay;

/// Tracks.
typedef struct ExpertDrive {
    double heading; ///< rad: of the line to drive
    bool turned; ///< the machine looks along the line
    bool braking; ///< the levers are let go
    double lever; ///< of the tracks in the last tick, 0..1
} ExpertDrive;

/// What the dozer's levers hold between actions.
typedef struct ExpertHold {
    double height; ///< m of the edge over the tracks' plane; EXPERT_NOT_GIVEN: the lever is left alone
    double angle, tilt, ripper; ///< rad; the same
} ExpertHold;

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
    Autopilot *autopilot; ///< of a `task`; NULL
    int cycles; ///< of it when the task began
    char phase[EXPERT_PHASE_TEXT];
};

/// ---- the edge's way (expert_way.c) ---------------------------------------------------------------------------------

/// Begins a way of no legs.
void expert_way_start(ExpertWay *way);
/// Adds a leg from where the last one ends. The angle becomes the nearest with which `to` is reached.
void expert_way_add(const Expert *expert, const ExpertView *view, ExpertWay *way, ExpertLeg leg);
/// Moves the goal on and the levers after it. True when the edge has been within the last leg's tolerance for `hold` s.
bool expert_way_follow(Expert *expert, const ExpertView *view, double hold, OperatorControls *controls);
/// The nearest angle of the bucket to `wanted` with which the edge reaches a point.
double expert_reachable_angle(const Expert *expert, const ExpertView *view, Vec3 point, double wanted);

/// ---- actions: the first call of each begins it; true when it is done -----------------------------------------------

bool expert_tip(Expert *expert, const ExpertView *view, const ExpertTip *tip, OperatorControls *controls);
bool expert_line(Expert *expert, const ExpertView *view, const ExpertLine *line, OperatorControls *controls);
bool expert_curl(Expert *expert, const ExpertView *view, const ExpertCurl *curl, OperatorControls *controls);
bool expert_swing(Expert *expert, const ExpertView *view, const ExpertTurn *swing, OperatorControls *controls);
bool expert_travel(Expert *expert, const ExpertView *view, const ExpertTravel *travel, OperatorControls *controls);
bool expert_turn(Expert *expert, const ExpertView *view, const ExpertTurn *turn, OperatorControls *controls);
bool expert_blade(Expert *expert, const ExpertView *view, const ExpertBlade *blade, OperatorControls *controls);
/// Moves a dozer's blade and ripper to where they are held.
void expert_hold_blade(const Expert *expert, const ExpertView *view, OperatorControls *controls);

#endif
