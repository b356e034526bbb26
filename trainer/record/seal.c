/// Seals of a recording and the station's key that signs them: hashes rows, as the recorder writes them and as they
/// stand in a file, makes the chain of seals of these hashes, and checks a stored chain: each seal is made anew from
/// the rows that lie in the tables, and compared. A file of keys is written beside itself and renamed, so that half of
/// one is never found.
#include "trainer/record/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/plain_text.h"
#include "data/core/system_files.h"
#include "data/core/language.h"

_Static_assert(STATION_KEY == (int)crypto_sign_PUBLICKEYBYTES, "a public key is Ed25519's");
_Static_assert(STATION_SECRET == (int)crypto_sign_SECRETKEYBYTES, "a secret key is libsodium's");
_Static_assert(STATION_SIGNATURE == (int)crypto_sign_BYTES, "a signature is Ed25519's");

static const char key_file[] = "station.key", trusted_file[] = "stations.txt";
static const char first_line[] = "spadework station key 1";

enum { STATION_LINE = 256 };

/// A name stays in its line, and is shown as it is.
static bool check_name(const char *name, Status *status)
{
    return visible_name_check("the station's name", name, STATION_NAME - 1, status) &&
           (name[0] != ' ' ||
            status_fail(status, STATUS_BAD_USAGE, "the station's name \"%.63s\": it may not begin with a blank", name));
}

/// ---- the station: keys as text -------------------------------------------------------------------------------------

void station_key_text(const unsigned char key[STATION_KEY], char text[STATION_HEX])
{
    sodium_bin2hex(text, STATION_HEX, key, STATION_KEY);
}

static bool read_hex(const char *text, unsigned char *bytes, size_t size)
{
    size_t length = 0;
    return strlen(text) == 2 * size && sodium_hex2bin(bytes, size, text, 2 * size, NULL, &length, NULL) == 0 &&
           length == size;
}

bool station_key_read(const char *text, unsigned char key[STATION_KEY])
{
    return read_hex(text, key, STATION_KEY);
}

/// ---- the station: signatures ---------------------------------------------------------------------------------------

void station_sign(const Station *station, const void *bytes, size_t size, unsigned char signature[STATION_SIGNATURE])
{
    crypto_sign_detached(signature, NULL, bytes, size, station->secret);
}

/// True when the signature was made of these bytes with the secret that belongs to `key`.
static bool station_signed(const unsigned char key[STATION_KEY], const void *bytes, size_t size,
                           const unsigned char signature[STATION_SIGNATURE])
{
    return crypto_sign_verify_detached(signature, bytes, size, key) == 0;
}

/// ---- the station: files --------------------------------------------------------------------------------------------

static bool make_paths(const char *name, char path[DATA_PATH_LENGTH], char beside[DATA_PATH_LENGTH + 8], Status *status)
{
    char folder[DATA_PATH_LENGTH];
    if (!user_data_path("", folder, status) || !user_make_folder(folder, status) ||
        !user_data_path(name, path, status)) {
        return false;
    }
    snprintf(beside, DATA_PATH_LENGTH + 8, "%s.new", path);
    return true;
}

/// Writes `text` for the owner alone; with `anew` only where there is no such file.
static bool write_file(const char *name, const char *text, bool anew, Status *status)
{
    char path[DATA_PATH_LENGTH], beside[DATA_PATH_LENGTH + 8];
    if (!make_paths(name, path, beside, status)) {
        return false;
    }
    unlink(beside);
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t size = strlen(text);
    bool good = file >= 0 && write(file, text, size) == (ssize_t)size && fsync(file) == 0;
    int reason = errno;
    if (file >= 0) {
        close(file);
    }
    // A link refuses to take the place of another file, as a rename would.
    if (good && (anew ? link(beside, path) : rename(beside, path)) != 0) {
        reason = errno;
        good = false;
    }
    unlink(beside);
    if (!good && anew && reason == EEXIST) {
        return status_fail(status, STATUS_LACKING, "%s: this computer has a key already, which is left as it is", path);
    }
    return good || status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(reason));
}

