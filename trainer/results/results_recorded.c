/// Reads an attempt out of a recording. Score, figures and end come from the exercise itself, which the last keyframe
/// restores: they are what the drive had, and a changed row of figures is found by the seals.
#include "trainer/results/results_recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/record/record.h"
#include "trainer/results/results_store_internal.h"

static void copy_meta(Recording *recording, const char *key, char *text, size_t size)
{
    const char *value = recording_meta(recording, key);
    snprintf(text, size, "%s", value != NULL ? value : "");
}

/// Names out of a recording are looked at as those of the command line are.
static bool check_names(const char *path, const ResultAttempt *attempt, Status *status)
{
    Status reason;
    bool good = (attempt->trainee[0] == '\0' || results_check_name("trainee", attempt->trainee, &reason)) &&
                (attempt->course[0] == '\0' || results_check_name("course", attempt->course, &reason));
    return good || status_fail(status, STATUS_BAD_FILE, "%s: its %s", path, reason.text);
}

/// What the session does not know.
static void fill_meta(Recording *recording, const char *path, ResultAttempt *attempt)
{
    char *real = realpath(path, NULL);
    copy_meta(recording, "attempt", attempt->uuid, sizeof attempt->uuid);
    copy_meta(recording, "course", attempt->course, sizeof attempt->course);
    copy_meta(recording, "language", attempt->language, sizeof attempt->language);
    copy_meta(recording, "created", attempt->started, sizeof attempt->started);
    copy_meta(recording, "operator", attempt->operator_name, sizeof attempt->operator_name);
    copy_meta(recording, "build", attempt->build, sizeof attempt->build);
    copy_meta(recording, "station", attempt->station, sizeof attempt->station);
    copy_meta(recording, "parent", attempt->parent, sizeof attempt->parent);
    snprintf(attempt->recording, sizeof attempt->recording, "%s", real != NULL ? real : path);
    free(real);
    attempt->duration =
        (double)(recording_ticks(recording) - recording_first_tick(recording)) / recording_tick_rate(recording);
    recording_last_seal(recording, attempt->recording_seal);
}

static bool fill_from_session(Recording *recording, const char *path, ResultAttempt *attempt, Status *status)
{
    Credit credit;
    char trainee[RESULT_NAME];
    recording_credit(recording, &credit);
    copy_meta(recording, "trainee", trainee, sizeof trainee);
    Session *session = recording_create_session(recording, 1, status);
    bool good = session != NULL && recording_seek(recording, session, recording_ticks(recording), status);
    if (good) {
        results_fill(attempt, session, &credit, trainee);
        fill_meta(recording, path, attempt);
        good = check_names(path, attempt, status);
    }
    session_destroy(session);
    return good;
}

bool results_of_recording(const char *path, ResultAttempt *attempt, Status *status)
{
    RecordingSeal seal;
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    bool good = recording_check_seals(recording, &seal, status);
    if (good && !seal.closed) {
        good = status_fail(status, STATUS_BAD_FILE,
                           "%s: was cut short: the figures of its end are missing; \"resume\" drives it on", path);
    }
    good = good && fill_from_session(recording, path, attempt, status);
    recording_close(recording);
    if (good && !results_hash_file(attempt->recording, attempt->recording_hash)) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: cannot be read", path);
    }
    return good;
}

/// ---- adding --------------------------------------------------------------------------------------------------------

/// The attempt that is there already by UUID, seal or hash; "": none. False with `status`.
static bool find_double(Results *results, const ResultAttempt *attempt, char uuid[RESULT_UUID], Status *status)
{
    sqlite3_stmt *row = results_prepare(results,
                                        "SELECT uuid FROM attempt WHERE uuid = ?1 OR (recording_seal = ?2 AND ?2 <> '')"
                                        " LIMIT 1",
                                        status);
    uuid[0] = '\0';
    if (row == NULL) {
        return false;
    }
    results_bind(row, 1, attempt->uuid);
    results_bind(row, 2, attempt->recording_seal);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        results_column(row, 0, uuid, RESULT_UUID);
    }
    bool good = code == SQLITE_ROW || code == SQLITE_DONE || results_fail(results, status);
    sqlite3_finalize(row);
    return good;
}

/// Inside a transaction.
static bool add(Results *results, ResultAttempt *attempt, bool restore, Status *status)
{
    char uuid[RESULT_UUID], gone[RESULT_TIME] = "";
    bool named = attempt->trainee[0] != '\0';
    if (!find_double(results, attempt, uuid, status) ||
        (named && restore && !results_restore(results, attempt->trainee, status)) ||
        (named && !results_find_gone(results, attempt->trainee, gone, status))) {
        return false;
    }
    if (uuid[0] != '\0') {
        return status_fail(status, STATUS_BAD_FILE, "%s: is among the results already, as attempt %s",
                           attempt->recording, uuid);
    }
    if (named && strcmp(attempt->started, gone) <= 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: %s was deleted on %.10s, after it was driven; --restore brings it back",
                           attempt->recording, attempt->trainee, gone);
    }
    return results_insert(results, attempt, status);
}

bool results_add_recorded(Results *results, ResultAttempt *attempt, bool restore, Status *status)
{
    return results_begin(results, status) && results_end(results, add(results, attempt, restore, status), status) &&
           status_good(status);
}
