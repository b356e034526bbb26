/// The autopilot, which digs, loads and dozes by the session's exercise, and the levers of an excavator's arm.
///
/// An excavator's dig-dump cycle is a chain of phases. Each watches for its end (the edge is there, the load is enough,
/// the bucket is empty) and has a time limit. A dozer's cycle is in autopilot_dozer.c.
#include "trainer/pilot/autopilot.h"
#include "data/core/elementary.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_site.h"
#include "trainer/pilot/autopilot_internal.h"
#include "machine/cylinder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOVER        0.7 ///< m over all that lies on the way while swinging in
#define ON_LINE      0.04 ///< rad of swing error at which the bucket may be lowered over its place
#define BETWEEN      0.002 ///< rad of swing error at which it may be lowered between walls
#define OVER_PLACE   0.12 ///< m of the edge from its place: the same
#define STRETCH_FROM 0.8 ///< rad before the dig place where the arm goes out: swinging is faster with the arm in
#define ROCKING_TIME 1.0 ///< s
#define HEEL         0.9 ///< m that a closed bucket hangs below its pin
#define CARRY_AIR    0.4 ///< m between a closed bucket and what it is carried over
#define DUMP_AIR     0.45 ///< m between the hanging edge and the heap while the bucket is emptied
#define DUMP_NEARER  0.25 ///< m that the pin is nearer to the machine than the place where the load falls
#define BED_TURN     0.20 ///< rad of swing error at which the arm goes out over a bed
#define BED_FARTHER  0.30 ///< m that it is farther when a bucket opens over a bed: the edge is within the walls
#define BED_NEARER   0.60 ///< m that it is nearer when that bucket is open
#define BED_EDGE     (-0.30) ///< m that the edge stays beyond the middle of the bed between the two
#define BED_OPENS    0.40 ///< rad that the bucket is asked to open at once: faster, the load flies over the far wall
#define OVER_DUMP    0.6 ///< m of the pin from its place at which the bucket is opened over the ground
#define OVER_TRUCK   0.2 ///< m: over a truck
#define TRUCK_LEAVES 8.0 ///< s that a driver who has his load may still stand there: he waits for the bucket
#define CLEAR_OF_RIM 0.2 ///< m over the ground around it at which a load that was lifted may move away
#define HEAP_NEARER  3.0 ///< m that the place around a heap begins before where it is to be dug
#define HEAP_FARTHER 2.5 ///< m that it ends behind
#define HEAP_WIDTH   6.0 ///< m. Chosen: as wide as the arm's reach allows to take a heap down evenly
#define FLOOR_DEEPER 0.3 ///< of the tolerance that the floor is dug below what is asked: crumbs stay on it
// What a beginner is satisfied with beyond that, and how much more time a phase may take, at the most clumsy.
#define BEGINNER_LINE   0.06 ///< rad
#define BEGINNER_TURN   0.15 ///< rad/s
#define BEGINNER_PLACE  0.40 ///< m
#define BEGINNER_SLOWER 2.0 ///< of the time
#define EMPTY           (50.0 / 1650.0) ///< of the rated load, that may stay in the bucket
#define SHAKEN          (80.0 / 1650.0) ///< of the rated load, at which it is not shaken any more
#define POURING         1.5 ///< s: most of the load leaves in this time, whatever the gauge shows
#define GLANCE          0.3 ///< s between two looks at the gauge
#define TRICKLE         0.03 ///< of the load: when less leaves between two looks, the rest sticks
#define SHAKE_IN        0.35 ///< s the lever is held in; shorter, and the bucket hardly follows
#define SHAKE_OUT       0.40 ///< s the lever is held out, longer, so that the bucket opens on
#define IN_VAIN         0.05 ///< of what stuck: less than that came off in a throw in and out
#define POOR            (100.0 / 1650.0) ///< of the rated load: a stroke that brought less is not carried to the dump
#define POOR_CRUMBS     (30.0 / 1650.0) ///< the same where only crumbs are left in a trench
#define POOR_LIMIT      6 ///< poor strokes in a row that end the work
#define LITTLE          0.40 ///< of what the bucket was to bring: a pass that brought less brought little
#define LITTLE_SWEPT    0.15 ///< the same of a long sweep
#define LITTLE_LIMIT    2 ///< such passes in a row after which the operator digs the other way, in sweeps or in passes
#define FULL_SHARE      1.15 ///< of the heaped bucket, at which the drag is cut short
#define FULL_TRENCH     0.62 ///< the same in a trench, where the curl goes through soil and adds to it
#define LEAST_LOAD      (150.0 / 1650.0) ///< of the rated load: less is not taken on purpose, however little is missing
#define LOST_LOAD       1.05 ///< of what is missing in a truck that is taken for it: a little is lost in the curl
#define LAG_FREE        0.12 ///< m the edge may lag before the path waits for it
#define LAG_STOP        0.40 ///< m at which the path stands still
#define STALL_TIME      0.35 ///< s of standing after which an operator lifts the edge a little
#define RAISE_RATE      0.35 ///< m/s
#define RAISE_MOST      0.5 ///< m

// Elevation of the tip line, rad, at which most of a load for a truck has run out, and from which on it hangs open.
#define ELEVATION_POURED  (-95.0 * M_PI / 180.0)
#define ELEVATION_HANGING (-55.0 * M_PI / 180.0)

/// ---- levers --------------------------------------------------------------------------------------------------------

/// Inverse kinematics of the arm gives angles, a proportional law with the target's own speed gives joint speeds, and
/// the cylinder's area gives the flow and so the lever.

#define ANGLE_GAIN  4.0 ///< 1/s: speed asked for per angle missing; above 1/(2 spool lag) the arm would rock
#define ANGLE_STILL 0.004 ///< rad: an operator does not correct less
#define SWING_GAIN  2.2 ///< 1/s
#define SWING_STILL 0.0015 ///< rad
#define BRAKE_SHARE 0.7 ///< of the brake's deceleration that is counted on
#define CLEARANCE   0.25 ///< m between the bucket and what it passes over
#define LOOK_AHEAD  0.9 ///< rad of swing that are checked for obstacles
#define LOOK_STEP   0.06 ///< rad

