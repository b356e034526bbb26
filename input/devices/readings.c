/// What each device reads, by its events, what all of them read together, and the samples made of that: one for who
/// looks at them, one for each tick.
#include "input/devices/devices.h"

#include <math.h>
#include <string.h>

/// Of -1..1: a plain joystick's axis counts once it was this near its middle. Chosen; see test_input_devices.
static const double near_middle = 0.25;

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

/// Notes which axes of a joystick have been near their middle; before its first report an axis reads a meaningless 0.
static void arm_axes(Device *device)
{
    for (int axis = 0; axis < DEVICES_STICK_AXES; axis++) {
        device->armed[axis] |= fabs(device->axis[axis]) < near_middle; // NaN: not
    }
}

static void take_hat(Device *device, int hat)
{
    static const int ways[CONTROLS_HAT_WAYS] = {SDL_HAT_UP, SDL_HAT_RIGHT, SDL_HAT_DOWN, SDL_HAT_LEFT};
    for (int way = 0; way < CONTROLS_HAT_WAYS; way++) {
        device->button[CONTROLS_MAX_BUTTONS + way] = (hat & ways[way]) != 0;
    }
}

static void read_pad(Device *device)
{
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        device->axis[axis] = axis_value(SDL_GameControllerGetAxis(device->pad, (SDL_GameControllerAxis)axis));
    }
    for (int button = 0; button < SDL_CONTROLLER_BUTTON_MAX; button++) {
        device->button[button] = SDL_GameControllerGetButton(device->pad, (SDL_GameControllerButton)button) != 0;
    }
}

static void read_joystick(Device *device)
{
    SDL_Joystick *joystick = device->joystick;
    int axes = SDL_JoystickNumAxes(joystick), buttons = SDL_JoystickNumButtons(joystick);
    for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        bool told = axis < axes && SDL_JoystickGetAxisInitialState(joystick, axis, NULL);
        device->axis[axis] = told ? axis_value(SDL_JoystickGetAxis(joystick, axis)) : (double)NAN;
    }
    for (int i = 0; i < CONTROLS_MAX_BUTTONS; i++) {
        device->button[i] = i < buttons && SDL_JoystickGetButton(joystick, i) != 0;
    }
    take_hat(device, SDL_JoystickNumHats(joystick) > 0 ? SDL_JoystickGetHat(joystick, 0) : 0);
    arm_axes(device);
}

void device_read(Device *device)
{
    if (is_pad(device)) {
        read_pad(device);
    } else {
        read_joystick(device);
    }
}

static void hear_pad(Device *device, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERAXISMOTION && event->caxis.axis < INPUT_PAD_AXES) {
        device->axis[event->caxis.axis] = axis_value(event->caxis.value);
    } else if ((event->type == SDL_CONTROLLERBUTTONDOWN || event->type == SDL_CONTROLLERBUTTONUP) &&
               event->cbutton.button < INPUT_PAD_BUTTONS) {
        device->button[event->cbutton.button] = event->cbutton.state == SDL_PRESSED;
    }
}

static void hear_joystick(Device *device, const SDL_Event *event)
{
    if (event->type == SDL_JOYAXISMOTION && event->jaxis.axis < CONTROLS_MAX_JOYSTICK_AXES) {
        device->axis[event->jaxis.axis] = axis_value(event->jaxis.value);
    } else if ((event->type == SDL_JOYBUTTONDOWN || event->type == SDL_JOYBUTTONUP) &&
               event->jbutton.button < CONTROLS_MAX_BUTTONS) {
        device->button[event->jbutton.button] = event->jbutton.state == SDL_PRESSED;
    } else if (event->type == SDL_JOYHATMOTION && event->jhat.hat == 0) {
        take_hat(device, event->jhat.value);
    }
}

void device_hear(Device *device, const SDL_Event *event)
{
    if (is_pad(device)) {
        hear_pad(device, event);
    } else {
        hear_joystick(device, event);
    }
}

/// ---- all together --------------------------------------------------------------------------------------------------

/// What the pads read together.
typedef struct Pads {
    double axis[INPUT_PAD_AXES];
    bool button[INPUT_PAD_BUTTONS];
} Pads;

static void add_pad(const Device *device, Pads *pads)
{
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        pads->axis[axis] += device->axis[axis];
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
        pads->button[button] |= device->button[button];
    }
}

