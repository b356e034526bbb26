/// The scripted operator of a dozer, without a session: slot dozing.
///
/// It works in lanes: through the trench of an exercise, with ramps before and behind it, to the dump circle, which has
/// to lie in the trench's direction; without an exercise, ahead from where the machine starts. A pass cuts a layer
/// until the blade is full, carries the soil to the spoil and spreads it there with the blade rising; then it backs up
/// for the next pass. In a trench it works from the front to the back: passes begin where they fill the blade, and go
/// on through what is cut already. When the tracks begin to slip it lifts the blade a little,
/// as an operator does, and lets it down again when they hold. The edge follows a line by the lift cylinder's speed.
#include "data/core/elementary.h"
#include "data/schema/machine_params.h"
#include "trainer/pilot/autopilot_internal.h"

#include <math.h>
#include <string.h>

/// ---- planning a pass -----------------------------------------------------------------------------------------------
/// Front to back, as slots are dozed: the first passes cut the end of the slot that is nearer to the spoil, each begins
/// as far back as fills the blade, and the load goes on through what is cut already. A layer is as thick as the tracks
/// can cut. What is left of the floor at the end is taken in passes that begin where the first of it lies. Loads are
/// laid down where the spoil is lowest.

#define LAYER       0.20 ///< m that one pass takes: more stalls the tracks in loam
#define LAYER_FREE  0.13 ///< m, without an exercise: its ground is clay
#define FLOOR_BELOW 0.015 ///< m that the edge goes below a trench's floor, so that no crumbs stand above it
#define FINISHING   0.40 ///< m left on the floor until the last passes by the most clumsy hands, whose edge dips
#define FILLS       0.80 ///< m3 in the bank that are cut in a pass, of what a blade is rated for in loose soil
#define SKIM        0.01 ///< m over the ground at which a load is carried
#define BEHIND      4.0 ///< m behind the cut from which on the ground is looked at
#define CRUMBS      0.04 ///< m: less is not worth a pass of its own
#define SMOOTH      0.75 ///< m on either side over which the ground is a mean
#define ENTRY_SLOPE 0.12 ///< m a metre by which the edge goes down where a cut begins
#define ENTRY_ROOM  0.5 ///< m before the soil that it wants where it begins to go down
#define NEAR_END    1.5 ///< m from the trench's near end: a cut that begins there begins with the ramp before it
#define APPROACH    0.10 ///< m over the ground on the way to the cut
#define NEARER      0.04 ///< m of spoil that a metre of way is worth
#define END_ROOM    0.1 ///< m inside the blade's ends where the ground is looked at

enum { LINES = 7 };

/// m: how far left of the first line the middle of a lane lies.
static double lane_middle(const DozerPilot *pilot, int lane)
{
    if (pilot->exercise) {
        return (lane - 0.5 * (pilot->lanes - 1)) * pilot->lane_spacing;
    }
    int step = (lane + 1) / 2; // 0, 1 left, 1 right, 2 left, ...
    return (lane % 2 == 1 ? step : -step) * pilot->lane_spacing;
}

/// World height of the floor that the present passes are to give the lane at `along`, ramps and all.
static double slot_floor(const DozerPilot *pilot, double along)
{
    double from = along - pilot->cut_from, to = pilot->cut_length - from;
    double share = pilot_clamp(fmin(from, to) / pilot->ramp, 0.0, 1.0);
    double depth = pilot->depth + (pilot->exercise ? FLOOR_BELOW : 0.0) - pilot->left_on;
    return pilot->surface - share * fmax(depth, 0.0);
}

static int place_index(const DozerPilot *pilot, double along)
{
    return (int)pilot_clamp((along - pilot->profile_from) / DOZER_PITCH + 0.5, 0.0, DOZER_PLACES - 1);
}

static double place_along(const DozerPilot *pilot, int k)
{
    return pilot->profile_from + k * DOZER_PITCH;
}

