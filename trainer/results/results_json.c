/// Attempts as JSON: as files and outputs have them, and as rows of SQLite that go to the server of shared results and
/// come from it. What is read may be a stranger's: each value is checked, and a fault is reported with its place.
#include "trainer/results/results_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/plain_text.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "data/schema/schema.h"
#include "trainer/results/results_store_internal.h"

/// ---- rows between SQLite and the server ----------------------------------------------------------------------------

#define LARGEST 1e300 ///< any figure, in its unit: JSON has no infinity. Chosen

#define TEXT_OF(key, bytes)                                                                                            \
    {                                                                                                                  \
        .name = (key), .is_text = true, .may_lack = true, .most = (bytes)                                              \
    }
#define NAME_OF(key, bytes)                                                                                            \
    {                                                                                                                  \
        .name = (key), .is_text = true, .most = (bytes)                                                                \
    }
#define NUMBER_OF(key, low, high)                                                                                      \
    {                                                                                                                  \
        .name = (key), .least = (low), .most = (high)                                                                  \
    }

const SharedColumn shared_attempt_columns[] = {
    NAME_OF("uuid", 39),
    NAME_OF("scene", 63),
    TEXT_OF("title", 95),
    TEXT_OF("course", 63),
    NAME_OF("started", 23),
    NUMBER_OF("duration", 0.0, 1e7),
    NUMBER_OF("score", 0.0, 100.0),
    NUMBER_OF("passed", 0.0, 1.0),
    NUMBER_OF("finished", 0.0, 1.0),
    TEXT_OF("end", 15),
    TEXT_OF("operator", 511),
    TEXT_OF("machine", 63),
    TEXT_OF("build", 31),
    TEXT_OF("recording", 511),
    TEXT_OF("recording_hash", 19),
    TEXT_OF("recording_seal", 67),
    TEXT_OF("parent", 511),
    NAME_OF("driver", 15),
    NUMBER_OF("clumsy", 0.0, 1.0),
    NUMBER_OF("parent_at", -1.0, 1e7),
    TEXT_OF("language", 35),
    TEXT_OF("station", 95),
    TEXT_OF("cleared", 23),
    TEXT_OF("changed", CREDIT_CHANGED - 1),
    TEXT_OF("comment", RESULT_COMMENT - 1),
    TEXT_OF("grade", RESULT_GRADE - 1),
    TEXT_OF("commented", RESULT_TIME - 1),
    TEXT_OF("trainee", 95),
};
_Static_assert(sizeof shared_attempt_columns / sizeof shared_attempt_columns[0] == RESULT_COLUMN_COUNT + 1, "columns");

const SharedColumn shared_metric_columns[3] = {
    NAME_OF("name", 31),
    TEXT_OF("unit", 11),
    NUMBER_OF("value", -LARGEST, LARGEST),
};

const SharedColumn shared_score_columns[6] = {
    TEXT_OF("label", 63),
    TEXT_OF("group", 15),
    NUMBER_OF("weight", 0.0, 100.0),
    NUMBER_OF("value", -LARGEST, LARGEST),
    NUMBER_OF("share", 0.0, 1.0),
    NUMBER_OF("points", 0.0, 100.0),
};

/// ---- rows, out -----------------------------------------------------------------------------------------------------

json_t *shared_text_json(const char *text)
{
    char *plain = strdup(text);
    if (plain == NULL) {
        return NULL;
    }
    visible_text_mask(plain, false);
    json_t *value = json_string(plain);
    free(plain);
    return value;
}

static json_t *value_out(sqlite3_stmt *row, int at)
{
    switch (sqlite3_column_type(row, at)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(row, at));
    case SQLITE_FLOAT:
        return json_real(fmax(-LARGEST, fmin(LARGEST, sqlite3_column_double(row, at))));
    case SQLITE_TEXT:
        return shared_text_json((const char *)sqlite3_column_text(row, at));
    default:
        return json_string("");
    }
}

json_t *shared_row_object(sqlite3_stmt *row)
{
    json_t *object = json_object();
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        json_object_set_new(object, sqlite3_column_name(row, k), value_out(row, k));
    }
    return object;
}

json_t *shared_row_array(sqlite3_stmt *row)
{
    json_t *array = json_array();
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        json_array_append_new(array, value_out(row, k));
    }
    return array;
}

/// ---- rows, in ------------------------------------------------------------------------------------------------------

