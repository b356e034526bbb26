/// The expert's actions of an excavator's arm: to a point, along a line, digging, planing, pressing, tamping, breaking
/// rocks and lifting loads. All of them move the edge along a way of legs.
#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "data/schema/machine_params.h"
#include "machine/lifting.h"
#include "trainer/pilot/expert_internal.h"

#include <assert.h>
#include <math.h>

#define FREE_SPEED 1.5 ///< m/s of the edge through the air

static double ground_at(const ExpertView *view, double x, double y)
{
    return view->arm.height(view->arm.context, x, y);
}

/// ---- the edge's way ------------------------------------------------------------------------------------------------
/// The edge follows a goal that moves along its way as fast as the edge can follow. What the edge stays off is learned
/// and added to the goal, so that neither the weight of a load nor the ground's resistance leaves an error.

#define AHEAD       0.05 ///< s over which the goal's own speed is looked at
#define RAMP        1.2 ///< m/s2: the goal gets faster
#define BRAKE       0.9 ///< m/s2: it gets slower before an end
#define RAMP_FAST   0.5 ///< 1/s: both are at least so much of the leg's speed, while the edge moves freely
#define RAMP_LINE   0.5 ///< m/s2: both along a line, where the edge is to stay on it
#define SETTLED     0.25 ///< s that the edge has to stay within a leg's tolerance before the next one
#define SLOW_GOAL   0.15 ///< m/s: of a goal that moves freely, only what the edge stays off a slower one is learned
#define CREEP       0.03 ///< m/s: it is never slower
#define LAG_FREE    0.4 ///< of LAG_STOP: the goal waits for the edge from here on
#define LAG_STOP    0.25 ///< m behind which the goal stands still, along a line
#define LAG_STOP_IN 0.9 ///< m: the same while the edge moves freely
#define LEARN       1.5 ///< 1/s of what the edge stays off
#define LEARN_MOST  0.35 ///< m
#define STALL_TIME  0.6 ///< s of standing after which the edge is lifted a little
#define RAISE_RATE  0.25 ///< m/s
#define RAISE_MOST  0.4 ///< m
#define SLOWLY      0.25 ///< of the speed: a goal that is stalled works on
#define TURN_ARM    1.4 ///< m: as much way as a radian of the bucket's turning

/// The goal at one moment, as seen from the swing axis.
typedef struct WayPlace {
    double direction; ///< rad, world
    double distance; ///< m from the swing axis
    double height; ///< m, world
    double angle; ///< rad: elevation of the tip line
} WayPlace;

static WayPlace place_of(const ExpertView *view, Vec3 point, double angle)
{
    double dx = point.x - view->base.x, dy = point.y - view->base.y;
    return (WayPlace){same_atan2(dy, dx), sqrt(dx * dx + dy * dy), point.z, angle};
}

static WayPlace place_on_leg(const ExpertView *view, const ExpertLeg *leg, double share)
{
    double angle = leg->angle_from + share * (leg->angle_to - leg->angle_from);
    if (leg->straight) {
        return place_of(view, vec3_add(leg->from, vec3_scale(vec3_sub(leg->to, leg->from), share)), angle);
    }
    WayPlace from = place_of(view, leg->from, 0.0), to = place_of(view, leg->to, 0.0);
    return (WayPlace){from.direction + share * remainder(to.direction - from.direction, 2.0 * M_PI),
                      from.distance + share * (to.distance - from.distance),
                      from.height + share * (to.height - from.height), angle};
}

/// Where the goal is on a leg, moved by the way's sway.
static WayPlace goal_on_leg(const ExpertView *view, const ExpertWay *way, const ExpertLeg *leg, double share)
{
    WayPlace place = place_on_leg(view, leg, share);
    if (way->sway.x == 0.0 && way->sway.y == 0.0) {
        return place;
    }
    Vec3 at = vec3(view->base.x + place.distance * same_cos(place.direction) + way->sway.x,
                   view->base.y + place.distance * same_sin(place.direction) + way->sway.y, place.height);
    return place_of(view, at, place.angle);
}

/// m that the goal goes on a leg; turning counts, so that its speed is bounded, too.
static double leg_length(const ExpertView *view, const ExpertLeg *leg)
{
    double turned = TURN_ARM * (leg->angle_to - leg->angle_from);
    if (leg->straight) {
        return fmax(vec3_length(vec3_sub(leg->to, leg->from)), fabs(turned));
    }
    WayPlace from = place_of(view, leg->from, 0.0), to = place_of(view, leg->to, 0.0);
    double across = 0.5 * (from.distance + to.distance) * remainder(to.direction - from.direction, 2.0 * M_PI);
    double out = to.distance - from.distance, up = to.height - from.height;
    return sqrt(across * across + out * out + up * up + turned * turned);
}

static bool place_in_reach(const Expert *expert, const ExpertView *view, WayPlace place)
{
    ArmTip tip = pilot_tip_in_house(&view->arm, place.distance, place.height, place.angle);
    ArmAngles angles;
    return excavator_reach(&expert->pilot.machine, &tip, &angles);
}

/// True when the edge reaches a point with an angle less than `farthest` rad off the wanted one; *angle is the nearest.
static bool find_angle(const Expert *expert, const ExpertView *view, Vec3 point, double wanted, double farthest,
                       double *angle)
{
    const double step = M_PI / 90.0;
    WayPlace place = place_of(view, point, wanted);
    for (double off = 0.0; off < farthest; off += step) {
        for (int side = -1; side <= 1; side += 2) {
            place.angle = wanted + side * off;
            if (place_in_reach(expert, view, place)) {
                *angle = place.angle;
                return true;
            }
        }
    }
    return false;
}

/// The nearest angle of the bucket to `wanted` with which the edge reaches a point; `wanted` where none does.
static double reachable_angle(const Expert *expert, const ExpertView *view, Vec3 point, double wanted)
{
    const double farthest = 2.0;
    double angle = wanted;
    find_angle(expert, view, point, wanted, farthest, &angle);
    return angle;
}

/// Begins a way of no legs.
static void start_way(ExpertWay *way)
{
    *way = (ExpertWay){.count = 0};
}

/// Adds a leg from where the last one ends. The angle becomes the nearest with which `to` is reached.
static void add_leg(const Expert *expert, const ExpertView *view, ExpertWay *way, ExpertLeg leg)
{
    assert(way->count < EXPERT_MAX_LEGS);
    if (way->count > 0) {
        leg.from = way->legs[way->count - 1].to;
        leg.angle_from = way->legs[way->count - 1].angle_to;
    }
    leg.angle_to = reachable_angle(expert, view, leg.to, leg.angle_to);
    way->legs[way->count++] = leg;
}

static ArmAngles arm_at(const Expert *expert, const ExpertView *view, const ExpertWay *way, WayPlace place)
{
    ArmTip tip = pilot_tip_in_house(&view->arm, place.distance + way->reach_trim,
                                    place.height + way->height_trim + way->raise, place.angle);
    ArmAngles angles;
    excavator_reach(&expert->pilot.machine, &tip, &angles);
    return angles;
}