/// A plain joystick stands in for the sticks, with the usual order of its buttons.
static void add_joystick(const Device *device, Pads *pads)
{
    static const int buttons[] = {SDL_CONTROLLER_BUTTON_A,
                                  SDL_CONTROLLER_BUTTON_B,
                                  SDL_CONTROLLER_BUTTON_X,
                                  SDL_CONTROLLER_BUTTON_Y,
                                  SDL_CONTROLLER_BUTTON_LEFTSHOULDER,
                                  SDL_CONTROLLER_BUTTON_RIGHTSHOULDER,
                                  SDL_CONTROLLER_BUTTON_BACK,
                                  SDL_CONTROLLER_BUTTON_START};
    static const int ways[CONTROLS_HAT_WAYS] = {SDL_CONTROLLER_BUTTON_DPAD_UP, SDL_CONTROLLER_BUTTON_DPAD_RIGHT,
                                                SDL_CONTROLLER_BUTTON_DPAD_DOWN, SDL_CONTROLLER_BUTTON_DPAD_LEFT};
    for (int own = 0; own < DEVICES_STICK_AXES; own++) {
        int axis = own + device->first_axis;
        if (axis < DEVICES_STICK_AXES && device->armed[own] && !isnan(device->axis[own])) {
            pads->axis[axis] += device->axis[own];
        }
    }
    for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++) {
        pads->button[buttons[i]] |= device->button[i];
    }
    for (int way = 0; way < CONTROLS_HAT_WAYS; way++) {
        pads->button[ways[way]] |= device->button[CONTROLS_MAX_BUTTONS + way];
    }
}

static bool is_there(const Device *device)
{
    return device->used && !device->fresh && SDL_JoystickGetAttached(device->joystick);
}

static int slot_input(int slot)
{
    return EDGES_JOYSTICK + slot * EDGES_OF_JOYSTICK;
}

static void note_pads(InputDevices *devices, double time)
{
    Pads pads = {0};
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (is_there(device) && device->slot < 0 && device->pad != NULL) {
            add_pad(device, &pads);
        } else if (is_there(device) && device->slot < 0) {
            add_joystick(device, &pads);
        }
    }
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        edges_note(&devices->edges, axis, clamped(pads.axis[axis]), time);
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
        edges_note(&devices->edges, EDGES_PAD_BUTTON + button, pads.button[button], time);
    }
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
        edges_note(&devices->edges, input++, device ? device->axis[axis] : (double)NAN, time);
    }
    for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
        edges_note(&devices->edges, input++, device && device->button[button], time);
    }
}

void devices_note(InputDevices *devices, double time)
{
    note_pads(devices, time);
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
    *sample = (InputSample){.pads_lost = devices->pads_lost};
    memcpy(sample->pad_axis, value, sizeof(sample->pad_axis));
    fill_buttons(edges, value, EDGES_PAD_BUTTON, INPUT_PAD_BUTTONS, sample->pad_button, sample->pad_pressed);
    fill_buttons(edges, value, EDGES_KEY, INPUT_MAX_KEYS, sample->key, sample->key_pressed);
    for (int slot = 0; slot < CONTROLS_MAX_DEVICES; slot++) {
        InputJoystick *joystick = &sample->joystick[slot];
        int input = slot_input(slot);
        joystick->came = devices->came[slot];
        joystick->present = find_slot(devices, slot) != NULL;
        memcpy(joystick->axis, value + input, sizeof(joystick->axis));
        fill_buttons(edges, value, input + CONTROLS_MAX_JOYSTICK_AXES, INPUT_JOYSTICK_BUTTONS, joystick->button,
                     joystick->pressed);
    }
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        sample->pad_present |= is_there(&devices->devices[i]);
    }
}

/// True while a stick or trigger of a pad is away from its rest.
static bool is_held(const Device *device)
{
    bool held = false;
    for (int k = 0; k < SDL_CONTROLLER_AXIS_MAX && device->pad != NULL; k++) {
        held |= fabs(device->axis[k]) * 32767.0 > DEVICES_TOUCH;
    }
    return held;
}

/// What SDL knows and has told no event of.
static void read_all(InputDevices *devices)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (device->used) {
            device->fresh = false;
            device_read(device);
            device->touched |= is_held(device);
        }
    }
    devices_note(devices, devices_now());
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
    double since = edges_take(&devices->edges);
    fill(devices, devices->edges.taken, &devices->tick);
    devices->tick.waited = isnan(since) ? 0.0 : fmax(devices_now() - since, 0.0);
    return &devices->tick;
}

void input_devices_forget(InputDevices *devices)
{
    edges_forget(&devices->edges);
}
