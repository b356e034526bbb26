/// A person's drive in the window is kept without being asked for; any other drive only where --keep, a trainee or a
/// file of results asks for it. What is kept unasked never ends or fails a drive.
#include "trainer/pilot/drive_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/record/record.h"
#include "trainer/results/results.h"

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
    results_new_uuid(kept->attempt);
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

/// The same of a recording that was begun in, with its own name as it was given: the recording names it so.
static void copy_parent(const char *path, char absolute[DATA_PATH_LENGTH])
{
    char folder[DATA_PATH_LENGTH];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1, slash != NULL ? path : ".");
    char *real = path[0] != '\0' ? realpath(folder, NULL) : NULL;
    bool fits = real != NULL && snprintf(absolute, DATA_PATH_LENGTH, "%s%s%s", real, real[1] != '\0' ? "/" : "", name) <
                                    DATA_PATH_LENGTH;
    if (!fits) {
        snprintf(absolute, DATA_PATH_LENGTH, "%s", path);
    }
    free(real);
}

static void fill(const DriveResults *kept, const DriveDone *done, ResultAttempt *attempt)
{
    results_fill(attempt, done->session, &done->credit, done->options->trainee);
    memcpy(attempt->uuid, kept->attempt, sizeof attempt->uuid);
    snprintf(attempt->course, sizeof attempt->course, "%s", done->options->course != NULL ? done->options->course : "");
    memcpy(attempt->started, kept->started, sizeof attempt->started);
    attempt->duration = (double)(session_frame(done->session)->tick - done->first_tick) * session_dt(done->session);
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "%s", done->operator_name);
    visible_text_mask(attempt->operator_name, false); // the path of a script may hold anything
    results_station(attempt->station);
    copy_path(done->record, attempt->recording);
    if (!results_hash_file(attempt->recording, attempt->recording_hash)) {
        attempt->recording[0] = '\0';
    }
    recording_glance_seal(attempt->recording, attempt->recording_seal);
    copy_parent(done->parent != NULL ? done->parent : "", attempt->parent);
}

/// ---- the clean-up --------------------------------------------------------------------------------------------------

typedef struct CleanUp {
    Results *results;
    DriveResults *kept;
    bool best; ///< each trainee's best run goes last
    bool any; ///< experts', passed and marked ones may go, too
    int count;
} CleanUp;

static ResultsKeep how_kept(void *context, const ResultRecording *entry)
{
    const CleanUp *self = context;
    char absolute[DATA_PATH_LENGTH];
    copy_path(entry->path, absolute);
    return !self->any && results_is_protected(self->results, entry, absolute) ? RESULTS_KEEP_ALWAYS
           : self->best && results_is_best(self->results, absolute)           ? RESULTS_KEEP_LONGEST
                                                                              : RESULTS_KEEP_NOT;
}

/// Names it on stderr, for the page after the drive and in the results.
static void report_cleared(void *context, const ResultRecording *entry)
{
    CleanUp *self = context;
    char absolute[DATA_PATH_LENGTH];
    Status status;
    const char *slash = strrchr(entry->path, '/'), *name = slash != NULL ? slash + 1 : entry->path;
    size_t length = strlen(self->kept->cleared);
    snprintf(self->kept->cleared + length, DRIVE_CLEARED_TOLD - length, "%s%s", length > 0 ? ", " : "", name);
    fprintf(stderr, "spadework: the clean-up deleted %s (%s%s%.10s)\n", visible_text_shown(entry->path).text,
            entry->glance.trainee, entry->glance.trainee[0] != '\0' ? ", " : "", entry->glance.created);
    copy_path(entry->path, absolute); // the file is gone: the folder is resolved
    if (!results_note_cleared(self->results, entry->path, absolute, &status)) {
        fprintf(stderr, "spadework: %s; the results still name it\n", status.text);
    }
    self->count++;
}

/// Makes room in the folder of recordings, by the user's settings.
static void clean_up(Results *results, DriveResults *kept, const char *newest)
{
    Status status;
    SettingsParams settings;
    if (!results_settings(&settings, &status)) {
        return; // told when the drive began
    }
    CleanUp self = {.results = results,
                    .kept = kept,
                    .best = settings.recordings.keep == SETTINGS_KEEP_BEST,
                    .any = settings.recordings.clear == SETTINGS_CLEAR_ANY};
    double left = 0.0, limit = settings.recordings.limit;
    ResultsCleaning cleaning = {
        .limit = limit, .newest = newest, .keeps = how_kept, .cleared = report_cleared, .context = &self};
    if (results_clean_recordings(NULL, &cleaning, &left, &status) && self.count > 0) {
        fprintf(stderr, "spadework: %d recording%s deleted: the folder is limited to %g GB (recordings.limit_gb)\n",
                self.count, self.count == 1 ? " was" : "s were", limit * 1e-9);
    }
    if (left > limit) {
        fprintf(
            stderr,
            "spadework: the folder of recordings has %.3g GB, %g are allowed: what is left in it are experts' runs, "
            "passed and marked ones, which only recordings.clear: any lets go\n",
            left * 1e-9, limit * 1e-9);
    }
}

/// ---- storing -------------------------------------------------------------------------------------------------------

/// `lost`: why the attempt waits.
static bool store(DriveResults *kept, const DriveDone *done, Status *lost, Status *status)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the attempt");
    }
    fill(kept, done, attempt);
    Results *results = results_open(done->options->results, RESULTS_WRITE, status);
    bool good = results != NULL && results_add(results, attempt, status);
    if (!good) {
        Status failure;
        *lost = *status;
        if (!results_set_aside(done->options->results, attempt, kept->waits, &failure)) {
            kept->waits[0] = '\0';
        }
        good = kept->waits[0] != '\0' && lost->code == STATUS_LACKING;
    } else {
        exchange(kept, results);
        if (kept->names_recording && attempt->recording[0] != '\0') {
            clean_up(results, kept, attempt->recording);
        }
    }
    free(attempt);
    results_close(results);
    return good;
}

bool drive_results_end(DriveResults *kept, const DriveDone *done, Status *lost, Status *status)
{
    Status failure;
    kept->waits[0] = kept->cleared[0] = '\0';
    status_good(lost);
    if (!kept->stores || session_frame(done->session)->tick == done->first_tick) {
        return true;
    }
    bool good = store(kept, done, lost, &failure);
    if (kept->waits[0] != '\0') {
        fprintf(stderr, "spadework: %s; the attempt waits in %s and is stored when the results are opened next\n",
                lost->text, kept->waits);
    }
    if (good) {
        return true;
    }
    if (kept->asked) {
        *status = failure;
        return false;
    }
    if (kept->waits[0] == '\0') {
        fprintf(stderr, "spadework: %s; this drive is not among the results\n", failure.text);
    }
    *lost = failure;
    return true;
}