/// Learns what the edge stays off, m; only what is small, and of no goal that the edge is still behind.
static double learn_trims(ExpertWay *way, const ExpertView *view, const ExpertLeg *leg, WayPlace goal)
{
    WayPlace now = place_of(view, view->tip, 0.0);
    double out = goal.distance - now.distance, up = goal.height + way->raise - now.height;
    double aside = remainder(goal.direction - now.direction, 2.0 * M_PI);
    double off = sqrt(out * out + up * up + goal.distance * goal.distance * aside * aside);
    double share = LEARN * view->dt;
    if (off < LAG_STOP && (leg->straight || way->speed < SLOW_GOAL)) {
        way->reach_trim = pilot_clamp(way->reach_trim + share * out, -LEARN_MOST, LEARN_MOST);
        way->height_trim = pilot_clamp(way->height_trim + share * up, -LEARN_MOST, LEARN_MOST);
    }
    if (way->speed < SLOW_GOAL) {
        way->direction_trim = pilot_clamp(way->direction_trim + 0.5 * share * aside, -0.05, 0.05);
    }
    return off;
}

/// The goal's speed in this tick.
static void advance_goal(ExpertWay *way, const ExpertLeg *leg, double length, double off, double dt)
{
    double stop = leg->straight ? LAG_STOP : LAG_STOP_IN;
    double rate = pilot_clamp((stop - off) / ((1.0 - LAG_FREE) * stop), 0.0, 1.0);
    way->stalled = rate < 0.2 ? way->stalled + dt : 0.0;
    if (leg->straight && !leg->presses && way->stalled > STALL_TIME) {
        way->raise = fmin(way->raise + RAISE_RATE * dt, RAISE_MOST);
    } else if (rate > 0.8) {
        way->raise = fmax(way->raise - 0.3 * RAISE_RATE * dt, 0.0);
    }
    rate = way->stalled > STALL_TIME ? SLOWLY : rate;
    double least = RAMP_FAST * leg->speed, left = length - way->along;
    double brake = leg->straight ? RAMP_LINE : fmax(BRAKE, least), ramp = leg->straight ? RAMP_LINE : fmax(RAMP, least);
    brake = leg->ramp > 0.0 ? leg->ramp : brake;
    ramp = leg->ramp > 0.0 ? leg->ramp : ramp;
    double most = rate * fmin(leg->speed, sqrt(2.0 * brake * fmax(left, 0.0)) + CREEP);
    way->speed = fmin(way->speed + ramp * dt, most);
    way->along = fmin(way->along + way->speed * dt, length);
}

/// True when the present leg is over; the goal is then on the next one.
static bool next_leg(ExpertWay *way, double length)
{
    const ExpertLeg *leg = &way->legs[way->leg];
    bool settled = leg->tolerance == 0.0 || way->held > SETTLED;
    if (way->along < length || way->leg + 1 >= way->count || !settled) {
        return false;
    }
    way->leg++;
    way->along = way->speed = way->held = 0.0;
    return true;
}

/// Moves the goal on and the levers after it. True when the edge has been within the last leg's tolerance for `hold` s.
static bool follow_way(Expert *expert, const ExpertView *view, double hold, OperatorControls *controls)
{
    ExpertWay *way = &expert->way;
    const ExpertLeg *leg = &way->legs[way->leg];
    double length = fmax(leg_length(view, leg), 1e-3);
    WayPlace goal = goal_on_leg(view, way, leg, way->along / length);
    double off = learn_trims(way, view, leg, goal);
    advance_goal(way, leg, length, off, view->dt);
    WayPlace soon = goal_on_leg(view, way, leg, fmin(way->along + way->speed * AHEAD, length) / length);
    ArmAngles now = arm_at(expert, view, way, goal), next = arm_at(expert, view, way, soon);
    // Never 0: the smallest error is corrected, too.
    ArmAngles moving = {(next.boom - now.boom) / AHEAD + 1e-9, (next.stick - now.stick) / AHEAD + 1e-9,
                        (next.bucket - now.bucket) / AHEAD + 1e-9};
    pilot_move_arm(&expert->pilot, &view->arm, &now, &moving, controls);
    double rate = remainder(soon.direction - goal.direction, 2.0 * M_PI) / AHEAD;
    pilot_turn_to(&expert->pilot, &view->arm, goal.direction + way->direction_trim, rate, controls);
    bool at_end = way->along >= length && way->leg + 1 >= way->count;
    way->ended = at_end ? way->ended + view->dt : 0.0;
    way->held = way->along >= length && off < leg->tolerance ? way->held + view->dt : 0.0;
    return !next_leg(way, length) && way->leg + 1 >= way->count && way->held > 0.0 && way->held >= hold;
}

/// ---- points, lines, bucket, house ----------------------------------------------------------------------------------

#define SWING_STOPPED 0.03 ///< rad/s at which the house counts as standing

/// Elevation of the tip line against the horizon as it is now, rad.
static double angle_now(const Expert *expert, const ExpertView *view)
{
    double pitch = same_asin(fmax(-1.0, fmin(1.0, view->arm.house.rotation.m[2][0])));
    return pilot_tip_now(&expert->pilot, &view->arm).elevation + pitch;
}

static Vec3 world_point(const ExpertView *view, const ExpertPoint *point)
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

/// Begins a way from where the edge is: up, across and down when it is to stay `over` m over the ground, else directly.
static void begin_way_to(Expert *expert, const ExpertView *view, ExpertLeg leg, double over)
{
    ExpertWay *way = &expert->way;
    start_way(way);
    double angle = angle_now(expert, view);
    ExpertLeg part = {.from = view->tip, .to = view->tip, .angle_from = angle, .angle_to = angle, .speed = leg.speed};
    if (expert_gives(over)) {
        double height = highest_on_way(view, leg.to) + over;
        if (view->tip.z < height) {
            part.to.z = height;
            add_leg(expert, view, way, part);
        }
        if (leg.to.z < height) {
            part.to = vec3(leg.to.x, leg.to.y, height);
            part.angle_to = leg.angle_to;
            add_leg(expert, view, way, part);
        }
    }
    leg.from = view->tip;
    leg.angle_from = angle;
    add_leg(expert, view, way, leg);
}

bool expert_tip(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertTip *tip = &action->with.tip;
    if (!expert->entered) {
        double angle = expert_gives(tip->angle) ? tip->angle : angle_now(expert, view);
        begin_way_to(expert, view,
                     (ExpertLeg){.to = world_point(view, &tip->to),
                                 .angle_to = angle,
                                 .speed = tip->speed,
                                 .tolerance = view->ease * tip->tolerance},
                     tip->over);
    }
    return follow_way(expert, view, tip->hold, controls);
}

