/// The chain of seals over a recording's rows. Internal to the recording.
///
/// Each commit adds a row to the table `seal`. It holds, for every other table, the number of its last row and the
/// BLAKE2b-256 of the rows since the seal before; over these, the number of the seal, whether the recording was closed
/// with it and the hash of the seal before goes the seal's own hash, which the station's key signs. Whoever changes,
/// adds or takes away a row has to make every later seal anew, and cannot sign them.
#ifndef SPADEWORK_TRAINER_SEAL_H
#define SPADEWORK_TRAINER_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "trainer/recording/format/recording_format.h"

#define SEAL_COUNT(name, columns) +1
enum {
    SEAL_TABLES = 2 RECORDING_TABLES(SEAL_COUNT), ///< with the picture and, last, the orders
    SEAL_HASH = 32, ///< bytes
    SEAL_HEX = 2 * SEAL_HASH + 1, ///< bytes of a hash as text
    SEAL_TABLE_ROWS = 8 + SEAL_HASH, ///< bytes: a table's last row (little-endian), then its hash
    SEAL_ROWS = SEAL_TABLES * SEAL_TABLE_ROWS, ///< bytes at most
};
#undef SEAL_COUNT

typedef struct Seal {
    int64_t number; ///< 0 is the first
    bool closed; ///< no row comes behind it
    int tables; ///< that it covers: SEAL_TABLES, or one less in a recording that has no table of orders
    unsigned char rows[SEAL_ROWS]; ///< [tables * SEAL_TABLE_ROWS] are used
    unsigned char hash[SEAL_HASH];
} Seal;

/// Makes the seal behind `before` (NULL: the first) of all rows that it does not cover.
/// bounds  NULL, or the `rows` of a stored seal, whose last rows end this one too
/// False with SQLite's error in the database.
bool seal_take(sqlite3 *db, const Seal *before, const unsigned char *bounds, bool closed, Seal *seal);
/// How many tables the seals of a recording cover.
int seal_tables(sqlite3 *db);
/// Name of a table, 0..SEAL_TABLES - 1, in the order of a seal's `rows`.
const char *seal_table(int table);
/// True when a table has rows that no seal up to this one covers.
bool seal_leaves_rows(sqlite3 *db, const Seal *seal, int table);
/// The hash as 64 hexadecimal digits.
void seal_text(const Seal *seal, char text[SEAL_HEX]);

#endif
