#include "trainer/screens/window_operator.h"

#include "trainer/operator/control_map.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THROTTLE_STEP 0.25
#define NOTICE_TIME   4.0 ///< s

/// Keeps what fits a line of the screen: pad and first keys, none that need a second key held ("Left Shift + D").
static void cut_to_line(char *text)
{
    int commas = 0;
    char *end = NULL; // of the last binding that is kept
    for (char *p = text; *p != '\0'; p++) {
        if (*p == ',' && ++commas <= 2) {
            end = p;
        }
    }
    char *plus = strstr(text, " + ");
    if (end != NULL && (commas >= 2 || plus != NULL)) {
        *end = '\0';
    }
}

/// Labels name the positive direction first, as the map's description does.
static void describe_levers(WindowOperator *self)
{
    static const struct {
        ControlAxis axis;
        const char *text;
    } levers[] = {{CONTROL_SWING, "swing"},   {CONTROL_STICK, "stick"},        {CONTROL_BOOM, "boom"},
                  {CONTROL_BUCKET, "bucket"}, {CONTROL_LEFT_TRACK, "track L"}, {CONTROL_RIGHT_TRACK, "track R"},
                  {CONTROL_BLADE, "blade"},   {CONTROL_BLADE_TILT, "tilt"},    {CONTROL_BLADE_ANGLE, "angle"},
                  {CONTROL_RIPPER, "ripper"}, {CONTROL_THROTTLE, "engine"},    {CONTROL_HORN, "horn"}};
    for (size_t i = 0; i < sizeof levers / sizeof levers[0]; i++) {
        char bound[HINT_TEXT / 2] = "";
        input_map_describe(self->map, levers[i].axis, bound, (int)sizeof bound);
        cut_to_line(bound);
        if (bound[0] != '\0') {
            snprintf(self->hints[self->hint_count++], HINT_TEXT, "%s: %s", levers[i].text, bound);
        }
    }
}

static bool binds_throttle(const ControlsParams *params)
{
    for (int i = 0; i < params->binding_count; i++) {
        if (params->bindings[i].axis == CONTROL_THROTTLE) {
            return true;
        }
    }
    return false;
}

/// What the map calls an action, as the screen calls it.
static const char *action_label(const char *name)
{
    static const char *const labels[][2] = {
        {"throttle_up", "engine faster"}, {"throttle_down", "engine slower"}, {"reset", "start again"}};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (strcmp(name, labels[i][0]) == 0) {
            return labels[i][1];
        }
    }
    return name;
}

/// One action a line: "camera: pad b, C".
static void describe_actions(WindowOperator *self, const ControlsParams *params)
{
    for (int i = 0; i < params->action_count && self->hint_count < RENDER_MAX_HINTS - 2; i++) {
        const char *pad = params->actions[i].pad, *key = params->actions[i].key;
        char joystick[HINT_TEXT / 2] = "";
        const char *part = strchr(params->actions[i].joystick, ':');
        if (part != NULL) {
            snprintf(joystick, sizeof joystick, "%.*s %s %s", (int)(part - params->actions[i].joystick),
                     params->actions[i].joystick, isdigit((unsigned char)part[1]) ? "button" : "hat", part + 1);
        }
        const char *between = pad[0] != '\0' && part != NULL ? ", " : "";
        const char *before_key = (pad[0] != '\0' || part != NULL) && key[0] != '\0' ? ", " : "";
        snprintf(self->hints[self->hint_count++], HINT_TEXT, "%s: %s%s%s%s%s%s", action_label(params->actions[i].name),
                 pad[0] != '\0' ? "pad " : "", pad, between, joystick, before_key, key);
    }
    snprintf(self->hints[self->hint_count++], HINT_TEXT, "F1 help  F2 gauges  F3 soil  F4 axes");
    snprintf(self->hints[self->hint_count++], HINT_TEXT, "F6 sound  F11 screen  mouse, wheel");
}

static bool load_map(WindowOperator *self, const char *controls, const MachineParams *machine, Status *status)
{
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        abort();
    }
    if (control_map_load(controls, machine, params, status)) {
        self->map = input_map_create(params, status);
    }
    if (self->map != NULL) {
        for (size_t i = 0; i + 1 < sizeof self->pattern && params->pattern[i] != '\0'; i++) {
            self->pattern[i] = (char)toupper((unsigned char)params->pattern[i]);
        }
        self->throttle_mapped = binds_throttle(params);
        describe_levers(self);
        describe_actions(self, params);
    }
    free(params);
    return self->map != NULL;
}

