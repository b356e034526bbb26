/// Rows between SQLite and the server, as JSON: what goes out is valid UTF-8, what comes in is checked. Internal to the
/// shared results.
#ifndef SPADEWORK_TRAINER_SHARED_ROWS_H
#define SPADEWORK_TRAINER_SHARED_ROWS_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "data/core/status.h"

/// The columns of an attempt but its trainee, in the order in which they are read, sent and bound.
#define SHARED_ATTEMPT_COLUMNS                                                                                         \
    "uuid, scene, title, course, started, duration, score, passed, finished, \"end\", operator, machine, build, "      \
    "recording, recording_hash, recording_seal, parent, driver, clumsy, parent_at, language, station, cleared"

/// A text, or a path, as JSON: bytes that may not be shown, or are no UTF-8, become question marks (visible_text_mask).
/// NULL when memory is short.
json_t *shared_text_json(const char *text);
/// A row of SQLite as an object by its columns' names; NULL counts as "". The caller owns it.
json_t *shared_row_object(sqlite3_stmt *row);
/// The same as an array.
json_t *shared_row_array(sqlite3_stmt *row);

/// One value of a row that comes in.
typedef struct SharedColumn {
    const char *name; ///< its key; in an array: for messages
    bool is_text;
    bool may_lack; ///< a text: may be empty
    double least, most; ///< a text: `most` bytes; a number: its range, in its own unit
} SharedColumn;

/// Checks a row, an object or an array of `count` values, and binds them from parameter `first` on. The texts belong to
/// `row`. False with `status` (STATUS_BAD_FILE), which says what was read and what is allowed.
/// where  what is being read: "postgresql://host/db: attempt"
bool shared_bind(sqlite3_stmt *statement, int first, const SharedColumn *columns, int count, const json_t *row,
                 const char *where, Status *status);

extern const SharedColumn shared_attempt_columns[]; ///< as SHARED_ATTEMPT_COLUMNS, then `trainee`
enum { SHARED_ATTEMPT_COUNT = 24 };
extern const SharedColumn shared_metric_columns[3]; ///< name, unit, value
extern const SharedColumn shared_score_columns[6]; ///< label, group, weight, value, share, points

#endif