static double wrap(double angle)
{
    return angle - 2.0 * M_PI * floor((angle + M_PI) / (2.0 * M_PI));
}

/// Elevation of the house's x axis over the horizon, rad.
static double house_pitch(const PilotView *view)
{
    return same_asin(pilot_clamp(view->house.rotation.m[2][0], -1.0, 1.0));
}

/// Direction the house looks in the world, rad.
static double house_direction(const PilotView *view)
{
    return same_atan2(view->house.rotation.m[1][0], view->house.rotation.m[0][0]);
}

ArmTip pilot_tip_in_house(const PilotView *view, double distance, double height, double elevation)
{
    double look = house_direction(view);
    Vec3 world = {view->base.x + distance * same_cos(look), view->base.y + distance * same_sin(look), height};
    Vec3 local = pose_apply_inverse(&view->house, world);
    return (ArmTip){local.x, local.z, elevation - house_pitch(view)};
}

static ArmAngles angles_now(const PilotView *view)
{
    return (ArmAngles){view->angle[EXCAVATOR_JOINT_BOOM], view->angle[EXCAVATOR_JOINT_STICK],
                       view->angle[EXCAVATOR_JOINT_BUCKET]};
}

ArmTip pilot_tip_now(const Pilot *pilot, const PilotView *view)
{
    ArmAngles angles = angles_now(view);
    ArmTip tip;
    excavator_tip(&pilot->machine, &angles, &tip);
    return tip;
}

static Vec3 pin_in_house(const Pilot *pilot, const PilotView *view)
{
    ArmTip tip = pilot_tip_now(pilot, view);
    double radius = excavator_tip_radius(&pilot->machine);
    return (Vec3){tip.x - radius * same_cos(tip.elevation), 0.0, tip.z - radius * same_sin(tip.elevation)};
}

/// Bucket pin as it is now: distance from the swing axis and world height.
static void pilot_pin_now(const Pilot *pilot, const PilotView *view, double *distance, double *height)
{
    Vec3 pin = pose_apply(&view->house, pin_in_house(pilot, view));
    double dx = pin.x - view->base.x, dy = pin.y - view->base.y;
    *distance = sqrt(dx * dx + dy * dy);
    *height = pin.z;
}

static PilotExtent pilot_extent_now(const Pilot *pilot, const PilotView *view)
{
    const ToolShape *tool = &pilot->machine.tool[0].shape;
    double elevation = pilot_tip_now(pilot, view).elevation, c = same_cos(elevation), s = same_sin(elevation);
    Vec3 pin = pin_in_house(pilot, view);
    PilotExtent extent = {pin.x, pin.x, 1e9};
    for (int k = 0; k < tool->piece_count; k++) {
        for (int i = 0; i < tool->pieces[k].corner_count; i++) {
            const double *corner = tool->pieces[k].corners[i];
            Vec3 point = {pin.x + c * corner[0] - s * corner[1], 0.0, pin.z + s * corner[0] + c * corner[1]};
            extent.nearest = fmin(extent.nearest, point.x);
            extent.farthest = fmax(extent.farthest, point.x);
            extent.lowest = fmin(extent.lowest, pose_apply(&view->house, point).z);
        }
    }
    return extent;
}

/// Lever for a share of full speed, past the valve's dead band.
static double past_dead_band(const Pilot *pilot, double share)
{
    double band = pilot->machine.hydraulics.dead_band;
    if (share == 0.0) {
        return 0.0;
    }
    return copysign(band + (1.0 - band) * fmin(fabs(share), 1.0), share);
}

/// Lever that moves an arm joint at `speed` (rad/s), by the flow its cylinder takes.
static double arm_lever(const Pilot *pilot, const PilotView *view, int joint, double speed)
{
    const MachineParams *machine = &pilot->machine;
    const MachineCylinder *cylinder = joint == EXCAVATOR_JOINT_BOOM ? &machine->joint[EXCAVATOR_JOINT_BOOM].cylinder
                                      : joint == EXCAVATOR_JOINT_STICK
                                          ? &machine->joint[EXCAVATOR_JOINT_STICK].cylinder
                                          : &machine->joint[EXCAVATOR_JOINT_BUCKET].cylinder;
    double length, per_rad;
    if (!cylinder_length(&machine->joint[joint], view->angle[joint], &length, &per_rad) || fabs(per_rad) < 0.05) {
        per_rad = copysign(0.05, per_rad);
    }
    // Speed of the rod at the flow it may take: v = Q / A; the ring side is smaller by the rod.
    bool pushes = speed * per_rad > 0.0;
    double area = cylinder->count * 0.25 * M_PI *
                  (cylinder->bore * cylinder->bore - (pushes ? 0.0 : cylinder->rod * cylinder->rod));
    double share = cylinder_flow_share(cylinder, pushes);
    double flow = fmin(share, machine->hydraulics.pump_count) * machine->hydraulics.pump_flow;
    if (joint == EXCAVATOR_JOINT_BOOM && speed < 0.0) {
        flow = fmin(share, 1.0) * machine->hydraulics.pump_flow * machine->hydraulics.lowering_ratio;
    }
    double full = flow / area / fabs(per_rad);
    return past_dead_band(pilot, speed / full);
}