bool station_make(const char *name, Station *station, Status *status)
{
    char text[STATION_LINE + 2 * STATION_SECRET], secret[2 * STATION_SECRET + 1];
    *station = (Station){0};
    if (!check_name(name, status)) {
        return false;
    }
    if (sodium_init() < 0) {
        return status_fail(status, STATUS_LACKING, "the computer gives no random numbers for a key");
    }
    crypto_sign_keypair(station->key, station->secret);
    sodium_bin2hex(secret, sizeof secret, station->secret, STATION_SECRET);
    snprintf(text, sizeof text, "%s\nname %s\nsecret %s\n", first_line, name, secret);
    snprintf(station->name, sizeof station->name, "%s", name);
    bool good = write_file(key_file, text, true, status);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(text, sizeof text);
    return good;
}

/// The line without its end; false at the end of the file and for a line that is too long.
static bool read_line(FILE *file, char line[STATION_LINE])
{
    if (fgets(line, STATION_LINE, file) == NULL || (strchr(line, '\n') == NULL && !feof(file))) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static bool read_station_key(FILE *file, Station *station)
{
    char line[STATION_LINE];
    Status unused;
    bool good = read_line(file, line) && strcmp(line, first_line) == 0 && read_line(file, line) &&
                strncmp(line, "name ", 5) == 0 && check_name(line + 5, &unused);
    if (good) {
        snprintf(station->name, sizeof station->name, "%.*s", STATION_NAME - 1, line + 5);
        good = read_line(file, line) && strncmp(line, "secret ", 7) == 0 &&
               read_hex(line + 7, station->secret, STATION_SECRET);
    }
    sodium_memzero(line, sizeof line);
    return good && crypto_sign_ed25519_sk_to_pk(station->key, station->secret) == 0;
}

bool station_load(Station *station, Status *status)
{
    char path[DATA_PATH_LENGTH];
    struct stat info;
    *station = (Station){0};
    if (!user_data_path(key_file, path, status) || access(path, F_OK) != 0) {
        return status_good(status); // nowhere to have one
    }
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool own = fstat(fileno(file), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    bool good = own && read_station_key(file, station);
    fclose(file);
    if (good) {
        return status_good(status);
    }
    station_forget(station);
    return status_fail(status, STATUS_BAD_FILE,
                       own ? "%s: is no station's key; restore it from a copy, or delete it and make another"
                           : "%s: others may read this secret; allow it to its owner alone (chmod 600)",
                       path);
}

void station_forget(Station *station)
{
    sodium_memzero(station, sizeof *station);
}

/// ---- the station: trusted stations ---------------------------------------------------------------------------------

typedef bool VisitTrusted(void *context, const char *line, const unsigned char key[STATION_KEY], const char *name);

/// Visits each line; of comments and blank lines the key and the name are NULL.
static bool each_trusted(VisitTrusted *visit, void *context, Status *status)
{
    char path[DATA_PATH_LENGTH], line[STATION_LINE];
    if (!user_data_path(trusted_file, path, status) || access(path, F_OK) != 0) {
        return true;
    }
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool good = plain_text_check_file(path, file, status);
    for (int number = 1; good && read_line(file, line); number++) {
        char text[STATION_LINE];
        unsigned char key[STATION_KEY];
        bool comment = line[0] == '#' || line[0] == '\0';
        snprintf(text, sizeof text, "%.*s", STATION_HEX - 1, line);
        if (!comment &&
            (!station_key_read(text, key) || line[STATION_HEX - 1] != ' ' || !check_name(line + STATION_HEX, status))) {
            good = status_fail(status, STATUS_BAD_FILE,
                               "%s:%d:1: no trusted station, allowed 64 hexadecimal digits, a blank and a name", path,
                               number);
        } else if (!visit(context, line, comment ? NULL : key, comment ? NULL : line + STATION_HEX)) {
            break;
        }
    }
    if (good && !feof(file) && ferror(file)) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: cannot be read", path);
    }
    fclose(file);
    return good;
}

enum { TRUSTED_BYTES = 1 << 16 };

typedef struct Rewriting {
    const unsigned char *key;
    size_t size;
    char text[TRUSTED_BYTES];
} Rewriting;

/// Copies every line but that of the key which is named anew.
static bool copy_other_line(void *context, const char *line, const unsigned char key[STATION_KEY], const char *name)
{
    Rewriting *self = context;
    (void)name;
    if (key == NULL || memcmp(key, self->key, STATION_KEY) != 0) {
        int length = snprintf(self->text + self->size, sizeof self->text - self->size, "%s\n", line);
        self->size += (size_t)length;
    }
    return self->size < sizeof self->text - 2 * STATION_LINE;
}

bool station_trust(const char *name, const unsigned char key[STATION_KEY], Status *status)
{
    static Rewriting self; // a command's, too large for a stack
    self = (Rewriting){.key = key};
    char text[STATION_HEX];
    if (!check_name(name, status) || !each_trusted(copy_other_line, &self, status)) {
        return false;
    }
    if (self.size >= sizeof self.text - 2 * STATION_LINE) {
        return status_fail(status, STATUS_LACKING, "there are too many trusted stations, allowed %d bytes",
                           TRUSTED_BYTES);
    }
    station_key_text(key, text);
    snprintf(self.text + self.size, sizeof self.text - self.size, "%s %s\n", text, name);
    return write_file(trusted_file, self.text, false, status);
}

typedef struct Search {
    const unsigned char *key;
    char *name;
} Search;

static bool match_line(void *context, const char *line, const unsigned char key[STATION_KEY], const char *name)
{
    Search *self = context;
    (void)line;
    if (key == NULL || memcmp(key, self->key, STATION_KEY) != 0) {
        return true;
    }
    snprintf(self->name, STATION_NAME, "%s", name);
    return false;
}

bool station_find(const unsigned char key[STATION_KEY], char name[STATION_NAME], Status *status)
{
    Station own;
    name[0] = '\0';
    if (!station_load(&own, status)) {
        return false;
    }
    bool is_own = own.name[0] != '\0' && memcmp(own.key, key, STATION_KEY) == 0;
    if (is_own) {
        memcpy(name, own.name, sizeof own.name);
    }
    station_forget(&own);
    return is_own || each_trusted(match_line, &(Search){key, name}, status);
}

/// ---- rows of tables ------------------------------------------------------------------------------------------------

#define NAME(name, columns) #name,
static const char *const tables[SEAL_TABLES] = {RECORDING_TABLES(NAME) "picture", "fault_order"};
#undef NAME

static const char purpose[] = "spadework recording seal";

const char *seal_table(SealTable table)
{
    return tables[table];
}

void seal_text(const Seal *seal, char text[SEAL_TEXT])
{
    sodium_bin2hex(text, SEAL_TEXT, seal->hash, SEAL_HASH);
}

static void put_integer(unsigned char bytes[8], uint64_t value)
{
    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)(value >> (8 * k));
    }
}

