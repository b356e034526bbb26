/// Adds attempts, reads them, and makes an attempt of a recording. Score, figures and end of a recorded one come from
/// the exercise itself, which the last keyframe restores; a changed row of figures is found by the seals.
#include "trainer/results/results_store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "trainer/record/record.h"

enum { HASH_BLOCK = 1 << 16, PAGE = 128 }; ///< bytes; attempts that are read at once

/// ---- what an attempt says ------------------------------------------------------------------------------------------

void results_station(char name[RESULT_NAME])
{
    Station station = {.name = ""};
    Status unused;
    name[0] = '\0';
    if (station_load(&station, &unused) && station.name[0] != '\0') {
        snprintf(name, RESULT_NAME, "%s", station.name);
    } else if (gethostname(name, RESULT_NAME - 1) != 0) {
        name[0] = '\0';
    }
    name[RESULT_NAME - 1] = '\0';
    station_forget(&station);
    visible_text_mask(name, false);
}

bool results_hash_file(const char *path, char hash[RESULT_HASH])
{
    Status unused;
    FILE *file = regular_file_open(path, &unused);
    XXH3_state_t *state = XXH3_createState();
    unsigned char *bytes = malloc(HASH_BLOCK);
    bool good = file != NULL && state != NULL && bytes != NULL;
    hash[0] = '\0';
    if (good) {
        XXH3_64bits_reset(state);
        for (size_t got = HASH_BLOCK; got == HASH_BLOCK;) {
            got = fread(bytes, 1, HASH_BLOCK, file);
            XXH3_64bits_update(state, bytes, got);
        }
        good = ferror(file) == 0;
    }
    if (good) {
        snprintf(hash, RESULT_HASH, "%016llx", (unsigned long long)XXH3_64bits_digest(state));
    }
    if (file != NULL) {
        fclose(file);
    }
    XXH3_freeState(state);
    free(bytes);
    return good;
}

static const char *end_name(ExerciseEnd end)
{
    return end == EXERCISE_DONE      ? "done"
           : end == EXERCISE_TIME_UP ? "time_up"
           : end == EXERCISE_FAILED  ? "failed"
                                     : "aborted";
}

Credit results_credit(const ResultAttempt *attempt)
{
    Credit credit = {.driver = attempt->driver, .clumsy = attempt->clumsy};
    credit_begin_in(&credit, attempt->parent, attempt->parent_at);
    return credit;
}

int results_metrics(const Session *session, const Credit *credit, const char *trainee,
                    ExerciseMetric metrics[EXERCISE_MAX_METRICS])
{
    int count = exercise_metrics(session_exercise(session), metrics), kept = 0;
    for (int k = 0; k < count; k++) {
        bool passed = strcmp(metrics[k].name, metric_infos[METRIC_PASSED].name) == 0;
        bool score = strcmp(metrics[k].name, metric_infos[METRIC_SCORE].name) == 0;
        if ((passed || score) && credit_is_practice(credit)) {
            continue;
        }
        metrics[kept] = metrics[k];
        metrics[kept++].value = passed && !credit_counts(credit, trainee) ? 0.0 : metrics[k].value;
    }
    return kept;
}

static void fill_scores(ResultAttempt *attempt, const Session *session)
{
    const SceneExercise *asked = &session_scene(session)->exercise;
    ScoreRow rows[SCENE_MAX_SCORES];
    attempt->score_count = exercise_score_rows(session_exercise(session), rows);
    for (int k = 0; k < attempt->score_count; k++) {
        ResultScore *score = &attempt->scores[k];
        *score = (ResultScore){.weight = asked->scores[k].weight,
                               .value = rows[k].value,
                               .share = rows[k].share,
                               .points = rows[k].points};
        snprintf(score->label, sizeof score->label, "%s", score_label(&asked->scores[k]));
        snprintf(score->group, sizeof score->group, "%s", score_group_names[asked->scores[k].group]);
    }
}

