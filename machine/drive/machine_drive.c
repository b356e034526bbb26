#include <math.h>

#include "machine/body/kinematics.h"
#include "data/core/constants.h"
#include "machine/body/machine_parts.h"
#include "machine/drive/powertrain.h"

// Pumps and hoses take this long to follow a changed flow, s.
#define FLOW_LAG 0.04
// Speeds below this are standstill, m/s or rad/s.
#define STANDSTILL 1e-6
// At its end a cylinder rests on steel: it holds this many times its relief force.
#define END_STOP_STRENGTH 20.0
// Within this distance (m) of its end a cylinder rests on it.
#define END_STOP_REACH 5e-4
// A cylinder that is fed slower than this (m/s) is not pressed into its end: the valve is closing.
#define END_STOP_FLOW 0.02
// Torque of the swing motor with a hardly open valve, share of the full one.
#define SWING_BLEED 0.3
// The engine is pulled down below this share of the speed it is to keep.
#define STALL_SHARE 0.93
// Without fuel the engine stops in about this time, s.
#define STOPPING_TIME 0.5

static void move_spools(const MachineParams *params, const OperatorControls *controls, double dt, MachineState *state)
{
    const MachineHydraulics *hydraulics = &params->hydraulics;
    for (int k = 0; k < params->joint_count; k++) {
        double demand = hydraulics_dead_band(control_value(controls, params->joint[k].control), hydraulics->dead_band);
        state->spool[k] = hydraulics_spool(state->spool[k], demand, hydraulics->spool_time, dt);
    }
    for (int side = 0; side < 2; side++) {
        ControlAxis axis = side == 0 ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK;
        double demand = hydraulics_dead_band(control_value(controls, axis), hydraulics->dead_band);
        state->track_spool[side] = hydraulics_spool(state->track_spool[side], demand, hydraulics->spool_time, dt);
    }
}

static double follow(double speed, double target, double dt)
{
    double next = speed + (target - speed) * dt / (FLOW_LAG + dt);
    return target == 0.0 && fabs(next) < STANDSTILL ? 0.0 : next;
}

// Greatest force of a cylinder, N. The side that carries the load is that of the last step's force; with no load it is
// that of the demanded direction. When the load changes sides the new side's limit acts one step later.
static double cylinder_limit(const MachineCylinder *cylinder, const CylinderRange *range, double length, double force,
                             double speed)
{
    bool push = force != 0.0 ? force > 0.0 : speed >= 0.0;
    double limit = cylinder->relief * hydraulics_area(cylinder, push);
    bool on_long_end = !push && range->longest - length < END_STOP_REACH;
    bool on_short_end = push && length - range->shortest < END_STOP_REACH;
    return on_long_end || on_short_end ? END_STOP_STRENGTH * limit : limit;
}

// A cylinder as a motor of its joint: speed = cylinder speed / (dL/dangle), torque <= force |dL/dangle|.
static void drive_cylinder(const Machine *machine, int joint, double angle, double flow_speed, double dt,
                           MachineState *state, JointDrive *drive)
{
    const MachineParams *params = &machine->params;
    const MachineCylinder *cylinder = hydraulics_cylinder(params, joint);
    const CylinderRange *range = &machine->range[joint];
    const double *limits = params->joint[joint].range;
    double length, arm;
    angle = fmax(limits[0] - 0.01, fmin(angle, limits[1] + 0.01));
    (void)kinematics_cylinder(params, joint, angle, &length, &arm); // closes: machine_check looked at this range

    double speed = follow(state->joint_speed[joint], flow_speed, dt);
    double distance = speed >= 0.0 ? range->longest - length : length - range->shortest;
    double most = hydraulics_cushion(params->hydraulics.cushion, distance, dt);
    drive->at_end = flow_speed * speed > 0.0 && fabs(flow_speed) > END_STOP_FLOW && distance < END_STOP_REACH;
    speed = copysign(fmin(fabs(speed), most), speed);
    state->joint_speed[joint] = speed;
    drive->length_per_rad = arm;
    drive->motor.speed = speed / arm;
    drive->motor.limit = fabs(arm) * cylinder_limit(cylinder, range, length, state->joint_force[joint], speed);
}

