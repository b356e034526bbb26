/// Which device stands for which entry of the map's list.
///
/// Equal devices keep their sides by what the map says of their serial numbers or sockets; else by where they stood
/// before, else by the order of their sockets. The order in which SDL lists devices plays no part: it is that of time
/// for what is plugged in while the program runs, and changes from one start to the next for what was there before.
#include "input/devices/devices.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/control_names.h"

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
    if ((wanted->serial[0] != '\0' && strcmp(wanted->serial, device->socket.serial) != 0) ||
        (wanted->port[0] != '\0' && !socket_is(&device->socket, wanted->port))) {
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

/// How well a device fits an entry that it fits: the map means this one, it stood here before, or it is one of several.
static int rank(const InputDevices *devices, const Device *device, int slot)
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

void device_find_place(InputDevices *devices, Device *device)
{
    int best = -1, most = -1;
    device->slot = -1;
    for (int slot = 0; slot < devices->wanted_count; slot++) {
        if (!is_taken(devices, slot) && fits(device, &devices->wanted[slot])) {
            int own = rank(devices, device, slot);
            best = own > most ? slot : best;
            most = own > most ? own : most;
        }
    }
    if (best >= 0) {
        device->slot = best;
        devices->came[best]++;
        devices->places[best] = (SlotPlace){true, device->socket};
    }
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

static ControlDevice describe(const Device *device)
{
    ControlDevice entry = {.id = ""};
    devices_copy_name(SDL_JoystickName(device->joystick), entry.name);
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
    ControlDevice own = describe(device);
    for (int i = 0; i < INPUT_MAX_DEVICES && wanted->serial[0] == '\0' && wanted->port[0] == '\0'; i++) {
        const Device *other = &devices->devices[i];
        if (other->used && other != device && fits(other, wanted)) {
            ControlDevice its = describe(other);
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
static void tell_places(InputDevices *devices)
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
            devices_say(devices, kind, device->name, devices->wanted[slot].id);
        } else {
            devices_say(devices, INPUT_NEWS_MISSING, "", devices->wanted[slot].id);
        }
    }
    for (int i = 0; i < INPUT_MAX_DEVICES && devices->wanted_count > 0; i++) {
        const Device *device = &devices->devices[i];
        if (device->used && device_is_stranger(device)) {
            devices_say(devices, INPUT_NEWS_STRANGER, device->name, "");
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
        *entry = describe(next);
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
    return device && fits(device, wanted);
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
        device_find_place(devices, device);
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
    devices_note(devices, devices_now());
    input_devices_forget(devices);
    tell_places(devices);
}
