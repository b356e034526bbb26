/// Runs the doctor's probes in child processes, judges the facts by rules with advice, and prints the findings as text
/// and JSON.
#include "trainer/cli/doctor_findings.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/core/software_renderer.h"
#include "data/core/visible_text.h"
#include "data/core/status.h"
#include "trainer/pilot/pilot.h"

static const char *const verdict_names[] = {
    [DOCTOR_GOOD] = "good", [DOCTOR_SLOW] = "slow", [DOCTOR_MISSING] = "missing"};

/// ---- making --------------------------------------------------------------------------------------------------------

/// Names of devices and drivers come from outside: no terminal's commands.
static void write_line(char line[DOCTOR_LINE], const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void write_line(char line[DOCTOR_LINE], const char *format, va_list arguments)
{
    vsnprintf(line, DOCTOR_LINE, format, arguments);
    visible_text_mask(line, false);
}

/// Begins a finding, which says the text (printf style). Where there are too many the last one is overwritten.
static DoctorFinding *finding_add(DoctorReport *report, const char *about, const char *title, DoctorVerdict verdict,
                                  const char *format, ...) __attribute__((format(printf, 5, 6)));
static DoctorFinding *finding_add(DoctorReport *report, const char *about, const char *title, DoctorVerdict verdict,
                                  const char *format, ...)
{
    if (report->count == DOCTOR_MOST_FINDINGS) {
        json_decref(report->findings[--report->count].values);
    }
    DoctorFinding *finding = &report->findings[report->count++];
    *finding = (DoctorFinding){.about = about, .title = title, .verdict = verdict, .values = json_object()};
    va_list arguments;
    va_start(arguments, format);
    write_line(finding->text, format, arguments);
    va_end(arguments);
    return finding;
}

static void finding_advise(DoctorFinding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void finding_advise(DoctorFinding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(finding->advice, format, arguments);
    va_end(arguments);
}

/// 0 and less: null, not known.
static void finding_number(DoctorFinding *finding, const char *key, double value)
{
    json_object_set_new(finding->values, key, value > 0.0 ? json_real(value) : json_null());
}

static void finding_count(DoctorFinding *finding, const char *key, int value)
{
    json_object_set_new(finding->values, key, json_integer(value));
}

static void finding_flag(DoctorFinding *finding, const char *key, bool value)
{
    json_object_set_new(finding->values, key, json_boolean(value));
}

/// JSON is UTF-8; paths and names of devices may be anything. What is none has question marks for all beyond ASCII.
static json_t *make_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL) {
        return value;
    }
    char plain[DATA_PATH_LENGTH + DOCTOR_LINE];
    snprintf(plain, sizeof plain, "%s", text);
    for (char *at = plain; *at != '\0'; at++) {
        *at = (unsigned char)*at < 0x80U ? *at : '?';
    }
    return json_string(plain);
}

/// "": null.
static void finding_text(DoctorFinding *finding, const char *key, const char *value)
{
    json_object_set_new(finding->values, key, value[0] != '\0' ? make_text(value) : json_null());
}

/// ---- rules: speed --------------------------------------------------------------------------------------------------

/// The dozer's and the trucks' scenes take up to 1.5 times as long a tick as the trench that is measured.
#define ENOUGH      1.5 ///< times real time
#define LITTLE_ROOM 0.5e9 ///< bytes of memory: a session takes 25 MB, a window that draws in software 300. Chosen

