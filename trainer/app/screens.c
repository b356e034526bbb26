/// Opens the window for a command, hands it to the screens and ends with what was recorded and an exit code.
#include "trainer/app/screens.h"

#include <stdio.h>
#include <stdlib.h>

#include "data/schema/load.h"
#include "data/schema/sides.h"
#include "trainer/app/replay_marks.h"
#include "trainer/results/results.h"
#include "trainer/app/screen.h"

/// What every command of the window ends with.
static int conclude(Window *window, ScreenEnd end, const char *recorded, const Status *status)
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

/// Settings that cannot be read keep nobody from driving: the window is as without them, and one line says why.
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

/// Those of the command line must be there; of those of the settings one line tells which are not.
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

Window *screen_open_window(const RunOptions *options, Status *status)
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

/// The control map of the settings drives where the command line names none; one that cannot be read is told, and the
/// machine's own drives.
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

static int drive(const DriveParams *given, Status *status)
{
    char recorded[DATA_PATH_LENGTH] = "";
    SettingsParams settings;
    RunOptions options = *given->options;
    DriveParams own = *given, *params = &own;
    choose_controls(&options, &settings);
    own.options = &options;
    Window *window = screen_open_window(params->options, status);
    ScreenEnd end = window != NULL ? drive_screen(window, params, recorded, status) : SCREEN_END_FAILED;
    return conclude(window, end, recorded, status);
}

int screens_run(const RunOptions *options, const DriveGuide *guide, Status *why)
{
    return drive(&(DriveParams){.options = options, .briefs = true, .guide = guide}, why);
}

int screens_resume(const char *path, double at, const RunOptions *options, const DriveGuide *guide)
{
    Status status = {0};
    return drive(&(DriveParams){.options = options, .parent = path, .at = at, .guide = guide}, &status);
}

int screens_replay(const char *path, double from, const RunOptions *options)
{
    Status status = {0};
    SettingsParams settings;
    RunOptions own = *options;
    choose_controls(&own, &settings);
    Window *window = screen_open_window(&own, &status);
    ScreenEnd end = window != NULL ? watch_and_drive(window, path, from, &own, &status) : SCREEN_END_FAILED;
    return conclude(window, end, "", &status);
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
