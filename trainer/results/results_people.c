/// Trainees and classes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "data/core/plain_text.h"
#include "trainer/results/results_store_internal.h"

bool results_check_name(const char *what, const char *name, Status *status)
{
    return visible_name_check(what, name, RESULT_NAME - 1, status);
}

/// ---- numbers -------------------------------------------------------------------------------------------------------

/// The number of a name; -1: none, with `status` good, or a failure.
static int64_t find_id(Results *results, const char *sql, const char *name, Status *status)
{
    status_good(status);
    sqlite3_stmt *row = results_prepare(results, sql, status);
    if (row == NULL) {
        return -1;
    }
    results_bind(row, 1, name);
    int code = sqlite3_step(row);
    int64_t id = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : -1;
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        results_fail(results, status);
    }
    sqlite3_finalize(row);
    return id;
}

static const char find_trainee[] = "SELECT id FROM trainee WHERE name = ?";
static const char find_class[] = "SELECT id FROM class WHERE name = ?";

/// Inserts a row of one or two texts; its number, or -1 with `status`.
static int64_t insert_name(Results *results, const char *sql, const char *name, const char *more, Status *status)
{
    bool good = results_run_texts(results, sql, more != NULL ? 2 : 1, (const char *const[]){name, more}, status);
    return good ? sqlite3_last_insert_rowid(results->db) : -1;
}

int64_t results_trainee_id(Results *results, const char *name, Status *status)
{
    int64_t id = find_id(results, find_trainee, name, status);
    char now[RESULT_TIME];
    results_now(now);
    return id >= 0 || status->code != STATUS_GOOD
               ? id
               : insert_name(results, "INSERT INTO trainee(name, created) VALUES(?,?)", name, now, status);
}

/// Inside a transaction: the class's number, made where it is new; -1 with `status`.
static int64_t class_id(Results *results, const char *name, Status *status)
{
    int64_t id = find_id(results, find_class, name, status);
    return id >= 0 || status->code != STATUS_GOOD
               ? id
               : insert_name(results, "INSERT INTO class(name) VALUES(?)", name, NULL, status);
}

/// Runs a statement of one or two numbers. Returns how many rows it changed, -1 with `status`.
static int run_numbers(Results *results, const char *sql, int64_t first, int64_t second, Status *status)
{
    sqlite3_stmt *row = results_prepare(results, sql, status);
    if (row == NULL) {
        return -1;
    }
    sqlite3_bind_int64(row, 1, first);
    if (sqlite3_bind_parameter_count(row) > 1) {
        sqlite3_bind_int64(row, 2, second);
    }
    bool good = results_step(results, row, status);
    sqlite3_finalize(row);
    return good ? sqlite3_changes(results->db) : -1;
}

/// ---- lists ---------------------------------------------------------------------------------------------------------

/// Copies the present row into an item of a list.
typedef void FillItem(sqlite3_stmt *row, void *item);

/// Appends an item of `size` bytes for each row of a bound statement, which is finalised (NULL: it could not be
/// prepared), to an empty list. Returns how many; -1, with `status` and nothing in the list.
static int read_list(Results *results, sqlite3_stmt *rows, const char *what, size_t size, FillItem *fill, void **list,
                     Status *status)
{
    int count = 0, code = SQLITE_DONE;
    bool good = rows != NULL;
    *list = NULL;
    while (good && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        bool full = (count & (count - 1)) == 0; // it doubles at powers of two
        void *more = full ? realloc(*list, size * (size_t)(count > 0 ? 2 * count : 1)) : *list;
        if (more == NULL) {
            good = status_fail(status, STATUS_LACKING, "out of memory for the %s", what);
            break;
        }
        *list = more;
        memset((char *)more + size * (size_t)count, 0, size);
        fill(rows, (char *)more + size * (size_t)count++);
    }
    good = good && (code == SQLITE_DONE || results_fail(results, status));
    sqlite3_finalize(rows);
    if (!good) {
        free(*list);
        *list = NULL;
    }
    return good ? count : -1;
}