static bool check_text(const SharedColumn *column, const json_t *value, const char *where, Status *status)
{
    const char *text = json_string_value(value);
    size_t length = text != NULL ? json_string_length(value) : 0;
    bool plain = text != NULL && length <= (size_t)column->most && (length > 0 || column->may_lack) &&
                 visible_text_fault(text, length, false, NULL) == VISIBLE_GOOD;
    return plain || status_fail(status, STATUS_BAD_FILE,
                                "%s: %s: read %s%.40s%s, allowed is a text of %d to %d bytes without control "
                                "characters and directions",
                                where, column->name, text != NULL ? "\"" : "", text != NULL ? text : "no text",
                                text != NULL ? "\"" : "", column->may_lack ? 0 : 1, (int)column->most);
}

static bool check_number(const SharedColumn *column, const json_t *value, const char *where, Status *status)
{
    double number = json_number_value(value);
    if (!json_is_number(value)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s: read no number, allowed is %g..%g", where, column->name,
                           column->least, column->most);
    }
    return (number >= column->least && number <= column->most) ||
           status_fail(status, STATUS_BAD_FILE, "%s: %s: read %g, allowed is %g..%g", where, column->name, number,
                       column->least, column->most);
}

bool shared_bind(sqlite3_stmt *statement, int first, const SharedColumn *columns, int count, const json_t *row,
                 const char *where, Status *status)
{
    for (int k = 0; k < count; k++) {
        const SharedColumn *column = &columns[k];
        const json_t *value = json_is_array(row) ? json_array_get(row, (size_t)k) : json_object_get(row, column->name);
        if (column->is_text) {
            if (!check_text(column, value, where, status)) {
                return false;
            }
            sqlite3_bind_text(statement, first + k, json_string_value(value), (int)json_string_length(value),
                              SQLITE_STATIC);
        } else if (!check_number(column, value, where, status)) {
            return false;
        } else if (json_is_integer(value)) {
            sqlite3_bind_int64(statement, first + k, json_integer_value(value));
        } else {
            sqlite3_bind_double(statement, first + k, json_real_value(value));
        }
    }
    return true;
}

/// ---- an attempt, out -----------------------------------------------------------------------------------------------

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text[0] != '\0' ? shared_text_json(text) : json_null());
}

static void set_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(value));
}

static json_t *metrics_json(const ResultAttempt *attempt)
{
    json_t *metrics = json_array();
    for (int k = 0; k < attempt->metric_count; k++) {
        json_t *metric = json_object();
        set_text(metric, "name", attempt->metrics[k].name);
        set_text(metric, "unit", attempt->metrics[k].unit);
        set_number(metric, "value", attempt->metrics[k].value);
        json_array_append_new(metrics, metric);
    }
    return metrics;
}

static json_t *scores_json(const ResultAttempt *attempt)
{
    json_t *scores = json_array();
    for (int k = 0; k < attempt->score_count; k++) {
        const ResultScore *row = &attempt->scores[k];
        json_t *score = json_object();
        set_text(score, "label", row->label);
        set_text(score, "group", row->group);
        set_number(score, "weight", row->weight);
        set_number(score, "value", row->value);
        set_number(score, "share", row->share);
        set_number(score, "points", row->points);
        json_array_append_new(scores, score);
    }
    return scores;
}

json_t *results_practice_json(const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    if (!credit_is_practice(&credit)) {
        return json_null();
    }
    json_t *practice = json_object();
    set_text(practice, "parent", credit.parent);
    json_object_set_new(practice, "from_s", credit.from >= 0.0 ? json_real(credit.from) : json_null());
    set_number(practice, "points_with_parent", attempt->score);
    return practice;
}

static void set_credit(json_t *object, const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    json_object_set_new(object, "points", credit_is_practice(&credit) ? json_null() : json_real(attempt->score));
    json_object_set_new(object, "passed", json_boolean(attempt->passed));
    json_object_set_new(object, "counts", json_boolean(credit_counts(&credit, attempt->trainee)));
    json_object_set_new(object, "practice", results_practice_json(attempt));
    set_text(object, "driver", credit_driver_name(attempt->driver));
    set_number(object, "clumsy", attempt->clumsy);
}

