/// Slot dozing as operators are taught it: cut a thin layer in the same slot until the blade is full, carry, spread
/// with the blade rising, back up. The edge follows a line by the lift cylinder's speed; slipping tracks raise it.
#include "data/core/elementary.h"
#include "trainer/pilot/autopilot_dozer.h"
#include "data/schema/dozer_params.h"

#include <math.h>
#include <string.h>

#define ENTRY       0.6 ///< m ahead of the resting edge where the cut begins
#define CUT_LENGTH  11.0 ///< m, without an exercise
#define CUT_RAMP    3.0 ///< m at either end, over which the floor falls and rises: tracks roll over its ends
#define CARRY       2.0 ///< m between the cut and the spoil, without an exercise
#define SPREAD      5.0 ///< m over which a load is laid down
#define DUMP_BEYOND 0.6 ///< of the dump's radius: so far beyond its middle loads are laid, and roll on by the rest
#define MOST_PASSES 24 ///< in one lane
#define LEFT_FLOOR  0.008 ///< m, mean over the lane, that may be left on the floor of an exercise's trench
#define LEFT_FREE   0.03 ///< m, the same without an exercise
#define FREE_DEPTH  0.5 ///< m, without an exercise
#define LANES       5 ///< without an exercise
#define WALL_ROOM   0.05 ///< m that the blade's end goes into the wall of a trench, so that nothing is left there
#define BERM        0.4 ///< m left standing between two lanes
#define MARGIN      4.0 ///< m that are kept to the site's border
#define SPREAD_RISE 0.07 ///< m a metre of way
#define TRAVEL_LIFT 0.75 ///< m over the tracks' plane while it backs up
#define FULL_SHARE  0.85 ///< of the rated load, from which on it only carries
#define EMPTY_SHARE 0.05 ///< of the rated load, at which there is nothing left to carry
#define LOST_ROOM   1.0 ///< m beyond the cut, after which a pass that carries nothing ends

#define WORK_LEVER   0.36 ///< just into the end of the first gear
#define TROT_LEVER   0.57 ///< the second gear, ahead: on the way to the cut
#define TROT_ROOM    1.5 ///< m before the cut from which on it is driven no more
#define RETURN_LEVER 0.80 ///< the third gear, back
#define STEER_GAIN   0.9 ///< lever for a radian of heading error
#define STEER_MOST   0.2
#define AIM_AHEAD    5.0 ///< m on which an offset from the lane's line is taken out

// The edge goes up faster than down: where the nose falls into a hollow, it digs in and stalls the machine.
#define BLADE_UP    12.0 ///< lever for a metre of height missing
#define BLADE_DOWN  10.0 ///< lever for a metre too high
#define BLADE_LEAD  0.20 ///< s that the operator looks ahead of the edge as the lift moves it
#define NOSE_LEAD   0.15 ///< s, as the nose moves it
#define RATE_TIME   0.10 ///< s
#define BLADE_STILL 0.01 ///< m: an operator does not correct less
#define SLIP_HIGH   0.30
#define SLIP_LOW    0.12
#define RAISE_RATE  0.15 ///< m/s
#define LOWER_RATE  0.10 ///< m/s
#define RAISE_MOST  0.5 ///< m
#define CRAWL       0.08 ///< m/s: slower is no way ahead
#define STUCK_TIME  6.0 ///< s of that after which it gives the pass up
#define CLEAR_TIME  1.2 ///< s in which the blade goes up
#define CLEAR_LIFT  0.3 ///< m over the tracks' plane, from which on the rest of the lift is done on the way back

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double wrap(double angle)
{
    return angle - 2.0 * M_PI * floor((angle + M_PI) / (2.0 * M_PI));
}

const char *dozer_phase_name(DozerPhase phase)
{
    static const char *const names[DOZER_PHASE_COUNT] = {"cut", "carry", "spread", "clear", "back", "rest"};
    return phase >= 0 && phase < DOZER_PHASE_COUNT ? names[phase] : "?";
}