/// ---- classes -------------------------------------------------------------------------------------------------------

bool results_insert_member(Results *results, const char *class_name, const char *trainee, Status *status)
{
    int64_t group = class_id(results, class_name, status);
    int64_t person = group >= 0 ? results_trainee_id(results, trainee, status) : -1;
    return person >= 0 &&
           run_numbers(results, "INSERT OR IGNORE INTO membership VALUES(?,?)", group, person, status) >= 0 &&
           results_note_people(results, SHARED_JOIN, class_name, trainee, status);
}

bool results_add_member(Results *results, const char *class_name, const char *trainee, Status *status)
{
    return results_check_name("class", class_name, status) && results_check_name("trainee", trainee, status) &&
           results_begin(results, status) &&
           results_end(results, results_insert_member(results, class_name, trainee, status), status) &&
           status_good(status);
}

static bool remove_member(Results *results, const char *class_name, const char *trainee, Status *status)
{
    int64_t group = find_id(results, find_class, class_name, status);
    int64_t person = status->code == STATUS_GOOD ? find_id(results, find_trainee, trainee, status) : -1;
    if (status->code != STATUS_GOOD) {
        return false;
    }
    int gone = group < 0 || person < 0 ? 0
                                       : run_numbers(results, "DELETE FROM membership WHERE class = ? AND trainee = ?",
                                                     group, person, status);
    if (gone == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "class %.80s has no trainee %.80s", class_name, trainee);
    }
    return gone > 0 &&
           run_numbers(results,
                       "DELETE FROM class WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM membership WHERE class = "
                       "?1)",
                       group, 0, status) >= 0 &&
           results_note_people(results, SHARED_LEAVE, class_name, trainee, status);
}

bool results_remove_member(Results *results, const char *class_name, const char *trainee, Status *status)
{
    return results_begin(results, status) &&
           results_end(results, remove_member(results, class_name, trainee, status), status) && status_good(status);
}

/// ---- trainees ------------------------------------------------------------------------------------------------------

static void fill_trainee(sqlite3_stmt *row, void *item)
{
    ResultTrainee *one = item;
    results_column(row, 0, one->name, sizeof one->name);
    one->attempts = sqlite3_column_int(row, 1);
    one->passed = sqlite3_column_int(row, 2);
    one->best = sqlite3_column_double(row, 3);
}

int results_trainees(Results *results, const char *class_name, ResultTrainee **list, Status *status)
{
    static const char sql[] = "SELECT t.name, count(a.id), coalesce(sum(a.passed), 0), coalesce(max(CASE WHEN a.parent"
                              " = '' AND a.driver = 'person' THEN a.score END), 0) FROM trainee t LEFT JOIN attempt a "
                              "ON a.trainee = t.id WHERE ?1 IS NULL OR t.id IN"
                              " (SELECT m.trainee FROM membership m JOIN class c ON c.id = m.class WHERE c.name = ?1)"
                              " GROUP BY t.id ORDER BY t.name";
    *list = NULL;
    if (class_name != NULL && find_id(results, find_class, class_name, status) < 0) {
        if (status->code == STATUS_GOOD) {
            status_fail(status, STATUS_BAD_USAGE, "there is no class %.80s", class_name);
        }
        return -1;
    }
    sqlite3_stmt *rows = results_prepare(results, sql, status);
    if (rows != NULL) {
        results_bind(rows, 1, class_name);
    }
    return read_list(results, rows, "trainees", sizeof **list, fill_trainee, (void **)list, status);
}

static void fill_progress(sqlite3_stmt *row, void *item)
{
    ResultProgress *one = item;
    results_column(row, 0, one->trainee, sizeof one->trainee);
    results_column(row, 1, one->course, sizeof one->course);
    results_column(row, 2, one->scene, sizeof one->scene);
    results_column(row, 3, one->passed, sizeof one->passed);
    one->best = sqlite3_column_double(row, 4);
}

