/// The station's key, the chain of seals over a recording's rows that it signs, and the check of that chain against the
/// rows that lie in the tables of a database.
///
/// Each commit adds a row to the table `seal`. It holds, for every other table, the number of its last row and the
/// BLAKE2b-256 of the rows since the seal before; over these, the number of the seal, whether the recording was closed
/// with it, whether another program wrote into the file and the hash of the seal before goes the seal's own hash, which
/// the station's key signs. To change, add or take away a row, every later seal has to be made anew, and cannot be
/// signed without the key.
///
/// The recorder hashes rows as it writes them and reads none back, so that a row which another program puts in beside
/// them is not sealed: a check hashes what lies in the tables, and comes to another sum.
#ifndef SPADEWORK_TRAINER_SEAL_H
#define SPADEWORK_TRAINER_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <sodium.h>
#include <sqlite3.h>

#include "data/core/status.h"
#include "trainer/record/recording_file.h"

/// ---- the station's key ---------------------------------------------------------------------------------------------
/// The Ed25519 pair by which a computer signs the recordings that are made on it, and the public keys of other stations
/// that are trusted here. Signing and checking are libsodium's.
///
/// The pair lies in station.key in the user's data folder, for its owner alone; trusted keys in stations.txt beside it,
/// one a line: the key in 64 hexadecimal digits, a blank, the station's name; a line that begins with # is a comment.

enum {
    STATION_NAME = 64, ///< bytes with the closing 0
    STATION_KEY = 32, ///< bytes of a public key
    STATION_SECRET = 64, ///< bytes of a secret key
    STATION_SIGNATURE = 64, ///< bytes
    STATION_HEX = 2 * STATION_KEY + 1, ///< bytes of a public key as text
};

typedef struct Station {
    char name[STATION_NAME]; ///< "" = this computer has no key
    unsigned char key[STATION_KEY], secret[STATION_SECRET];
} Station;

/// Makes a new pair and writes station.key. name  1..63 bytes of printable text. False with `status` (STATUS_BAD_USAGE:
/// a name that is none; STATUS_LACKING: there is a key already, which is left as it is, or it cannot be written).
bool station_make(const char *name, Station *station, Status *status);
/// Reads station.key; no name where there is none. False with `status` (STATUS_BAD_FILE) when it is damaged, or when
/// others than its owner may read it.
bool station_load(Station *station, Status *status);
/// Wipes the secret from memory.
void station_forget(Station *station);

/// Signs `size` bytes.
void station_sign(const Station *station, const void *bytes, size_t size, unsigned char signature[STATION_SIGNATURE]);

/// A public key as 64 hexadecimal digits, and back; false when the text is none.
void station_key_text(const unsigned char key[STATION_KEY], char text[STATION_HEX]);
bool station_key_read(const char *text, unsigned char key[STATION_KEY]);

/// Adds a key to stations.txt, or gives it another name there. False with `status` (STATUS_BAD_USAGE, STATUS_BAD_FILE,
/// STATUS_LACKING).
bool station_trust(const char *name, const unsigned char key[STATION_KEY], Status *status);
/// Looks a key up: this computer's own, or one of stations.txt. `*name` is "" when it is not known. False with `status`
/// (STATUS_BAD_FILE, with the line) when a file cannot be read.
bool station_find(const unsigned char key[STATION_KEY], char name[STATION_NAME], Status *status);

/// ---- the chain -----------------------------------------------------------------------------------------------------

/// The tables in the order of a seal's `rows`.
#define SEAL_NAME(name, columns) SEAL_OF_##name,
typedef enum SealTable {
    RECORDING_TABLES(SEAL_NAME) SEAL_OF_picture,
    SEAL_OF_fault_order,
    SEAL_TABLES,
} SealTable;
#undef SEAL_NAME

enum {
    SEAL_HASH = 32, ///< bytes
    SEAL_TEXT = 2 * SEAL_HASH + 1, ///< bytes of a hash as text
    SEAL_TABLE_ROWS = 8 + SEAL_HASH, ///< bytes: a table's last row (little-endian), then its hash
    SEAL_ROWS = SEAL_TABLES * SEAL_TABLE_ROWS, ///< bytes
};
#define SEAL_NO_ROW INT64_MIN ///< last row of a table that had none yet

