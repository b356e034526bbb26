/// One step of the drives. The pumps' flow makes speeds, the relief valves limit forces: a cylinder is a motor of its
/// joint that holds a speed with at most relief pressure x area x lever arm; a swing motor and two travel motors
/// likewise. What the bodies make of it comes back as torques.
#include "machine/drive/drive.h"

#include <math.h>

#include "data/core/constants.h"
#include "machine/cylinder.h"

// m/s or rad/s: slower is standstill. Chosen.
#define STANDSTILL 1e-6
// At its end a cylinder rests on steel: it holds this many times its relief force. Chosen; see test_machine_motion.
#define END_STOP_STRENGTH 20.0
// m: within this distance of its end a cylinder rests on it. Chosen; see test_machine_motion.
#define END_STOP_REACH 5e-4
// s and m/s: the steel at its end brings back a cylinder that a load has driven x farther than that, as a spring with a
// damper does, at x / END_STOP_TIME, and at most at END_STOP_RETURN. Chosen; see test_machine_motion.
#define END_STOP_TIME   0.05
#define END_STOP_RETURN 0.1
// m/s: a cylinder that is fed slower is not pressed into its end; the valve is closing. Chosen.
#define END_STOP_FLOW 0.02
// rad: a stop gives so much before it holds; the geometry is checked up to there (machine.c).
#define STOP_MARGIN 0.01
// Torque of the swing motor with a hardly open valve, share of the full one. Chosen; see validate run coast.
#define SWING_BLEED 0.3
// The engine is pulled down below this share of the speed it is to keep. Chosen.
#define STALL_SHARE 0.93
// A function is at its limit from this share of its greatest force on. Chosen.
#define RELIEF_SHARE 0.995
// rad/s: a swing that is driven and slower than this is blocked rather than speeding up. Chosen.
#define SWING_BLOCKED 0.03
// A travel motor that gives all it has is blocked when its belt runs slower than this share of what the lever asks.
// Chosen.
#define TRAVEL_BLOCKED 0.25
// Share of flow that the hottest oil loses. Chosen: leaks grow as the oil's viscosity falls, which 30 K more about
// halve.
#define HOTTEST_OIL_LOSS 0.4
// A load beyond this many times what the pumps can push closes the valve that holds it. Chosen: over rounding.
#define BEYOND_PUMPS 1.001
// The button of the float position counts from here on.
#define FLOAT_SWITCH 0.5
// N m and N: a motor has a limit above 0, also without pressure.
#define LEAST_LIMIT 1.0

// rad/s: a rotary drive that turns back slower than this is blocked. Chosen.
#define ROTARY_BLOCKED 0.01
// s and rad: before its end a rotary drive slows down over the time, and within the angle it rests on it. Chosen.
#define ROTARY_END_TIME  0.15
#define ROTARY_END_REACH 0.003
// rad/s: the steel at its end brings it back no faster. Chosen, as END_STOP_RETURN at half a metre.
#define ROTARY_RETURN 0.2

// rad/s: an engine that its starter turns; 200 rpm, as diesel engines of that size are cranked (150..250 rpm: Bosch
// Automotive Handbook, "Starting systems").
#define ENGINE_CRANKED 21.0

double machine_flow_left(const MachineFaults *faults)
{
    return (1.0 - HOTTEST_OIL_LOSS * faults->oil_heat / MACHINE_OIL_HEAT_MOST) * (1.0 - faults->cold);
}

// A valve that is stuck stands where it is; one whose function is dead goes to neutral, and so do all without the
// engine, which drives the pump of their pilots, too.
static double move_spool(const MachineFaults *faults, int function, double spool, double demand, double time, double dt)
{
    if ((faults->dead & function) != 0) {
        return hydraulics_spool(spool, 0.0, time, dt);
    }
    return (faults->stuck & function) != 0 ? spool
                                           : hydraulics_spool(spool, faults->engine_stopped ? 0.0 : demand, time, dt);
}

// A lever beyond its lowering end stays in its float position until it is moved out of it. Without the engine there is
// no pilot oil that holds the valve there.
static void set_floating(const MachineParams *params, const OperatorControls *controls, const MachineFaults *faults,
                         int joint, double demand, MachineState *state)
{
    int bit = MACHINE_RELIEF_JOINT(joint);
    bool can = params->joint[joint].float_pressure > 0.0 && !faults->engine_stopped &&
               ((faults->dead | faults->stuck) & bit) == 0;
    if (!can || demand != 0.0) {
        state->floating &= ~bit;
    } else if (control_value(controls, CONTROL_BLADE_FLOAT) > FLOAT_SWITCH) {
        state->floating |= bit;
    }
}

