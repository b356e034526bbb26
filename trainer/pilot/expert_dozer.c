/// The expert's actions of a dozer: holding blade and ripper, pushing along a line, planing a field in lanes of such
/// pushes, and ripping.
#include "data/core/elementary.h"
#include "data/schema/machine_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

/// ---- what blade and ripper are held at -----------------------------------------------------------------------------

#define HOLD_GAIN   8.0 ///< share of the lever for a metre
#define HOLD_NEAR   0.03 ///< m at which the blade is where it is to be
#define HOLD_STILL  0.01 ///< m
#define ANGLE_GAIN  4.0 ///< share of the lever for a radian
#define ANGLE_NEAR  0.03 ///< rad
#define ANGLE_STILL 0.01 ///< rad

/// Moves one of the dozer's functions towards where it is held. True when it is there, or nobody holds it.
static bool hold_angle(const ExpertView *view, int joint, ControlAxis axis, double wanted, OperatorControls *controls)
{
    if (!expert_gives(wanted)) {
        return true;
    }
    double missing = wanted - view->machine->angle[joint];
    if (controls != NULL && fabs(missing) > ANGLE_STILL) {
        double share = pilot_clamp(ANGLE_GAIN * missing, -1.0, 1.0);
        controls->axis[axis] = control_quantise(share + copysign(0.05, share));
    }
    return fabs(missing) < ANGLE_NEAR;
}

static bool hold_height(const Expert *expert, const ExpertView *view, OperatorControls *controls)
{
    if (!expert_gives(expert->hold.height)) {
        return true;
    }
    double missing = expert->hold.height - (view->machine->tip_height + view->tip.z - view->machine->tip.z);
    if (controls != NULL && fabs(missing) > HOLD_STILL) {
        double share = pilot_clamp(HOLD_GAIN * missing, -1.0, 1.0);
        controls->axis[CONTROL_BLADE] = control_quantise(share + copysign(0.05, share));
    }
    return fabs(missing) < HOLD_NEAR;
}

void expert_hold_blade(const Expert *expert, const ExpertView *view, OperatorControls *controls)
{
    const ExpertHold *hold = &expert->hold;
    hold_height(expert, view, controls);
    hold_angle(view, DOZER_JOINT_ANGLE, CONTROL_BLADE_ANGLE, hold->angle, controls);
    hold_angle(view, DOZER_JOINT_TILT, CONTROL_BLADE_TILT, hold->tilt, controls);
    hold_angle(view, DOZER_JOINT_RIPPER, CONTROL_RIPPER, hold->ripper, controls);
}

bool expert_blade(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertBlade *blade = &action->with.blade;
    ExpertHold *hold = &expert->hold;
    hold->height = expert_gives(blade->height) ? blade->height : hold->height;
    hold->angle = expert_gives(blade->angle) ? blade->angle : hold->angle;
    hold->tilt = expert_gives(blade->tilt) ? blade->tilt : hold->tilt;
    hold->ripper = expert_gives(blade->ripper) ? blade->ripper : hold->ripper;
    (void)controls; // moved with all that is held
    return hold_height(expert, view, NULL) &&
           hold_angle(view, DOZER_JOINT_ANGLE, CONTROL_BLADE_ANGLE, hold->angle, NULL) &&
           hold_angle(view, DOZER_JOINT_TILT, CONTROL_BLADE_TILT, hold->tilt, NULL) &&
           hold_angle(view, DOZER_JOINT_RIPPER, CONTROL_RIPPER, hold->ripper, NULL);
}

/// ---- pushing -------------------------------------------------------------------------------------------------------