static int64_t get_integer(const unsigned char bytes[8])
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
    put_integer(head + 1, size);
    crypto_generichash_update(&rows->hash, head, sizeof head);
    if (size > 0) {
        crypto_generichash_update(&rows->hash, bytes, size);
    }
}

void seal_add_integer(SealRows *rows, int64_t value)
{
    unsigned char number[8];
    put_integer(number, (uint64_t)value);
    add_value(rows, SQLITE_INTEGER, number, sizeof number);
}

void seal_add_real(SealRows *rows, double value)
{
    unsigned char number[8];
    uint64_t bits;
    value = value == 0.0 ? 0.0 : value; // SQLite stores no sign of a zero
    memcpy(&bits, &value, sizeof bits);
    put_integer(number, bits);
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
    return get_integer(rows + (size_t)table * SEAL_TABLE_ROWS);
}

int64_t seal_last_row(const Seal *seal, SealTable table)
{
    return seal != NULL ? seal_stored_last_row(seal->rows, table) : SEAL_NO_ROW;
}

/// Sets the seal's own hash from all else that it holds and the hash of the seal before (SEAL_HASH bytes; NULL: there
/// is none).
static void set_seal_hash(Seal *seal, const unsigned char *before)
{
    unsigned char number[10];
    put_integer(number, (uint64_t)seal->number);
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
        put_integer(place, (uint64_t)rows[k].last);
        crypto_generichash_final(&rows[k].hash, place + 8, SEAL_HASH);
    }
    set_seal_hash(seal, before != NULL ? before->hash : NULL);
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

static void hash_value(SealRows *rows, sqlite3_stmt *row, int column)
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
            hash_value(rows, table, k);
        }
    }
    sqlite3_reset(table);
    return code == SQLITE_DONE;
}

/// ---- checking ------------------------------------------------------------------------------------------------------

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

static SealStep report_fault(SealFault *fault, const char *what, const char *table, int64_t seal)
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
    return whole ? SEAL_GOES_ON : report_fault(fault, TEXT("a seal is missing"), "", number);
}

