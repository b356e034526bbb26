/// The struct of an opened recording, shared by what opens, reads and verifies it.
#ifndef SPADEWORK_TRAINER_RECORDING_INTERNAL_H
#define SPADEWORK_TRAINER_RECORDING_INTERNAL_H

#include <sqlite3.h>
#include <zstd.h>

#include "trainer/record/recording.h"
#include "trainer/record/recording_file.h"
#include "trainer/record/seal.h"
#include "trainer/sim/sim.h"

struct Recording {
    char path[DATA_PATH_LENGTH];
    char copy[64]; ///< private folder that holds a copy of the file, or ""
    char copied[128]; ///< that copy
    RecordingFile file; ///< that was opened
    sqlite3 *db;
    bool live; ///< it was being recorded when it was opened
    SealMoment moment; ///< how far it went then: rows behind that moment are not read
    RecordingBudget budget; ///< while it is opened
    sqlite3_stmt *keyframe, *meta;
    int64_t first_tick, last_tick;
    OperatorControls *controls; ///< [last_tick - first_tick]: row k leads from tick first_tick + k to the next
    bool *controls_whole; ///< same shape: the row's hash fits
    RecordedOrder *orders; ///< [order_count], in order of tick
    int64_t order_count;
    uint64_t *hashes; ///< [last_tick - first_tick + 1]: of the state at first_tick + k
    int keyframe_count;
    int64_t *keyframe_ticks; ///< ascending; the first is first_tick
    DataFiles files;
    uint64_t seed;
    SoilSolver solver;
    int tick_rate;
    int64_t *keyframe_bases; ///< same shape: tick of the keyframe it is a difference to, its own when it is whole
    int chain; ///< keyframes that build on one another, up to the row being read
    size_t state_most; ///< bytes of the largest state of its scene; 0: no session was made of it yet
    int64_t columns_most; ///< of a map of its ground, in the same way
    ZSTD_DCtx *zstd;
    StateBuffer state, before; ///< reused for keyframes
    int state_index; ///< number of the keyframe that `state` holds; -1: none
    char value[DATA_PATH_LENGTH]; ///< last answer of recording_meta
};

/// "PATH: text" with STATUS_BAD_FILE, and what became of the file where it is no longer the one that was opened.
/// Returns false.
bool recording_fail(const Recording *recording, Status *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Prepares a statement. NULL with `status`.
sqlite3_stmt *recording_prepare(const Recording *recording, const char *sql, Status *status);

/// The value of a meta key as it was recorded, unfit for showing; "" where there is none.
void recording_meta_bytes(Recording *recording, const char *key, char *value, size_t size);

/// Checks every event: those of the exercise may name what `exercise` has; NULL: what any has. False with the row.
bool recording_check_events(Recording *recording, const SceneExercise *exercise, Status *status);

/// Keyframe number `index`, unpacked and whole, in recording->state.
bool recording_load_keyframe(Recording *recording, int index, Status *status);
/// Number of the last keyframe at or before `tick`.
int recording_keyframe_before(const Recording *recording, int64_t tick);

#endif
