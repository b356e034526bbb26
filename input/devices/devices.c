/// Reads the pads, joysticks and keyboard that SDL reports.
///
/// A device that fits an entry of the map's list stands for it and moves only what the map binds to it. A gamepad whose
/// sticks SDL knows counts as a pad, and all pads add up. Every other device is a stranger and moves nothing. Hot plug
/// is checked at every event and poll, whatever SDL's queue still holds, so that a lost device never leaves a lever
/// deflected.
#include <SDL.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/controls_params.h"
#include "input/devices/boxes.h"
#include "input/edges.h"

_Static_assert((int)SDL_CONTROLLER_BUTTON_MAX <= (int)INPUT_PAD_BUTTONS, "a sample holds every button");
_Static_assert((int)SDL_CONTROLLER_AXIS_MAX == (int)INPUT_PAD_AXES, "a sample holds every axis");

enum {
    DEVICES_NAME = CONTROLS_DEVICE_NAME, ///< bytes
    DEVICES_MOST_NEWS = 2 * INPUT_MAX_DEVICES,
    DEVICES_TOUCH = 8192 ///< of 32767 that an axis must move from where it was at first. Chosen
};

/// s after which what a device reads is taken for where it rests, if it was looked at all the while. A USB device tells
/// nothing before its node is opened: until its first report the kernel gives made-up zeros, and SDL makes up others.
/// Chosen: reports come within 10 ms.
#define DEVICES_SETTLES 0.25
/// s between two looks after which the time begins anew: meanwhile a hand may have moved what is looked at. Chosen.
#define DEVICES_LOOKED 0.1

/// Of -1..1: an axis that moves by less stands. Chosen: noise, and what a hand does that lies on it
#define DEVICES_STANDS 0.05

/// What a device reads, as a joystick, or as a pad in the order of game controllers.
typedef struct Reading {
    double axis[CONTROLS_MAX_JOYSTICK_AXES]; ///< -1..1 (a pad's triggers 0..1); NaN before its first report
    bool button[INPUT_JOYSTICK_BUTTONS]; ///< a joystick's hats are the last ones
} Reading;

/// An open pad or joystick.
typedef struct Device {
    bool used;
    bool touched; ///< a hand has been on it: a button was pressed, an axis moved by TOUCH
    bool fresh; ///< it has not been looked at for DEVICES_SETTLES: it counts as not there
    double came, looked; ///< s, as clock_now, while it is fresh: since when it has been looked at, and last
    SDL_JoystickID id;
    SDL_GameController *pad; ///< NULL: a joystick without a pad mapping
    SDL_Joystick *joystick; ///< belongs to `pad` when that is set
    int slot; ///< which of the map's devices it stands for; -1: none, it is a pad or a stranger
    Reading now; ///< as it told last, for what it stands for
    Reading stood; ///< where what it reads stands
    double axis_since[CONTROLS_MAX_JOYSTICK_AXES],
        button_since[INPUT_JOYSTICK_BUTTONS]; ///< s, as clock_now: and since
    Reading first; ///< as a joystick, when it had settled
    Reading first_pad; ///< the same as a pad; what was taken anew as it was then
    bool let_go[INPUT_PAD_BUTTONS]; ///< of a pad: the button has been up since it came
    Socket socket;
    char name[DEVICES_NAME];
} Device;

/// Where a device of the map was plugged in last.
typedef struct SlotPlace {
    bool known;
    Socket socket;
} SlotPlace;

struct InputDevices {
    Device devices[INPUT_MAX_DEVICES];
    int wanted_count;
    ControlDevice wanted[CONTROLS_MAX_DEVICES]; ///< what the map names
    unsigned came[CONTROLS_MAX_DEVICES]; ///< devices that have stood for each so far
    SlotPlace places[CONTROLS_MAX_DEVICES];
    unsigned pads_lost;
    int touched_lost; ///< of those that a hand had been on
    bool rested; ///< no tick was made; the next one takes anew where a pad's axes rest
    InputEdges edges;
    InputSample sample, tick; ///< the last ones
    int news_count;
    InputNews news[DEVICES_MOST_NEWS]; ///< oldest first
};

