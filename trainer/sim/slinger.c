/// The slinger's stages. Nobody walks to a load, or works at it, while machine or load move.
#include "trainer/sim/slinger.h"

#include <math.h>

#include "data/core/elementary.h"

#define BESIDE      0.45 ///< m from the load's surface to the middle of one who works at it. Chosen
#define LEAST_REACH 1.5 ///< m: so near to load or eye nothing may move. Chosen: an arm's length and a step
#define REST_TIME   0.5 ///< s for which all has to stand still before the slinger comes. Chosen

/// Beside the middle of the load, on the side that the slinger comes from.
static Vec3 place_of_work(const ScenePerson *person, const SlingerSight *sight)
{
    Vec3 across = vec3(-same_sin(sight->heading), same_cos(sight->heading), 0.0);
    Vec3 home = vec3(person->x - sight->middle.x, person->y - sight->middle.y, 0.0);
    double side = vec3_dot(home, across) >= 0.0 ? 1.0 : -1.0;
    return vec3_madd(sight->middle, side * (sight->radius + BESIDE), across);
}

bool slinger_is_near(const PersonState *state, const ScenePerson *person, const SlingerSight *sight)
{
    if (state->task == SLINGER_WAITS || state->lies != 0) {
        return false;
    }
    double reach = fmax(person->zone, LEAST_REACH), x = state->x - sight->middle.x, y = state->y - sight->middle.y;
    double c = same_cos(sight->heading), s = same_sin(sight->heading);
    double along = fmax(-sight->half_length, fmin(c * x + s * y, sight->half_length));
    return same_hypot(x - along * c, y - along * s) < reach ||
           same_hypot(state->x - sight->eye.x, state->y - sight->eye.y) < reach;
}

/// Stands still, and begins to wait for rest anew.
static bool hold(PersonState *state, const PersonSight *person, const SlingerSight *sight)
{
    person_turn_to(state, sight->middle, person->dt);
    state->waited = 0.0;
    return false;
}

/// Walks to the load and works there for the person's time.
static bool work(PersonState *state, const PersonSight *person, const SlingerSight *sight)
{
    Vec3 place = place_of_work(person->person, sight);
    if (!person_walk_to(state, person, place.x, place.y, PERSON_PACE)) {
        state->waited = REST_TIME;
        return false;
    }
    person_turn_to(state, sight->middle, person->dt);
    state->waited = state->task == SLINGER_WORKS ? state->waited + person->dt : 0.0;
    state->task = SLINGER_WORKS;
    bool done = state->waited >= person->person->hook_time;
    state->task = done ? SLINGER_LEAVES : SLINGER_WORKS;
    return done;
}

bool slinger_tick(PersonState *state, const PersonSight *person, const SlingerSight *sight)
{
    if (state->task == SLINGER_WAITS && sight->called) {
        state->task = SLINGER_COMES;
        state->waited = 0.0;
    }
    switch ((SlingerTask)state->task) {
    case SLINGER_COMES:
        state->waited += person->dt;
        if (!sight->rests) {
            return hold(state, person, sight);
        }
        return state->waited >= REST_TIME && work(state, person, sight);
    case SLINGER_WORKS:
        return sight->rests ? work(state, person, sight) : hold(state, person, sight);
    case SLINGER_LEAVES:
        if (person_walk_to(state, person, person->person->x, person->person->y, PERSON_PACE)) {
            state->task = SLINGER_WAITS;
            state->waited = 0.0;
        }
        break;
    default:
        break;
    }
    return false;
}
