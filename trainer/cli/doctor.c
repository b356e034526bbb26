/// The command `doctor`: probes the computer part by part, one after the other, since those that measure want it for
/// themselves, and prints what was found. A probe asks the kernel, SDL, OpenGL and the libraries, and changes nothing.
#include "trainer/cli/doctor.h"

#include <SDL.h>
#include <epoxy/gl.h>
#include <errno.h>
#include <jansson.h>
#include <libpq-fe.h>
#include <libxml/parser.h>
#include <libxml/xmlversion.h>
#include <math.h>
#include <microhttpd.h>
#include <mosquitto.h>
#include <ode/ode.h>
#include <pango/pangocairo.h>
#include <png.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>
#include <yaml.h>
#include <zstd.h>

#include "data/core/language.h"
#include "data/core/system_files.h"
#include "data/schema/schema.h"
#include "input/input.h"
#include "soil/parallel/team.h"
#include "trainer/app/app.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/doctor_findings.h"
#include "trainer/pilot/pilot.h"
#include "trainer/results/results.h"

/// ---- processors and memory -----------------------------------------------------------------------------------------

enum { LINE = 8192 }; ///< bytes: the flags of a processor stand in one line

/// Opens a file of the kernel; NULL where there is none.
static FILE *open_kernel_file(const char *path)
{
    Status unused;
    return regular_file_open(path, &unused);
}

