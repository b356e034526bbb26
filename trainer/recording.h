/// A recording: an SQLite file (`.spade`) with everything needed to replay a session bit for bit.
///
/// Tables: meta(key, value) · file(kind, name, text) · input(tick, controls) · state(tick, hash) · keyframe(tick, zstd) ·
/// event(tick, kind, detail) · metric(name, unit, value). Committed at least each simulated second: after a kill the file
/// opens and lacks at most that. Reading never modifies a file.
#ifndef SPADEWORK_TRAINER_RECORDING_H
#define SPADEWORK_TRAINER_RECORDING_H

#include "trainer/session.h"

typedef struct Recorder Recorder;

typedef struct RecorderParams {
    const char *path;
    const char *trainee; ///< or NULL
    const char *operator_name; ///< "auto", "gamepad", a script's path
    const char *parent; ///< recording this one continues, or NULL
    int64_t parent_tick;
} RecorderParams;

/// Creates the file (refuses to overwrite anything that is not a recording) and stores files, meta and the first keyframe.
Recorder *recorder_create(const RecorderParams *params, Session *session, Status *status);
/// Called after each session_tick. Disk work happens on the recorder's own thread. False once writing failed (disk full):
/// the text says so; the file up to the last commit stays valid; later calls do nothing and return false.
bool recorder_tick(Recorder *recorder, Session *session, Status *status);
/// Writes metrics and the rest, closes. False when something was lost.
bool recorder_close(Recorder *recorder, Session *session, Status *status);

typedef struct Recording Recording; ///< an opened file, read-only

/// Opens and checks (format, completeness, types). Foreign, cut or damaged files are refused with one clear text.
Recording *recording_open(const char *path, Status *status);
void recording_close(Recording *recording);
int64_t recording_ticks(const Recording *recording); ///< ticks recorded
/// Value of a meta key ("trainee", "seed", "build", "scene", "parent", ...), or NULL. Valid until the next call.
const char *recording_meta(Recording *recording, const char *key);
/// Session as it was at tick 0, made from the stored files alone.
Session *recording_create_session(Recording *recording, int threads, Status *status);
bool recording_controls(Recording *recording, int64_t tick, OperatorControls *controls, Status *status);
/// Puts `session` to the state after `tick` ticks: nearest keyframe before it, then re-simulated.
bool recording_seek(Recording *recording, Session *session, int64_t tick, Status *status);

typedef struct VerifyResult {
    int64_t ticks; ///< compared
    int64_t first_difference; ///< -1 = none
    char field[96]; ///< first differing field, as found at the next keyframe ("machine.body[2].position")
    int keyframes; ///< restored and continued from
} VerifyResult;
/// Replays from tick `from` and compares every hash; with `keyframes`, restores each keyframe too and compares with the
/// state of the running replay. `progress` may be NULL.
bool recording_verify(Recording *recording, int64_t from, bool keyframes, int threads,
                      void (*progress)(void *context, int64_t tick, int64_t ticks), void *context, VerifyResult *result,
                      Status *status);

int recording_events(Recording *recording, ExerciseEvent *events, int capacity);
int recording_metrics(Recording *recording, ExerciseMetric *metrics, int capacity);

#endif
