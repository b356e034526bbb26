/// Pads and joysticks: those that SDL lists, what it and the control maps know of them, and those that the kernel has
/// beside them.
#include <stdio.h>
#include <stdlib.h>

#include "data/schema/control_names.h"
#include "data/schema/load.h"
#include "input/input.h"
#include "trainer/cli/probe_looks.h"
#include "trainer/results/results.h"

enum { MOST_MAPS = 128, MOST_BOXES = 32 };

/// The boxes that this user may not read, which no library can list.
static void look_at_closed(const InputBox *boxes, int count, DevicesFacts *devices)
{
    for (int k = 0; k < count; k++) {
        if (boxes[k].closed && devices->closed++ == 0) {
            snprintf(devices->closed_name, sizeof devices->closed_name, "%.47s", boxes[k].name);
        }
    }
}

static void look_at_unlisted(InputDevices *open, const InputBox *boxes, int count, DevicesFacts *devices)
{
    for (int k = 0; k < count && devices->unlisted < DOCTOR_MOST_DEVICES; k++) {
        if (!boxes[k].closed && !input_devices_lists(open, &boxes[k])) {
            BoxFacts *box = &devices->boxes[devices->unlisted++];
            snprintf(box->name, sizeof box->name, "%.47s", boxes[k].name);
            snprintf(box->usb, sizeof box->usb, "%.9s", boxes[k].usb);
            snprintf(box->node, sizeof box->node, "%.31s", boxes[k].node);
        }
    }
}

/// True when a control map has an entry that the device can stand for. `apart` receives whether it says by socket or
/// serial number which of several equal devices it means.
static bool names_device(InputDevices *open, int number, const char *map, bool *apart)
{
    Status unused;
    ControlsParams *controls = calloc(1, sizeof *controls);
    bool names = false;
    if (controls != NULL && data_load_controls(map, controls, NULL, &unused)) {
        for (int k = 0; k < controls->device_count; k++) {
            const ControlDevice *wanted = &controls->devices[k];
            if (input_devices_fits(open, number, wanted)) {
                names = true;
                *apart = *apart || wanted->serial[0] != '\0' || wanted->port[0] != '\0';
            }
        }
    }
    free(controls);
    return names;
}

/// The chosen map, else the first one that names the device.
static void find_map(InputDevices *open, int number, const char *chosen, DeviceFacts *device)
{
    if (names_device(open, number, chosen, &device->told_apart)) {
        snprintf(device->map, sizeof device->map, "%.95s", chosen);
        device->chosen = true;
        return;
    }
    Status unused;
    DataListEntry *entries = calloc(MOST_MAPS, sizeof *entries);
    int count = entries != NULL ? data_list("controls", entries, MOST_MAPS, &unused) : 0;
    for (int k = 0; k < count && device->map[0] == '\0'; k++) {
        if (names_device(open, number, entries[k].name, &device->told_apart)) {
            snprintf(device->map, sizeof device->map, "%.95s", entries[k].name);
        }
    }
    free(entries);
}

static void look_at_open(InputDevices *open, DevicesFacts *devices)
{
    SettingsParams settings = {0};
    Status unused;
    bool chosen = results_settings(&settings, &unused) && settings.controls[0] != '\0';
    ControlDevice list[DOCTOR_MOST_DEVICES];
    input_devices_poll(open);
    devices->count = input_devices_list(open, list, DOCTOR_MOST_DEVICES);
    for (int k = 0; k < devices->count; k++) {
        DeviceFacts *device = &devices->devices[k];
        snprintf(device->name, sizeof device->name, "%s", list[k].name);
        snprintf(device->usb, sizeof device->usb, "%s", list[k].usb);
        snprintf(device->port, sizeof device->port, "%s", list[k].port);
        snprintf(device->serial, sizeof device->serial, "%s", list[k].serial);
        for (int other = 0; other < devices->count; other++) {
            device->alike |= other != k && control_devices_alike(&list[k], &list[other]);
        }
        device->pad = input_devices_is_pad(open, k);
        find_map(open, k, chosen ? settings.controls : "iso", device);
    }
}

void look_at_devices(DoctorFacts *facts, DoctorTell *tell)
{
    DevicesFacts *devices = &facts->devices;
    Status status = {STATUS_GOOD, ""};
    InputBox boxes[MOST_BOXES];
    int count = input_boxes(boxes, MOST_BOXES);
    look_at_closed(boxes, count, devices);
    doctor_tell(tell, facts);
    InputDevices *open = input_devices_open(&status);
    snprintf(devices->fault, sizeof devices->fault, "%.255s", open == NULL ? status.text : "");
    if (open != NULL) {
        devices->looked = true;
        look_at_open(open, devices);
        look_at_unlisted(open, boxes, count, devices);
        doctor_tell(tell, facts);
        input_devices_close(open);
    }
}
