/// The actions of an excavator's arm: to a point, along a line, the bucket alone, the house alone.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define SWING_STOPPED 0.03 ///< rad/s at which the house counts as standing
#define FREE_SPEED    1.5 ///< m/s of the edge on the way to a line's start

double expert_angle_now(const Expert *expert, const ExpertView *view)
{
    double pitch = same_asin(fmax(-1.0, fmin(1.0, view->arm.house.rotation.m[2][0])));
    return pilot_tip_now(&expert->pilot, &view->arm).elevation + pitch;
}

static double ground_at(const ExpertView *view, double x, double y)
{
    return view->arm.height(view->arm.context, x, y);
}

static Vec3 point_of(const ExpertView *view, const ExpertPoint *point)
{
    double z = expert_gives(point->z) ? point->z : ground_at(view, point->x, point->y) + point->above;
    return vec3(point->x, point->y, z);
}

/// Highest ground under the way from the edge to a point, round the swing axis.
static double highest_on_way(const ExpertView *view, Vec3 to)
{
    enum { STEPS = 24 };
    double dx = view->tip.x - view->base.x, dy = view->tip.y - view->base.y, ex = to.x - view->base.x;
    double ey = to.y - view->base.y, near = sqrt(dx * dx + dy * dy), far = sqrt(ex * ex + ey * ey);
    double from = same_atan2(dy, dx), turn = remainder(same_atan2(ey, ex) - from, 2.0 * M_PI), highest = -1e9;
    for (int k = 0; k <= STEPS; k++) {
        double share = (double)k / STEPS, look = from + share * turn, r = near + share * (far - near);
        highest = fmax(highest, ground_at(view, view->base.x + r * same_cos(look), view->base.y + r * same_sin(look)));
    }
    return highest;
}

void expert_go_to(Expert *expert, const ExpertView *view, ExpertLeg leg, double over)
{
    ExpertWay *way = &expert->way;
    expert_way_start(way);
    double angle = expert_angle_now(expert, view);
    ExpertLeg part = {.from = view->tip, .to = view->tip, .angle_from = angle, .angle_to = angle, .speed = leg.speed};
    if (expert_gives(over)) {
        double height = highest_on_way(view, leg.to) + over;
        if (view->tip.z < height) {
            part.to.z = height;
            expert_way_add(expert, view, way, part);
        }
        if (leg.to.z < height) {
            part.to = vec3(leg.to.x, leg.to.y, height);
            part.angle_to = leg.angle_to;
            expert_way_add(expert, view, way, part);
        }
    }
    leg.from = view->tip;
    leg.angle_from = angle;
    expert_way_add(expert, view, way, leg);
}

bool expert_tip(Expert *expert, const ExpertView *view, const ExpertTip *tip, OperatorControls *controls)
{
    if (!expert->entered) {
        double angle = expert_gives(tip->angle) ? tip->angle : expert_angle_now(expert, view);
        expert_go_to(expert, view,
                     (ExpertLeg){.to = point_of(view, &tip->to),
                                 .angle_to = angle,
                                 .speed = tip->speed,
                                 .tolerance = view->ease * tip->tolerance},
                     tip->over);
    }
    return expert_way_follow(expert, view, tip->hold, controls);
}

bool expert_line(Expert *expert, const ExpertView *view, const ExpertLine *line, OperatorControls *controls)
{
    if (!expert->entered) {
        Vec3 from = point_of(view, &line->from), above = vec3(from.x, from.y, from.z + line->approach);
        double end = expert_gives(line->end_angle) ? line->end_angle : line->angle;
        double tolerance = view->ease * line->tolerance, speed = fmax(FREE_SPEED, line->speed),
               over = line->approach > 0.0 ? line->approach : EXPERT_NOT_GIVEN;
        expert_go_to(expert, view,
                     (ExpertLeg){.to = above, .angle_to = line->angle, .speed = speed, .tolerance = tolerance}, over);
        if (line->approach > 0.0) {
            expert_way_add(expert, view, &expert->way,
                           (ExpertLeg){.straight = true,
                                       .to = from,
                                       .angle_to = line->angle,
                                       .speed = line->speed,
                                       .tolerance = tolerance});
        }
        expert_way_add(expert, view, &expert->way,
                       (ExpertLeg){.straight = true,
                                   .to = point_of(view, &line->to),
                                   .angle_to = end,
                                   .speed = line->speed,
                                   .tolerance = tolerance});
    }
    return expert_way_follow(expert, view, 0.0, controls);
}

bool expert_curl(Expert *expert, const ExpertView *view, const ExpertCurl *curl, OperatorControls *controls)
{
    const double *range = expert->pilot.machine.joint[EXCAVATOR_JOINT_BUCKET].range;
    double turn = curl->angle - expert_angle_now(expert, view), now = view->arm.angle[EXCAVATOR_JOINT_BUCKET];
    double wanted = fmax(range[0], fmin(range[1], now + turn));
    ArmAngles target = {view->arm.angle[EXCAVATOR_JOINT_BOOM], view->arm.angle[EXCAVATOR_JOINT_STICK], wanted};
    ArmAngles still = {0.0, 0.0, 0.0};
    pilot_move_arm(&expert->pilot, &view->arm, &target, &still, controls);
    return fabs(wanted - now) < view->ease * curl->tolerance;
}

bool expert_swing(Expert *expert, const ExpertView *view, const ExpertTurn *swing, OperatorControls *controls)
{
    pilot_turn_to(&expert->pilot, &view->arm, swing->heading, 0.0, controls);
    double lever = control_value(controls, CONTROL_SWING);
    controls->axis[CONTROL_SWING] = control_quantise(copysign(fmin(fabs(lever), swing->speed), lever));
    return fabs(pilot_swing_error(&view->arm, swing->heading)) < view->ease * swing->tolerance &&
           fabs(view->arm.speed[EXCAVATOR_JOINT_SWING]) < view->ease * SWING_STOPPED;
}