void results_fill(ResultAttempt *attempt, const Session *session, const Credit *credit, const char *trainee)
{
    const SceneParams *scene = session_scene(session);
    const Exercise *exercise = session_exercise(session);
    bool counts = credit_counts(credit, trainee);
    *attempt = (ResultAttempt){.score = exercise_score(exercise),
                               .passed = exercise_is_passed(exercise) && counts,
                               .finished = exercise_is_finished(exercise),
                               .driver = credit->driver,
                               .clumsy = credit->clumsy,
                               .parent_at = credit_is_practice(credit) ? credit->from : -1.0};
    snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee != NULL ? trainee : "");
    snprintf(attempt->language, sizeof attempt->language, "%s", scene->language);
    snprintf(attempt->scene, sizeof attempt->scene, "%s", scene->name);
    snprintf(attempt->title, sizeof attempt->title, "%s", scene->title);
    snprintf(attempt->end, sizeof attempt->end, "%s", end_name(exercise_end(exercise)));
    snprintf(attempt->machine, sizeof attempt->machine, "%s", session_machine_params(session)->name);
    snprintf(attempt->build, sizeof attempt->build, "%s", SPADEWORK_VERSION);
    attempt->metric_count = results_metrics(session, credit, trainee, attempt->metrics);
    fill_scores(attempt, session);
}

/// ---- adding --------------------------------------------------------------------------------------------------------

static void bind_attempt(sqlite3_stmt *row, const ResultAttempt *attempt)
{
    results_bind(row, 1, attempt->uuid);
    results_bind(row, 2, attempt->scene);
    results_bind(row, 3, attempt->title);
    results_bind(row, 4, attempt->course);
    results_bind(row, 5, attempt->started);
    sqlite3_bind_double(row, 6, attempt->duration);
    sqlite3_bind_double(row, 7, attempt->score);
    sqlite3_bind_int(row, 8, attempt->passed);
    sqlite3_bind_int(row, 9, attempt->finished);
    results_bind(row, 10, attempt->end);
    results_bind(row, 11, attempt->operator_name);
    results_bind(row, 12, attempt->machine);
    results_bind(row, 13, attempt->build);
    results_bind(row, 14, attempt->recording);
    results_bind(row, 15, attempt->recording_hash);
    results_bind(row, 16, attempt->recording_seal);
    results_bind(row, 17, attempt->parent);
    results_bind(row, 18, credit_driver_name(attempt->driver));
    sqlite3_bind_double(row, 19, attempt->clumsy);
    sqlite3_bind_double(row, 20, attempt->parent[0] != '\0' ? attempt->parent_at : -1.0);
    results_bind(row, 21, attempt->language);
    results_bind(row, 22, attempt->station);
    results_bind(row, 23, attempt->cleared);
    results_bind(row, 24, attempt->changed);
    results_bind(row, 25, attempt->comment);
    results_bind(row, 26, attempt->grade);
    results_bind(row, 27, attempt->commented);
}

static bool insert_metrics(Results *results, int64_t id, const ResultAttempt *attempt, Status *status)
{
    sqlite3_stmt *row = results_prepare(results, "INSERT INTO attempt_metric VALUES(?,?,?,?)", status);
    bool good = row != NULL;
    for (int k = 0; k < attempt->metric_count && good; k++) {
        sqlite3_bind_int64(row, 1, id);
        results_bind(row, 2, attempt->metrics[k].name);
        results_bind(row, 3, attempt->metrics[k].unit);
        sqlite3_bind_double(row, 4, attempt->metrics[k].value);
        good = results_step(results, row, status);
    }
    sqlite3_finalize(row);
    return good;
}