static void move_spools(const MachineParams *params, const OperatorControls *controls, const MachineFaults *faults,
                        double dt, MachineState *state)
{
    const MachineHydraulics *hydraulics = &params->hydraulics;
    for (int k = 0; k < params->joint_count; k++) {
        double demand = hydraulics_dead_band(control_value(controls, params->joint[k].control), hydraulics->dead_band);
        state->spool[k] =
            move_spool(faults, MACHINE_RELIEF_JOINT(k), state->spool[k], demand, hydraulics->spool_time, dt);
        set_floating(params, controls, faults, k, demand, state);
    }
    for (int side = 0; side < 2; side++) {
        ControlAxis axis = side == 0 ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK;
        double demand = hydraulics_dead_band(control_value(controls, axis), hydraulics->dead_band);
        double spool = state->track_spool[side];
        demand = travel_motors_demand(state, side, demand);
        double next = move_spool(faults, MACHINE_RELIEF_TRACK(side), spool, demand, hydraulics->spool_time, dt);
        bool motors = params->travel == MACHINE_TRAVEL_MOTORS;
        state->track_spool[side] =
            motors ? hydraulics_throttled_spool(spool, next, params->tracks.start_time, dt) : next;
    }
    bool runs = params->hammer.blow_energy > 0.0 && control_value(controls, CONTROL_AUXILIARY) > 0.5;
    state->hammer_spool = hydraulics_spool(state->hammer_spool, runs ? 1.0 : 0.0, hydraulics->spool_time, dt);
}

static double follow(double speed, double target, double dt)
{
    double next = speed + (target - speed) * dt / (HYDRAULIC_FLOW_LAG + dt);
    return target == 0.0 && fabs(next) < STANDSTILL ? 0.0 : next;
}

// Greatest force of a cylinder, N. The side that carries the load is that of the last step's force; with no load it is
// that of the demanded direction. When the load changes sides the new side's limit acts one step later.
static double cylinder_limit(const MachineCylinder *cylinder, const DriveRange *range, double length, double force,
                             double speed)
{
    bool push = force != 0.0 ? force > 0.0 : speed >= 0.0;
    double limit = cylinder->relief * cylinder_area(cylinder, push);
    bool on_long_end = !push && range->longest - length < END_STOP_REACH;
    bool on_short_end = push && length - range->shortest < END_STOP_REACH;
    return on_long_end || on_short_end ? END_STOP_STRENGTH * limit : limit;
}

// What pumps that do not reach the relief pressure make of a cylinder that they move at `speed`. What weighs on it the
// other way stays at the relief of its port. Where it is driven against its load, the pumps push with their share of
// the relief; a load beyond that, or one that pushes it back (`rate`, m/s), closes the load's check valve: it stands.
static bool weak_pumps_drive(double share, double speed, double rate, double force, double *limit)
{
    if (share >= 1.0 || speed == 0.0 || force * speed < 0.0) {
        return true;
    }
    if (fabs(force) > BEYOND_PUMPS * share * *limit + LEAST_LIMIT || rate * speed < 0.0) {
        return false;
    }
    *limit = fmax(share * *limit, LEAST_LIMIT);
    return true;
}

// m/s: the speed of a cylinder whose flow asks for `speed`, once a load has driven it beyond an end by more than
// END_STOP_REACH. The flow may take it back faster.
static double spring_back(const DriveRange *range, double length, double speed)
{
    double over = length - range->longest - END_STOP_REACH, under = range->shortest - length - END_STOP_REACH;
    if (over > 0.0) {
        return fmin(speed, -fmin(over / END_STOP_TIME, END_STOP_RETURN));
    }
    return under > 0.0 ? fmax(speed, fmin(under / END_STOP_TIME, END_STOP_RETURN)) : speed;
}

// Force that resists a cylinder whose ports are both open to the tank, N: of the lines at rest, and of the valve's
// orifices with the square of the flow. At the speed to which they hold a falling function, that is the relief
// pressure.
static double floating_limit(const MachineParams *params, int joint, double speed)
{
    const MachineJointParams *hinge = &params->joint[joint];
    double share = speed / hydraulics_full_speed(params, joint, hinge->falls >= 0 ? 1.0 : -1.0);
    double pressure = hinge->float_pressure + hinge->cylinder.relief * share * share;
    return pressure * cylinder_area(&hinge->cylinder, speed <= 0.0);
}