void pilot_move_arm(const Pilot *pilot, const PilotView *view, const ArmAngles *target, const ArmAngles *ahead,
                    OperatorControls *controls)
{
    static const struct {
        int joint;
        ControlAxis axis;
        double sign; // of the lever for a growing angle
    } joints[] = {{EXCAVATOR_JOINT_BOOM, CONTROL_BOOM, 1.0},
                  {EXCAVATOR_JOINT_STICK, CONTROL_STICK, -1.0},
                  {EXCAVATOR_JOINT_BUCKET, CONTROL_BUCKET, -1.0}};
    const double wanted[] = {target->boom, target->stick, target->bucket};
    const double moving[] = {ahead->boom, ahead->stick, ahead->bucket};
    for (int k = 0; k < 3; k++) {
        double error = wanted[k] - view->angle[joints[k].joint];
        if (fabs(error) < ANGLE_STILL && moving[k] == 0.0) {
            continue;
        }
        double lever = arm_lever(pilot, view, joints[k].joint, moving[k] + ANGLE_GAIN * error);
        controls->axis[joints[k].axis] = control_quantise(joints[k].sign * lever);
    }
}

double pilot_swing_error(const PilotView *view, double direction)
{
    return wrap(house_direction(view) - direction);
}

/// Moment of inertia of all that swings, kg m2, as an operator feels it by how far the arm is out.
static double swing_inertia(const Pilot *pilot, const PilotView *view)
{
    const MachineParams *machine = &pilot->machine;
    ArmAngles now = angles_now(view);
    double stick_pin = excavator_boom_foot(machine).x + excavator_boom_length(machine) * same_cos(now.boom);
    double pin = stick_pin + excavator_stick_length(machine) * same_cos(now.boom + now.stick);
    double boom_middle = 0.5 * (excavator_boom_foot(machine).x + stick_pin), stick_middle = 0.5 * (stick_pin + pin);
    const MachineBodyParams *house = &machine->body[EXCAVATOR_HOUSE];
    double house_square =
        house->center[0] * house->center[0] +
        (house->inertia_size[0] * house->inertia_size[0] + house->inertia_size[1] * house->inertia_size[1]) / 12.0;
    return house->mass * house_square + machine->body[EXCAVATOR_BOOM].mass * boom_middle * boom_middle +
           machine->body[EXCAVATOR_STICK].mass * stick_middle * stick_middle +
           (machine->body[EXCAVATOR_BUCKET].mass + view->payload) * pin * pin;
}

/// Highest thing along a line from the swing axis, between two distances.
static double highest_across(const Pilot *pilot, const PilotView *view, double look, double nearest, double farthest)
{
    enum { STEPS = 4 };
    double highest = -1e9;
    for (int k = 0; k <= STEPS; k++) {
        double r = nearest + k * (farthest - nearest) / STEPS;
        highest = fmax(
            highest, pilot_obstacle(pilot, view, view->base.x + r * same_cos(look), view->base.y + r * same_sin(look)));
    }
    return highest;
}

/// Swing that is free before the bucket would touch something, rad, in the direction of `sign` (+ right).
static double free_swing(const Pilot *pilot, const PilotView *view, double sign)
{
    PilotExtent bucket = pilot_extent_now(pilot, view);
    double direction = house_direction(view);
    double side = (0.5 * pilot->machine.tool[0].shape.edge_width + 0.1) / fmax(bucket.nearest, 2.0);
    for (int k = 0; k * LOOK_STEP < LOOK_AHEAD; k++) {
        double angle = k * LOOK_STEP;
        double look = direction - sign * (side + angle);
        double highest = highest_across(pilot, view, look, bucket.nearest, bucket.farthest);
        if (highest + CLEARANCE > bucket.lowest) {
            return angle;
        }
    }
    return LOOK_AHEAD + 10.0;
}

/// Highest thing under the bucket's way from where it hangs to `direction`, between the two distances from the swing
/// axis.
static double pilot_highest_on_way(const Pilot *pilot, const PilotView *view, double direction, double nearest,
                                   double farthest)
{
    double error = pilot_swing_error(view, direction), sign = error > 0.0 ? 1.0 : -1.0;
    double side = (0.5 * pilot->machine.tool[0].shape.edge_width + 0.1) / fmax(nearest, 3.0);
    double highest = -1e9;
    // From the place itself back to the bucket's far side where it hangs now.
    for (int k = 0; k * LOOK_STEP < fabs(error) + side; k++) {
        highest = fmax(highest, highest_across(pilot, view, direction + sign * k * LOOK_STEP, nearest, farthest));
    }
    return highest;
}

/// Speed from which a swing stops within `way` (rad), rad/s: braking from v takes v^2 / (2 a).
static double braking_speed(const Pilot *pilot, const PilotView *view, double way)
{
    const MachineSwing *swing = &pilot->machine.swing;
    double braking = BRAKE_SHARE * fmin(swing->torque, swing->brake_torque) / swing_inertia(pilot, view);
    return sqrt(2.0 * braking * way);
}

void pilot_turn_to(const Pilot *pilot, const PilotView *view, double direction, double rate, OperatorControls *controls)
{
    double error = pilot_swing_error(view, direction), way = fabs(error);
    double wanted = copysign(fmin(SWING_GAIN * way, braking_speed(pilot, view, way)), error) - rate;
    controls->axis[CONTROL_SWING] = control_quantise(past_dead_band(pilot, wanted / pilot->machine.swing.max_speed));
}

/// Swings towards `direction`, braking in time; waits before anything the bucket would hit.
static void pilot_swing_to(const Pilot *pilot, const PilotView *view, double direction, OperatorControls *controls)
{
    const MachineSwing *swing = &pilot->machine.swing;
    double error = pilot_swing_error(view, direction);
    double speed = view->speed[EXCAVATOR_JOINT_SWING];
    if (fabs(error) < SWING_STILL && fabs(speed) < 0.03) {
        return;
    }
    double sign = error > 0.0 ? 1.0 : -1.0;
    double way = fabs(error);
    if (way > 0.1) {
        way = fmin(way, free_swing(pilot, view, sign));
    }
    double wanted = sign * fmin(fmin(SWING_GAIN * way, braking_speed(pilot, view, way)), swing->max_speed);
    controls->axis[CONTROL_SWING] = control_quantise(past_dead_band(pilot, wanted / swing->max_speed));
}

/// ---- phases of the cycle -------------------------------------------------------------------------------------------