bool window_operator_create(WindowOperator *self, const char *name, const char *controls, Session *session,
                            Status *status)
{
    *self = (WindowOperator){.throttle = 1.0};
    if (!load_map(self, controls, session_machine_params(session), status)) {
        return false;
    }
    if (name == NULL || strcmp(name, "gamepad") == 0 || strcmp(name, "keyboard") == 0) {
        self->person = true;
        return true;
    }
    if (strcmp(name, "auto") == 0) {
        self->autopilot = autopilot_create(session);
        return true;
    }
    self->script = input_script_load(name, status);
    if (self->script == NULL) {
        window_operator_destroy(self);
        return false;
    }
    return true;
}

void window_operator_destroy(WindowOperator *self)
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
    *self = (WindowOperator){0};
}

void window_operator_reset(WindowOperator *self, Session *session)
{
    self->memory = (InputMemory){0};
    self->throttle = 1.0;
    self->pad_lost = false;
    if (self->autopilot != NULL) {
        autopilot_destroy(self->autopilot);
        self->autopilot = autopilot_create(session);
    }
}

static void step_throttle(WindowOperator *self, const WindowInput *input)
{
    int steps = input->pressed[WINDOW_THROTTLE_UP] - input->pressed[WINDOW_THROTTLE_DOWN];
    double throttle = self->throttle + THROTTLE_STEP * steps;
    self->throttle = throttle < -1.0 ? -1.0 : throttle > 1.0 ? 1.0 : throttle;
}

void window_operator_update(WindowOperator *self, InputDevices *devices, const WindowInput *input, double elapsed)
{
    step_throttle(self, input);
    if (self->devices != devices) {
        int count = 0;
        const ControlDevice *wanted = input_map_devices(self->map, &count);
        input_devices_use(devices, wanted, count);
        self->devices = devices;
    }
    self->notice_left -= elapsed;
    char text[HINT_TEXT];
    if (input_devices_changed(devices, text, (int)sizeof text)) {
        snprintf(self->notice, sizeof self->notice, "%s", text);
        self->notice_left = NOTICE_TIME;
    }
    int pads = input_devices_pad_count(devices);
    if (pads < self->pads && self->person) {
        self->pad_lost = true;
    } else if (pads > self->pads || input->pressed[WINDOW_ACCEPT] > 0) {
        self->pad_lost = false;
    }
    self->pads = pads;
}

void window_operator_feel(WindowOperator *self, InputDevices *devices, const Session *session, double elapsed)
{
    const double full_force = 150e3; // N: about the digging force of a 22 t machine
    self->shake_left -= elapsed;
    if (!self->person || self->still || self->shake_left > 0.0) {
        return;
    }
    self->shake_left = 0.1;
    const SessionFrame *frame = session_frame(session);
    const MachineParams *machine = session_machine_params(session);
    double force = vec3_length(frame->tool_wrench.force) / full_force;
    double load = frame->machine.pump_power / (machine->hydraulics.efficiency * machine->engine.power);
    InputShake shake =
        input_shake(input_map_rumble(self->map), force, load, frame->machine.limit != MACHINE_LIMIT_NONE);
    if (shake.low > 0.0 || shake.high > 0.0) {
        input_devices_rumble(devices, shake.low, shake.high, 150);
    }
}

static void person_controls(WindowOperator *self, const InputSample *sample, double dt, OperatorControls *controls)
{
    static const InputSample nothing = {0};
    if (self->pad_lost) {
        // Levers spring back at once, whatever rate the map allows them.
        self->memory = (InputMemory){0};
        sample = &nothing;
    }
    input_map_apply(self->map, sample, dt, &self->memory, controls);
    if (!self->throttle_mapped) {
        controls->axis[CONTROL_THROTTLE] = control_quantise(self->throttle);
    }
}

void window_operator_controls(WindowOperator *self, Session *session, const InputSample *sample,
                              OperatorControls *controls)
{
    *controls = (OperatorControls){0};
    if (self->autopilot != NULL) {
        autopilot_controls(self->autopilot, session, controls);
    } else if (self->script != NULL) {
        input_script_get(self->script, session_frame(session)->time, controls);
    } else {
        person_controls(self, sample, session_dt(session), controls);
    }
}

bool window_operator_is_done(const WindowOperator *self, const Session *session)
{
    if (self->script != NULL) {
        return session_frame(session)->time > input_script_duration(self->script);
    }
    return self->autopilot != NULL && exercise_is_finished(session_exercise(session));
}
