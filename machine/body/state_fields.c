/// The one list of the machine's state: hash, save, restore, difference, and the test for finite numbers go through it.
/// The names are those in recordings; those of bodies are the machine's own.
#include <math.h>
#include <stdio.h>

#include "machine/machine.h"

#define LONGEST_SHIFT  10.0 ///< s
#define FASTEST_HAMMER 1000.0 ///< Hz

// The one list of the state's fields: what, how.
#define MACHINE_STATE_FIELDS(X)                                                                                        \
    X(spool)                                                                                                           \
    X(track_spool)                                                                                                     \
    X(joint_speed)                                                                                                     \
    X(joint_force)                                                                                                     \
    X(track_shear)                                                                                                     \
    X(track_speed)                                                                                                     \
    X(track_travel)                                                                                                    \
    X(track_force)                                                                                                     \
    X(patch_load)                                                                                                      \
    X(engine_speed)                                                                                                    \
    X(pump_power)                                                                                                      \
    X(fuel)                                                                                                            \
    X(hammer_spool)                                                                                                    \
    X(hammer_clock)                                                                                                    \
    X(hammer_rate)                                                                                                     \
    X(shift_clock)

// A body's fields bear its own name. Places that the machine does not have, and those of an unknown machine, a number.
static void visit_body(const MachineParams *params, int place, MachineBodyState *body, StateVisitor *visitor)
{
    const struct {
        const char *name;
        double *values;
        size_t count;
    } fields[] = {{"position", body->position, sizeof body->position / sizeof(double)},
                  {"quaternion", body->quaternion, sizeof body->quaternion / sizeof(double)},
                  {"velocity", body->velocity, sizeof body->velocity / sizeof(double)},
                  {"spin", body->spin, sizeof body->spin / sizeof(double)}};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        char name[2 * MACHINE_NAME_SIZE + 24];
        if (params != NULL && place < params->body_count) {
            snprintf(name, sizeof name, "machine.%s.%s", params->body[place].name, fields[k].name);
        } else {
            snprintf(name, sizeof name, "machine.body%d.%s", place, fields[k].name);
        }
        state_visit_array(visitor, name, fields[k].values, sizeof(double), fields[k].count);
    }
}

static bool hammer_is_sound(const MachineState *state)
{
    return state->hammer_spool >= 0.0 && state->hammer_spool <= 1.0 && state->hammer_clock >= 0.0 &&
           state->hammer_clock <= 1.0 && state->hammer_rate >= 0.0 && state->hammer_rate <= FASTEST_HAMMER &&
           state->hammer_blows >= 0;
}

void machine_state_visit(const MachineParams *params, MachineState *state, StateVisitor *visitor)
{
    for (int k = 0; k < MACHINE_MAX_BODIES; k++) {
        visit_body(params, k, &state->body[k], visitor);
    }
#define X(name)                                                                                                        \
    state_visit_array(visitor, "machine." #name, &state->name, sizeof(double), sizeof state->name / (sizeof(double)));
    MACHINE_STATE_FIELDS(X)
#undef X
    STATE_VISIT(visitor, "machine.gear", state->gear);
    if (visitor->restoring && (state->gear < -MACHINE_GEARS || state->gear > MACHINE_GEARS ||
                               !(state->shift_clock >= 0.0 && state->shift_clock <= LONGEST_SHIFT))) {
        state->gear = 0;
        state->shift_clock = 0.0;
        visitor->failed = true;
    }
    STATE_VISIT(visitor, "machine.hammer_blows", state->hammer_blows);
    if (visitor->restoring && !hammer_is_sound(state)) {
        state->hammer_spool = state->hammer_clock = state->hammer_rate = 0.0;
        state->hammer_blows = 0;
        visitor->failed = true;
    }
    STATE_VISIT(visitor, "machine.limits", state->limits);
    STATE_VISIT(visitor, "machine.relief", state->relief);
    bool exist = (state->limits & ~MACHINE_LIMIT_BITS) == 0 && (state->relief & ~MACHINE_RELIEF_BITS) == 0;
    if (visitor->restoring && !exist) {
        state->limits = state->relief = 0;
        visitor->failed = true;
    }
}

typedef struct FiniteVisitor {
    StateVisitor visitor;
    bool finite;
} FiniteVisitor;

static void check_finite(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    FiniteVisitor *check = (FiniteVisitor *)visitor;
    size_t bytes = size * count;
    if (bytes % sizeof(double) != 0) {
        return; // `gear`, `hammer_blows`, `limits` and `relief`: all fields that are not made of doubles
    }
    const double *numbers = data;
    for (size_t i = 0; i < bytes / sizeof(double); i++) {
        check->finite = check->finite && isfinite(numbers[i]);
    }
}

bool machine_state_is_finite(const MachineState *state)
{
    MachineState copy = *state;
    FiniteVisitor check = {.visitor = {.field = check_finite}, .finite = true};
    machine_state_visit(NULL, &copy, &check.visitor);
    return check.finite;
}
