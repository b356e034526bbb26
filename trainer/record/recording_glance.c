/// Reads a few rows of a recording at one moment, and checks them against its first and its last seal. Where a killed
/// writer left a journal, which only a writer may put back, the file is opened as immutable: SQLite then reads no
/// journal.
#include "trainer/record/recording_glance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <sqlite3.h>

#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "data/core/language.h"
#include "trainer/record/recording_file.h"
#include "trainer/record/seal.h"

enum { URI = 3 * DATA_PATH_LENGTH + 32, JOURNAL_HEAD = 28, LOCK_WAIT_MS = 2500 };

/// An opened file and what lies beside it.
typedef struct GlanceFile {
    sqlite3 *db;
    RecordingBudget budget;
    bool live; ///< it is being recorded
    bool left; ///< a killed writer left a journal: its last commit is not whole
} GlanceFile;

/// False with `status` for what is not there, no file, or none of ours.
/// plain  out: its header says that it has a rollback journal, as ours have
static bool read_header(const char *path, bool *plain, Status *status)
{
    unsigned char head[RECORDING_HEAD] = {0};
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    *plain = head[18] == 1 && head[19] == 1;
    return recording_head_is_ours(head, got) ||
           status_fail(status, STATUS_BAD_FILE, "%.200s: %s", path,
                       got == 0 ? "is empty, not a recording" : "is not a recording");
}

bool recording_is_one(const char *path)
{
    Status unused;
    bool plain;
    return read_header(path, &plain, &unused);
}

/// The path as SQLite's URI, with what means something there written as numbers.
static void make_uri(const char *path, bool immutable, char uri[URI])
{
    int length = snprintf(uri, URI, "file:");
    for (const char *p = path; *p != '\0' && length < URI - 24; p++) {
        const char *form = strchr("?#%", *p) != NULL ? "%%%02x" : "%c";
        length += snprintf(uri + length, (size_t)(URI - length), form, *p);
    }
    snprintf(uri + length, (size_t)(URI - length), "?%s", immutable ? "immutable=1" : "mode=ro");
}

/// The first column of the first row, as text; false when there is none.
static bool query_text(sqlite3 *db, const char *sql, const char *key, char *text, size_t size)
{
    sqlite3_stmt *row = NULL;
    text[0] = '\0';
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK) {
        return false;
    }
    if (key != NULL) {
        sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
    }
    const char *value = sqlite3_step(row) == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    bool there = value != NULL;
    if (there) {
        visible_text_show(value, false, text, size);
    }
    sqlite3_finalize(row);
    return there;
}

static bool query_meta(sqlite3 *db, const char *key, char *text, size_t size)
{
    return query_text(db, "SELECT value FROM meta WHERE key=?", key, text, size);
}

static double query_number(sqlite3 *db, const char *sql, const char *key)
{
    char text[32];
    return query_text(db, sql, key, text, sizeof text) ? strtod(text, NULL) : 0.0;
}

/// Older recordings tell the driver by the operator's name alone.
static void read_credit(sqlite3 *db, double rate, RecordingGlance *glance)
{
    const char *meta = "SELECT value FROM meta WHERE key=?";
    char driver[16], parent[DATA_PATH_LENGTH];
    Credit *credit = &glance->credit;
    if (query_meta(db, "driver", driver, sizeof driver) && credit_driver_named(driver, &credit->driver)) {
        credit->clumsy = query_number(db, meta, "clumsy");
    } else {
        credit_of_operator(glance->operator_name, credit);
    }
    if (query_meta(db, "parent", parent, sizeof parent)) {
        double tick = query_number(db, meta, "parent_tick");
        credit_begin_in(credit, parent, rate > 0.0 ? tick / rate : -1.0);
    }
}