#define PUSH_STEER_GAIN 4.0 ///< share of the inner track's speed that is taken off for a radian
#define PUSH_AIM_AHEAD  4.0 ///< m on which an offset from the line is taken out
#define BLADE_STILL     0.006 ///< m
#define LEARN           0.4 ///< 1/s of what the edge stays off its line
#define LEARN_MOST      0.08 ///< m
#define SLIP_HIGH       0.30
#define SLIP_LOW        0.12
#define RAISE_RATE      0.15 ///< m/s
#define LOWER_RATE      0.10 ///< m/s
#define RAISE_MOST      0.5 ///< m
#define CRAWL           0.08 ///< m/s: slower is no way ahead
#define HELD_TIME       0.7 ///< s of that after which the edge is lifted, too
#define STUCK_TIME      5.0 ///< s of that after which a push ends
#define START_ROOM      0.8 ///< m before a lane's start where the edge comes down
#define BLADE_LIFTED    0.45 ///< m over what the tracks stand on, between lanes
#define ENTRY_SLOPE     0.12 ///< m a metre by which the edge goes down where a lane begins
#define BEYOND_RISE     0.06 ///< m a metre by which it rises beyond the field
#define STRAIGHT        0.035 ///< rad off the lane's heading at which a push may begin
#define WORST           2.5 ///< times the tolerance that may stand at one place of a lane

static BladeLook look_at_blade(const ExpertView *view)
{
    return (BladeLook){view->tip.z, view->machine->tip_height, view->dt, view->late};
}

static void begin_push(ExpertPushState *push, const ExpertView *view, double x, double y)
{
    BladeLook look = look_at_blade(view);
    double dx = x - view->tip.x, dy = y - view->tip.y;
    *push = (ExpertPushState){.x = view->tip.x,
                              .y = view->tip.y,
                              .heading = same_atan2(dy, dx),
                              .length = sqrt(dx * dx + dy * dy),
                              .hand = blade_hand_rest(&look)};
}

/// m that the edge has gone along the push's line; `aside`: m to the left of it that the machine is.
static double along_push(const ExpertPushState *push, const ExpertView *view, double *aside)
{
    double c = same_cos(push->heading), s = same_sin(push->heading);
    *aside = (view->base.y - push->y) * c - (view->base.x - push->x) * s;
    return (view->tip.x - push->x) * c + (view->tip.y - push->y) * s;
}

/// Moves the blade so that its edge comes to a height (m, world).
static void move_edge(ExpertPushState *push, const ExpertView *view, double height, OperatorControls *controls)
{
    BladeLook look = look_at_blade(view);
    double off = height - view->tip.z;
    if (fabs(off) < LEARN_MOST) {
        push->trim = pilot_clamp(push->trim + LEARN * view->dt * off, -LEARN_MOST, LEARN_MOST);
    }
    double share = blade_hand_share(&push->hand, &look, height + push->trim, BLADE_STILL);
    if (share != 0.0) {
        controls->axis[CONTROL_BLADE] = control_quantise(share + copysign(0.05, share));
    }
}

/// Drives ahead along a push's line, and raises its `raise` while the tracks slip. True when `along` m are its length,
/// or there is no way ahead.
static bool drive_along_push(ExpertPushState *push, const ExpertView *view, double along, double speed,
                             OperatorControls *controls)
{
    double aside;
    along_push(push, view, &aside);
    double slip = fmax(view->machine->slip[0], view->machine->slip[1]);
    push->lasts += view->dt;
    bool held = (slip > SLIP_HIGH || push->stuck > HELD_TIME) && push->lasts > 0.5;
    double rate = held ? RAISE_RATE : slip < SLIP_LOW ? -LOWER_RATE : 0.0;
    push->raise = pilot_clamp(push->raise + rate * view->dt, 0.0, RAISE_MOST);
    push->stuck = view->machine->speed_over_ground < CRAWL ? push->stuck + view->dt : 0.0;
    if (along >= push->length || push->stuck > STUCK_TIME) {
        return true;
    }
    double nose = push->heading - same_atan(aside / PUSH_AIM_AHEAD);
    // The inner track alone is slowed down, to a stand if need be: a faster outer one would shift up and lose force.
    double steer = pilot_clamp(PUSH_STEER_GAIN * remainder(nose - view->yaw, 2.0 * M_PI), -1.0, 1.0) * speed;
    controls->axis[CONTROL_LEFT_TRACK] = control_quantise(speed - fmax(steer, 0.0));
    controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(speed + fmin(steer, 0.0));
    return false;
}