/// The text behind "key   : " of a line, or NULL.
static char *value_of(char *line, const char *key)
{
    size_t length = strlen(key);
    char *colon = strncmp(line, key, length) == 0 ? strchr(line + length, ':') : NULL;
    if (colon == NULL) {
        return NULL;
    }
    colon[1 + strcspn(colon + 1, "\n")] = '\0';
    return colon + 1 + strspn(colon + 1, " \t");
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void read_processor(ComputerFacts *computer)
{
    FILE *file = open_kernel_file("/proc/cpuinfo");
    char *line = file != NULL ? malloc(LINE) : NULL;
    while (line != NULL && fgets(line, LINE, file) != NULL && line[0] != '\n') { // the first one alone
        const char *value = NULL;
        if ((value = value_of(line, "model name")) != NULL) {
            snprintf(computer->model, sizeof computer->model, "%.95s", value);
        } else if ((value = value_of(line, "cpu MHz")) != NULL) {
            computer->mhz = strtod(value, NULL);
        } else if ((value = value_of(line, "flags")) != NULL) {
            computer->avx2 = has_word(value, "avx2");
            computer->avx512 = has_word(value, "avx512f");
        }
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
}

static void read_memory(ComputerFacts *computer)
{
    FILE *file = open_kernel_file("/proc/meminfo");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = NULL;
        if ((value = value_of(line, "MemTotal")) != NULL) {
            computer->memory = 1024.0 * strtod(value, NULL);
        } else if ((value = value_of(line, "MemAvailable")) != NULL) {
            computer->available = 1024.0 * strtod(value, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/// The first line of a file of the control group (version 2), or "".
static void read_group_file(const char *path, char line[64])
{
    FILE *file = open_kernel_file(path);
    if (file == NULL || fgets(line, 64, file) == NULL) {
        line[0] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
}

/// What a container allows: "max 100000" or "150000 100000" us of processors; "max" or bytes of memory.
static void read_limits(ComputerFacts *computer)
{
    char line[64], *end = NULL;
    read_group_file("/sys/fs/cgroup/cpu.max", line);
    double quota = strtod(line, &end), period = strtod(end, NULL);
    computer->quota = quota > 0.0 && period > 0.0 ? quota / period : 0.0;
    read_group_file("/sys/fs/cgroup/memory.max", line);
    double most = strtod(line, NULL);
    read_group_file("/sys/fs/cgroup/memory.current", line);
    double left = most - strtod(line, NULL);
    if (most > 0.0 && most < computer->memory) {
        computer->memory = most;
        computer->available = left < computer->available ? left : computer->available;
    }
}

static void probe_computer(DoctorFacts *facts, DoctorSender *sender)
{
    ComputerFacts *computer = &facts->computer;
    computer->processors = team_count_processors();
    computer->installed = (int)sysconf(_SC_NPROCESSORS_ONLN);
    doctor_send(sender, facts);
    read_processor(computer);
    read_memory(computer);
    read_limits(computer);
}

/// ---- data, settings, language --------------------------------------------------------------------------------------

enum { MOST_SCENES = 512 };

static void count_scenes(FilesFacts *files)
{
    Status status = {STATUS_GOOD, ""};
    snprintf(files->data, sizeof files->data, "%s", data_folder());
    DataListEntry *entries = calloc(MOST_SCENES, sizeof *entries);
    int count = entries != NULL ? data_list("scenes", entries, MOST_SCENES, &status) : 0;
    files->scenes = count > 0 ? count : 0;
    snprintf(files->data_fault, sizeof files->data_fault, "%.255s", count < 0 ? status.text : "");
    free(entries);
}

/// What the settings name is there: the language and the control map.
static bool check_settings_names(const SettingsParams *settings, Status *status)
{
    ControlsParams *controls = calloc(1, sizeof *controls);
    bool good = settings->language[0] == '\0' || language_choose(settings->language, status);
    if (good && controls != NULL && settings->controls[0] != '\0') {
        good = data_load_controls(settings->controls, controls, NULL, status);
    }
    free(controls);
    return good;
}

static void check_settings(FilesFacts *files)
{
    Status status = {STATUS_GOOD, ""};
    SettingsParams settings = {0};
    files->settings_there = results_settings_exist();
    bool good = user_config_path("settings.yaml", files->settings, &status) && results_settings(&settings, &status) &&
                check_settings_names(&settings, &status);
    snprintf(files->settings_fault, sizeof files->settings_fault, "%.255s", good ? "" : status.text);
}

/// The first of the variables that say which letters there are, as setlocale asks them.
static const char *locale_of(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return "";
}

static bool is_utf8(const char *locale)
{
    const char *code = strchr(locale, '.');
    return code != NULL && (strncasecmp(code, ".utf-8", 6) == 0 || strncasecmp(code, ".utf8", 5) == 0);
}

static void read_language(FilesFacts *files)
{
    const char *kind = getenv("TERM"), *locale = locale_of();
    snprintf(files->language, sizeof files->language, "%s", language_code());
    snprintf(files->locale, sizeof files->locale, "%s", locale);
    files->utf8 = is_utf8(locale);
    snprintf(files->terminal_kind, sizeof files->terminal_kind, "%s", kind != NULL ? kind : "");
}

static void probe_files(DoctorFacts *facts, DoctorSender *sender)
{
    read_language(&facts->files);
    doctor_send(sender, facts);
    check_settings(&facts->files);
    doctor_send(sender, facts);
    count_scenes(&facts->files);
}

/// ---- speed of the simulation ---------------------------------------------------------------------------------------

#define DIGS_AT      4.0 ///< simulated s until the bucket is in the ground
#define WARM_MOST    1.5 ///< s of the wall for that. Chosen
#define MEASURED     5.0 ///< simulated s. Chosen
#define MEASURE_MOST 1.5 ///< s of the wall for that. Chosen

#define DOCTOR_SCENE "trench"

/// The shipped scene that is driven to time it. Owns both; zero is none.
typedef struct Trial {
    Session *session;
    Autopilot *pilot;
} Trial;

/// False with `status` as session_create says, or when memory is short; destroy it also then.
static bool trial_create(Trial *trial, Status *status)
{
    *trial = (Trial){0};
    trial->session = session_create(&(SessionParams){.scene = DOCTOR_SCENE}, status);
    trial->pilot = trial->session != NULL ? autopilot_create(trial->session) : NULL;
    return trial->pilot != NULL ||
           (trial->session != NULL && status_fail(status, STATUS_LACKING, "out of memory for the operator"));
}

/// One tick of the scripted operator.
static void trial_tick(Trial *trial)
{
    OperatorControls controls;
    autopilot_controls(trial->pilot, trial->session, &controls);
    session_tick(trial->session, &controls);
}

static void trial_destroy(Trial *trial)
{
    autopilot_destroy(trial->pilot);
    session_destroy(trial->session);
    *trial = (Trial){0};
}

/// Drives up to a simulated time or for so many seconds of the wall; returns those it took. `longest` (or NULL) takes
/// the longest tick, s.
static double drive_until(Trial *trial, double time, double most, double *longest)
{
    double begin = drive_clock(), now = begin;
    while (session_frame(trial->session)->time < time - 1e-9 && now - begin < most) {
        trial_tick(trial);
        double before = now;
        now = drive_clock();
        if (longest != NULL) {
            *longest = fmax(*longest, now - before);
        }
    }
    return now - begin;
}

static void probe_session(DoctorFacts *facts, DoctorSender *sender)
{
    SessionFacts *session = &facts->session;
    Trial trial;
    Status status = {STATUS_GOOD, ""};
    double begin = drive_clock();
    if (trial_create(&trial, &status)) {
        snprintf(session->scene, sizeof session->scene, "%s", DOCTOR_SCENE);
        session->made = true;
        session->built = drive_clock() - begin;
        session->threads = team_count_processors();
        session->tick = session_dt(trial.session);
        doctor_send(sender, facts);
        drive_until(&trial, DIGS_AT, WARM_MOST, NULL);
        session->from = session_frame(trial.session)->time;
        session->wall = drive_until(&trial, session->from + MEASURED, MEASURE_MOST, &session->longest);
        session->simulated = session_frame(trial.session)->time - session->from;
    }
    snprintf(session->fault, sizeof session->fault, "%.255s", status.text);
    doctor_send(sender, facts);
    trial_destroy(&trial);
}

/// ---- display and pictures ------------------------------------------------------------------------------------------

#define FRAMES_MOST 0.6 ///< s of pictures that count. Chosen
#define SMOOTH      30.0 ///< pictures a second, 1/s, from which on no lower quality is tried
#define TRY_MOST    6.0 ///< s after which no other quality is tried. Chosen

enum { WARM_FRAMES = 2, MOST_FRAMES = 60 }; ///< at most: that warm a context up; that count

static void find_card(DrawingFacts *drawing)
{
    static const char *const nodes[] = {"/dev/dri/renderD128", "/dev/nvidia0"};
    for (size_t k = 0; k < sizeof nodes / sizeof nodes[0]; k++) {
        bool there = access(nodes[k], F_OK) == 0;
        drawing->card_closed |= there && access(nodes[k], R_OK | W_OK) != 0;
        drawing->card |= there;
    }
}

static void list_displays(DrawingFacts *drawing)
{
    drawing->display = window_has_display();
    if (!drawing->display) {
        bool named =
            getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL || getenv("SDL_VIDEODRIVER") != NULL;
        snprintf(drawing->display_fault, sizeof drawing->display_fault, "%.255s",
                 named ? SDL_GetError() : "neither DISPLAY nor WAYLAND_DISPLAY is set");
        return;
    }
    snprintf(drawing->driver, sizeof drawing->driver, "%s", SDL_GetCurrentVideoDriver());
    int count = SDL_GetNumVideoDisplays();
    for (int k = 0; k < count && drawing->display_count < DOCTOR_MOST_DISPLAYS; k++) {
        DisplayFacts *display = &drawing->displays[drawing->display_count];
        const char *name = SDL_GetDisplayName(k);
        SDL_DisplayMode mode;
        if (SDL_GetDesktopDisplayMode(k, &mode) == 0) {
            snprintf(display->name, sizeof display->name, "%s", name != NULL ? name : "");
            display->width = mode.w;
            display->height = mode.h;
            display->refresh = mode.refresh_rate;
            drawing->display_count++;
        }
    }
}

static void read_gl_text(GLenum which, char words[DOCTOR_NAME])
{
    const GLubyte *text = glGetString(which);
    snprintf(words, DOCTOR_NAME, "%s", text != NULL ? (const char *)text : "");
}

static void read_gl(DrawingFacts *drawing)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    drawing->context = true;
    snprintf(drawing->driver, sizeof drawing->driver, "%s", driver != NULL ? driver : "");
    read_gl_text(GL_VERSION, drawing->version);
    read_gl_text(GL_RENDERER, drawing->renderer);
    read_gl_text(GL_VENDOR, drawing->vendor);
}

/// What draws the trial in one quality.
typedef struct PictureTimer {
    Offscreen *context;
    Renderer *renderer;
    SessionView *view;
    unsigned char *pixels;
} PictureTimer;

/// s that the picture after one more tick takes.
static double time_picture(const PictureTimer *timer, Trial *trial)
{
    trial_tick(trial);
    session_view_tick(timer->view, trial->session);
    double begin = drive_clock();
    Camera place = camera_default(RENDER_CAMERA_CAB);
    RenderView *view = session_view_build(timer->view, trial->session, 1.0);
    camera_aim(&place, view);
    render_draw(timer->renderer, view, DOCTOR_WIDTH, DOCTOR_HEIGHT);
    offscreen_pixels(timer->context, timer->pixels);
    return drive_clock() - begin;
}

/// Pictures a second, 1/s.
static double count_frames(const PictureTimer *timer, Trial *trial)
{
    double taken = 0.0, warmed = 0.0;
    int frames = 0;
    for (int k = 0; k < WARM_FRAMES && warmed < FRAMES_MOST; k++) {
        warmed += time_picture(timer, trial);
    }
    while (frames < MOST_FRAMES && taken < FRAMES_MOST) {
        taken += time_picture(timer, trial);
        frames++;
    }
    return taken > 0.0 ? frames / taken : 0.0;
}

/// The same at one quality; 0: it cannot be drawn.
static double try_quality(Offscreen *context, Trial *trial, SettingsQuality quality)
{
    char folder[DATA_PATH_LENGTH + 16];
    Status unused;
    snprintf(folder, sizeof folder, "%s/shaders", data_folder());
    PictureTimer timer = {.context = context,
                          .renderer = render_create(
                              &(RenderParams){.shader_folder = folder, .quality = window_quality(quality)}, &unused),
                          .view = session_view_create(),
                          .pixels = malloc((size_t)3 * DOCTOR_WIDTH * DOCTOR_HEIGHT)};
    double frames = 0.0;
    if (timer.renderer != NULL && timer.pixels != NULL) {
        session_view_jump(timer.view, trial->session);
        frames = count_frames(&timer, trial);
    }
    free(timer.pixels);
    session_view_destroy(timer.view);
    if (timer.renderer != NULL) {
        render_destroy(timer.renderer);
    }
    return frames;
}

/// The quality that is asked for, and where that is slow, the lowest; where that is not, what lies between.
static void time_pictures(DoctorFacts *facts, DoctorSender *sender, Offscreen *context, Trial *trial)
{
    DrawingFacts *drawing = &facts->drawing;
    SettingsQuality first = drawing->asked == SETTINGS_QUALITY_AUTO ? SETTINGS_QUALITY_HIGH : drawing->asked;
    const SettingsQuality order[] = {first, SETTINGS_QUALITY_LOW, SETTINGS_QUALITY_MEDIUM};
    double begin = drive_clock();
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        double *frames = &drawing->frames[order[k]];
        bool worth = k == 0 || (k == 1 && drawing->frames[first] < SMOOTH) ||
                     (k == 2 && first == SETTINGS_QUALITY_HIGH && drawing->frames[first] < SMOOTH &&
                      drawing->frames[SETTINGS_QUALITY_LOW] >= SMOOTH);
        if (worth && *frames <= 0.0 && drive_clock() - begin < TRY_MOST) {
            *frames = try_quality(context, trial, order[k]);
            doctor_send(sender, facts);
        }
    }
}

static void probe_drawing(DoctorFacts *facts, DoctorSender *sender)
{
    DrawingFacts *drawing = &facts->drawing;
    SettingsParams settings = {0};
    Status status = {STATUS_GOOD, ""};
    if (!drawing->given && results_settings(&settings, &status)) {
        drawing->asked = settings.window.quality;
    }
    find_card(drawing);
    list_displays(drawing);
    doctor_send(sender, facts);
    // Without smoothed edges, as a window has them.
    Offscreen *context = offscreen_create(DOCTOR_WIDTH, DOCTOR_HEIGHT, RENDER_QUALITY_LOW, &status);
    if (context == NULL) {
        snprintf(drawing->context_fault, sizeof drawing->context_fault, "%.255s", status.text);
        return;
    }
    read_gl(drawing);
    doctor_send(sender, facts);
    Trial trial;
    if (trial_create(&trial, &status)) {
        doctor_send(sender, facts);
        time_pictures(facts, sender, context, &trial);
    }
    trial_destroy(&trial);
    offscreen_destroy(context);
}

/// ---- pads and joysticks --------------------------------------------------------------------------------------------

enum { MOST_MAPS = 128, MOST_BOXES = 32 };

/// The boxes that this user may not read, which no library can list.
static void count_closed(const InputBox *boxes, int count, DevicesFacts *devices)
{
    for (int k = 0; k < count; k++) {
        if (boxes[k].closed && devices->closed++ == 0) {
            snprintf(devices->closed_name, sizeof devices->closed_name, "%.47s", boxes[k].name);
        }
    }
}

static void list_unlisted(InputDevices *open, const InputBox *boxes, int count, DevicesFacts *devices)
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

static void list_open(InputDevices *open, DevicesFacts *devices)
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

static void probe_devices(DoctorFacts *facts, DoctorSender *sender)
{
    DevicesFacts *devices = &facts->devices;
    Status status = {STATUS_GOOD, ""};
    InputBox boxes[MOST_BOXES];
    int count = input_boxes(boxes, MOST_BOXES);
    count_closed(boxes, count, devices);
    doctor_send(sender, facts);
    InputDevices *open = input_devices_open(&status);
    snprintf(devices->fault, sizeof devices->fault, "%.255s", open == NULL ? status.text : "");
    if (open != NULL) {
        list_open(open, devices);
        list_unlisted(open, boxes, count, devices);
        doctor_send(sender, facts);
        input_devices_close(open);
    }
}

/// ---- sound ---------------------------------------------------------------------------------------------------------

static void open_output(SoundFacts *sound)
{
    SDL_AudioSpec wanted = {.freq = 48000, .format = AUDIO_F32SYS, .channels = 2, .samples = 1024}, given;
    const char *driver = SDL_GetCurrentAudioDriver(), *output = SDL_GetAudioDeviceName(0, 0);
    snprintf(sound->driver, sizeof sound->driver, "%s", driver != NULL ? driver : "");
    if (SDL_GetNumAudioDevices(0) == 0) {
        snprintf(sound->fault, sizeof sound->fault, "%s knows of none", sound->driver);
        return;
    }
    SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, 0, &wanted, &given, 0);
    if (device == 0) {
        snprintf(sound->fault, sizeof sound->fault, "%.255s", SDL_GetError());
        return;
    }
    snprintf(sound->output, sizeof sound->output, "%s", output != NULL ? output : "the usual output");
    sound->open = true;
    sound->rate = given.freq;
    SDL_CloseAudioDevice(device);
}

static void probe_sound(DoctorFacts *facts, DoctorSender *sender)
{
    SoundFacts *sound = &facts->sound;
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        snprintf(sound->fault, sizeof sound->fault, "%.255s", SDL_GetError());
        return;
    }
    open_output(sound);
    doctor_send(sender, facts);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

/// ---- folders -------------------------------------------------------------------------------------------------------

/// Cuts a path down to the folder that it is in; false at the root.
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL || path[1] == '\0') {
        return false;
    }
    slash[slash == path ? 1 : 0] = '\0';
    return true;
}

/// Checks the folder, or the one that it would be made in.
static void check_folder(FolderFacts *folder)
{
    char path[DATA_PATH_LENGTH];
    struct stat info;
    snprintf(path, sizeof path, "%s", folder->path);
    folder->there = stat(path, &info) == 0;
    while (stat(path, &info) != 0 && errno == ENOENT && go_up(path)) {
    }
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        snprintf(folder->fault, sizeof folder->fault, "%.200s is no folder", path);
        return;
    }
    folder->writable = access(path, W_OK | X_OK) == 0;
    if (!folder->writable) {
        snprintf(folder->fault, sizeof folder->fault, "%.160s: %.60s", path, strerror(errno));
    }
    struct statvfs disk;
    if (statvfs(path, &disk) == 0) {
        folder->free = (double)disk.f_bavail * (double)disk.f_frsize;
    }
}