/// Most time a phase may take, s: an operator who gets stuck pulls out and tries elsewhere.
static const double phase_limit[PILOT_PHASE_COUNT] = {
    [PILOT_PLAN] = 1.0, [PILOT_RETURN] = 9.0, [PILOT_LOWER] = 4.0,   [PILOT_DIG] = 13.0, [PILOT_LIFT] = 12.0,
    [PILOT_DUMP] = 3.0, [PILOT_SHAKE] = 5.0,  [PILOT_RETRACT] = 3.0, [PILOT_REST] = 1e9,
};

/// A share of the rated load, kg.
static double rated(const Pilot *pilot, double share)
{
    return share * machine_rated_load(&pilot->machine);
}

const char *pilot_phase_name(PilotPhase phase)
{
    static const char *const names[PILOT_PHASE_COUNT] = {"plan", "return", "lower",   "dig", "lift",
                                                         "dump", "shake",  "retract", "rest"};
    return phase >= 0 && phase < PILOT_PHASE_COUNT ? names[phase] : "?";
}

void pilot_start(Pilot *pilot, const SceneParams *scene, const MachineParams *machine, Vec3 base)
{
    memset(pilot, 0, sizeof *pilot);
    pilot->machine = *machine;
    pilot->kind = scene->exercise.kind;
    pilot->trench = scene->exercise.trench;
    pilot->truck = scene->exercise.truck;
    TruckParams truck = scene_truck_shape(scene);
    TruckSolid solids[TRUCK_SOLIDS];
    truck_solids(&truck, solids);
    pilot->cab = solids[TRUCK_SOLID_CAB];
    const SoilParams *soil = &scene->soils[scene->ground.layer_count > 0 ? scene->ground.layers[0].soil_index : 0];
    pilot->swell = soil->swell;
    pilot->loose_density = soil->bank_density / (1.0 + soil->swell);
    if (pilot->kind == EXERCISE_TRUCK_LOADING) {
        // A mound of unknown size: a generous box around it, not dug below the level ground.
        double heading = same_atan2(pilot->truck.dig_y - base.y, pilot->truck.dig_x - base.x);
        pilot->field = (PilotField){.x = pilot->truck.dig_x - HEAP_NEARER * same_cos(heading),
                                    .y = pilot->truck.dig_y - HEAP_NEARER * same_sin(heading),
                                    .heading = heading,
                                    .length = HEAP_NEARER + HEAP_FARTHER,
                                    .width = HEAP_WIDTH,
                                    .floor = base.z + 0.05,
                                    .walled = false};
        return;
    }
    if (pilot->kind == EXERCISE_FREE) {
        // Without a task: a pit in front, spoil to the left.
        double heading = scene->machine.heading, c = same_cos(heading), s = same_sin(heading);
        pilot->trench = (SceneTrench){.x = base.x + 5.0 * c,
                                      .y = base.y + 5.0 * s,
                                      .heading = heading,
                                      .length = 3.5,
                                      .width = 1.5,
                                      .depth = fmin(1.5, 0.8 * scene->ground.bedrock_depth),
                                      .tolerance = 0.1,
                                      .dump_x = base.x - 6.5 * s,
                                      .dump_y = base.y + 6.5 * c,
                                      .dump_radius = 2.0};
    }
    const SceneTrench *trench = &pilot->trench;
    pilot->setback = pilot_asked_setback(&scene->exercise);
    pilot->field = (PilotField){.x = trench->x,
                                .y = trench->y,
                                .heading = trench->heading,
                                .length = trench->length,
                                .width = trench->width,
                                .floor = -trench->depth - FLOOR_DEEPER * trench->tolerance,
                                .walled = true};
}

static void enter_phase(Pilot *pilot, const PilotView *view, PilotPhase phase)
{
    pilot->phase = phase;
    pilot->phase_start = view->time;
    pilot->stalled = 0.0;
}

/// Moves the arm so that the edge is at a place ahead; returns how far it is from there, m.
static double move_tip(const Pilot *pilot, const PilotView *view, double distance, double height, double elevation,
                       OperatorControls *controls)
{
    ArmTip wanted = pilot_tip_in_house(view, distance, height, elevation);
    ArmTip now = pilot_tip_now(pilot, view);
    ArmAngles target, still = {0.0, 0.0, 0.0};
    excavator_reach(&pilot->machine, &wanted, &target);
    pilot_move_arm(pilot, view, &target, &still, controls);
    return sqrt((wanted.x - now.x) * (wanted.x - now.x) + (wanted.z - now.z) * (wanted.z - now.z));
}

/// The other way to dig: sweeps instead of short passes or the reverse, every place anew.
static void change_way(Pilot *pilot)
{
    pilot->sweeping = !pilot->sweeping && !pilot->field.walled;
    pilot->cleaning = pilot->field.walled;
    pilot->little = 0;
    memset(pilot->bad, 0, sizeof pilot->bad);
}

/// The next pass. An operator who has a task goes on as long as there is something to take, one way or the other.
static bool find_pass(Pilot *pilot, const PilotView *view)
{
    if (pilot->poor >= POOR_LIMIT) {
        if (pilot->kind == EXERCISE_FREE) {
            return false;
        }
        pilot->poor = 0;
        change_way(pilot);
    }
    if (pilot_plan_stroke(pilot, view)) {
        return true;
    }
    change_way(pilot);
    if (pilot_plan_stroke(pilot, view)) {
        return true;
    }
    pilot->thorough = pilot->field.walled && pilot->kind != EXERCISE_FREE;
    return pilot->thorough && pilot_plan_stroke(pilot, view);
}

static void step_plan(Pilot *pilot, const PilotView *view)
{
    if (view->finished || !find_pass(pilot, view)) {
        enter_phase(pilot, view, PILOT_REST);
        return;
    }
    pilot_plan_path(pilot);
    pilot->path_time = 0.0;
    pilot->raise = 0.0;
    enter_phase(pilot, view, PILOT_RETURN);
}

