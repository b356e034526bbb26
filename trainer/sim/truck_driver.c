/// Compares what a truck bears with what its driver puts up with, and keeps what he has said.
#include "trainer/sim/truck_driver.h"

#include <math.h>

#include "data/schema/schema.h"

/// Of the payload or an axle's limit: a few clods are not too much. As of the overload that is an incident.
static const double least_over = 0.002;

static void say(int32_t form, double share, double delay, const DriverSight *sight, int64_t tick, Exercise *exercise)
{
    ExerciseEvent event = {.tick = tick,
                           .kind = EVENT_TRUCK,
                           .form = form,
                           .thing = event_thing(THING_TRUCK, sight->truck, ""),
                           .number = {.share = share, .excess = sight->excess, .duration = delay}};
    exercise_note_event(exercise, &event);
}

bool truck_driver_stays(const TruckParams *params, bool leaves, const DriverSight *sight, int64_t tick, double dt,
                        TruckDriverState *state, Exercise *exercise)
{
    TruckDriver driver = truck_driver_limits(params);
    bool heavy = sight->over > least_over, refuses = sight->over > driver.refuse;
    if (!leaves) {
        *state = (TruckDriverState){0};
        return false;
    }
    if (refuses && state->said != DRIVER_REFUSED) {
        *state = (TruckDriverState){.said = DRIVER_REFUSED};
        say(EVENT_TRUCK_REFUSES, 0.0, 0.0, sight, tick, exercise);
    } else if (state->said == DRIVER_SAID_NOTHING && (heavy || sight->uneven > driver.uneven)) {
        *state = (TruckDriverState){.said = DRIVER_COMPLAINED, .wait = driver.delay};
        say(heavy ? EVENT_TRUCK_TOO_HEAVY : EVENT_TRUCK_UNEVEN, heavy ? 0.0 : sight->uneven, driver.delay, sight, tick,
            exercise);
    }
    state->wait = fmax(0.0, state->wait - dt);
    return refuses || state->wait > 0.0;
}

void truck_driver_complains(int truck, int damage, int64_t tick, Exercise *exercise)
{
    DriverSight sight = {.truck = truck};
    say(EVENT_TRUCK_SCRATCHED + damage - DAMAGE_SCRATCHED, 0.0, 0.0, &sight, tick, exercise);
}

void truck_driver_visit(TruckDriverState *state, StateVisitor *visitor)
{
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "driver." #name, state->name);
    DRIVER_FIELDS(F)
#undef F
    bool good = state->said >= DRIVER_SAID_NOTHING && state->said <= DRIVER_REFUSED && isfinite(state->wait);
    if (visitor->restoring && !good) {
        *state = (TruckDriverState){0};
        visitor->failed = true;
    }
}