static void judge_real_time(const SessionFacts *session, DoctorReport *report)
{
    if (!session->made || session->wall <= 0.0) {
        DoctorFinding *finding = finding_add(report, "real_time", "real time", DOCTOR_MISSING, "not known: %s",
                                             session->fault[0] != '\0' ? session->fault : "no session could be driven");
        finding_advise(finding, "spadework check tells what is wrong with a scene; install the program anew where "
                                "its own files are damaged");
        return;
    }
    double factor = session->simulated / session->wall;
    const char *word = factor >= ENOUGH ? "yes" : factor >= 1.0 ? "barely" : "no";
    DoctorFinding *finding =
        finding_add(report, "real_time", "real time", factor >= ENOUGH ? DOCTOR_GOOD : DOCTOR_SLOW,
                    "%s, %.1f times: scene %s, second %.1f to %.1f, in %.1f s with %d thread%s; the longest tick took "
                    "%.0f ms of %.0f",
                    word, factor, session->scene, session->from, session->from + session->simulated, session->wall,
                    session->threads, session->threads == 1 ? "" : "s", 1e3 * session->longest, 1e3 * session->tick);
    finding_number(finding, "factor", factor);
    finding_text(finding, "scene", session->scene);
    finding_number(finding, "simulated_s", session->simulated);
    finding_number(finding, "wall_s", session->wall);
    finding_number(finding, "longest_tick_ms", 1e3 * session->longest);
    finding_number(finding, "tick_ms", 1e3 * session->tick);
    finding_number(finding, "start_s", session->built);
    finding_count(finding, "threads", session->threads);
    if (factor < ENOUGH) {
        finding_advise(finding, "%s; end other programs, give the program two processors or more%s",
                       factor < 1.0 ? "the simulation runs slower than the clock, and is otherwise the same"
                                    : "full scenes may run slower than the clock",
                       ", and draw less (--quality low) where pictures are drawn in software");
    }
}

static void judge_processors(const ComputerFacts *computer, DoctorReport *report)
{
    if (computer->processors <= 0) {
        return; // the probe did not answer: judge_ends says so
    }
    double share = computer->quota > 0.0 && computer->quota < computer->processors ? computer->quota
                                                                                   : (double)computer->processors;
    char speed[32] = "";
    if (computer->mhz > 0.0) {
        snprintf(speed, sizeof speed, ", %.1f GHz", 1e-3 * computer->mhz);
    }
    DoctorFinding *finding =
        finding_add(report, "processors", "processors", share >= 2.0 ? DOCTOR_GOOD : DOCTOR_SLOW, "%g of %d%s%s%s%s",
                    share, computer->installed, computer->model[0] != '\0' ? ": " : "", computer->model, speed,
                    computer->avx512 ? ", AVX-512"
                    : computer->avx2 ? ", AVX2"
                                     : "");
    finding_number(finding, "usable", share);
    finding_count(finding, "installed", computer->installed);
    finding_text(finding, "model", computer->model);
    finding_number(finding, "mhz", computer->mhz);
    finding_flag(finding, "avx2", computer->avx2);
    finding_flag(finding, "avx512", computer->avx512);
    if (share < 2.0) {
        finding_advise(finding, computer->installed >= 2 || computer->quota > 0.0
                                    ? "the program may use fewer processors than there are: see taskset, cpuset and "
                                      "the limits of the container"
                                    : "real time wants two processors: give a virtual machine a second one");
    }
}

static void judge_memory(const ComputerFacts *computer, DoctorReport *report)
{
    if (computer->memory <= 0.0) {
        return;
    }
    bool little = computer->available < LITTLE_ROOM;
    DoctorFinding *finding =
        finding_add(report, "memory", "memory", little ? DOCTOR_SLOW : DOCTOR_GOOD, "%.1f GB, %.1f GB available",
                    1e-9 * computer->memory, 1e-9 * computer->available);
    finding_number(finding, "bytes", computer->memory);
    finding_number(finding, "available_bytes", computer->available);
    if (little) {
        finding_advise(finding, "end other programs: a session with its window wants up to 0.5 GB");
    }
}

static void rules_speed(const DoctorFacts *facts, DoctorReport *report)
{
    judge_real_time(&facts->session, report);
    judge_processors(&facts->computer, report);
    judge_memory(&facts->computer, report);
}

/// ---- rules: displays and pictures ----------------------------------------------------------------------------------

#define SMOOTH 30.0 ///< pictures a second, 1/s, that a moving bucket is followed by with ease. Chosen

static const char *const quality_names[SETTINGS_QUALITY_COUNT] = {
    [SETTINGS_QUALITY_AUTO] = "auto",
    [SETTINGS_QUALITY_HIGH] = "high",
    [SETTINGS_QUALITY_MEDIUM] = "medium",
    [SETTINGS_QUALITY_LOW] = "low",
};

