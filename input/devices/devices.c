/// Follows the pads, joysticks and keyboard that SDL tells of.
///
/// A device that fits an entry of the map's list stands for it and moves only what the map binds to it. A gamepad whose
/// sticks SDL knows counts as a pad, and all pads add up. Every other device is a stranger and moves nothing. Hot plug
/// is looked for at every event and poll, whatever SDL's queue still holds, so that a lost device never leaves a lever
/// deflected.
#include "input/devices/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SDL_CONTROLLER_BUTTON_MAX <= (int)INPUT_PAD_BUTTONS, "a sample holds every button");
_Static_assert((int)SDL_CONTROLLER_AXIS_MAX == (int)INPUT_PAD_AXES, "a sample holds every axis");

double devices_now(void)
{
    return 1e-3 * SDL_GetTicks();
}

void devices_say(InputDevices *devices, InputNewsKind kind, const char *name, const char *id)
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

void devices_copy_name(const char *from, char name[DEVICES_NAME])
{
    size_t length = 0;
    for (; from && *from && length < DEVICES_NAME - 1; from++) {
        name[length++] = *from;
        if (*from < ' ' || *from > '~') {
            name[length - 1] = '?';
        }
    }
    name[length] = '\0';
    if (strspn(name, " ?") == length) {
        snprintf(name, DEVICES_NAME, "Unnamed pad");
    }
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
    devices_copy_name(SDL_JoystickNameForIndex(index), name);
    if (device == devices->devices + INPUT_MAX_DEVICES) {
        devices_say(devices, INPUT_NEWS_TOO_MANY, name, "");
        return;
    }
    *device = (Device){.id = id, .slot = -1, .came = devices_now(), .looked = devices_now()};
    if (SDL_IsGameController(index)) {
        device->pad = SDL_GameControllerOpen(index);
        device->joystick = device->pad ? SDL_GameControllerGetJoystick(device->pad) : NULL;
        devices_copy_name(device->pad ? SDL_GameControllerName(device->pad) : NULL, name);
    } else {
        device->joystick = SDL_JoystickOpen(index);
    }
    if (!device->joystick) {
        devices_copy_name(SDL_JoystickNameForIndex(index), name);
        devices_say(devices, INPUT_NEWS_CANNOT_OPEN, name, "");
        return;
    }
    memcpy(device->name, name, sizeof(name));
    device->socket = socket_find(SDL_JoystickPath(device->joystick));
    device->used = device->fresh = true;
    device_find_place(devices, device);
    bool wanted = device->slot >= 0;
    InputNewsKind kind = wanted                       ? INPUT_NEWS_CONNECTED_AS
                         : device_is_stranger(device) ? INPUT_NEWS_STRANGER
                                                      : INPUT_NEWS_CONNECTED;
    devices_say(devices, kind, name, wanted ? devices->wanted[device->slot].id : "");
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
        bool stranger = device_is_stranger(device);
        devices_say(devices, stranger ? INPUT_NEWS_STRANGER_LOST : INPUT_NEWS_LOST, device->name, "");
        devices->touched_lost += device->touched && !stranger;
        devices->pads_lost += !stranger;
        close_device(device);
    }
    if (devices->pads_lost != lost) {
        devices_note(devices, devices_now());
        edges_forget(&devices->edges);
    }
}

/// Looks at what is there until it counts: a program that loads a scene first would see where a hand has moved it by
/// then.
static void settle_all(InputDevices *devices)
{
    bool fresh = true;
    for (double end = devices_now() + 2.0 * DEVICES_SETTLES; fresh && devices_now() < end;) {
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
    return event->common.timestamp != 0 ? 1e-3 * event->common.timestamp : devices_now();
}

static void hear_key(InputDevices *devices, const SDL_KeyboardEvent *event, double time)
{
    if ((unsigned)event->keysym.scancode < INPUT_MAX_KEYS) {
        edges_note(&devices->edges, EDGES_KEY + (int)event->keysym.scancode, event->type == SDL_KEYDOWN, time);
    }
}

/// What is held is let go: its release will be told to another window.
static void let_keys_go(InputDevices *devices, double time)
{
    for (int key = 0; key < INPUT_MAX_KEYS; key++) {
        edges_note(&devices->edges, EDGES_KEY + key, 0.0, time);
    }
}

/// Events of joysticks and pads name the device in the same place.
static void hear_device(InputDevices *devices, const SDL_Event *event, double time)
{
    Device *device = find_device(devices, event->jaxis.which);
    if (device && !device->fresh) {
        device_hear(device, event);
        device->touched |= event->type == SDL_JOYBUTTONDOWN || event->type == SDL_CONTROLLERBUTTONDOWN;
        devices_note(devices, time);
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
        hear_key(devices, &event->key, time);
        break;
    case SDL_JOYAXISMOTION:
    case SDL_JOYBUTTONDOWN:
    case SDL_JOYBUTTONUP:
    case SDL_JOYHATMOTION:
    case SDL_CONTROLLERAXISMOTION:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
        hear_device(devices, event, time);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            let_keys_go(devices, time);
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
    // Only what belongs to input is taken off the queue; a quit event stays for whoever waits for it.
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
        count += devices->devices[i].used && !device_is_stranger(&devices->devices[i]);
    }
    return count;
}

int input_devices_strangers(const InputDevices *devices, int number, char *text, int size)
{
    int count = 0;
    for (int i = 0; i < INPUT_MAX_DEVICES; i++) {
        const Device *device = &devices->devices[i];
        if (device->used && device_is_stranger(device) && count++ == number && size > 0) {
            snprintf(text, (size_t)size, "%s", device->name);
        }
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
        if (devices->devices[i].used && !device_is_stranger(&devices->devices[i]) && milliseconds >= 0) {
            SDL_JoystickRumble(devices->devices[i].joystick, strength(low), strength(high), (Uint32)milliseconds);
        }
    }
}