static bool insert_scores(Results *results, int64_t id, const ResultAttempt *attempt, Status *status)
{
    sqlite3_stmt *row = results_prepare(results, "INSERT INTO attempt_score VALUES(?,?,?,?,?,?,?,?)", status);
    bool good = row != NULL;
    for (int k = 0; k < attempt->score_count && good; k++) {
        const ResultScore *score = &attempt->scores[k];
        sqlite3_bind_int64(row, 1, id);
        sqlite3_bind_int(row, 2, k);
        results_bind(row, 3, score->label);
        results_bind(row, 4, score->group);
        sqlite3_bind_double(row, 5, score->weight);
        sqlite3_bind_double(row, 6, score->value);
        sqlite3_bind_double(row, 7, score->share);
        sqlite3_bind_double(row, 8, score->points);
        good = results_step(results, row, status);
    }
    sqlite3_finalize(row);
    return good;
}

/// A scene of a course that is passed: the first time stays, the points grow.
static bool note_progress(Results *results, int64_t trainee, const ResultAttempt *attempt, Status *status)
{
    if (trainee < 0 || !attempt->passed || attempt->course[0] == '\0') {
        return true;
    }
    sqlite3_stmt *row = results_prepare(results,
                                        "INSERT INTO course_progress VALUES(?,?,?,?,?) ON CONFLICT(trainee, course, "
                                        "scene) DO UPDATE SET best = max(best, excluded.best), passed = min(passed, "
                                        "excluded.passed)",
                                        status);
    if (row == NULL) {
        return false;
    }
    sqlite3_bind_int64(row, 1, trainee);
    results_bind(row, 2, attempt->course);
    results_bind(row, 3, attempt->scene);
    results_bind(row, 4, attempt->started);
    sqlite3_bind_double(row, 5, attempt->score);
    bool good = results_step(results, row, status);
    sqlite3_finalize(row);
    return good;
}

bool results_insert(Results *results, ResultAttempt *attempt, Status *status)
{
    int64_t trainee = -1;
    Credit credit = results_credit(attempt);
    attempt->passed = attempt->passed && credit_counts(&credit, attempt->trainee);
    if (attempt->trainee[0] != '\0') {
        trainee = results_trainee_id(results, attempt->trainee, status);
        if (trainee < 0) {
            return false;
        }
    }
    if (attempt->uuid[0] == '\0') {
        results_new_uuid(attempt->uuid);
    }
    sqlite3_stmt *row = results_prepare(
        results, "INSERT INTO attempt(" RESULT_COLUMNS ", trainee) VALUES(" RESULT_VALUES ",?)", status);
    if (row == NULL) {
        return false;
    }
    bind_attempt(row, attempt);
    if (trainee >= 0) {
        sqlite3_bind_int64(row, RESULT_COLUMN_COUNT + 1, trainee);
    }
    bool good = results_step(results, row, status);
    sqlite3_finalize(row);
    int64_t id = sqlite3_last_insert_rowid(results->db);
    return good && insert_metrics(results, id, attempt, status) && insert_scores(results, id, attempt, status) &&
           note_progress(results, trainee, attempt, status) && results_note_attempt(results, attempt, status);
}

int results_is_known(Results *results, const char *uuid, Status *status)
{
    return results_find_text(results, "SELECT 1 FROM attempt WHERE uuid = ?", 1, &uuid, NULL, 0, status);
}

bool results_add(Results *results, ResultAttempt *attempt, Status *status)
{
    return results_begin(results, status) && results_end(results, results_insert(results, attempt, status), status) &&
           status_good(status);
}

/// ---- reading -------------------------------------------------------------------------------------------------------

