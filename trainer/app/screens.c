/// Commands that need a window: opens it as settings and options ask, runs the main menu, a drive or a replay, and
/// returns an exit code. Also the calibration on the terminal.
#include "trainer/app/screens.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/language.h"
#include "data/core/visible_text.h"
#include "data/schema/schema.h"
#include "input/calibration.h"
#include "trainer/app/device_setup.h"
#include "trainer/app/main_menu.h"
#include "trainer/app/replay.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

/// ---- commands ------------------------------------------------------------------------------------------------------

/// Closes the window, prints the recording's path or the failure, and returns the exit code.
static int conclude_command(Window *window, ScreenEnd end, const char *recorded, const Status *status)
{
    window_close(window);
    if (recorded[0] != '\0') {
        printf("recorded %s\n", recorded);
    }
    if (end == SCREEN_END_FAILED) {
        fprintf(stderr, "spadework: %s\n", status->text);
        return (int)status->code;
    }
    return STATUS_GOOD;
}

/// Reads the settings. Unreadable ones are reported on stderr and replaced by the defaults.
static void read_settings(SettingsParams *settings)
{
    Status status, unused;
    if (!results_settings(settings, &status)) {
        if (status.code == STATUS_BAD_FILE) {
            fprintf(stderr, "spadework: %s; the window opens as without settings\n", status.text);
        }
        data_load_settings(NULL, settings, &unused);
    }
}

/// Displays named on the command line must exist; missing ones of the settings are reported on stderr.
static bool open_sides(Window *window, const RunOptions *options, const SettingsParams *settings, Status *status)
{
    SettingsSides sides = options->windows;
    bool asked = sides.count > 0;
    if (!asked && !sides_read(settings->window.windows, &sides)) {
        return true; // which the schema allows in no file
    }
    bool good = window_set_sides(window, &sides, status);
    if (!good && !asked) {
        fprintf(stderr, "spadework: %s\n", status->text);
    }
    return good || !asked;
}

/// Opens the program's window as the user's settings and the command line ask. NULL with `status`: there is no window.
static Window *open_window(const RunOptions *options, Status *status)
{
    SettingsParams settings;
    read_settings(&settings);
    SettingsQuality quality = options->quality > 0 ? (SettingsQuality)(options->quality - 1) : settings.window.quality;
    Window *window = window_open("Spadework", quality, status);
    if (window != NULL) {
        window_set_gauges(window, settings.window.gauges);
        window_set_units(window, settings.window.units);
        window_set_panels(window, &settings.window.panels);
        window_set_help(window, !settings.window.no_keys);
        window_set_debug(window, options->overlay);
        window_set_cut_fill(window, options->cut_fill);
        double volume = options->volume < 0.0 ? settings.sound.volume : options->volume;
        window_open_sound(window, options->mute ? 0.0 : volume);
        window_set_controls(window, options->axes);
        SettingsViews views = run_views(&options->views, &settings.window.views);
        window_set_views(window, &views);
        if (!open_sides(window, options, &settings, status)) {
            window_close(window);
            return NULL;
        }
    }
    return window;
}

/// Takes the control map of the settings where the command line names none. An unreadable one is reported, and the
/// machine's own map is used.
static void choose_controls(RunOptions *options, SettingsParams *settings)
{
    Status status;
    ControlsParams unused;
    read_settings(settings);
    if (options->controls == NULL && settings->controls[0] != '\0') {
        if (data_load_controls(settings->controls, &unused, NULL, &status)) {
            options->controls = settings->controls;
        } else {
            fprintf(stderr, "spadework: %s; the machine's own control map drives\n", status.text);
        }
    }
}

static int open_and_drive(const DriveParams *given, Status *status)
{
    char recorded[DATA_PATH_LENGTH] = "";
    SettingsParams settings;
    RunOptions options = *given->options;
    DriveParams own = *given, *params = &own;
    choose_controls(&options, &settings);
    own.options = &options;
    Window *window = open_window(params->options, status);
    ScreenEnd end = window != NULL ? drive_screen(window, params, recorded, status) : SCREEN_END_FAILED;
    return conclude_command(window, end, recorded, status);
}

int screens_run(const RunOptions *options, const DriveGuide *guide, Status *why)
{
    return open_and_drive(&(DriveParams){.options = options, .briefs = true, .guide = guide}, why);
}

