/// What each device reads, by its events, what all of them read together, and the samples made of that: one for who
/// looks at them, one for each tick.
#include "input/devices/devices.h"

#include <math.h>
#include <string.h>

/// Of -1..1: a pad's axis within this of its middle, or a trigger of its end, is at rest. Chosen; see
/// test_input_devices.
static const double near_rest = 0.25;

static double axis_value(int raw)
{
    double value = raw / 32767.0;
    return value < -1.0 ? -1.0 : value;
}

static double clamped(double value)
{
    return value < -1.0 ? -1.0 : value > 1.0 ? 1.0 : value;
}

/// ---- one device ----------------------------------------------------------------------------------------------------

/// True when it is read as a game controller: no map names it.
static bool is_pad(const Device *device)
{
    return device->pad != NULL && device->slot < 0;
}

bool device_is_stranger(const Device *device)
{
    return device->pad == NULL && device->slot < 0;
}

static void take_hat(Reading *reading, int hat, int value)
{
    static const int ways[CONTROLS_HAT_WAYS] = {SDL_HAT_UP, SDL_HAT_RIGHT, SDL_HAT_DOWN, SDL_HAT_LEFT};
    for (int way = 0; way < CONTROLS_HAT_WAYS; way++) {
        reading->button[CONTROLS_MAX_BUTTONS + hat * CONTROLS_HAT_WAYS + way] = (value & ways[way]) != 0;
    }
}

static void read_pad(const Device *device, Reading *reading)
{
    *reading = (Reading){.axis = {0.0}};
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        reading->axis[axis] = axis_value(SDL_GameControllerGetAxis(device->pad, (SDL_GameControllerAxis)axis));
    }
    for (int button = 0; button < SDL_CONTROLLER_BUTTON_MAX; button++) {
        reading->button[button] = SDL_GameControllerGetButton(device->pad, (SDL_GameControllerButton)button) != 0;
    }
}

static void read_joystick(const Device *device, Reading *reading)
{
    SDL_Joystick *joystick = device->joystick;
    int axes = SDL_JoystickNumAxes(joystick), buttons = SDL_JoystickNumButtons(joystick);
    int hats = SDL_JoystickNumHats(joystick);
    for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        bool told = axis < axes && SDL_JoystickGetAxisInitialState(joystick, axis, NULL);
        reading->axis[axis] = told ? axis_value(SDL_JoystickGetAxis(joystick, axis)) : (double)NAN;
    }
    for (int i = 0; i < CONTROLS_MAX_BUTTONS; i++) {
        reading->button[i] = i < buttons && SDL_JoystickGetButton(joystick, i) != 0;
    }
    for (int hat = 0; hat < CONTROLS_MAX_HATS; hat++) {
        take_hat(reading, hat, hat < hats ? SDL_JoystickGetHat(joystick, hat) : 0);
    }
}

/// What was held when a pad came works menus once it has been let go.
static void note_let_go(Device *device)
{
    for (int button = 0; button < INPUT_PAD_BUTTONS && is_pad(device); button++) {
        device->let_go[button] |= !device->now.button[button];
    }
}

/// True while an axis is away from where it was at first.
static bool is_held(const Device *device)
{
    const Reading *first = is_pad(device) ? &device->first_pad : &device->first;
    int axes = is_pad(device) ? (int)INPUT_PAD_AXES : (int)CONTROLS_MAX_JOYSTICK_AXES;
    bool held = false;
    for (int axis = 0; axis < axes; axis++) {
        held |= fabs(device->now.axis[axis] - first->axis[axis]) * 32767.0 > DEVICES_TOUCH; // NaN: not
    }
    return held;
}

/// Notes since when what a device reads has stood where it is.
static void note_stands(Device *device)
{
    double now = devices_now();
    for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        double at = device->now.axis[axis];
        if (!(fabs(at - device->stood.axis[axis]) <= DEVICES_STANDS)) {
            device->stood.axis[axis] = at;
            device->axis_since[axis] = now;
        }
    }
    for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
        if (device->now.button[button] != device->stood.button[button]) {
            device->stood.button[button] = device->now.button[button];
            device->button_since[button] = now;
        }
    }
}

