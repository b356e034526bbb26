#include "trainer/operator/runner_operator.h"

#include "trainer/operator/control_map.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool load_map(RunnerOperator *self, const char *controls, const MachineParams *machine, Status *status)
{
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the control map");
    }
    if (control_map_load(controls, machine, params, status)) {
        self->map = input_map_create(params, status);
    }
    free(params);
    return self->map != NULL;
}

/// Opens the pads; one that is there is known after a few polls.
static bool create_person(RunnerOperator *self, const char *controls, const MachineParams *machine, Status *status)
{
    if (!load_map(self, controls, machine, status)) {
        return false;
    }
    self->devices = input_devices_open(status);
    if (self->devices == NULL) {
        return false;
    }
    int count = 0;
    const ControlDevice *wanted = input_map_devices(self->map, &count);
    input_devices_use(self->devices, wanted, count);
    for (int k = 0; k < 20; k++) {
        input_devices_poll(self->devices);
        if (input_devices_pad_count(self->devices) > 0) {
            return true;
        }
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    return status_fail(status, STATUS_LACKING,
                       "no gamepad is connected; plug one in, or use --operator auto or a script's path");
}

bool runner_operator_create(RunnerOperator *self, const char *name, const char *controls, const Session *session,
                            Status *status)
{
    *self = (RunnerOperator){0};
    bool good = true;
    if (name == NULL || strcmp(name, "auto") == 0) {
        self->autopilot = autopilot_create(session);
        good = self->autopilot != NULL || status_fail(status, STATUS_LACKING, "out of memory for the operator");
    } else if (strcmp(name, "gamepad") == 0) {
        good = create_person(self, controls, session_machine_params(session), status);
    } else if (strcmp(name, "keyboard") == 0) {
        good = status_fail(status, STATUS_BAD_USAGE, "no keyboard can be read without a window; use --operator auto");
    } else {
        self->script = input_script_load(name, status);
        good = self->script != NULL;
    }
    if (!good) {
        runner_operator_destroy(self);
    }
    return good;
}

void runner_operator_destroy(RunnerOperator *self)
{
    if (self->autopilot != NULL) {
        autopilot_destroy(self->autopilot);
    }
    if (self->script != NULL) {
        input_script_destroy(self->script);
    }
    if (self->map != NULL) {
        input_map_destroy(self->map);
    }
    if (self->devices != NULL) {
        input_devices_close(self->devices);
    }
    *self = (RunnerOperator){0};
}

void runner_operator_controls(RunnerOperator *self, Session *session, OperatorControls *controls)
{
    *controls = (OperatorControls){0};
    if (self->autopilot != NULL) {
        autopilot_controls(self->autopilot, session, controls);
    } else if (self->script != NULL) {
        input_script_get(self->script, session_frame(session)->time, controls);
    } else if (self->devices != NULL) {
        InputSample sample;
        input_devices_poll(self->devices);
        input_devices_sample(self->devices, &sample);
        input_map_apply(self->map, &sample, session_dt(session), &self->memory, controls);
    }
}

bool runner_operator_is_person(const RunnerOperator *self)
{
    return self->map != NULL;
}