typedef struct Seal {
    int64_t number; ///< 0 is the first
    bool closed; ///< no row comes behind it
    bool disturbed; ///< another program wrote into the file since the seal before
    unsigned char rows[SEAL_ROWS]; ///< SEAL_TABLE_ROWS a table
    unsigned char hash[SEAL_HASH];
} Seal;

/// The rows of one table since a seal, as they are hashed. Wants the alignment of its type.
typedef struct SealRows {
    crypto_generichash_state hash;
    int64_t last; ///< number of the last row
} SealRows;

/// Begins behind row `last`.
void seal_rows_begin(SealRows *rows, int64_t last);
/// A row, then each of its columns in order, as SQLite stores it: NaN is no value, and -0.0
/// becomes 0.0; `value` in the unit of its column.
void seal_add_row(SealRows *rows, int64_t number);
void seal_add_integer(SealRows *rows, int64_t value);
void seal_add_real(SealRows *rows, double value);
void seal_add_bytes(SealRows *rows, bool text, const void *bytes, size_t size); ///< text or blob

/// Makes the seal behind `before` (NULL: the first) of the tables' rows, whose hashes end with it.
/// rows  [SEAL_TABLES]
void seal_make(const Seal *before, SealRows *rows, bool closed, bool disturbed, Seal *seal);
/// Last row of a table that a seal covers; `seal` NULL: SEAL_NO_ROW.
int64_t seal_last_row(const Seal *seal, SealTable table);
/// The same of the column `rows` of a stored seal.
int64_t seal_stored_last_row(const unsigned char rows[SEAL_ROWS], SealTable table);

/// Prepares to read a table's rows for seal_read_rows. NULL with SQLite's error in the database.
sqlite3_stmt *seal_prepare(sqlite3 *db, SealTable table);
/// Hashes the stored rows of a prepared table behind rows->last, up to number `last`. False with SQLite's error in the
/// database.
bool seal_read_rows(sqlite3_stmt *table, int64_t last, SealRows *rows);

const char *seal_table(SealTable table); ///< its name
/// The hash as 64 hexadecimal digits.
void seal_text(const Seal *seal, char text[SEAL_TEXT]);

/// ---- checking ------------------------------------------------------------------------------------------------------
/// What is checked is what there was at one moment, also while the recording goes on: a moment is read within one
/// transaction, and the rows up to its last seal never change again. Only hashes are made; nothing is replayed.

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

/// ---- what they say -------------------------------------------------------------------------------------------------

/// What the seals of a recording say of it.
typedef enum RecordingState {
    RECORDING_UNCHECKED, ///< nobody has looked yet
    RECORDING_WHOLE, ///< it holds what was recorded, and its session ended in good order
    RECORDING_CUT_SHORT, ///< it holds what was recorded up to where it ends: the recorder was killed, or the file cut
    RECORDING_LIVE, ///< it held what was recorded when it was opened: the recorder is at work
    RECORDING_CHANGED, ///< it holds something else than what was recorded
} RecordingState;
typedef struct RecordingSeal {
    RecordingState state;
    int64_t count; ///< seals that fit
    bool closed; ///< the last one closes the recording: its session ended in good order
    char hash[SEAL_TEXT]; ///< the last one, 64 hexadecimal digits; "" of a changed one
    char station[STATION_NAME]; ///< who signed, as it calls itself; "" = nobody
    char key[STATION_HEX]; ///< public key that every seal was signed with; ""
    char trusted[STATION_NAME]; ///< name by which this computer trusts that key; "" = it does not
    const char *change; ///< of a changed one: what does not fit, English for language_text; a %s stands for the table
    const char *table; ///< of the change; ""
    int64_t at; ///< number of the seal that does not fit
} RecordingSeal;
/// Sets it to RECORDING_CHANGED by that fault.
void seal_set_change(const SealFault *fault, RecordingSeal *seal);
/// Sets it from a check whose seals all fit. live  the recorder is at work
void seal_set_good(const SealCheck *check, bool live, RecordingSeal *seal);
/// Looks up whether this computer trusts the key: sets `trusted`.
void recording_seal_look_up(RecordingSeal *seal);

#endif