bool expert_line(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertLine *line = &action->with.line;
    if (!expert->entered) {
        Vec3 from = world_point(view, &line->from), above = vec3(from.x, from.y, from.z + line->approach);
        double end = expert_gives(line->end_angle) ? line->end_angle : line->angle;
        double tolerance = view->ease * line->tolerance, speed = fmax(FREE_SPEED, line->speed),
               over = line->approach > 0.0 ? line->approach : EXPERT_NOT_GIVEN;
        begin_way_to(expert, view,
                     (ExpertLeg){.to = above, .angle_to = line->angle, .speed = speed, .tolerance = tolerance}, over);
        if (line->approach > 0.0) {
            add_leg(expert, view, &expert->way,
                    (ExpertLeg){.straight = true,
                                .to = from,
                                .angle_to = line->angle,
                                .speed = line->speed,
                                .tolerance = tolerance});
        }
        add_leg(expert, view, &expert->way,
                (ExpertLeg){.straight = true,
                            .to = world_point(view, &line->to),
                            .angle_to = end,
                            .speed = line->speed,
                            .tolerance = tolerance});
    }
    return follow_way(expert, view, 0.0, controls);
}

bool expert_curl(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertCurl *curl = &action->with.curl;
    const double *range = expert->pilot.machine.joint[EXCAVATOR_JOINT_BUCKET].range;
    double turn = curl->angle - angle_now(expert, view), now = view->arm.angle[EXCAVATOR_JOINT_BUCKET];
    double wanted = fmax(range[0], fmin(range[1], now + turn));
    ArmAngles target = {view->arm.angle[EXCAVATOR_JOINT_BOOM], view->arm.angle[EXCAVATOR_JOINT_STICK], wanted};
    ArmAngles still = {0.0, 0.0, 0.0};
    pilot_move_arm(&expert->pilot, &view->arm, &target, &still, controls);
    return fabs(wanted - now) < view->ease * curl->tolerance;
}

bool expert_swing(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertTurn *swing = &action->with.swing;
    pilot_turn_to(&expert->pilot, &view->arm, swing->heading, 0.0, controls);
    double lever = control_value(controls, CONTROL_SWING);
    controls->axis[CONTROL_SWING] = control_quantise(copysign(fmin(fabs(lever), swing->speed), lever));
    return fabs(pilot_swing_error(&view->arm, swing->heading)) < view->ease * swing->tolerance &&
           fabs(view->arm.speed[EXCAVATOR_JOINT_SWING]) < view->ease * SWING_STOPPED;
}

/// ---- digging and pressing ------------------------------------------------------------------------------------------

#define PRESS_SPEED    0.3 ///< m/s
#define LIFT_SPEED     0.6 ///< m/s
#define HAMMER_FOLLOWS 0.6 ///< of the force with which a hammer is pressed, below which the arm follows it

bool expert_dig(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertDig *dig = &action->with.dig;
    Pilot *digger = &expert->digger;
    if (!expert->entered) {
        const ExpertField *field = &dig->field;
        *digger = expert->pilot;
        digger->kind = EXERCISE_TRENCH;
        digger->trench = (SceneTrench){.dump_x = dig->dump_x, .dump_y = dig->dump_y, .dump_radius = dig->dump_radius};
        digger->field = (PilotField){.x = field->x,
                                     .y = field->y,
                                     .heading = field->heading,
                                     .length = field->length,
                                     .width = field->width,
                                     .floor = dig->floor,
                                     .walled = !dig->heap};
    }
    digger->beginner = view->beginner;
    pilot_update(digger, &view->seen, controls);
    return digger->phase == PILOT_REST || (dig->cycles > 0 && digger->cycles >= dig->cycles);
}

/// Over the place, and straight down.
static void begin_press(Expert *expert, const ExpertView *view, const ExpertPress *press)
{
    double ground = view->arm.height(view->arm.context, press->x, press->y);
    expert->lanes = (ExpertLanes){.stage = EXPERT_STAGE_DOWN};
    ExpertLeg leg = {.to = vec3(press->x, press->y, ground + press->over),
                     .angle_to = press->angle,
                     .speed = FREE_SPEED,
                     .tolerance = view->ease * 0.05};
    begin_way_to(expert, view, leg, press->over);
    leg.to.z = ground - press->depth;
    leg.straight = leg.presses = true;
    leg.speed = PRESS_SPEED;
    add_leg(expert, view, &expert->way, leg);
}

static void lift_off(Expert *expert, const ExpertView *view, const ExpertPress *press)
{
    ExpertLeg leg = expert->way.legs[expert->way.count - 1];
    start_way(&expert->way);
    expert->lanes.stage = EXPERT_STAGE_UP;
    leg.from = view->tip;
    leg.angle_from = leg.angle_to;
    leg.to.z += press->depth + press->over;
    leg.presses = false;
    leg.speed = LIFT_SPEED;
    add_leg(expert, view, &expert->way, leg);
}

/// The hammer strikes; the arm follows it where it goes in. True when its time is over.
static bool hammer_on(Expert *expert, const ExpertView *view, const ExpertPress *press, OperatorControls *controls)
{
    bool over = view->time - expert->lanes.began >= press->seconds;
    if (view->force.z < HAMMER_FOLLOWS * press->force) {
        over = follow_way(expert, view, 0.0, controls) || over;
    }
    controls->axis[CONTROL_AUXILIARY] = CONTROL_FULL;
    return over;
}

/// The soil is given time to yield; the arm follows it where it sinks. True when that is over.
static bool hold_pressed(Expert *expert, const ExpertView *view, const ExpertPress *press, OperatorControls *controls)
{
    if (view->force.z < press->force) {
        follow_way(expert, view, 0.0, controls);
    }
    return view->time - expert->lanes.began >= press->hold;
}

/// Sets the edge on a place, presses and lifts it off; true when that is done. `begins`: the first call.
static bool press_at(Expert *expert, const ExpertView *view, const ExpertPress *press, bool begins,
                     OperatorControls *controls)
{
    ExpertLanes *lanes = &expert->lanes;
    if (begins) {
        begin_press(expert, view, press);
    }
    if (lanes->stage == EXPERT_STAGE_STRIKE) {
        bool hammers = press->seconds > 0.0;
        if (hammers ? hammer_on(expert, view, press, controls) : hold_pressed(expert, view, press, controls)) {
            lift_off(expert, view, press);
        }
        return false;
    }
    bool there = follow_way(expert, view, 0.0, controls);
    bool pressed = expert->way.leg + 1 == expert->way.count && view->force.z > press->force;
    if (lanes->stage == EXPERT_STAGE_UP) {
        return there;
    }
    if (pressed && press->seconds + press->hold > 0.0) {
        lanes->stage = EXPERT_STAGE_STRIKE;
        lanes->began = view->time;
    } else if (pressed || there) {
        lift_off(expert, view, press);
    }
    return false;
}

bool expert_press(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    return press_at(expert, view, &action->with.press, !expert->entered, controls);
}

