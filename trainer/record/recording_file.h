/// The file that a recording lies in: whether it still is the one that was opened, whether it is being recorded, and
/// what SQLite may do with it. Any thread; nothing is kept.
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

#include "data/core/status.h"

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

/// ---- what SQLite may do --------------------------------------------------------------------------------------------

enum {
    RECORDING_VALUE_MOST = 64 << 20, ///< bytes of the largest value: a packed keyframe
    RECORDING_STATE_MOST = 256 << 20, ///< bytes of the largest state that a keyframe unpacks to
};

/// Steps of SQLite's machine that are left; lives as long as the database that it was given to.
typedef struct RecordingBudget {
    int64_t steps;
} RecordingBudget;

/// Sets what SQLite may do with a database that was just opened. With a budget, statements fail with SQLITE_INTERRUPT
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

#endif