int results_progress(Results *results, const char *trainee, ResultProgress **list, Status *status)
{
    sqlite3_stmt *rows =
        results_prepare(results,
                        "SELECT t.name, p.course, p.scene, p.passed, p.best FROM course_progress p JOIN trainee t ON "
                        "t.id = p.trainee WHERE ?1 IS NULL OR t.name = ?1 ORDER BY t.name, p.course, p.passed, p.scene",
                        status);
    if (rows != NULL) {
        results_bind(rows, 1, trainee);
    }
    return read_list(results, rows, "progress", sizeof **list, fill_progress, (void **)list, status);
}

static void fill_member(sqlite3_stmt *row, void *item)
{
    ResultMember *one = item;
    results_column(row, 0, one->trainee, sizeof one->trainee);
    results_column(row, 1, one->class_name, sizeof one->class_name);
}

int results_members(Results *results, ResultMember **list, Status *status)
{
    sqlite3_stmt *rows = results_prepare(results,
                                         "SELECT t.name, c.name FROM membership m JOIN class c ON c.id = m.class JOIN "
                                         "trainee t ON t.id = m.trainee ORDER BY t.name, c.name",
                                         status);
    return read_list(results, rows, "results", sizeof **list, fill_member, (void **)list, status);
}

bool results_check_people(Results *results, const char *class_name, const char *trainee, Status *status)
{
    int64_t group = class_name != NULL ? find_id(results, find_class, class_name, status) : 0;
    if (group < 0) {
        return status->code == STATUS_GOOD
                   ? status_fail(status, STATUS_BAD_USAGE, "there is no class %.80s", class_name)
                   : false;
    }
    if (trainee == NULL) {
        return status_good(status);
    }
    static const char in_class[] =
        "SELECT m.trainee FROM membership m JOIN trainee t ON t.id = m.trainee WHERE t.name ="
        " ?1 AND m.class = (SELECT id FROM class WHERE name = ?2)";
    int64_t person = find_id(results, find_trainee, trainee, status);
    if (person >= 0 && class_name != NULL) {
        int member =
            results_find_text(results, in_class, 2, (const char *const[]){trainee, class_name}, NULL, 0, status);
        person = member == 1 ? person : -1;
    }
    return person >= 0 || (status->code == STATUS_GOOD &&
                           status_fail(status, STATUS_BAD_USAGE, "there is no trainee %.80s%s%.80s", trainee,
                                       class_name != NULL ? " in class " : "", class_name != NULL ? class_name : ""));
}

/// ---- who was deleted -----------------------------------------------------------------------------------------------

/// SHA-256 of a name in hexadecimal digits, as the server of shared results has it. It only tells whether a name that
/// comes back is that one: who guesses a name can test it, too.
static void hash_name(const char *name, char text[2 * crypto_hash_sha256_BYTES + 1])
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, (const unsigned char *)name, strlen(name));
    for (size_t k = 0; k < sizeof hash; k++) {
        snprintf(text + 2 * k, 3, "%02x", hash[k]);
    }
}

bool results_find_gone(Results *results, const char *name, char gone[RESULT_TIME], Status *status)
{
    char hash[2 * crypto_hash_sha256_BYTES + 1];
    hash_name(name, hash);
    return results_find_text(results, "SELECT gone FROM trainee_gone WHERE name_hash = ?", 1,
                             (const char *const[]){hash}, gone, RESULT_TIME, status) >= 0;
}

/// Runs a statement of a name's hash and (unless NULL) a time.
static bool change_gone(Results *results, const char *sql, const char *name, const char *time, Status *status)
{
    char hash[2 * crypto_hash_sha256_BYTES + 1];
    hash_name(name, hash);
    return results_run_texts(results, sql, time != NULL ? 2 : 1, (const char *const[]){hash, time}, status);
}