// What rests on the end of its stroke does not float.
static bool floats(const MachineState *state, const DriveRange *range, int joint, double length)
{
    double force = state->joint_force[joint];
    bool rests = (force < 0.0 && range->longest - length < END_STOP_REACH) ||
                 (force > 0.0 && length - range->shortest < END_STOP_REACH);
    return (state->floating & MACHINE_RELIEF_JOINT(joint)) != 0 && !rests;
}

// Oil between a closed valve and the piston is a spring of stiffness K at the cylinders, K a^2 at the joint with the
// lever arm a, with a damping C = K a^2 tau. Taken implicitly over a step of h s, with the flow's speed w_f,
//   T = T_last + h K a^2 (w_f - w) - C (w - w_last),
// which is a motor with the softness 1 / (h K a^2 + C), and stable whatever it holds: the last term sums up to -C w.
// The implicit step damps by tau = h by itself, which is taken off. The torque of the last step is the state: a grip
// that is closed keeps its force when the valve closes, and loses it when what it holds gives way.
static void soften_motor(const MachineCylinder *cylinder, double force, double arm, double rate, double dt,
                         JointMotor *motor)
{
    double spring = cylinder->count * cylinder->stiffness * arm * arm; // N m/rad
    double damping = spring * fmax(0.0, cylinder->damping - dt);
    double last = fmax(-motor->limit, fmin(force * arm, motor->limit));
    motor->softness = 1.0 / (dt * spring + damping);
    motor->speed = motor->softness * (last + dt * spring * motor->speed + damping * rate);
}

// A cylinder as a motor of its joint: speed = cylinder speed / (dL/dangle), torque <= force |dL/dangle|.
// share  of the relief pressure that the pumps reach   rate  rad/s of the joint
static void drive_cylinder(const MachineParams *params, const DriveRange *range, int joint, double angle, double rate,
                           double flow_speed, double share, double dt, MachineState *state, DriveStep *step)
{
    const MachineJointParams *hinge = &params->joint[joint];
    double length, arm;
    double closes = fmax(hinge->range[0] - STOP_MARGIN, fmin(angle, hinge->range[1] + STOP_MARGIN));
    (void)cylinder_length(hinge, closes, &length, &arm); // the geometry was checked over this range
    length += arm * (angle - closes);

    double speed = follow(state->joint_speed[joint], flow_speed, dt);
    double distance = speed >= 0.0 ? range->longest - length : length - range->shortest;
    double most = hydraulics_cushion(params->hydraulics.cushion, distance, dt);
    step->at_end[joint] = flow_speed * speed > 0.0 && fabs(flow_speed) > END_STOP_FLOW && distance < END_STOP_REACH;
    speed = copysign(fmin(fabs(speed), most), speed);
    double turned = spring_back(range, length, speed), force = state->joint_force[joint];
    double limit = cylinder_limit(&hinge->cylinder, range, length, force, turned);
    if (turned == speed && !weak_pumps_drive(share, speed, rate * arm, force, &limit)) {
        speed = turned = 0.0;
    }
    step->floats[joint] = flow_speed == 0.0 && turned == speed && floats(state, range, joint, length);
    if (step->floats[joint]) {
        speed = turned = 0.0;
        limit = floating_limit(params, joint, rate * arm);
    }
    state->joint_speed[joint] = speed;
    step->length_per_rad[joint] = arm;
    step->motor[joint].speed = turned / arm;
    step->motor[joint].limit = fabs(arm) * limit;
    bool rests = limit > hinge->cylinder.relief * cylinder_area(&hinge->cylinder, force != 0.0 ? force > 0.0 : true);
    if (hinge->cylinder.stiffness > 0.0 && turned == speed && !rests) {
        soften_motor(&hinge->cylinder, force, arm, rate, dt, &step->motor[joint]);
    }
}

// The swing motor drives with a torque that a partly open valve bleeds off, and brakes through its relief valves
// whenever the house turns faster than, or against, what the lever asks: with a neutral lever it runs out under that
// torque. share  of the relief pressure that the pumps reach; the brake has valves of its own
static void drive_swing(const MachineSwing *swing, int joint, double rate, double flow_speed, double share, double dt,
                        MachineState *state, DriveStep *step)
{
    double speed = follow(state->joint_speed[joint], flow_speed, dt);
    double opening = fabs(state->spool[joint]);
    bool forward = rate * speed >= 0.0 || fabs(rate) < SWING_BLOCKED; // what blocks it may give way a little
    bool driving = opening > 0.0 && forward && fabs(rate) <= fabs(speed);
    state->joint_speed[joint] = speed;
    step->length_per_rad[joint] = 1.0;
    step->motor[joint].speed = speed;
    step->motor[joint].limit =
        driving ? fmax(share * (swing->torque * (SWING_BLEED + (1.0 - SWING_BLEED) * opening)), LEAST_LIMIT)
                : swing->brake_torque;
}