static void judge_displays(const DrawingFacts *drawing, DoctorReport *report)
{
    if (!drawing->display) {
        DoctorFinding *finding = finding_add(report, "display", "display", DOCTOR_MISSING, "none: %s",
                                             drawing->display_fault[0] != '\0' ? drawing->display_fault : "no answer");
        finding_advise(finding, "open the program from a desktop (X11 or Wayland), or by ssh -X; without a display: "
                                "--headless, with --shot OUT.png for a picture");
        finding_flag(finding, "there", false);
    }
    for (int k = 0; drawing->display && k < drawing->display_count; k++) {
        const DisplayFacts *display = &drawing->displays[k];
        char rate[32] = "";
        if (display->refresh > 0) {
            snprintf(rate, sizeof rate, " at %d Hz", display->refresh);
        }
        bool rare = display->refresh > 0 && display->refresh < (int)SMOOTH;
        DoctorFinding *finding = finding_add(report, "display", "display", rare ? DOCTOR_SLOW : DOCTOR_GOOD,
                                             "%d of %d: %d x %d%s, %s (%s)", k + 1, drawing->display_count,
                                             display->width, display->height, rate, display->name, drawing->driver);
        finding_flag(finding, "there", true);
        finding_text(finding, "name", display->name);
        finding_count(finding, "width", display->width);
        finding_count(finding, "height", display->height);
        finding_number(finding, "refresh_hz", display->refresh);
        finding_text(finding, "driver", drawing->driver);
        if (rare) {
            finding_advise(finding, "choose a higher refresh rate, or a smaller size, in the settings of the desktop");
        }
    }
}

static void advise_software(const DrawingFacts *drawing, DoctorFinding *finding)
{
    if (drawing->card && drawing->card_closed) {
        finding_advise(finding, "there is a graphics card that this user may not use: usermod -aG video,render USER, "
                                "and log in anew");
    } else if (drawing->card) {
        finding_advise(finding,
                       "there is a graphics card that OpenGL does not use: install its driver (Mesa: apt "
                       "install libgl1-mesa-dri; NVIDIA: apt install nvidia-driver); until then --quality low");
    } else {
        finding_advise(finding, "there is no graphics card: --quality low");
    }
}

static void judge_opengl(const DrawingFacts *drawing, DoctorReport *report)
{
    if (!drawing->context) {
        DoctorFinding *finding = finding_add(report, "opengl", "OpenGL", DOCTOR_MISSING, "3.3 cannot be had: %s",
                                             drawing->context_fault[0] != '\0' ? drawing->context_fault : "no answer");
        finding_advise(finding, "apt install libgl1 libegl1 libegl-mesa0 libglx-mesa0 libgl1-mesa-dri, which draw in "
                                "software, too; for a graphics card its driver");
        return;
    }
    bool software = is_software_renderer(drawing->renderer);
    DoctorFinding *finding =
        finding_add(report, "opengl", "OpenGL", software ? DOCTOR_SLOW : DOCTOR_GOOD, "%s, %s%s", drawing->version,
                    drawing->renderer, software ? ": the processors draw, which the soil needs" : "");
    finding_text(finding, "version", drawing->version);
    finding_text(finding, "renderer", drawing->renderer);
    finding_text(finding, "vendor", drawing->vendor);
    finding_flag(finding, "software", software);
    if (software) {
        advise_software(drawing, finding);
    }
}

/// The highest quality that is smooth, else the fastest that was measured.
static SettingsQuality choose_quality(const DrawingFacts *drawing)
{
    static const SettingsQuality all[] = {SETTINGS_QUALITY_HIGH, SETTINGS_QUALITY_MEDIUM, SETTINGS_QUALITY_LOW};
    SettingsQuality best = SETTINGS_QUALITY_LOW;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (drawing->frames[all[k]] >= SMOOTH) {
            return all[k];
        }
        best = drawing->frames[all[k]] > drawing->frames[best] ? all[k] : best;
    }
    return best;
}

