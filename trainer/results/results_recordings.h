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

#include "data/settings_params.h"
#include "trainer/recording/recording_glance.h"

typedef struct ResultRecording {
    char path[DATA_PATH_LENGTH];
    bool own; ///< named as this program names those it makes unasked: the clean-up may delete it
    RecordingGlance glance; ///< scene, title, date, length, score, trainee
    bool checked; ///< set by who lists them: glance.seal is of all its seals, not of those at its ends alone
    char fault[256]; ///< why it cannot be read; "" = it can
} ResultRecording;

typedef struct ResultRecordings {
    int count;
    ResultRecording *entries; ///< [count], newest first, equal times by path
} ResultRecordings;

/// Lists the recordings of a folder (NULL: the user's), whoever made them; a damaged one, or a file that only has a
/// recording's name, stands last with its fault. A folder that is not there has none. The caller frees the list. False
/// with `status` (STATUS_LACKING).
bool results_recordings(const char *folder, ResultRecordings *list, Status *status);
void results_recordings_free(ResultRecordings *list);

/// Writes the path of a new recording of a scene into the user's folder, which is made; nothing is there yet.
bool results_new_recording(const char *scene, char path[DATA_PATH_LENGTH], Status *status);

/// Deletes a recording and what lies beside it by its name: the debrief (REC.html) and the bookmarks (REC.marks). False
/// when the recording could not be deleted.
bool results_delete_recording(const char *path);

/// Which recordings go last; NULL: none. True: `path` is kept before others.
typedef bool ResultsKept(void *context, const char *path);

/// Deletes from the oldest on, first those that are not `kept`, until the folder's own recordings take at most `limit`
/// bytes. Touches no other file: neither one of another name, nor what is no recording, nor a link, nor `newest` (a
/// path, or NULL), nor one that was written to in the last minute. Returns how many were deleted, -1 with `status`
/// (STATUS_LACKING) when the folder cannot be read.
/// folder  NULL: the user's
int results_clean_recordings(const char *folder, double limit, const char *newest, ResultsKept *kept, void *context,
                             Status *status);

#endif