int screens_resume(const char *path, double at, const RunOptions *options, const DriveGuide *guide)
{
    Status status = {0};
    return open_and_drive(&(DriveParams){.options = options, .parent = path, .at = at, .guide = guide}, &status);
}

int screens_replay(const char *path, double from, const RunOptions *options)
{
    Status status = {0};
    SettingsParams settings;
    RunOptions own = *options;
    choose_controls(&own, &settings);
    Window *window = open_window(&own, &status);
    ScreenEnd end = window != NULL ? watch_and_drive(window, path, from, &own, &status) : SCREEN_END_FAILED;
    return conclude_command(window, end, "", &status);
}

int screens_list_marks(const char *path)
{
    Status status = {0};
    Recording *recording = recording_open(path, &status);
    if (recording == NULL) {
        fprintf(stderr, "spadework: %s\n", status.text);
        return (int)status.code;
    }
    const char *rate = recording_meta(recording, "tick_rate"); // positive in every recording that opens
    double dt = rate != NULL ? 1.0 / strtod(rate, NULL) : 1.0;
    Bookmarks bookmarks;
    RecordingSeal seal;
    bool good = recording_check_seals(recording, &seal, &status) &&
                bookmarks_read(path, (double)recording_ticks(recording) * dt, &bookmarks, &status);
    if (good) {
        ReplayMarks marks = {.reader = reader_of_files};
        replay_marks_read(&marks, recording, dt);
        replay_marks_set_bookmarks(&marks, &bookmarks, dt);
        for (int k = 0; k < marks.count; k++) {
            printf("%s\t%s\t%s\n", marks.rows[k].time, event_kind_name((EventKind)marks.events[k].kind),
                   marks.rows[k].text);
        }
        replay_marks_free(&marks);
        good = fflush(stdout) == 0 || status_fail(&status, STATUS_LACKING, "stdout: cannot be written");
    }
    recording_close(recording);
    if (!good) {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    return good ? STATUS_GOOD : (int)status.code;
}

/// ---- menu ----------------------------------------------------------------------------------------------------------

/// Shows the main menu, and drives or watches what was chosen.

typedef struct SceneMenu {
    Window *window;
    MainMenu *menu;
    const char *first_record; ///< --record's file, or NULL
    bool first_made; ///< by this menu: the next one is numbered
    char next_record[DATA_PATH_LENGTH];
    int types; ///< what keys are for in the menu: 0 commands, 1 text, 2 a search
} SceneMenu;

/// Drives the chosen scene. --record names the first session's file only; those after it are numbered beside it.
static ScreenEnd drive_chosen_scene(SceneMenu *self, Status *status)
{
    const char *first = self->first_record;
    RunOptions options = *main_menu_options(self->menu);
    if (self->first_made) {
        output_number_path(first, self->next_record, sizeof self->next_record);
        options.record = self->next_record;
    }
    bool absent = first != NULL && access(first, F_OK) != 0;
    char recorded[DATA_PATH_LENGTH];
    DriveParams params = {.options = &options, .briefs = true, .from_menu = true};
    ScreenEnd end = drive_screen(self->window, &params, recorded, status);
    self->first_made |= absent && access(first, F_OK) == 0;
    if (recorded[0] != '\0') {
        printf("recorded %s\n", recorded);
    }
    return end;
}

/// Does what was chosen; a failure becomes the menu's second line. True when the window is to close.
static bool carry_out_answer(SceneMenu *self, MainAnswer answer, Status *status)
{
    if (answer == MAIN_STAYS || answer == MAIN_LEAVES) {
        return answer == MAIN_LEAVES;
    }
    if (answer == MAIN_APPLIES) {
        if (!settings_page_apply(main_menu_settings(self->menu), main_menu_changed(self->menu), self->window, status)) {
            main_menu_return(self->menu, status->text);
        } else if (main_menu_changed(self->menu) == SETTINGS_ITEM_LANGUAGE) {
            main_menu_return(self->menu, NULL);
        }
        return false;
    }
    window_take_text(self->window, false); // keys of a drive and of a replay are no search
    self->types = 0;
    ScreenEnd end = answer == MAIN_DRIVES ? drive_chosen_scene(self, status)
                                          : watch_and_drive(self->window, main_menu_recording(self->menu), 0.0,
                                                            main_menu_options(self->menu), status);
    window_set_title(self->window, "Spadework");
    main_menu_return(self->menu, end == SCREEN_END_FAILED ? status->text : NULL);
    return end == SCREEN_END_CLOSE;
}

static void run_menu(SceneMenu *self, Status *status)
{
    RenderView *view = calloc(1, sizeof *view);
    if (view == NULL) {
        abort();
    }
    double last = drive_clock();
    for (bool over = false; !over;) {
        WindowInput input;
        const InputSample *sample = window_poll(self->window, NULL, &input);
        double now = drive_clock();
        main_menu_watch(self->menu, window_devices(self->window), sample, now - last);
        last = now;
        over = input.close || carry_out_answer(self, main_menu_take(self->menu, &input, view), status);
        int wanted = main_menu_types(self->menu) ? 1 : main_menu_searches(self->menu) ? 2 : 0;
        if (wanted == 2 && self->types != 2) {
            window_take_search(self->window, true);
        } else if (wanted != self->types) {
            window_take_text(self->window, wanted == 1);
        }
        self->types = wanted;
        main_menu_show(self->menu, &view->menu);
        window_show(self->window, view);
    }
    window_take_text(self->window, false);
    free(view);
}

int screens_menu(const RunOptions *defaults)
{
    Status status = {0};
    SceneMenu self = {.first_record = defaults->record};
    self.menu = main_menu_create(defaults, &status);
    self.window = self.menu != NULL ? open_window(defaults, &status) : NULL;
    bool good = self.window != NULL;
    if (good) {
        run_menu(&self, &status);
    } else {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    window_close(self.window);
    main_menu_destroy(self.menu);
    return good ? STATUS_GOOD : (int)status.code;
}

/// ---- calibration on the terminal -----------------------------------------------------------------------------------

/// Lists the devices, asks for each lever in turn (input/calibration.h decides what counts as an answer), and writes
/// the control map to a temporary file that is renamed, so no partial map is ever found.

#define LOOK_EVERY 0.016 ///< s
#define SEEK_TIME  1.0 ///< s in which the system reports plugged-in devices

/// What the person typed.
typedef enum Typed { TYPED_NOTHING, TYPED_SKIP, TYPED_REST, TYPED_BACK, TYPED_QUIT, TYPED_UNKNOWN } Typed;

static Typed read_typed(char *line, int size)
{
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&wait, 1, (int)(LOOK_EVERY * 1000.0)) <= 0) {
        return TYPED_NOTHING;
    }
    if (fgets(line, size, stdin) == NULL) {
        return TYPED_QUIT;
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0') {
        return TYPED_SKIP;
    }
    return strcmp(line, "b") == 0   ? TYPED_BACK
           : strcmp(line, "r") == 0 ? TYPED_REST
           : strcmp(line, "q") == 0 ? TYPED_QUIT
                                    : TYPED_UNKNOWN;
}