static void step_return(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    const PilotKnot *first = &pilot->knots[PILOT_KNOT_ABOVE];
    double direction = pilot->stroke.direction, error = fabs(pilot_swing_error(view, direction));
    ArmTip now = pilot_tip_now(pilot, view);
    double distance = first->distance, height = first->height + 0.1, elevation = first->elevation;
    bool there = error < ON_LINE + pilot->beginner * BEGINNER_LINE && fabs(now.x - distance) < 0.5;
    if (!there) {
        // Over everything on the way; out or in only once that height is reached.
        PilotExtent bucket = pilot_extent_now(pilot, view);
        double highest = pilot_highest_on_way(pilot, view, direction, fmin(bucket.nearest, distance - 1.4),
                                              fmax(bucket.farthest, distance + 0.5));
        height = fmax(height, highest + HOVER);
        if (bucket.lowest < highest + 0.1) {
            // Of a bucket that is curled in the heel hangs lower than the edge.
            double edge = pose_apply(&view->house, (Vec3){now.x, 0.0, now.z}).z;
            height = fmax(height, edge + highest + HOVER - bucket.lowest);
            distance = now.x;
            elevation = now.elevation;
        } else if (error > STRETCH_FROM) {
            distance = fmin(now.x, distance);
        }
    }
    pilot_swing_to(pilot, view, direction, controls);
    double away = move_tip(pilot, view, distance, height, elevation, controls);
    double eased = pilot->beginner;
    bool slow = fabs(view->speed[EXCAVATOR_JOINT_SWING]) < 0.1 + eased * BEGINNER_TURN;
    if (there && slow && away < 0.5 + eased * BEGINNER_PLACE) {
        enter_phase(pilot, view, PILOT_LOWER);
    }
}

static void step_lower(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    const PilotKnot *first = &pilot->knots[PILOT_KNOT_ABOVE];
    pilot_swing_to(pilot, view, pilot->stroke.direction, controls);
    double away = move_tip(pilot, view, first->distance, first->height, first->elevation, controls);
    double error = fabs(pilot_swing_error(view, pilot->stroke.direction));
    double eased = pilot->beginner;
    bool on_line = error < BETWEEN + eased * BEGINNER_LINE &&
                   fabs(view->speed[EXCAVATOR_JOINT_SWING]) < 0.02 + eased * BEGINNER_TURN;
    if (away < OVER_PLACE + eased * BEGINNER_PLACE && (on_line || !pilot->field.walled)) {
        enter_phase(pilot, view, PILOT_DIG);
    }
}

/// Angles and their rates on the path at `time`.
static void path_angles(const Pilot *pilot, const PilotView *view, double time, ArmTip *tip, ArmAngles *angles)
{
    PilotKnot knot = pilot_path_at(pilot, time);
    // Nothing is raised before the edge has entered.
    double raise = time > pilot->knots[PILOT_KNOT_SURFACE].time ? pilot->raise : 0.0;
    *tip = pilot_tip_in_house(view, knot.distance, knot.height + raise, knot.elevation);
    excavator_reach(&pilot->machine, tip, angles);
}

static void follow_stall(Pilot *pilot, const PilotView *view, double rate)
{
    bool dragging = pilot->path_time > pilot->knots[PILOT_KNOT_SURFACE].time;
    pilot->stalled = rate < 0.2 ? pilot->stalled + view->dt : 0.0;
    if (dragging && pilot->stalled > STALL_TIME) {
        pilot->raise = fmin(pilot->raise + RAISE_RATE * view->dt, RAISE_MOST);
    } else if (rate > 0.8) {
        pilot->raise = fmax(0.0, pilot->raise - 0.3 * RAISE_RATE * view->dt);
    }
}

/// kg: load at which the drag ends. The last bucket for a truck is no fuller than it has to be.
static double full_load(const Pilot *pilot, const PilotView *view)
{
    double full =
        (pilot->field.walled ? FULL_TRENCH : FULL_SHARE) * pilot->machine.tool[0].capacity * pilot->loose_density;
    return view->missing > 0.0 ? fmin(full, fmax(LOST_LOAD * view->missing, rated(pilot, LEAST_LOAD))) : full;
}

/// Passes in a row that brought little make the operator dig the other way.
static void rate_pass(Pilot *pilot, const PilotView *view)
{
    double little = pilot->stroke.sweep ? LITTLE_SWEPT : LITTLE;
    pilot->little = pilot->peak < little * full_load(pilot, view) ? pilot->little + 1 : 0;
    if (pilot->little >= LITTLE_LIMIT) {
        change_way(pilot);
    }
}

/// A full bucket is curled at once, wherever it is on the line.
static void curl_when_full(Pilot *pilot, const PilotView *view)
{
    const double soon = 0.05; // s
    PilotKnot from = pilot->knots[pilot->field.walled ? PILOT_KNOT_DRAG : PILOT_KNOT_BITE];
    bool dragging = pilot->path_time > from.time && pilot->path_time < pilot->knots[PILOT_KNOT_CURL].time - soon;
    if (dragging && !pilot->stroke.scrapes && view->payload > full_load(pilot, view)) {
        pilot_curl_here(pilot, soon);
    }
}