// A rotary drive turns as fast as its oil lets it, with the torque of the relief pressure at most. It holds with more:
// a worm gear, or closed valves, take what turns it back or ahead of its oil. At an end of its range it rests on steel.
static void drive_rotary(const MachineJointParams *hinge, int joint, double angle, double rate, double flow_speed,
                         double share, double dt, MachineState *state, DriveStep *step)
{
    const MachineRotary *rotary = &hinge->rotary;
    double speed = follow(state->joint_speed[joint], flow_speed, dt), limit = rotary->holding;
    if (!machine_joint_is_endless(hinge)) {
        double left = speed >= 0.0 ? hinge->range[1] - angle : angle - hinge->range[0];
        speed = copysign(fmin(fabs(speed), fmax(left, 0.0) / ROTARY_END_TIME), speed);
        step->at_end[joint] = flow_speed * speed >= 0.0 && fabs(flow_speed) > ROTARY_BLOCKED && left < ROTARY_END_REACH;
        double over = angle - hinge->range[1], under = hinge->range[0] - angle;
        if (over > 0.0 || under > 0.0) {
            limit *= END_STOP_STRENGTH;
            speed = over > 0.0 ? fmin(speed, -fmin(over / END_STOP_TIME, ROTARY_RETURN))
                               : fmax(speed, fmin(under / END_STOP_TIME, ROTARY_RETURN));
        }
    }
    bool driven = flow_speed * speed > 0.0, ahead = rate * speed > 0.0 || fabs(rate) < ROTARY_BLOCKED;
    if (driven && ahead && fabs(rate) <= fabs(speed)) {
        limit = fmax(share * rotary->torque, LEAST_LIMIT);
    } else if (driven && !ahead) {
        speed = 0.0;
    }
    state->joint_speed[joint] = speed;
    step->length_per_rad[joint] = 1.0;
    step->motor[joint].speed = speed;
    step->motor[joint].limit = limit;
}

static void read_loads(const MachineParams *params, const DriveRange *range, const MachineState *state,
                       HydraulicLoad loads[HYDRAULIC_COUNT])
{
    for (int k = 0; k < HYDRAULIC_COUNT; k++) {
        loads[k] = (HydraulicLoad){0.0, 0.0};
    }
    for (int k = 0; k < params->joint_count; k++) {
        loads[k] = (HydraulicLoad){range[k].lever_sign * state->spool[k], state->joint_force[k]};
    }
    for (int side = 0; side < 2 && params->travel == MACHINE_TRAVEL_MOTORS; side++) {
        loads[HYDRAULIC_LEFT_TRACK + side] = (HydraulicLoad){state->track_spool[side], state->track_force[side]};
    }
}

// The pumps' flow: what hot oil leaves of it, and what a slow swing takes.
static void derate(const MachineParams *params, const MachineFaults *faults, HydraulicSupply *supply)
{
    double left = machine_flow_left(faults);
    for (int k = 0; k < HYDRAULIC_COUNT; k++) {
        supply->speed[k] *= left;
    }
    if (params->swing_joint >= 0) {
        supply->speed[params->swing_joint] *= faults->swing;
    }
}

static void turn_engine(const MachineParams *params, const MachineFaults *faults, double target, double dt,
                        MachineState *state)
{
    if (faults->engine_stopped) {
        double least = faults->starter ? ENGINE_CRANKED : 0.0;
        state->engine_speed = fmax(engine_stop(state->engine_speed, dt), least);
    } else {
        engine_run(&params->engine, target, state->pump_power, dt, &state->engine_speed, &state->fuel);
    }
}