static void judge_pictures(const DrawingFacts *drawing, DoctorReport *report)
{
    SettingsQuality first = drawing->asked == SETTINGS_QUALITY_AUTO ? SETTINGS_QUALITY_HIGH : drawing->asked;
    double frames = drawing->frames[first];
    if (!drawing->context || frames <= 0.0) {
        return; // judge_displays and judge_opengl say why
    }
    DoctorFinding *finding = finding_add(report, "pictures", "pictures", frames >= SMOOTH ? DOCTOR_GOOD : DOCTOR_SLOW,
                                         "%.*f a second at quality %s, from the cab, %d x %d", frames < 10.0 ? 1 : 0,
                                         frames, quality_names[first], DOCTOR_WIDTH, DOCTOR_HEIGHT);
    finding_text(finding, "asked", quality_names[drawing->asked]);
    finding_text(finding, "quality", quality_names[first]);
    finding_number(finding, "per_second", frames);
    for (int k = SETTINGS_QUALITY_HIGH; k < SETTINGS_QUALITY_COUNT; k++) {
        finding_number(finding, quality_names[k], drawing->frames[k]);
    }
    if (frames >= SMOOTH) {
        return;
    }
    SettingsQuality best = choose_quality(drawing);
    if (best == first) {
        finding_advise(finding, "a smaller window is drawn faster; the drive itself keeps its time, and some pictures "
                                "are left out");
    } else {
        finding_advise(finding, "--quality %s gives %.0f a second (window: {quality: %s} in the settings keeps it)%s",
                       quality_names[best], drawing->frames[best], quality_names[best],
                       drawing->asked == SETTINGS_QUALITY_AUTO ? "; by itself a window goes there after a while" : "");
    }
}

static void rules_drawing(const DoctorFacts *facts, DoctorReport *report)
{
    judge_displays(&facts->drawing, report);
    judge_opengl(&facts->drawing, report);
    judge_pictures(&facts->drawing, report);
}

/// ---- rules: devices and sound --------------------------------------------------------------------------------------

/// "in the socket usb-0000:00:14.0-3/input0, serial number 7"; "" when neither is known.
static void describe_place(const DeviceFacts *device, char *text, size_t size)
{
    bool port = device->port[0] != '\0', serial = device->serial[0] != '\0';
    snprintf(text, size, "%s%s%s%s%s", port ? "in the socket " : "", device->port, port && serial ? ", " : "",
             serial ? "serial number " : "", device->serial);
}

