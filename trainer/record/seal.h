/// The chain of seals over a recording's rows. Internal to the recording.
///
/// Each commit adds a row to the table `seal`. It holds, for every other table, the number of its last row and the
/// BLAKE2b-256 of the rows since the seal before; over these, the number of the seal, whether the recording was closed
/// with it, whether another program wrote into the file and the hash of the seal before goes the seal's own hash, which
/// the station's key signs. Whoever changes, adds or takes away a row has to make every later seal anew, and cannot
/// sign them.
///
/// The recorder hashes rows as it writes them and reads none back, so that a row which another program puts in beside
/// them is not sealed: who checks the seals hashes what lies in the tables, and comes to another sum.
#ifndef SPADEWORK_TRAINER_SEAL_H
#define SPADEWORK_TRAINER_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <sodium.h>
#include <sqlite3.h>

#include "trainer/record/recording_format.h"

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
    SEAL_HEX = 2 * SEAL_HASH + 1, ///< bytes of a hash as text
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
/// A row, then each of its columns in order, as SQLite stores it: NaN is no value, and -0.0 becomes 0.0.
void seal_add_row(SealRows *rows, int64_t number);
void seal_add_integer(SealRows *rows, int64_t value);
void seal_add_real(SealRows *rows, double value);
void seal_add_bytes(SealRows *rows, bool text, const void *bytes, size_t size); ///< text or blob

/// Makes the seal behind `before` (NULL: the first) of the tables' rows, whose hashes end with it.
/// rows  [SEAL_TABLES]
void seal_make(const Seal *before, SealRows *rows, bool closed, bool disturbed, Seal *seal);
/// Sets the seal's own hash from all else that it holds and the hash of the seal before (SEAL_HASH bytes; NULL: there
/// is none).
void seal_set_hash(Seal *seal, const unsigned char *before);

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
void seal_text(const Seal *seal, char text[SEAL_HEX]);

#endif
