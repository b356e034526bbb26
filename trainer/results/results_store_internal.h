/// The opened file of results, and what the files that read and write it share.
#ifndef SPADEWORK_TRAINER_RESULTS_INTERNAL_H
#define SPADEWORK_TRAINER_RESULTS_INTERNAL_H

#include <sqlite3.h>

#include "trainer/results/results_store.h"
#include "trainer/results/shared_server.h"

#define RESULTS_APPLICATION 0x53505244 ///< "SPRD", SQLite's application_id

struct Results {
    char path[DATA_PATH_LENGTH];
    sqlite3 *db;
    char *url; ///< of the server that they are shared by; NULL: of none
    char shown[SHARED_ADDRESS]; ///< what may be shown of it
    char notice[3 * DATA_PATH_LENGTH]; ///< what was done to the file when it was opened; "" = nothing
};

/// The columns of an attempt but its trainee, in the order in which they are read, sent and bound.
#define RESULT_COLUMNS                                                                                                 \
    "uuid, scene, title, course, started, duration, score, passed, finished, \"end\", operator, machine, build, "      \
    "recording, recording_hash, recording_seal, parent, driver, clumsy, parent_at, language, station, cleared, "       \
    "changed, comment, grade, commented"
enum { RESULT_COLUMN_COUNT = 27 };
/// The values of a statement that binds them and one more.
#define RESULT_VALUES "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?"

/// Opens the file itself: finds, checks and migrates it. False with `status`.
/// own      name of the file in the user's data; NULL: `path` is meant
/// is_file  out: false where an empty list in memory stands for a file that is not there
bool results_open_file(Results *results, const char *path, const char *own, ResultsMode mode, bool *is_file,
                       Status *status);

/// What becomes of an operation that is sent to the server of shared results.
typedef enum SharedKind {
    SHARED_ATTEMPT, ///< an attempt was added: `uuid` is its own
    SHARED_JOIN, ///< a trainee joined a class
    SHARED_LEAVE, ///< he left it
    SHARED_DELETE, ///< a trainee was deleted
    SHARED_RESTORE, ///< that a trainee was deleted is forgotten: what he drove before may come back
    SHARED_CLEARED, ///< the clean-up deleted the recording of an attempt, whose UUID stands in `class_name`
    SHARED_COMMENT, ///< an instructor's comment on the attempt of that UUID; its text stands in `trainee`
    SHARED_GRADE, ///< the same of his grade
} SharedKind;
/// Inside a transaction: notes what was done, for the server; of a plain file nothing.
bool results_note_attempt(Results *results, const ResultAttempt *attempt, Status *status);
/// class_name  "" where it has no use
bool results_note_people(Results *results, SharedKind kind, const char *class_name, const char *trainee,
                         Status *status);

/// Tells the last failure of SQLite in one line. Returns false.
bool results_fail(Results *results, Status *status);
/// Runs statements that answer nothing. False with `status`.
bool results_run(Results *results, const char *sql, Status *status);
/// Runs a statement that binds `count` texts and answers nothing. False with `status`.
bool results_run_texts(Results *results, const char *sql, int count, const char *const *texts, Status *status);
/// Binds `count` texts and copies the first column of the first row to `text`, "" where there is no row. Returns 1, 0
/// where there is no row, -1 with `status`.
/// text  NULL: only whether there is a row counts
int results_find_text(Results *results, const char *sql, int count, const char *const *texts, char *text, size_t size,
                      Status *status);
/// A prepared statement, or NULL with `status`; the caller finalizes it.
sqlite3_stmt *results_prepare(Results *results, const char *sql, Status *status);
/// Binds a text that outlives the statement's use.
void results_bind(sqlite3_stmt *statement, int at, const char *text);
/// Runs a bound statement that returns no rows, and makes it ready for the next values.
bool results_step(Results *results, sqlite3_stmt *statement, Status *status);
/// Copies a text column, cut to `size`; an absent one is "". Bytes that may not be shown become question marks: other
/// programs write into the file, too.
void results_column(sqlite3_stmt *statement, int at, char *text, size_t size);
/// The same of a path, unchanged, so that the file can be opened; use visible_text_show to print it.
void results_column_path(sqlite3_stmt *statement, int at, char *path, size_t size);

/// A transaction that takes the right to write at once, so that waiting happens here alone.
bool results_begin(Results *results, Status *status);
/// Commits when `good`, else takes everything back and leaves `status` as it is. Returns whether all is written.
bool results_end(Results *results, bool good, Status *status);

/// Inside a transaction: the trainee's number, made where he is new; -1 with `status`.
int64_t results_trainee_id(Results *results, const char *name, Status *status);
/// Inside a transaction: as results_add.
bool results_insert(Results *results, ResultAttempt *attempt, Status *status);
/// Inside a transaction: takes comment and grade of an attempt that is there already, where they are newer.
bool results_take_remarks(Results *results, const ResultAttempt *attempt, Status *status);
/// Is an attempt of that UUID there already? -1 with `status`.
int results_is_known(Results *results, const char *uuid, Status *status);
/// Writes when somebody of that name was deleted, or "" where nobody was. False with `status`.
bool results_find_gone(Results *results, const char *name, char gone[RESULT_TIME], Status *status);
/// Inside a transaction: forgets that somebody was deleted, here and on the server. False with `status`.
bool results_restore(Results *results, const char *name, Status *status);
/// Inside a transaction: as results_add_member.
bool results_insert_member(Results *results, const char *class_name, const char *trainee, Status *status);

#endif
