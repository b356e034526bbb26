/// Which device stands for which entry of the map's list, and which hand a plain joystick without a map is for.
#include "input/devices/devices.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "data/control_names.h"

static bool is_single_lever(const Device *device)
{
    int axes = device->used && !device->pad && device->slot < 0 ? SDL_JoystickNumAxes(device->joystick) : 0;
    return axes > 0 && axes < DEVICES_STICK_AXES;
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
    char name[DEVICES_NAME]; // the pad's name that SDL chose may differ from the device's own
    devices_copy_name(SDL_JoystickName(device->joystick), name);
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

void device_find_place(InputDevices *devices, Device *device)
{
    device->slot = -1;
    for (int slot = 0; slot < devices->wanted_count && device->slot < 0; slot++) {
        if (!is_taken(devices, slot) && fits(device, &devices->wanted[slot])) {
            device->slot = slot;
            devices->came[slot]++;
        }
    }
    device->first_axis = choose_first_axis(devices, device);
    device_read(device);
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
    devices->news_count = devices->wanted_count > 0 ? 0 : devices->news_count;
    for (int slot = 0; slot < devices->wanted_count; slot++) {
        char name[DEVICES_NAME];
        if (input_devices_name(devices, slot, name, DEVICES_NAME)) {
            devices_say(devices, INPUT_NEWS_STANDS_FOR, name, devices->wanted[slot].id);
        } else {
            devices_say(devices, INPUT_NEWS_MISSING, "", devices->wanted[slot].id);
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
        devices_copy_name(SDL_JoystickName(next->joystick), entry->name);
        snprintf(entry->usb, sizeof(entry->usb), "%04x:%04x", SDL_JoystickGetVendor(next->joystick),
                 SDL_JoystickGetProduct(next->joystick));
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
    return device && fits(device, wanted);
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
        device_find_place(devices, next);
    }
    devices_note(devices, devices_now());
    edges_forget(&devices->edges);
    tell_places(devices);
}
