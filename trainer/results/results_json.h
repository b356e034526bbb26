/// Attempts as JSON: written whole, and read from files that may be a stranger's; rows of the server of shared results.
/// Internal to the results.
#ifndef SPADEWORK_TRAINER_RESULTS_JSON_H
#define SPADEWORK_TRAINER_RESULTS_JSON_H

#include <jansson.h>
#include <sqlite3.h>

#include "trainer/results/results_store.h"

enum { RESULTS_PLACE = 128, RESULTS_ATTEMPT_VERSION = 2 }; ///< the present form of an attempt

/// The file being read, and where in it.
typedef struct ResultsReader {
    const char *path;
    int version; ///< of the file's format, from 1
    double largest; ///< of any figure, in its unit
    char place[RESULTS_PLACE]; ///< "trainees[2].attempts[0]"
    Status *status;
} ResultsReader;

/// Reads a JSON file of UTF-8 text without a second key of one name. NULL with `status` (STATUS_BAD_FILE), with the
/// place. The caller owns what is returned.
json_t *results_load_json(const char *path, Status *status);
/// Makes a file for its owner alone, writes all of it to the disk, or leaves none. False with `status`
/// (STATUS_LACKING).
bool results_write_json(const char *path, json_t *value, int indent, Status *status);

/// Tells what is wrong with a key of the present place. Returns false.
bool results_refuse(const ResultsReader *reader, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Read a value of an object. False with the reader's status when it is of another type, too long or out of range.
/// A text has no control characters; one that is not needed may be absent or null, which is "".
bool results_read_text(const ResultsReader *reader, const json_t *object, const char *key, bool needed, char *text,
                       size_t size);
bool results_read_number(const ResultsReader *reader, const json_t *object, const char *key, double low, double high,
                         double *number);
bool results_read_flag(const ResultsReader *reader, const json_t *object, const char *key, bool *flag);
bool results_read_array(const ResultsReader *reader, const json_t *object, const char *key, size_t most,
                        const json_t **array);
/// Reads an attempt as results_attempt_json writes it, but for trainee and paths. The place is as before when it is
/// good.
bool results_read_attempt(ResultsReader *reader, const json_t *object, ResultAttempt *attempt);

/// An attempt as an object, with its metrics and score rows; NULL when memory is short. `files`: with the paths of its
/// recording and its parent, and the trainee's name.
json_t *results_attempt_json(const ResultAttempt *attempt, bool files);
/// What an attempt began in; null of one that is its driver's own from the first tick.
json_t *results_practice_json(const ResultAttempt *attempt);

/// ---- rows between SQLite and the server ----------------------------------------------------------------------------
/// What goes out is valid UTF-8, what comes in is checked.

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

extern const SharedColumn shared_attempt_columns[]; ///< as RESULT_COLUMNS, then `trainee`
extern const SharedColumn shared_metric_columns[3]; ///< name, unit, value
extern const SharedColumn shared_score_columns[6]; ///< label, group, weight, value, share, points

#endif
