/// Counts rows; see recording_limits.h. Tables that are read by their ticks are held against each other where they are
/// read (recording_tables).
#include "trainer/record/recording_limits.h"

#include <inttypes.h>

#include "trainer/record/recording_format.h"

enum {
    META_ROWS = 64,
    FILE_BYTES = 1 << 20, ///< bytes; as much as is read of a file of the user's
    NAME_BYTES = 4096, ///< of a text in a small table: a path, a title, an event
    EVENTS_A_TICK = 4, ///< of the program: it fell behind, the disk held it up, somebody froze the session
};

/// Length in bytes: that of a text ends at its first NUL.
#define BYTES(column) "length(CAST(" #column " AS BLOB))"

/// What one query counts and how much of it may be.
typedef struct RowLimit {
    const char *what, *sql;
    int64_t most;
} RowLimit;

static bool check(sqlite3 *db, const RowLimit *limit, const char *path, Status *status)
{
    sqlite3_stmt *row = NULL;
    bool good = sqlite3_prepare_v2(db, limit->sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    int64_t count = good ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    if (!good) {
        return status_fail(status, STATUS_BAD_FILE, "%s: is damaged: %s", path, sqlite3_errmsg(db));
    }
    return count <= limit->most ||
           status_fail(status, STATUS_BAD_FILE, "%s: is damaged: %s: %" PRId64 ", allowed 0..%" PRId64, path,
                       limit->what, count, limit->most);
}

static bool check_all(sqlite3 *db, const RowLimit *limits, size_t count, const char *path, Status *status)
{
    bool good = true;
    for (size_t k = 0; k < count && good; k++) {
        good = check(db, &limits[k], path, status);
    }
    return good;
}

static bool check_fixed(sqlite3 *db, const char *path, Status *status)
{
    static const RowLimit limits[] = {
        {"stored files", "SELECT count(*) FROM file", DATA_MAX_FILES},
        {"bytes of a stored file", "SELECT ifnull(max(" BYTES(text) "), 0) FROM file", FILE_BYTES},
        {"bytes of a stored file's name", "SELECT ifnull(max(max(" BYTES(kind) ", " BYTES(name) ")), 0) FROM file",
         NAME_BYTES},
        {"rows of meta", "SELECT count(*) FROM meta", META_ROWS},
        {"bytes of a row of meta", "SELECT ifnull(max(" BYTES(key) " + " BYTES(value) "), 0) FROM meta", NAME_BYTES},
        {"metrics", "SELECT count(*) FROM metric", EXERCISE_MAX_METRICS},
        {"bytes of a metric", "SELECT ifnull(max(" BYTES(name) " + " BYTES(unit) "), 0) FROM metric", NAME_BYTES},
    };
    return check_all(db, limits, sizeof limits / sizeof limits[0], path, status);
}

bool recording_check_rows(sqlite3 *db, const RecordingLength *length, const char *path, Status *status)
{
    if (length == NULL) {
        return check_fixed(db, path, status);
    }
    int64_t each = (int64_t)KEYFRAME_SECONDS * length->tick_rate;
    const RowLimit limits[] = {
        // Where it begins and ends, and each multiple of KEYFRAME_SECONDS between: a branch begins anywhere.
        {"keyframes", "SELECT count(*) FROM keyframe", length->ticks / each + 3},
        {"events", "SELECT count(*) FROM event", EXERCISE_MAX_EVENTS + EVENTS_A_TICK * (length->ticks + 1)},
        {"bytes of an event",
         "SELECT ifnull(max(" BYTES(kind) " + " BYTES(form) " + " BYTES(detail) " + " BYTES(part_kind) " + " BYTES(
             part) " + " BYTES(thing_kind) " + " BYTES(thing) "), 0) FROM event",
         NAME_BYTES},
        {"rows of samples", "SELECT count(*) FROM trace", length->ticks + 1},
        {"maps of the ground", "SELECT count(*) FROM ground", length->maps},
        {"seals", "SELECT count(*) FROM seal", 2 * (length->ticks + 2)},
    };
    return check_all(db, limits, sizeof limits / sizeof limits[0], path, status);
}