/// Drives ahead with the edge at `height` m, higher while the tracks slip. True when the push is over.
static bool step_push(ExpertPushState *push, const ExpertView *view, double height, double speed,
                      OperatorControls *controls)
{
    double aside;
    if (drive_along_push(push, view, along_push(push, view, &aside), speed, controls)) {
        return true;
    }
    move_edge(push, view, height + push->raise, controls);
    return false;
}

bool expert_push(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertPush *push = &action->with.push;
    ExpertPushState *state = &expert->push;
    if (!expert->entered) {
        begin_push(state, view, push->x, push->y);
        double end_depth = expert_gives(push->end_depth) ? push->end_depth : push->depth;
        double end_z = expert_gives(push->end_z) ? push->end_z : push->z;
        bool deep = expert_gives(push->depth);
        state->from = deep ? view->arm.height(view->arm.context, view->tip.x, view->tip.y) - push->depth : push->z;
        state->to = deep ? view->arm.height(view->arm.context, push->x, push->y) - end_depth : end_z;
        expert->hold.height = EXPERT_NOT_GIVEN;
    }
    double aside, share = pilot_clamp(along_push(state, view, &aside) / fmax(state->length, 0.1), 0.0, 1.0);
    return step_push(state, view, state->from + share * (state->to - state->from), push->speed, controls);
}

/// ---- lanes of a field ----------------------------------------------------------------------------------------------

static double level_plane_at(const ExpertLevel *level, double along)
{
    double end = expert_gives(level->end_z) ? level->end_z : level->z;
    return level->z + pilot_clamp(along / level->field.length, 0.0, 1.0) * (end - level->z);
}

static int place_index(double along)
{
    return (int)pilot_clamp((along + START_ROOM) / DOZER_PITCH + 0.5, 0.0, EXPERT_PLACES - 1);
}

/// Samples the ground of a lane and what stands above the plane. True when it is worth a push.
static bool sample_lane(Expert *expert, const ExpertView *view, const ExpertLevel *level, double aside)
{
    double edge = expert->pilot.machine.tool[0].shape.edge_width, mean = 0.0, most = 0.0;
    int count = 0;
    for (int k = 0; k < EXPERT_PLACES; k++) {
        double along = k * DOZER_PITCH - START_ROOM;
        double ground = expert_lane_mean(view, &level->field, along, aside, edge);
        expert->ground[k] = ground;
        if (along >= 0.0 && along <= level->field.length) {
            double above = fmax(ground - level_plane_at(level, along), 0.0);
            mean += above;
            most = fmax(most, above);
            count++;
        }
    }
    double allowed = view->ease * level->tolerance;
    return mean > allowed * count || most > WORST * allowed;
}

/// m, world: where the edge is to be along a lane.
static double lane_line(const Expert *expert, const ExpertLevel *level, double along)
{
    double ground = expert->ground[place_index(along)];
    double plane = level_plane_at(level, along) + BEYOND_RISE * fmax(along - level->field.length, 0.0);
    return fmax(plane, ground - fmin(level->layer, ENTRY_SLOPE * fmax(along + START_ROOM, 0.0)));
}

static bool next_level_lane(Expert *expert, const ExpertView *view, const ExpertLevel *level)
{
    ExpertLanes *lanes = &expert->lanes;
    double edge = expert->pilot.machine.tool[0].shape.edge_width;
    int count = expert_lane_count(&level->field, edge);
    for (;;) {
        if (++lanes->lane >= count) {
            lanes->lane = 0;
            lanes->pass++;
            if (lanes->pass >= level->passes || !lanes->worked) {
                return false;
            }
            lanes->worked = false;
        }
        lanes->aside = expert_lane_offset(&level->field, edge, count, lanes->lane);
        if (sample_lane(expert, view, level, lanes->aside)) {
            lanes->worked = true;
            return true;
        }
    }
}

