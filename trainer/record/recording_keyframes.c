/// Keyframes of an opened recording: a whole state now and then, and differences to the one before between them.
#include <inttypes.h>

#include "trainer/record/recording_internal.h"

/// Unpacks into recording->state; `prefix` is what a difference builds on, NULL for a whole state.
static bool unpack(Recording *recording, const void *packed, size_t size, const StateBuffer *prefix, int64_t tick,
                   Status *status)
{
    unsigned long long length = ZSTD_getFrameContentSize(packed, size);
    size_t most = recording->state_most > 0 && recording->state_most < RECORDING_STATE_MOST ? recording->state_most
                                                                                            : RECORDING_STATE_MOST;
    if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN) {
        return recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: it is not packed", tick);
    }
    if (length > most || size > ZSTD_compressBound(most)) {
        return recording_fail(recording, status,
                              "the keyframe of tick %" PRId64 " is damaged: it has %zu bytes for a state of %llu, "
                              "allowed are states of 1..%zu bytes in this scene",
                              tick, size, length, most);
    }
    recording->state.size = 0;
    recording->zstd = recording->zstd != NULL ? recording->zstd : ZSTD_createDCtx();
    if (recording->zstd == NULL || !state_buffer_reserve(&recording->state, (size_t)length + 1)) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for a keyframe of %llu bytes", recording->path,
                           length);
    }
    ZSTD_DCtx_reset(recording->zstd, ZSTD_reset_session_and_parameters);
    ZSTD_DCtx_setParameter(recording->zstd, ZSTD_d_windowLogMax, KEYFRAME_WINDOW_LOG);
    if (prefix != NULL) {
        ZSTD_DCtx_refPrefix(recording->zstd, prefix->data, prefix->size);
    }
    size_t got = ZSTD_decompressDCtx(recording->zstd, recording->state.data, (size_t)length, packed, size);
    if (ZSTD_isError(got) || got != length) {
        return recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: %s", tick,
                              ZSTD_isError(got) ? ZSTD_getErrorName(got) : "it is cut");
    }
    recording->state.size = got;
    Status reason;
    return state_is_whole(recording->state.data, got, &reason) ||
           recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: %.200s", tick, reason.text);
}

/// Reads keyframe `index`; a difference builds on what recording->state holds.
static bool load_one(Recording *recording, int index, Status *status)
{
    int64_t tick = recording->keyframe_ticks[index];
    bool whole = recording->keyframe_bases[index] == tick;
    recording->state_index = -1;
    if (!whole) {
        StateBuffer before = recording->before;
        recording->before = recording->state;
        recording->state = before;
    }
    sqlite3_bind_int64(recording->keyframe, 1, tick);
    bool good = sqlite3_step(recording->keyframe) == SQLITE_ROW &&
                sqlite3_column_type(recording->keyframe, 0) == SQLITE_BLOB &&
                sqlite3_column_bytes(recording->keyframe, 0) > 0;
    if (!good) {
        recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: it cannot be read", tick);
    } else {
        good = unpack(recording, sqlite3_column_blob(recording->keyframe, 0),
                      (size_t)sqlite3_column_bytes(recording->keyframe, 0), whole ? NULL : &recording->before, tick,
                      status);
    }
    sqlite3_reset(recording->keyframe);
    recording->state_index = good ? index : -1;
    return good;
}

bool recording_load_keyframe(Recording *recording, int index, Status *status)
{
    if (recording->keyframe == NULL && sqlite3_prepare_v2(recording->db, "SELECT zstd FROM keyframe WHERE tick=?", -1,
                                                          &recording->keyframe, NULL) != SQLITE_OK) {
        return recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    int at = index;
    while (at != recording->state_index && recording->keyframe_bases[at] != recording->keyframe_ticks[at]) {
        at--;
    }
    bool good = true;
    for (at += at == recording->state_index; good && at <= index; at++) {
        good = load_one(recording, at, status);
    }
    return good;
}

int recording_keyframe_before(const Recording *recording, int64_t tick)
{
    int low = 0, high = recording->keyframe_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (recording->keyframe_ticks[middle] <= tick) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}
