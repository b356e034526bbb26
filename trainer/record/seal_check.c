/// Reads stored seals, makes each of them anew from the rows that lie in the tables, and compares the two.
#include "trainer/record/seal_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/text.h"

struct SealCheck {
    sqlite3 *db;
    const SealMoment *moment;
    bool has_key;
    bool busy; ///< a lock kept the last step from reading
    unsigned char key[STATION_KEY];
    sqlite3_stmt *seal, *table[SEAL_TABLES]; ///< prepared when they are needed
    SealRows *rows; ///< [SEAL_TABLES]
    Seal last; ///< made anew
};

#define DISTURBED TEXT("another program wrote into it while it was recorded")

/// A seal as it is stored.
typedef struct StoredSeal {
    bool closed, disturbed;
    bool is_signed;
    unsigned char rows[SEAL_ROWS], hash[SEAL_HASH], signature[STATION_SIGNATURE];
} StoredSeal;

/// ---- the moment ----------------------------------------------------------------------------------------------------

static bool copy_blob(sqlite3_stmt *row, int column, unsigned char *bytes, int size)
{
    bool fits = sqlite3_column_type(row, column) == SQLITE_BLOB && sqlite3_column_bytes(row, column) == size;
    if (fits) {
        memcpy(bytes, sqlite3_column_blob(row, column), (size_t)size);
    }
    return fits;
}