/// ---- planing -------------------------------------------------------------------------------------------------------
/// A field is planed with the bucket's edge, lane by lane towards the machine. With a place to heap the soil, a lane is
/// planed in layers: a bucket that is full, or at the near end, scoops up what it pushes ahead, is swung away and
/// emptied, and the lane goes on where it stopped. Without one, soil is drawn along to the near end.

#define GRADE_PITCH   0.25 ///< m between two places of a lane that are looked at
#define GRADE_STEP    0.1 ///< m: the same where a line meets soil
#define LANE_APPROACH 0.4 ///< m over a lane's start and end
#define FINE_APPROACH 0.2 ///< m: the same over the ground where little is planed off
#define RETURN_SPEED  4.5 ///< m/s: the same coming back from the heap
#define LANE_TIME     40.0 ///< s that a lane may take
#define END_ROOM      0.15 ///< m before the far end, up to where a lane is looked at: what stands behind leans in there
#define CUT_MEETS     0.6 ///< of the tolerance that stands over the design where a cut begins
#define CUT_BEHIND    0.25 ///< m that it begins farther, so that it comes down where nothing stands
#define BACK_WALL     0.2 ///< m of ground behind a cut's begin from which on the edge goes down with its plate upright
#define WALL_ROOM     0.06 ///< m between the edge and that wall
#define TURNS_ON      1.2 ///< m on which the bucket then turns to its angle: faster, its back would press into the wall
#define OVERCUT       1.2 ///< buckets that are cut on a line before what is pushed ahead is scooped up
#define WORTH_IN      (60.0 / 1650.0) ///< of the rated load, in the bucket at the end of a line: it is taken away
#define WORTH_CUT     0.15 ///< m3 that were cut on it: the same
#define NEAR_RIM      0.15 ///< m that the ground before the near end stands higher, from which on the scoop ends there
#define NEAR_RIM_AT   1.6 ///< m before the near end where that is looked at: beyond what is pushed ahead

static double far_height(const ExpertGrade *grade)
{
    return expert_gives(grade->far_z) ? grade->far_z : grade->z;
}

/// m, world: the design at a place of a lane; before and behind it level.
static double grade_plane_at(const ExpertGrade *grade, double along, double aside)
{
    double share = fmax(0.0, fmin(along / grade->field.length, 1.0));
    return grade->z + share * (far_height(grade) - grade->z) + grade->cross_fall * aside;
}

static bool carries_away(const ExpertGrade *grade)
{
    return expert_gives(grade->dump_x);
}

/// m that the ground stands above the design at a place of a lane, mean over the tool's width.
static double above_plane(const ExpertView *view, const ExpertGrade *grade, double along, double aside, double edge)
{
    return expert_lane_mean(view, &grade->field, along, aside, edge) - grade_plane_at(grade, along, aside);
}

/// m: most that stands above the plane somewhere along a lane.
static double excess(const ExpertView *view, const ExpertGrade *grade, double aside, double edge)
{
    double most = -1e9, last = grade->field.length - (carries_away(grade) ? END_ROOM : 0.0);
    for (double along = 0.0; along <= last; along += GRADE_PITCH) {
        most = fmax(most, above_plane(view, grade, along, aside, edge));
    }
    return carries_away(grade) ? fmax(most, above_plane(view, grade, last, aside, edge)) : most;
}

/// m: what stands above the plane, mean over a lane's length.
static double mean_excess(const ExpertView *view, const ExpertGrade *grade, double aside, double edge)
{
    double sum = 0.0;
    int count = 0;
    for (double along = 0.0; along <= grade->field.length - END_ROOM; along += GRADE_PITCH) {
        sum += fmax(above_plane(view, grade, along, aside, edge), 0.0);
        count++;
    }
    return sum / fmax(count, 1.0);
}

static double aside_now(const Expert *expert, const ExpertGrade *grade, double edge)
{
    return expert_lane_offset(&grade->field, edge, expert_lane_count(&grade->field, edge), expert->lanes.lane);
}

/// Finds the next lane with something to plane, in this pass or the next. False when there is none.
static bool next_grade_lane(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge)
{
    ExpertLanes *lanes = &expert->lanes;
    int count = expert_lane_count(&grade->field, edge);
    for (;;) {
        if (++lanes->lane >= count) {
            lanes->lane = 0;
            lanes->pass++;
            if (lanes->pass >= grade->passes || !lanes->worked) {
                return false;
            }
            lanes->worked = false;
        }
        double aside = aside_now(expert, grade, edge);
        if (excess(view, grade, aside, edge) > view->ease * grade->tolerance) {
            lanes->worked = true;
            lanes->began = view->time;
            lanes->over = fmax(mean_excess(view, grade, aside, edge) - grade->layer, 0.0);
            return true;
        }
    }
}

/// ---- planing: soil is drawn along ----------------------------------------------------------------------------------

/// Over the far end, down, along the lane to the near end and up.
static void plan_lane(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge)
{
    ExpertWay *way = &expert->way;
    double aside = aside_now(expert, grade, edge);
    Vec3 far =
        expert_lane_point(&grade->field, grade->field.length, aside, grade_plane_at(grade, grade->field.length, aside));
    Vec3 near = expert_lane_point(&grade->field, 0.0, aside, grade_plane_at(grade, 0.0, aside)),
         up = vec3(0.0, 0.0, LANE_APPROACH);
    double tolerance = view->ease * 0.04;
    begin_way_to(
        expert, view,
        (ExpertLeg){.to = vec3_add(far, up), .angle_to = grade->angle, .speed = FREE_SPEED, .tolerance = tolerance},
        LANE_APPROACH);
    ExpertLeg leg = {.straight = true, .to = far, .angle_to = grade->angle, .speed = grade->speed};
    add_leg(expert, view, way, leg);
    leg.to = near;
    add_leg(expert, view, way, leg);
    leg.to = vec3_add(near, up);
    leg.tolerance = 5.0 * tolerance;
    add_leg(expert, view, way, leg);
}

static bool draw_along(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge, bool begins,
                       OperatorControls *controls)
{
    if (!begins && !follow_way(expert, view, 0.0, controls) && view->time - expert->lanes.began <= LANE_TIME) {
        return false;
    }
    if (!next_grade_lane(expert, view, grade, edge)) {
        return true;
    }
    plan_lane(expert, view, grade, edge);
    return false;
}

/// ---- planing: soil is carried away ---------------------------------------------------------------------------------

/// m along a lane where a line over the design meets soil first, from the far end; below 0 where there is none.
static double meeting(const ExpertView *view, const ExpertGrade *grade, double aside, double edge, double least)
{
    double along = grade->field.length - END_ROOM;
    while (along >= 0.0 && above_plane(view, grade, along, aside, edge) < least) {
        along -= GRADE_STEP;
    }
    return along;
}