bool results_restore(Results *results, const char *name, Status *status)
{
    char gone[RESULT_TIME];
    return results_find_gone(results, name, gone, status) &&
           (gone[0] == '\0' ||
            (change_gone(results, "DELETE FROM trainee_gone WHERE name_hash = ?", name, NULL, status) &&
             results_note_people(results, SHARED_RESTORE, "", name, status)));
}

/// ---- deleting ------------------------------------------------------------------------------------------------------

static void fill_deleted(sqlite3_stmt *row, void *item)
{
    ResultsDeleted *one = item;
    results_column_path(row, 0, one->recording, sizeof one->recording);
    results_column(row, 1, one->hash, sizeof one->hash);
    if (sqlite3_column_count(row) > 2) {
        results_column(row, 2, one->station, sizeof one->station);
        one->cleared = sqlite3_column_int(row, 3) != 0;
    }
}

/// What is to be told of somebody's attempts, read in the present transaction.
static bool list_attempts(Results *results, int64_t trainee, ResultsDeletion *told, Status *status)
{
    static const char sql[] = "SELECT recording, recording_hash, station, cleared <> '' FROM attempt WHERE trainee = ? "
                              "ORDER BY station, started, id";
    sqlite3_stmt *rows = results_prepare(results, sql, status);
    if (rows != NULL) {
        sqlite3_bind_int64(rows, 1, trainee);
    }
    int count =
        read_list(results, rows, "results", sizeof *told->attempts, fill_deleted, (void **)&told->attempts, status);
    told->count = count > 0 ? count : 0;
    return count >= 0;
}

static bool list_attempts_of(Results *results, const char *trainee, int64_t *id, ResultsDeletion *told, Status *status)
{
    *told = (ResultsDeletion){0};
    *id = find_id(results, find_trainee, trainee, status);
    told->known = *id >= 0;
    return status->code == STATUS_GOOD && (*id < 0 || list_attempts(results, *id, told, status));
}

bool results_describe(Results *results, const char *trainee, ResultsDeletion *told, Status *status)
{
    int64_t id;
    bool good = results_run(results, "BEGIN", status) && list_attempts_of(results, trainee, &id, told, status);
    sqlite3_exec(results->db, "ROLLBACK", NULL, NULL, NULL);
    return good;
}

void results_deletion_free(ResultsDeletion *told)
{
    free(told->attempts);
    *told = (ResultsDeletion){0};
}

static bool delete_trainee(Results *results, const char *trainee, ResultsDeletion *told, Status *status)
{
    int64_t id;
    char now[RESULT_TIME];
    results_now(now);
    if (!list_attempts_of(results, trainee, &id, told, status)) {
        return false;
    }
    if (id < 0) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no trainee %.80s", trainee);
    }
    return run_numbers(results, "DELETE FROM trainee WHERE id = ?", id, 0, status) == 1 &&
           results_run(results,
                       "DELETE FROM class WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.class = class.id)",
                       status) &&
           change_gone(results, "INSERT OR REPLACE INTO trainee_gone VALUES(?,?)", trainee, now, status) &&
           results_note_people(results, SHARED_DELETE, "", trainee, status);
}

bool results_delete_trainee(Results *results, const char *trainee, ResultsDeletion *told, Status *status)
{
    ResultsDeletion own = {0};
    bool good = results_begin(results, status) &&
                results_end(results, delete_trainee(results, trainee, told != NULL ? told : &own, status), status);
    results_deletion_free(&own);
    return good && status_good(status);
}

/// ---- what is left --------------------------------------------------------------------------------------------------

int results_left(Results *results, ResultsDeleted **list, Status *status)
{
    sqlite3_stmt *rows = results_prepare(results, "SELECT path, hash FROM left_recording ORDER BY path", status);
    return read_list(results, rows, "results", sizeof **list, fill_deleted, (void **)list, status);
}

bool results_forget_left(Results *results, const char *path, Status *status)
{
    return results_run_texts(results, "DELETE FROM left_recording WHERE path = ?", 1, &path, status);
}
