/// The disk side of a recorder: a thread that takes batches of half a second and commits each. Internal to the
/// recording.
#ifndef SPADEWORK_TRAINER_RECORDING_WRITER_H
#define SPADEWORK_TRAINER_RECORDING_WRITER_H

#include "trainer/recording/trace.h"
#include "trainer/session/state_io.h"

enum { BATCH_EVENTS = 128 };

typedef struct RecordingInput {
    int64_t tick;
    OperatorControls controls; ///< that lead from `tick` to the next
    uint64_t hash; ///< of the state they lead to
} RecordingInput;

/// What one commit holds. Arrays belong to the writer.
typedef struct RecordingBatch {
    int input_count, event_count, metric_count;
    RecordingInput *inputs; ///< [the writer's batch_ticks]
    ExerciseEvent events[BATCH_EVENTS];
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    bool has_keyframe;
    int64_t keyframe_tick;
    StateBuffer keyframe; ///< a saved state, not compressed yet
    int sample_count;
    TraceSample *samples; ///< [the writer's batch_ticks + 1]
    bool has_ground;
    TraceGround ground; ///< its heights have room for the site's columns
    const unsigned char *picture; ///< PNG; the recorder's, until the writer is closed; NULL: none
    size_t picture_size; ///< bytes
} RecordingBatch;

typedef struct RecordingMeta {
    const char *key, *value;
} RecordingMeta;

typedef struct RecordingWriter RecordingWriter;

/// Creates the file with its tables. Batches hold up to `batch_ticks` inputs; `keyframe_room` bytes are set aside for
/// each batch's keyframe, and room for the heights of `columns` columns. NULL with `status`, and no file, when it
/// cannot be.
RecordingWriter *recording_writer_create(const char *path, int batch_ticks, size_t keyframe_room, size_t columns,
                                         Status *status);

/// Stores what is known before the first tick: meta, files, the hash of the first state and the batch at hand (keyframe
/// and events so far); then starts the thread. On failure only recording_writer_abandon may follow.
bool recording_writer_begin(RecordingWriter *writer, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                            int64_t tick, uint64_t hash, Status *status);
/// Closes and removes the file that was not begun.
void recording_writer_abandon(RecordingWriter *writer);

/// The batch to fill.
RecordingBatch *recording_writer_batch(RecordingWriter *writer);
/// False once writing failed.
bool recording_writer_is_good(RecordingWriter *writer, Status *status);
/// Hands the batch over; waits while the one before is still being written.
bool recording_writer_submit(RecordingWriter *writer, Status *status);
/// Waits for the last batch, stops the thread, closes the file. False when something was not written.
bool recording_writer_close(RecordingWriter *writer, Status *status);

#endif
