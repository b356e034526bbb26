/// What is driven with, and what is heard.
#include "data/core/shell_word.h"
#include "trainer/doctor/findings_internal.h"

static void judge_device(const DeviceFacts *device, DoctorReport *report)
{
    bool known = device->pad || device->map[0] != '\0';
    char how[DOCTOR_NAME + 64], map[2 * DOCTOR_NAME];
    if (device->map[0] != '\0') {
        snprintf(how, sizeof how, "the control map %s names it", device->map);
    } else {
        snprintf(how, sizeof how, "%s",
                 device->pad ? "a gamepad whose sticks and buttons SDL knows: every control map drives with it"
                             : "neither a gamepad that SDL knows nor named by a control map: its first axes stand in "
                               "for the sticks");
    }
    DoctorFinding *finding = finding_add(report, "device", "device", known ? DOCTOR_GOOD : DOCTOR_MISSING,
                                         "%s (%s): %s", device->name, device->usb, how);
    finding_text(finding, "name", device->name);
    finding_text(finding, "usb", device->usb);
    finding_flag(finding, "sdl_mapping", device->pad);
    finding_text(finding, "control_map", device->map);
    finding_flag(finding, "chosen", device->chosen);
    if (!known) {
        finding_advise(finding, "spadework calibrate my-levers.yaml makes a control map for it; so does the menu");
    } else if (!device->chosen && shell_word_file(device->map, map, sizeof map)) {
        finding_advise(finding, "to drive by that map: --controls %s (controls: %s in the settings keeps it)", map,
                       device->map);
    }
}

static void judge_devices(const DevicesFacts *devices, DoctorReport *report)
{
    for (int k = 0; k < devices->count; k++) {
        judge_device(&devices->devices[k], report);
    }
    if (devices->closed > 0) {
        DoctorFinding *finding =
            finding_add(report, "device", "device", DOCTOR_MISSING, "%d joystick%s that this user may not read: %s",
                        devices->closed, devices->closed == 1 ? "" : "s", devices->closed_name);
        finding_advise(finding, "log in at the computer itself, or copy a rule of 60-spadework-pads.rules (packaging/, "
                                "share/doc/spadework/examples) to /etc/udev/rules.d and plug it in again");
        finding_text(finding, "name", devices->closed_name);
        finding_count(finding, "closed", devices->closed);
    } else if (devices->count == 0) {
        DoctorFinding *finding = finding_add(report, "device", "device", DOCTOR_MISSING, "no pad or joystick%s%s",
                                             devices->fault[0] != '\0' ? ": " : "", devices->fault);
        finding_advise(finding, "plug one in; the keyboard always works in the window. A box of levers that is not "
                                "found: see 60-spadework-pads.rules (packaging/, share/doc/spadework/examples)");
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