static void print_question(const Calibration *calibration)
{
    char text[CALIBRATION_TEXT];
    calibration_prompt(calibration, text, (int)sizeof text);
    printf("%2d  %s\n", calibration_number(calibration), text);
    fflush(stdout);
}

static CalibrationAnswer answer_typed(Calibration *calibration, Typed typed, const char *line)
{
    if (typed == TYPED_SKIP) {
        return calibration_skip(calibration);
    }
    bool may_skip = calibration_may_skip_rest(calibration);
    if (typed == TYPED_BACK) {
        calibration_back(calibration);
        print_question(calibration);
    } else if (typed == TYPED_REST && may_skip) {
        calibration_skip_rest(calibration);
    } else if (typed == TYPED_REST || typed == TYPED_UNKNOWN) {
        printf("    read \"%.40s\", allowed: Enter (none), %sb (back), q (quit)\n", line,
               may_skip ? "r (none of the rest), " : "");
    }
    return CALIBRATION_WAITS;
}

/// Asks until all questions are answered; false when the person quits.
static bool ask_all(Calibration *calibration, InputDevices *devices)
{
    print_question(calibration);
    while (!calibration_is_done(calibration)) {
        char line[80] = "", text[INPUT_NEWS_TEXT];
        InputNews news;
        Typed typed = read_typed(line, (int)sizeof line);
        if (typed == TYPED_QUIT) {
            return false;
        }
        input_devices_poll(devices);
        const InputSample *sample = input_devices_sample(devices);
        while (input_devices_changed(devices, &news)) {
            input_news_text(&news, &(TextReader){.english = true}, text);
            printf("    %s\n", text);
        }
        CalibrationAnswer answer = answer_typed(calibration, typed, line);
        if (answer == CALIBRATION_WAITS) {
            answer = calibration_watch(calibration, sample, LOOK_EVERY);
        }
        if (answer != CALIBRATION_WAITS) {
            printf("    %s%s\n", answer == CALIBRATION_REFUSED ? "not taken: " : "", calibration->text);
        }
        if (answer == CALIBRATION_TAKEN && !calibration_is_done(calibration)) {
            print_question(calibration);
        }
    }
    return true;
}

