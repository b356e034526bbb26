#include <math.h>
#include <string.h>

#include "machine/rocks_internal.h"

static bool all_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

static bool is_flag(int32_t value)
{
    return value == 0 || value == 1;
}

static bool rock_is_sound(const Rocks *rocks, int i)
{
    const RockState *state = &rocks->state;
    if (state->shape[i][0] < -1 || state->shape[i][0] >= rocks->params.shape_count || !is_flag(state->asleep[i][0]) ||
        !is_flag(state->carries[i][0])) {
        return false;
    }
    if (!all_finite(state->position[i], 3) || !all_finite(state->quaternion[i], 4) ||
        !all_finite(state->velocity[i], 3) || !all_finite(state->spin[i], 3) || !all_finite(state->anchor[i], 3) ||
        !all_finite(state->drift[i], 3) || !all_finite(state->turning[i], 3) || !(state->awake_time[i][0] >= 0.0)) {
        return false;
    }
    const double *q = state->quaternion[i];
    double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return state->shape[i][0] < 0 || fabs(length - 1.0) < 1e-6;
}

static bool pile_is_sound(const RockPileState *piles, int p)
{
    if (!is_flag(piles->used[p][0]) || !is_flag(piles->given[p][0]) || !all_finite(piles->middle[p], 3)) {
        return false;
    }
    for (int i = 0; i < ROCK_MAX_LAYERS; i++) {
        if (!(piles->borne[p][i] >= 0.0)) {
            return false;
        }
    }
    double volume = piles->volume[p][0], boundary = piles->boundary[p][0];
    return !piles->used[p][0] || (volume > 1e-9 && volume < 1e12 && boundary >= 0.0 && boundary <= 1e4);
}

static bool state_is_sound(const Rocks *rocks)
{
    bool sound = rocks->avalanches >= 0 && rocks->pile_wakes >= 0 && rocks->wakes >= 0;
    for (int i = 0; i < rocks->params.budget && sound; i++) {
        sound = rock_is_sound(rocks, i);
    }
    for (int p = 0; p < ROCK_MAX_PILES && sound; p++) {
        sound = pile_is_sound(&rocks->piles, p);
    }
    return sound;
}

// A state that was refused leaves no rock and no pile, which is safe to step and to destroy.
static void clear_state(Rocks *rocks)
{
#define X(type, name, width) memset(rocks->state.name, 0, sizeof *rocks->state.name *(size_t)rocks->params.budget);
    ROCK_FIELDS(X)
#undef X
    memset(&rocks->piles, 0, sizeof rocks->piles);
    rocks->avalanches = rocks->pile_wakes = rocks->wakes = 0;
    for (int i = 0; i < rocks->params.budget; i++) {
        rocks->state.shape[i][0] = -1;
    }
}

// What follows from the state: geometry, ODE's masses, and the piles' layers as wide as they are.
static void rebuild(Rocks *rocks)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        rocks->scratch.posed[i] = false;
        if (rocks->state.shape[i][0] >= 0) {
            const RockKind *kind = &rocks->kind[rocks->state.shape[i][0]];
            rock_world_set_mass(rocks->world, i, kind->mass, kind->inertia);
        }
    }
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (rocks->piles.used[p][0]) {
            rock_piles_cut(rocks->piles.volume[p][0], rocks->params.sleep.repose_slope, rocks->length,
                           &rocks->scratch.layers[p]);
        }
    }
}

void rocks_visit(Rocks *rocks, StateVisitor *visitor)
{
    size_t budget = (size_t)rocks->params.budget;
#define X(type, name, width)                                                                                           \
    state_visit_array(visitor, "rocks." #name, rocks->state.name, sizeof(type), (width)*budget);
    ROCK_FIELDS(X)
#undef X
#define X(type, name, width)                                                                                           \
    state_visit_array(visitor, "rocks.pile." #name, rocks->piles.name, sizeof(type), (width)*ROCK_MAX_PILES);
    ROCK_PILE_FIELDS(X)
#undef X
    STATE_VISIT(visitor, "rocks.avalanches", rocks->avalanches);
    STATE_VISIT(visitor, "rocks.pile_wakes", rocks->pile_wakes);
    STATE_VISIT(visitor, "rocks.wakes", rocks->wakes);
    if (visitor->restoring) {
        if (visitor->failed || !state_is_sound(rocks)) {
            visitor->failed = true;
            clear_state(rocks);
        }
        rebuild(rocks);
    }
}

bool rocks_is_finite(const Rocks *rocks)
{
    return state_is_sound(rocks);
}
