/// The disk side of a recorder: a thread that takes batches of half a second and commits each. Internal to the
/// recording.
///
/// While the disk is full, or another program reads the file or has locked it, the writer pauses: batches wait in
/// memory, at most WRITER_WAITING_MOST of them, and are written in order once that is over.
#ifndef SPADEWORK_TRAINER_RECORDING_WRITER_H
#define SPADEWORK_TRAINER_RECORDING_WRITER_H

#include "trainer/record/recording_file.h"
#include "trainer/record/seal.h"
#include "trainer/record/trace.h"

/// Batches: eight simulated hours, a working day. One takes some 5 kB while nothing happens: 300 MB in all.
enum { WRITER_WAITING_MOST = 8 * 3600 * 2 };

enum { BATCH_EVENTS = 128 };
typedef struct RecordingInput {
    int64_t tick;
    OperatorControls controls; ///< that lead from `tick` to the next
    uint64_t hash; ///< of the state they lead to
} RecordingInput;

/// What one commit holds. Arrays belong to who made the batch.
typedef struct RecordingBatch {
    int input_count, event_count, metric_count, order_count;
    RecordingInput *inputs; ///< [BatchSize.ticks]
    RecordedOrder *orders; ///< [BatchSize.ticks * SESSION_ORDERS_A_TICK]
    ExerciseEvent *events; ///< [BATCH_EVENTS]
    ExerciseMetric *metrics; ///< [EXERCISE_MAX_METRICS]
    bool has_keyframe;
    int64_t keyframe_tick;
    StateBuffer keyframe; ///< a saved state, not compressed yet
    int sample_count;
    TraceSample *samples; ///< [BatchSize.ticks + 1]
    bool has_ground;
    TraceGround ground; ///< its heights have room for the site's columns
    const unsigned char *picture; ///< PNG; the recorder's, until the writer is closed; NULL: none
    size_t picture_size; ///< bytes
    bool closes; ///< the recording's last
} RecordingBatch;

typedef struct RecordingMeta {
    const char *key, *value;
} RecordingMeta;

/// How much batches hold at most.
typedef struct BatchSize {
    int ticks; ///< inputs
    size_t keyframe_room; ///< bytes set aside for a keyframe
    size_t columns; ///< of the ground
    double patience; ///< s that closing waits for a full disk
    RecorderWait waits; ///< how closing waits for another program
} BatchSize;

typedef struct RecordingWriter RecordingWriter;

/// Creates the file with its tables; a path that exists is refused. NULL with `status` (STATUS_LACKING), and no file,
/// when it cannot be made.
/// station  signs the seals; NULL, or one without a name: they are not signed
RecordingWriter *recording_writer_create(const char *path, const BatchSize *size, const Station *station,
                                         Status *status);

/// Stores what is known before the first tick: meta, files, the hash of the first state and the batch at hand (keyframe
/// and events so far); then starts the thread. On failure only recording_writer_abandon may follow.
bool recording_writer_begin(RecordingWriter *writer, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                            int64_t tick, uint64_t hash, Status *status);
/// Closes and removes the file that was not begun.
void recording_writer_abandon(RecordingWriter *writer);

/// The batch to fill. Its ground has no room for heights (NULL) while the writer catches up after a pause.
RecordingBatch *recording_writer_batch(RecordingWriter *writer);
/// False once writing failed.
bool recording_writer_is_good(RecordingWriter *writer, Status *status);

typedef struct WriterPause {
    int count; ///< pauses so far
    RecorderHold now; ///< why the last one is not over; RECORDER_WRITES: it is
    double seconds; ///< s of wall clock that the last one that is over took
} WriterPause;
/// How writing was held up; the reason of the last time goes into `reason`, NULL: it is not asked for.
WriterPause recording_writer_pause(RecordingWriter *writer, Status *reason);

/// True once another program wrote into the file.
bool recording_writer_is_disturbed(RecordingWriter *writer);

/// Hands the batch over; waits while the one before is still being written, but not in a pause.
bool recording_writer_submit(RecordingWriter *writer, Status *status);
/// Waits for the last batch, stops the thread, closes the file: for a full disk as long as BatchSize.patience says, for
/// another program that keeps the file as long as BatchSize.waits says. False when something was not written.
bool recording_writer_close(RecordingWriter *writer, Status *status);

#endif
