/// Any text as an expert's list of actions. It is refused with its reason, or carried out for some ticks on a machine
/// that stands in the open: levers stay within their ranges.
#include "tests/fuzz/fuzz.h"
#include "trainer/pilot/expert.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 20 };

/// The session stands at its start again.
static Session *start(void)
{
    static Session *session;
    static StateBuffer state;
    Status status = {STATUS_GOOD, ""};
    if (session == NULL) {
        session = fuzz_session();
        require(state_save(session, &state, &status));
    }
    require(state_restore(session, state.data, state.size, &status));
    return session;
}

static void carry_out(const ExpertParams *params)
{
    Status status = {STATUS_GOOD, ""};
    Session *session = start();
    Expert *expert = expert_create(params, session, &status);
    require(expert != NULL || status.text[0] != '\0');
    for (int tick = 0; tick < TICKS && expert != NULL; tick++) {
        OperatorControls controls;
        expert_controls(expert, session, NULL, &controls);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            double value = control_value(&controls, (ControlAxis)axis);
            require(value >= -1.0 && value <= 1.0);
        }
        session_tick(session, &controls);
    }
    expert_destroy(expert);
}

void fuzz_expert(const uint8_t *data, size_t size)
{
    static ExpertParams params;
    char path[96];
    fuzz_write(fuzz_path("actions.yaml", path), data, size);
    Status status = {STATUS_GOOD, ""};
    if (data_load_expert(path, &params, NULL, &status)) {
        carry_out(&params);
    } else {
        require(status.text[0] != '\0');
    }
}