static void read_attempt(sqlite3_stmt *row, ResultAttempt *attempt)
{
    char driver[16];
    results_column(row, 0, attempt->uuid, sizeof attempt->uuid);
    results_column(row, 1, attempt->scene, sizeof attempt->scene);
    results_column(row, 2, attempt->title, sizeof attempt->title);
    results_column(row, 3, attempt->course, sizeof attempt->course);
    results_column(row, 4, attempt->started, sizeof attempt->started);
    attempt->duration = sqlite3_column_double(row, 5);
    attempt->score = sqlite3_column_double(row, 6);
    attempt->passed = sqlite3_column_int(row, 7) != 0;
    attempt->finished = sqlite3_column_int(row, 8) != 0;
    results_column(row, 9, attempt->end, sizeof attempt->end);
    results_column(row, 10, attempt->operator_name, sizeof attempt->operator_name);
    results_column(row, 11, attempt->machine, sizeof attempt->machine);
    results_column(row, 12, attempt->build, sizeof attempt->build);
    results_column_path(row, 13, attempt->recording, sizeof attempt->recording);
    results_column(row, 14, attempt->recording_hash, sizeof attempt->recording_hash);
    results_column(row, 15, attempt->recording_seal, sizeof attempt->recording_seal);
    results_column_path(row, 16, attempt->parent, sizeof attempt->parent);
    results_column(row, 17, driver, sizeof driver);
    if (!credit_driver_named(driver, &attempt->driver)) {
        attempt->driver = CREDIT_SCRIPT; // what is not known counts for nobody
    }
    attempt->clumsy = sqlite3_column_double(row, 18);
    attempt->parent_at = sqlite3_column_double(row, 19);
    results_column(row, 20, attempt->language, sizeof attempt->language);
    results_column(row, 21, attempt->station, sizeof attempt->station);
    results_column(row, 22, attempt->cleared, sizeof attempt->cleared);
    results_column(row, 23, attempt->changed, sizeof attempt->changed);
    results_column(row, 24, attempt->comment, sizeof attempt->comment);
    results_column(row, 25, attempt->grade, sizeof attempt->grade);
    results_column(row, 26, attempt->commented, sizeof attempt->commented);
    results_column(row, RESULT_COLUMN_COUNT, attempt->trainee, sizeof attempt->trainee);
    Credit credit = results_credit(attempt);
    attempt->passed = attempt->passed && credit_counts(&credit, attempt->trainee);
}

static void read_metrics(sqlite3_stmt *rows, int64_t id, ResultAttempt *attempt)
{
    sqlite3_bind_int64(rows, 1, id);
    attempt->metric_count = 0;
    while (attempt->metric_count < EXERCISE_MAX_METRICS && sqlite3_step(rows) == SQLITE_ROW) {
        ExerciseMetric *metric = &attempt->metrics[attempt->metric_count++];
        results_column(rows, 0, metric->name, sizeof metric->name);
        results_column(rows, 1, metric->unit, sizeof metric->unit);
        metric->value = sqlite3_column_double(rows, 2);
    }
    sqlite3_reset(rows);
}

static void read_scores(sqlite3_stmt *rows, int64_t id, ResultAttempt *attempt)
{
    sqlite3_bind_int64(rows, 1, id);
    attempt->score_count = 0;
    while (attempt->score_count < SCENE_MAX_SCORES && sqlite3_step(rows) == SQLITE_ROW) {
        ResultScore *score = &attempt->scores[attempt->score_count++];
        results_column(rows, 0, score->label, sizeof score->label);
        results_column(rows, 1, score->group, sizeof score->group);
        score->weight = sqlite3_column_double(rows, 2);
        score->value = sqlite3_column_double(rows, 3);
        score->share = sqlite3_column_double(rows, 4);
        score->points = sqlite3_column_double(rows, 5);
    }
    sqlite3_reset(rows);
}

/// One reading: the numbers of the attempts first, then a page of them at a time, each in a moment of its own. Between
/// two pages nothing is held: the reader may take any time, as a pager does, and others write
/// meanwhile.
typedef struct Reading {
    int64_t *ids; ///< [count] in order of time
    size_t count, room;
    sqlite3_stmt *attempt, *metrics, *scores;
    ResultAttempt *page; ///< [PAGE]
} Reading;

/// Writes the condition of one part of a filter, for which `?N` stands.
static void add_condition(char *sql, size_t size, const char *value, const char *condition)
{
    size_t length = strlen(sql);
    if (value != NULL) {
        snprintf(sql + length, size - length, "%s(%s)", strstr(sql, " WHERE ") != NULL ? " AND " : " WHERE ",
                 condition);
    }
}

