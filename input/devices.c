/// Follows the pads, joysticks and keyboard that SDL tells of, and samples them.
///
/// A device that fits an entry of the map's list stands for it and moves only what the map binds to it; every other
/// device counts as a pad, and all pads add up. Hot plug is looked for at every event and poll, whatever SDL's queue
/// still holds, so that a lost device never leaves a lever deflected. This is the only file of the floor that knows
/// SDL.
#include "input/input.h"

#include <SDL.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/control_names.h"

enum { NAME_LENGTH = 48, MESSAGE_LENGTH = 96, MOST_MESSAGES = 2 * INPUT_MAX_DEVICES, STICK_AXES = 4 };

_Static_assert((int)SDL_CONTROLLER_BUTTON_MAX <= (int)INPUT_PAD_BUTTONS, "a sample holds every button");
_Static_assert((int)SDL_CONTROLLER_AXIS_MAX == (int)INPUT_PAD_AXES, "a sample holds every axis");

/// Of -1..1: a plain joystick's axis counts once it was this near its middle. Chosen; see test_input_devices.
static const double near_middle = 0.25;

/// An open pad or joystick.
typedef struct Device {
    bool used;
    SDL_JoystickID id;
    SDL_GameController *pad; ///< NULL: a joystick without a pad mapping
    SDL_Joystick *joystick; ///< belongs to `pad` when that is set
    int first_axis; ///< joystick: where its axis 0 goes in SDL's order; 2 for the right-hand one of two levers
    int slot; ///< which of the map's devices it stands for; -1: none, it counts as a pad
    bool armed[STICK_AXES]; ///< joystick: this axis was near its middle
    char name[NAME_LENGTH];
} Device;

struct InputDevices {
    Device devices[INPUT_MAX_DEVICES];
    int wanted_count;
    ControlDevice wanted[CONTROLS_MAX_DEVICES]; ///< what the map names
    unsigned came[CONTROLS_MAX_DEVICES]; ///< devices that have stood for each so far
    unsigned pads_lost;
    InputSample sample; ///< the last one
    unsigned char key[INPUT_MAX_KEYS]; ///< 0/1: is down
    unsigned char key_tapped[INPUT_MAX_KEYS], pad_tapped[INPUT_PAD_BUTTONS]; ///< 0/1: went down since the last sample
    int message_count;
    char messages[MOST_MESSAGES][MESSAGE_LENGTH]; ///< oldest first
};

static void say(InputDevices *devices, const char *name, const char *what)
{
    if (devices->message_count == MOST_MESSAGES) {
        memmove(devices->messages[0], devices->messages[1], sizeof(devices->messages) - MESSAGE_LENGTH);
        devices->message_count--;
    }
    snprintf(devices->messages[devices->message_count++], MESSAGE_LENGTH, "%.47s %.47s", name, what);
}

/// Devices name themselves, with any bytes: only printable ASCII reaches the screen.
static void copy_name(const char *from, char name[NAME_LENGTH])
{
    size_t length = 0;
    for (; from && *from && length < NAME_LENGTH - 1; from++) {
        name[length++] = *from;
        if (*from < ' ' || *from > '~') {
            name[length - 1] = '?';
        }
    }
    name[length] = '\0';
    if (strspn(name, " ?") == length) {
        snprintf(name, NAME_LENGTH, "Unnamed pad");
    }
}

static double axis_value(int raw)
{
    double value = raw / 32767.0;
    return value < -1.0 ? -1.0 : value;
}

static double clamped(double value)
{
    return value < -1.0 ? -1.0 : value > 1.0 ? 1.0 : value;
}

static Device *find_device(InputDevices *devices, SDL_JoystickID id)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used && devices->devices[i].id == id) {
            return &devices->devices[i];
        }
    }
    return NULL;
}

static bool is_single_lever(const Device *device)
{
    int axes = device->used && !device->pad && device->slot < 0 ? SDL_JoystickNumAxes(device->joystick) : 0;
    return axes > 0 && axes < STICK_AXES;
}

/// Axis of a joystick without mapping as it stands for pad axis `axis`; -1 when it has none there.
static int joystick_axis(const Device *device, int axis)
{
    int own = axis - device->first_axis;
    return own >= 0 && own < SDL_JoystickNumAxes(device->joystick) && own < STICK_AXES ? own : -1;
}