/// How far ahead of the chassis the edge rests at the start.
static double edge_reach(const MachineParams *machine)
{
    return machine->joint[DOZER_JOINT_LIFT].origin.x + machine->joint[DOZER_JOINT_ANGLE].origin.x +
           machine->tool[0].shape.edge[0];
}

static void plan_free(DozerPilot *pilot, const SceneParams *scene)
{
    pilot->x = scene->machine.x;
    pilot->y = scene->machine.y;
    pilot->heading = scene->machine.heading;
    pilot->cut_from = edge_reach(&pilot->machine) + ENTRY;
    pilot->cut_length = CUT_LENGTH;
    pilot->depth = fmin(FREE_DEPTH, 0.5 * scene->ground.bedrock_depth);
    pilot->ramp = CUT_RAMP;
    pilot->dump_from = pilot->cut_from + CUT_LENGTH + CARRY;
    pilot->dump_to = pilot->dump_from + SPREAD;
    pilot->spread_length = SPREAD;
    pilot->lanes = LANES;
    pilot->lane_spacing = pilot->machine.tool[0].shape.edge_width + BERM;
}

static void plan_trench(DozerPilot *pilot, const SceneTrench *trench)
{
    pilot->exercise = true;
    pilot->x = trench->x;
    pilot->y = trench->y;
    pilot->heading = trench->heading;
    pilot->cut_from = -CUT_RAMP;
    pilot->cut_length = trench->length + 2.0 * CUT_RAMP;
    pilot->depth = trench->depth;
    double dump = (trench->dump_x - trench->x) * same_cos(trench->heading) +
                  (trench->dump_y - trench->y) * same_sin(trench->heading);
    pilot->ramp = CUT_RAMP;
    pilot->dump_from = dump - trench->dump_radius;
    pilot->dump_to = dump + DUMP_BEYOND * trench->dump_radius;
    pilot->spread_length = fmin(SPREAD, (1.0 + DUMP_BEYOND) * trench->dump_radius);
    pilot->lanes = (int)fmax(1.0, ceil(trench->width / pilot->machine.tool[0].shape.edge_width - 0.1));
    double spare = trench->width - pilot->machine.tool[0].shape.edge_width;
    pilot->lane_spacing = spare / fmax(pilot->lanes - 1, 1);
    pilot->sway_most = pilot->lanes == 1 && spare > 0.0 ? 0.5 * spare + WALL_ROOM : 0.0;
}

void dozer_pilot_start(DozerPilot *pilot, const SceneParams *scene, const MachineParams *machine)
{
    memset(pilot, 0, sizeof *pilot);
    pilot->machine = *machine;
    if (scene->exercise.kind == EXERCISE_TRENCH) {
        plan_trench(pilot, &scene->exercise.trench);
    } else {
        plan_free(pilot, scene);
    }
    pilot->start = pilot->cut_from;
    pilot->spread_from = pilot->dump_from;
    pilot->site_x = 0.5 * scene->ground.size_x;
    pilot->site_y = 0.5 * scene->ground.size_y;
    const SoilParams *soil = &scene->soils[scene->ground.layers[0].soil_index];
    pilot->bank_density = soil->bank_density;
    pilot->full = machine->tool[0].capacity * soil->bank_density / (1.0 + soil->swell);
    pilot->surface = NAN;
}

/// m: how far left of the first line the present pass goes.
static double pass_line(const DozerPilot *pilot)
{
    return dozer_lane_middle(pilot, pilot->lane) + pilot->sway;
}

/// Along the lanes: where the chassis stands when the present pass begins.
static double back_to(const DozerPilot *pilot)
{
    return pilot->start - edge_reach(&pilot->machine) - ENTRY;
}

/// Where a point is along the lanes, and how far left of the present lane's line.
static void place_in_lane(const DozerPilot *pilot, double x, double y, double *along, double *aside)
{
    double dx = x - pilot->x, dy = y - pilot->y, c = same_cos(pilot->heading), s = same_sin(pilot->heading);
    *along = dx * c + dy * s;
    *aside = dy * c - dx * s - pass_line(pilot);
}

