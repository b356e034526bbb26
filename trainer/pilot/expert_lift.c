/// Lifting a load and laying it down. The eye moves, not the edge: with the bucket held at one angle to the level, both
/// go the same way.
#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "machine/lifting.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

/// Numbers are chosen; tests/unit/pilot/test_pilot_expert_lift.c holds what they do.
#define SLACK       0.15 ///< m of rope that hangs loose while it is hooked up and taken off
#define FREE_SPEED  1.5 ///< m/s of the edge without a load
#define OVER        2.5 ///< m over the ground on the way to a load
#define PRESS_TIME  0.3 ///< s that the lever is pressed, and as long let go
#define LOWER_SPEED 0.25 ///< m/s down, until the load is near the ground
#define NEAR_SPEED  0.05 ///< m/s down from there
#define NEAR_GROUND 0.12 ///< m
#define STILL_TIME  0.6 ///< s that it hangs still before it is let down
#define STEADY_TIME 25.0 ///< s after which it is let down all the same
#define DAMPING     0.8 ///< 1/s: the eye follows the swing at so much of the load's offset
#define RETURN      0.25 ///< 1/s: and comes back
#define SWAY_MOST   0.5 ///< m
#define HEADING_OFF 0.03 ///< rad off its heading with which a load is let down
#define CLEAR       1.0 ///< m up, with the empty hook
#define GRAVITY     STANDARD_GRAVITY

/// ---- eye and edge --------------------------------------------------------------------------------------------------

/// From the edge to the eye with the tip line at an elevation: m outwards, m up.
static void eye_over_edge(const Expert *expert, double angle, double *out, double *up)
{
    const MachineParams *machine = &expert->pilot.machine;
    double x = machine->lifting_eye.x - machine->tool[0].tip.x, z = machine->lifting_eye.z - machine->tool[0].tip.z;
    *out = x * same_cos(angle) - z * same_sin(angle);
    *up = x * same_sin(angle) + z * same_cos(angle);
}

/// Where the edge is when the eye is at a point.
static Vec3 edge_for(const Expert *expert, const ExpertView *view, Vec3 eye, double angle)
{
    double out, up;
    eye_over_edge(expert, angle, &out, &up);
    Vec3 ahead = vec3_sub(eye, view->base);
    ahead.z = 0.0;
    ahead = vec3_unit(ahead, vec3(1.0, 0.0, 0.0));
    return vec3(eye.x - out * ahead.x, eye.y - out * ahead.y, eye.z - up);
}

/// The nearest angle to the one that is asked for with which the eye gets there.
static double angle_for(const Expert *expert, const ExpertView *view, Vec3 eye, double wanted)
{
    double angle = wanted;
    for (int k = 0; k < 3; k++) {
        angle = expert_reachable_angle(expert, view, edge_for(expert, view, eye, angle), angle);
    }
    return angle;
}

/// A way of the eye straight from where it is.
static void go(Expert *expert, const ExpertView *view, Vec3 eye, double speed, double ramp, double tolerance,
               bool straight)
{
    ExpertLifting *lifting = &expert->lifting;
    expert_go_to(expert, view,
                 (ExpertLeg){.straight = straight,
                             .presses = true,
                             .to = edge_for(expert, view, eye, lifting->angle),
                             .angle_to = lifting->angle,
                             .speed = speed,
                             .ramp = ramp,
                             .tolerance = view->ease * tolerance},
                 EXPERT_NOT_GIVEN);
}

static void enter(Expert *expert, const ExpertView *view, ExpertLiftStage stage)
{
    expert->lifting.stage = stage;
    expert->lifting.began = view->time;
    expert->lifting.still = 0.0;
    if (stage == EXPERT_LIFT_GO || stage == EXPERT_LIFT_STEADY) {
        expert->lifting.arrived = view->time;
    }
}

/// ---- the load ------------------------------------------------------------------------------------------------------

static const SceneLoad *asked_load(const ExpertView *view, const ExpertLift *lift)
{
    return &view->scene->exercise.loads[lift->load - 1];
}

static Vec3 load_place(const ExpertView *view, const ExpertLift *lift)
{
    return hung_load_frame(session_loads_get(view->loads, lift->load - 1)).position;
}

/// m from the eye down to the pipe's middle, the sling tight and the pipe level.
static double drop_of(const HungLoadParams *pipe)
{
    double half = 0.5 * pipe->spread;
    return sqrt(pipe->sling * pipe->sling - half * half) + pipe->radius;
}

static double ground_at(const ExpertView *view, double x, double y)
{
    return view->arm.height(view->arm.context, x, y);
}