json_t *results_attempt_json(const ResultAttempt *attempt, bool files)
{
    json_t *object = json_object();
    set_text(object, "uuid", attempt->uuid);
    if (files) {
        set_text(object, "trainee", attempt->trainee);
    }
    set_text(object, "scene", attempt->scene);
    set_text(object, "title", attempt->title);
    set_text(object, "language", attempt->language);
    set_text(object, "course", attempt->course);
    set_text(object, "started", attempt->started);
    set_number(object, "duration_s", attempt->duration);
    set_credit(object, attempt);
    json_object_set_new(object, "finished", json_boolean(attempt->finished));
    set_text(object, "end", attempt->end);
    set_text(object, "operator", attempt->operator_name);
    set_text(object, "machine", attempt->machine);
    set_text(object, "build", attempt->build);
    set_text(object, "station", attempt->station);
    set_text(object, "changed", attempt->changed);
    json_object_set_new(object, "comparable", json_boolean(credit_is_comparable(attempt->changed)));
    set_text(object, "comment", attempt->comment);
    set_text(object, "grade", attempt->grade);
    set_text(object, "commented", attempt->commented);
    if (files) {
        set_text(object, "recording", attempt->recording);
        set_text(object, "recording_cleared", attempt->cleared);
        set_text(object, "parent", attempt->parent);
    }
    set_text(object, "recording_xxh3", attempt->recording_hash);
    set_text(object, "recording_seal", attempt->recording_seal);
    json_object_set_new(object, "metrics", metrics_json(attempt));
    json_object_set_new(object, "scores", scores_json(attempt));
    return object;
}

/// ---- values --------------------------------------------------------------------------------------------------------

#define LONGEST 1e7 ///< s of a drive: a hundred days. Chosen

bool results_refuse(const ResultsReader *reader, const char *key, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status_fail(reader->status, STATUS_BAD_FILE, "%s: %s%s%s: %s", reader->path, reader->place,
                       reader->place[0] != '\0' && key[0] != '\0' ? "." : "", key, text);
}

/// "a text", "nothing", ...
static const char *type_name(const json_t *value)
{
    if (value == NULL) {
        return "nothing";
    }
    static const char *const names[] = {"an object", "an array", "a text", "a whole number",
                                        "a number",  "true",     "false",  "null"};
    return names[json_typeof(value)];
}

/// A text of fewer than `size` bytes without control characters and directions; null is "" where it may be.
bool results_read_text(const ResultsReader *reader, const json_t *object, const char *key, bool needed, char *text,
                       size_t size)
{
    const json_t *value = json_object_get(object, key);
    text[0] = '\0';
    if (!needed && (value == NULL || json_is_null(value))) {
        return true;
    }
    if (!json_is_string(value)) {
        return results_refuse(reader, key, "read %s, allowed a text", type_name(value));
    }
    const char *read = json_string_value(value);
    size_t length = json_string_length(value);
    bool fits = length < size && (length > 0 || !needed);
    if (!fits || visible_text_fault(read, length, false, NULL) != VISIBLE_GOOD) {
        return results_refuse(reader, key,
                              "read \"%.40s\", allowed %d..%zu bytes without control characters and directions", read,
                              needed, size - 1);
    }
    memcpy(text, read, length + 1);
    return true;
}

bool results_read_number(const ResultsReader *reader, const json_t *object, const char *key, double low, double high,
                         double *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) {
        return results_refuse(reader, key, "read %s, allowed a number", type_name(value));
    }
    *number = json_number_value(value);
    return (*number >= low && *number <= high) ||
           results_refuse(reader, key, "read %g, allowed %g to %g", *number, low, high);
}

bool results_read_flag(const ResultsReader *reader, const json_t *object, const char *key, bool *flag)
{
    const json_t *value = json_object_get(object, key);
    *flag = json_is_true(value);
    return json_is_boolean(value) || results_refuse(reader, key, "read %s, allowed true or false", type_name(value));
}

bool results_read_array(const ResultsReader *reader, const json_t *object, const char *key, size_t most,
                        const json_t **array)
{
    *array = json_object_get(object, key);
    if (!json_is_array(*array)) {
        return results_refuse(reader, key, "read %s, allowed a list", type_name(*array));
    }
    return json_array_size(*array) <= most ||
           results_refuse(reader, key, "read %zu items, allowed 0..%zu", json_array_size(*array), most);
}

/// Text of which each character fits a form: d a digit, x a hexadecimal one, others themselves.
static bool has_form(const char *text, const char *form)
{
    bool fits = strlen(text) == strlen(form);
    for (size_t k = 0; form[k] != '\0' && fits; k++) {
        bool digit = text[k] >= '0' && text[k] <= '9', letter = text[k] >= 'a' && text[k] <= 'f';
        fits = form[k] == 'd' ? digit : form[k] == 'x' ? digit || letter : text[k] == form[k];
    }
    return fits;
}