/// The first single lever is the left-hand one, the next the right-hand one.
static int choose_first_axis(const InputDevices *devices, const Device *device)
{
    bool left_taken = false, right_taken = false;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *other = &devices->devices[i];
        if (other != device && is_single_lever(other)) {
            left_taken = left_taken || other->first_axis == 0;
            right_taken = right_taken || other->first_axis == 2;
        }
    }
    return is_single_lever(device) && left_taken && !right_taken ? 2 : 0;
}

/// Notes which axes of a joystick have been near their middle; before its first report an axis reads a meaningless 0.
static void arm_axes(Device *device)
{
    if (device->pad) {
        return;
    }
    int count = SDL_JoystickNumAxes(device->joystick);
    for (int axis = 0; axis < count && axis < STICK_AXES; axis++) {
        double value = axis_value(SDL_JoystickGetAxis(device->joystick, axis));
        if (SDL_JoystickGetAxisInitialState(device->joystick, axis, NULL) && value > -near_middle &&
            value < near_middle) {
            device->armed[axis] = true;
        }
    }
}

/// ---- devices that the map names -----------------------------------------------------------------------------------

/// True when `part` stands in `name`; case does not matter.
static bool holds(const char *name, const char *part)
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

static bool fits(const Device *device, const ControlDevice *wanted)
{
    unsigned vendor = 0, product = 0;
    if (wanted->usb[0] != '\0' &&
        (!control_usb_numbers(wanted->usb, &vendor, &product) || SDL_JoystickGetVendor(device->joystick) != vendor ||
         SDL_JoystickGetProduct(device->joystick) != product)) {
        return false;
    }
    char name[NAME_LENGTH]; // the pad's name that SDL chose may differ from the device's own
    copy_name(SDL_JoystickName(device->joystick), name);
    return wanted->name[0] == '\0' || holds(name, wanted->name) || holds(device->name, wanted->name);
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

/// Gives a device to the first entry of the map that it fits and that is free.
static void choose_slot(InputDevices *devices, Device *device)
{
    device->slot = -1;
    for (int slot = 0; slot < devices->wanted_count && device->slot < 0; slot++) {
        if (!is_taken(devices, slot) && fits(device, &devices->wanted[slot])) {
            device->slot = slot;
            devices->came[slot]++;
        }
    }
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

/// What is known of the map's devices now takes the place of what was said before the map was known.
static void tell_places(InputDevices *devices)
{
    devices->message_count = devices->wanted_count > 0 ? 0 : devices->message_count;
    for (int slot = 0; slot < devices->wanted_count; slot++) {
        char name[NAME_LENGTH], what[NAME_LENGTH];
        if (input_devices_name(devices, slot, name, NAME_LENGTH)) {
            snprintf(what, sizeof(what), "is %s", devices->wanted[slot].id);
            say(devices, name, what);
        } else {
            say(devices, devices->wanted[slot].id, "is not plugged in");
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
        snprintf(entry->id, sizeof(entry->id), "dev%d", count % 10);
        copy_name(SDL_JoystickName(next->joystick), entry->name);
        snprintf(entry->usb, sizeof(entry->usb), "%04x:%04x", SDL_JoystickGetVendor(next->joystick),
                 SDL_JoystickGetProduct(next->joystick));
    }
    return count;
}

void input_devices_use(InputDevices *devices, const ControlDevice *wanted, int count)
{
    devices->wanted_count = count < 0 ? 0 : count > CONTROLS_MAX_DEVICES ? CONTROLS_MAX_DEVICES : count;
    for (int i = 0; i < devices->wanted_count; i++) {
        devices->wanted[i] = wanted[i];
    }
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        devices->devices[i].slot = -1;
        devices->devices[i].first_axis = -1;
    }
    SDL_JoystickID last = -1;
    for (Device *next = find_next(devices, last); next; next = find_next(devices, last)) {
        last = next->id;
        choose_slot(devices, next);
        next->first_axis = choose_first_axis(devices, next);
    }
    tell_places(devices);
}

/// ---- coming and going ----------------------------------------------------------------------------------------------

/// Opens the device that SDL lists at `index`, when it is new.
static void add_device(InputDevices *devices, int index)
{
    char name[NAME_LENGTH];
    SDL_JoystickID id = SDL_JoystickGetDeviceInstanceID(index);
    if (id < 0 || find_device(devices, id)) {
        return;
    }
    Device *device = devices->devices;
    while (device < devices->devices + INPUT_MAX_DEVICES && device->used) {
        device++;
    }
    copy_name(SDL_JoystickNameForIndex(index), name);
    if (device == devices->devices + INPUT_MAX_DEVICES) {
        say(devices, name, "not used: too many pads");
        return;
    }
    *device = (Device){.id = id, .slot = -1};
    if (SDL_IsGameController(index)) {
        device->pad = SDL_GameControllerOpen(index);
        device->joystick = device->pad ? SDL_GameControllerGetJoystick(device->pad) : NULL;
        copy_name(device->pad ? SDL_GameControllerName(device->pad) : NULL, name);
    } else {
        device->joystick = SDL_JoystickOpen(index);
    }
    if (!device->joystick) {
        copy_name(SDL_JoystickNameForIndex(index), name);
        say(devices, name, "cannot be opened");
        return;
    }
    memcpy(device->name, name, sizeof(name));
    choose_slot(devices, device);
    device->used = true;
    device->first_axis = choose_first_axis(devices, device);
    char what[NAME_LENGTH] = "connected";
    if (device->slot >= 0) {
        snprintf(what, sizeof(what), "connected as %s", devices->wanted[device->slot].id);
    }
    say(devices, name, what);
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

/// Closes every device that is no longer there, whether or not SDL's event about it has come by yet.
static void drop_lost(InputDevices *devices)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        Device *device = &devices->devices[i];
        if (device->used && !SDL_JoystickGetAttached(device->joystick)) {
            say(devices, device->name, "lost: its levers are neutral");
            close_device(device);
            devices->pads_lost++;
        }
    }
}

static void look_after(InputDevices *devices)
{
    drop_lost(devices);
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used) {
            arm_axes(&devices->devices[i]);
        }
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

static void handle_one(InputDevices *devices, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_JOYDEVICEADDED:
        add_device(devices, event->jdevice.which);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        if ((unsigned)event->key.keysym.scancode < INPUT_MAX_KEYS) {
            devices->key[event->key.keysym.scancode] = event->type == SDL_KEYDOWN;
            devices->key_tapped[event->key.keysym.scancode] |= event->type == SDL_KEYDOWN && event->key.repeat == 0;
        }
        break;
    case SDL_CONTROLLERBUTTONDOWN:
        if (event->cbutton.button < INPUT_PAD_BUTTONS) {
            devices->pad_tapped[event->cbutton.button] = 1;
        }
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            memset(devices->key, 0, sizeof(devices->key)); // their release will be told to another window
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
    look_after(devices);
}

void input_devices_poll(InputDevices *devices)
{
    // Only what belongs to input is taken off the queue; a quit event stays for whoever waits for it.
    SDL_Event event;
    SDL_PumpEvents();
    while (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_KEYDOWN, SDL_KEYUP) > 0 ||
           SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_JOYAXISMOTION, SDL_CONTROLLERSENSORUPDATE) > 0) {
        handle_one(devices, &event);
    }
    look_after(devices);
}