/// One of several equal devices: what distinguishes it from the others, and whether its map uses that.
static void judge_alike(const DeviceFacts *device, DoctorReport *report)
{
    char place[2 * DOCTOR_NAME + 64];
    describe_place(device, place, sizeof place);
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

static void rules_devices(const DoctorFacts *facts, DoctorReport *report)
{
    judge_devices(&facts->devices, report);
    judge_sound(&facts->sound, report);
}

/// ---- rules: files, libraries and programs --------------------------------------------------------------------------

/// A recording grows by 70 kB (trench) to 100 kB (dozing) a second: `bench run record`, `run dozing --record`.
#define RECORDED     1e5 ///< bytes/s
#define HOUR         3600.0 ///< s
#define HOURS_ENOUGH 5.0 ///< h: a day's training. Chosen
#define HOURS_LEAST  0.1 ///< h: hardly a drive. Chosen

static void judge_data(const FilesFacts *files, DoctorReport *report)
{
    bool good = files->data_fault[0] == '\0' && files->scenes > 0;
    DoctorFinding *finding = NULL;
    if (good) {
        finding = finding_add(report, "data", "data", DOCTOR_GOOD, "%d scenes in %s", files->scenes, files->data);
    } else {
        finding = finding_add(report, "data", "data", DOCTOR_MISSING, "%s: %s", files->data,
                              files->data_fault[0] != '\0' ? files->data_fault : "no scenes");
        finding_advise(finding, "install the program anew, or let SPADEWORK_DATA name the folder of its data");
    }
    finding_text(finding, "folder", files->data);
    finding_count(finding, "scenes", files->scenes);
}

static void judge_settings(const FilesFacts *files, DoctorReport *report)
{
    const char *fault = files->settings_fault, *file = files->settings;
    DoctorFinding *finding = NULL;
    if (fault[0] == '\0') {
        finding = finding_add(report, "settings", "settings", DOCTOR_GOOD, "%s%s", file,
                              files->settings_there ? "" : " is not there: all is as usual");
    } else {
        bool named = file[0] == '\0' || strstr(fault, file) != NULL; // what is wrong within a file names it
        finding = finding_add(report, "settings", "settings", DOCTOR_MISSING, "%s%s%s", named ? "" : file,
                              named ? "" : ": ", fault);
        finding_advise(finding, file[0] != '\0' ? "put that right (spadework reference settings), or remove the file"
                                                : "set HOME, or XDG_CONFIG_HOME, to a folder of yours");
    }
    finding_text(finding, "file", file);
    finding_flag(finding, "there", files->settings_there);
}

static void judge_folder(const FolderFacts *folder, const char *about, const char *title, const char *advice,
                         DoctorReport *report)
{
    DoctorFinding *finding = NULL;
    if (folder->writable) {
        finding = finding_add(report, about, title, DOCTOR_GOOD, "%s%s", folder->path,
                              folder->there ? "" : " (is made when it is needed)");
    } else {
        finding =
            finding_add(report, about, title, DOCTOR_MISSING, "%s%s%s", folder->path,
                        folder->path[0] != '\0' ? ": " : "", folder->fault[0] != '\0' ? folder->fault : "no answer");
        finding_advise(finding, "%s", advice);
    }
    finding_text(finding, "folder", folder->path);
    finding_flag(finding, "there", folder->there);
    finding_flag(finding, "writable", folder->writable);
}

static void judge_shared(const FolderFacts *folder, DoctorReport *report)
{
    if (folder->path[0] == '\0') {
        return; // none is set
    }
    DoctorFinding *finding =
        folder->there ? finding_add(report, "folder_shared", "shared folder", DOCTOR_GOOD, "%s", folder->path)
                      : finding_add(report, "folder_shared", "shared folder", DOCTOR_MISSING, "%s: %s", folder->path,
                                    folder->fault[0] != '\0' ? folder->fault : "no answer");
    if (!folder->there) {
        finding_advise(finding, "scenes and courses in it are not found: mount it, or change shared_folder in "
                                "settings.yaml");
    }
    finding_text(finding, "folder", folder->path);
    finding_flag(finding, "there", folder->there);
}

static void judge_disk(const FolderFacts *folder, DoctorReport *report)
{
    if (folder->path[0] == '\0' || !folder->writable) {
        return; // judge_folder says so
    }
    double hours = folder->free / RECORDED / HOUR;
    DoctorFinding *finding =
        finding_add(report, "disk", "disk",
                    hours >= HOURS_ENOUGH  ? DOCTOR_GOOD
                    : hours >= HOURS_LEAST ? DOCTOR_SLOW
                                           : DOCTOR_MISSING,
                    "%.1f GB free for recordings: %.*f hours", 1e-9 * folder->free, hours < 10.0 ? 1 : 0, hours);
    finding_number(finding, "free_bytes", folder->free);
    finding_number(finding, "hours", hours);
    if (hours < HOURS_ENOUGH) {
        finding_advise(finding, "make room, lower recordings: {limit_gb: ...} in the settings, or let XDG_DATA_HOME "
                                "name a folder on another disk; a full disk ends a recording");
    }
}

static void judge_libraries(const SoftwareFacts *software, DoctorReport *report)
{
    if (software->count == 0) {
        return;
    }
    char text[DOCTOR_LINE] = "";
    for (int k = 0; k < software->count; k++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s %s", k > 0 ? ", " : "", software->libraries[k].name,
                 software->libraries[k].version);
    }
    DoctorFinding *finding =
        finding_add(report, "libraries", "libraries", software->ode_double ? DOCTOR_GOOD : DOCTOR_MISSING, "%s%s", text,
                    software->ode_double ? "; ODE in double precision" : "; ODE in single precision");
    for (int k = 0; k < software->count; k++) {
        finding_text(finding, software->libraries[k].name, software->libraries[k].version);
    }
    finding_flag(finding, "ode_double", software->ode_double);
    if (!software->ode_double) {
        finding_advise(finding, "the program needs ODE in double precision: apt install libode-dev, and build it anew");
    }
}

static void judge_program(const char *about, const char *title, bool there, const char *what, const char *advice,
                          DoctorReport *report)
{
    DoctorFinding *finding = finding_add(report, about, title, there ? DOCTOR_GOOD : DOCTOR_MISSING, "%s%s",
                                         there ? "" : "not found; needed for ", what);
    finding_flag(finding, "there", there);
    if (!there) {
        finding_advise(finding, "%s", advice);
    }
}

