/// Makes a control map of what the assistant found: bindings of the joysticks beside the base map's keyboard and pad.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/control_names.h"
#include "input/calibration.h"

/// Share of the travel that counts as all of it: no hand finds the very end each time.
static const double full_share = 0.97;

static bool is_used(const Calibration *self, int device)
{
    for (int i = 0; i < self->step_count; i++) {
        if (self->steps[i].kind != CALIBRATION_REST && self->finds[i].found && self->finds[i].device == device) {
            return true;
        }
    }
    return false;
}

/// The device that moves a lever, or -1.
static int find_mover(const Calibration *self, ControlAxis axis)
{
    for (int i = 0; i < self->step_count; i++) {
        if (self->steps[i].kind == CALIBRATION_WAY && self->steps[i].axis == axis && self->finds[i].found) {
            return self->finds[i].device;
        }
    }
    return -1;
}

/// What a driver calls the device: by the levers it moves.
static void name_device(const Calibration *self, int device, char *id, int size)
{
    bool left = find_mover(self, CONTROL_SWING) == device, right = find_mover(self, CONTROL_BUCKET) == device;
    bool feet = find_mover(self, CONTROL_LEFT_TRACK) == device;
    if (left && !right) {
        snprintf(id, (size_t)size, "left");
    } else if (right && !left) {
        snprintf(id, (size_t)size, "right");
    } else if (feet && !left) {
        snprintf(id, (size_t)size, "pedals");
    } else {
        snprintf(id, (size_t)size, "dev%d", (device + 1) % 10);
    }
}

/// How devices that look alike are told apart.
typedef enum Mark { MARK_NONE, MARK_SERIAL, MARK_PORT } Mark;

static const char *mark_of(const ControlDevice *device, Mark mark)
{
    return mark == MARK_SERIAL ? device->serial : device->port;
}

/// True when a mark tells a device from all that look like it. Makers of cheap devices give all the same number.
static bool tells_apart(const Calibration *self, int device, Mark mark)
{
    const ControlDevice *own = &self->devices[device];
    for (int k = 0; k < self->device_count; k++) {
        const ControlDevice *other = &self->devices[k];
        if (k != device && control_devices_alike(own, other) && strcmp(mark_of(own, mark), mark_of(other, mark)) == 0) {
            return false;
        }
    }
    return mark_of(own, mark)[0] != '\0';
}

/// What tells a device from those that look like it: the serial number where each has its own, which goes with the
/// device into any socket; else the socket; else nothing but their order. A device without its like needs no mark.
static Mark choose_mark(const Calibration *self, int device)
{
    bool alone = true, serials = true, ports = true;
    for (int k = 0; k < self->device_count; k++) {
        if (control_devices_alike(&self->devices[device], &self->devices[k])) {
            alone = alone && k == device;
            serials = serials && tells_apart(self, k, MARK_SERIAL);
            ports = ports && tells_apart(self, k, MARK_PORT);
        }
    }
    return alone ? MARK_NONE : serials ? MARK_SERIAL : ports ? MARK_PORT : MARK_NONE;
}

/// True when a device goes into the map: it is used, or only its place in the list tells it from one that is.
static bool is_kept(const Calibration *self, int device)
{
    bool kept = is_used(self, device);
    for (int k = 0; k < self->device_count && choose_mark(self, device) == MARK_NONE; k++) {
        kept = kept || (is_used(self, k) && control_devices_alike(&self->devices[device], &self->devices[k]));
    }
    return kept;
}

/// `number` receives where each device went, -1: nowhere.
static void take_devices(const Calibration *self, ControlsParams *params, int number[CONTROLS_MAX_DEVICES])
{
    params->device_count = 0;
    for (int i = 0; i < self->device_count; i++) {
        number[i] = is_kept(self, i) ? params->device_count : -1;
        if (number[i] >= 0) {
            ControlDevice *device = &params->devices[params->device_count++];
            Mark mark = choose_mark(self, i);
            *device = self->devices[i];
            name_device(self, i, device->id, (int)sizeof(device->id));
            if (mark != MARK_SERIAL) {
                device->serial[0] = '\0';
            }
            if (mark != MARK_PORT) {
                device->port[0] = '\0';
            }
        }
    }
}

/// Room for one more binding; NULL when the map is full.
static ControlBinding *add_binding(ControlsParams *params, ControlSource source, ControlAxis axis, double scale)
{
    if (params->binding_count == CONTROLS_MAX_BINDINGS) {
        return NULL;
    }
    ControlBinding *binding = &params->bindings[params->binding_count++];
    *binding = (ControlBinding){.source = source, .axis = axis, .scale = scale};
    return binding;
}

/// One side of an axis as a binding; `way` is +1 or -1, where the lever goes.
static ControlBinding *bind_side(ControlsParams *params, const int *number, ControlAxis axis, int way,
                                 const CalibrationFind *find)
{
    bool upwards = find->end > find->rest;
    ControlBinding *binding = add_binding(params, CONTROL_SOURCE_JOYSTICK_AXIS, axis, upwards ? way : -way);
    if (binding) {
        double end = find->rest + full_share * (find->end - find->rest);
        binding->rest = find->rest;
        binding->low = upwards ? find->rest : end;
        binding->high = upwards ? end : find->rest;
        control_joystick_name(&params->devices[number[find->device]], false, find->index, binding->input,
                              (int)sizeof(binding->input));
    }
    return binding;
}