static void sample_pad(const Device *device, InputSample *sample)
{
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        sample->pad_axis[axis] += axis_value(SDL_GameControllerGetAxis(device->pad, (SDL_GameControllerAxis)axis));
    }
    for (int button = 0; button < SDL_CONTROLLER_BUTTON_MAX; button++) {
        sample->pad_button[button] |= SDL_GameControllerGetButton(device->pad, (SDL_GameControllerButton)button) != 0;
    }
}

static void sample_joystick(const Device *device, InputSample *sample)
{
    /// The usual order of a joystick's buttons, as those of a pad.
    static const int buttons[] = {SDL_CONTROLLER_BUTTON_A,
                                  SDL_CONTROLLER_BUTTON_B,
                                  SDL_CONTROLLER_BUTTON_X,
                                  SDL_CONTROLLER_BUTTON_Y,
                                  SDL_CONTROLLER_BUTTON_LEFTSHOULDER,
                                  SDL_CONTROLLER_BUTTON_RIGHTSHOULDER,
                                  SDL_CONTROLLER_BUTTON_BACK,
                                  SDL_CONTROLLER_BUTTON_START};
    int button_count = SDL_JoystickNumButtons(device->joystick);
    for (int axis = 0; axis < STICK_AXES; axis++) {
        int own = joystick_axis(device, axis);
        if (own >= 0 && device->armed[own]) {
            sample->pad_axis[axis] += axis_value(SDL_JoystickGetAxis(device->joystick, own));
        }
    }
    for (int i = 0; i < button_count && i < (int)(sizeof(buttons) / sizeof(buttons[0])); i++) {
        sample->pad_button[buttons[i]] |= SDL_JoystickGetButton(device->joystick, i) != 0;
    }
    int hat = SDL_JoystickNumHats(device->joystick) > 0 ? SDL_JoystickGetHat(device->joystick, 0) : 0;
    sample->pad_button[SDL_CONTROLLER_BUTTON_DPAD_UP] |= (hat & SDL_HAT_UP) != 0;
    sample->pad_button[SDL_CONTROLLER_BUTTON_DPAD_DOWN] |= (hat & SDL_HAT_DOWN) != 0;
    sample->pad_button[SDL_CONTROLLER_BUTTON_DPAD_LEFT] |= (hat & SDL_HAT_LEFT) != 0;
    sample->pad_button[SDL_CONTROLLER_BUTTON_DPAD_RIGHT] |= (hat & SDL_HAT_RIGHT) != 0;
}