/// Adds what happened to a device. name, id  cut to those of InputNews
static void add_news(InputDevices *devices, InputNewsKind kind, const char *name, const char *id)
{
    if (devices->news_count == DEVICES_MOST_NEWS) {
        memmove(&devices->news[0], &devices->news[1], sizeof devices->news - sizeof devices->news[0]);
        devices->news_count--;
    }
    InputNews *news = &devices->news[devices->news_count++];
    *news = (InputNews){.kind = kind};
    snprintf(news->name, sizeof news->name, "%s", name);
    snprintf(news->id, sizeof news->id, "%s", id);
}

/// s of SDL's clock, which stamps its events.
static double clock_now(void)
{
    return 1e-3 * SDL_GetTicks();
}

/// ---- readings and samples ------------------------------------------------------------------------------------------
/// Each device reads its events; what all of them read together makes two samples: one for screens and menus, one for
/// each tick.

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

/// True for a device that neither SDL nor the map knows: it moves nothing.
static bool is_stranger(const Device *device)
{
    return device->pad == NULL && device->slot < 0;
}

static void set_hat(Reading *reading, int hat, int value)
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
        set_hat(reading, hat, hat < hats ? SDL_JoystickGetHat(joystick, hat) : 0);
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
    double now = clock_now();
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

/// Reads a device as it is now, for what it stands for.
static void read_device(Device *device)
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

static void read_pad_event(Device *device, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERAXISMOTION && event->caxis.axis < INPUT_PAD_AXES) {
        device->now.axis[event->caxis.axis] = axis_value(event->caxis.value);
    } else if ((event->type == SDL_CONTROLLERBUTTONDOWN || event->type == SDL_CONTROLLERBUTTONUP) &&
               event->cbutton.button < INPUT_PAD_BUTTONS) {
        device->now.button[event->cbutton.button] = event->cbutton.state == SDL_PRESSED;
    }
}

static void read_joystick_event(Device *device, const SDL_Event *event)
{
    if (event->type == SDL_JOYAXISMOTION && event->jaxis.axis < CONTROLS_MAX_JOYSTICK_AXES) {
        device->now.axis[event->jaxis.axis] = axis_value(event->jaxis.value);
    } else if ((event->type == SDL_JOYBUTTONDOWN || event->type == SDL_JOYBUTTONUP) &&
               event->jbutton.button < CONTROLS_MAX_BUTTONS) {
        device->now.button[event->jbutton.button] = event->jbutton.state == SDL_PRESSED;
    } else if (event->type == SDL_JOYHATMOTION && event->jhat.hat < CONTROLS_MAX_HATS) {
        set_hat(&device->now, event->jhat.hat, event->jhat.value);
    }
}

