/// Adds attempts and reads them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <xxhash.h>

#include "data/core/files/regular_file.h"
#include "trainer/results/results_internal.h"

enum { HASH_BLOCK = 1 << 16 };

/// The columns of an attempt, in the order in which they are bound and read.
#define COLUMNS                                                                                                        \
    "uuid, scene, title, course, started, duration, score, passed, finished, \"end\", operator, machine, build, "      \
    "recording, recording_hash, recording_seal, parent"

/// ---- what an attempt says ------------------------------------------------------------------------------------------

void results_now(char text[RESULT_TIME])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, RESULT_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc);
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

void results_fill(ResultAttempt *attempt, const Session *session)
{
    const SceneParams *scene = session_scene(session);
    const Exercise *exercise = session_exercise(session);
    *attempt = (ResultAttempt){.score = exercise_score(exercise),
                               .passed = exercise_is_passed(exercise),
                               .finished = exercise_is_finished(exercise)};
    snprintf(attempt->scene, sizeof attempt->scene, "%s", scene->name);
    snprintf(attempt->title, sizeof attempt->title, "%s", scene->title);
    snprintf(attempt->end, sizeof attempt->end, "%s", end_name(exercise_end(exercise)));
    snprintf(attempt->machine, sizeof attempt->machine, "%s", session_machine_params(session)->name);
    snprintf(attempt->build, sizeof attempt->build, "%s", SPADEWORK_VERSION);
    attempt->metric_count = exercise_metrics(exercise, attempt->metrics);
    fill_scores(attempt, session);
}

/// ---- adding --------------------------------------------------------------------------------------------------------

void results_make_uuid(char uuid[RESULT_UUID])
{
    unsigned char b[16];
    sqlite3_randomness(sizeof b, b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    snprintf(uuid, RESULT_UUID, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
             b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

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
    if (attempt->trainee[0] != '\0') {
        trainee = results_trainee_id(results, attempt->trainee, status);
        if (trainee < 0) {
            return false;
        }
    }
    if (attempt->uuid[0] == '\0') {
        results_make_uuid(attempt->uuid);
    }
    sqlite3_stmt *row = results_prepare(
        results, "INSERT INTO attempt(" COLUMNS ", trainee) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", status);
    if (row == NULL) {
        return false;
    }
    bind_attempt(row, attempt);
    if (trainee >= 0) {
        sqlite3_bind_int64(row, 18, trainee);
    }
    bool good = results_step(results, row, status);
    sqlite3_finalize(row);
    int64_t id = sqlite3_last_insert_rowid(results->db);
    return good && insert_metrics(results, id, attempt, status) && insert_scores(results, id, attempt, status) &&
           note_progress(results, trainee, attempt, status) && results_note_attempt(results, attempt, status);
}

bool results_add(Results *results, ResultAttempt *attempt, Status *status)
{
    return results_begin(results, status) && results_end(results, results_insert(results, attempt, status), status) &&
           status_good(status);
}

/// ---- reading -------------------------------------------------------------------------------------------------------

static void read_attempt(sqlite3_stmt *row, ResultAttempt *attempt)
{
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
    results_column(row, 13, attempt->recording, sizeof attempt->recording);
    results_column(row, 14, attempt->recording_hash, sizeof attempt->recording_hash);
    results_column(row, 15, attempt->recording_seal, sizeof attempt->recording_seal);
    results_column(row, 16, attempt->parent, sizeof attempt->parent);
    results_column(row, 17, attempt->trainee, sizeof attempt->trainee);
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

/// The statements of one reading.
typedef struct Reading {
    sqlite3_stmt *attempts, *metrics, *scores;
} Reading;

static bool begin_reading(Results *results, const ResultFilter *filter, Reading *reading, Status *status)
{
    static const char sql[] =
        "SELECT " COLUMNS ", (SELECT name FROM trainee WHERE id = attempt.trainee), id FROM attempt"
        " WHERE (?1 IS NULL OR trainee = (SELECT id FROM trainee WHERE name = ?1))"
        " AND (?2 IS NULL OR trainee IN (SELECT m.trainee FROM membership m JOIN class c ON c.id = m.class"
        " WHERE c.name = ?2)) AND (?3 IS NULL OR scene = ?3)"
        " AND (?4 IS NULL OR trainee IN (SELECT o.trainee FROM membership m JOIN membership o ON o.class = m.class"
        " JOIN trainee t ON t.id = m.trainee WHERE t.name = ?4)) ORDER BY started, id";
    reading->attempts = results_prepare(results, sql, status);
    reading->metrics = results_prepare(
        results, "SELECT name, unit, value FROM attempt_metric WHERE attempt = ? ORDER BY name", status);
    reading->scores = results_prepare(
        results,
        "SELECT label, \"group\", weight, value, share, points FROM attempt_score WHERE attempt = ? ORDER BY row",
        status);
    if (reading->attempts == NULL || reading->metrics == NULL || reading->scores == NULL) {
        return false;
    }
    if (filter != NULL) {
        results_bind(reading->attempts, 1, filter->trainee);
        results_bind(reading->attempts, 2, filter->class_name);
        results_bind(reading->attempts, 3, filter->scene);
        results_bind(reading->attempts, 4, filter->classmates_of);
    }
    return true;
}

bool results_each(Results *results, const ResultFilter *filter, ResultsVisit *visit, void *context, Status *status)
{
    Reading reading = {0};
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for an attempt");
    }
    bool good = begin_reading(results, filter, &reading, status);
    int code = SQLITE_ROW;
    while (good && (code = sqlite3_step(reading.attempts)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(reading.attempts, 18);
        read_attempt(reading.attempts, attempt);
        read_metrics(reading.metrics, id, attempt);
        read_scores(reading.scores, id, attempt);
        if (!visit(context, attempt)) {
            code = SQLITE_DONE;
            break;
        }
    }
    if (good && code != SQLITE_DONE) {
        good = results_fail(results, status);
    }
    sqlite3_finalize(reading.attempts);
    sqlite3_finalize(reading.metrics);
    sqlite3_finalize(reading.scores);
    free(attempt);
    return good && status_good(status);
}

bool results_is_best(Results *results, const char *path)
{
    Status unused;
    sqlite3_stmt *row = results_prepare(
        results,
        "SELECT 1 FROM attempt a WHERE a.recording = ? AND NOT EXISTS (SELECT 1 FROM attempt b WHERE b.trainee IS "
        "a.trainee AND b.scene = a.scene AND b.recording <> '' AND b.score > a.score)",
        &unused);
    if (row == NULL) {
        return false;
    }
    results_bind(row, 1, path);
    bool best = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return best;
}
