/// Compares device and number of a file (POSIX stat) and its first bytes; marks it by a lock of its open file
/// description (Linux, fcntl(2)), which belongs to that open file alone and never meets SQLite's own; limits SQLite for
/// files from strangers; packs and hashes the rows that writer and reader share.
#define _GNU_SOURCE // F_OFD_SETLK
#include "trainer/record/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include "data/core/system_files.h"

enum { APPLICATION_AT = 68 };
enum { CLAIM_AT = 0x40000000 + 1024 }; ///< byte; SQLite locks the 512 from 0x40000000 on

RecordingFile recording_file_note(const char *path)
{
    struct stat info;
    bool known = stat(path, &info) == 0;
    return (RecordingFile){
        .known = known, .device = known ? info.st_dev : (dev_t)0, .number = known ? info.st_ino : (ino_t)0};
}

bool recording_head_is_ours(const unsigned char *head, size_t size)
{
    const unsigned char *at = head + APPLICATION_AT;
    return size >= RECORDING_HEAD && memcmp(head, "SQLite format 3", 16) == 0 &&
           ((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]) == RECORDING_APPLICATION;
}

static bool describe_fate(char fate[RECORDING_FATE], const char *text)
{
    snprintf(fate, RECORDING_FATE, "%s", text);
    return false;
}

bool recording_file_is_there(const char *path, const RecordingFile *file, char fate[RECORDING_FATE])
{
    struct stat info;
    fate[0] = '\0';
    if (!file->known) {
        return true;
    }
    if (stat(path, &info) != 0) {
        return describe_fate(fate, errno == ENOENT || errno == ENOTDIR
                                       ? "its file is no longer there: it was deleted, moved or renamed"
                                       : "its file can no longer be reached");
    }
    if (!S_ISREG(info.st_mode)) {
        return describe_fate(fate, S_ISDIR(info.st_mode)
                                       ? "its file is no longer there: a folder has its name"
                                       : "its file is no longer there: a device or pipe has its name");
    }
    if (info.st_dev != file->device || info.st_ino != file->number) {
        return describe_fate(fate, "its file is no longer there: another file has its name");
    }
    if (info.st_size < RECORDING_HEAD) {
        snprintf(fate, RECORDING_FATE, "its file was cut to %lld bytes and is no recording any more",
                 (long long)info.st_size);
        return false;
    }
    unsigned char head[RECORDING_HEAD];
    Status unused;
    FILE *opened = regular_file_open(path, &unused);
    size_t got = opened != NULL ? fread(head, 1, sizeof head, opened) : sizeof head;
    if (opened == NULL) {
        return true; // as a file is that only its writer may write
    }
    fclose(opened);
    return recording_head_is_ours(head, got) ||
           describe_fate(fate, "its file was overwritten and is no recording any more");
}

static struct flock claim_of(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = CLAIM_AT, .l_len = 1};
}

int recording_file_claim(const char *path)
{
    struct flock lock = claim_of(F_WRLCK);
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fcntl(file, F_OFD_SETLK, &lock) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

void recording_file_release(int claim)
{
    if (claim >= 0) {
        close(claim);
    }
}

bool recording_file_is_claimed(const char *path)
{
    struct flock lock = claim_of(F_RDLCK);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool claimed = file >= 0 && fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0) {
        close(file);
    }
    return claimed;
}

/// ---- questions to SQLite -------------------------------------------------------------------------------------------

static int copy_first_value(void *context, int count, char **values, char **names)
{
    (void)names;
    char *text = context;
    snprintf(text, RECORDING_FATE, "%s", count > 0 && values[0] != NULL ? values[0] : "");
    return 1; // the first row is enough
}

int recording_ask(sqlite3 *db, const char *question, char answer[RECORDING_FATE])
{
    answer[0] = '\0';
    int code = sqlite3_exec(db, question, copy_first_value, answer, NULL);
    for (char *at = answer; (at = strchr(at, '\n')) != NULL;) {
        *at = ' ';
    }
    return code == SQLITE_ABORT ? SQLITE_OK : code;
}

/// ---- what SQLite may do --------------------------------------------------------------------------------------------

enum {
    SQL_MOST = 4096, ///< bytes of a statement, those of the tables included
    COLUMNS_MOST = 64,
    DEPTH_MOST = 64, ///< of an expression
    SCHEMA_MOST = 32, ///< rows
    STEPS_A_CALL = 10000, ///< between two looks at the budget
    STEPS_ALWAYS = 20000000,
    STEPS_A_BYTE = 16, ///< a row of input, 30 bytes and more, takes some 30 in all that is read at opening
    JOURNAL_ALWAYS = 1 << 20, ///< bytes
};

