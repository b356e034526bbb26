/// What is driven with, and what is heard.
#include "data/core/shell_word.h"
#include "trainer/cli/findings_internal.h"

/// "in the socket usb-0000:00:14.0-3/input0, serial number 7"; "" when neither is known.
static void tell_place(const DeviceFacts *device, char *text, size_t size)
{
    bool port = device->port[0] != '\0', serial = device->serial[0] != '\0';
    snprintf(text, size, "%s%s%s%s%s", port ? "in the socket " : "", device->port, port && serial ? ", " : "",
             serial ? "serial number " : "", device->serial);
}

/// One of several equal devices: what tells it from the others, and whether its map goes by that.
static void judge_alike(const DeviceFacts *device, DoctorReport *report)
{
    char place[2 * DOCTOR_NAME + 64];
    tell_place(device, place, sizeof place);
    bool marked = place[0] != '\0', apart = device->map[0] == '\0' || device->told_apart;
    DoctorFinding *finding =
        finding_add(report, "device_alike", "equal devices", marked && apart ? DOCTOR_GOOD : DOCTOR_MISSING,
                    "%s (%s) %s: another is equal%s", device->name, device->usb,
                    marked ? place : "has neither a socket nor a serial number that the kernel tells",
                    apart ? "" : ", and the control map does not say which is which");
    finding_text(finding, "name", device->name);
    finding_text(finding, "port", device->port);
    finding_text(finding, "serial", device->serial);
    finding_flag(finding, "told_apart", device->told_apart);
    if (!marked) {
        finding_advise(finding, "nothing tells it from the other one: look at F4 before each drive");
    } else if (!apart) {
        finding_advise(finding,
                       "spadework calibrate writes socket or serial number into a map (port, serial), so that each "
                       "keeps its side; without them the lower socket is the first in the map");
    }
}

static void judge_device(const DeviceFacts *device, DoctorReport *report)
{
    bool known = device->pad || device->map[0] != '\0';
    char how[DOCTOR_NAME + 64], map[2 * DOCTOR_NAME];
    if (device->map[0] != '\0') {
        snprintf(how, sizeof how, "the control map %s names it", device->map);
    } else {
        snprintf(how, sizeof how, "%s",
                 device->pad ? "a gamepad whose sticks and buttons SDL knows: every control map drives with it"
                             : "neither a gamepad that SDL knows nor named by a control map: it moves nothing");
    }
    DoctorFinding *finding = finding_add(report, "device", "device", known ? DOCTOR_GOOD : DOCTOR_MISSING,
                                         "%s (%s): %s", device->name, device->usb, how);
    finding_text(finding, "name", device->name);
    finding_text(finding, "usb", device->usb);
    finding_flag(finding, "sdl_mapping", device->pad);
    finding_text(finding, "control_map", device->map);
    finding_flag(finding, "chosen", device->chosen);
    finding_text(finding, "port", device->port);
    finding_text(finding, "serial", device->serial);
    if (!known) {
        finding_advise(finding, "spadework calibrate my-levers.yaml makes a control map for it; so does the menu");
    } else if (!device->chosen && shell_word_file(device->map, map, sizeof map)) {
        finding_advise(finding, "to drive by that map: --controls %s (controls: %s in the settings keeps it)", map,
                       device->map);
    }
    if (device->alike) {
        judge_alike(device, report);
    }
}

static void judge_unlisted(const BoxFacts *box, DoctorReport *report)
{
    DoctorFinding *finding =
        finding_add(report, "device_unlisted", "device", DOCTOR_MISSING,
                    "%s (%s) at %s: the kernel has it, and SDL does not list it", box->name, box->usb, box->node);
    finding_text(finding, "name", box->name);
    finding_text(finding, "usb", box->usb);
    finding_text(finding, "node", box->node);
    finding_advise(
        finding,
        "a box without a button, or with other axes than X and Y, is no joystick to the system: copy the first "
        "rule of 60-spadework-pads.rules (packaging/, share/doc/spadework/examples) with %s to "
        "/etc/udev/rules.d and plug it in again, or start the program with SDL_JOYSTICK_DEVICE=%s",
        box->usb, box->node);
}

static void judge_devices(const DevicesFacts *devices, DoctorReport *report)
{
    for (int k = 0; k < devices->count; k++) {
        judge_device(&devices->devices[k], report);
    }
    for (int k = 0; k < devices->unlisted; k++) {
        judge_unlisted(&devices->boxes[k], report);
    }
    if (devices->closed > 0) {
        DoctorFinding *finding =
            finding_add(report, "device", "device", DOCTOR_MISSING, "%d joystick%s that this user may not read: %s",
                        devices->closed, devices->closed == 1 ? "" : "s", devices->closed_name);
        finding_advise(finding, "log in at the computer itself, or copy a rule of 60-spadework-pads.rules (packaging/, "
                                "share/doc/spadework/examples) to /etc/udev/rules.d and plug it in again");
        finding_text(finding, "name", devices->closed_name);
        finding_count(finding, "closed", devices->closed);
    } else if (devices->count == 0 && devices->unlisted == 0) {
        DoctorFinding *finding = finding_add(report, "device", "device", DOCTOR_MISSING, "no pad or joystick%s%s",
                                             devices->fault[0] != '\0' ? ": " : "", devices->fault);
        finding_advise(finding, "plug one in; the keyboard always works in the window");
        finding_count(finding, "closed", 0);
    }
}

static void judge_sound(const SoundFacts *sound, DoctorReport *report)
{
    if (!sound->open) {
        DoctorFinding *finding = finding_add(report, "sound", "sound", DOCTOR_MISSING, "no output: %s",
                                             sound->fault[0] != '\0' ? sound->fault : "no answer");
        finding_advise(finding, "drives go on in silence; plug in a loudspeaker, start PipeWire or PulseAudio, or put "
                                "the user into the group audio");
        return;
    }
    DoctorFinding *finding = finding_add(report, "sound", "sound", DOCTOR_GOOD, "%s by %s, %d samples a second",
                                         sound->output, sound->driver, sound->rate);
    finding_text(finding, "output", sound->output);
    finding_text(finding, "driver", sound->driver);
    finding_count(finding, "rate", sound->rate);
}

void rules_devices(const DoctorFacts *facts, DoctorReport *report)
{
    judge_devices(&facts->devices, report);
    judge_sound(&facts->sound, report);
}
