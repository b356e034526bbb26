#include "trainer/window/app.h"

#include <math.h>
#include <stdio.h>

#include "trainer/window/app_screens.h"

/// What every command of the window ends with.
static int conclude(AppWindow *window, AppEnd end, const char *recorded, const Status *status)
{
    app_window_close(window);
    if (recorded[0] != '\0') {
        printf("recorded %s\n", recorded);
    }
    if (end == APP_END_FAILED) {
        fprintf(stderr, "spadework: %s\n", status->text);
        return (int)status->code;
    }
    return STATUS_GOOD;
}

static AppWindow *open_window(const RunOptions *options, Status *status)
{
    AppWindow *window = app_window_open("Spadework", status);
    if (window != NULL) {
        app_window_set_debug(window, options->overlay);
        app_window_open_sound(window, options->mute ? 0.0 : options->volume);
        app_window_set_controls(window, options->axes);
    }
    return window;
}

static int drive(const AppDriveStart *start)
{
    Status status = {0};
    char recorded[DATA_PATH_LENGTH] = "";
    AppWindow *window = open_window(start->options, &status);
    AppEnd end = window != NULL ? app_drive_screen(window, start, recorded, &status) : APP_END_FAILED;
    return conclude(window, end, recorded, &status);
}

int app_run(const RunOptions *options)
{
    AppDriveStart start = {.options = options};
    return drive(&start);
}

int app_resume(const char *path, double at, const RunOptions *options)
{
    Status status = {0};
    Recording *recording = recording_open(path, &status);
    Session *session = recording != NULL ? recording_create_session(recording, options->threads, &status) : NULL;
    AppDriveStart start = {.options = options, .parent = path};
    if (session != NULL) {
        double dt = session_dt(session);
        int64_t first = recording_first_tick(recording), last = recording_ticks(recording);
        start.parent_tick = (int64_t)llround(at / dt);
        if (at < 0.0 || start.parent_tick < first || start.parent_tick > last) {
            status_fail(&status, STATUS_BAD_USAGE, "%s: cannot take over at %g s: %g..%g s are recorded", path, at,
                        (double)first * dt, (double)last * dt);
        }
        session_destroy(session);
    }
    if (recording != NULL) {
        recording_close(recording);
    }
    if (status.code != STATUS_GOOD) {
        fprintf(stderr, "spadework: %s\n", status.text);
        return (int)status.code;
    }
    return drive(&start);
}

int app_replay(const char *path, double from, const RunOptions *options)
{
    Status status = {0};
    AppWindow *window = open_window(options, &status);
    AppEnd end = window != NULL ? app_watch_and_drive(window, path, from, options, &status) : APP_END_FAILED;
    return conclude(window, end, "", &status);
}
