/// Checks the chain of seals of an open database, seal by seal, against the rows that lie in its tables. Internal to
/// the recording.
///
/// What is checked is what there was at one moment, also while the recording goes on: a moment is read within one
/// transaction, and the rows up to its last seal never change again. Hashes alone are made, nothing is replayed.
#ifndef SPADEWORK_TRAINER_SEAL_CHECK_H
#define SPADEWORK_TRAINER_SEAL_CHECK_H

#include "data/core/status.h"
#include "trainer/record/seal.h"
#include "trainer/record/station.h"

/// How far the seals went when a recording was opened.
typedef struct SealMoment {
    int64_t count; ///< seals; 0: there are none
    bool in_order; ///< they are numbered from 0 on
    unsigned char rows[SEAL_ROWS]; ///< of the last one
    unsigned char hash[SEAL_HASH]; ///< of the last one
    int left_over; ///< SealTable that has rows behind the last seal; -1: none
    bool bounded; ///< rows behind the last seal are not read
} SealMoment;

/// Reads the moment, within the caller's transaction. False with SQLite's error in the database.
/// live  rows are still being added: those behind the last seal are not of this moment
bool seal_moment_read(sqlite3 *db, bool live, SealMoment *moment);
/// Last row of a table that is read at that moment; INT64_MAX where no seal says.
int64_t seal_moment_last_row(const SealMoment *moment, SealTable table);

/// What does not fit.
typedef struct SealFault {
    const char *what; ///< English, for language_text; a %s stands for the table. NULL: all fits
    const char *table; ///< ""
    int64_t seal; ///< number
} SealFault;

typedef enum SealStep {
    SEAL_GOES_ON, ///< the next seal can be checked
    SEAL_FITS, ///< all seals fit
    SEAL_DIFFERS, ///< one does not: see the fault
    SEAL_FAILED, ///< SQLite cannot read it: its error is in the database
} SealStep;

typedef struct SealCheck SealCheck;

/// Begins to check; the database and the moment outlive the check. NULL when memory is short or SQLite fails.
/// key  that every seal was signed with; NULL: none was
SealCheck *seal_check_open(sqlite3 *db, const SealMoment *moment, const unsigned char key[STATION_KEY]);
void seal_check_close(SealCheck *check); ///< NULL is nothing
/// Checks the next seal.
SealStep seal_check_next(SealCheck *check, SealFault *fault);
/// True when the last step failed because of a lock, and can be made again.
bool seal_check_is_busy(const SealCheck *check);
/// Checks only what a list shows: the rows of meta against the first seal, those of the metrics against the last one,
/// and the signatures of both. No further seal is checked afterwards.
SealStep seal_check_ends(SealCheck *check, SealFault *fault);
/// The last seal that was checked; its number is -1 before the first.
const Seal *seal_check_last(const SealCheck *check);

#endif