static bool read_about(sqlite3 *db, RecordingGlance *glance)
{
    const char *meta = "SELECT value FROM meta WHERE key=?";
    if (!query_meta(db, "scene", glance->scene, sizeof glance->scene)) {
        return false;
    }
    if (!query_meta(db, "title", glance->title, sizeof glance->title)) {
        snprintf(glance->title, sizeof glance->title, "%s", glance->scene);
    }
    query_meta(db, "created", glance->created, sizeof glance->created);
    query_meta(db, "trainee", glance->trainee, sizeof glance->trainee);
    query_meta(db, "operator", glance->operator_name, sizeof glance->operator_name);
    query_meta(db, "changed", glance->changed, sizeof glance->changed);
    query_meta(db, "build", glance->build, sizeof glance->build);
    glance->format = (int)query_number(db, meta, "format");
    glance->replayable = glance->format == RECORDING_VERSION;
    double rate = query_number(db, meta, "tick_rate");
    double ticks =
        query_number(db, "SELECT max(tick) FROM state", NULL) - query_number(db, "SELECT min(tick) FROM state", NULL);
    glance->duration = rate > 0.0 ? ticks / rate : 0.0;
    read_credit(db, rate, glance);
    return true;
}

/// ---- seals ---------------------------------------------------------------------------------------------------------

/// True when the key that the recording names is one, or it names none.
static bool read_key(sqlite3 *db, RecordingSeal *seal, unsigned char key[STATION_KEY])
{
    query_meta(db, "station_key", seal->key, sizeof seal->key);
    query_meta(db, "station", seal->station, sizeof seal->station);
    return seal->key[0] == '\0' || station_key_read(seal->key, key);
}

/// Checks what a list shows against the seals at its ends.
static void check_ends(const GlanceFile *file, RecordingSeal *seal)
{
    SealFault fault = {.what = TEXT("its seals cannot be read"), .table = ""};
    SealMoment moment;
    unsigned char key[STATION_KEY];
    bool has_key = read_key(file->db, seal, key);
    bool good = has_key && seal_moment_read(file->db, file->live, &moment);
    SealCheck *check = good ? seal_check_open(file->db, &moment, seal->key[0] != '\0' ? key : NULL) : NULL;
    SealStep step = check != NULL ? seal_check_ends(check, &fault) : SEAL_DIFFERS;
    if (step == SEAL_FITS) {
        seal_set_good(check, file->live, seal);
    } else {
        seal_set_change(&fault, seal);
    }
    seal_check_close(check);
}

/// The score of a complete recording is given; that of another format, whose seals cannot be checked, is believed.
static void read_score(const GlanceFile *file, RecordingGlance *glance)
{
    const char *metric = "SELECT value FROM metric WHERE name=?";
    char score[32];
    glance->seal.state = file->left ? RECORDING_CUT_SHORT : RECORDING_UNCHECKED;
    if (glance->replayable && !file->left) {
        check_ends(file, &glance->seal);
    }
    bool told = query_text(file->db, metric, "score", score, sizeof score) && !file->left;
    glance->closed = told && (!glance->replayable || glance->seal.state == RECORDING_WHOLE);
    glance->score = glance->closed ? strtod(score, NULL) : 0.0;
    glance->passed = glance->closed && query_number(file->db, metric, "passed") > 0.0 &&
                     credit_counts(&glance->credit, glance->trainee);
}

/// ---- opening -------------------------------------------------------------------------------------------------------