static int spend_steps(void *context)
{
    RecordingBudget *budget = context;
    budget->steps -= STEPS_A_CALL;
    return budget->steps < 0;
}

void recording_harden(sqlite3 *db)
{
    static const int switches[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
    };
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++) {
        sqlite3_db_config(db, switches[k][0], switches[k][1], (int *)NULL);
    }
    sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", NULL, NULL, NULL);
}

void recording_distrust(sqlite3 *db, RecordingBudget *budget, int64_t size)
{
    static const int limits[][2] = {
        {SQLITE_LIMIT_LENGTH, RECORDING_VALUE_MOST},
        {SQLITE_LIMIT_SQL_LENGTH, SQL_MOST},
        {SQLITE_LIMIT_COLUMN, COLUMNS_MOST},
        {SQLITE_LIMIT_EXPR_DEPTH, DEPTH_MOST},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    };
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        sqlite3_limit(db, limits[k][0], limits[k][1]);
    }
    recording_harden(db);
    if (budget != NULL) {
        budget->steps = STEPS_ALWAYS + STEPS_A_BYTE * size;
        sqlite3_progress_handler(db, STEPS_A_CALL, spend_steps, budget);
    }
}

void recording_end_budget(sqlite3 *db)
{
    sqlite3_progress_handler(db, 0, NULL, NULL);
}

/// ---- schema --------------------------------------------------------------------------------------------------------

typedef struct Schema {
    const char *path;
    bool any; ///< of any format
    int rows;
    unsigned found; ///< a bit a table
    Status *status;
} Schema;

#define TABLE(name, columns) {#name, "CREATE TABLE " #name "(" columns ")"},
static const char *const tables[][2] = {
    RECORDING_TABLES(TABLE){"seal", RECORDING_SEAL_TABLE},
    {"picture", RECORDING_PICTURE_TABLE},
    {"fault_order", RECORDING_ORDER_TABLE},
};
#undef TABLE
enum { TABLES = sizeof tables / sizeof *tables };

static bool refuse_schema(Schema *schema, const char *what, const char *name)
{
    return status_fail(schema->status, STATUS_BAD_FILE, "%s: is damaged: %s %.40s", schema->path, what, name);
}

static bool check_schema_row(Schema *schema, const char *type, const char *name, const char *sql)
{
    if (schema->rows++ == SCHEMA_MOST) {
        return refuse_schema(schema, "there are more tables than a recording has, among them", name);
    }
    bool own = sql[0] == '\0' && strcmp(type, "index") == 0 && strncmp(name, "sqlite_autoindex_", 17) == 0;
    if (own) {
        return true; // SQLite's, of a primary key
    }
    bool is_table = strcmp(type, "table") == 0 && sqlite3_strnicmp(sql, "CREATE TABLE ", 13) == 0;
    if (is_table && schema->any) {
        return true;
    }
    for (int k = 0; k < TABLES && is_table; k++) {
        if (strcmp(name, tables[k][0]) == 0) {
            schema->found |= 1U << k;
            return strcmp(sql, tables[k][1]) == 0 ||
                   refuse_schema(schema, "there are other columns than a recording has in table", name);
        }
    }
    char what[96];
    snprintf(what, sizeof what, "a recording has no %.20s", type);
    return refuse_schema(schema, what, name);
}

static int visit_schema_row(void *context, int count, char **values, char **names)
{
    (void)names;
    const char *value[3];
    for (int k = 0; k < 3; k++) {
        value[k] = k < count && values[k] != NULL ? values[k] : "";
    }
    return check_schema_row(context, value[0], value[1], value[2]) ? 0 : 1;
}

bool recording_check_schema(sqlite3 *db, bool any, const char *path, Status *status)
{
    Schema schema = {.path = path, .any = any, .status = status};
    int code = sqlite3_exec(db, "SELECT type, name, sql FROM sqlite_schema", visit_schema_row, &schema, NULL);
    if (code == SQLITE_ABORT) {
        return false; // told
    }
    if (code != SQLITE_OK) {
        return status_fail(status, STATUS_BAD_FILE, "%s: is damaged: %s", path, sqlite3_errmsg(db));
    }
    for (int k = 0; k < TABLES && !any; k++) {
        if ((schema.found & 1U << k) == 0) {
            return refuse_schema(&schema, "it lacks the table", tables[k][0]);
        }
    }
    return true;
}