/// m/s2: the eye gets up to its speed in one turn of the load's swing.
static double shaped_ramp(const HungLoadParams *pipe, double speed)
{
    return speed / (2.0 * M_PI * sqrt(drop_of(pipe) / GRAVITY));
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
    double damping = DAMPING * (1.0 - view->beginner); // whoever is late would drive it
    way->sway.x += view->dt * (damping * off.x - RETURN * way->sway.x);
    way->sway.y += view->dt * (damping * off.y - RETURN * way->sway.y);
    double length = same_hypot(way->sway.x, way->sway.y);
    if (length > SWAY_MOST) {
        way->sway = vec3_scale(way->sway, SWAY_MOST / length);
    }
}

/// Presses the hook's lever again and again; true once the load is on the hook, or off.
static bool press_hook(const Expert *expert, const ExpertView *view, bool on, OperatorControls *controls)
{
    bool is_on = view->lift.hooked >= 0;
    double time = fmod(view->time - expert->lifting.began, 2.0 * PRESS_TIME);
    if (is_on != on && time >= PRESS_TIME) {
        controls->axis[CONTROL_AUXILIARY] = CONTROL_FULL;
    }
    return is_on == on;
}

/// ---- the actions ---------------------------------------------------------------------------------------------------

bool expert_hoist(Expert *expert, const ExpertView *view, const ExpertLift *lift, OperatorControls *controls)
{
    const HungLoadParams *pipe = &asked_load(view, lift)->pipe;
    ExpertLifting *lifting = &expert->lifting;
    if (!expert->entered) {
        Vec3 eye = load_place(view, lift);
        eye.z += drop_of(pipe) - SLACK;
        lifting->angle = angle_for(expert, view, eye, lift->angle);
        expert_go_to(expert, view,
                     (ExpertLeg){.to = edge_for(expert, view, eye, lifting->angle),
                                 .angle_to = lifting->angle,
                                 .speed = FREE_SPEED,
                                 .tolerance = view->ease * 0.06},
                     OVER);
        enter(expert, view, EXPERT_LIFT_GO);
    }
    bool there = expert_way_follow(expert, view, 0.4, controls);
    if (lifting->stage == EXPERT_LIFT_GO && there) {
        enter(expert, view, EXPERT_LIFT_HOOK);
    } else if (lifting->stage == EXPERT_LIFT_HOOK && press_hook(expert, view, true, controls)) {
        Vec3 eye = load_place(view, lift);
        eye.z += drop_of(pipe) + lift->height;
        go(expert, view, eye, lift->speed, lift->speed, 0.1, true);
        enter(expert, view, EXPERT_LIFT_RAISE);
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
    eye.z = ground_at(view, eye.x, eye.y) + load->pipe.radius + lift->height + drop_of(&load->pipe);
    expert->lifting.angle = angle_for(expert, view, eye, lift->angle);
    go(expert, view, eye, lift->speed, shaped_ramp(&load->pipe, lift->speed), 0.08, false);
    enter(expert, view, EXPERT_LIFT_GO);
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
    double ground = ground_at(view, load->place.x, load->place.y) + load->pipe.radius, drop = drop_of(&load->pipe);
    Vec3 eye = vec3(load->place.x, load->place.y, ground + NEAR_GROUND + drop);
    go(expert, view, eye, LOWER_SPEED, LOWER_SPEED, 0.0, true);
    ExpertLeg down = expert->way.legs[expert->way.count - 1];
    eye.z = ground + drop - SLACK;
    down.to = edge_for(expert, view, eye, expert->lifting.angle);
    down.speed = NEAR_SPEED;
    down.tolerance = view->ease * 0.1;
    expert_way_add(expert, view, &expert->way, down);
    enter(expert, view, EXPERT_LIFT_LOWER);
}

bool expert_place(Expert *expert, const ExpertView *view, const ExpertLift *lift, OperatorControls *controls)
{
    ExpertLifting *lifting = &expert->lifting;
    if (!expert->entered) {
        begin_place(expert, view, lift);
    }
    if (lifting->stage == EXPERT_LIFT_STEADY) {
        follow_swing(expert, view, lift);
    }
    bool there = expert_way_follow(expert, view, 0.3, controls);
    if (lifting->stage == EXPERT_LIFT_GO && expert->way.ended > 0.0) {
        enter(expert, view, EXPERT_LIFT_STEADY);
    } else if (lifting->stage == EXPERT_LIFT_STEADY && hangs_still(expert, view, lift)) {
        begin_lowering(expert, view, lift);
    } else if (lifting->stage == EXPERT_LIFT_LOWER && there) {
        enter(expert, view, EXPERT_LIFT_HOOK);
    } else if (lifting->stage == EXPERT_LIFT_HOOK && press_hook(expert, view, false, controls)) {
        Vec3 eye = eye_now(expert, view);
        eye.z += CLEAR;
        go(expert, view, eye, FREE_SPEED, 0.0, 0.2, true);
        enter(expert, view, EXPERT_LIFT_RAISE);
    } else if (lifting->stage == EXPERT_LIFT_RAISE) {
        return there;
    }
    return false;
}
