/// The file that a recording lies in: whether it still is the one that was opened, whether it is being recorded, and
/// what SQLite may do with it; below, the tables and how their values are stored. Any thread; nothing is kept.
///
/// Recordings come from strangers. The limits follow SQLite's advice for untrusted databases: defensive mode, no trust
/// in the schema, no view and no trigger, only tables that are made to the letter as ours are, and bounds on sizes and
/// steps that grow with the file.
#ifndef SPADEWORK_TRAINER_RECORDING_FILE_H
#define SPADEWORK_TRAINER_RECORDING_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include <sqlite3.h>

#include "data/core/operator_controls.h"
#include "data/core/status.h"
#include "data/schema/schema.h"
#include "trainer/sim/sim.h"

enum {
    RECORDING_HEAD = 100, ///< bytes that every SQLite file begins with
    RECORDING_FATE = 128, ///< bytes of what became of a file, as text
};

/// Which file bears a recording's name.
typedef struct RecordingFile {
    bool known; ///< false: nothing is compared
    dev_t device;
    ino_t number;
} RecordingFile;

/// Notes which file is at `path`; not known when there is none.
RecordingFile recording_file_note(const char *path);

/// True while the noted file is at `path` and begins as a recording does. Else `fate` says what became of it: it is
/// gone, a folder or another file has its name, it was cut, or its beginning was overwritten.
bool recording_file_is_there(const char *path, const RecordingFile *file, char fate[RECORDING_FATE]);

/// Marks a file as being recorded, by a lock on a byte beside those that SQLite locks: the system takes it away when
/// the process ends, however it ends. Called before SQLite opens the file, and released after SQLite has closed it:
/// closing any file takes away the locks that SQLite holds on it. Returns an open file for recording_file_release; -1
/// where there are no locks.
int recording_file_claim(const char *path);
/// Takes the mark away; -1 is nothing.
void recording_file_release(int claim);
/// True while another program (or this one) records into the file.
bool recording_file_is_claimed(const char *path);

/// Looks at the first `size` bytes of a file for those of an SQLite file that is a recording, of whatever format.
bool recording_head_is_ours(const unsigned char *head, size_t size);

/// Asks SQLite and returns its code; `answer` is the first value of the first row on one line, empty where there is
/// none.
/// RECORDING_PAGES_CHECK reads every page once and answers "ok" where they fit together.
int recording_ask(sqlite3 *db, const char *question, char answer[RECORDING_FATE]);
#define RECORDING_PAGES_CHECK "PRAGMA quick_check(1)"

/// ---- what SQLite may do --------------------------------------------------------------------------------------------

enum {
    RECORDING_VALUE_MOST = 64 << 20, ///< bytes of the largest value: a packed keyframe
    RECORDING_STATE_MOST = 256 << 20, ///< bytes of the largest state that a keyframe unpacks to
};

/// Steps of SQLite's machine that are left; lives as long as the database that it was given to.
typedef struct RecordingBudget {
    int64_t steps;
} RecordingBudget;

/// Switches on SQLite's defences against a stranger's file: no trigger and no view runs, the schema is not trusted.
void recording_harden(sqlite3 *db);
/// Sets what SQLite may do with a recording that was just opened. With a budget, statements fail with SQLITE_INTERRUPT
/// once it is spent; it grows with the file of `size` bytes, as all that is read of it does.
void recording_distrust(sqlite3 *db, RecordingBudget *budget, int64_t size);
/// Lifts the budget.
void recording_end_budget(sqlite3 *db);

/// True when the database holds nothing but tables, and those made to the letter as ours are; with `any`, whatever
/// tables a format had. `path` stands in the text of `status` (STATUS_BAD_FILE).
bool recording_check_schema(sqlite3 *db, bool any, const char *path, Status *status);

/// Looks at the journal that a killed writer left: SQLite would delete a file that a journal names as the one of
/// several databases, and a recording's names none. `size`: bytes of the recording, which bound those of its journal.
/// False with `status` (STATUS_BAD_FILE).
bool recording_check_journal(const char *journal, int64_t size, const char *path, Status *status);

/// ---- what holds writing up------------------------------------------------------------------------------------------

/// What holds writing up and may go away by itself.
typedef enum RecorderHold {
    RECORDER_WRITES, ///< nothing
    RECORDER_LOCKED, ///< another program reads the file or has locked it
    RECORDER_FULL, ///< the disk is full
} RecorderHold;

/// How recorder_close waits for another program that keeps the file.
typedef struct RecorderWait {
    /// Asked several times a second, on the thread that closes, once a quarter of a second has passed. True: it waits
    /// on. NULL: it waits as long as for a full disk.
    bool (*goes_on)(void *context, const Status *reason);
    void *context;
} RecorderWait;

/// ---- format --------------------------------------------------------------------------------------------------------

#define RECORDING_APPLICATION 0x53504144 ///< "SPAD", SQLite's application_id
#define RECORDING_VERSION     STATE_VERSION ///< SQLite's user_version and meta "format"

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
    X(course)                                                                                                          \
    X(changed) X(language) X(parent) X(parent_tick) X(parent_seal) X(station) X(station_key) X(files_hash) X(created)

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