static void check_user_folder(FolderFacts *folder, bool found, const Status *status)
{
    if (!found) {
        folder->path[0] = '\0';
        snprintf(folder->fault, sizeof folder->fault, "%.255s", status->text);
        return;
    }
    check_folder(folder);
}

/// The folder that stations share is only read.
static void check_shared_folder(FolderFacts *folder)
{
    const char *path = data_shared_folder();
    snprintf(folder->path, sizeof folder->path, "%s", path != NULL ? path : "");
    folder->there = path != NULL && access(path, R_OK | X_OK) == 0;
    if (path != NULL && !folder->there) {
        snprintf(folder->fault, sizeof folder->fault, "%.200s", strerror(errno));
    }
}

static void probe_folders(DoctorFacts *facts, DoctorSender *sender)
{
    FoldersFacts *folders = &facts->folders;
    Status status = {STATUS_GOOD, ""};
    const char *temporary = getenv("TMPDIR");
    snprintf(folders->temporary.path, DATA_PATH_LENGTH, "%s",
             temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp");
    check_user_folder(&folders->data, user_data_path("", folders->data.path, &status), &status);
    doctor_send(sender, facts);
    check_user_folder(&folders->recordings, user_data_path("recordings", folders->recordings.path, &status), &status);
    doctor_send(sender, facts);
    check_user_folder(&folders->settings, user_config_path("", folders->settings.path, &status), &status);
    doctor_send(sender, facts);
    check_folder(&folders->temporary);
    doctor_send(sender, facts);
    check_shared_folder(&folders->shared);
}

/// ---- libraries and programs ----------------------------------------------------------------------------------------

static void add_library(SoftwareFacts *software, const char *name, const char *version)
{
    if (software->count < DOCTOR_MOST_LIBRARIES) {
        LibraryFacts *library = &software->libraries[software->count++];
        snprintf(library->name, sizeof library->name, "%s", name);
        snprintf(library->version, sizeof library->version, "%s", version);
    }
}

/// Adds a library whose version is one number.
static void add_numbered_library(SoftwareFacts *software, const char *name, unsigned number, unsigned base)
{
    char version[40];
    snprintf(version, sizeof version, "%u.%u.%u", number / base / base, number / base % base, number % base);
    add_library(software, name, version);
}

static void add_mosquitto(SoftwareFacts *software)
{
    char version[40];
    int major, minor, revision;
    mosquitto_lib_version(&major, &minor, &revision);
    snprintf(version, sizeof version, "%d.%d.%d", major, minor, revision);
    add_library(software, "libmosquitto", version);
}

/// PostgreSQL has had two numbers since version 10.
static void add_postgres(SoftwareFacts *software)
{
    char version[40];
    snprintf(version, sizeof version, "%d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
    add_library(software, "libpq", version);
}

static int count_fonts(void)
{
    PangoFontFamily **families = NULL;
    int count = 0;
    pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count);
    g_free(families);
    return count;
}

static void probe_software(DoctorFacts *facts, DoctorSender *sender)
{
    SoftwareFacts *software = &facts->software;
    SDL_version linked;
    char version[40];
    SDL_GetVersion(&linked);
    snprintf(version, sizeof version, "%u.%u.%u", linked.major, linked.minor, linked.patch);
    add_library(software, "SDL", version);
    software->film = program_is_there("ffmpeg");
    software->browser = program_is_there("xdg-open");
    software->ode_double = dCheckConfiguration("ODE_double_precision") != 0;
    add_library(software, "ODE", dODE_VERSION); // of the header: the library has no function for it
    add_library(software, "SQLite", sqlite3_libversion());
    add_library(software, "zstd", ZSTD_versionString());
    add_library(software, "libsodium", sodium_version_string());
    add_numbered_library(software, "xxHash", XXH_versionNumber(), 100);
    add_library(software, "libyaml", yaml_get_version_string());
    add_numbered_library(software, "libxml2", (unsigned)strtoul(xmlParserVersion, NULL, 10), 100);
    add_library(software, "jansson", jansson_version_str());
    add_library(software, "libmicrohttpd", MHD_get_version());
    add_postgres(software);
    add_mosquitto(software);
    add_numbered_library(software, "libpng", png_access_version_number(), 100);
    add_library(software, "cairo", cairo_version_string());
    add_library(software, "pango", pango_version_string());
    doctor_send(sender, facts);
    software->fonts = count_fonts();
}

/// ---- the command ---------------------------------------------------------------------------------------------------

const DoctorProbeRow doctor_probes[DOCTOR_PART_COUNT] = {
    [DOCTOR_COMPUTER] = {probe_computer, 3.0}, [DOCTOR_FILES] = {probe_files, 5.0},
    [DOCTOR_SESSION] = {probe_session, 8.0},   [DOCTOR_DRAWING] = {probe_drawing, 12.0},
    [DOCTOR_DEVICES] = {probe_devices, 5.0},   [DOCTOR_SOUND] = {probe_sound, 5.0},
    [DOCTOR_FOLDERS] = {probe_folders, 4.0},   [DOCTOR_SOFTWARE] = {probe_software, 6.0},
};

static void probe_all(const CliOptions *options, DoctorFacts *facts)
{
    bool tells = isatty(STDERR_FILENO) == 1;
    facts->files.terminal = isatty(STDOUT_FILENO) == 1;
    facts->drawing.given = options->run.quality > 0;
    if (facts->drawing.given) {
        facts->drawing.asked = (SettingsQuality)(options->run.quality - 1);
    }
    for (int part = 0; part < DOCTOR_PART_COUNT; part++) {
        if (tells) {
            fprintf(stderr, "\rlooks at: %-30s", doctor_part_words((DoctorPart)part));
        }
        doctor_probe(facts, (DoctorPart)part, doctor_probes[part].probe, doctor_probes[part].limit);
    }
    if (tells) {
        fprintf(stderr, "\r%-40s\r", "");
    }
}

int cli_doctor(const CliOptions *options)
{
    Status status;
    DoctorFacts *facts = calloc(1, sizeof *facts);
    DoctorReport *report = calloc(1, sizeof *report);
    if (facts == NULL || report == NULL) {
        free(facts);
        free(report);
        status_fail(&status, STATUS_LACKING, "out of memory for the findings");
        return cli_fail(&status);
    }
    probe_all(options, facts);
    doctor_judge(facts, report);
    if (options->run.json) {
        doctor_print_json(report, stdout);
    } else {
        doctor_print(report, stdout);
    }
    int written = cli_flush();
    int code = written != STATUS_GOOD ? written : report->window ? STATUS_GOOD : STATUS_LACKING;
    doctor_free(report);
    free(report);
    free(facts);
    return code;
}