/// Whether ground stands behind the place where a cut begins.
static bool at_wall(const ExpertView *view, const ExpertGrade *grade, double along, double aside, double edge,
                    double over)
{
    return fmax(above_plane(view, grade, along + 0.3, aside, edge),
                above_plane(view, grade, along + 0.5, aside, edge)) > over + BACK_WALL;
}

/// m along the lanes where they are no longer planed, as the scoop clears the rest: before ground that stands on. To be
/// looked at before soil has been drawn there.
static double last_of_lanes(const ExpertView *view, const ExpertGrade *grade, double edge)
{
    bool open = above_plane(view, grade, -NEAR_RIM_AT, 0.0, edge) < NEAR_RIM;
    return open ? 0.0 : fmin(PILOT_SCOOP, 0.5 * grade->field.length);
}

static void prepare_digger(Expert *expert, const ExpertView *view, const ExpertGrade *grade)
{
    Pilot *digger = &expert->digger;
    const ExpertField *field = &grade->field;
    *digger = expert->pilot;
    digger->kind = EXERCISE_TRENCH;
    digger->trench = (SceneTrench){.dump_x = grade->dump_x, .dump_y = grade->dump_y, .dump_radius = grade->dump_radius};
    digger->field = (PilotField){.x = field->x,
                                 .y = field->y,
                                 .heading = field->heading,
                                 .length = field->length,
                                 .width = field->width,
                                 .floor = grade->z,
                                 .walled = true};
    digger->cleaning = true;
    digger->stand = view->base.z;
    expert->lanes.carries = true;
}

/// m along a lane where a bucket that is drawn from `begin` has as much before it as it takes, at most down to `last`;
/// what it cuts up to there is remembered.
static double full_at(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge, double begin,
                      double last)
{
    double aside = aside_now(expert, grade, edge), along = begin;
    double wanted = OVERCUT * pilot_bucket_volume(&expert->pilot);
    expert->lanes.cut = 0.0;
    while (along > last && expert->lanes.cut < wanted) {
        double stands = above_plane(view, grade, along, aside, edge) - expert->lanes.over;
        expert->lanes.cut += GRADE_STEP * edge * fmax(stands, 0.0);
        along -= GRADE_STEP;
    }
    return fmax(along, last);
}

/// Over the place where a line begins, down, and along it from `begin` to `end`.
static void plan_line(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge, double begin,
                      double end)
{
    ExpertWay *way = &expert->way;
    double aside = aside_now(expert, grade, edge), over = expert->lanes.over, tolerance = view->ease * 0.05;
    bool wall = at_wall(view, grade, begin, aside, edge, over);
    double enter = wall ? PILOT_ELEVATION_UPRIGHT : grade->angle;
    double turned = fmax(begin - TURNS_ON, 0.7 * end + 0.3 * begin);
    Vec3 from = expert_lane_point(&grade->field, begin, aside, grade_plane_at(grade, begin, aside) + over);
    double ground = expert_lane_mean(view, &grade->field, begin, aside, edge);
    begin_way_to(expert, view,
                 (ExpertLeg){.to = vec3(from.x, from.y, fmax(from.z, ground) + FINE_APPROACH),
                             .angle_to = enter,
                             .speed = RETURN_SPEED,
                             .tolerance = 2.0 * tolerance},
                 LANE_APPROACH);
    ExpertLeg leg = {.straight = true, .to = from, .angle_to = enter, .speed = grade->speed};
    leg.tolerance = wall ? tolerance : 0.0;
    add_leg(expert, view, way, leg);
    leg.tolerance = 0.0;
    leg.to = expert_lane_point(&grade->field, turned, aside, grade_plane_at(grade, turned, aside) + over);
    leg.angle_to = grade->angle;
    add_leg(expert, view, way, leg);
    leg.to = expert_lane_point(&grade->field, end, aside, grade_plane_at(grade, end, aside) + over);
    leg.tolerance = 6.0 * tolerance;
    add_leg(expert, view, way, leg);
}

/// Begins a line of the present lane where it meets soil. False when it meets none.
static bool plan_cut(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge)
{
    double aside = aside_now(expert, grade, edge), last = expert->lanes.last;
    double begin = meeting(view, grade, aside, edge, expert->lanes.over + CUT_MEETS * view->ease * grade->tolerance);
    if (begin < 0.0) {
        return false;
    }
    double end = full_at(expert, view, grade, edge, begin, last);
    expert->lanes.stopped = end > last + GRADE_STEP;
    plan_line(expert, view, grade, edge, fmin(fmax(begin, end) + CUT_BEHIND, grade->field.length - WALL_ROOM), end);
    expert->lanes.began = view->time;
    return true;
}

/// Draws the edge along its line, then takes away what is worth it. True when that is over.
static bool plane_and_carry(Expert *expert, const ExpertView *view, const ExpertGrade *grade,
                            OperatorControls *controls)
{
    Pilot *digger = &expert->digger;
    ExpertLanes *lanes = &expert->lanes;
    if (!lanes->carries) {
        if (!follow_way(expert, view, 0.0, controls) && view->time - lanes->began < LANE_TIME) {
            return false;
        }
        if (view->arm.payload < WORTH_IN * machine_rated_load(&digger->machine) && lanes->cut < WORTH_CUT) {
            return true;
        }
        prepare_digger(expert, view, grade);
        pilot_carry(digger, &view->arm, view->tip, angle_now(expert, view));
        return false;
    }
    digger->beginner = view->beginner;
    pilot_update(digger, &view->seen, controls);
    lanes->carries = digger->phase != PILOT_PLAN && digger->phase != PILOT_REST;
    return !lanes->carries;
}

static bool carry_away(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge, bool begins,
                       OperatorControls *controls)
{
    ExpertLanes *lanes = &expert->lanes;
    if (!begins && !plane_and_carry(expert, view, grade, controls)) {
        return false;
    }
    // A lane goes on where a full bucket was taken away.
    bool goes_on = !begins && lanes->stopped;
    while (!goes_on || !plan_cut(expert, view, grade, edge)) {
        if (!next_grade_lane(expert, view, grade, edge)) {
            return true;
        }
        goes_on = true;
    }
    return false;
}

bool expert_grade(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertGrade *grade = &action->with.grade;
    double edge = expert->pilot.machine.tool[0].shape.edge_width;
    bool begins = !expert->entered;
    if (begins) {
        expert->lanes = (ExpertLanes){.lane = -1, .last = last_of_lanes(view, grade, edge)};
    }
    return carries_away(grade) ? carry_away(expert, view, grade, edge, begins, controls)
                               : draw_along(expert, view, grade, edge, begins, controls);
}

/// ---- tamping -------------------------------------------------------------------------------------------------------
/// The bucket's lowest plate is pressed on the ground place by place, from the far end of a field to its near end, lane
/// by lane.

#define PLATE_FLAT   0.04 ///< m over the bucket's lowest point up to which it counts as the plate that presses
#define TAMP_SHORTER 0.8 ///< of the plate between two places
#define PLACE_TIME   8.0 ///< s that a place may take
#define TAMP_BESIDE  0.08 ///< of the bucket's width that is left on either side of the lanes