static void step_dig(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    ArmTip wanted, soon_tip, now = pilot_tip_now(pilot, view);
    ArmAngles target, soon;
    path_angles(pilot, view, pilot->path_time, &wanted, &target);
    double lag = sqrt((wanted.x - now.x) * (wanted.x - now.x) + (wanted.z - now.z) * (wanted.z - now.z));
    double rate = fmax(0.0, fmin(1.0, (LAG_STOP - lag) / (LAG_STOP - LAG_FREE)));
    follow_stall(pilot, view, rate);
    if (pilot->stalled > STALL_TIME) {
        rate = 0.25; // work on along the path, however slowly: that curls the bucket out in the end
    }
    const double ahead = 0.05;
    path_angles(pilot, view, pilot->path_time + ahead, &soon_tip, &soon);
    ArmAngles moving = {rate * (soon.boom - target.boom) / ahead, rate * (soon.stick - target.stick) / ahead,
                        rate * (soon.bucket - target.bucket) / ahead};
    pilot_move_arm(pilot, view, &target, &moving, controls);
    double direction = pilot_path_direction(pilot, pilot->path_time);
    if (pilot->stroke.scrapes) {
        pilot_turn_to(pilot, view, direction, 0.0, controls); // what lies beside the bucket is to be moved
    } else {
        pilot_swing_to(pilot, view, direction, controls);
    }
    pilot->path_time += rate * view->dt;
    curl_when_full(pilot, view);
    if (pilot->path_time >= pilot->knots[PILOT_KNOT_HELD].time) {
        pilot->peak = view->payload;
        if (pilot->stroke.scrapes) {
            enter_phase(pilot, view, PILOT_PLAN); // it has fallen into the trench
            return;
        }
        rate_pass(pilot, view);
        pilot_plan_dump(pilot, view);
        enter_phase(pilot, view, PILOT_LIFT);
    }
}

static bool over_bed(const Pilot *pilot)
{
    return pilot->kind == EXERCISE_TRUCK_LOADING;
}

/// World height of the bucket pin while a load is emptied: over a truck's bed the open bucket hangs inside the walls.
static double dump_height(const Pilot *pilot)
{
    double hanging = excavator_tip_radius(&pilot->machine) + DUMP_AIR;
    return pilot->dump.z + (over_bed(pilot) ? HEEL + CARRY_AIR : hanging);
}

/// True when nothing around a bucket that was lifted reaches up to it.
static bool is_clear(const Pilot *pilot, const PilotView *view)
{
    PilotExtent bucket = pilot_extent_now(pilot, view);
    double look = same_atan2(view->house.rotation.m[1][0], view->house.rotation.m[0][0]);
    double around = pilot_highest_on_way(pilot, view, look, bucket.nearest - 0.6, bucket.farthest + 0.3);
    return bucket.lowest > around + CLEAR_OF_RIM;
}

/// How far beyond the dump place the pin is to be, m. Over a bed the edge stays near its middle while the bucket opens.
static double pin_beyond_dump(const Pilot *pilot, const PilotView *view, double error)
{
    if (!over_bed(pilot) || error > BED_TURN || view->truck_away) {
        return -DUMP_NEARER;
    }
    double edge = excavator_tip_radius(&pilot->machine) * same_cos(pilot_tip_now(pilot, view).elevation);
    return fmax(-BED_NEARER, fmin(BED_EDGE - edge, BED_FARTHER));
}

/// Arm over the dump place, the bucket turned to `elevation` wherever the arm is on its way; straight up first. Returns
/// the pin's distance from its place, m.
static double move_over_dump(const Pilot *pilot, const PilotView *view, double elevation, OperatorControls *controls)
{
    double dx = pilot->dump.x - view->base.x, dy = pilot->dump.y - view->base.y, pin, pin_height;
    double error = fabs(pilot_swing_error(view, same_atan2(dy, dx)));
    double distance = sqrt(dx * dx + dy * dy) + pin_beyond_dump(pilot, view, error);
    double radius = excavator_tip_radius(&pilot->machine);
    double height = dump_height(pilot);
    pilot_pin_now(pilot, view, &pin, &pin_height);
    if (error > 0.2) {
        PilotExtent bucket = pilot_extent_now(pilot, view);
        double highest = pilot_highest_on_way(pilot, view, same_atan2(dy, dx), fmin(bucket.nearest, distance - 1.5),
                                              fmax(bucket.farthest, distance + 0.5));
        height = fmax(height, highest + HEEL + CARRY_AIR);
    }
    double place = distance, place_height = height;
    // An open bucket hangs between the walls of a bed.
    distance = (over_bed(pilot) && pilot->phase == PILOT_DUMP) || is_clear(pilot, view) ? distance : pin;
    ArmTip wanted = pilot_tip_in_house(view, distance, height, elevation);
    wanted.x += radius * same_cos(wanted.elevation);
    wanted.z += radius * same_sin(wanted.elevation);
    ArmAngles target;
    excavator_reach(&pilot->machine, &wanted, &target);
    // The bucket keeps its elevation while boom and stick move below it.
    double arm = view->angle[EXCAVATOR_JOINT_BOOM] + view->angle[EXCAVATOR_JOINT_STICK];
    double bucket = wanted.elevation - arm, middle = 0.5 * (pilot->machine.joint[EXCAVATOR_JOINT_BUCKET].range[0] +
                                                            pilot->machine.joint[EXCAVATOR_JOINT_BUCKET].range[1]);
    bucket -= 2.0 * M_PI * floor((bucket - middle + M_PI) / (2.0 * M_PI));
    target.bucket = fmax(pilot->machine.joint[EXCAVATOR_JOINT_BUCKET].range[0],
                         fmin(pilot->machine.joint[EXCAVATOR_JOINT_BUCKET].range[1], bucket));
    ArmAngles moving = {0.0, 0.0, 0.0};
    pilot_move_arm(pilot, view, &target, &moving, controls);
    return sqrt((pin - place) * (pin - place) + (pin_height - place_height) * (pin_height - place_height));
}

static double dump_direction(const Pilot *pilot, const PilotView *view)
{
    return same_atan2(pilot->dump.y - view->base.y, pilot->dump.x - view->base.x);
}

/// The load is held near the place where it was dug until the truck is there; as high as over the bed until it has
/// been swung back, as the truck may still stand there.
static void wait_for_truck(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    const double distance = 6.0; // m from the swing axis
    double direction = pilot->stroke.direction;
    bool back = fabs(pilot_swing_error(view, direction)) < BED_TURN;
    Pilot held = *pilot;
    held.dump = vec3(view->base.x + distance * same_cos(direction), view->base.y + distance * same_sin(direction),
                     back ? pilot->stroke.surface : pilot->dump.z);
    pilot_swing_to(pilot, view, direction, controls);
    move_over_dump(&held, view, PILOT_ELEVATION_HELD, controls);
    pilot->phase_start = view->time - 1.0; // a load that stayed so long is worth carrying
}