void device_read(Device *device)
{
    if (is_pad(device)) {
        read_pad(device, &device->now);
    } else {
        read_joystick(device, &device->now);
    }
    note_let_go(device);
    note_stands(device);
    device->touched |= !device->fresh && is_held(device);
}

static void hear_pad(Device *device, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERAXISMOTION && event->caxis.axis < INPUT_PAD_AXES) {
        device->now.axis[event->caxis.axis] = axis_value(event->caxis.value);
    } else if ((event->type == SDL_CONTROLLERBUTTONDOWN || event->type == SDL_CONTROLLERBUTTONUP) &&
               event->cbutton.button < INPUT_PAD_BUTTONS) {
        device->now.button[event->cbutton.button] = event->cbutton.state == SDL_PRESSED;
    }
}

static void hear_joystick(Device *device, const SDL_Event *event)
{
    if (event->type == SDL_JOYAXISMOTION && event->jaxis.axis < CONTROLS_MAX_JOYSTICK_AXES) {
        device->now.axis[event->jaxis.axis] = axis_value(event->jaxis.value);
    } else if ((event->type == SDL_JOYBUTTONDOWN || event->type == SDL_JOYBUTTONUP) &&
               event->jbutton.button < CONTROLS_MAX_BUTTONS) {
        device->now.button[event->jbutton.button] = event->jbutton.state == SDL_PRESSED;
    } else if (event->type == SDL_JOYHATMOTION && event->jhat.hat < CONTROLS_MAX_HATS) {
        take_hat(&device->now, event->jhat.hat, event->jhat.value);
    }
}

void device_hear(Device *device, const SDL_Event *event)
{
    if (is_pad(device)) {
        hear_pad(device, event);
    } else {
        hear_joystick(device, event);
    }
    note_let_go(device);
    note_stands(device);
    device->touched |= is_held(device);
}

/// ---- where a pad rests ---------------------------------------------------------------------------------------------
///
/// SDL's mapping says where: axes in the middle, a trigger at its end, buttons up. What was elsewhere when the pad came
/// is held, or the mapping is not this device's: SDL goes by vendor and product, which makers of boxes copy from one
/// another. It reads 0 until driving starts or resumes after it has been at rest for INPUT_RESTS. An axis that was near
/// its rest counts from where it was.

static bool axis_waits(const Device *device, int axis)
{
    return fabs(device->first_pad.axis[axis]) >= near_rest;
}

static double pad_axis(const Device *device, int axis)
{
    double value = device->now.axis[axis], first = device->first_pad.axis[axis];
    double from = fmin(first, 0.0), to = fmax(first, 0.0);
    if (axis_waits(device, axis)) {
        return 0.0;
    }
    return value > to ? (value - to) / (1.0 - to) : value < from ? (value - from) / (1.0 + from) : 0.0;
}

static bool pad_button(const Device *device, int button)
{
    return device->now.button[button] && !device->first_pad.button[button];
}

/// Driving starts or resumes: what was not at rest at first counts if it has been for INPUT_RESTS.
static void take_rests_anew(InputDevices *devices)
{
    double still = devices_now() - INPUT_RESTS;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (!device->used || device->fresh || !is_pad(device)) {
            continue;
        }
        for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
            if (axis_waits(device, axis) && device->axis_since[axis] <= still) {
                device->first_pad.axis[axis] = device->now.axis[axis];
            }
        }
        for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
            bool up = !device->now.button[button] && device->button_since[button] <= still;
            device->first_pad.button[button] = device->first_pad.button[button] && !up;
        }
    }
}

static void tell_waits(InputDevices *devices, const Device *device)
{
    bool waits = false;
    for (int axis = 0; axis < INPUT_PAD_AXES && is_pad(device); axis++) {
        waits |= axis_waits(device, axis);
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS && is_pad(device); button++) {
        waits |= device->first_pad.button[button];
    }
    if (waits) {
        devices_say(devices, INPUT_NEWS_HELD, device->name, "");
    }
}

