/// Hashes rows, as the recorder writes them and as they stand in a file, and makes the chain of seals of these hashes.
#include "trainer/record/seal.h"

#include <stdio.h>
#include <string.h>

#define NAME(name, columns) #name,
static const char *const tables[SEAL_TABLES] = {RECORDING_TABLES(NAME) "picture", "fault_order"};
#undef NAME

static const char purpose[] = "spadework recording seal";

const char *seal_table(SealTable table)
{
    return tables[table];
}

void seal_text(const Seal *seal, char text[SEAL_HEX])
{
    sodium_bin2hex(text, SEAL_HEX, seal->hash, SEAL_HASH);
}

static void put(unsigned char bytes[8], uint64_t value)
{
    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)(value >> (8 * k));
    }
}

static int64_t get(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int k = 0; k < 8; k++) {
        value |= (uint64_t)bytes[k] << (8 * k);
    }
    return (int64_t)value;
}

/// ---- rows ----------------------------------------------------------------------------------------------------------

void seal_rows_begin(SealRows *rows, int64_t last)
{
    crypto_generichash_init(&rows->hash, NULL, 0, SEAL_HASH);
    rows->last = last;
}

/// A value with its type and size before it, so that no two rows give the same bytes.
static void add_value(SealRows *rows, int type, const void *bytes, size_t size)
{
    unsigned char head[9] = {0};
    head[0] = (unsigned char)type;
    put(head + 1, size);
    crypto_generichash_update(&rows->hash, head, sizeof head);
    if (size > 0) {
        crypto_generichash_update(&rows->hash, bytes, size);
    }
}

void seal_add_integer(SealRows *rows, int64_t value)
{
    unsigned char number[8];
    put(number, (uint64_t)value);
    add_value(rows, SQLITE_INTEGER, number, sizeof number);
}

void seal_add_real(SealRows *rows, double value)
{
    unsigned char number[8];
    uint64_t bits;
    value = value == 0.0 ? 0.0 : value; // SQLite stores no sign of a zero
    memcpy(&bits, &value, sizeof bits);
    put(number, bits);
    add_value(rows, SQLITE_FLOAT, number, sizeof number);
}

void seal_add_bytes(SealRows *rows, bool text, const void *bytes, size_t size)
{
    add_value(rows, text ? SQLITE_TEXT : SQLITE_BLOB, bytes, size);
}

void seal_add_row(SealRows *rows, int64_t number)
{
    seal_add_integer(rows, number);
    rows->last = number;
}

/// ---- the chain -----------------------------------------------------------------------------------------------------

int64_t seal_stored_last_row(const unsigned char rows[SEAL_ROWS], SealTable table)
{
    return get(rows + (size_t)table * SEAL_TABLE_ROWS);
}

int64_t seal_last_row(const Seal *seal, SealTable table)
{
    return seal != NULL ? seal_stored_last_row(seal->rows, table) : SEAL_NO_ROW;
}

void seal_set_hash(Seal *seal, const unsigned char *before)
{
    unsigned char number[10];
    put(number, (uint64_t)seal->number);
    number[8] = seal->closed;
    number[9] = seal->disturbed;
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, NULL, 0, SEAL_HASH);
    crypto_generichash_update(&hash, (const unsigned char *)purpose, sizeof purpose);
    if (before != NULL) {
        crypto_generichash_update(&hash, before, SEAL_HASH);
    }
    crypto_generichash_update(&hash, number, sizeof number);
    crypto_generichash_update(&hash, seal->rows, SEAL_ROWS);
    crypto_generichash_final(&hash, seal->hash, SEAL_HASH);
}

void seal_make(const Seal *before, SealRows *rows, bool closed, bool disturbed, Seal *seal)
{
    *seal = (Seal){.number = before != NULL ? before->number + 1 : 0, .closed = closed, .disturbed = disturbed};
    for (int k = 0; k < SEAL_TABLES; k++) {
        unsigned char *place = seal->rows + (size_t)k * SEAL_TABLE_ROWS;
        put(place, (uint64_t)rows[k].last);
        crypto_generichash_final(&rows[k].hash, place + 8, SEAL_HASH);
    }
    seal_set_hash(seal, before != NULL ? before->hash : NULL);
}

/// ---- stored rows ---------------------------------------------------------------------------------------------------

sqlite3_stmt *seal_prepare(sqlite3 *db, SealTable table)
{
    char sql[96];
    sqlite3_stmt *statement = NULL;
    snprintf(sql, sizeof sql, "SELECT rowid, * FROM %s WHERE rowid >= ? AND rowid <= ? ORDER BY rowid", tables[table]);
    sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    return statement;
}

static void read_value(SealRows *rows, sqlite3_stmt *row, int column)
{
    int type = sqlite3_column_type(row, column);
    if (type == SQLITE_INTEGER) {
        seal_add_integer(rows, sqlite3_column_int64(row, column));
    } else if (type == SQLITE_FLOAT) {
        seal_add_real(rows, sqlite3_column_double(row, column));
    } else {
        const void *bytes = type == SQLITE_NULL ? NULL : sqlite3_column_blob(row, column);
        add_value(rows, type, bytes, bytes != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0);
    }
}

bool seal_read_rows(sqlite3_stmt *table, int64_t last, SealRows *rows)
{
    // SEAL_NO_ROW is the least number that a row can have, and may be taken by one that another program made.
    if (rows->last == INT64_MAX) {
        return true; // none can follow
    }
    int64_t first = rows->last == SEAL_NO_ROW ? SEAL_NO_ROW : rows->last + 1;
    sqlite3_bind_int64(table, 1, first);
    sqlite3_bind_int64(table, 2, last);
    int code = SQLITE_DONE;
    while (last >= first && (code = sqlite3_step(table)) == SQLITE_ROW) {
        seal_add_row(rows, sqlite3_column_int64(table, 0));
        for (int k = 1; k < sqlite3_column_count(table); k++) {
            read_value(rows, table, k);
        }
    }
    sqlite3_reset(table);
    return code == SQLITE_DONE;
}