/// Opens so that nothing is changed, and begins to read at one moment. Recordings of other formats have other tables,
/// and are listed too.
static bool open_database(const char *path, bool immutable, GlanceFile *file)
{
    char uri[URI];
    struct stat info;
    Status ignored;
    make_uri(path, immutable, uri);
    if (sqlite3_open_v2(uri, &file->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(file->db, LOCK_WAIT_MS);
        recording_distrust(file->db, &file->budget, stat(path, &info) == 0 ? (int64_t)info.st_size : 0);
        if (sqlite3_exec(file->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
            recording_check_schema(file->db, true, path, &ignored)) {
            return true;
        }
    }
    sqlite3_close(file->db);
    file->db = NULL;
    return false;
}

/// False with nothing left open.
static bool open_at_moment(const char *path, bool plain, GlanceFile *file)
{
    char journal[DATA_PATH_LENGTH + 16];
    struct stat info;
    snprintf(journal, sizeof journal, "%s-journal", path);
    *file = (GlanceFile){.live = recording_file_is_claimed(path)};
    file->left = !file->live && stat(journal, &info) == 0 && info.st_size >= JOURNAL_HEAD;
    if (plain && !file->left && open_database(path, false, file)) {
        return true;
    }
    file->left |= stat(journal, &info) == 0;
    return open_database(path, true, file);
}

/// The same of any path.
static bool open_any(const char *path, GlanceFile *file)
{
    Status unused;
    bool plain;
    *file = (GlanceFile){0};
    return strlen(path) < DATA_PATH_LENGTH && read_header(path, &plain, &unused) && open_at_moment(path, plain, file);
}

unsigned char *recording_glance_picture(const char *path, size_t *size)
{
    GlanceFile file;
    sqlite3_stmt *row = NULL;
    unsigned char *png = NULL;
    *size = 0;
    if (open_any(path, &file) && sqlite3_prepare_v2(file.db, "SELECT png FROM picture", -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) == SQLITE_BLOB) {
        int bytes = sqlite3_column_bytes(row, 0);
        const void *blob = sqlite3_column_blob(row, 0);
        png = blob != NULL && bytes > 0 && bytes <= RECORDING_PICTURE_MOST ? malloc((size_t)bytes) : NULL;
        if (png != NULL) {
            memcpy(png, blob, (size_t)bytes);
            *size = (size_t)bytes;
        }
    }
    sqlite3_finalize(row);
    sqlite3_close(file.db);
    return png;
}

void recording_glance_seal(const char *path, char hash[SEAL_TEXT])
{
    GlanceFile file;
    hash[0] = '\0';
    if (open_any(path, &file)) {
        query_text(file.db, "SELECT lower(hex(hash)) FROM seal ORDER BY number DESC LIMIT 1", NULL, hash, SEAL_TEXT);
    }
    sqlite3_close(file.db);
}

bool recording_glance(const char *path, RecordingGlance *glance, Status *status)
{
    *glance = (RecordingGlance){0};
    struct stat info;
    bool plain;
    if (strlen(path) >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_BAD_FILE, "%.200s: is not a recording", path);
    }
    if (!read_header(path, &plain, status)) {
        return false;
    }
    if (stat(path, &info) != 0) {
        return status_fail(status, STATUS_BAD_FILE, "%.200s: cannot be read: %s", path, strerror(errno));
    }
    glance->size = (int64_t)info.st_size;
    GlanceFile file;
    bool good = open_at_moment(path, plain, &file) && read_about(file.db, glance);
    if (good) {
        read_score(&file, glance);
    } else {
        status_fail(status, STATUS_BAD_FILE, "%s: is damaged: it does not tell its scene", path);
    }
    sqlite3_close(file.db);
    return good && status_good(status);
}

/// ---- piece by piece ------------------------------------------------------------------------------------------------

struct RecordingProver {
    GlanceFile file;
    SealMoment moment;
    SealCheck *check;
    RecordingSeal seal;
};

RecordingProver *recording_prover_open(const char *path)
{
    RecordingProver *prover = calloc(1, sizeof *prover);
    unsigned char key[STATION_KEY];
    if (prover == NULL) {
        return NULL;
    }
    bool good = open_any(path, &prover->file) && !prover->file.left;
    if (good && read_key(prover->file.db, &prover->seal, key) &&
        seal_moment_read(prover->file.db, prover->file.live, &prover->moment)) {
        prover->check = seal_check_open(prover->file.db, &prover->moment, prover->seal.key[0] != '\0' ? key : NULL);
    }
    if (!good || prover->check == NULL) {
        recording_prover_close(prover);
        return NULL;
    }
    sqlite3_exec(prover->file.db, "COMMIT", NULL, NULL, NULL); // the recorder never waits for this check
    sqlite3_busy_timeout(prover->file.db, 0);
    recording_end_budget(prover->file.db);
    return prover;
}

void recording_prover_close(RecordingProver *prover)
{
    if (prover != NULL) {
        seal_check_close(prover->check);
        sqlite3_close(prover->file.db);
        free(prover);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool recording_prover_step(RecordingProver *prover, double seconds, RecordingSeal *seal)
{
    SealFault fault = {.what = TEXT("its rows cannot be read"), .table = ""};
    SealStep step = SEAL_GOES_ON;
    for (double until = now() + seconds; step == SEAL_GOES_ON;) {
        step = seal_check_next(prover->check, &fault);
        if (step == SEAL_GOES_ON && now() >= until) {
            return false;
        }
    }
    if (step == SEAL_FAILED && seal_check_is_busy(prover->check)) {
        return false; // its recorder is writing
    }
    if (step == SEAL_FITS) {
        seal_set_good(prover->check, prover->file.live, &prover->seal);
    } else {
        seal_set_change(&fault, &prover->seal);
    }
    *seal = prover->seal;
    return true;
}