/// Samples one place across the lane. Returns the mean of its heights.
static double sample_across(DozerPilot *pilot, const DozerView *view, int k)
{
    double along = place_along(pilot, k), c = same_cos(pilot->heading), s = same_sin(pilot->heading), mean = 0.0;
    double reach = pilot->sway_most + 0.5 * pilot->machine.tool[0].shape.edge_width - END_ROOM;
    double from = along - pilot->cut_from, inside = from >= 0.0 && from <= pilot->cut_length ? 1.0 : 0.0;
    pilot->excess[k] = 0.0;
    for (int n = 0; n < LINES; n++) {
        double line = lane_middle(pilot, pilot->lane) + reach * (2.0 * n / (LINES - 1) - 1.0);
        double height = view->height(view->context, pilot->x + along * c - line * s, pilot->y + along * s + line * c);
        double above = inside * fmax(0.0, height - slot_floor(pilot, along));
        mean += height / LINES;
        pilot->excess[k] += above / LINES;
        pilot->left_excess += n == LINES - 1 ? above : 0.0;
        pilot->right_excess += n == 0 ? above : 0.0;
    }
    return mean;
}

/// Samples the ground of the present lane.
static void sample_lane(DozerPilot *pilot, const DozerView *view)
{
    double seen[DOZER_PLACES];
    pilot->profile_from = pilot->cut_from - BEHIND;
    pilot->left_excess = pilot->right_excess = 0.0;
    for (int k = 0; k < DOZER_PLACES; k++) {
        seen[k] = sample_across(pilot, view, k);
    }
    int half = (int)(SMOOTH / DOZER_PITCH);
    for (int k = 0; k < DOZER_PLACES; k++) {
        pilot->ground[k] = 0.0;
        for (int n = -half; n <= half; n++) {
            pilot->ground[k] += seen[(int)pilot_clamp(k + n, 0.0, DOZER_PLACES - 1)] / (2 * half + 1);
        }
    }
}