/// Compares the signature over the seal's hash.
static SealStep compare_signature(const SealCheck *check, const StoredSeal *stored, int64_t number, SealFault *fault)
{
    bool fits = !check->has_key ||
                (stored->is_signed && station_signed(check->key, stored->hash, SEAL_HASH, stored->signature));
    return fits ? SEAL_GOES_ON : report_fault(fault, TEXT("the station's signature does not fit"), "", number);
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
    return same ? SEAL_GOES_ON : report_fault(fault, TEXT("rows were changed in table %s"), seal_table(table), number);
}

/// Compares the seal itself, made of the rows that were compared.
static SealStep compare_seal(SealCheck *check, const Seal *before, const StoredSeal *stored, Seal *seal,
                             SealFault *fault)
{
    seal_make(before, check->rows, stored->closed, stored->disturbed, seal);
    if (memcmp(seal->hash, stored->hash, SEAL_HASH) != 0) {
        return report_fault(fault, TEXT("the seal was changed"), "", seal->number);
    }
    SealStep step = compare_signature(check, stored, seal->number, fault);
    if (step == SEAL_GOES_ON && stored->disturbed) {
        return report_fault(fault, DISTURBED, "", seal->number);
    }
    return step;
}

static SealStep compare_end(const SealCheck *check, SealFault *fault)
{
    int left_over = check->moment->left_over;
    return left_over < 0 ? SEAL_FITS
                         : report_fault(fault, TEXT("rows were added to table %s"), seal_table((SealTable)left_over),
                                        check->moment->count - 1);
}

static SealStep begin_check(const SealCheck *check, SealFault *fault)
{
    *fault = (SealFault){0};
    return check->moment->count == 0 ? report_fault(fault, TEXT("it has no seal"), "", 0)
           : check->moment->in_order ? SEAL_GOES_ON
                                     : report_fault(fault, TEXT("a seal is missing"), "", check->last.number + 1);
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
        step = report_fault(fault, TEXT("it goes on behind its end"), "", number);
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
    SealStep step = begin_check(check, fault);
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
    set_seal_hash(&seal, number > 0 ? before.hash : NULL);
    if (memcmp(seal.hash, stored->hash, SEAL_HASH) != 0) {
        return report_fault(fault, TEXT("the seal was changed"), "", number);
    }
    check->last = seal;
    return compare_signature(check, stored, number, fault);
}

SealStep seal_check_ends(SealCheck *check, SealFault *fault)
{
    int64_t last = check->moment->count - 1;
    StoredSeal stored;
    SealStep step = begin_check(check, fault);
    step = step == SEAL_GOES_ON ? compare_alone(check, 0, &stored, fault) : step;
    step = step == SEAL_GOES_ON ? compare_rows(check, SEAL_OF_meta, NULL, &stored, 0, fault) : step;
    step = step == SEAL_GOES_ON ? compare_alone(check, last, &stored, fault) : step;
    // The metrics come with the last seal: no seal before it covers any.
    step = step == SEAL_GOES_ON ? compare_rows(check, SEAL_OF_metric, NULL, &stored, last, fault) : step;
    if (step == SEAL_GOES_ON && stored.disturbed) {
        step = report_fault(fault, DISTURBED, "", last);
    }
    return step == SEAL_GOES_ON ? compare_end(check, fault) : step;
}

/// ---- what they say -------------------------------------------------------------------------------------------------

void seal_set_change(const SealFault *fault, RecordingSeal *seal)
{
    seal->state = RECORDING_CHANGED;
    seal->change = fault->what;
    seal->table = fault->table;
    seal->at = fault->seal;
}

void seal_set_good(const SealCheck *check, bool live, RecordingSeal *seal)
{
    const Seal *last = &check->last;
    seal->count = last->number + 1;
    seal->closed = last->closed;
    seal_text(last, seal->hash);
    seal->state = seal->closed ? RECORDING_WHOLE : live ? RECORDING_LIVE : RECORDING_CUT_SHORT;
}

void recording_seal_look_up(RecordingSeal *seal)
{
    unsigned char key[STATION_KEY];
    Status unused; // a list of trusted stations that cannot be read trusts nobody
    seal->trusted[0] = '\0';
    if (seal->key[0] != '\0' && station_key_read(seal->key, key) && !station_find(key, seal->trusted, &unused)) {
        seal->trusted[0] = '\0';
    }
}