// The swing motor drives with a torque that a partly open valve bleeds off, and brakes through its relief valves whenever
// the house turns faster than, or against, what the lever asks: with a neutral lever it runs out under that torque.
static void drive_swing(const MachineSwing *swing, int joint, double rate, double flow_speed, double dt,
                        MachineState *state, JointDrive *drive)
{
    double speed = follow(state->joint_speed[joint], flow_speed, dt);
    double opening = fabs(state->spool[joint]);
    bool driving = opening > 0.0 && rate * speed >= 0.0 && fabs(rate) <= fabs(speed);
    state->joint_speed[joint] = speed;
    drive->at_end = false;
    drive->length_per_rad = 1.0;
    drive->motor.speed = speed;
    drive->motor.limit = driving ? swing->torque * (SWING_BLEED + (1.0 - SWING_BLEED) * opening) : swing->brake_torque;
}

static void run_engine(const MachineEngine *engine, double target, double power, double dt, MachineState *state)
{
    if (state->fuel <= 0.0) {
        state->engine_speed -= state->engine_speed * dt / STOPPING_TIME;
        return;
    }
    double used;
    state->engine_speed = engine_step(engine, state->engine_speed, target, power, dt, &used);
    state->fuel = fmax(0.0, state->fuel - dt * (engine->fuel_rate * used + engine->idle_fuel));
}

// Force of each drive: the published drawbar is what is left of it after the tracks' own resistance.
static double drive_force(const Machine *machine)
{
    const MachineTracks *tracks = &machine->params.tracks;
    return 0.5 * (tracks->drawbar + tracks->rolling_resistance * machine->mass * STANDARD_GRAVITY);
}

// Travel motors: the pumps' flow makes their speed.
static void drive_motors(const Machine *machine, const HydraulicSupply *supply, double dt, const MachineState *state,
                         TrackDrive *belts)
{
    for (int side = 0; side < 2; side++) {
        belts->speed[side] = follow(state->track_speed[side], supply->speed[HYDRAULIC_LEFT_TRACK + side], dt);
        belts->force[side] = drive_force(machine);
    }
}

static void read_loads(const Machine *machine, const MachineState *state, HydraulicLoad loads[HYDRAULIC_COUNT])
{
    const MachineParams *params = &machine->params;
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        loads[k] = (HydraulicLoad){0.0, 0.0};
    }
    for (int k = 0; k < params->joint_count; k++) {
        loads[k] = (HydraulicLoad){machine->range[k].lever_sign * state->spool[k], state->joint_force[k]};
    }
    for (int side = 0; side < 2; side++) {
        loads[HYDRAULIC_LEFT_TRACK + side] = (HydraulicLoad){
            params->travel == MACHINE_TRAVEL_MOTORS ? state->track_spool[side] : 0.0, state->track_force[side]};
    }
}

bool machine_drive(const Machine *machine, const OperatorControls *controls, const double angles[MACHINE_MAX_JOINTS],
                   const double rates[MACHINE_MAX_JOINTS], double dt, MachineState *state,
                   JointDrive drives[MACHINE_MAX_JOINTS], TrackDrive *belts)
{
    const MachineParams *params = &machine->params;
    move_spools(params, controls, dt, state);
    HydraulicLoad loads[HYDRAULIC_COUNT];
    read_loads(machine, state, loads);
    double target = engine_target_speed(&params->engine, control_value(controls, CONTROL_THROTTLE));
    HydraulicSupply supply;
    hydraulics_share(params, loads, state->engine_speed, target, &supply);

    for (int k = 0; k < params->joint_count; k++) {
        if (hydraulics_cylinder(params, k)) {
            drive_cylinder(machine, k, angles[k], supply.speed[k], dt, state, &drives[k]);
        } else {
            drive_swing(&params->swing, k, rates[k], supply.speed[k], dt, state, &drives[k]);
        }
    }
    PowertrainLoad train = {0.0, false};
    if (params->travel == MACHINE_TRAVEL_POWERTRAIN) {
        train = powertrain_drive(params, dt, state, belts);
    } else {
        drive_motors(machine, &supply, dt, state, belts);
    }
    state->pump_power = supply.power + train.power;
    run_engine(&params->engine, target, state->pump_power, dt, state);
    return train.stalled || (supply.limited && state->engine_speed < STALL_SHARE * target);
}