/// Takes one event of this device's axes and buttons.
static void read_event(Device *device, const SDL_Event *event)
{
    if (is_pad(device)) {
        read_pad_event(device, event);
    } else {
        read_joystick_event(device, event);
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
static void renew_rests(InputDevices *devices)
{
    double still = clock_now() - INPUT_RESTS;
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

static void report_waiting(InputDevices *devices, const Device *device)
{
    bool waits = false;
    for (int axis = 0; axis < INPUT_PAD_AXES && is_pad(device); axis++) {
        waits |= axis_waits(device, axis);
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS && is_pad(device); button++) {
        waits |= device->first_pad.button[button];
    }
    if (waits) {
        add_news(devices, INPUT_NEWS_HELD, device->name, "");
    }
}

/// What the device reads now is where it rests, if it has been looked at for a while. Whether it is so.
static bool settle(InputDevices *devices, Device *device)
{
    double now = clock_now();
    device->came = now - device->looked > DEVICES_LOOKED ? now : device->came;
    device->looked = now;
    if (now - device->came < DEVICES_SETTLES) {
        return false;
    }
    device->fresh = false;
    read_joystick(device, &device->first);
    if (device->pad != NULL) {
        read_pad(device, &device->first_pad);
        report_waiting(devices, device);
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
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS && is_stranger(device); button++) {
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

/// Notes what all devices read together, since `time` s.
static void note_devices(InputDevices *devices, double time)
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
static void fill_sample(const InputDevices *devices, const double *value, InputSample *sample)
{
    const InputEdges *edges = &devices->edges;
    double now = clock_now();
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
        read_device(device);
        settled |= device->fresh && settle(devices, device);
    }
    memcpy(pressed, devices->edges.pressed, sizeof(pressed));
    note_devices(devices, clock_now());
    if (settled) {
        memcpy(devices->edges.pressed, pressed, sizeof(pressed));
    }
}

const InputSample *input_devices_sample(InputDevices *devices)
{
    read_all(devices);
    fill_sample(devices, devices->edges.now, &devices->sample);
    memset(devices->edges.pressed, 0, sizeof(devices->edges.pressed));
    return &devices->sample;
}

const InputSample *input_devices_tick(InputDevices *devices)
{
    if (devices->rested) {
        devices->rested = false;
        renew_rests(devices);
        note_devices(devices, clock_now());
    }
    double since = edges_take(&devices->edges);
    fill_sample(devices, devices->edges.taken, &devices->tick);
    devices->tick.waited = isnan(since) ? 0.0 : fmax(clock_now() - since, 0.0);
    return &devices->tick;
}

void input_devices_forget(InputDevices *devices)
{
    devices->rested = true;
    edges_forget(&devices->edges);
}

/// ---- which device stands for which entry of the map's list ---------------------------------------------------------
/// Equal devices keep their sides by what the map says of their serial numbers or sockets; else by where they stood
/// before, else by the order of their sockets. The order in which SDL lists devices plays no part: it is that of time
/// for what is plugged in while the program runs, and changes from one start to the next for what was there before.

/// True when `part` stands in `name`; case does not matter.
static bool contains(const char *name, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(name) >= length; name++) {
        size_t k = 0;
        while (k < length && tolower((unsigned char)name[k]) == tolower((unsigned char)part[k])) {
            k++;
        }
        if (k == length) {
            return true;
        }
    }
    return false;
}

static bool matches(const Device *device, const ControlDevice *wanted)
{
    unsigned vendor = 0, product = 0;
    if (wanted->usb[0] != '\0' &&
        (!control_usb_numbers(wanted->usb, &vendor, &product) || SDL_JoystickGetVendor(device->joystick) != vendor ||
         SDL_JoystickGetProduct(device->joystick) != product)) {
        return false;
    }
    if ((wanted->serial[0] != '\0' && strcmp(wanted->serial, device->socket.serial) != 0) ||
        (wanted->port[0] != '\0' && !socket_is(&device->socket, wanted->port))) {
        return false;
    }
    char name[DEVICES_NAME]; // the pad's name that SDL chose may differ from the device's own
    box_copy_name(SDL_JoystickName(device->joystick), name);
    return wanted->name[0] == '\0' || contains(name, wanted->name) || contains(device->name, wanted->name);
}

static bool is_taken(const InputDevices *devices, int slot)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used && devices->devices[i].slot == slot) {
            return true;
        }
    }
    return false;
}

/// How well a device fits an entry that it fits: the map means this one, it stood here before, or it is one of several.
static int slot_rank(const InputDevices *devices, const Device *device, int slot)
{
    const ControlDevice *wanted = &devices->wanted[slot];
    const SlotPlace *place = &devices->places[slot];
    if (wanted->serial[0] != '\0' || wanted->port[0] != '\0') {
        return 3;
    }
    bool before = place->known && socket_compare(&place->socket, &device->socket) == 0 &&
                  strcmp(place->socket.serial, device->socket.serial) == 0;
    return before ? 2 : !place->known ? 1 : 0;
}

