/// Planing a field with a bucket's edge, lane by lane towards the machine. With a place to heap the soil, a lane is
/// planed in layers: a bucket that is full, or at the near end, scoops up what it pushes ahead, is swung away and
/// emptied, and the lane goes on where it stopped. Without one, soil is drawn along to the near end.
#include "data/schema/excavator_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define PITCH         0.25 ///< m between two places of a lane that are looked at
#define STEP          0.1 ///< m: the same where a line meets soil
#define APPROACH      0.4 ///< m over a lane's start and end
#define FINE_APPROACH 0.2 ///< m: the same over the ground where little is planed off
#define FREE_SPEED    1.5 ///< m/s of the edge between lanes
#define RETURN_SPEED  4.5 ///< m/s: the same coming back from the heap
#define LANE_TIME     40.0 ///< s that a lane may take
#define END_ROOM      0.15 ///< m before the far end, up to where a lane is looked at: what stands behind leans in there
#define MEETS         0.6 ///< of the tolerance that stands over the design where a cut begins
#define BEHIND        0.25 ///< m that it begins farther, so that it comes down where nothing stands
#define WALL          0.2 ///< m of ground behind a cut's begin from which on the edge goes down with its plate upright
#define WALL_ROOM     0.06 ///< m between the edge and that wall
#define TURNS_ON      1.2 ///< m on which the bucket then turns to its angle: faster, its back would press into the wall
#define OVERCUT       1.2 ///< buckets that are cut on a line before what is pushed ahead is scooped up
#define WORTH_IN      (60.0 / 1650.0) ///< of the rated load, in the bucket at the end of a line: it is taken away
#define WORTH_CUT     0.15 ///< m3 that were cut on it: the same
#define RIM           0.15 ///< m that the ground before the near end stands higher, from which on the scoop ends there
#define RIM_AT        1.6 ///< m before the near end where that is looked at: beyond what is pushed ahead

static double far_height(const ExpertGrade *grade)
{
    return expert_gives(grade->far_z) ? grade->far_z : grade->z;
}

/// m, world: the design at a place of a lane; before and behind it level.
static double plane_at(const ExpertGrade *grade, double along)
{
    double share = fmax(0.0, fmin(along / grade->field.length, 1.0));
    return grade->z + share * (far_height(grade) - grade->z);
}

static bool carries_away(const ExpertGrade *grade)
{
    return expert_gives(grade->dump_x);
}

/// m that the ground stands above the design at a place of a lane, mean over the tool's width.
static double above_plane(const ExpertView *view, const ExpertGrade *grade, double along, double aside, double edge)
{
    return expert_lane_mean(view, &grade->field, along, aside, edge) - plane_at(grade, along);
}

/// m: most that stands above the plane somewhere along a lane.
static double excess(const ExpertView *view, const ExpertGrade *grade, double aside, double edge)
{
    double most = -1e9, last = grade->field.length - (carries_away(grade) ? END_ROOM : 0.0);
    for (double along = 0.0; along <= last; along += PITCH) {
        most = fmax(most, above_plane(view, grade, along, aside, edge));
    }
    return carries_away(grade) ? fmax(most, above_plane(view, grade, last, aside, edge)) : most;
}