static void enter_stage(ExpertLanes *lanes, ExpertStage stage)
{
    lanes->stage = stage;
    lanes->begins = true;
}

/// In the stages BACK and STRAIGHT: drives to where the machine's middle is `along` m along the field in the present
/// lane, and turns along it; then the stage is PUSH.
static void line_up(Expert *expert, const ExpertView *view, const ExpertField *field, double along,
                    OperatorControls *controls)
{
    ExpertLanes *lanes = &expert->lanes;
    bool begins = lanes->begins;
    lanes->begins = false;
    if (lanes->stage == EXPERT_STAGE_BACK) {
        Vec3 start = expert_lane_point(field, along, lanes->aside, 0.0);
        expert->hold.height = BLADE_LIFTED;
        double ahead = (start.x - view->base.x) * same_cos(view->yaw) + (start.y - view->base.y) * same_sin(view->yaw);
        lanes->reverse = begins ? ahead < 0.0 : lanes->reverse;
        ExpertTravel back = {start.x, start.y, lanes->reverse, false, 0.8, 0.4, 60.0};
        if (expert_travel_to(expert, view, &back, begins, controls)) {
            enter_stage(lanes, EXPERT_STAGE_STRAIGHT);
        }
        return;
    }
    ExpertTurn straight = {field->heading, 0.5, STRAIGHT, 20.0};
    bool turned = fabs(remainder(field->heading - view->yaw, 2.0 * M_PI)) < STRAIGHT;
    if (turned || expert_turn_to(expert, view, &straight, begins, controls)) {
        enter_stage(lanes, EXPERT_STAGE_PUSH);
    }
}

/// To the lane's start, straight, ahead along it. True when the lane is done.
static bool work_lane(Expert *expert, const ExpertView *view, const ExpertLevel *level, OperatorControls *controls)
{
    ExpertLanes *lanes = &expert->lanes;
    if (lanes->stage != EXPERT_STAGE_PUSH) {
        line_up(expert, view, &level->field, -START_ROOM - lanes->reach, controls);
        return false;
    }
    bool begins = lanes->begins;
    lanes->begins = false;
    if (begins) {
        Vec3 end = expert_lane_point(&level->field, level->field.length + level->beyond, lanes->aside, 0.0);
        begin_push(&expert->push, view, end.x, end.y);
        sample_lane(expert, view, level, lanes->aside);
        expert->hold.height = EXPERT_NOT_GIVEN;
    }
    double c = same_cos(level->field.heading), s = same_sin(level->field.heading);
    double along = (view->tip.x - level->field.x) * c + (view->tip.y - level->field.y) * s;
    return step_push(&expert->push, view, lane_line(expert, level, along), level->speed, controls);
}

bool expert_level(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertLevel *level = &action->with.level;
    ExpertLanes *lanes = &expert->lanes;
    bool begins = !expert->entered;
    if (begins) {
        Vec3 reach = vec3_sub(view->tip, view->base);
        *lanes = (ExpertLanes){.lane = -1, .reach = same_hypot(reach.x, reach.y)};
    }
    if (!begins && !work_lane(expert, view, level, controls)) {
        return false;
    }
    if (!next_level_lane(expert, view, level)) {
        expert->hold.height = BLADE_LIFTED;
        return true;
    }
    enter_stage(lanes, EXPERT_STAGE_BACK);
    return false;
}

/// ---- ripping -------------------------------------------------------------------------------------------------------
/// The shank is let down where a lane begins, drawn ahead along it and lifted before the machine backs to the next one:
/// backing or turning with it in the ground bends it.

#define RIPPER_COMES_DOWN 0.9 ///< m before a lane's start where the point comes down
#define RIPPER_READY      0.12 ///< m over the ground, of the point that is about to come down
#define RIPPER_LIFTED     0.30 ///< m over the ground, between lanes
#define RIPPER_LIFTED_BY  0.05 ///< m less, at which it may be backed
#define RIP_BEYOND        0.2 ///< m beyond the lane's end where the point is lifted