/// Each filter gets a statement of its own, so that SQLite finds the index for it.
static sqlite3_stmt *prepare_ids(Results *results, const ResultFilter *filter, Status *status)
{
    char sql[1024] = "SELECT id FROM attempt";
    static const ResultFilter all = {0};
    filter = filter != NULL ? filter : &all;
    add_condition(sql, sizeof sql, filter->trainee, "trainee = (SELECT id FROM trainee WHERE name = ?1)");
    add_condition(sql, sizeof sql, filter->class_name,
                  "trainee IN (SELECT m.trainee FROM membership m JOIN class c ON c.id = m.class WHERE c.name = ?2)");
    add_condition(sql, sizeof sql, filter->scene, "scene = ?3");
    add_condition(
        sql, sizeof sql, filter->classmates_of,
        "trainee IN (SELECT o.trainee FROM membership m JOIN membership o ON o.class = m.class JOIN trainee t "
        "ON t.id = m.trainee WHERE t.name = ?4)");
    add_condition(sql, sizeof sql, filter->nobodys ? "" : NULL, "trainee IS NULL");
    size_t length = strlen(sql);
    snprintf(sql + length, sizeof sql - length, " ORDER BY started, id");
    sqlite3_stmt *ids = results_prepare(results, sql, status);
    const char *const values[] = {filter->trainee, filter->class_name, filter->scene, filter->classmates_of};
    for (int k = 0; ids != NULL && k < 4; k++) {
        if (values[k] != NULL) {
            results_bind(ids, k + 1, values[k]);
        }
    }
    return ids;
}

static bool read_ids(Results *results, const ResultFilter *filter, Reading *reading, Status *status)
{
    sqlite3_stmt *rows = prepare_ids(results, filter, status);
    int code = SQLITE_DONE;
    bool good = rows != NULL;
    while (good && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        if (reading->count == reading->room) {
            size_t room = reading->room > 0 ? 2 * reading->room : 256;
            int64_t *ids = realloc(reading->ids, room * sizeof *ids);
            if (ids == NULL) {
                good = status_fail(status, STATUS_LACKING, "out of memory for the attempts");
                break;
            }
            reading->ids = ids;
            reading->room = room;
        }
        reading->ids[reading->count++] = sqlite3_column_int64(rows, 0);
    }
    good = good && (code == SQLITE_DONE || results_fail(results, status));
    sqlite3_finalize(rows);
    return good;
}

static bool begin_reading(Results *results, const ResultFilter *filter, Reading *reading, Status *status)
{
    if (!read_ids(results, filter, reading, status)) {
        return false;
    }
    reading->page = calloc(PAGE, sizeof *reading->page);
    if (reading->page == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the attempts");
    }
    reading->attempt =
        results_prepare(results,
                        "SELECT " RESULT_COLUMNS ", (SELECT name FROM trainee WHERE id = attempt.trainee) "
                        "FROM attempt WHERE id = ?",
                        status);
    reading->metrics = results_prepare(
        results, "SELECT name, unit, value FROM attempt_metric WHERE attempt = ? ORDER BY name", status);
    reading->scores = results_prepare(
        results,
        "SELECT label, \"group\", weight, value, share, points FROM attempt_score WHERE attempt = ? ORDER BY row",
        status);
    return reading->attempt != NULL && reading->metrics != NULL && reading->scores != NULL;
}

static void end_reading(Reading *reading)
{
    sqlite3_finalize(reading->attempt);
    sqlite3_finalize(reading->metrics);
    sqlite3_finalize(reading->scores);
    free(reading->page);
    free(reading->ids);
}