/// True when the lane's whole length lies on the site.
static bool lane_fits(const DozerPilot *pilot, int lane)
{
    double c = same_cos(pilot->heading), s = same_sin(pilot->heading), line = dozer_lane_middle(pilot, lane);
    const double ends[2] = {pilot->cut_from - edge_reach(&pilot->machine) - ENTRY, pilot->dump_to};
    bool fits = true;
    for (int end = 0; end < 2; end++) {
        double x = pilot->x + ends[end] * c - line * s, y = pilot->y + ends[end] * s + line * c;
        fits = fits && fabs(x) < pilot->site_x - MARGIN && fabs(y) < pilot->site_y - MARGIN;
    }
    return fits;
}

static void enter(DozerPilot *pilot, const DozerView *view, DozerPhase phase)
{
    pilot->phase = phase;
    pilot->phase_start = view->time;
    pilot->stuck = 0.0;
}

/// Looks at what is left of the lane and plans the next pass, in the lane beside when there is little.
static void next_pass(DozerPilot *pilot, const DozerView *view)
{
    pilot->raise = 0.0;
    dozer_look(pilot, view);
    double enough = pilot->exercise ? LEFT_FLOOR : LEFT_FREE;
    if (++pilot->passes >= MOST_PASSES || dozer_left_over(pilot) < enough) {
        pilot->passes = 0;
        do {
            pilot->lane++;
        } while (pilot->lane < pilot->lanes && !lane_fits(pilot, pilot->lane));
        dozer_look(pilot, view);
    }
    dozer_plan_pass(pilot);
}

/// Both tracks at `lever` (+ forward), steered along the lane's line.
static void drive(const DozerPilot *pilot, const DozerView *view, double lever, OperatorControls *controls)
{
    double along, aside;
    place_in_lane(pilot, view->base.x, view->base.y, &along, &aside);
    double wanted = pilot->heading - copysign(1.0, lever) * same_atan(aside / AIM_AHEAD);
    double steer = clamp(STEER_GAIN * wrap(wanted - view->yaw), -STEER_MOST, STEER_MOST);
    controls->axis[CONTROL_LEFT_TRACK] = control_quantise(lever - steer);
    controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(lever + steer);
}

/// Moves the blade by what its edge is too low, m.
static void move_blade(const DozerPilot *pilot, double missing, OperatorControls *controls)
{
    double band = pilot->machine.hydraulics.dead_band;
    missing -= BLADE_LEAD * pilot->tip_rate + NOSE_LEAD * pilot->plane_rate;
    if (fabs(missing) > BLADE_STILL) {
        double share = clamp((missing > 0.0 ? BLADE_UP : BLADE_DOWN) * missing, -1.0, 1.0);
        controls->axis[CONTROL_BLADE] = control_quantise(copysign(band + (1.0 - band) * fabs(share), share));
    }
}

/// Brings angle, tilt and ripper to where they stood.
static void hold_others(const DozerPilot *pilot, const DozerView *view, OperatorControls *controls)
{
    static const struct {
        int joint;
        ControlAxis axis;
    } others[] = {{DOZER_JOINT_ANGLE, CONTROL_BLADE_ANGLE},
                  {DOZER_JOINT_TILT, CONTROL_BLADE_TILT},
                  {DOZER_JOINT_RIPPER, CONTROL_RIPPER}};
    for (int k = 0; k < 3; k++) {
        double missing = pilot->machine.start_pose[others[k].joint] - view->angle[others[k].joint];
        if (fabs(missing) > 0.02) {
            controls->axis[others[k].axis] = control_quantise(clamp(4.0 * missing, -1.0, 1.0));
        }
    }
}