/// rad of the ripper's joint at which its point is `height` m over what the tracks stand on; the nearest that there is.
static double ripper_angle(const MachineParams *machine, double height)
{
    double up = machine->joint[DOZER_JOINT_RIPPER].range[0], down = machine->joint[DOZER_JOINT_RIPPER].range[1];
    for (int k = 0; k < 30; k++) {
        double middle = 0.5 * (up + down);
        if (dozer_ripper_height(machine, middle) > height) {
            up = middle;
        } else {
            down = middle;
        }
    }
    return 0.5 * (up + down);
}

/// m from the ripper's point ahead to the machine's middle.
static double ripper_behind(const MachineParams *machine, double angle)
{
    const double *point = machine->tool[DOZER_TOOL_RIPPER].shape.edge;
    return point[1] * same_sin(angle) - point[0] * same_cos(angle) - machine->joint[DOZER_JOINT_RIPPER].origin.x;
}

static bool next_rip_lane(Expert *expert, const ExpertRip *rip)
{
    ExpertLanes *lanes = &expert->lanes;
    int count = (int)ceil(rip->field.width / rip->spacing);
    if (++lanes->lane >= count) {
        return false;
    }
    lanes->aside = rip->field.width * ((lanes->lane + 0.5) / count - 0.5);
    enter_stage(lanes, EXPERT_STAGE_BACK);
    return true;
}

/// Along the lane with the point in the ground, higher while the tracks slip. What the eye is off, the point is.
static void rip_ahead(Expert *expert, const ExpertView *view, const ExpertRip *rip, OperatorControls *controls)
{
    const MachineParams *machine = &expert->pilot.machine;
    ExpertLanes *lanes = &expert->lanes;
    ExpertPushState *push = &expert->push;
    if (lanes->begins) {
        Vec3 start = expert_lane_point(&rip->field, 0.0, lanes->aside, 0.0);
        *push = (ExpertPushState){
            .x = start.x, .y = start.y, .heading = rip->field.heading, .length = rip->field.length + RIP_BEYOND};
        lanes->begins = false;
    }
    double c = same_cos(rip->field.heading), s = same_sin(rip->field.heading);
    double along = (view->base.x - rip->field.x) * c + (view->base.y - rip->field.y) * s;
    along -= ripper_behind(machine, view->machine->angle[DOZER_JOINT_RIPPER]);
    double depth = rip->depth - push->raise + view->tip.z - view->machine->tip.z;
    expert->hold.ripper = ripper_angle(machine, -depth);
    if (drive_along_push(push, view, along, rip->speed, controls)) {
        enter_stage(lanes, EXPERT_STAGE_UP);
    }
}

bool expert_rip(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertRip *rip = &action->with.rip;
    const MachineParams *machine = &expert->pilot.machine;
    ExpertLanes *lanes = &expert->lanes;
    if (!expert->entered) {
        *lanes = (ExpertLanes){.lane = -1};
        next_rip_lane(expert, rip);
    }
    double height = dozer_ripper_height(machine, view->machine->angle[DOZER_JOINT_RIPPER]);
    double lifted = ripper_angle(machine, RIPPER_LIFTED), ready = ripper_angle(machine, RIPPER_READY);
    switch (lanes->stage) {
    case EXPERT_STAGE_PUSH:
        rip_ahead(expert, view, rip, controls);
        return false;
    case EXPERT_STAGE_UP:
        expert->hold.ripper = lifted;
        return height > RIPPER_LIFTED - RIPPER_LIFTED_BY && !next_rip_lane(expert, rip);
    default:
        expert->hold.ripper = lanes->stage == EXPERT_STAGE_STRAIGHT ? ready : lifted;
        line_up(expert, view, &rip->field, ripper_behind(machine, ready) - RIPPER_COMES_DOWN, controls);
        return false;
    }
}