/// Reads the attempts from number `first` on, in one moment of the file; what was deleted meanwhile is left out.
/// Returns how many, -1 with `status`.
static int read_page(Results *results, Reading *reading, size_t first, Status *status)
{
    int count = 0, code = SQLITE_DONE;
    if (!results_run(results, "BEGIN", status)) {
        return -1;
    }
    for (size_t k = first; k < reading->count && k < first + PAGE && (code == SQLITE_DONE || code == SQLITE_ROW); k++) {
        sqlite3_bind_int64(reading->attempt, 1, reading->ids[k]);
        code = sqlite3_step(reading->attempt);
        if (code == SQLITE_ROW) {
            ResultAttempt *attempt = &reading->page[count++];
            read_attempt(reading->attempt, attempt);
            read_metrics(reading->metrics, reading->ids[k], attempt);
            read_scores(reading->scores, reading->ids[k], attempt);
        }
        sqlite3_reset(reading->attempt);
    }
    bool good = code == SQLITE_DONE || code == SQLITE_ROW || results_fail(results, status);
    sqlite3_exec(results->db, "ROLLBACK", NULL, NULL, NULL);
    return good ? count : -1;
}

bool results_each(Results *results, const ResultFilter *filter, ResultsVisit *visit, void *context, Status *status)
{
    Reading reading = {0};
    bool good = begin_reading(results, filter, &reading, status), goes_on = true;
    for (size_t first = 0; good && goes_on && first < reading.count; first += PAGE) {
        int count = read_page(results, &reading, first, status);
        good = count >= 0;
        for (int k = 0; k < count && goes_on; k++) {
            goes_on = visit(context, &reading.page[k]);
        }
    }
    end_reading(&reading);
    return good && status_good(status);
}