/// The plate that presses: how far it reaches beyond the edge, outwards, and how far it hangs below it.
typedef struct Plate {
    double near, far, below; ///< m
} Plate;

static Plate plate_at(const ToolShape *shape, double angle)
{
    double c = same_cos(angle), s = same_sin(angle), lowest = INFINITY;
    Plate plate = {INFINITY, -INFINITY, 0.0};
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < shape->piece_count; k++) {
            Vec3 points[2 * TOOL_MAX_CORNERS];
            int count = tool_piece_points(&shape->pieces[k], points);
            for (int n = 0; n < count; n++) {
                double x = points[n].x - shape->edge[0], z = points[n].z - shape->edge[1];
                double out = x * c - z * s, up = x * s + z * c;
                if (pass == 0) {
                    lowest = fmin(lowest, up);
                } else if (up < lowest + PLATE_FLAT) {
                    plate.near = fmin(plate.near, out);
                    plate.far = fmax(plate.far, out);
                }
            }
        }
    }
    plate.below = -lowest;
    return plate;
}

/// Sets the press at the place that is due; false when there is none left.
static bool set_tamp_press(Expert *expert, const ExpertView *view, const ExpertTamp *tamp)
{
    const ToolShape *shape = &expert->pilot.machine.tool[0].shape;
    const ExpertField *field = &tamp->field;
    ExpertTamping *tamping = &expert->tamping;
    Plate plate = plate_at(shape, tamp->angle);
    double length = plate.far - plate.near, room = fmax(field->length - length, 0.0), edge = shape->edge_width;
    int places = 1 + (int)ceil(room / (TAMP_SHORTER * length));
    int lanes = (int)ceil((field->width - 2.0 * TAMP_BESIDE * edge) / edge);
    lanes = lanes > 0 ? lanes : 1;
    int place = tamping->done % places, lane = tamping->done / places;
    if (lane >= lanes) {
        return false;
    }
    double along = places > 1 ? room * (1.0 - (double)place / (places - 1)) : 0.5 * room;
    Vec3 at = expert_lane_point(field, along + 0.5 * length, expert_lane_offset(field, edge, lanes, lane), 0.0);
    double way_x = at.x - view->base.x, way_y = at.y - view->base.y, distance = same_hypot(way_x, way_y);
    double nearer = distance > 0.0 ? 0.5 * (plate.near + plate.far) / distance : 0.0;
    double x = at.x - nearer * way_x, y = at.y - nearer * way_y;
    // The ground under the plate counts, not that under the edge.
    double lower = view->arm.height(view->arm.context, x, y) - view->arm.height(view->arm.context, at.x, at.y);
    tamping->press = (ExpertPress){.x = x,
                                   .y = y,
                                   .angle = tamp->angle,
                                   .depth = tamp->depth + lower - plate.below,
                                   .force = tamp->force,
                                   .hold = tamp->hold,
                                   .over = fmax(tamp->over, tamp->over + plate.below - lower),
                                   .limit = tamp->limit};
    tamping->done++;
    tamping->began = view->time;
    return true;
}

bool expert_tamp(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertTamp *tamp = &action->with.tamp;
    ExpertTamping *tamping = &expert->tamping;
    bool begins = !expert->entered;
    if (begins) {
        *tamping = (ExpertTamping){0};
    }
    bool next = begins || press_at(expert, view, &tamping->press, false, controls) ||
                view->time - tamping->began > view->ease * PLACE_TIME;
    if (!next) {
        return false;
    }
    if (!set_tamp_press(expert, view, tamp)) {
        return true;
    }
    press_at(expert, view, &tamping->press, true, controls);
    return false;
}

/// ---- breaking rocks ------------------------------------------------------------------------------------------------
/// The chisel is set on the nearest rock in reach that is too large, strikes until it breaks, and is lifted to look for
/// the next.

#define CHISEL_SINKS  0.3 ///< m below the ground that the chisel goes, at most
#define CLEAR_OF_ROCK 0.3 ///< m over the rock from where it comes and to where it goes
#define CHISEL_ASIDE  0.12 ///< of a rock's size: so far beside its middle the chisel is set when it did not break
#define NEXT_TURN     2.4 ///< rad from one such place to the next
#define BROKEN        0.98 ///< of its size, below which a rock has lost a half
#define SET_TIME      15.0 ///< s to set the chisel on a rock
#define CHISEL_ASKEW  0.8 ///< rad: a chisel that is farther off the asked angle slips off
#define TRIES_COST    2.0 ///< m that a rock counts as farther for each time it was tried

/// m, world: of a rock's highest corner.
static double rock_top(const ExpertView *view, const RockView *rock)
{
    const Rocks *rocks = session_rocks_get(view->rocks);
    double top = rock->motion.frame.position.z;
    for (int part = 0; part < rocks_get_part_count(rocks, rock->shape); part++) {
        const ConvexHull *hull = rocks_get_part(rocks, rock->shape, part);
        for (int k = 0; k < hull->point_count; k++) {
            top = fmax(top, pose_apply(&rock->motion.frame, hull->point[k]).z);
        }
    }
    return top;
}

/// The chisel gets from over a rock down to its middle.
static bool rock_in_reach(const Expert *expert, const ExpertView *view, const RockView *rock, double angle)
{
    Vec3 middle = rock->motion.frame.position, over = vec3(middle.x, middle.y, rock_top(view, rock) + CLEAR_OF_ROCK);
    double unused;
    return find_angle(expert, view, middle, angle, CHISEL_ASKEW, &unused) &&
           find_angle(expert, view, over, angle, CHISEL_ASKEW, &unused);
}

