/// Recordings come from strangers: what SQLite and its files may do while one is open. Internal to the recording.
///
/// Follows SQLite's advice for untrusted databases: defensive mode, no trust in the schema, no view and no trigger,
/// only tables that are made to the letter as ours are, and bounds on sizes and steps that grow with the file.
#ifndef SPADEWORK_TRAINER_RECORDING_TRUST_H
#define SPADEWORK_TRAINER_RECORDING_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "data/core/status.h"

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

#endif
