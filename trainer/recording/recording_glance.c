/// Reads a few rows of a recording. SQLite is told that the file does not change, so that it takes no lock and looks at
/// no journal: the rows that are asked for are written once, at the beginning or at the end.
#include "trainer/recording/recording_glance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "data/core/files/regular_file.h"
#include "trainer/recording/format/recording_file.h"
#include "trainer/recording/format/recording_format.h"
#include "trainer/recording/format/recording_trust.h"

enum { URI = 3 * DATA_PATH_LENGTH + 32 };

/// False with `status` for what is not there, no file, or none of ours.
static bool look(const char *path, Status *status)
{
    unsigned char head[RECORDING_HEAD];
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    return recording_head_is_ours(head, got) ||
           status_fail(status, STATUS_BAD_FILE, "%.200s: %s", path,
                       got == 0 ? "is empty, not a recording" : "is not a recording");
}

bool recording_is_one(const char *path)
{
    Status unused;
    return look(path, &unused);
}

/// The path as SQLite's URI, with what means something there written as numbers.
static void make_uri(const char *path, char uri[URI])
{
    int length = snprintf(uri, URI, "file:");
    for (const char *p = path; *p != '\0' && length < URI - 24; p++) {
        const char *form = strchr("?#%", *p) != NULL ? "%%%02x" : "%c";
        length += snprintf(uri + length, (size_t)(URI - length), form, *p);
    }
    snprintf(uri + length, (size_t)(URI - length), "?immutable=1");
}

/// The first column of the first row, as text; false when there is none.
static bool ask(sqlite3 *db, const char *sql, const char *key, char *text, size_t size)
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
        snprintf(text, size, "%s", value);
        status_make_plain(text, false);
    }
    sqlite3_finalize(row);
    return there;
}

static bool ask_meta(sqlite3 *db, const char *key, char *text, size_t size)
{
    return ask(db, "SELECT value FROM meta WHERE key=?", key, text, size);
}

static double ask_number(sqlite3 *db, const char *sql, const char *key)
{
    char text[32];
    return ask(db, sql, key, text, sizeof text) ? strtod(text, NULL) : 0.0;
}

/// Older recordings tell the driver by the operator's name alone.
static void read_credit(sqlite3 *db, double rate, RecordingGlance *glance)
{
    const char *meta = "SELECT value FROM meta WHERE key=?";
    char driver[16], parent[DATA_PATH_LENGTH];
    Credit *credit = &glance->credit;
    if (ask_meta(db, "driver", driver, sizeof driver) && credit_driver_named(driver, &credit->driver)) {
        credit->clumsy = ask_number(db, meta, "clumsy");
    } else {
        credit_of_operator(glance->operator_name, credit);
    }
    if (ask_meta(db, "parent", parent, sizeof parent)) {
        double tick = ask_number(db, meta, "parent_tick");
        credit_begin_in(credit, parent, rate > 0.0 ? tick / rate : -1.0);
    }
}

static bool read_rows(sqlite3 *db, RecordingGlance *glance)
{
    const char *meta = "SELECT value FROM meta WHERE key=?", *metric = "SELECT value FROM metric WHERE name=?";
    char score[32];
    if (!ask_meta(db, "scene", glance->scene, sizeof glance->scene)) {
        return false;
    }
    if (!ask_meta(db, "title", glance->title, sizeof glance->title)) {
        snprintf(glance->title, sizeof glance->title, "%s", glance->scene);
    }
    ask_meta(db, "created", glance->created, sizeof glance->created);
    ask_meta(db, "trainee", glance->trainee, sizeof glance->trainee);
    ask_meta(db, "operator", glance->operator_name, sizeof glance->operator_name);
    ask_meta(db, "build", glance->build, sizeof glance->build);
    glance->format = (int)ask_number(db, meta, "format");
    glance->replayable = glance->format == RECORDING_VERSION;
    double rate = ask_number(db, meta, "tick_rate");
    double ticks =
        ask_number(db, "SELECT max(tick) FROM state", NULL) - ask_number(db, "SELECT min(tick) FROM state", NULL);
    glance->duration = rate > 0.0 ? ticks / rate : 0.0;
    glance->closed = ask(db, metric, "score", score, sizeof score);
    glance->score = glance->closed ? strtod(score, NULL) : 0.0;
    read_credit(db, rate, glance);
    glance->passed = ask_number(db, metric, "passed") > 0.0 && credit_counts(&glance->credit, glance->trainee);
    return true;
}

/// Opens so that nothing is locked or changed; NULL with nothing left open.
/// Recordings of other formats have other tables, and are listed too.
static sqlite3 *open_to_look(const char *path, RecordingBudget *budget)
{
    char uri[URI];
    sqlite3 *db = NULL;
    make_uri(path, uri);
    if (sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) != SQLITE_OK) {
        sqlite3_close(db);
        return NULL;
    }
    struct stat info;
    Status ignored;
    recording_distrust(db, budget, stat(path, &info) == 0 ? (int64_t)info.st_size : 0);
    if (!recording_check_schema(db, true, path, &ignored)) {
        sqlite3_close(db);
        return NULL;
    }
    return db;
}

unsigned char *recording_glance_picture(const char *path, size_t *size)
{
    RecordingBudget budget;
    sqlite3 *db = strlen(path) < DATA_PATH_LENGTH && recording_is_one(path) ? open_to_look(path, &budget) : NULL;
    sqlite3_stmt *row = NULL;
    unsigned char *png = NULL;
    *size = 0;
    if (db != NULL && sqlite3_prepare_v2(db, "SELECT png FROM picture", -1, &row, NULL) == SQLITE_OK &&
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
    sqlite3_close(db);
    return png;
}

void recording_glance_seal(const char *path, char hash[SEAL_TEXT])
{
    RecordingBudget budget;
    sqlite3 *db = strlen(path) < DATA_PATH_LENGTH && recording_is_one(path) ? open_to_look(path, &budget) : NULL;
    hash[0] = '\0';
    if (db != NULL) {
        ask(db, "SELECT lower(hex(hash)) FROM seal ORDER BY number DESC LIMIT 1", NULL, hash, SEAL_TEXT);
    }
    sqlite3_close(db);
}

bool recording_glance(const char *path, RecordingGlance *glance, Status *status)
{
    *glance = (RecordingGlance){0};
    struct stat info;
    if (strlen(path) >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_BAD_FILE, "%.200s: is not a recording", path);
    }
    if (!look(path, status)) {
        return false;
    }
    if (stat(path, &info) != 0) {
        return status_fail(status, STATUS_BAD_FILE, "%.200s: cannot be read: %s", path, strerror(errno));
    }
    glance->size = (int64_t)info.st_size;
    RecordingBudget budget;
    sqlite3 *db = open_to_look(path, &budget);
    bool good = db != NULL && read_rows(db, glance);
    if (!good) {
        status_fail(status, STATUS_BAD_FILE, "%s: is damaged: it does not tell its scene", path);
    }
    sqlite3_close(db);
    return good && status_good(status);
}
