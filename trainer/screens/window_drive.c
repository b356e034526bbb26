#include "trainer/screens/window_drive.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_TICKS   4 ///< a frame
#define WORK_A_FRAME 0.03 ///< s after which a frame starts no further tick
#define SMOOTHING    0.4 ///< s over which the shown speed is averaged

void numbered_path(const char *path, char *numbered, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    size_t stem = dot != NULL && dot > (slash != NULL ? slash : path) ? (size_t)(dot - path) : strlen(path);
    for (int number = 2; number < 100000; number++) {
        snprintf(numbered, size, "%.*s-%d%s", (int)stem, path, number, path + stem);
        if (access(numbered, F_OK) != 0) {
            return;
        }
    }
}

static Session *take_over(const WindowDriveStart *start, Status *status)
{
    Recording *recording = recording_open(start->parent, status);
    if (recording == NULL) {
        return NULL;
    }
    Session *session = recording_create_session(recording, start->options->threads, status);
    if (session != NULL && !recording_seek(recording, session, start->parent_tick, status)) {
        session_destroy(session);
        session = NULL;
    }
    recording_close(recording);
    return session;
}

static Session *make_session(const WindowDriveStart *start, Status *status)
{
    if (start->parent != NULL) {
        return take_over(start, status);
    }
    const RunOptions *options = start->options;
    SessionParams params = {.scene = options->scene,
                            .set = options->set,
                            .set_count = options->set_count,
                            .has_seed = options->has_seed,
                            .seed = options->seed,
                            .solver = options->solver,
                            .threads = options->threads};
    return session_create(&params, status);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static bool start_recording(WindowDrive *drive, Status *status)
{
    if (drive->record[0] == '\0') {
        return true;
    }
    if (drive->start.parent != NULL && is_same_file(drive->record, drive->start.parent)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: is the recording that is taken over; --record must name another file", drive->record);
    }
    const RunOptions *options = drive->start.options;
    RecorderParams params = {.path = drive->record,
                             .trainee = options->trainee,
                             .operator_name = options->operator_name,
                             .parent = drive->start.parent,
                             .parent_tick = drive->start.parent_tick};
    drive->recorder = recorder_create(&params, drive->session, status);
    if (drive->recorder != NULL) {
        return true;
    }
    drive->record[0] = '\0'; // no file that does not exist is named as recorded
    if (!options->keep_going) {
        return false;
    }
    fprintf(stderr, "spadework: %s; driving on unrecorded\n", status->text);
    return status_good(status);
}

/// A restart begins the telemetry file again, too.
static bool start_telemetry(WindowDrive *drive, Status *status)
{
    const char *path = drive->start.options->telemetry;
    drive->telemetry = path != NULL ? telemetry_create(path, status) : NULL;
    return path == NULL || drive->telemetry != NULL;
}

static void name_recording(WindowDrive *drive)
{
    const WindowDriveStart *start = &drive->start;
    if (start->options->record != NULL) {
        snprintf(drive->record, sizeof drive->record, "%s", start->options->record);
    } else if (start->parent != NULL) {
        numbered_path(start->parent, drive->record, sizeof drive->record);
    }
}

bool window_drive_create(WindowDrive *drive, const WindowDriveStart *start, Status *status)
{
    *drive = (WindowDrive){.start = *start, .real_time = 1.0};
    drive->session = make_session(start, status);
    if (drive->session == NULL) {
        return false;
    }
    name_recording(drive);
    const RunOptions *options = start->options;
    if (!window_operator_create(&drive->driver, options->operator_name, options->controls, drive->session, status) ||
        !start_telemetry(drive, status) || !start_recording(drive, status)) {
        Status ignored; // the first failure is told
        telemetry_close(drive->telemetry, &ignored);
        window_operator_destroy(&drive->driver);
        session_destroy(drive->session);
        return false;
    }
    drive->driver.still = options->no_rumble;
    drive->view = session_view_create();
    session_view_jump(drive->view, drive->session);
    return true;
}

static bool close_recording(WindowDrive *drive, Status *status)
{
    bool whole = drive->recorder == NULL || recorder_close(drive->recorder, drive->session, status);
    drive->recorder = NULL;
    return whole;
}

static void note_telemetry_failure(WindowDrive *drive, const Status *failure)
{
    if (drive->telemetry_failure.code == STATUS_GOOD) {
        drive->telemetry_failure = *failure;
    }
}

static void close_telemetry(WindowDrive *drive)
{
    Status status = {0};
    if (!telemetry_close(drive->telemetry, &status)) {
        note_telemetry_failure(drive, &status);
    }
    drive->telemetry = NULL;
}

bool window_drive_destroy(WindowDrive *drive, Status *status)
{
    bool recorded = close_recording(drive, status);
    close_telemetry(drive);
    bool measured = drive->telemetry_failure.code == STATUS_GOOD;
    if (recorded && !measured) {
        *status = drive->telemetry_failure;
    }
    window_operator_destroy(&drive->driver);
    session_view_destroy(drive->view);
    session_destroy(drive->session);
    drive->session = NULL;
    drive->view = NULL;
    return recorded && measured;
}

bool window_drive_restart(WindowDrive *drive, Status *status)
{
    Session *session = make_session(&drive->start, status);
    if (session == NULL || !close_recording(drive, status)) {
        if (session != NULL) {
            session_destroy(session);
        }
        return false;
    }
    close_telemetry(drive);
    session_destroy(drive->session);
    drive->session = session;
    if (drive->record[0] != '\0') {
        printf("recorded %s\n", drive->record);
        char first[DATA_PATH_LENGTH];
        const char *base = drive->start.options->record;
        snprintf(first, sizeof first, "%s", base != NULL ? base : drive->start.parent);
        numbered_path(first, drive->record, sizeof drive->record);
    }
    drive->record_failed = false;
    window_operator_reset(&drive->driver, session);
    session_view_jump(drive->view, session);
    window_drive_forget_time(drive);
    return start_telemetry(drive, status) && start_recording(drive, status);
}

static void tick(WindowDrive *drive, const InputSample *sample)
{
    OperatorControls controls;
    window_operator_controls(&drive->driver, drive->session, sample, &controls);
    session_tick(drive->session, &controls);
    session_view_tick(drive->view, drive->session);
    if (drive->recorder != NULL && !drive->record_failed &&
        !recorder_tick(drive->recorder, drive->session, &drive->failure)) {
        drive->record_failed = true;
    }
    Status status = {0};
    if (drive->telemetry != NULL && !telemetry_tick(drive->telemetry, drive->session, &status)) {
        fprintf(stderr, "spadework: %s; going on without telemetry\n", status.text);
        note_telemetry_failure(drive, &status);
        close_telemetry(drive);
    }
}

/// One event for each spell in which the computer falls behind.
static void note_slowness(WindowDrive *drive)
{
    if (drive->slow || drive->real_time > 0.9) {
        drive->slow = drive->slow && drive->real_time < 0.98;
        return;
    }
    drive->slow = true;
    char detail[32];
    snprintf(detail, sizeof detail, "%.2fx", drive->real_time);
    if (drive->recorder != NULL && !drive->record_failed) {
        drive->record_failed = !recorder_event(drive->recorder, "slow", detail, &drive->failure);
    }
}

void window_drive_advance(WindowDrive *drive, double elapsed, double budget, double until, const InputSample *sample)
{
    double dt = session_dt(drive->session);
    drive->behind += elapsed;
    double start = window_clock();
    int ticks = 0;
    while (drive->behind >= dt && window_clock() - start < budget && !drive->record_failed &&
           session_frame(drive->session)->time < until) {
        tick(drive, sample);
        drive->behind -= dt;
        ticks++;
    }
    if (drive->behind > dt) {
        drive->behind = dt;
    }
    if (elapsed > 0.0) {
        double now = ticks * dt / elapsed;
        drive->real_time += elapsed / (elapsed + SMOOTHING) * (now - drive->real_time);
    }
    note_slowness(drive);
}

void window_drive_forget_time(WindowDrive *drive)
{
    drive->behind = 0.0;
    drive->real_time = 1.0;
}

double window_drive_blend(const WindowDrive *drive)
{
    double blend = drive->behind / session_dt(drive->session);
    return blend > 1.0 ? 1.0 : blend;
}

void window_drive_stop_recording(WindowDrive *drive)
{
    fprintf(stderr, "spadework: %s; going on unrecorded\n", drive->failure.text);
    Status ignored; // why it broke is already in `failure`
    close_recording(drive, &ignored);
    drive->record_failed = false;
    drive->record[0] = '\0';
}