/// m: what stands above the plane, mean over a lane's length.
static double mean_excess(const ExpertView *view, const ExpertGrade *grade, double aside, double edge)
{
    double sum = 0.0;
    int count = 0;
    for (double along = 0.0; along <= grade->field.length - END_ROOM; along += PITCH) {
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
static bool next_lane(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge)
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

/// ---- drawn along ---------------------------------------------------------------------------------------------------

/// Over the far end, down, along the lane to the near end and up.
static void plan_lane(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge)
{
    ExpertWay *way = &expert->way;
    double aside = aside_now(expert, grade, edge);
    Vec3 far = expert_lane_point(&grade->field, grade->field.length, aside, far_height(grade));
    Vec3 near = expert_lane_point(&grade->field, 0.0, aside, grade->z), up = vec3(0.0, 0.0, APPROACH);
    double tolerance = view->ease * 0.04;
    expert_go_to(
        expert, view,
        (ExpertLeg){.to = vec3_add(far, up), .angle_to = grade->angle, .speed = FREE_SPEED, .tolerance = tolerance},
        APPROACH);
    ExpertLeg leg = {.straight = true, .to = far, .angle_to = grade->angle, .speed = grade->speed};
    expert_way_add(expert, view, way, leg);
    leg.to = near;
    expert_way_add(expert, view, way, leg);
    leg.to = vec3_add(near, up);
    leg.tolerance = 5.0 * tolerance;
    expert_way_add(expert, view, way, leg);
}

static bool draw_along(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge, bool begins,
                       OperatorControls *controls)
{
    if (!begins && !expert_way_follow(expert, view, 0.0, controls) && view->time - expert->lanes.began <= LANE_TIME) {
        return false;
    }
    if (!next_lane(expert, view, grade, edge)) {
        return true;
    }
    plan_lane(expert, view, grade, edge);
    return false;
}

/// ---- carried away --------------------------------------------------------------------------------------------------

/// m along a lane where a line over the design meets soil first, from the far end; below 0 where there is none.
static double meeting(const ExpertView *view, const ExpertGrade *grade, double aside, double edge, double least)
{
    double along = grade->field.length - END_ROOM;
    while (along >= 0.0 && above_plane(view, grade, along, aside, edge) < least) {
        along -= STEP;
    }
    return along;
}

/// Whether ground stands behind the place where a cut begins.
static bool at_wall(const ExpertView *view, const ExpertGrade *grade, double along, double aside, double edge,
                    double over)
{
    return fmax(above_plane(view, grade, along + 0.3, aside, edge),
                above_plane(view, grade, along + 0.5, aside, edge)) > over + WALL;
}

/// m along the lanes where they are no longer planed, as the scoop clears the rest: before ground that stands on. To be
/// looked at before soil has been drawn there.
static double last_of_lanes(const ExpertView *view, const ExpertGrade *grade, double edge)
{
    bool open = above_plane(view, grade, -RIM_AT, 0.0, edge) < RIM;
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
        expert->lanes.cut += STEP * edge * fmax(stands, 0.0);
        along -= STEP;
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
    Vec3 from = expert_lane_point(&grade->field, begin, aside, plane_at(grade, begin) + over);
    double ground = expert_lane_mean(view, &grade->field, begin, aside, edge);
    expert_go_to(expert, view,
                 (ExpertLeg){.to = vec3(from.x, from.y, fmax(from.z, ground) + FINE_APPROACH),
                             .angle_to = enter,
                             .speed = RETURN_SPEED,
                             .tolerance = 2.0 * tolerance},
                 APPROACH);
    ExpertLeg leg = {.straight = true, .to = from, .angle_to = enter, .speed = grade->speed};
    leg.tolerance = wall ? tolerance : 0.0;
    expert_way_add(expert, view, way, leg);
    leg.tolerance = 0.0;
    leg.to = expert_lane_point(&grade->field, turned, aside, plane_at(grade, turned) + over);
    leg.angle_to = grade->angle;
    expert_way_add(expert, view, way, leg);
    leg.to = expert_lane_point(&grade->field, end, aside, plane_at(grade, end) + over);
    leg.tolerance = 6.0 * tolerance;
    expert_way_add(expert, view, way, leg);
}

/// Begins a line of the present lane where it meets soil. False when it meets none.
static bool plan_cut(Expert *expert, const ExpertView *view, const ExpertGrade *grade, double edge)
{
    double aside = aside_now(expert, grade, edge), last = expert->lanes.last;
    double begin = meeting(view, grade, aside, edge, expert->lanes.over + MEETS * view->ease * grade->tolerance);
    if (begin < 0.0) {
        return false;
    }
    double end = full_at(expert, view, grade, edge, begin, last);
    expert->lanes.stopped = end > last + STEP;
    plan_line(expert, view, grade, edge, fmin(fmax(begin, end) + BEHIND, grade->field.length - WALL_ROOM), end);
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
        if (!expert_way_follow(expert, view, 0.0, controls) && view->time - lanes->began < LANE_TIME) {
            return false;
        }
        if (view->arm.payload < WORTH_IN * machine_rated_load(&digger->machine) && lanes->cut < WORTH_CUT) {
            return true;
        }
        prepare_digger(expert, view, grade);
        pilot_carry(digger, &view->arm, view->tip, expert_angle_now(expert, view));
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
        if (!next_lane(expert, view, grade, edge)) {
            return true;
        }
        goes_on = true;
    }
    return false;
}

bool expert_grade(Expert *expert, const ExpertView *view, const ExpertGrade *grade, OperatorControls *controls)
{
    double edge = expert->pilot.machine.tool[0].shape.edge_width;
    bool begins = !expert->entered;
    if (begins) {
        expert->lanes = (ExpertLanes){.lane = -1, .last = last_of_lanes(view, grade, edge)};
    }
    return carries_away(grade) ? carry_away(expert, view, grade, edge, begins, controls)
                               : draw_along(expert, view, grade, edge, begins, controls);
}
