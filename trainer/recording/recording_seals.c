/// Checking the seals of an opened recording.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trainer/recording/recording_internal.h"
#include "trainer/recording/format/seal.h"

_Static_assert((int)SEAL_TEXT == (int)SEAL_HEX, "a seal's hash as text");

static bool unproven(const Recording *recording, Status *status, int64_t number, const char *what, const char *which)
{
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: is not what was recorded: %s%s (seal %" PRId64 ")",
                       recording->path, what, which, number);
}

static const unsigned char *blob(sqlite3_stmt *row, int column, int size)
{
    bool fits = sqlite3_column_type(row, column) == SQLITE_BLOB && sqlite3_column_bytes(row, column) == size;
    return fits ? sqlite3_column_blob(row, column) : NULL;
}

/// The key that the recording names; "" and true when it names none.
static bool read_key(Recording *recording, RecordingSeal *seal, unsigned char key[STATION_KEY], Status *status)
{
    const char *text = recording_meta(recording, "station_key");
    snprintf(seal->key, sizeof seal->key, "%s", text != NULL ? text : "");
    if (text == NULL) {
        return true;
    }
    if (!station_key_read(text, key)) {
        return recording_fail(recording, status, "is damaged: meta station_key is no key");
    }
    text = recording_meta(recording, "station");
    snprintf(seal->station, sizeof seal->station, "%.*s", STATION_NAME - 1, text != NULL ? text : "?");
    return true;
}

/// Compares a stored seal with the one that the rows give.
static bool check_seal(Recording *recording, sqlite3_stmt *row, const unsigned char *key, Seal *before, Status *status)
{
    int64_t number = sqlite3_column_int64(row, 0), expected = before->number + 1;
    int tables = seal_tables(recording->db);
    const unsigned char *rows = blob(row, 2, tables * SEAL_TABLE_ROWS), *hash = blob(row, 3, SEAL_HASH);
    bool closed = sqlite3_column_int64(row, 1) != 0;
    if (number != expected || rows == NULL || hash == NULL || before->closed) {
        return unproven(recording, status, expected, before->closed ? "it goes on behind its end" : "a seal is missing",
                        "");
    }
    Seal seal;
    if (!seal_take(recording->db, number > 0 ? before : NULL, rows, closed, &seal)) {
        return recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    for (int k = 0; k < tables; k++) {
        size_t at = (size_t)k * SEAL_TABLE_ROWS;
        if (memcmp(seal.rows + at, rows + at, SEAL_TABLE_ROWS) != 0) {
            return unproven(recording, status, number, "rows were changed in table ", seal_table(k));
        }
    }
    const unsigned char *signature = blob(row, 4, STATION_SIGNATURE);
    if (memcmp(seal.hash, hash, SEAL_HASH) != 0) {
        return unproven(recording, status, number, "the seal was changed", "");
    }
    if (key != NULL && (signature == NULL || !station_signed(key, hash, SEAL_HASH, signature))) {
        return unproven(recording, status, number, "the station's signature does not fit", "");
    }
    *before = seal;
    return true;
}

bool recording_check_seals(Recording *recording, RecordingSeal *seal, Status *status)
{
    unsigned char key[STATION_KEY];
    Seal last = {.number = -1};
    sqlite3_stmt *row = NULL;
    *seal = (RecordingSeal){0};
    if (!read_key(recording, seal, key, status)) {
        return false;
    }
    const char *sql = "SELECT number, closed, rows, hash, signature FROM seal ORDER BY number";
    bool good = sqlite3_prepare_v2(recording->db, sql, -1, &row, NULL) == SQLITE_OK ||
                recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        good = check_seal(recording, row, seal->key[0] != '\0' ? key : NULL, &last, status);
    }
    if (good && code != SQLITE_DONE) {
        good = recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    sqlite3_finalize(row);
    if (good && last.number < 0) {
        good = unproven(recording, status, 0, "it has no seal", "");
    }
    for (int k = 0; good && k < last.tables; k++) {
        if (seal_leaves_rows(recording->db, &last, k)) {
            good = unproven(recording, status, last.number, "rows were added to table ", seal_table(k));
        }
    }
    if (good) {
        seal->count = last.number + 1;
        seal->closed = last.closed;
        seal_text(&last, seal->hash);
    }
    return good;
}

void recording_last_seal(Recording *recording, char hash[SEAL_TEXT])
{
    sqlite3_stmt *row = NULL;
    hash[0] = '\0';
    if (sqlite3_prepare_v2(recording->db, "SELECT hash FROM seal ORDER BY number DESC LIMIT 1", -1, &row, NULL) ==
            SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW && blob(row, 0, SEAL_HASH) != NULL) {
        Seal seal;
        memcpy(seal.hash, blob(row, 0, SEAL_HASH), SEAL_HASH);
        seal_text(&seal, hash);
    }
    sqlite3_finalize(row);
}