bool results_note_cleared(Results *results, const char *path, const char *absolute, Status *status)
{
/// Another station's recording may have the same path.
#define OWN_RECORDING "recording IN (?1, ?2) AND station IN (?3, '') AND cleared = ''"
    char now[RESULT_TIME], station[RESULT_NAME];
    results_now(now);
    results_station(station);
    if (!results_begin(results, status)) {
        return false;
    }
    sqlite3_stmt *rows =
        results_prepare(results, "SELECT uuid FROM attempt WHERE " OWN_RECORDING " ORDER BY id", status);
    sqlite3_stmt *row = results_prepare(results, "UPDATE attempt SET cleared = ?4 WHERE " OWN_RECORDING, status);
    bool good = rows != NULL && row != NULL;
    if (good) {
        results_bind(rows, 1, path);
        results_bind(rows, 2, absolute);
        results_bind(rows, 3, station);
        while (good && sqlite3_step(rows) == SQLITE_ROW) {
            char uuid[RESULT_UUID];
            results_column(rows, 0, uuid, sizeof uuid);
            good = results_note_people(results, SHARED_CLEARED, uuid, "", status);
        }
        sqlite3_reset(rows);
        results_bind(row, 1, path);
        results_bind(row, 2, absolute);
        results_bind(row, 3, station);
        results_bind(row, 4, now);
        good = good && results_step(results, row, status);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(row);
    return results_end(results, good, status);
#undef OWN_RECORDING
}

/// ---- what an instructor says of it ---------------------------------------------------------------------------------

bool results_check_remark(ResultRemark remark, const char *text, Status *status)
{
    bool comment = remark == RESULT_REMARK_COMMENT;
    size_t length = strlen(text), most = comment ? RESULT_COMMENT - 1 : RESULT_GRADE - 1;
    if (length <= most && visible_text_fault(text, length, false, NULL) == VISIBLE_GOOD) {
        return true;
    }
    return status_fail(status, STATUS_BAD_USAGE,
                       "%s: read %zu bytes, %s, allowed 0..%zu bytes of one line without control characters and "
                       "directions",
                       comment ? "comment" : "grade", length, visible_text_shown(text).text, most);
}

bool results_set_remark(Results *results, const char *uuid, ResultRemark remark, const char *text, Status *status)
{
    bool comment = remark == RESULT_REMARK_COMMENT;
    char now[RESULT_TIME];
    results_now(now);
    const char *const texts[] = {uuid, text, now};
    if (!results_check_remark(remark, text, status) || !results_begin(results, status)) {
        return false;
    }
    int known = results_is_known(results, uuid, status);
    bool good = known > 0 &&
                results_run_texts(results,
                                  comment ? "UPDATE attempt SET comment = ?2, commented = ?3 WHERE uuid = ?1"
                                          : "UPDATE attempt SET grade = ?2, commented = ?3 WHERE uuid = ?1",
                                  3, texts, status) &&
                results_note_people(results, comment ? SHARED_COMMENT : SHARED_GRADE, uuid, text, status);
    if (known == 0) {
        status_fail(status, STATUS_BAD_USAGE, "there is no attempt %.40s", uuid);
    }
    return results_end(results, good, status) && status_good(status);
}

bool results_take_remarks(Results *results, const ResultAttempt *attempt, Status *status)
{
    static const char newer[] = "SELECT 1 FROM attempt WHERE uuid = ?1 AND commented < ?2";
    static const char take[] = "UPDATE attempt SET comment = ?2, grade = ?3, commented = ?4 WHERE uuid = ?1";
    const char *const asked[] = {attempt->uuid, attempt->commented};
    const char *const texts[] = {attempt->uuid, attempt->comment, attempt->grade, attempt->commented};
    int found = results_find_text(results, newer, 2, asked, NULL, 0, status);
    return found == 0 || (found > 0 && results_run_texts(results, take, 4, texts, status) &&
                          results_note_people(results, SHARED_COMMENT, attempt->uuid, attempt->comment, status) &&
                          results_note_people(results, SHARED_GRADE, attempt->uuid, attempt->grade, status));
}

static bool note_last(void *context, const ResultAttempt *attempt)
{
    memcpy(context, attempt->uuid, RESULT_UUID);
    return true;
}

bool results_find_attempt(Results *results, const char *word, const ResultFilter *filter, char uuid[RESULT_UUID],
                          Status *status)
{
    static const char sql[] =
        "SELECT uuid FROM attempt WHERE uuid = ?1 OR recording IN (?1, ?2) ORDER BY started DESC LIMIT 1";
    char *real = realpath(word, NULL);
    const char *const texts[] = {word, real != NULL ? real : word};
    uuid[0] = '\0';
    bool last = strcmp(word, "last") == 0;
    bool good = last ? results_each(results, filter, note_last, uuid, status)
                     : results_find_text(results, sql, 2, texts, uuid, RESULT_UUID, status) >= 0;
    free(real);
    return good && (uuid[0] != '\0' ||
                    status_fail(status, STATUS_BAD_USAGE,
                                "there is no attempt %s; allowed the uuid or the recording of an attempt (spadework "
                                "results --json), or last",
                                visible_text_shown(word).text));
}

bool results_is_best(Results *results, const char *path)
{
/// As credit_counts: own work from the first tick, driven by the trainee himself.
#define COUNTS(A) A ".parent = '' AND (" A ".driver = 'person' OR " A ".trainee IS NULL)"
    static const char sql[] = "SELECT 1 FROM attempt a WHERE a.recording = ? AND " COUNTS(
        "a") " AND NOT EXISTS (SELECT 1 FROM attempt b WHERE b.trainee IS a.trainee AND b.scene = a.scene AND"
             " b.recording <> '' AND " COUNTS("b") " AND b.score > a.score)";
    Status unused;
    return results_find_text(results, sql, 1, &path, NULL, 0, &unused) == 1;
#undef COUNTS
}

/// ---- out of a recording --------------------------------------------------------------------------------------------

static void copy_meta(Recording *recording, const char *key, char *text, size_t size)
{
    const char *value = recording_meta(recording, key);
    snprintf(text, size, "%s", value != NULL ? value : "");
}

/// Names out of a recording are looked at as those of the command line are.
static bool check_names(const char *path, const ResultAttempt *attempt, Status *status)
{
    Status reason;
    bool good = (attempt->trainee[0] == '\0' || results_check_name("trainee", attempt->trainee, &reason)) &&
                (attempt->course[0] == '\0' || results_check_name("course", attempt->course, &reason));
    return good || status_fail(status, STATUS_BAD_FILE, "%s: its %s", path, reason.text);
}

/// What the session does not know.
static void fill_meta(Recording *recording, const char *path, ResultAttempt *attempt)
{
    char *real = realpath(path, NULL);
    copy_meta(recording, "attempt", attempt->uuid, sizeof attempt->uuid);
    copy_meta(recording, "course", attempt->course, sizeof attempt->course);
    copy_meta(recording, "language", attempt->language, sizeof attempt->language);
    copy_meta(recording, "created", attempt->started, sizeof attempt->started);
    copy_meta(recording, "operator", attempt->operator_name, sizeof attempt->operator_name);
    copy_meta(recording, "build", attempt->build, sizeof attempt->build);
    copy_meta(recording, "station", attempt->station, sizeof attempt->station);
    copy_meta(recording, "changed", attempt->changed, sizeof attempt->changed);
    copy_meta(recording, "parent", attempt->parent, sizeof attempt->parent);
    snprintf(attempt->recording, sizeof attempt->recording, "%s", real != NULL ? real : path);
    free(real);
    attempt->duration =
        (double)(recording_ticks(recording) - recording_first_tick(recording)) / recording_tick_rate(recording);
    recording_last_seal(recording, attempt->recording_seal);
}

static bool fill_from_session(Recording *recording, const char *path, ResultAttempt *attempt, Status *status)
{
    Credit credit;
    char trainee[RESULT_NAME];
    recording_credit(recording, &credit);
    copy_meta(recording, "trainee", trainee, sizeof trainee);
    Session *session = recording_create_session(recording, 1, status);
    bool good = session != NULL && recording_seek(recording, session, recording_ticks(recording), status);
    if (good) {
        results_fill(attempt, session, &credit, trainee);
        fill_meta(recording, path, attempt);
        good = check_names(path, attempt, status);
    }
    session_destroy(session);
    return good;
}

bool results_of_recording(const char *path, ResultAttempt *attempt, Status *status)
{
    RecordingSeal seal;
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    bool good = recording_check_seals(recording, &seal, status);
    if (good && !seal.closed) {
        good = status_fail(status, STATUS_BAD_FILE,
                           "%s: was cut short: the figures of its end are missing; \"resume\" drives it on", path);
    }
    good = good && fill_from_session(recording, path, attempt, status);
    recording_close(recording);
    if (good && !results_hash_file(attempt->recording, attempt->recording_hash)) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: cannot be read", path);
    }
    return good;
}