/// m: what is left above the floor, mean over the lane without its ramps, as last sampled.
static double left_over(const DozerPilot *pilot)
{
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < DOZER_PLACES; k++) {
        double from = place_along(pilot, k) - pilot->cut_from;
        if (from >= pilot->ramp && from <= pilot->cut_length - pilot->ramp) {
            sum += pilot->excess[k];
            count++;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

/// m that a pass takes.
static double layer_of_pass(const DozerPilot *pilot)
{
    return pilot->exercise ? LAYER : LAYER_FREE;
}

/// Where the pass begins that fills the blade and ends at the slot's end; else where the first soil lies.
static double plan_start(const DozerPilot *pilot)
{
    double wanted = FILLS * pilot->full / pilot->bank_density, volume = 0.0;
    double width = pilot->machine.tool[0].shape.edge_width, start = pilot->cut_from + pilot->cut_length - pilot->ramp;
    for (int k = DOZER_PLACES - 1; k >= 0 && volume < wanted; k--) {
        double along = place_along(pilot, k), from = along - pilot->cut_from;
        if (pilot->excess[k] > CRUMBS && from >= pilot->ramp) {
            volume += fmin(pilot->excess[k], layer_of_pass(pilot)) * width * DOZER_PITCH;
            start = fmin(start, along);
        }
    }
    return start < pilot->cut_from + pilot->ramp + NEAR_END ? pilot->cut_from : start - ENTRY_ROOM;
}

/// Where the spoil is lowest and the way short.
static double plan_spread(const DozerPilot *pilot)
{
    double best = HUGE_VAL, chosen = pilot->dump_from;
    for (double from = pilot->dump_from; from + pilot->spread_length <= pilot->dump_to + 1e-6; from += DOZER_PITCH) {
        int first = place_index(pilot, from), last = place_index(pilot, from + pilot->spread_length);
        double height = 0.0;
        for (int k = first; k <= last; k++) {
            height += (pilot->ground[k] - pilot->surface) / (last - first + 1);
        }
        double worth = height + NEARER * (from - pilot->dump_from);
        if (worth < best) {
            best = worth;
            chosen = from;
        }
    }
    return chosen;
}

/// Decides where the next pass begins, on which side it goes and where its load is laid down.
static void plan_pass(DozerPilot *pilot)
{
    pilot->start = pilot->exercise ? plan_start(pilot) : pilot->cut_from;
    pilot->sway = copysign(pilot->sway_most, pilot->left_excess - pilot->right_excess);
    pilot->spread_from = plan_spread(pilot);
}

static double ground_at(const DozerPilot *pilot, double along)
{
    double place = pilot_clamp((along - pilot->profile_from) / DOZER_PITCH, 0.0, DOZER_PLACES - 1.001);
    int k = (int)place;
    return pilot->ground[k] + (place - k) * (pilot->ground[k + 1] - pilot->ground[k]);
}

/// World height of the edge while it cuts.
static double cut_line(const DozerPilot *pilot, double along)
{
    double ground = ground_at(pilot, along);
    if (along < pilot->start) {
        return ground + APPROACH * fmin(1.0, pilot->start - along);
    }
    double down = ground - fmin(layer_of_pass(pilot), ENTRY_SLOPE * (along - pilot->start));
    return fmax(down, slot_floor(pilot, along));
}

/// World height of the edge while it carries. On the way to the spoil it clears what lies above the ground as it was.
static double carry_line(const DozerPilot *pilot, double along)
{
    double most = along < pilot->spread_from ? pilot->surface + SKIM : HUGE_VAL;
    return fmax(fmin(ground_at(pilot, along) + SKIM, most), slot_floor(pilot, along));
}

/// ---- driving it ----------------------------------------------------------------------------------------------------

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
    return lane_middle(pilot, pilot->lane) + pilot->sway;
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
    double c = same_cos(pilot->heading), s = same_sin(pilot->heading), line = lane_middle(pilot, lane);
    const double ends[2] = {pilot->cut_from - edge_reach(&pilot->machine) - ENTRY, pilot->dump_to};
    bool fits = true;
    for (int end = 0; end < 2; end++) {
        double x = pilot->x + ends[end] * c - line * s, y = pilot->y + ends[end] * s + line * c;
        fits = fits && fabs(x) < pilot->site_x - MARGIN && fabs(y) < pilot->site_y - MARGIN;
    }
    return fits;
}

static void enter_phase(DozerPilot *pilot, const DozerView *view, DozerPhase phase)
{
    pilot->phase = phase;
    pilot->phase_start = view->time;
    pilot->stuck = 0.0;
}

static void begin_lane(DozerPilot *pilot, const DozerView *view)
{
    pilot->passes = 0;
    pilot->left_on = pilot->exercise ? FINISHING * view->beginner : 0.0;
    sample_lane(pilot, view);
}

/// Measures the soil above the lane's floor and plans the next pass. A finished lane is followed by the one beside it.
static void next_pass(DozerPilot *pilot, const DozerView *view)
{
    pilot->raise = 0.0;
    sample_lane(pilot, view);
    double enough = pilot->exercise ? LEFT_FLOOR : LEFT_FREE;
    if (pilot->left_on > 0.0 && left_over(pilot) < CRUMBS) {
        pilot->left_on = 0.0;
        sample_lane(pilot, view);
    }
    if (++pilot->passes >= MOST_PASSES || left_over(pilot) < enough) {
        do {
            pilot->lane++;
        } while (pilot->lane < pilot->lanes && !lane_fits(pilot, pilot->lane));
        begin_lane(pilot, view);
    }
    plan_pass(pilot);
}

/// Both tracks at `lever` (+ forward), steered along the lane's line.
static void steer_tracks(const DozerPilot *pilot, const DozerView *view, double lever, OperatorControls *controls)
{
    double along, aside;
    place_in_lane(pilot, view->base.x, view->base.y, &along, &aside);
    double wanted = pilot->heading - copysign(1.0, lever) * same_atan(aside / AIM_AHEAD);
    double steer = pilot_clamp(STEER_GAIN * wrap(wanted - view->yaw), -STEER_MOST, STEER_MOST);
    controls->axis[CONTROL_LEFT_TRACK] = control_quantise(lever - steer);
    controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(lever + steer);
}

static BladeLook look_at_blade(const DozerView *view)
{
    return (BladeLook){view->tip.z, view->tip_height, view->dt, view->late};
}

/// Moves the blade so that its edge comes to a height, m, world.
static void move_blade(DozerPilot *pilot, const DozerView *view, double height, OperatorControls *controls)
{
    double band = pilot->machine.hydraulics.dead_band;
    BladeLook look = look_at_blade(view);
    double share = blade_hand_share(&pilot->hand, &look, height, BLADE_STILL);
    if (share != 0.0) {
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
            controls->axis[others[k].axis] = control_quantise(pilot_clamp(4.0 * missing, -1.0, 1.0));
        }
    }
}