static void step_lift(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    double held = view->time - pilot->phase_start;
    if (held > 0.8 && held < 1.0 && view->payload < rated(pilot, pilot->cleaning ? POOR_CRUMBS : POOR)) {
        pilot->poor++;
        pilot_avoid_stroke(pilot, view);
        enter_phase(pilot, view, PILOT_PLAN);
        return;
    }
    if (view->truck_away) {
        wait_for_truck(pilot, view, controls);
        return;
    }
    double direction = dump_direction(pilot, view);
    double away = move_over_dump(pilot, view, PILOT_ELEVATION_HELD, controls);
    pilot_swing_to(pilot, view, direction, controls);
    double near = (over_bed(pilot) ? OVER_TRUCK : OVER_DUMP) + pilot->beginner * BEGINNER_PLACE;
    if (fabs(pilot_swing_error(view, direction)) < 0.12 + pilot->beginner * BEGINNER_LINE && away < near) {
        enter_phase(pilot, view, PILOT_DUMP);
    }
}

static void end_cycle(Pilot *pilot, const PilotView *view)
{
    if (pilot->peak > rated(pilot, POOR)) {
        pilot->cycles++;
        pilot->poor = 0;
    }
    enter_phase(pilot, view, PILOT_PLAN);
}

/// True when nothing worth waiting for falls out of the bucket any more. The gauge is looked at a few times a second.
static bool has_stopped_falling(Pilot *pilot, const PilotView *view)
{
    if (view->time - pilot->watched_since < GLANCE) {
        return false;
    }
    bool stopped = pilot->watched - view->payload < TRICKLE * pilot->peak;
    pilot->watched = view->payload;
    pilot->watched_since = view->time;
    return stopped;
}

static void start_shaking(Pilot *pilot, const PilotView *view)
{
    pilot->watched = view->payload;
    pilot->watched_since = view->time;
    pilot->closing = true;
    enter_phase(pilot, view, PILOT_SHAKE);
}

static void step_dump(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    double now = pilot_tip_now(pilot, view).elevation;
    bool slowly = over_bed(pilot) && now < ELEVATION_POURED;
    move_over_dump(pilot, view, slowly ? now + BED_OPENS : PILOT_ELEVATION_OPEN, controls);
    pilot_swing_to(pilot, view, dump_direction(pilot, view), controls);
    double held = view->time - pilot->phase_start;
    if (view->payload < rated(pilot, EMPTY) && held > 0.5) {
        end_cycle(pilot, view);
    } else if (held > POURING && (now > ELEVATION_HANGING || !over_bed(pilot)) && has_stopped_falling(pilot, view)) {
        start_shaking(pilot, view);
    }
}

/// The bucket's lever is thrown in and out, everything else stays; after each throw out the gauge is looked at.
static void step_shake(Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    controls->axis[CONTROL_BUCKET] = control_quantise(pilot->closing ? 1.0 : -1.0);
    if (view->time - pilot->watched_since < (pilot->closing ? SHAKE_IN : SHAKE_OUT)) {
        return;
    }
    pilot->watched_since = view->time;
    pilot->closing = !pilot->closing;
    if (!pilot->closing) {
        return;
    }
    bool in_vain = pilot->watched - view->payload < IN_VAIN * pilot->watched;
    pilot->watched = view->payload;
    if (view->payload < rated(pilot, SHAKEN) || in_vain) {
        end_cycle(pilot, view);
    }
}

/// Out of wherever the bucket hangs: boom up, stick out, bucket half open.
static void step_retract(const Pilot *pilot, const PilotView *view, OperatorControls *controls)
{
    (void)pilot;
    double held = view->time - pilot->phase_start;
    controls->axis[CONTROL_BOOM] = control_quantise(1.0);
    controls->axis[CONTROL_STICK] = control_quantise(held > 1.0 ? -0.5 : 0.0);
    controls->axis[CONTROL_BUCKET] = control_quantise(held < 1.0 ? 0.4 : 0.0);
}

/// A phase that takes too long is given up; what follows is safe from any pose.
static void check_time(Pilot *pilot, const PilotView *view)
{
    if (view->time - pilot->phase_start < phase_limit[pilot->phase] * (1.0 + pilot->beginner * BEGINNER_SLOWER)) {
        return;
    }
    switch (pilot->phase) {
    case PILOT_DIG:
    case PILOT_LOWER:
        pilot_avoid_stroke(pilot, view);
        pilot->peak = view->payload;
        pilot_plan_dump(pilot, view);
        enter_phase(pilot, view, view->payload > rated(pilot, POOR) ? PILOT_LIFT : PILOT_RETRACT);
        break;
    case PILOT_DUMP:
        start_shaking(pilot, view);
        break;
    case PILOT_SHAKE:
        end_cycle(pilot, view);
        break;
    case PILOT_RETRACT:
        enter_phase(pilot, view, PILOT_PLAN);
        break;
    case PILOT_PLAN:
    case PILOT_RETURN:
    case PILOT_LIFT:
    case PILOT_REST:
    case PILOT_PHASE_COUNT:
        pilot->poor++;
        enter_phase(pilot, view, PILOT_RETRACT);
        break;
    }
}

void pilot_misjudge(PilotView *view, const OperatorAim *aim)
{
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        view->angle[k] += aim->angle[k];
    }
    if (aim->direction != 0.0) {
        Mat3 turn = mat3_yaw(aim->direction);
        view->house.rotation = mat3_product(&turn, &view->house.rotation);
    }
}

