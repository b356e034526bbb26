/// Makes the seals of a recording anew, as somebody without a station's key can: for tests that edit a recording and
/// look at what else finds it, and for made-up recordings of menus.
#ifndef SPADEWORK_TESTS_RESEAL_H
#define SPADEWORK_TESTS_RESEAL_H

#include <stdlib.h>

#include <sqlite3.h>

#include "trainer/record/record.h"

/// The stored seal number `number`: where its tables end, and whether it closes. False when there is none.
static inline bool reseal_read(sqlite3 *db, int64_t number, unsigned char rows[SEAL_ROWS], bool *closed, bool *last)
{
    sqlite3_stmt *row = NULL;
    const char *sql = "SELECT rows, closed, (SELECT max(number) FROM seal) = number FROM seal WHERE number = ?";
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    sqlite3_bind_int64(row, 1, number);
    good = good && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_bytes(row, 0) == SEAL_ROWS;
    if (good) {
        memcpy(rows, sqlite3_column_blob(row, 0), SEAL_ROWS);
        *closed = sqlite3_column_int(row, 1) != 0;
        *last = sqlite3_column_int(row, 2) != 0;
    }
    sqlite3_finalize(row);
    return good;
}

static inline bool reseal_write(sqlite3 *db, const Seal *seal)
{
    sqlite3_stmt *row = NULL;
    const char *sql = "UPDATE seal SET rows = ?, hash = ?, signature = NULL, disturbed = 0 WHERE number = ?";
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    sqlite3_bind_blob(row, 1, seal->rows, SEAL_ROWS, SQLITE_STATIC);
    sqlite3_bind_blob(row, 2, seal->hash, SEAL_HASH, SQLITE_STATIC);
    sqlite3_bind_int64(row, 3, seal->number);
    good = good && sqlite3_step(row) == SQLITE_DONE;
    sqlite3_finalize(row);
    return good;
}

/// False when it is no recording of the present format.
static inline bool reseal(const char *path)
{
    sqlite3 *db = NULL;
    SealRows *rows = aligned_alloc(_Alignof(SealRows), SEAL_TABLES * sizeof *rows);
    Seal before, seal;
    unsigned char stored[SEAL_ROWS];
    bool good = rows != NULL && sqlite3_open(path, &db) == SQLITE_OK, closed = false, last = false;
    good = good && sqlite3_exec(db, "BEGIN; DELETE FROM meta WHERE key LIKE 'station%'", NULL, NULL, NULL) == SQLITE_OK;
    for (int64_t number = 0; good && !last; number++) {
        good = reseal_read(db, number, stored, &closed, &last);
        for (int k = 0; k < SEAL_TABLES && good; k++) {
            sqlite3_stmt *table = seal_prepare(db, (SealTable)k);
            int64_t end = last ? INT64_MAX : seal_stored_last_row(stored, (SealTable)k);
            seal_rows_begin(&rows[k], seal_last_row(number > 0 ? &before : NULL, (SealTable)k));
            good = table != NULL && seal_read_rows(table, end, &rows[k]);
            sqlite3_finalize(table);
        }
        if (good) {
            seal_make(number > 0 ? &before : NULL, rows, closed, false, &seal);
            good = reseal_write(db, &seal);
            before = seal;
        }
    }
    good = good && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_close(db);
    free(rows);
    return good;
}

#endif