/// Lifts the edge while the tracks slip, and counts how long it does not get on.
static void watch_slip(DozerPilot *pilot, const DozerView *view)
{
    bool slips = view->slip > SLIP_HIGH && view->time - pilot->phase_start > 0.5;
    double rate = slips ? RAISE_RATE : view->slip < SLIP_LOW ? -LOWER_RATE : 0.0;
    pilot->raise = pilot_clamp(pilot->raise + rate * view->dt, 0.0, RAISE_MOST);
    pilot->stuck = view->speed < CRAWL ? pilot->stuck + view->dt : 0.0;
}

static void work_ahead(DozerPilot *pilot, const DozerView *view, double along, OperatorControls *controls)
{
    double cut_end = pilot->cut_from + pilot->cut_length, spread_from = pilot->spread_from;
    watch_slip(pilot, view);
    bool approaches = pilot->phase == DOZER_CUT && along < pilot->start - TROT_ROOM;
    steer_tracks(pilot, view, approaches ? TROT_LEVER : WORK_LEVER, controls);
    double line = pilot->phase == DOZER_CUT ? cut_line(pilot, along) : carry_line(pilot, along);
    line += pilot->phase == DOZER_SPREAD ? SPREAD_RISE * (along - spread_from) : 0.0;
    move_blade(pilot, view, line + pilot->raise, controls);
    bool empty = view->payload < EMPTY_SHARE * pilot->full;
    if (pilot->phase == DOZER_CUT && (along > cut_end || view->payload > FULL_SHARE * pilot->full)) {
        enter_phase(pilot, view, DOZER_CARRY);
    } else if (pilot->phase == DOZER_CARRY && along > spread_from) {
        enter_phase(pilot, view, DOZER_SPREAD);
    } else if (pilot->phase == DOZER_SPREAD && (along > pilot->dump_to || empty)) {
        pilot->cycles++;
        enter_phase(pilot, view, DOZER_CLEAR);
    } else if (pilot->stuck > STUCK_TIME || (pilot->phase == DOZER_CARRY && along > cut_end + LOST_ROOM && empty)) {
        enter_phase(pilot, view, DOZER_CLEAR);
    }
}

void dozer_pilot_update(DozerPilot *pilot, const DozerView *view, OperatorControls *controls)
{
    *controls = control_neutral;
    if (isnan(pilot->surface)) {
        pilot->surface = view->height(view->context, view->tip.x, view->tip.y);
        BladeLook look = look_at_blade(view);
        pilot->hand = blade_hand_rest(&look);
        begin_lane(pilot, view);
        plan_pass(pilot);
        enter_phase(pilot, view, DOZER_CUT);
    }
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
        move_blade(pilot, view, TRAVEL_LIFT + view->tip.z - view->tip_height, controls);
        if (view->time - pilot->phase_start > CLEAR_TIME || view->tip_height > CLEAR_LIFT) {
            next_pass(pilot, view);
            enter_phase(pilot, view, pilot->lane < pilot->lanes ? DOZER_BACK : DOZER_REST);
        }
        return;
    case DOZER_BACK:
        move_blade(pilot, view, TRAVEL_LIFT + view->tip.z - view->tip_height, controls);
        steer_tracks(pilot, view, -RETURN_LEVER, controls);
        if (base_along < back_to(pilot)) {
            enter_phase(pilot, view, DOZER_CUT);
        }
        return;
    default:
        return;
    }
}
