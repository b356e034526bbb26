/// The edge follows a goal that moves along its way as fast as the edge can follow; what the edge stays off is learned
/// and added to the goal, so that neither the weight of a load nor the ground's resistance leaves an error.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/expert_internal.h"

#include <assert.h>
#include <math.h>

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
typedef struct Place {
    double direction; ///< rad, world
    double distance; ///< m from the swing axis
    double height; ///< m, world
    double angle; ///< rad: elevation of the tip line
} Place;

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static Place place_of(const ExpertView *view, Vec3 point, double angle)
{
    double dx = point.x - view->base.x, dy = point.y - view->base.y;
    return (Place){same_atan2(dy, dx), sqrt(dx * dx + dy * dy), point.z, angle};
}

static Place on_leg(const ExpertView *view, const ExpertLeg *leg, double share)
{
    double angle = leg->angle_from + share * (leg->angle_to - leg->angle_from);
    if (leg->straight) {
        return place_of(view, vec3_add(leg->from, vec3_scale(vec3_sub(leg->to, leg->from), share)), angle);
    }
    Place from = place_of(view, leg->from, 0.0), to = place_of(view, leg->to, 0.0);
    return (Place){from.direction + share * remainder(to.direction - from.direction, 2.0 * M_PI),
                   from.distance + share * (to.distance - from.distance),
                   from.height + share * (to.height - from.height), angle};
}

/// Where the goal is on a leg, moved by the way's sway.
static Place leg_at(const ExpertView *view, const ExpertWay *way, const ExpertLeg *leg, double share)
{
    Place place = on_leg(view, leg, share);
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
    Place from = place_of(view, leg->from, 0.0), to = place_of(view, leg->to, 0.0);
    double across = 0.5 * (from.distance + to.distance) * remainder(to.direction - from.direction, 2.0 * M_PI);
    double out = to.distance - from.distance, up = to.height - from.height;
    return sqrt(across * across + out * out + up * up + turned * turned);
}

static bool reaches(const Expert *expert, const ExpertView *view, Place place)
{
    ArmTip tip = pilot_tip_in_house(&view->arm, place.distance, place.height, place.angle);
    ArmAngles angles;
    return excavator_reach(&expert->pilot.machine, &tip, &angles);
}

bool expert_reaches(const Expert *expert, const ExpertView *view, Vec3 point, double wanted, double farthest,
                    double *angle)
{
    const double step = M_PI / 90.0;
    Place place = place_of(view, point, wanted);
    for (double off = 0.0; off < farthest; off += step) {
        for (int side = -1; side <= 1; side += 2) {
            place.angle = wanted + side * off;
            if (reaches(expert, view, place)) {
                *angle = place.angle;
                return true;
            }
        }
    }
    return false;
}

double expert_reachable_angle(const Expert *expert, const ExpertView *view, Vec3 point, double wanted)
{
    const double farthest = 2.0;
    double angle = wanted;
    expert_reaches(expert, view, point, wanted, farthest, &angle);
    return angle;
}

void expert_way_start(ExpertWay *way)
{
    *way = (ExpertWay){.count = 0};
}

void expert_way_add(const Expert *expert, const ExpertView *view, ExpertWay *way, ExpertLeg leg)
{
    assert(way->count < EXPERT_MAX_LEGS);
    if (way->count > 0) {
        leg.from = way->legs[way->count - 1].to;
        leg.angle_from = way->legs[way->count - 1].angle_to;
    }
    leg.angle_to = expert_reachable_angle(expert, view, leg.to, leg.angle_to);
    way->legs[way->count++] = leg;
}

static ArmAngles arm_at(const Expert *expert, const ExpertView *view, const ExpertWay *way, Place place)
{
    ArmTip tip = pilot_tip_in_house(&view->arm, place.distance + way->reach_trim,
                                    place.height + way->height_trim + way->raise, place.angle);
    ArmAngles angles;
    excavator_reach(&expert->pilot.machine, &tip, &angles);
    return angles;
}

/// Learns what the edge stays off, m; only what is small, and of no goal that the edge is still behind.
static double learn(ExpertWay *way, const ExpertView *view, const ExpertLeg *leg, Place goal)
{
    Place now = place_of(view, view->tip, 0.0);
    double out = goal.distance - now.distance, up = goal.height + way->raise - now.height;
    double aside = remainder(goal.direction - now.direction, 2.0 * M_PI);
    double off = sqrt(out * out + up * up + goal.distance * goal.distance * aside * aside);
    double share = LEARN * view->dt;
    if (off < LAG_STOP && (leg->straight || way->speed < SLOW_GOAL)) {
        way->reach_trim = clamp(way->reach_trim + share * out, -LEARN_MOST, LEARN_MOST);
        way->height_trim = clamp(way->height_trim + share * up, -LEARN_MOST, LEARN_MOST);
    }
    if (way->speed < SLOW_GOAL) {
        way->direction_trim = clamp(way->direction_trim + 0.5 * share * aside, -0.05, 0.05);
    }
    return off;
}

/// The goal's speed in this tick.
static void pace(ExpertWay *way, const ExpertLeg *leg, double length, double off, double dt)
{
    double stop = leg->straight ? LAG_STOP : LAG_STOP_IN;
    double rate = clamp((stop - off) / ((1.0 - LAG_FREE) * stop), 0.0, 1.0);
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

bool expert_way_follow(Expert *expert, const ExpertView *view, double hold, OperatorControls *controls)
{
    ExpertWay *way = &expert->way;
    const ExpertLeg *leg = &way->legs[way->leg];
    double length = fmax(leg_length(view, leg), 1e-3);
    Place goal = leg_at(view, way, leg, way->along / length);
    double off = learn(way, view, leg, goal);
    pace(way, leg, length, off, view->dt);
    Place soon = leg_at(view, way, leg, fmin(way->along + way->speed * AHEAD, length) / length);
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
