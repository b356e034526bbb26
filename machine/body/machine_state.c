#include <math.h>

#include "machine/machine.h"

#define LONGEST_SHIFT 10.0 ///< s

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
    X(shift_clock)

#define MACHINE_BODIES(X)                                                                                              \
    X(UNDERCARRIAGE, undercarriage) X(HOUSE, house) X(BOOM, boom) X(STICK, stick) X(BUCKET, bucket)

void machine_state_visit(MachineState *state, StateVisitor *visitor)
{
#define X(upper, lower)                                                                                                \
    state_visit_array(visitor, "machine." #lower ".position", state->body[MACHINE_##upper].position, sizeof(double),   \
                      sizeof state->body[MACHINE_##upper].position / sizeof(double));                                  \
    state_visit_array(visitor, "machine." #lower ".quaternion", state->body[MACHINE_##upper].quaternion,               \
                      sizeof(double), sizeof state->body[MACHINE_##upper].quaternion / sizeof(double));                \
    state_visit_array(visitor, "machine." #lower ".velocity", state->body[MACHINE_##upper].velocity, sizeof(double),   \
                      sizeof state->body[MACHINE_##upper].velocity / sizeof(double));                                  \
    state_visit_array(visitor, "machine." #lower ".spin", state->body[MACHINE_##upper].spin, sizeof(double),           \
                      sizeof state->body[MACHINE_##upper].spin / sizeof(double));
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
    STATE_VISIT(visitor, "machine.limit", state->limit);
    if (visitor->restoring && (state->limit < MACHINE_LIMIT_NONE || state->limit > MACHINE_LIMIT_TIP)) {
        state->limit = MACHINE_LIMIT_NONE;
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
        return; // `gear` and `limit`: the only fields that are not made of doubles
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