PilotView pilot_steady_view(Pilot *pilot, const PilotView *view)
{
    PilotView steady = *view;
    double pitch = same_asin(fmax(-1.0, fmin(1.0, view->house.rotation.m[2][0])));
    pilot->level += (pitch - pilot->level) * fmin(view->dt / ROCKING_TIME, 1.0);
    double look = same_atan2(view->house.rotation.m[1][0], view->house.rotation.m[0][0]);
    double c = same_cos(look), s = same_sin(look), cp = same_cos(pilot->level), sp = same_sin(pilot->level);
    steady.house.rotation = (Mat3){{{c * cp, -s, -c * sp}, {s * cp, c, -s * sp}, {sp, 0.0, cp}}};
    return steady;
}

void pilot_update(Pilot *pilot, const PilotView *seen, OperatorControls *controls)
{
    PilotView steady = pilot_steady_view(pilot, seen);
    const PilotView *view = &steady;
    *controls = control_neutral;
    if (!view->truck_away) {
        pilot->truck_until = view->time + TRUCK_LEAVES;
    }
    check_time(pilot, view);
    switch (pilot->phase) {
    case PILOT_PLAN:
        step_plan(pilot, view);
        break;
    case PILOT_RETURN:
        step_return(pilot, view, controls);
        break;
    case PILOT_LOWER:
        step_lower(pilot, view, controls);
        break;
    case PILOT_DIG:
        step_dig(pilot, view, controls);
        break;
    case PILOT_LIFT:
        step_lift(pilot, view, controls);
        break;
    case PILOT_DUMP:
        step_dump(pilot, view, controls);
        break;
    case PILOT_SHAKE:
        step_shake(pilot, view, controls);
        break;
    case PILOT_RETRACT:
        step_retract(pilot, view, controls);
        break;
    case PILOT_REST:
    case PILOT_PHASE_COUNT:
        break;
    }
}

/// ---- with a session ------------------------------------------------------------------------------------------------

enum { READINGS_A_SECOND = 2 }; ///< of the screen's figures

struct Autopilot {
    bool dozes;
    Pilot pilot; ///< of an excavator
    DozerPilot dozer;
    OperatorAim aim; ///< what is misjudged
    double missing; ///< kg that the truck wanted at the last look at the screen
};

static double ground_height(void *context, double x, double y)
{
    return soil_get_height(context, x, y);
}

bool autopilot_can_drive(const MachineParams *machine)
{
    return machine->type == MACHINE_EXCAVATOR || machine->type == MACHINE_DOZER;
}

Autopilot *autopilot_create(const Session *session)
{
    Autopilot *autopilot = calloc(1, sizeof *autopilot);
    if (autopilot && session_machine_params(session)->type == MACHINE_DOZER) {
        autopilot->dozes = true;
        dozer_pilot_start(&autopilot->dozer, session_scene(session), session_machine_params(session));
    } else if (autopilot) {
        pilot_start(&autopilot->pilot, session_scene(session), session_machine_params(session),
                    session_frame(session)->machine.base);
    }
    return autopilot;
}

void autopilot_destroy(Autopilot *autopilot)
{
    free(autopilot);
}

void autopilot_misjudge(Autopilot *autopilot, const OperatorAim *aim)
{
    autopilot->aim = aim != NULL ? *aim : (OperatorAim){0};
}

static void step_dozer(DozerPilot *pilot, Session *session, const OperatorAim *aim, OperatorControls *controls)
{
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *machine = &frame->machine;
    DozerView view = {.time = frame->time,
                      .dt = session_dt(session),
                      .base = machine->base,
                      .tip = machine->tip,
                      .tip_height = machine->tip_height,
                      .yaw = machine->yaw,
                      .speed = machine->speed_over_ground,
                      .slip = machine->slip[0] > machine->slip[1] ? machine->slip[0] : machine->slip[1],
                      .payload = frame->payload,
                      .beginner = aim->share,
                      .late = aim->late,
                      .height = ground_height,
                      .context = session_soil(session)};
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        view.angle[k] = machine->angle[k];
    }
    view.tip.z += aim->height;
    view.tip_height += aim->height;
    dozer_pilot_update(pilot, &view, controls);
}

/// kg that the truck still wants, as the screen shows it.
static double missing_load(const Session *session)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(session_exercise(session), metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, "loaded_kg") == 0) {
            return fmax(session_scene(session)->exercise.truck.target_mass - metrics[k].value, 0.0);
        }
    }
    return 0.0;
}

void autopilot_controls(Autopilot *autopilot, Session *session, OperatorControls *controls)
{
    const SessionFrame *frame = session_frame(session);
    if (autopilot->dozes) {
        step_dozer(&autopilot->dozer, session, &autopilot->aim, controls);
        return;
    }
    int rate = session_scene(session)->rates.tick_rate, ticks = rate / READINGS_A_SECOND; // 1 or more of any rate
    if (frame->tick % ticks == 0) {
        autopilot->missing = missing_load(session);
    }
    PilotView view = {.time = frame->time,
                      .dt = session_dt(session),
                      .base = frame->machine.base,
                      .payload = frame->payload,
                      .missing = autopilot->missing,
                      .finished = exercise_is_finished(session_exercise(session)),
                      .truck_away = !session_trucks_ready(session_trucks(session)),
                      .height = ground_height,
                      .context = session_soil(session)};
    machine_get_body_frame(session_machine(session), session_machine_state(session), EXCAVATOR_HOUSE, &view.house);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        view.angle[k] = frame->machine.angle[k];
        view.speed[k] = frame->machine.speed[k];
    }
    autopilot->pilot.beginner = autopilot->aim.share;
    pilot_misjudge(&view, &autopilot->aim);
    pilot_update(&autopilot->pilot, &view, controls);
}

const char *autopilot_phase(const Autopilot *autopilot)
{
    return autopilot->dozes ? dozer_phase_name(autopilot->dozer.phase) : pilot_phase_name(autopilot->pilot.phase);
}

int autopilot_cycles(const Autopilot *autopilot)
{
    return autopilot->dozes ? autopilot->dozer.cycles : autopilot->pilot.cycles;
}