/// The nearest_rock rock in reach that is too large; -1: none.
static int nearest_rock(const Expert *expert, const ExpertView *view, const ExpertBreak *asked)
{
    int best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < session_rocks_count(view->rocks); i++) {
        RockView rock;
        if (!rocks_get(session_rocks_get(view->rocks), i, &rock) || session_rocks_size(view->rocks, i) <= asked->size) {
            continue;
        }
        Vec3 at = rock.motion.frame.position;
        double distance = same_hypot(at.x - view->tip.x, at.y - view->tip.y);
        distance += i == expert->breaking.rock ? TRIES_COST * expert->breaking.tries : 0.0;
        if (distance < least && rock_in_reach(expert, view, &rock, asked->angle)) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/// Where the chisel is set: on the rock's middle, then round it.
static void set_chisel_press(ExpertBreaking *breaking, const ExpertView *view, const ExpertBreak *asked, int rock)
{
    RockView seen;
    rocks_get(session_rocks_get(view->rocks), rock, &seen);
    double size = session_rocks_size(view->rocks, rock);
    breaking->tries = rock == breaking->rock && size == breaking->size ? breaking->tries + 1 : 0;
    breaking->rock = rock;
    breaking->size = size;
    Vec3 at = seen.motion.frame.position;
    double aside = breaking->tries > 0 ? CHISEL_ASIDE * breaking->size : 0.0, look = NEXT_TURN * breaking->tries;
    double x = at.x + aside * same_cos(look), y = at.y + aside * same_sin(look);
    breaking->press = (ExpertPress){
        .x = x,
        .y = y,
        .angle = asked->angle,
        .depth = CHISEL_SINKS,
        .force = asked->force,
        .over = rock_top(view, &seen) + CLEAR_OF_ROCK - view->arm.height(view->arm.context, x, y),
        .seconds = asked->seconds,
        .limit = asked->seconds + SET_TIME,
    };
}

bool expert_break(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertBreak *asked = &action->with.breaking;
    ExpertBreaking *breaking = &expert->breaking;
    ExpertLanes *lanes = &expert->lanes;
    bool next = !expert->entered;
    if (next) {
        *breaking = (ExpertBreaking){.rock = -1};
    } else {
        bool broken = session_rocks_size(view->rocks, breaking->rock) < BROKEN * breaking->size;
        if (lanes->stage == EXPERT_STAGE_STRIKE && broken) {
            lanes->began = view->time - breaking->press.seconds; // it is lifted off
        }
        next = press_at(expert, view, &breaking->press, false, controls) ||
               view->time - breaking->began > view->ease * breaking->press.limit;
    }
    if (!next) {
        return false;
    }
    int rock = nearest_rock(expert, view, asked);
    if (rock < 0) {
        return true;
    }
    set_chisel_press(breaking, view, asked, rock);
    breaking->began = view->time;
    press_at(expert, view, &breaking->press, true, controls);
    return false;
}

/// ---- lifting loads -------------------------------------------------------------------------------------------------
/// The way is the eye's, not the edge's: with the bucket held at one angle to the level, both go the same way. Numbers
/// are chosen; tests/unit/pilot/test_pilot_expert_lift.c holds what they do.

#define ROPE_SLACK    0.15 ///< m of rope that hangs loose while it is hooked up and taken off
#define OVER_LOAD     2.5 ///< m over the ground on the way to a load
#define PRESS_TIME    0.3 ///< s that the lever is pressed, and as long let move_eye
#define LOWER_SPEED   0.25 ///< m/s down, until the load is near the ground
#define NEAR_SPEED    0.05 ///< m/s down from there
#define NEAR_GROUND   0.12 ///< m
#define STILL_TIME    0.6 ///< s that it hangs still before it is let down
#define STEADY_TIME   25.0 ///< s after which it is let down all the same
#define SWAY_DAMPING  0.8 ///< 1/s: the eye follows the swing at so much of the load's offset
#define SWAY_RETURN   0.25 ///< 1/s: and comes back
#define SWAY_MOST     0.5 ///< m
#define HEADING_OFF   0.03 ///< rad off its heading with which a load is let down
#define CLEAR_OF_LOAD 1.0 ///< m up, with the empty hook
#define GRAVITY       STANDARD_GRAVITY

/// ---- lifting: eye and edge -----------------------------------------------------------------------------------------

/// From the edge to the eye with the tip line at an elevation: m outwards, m up.
static void eye_over_edge(const Expert *expert, double angle, double *out, double *up)
{
    const MachineParams *machine = &expert->pilot.machine;
    double x = machine->lifting_eye.x - machine->tool[0].tip.x, z = machine->lifting_eye.z - machine->tool[0].tip.z;
    *out = x * same_cos(angle) - z * same_sin(angle);
    *up = x * same_sin(angle) + z * same_cos(angle);
}

/// Where the edge is when the eye is at a point.
static Vec3 edge_below_eye(const Expert *expert, const ExpertView *view, Vec3 eye, double angle)
{
    double out, up;
    eye_over_edge(expert, angle, &out, &up);
    Vec3 ahead = vec3_sub(eye, view->base);
    ahead.z = 0.0;
    ahead = vec3_unit(ahead, vec3(1.0, 0.0, 0.0));
    return vec3(eye.x - out * ahead.x, eye.y - out * ahead.y, eye.z - up);
}

/// The nearest angle to the one that is asked for with which the eye gets there.
static double lift_angle(const Expert *expert, const ExpertView *view, Vec3 eye, double wanted)
{
    double angle = wanted;
    for (int k = 0; k < 3; k++) {
        angle = reachable_angle(expert, view, edge_below_eye(expert, view, eye, angle), angle);
    }
    return angle;
}

/// A way of the eye straight from where it is.
static void move_eye(Expert *expert, const ExpertView *view, Vec3 eye, double speed, double ramp, double tolerance,
                     bool straight)
{
    ExpertLifting *lifting = &expert->lifting;
    begin_way_to(expert, view,
                 (ExpertLeg){.straight = straight,
                             .presses = true,
                             .to = edge_below_eye(expert, view, eye, lifting->angle),
                             .angle_to = lifting->angle,
                             .speed = speed,
                             .ramp = ramp,
                             .tolerance = view->ease * tolerance},
                 EXPERT_NOT_GIVEN);
}

static void enter_lift_stage(Expert *expert, const ExpertView *view, ExpertLiftStage stage)
{
    expert->lifting.stage = stage;
    expert->lifting.began = view->time;
    expert->lifting.still = 0.0;
    if (stage == EXPERT_LIFT_GO || stage == EXPERT_LIFT_STEADY) {
        expert->lifting.arrived = view->time;
    }
}

/// ---- lifting: the load ---------------------------------------------------------------------------------------------

static const SceneLoad *asked_load(const ExpertView *view, const ExpertLift *lift)
{
    return &view->scene->exercise.loads[lift->load - 1];
}

static Vec3 load_place(const ExpertView *view, const ExpertLift *lift)
{
    return hung_load_frame(session_loads_get(view->loads, lift->load - 1)).position;
}

/// m from the eye down to the pipe's middle, the sling tight and the pipe level.
static double load_drop(const HungLoadParams *pipe)
{
    double half = 0.5 * pipe->spread;
    return sqrt(pipe->sling * pipe->sling - half * half) + hung_load_half_height(pipe);
}

/// m/s2: the eye gets up to its speed in one turn of the load's swing.
static double shaped_ramp(const HungLoadParams *pipe, double speed)
{
    return speed / (2.0 * M_PI * sqrt(load_drop(pipe) / GRAVITY));
}

/// The eye as it is seen: where the edge is, and the eye from there.
static Vec3 eye_now(const Expert *expert, const ExpertView *view)
{
    double out, up;
    eye_over_edge(expert, expert->lifting.angle, &out, &up);
    Vec3 ahead = vec3_sub(view->tip, view->base);
    ahead.z = 0.0;
    ahead = vec3_unit(ahead, vec3(1.0, 0.0, 0.0));
    return vec3(view->tip.x + out * ahead.x, view->tip.y + out * ahead.y, view->tip.z + up);
}

/// An eye that moves towards the load at c times its offset s is a damper: s'' + c s' + (g / L) s = 0.
static void follow_swing(Expert *expert, const ExpertView *view, const ExpertLift *lift)
{
    ExpertWay *way = &expert->way;
    Vec3 eye = eye_now(expert, view), load = load_place(view, lift), off = vec3_sub(load, eye);
    if (vec3_length(vec3(off.x, off.y, 0.0)) > 2.0 * SWAY_MOST) {
        return; // it is not seen where it is
    }
    double damping = SWAY_DAMPING * (1.0 - view->beginner); // a late hand would drive it
    way->sway.x += view->dt * (damping * off.x - SWAY_RETURN * way->sway.x);
    way->sway.y += view->dt * (damping * off.y - SWAY_RETURN * way->sway.y);
    double length = same_hypot(way->sway.x, way->sway.y);
    if (length > SWAY_MOST) {
        way->sway = vec3_scale(way->sway, SWAY_MOST / length);
    }
}

/// Presses the hook's lever again and again; true once the load is on the hook, or off, and no slinger is at it.
static bool press_hook(const Expert *expert, const ExpertView *view, bool on, OperatorControls *controls)
{
    bool is_on = view->lift.hooked >= 0;
    double time = fmod(view->time - expert->lifting.began, 2.0 * PRESS_TIME);
    if (is_on != on && time >= PRESS_TIME && !view->lift.attended) {
        controls->axis[CONTROL_AUXILIARY] = CONTROL_FULL;
    }
    return is_on == on && !view->lift.attended;
}

/// ---- lifting: the actions ------------------------------------------------------------------------------------------

bool expert_hoist(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertLift *lift = &action->with.lift;
    const HungLoadParams *pipe = &asked_load(view, lift)->pipe;
    ExpertLifting *lifting = &expert->lifting;
    if (!expert->entered) {
        Vec3 eye = load_place(view, lift);
        eye.z += load_drop(pipe) - ROPE_SLACK;
        lifting->angle = lift_angle(expert, view, eye, lift->angle);
        begin_way_to(expert, view,
                     (ExpertLeg){.to = edge_below_eye(expert, view, eye, lifting->angle),
                                 .angle_to = lifting->angle,
                                 .speed = FREE_SPEED,
                                 .tolerance = view->ease * 0.06},
                     OVER_LOAD);
        enter_lift_stage(expert, view, EXPERT_LIFT_GO);
    }
    bool there = follow_way(expert, view, 0.4, controls);
    if (lifting->stage == EXPERT_LIFT_GO && there) {
        enter_lift_stage(expert, view, EXPERT_LIFT_HOOK);
    } else if (lifting->stage == EXPERT_LIFT_HOOK && press_hook(expert, view, true, controls)) {
        Vec3 eye = load_place(view, lift);
        eye.z += load_drop(pipe) + lift->height;
        move_eye(expert, view, eye, lift->speed, lift->speed, 0.1, true);
        enter_lift_stage(expert, view, EXPERT_LIFT_RAISE);
    } else if (lifting->stage == EXPERT_LIFT_RAISE) {
        return there;
    }
    return false;
}

/// Carries the load over its place.
static void begin_place(Expert *expert, const ExpertView *view, const ExpertLift *lift)
{
    const SceneLoad *load = asked_load(view, lift);
    Vec3 eye = vec3(load->place.x, load->place.y, 0.0);
    eye.z = ground_at(view, eye.x, eye.y) + hung_load_half_height(&load->pipe) + lift->height + load_drop(&load->pipe);
    expert->lifting.angle = lift_angle(expert, view, eye, lift->angle);
    move_eye(expert, view, eye, lift->speed, shaped_ramp(&load->pipe, lift->speed), 0.08, false);
    enter_lift_stage(expert, view, EXPERT_LIFT_GO);
}

/// True once the load hangs still over its place, along its heading; or nobody waits any longer.
static bool hangs_still(Expert *expert, const ExpertView *view, const ExpertLift *lift)
{
    const SceneLoad *load = asked_load(view, lift);
    double heading = hung_load_heading(session_loads_get(view->loads, lift->load - 1));
    bool turned = load->tag_lines <= 0.0 || fabs(remainder(heading - load->place.heading, M_PI)) < HEADING_OFF;
    bool still = view->lift.swing < view->ease * lift->swing && turned;
    expert->lifting.still = still ? expert->lifting.still + view->dt : 0.0;
    return expert->lifting.still > STILL_TIME || view->time - expert->lifting.began > STEADY_TIME;
}

/// Straight down over the place, slower where the ground is near.
static void begin_lowering(Expert *expert, const ExpertView *view, const ExpertLift *lift)
{
    const SceneLoad *load = asked_load(view, lift);
    double ground = ground_at(view, load->place.x, load->place.y) + hung_load_half_height(&load->pipe);
    double drop = load_drop(&load->pipe);
    Vec3 eye = vec3(load->place.x, load->place.y, ground + NEAR_GROUND + drop);
    move_eye(expert, view, eye, LOWER_SPEED, LOWER_SPEED, 0.0, true);
    ExpertLeg down = expert->way.legs[expert->way.count - 1];
    eye.z = ground + drop - ROPE_SLACK;
    down.to = edge_below_eye(expert, view, eye, expert->lifting.angle);
    down.speed = NEAR_SPEED;
    down.tolerance = view->ease * 0.1;
    add_leg(expert, view, &expert->way, down);
    enter_lift_stage(expert, view, EXPERT_LIFT_LOWER);
}

bool expert_place(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertLift *lift = &action->with.lift;
    ExpertLifting *lifting = &expert->lifting;
    if (!expert->entered) {
        begin_place(expert, view, lift);
    }
    if (lifting->stage == EXPERT_LIFT_STEADY) {
        follow_swing(expert, view, lift);
    }
    bool there = follow_way(expert, view, 0.3, controls);
    if (lifting->stage == EXPERT_LIFT_GO && expert->way.ended > 0.0) {
        enter_lift_stage(expert, view, EXPERT_LIFT_STEADY);
    } else if (lifting->stage == EXPERT_LIFT_STEADY && hangs_still(expert, view, lift)) {
        begin_lowering(expert, view, lift);
    } else if (lifting->stage == EXPERT_LIFT_LOWER && there) {
        enter_lift_stage(expert, view, EXPERT_LIFT_HOOK);
    } else if (lifting->stage == EXPERT_LIFT_HOOK && press_hook(expert, view, false, controls)) {
        Vec3 eye = eye_now(expert, view);
        eye.z += CLEAR_OF_LOAD;
        move_eye(expert, view, eye, FREE_SPEED, 0.0, 0.2, true);
        enter_lift_stage(expert, view, EXPERT_LIFT_RAISE);
    } else if (lifting->stage == EXPERT_LIFT_RAISE) {
        return there;
    }
    return false;
}