static void judge_programs(const SoftwareFacts *software, DoctorReport *report)
{
    if (software->count == 0) {
        return;
    }
    DoctorFinding *fonts = finding_add(report, "fonts", "fonts", software->fonts > 0 ? DOCTOR_GOOD : DOCTOR_MISSING,
                                       "%d famil%s of letters", software->fonts, software->fonts == 1 ? "y" : "ies");
    finding_count(fonts, "families", software->fonts);
    if (software->fonts == 0) {
        finding_advise(fonts, "nothing in the window can be read without: apt install fonts-dejavu-core");
    }
    judge_program("ffmpeg", "ffmpeg", software->film, "films (export --video)", "apt install ffmpeg", report);
    judge_program("xdg-open", "xdg-open", software->browser, "opening a debrief in the browser from the window",
                  "apt install xdg-utils, or open REC.spade.html yourself", report);
}

static void judge_texts(const FilesFacts *files, DoctorReport *report)
{
    if (files->language[0] == '\0') {
        return;
    }
    DoctorFinding *finding = finding_add(
        report, "texts", "texts", files->utf8 ? DOCTOR_GOOD : DOCTOR_MISSING, "language %s; locale %s%s%s%s",
        files->language, files->locale[0] != '\0' ? files->locale : "not set", files->utf8 ? "" : ", no UTF-8",
        files->terminal ? "; terminal " : "; no terminal", files->terminal ? files->terminal_kind : "");
    finding_text(finding, "language", files->language);
    finding_text(finding, "locale", files->locale);
    finding_flag(finding, "utf8", files->utf8);
    finding_flag(finding, "terminal", files->terminal);
    finding_text(finding, "terminal_kind", files->terminal_kind);
    if (!files->utf8) {
        finding_advise(finding, "letters with accents may be wrong on the terminal, not in the window: export "
                                "LANG=C.UTF-8, or a language of yours (en_US.UTF-8)");
    }
}

static void rules_files(const DoctorFacts *facts, DoctorReport *report)
{
    const FoldersFacts *folders = &facts->folders;
    judge_data(&facts->files, report);
    judge_settings(&facts->files, report);
    judge_folder(&folders->data, "folder_data", "results",
                 "drives can be made and are not kept: set HOME or XDG_DATA_HOME to a folder that you may write",
                 report);
    judge_folder(&folders->recordings, "folder_recordings", "recordings",
                 "drives can be made and are not kept: set HOME or XDG_DATA_HOME to a folder that you may write",
                 report);
    judge_folder(&folders->settings, "folder_settings", "settings kept",
                 "what is chosen in the menu is lost: set HOME or XDG_CONFIG_HOME to a folder that you may write",
                 report);
    judge_folder(&folders->temporary, "folder_temporary", "temporary",
                 "damaged recordings cannot be put right: let TMPDIR name a folder that you may write", report);
    judge_shared(&folders->shared, report);
    judge_disk(&folders->recordings, report);
    judge_libraries(&facts->software, report);
    judge_programs(&facts->software, report);
    judge_texts(&facts->files, report);
}

/// Parts whose probe did not come to its end.
static void judge_ends(const DoctorFacts *facts, DoctorReport *report)
{
    for (int part = 0; part < DOCTOR_PART_COUNT; part++) {
        const DoctorProbeEnd *end = &facts->ends[part];
        const char *words = doctor_part_words((DoctorPart)part);
        DoctorFinding *finding = NULL;
        if (end->end == DOCTOR_LATE) {
            finding = finding_add(report, "probe", "look", DOCTOR_MISSING,
                                  "%s: no answer within %g s; what was known by then stands above", words, end->limit);
            finding_advise(finding, "try again when the computer is idle; if it stays so, the drive would hang, too");
        } else if (end->end == DOCTOR_CRASHED) {
            finding = finding_add(report, "probe", "look", DOCTOR_MISSING,
                                  "%s: the look crashed (signal %d); what was known by then stands above", words,
                                  end->signal);
            finding_advise(finding, "a driver or a library is damaged: bring the system up to date");
        } else if (end->end == DOCTOR_NOT_PROBED) {
            finding = finding_add(report, "probe", "look", DOCTOR_MISSING, "%s: no process could be started", words);
            finding_advise(finding, "end other programs, or raise the limit of processes (ulimit -u)");
        }
        if (finding != NULL) {
            finding_text(finding, "part", words);
            finding_count(finding, "signal", end->signal);
        }
    }
}

