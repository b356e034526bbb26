/// A recording's rows as they are written: one database, one transaction a batch. Internal to the recording.
#ifndef SPADEWORK_TRAINER_RECORDING_ROWS_H
#define SPADEWORK_TRAINER_RECORDING_ROWS_H

#include "trainer/record/format_orders.h"
#include "trainer/record/recording.h"
#include "trainer/record/trace.h"
#include "trainer/sim/sim.h"
#include "trainer/record/station.h"

enum { BATCH_EVENTS = 128 };
/// ms that SQLite waits for a lock while who drives waits for the commit, and while what is driven waits in memory: the
/// second is long, since other programs that ask for the file wait behind a commit that is under way.
enum { ROWS_WAIT = 200, ROWS_WAIT_LONG = 2000 };

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

typedef struct RecordingRows RecordingRows;

/// Creates the file with its tables; a path that exists is refused. station  signs the seals; NULL, or without a name:
/// nobody does. NULL with `status` (STATUS_LACKING), and no file, when it cannot be.
RecordingRows *recording_rows_create(const char *path, const BatchSize *size, const Station *station, Status *status);
/// Stores what is known before the first tick: meta, files, the hash of the first state and a batch.
bool recording_rows_begin(RecordingRows *rows, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                          int64_t tick, uint64_t hash, const RecordingBatch *batch, Status *status);
/// Stores batches in order with a seal over them, in one transaction: all of it or nothing. After a failure
/// (STATUS_LACKING) the same ones can be stored again. Only the last one may have a keyframe, or close.
/// batches  [count], at least one
/// wait  ms for locks: ROWS_WAIT, ROWS_WAIT_LONG
/// hold  out: RECORDER_LOCKED or RECORDER_FULL, when the cause may go away by itself
bool recording_rows_store(RecordingRows *rows, const RecordingBatch *const *batches, int count, int wait,
                          RecorderHold *hold, Status *status);
/// True once another program wrote into the file.
bool recording_rows_are_disturbed(const RecordingRows *rows);
/// Closes the file; with `remove` it goes with its journal. NULL is nothing.
void recording_rows_close(RecordingRows *rows, bool remove);

#endif