/// ---- journal -------------------------------------------------------------------------------------------------------

/// The last eight bytes of a file, or what there was in `tail` of a shorter one.
static bool read_tail(const char *path, unsigned char tail[8], int64_t *size, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool good = fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) >= 0;
    if (good && *size >= 8) {
        good = fseek(file, -8, SEEK_END) == 0 && fread(tail, 1, 8, file) == 8;
    }
    fclose(file);
    return good || status_fail(status, STATUS_BAD_FILE, "%s: cannot be read", path);
}

bool recording_check_journal(const char *journal, int64_t size, const char *path, Status *status)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char tail[8] = {0};
    int64_t length = 0;
    if (!read_tail(journal, tail, &length, status)) {
        return false;
    }
    if (memcmp(tail, magic, sizeof magic) == 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: is refused: the journal beside it names another file, which SQLite would delete", path);
    }
    int64_t most = 2 * size + JOURNAL_ALWAYS;
    return length <= most ||
           status_fail(status, STATUS_BAD_FILE,
                       "%s: is refused: the journal beside it has %lld bytes, allowed %lld beside a file of %lld", path,
                       (long long)length, (long long)most, (long long)size);
}

/// ---- format --------------------------------------------------------------------------------------------------------

bool recording_is_meta_key(const char *key)
{
#define X(name)                                                                                                        \
    if (strcmp(key, #name) == 0) {                                                                                     \
        return true;                                                                                                   \
    }
    RECORDING_META_KEYS(X)
#undef X
    return false;
}

void recording_pack_controls(const OperatorControls *controls, unsigned char bytes[RECORDING_CONTROLS_SIZE])
{
    for (int k = 0; k < CONTROL_COUNT; k++) {
        unsigned value = (uint16_t)controls->axis[k];
        bytes[2 * k] = (unsigned char)(value & 0xffu);
        bytes[2 * k + 1] = (unsigned char)(value >> 8);
    }
}

void recording_unpack_controls(const unsigned char bytes[RECORDING_CONTROLS_SIZE], OperatorControls *controls)
{
    for (int k = 0; k < CONTROL_COUNT; k++) {
        int value = bytes[2 * k] | bytes[2 * k + 1] << 8;
        controls->axis[k] = (int16_t)(value > INT16_MAX ? value - 65536 : value);
    }
}

int64_t recording_input_hash(int64_t tick, const OperatorControls *controls)
{
    unsigned char bytes[8 + RECORDING_CONTROLS_SIZE];
    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)((uint64_t)tick >> (8 * k));
    }
    recording_pack_controls(controls, bytes + 8);
    return (int64_t)XXH3_64bits(bytes, sizeof bytes);
}

uint64_t recording_files_hash(const DataFiles *files)
{
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    for (int k = 0; k < files->count; k++) {
        const DataFile *file = &files->files[k];
        XXH3_64bits_update(&hash, file->kind, strlen(file->kind) + 1);
        XXH3_64bits_update(&hash, file->name, strlen(file->name) + 1);
        XXH3_64bits_update(&hash, file->text, file->size);
    }
    return XXH3_64bits_digest(&hash);
}

enum { ORDER_NUMBERS = 4 };

/// The name of the fault stands in the row, so that another order of SESSION_FAULTS changes nothing.
int64_t recording_order_hash(const RecordedOrder *row)
{
    const char *name = session_fault_kind((SessionFault)row->order.fault)->name;
    unsigned char bytes[8 * ORDER_NUMBERS + ORDER_NAME];
    uint64_t numbers[ORDER_NUMBERS] = {(uint64_t)row->number, (uint64_t)row->tick, (uint64_t)(int64_t)row->order.part,
                                       0};
    memcpy(&numbers[ORDER_NUMBERS - 1], &row->order.value, sizeof row->order.value);
    for (int k = 0; k < 8 * ORDER_NUMBERS; k++) {
        bytes[k] = (unsigned char)(numbers[k / 8] >> (8 * (k % 8)));
    }
    size_t length = 8 * ORDER_NUMBERS;
    for (const char *letter = name; *letter != '\0' && length < sizeof bytes; letter++) {
        bytes[length++] = (unsigned char)*letter;
    }
    return (int64_t)XXH3_64bits(bytes, length);
}