/// Gives a device to the entry of the map that it fits best and that is free, or makes it a pad.
static void assign_slot(InputDevices *devices, Device *device)
{
    int best = -1, most = -1;
    device->slot = -1;
    for (int slot = 0; slot < devices->wanted_count; slot++) {
        if (!is_taken(devices, slot) && matches(device, &devices->wanted[slot])) {
            int own = slot_rank(devices, device, slot);
            best = own > most ? slot : best;
            most = own > most ? own : most;
        }
    }
    if (best >= 0) {
        device->slot = best;
        devices->came[best]++;
        devices->places[best] = (SlotPlace){true, device->socket};
    }
    read_device(device);
}

bool input_devices_name(const InputDevices *devices, int number, char *text, int size)
{
    snprintf(text, (size_t)size, "%s", "");
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (device->used && device->slot == number && number >= 0) {
            snprintf(text, (size_t)size, "%s", device->name);
            return true;
        }
    }
    return false;
}

static ControlDevice describe_device(const Device *device)
{
    ControlDevice entry = {.id = ""};
    box_copy_name(SDL_JoystickName(device->joystick), entry.name);
    snprintf(entry.usb, sizeof(entry.usb), "%04x:%04x", SDL_JoystickGetVendor(device->joystick),
             SDL_JoystickGetProduct(device->joystick));
    memcpy(entry.serial, device->socket.serial, sizeof(entry.serial));
    memcpy(entry.port, device->socket.port, sizeof(entry.port));
    return entry;
}

/// An equal device that would stand in this one's place as well, since the map does not say which of them it means;
/// NULL: none.
static const Device *find_rival(const InputDevices *devices, const Device *device)
{
    const ControlDevice *wanted = &devices->wanted[device->slot];
    ControlDevice own = describe_device(device);
    for (int i = 0; i < INPUT_MAX_DEVICES && wanted->serial[0] == '\0' && wanted->port[0] == '\0'; i++) {
        const Device *other = &devices->devices[i];
        if (other->used && other != device && matches(other, wanted)) {
            ControlDevice its = describe_device(other);
            if (control_devices_alike(&own, &its)) {
                return other;
            }
        }
    }
    return NULL;
}

static const Device *find_in_slot(const InputDevices *devices, int slot)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used && devices->devices[i].slot == slot) {
            return &devices->devices[i];
        }
    }
    return NULL;
}

/// What is known of the map's devices now takes the place of what was said before the map was known.
static void report_places(InputDevices *devices)
{
    devices->news_count = devices->wanted_count > 0 ? 0 : devices->news_count;
    for (int slot = 0; slot < devices->wanted_count; slot++) {
        const Device *device = find_in_slot(devices, slot);
        if (device != NULL) {
            const Device *rival = find_rival(devices, device);
            bool chance = rival != NULL && strcmp(device->socket.port, rival->socket.port) == 0;
            InputNewsKind kind = rival == NULL ? INPUT_NEWS_STANDS_FOR
                                 : chance      ? INPUT_NEWS_STANDS_BY_CHANCE
                                               : INPUT_NEWS_STANDS_BY_SOCKET;
            add_news(devices, kind, device->name, devices->wanted[slot].id);
        } else {
            add_news(devices, INPUT_NEWS_MISSING, "", devices->wanted[slot].id);
        }
    }
    for (int i = 0; i < INPUT_MAX_DEVICES && devices->wanted_count > 0; i++) {
        const Device *device = &devices->devices[i];
        if (device->used && is_stranger(device)) {
            add_news(devices, INPUT_NEWS_STRANGER, device->name, "");
        }
    }
}

/// Devices in the order in which they were plugged in, whatever places they got: that after `last` (-1: the first), or
/// NULL.
static Device *find_next(InputDevices *devices, SDL_JoystickID last)
{
    Device *next = NULL;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (device->used && device->id > last && (!next || device->id < next->id)) {
            next = device;
        }
    }
    return next;
}

