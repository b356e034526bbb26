/// Hashing rows as they stand in the database, so that who writes a recording and who checks it run the same code.
#include "trainer/recording/format/seal.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "trainer/recording/format/recording_orders.h"

#define NAME(name, columns) #name,
static const char *const tables[SEAL_TABLES] = {RECORDING_TABLES(NAME) "picture", "fault_order"};
#undef NAME

static const char purpose[] = "spadework recording seal";

int seal_tables(sqlite3 *db)
{
    return recording_has_orders(db) ? SEAL_TABLES : SEAL_TABLES - 1;
}

const char *seal_table(int table)
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

/// A value with its type and size before it, so that no two rows give the same bytes.
static void hash_value(crypto_generichash_state *hash, sqlite3_stmt *row, int column)
{
    unsigned char head[9] = {0}, number[8];
    int type = sqlite3_column_type(row, column);
    const void *bytes = number;
    size_t size = sizeof number;
    if (type == SQLITE_INTEGER) {
        put(number, (uint64_t)sqlite3_column_int64(row, column));
    } else if (type == SQLITE_FLOAT) {
        double value = sqlite3_column_double(row, column);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(number, bits);
    } else {
        bytes = type == SQLITE_NULL ? NULL : sqlite3_column_blob(row, column);
        size = bytes != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0;
    }
    head[0] = (unsigned char)type;
    put(head + 1, size);
    crypto_generichash_update(hash, head, sizeof head);
    if (size > 0) {
        crypto_generichash_update(hash, bytes, size);
    }
}

/// Hashes the rows of a table behind `after` up to `*last`, which becomes the last one's number.
static bool hash_rows(sqlite3 *db, const char *table, int64_t after, int64_t *last, unsigned char digest[SEAL_HASH])
{
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT rowid, * FROM %s WHERE rowid > ? AND rowid <= ? ORDER BY rowid", table);
    sqlite3_stmt *row = NULL;
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, NULL, 0, SEAL_HASH);
    int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, after);
        sqlite3_bind_int64(row, 2, *last);
        *last = after;
        while ((code = sqlite3_step(row)) == SQLITE_ROW) {
            *last = sqlite3_column_int64(row, 0);
            for (int k = 0; k < sqlite3_column_count(row); k++) {
                hash_value(&hash, row, k);
            }
        }
    }
    sqlite3_finalize(row);
    crypto_generichash_final(&hash, digest, SEAL_HASH);
    return code == SQLITE_DONE;
}

static int64_t last_row(const Seal *seal, int table)
{
    return seal != NULL ? get(seal->rows + (size_t)table * SEAL_TABLE_ROWS) : INT64_MIN;
}

bool seal_take(sqlite3 *db, const Seal *before, const unsigned char *bounds, bool closed, Seal *seal)
{
    *seal = (Seal){.number = before != NULL ? before->number + 1 : 0, .closed = closed, .tables = seal_tables(db)};
    for (int k = 0; k < seal->tables; k++) {
        unsigned char *place = seal->rows + (size_t)k * SEAL_TABLE_ROWS;
        int64_t last = bounds != NULL ? get(bounds + (size_t)k * SEAL_TABLE_ROWS) : INT64_MAX;
        if (!hash_rows(db, tables[k], last_row(before, k), &last, place + 8)) {
            return false;
        }
        put(place, (uint64_t)last);
    }
    unsigned char number[9];
    put(number, (uint64_t)seal->number);
    number[8] = closed;
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, NULL, 0, SEAL_HASH);
    crypto_generichash_update(&hash, (const unsigned char *)purpose, sizeof purpose);
    if (before != NULL) {
        crypto_generichash_update(&hash, before->hash, SEAL_HASH);
    }
    crypto_generichash_update(&hash, number, sizeof number);
    crypto_generichash_update(&hash, seal->rows, (size_t)seal->tables * SEAL_TABLE_ROWS);
    crypto_generichash_final(&hash, seal->hash, SEAL_HASH);
    return true;
}

bool seal_leaves_rows(sqlite3 *db, const Seal *seal, int table)
{
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT 1 FROM %s WHERE rowid > ? LIMIT 1", tables[table]);
    sqlite3_stmt *row = NULL;
    bool left = sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK;
    if (!left) {
        sqlite3_bind_int64(row, 1, last_row(seal, table));
        left = sqlite3_step(row) != SQLITE_DONE;
    }
    sqlite3_finalize(row);
    return left;
}