/// A device that the map names, as it is.
static void sample_named(const Device *device, InputJoystick *sample)
{
    SDL_Joystick *joystick = device->joystick;
    int axes = SDL_JoystickNumAxes(joystick), buttons = SDL_JoystickNumButtons(joystick);
    sample->present = true;
    for (int axis = 0; axis < axes && axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        if (SDL_JoystickGetAxisInitialState(joystick, axis, NULL)) {
            sample->axis[axis] = axis_value(SDL_JoystickGetAxis(joystick, axis));
        }
    }
    for (int i = 0; i < buttons && i < CONTROLS_MAX_BUTTONS; i++) {
        sample->button[i] = SDL_JoystickGetButton(joystick, i) != 0;
    }
    static const int ways[CONTROLS_HAT_WAYS] = {SDL_HAT_UP, SDL_HAT_RIGHT, SDL_HAT_DOWN, SDL_HAT_LEFT};
    int hat = SDL_JoystickNumHats(joystick) > 0 ? SDL_JoystickGetHat(joystick, 0) : 0;
    for (int way = 0; way < CONTROLS_HAT_WAYS; way++) {
        sample->button[CONTROLS_MAX_BUTTONS + way] = (hat & ways[way]) != 0;
    }
}

const InputSample *input_devices_sample(InputDevices *devices)
{
    InputSample *sample = &devices->sample;
    *sample = (InputSample){.pads_lost = devices->pads_lost};
    for (int slot = 0; slot < CONTROLS_MAX_DEVICES; slot++) {
        sample->joystick[slot].came = devices->came[slot];
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
            sample->joystick[slot].axis[axis] = (double)NAN;
        }
    }
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (!device->used || !SDL_JoystickGetAttached(device->joystick)) {
            continue;
        }
        sample->pad_present = true;
        if (device->slot >= 0) {
            sample_named(device, &sample->joystick[device->slot]);
        } else if (device->pad) {
            sample_pad(device, sample);
        } else {
            sample_joystick(device, sample);
        }
    }
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        sample->pad_axis[axis] = clamped(sample->pad_axis[axis]);
    }
    memcpy(sample->key, devices->key, sizeof(sample->key));
    memcpy(sample->key_tapped, devices->key_tapped, sizeof(sample->key_tapped));
    memcpy(sample->pad_tapped, devices->pad_tapped, sizeof(sample->pad_tapped));
    memset(devices->key_tapped, 0, sizeof(devices->key_tapped));
    memset(devices->pad_tapped, 0, sizeof(devices->pad_tapped));
    return sample;
}

bool input_devices_changed(InputDevices *devices, char *text, int size)
{
    if (devices->message_count == 0) {
        return false;
    }
    if (size > 0) {
        snprintf(text, (size_t)size, "%s", devices->messages[0]);
    }
    devices->message_count--;
    memmove(devices->messages[0], devices->messages[1], (size_t)devices->message_count * MESSAGE_LENGTH);
    return true;
}

int input_devices_pad_count(const InputDevices *devices)
{
    int count = 0;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        count += devices->devices[i].used;
    }
    return count;
}

static Uint16 strength(double value)
{
    return value > 0.0 ? (Uint16)((value < 1.0 ? value : 1.0) * 65535.0) : 0; // not a number: none
}

void input_devices_rumble(InputDevices *devices, double low, double high, int milliseconds)
{
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        if (devices->devices[i].used && milliseconds >= 0) {
            SDL_JoystickRumble(devices->devices[i].joystick, strength(low), strength(high), (Uint32)milliseconds);
        }
    }
}