int input_devices_list(InputDevices *devices, ControlDevice *list, int capacity)
{
    int count = 0;
    for (Device *next = find_next(devices, -1); next && count < capacity; next = find_next(devices, next->id)) {
        ControlDevice *entry = &list[count++];
        *entry = describe_device(next);
        snprintf(entry->id, sizeof(entry->id), "dev%d", count % 10);
    }
    return count;
}

/// Entry `number` of the list, or NULL.
static Device *find_listed(InputDevices *devices, int number)
{
    Device *device = find_next(devices, -1);
    while (device && number-- > 0) {
        device = find_next(devices, device->id);
    }
    return device;
}

bool input_devices_is_pad(InputDevices *devices, int number)
{
    const Device *device = find_listed(devices, number);
    return device && device->pad;
}

bool input_devices_fits(InputDevices *devices, int number, const ControlDevice *wanted)
{
    const Device *device = find_listed(devices, number);
    return device && matches(device, wanted);
}

/// The device that is next to be given a place: that in the lowest socket of those not yet asked; NULL: none is left.
static Device *find_lowest(InputDevices *devices, const bool asked[INPUT_MAX_DEVICES])
{
    Device *lowest = NULL;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (!device->used || asked[i]) {
            continue;
        }
        int order = lowest != NULL ? socket_compare(&device->socket, &lowest->socket) : -1;
        if (order < 0 || (order == 0 && device->id < lowest->id)) {
            lowest = device;
        }
    }
    return lowest;
}

/// Gives the devices their places, in the order of their sockets.
static void place_all(InputDevices *devices)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        devices->devices[i].slot = -1;
    }
    bool asked[INPUT_MAX_DEVICES] = {false};
    for (Device *device = find_lowest(devices, asked); device; device = find_lowest(devices, asked)) {
        asked[device - devices->devices] = true;
        assign_slot(devices, device);
    }
}

void input_devices_use(InputDevices *devices, const ControlDevice *wanted, int count)
{
    devices->wanted_count = count < 0 ? 0 : count > CONTROLS_MAX_DEVICES ? CONTROLS_MAX_DEVICES : count;
    for (int i = 0; i < devices->wanted_count; i++) {
        devices->wanted[i] = wanted[i];
    }
    memset(devices->places, 0, sizeof(devices->places));
    place_all(devices);
    note_devices(devices, clock_now());
    input_devices_forget(devices);
    report_places(devices);
}

/// ---- devices that come and go --------------------------------------------------------------------------------------

static Device *find_device(InputDevices *devices, SDL_JoystickID id)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used && devices->devices[i].id == id) {
            return &devices->devices[i];
        }
    }
    return NULL;
}

/// Opens the device that SDL lists at `index`, when it is new.
static void add_device(InputDevices *devices, int index)
{
    char name[DEVICES_NAME];
    SDL_JoystickID id = SDL_JoystickGetDeviceInstanceID(index);
    if (id < 0 || find_device(devices, id)) {
        return;
    }
    Device *device = devices->devices;
    while (device < devices->devices + INPUT_MAX_DEVICES && device->used) {
        device++;
    }
    box_copy_name(SDL_JoystickNameForIndex(index), name);
    if (device == devices->devices + INPUT_MAX_DEVICES) {
        add_news(devices, INPUT_NEWS_TOO_MANY, name, "");
        return;
    }
    *device = (Device){.id = id, .slot = -1, .came = clock_now(), .looked = clock_now()};
    if (SDL_IsGameController(index)) {
        device->pad = SDL_GameControllerOpen(index);
        device->joystick = device->pad ? SDL_GameControllerGetJoystick(device->pad) : NULL;
        box_copy_name(device->pad ? SDL_GameControllerName(device->pad) : NULL, name);
    } else {
        device->joystick = SDL_JoystickOpen(index);
    }
    if (!device->joystick) {
        box_copy_name(SDL_JoystickNameForIndex(index), name);
        add_news(devices, INPUT_NEWS_CANNOT_OPEN, name, "");
        return;
    }
    memcpy(device->name, name, sizeof(name));
    device->socket = socket_find(SDL_JoystickPath(device->joystick));
    device->used = device->fresh = true;
    assign_slot(devices, device);
    bool wanted = device->slot >= 0;
    InputNewsKind kind = wanted                ? INPUT_NEWS_CONNECTED_AS
                         : is_stranger(device) ? INPUT_NEWS_STRANGER
                                               : INPUT_NEWS_CONNECTED;
    add_news(devices, kind, name, wanted ? devices->wanted[device->slot].id : "");
}