/// Checks a text by a form: d stands for a digit, x for a hexadecimal one, others for themselves.
static bool read_form(const ResultsReader *reader, const char *key, const char *text, const char *form,
                      const char *example)
{
    return has_form(text, form) || results_refuse(reader, key, "read \"%.40s\", allowed as in %s", text, example);
}

/// ---- an attempt ----------------------------------------------------------------------------------------------------

/// Who drove. Files of the first version tell it by the operator's name.
static bool read_driver(const ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    char driver[16];
    Credit credit = {.driver = CREDIT_PERSON};
    if (reader->version < 2) {
        credit_of_operator(attempt->operator_name, &credit);
        attempt->driver = credit.driver;
        attempt->clumsy = credit.clumsy;
        return true;
    }
    return results_read_text(reader, object, "driver", true, driver, sizeof driver) &&
           (credit_driver_named(driver, &attempt->driver) ||
            results_refuse(reader, "driver", "read %s, allowed person, auto, expert or script", driver)) &&
           results_read_number(reader, object, "clumsy", 0.0, 1.0, &attempt->clumsy);
}

/// Points, and what practice began in. Files of the first version do not tell that.
static bool read_points(ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    const json_t *practice = reader->version < 2 ? NULL : json_object_get(object, "practice");
    attempt->parent_at = -1.0;
    if (practice == NULL || json_is_null(practice)) {
        return results_read_number(reader, object, "points", 0.0, 100.0, &attempt->score);
    }
    if (!json_is_object(practice)) {
        return results_refuse(reader, "practice", "read %s, allowed an object or null", type_name(practice));
    }
    size_t length = strlen(reader->place);
    snprintf(reader->place + length, RESULTS_PLACE - length, ".practice");
    bool known = !json_is_null(json_object_get(practice, "from_s"));
    bool good = results_read_text(reader, practice, "parent", true, attempt->parent, CREDIT_PARENT) &&
                (!known || results_read_number(reader, practice, "from_s", 0.0, LONGEST, &attempt->parent_at)) &&
                results_read_number(reader, practice, "points_with_parent", 0.0, 100.0, &attempt->score);
    reader->place[length] = good ? '\0' : reader->place[length];
    return good;
}

/// What the second version has beside: of when and where the attempt is.
static bool read_more(const ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    return reader->version < 2 ||
           (results_read_text(reader, object, "language", false, attempt->language, sizeof attempt->language) &&
            results_read_text(reader, object, "station", false, attempt->station, sizeof attempt->station) &&
            results_read_text(reader, object, "changed", false, attempt->changed, sizeof attempt->changed) &&
            results_read_text(reader, object, "comment", false, attempt->comment, sizeof attempt->comment) &&
            results_read_text(reader, object, "grade", false, attempt->grade, sizeof attempt->grade) &&
            results_read_text(reader, object, "commented", false, attempt->commented, sizeof attempt->commented) &&
            (attempt->commented[0] == '\0' ||
             read_form(reader, "commented", attempt->commented, "dddd-dd-ddTdd:dd:ddZ", "2026-11-23T18:05:31Z")));
}

static bool read_head(ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    return results_read_text(reader, object, "uuid", true, attempt->uuid, sizeof attempt->uuid) &&
           read_form(reader, "uuid", attempt->uuid, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
                     "4f5a0b29-2a9b-4955-8149-cd50f43ee529") &&
           results_read_text(reader, object, "scene", true, attempt->scene, sizeof attempt->scene) &&
           results_read_text(reader, object, "title", false, attempt->title, sizeof attempt->title) &&
           results_read_text(reader, object, "course", false, attempt->course, sizeof attempt->course) &&
           results_read_text(reader, object, "started", true, attempt->started, sizeof attempt->started) &&
           read_form(reader, "started", attempt->started, "dddd-dd-ddTdd:dd:ddZ", "2026-11-23T18:05:31Z") &&
           results_read_number(reader, object, "duration_s", 0.0, LONGEST, &attempt->duration) &&
           read_points(reader, object, attempt) && results_read_flag(reader, object, "passed", &attempt->passed) &&
           results_read_flag(reader, object, "finished", &attempt->finished) &&
           results_read_text(reader, object, "end", true, attempt->end, sizeof attempt->end) &&
           results_read_text(reader, object, "operator", false, attempt->operator_name,
                             sizeof attempt->operator_name) &&
           read_driver(reader, object, attempt) &&
           results_read_text(reader, object, "machine", false, attempt->machine, sizeof attempt->machine) &&
           results_read_text(reader, object, "build", false, attempt->build, sizeof attempt->build) &&
           results_read_text(reader, object, "recording_xxh3", false, attempt->recording_hash,
                             sizeof attempt->recording_hash) &&
           (json_object_get(object, "recording_seal") == NULL || // of an earlier version
            results_read_text(reader, object, "recording_seal", false, attempt->recording_seal,
                              sizeof attempt->recording_seal)) &&
           read_more(reader, object, attempt);
}