/// ---- adding --------------------------------------------------------------------------------------------------------

/// The attempt that is there already by UUID, seal or hash; "": none. False with `status`.
static bool find_double(Results *results, const ResultAttempt *attempt, char uuid[RESULT_UUID], Status *status)
{
    static const char sql[] = "SELECT uuid FROM attempt WHERE uuid = ?1 OR (recording_seal = ?2 AND ?2 <> '') LIMIT 1";
    const char *const texts[] = {attempt->uuid, attempt->recording_seal};
    return results_find_text(results, sql, 2, texts, uuid, RESULT_UUID, status) >= 0;
}

/// Inside a transaction.
static bool add_recorded(Results *results, ResultAttempt *attempt, bool restore, Status *status)
{
    char uuid[RESULT_UUID], gone[RESULT_TIME] = "";
    bool named = attempt->trainee[0] != '\0';
    if (!find_double(results, attempt, uuid, status) ||
        (named && restore && !results_restore(results, attempt->trainee, status)) ||
        (named && !results_find_gone(results, attempt->trainee, gone, status))) {
        return false;
    }
    if (uuid[0] != '\0') {
        return status_fail(status, STATUS_BAD_FILE, "%s: is among the results already, as attempt %s",
                           attempt->recording, uuid);
    }
    if (named && strcmp(attempt->started, gone) <= 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: %s was deleted on %.10s, after it was driven; --restore brings it back",
                           attempt->recording, attempt->trainee, gone);
    }
    return results_insert(results, attempt, status);
}

bool results_add_recorded(Results *results, ResultAttempt *attempt, bool restore, Status *status)
{
    return results_begin(results, status) &&
           results_end(results, add_recorded(results, attempt, restore, status), status) && status_good(status);
}
