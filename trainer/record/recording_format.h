/// The file format of recordings: what writer and reader must agree on. Internal to the recording.
#ifndef SPADEWORK_TRAINER_RECORDING_FORMAT_H
#define SPADEWORK_TRAINER_RECORDING_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/operator_controls.h"
#include "data/schema/load.h"
#include "trainer/sim/sim.h"

#define RECORDING_APPLICATION 0x53504144 ///< "SPAD", SQLite's application_id
#define RECORDING_VERSION     14 ///< SQLite's user_version and meta "format"

enum {
    RECORDING_CONTROLS_SIZE = 2 * CONTROL_COUNT,
    KEYFRAME_SECONDS = 3, ///< simulated, from one keyframe to the next
    KEYFRAME_CHAIN = 16, ///< keyframes from one whole state to the next; the others are differences to the one before
    KEYFRAME_WINDOW_LOG = 27, ///< 2^27 bytes hold two states, so that a difference sees all of the one before
};

/// All keys that the table meta may have. Those of a parent stand in a recording that took another one over, those of a
/// station in one that is signed.
#define RECORDING_META_KEYS(X)                                                                                         \
    X(format)                                                                                                          \
    X(build)                                                                                                           \
    X(computer)                                                                                                        \
    X(seed)                                                                                                            \
    X(tick_rate)                                                                                                       \
    X(substeps)                                                                                                        \
    X(solver)                                                                                                          \
    X(scene)                                                                                                           \
    X(title)                                                                                                           \
    X(trainee)                                                                                                         \
    X(operator)                                                                                                        \
    X(driver)                                                                                                          \
    X(clumsy)                                                                                                          \
    X(attempt)                                                                                                         \
    X(course) X(language) X(parent) X(parent_tick) X(parent_seal) X(station) X(station_key) X(files_hash) X(created)

/// The columns of an event's numbers.
#define RECORDING_NUMBER(name, unit, shown) ", " #name " REAL NOT NULL"
#define RECORDING_EVENT_NUMBERS             EVENT_NUMBERS(RECORDING_NUMBER)

/// Tables and their columns: name, columns as SQL.
#define RECORDING_TABLES(X)                                                                                            \
    X(meta, "key TEXT PRIMARY KEY, value TEXT NOT NULL")                                                               \
    X(file, "kind TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL")                                              \
    X(input, "tick INTEGER PRIMARY KEY, controls BLOB NOT NULL, hash INTEGER NOT NULL")                                \
    X(state, "tick INTEGER PRIMARY KEY, hash INTEGER NOT NULL")                                                        \
    X(keyframe, "tick INTEGER PRIMARY KEY, base INTEGER NOT NULL, zstd BLOB NOT NULL")                                 \
    X(event, "tick INTEGER NOT NULL, kind TEXT NOT NULL, form TEXT NOT NULL, detail TEXT NOT NULL, "                   \
             "part_kind TEXT NOT NULL, part_index INTEGER NOT NULL, part TEXT NOT NULL, thing_kind TEXT NOT NULL, "    \
             "thing_index INTEGER NOT NULL, thing TEXT NOT NULL" RECORDING_EVENT_NUMBERS)                              \
    X(metric, "name TEXT PRIMARY KEY, unit TEXT NOT NULL, value REAL NOT NULL")                                        \
    X(trace, "tick INTEGER PRIMARY KEY, samples BLOB NOT NULL")                                                        \
    X(ground, "tick INTEGER PRIMARY KEY, rows INTEGER NOT NULL, columns INTEGER NOT NULL, spacing REAL NOT NULL, "     \
              "origin_x REAL NOT NULL, origin_y REAL NOT NULL, zstd BLOB NOT NULL")

/// A picture of how it ended, where a window drove it.
#define RECORDING_PICTURE_TABLE "CREATE TABLE picture(png BLOB NOT NULL)"
/// The chain of seals over the other tables; see seal.h.
#define RECORDING_SEAL_TABLE                                                                                           \
    "CREATE TABLE seal(number INTEGER PRIMARY KEY, closed INTEGER NOT NULL, disturbed INTEGER NOT NULL, "              \
    "rows BLOB NOT NULL, hash BLOB NOT NULL, signature BLOB)"

/// The table: its rows count from 0 and are in order of tick.
#define RECORDING_ORDER_TABLE                                                                                          \
    "CREATE TABLE fault_order(number INTEGER PRIMARY KEY, tick INTEGER NOT NULL, fault TEXT NOT NULL, "                \
    "part INTEGER NOT NULL, value REAL NOT NULL, hash INTEGER NOT NULL)"

/// A row.
typedef struct RecordedOrder {
    int64_t number; ///< from 0
    int64_t tick; ///< before which it was given
    SessionOrder order;
    bool whole; ///< read: the row's hash fits
} RecordedOrder;

/// XXH3 of number, tick, fault, part and value.
int64_t recording_order_hash(const RecordedOrder *row);

/// Controls as stored: int16, little-endian, in the order of the axes.
void recording_pack_controls(const OperatorControls *controls, unsigned char bytes[RECORDING_CONTROLS_SIZE]);
void recording_unpack_controls(const unsigned char bytes[RECORDING_CONTROLS_SIZE], OperatorControls *controls);
bool recording_is_meta_key(const char *key); ///< one of RECORDING_META_KEYS
/// XXH3 of an input row: tick and controls.
int64_t recording_input_hash(int64_t tick, const OperatorControls *controls);
/// XXH3 of kinds, names and texts, in order.
uint64_t recording_files_hash(const DataFiles *files);

#endif