DriveStep drive_step(const MachineParams *params, const DriveRange *range, double mass, double push,
                     const OperatorControls *controls, const MachineFaults *faults, const double *angles,
                     const double *rates, double dt, MachineState *state)
{
    DriveStep step = {.weak = faults->pressure < 1.0};
    double share = faults->pressure;
    HydraulicLoad loads[HYDRAULIC_COUNT];
    HydraulicSupply supply;
    move_spools(params, controls, faults, dt, state);
    read_loads(params, range, state, loads);
    loads[HYDRAULIC_HAMMER].opening = hammer_is_fed(&params->hammer, push) ? state->hammer_spool : 0.0;
    double target = engine_target_speed(&params->engine, control_value(controls, CONTROL_THROTTLE));
    hydraulics_share(params, loads, state->engine_speed, target, &supply);
    derate(params, faults, &supply);
    for (int k = 0; k < params->joint_count; k++) {
        if (params->joint[k].drive == MACHINE_DRIVE_CYLINDER) {
            drive_cylinder(params, &range[k], k, angles[k], rates[k], supply.speed[k], share, dt, state, &step);
        } else if (params->joint[k].drive == MACHINE_DRIVE_ROTARY) {
            drive_rotary(&params->joint[k], k, angles[k], rates[k], supply.speed[k], share, dt, state, &step);
        } else {
            drive_swing(&params->swing, k, rates[k], supply.speed[k], share, dt, state, &step);
        }
    }
    step.hammer = hammer_step(&params->hammer, supply.speed[HYDRAULIC_HAMMER], dt, &state->hammer_clock);
    state->hammer_rate = step.hammer.rate;
    state->hammer_blows += step.hammer.blow ? 1 : 0;
    PowertrainLoad train = {0.0, false};
    if (params->travel == MACHINE_TRAVEL_POWERTRAIN) {
        train = powertrain_drive(params, dt, state, &step.belts);
    } else {
        step.belts = travel_motors_drive(params, &supply.speed[HYDRAULIC_LEFT_TRACK], mass, share, dt, state);
    }
    state->pump_power = supply.power + train.power;
    turn_engine(params, faults, target, dt, state);
    step.stalled = train.stalled || (supply.limited && state->engine_speed < STALL_SHARE * target);
    return step;
}

static bool joint_at_relief(const MachineParams *params, const DriveStep *step, int joint, double torque, double rate)
{
    if (step->floats[joint]) {
        return false;
    }
    bool full = fabs(torque) >= RELIEF_SHARE * step->motor[joint].limit;
    bool blocked = fabs(rate) < SWING_BLOCKED && fabs(step->motor[joint].speed) > SWING_BLOCKED;
    if (params->joint[joint].drive == MACHINE_DRIVE_ROTARY) {
        return step->at_end[joint] || (full && (blocked || step->motor[joint].speed == 0.0));
    }
    return params->joint[joint].drive == MACHINE_DRIVE_CYLINDER ? step->at_end[joint] || full : blocked && full;
}

// A converter has no relief valve: it stalls.
static int travel_at_relief(const MachineParams *params, const TrackDrive *belts, const MachineState *state)
{
    int relief = 0;
    for (int side = 0; side < 2 && params->travel == MACHINE_TRAVEL_MOTORS; side++) {
        double wanted = TRAVEL_BLOCKED * params->tracks.max_speed * fabs(state->track_spool[side]);
        double force = state->track_force[side];
        const BeltDrive *belt = &belts->belt[side];
        bool full = force > 0.0 ? force >= RELIEF_SHARE * belt->ahead : -force >= RELIEF_SHARE * belt->back;
        relief |= full && fabs(state->track_speed[side]) < wanted ? MACHINE_RELIEF_TRACK(side) : 0;
    }
    return relief;
}

void drive_take_torques(const MachineParams *params, const DriveStep *step, const double *torques, const double *rates,
                        MachineState *state)
{
    state->relief = step->weak ? 0 : travel_at_relief(params, &step->belts, state);
    for (int k = 0; k < params->joint_count; k++) {
        state->joint_force[k] = torques[k] / step->length_per_rad[k];
        const MachineCylinder *cylinder = function_cylinder(params, k);
        // Oil that was pressed keeps its pressure behind a closed valve; its relief valve opens where the piston is
        // pushed back.
        bool held = cylinder && cylinder->stiffness > 0.0 && state->joint_speed[k] == 0.0;
        bool pushed = torques[k] * rates[k] < 0.0 && fabs(rates[k]) > SWING_BLOCKED;
        bool flows = !held || pushed || step->at_end[k];
        bool relief = !step->weak && flows && joint_at_relief(params, step, k, torques[k], rates[k]);
        state->relief |= relief ? MACHINE_RELIEF_JOINT(k) : 0;
    }
}

double drive_pressure(const MachineParams *params, const MachineState *state, int joint)
{
    const MachineCylinder *cylinder = function_cylinder(params, joint);
    double force = state->joint_force[joint];
    if (cylinder && (state->relief & MACHINE_RELIEF_JOINT(joint)) != 0) {
        return cylinder->relief;
    }
    if (params->joint[joint].drive == MACHINE_DRIVE_ROTARY) {
        const MachineRotary *rotary = &params->joint[joint].rotary;
        return fmin(fabs(force) / rotary->torque, 1.0) * rotary->relief;
    }
    return cylinder ? fmin(cylinder_pressure(cylinder, force), cylinder->relief)
                    : fmin(fabs(force) / params->swing.torque, 1.0) * params->swing.relief;
}
