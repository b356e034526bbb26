/// What a recording is about, read in a moment and without checking it whole: for lists of many recordings. Any thread;
/// nothing is kept, and the file and what lies beside it are never changed. What a list shows is checked against
/// the first and the last seal; recording_prove checks all else, and a RecordingProver does so piece by piece.
#ifndef SPADEWORK_TRAINER_RECORDING_GLANCE_H
#define SPADEWORK_TRAINER_RECORDING_GLANCE_H

#include "trainer/record/recording.h"

enum { GLANCE_TEXT = 96 };

typedef struct RecordingGlance {
    char scene[SCENE_NAME_LENGTH]; ///< its file's name
    char title[GLANCE_TEXT]; ///< of the scene; its name in recordings that do not tell
    char created[24]; ///< UTC, "2026-11-23T18:05:31Z"
    char trainee[GLANCE_TEXT]; ///< "" = not told
    char operator_name[GLANCE_TEXT]; ///< "person", "auto", ...
    Credit credit; ///< who drove, and what it began in
    char changed[CREDIT_CHANGED]; ///< in its scene (credit_list_changes); "" = nothing
    char build[32]; ///< version of the program that made it
    bool replayable; ///< of the format that this program replays
    int format;
    double duration; ///< s that were driven
    RecordingSeal seal; ///< of the present format: what its ends say; whether a key is trusted is not looked up
    bool closed; ///< it is complete: score and passed are given
    double score; ///< points, 0..100
    bool passed; ///< as it was judged, where its credit counts (credit_counts)
    int64_t size; ///< bytes
} RecordingGlance;

/// Reads what the recording says of itself. False with `status` (STATUS_BAD_FILE) for a file that is none, or so
/// damaged that it does not even say that.
bool recording_glance(const char *path, RecordingGlance *glance, Status *status);

/// Reads the picture of how it ended, a PNG of at most RECORDING_PICTURE_MOST bytes that the caller frees; NULL when
/// there is none.
enum { RECORDING_PICTURE_MOST = 1 << 20 };
unsigned char *recording_glance_picture(const char *path, size_t *size);

/// Reads the last seal's hash, 64 hexadecimal digits, unchecked; "" where there is none.
void recording_glance_seal(const char *path, char hash[SEAL_TEXT]);

/// Checks all seals of a recording piece by piece, beside other work; it keeps the file open, and locks it only while a
/// piece is read.
typedef struct RecordingProver RecordingProver;
RecordingProver *recording_prover_open(const char *path); ///< NULL: nothing can be checked in it
void recording_prover_close(RecordingProver *prover); ///< NULL is nothing
/// Continues for some `seconds` (s; a seal more, at the most); true once it is done, with what the seals say.
bool recording_prover_step(RecordingProver *prover, double seconds, RecordingSeal *seal);

/// True when the file is an SQLite file that says it is a recording, of whatever format.
bool recording_is_one(const char *path);

#endif
