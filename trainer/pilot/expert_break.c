/// Breaking rocks with a hammer, one after the other: the chisel is set on the nearest in reach that is too large,
/// strikes until it breaks, and is lifted to look for the next.
#include "data/core/elementary.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define SINKS      0.3 ///< m below the ground that the chisel goes, at most
#define CLEAR      0.3 ///< m over the rock from where it comes and to where it goes
#define ASIDE      0.12 ///< of a rock's size: so far beside its middle the chisel is set when it did not break
#define NEXT_TURN  2.4 ///< rad from one such place to the next
#define BROKEN     0.98 ///< of its size, below which a rock has lost a half
#define SET_TIME   15.0 ///< s to set the chisel on a rock
#define ASKEW      0.8 ///< rad: a chisel that is farther off the asked angle slips off
#define TRIES_COST 2.0 ///< m that a rock counts as farther for each time it was tried

/// m, world: of a rock's highest corner.
static double top_of(const ExpertView *view, const RockView *rock)
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
static bool is_in_reach(const Expert *expert, const ExpertView *view, const RockView *rock, double angle)
{
    Vec3 middle = rock->motion.frame.position, over = vec3(middle.x, middle.y, top_of(view, rock) + CLEAR);
    double unused;
    return expert_reaches(expert, view, middle, angle, ASKEW, &unused) &&
           expert_reaches(expert, view, over, angle, ASKEW, &unused);
}

/// The nearest rock in reach that is too large; -1: none.
static int nearest(const Expert *expert, const ExpertView *view, const ExpertBreak *asked)
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
        if (distance < least && is_in_reach(expert, view, &rock, asked->angle)) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/// Where the chisel is set: on the rock's middle, then round it.
static void aim_at(ExpertBreaking *breaking, const ExpertView *view, const ExpertBreak *asked, int rock)
{
    RockView seen;
    rocks_get(session_rocks_get(view->rocks), rock, &seen);
    double size = session_rocks_size(view->rocks, rock);
    breaking->tries = rock == breaking->rock && size == breaking->size ? breaking->tries + 1 : 0;
    breaking->rock = rock;
    breaking->size = size;
    Vec3 at = seen.motion.frame.position;
    double aside = breaking->tries > 0 ? ASIDE * breaking->size : 0.0, look = NEXT_TURN * breaking->tries;
    double x = at.x + aside * same_cos(look), y = at.y + aside * same_sin(look);
    breaking->press = (ExpertPress){
        .x = x,
        .y = y,
        .angle = asked->angle,
        .depth = SINKS,
        .force = asked->force,
        .over = top_of(view, &seen) + CLEAR - view->arm.height(view->arm.context, x, y),
        .seconds = asked->seconds,
        .limit = asked->seconds + SET_TIME,
    };
}

bool expert_break(Expert *expert, const ExpertView *view, const ExpertBreak *asked, OperatorControls *controls)
{
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
        next = expert_press(expert, view, &breaking->press, false, controls) ||
               view->time - breaking->began > view->ease * breaking->press.limit;
    }
    if (!next) {
        return false;
    }
    int rock = nearest(expert, view, asked);
    if (rock < 0) {
        return true;
    }
    aim_at(breaking, view, asked, rock);
    breaking->began = view->time;
    expert_press(expert, view, &breaking->press, true, controls);
    return false;
}