static bool is_slow(const DoctorReport *report, const char *about)
{
    const DoctorFinding *finding = doctor_find(report, about);
    return finding != NULL && finding->verdict == DOCTOR_SLOW;
}

void doctor_judge(const DoctorFacts *facts, DoctorReport *report)
{
    memset(report, 0, sizeof *report);
    rules_speed(facts, report);
    rules_drawing(facts, report);
    rules_devices(facts, report);
    rules_files(facts, report);
    judge_ends(facts, report);
    const DrawingFacts *drawing = &facts->drawing;
    report->headless = facts->session.made && facts->ends[DOCTOR_SESSION].end != DOCTOR_CRASHED;
    report->window =
        report->headless && drawing->display && drawing->context && facts->ends[DOCTOR_DRAWING].end != DOCTOR_CRASHED;
    report->slow = is_slow(report, "real_time") || (report->window && is_slow(report, "pictures"));
}

void doctor_free(DoctorReport *report)
{
    for (int k = 0; k < report->count; k++) {
        json_decref(report->findings[k].values);
    }
    report->count = 0;
}

const DoctorFinding *doctor_find(const DoctorReport *report, const char *about)
{
    for (int k = 0; k < report->count; k++) {
        if (strcmp(report->findings[k].about, about) == 0) {
            return &report->findings[k];
        }
    }
    return NULL;
}

/// ---- printing ------------------------------------------------------------------------------------------------------

enum { TEXT_COLUMN = 24 };

static const char *conclusion(const DoctorReport *report)
{
    if (report->window) {
        return report->slow ? "A drive in the window can run, but slowly." : "A drive in the window can run.";
    }
    return report->headless ? "No drive in a window can run here. Commands without one work: spadework run trench "
                              "--headless --operator auto --seconds 40"
                            : "Nothing can be driven here: see what is missing above.";
}

void doctor_print(const DoctorReport *report, FILE *file)
{
    for (int k = 0; k < report->count; k++) {
        const DoctorFinding *finding = &report->findings[k];
        fprintf(file, "%-8s %-14s %s\n", verdict_names[finding->verdict], finding->title, finding->text);
        if (finding->advice[0] != '\0') {
            fprintf(file, "%*s-> %s\n", TEXT_COLUMN, "", finding->advice);
        }
    }
    fprintf(file, "\n%s\n", conclusion(report));
}

void doctor_print_json(const DoctorReport *report, FILE *file)
{
    json_t *whole = json_object(), *findings = json_array();
    json_object_set_new(whole, "format", json_integer(DOCTOR_FORMAT));
    json_object_set_new(whole, "version", json_string(SPADEWORK_VERSION));
    json_object_set_new(whole, "window", json_boolean(report->window));
    json_object_set_new(whole, "headless", json_boolean(report->headless));
    json_object_set_new(whole, "slow", json_boolean(report->slow));
    json_object_set_new(whole, "findings", findings);
    for (int k = 0; k < report->count; k++) {
        const DoctorFinding *finding = &report->findings[k];
        json_t *row = json_object();
        json_object_set_new(row, "about", json_string(finding->about));
        json_object_set_new(row, "verdict", json_string(verdict_names[finding->verdict]));
        json_object_set_new(row, "text", make_text(finding->text));
        json_object_set_new(row, "advice", finding->advice[0] != '\0' ? make_text(finding->advice) : json_null());
        json_object_set(row, "values", finding->values);
        json_array_append_new(findings, row);
    }
    json_dumpf(whole, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    fputc('\n', file);
    json_decref(whole);
}

/// ---- probes in child processes -------------------------------------------------------------------------------------

/// Runs probes in child processes. The child writes the whole facts into a pipe, as often as it likes; the parent takes
/// each whole copy, and kills the child (SIGKILL) at the limit. A child whose parent has gone ends by its own alarm.

#define STEP  0.005 ///< s between two checks whether the child has ended. Chosen
#define DYING 0.9 ///< s that a killed child is waited for; one that a disk holds is left. Chosen

const char *doctor_part_words(DoctorPart part)
{
    static const char *const words[] = {
#define X(id, text) text,
        DOCTOR_PARTS(X)
#undef X
    };
    return words[part];
}

struct DoctorSender {
    int to;
    unsigned patience; ///< s until this process ends itself
};

void doctor_send(DoctorSender *sender, const DoctorFacts *facts)
{
    const char *bytes = (const char *)facts;
    alarm(sender->patience);
    for (size_t done = 0; done < sizeof *facts;) {
        ssize_t count = write(sender->to, bytes + done, sizeof *facts - done);
        if (count < 0 && errno != EINTR) {
            return; // the parent has gone
        }
        done += count > 0 ? (size_t)count : 0;
    }
}

/// The child: what libraries print goes nowhere, a crash leaves no core.
static void run_probe(DoctorFacts *facts, DoctorProbe *probe, int to, double limit)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    DoctorSender sender = {to, (unsigned)limit + 2};
    alarm(sender.patience);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0) {
        nowhere = open("/", O_RDONLY | O_DIRECTORY); // nothing can be written to it either
    }
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    probe(facts, &sender);
    doctor_send(&sender, facts);
    _exit(0);
}

