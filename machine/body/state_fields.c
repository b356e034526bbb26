/// The one list of the machine's state: hash, save, restore, difference, and the test for finite numbers go through it.
/// The names are those in recordings, and do not change with the machine.
#include <math.h>

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

// Names of the bodies in recordings, by their place in the table.
#define MACHINE_BODIES(X) X(0, undercarriage) X(1, house) X(2, boom) X(3, stick) X(4, bucket)

static bool hammer_is_sound(const MachineState *state)
{
    return state->hammer_spool >= 0.0 && state->hammer_spool <= 1.0 && state->hammer_clock >= 0.0 &&
           state->hammer_clock <= 1.0 && state->hammer_rate >= 0.0 && state->hammer_rate <= FASTEST_HAMMER &&
           state->hammer_blows >= 0;
}

void machine_state_visit(MachineState *state, StateVisitor *visitor)
{
#define X(place, lower)                                                                                                \
    state_visit_array(visitor, "machine." #lower ".position", state->body[place].position, sizeof(double),             \
                      sizeof state->body[place].position / sizeof(double));                                            \
    state_visit_array(visitor, "machine." #lower ".quaternion", state->body[place].quaternion, sizeof(double),         \
                      sizeof state->body[place].quaternion / sizeof(double));                                          \
    state_visit_array(visitor, "machine." #lower ".velocity", state->body[place].velocity, sizeof(double),             \
                      sizeof state->body[place].velocity / sizeof(double));                                            \
    state_visit_array(visitor, "machine." #lower ".spin", state->body[place].spin, sizeof(double),                     \
                      sizeof state->body[place].spin / sizeof(double));
    MACHINE_BODIES(X)
#undef X
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
        return; // `gear`, `limits` and `relief`: the only fields that are not made of doubles
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
    machine_state_visit(&copy, &check.visitor);
    return check.finite;
}