static bool is_one_axis(const CalibrationFind *plus, const CalibrationFind *minus)
{
    return plus->found && minus->found && plus->device == minus->device && plus->index == minus->index;
}

/// Both ways of the lever that step `first` asks for, and what turns it round.
static void bind_lever(const Calibration *self, ControlsParams *params, const int *number, int first)
{
    const CalibrationFind *plus = &self->finds[first], *minus = &self->finds[first + 1],
                          *turn = &self->finds[first + 2];
    ControlAxis axis = self->steps[first].axis;
    if (!plus->found) {
        return;
    }
    ControlBinding *binding = bind_side(params, number, axis, 1, plus);
    if (binding && is_one_axis(plus, minus)) {
        double end = minus->rest + full_share * (minus->end - minus->rest);
        binding->low = fmin(binding->low, end);
        binding->high = fmax(binding->high, end);
    } else if (minus->found) {
        bind_side(params, number, axis, -1, minus);
    } else if (turn->found) {
        binding = bind_side(params, number, axis, -1, plus);
        if (binding) {
            control_joystick_name(&params->devices[number[turn->device]], true, turn->index, binding->modifier,
                                  (int)sizeof(binding->modifier));
        }
    }
}

/// The throttle's wheel: even from one end to the other, and all the way without the very ends.
static void bind_throttle(const Calibration *self, ControlsParams *params, const int *number, int idle)
{
    const CalibrationFind *low = &self->finds[idle], *high = &self->finds[idle + 1];
    if (!low->found || !high->found) {
        return;
    }
    ControlBinding *binding =
        add_binding(params, CONTROL_SOURCE_JOYSTICK_AXIS, CONTROL_THROTTLE, high->end > low->end ? 1.0 : -1.0);
    if (binding) {
        double half = full_share * 0.5 * fabs(high->end - low->end);
        binding->rest = 0.5 * (low->end + high->end);
        binding->low = binding->rest - half;
        binding->high = binding->rest + half;
        control_joystick_name(&params->devices[number[low->device]], false, low->index, binding->input,
                              (int)sizeof(binding->input));
        params->curves[CONTROL_THROTTLE].dead_zone = 0.0;
        params->curves[CONTROL_THROTTLE].exponent = 1.0;
    }
}

static void bind_button(const Calibration *self, ControlsParams *params, const int *number, int at)
{
    const CalibrationFind *find = &self->finds[at];
    if (!find->found) {
        return;
    }
    char name[sizeof(params->bindings[0].input)];
    control_joystick_name(&params->devices[number[find->device]], true, find->index, name, (int)sizeof(name));
    if (self->steps[at].action >= 0) {
        memcpy(params->actions[self->steps[at].action].joystick, name, sizeof(name));
        return;
    }
    ControlBinding *binding = add_binding(params, CONTROL_SOURCE_JOYSTICK_BUTTON, self->steps[at].axis, 1.0);
    if (binding) {
        memcpy(binding->input, name, sizeof(name));
    }
}

/// What the base map binds to keys and pads stays; its own joysticks go.
static void take_base(const ControlsParams *base, ControlsParams *params)
{
    *params = *base;
    params->binding_count = 0;
    snprintf(params->title, sizeof(params->title), "Calibrated joysticks, %s pattern", base->pattern);
    for (int i = 0; i < base->binding_count; i++) {
        const ControlBinding *binding = &base->bindings[i];
        bool own = binding->source == CONTROL_SOURCE_JOYSTICK_AXIS ||
                   binding->source == CONTROL_SOURCE_JOYSTICK_BUTTON || strchr(binding->modifier, ':') != NULL;
        if (!own) {
            params->bindings[params->binding_count++] = *binding;
        }
    }
    for (int i = 0; i < params->action_count; i++) {
        params->actions[i].joystick[0] = '\0';
    }
}

bool calibration_result(const Calibration *self, ControlsParams *params, Status *status)
{
    int number[CONTROLS_MAX_DEVICES];
    bool any = false;
    take_base(&self->base, params);
    take_devices(self, params, number);
    for (int i = 0; i < self->step_count; i++) {
        const CalibrationStep *step = &self->steps[i];
        any = any || (step->kind == CALIBRATION_WAY && self->finds[i].found);
        if (step->kind == CALIBRATION_PLACE && step->sign < 0) {
            bind_throttle(self, params, number, i);
        } else if (step->kind == CALIBRATION_WAY && step->sign > 0) {
            bind_lever(self, params, number, i);
        } else if (step->kind == CALIBRATION_BUTTON) {
            bind_button(self, params, number, i);
        }
    }
    return any || status_fail(status, STATUS_BAD_USAGE, "calibrate: no lever was moved, there is nothing to write");
}