static bool read_metrics(ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    const json_t *list;
    if (!results_read_array(reader, object, "metrics", EXERCISE_MAX_METRICS, &list)) {
        return false;
    }
    size_t length = strlen(reader->place);
    attempt->metric_count = (int)json_array_size(list);
    for (int k = 0; k < attempt->metric_count; k++) {
        ExerciseMetric *metric = &attempt->metrics[k];
        const json_t *item = json_array_get(list, (size_t)k);
        snprintf(reader->place + length, RESULTS_PLACE - length, ".metrics[%d]", k);
        if (!results_read_text(reader, item, "name", true, metric->name, sizeof metric->name) ||
            !results_read_text(reader, item, "unit", false, metric->unit, sizeof metric->unit) ||
            !results_read_number(reader, item, "value", -reader->largest, reader->largest, &metric->value)) {
            return false;
        }
        for (int other = 0; other < k; other++) {
            if (strcmp(attempt->metrics[other].name, metric->name) == 0) {
                return results_refuse(reader, "name", "read \"%s\" a second time, allowed once", metric->name);
            }
        }
    }
    reader->place[length] = '\0';
    return true;
}

static bool read_scores(ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    const json_t *list;
    if (!results_read_array(reader, object, "scores", SCENE_MAX_SCORES, &list)) {
        return false;
    }
    size_t length = strlen(reader->place);
    attempt->score_count = (int)json_array_size(list);
    for (int k = 0; k < attempt->score_count; k++) {
        ResultScore *row = &attempt->scores[k];
        const json_t *item = json_array_get(list, (size_t)k);
        snprintf(reader->place + length, RESULTS_PLACE - length, ".scores[%d]", k);
        if (!results_read_text(reader, item, "label", false, row->label, sizeof row->label) ||
            !results_read_text(reader, item, "group", false, row->group, sizeof row->group) ||
            !results_read_number(reader, item, "weight", 0.0, 100.0, &row->weight) ||
            !results_read_number(reader, item, "value", -reader->largest, reader->largest, &row->value) ||
            !results_read_number(reader, item, "share", 0.0, 1.0, &row->share) ||
            !results_read_number(reader, item, "points", 0.0, 100.0, &row->points)) {
            return false;
        }
    }
    reader->place[length] = '\0';
    return true;
}

bool results_read_attempt(ResultsReader *reader, const json_t *object, ResultAttempt *attempt)
{
    *attempt = (ResultAttempt){.driver = CREDIT_PERSON};
    return (json_is_object(object) || results_refuse(reader, "", "read %s, allowed an object", type_name(object))) &&
           read_head(reader, object, attempt) && read_metrics(reader, object, attempt) &&
           read_scores(reader, object, attempt);
}

json_t *results_load_json(const char *path, Status *status)
{
    json_error_t error;
    FILE *file = regular_file_open(path, status);
    if (file == NULL || !plain_text_check_file(path, file, status)) {
        if (file != NULL) {
            fclose(file);
        }
        return NULL;
    }
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (root == NULL && error.line < 0) {
        status_fail(status, STATUS_BAD_FILE, "%s: %s", path, error.text);
    } else if (root == NULL) {
        status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    }
    return root;
}

/// Makes the file and writes all of it, or leaves none.
bool results_write_json(const char *path, json_t *value, int indent, Status *status)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return errno == EEXIST ? status_fail(status, STATUS_LACKING, "%s: exists already and is left as it is", path)
                               : status_fail(status, STATUS_LACKING, "%s: cannot be made: %s", path, strerror(errno));
    }
    FILE *stream = fdopen(file, "w");
    errno = 0;
    bool good = stream != NULL &&
                json_dumpf(value, stream, JSON_INDENT((size_t)indent) | JSON_REAL_PRECISION(17)) == 0 &&
                fputc('\n', stream) != EOF && fflush(stream) == 0 && fsync(file) == 0;
    int error = errno;
    good = (stream != NULL ? fclose(stream) == 0 : close(file) == 0) && good;
    if (good) {
        return true;
    }
    unlink(path);
    return status_fail(status, STATUS_LACKING, "%s: cannot be written: %s; nothing is left of it", path,
                       error != 0 ? strerror(error) : "the disk is full?");
}
