/// Ripping: the shank is let down where a lane begins, drawn ahead along it and lifted before the machine backs to the
/// next one. Whoever backs or turns with it in the ground bends it.
#include "data/core/elementary.h"
#include "data/schema/dozer_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define COMES_DOWN 0.9 ///< m before a lane's start where the point comes down
#define READY      0.12 ///< m over the ground, of the point that is about to come down
#define LIFTED     0.30 ///< m over the ground, between lanes
#define LIFTED_BY  0.05 ///< m less, at which it may be backed
#define BEYOND     0.2 ///< m beyond the lane's end where the point is lifted

/// rad of the ripper's joint at which its point is `height` m over what the tracks stand on; the nearest that there is.
static double angle_at(const MachineParams *machine, double height)
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
static double point_behind(const MachineParams *machine, double angle)
{
    const double *point = machine->tool[DOZER_TOOL_RIPPER].shape.edge;
    return point[1] * same_sin(angle) - point[0] * same_cos(angle) - machine->joint[DOZER_JOINT_RIPPER].origin.x;
}

static bool next_lane(Expert *expert, const ExpertRip *rip)
{
    ExpertLanes *lanes = &expert->lanes;
    int count = (int)ceil(rip->field.width / rip->spacing);
    if (++lanes->lane >= count) {
        return false;
    }
    lanes->aside = rip->field.width * ((lanes->lane + 0.5) / count - 0.5);
    expert_enter_stage(lanes, EXPERT_STAGE_BACK);
    return true;
}

/// Along the lane with the point in the ground, higher while the tracks slip. What the eye is off, the point is.
static void draw_ahead(Expert *expert, const ExpertView *view, const ExpertRip *rip, OperatorControls *controls)
{
    const MachineParams *machine = &expert->pilot.machine;
    ExpertLanes *lanes = &expert->lanes;
    ExpertPushState *push = &expert->push;
    if (lanes->begins) {
        Vec3 start = expert_lane_point(&rip->field, 0.0, lanes->aside, 0.0);
        *push = (ExpertPushState){
            .x = start.x, .y = start.y, .heading = rip->field.heading, .length = rip->field.length + BEYOND};
        lanes->begins = false;
    }
    double c = same_cos(rip->field.heading), s = same_sin(rip->field.heading);
    double along = (view->base.x - rip->field.x) * c + (view->base.y - rip->field.y) * s;
    along -= point_behind(machine, view->machine->angle[DOZER_JOINT_RIPPER]);
    double depth = rip->depth - push->raise + view->tip.z - view->machine->tip.z;
    expert->hold.ripper = angle_at(machine, -depth);
    if (expert_push_ahead(push, view, along, rip->speed, controls)) {
        expert_enter_stage(lanes, EXPERT_STAGE_UP);
    }
}

bool expert_rip(Expert *expert, const ExpertView *view, const ExpertRip *rip, OperatorControls *controls)
{
    const MachineParams *machine = &expert->pilot.machine;
    ExpertLanes *lanes = &expert->lanes;
    if (!expert->entered) {
        *lanes = (ExpertLanes){.lane = -1};
        next_lane(expert, rip);
    }
    double height = dozer_ripper_height(machine, view->machine->angle[DOZER_JOINT_RIPPER]);
    double lifted = angle_at(machine, LIFTED), ready = angle_at(machine, READY);
    switch (lanes->stage) {
    case EXPERT_STAGE_PUSH:
        draw_ahead(expert, view, rip, controls);
        return false;
    case EXPERT_STAGE_UP:
        expert->hold.ripper = lifted;
        return height > LIFTED - LIFTED_BY && !next_lane(expert, rip);
    default:
        expert->hold.ripper = lanes->stage == EXPERT_STAGE_STRAIGHT ? ready : lifted;
        expert_line_up(expert, view, &rip->field, point_behind(machine, ready) - COMES_DOWN, controls);
        return false;
    }
}