static bool read_ends(sqlite3 *db, SealMoment *moment)
{
    sqlite3_stmt *row = NULL;
    const char *sql =
        "SELECT (SELECT count(*) FROM seal), (SELECT min(number) FROM seal), number, rows, hash FROM seal "
        "ORDER BY number DESC LIMIT 1";
    int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    code = code == SQLITE_OK ? sqlite3_step(row) : code;
    if (code == SQLITE_ROW) {
        moment->count = sqlite3_column_int64(row, 0);
        moment->in_order = sqlite3_column_int64(row, 1) == 0 && sqlite3_column_int64(row, 2) == moment->count - 1 &&
                           copy_blob(row, 3, moment->rows, SEAL_ROWS) && copy_blob(row, 4, moment->hash, SEAL_HASH);
    }
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

/// The first table that has rows behind those which the last seal covers, in one statement: lists look at thousands of
/// recordings.
static bool find_left_over(sqlite3 *db, SealMoment *moment)
{
    char sql[1024];
    int length = snprintf(sql, sizeof sql, "SELECT ");
    for (int k = 0; k < SEAL_TABLES; k++) {
        length += snprintf(sql + length, sizeof sql - (size_t)length, "%sEXISTS(SELECT 1 FROM %s WHERE rowid > ?%d)",
                           k > 0 ? "," : "", seal_table((SealTable)k), k + 1);
    }
    sqlite3_stmt *row = NULL;
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    for (int k = 0; k < SEAL_TABLES && good; k++) {
        sqlite3_bind_int64(row, k + 1, seal_stored_last_row(moment->rows, (SealTable)k));
    }
    good = good && sqlite3_step(row) == SQLITE_ROW;
    for (int k = 0; k < SEAL_TABLES && good && moment->left_over < 0; k++) {
        moment->left_over = sqlite3_column_int(row, k) != 0 ? k : -1;
    }
    sqlite3_finalize(row);
    return good;
}

bool seal_moment_read(sqlite3 *db, bool live, SealMoment *moment)
{
    *moment = (SealMoment){.left_over = -1};
    bool good = read_ends(db, moment);
    good = good && (!moment->in_order || find_left_over(db, moment));
    moment->bounded = moment->in_order && (live || moment->left_over < 0);
    return good;
}

int64_t seal_moment_last_row(const SealMoment *moment, SealTable table)
{
    return moment->bounded ? seal_stored_last_row(moment->rows, table) : INT64_MAX;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

SealCheck *seal_check_open(sqlite3 *db, const SealMoment *moment, const unsigned char key[STATION_KEY])
{
    SealCheck *check = calloc(1, sizeof *check);
    if (check == NULL) {
        return NULL;
    }
    check->db = db;
    check->moment = moment;
    check->has_key = key != NULL;
    check->last.number = -1;
    if (key != NULL) {
        memcpy(check->key, key, STATION_KEY);
    }
    check->rows = aligned_alloc(_Alignof(SealRows), SEAL_TABLES * sizeof *check->rows);
    const char *sql = "SELECT closed, disturbed, rows, hash, signature FROM seal WHERE number = ?";
    bool good = check->rows != NULL && sqlite3_prepare_v2(db, sql, -1, &check->seal, NULL) == SQLITE_OK;
    if (!good) {
        seal_check_close(check);
        return NULL;
    }
    return check;
}

void seal_check_close(SealCheck *check)
{
    if (check == NULL) {
        return;
    }
    sqlite3_finalize(check->seal);
    for (int k = 0; k < SEAL_TABLES; k++) {
        sqlite3_finalize(check->table[k]);
    }
    free(check->rows);
    free(check);
}

const Seal *seal_check_last(const SealCheck *check)
{
    return &check->last;
}

/// ---- a seal --------------------------------------------------------------------------------------------------------

static SealStep differs(SealFault *fault, const char *what, const char *table, int64_t seal)
{
    *fault = (SealFault){.what = what, .table = table, .seal = seal};
    return SEAL_DIFFERS;
}

/// SEAL_GOES_ON with the seal.
static SealStep read_seal(SealCheck *check, int64_t number, StoredSeal *stored, SealFault *fault)
{
    sqlite3_stmt *row = check->seal;
    sqlite3_bind_int64(row, 1, number);
    int code = sqlite3_step(row);
    bool whole = false;
    *stored = (StoredSeal){0};
    if (code == SQLITE_ROW) {
        stored->closed = sqlite3_column_int64(row, 0) != 0;
        stored->disturbed = sqlite3_column_int64(row, 1) != 0;
        whole = copy_blob(row, 2, stored->rows, SEAL_ROWS) && copy_blob(row, 3, stored->hash, SEAL_HASH);
        stored->is_signed = copy_blob(row, 4, stored->signature, STATION_SIGNATURE);
    }
    sqlite3_reset(row);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return SEAL_FAILED;
    }
    return whole ? SEAL_GOES_ON : differs(fault, TEXT("a seal is missing"), "", number);
}

/// Compares the signature over the seal's hash.
static SealStep compare_signature(const SealCheck *check, const StoredSeal *stored, int64_t number, SealFault *fault)
{
    bool fits = !check->has_key ||
                (stored->is_signed && station_signed(check->key, stored->hash, SEAL_HASH, stored->signature));
    return fits ? SEAL_GOES_ON : differs(fault, TEXT("the station's signature does not fit"), "", number);
}

/// Hashes the rows of a table behind `before` up to where the seal says, and compares.
static SealStep compare_rows(SealCheck *check, SealTable table, const Seal *before, const StoredSeal *stored,
                             int64_t number, SealFault *fault)
{
    size_t at = (size_t)table * SEAL_TABLE_ROWS;
    int64_t last = seal_stored_last_row(stored->rows, table);
    SealRows *rows = &check->rows[table];
    seal_rows_begin(rows, seal_last_row(before, table));
    check->table[table] = check->table[table] != NULL ? check->table[table] : seal_prepare(check->db, table);
    if (check->table[table] == NULL || !seal_read_rows(check->table[table], last, rows)) {
        return SEAL_FAILED;
    }
    SealRows copy = *rows;
    unsigned char hash[SEAL_HASH];
    crypto_generichash_final(&copy.hash, hash, SEAL_HASH);
    bool same = rows->last == last && memcmp(hash, stored->rows + at + 8, SEAL_HASH) == 0;
    return same ? SEAL_GOES_ON : differs(fault, TEXT("rows were changed in table %s"), seal_table(table), number);
}

/// Compares the seal itself, made of the rows that were compared.
static SealStep compare_seal(SealCheck *check, const Seal *before, const StoredSeal *stored, Seal *seal,
                             SealFault *fault)
{
    seal_make(before, check->rows, stored->closed, stored->disturbed, seal);
    if (memcmp(seal->hash, stored->hash, SEAL_HASH) != 0) {
        return differs(fault, TEXT("the seal was changed"), "", seal->number);
    }
    SealStep step = compare_signature(check, stored, seal->number, fault);
    if (step == SEAL_GOES_ON && stored->disturbed) {
        return differs(fault, DISTURBED, "", seal->number);
    }
    return step;
}

static SealStep compare_end(const SealCheck *check, SealFault *fault)
{
    int left_over = check->moment->left_over;
    return left_over < 0 ? SEAL_FITS
                         : differs(fault, TEXT("rows were added to table %s"), seal_table((SealTable)left_over),
                                   check->moment->count - 1);
}

static SealStep begin(const SealCheck *check, SealFault *fault)
{
    *fault = (SealFault){0};
    return check->moment->count == 0 ? differs(fault, TEXT("it has no seal"), "", 0)
           : check->moment->in_order ? SEAL_GOES_ON
                                     : differs(fault, TEXT("a seal is missing"), "", check->last.number + 1);
}

/// The seal behind the last one that was checked.
static SealStep compare_next(SealCheck *check, SealFault *fault)
{
    int64_t number = check->last.number + 1;
    const Seal *before = number > 0 ? &check->last : NULL;
    StoredSeal stored;
    Seal seal;
    SealStep step = read_seal(check, number, &stored, fault);
    if (step == SEAL_GOES_ON && before != NULL && before->closed) {
        step = differs(fault, TEXT("it goes on behind its end"), "", number);
    }
    for (int k = 0; k < SEAL_TABLES && step == SEAL_GOES_ON; k++) {
        step = compare_rows(check, (SealTable)k, before, &stored, number, fault);
    }
    step = step == SEAL_GOES_ON ? compare_seal(check, before, &stored, &seal, fault) : step;
    if (step == SEAL_GOES_ON) {
        check->last = seal;
    }
    return step;
}

SealStep seal_check_next(SealCheck *check, SealFault *fault)
{
    SealStep step = begin(check, fault);
    if (step != SEAL_GOES_ON || check->last.number + 1 >= check->moment->count) {
        return step == SEAL_GOES_ON ? compare_end(check, fault) : step;
    }
    // One lock for all tables of a seal, and none from one seal to the next: a recorder may be at work.
    bool alone = sqlite3_get_autocommit(check->db) != 0;
    if (alone) {
        sqlite3_exec(check->db, "BEGIN", NULL, NULL, NULL);
    }
    step = compare_next(check, fault);
    int code = sqlite3_extended_errcode(check->db);
    if (alone) {
        sqlite3_exec(check->db, "COMMIT", NULL, NULL, NULL);
    }
    check->busy = step == SEAL_FAILED && (code & 0xff) == SQLITE_BUSY;
    return step;
}

bool seal_check_is_busy(const SealCheck *check)
{
    return check->busy;
}

/// The seal itself, by what it says of the rows, and by the hash of the one before it.
static SealStep compare_alone(SealCheck *check, int64_t number, StoredSeal *stored, SealFault *fault)
{
    StoredSeal before = {0};
    SealStep step = number > 0 ? read_seal(check, number - 1, &before, fault) : SEAL_GOES_ON;
    step = step == SEAL_GOES_ON ? read_seal(check, number, stored, fault) : step;
    if (step != SEAL_GOES_ON) {
        return step;
    }
    Seal seal = {.number = number, .closed = stored->closed, .disturbed = stored->disturbed};
    memcpy(seal.rows, stored->rows, SEAL_ROWS);
    seal_set_hash(&seal, number > 0 ? before.hash : NULL);
    if (memcmp(seal.hash, stored->hash, SEAL_HASH) != 0) {
        return differs(fault, TEXT("the seal was changed"), "", number);
    }
    check->last = seal;
    return compare_signature(check, stored, number, fault);
}

SealStep seal_check_ends(SealCheck *check, SealFault *fault)
{
    int64_t last = check->moment->count - 1;
    StoredSeal stored;
    SealStep step = begin(check, fault);
    step = step == SEAL_GOES_ON ? compare_alone(check, 0, &stored, fault) : step;
    step = step == SEAL_GOES_ON ? compare_rows(check, SEAL_OF_meta, NULL, &stored, 0, fault) : step;
    step = step == SEAL_GOES_ON ? compare_alone(check, last, &stored, fault) : step;
    // The metrics come with the last seal: no seal before it covers any.
    step = step == SEAL_GOES_ON ? compare_rows(check, SEAL_OF_metric, NULL, &stored, last, fault) : step;
    if (step == SEAL_GOES_ON && stored.disturbed) {
        step = differs(fault, DISTURBED, "", last);
    }
    return step == SEAL_GOES_ON ? compare_end(check, fault) : step;
}
