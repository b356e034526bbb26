/// The diesel engine: a flywheel between a governor that holds a speed and the load of pumps and converter, and the
/// fuel it takes. One flat torque curve stands for the engine: makers publish power and rated speed, and no more.
#include "machine/drive/engine.h"

#include <math.h>

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