/// Takes whole copies until the pipe ends or there was none for `limit` s; returns when that was, or will be.
static double receive_facts(int from, DoctorFacts *facts, double limit)
{
    double until = drive_clock() + limit;
    DoctorFacts *copy = malloc(sizeof *copy);
    char *bytes = (char *)copy;
    size_t filled = 0;
    for (bool open = bytes != NULL; open;) {
        double left = until - drive_clock();
        struct pollfd poller = {.fd = from, .events = POLLIN};
        int ready = left > 0.0 ? poll(&poller, 1, (int)ceil(1e3 * left)) : 0;
        ssize_t count = ready > 0 ? read(from, bytes + filled, sizeof *facts - filled) : -1;
        open = count > 0 || (ready != 0 && count < 0 && errno == EINTR);
        filled += count > 0 ? (size_t)count : 0;
        if (filled == sizeof *facts) {
            *facts = *copy;
            filled = 0;
            until = drive_clock() + limit;
        }
    }
    free(copy);
    return until;
}

/// True when the child has ended by then; `how` is waitpid's status.
static bool wait_until(pid_t child, double until, int *how)
{
    for (;;) {
        pid_t ended = waitpid(child, how, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return ended == child;
        }
        if (drive_clock() >= until) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = (long)(STEP * 1e9)}, NULL);
    }
}

static DoctorProbeEnd collect_end(pid_t child, double until, double limit)
{
    DoctorProbeEnd end = {.end = DOCTOR_LATE, .limit = limit};
    int how = 0;
    if (!wait_until(child, until, &how)) {
        kill(child, SIGKILL);
        wait_until(child, drive_clock() + DYING, &how);
        return end;
    }
    if (WIFSIGNALED(how)) {
        end.end = DOCTOR_CRASHED;
        end.signal = WTERMSIG(how);
    } else {
        end.end = WEXITSTATUS(how) == 0 ? DOCTOR_ANSWERED : DOCTOR_CRASHED;
    }
    return end;
}

/// Both ends of a pipe, none of them one of the three standard streams, which may be closed.
static bool make_pipe(int ends[2])
{
    int low[2];
    if (pipe(low) != 0) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        ends[k] = fcntl(low[k], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low[k]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

void doctor_probe(DoctorFacts *facts, DoctorPart part, DoctorProbe *probe, double limit)
{
    int ends[2] = {-1, -1};
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL); // where it is ignored, which children inherit, none can be waited for
    pid_t child = make_pipe(ends) ? fork() : -1;
    if (child == 0) {
        close(ends[0]);
        run_probe(facts, probe, ends[1], limit);
    }
    if (ends[1] >= 0) {
        close(ends[1]);
    }
    facts->ends[part] = (DoctorProbeEnd){.end = DOCTOR_NOT_PROBED, .limit = limit};
    if (child > 0) {
        DoctorProbeEnd before[DOCTOR_PART_COUNT];
        memcpy(before, facts->ends, sizeof before);
        double until = receive_facts(ends[0], facts, limit);
        memcpy(facts->ends, before, sizeof before);
        facts->ends[part] = collect_end(child, until, limit);
    }
    if (ends[0] >= 0) {
        close(ends[0]);
    }
}
