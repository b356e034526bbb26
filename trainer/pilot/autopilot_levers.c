/// Computes the levers that bring an excavator's bucket to a place: inverse kinematics of the arm gives angles, a
/// proportional law with the target's own speed gives joint speeds, and the cylinder's area gives the flow and so the
/// lever.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "machine/cylinder.h"
#include "trainer/pilot/autopilot_internal.h"

#define ANGLE_GAIN  4.0 ///< 1/s: speed asked for per angle missing; above 1/(2 spool lag) the arm would rock
#define ANGLE_STILL 0.004 ///< rad: an operator does not correct less
#define SWING_GAIN  2.2 ///< 1/s
#define SWING_STILL 0.0015 ///< rad
#define BRAKE_SHARE 0.7 ///< of the brake's deceleration that is counted on
#define CLEARANCE   0.25 ///< m between the bucket and what it passes over
#define LOOK_AHEAD  0.9 ///< rad of swing that are checked for obstacles
#define LOOK_STEP   0.06 ///< rad

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double wrap(double angle)
{
    return angle - 2.0 * M_PI * floor((angle + M_PI) / (2.0 * M_PI));
}

/// Elevation of the house's x axis over the horizon, rad.
static double house_pitch(const PilotView *view)
{
    return same_asin(clamp(view->house.rotation.m[2][0], -1.0, 1.0));
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

void pilot_pin_now(const Pilot *pilot, const PilotView *view, double *distance, double *height)
{
    Vec3 pin = pose_apply(&view->house, pin_in_house(pilot, view));
    double dx = pin.x - view->base.x, dy = pin.y - view->base.y;
    *distance = sqrt(dx * dx + dy * dy);
    *height = pin.z;
}

PilotExtent pilot_extent_now(const Pilot *pilot, const PilotView *view)
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
    double flow = fmin(cylinder->flow_share, machine->hydraulics.pump_count) * machine->hydraulics.pump_flow;
    if (joint == EXCAVATOR_JOINT_BOOM && speed < 0.0) {
        flow = fmin(cylinder->flow_share, 1.0) * machine->hydraulics.pump_flow * machine->hydraulics.lowering_ratio;
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

double pilot_highest_on_way(const Pilot *pilot, const PilotView *view, double direction, double nearest,
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

void pilot_swing_to(const Pilot *pilot, const PilotView *view, double direction, OperatorControls *controls)
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