static void close_device(Device *device)
{
    if (device->pad) {
        SDL_GameControllerClose(device->pad);
    } else if (device->joystick) {
        SDL_JoystickClose(device->joystick);
    }
    *device = (Device){.used = false};
}

/// Closes every device that is no longer there, whether or not SDL's event about it has come by yet. What its levers
/// did last is not made up for.
static void drop_lost(InputDevices *devices)
{
    unsigned lost = devices->pads_lost;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (!device->used || SDL_JoystickGetAttached(device->joystick)) {
            continue;
        }
        bool stranger = is_stranger(device);
        add_news(devices, stranger ? INPUT_NEWS_STRANGER_LOST : INPUT_NEWS_LOST, device->name, "");
        devices->touched_lost += device->touched && !stranger;
        devices->pads_lost += !stranger;
        close_device(device);
    }
    if (devices->pads_lost != lost) {
        note_devices(devices, clock_now());
        edges_forget(&devices->edges);
    }
}

/// Looks at what is there until it counts: a program that loads a scene first would see where a hand has moved it by
/// then.
static void settle_all(InputDevices *devices)
{
    bool fresh = true;
    for (double end = clock_now() + 2.0 * DEVICES_SETTLES; fresh && clock_now() < end;) {
        input_devices_poll(devices);
        input_devices_sample(devices);
        fresh = false;
        for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
            fresh |= devices->devices[i].used && devices->devices[i].fresh;
        }
        SDL_Delay(fresh ? 5 : 0);
    }
}

InputDevices *input_devices_open(Status *status)
{
    InputDevices *devices = calloc(1, sizeof(*devices));
    if (!devices) {
        status_fail(status, STATUS_LACKING, "not enough memory for the input devices");
        return NULL;
    }
    // An instructor's window in front must not freeze the trainee's levers.
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    if (!SDL_WasInit(SDL_INIT_EVENTS)) {
        // Without a window nobody would look at the quit event that SDL makes of Ctrl-C: leave signals to the program.
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    }
    if (SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0) {
        status_fail(status, STATUS_LACKING, "game controllers cannot be used: %s", SDL_GetError());
        free(devices);
        return NULL;
    }
    for (int i = 0; i < SDL_NumJoysticks(); i++) {
        add_device(devices, i);
    }
    settle_all(devices);
    status_good(status);
    return devices;
}

void input_devices_close(InputDevices *devices)
{
    if (devices) {
        for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
            close_device(&devices->devices[i]);
        }
        SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
        free(devices);
    }
}

/// When an event happened, s of SDL's clock; events that a program made itself carry no time.
static double time_of(const SDL_Event *event)
{
    return event->common.timestamp != 0 ? 1e-3 * event->common.timestamp : clock_now();
}

static void note_key(InputDevices *devices, const SDL_KeyboardEvent *event, double time)
{
    if ((unsigned)event->keysym.scancode < INPUT_MAX_KEYS) {
        edges_note(&devices->edges, EDGES_KEY + (int)event->keysym.scancode, event->type == SDL_KEYDOWN, time);
    }
}

/// What is held is let go: its release will be told to another window.
static void release_keys(InputDevices *devices, double time)
{
    for (int key = 0; key < INPUT_MAX_KEYS; key++) {
        edges_note(&devices->edges, EDGES_KEY + key, 0.0, time);
    }
}

