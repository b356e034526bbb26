/// Torque converter, gears that shift by themselves, and the steering brakes. A converter takes a torque that grows
/// with the square of the engine's speed and multiplies it the more, the slower its turbine (Wong, Theory of Ground
/// Vehicles, section 3.4). Numbers without a source are chosen; test_machine_dozer and `validate run dozer` check
/// their effects.
#include "machine/drive/drive.h"

#include <math.h>

// After a shift the gears stay for this long, s, besides the shift itself.
#define SHIFT_PAUSE 0.8
// Clutches overlap: at the least this share of the drive goes through while it shifts.
#define SHIFT_LEAST 0.5
// Converter speed ratios from which it shifts down under load, and up.
#define SHIFT_DOWN 0.45
#define SHIFT_UP   0.80
// It shifts up when the next gear has this many times the force that is used now.
#define SHIFT_RESERVE 1.25
// Forward and reverse are exchanged below this speed, m/s; it counts as standing below the other.
#define REVERSAL_SPEED 0.3
#define STANDING_SPEED 0.05
// The converter is stalled below this speed ratio when it gives more than this share of what it has.
#define STALL_RATIO 0.25
#define STALL_SHARE 0.95

static double gear_speed(const MachinePowertrain *train, int gear)
{
    return gear < 0 ? train->reverse[-gear - 1] : train->forward[gear - 1];
}

Conversion powertrain_convert(const MachineParams *params, int gear, double engine_speed, double belts)
{
    const MachinePowertrain *train = &params->powertrain;
    const MachineEngine *engine = &params->engine;
    double turn = engine->rated_speed / gear_speed(train, gear); // rad of the turbine a metre of belt
    double full_torque = engine->power / engine->rated_speed, coupling = train->coupling_ratio;
    Conversion conversion = {0.0, 0.0, 0.0};
    if (engine_speed <= 0.0) {
        return conversion;
    }
    double n = fmax(0.0, fmin(belts * turn / engine_speed, 1.0));
    double share = engine_speed / train->stall_speed;
    double capacity = full_torque * share * share * fmin(1.0, (1.0 - n) / (1.0 - coupling));
    double gain = fmax(1.0, train->stall_ratio - (train->stall_ratio - 1.0) * n / coupling);
    conversion.speed_ratio = n;
    conversion.torque = capacity;
    conversion.force = capacity * gain * train->efficiency * turn;
    return conversion;
}

// What the levers ask for: belt speeds, and the gear that reaches the faster of them.
typedef struct Wish {
    double speed[2]; // m/s
    int direction; // of the faster belt: -1, 0, 1
    int gear; // 1..3
} Wish;

static Wish read_levers(const MachinePowertrain *train, const MachineState *state)
{
    Wish wish = {{0.0, 0.0}, 0, 1};
    double fastest = 0.0;
    bool opposed = state->track_spool[0] * state->track_spool[1] < 0.0;
    for (int side = 0; side < 2; side++) {
        double lever = state->track_spool[side];
        const double *speeds = lever < 0.0 ? train->reverse : train->forward;
        double speed = fabs(lever) * speeds[MACHINE_GEARS - 1];
        speed = opposed ? fmin(speed, speeds[0]) : speed;
        wish.speed[side] = copysign(speed, lever);
        if (speed > fastest) {
            fastest = speed;
            wish.direction = lever > 0.0 ? 1 : -1;
            for (wish.gear = 1; wish.gear < MACHINE_GEARS && speeds[wish.gear - 1] < fastest * (1.0 - 1e-3);) {
                wish.gear++;
            }
        }
    }
    return wish;
}

static void shift(const MachinePowertrain *train, int gear, MachineState *state)
{
    state->gear = gear;
    state->shift_clock = train->shift_time + SHIFT_PAUSE;
}

// Mean speed of the driven belts in a direction, m/s: both, or when they run against each other that of the faster one.
static double mean_speed(const MachineState *state, int direction)
{
    double left = state->track_speed[0], right = state->track_speed[1];
    return left * right < 0.0 ? fmax(fabs(left), fabs(right)) : 0.5 * (left + right) * direction;
}

static double used_force(const MachineState *state, const Wish *wish)
{
    double force = 0.0;
    for (int side = 0; side < 2; side++) {
        force += fmax(0.0, copysign(1.0, wish->speed[side]) * state->track_force[side]);
    }
    return force;
}

static void choose_gear(const MachineParams *params, const Wish *wish, double dt, MachineState *state)
{
    const MachinePowertrain *train = &params->powertrain;
    double speed = mean_speed(state, state->gear < 0 ? -1 : 1);
    state->shift_clock = fmax(0.0, state->shift_clock - dt);
    if (wish->direction == 0) {
        state->gear = fabs(speed) < STANDING_SPEED ? 0 : state->gear;
        return;
    }
    if (state->gear * wish->direction <= 0) {
        if (fabs(speed) < REVERSAL_SPEED) {
            shift(train, wish->direction, state);
        }
        return;
    }
    if (state->shift_clock > 0.0) {
        return;
    }
    int gear = state->gear < 0 ? -state->gear : state->gear;
    Conversion now = powertrain_convert(params, state->gear, state->engine_speed, speed);
    if (gear > wish->gear || (gear > 1 && now.speed_ratio < SHIFT_DOWN)) {
        shift(train, wish->direction * (gear - 1), state);
    } else if (gear < wish->gear && now.speed_ratio > SHIFT_UP) {
        int next = wish->direction * (gear + 1);
        Conversion then = powertrain_convert(params, next, state->engine_speed, speed);
        if (then.force > SHIFT_RESERVE * used_force(state, wish)) {
            shift(train, next, state);
        }
    }
}

