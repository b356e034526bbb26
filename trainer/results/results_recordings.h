/// The user's folder of recordings: what a person drove in the window, recorded without being asked for, named
/// SCENE-YYYY-MM-DD-HHMMSS.spade by the local time. Any thread; nothing is kept.
///
/// A menu lists them so:
///
///     ResultRecordings list;
///     if (results_recordings(NULL, &list, &status)) {
///         for (int k = 0; k < list.count; k++) {
///             const ResultRecording *entry = &list.entries[k]; // newest first
///             show(entry->glance.title, entry->glance.created, entry->glance.duration, entry->glance.score);
///         }
///         results_recordings_free(&list);
///     }
#ifndef SPADEWORK_TRAINER_RESULTS_RECORDINGS_H
#define SPADEWORK_TRAINER_RESULTS_RECORDINGS_H

#include "data/schema/settings_params.h"
#include "trainer/record/record.h"
#include "trainer/results/results_store.h"

typedef struct ResultRecording {
    char path[DATA_PATH_LENGTH];
    bool own; ///< named as this program names those it makes unasked: the clean-up may delete it
    RecordingGlance glance; ///< scene, title, date, length, score, trainee
    bool checked; ///< set by who lists them: glance.seal is of all its seals, not of those at its ends alone
    char fault[256]; ///< why it cannot be read; "" = it can
    int64_t changed; ///< ns since 1970 of the last change of the file
} ResultRecording;

typedef struct ResultRecordings {
    int count;
    ResultRecording *entries; ///< [count], newest first, equal times by path
} ResultRecordings;

/// Lists the recordings of a folder (NULL: the user's), by any author; a damaged one, or a file that only has a
/// recording's name, stands last with its fault. A folder that is not there has none. The caller frees the list. False
/// with `status` (STATUS_LACKING).
bool results_recordings(const char *folder, ResultRecordings *list, Status *status);
/// The same for a list that was made before, or is zero: a file that has not changed since is not opened again. On
/// failure the list is empty.
bool results_recordings_again(const char *folder, ResultRecordings *list, Status *status);
void results_recordings_free(ResultRecordings *list);

/// Writes the path of a new recording of a scene into the user's folder, which is made; nothing is there yet.
bool results_new_recording(const char *scene, char path[DATA_PATH_LENGTH], Status *status);

/// Deletes a recording and what lies beside it by its name: the debrief (REC.html) and the bookmarks (REC.marks). False
/// when the recording could not be deleted.
bool results_delete_recording(const char *path);

/// How long the clean-up keeps a recording.
typedef enum ResultsKeep {
    RESULTS_KEEP_NOT, ///< it goes when there are too many, the oldest first
    RESULTS_KEEP_LONGEST, ///< after all of those
    RESULTS_KEEP_ALWAYS, ///< it stays, also where the folder has too many then
} ResultsKeep;

/// What is cleaned up, and who is asked and told.
typedef struct ResultsCleaning {
    double limit; ///< bytes (units of 1) that the folder's own recordings may take
    const char *newest; ///< path of one that stays, or NULL
    ResultsKeep (*keeps)(void *context, const ResultRecording *entry); ///< NULL: RESULTS_KEEP_NOT of all
    void (*cleared)(void *context, const ResultRecording *entry); ///< after each that was deleted; NULL: no call
    void *context; ///< of both
} ResultsCleaning;

/// True of what the clean-up takes only where a setting says so (recordings.clear): an expert's run, one that passed by
/// itself or as an attempt of the results, and one with bookmarks.
/// absolute  its path, as attempts have it
bool results_is_protected(Results *results, const ResultRecording *entry, const char *absolute);

/// Deletes recordings until the folder's own take at most the limit. Touches no other file: neither one of another
/// name, nor what is no recording, nor a link, nor one that was written to in the last minute. False with `status`
/// (STATUS_LACKING) when the folder cannot be read.
/// folder  NULL: the user's
/// left    out: bytes (units of 1) of the folder's own recordings then
bool results_clean_recordings(const char *folder, const ResultsCleaning *cleaning, double *left, Status *status);

#endif