/// What the device reads now is where it rests, if it has been looked at for a while. Whether it is so.
static bool settle(InputDevices *devices, Device *device)
{
    double now = devices_now();
    device->came = now - device->looked > DEVICES_LOOKED ? now : device->came;
    device->looked = now;
    if (now - device->came < DEVICES_SETTLES) {
        return false;
    }
    device->fresh = false;
    read_joystick(device, &device->first);
    if (device->pad != NULL) {
        read_pad(device, &device->first_pad);
        tell_waits(devices, device);
    }
    return true;
}

/// ---- all together --------------------------------------------------------------------------------------------------

/// What the pads read together.
typedef struct Pads {
    double axis[INPUT_PAD_AXES];
    bool button[INPUT_PAD_BUTTONS];
} Pads;

static bool is_there(const Device *device)
{
    return device->used && !device->fresh && SDL_JoystickGetAttached(device->joystick);
}

static void note_pads(InputDevices *devices, double time)
{
    Pads pads = {0};
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (!is_there(device) || !is_pad(device)) {
            continue;
        }
        for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
            pads.axis[axis] += pad_axis(device, axis);
        }
        for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
            pads.button[button] |= pad_button(device, button);
        }
    }
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        edges_note(&devices->edges, axis, clamped(pads.axis[axis]), time);
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
        edges_note(&devices->edges, EDGES_PAD_BUTTON + button, pads.button[button], time);
    }
}

/// What works menus of a pad's buttons that do not count yet, as a joystick's.
static void add_waiting_buttons(const Device *device, bool down[INPUT_JOYSTICK_BUTTONS])
{
    static const struct {
        SDL_GameControllerButton pad;
        int joystick;
    } buttons[] = {{SDL_CONTROLLER_BUTTON_A, 0},
                   {SDL_CONTROLLER_BUTTON_B, 1},
                   {SDL_CONTROLLER_BUTTON_DPAD_UP, CONTROLS_MAX_BUTTONS},
                   {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, CONTROLS_MAX_BUTTONS + 1},
                   {SDL_CONTROLLER_BUTTON_DPAD_DOWN, CONTROLS_MAX_BUTTONS + 2},
                   {SDL_CONTROLLER_BUTTON_DPAD_LEFT, CONTROLS_MAX_BUTTONS + 3}};
    for (size_t k = 0; k < sizeof(buttons) / sizeof(buttons[0]); k++) {
        int button = buttons[k].pad;
        down[buttons[k].joystick] |=
            device->now.button[button] && device->first_pad.button[button] && device->let_go[button];
    }
}

/// Buttons of strangers work menus, and move no lever.
static void note_strangers(InputDevices *devices, double time)
{
    bool down[INPUT_JOYSTICK_BUTTONS] = {false};
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (!is_there(device)) {
            continue;
        }
        if (is_pad(device)) {
            add_waiting_buttons(device, down);
        }
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS && device_is_stranger(device); button++) {
            down[button] |= device->now.button[button];
        }
    }
    for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
        edges_note(&devices->edges, EDGES_STRANGER + button, down[button], time);
    }
}

static int slot_input(int slot)
{
    return EDGES_JOYSTICK + slot * EDGES_OF_JOYSTICK;
}

static const Device *find_slot(const InputDevices *devices, int slot)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (is_there(&devices->devices[i]) && devices->devices[i].slot == slot) {
            return &devices->devices[i];
        }
    }
    return NULL;
}

static void note_slot(InputDevices *devices, int slot, double time)
{
    const Device *device = find_slot(devices, slot);
    int input = slot_input(slot);
    for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        edges_note(&devices->edges, input++, device ? device->now.axis[axis] : (double)NAN, time);
    }
    for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
        edges_note(&devices->edges, input++, device && device->now.button[button], time);
    }
}