/// Checks the output path first, so no answers are lost at the end.
static bool check_path(const char *path, Status *status)
{
    struct stat info;
    size_t length = strlen(path);
    if (length < 6 || strcmp(path + length - 5, ".yaml") != 0 || length >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_BAD_USAGE, "calibrate %.200s: a name that ends in .yaml is expected", path);
    }
    if (lstat(path, &info) == 0) {
        return status_fail(status, STATUS_LACKING, "%s: exists already; name another file, or remove it", path);
    }
    char folder[DATA_PATH_LENGTH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
    return access(slash != NULL ? folder : ".", W_OK) == 0 ||
           status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(errno));
}

/// Fills the list of devices, and shows it. False when there is none.
static bool find_devices(InputDevices *devices, ControlDevice *list, int *count, Status *status)
{
    *count = 0;
    for (double waited = 0.0; waited < SEEK_TIME && *count == 0; waited += LOOK_EVERY) {
        input_devices_poll(devices);
        *count = input_devices_list(devices, list, CONTROLS_MAX_DEVICES);
        poll(NULL, 0, (int)(LOOK_EVERY * 1000.0));
    }
    if (*count == 0) {
        return status_fail(status, STATUS_LACKING, "calibrate: no joystick, pedals or gamepad are plugged in");
    }
    input_devices_use(devices, list, *count);
    for (int i = 0; i < *count; i++) {
        printf("  %s: %s (%s)\n", list[i].id, list[i].name, list[i].usb);
    }
    InputNews ignored; // that they are there stands in the list
    while (input_devices_changed(devices, &ignored)) {
    }
    return true;
}

static bool calibrate(InputDevices *devices, const ControlsParams *base, const char *path, Status *status)
{
    ControlDevice list[CONTROLS_MAX_DEVICES];
    int count = 0;
    if (!find_devices(devices, list, &count, status)) {
        return false;
    }
    printf("Enter: there is none. r: none of the rest, once buttons are asked for. b: back. q: quit, nothing is "
           "written.\n\n");
    Calibration *calibration = calloc(1, sizeof *calibration);
    ControlsParams *params = calloc(1, sizeof *params);
    if (calibration == NULL || params == NULL) {
        abort();
    }
    calibration_start(calibration, base, list, count);
    bool good = ask_all(calibration, devices)
                    ? calibration_result(calibration, params, status) && map_file_write(params, path, status)
                    : status_fail(status, STATUS_BAD_USAGE, "calibrate: stopped before the end, nothing was written");
    if (good) {
        char word[2 * DATA_PATH_LENGTH];
        bool bare = strchr(path, '/') == NULL && path[0] != '-';
        printf("\nwritten %s\n", path);
        if (shell_word_file(path, word, sizeof word)) {
            printf("Drive with it: spadework run trench --controls %s%s\n", bare ? "./" : "", word);
        }
        printf("F4 shows in the window what each axis does; dead zone, curve and rate stand in the file.\n");
    }
    free(calibration);
    free(params);
    return good;
}

int screens_calibrate(const char *path, const char *base)
{
    Status status = {0};
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        abort();
    }
    setvbuf(stdin, NULL, _IONBF, 0); // so that poll sees every line that is there
    bool good = check_path(path, &status) && data_load_controls(base != NULL ? base : "iso", params, NULL, &status);
    InputDevices *devices = good ? input_devices_open(&status) : NULL;
    good = devices != NULL && calibrate(devices, params, path, &status);
    if (devices != NULL) {
        input_devices_close(devices);
    }
    free(params);
    if (!good) {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    return good ? STATUS_GOOD : (int)status.code;
}
