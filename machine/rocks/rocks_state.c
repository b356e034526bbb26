/// The one list of the rocks' state at work: hash, save and restore; and what makes a restored state safe to step. A
/// state that does not hold together leaves no rock at all, rather than one that reaches outside an array.
#include <math.h>
#include <string.h>

#include "machine/rocks/rocks_internal.h"

// Nothing that this program steps gets so large, m, m/s, N...
#define LARGEST 1e9

static bool all_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(numbers[i]) <= LARGEST)) {
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
    if (state->shape[i][0] < -1 || state->shape[i][0] >= rocks->kind_count || !is_flag(state->asleep[i][0]) ||
        !is_flag(state->carries[i][0])) {
        return false;
    }
    if (!all_finite(state->position[i], 3) || !all_finite(state->quaternion[i], 4) || !all_finite(state->force[i], 3) ||
        !all_finite(state->moment[i], 3) || !(state->damage[i][0] >= 0.0 && state->damage[i][0] <= LARGEST) ||
        !all_finite(state->bed[i], ROCK_BED) || !all_finite(state->velocity[i], 3) || !all_finite(state->spin[i], 3) ||
        !all_finite(state->anchor[i], 3) || !all_finite(state->drift[i], 3) || !all_finite(state->turning[i], 3) ||
        !(state->awake_time[i][0] >= 0.0)) {
        return false;
    }
    const double *q = state->quaternion[i];
    double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return state->shape[i][0] < 0 || fabs(length - 1.0) < 1e-6;
}

// Contacts of rocks that are there and awake.
static bool memory_is_sound(const Rocks *rocks)
{
    const RockMemory *memory = &rocks->memory;
    for (int k = 0; k < memory->count; k++) {
        int a = memory->a[k][0], b = memory->b[k][0];
        if (a < 0 || a >= rocks->params.budget || b >= rocks->params.budget ||
            b < ROCK_STANDS - rocks->params.mover_count || !all_finite(memory->anchor[k], 3) ||
            !all_finite(memory->impulse[k], 3) || !(memory->rest[k][0] >= 0.0 && memory->rest[k][0] < 100.0)) {
            return false;
        }
    }
    return true;
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
    bool sound = rocks->avalanches >= 0 && rocks->pile_wakes >= 0 && rocks->wakes >= 0 && memory_is_sound(rocks);
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
    rocks->memory.count = 0;
    rocks->cuts.count = 0;
    rocks->kind_count = rocks->params.shape_count;
    rocks->avalanches = rocks->pile_wakes = rocks->wakes = 0;
    for (int i = 0; i < rocks->params.budget; i++) {
        rocks->state.shape[i][0] = -1;
    }
}

// What follows from the state: geometry, and the piles' layers as wide as they are.
static void rebuild(Rocks *rocks)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        rocks->scratch.posed[i] = false;
    }
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (rocks->piles.used[p][0]) {
            rock_piles_cut(rocks->piles.volume[p][0], rocks->params.sleep.repose_slope, rocks->length,
                           &rocks->scratch.layers[p]);
        }
    }
}

static void visit_memory(Rocks *rocks, StateVisitor *visitor)
{
    RockMemory *memory = &rocks->memory;
    int32_t count = visitor->measuring ? memory->capacity : memory->count;
    STATE_VISIT(visitor, "rocks.contacts", count);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > memory->capacity) {
            visitor->failed = true;
            count = 0;
        }
        memory->count = count;
    }
#define X(type, name, width)                                                                                           \
    state_visit_array(visitor, "rocks.contact." #name, memory->name, sizeof(type), (width) * (size_t)count);
    ROCK_MEMORY_FIELDS(X)
#undef X
}

static void visit_cuts(Rocks *rocks, StateVisitor *visitor)
{
    RockCuts *cuts = &rocks->cuts;
    STATE_VISIT(visitor, "rocks.cuts", cuts->count);
    if (visitor->restoring && (visitor->failed || cuts->count < 0 || cuts->count > rocks->params.cut_capacity)) {
        visitor->failed = true;
        cuts->count = 0;
    }
    size_t count = (size_t)(visitor->measuring ? rocks->params.cut_capacity : cuts->count);
#define X(type, name, width) state_visit_array(visitor, "rocks.cut." #name, cuts->name, sizeof(type), (width)*count);
    ROCK_CUT_FIELDS(X)
#undef X
    if (visitor->restoring && !rocks_rebuild_kinds(rocks)) {
        visitor->failed = true;
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
    visit_memory(rocks, visitor);
    visit_cuts(rocks, visitor);
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