// Whether the drive brings a belt to its next speed, or the brake. One that stands or hardly rolls back is driven.
static bool is_driven(double wish, double speed)
{
    return wish > 0.0 ? speed > -STANDING_SPEED && speed <= wish : speed < STANDING_SPEED && speed >= wish;
}

static double next_speed(const MachinePowertrain *train, double wish, double speed, bool driven, double dt)
{
    if (driven) {
        double forward = speed * wish > 0.0 ? fabs(speed) : 0.0;
        return copysign(fmin(forward + train->speeding_up * dt, fabs(wish)), wish);
    }
    double least = speed * wish > 0.0 ? fabs(wish) : 0.0;
    return copysign(fmax(fabs(speed) - train->braking * dt, least), speed);
}

PowertrainLoad powertrain_drive(const MachineParams *params, double dt, MachineState *state, TrackDrive *belts)
{
    const MachinePowertrain *train = &params->powertrain;
    Wish wish = read_levers(train, state);
    choose_gear(params, &wish, dt, state);
    PowertrainLoad load = {0.0, false};
    Conversion have = {0.0, 0.0, 0.0};
    double engaged = 0.0;
    bool right_way = state->gear * wish.direction > 0;
    if (right_way) {
        have = powertrain_convert(params, state->gear, state->engine_speed, mean_speed(state, wish.direction));
        double ramp = fmax(0.0, fmin(1.0, 1.0 - (state->shift_clock - SHIFT_PAUSE) / train->shift_time));
        engaged = SHIFT_LEAST + (1.0 - SHIFT_LEAST) * ramp;
    }
    double used = 0.0;
    for (int side = 0; side < 2; side++) {
        double speed = state->track_speed[side];
        bool driven = right_way && wish.speed[side] != 0.0 && is_driven(wish.speed[side], speed);
        double next = next_speed(train, wish.speed[side], speed, driven, dt);
        double force = driven ? 0.5 * engaged * have.force : train->brake_force;
        belts->belt[side] = (BeltDrive){.least = next, .most = next, .ahead = force, .back = force};
        used += driven ? fmax(0.0, copysign(1.0, wish.speed[side]) * state->track_force[side]) : 0.0;
    }
    double share = have.force > 0.0 ? fmin(used / have.force, 1.0) : 0.0;
    load.power = share * have.torque * state->engine_speed;
    load.stalled = engaged >= 1.0 && share > STALL_SHARE && have.speed_ratio < STALL_RATIO;
    return load;
}

/// ---- engine --------------------------------------------------------------------------------------------------------
/// The diesel engine: a flywheel between a governor that holds a speed and the load of pumps and converter, and the
/// fuel it takes. One flat torque curve stands for the engine: makers publish power and rated speed, and no more.

// Speed droop of the governor from no load to full torque, share of the rated speed. Chosen.
#define GOVERNOR_DROOP 0.04
// Torque an unfuelled engine takes, share of its full torque. Chosen.
#define ENGINE_FRICTION 0.12
// Without fuel the engine stops in about this time, s. Chosen.
#define STOPPING_TIME 0.5
// Slower than this, rad/s, an engine without fuel stands. Chosen.
#define ENGINE_STANDS 1.0

double engine_target_speed(const MachineEngine *engine, double throttle)
{
    double share = fmax(0.0, fmin(0.5 * (1.0 + throttle), 1.0));
    return engine->idle_speed + (engine->rated_speed - engine->idle_speed) * share;
}

// I dw/dt = T - P/w. The governor gives torque in proportion to the missing speed, from the no-load speed (target plus
// droop) up to the full torque at the target, which the engine keeps below it (flat torque curve). Above the no-load
// speed the engine's own friction brakes.
double engine_step(const MachineEngine *engine, double speed, double target, double power, double dt, double *used)
{
    double full_torque = engine->power / engine->rated_speed;
    double droop = GOVERNOR_DROOP * engine->rated_speed;
    double torque = full_torque * fmax(-ENGINE_FRICTION, fmin((target + droop - speed) / droop, 1.0));
    double load = power / fmax(speed, 0.5 * engine->idle_speed);
    *used = fmax(torque, 0.0) * speed;
    return fmax(0.0, speed + dt * (torque - load) / engine->inertia);
}

double engine_stop(double speed, double dt)
{
    double next = speed - speed * dt / STOPPING_TIME;
    return next < ENGINE_STANDS ? 0.0 : next;
}

void engine_run(const MachineEngine *engine, double target, double power, double dt, double *speed, double *fuel)
{
    if (*fuel <= 0.0) {
        *speed -= *speed * dt / STOPPING_TIME;
        return;
    }
    double used;
    *speed = engine_step(engine, *speed, target, power, dt, &used);
    *fuel = fmax(0.0, *fuel - dt * (engine->fuel_rate * used + engine->idle_fuel));
}
