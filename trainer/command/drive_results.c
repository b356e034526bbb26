/// A person's drive in the window is kept without being asked for; any other drive only where --keep, a trainee or a
/// file of results asks for it. What is kept unasked never ends or fails a drive.
#include "trainer/command/drive_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/recording/recording_glance.h"
#include "trainer/results/results_settings.h"
#include "trainer/results/results_recordings.h"

/// A course is named as a file is, and must be there: what is driven in no course opens nothing.
static bool check_course(const char *course, Status *status)
{
    CourseParams params;
    bool named = strlen(course) < SCENE_NAME_LENGTH && strchr(course, '/') == NULL &&
                 results_check_name("--course", course, status);
    return named ? data_load_course(course, &params, status)
                 : status_fail(status, STATUS_BAD_USAGE, "--course %.80s: a name of 1..%d bytes without / is allowed",
                               course, SCENE_NAME_LENGTH - 1);
}

/// Exchanges shared results with their server; where it is away, that is said once.
static void exchange(DriveResults *kept, Results *results)
{
    Status unused;
    char told[RESULTS_TOLD];
    results_refresh(results, &unused);
    kept->waiting = results_waiting(results);
    if (results_shared_told(results, told) && !kept->told) {
        fprintf(stderr, "spadework: %s; what is driven is kept here and sent later\n", told);
        kept->told = true;
    }
}

bool drive_results_begin(DriveResults *kept, const RunOptions *options, bool person, bool takes_over, Status *status)
{
    bool keeps = options->keep || ((person || options->stationed) && !options->no_record);
    bool asked = options->keep || options->results != NULL || (options->trainee != NULL && !keeps);
    *kept = (DriveResults){.stores = asked || keeps,
                           .asked = asked,
                           .insists = options->keep,
                           .names_recording = keeps && options->record == NULL && !takes_over,
                           .told = kept->told};
    results_now(kept->started);
    if ((options->trainee != NULL && !results_check_name("--trainee", options->trainee, status)) ||
        (options->course != NULL && !check_course(options->course, status))) {
        return false;
    }
    if (!kept->asked) {
        return true;
    }
    Results *results = results_open(options->results, RESULTS_WRITE, status);
    if (results != NULL) {
        exchange(kept, results);
    }
    results_close(results);
    return results != NULL;
}

bool drive_results_name(const DriveResults *kept, const Session *session, char record[DATA_PATH_LENGTH], Status *status)
{
    Status reason;
    SettingsParams settings;
    if (results_settings(&settings, &reason) && results_new_recording(session_scene(session)->name, record, &reason)) {
        return true;
    }
    record[0] = '\0';
    if (kept->insists) {
        *status = reason;
        return false;
    }
    fprintf(stderr, "spadework: %s; driving unrecorded\n", reason.text);
    return true;
}

/// An absolute path: results are read from other folders.
static void copy_path(const char *path, char absolute[DATA_PATH_LENGTH])
{
    char *real = path[0] != '\0' ? realpath(path, NULL) : NULL;
    snprintf(absolute, DATA_PATH_LENGTH, "%s", real != NULL ? real : path);
    free(real);
}

static void fill(const DriveResults *kept, const DriveDone *done, ResultAttempt *attempt)
{
    const char *trainee = done->options->trainee;
    results_fill(attempt, done->session);
    snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee != NULL ? trainee : "");
    snprintf(attempt->course, sizeof attempt->course, "%s", done->options->course != NULL ? done->options->course : "");
    memcpy(attempt->started, kept->started, sizeof attempt->started);
    attempt->duration = (double)(session_frame(done->session)->tick - done->first_tick) * session_dt(done->session);
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "%s", done->operator_name);
    copy_path(done->record, attempt->recording);
    if (!results_hash_file(attempt->recording, attempt->recording_hash)) {
        attempt->recording[0] = '\0';
    }
    recording_glance_seal(attempt->recording, attempt->recording_seal);
    copy_path(done->parent != NULL ? done->parent : "", attempt->parent);
}

static bool is_kept(void *context, const char *path)
{
    char absolute[DATA_PATH_LENGTH];
    copy_path(path, absolute);
    return results_is_best(context, absolute);
}

/// Makes room in the folder of recordings, by the user's settings.
static void clean_up(Results *results, const char *newest)
{
    Status status;
    SettingsParams settings;
    if (!results_settings(&settings, &status)) {
        return; // told when the drive began
    }
    bool best = settings.recordings.keep == SETTINGS_KEEP_BEST;
    int deleted =
        results_clean_recordings(NULL, settings.recordings.limit, newest, best ? is_kept : NULL, results, &status);
    if (deleted > 0) {
        fprintf(stderr, "spadework: %d old recording%s deleted: the folder is limited to %g GB\n", deleted,
                deleted == 1 ? "" : "s", settings.recordings.limit * 1e-9);
    }
}

static bool store(DriveResults *kept, const DriveDone *done, Status *status)
{
    Results *results = results_open(done->options->results, RESULTS_WRITE, status);
    ResultAttempt *attempt = results != NULL ? calloc(1, sizeof *attempt) : NULL;
    bool good = attempt != NULL;
    if (results != NULL && attempt == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the attempt");
    }
    if (good) {
        fill(kept, done, attempt);
        good = results_add(results, attempt, status);
    }
    if (good) {
        exchange(kept, results);
    }
    if (good && kept->names_recording && attempt->recording[0] != '\0') {
        clean_up(results, attempt->recording);
    }
    free(attempt);
    results_close(results);
    return good;
}

bool drive_results_end(DriveResults *kept, const DriveDone *done, Status *lost, Status *status)
{
    Status failure;
    if (!kept->stores || session_frame(done->session)->tick == done->first_tick || store(kept, done, &failure)) {
        return true;
    }
    if (kept->asked) {
        *status = failure;
        return false;
    }
    fprintf(stderr, "spadework: %s; this drive is not among the results\n", failure.text);
    *lost = failure;
    return true;
}
