/// On foot: walks to places and looks at things, by the levers that every operator has.
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#include "data/core/elementary.h"

#define STEER     2.0 ///< lever for each rad off the direction
#define AHEAD     0.5 ///< rad: so nearly towards the place he walks
#define AIMED     0.12 ///< rad off the thing: he looks at it
#define HELD      0.15 ///< s for which buttons are pressed
#define GOES_SLOW 0.5 ///< m: nearer he slows down

static double off_direction(double angle, double from)
{
    return same_atan2(same_sin(angle - from), same_cos(angle - from));
}

/// Turns towards the direction and walks; true once within the tolerance.
static bool go_to(const FootReadout *foot, const ExpertWalk *walk, double ease, OperatorControls *controls)
{
    double dx = walk->x - foot->eye.x, dy = walk->y - foot->eye.y, distance = same_hypot(dx, dy);
    if (distance <= walk->tolerance * ease) {
        return true;
    }
    double off = off_direction(same_atan2(dy, dx), foot->yaw);
    controls->axis[CONTROL_SWING] = control_quantise(-STEER * off);
    controls->axis[CONTROL_STICK] = control_quantise(fabs(off) < AHEAD ? -fmin(1.0, distance / GOES_SLOW) : 0.0);
    controls->axis[CONTROL_BOOM] = control_quantise(-STEER * foot->pitch);
    return false;
}

bool expert_walk(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    (void)expert;
    const FootReadout *foot = &session_frame(view->session)->foot;
    return !foot->walks || go_to(foot, &action->with.walk, view->ease, controls);
}

/// Looks at a place; true once it is in the middle of the view.
static bool look_at(const FootReadout *foot, Vec3 place, OperatorControls *controls)
{
    Vec3 way = vec3_sub(place, foot->eye);
    double yaw = off_direction(same_atan2(way.y, way.x), foot->yaw);
    double pitch = same_atan2(way.z, same_hypot(way.x, way.y)) - foot->pitch;
    controls->axis[CONTROL_SWING] = control_quantise(-STEER * yaw);
    controls->axis[CONTROL_BOOM] = control_quantise(STEER * pitch);
    return fabs(yaw) < AIMED && fabs(pitch) < AIMED;
}

/// Each press is followed by a pause as long: held on it would be the same press.
static bool presses(double time)
{
    return time - 2.0 * HELD * floor(time / (2.0 * HELD)) < HELD;
}

bool expert_inspect(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const FootReadout *foot = &session_frame(view->session)->foot;
    const ExpertWalk *walk = &action->with.walk;
    int thing = walk->thing - 1;
    Pose place;
    expert->looked = expert->looked && expert->entered;
    if (!foot->walks || !session_thing(view->session, thing, &place)) {
        return true;
    }
    if (foot->open >= 0) {
        expert->looked = true;
        int answer = walk->report ? FOOT_ANSWER_REPORT : FOOT_ANSWER_FINE;
        controls->axis[CONTROL_ANSWER] = control_quantise(presses(view->time - expert->began) ? answer / 10.0 : 0.0);
        return false;
    }
    if (expert->looked) {
        return true;
    }
    if (foot->near != thing && !go_to(foot, walk, view->ease, controls)) {
        return false;
    }
    if (look_at(foot, place.position, controls) && foot->near == thing) {
        controls->axis[CONTROL_INSPECT] = presses(view->time - expert->began) ? CONTROL_FULL : 0;
    }
    return false;
}
