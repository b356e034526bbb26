/// Signals for loads, trucks and people. Horizontal ones are those of Annex IX of 92/58/EEC, which go by the banksman's
/// own left and right, and by towards and away.
#include "trainer/sim/banksman.h"

#include <math.h>

#include "data/core/elementary.h"

/// Chosen; see test_sim_banksman.
#define HOLD_TIME  0.6 ///< s that a signal is held before another one that is not urgent
#define BEGIN_TIME 3.0 ///< s of the signal at the beginning
#define AGAIN_TIME 2.0 ///< s of the signal to begin again after a stop
#define SPOT_TIME  1.5 ///< s of the stop for a truck
#define REACTION   2.0 ///< s that an operator has to see a stop and to bring the arm to rest
#define EYE_NEAR   0.5 ///< m in plan from the load's middle at which the eye is over it
#define HANDS      1.0 ///< m from the place from which on the hands show the distance
#define LOW        0.3 ///< m over the ground: so low a load is neither swung nor lowered fast
#define SWINGS     0.25 ///< m/s: faster it is not let down

/// The level signal for a way from one place to another.
static ArmSignal level_signal(const PersonState *state, double x, double y)
{
    double c = same_cos(state->facing), s = same_sin(state->facing);
    double ahead = c * x + s * y, left = -s * x + c * y;
    if (fabs(left) >= fabs(ahead)) {
        return left > 0.0 ? ARM_LEFT : ARM_RIGHT;
    }
    return ahead > 0.0 ? ARM_BACKWARD : ARM_FORWARD;
}

static ArmSignal hook_signal(const PersonState *state, const BanksmanLift *lift)
{
    double x = lift->middle.x - lift->eye.x, y = lift->middle.y - lift->eye.y;
    if (same_hypot(x, y) > EYE_NEAR) {
        return level_signal(state, x, y);
    }
    return lift->eye.z - lift->middle.z > lift->reach ? ARM_LOWER : ARM_DISTANCE;
}

static ArmSignal lift_signal(const PersonState *state, const BanksmanLift *lift)
{
    if (!lift->wanted) {
        return ARM_END;
    }
    if (lift->called) {
        return ARM_STOP;
    }
    if (!lift->hooked) {
        return hook_signal(state, lift);
    }
    double x = lift->place[0] - lift->middle.x, y = lift->place[1] - lift->middle.y, off = same_hypot(x, y);
    bool over = off <= fmax(0.5 * lift->within, 0.15);
    if (!lift->hangs) {
        return over ? ARM_LOWER : ARM_RAISE; // until its sling is slack
    }
    if (!over && lift->clear < LOW) {
        return ARM_RAISE;
    }
    if (!over) {
        return off > HANDS ? level_signal(state, x, y) : ARM_DISTANCE;
    }
    return lift->swing > SWINGS || lift->clear < LOW ? ARM_DISTANCE : ARM_LOWER;
}

/// Guides a truck: towards the banksman or away, until it stands.
static ArmSignal truck_signal(const PersonState *state, const BanksmanSight *sight)
{
    Vec3 to = vec3(state->x - sight->truck.x, state->y - sight->truck.y, 0.0);
    return vec3_dot(to, sight->truck_ahead) > 0.0 ? ARM_FORWARD : ARM_BACKWARD;
}

/// The signal without a load and without a truck that moves; `to_truck`, in and out: it is for the truck.
static ArmSignal idle_signal(const PersonState *state, const BanksmanSight *sight, bool *to_truck)
{
    bool guided = state->to_truck != 0 && (state->signal == ARM_FORWARD || state->signal == ARM_BACKWARD);
    bool stopped = state->to_truck != 0 && state->signal == ARM_STOP;
    *to_truck = guided || (stopped && state->signal_time < SPOT_TIME);
    if (*to_truck) {
        return ARM_STOP;
    }
    bool again = stopped || (state->to_truck == 0 && (state->signal == ARM_STOP || state->signal == ARM_DANGER)) ||
                 (state->signal == ARM_START && state->signal_time < AGAIN_TIME);
    return sight->finished ? ARM_END : sight->time < BEGIN_TIME || again ? ARM_START : ARM_NONE;
}

void banksman_tick(PersonState *state, const BanksmanSight *sight)
{
    bool to_truck = false, urgent = sight->danger || sight->stop;
    ArmSignal signal = ARM_NONE;
    if (urgent) {
        signal = sight->danger ? ARM_DANGER : ARM_STOP;
    } else if (sight->has_lift) {
        signal = sight->time < BEGIN_TIME ? ARM_START : lift_signal(state, &sight->lift);
    } else if (sight->truck_moves) {
        signal = truck_signal(state, sight);
        to_truck = true;
    } else {
        signal = idle_signal(state, sight, &to_truck);
    }
    bool held = !urgent && state->signal_time < HOLD_TIME && state->signal != ARM_NONE;
    signal = held ? (ArmSignal)state->signal : signal;
    person_signal(state, signal, held ? state->to_truck != 0 : to_truck, sight->dt);
    if (state->speed <= 0.0) {
        person_turn_to(state, state->to_truck != 0 ? sight->truck : sight->base, sight->dt);
    }
}

bool banksman_stops(const PersonState *state)
{
    bool stop = state->signal == ARM_STOP || state->signal == ARM_DANGER;
    return stop && state->to_truck == 0 && state->lies == 0 && state->signal_time >= REACTION;
}
