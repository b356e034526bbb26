/// Pads and joysticks: those that SDL opens, what it and the control maps know of them, and those that the kernel has
/// and this user may not read.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/files/regular_file.h"
#include "data/load.h"
#include "input/input.h"
#include "trainer/doctor/probes/looks.h"
#include "trainer/results/results_settings.h"

enum { MOST_MAPS = 128, MOST_NODES = 64, PATH = 160 };

/// True when the kernel's joystick "js0" is read by an event node that this user may not open.
static bool is_closed(const char *joystick)
{
    char path[PATH];
    snprintf(path, sizeof path, "/sys/class/input/%.32s/device", joystick);
    DIR *folder = opendir(path);
    bool closed = false;
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder)) {
        if (strncmp(entry->d_name, "event", 5) == 0) {
            snprintf(path, sizeof path, "/dev/input/%.32s", entry->d_name);
            closed |= access(path, F_OK) == 0 && access(path, R_OK) != 0;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return closed;
}

static void read_name(const char *joystick, char name[DOCTOR_NAME])
{
    char path[PATH];
    Status unused;
    snprintf(path, sizeof path, "/sys/class/input/%.32s/device/name", joystick);
    FILE *file = regular_file_open(path, &unused);
    if (file == NULL || fgets(name, DOCTOR_NAME, file) == NULL) {
        snprintf(name, DOCTOR_NAME, "%.32s", joystick);
    }
    name[strcspn(name, "\n")] = '\0';
    if (file != NULL) {
        fclose(file);
    }
}

static void look_at_closed(DevicesFacts *devices)
{
    for (int k = 0; k < MOST_NODES; k++) {
        char joystick[16];
        snprintf(joystick, sizeof joystick, "js%d", k);
        if (is_closed(joystick)) {
            if (devices->closed++ == 0) {
                read_name(joystick, devices->closed_name);
            }
        }
    }
}

/// True when a control map has an entry that the device can stand for.
static bool names_device(InputDevices *open, int number, const char *map)
{
    Status unused;
    ControlsParams *controls = calloc(1, sizeof *controls);
    bool names = false;
    if (controls != NULL && data_load_controls(map, controls, NULL, &unused)) {
        for (int k = 0; k < controls->device_count && !names; k++) {
            names = input_devices_fits(open, number, &controls->devices[k]);
        }
    }
    free(controls);
    return names;
}

/// The chosen map, else the first one that names the device.
static void find_map(InputDevices *open, int number, const char *chosen, DeviceFacts *device)
{
    if (names_device(open, number, chosen)) {
        snprintf(device->map, sizeof device->map, "%.95s", chosen);
        device->chosen = true;
        return;
    }
    Status unused;
    DataListEntry *entries = calloc(MOST_MAPS, sizeof *entries);
    int count = entries != NULL ? data_list("controls", entries, MOST_MAPS, &unused) : 0;
    for (int k = 0; k < count && device->map[0] == '\0'; k++) {
        if (names_device(open, number, entries[k].name)) {
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
        device->pad = input_devices_is_pad(open, k);
        find_map(open, k, chosen ? settings.controls : "iso", device);
    }
}

void look_at_devices(DoctorFacts *facts, DoctorTell *tell)
{
    DevicesFacts *devices = &facts->devices;
    Status status = {STATUS_GOOD, ""};
    look_at_closed(devices);
    doctor_tell(tell, facts);
    InputDevices *open = input_devices_open(&status);
    snprintf(devices->fault, sizeof devices->fault, "%.255s", open == NULL ? status.text : "");
    if (open != NULL) {
        devices->looked = true;
        look_at_open(open, devices);
        doctor_tell(tell, facts);
        input_devices_close(open);
    }
}