void devices_note(InputDevices *devices, double time)
{
    note_pads(devices, time);
    note_strangers(devices, time);
    for (int slot = 0; slot < CONTROLS_MAX_DEVICES; slot++) {
        note_slot(devices, slot, time);
    }
}

/// ---- samples -------------------------------------------------------------------------------------------------------

/// Buttons as they are and how often they were pressed.
static void fill_buttons(const InputEdges *edges, const double *value, int input, int count, unsigned char *down,
                         unsigned char *pressed)
{
    for (int i = 0; i < count; i++) {
        down[i] = value[input + i] > 0.5;
        pressed[i] = edges->pressed[input + i];
    }
}

/// Fills a sample from the values of all inputs.
static void fill(const InputDevices *devices, const double *value, InputSample *sample)
{
    const InputEdges *edges = &devices->edges;
    double now = devices_now();
    *sample = (InputSample){.pads_lost = devices->pads_lost};
    memcpy(sample->pad_axis, value, sizeof(sample->pad_axis));
    fill_buttons(edges, value, EDGES_PAD_BUTTON, INPUT_PAD_BUTTONS, sample->pad_button, sample->pad_pressed);
    fill_buttons(edges, value, EDGES_KEY, INPUT_MAX_KEYS, sample->key, sample->key_pressed);
    for (int slot = 0; slot < CONTROLS_MAX_DEVICES; slot++) {
        InputJoystick *joystick = &sample->joystick[slot];
        int input = slot_input(slot);
        joystick->came = devices->came[slot];
        const Device *device = find_slot(devices, slot);
        joystick->present = device != NULL;
        memcpy(joystick->axis, value + input, sizeof(joystick->axis));
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
            joystick->first[axis] = device != NULL ? device->first.axis[axis] : (double)NAN;
            joystick->stands[axis] = device != NULL ? now - device->axis_since[axis] : 0.0;
        }
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
            joystick->first_button[button] = device != NULL && device->first.button[button];
            joystick->button_stands[button] = device != NULL ? now - device->button_since[button] : 0.0;
        }
        fill_buttons(edges, value, input + CONTROLS_MAX_JOYSTICK_AXES, INPUT_JOYSTICK_BUTTONS, joystick->button,
                     joystick->pressed);
    }
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        bool pad = is_there(device) && is_pad(device);
        sample->pad_present |= pad;
        for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
            sample->pad_waits[axis] |= pad && axis_waits(device, axis);
        }
    }
    memcpy(sample->stranger_pressed, edges->pressed + EDGES_STRANGER, sizeof(sample->stranger_pressed));
}

/// What SDL knows and has told no event of. What a device that has only just come reads is no press of a button.
static void read_all(InputDevices *devices)
{
    unsigned char pressed[EDGES_INPUTS];
    bool settled = false;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (!device->used) {
            continue;
        }
        device_read(device);
        settled |= device->fresh && settle(devices, device);
    }
    memcpy(pressed, devices->edges.pressed, sizeof(pressed));
    devices_note(devices, devices_now());
    if (settled) {
        memcpy(devices->edges.pressed, pressed, sizeof(pressed));
    }
}

const InputSample *input_devices_sample(InputDevices *devices)
{
    read_all(devices);
    fill(devices, devices->edges.now, &devices->sample);
    memset(devices->edges.pressed, 0, sizeof(devices->edges.pressed));
    return &devices->sample;
}

const InputSample *input_devices_tick(InputDevices *devices)
{
    if (devices->rested) {
        devices->rested = false;
        take_rests_anew(devices);
        devices_note(devices, devices_now());
    }
    double since = edges_take(&devices->edges);
    fill(devices, devices->edges.taken, &devices->tick);
    devices->tick.waited = isnan(since) ? 0.0 : fmax(devices_now() - since, 0.0);
    return &devices->tick;
}

void input_devices_forget(InputDevices *devices)
{
    devices->rested = true;
    edges_forget(&devices->edges);
}