/// Events of joysticks and pads name the device in the same place.
static void note_event(InputDevices *devices, const SDL_Event *event, double time)
{
    Device *device = find_device(devices, event->jaxis.which);
    if (device && !device->fresh) {
        read_event(device, event);
        device->touched |= event->type == SDL_JOYBUTTONDOWN || event->type == SDL_CONTROLLERBUTTONDOWN;
        note_devices(devices, time);
    }
}

static void handle_one(InputDevices *devices, const SDL_Event *event)
{
    double time = time_of(event);
    switch (event->type) {
    case SDL_JOYDEVICEADDED:
        add_device(devices, event->jdevice.which);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        note_key(devices, &event->key, time);
        break;
    case SDL_JOYAXISMOTION:
    case SDL_JOYBUTTONDOWN:
    case SDL_JOYBUTTONUP:
    case SDL_JOYHATMOTION:
    case SDL_CONTROLLERAXISMOTION:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
        note_event(devices, event, time);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            release_keys(devices, time);
        }
        break;
    default:
        break;
    }
}

void input_devices_handle(InputDevices *devices, const void *event)
{
    if (!event) {
        input_devices_poll(devices);
        return;
    }
    handle_one(devices, event);
    drop_lost(devices);
}

void input_devices_poll(InputDevices *devices)
{
    // Only what belongs to input is taken off the queue; a quit event stays in it.
    SDL_Event event;
    SDL_PumpEvents();
    while (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_KEYDOWN, SDL_KEYUP) > 0 ||
           SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_JOYAXISMOTION, SDL_CONTROLLERSENSORUPDATE) > 0) {
        handle_one(devices, &event);
    }
    drop_lost(devices);
}

bool input_devices_changed(InputDevices *devices, InputNews *news)
{
    if (devices->news_count == 0) {
        return false;
    }
    *news = devices->news[0];
    devices->news_count--;
    memmove(&devices->news[0], &devices->news[1], (size_t)devices->news_count * sizeof devices->news[0]);
    return true;
}

int input_devices_lost(const InputDevices *devices)
{
    return devices->touched_lost;
}

int input_devices_pad_count(const InputDevices *devices)
{
    int count = 0;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        count += devices->devices[i].used && !is_stranger(&devices->devices[i]);
    }
    return count;
}

int input_devices_strangers(const InputDevices *devices, int number, char *text, int size)
{
    int count = 0;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (device->used && is_stranger(device) && count++ == number && size > 0) {
            snprintf(text, (size_t)size, "%s", device->name);
        }
    }
    return count;
}

static Uint16 rumble_strength(double value)
{
    return value > 0.0 ? (Uint16)((value < 1.0 ? value : 1.0) * 65535.0) : 0; // not a number: none
}

void input_devices_rumble(InputDevices *devices, double low, double high, int milliseconds)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used && !is_stranger(&devices->devices[i]) && milliseconds >= 0) {
            SDL_JoystickRumble(devices->devices[i].joystick, rumble_strength(low), rumble_strength(high),
                               (Uint32)milliseconds);
        }
    }
}

bool input_devices_lists(InputDevices *devices, const InputBox *box)
{
    (void)devices; // that SDL is up is all that is needed of them
    for (int k = 0; k < SDL_NumJoysticks(); k++) {
        const char *path = SDL_JoystickPathForIndex(k);
        char usb[sizeof box->usb];
        snprintf(usb, sizeof usb, "%04x:%04x", SDL_JoystickGetDeviceVendor(k), SDL_JoystickGetDeviceProduct(k));
        bool node = path != NULL && strncmp(path, "/dev/input/", 11) == 0;
        if (node ? strcmp(path, box->node) == 0 : strcmp(usb, box->usb) == 0) { // by hidraw it has no such node
            return true;
        }
    }
    return false;
}