/// Lifts the edge while the tracks slip, and counts how long it does not get on.
static void watch_slip(DozerPilot *pilot, const DozerView *view)
{
    bool slips = view->slip > SLIP_HIGH && view->time - pilot->phase_start > 0.5;
    double rate = slips ? RAISE_RATE : view->slip < SLIP_LOW ? -LOWER_RATE : 0.0;
    pilot->raise = clamp(pilot->raise + rate * view->dt, 0.0, RAISE_MOST);
    pilot->stuck = view->speed < CRAWL ? pilot->stuck + view->dt : 0.0;
}

static void work_ahead(DozerPilot *pilot, const DozerView *view, double along, OperatorControls *controls)
{
    double cut_end = pilot->cut_from + pilot->cut_length, spread_from = pilot->spread_from;
    watch_slip(pilot, view);
    bool approaches = pilot->phase == DOZER_CUT && along < pilot->start - TROT_ROOM;
    drive(pilot, view, approaches ? TROT_LEVER : WORK_LEVER, controls);
    double line = pilot->phase == DOZER_CUT ? dozer_cut_line(pilot, along) : dozer_carry_line(pilot, along);
    line += pilot->phase == DOZER_SPREAD ? SPREAD_RISE * (along - spread_from) : 0.0;
    move_blade(pilot, line + pilot->raise - view->tip.z, controls);
    bool empty = view->payload < EMPTY_SHARE * pilot->full;
    if (pilot->phase == DOZER_CUT && (along > cut_end || view->payload > FULL_SHARE * pilot->full)) {
        enter(pilot, view, DOZER_CARRY);
    } else if (pilot->phase == DOZER_CARRY && along > spread_from) {
        enter(pilot, view, DOZER_SPREAD);
    } else if (pilot->phase == DOZER_SPREAD && (along > pilot->dump_to || empty)) {
        pilot->cycles++;
        enter(pilot, view, DOZER_CLEAR);
    } else if (pilot->stuck > STUCK_TIME || (pilot->phase == DOZER_CARRY && along > cut_end + LOST_ROOM && empty)) {
        enter(pilot, view, DOZER_CLEAR);
    }
}

void dozer_pilot_update(DozerPilot *pilot, const DozerView *view, OperatorControls *controls)
{
    *controls = control_neutral;
    if (isnan(pilot->surface)) {
        pilot->surface = view->height(view->context, view->tip.x, view->tip.y);
        pilot->tip_height = view->tip_height;
        pilot->plane = view->tip.z - view->tip_height;
        dozer_look(pilot, view);
        dozer_plan_pass(pilot);
        enter(pilot, view, DOZER_CUT);
    }
    double share = view->dt / (RATE_TIME + view->dt);
    pilot->tip_rate += share * ((view->tip_height - pilot->tip_height) / view->dt - pilot->tip_rate);
    pilot->plane_rate += share * ((view->tip.z - view->tip_height - pilot->plane) / view->dt - pilot->plane_rate);
    pilot->plane = view->tip.z - view->tip_height;
    pilot->tip_height = view->tip_height;
    hold_others(pilot, view, controls);
    double along, aside, base_along;
    place_in_lane(pilot, view->tip.x, view->tip.y, &along, &aside);
    place_in_lane(pilot, view->base.x, view->base.y, &base_along, &aside);
    switch (pilot->phase) {
    case DOZER_CUT:
    case DOZER_CARRY:
    case DOZER_SPREAD:
        work_ahead(pilot, view, along, controls);
        return;
    case DOZER_CLEAR:
        move_blade(pilot, TRAVEL_LIFT - view->tip_height, controls);
        if (view->time - pilot->phase_start > CLEAR_TIME || view->tip_height > CLEAR_LIFT) {
            next_pass(pilot, view);
            enter(pilot, view, pilot->lane < pilot->lanes ? DOZER_BACK : DOZER_REST);
        }
        return;
    case DOZER_BACK:
        move_blade(pilot, TRAVEL_LIFT - view->tip_height, controls);
        drive(pilot, view, -RETURN_LEVER, controls);
        if (base_along < back_to(pilot)) {
            enter(pilot, view, DOZER_CUT);
        }
        return;
    default:
        return;
    }
}
