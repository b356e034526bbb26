/// A class with its trainees and attempts as JSON, out and in: to move it from one computer to another.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/files/plain_text.h"
#include "data/core/files/regular_file.h"
#include "data/core/visible_text.h"
#include "trainer/results/results_internal.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_print.h"

#define FORMAT  "spadework-class" ///< of the file
#define LONGEST 1e7 ///< s of a drive: a hundred days. Chosen
#define LARGEST 1e12 ///< any figure, in its unit. Chosen

enum { VERSION = 1, MOST_TRAINEES = 100000, PLACE = 128 };

/// ---- out -----------------------------------------------------------------------------------------------------------

static bool append(void *context, const ResultAttempt *attempt)
{
    json_array_append_new(context, results_attempt_json(attempt, false));
    return true;
}

static json_t *class_json(Results *results, const char *class_name, Status *status)
{
    ResultTrainee *list = NULL;
    int count = results_trainees(results, class_name, &list, status);
    json_t *trainees = json_array();
    bool good = count >= 0;
    for (int k = 0; k < count && good; k++) {
        json_t *attempts = json_array();
        good = results_each(results, &(ResultFilter){.trainee = list[k].name}, append, attempts, status);
        json_array_append_new(trainees, json_pack("{s:s, s:o}", "name", list[k].name, "attempts", attempts));
    }
    free(list);
    if (!good) {
        json_decref(trainees);
        return NULL;
    }
    return json_pack("{s:s, s:i, s:s, s:o}", "format", FORMAT, "version", VERSION, "class", class_name, "trainees",
                     trainees);
}

/// Makes the file and writes all of it, or leaves none.
static bool write_json(const char *path, json_t *value, Status *status)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return errno == EEXIST ? status_fail(status, STATUS_LACKING, "%s: exists already and is left as it is", path)
                               : status_fail(status, STATUS_LACKING, "%s: cannot be made: %s", path, strerror(errno));
    }
    FILE *stream = fdopen(file, "w");
    errno = 0;
    bool good = stream != NULL && json_dumpf(value, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 &&
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

bool results_export_class(Results *results, const char *class_name, const char *path, Status *status)
{
    json_t *value = class_json(results, class_name, status);
    bool good = value != NULL && write_json(path, value, status);
    json_decref(value);
    return good && status_good(status);
}

/// ---- values that come in -------------------------------------------------------------------------------------------

/// The file being read, and where in it.
typedef struct Reader {
    const char *path;
    char place[PLACE]; ///< "trainees[2].attempts[0]"
    Status *status;
} Reader;

static bool refuse(const Reader *reader, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const Reader *reader, const char *key, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status_fail(reader->status, STATUS_BAD_FILE, "%s: %s%s%s: %s", reader->path, reader->place,
                       reader->place[0] != '\0' && key[0] != '\0' ? "." : "", key, text);
}

static const char *type_name(const json_t *value)
{
    if (value == NULL) {
        return "nothing";
    }
    static const char *const names[] = {"an object", "an array", "a text", "a whole number",
                                        "a number",  "true",     "false",  "null"};
    return names[json_typeof(value)];
}

/// A text of fewer than `size` bytes that can be shown; null is "" where it may be.
static bool get_text(const Reader *reader, const json_t *object, const char *key, bool needed, char *text, size_t size)
{
    const json_t *value = json_object_get(object, key);
    text[0] = '\0';
    if (!needed && (value == NULL || json_is_null(value))) {
        return true;
    }
    if (!json_is_string(value)) {
        return refuse(reader, key, "read %s, allowed a text", type_name(value));
    }
    const char *read = json_string_value(value);
    size_t length = json_string_length(value);
    bool fits = length < size && (length > 0 || !needed);
    if (!fits || visible_text_fault(read, length, false, NULL) != VISIBLE_GOOD) {
        return refuse(reader, key, "read \"%.40s\", allowed %d..%zu bytes without control characters and directions",
                      read, needed, size - 1);
    }
    memcpy(text, read, length + 1);
    return true;
}

static bool get_number(const Reader *reader, const json_t *object, const char *key, double low, double high,
                       double *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) {
        return refuse(reader, key, "read %s, allowed a number", type_name(value));
    }
    *number = json_number_value(value);
    return (*number >= low && *number <= high) || refuse(reader, key, "read %g, allowed %g to %g", *number, low, high);
}

static bool get_flag(const Reader *reader, const json_t *object, const char *key, bool *flag)
{
    const json_t *value = json_object_get(object, key);
    *flag = json_is_true(value);
    return json_is_boolean(value) || refuse(reader, key, "read %s, allowed true or false", type_name(value));
}

static bool get_array(const Reader *reader, const json_t *object, const char *key, size_t most, const json_t **array)
{
    *array = json_object_get(object, key);
    if (!json_is_array(*array)) {
        return refuse(reader, key, "read %s, allowed a list", type_name(*array));
    }
    return json_array_size(*array) <= most ||
           refuse(reader, key, "read %zu items, allowed 0..%zu", json_array_size(*array), most);
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

static bool check_form(const Reader *reader, const char *key, const char *text, const char *form, const char *example)
{
    return has_form(text, form) || refuse(reader, key, "read \"%.40s\", allowed as in %s", text, example);
}

/// ---- an attempt ----------------------------------------------------------------------------------------------------

static bool read_head(const Reader *reader, const json_t *object, ResultAttempt *attempt)
{
    return get_text(reader, object, "uuid", true, attempt->uuid, sizeof attempt->uuid) &&
           check_form(reader, "uuid", attempt->uuid, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
                      "4f5a0b29-2a9b-4955-8149-cd50f43ee529") &&
           get_text(reader, object, "scene", true, attempt->scene, sizeof attempt->scene) &&
           get_text(reader, object, "title", false, attempt->title, sizeof attempt->title) &&
           get_text(reader, object, "course", false, attempt->course, sizeof attempt->course) &&
           get_text(reader, object, "started", true, attempt->started, sizeof attempt->started) &&
           check_form(reader, "started", attempt->started, "dddd-dd-ddTdd:dd:ddZ", "2026-11-23T18:05:31Z") &&
           get_number(reader, object, "duration_s", 0.0, LONGEST, &attempt->duration) &&
           get_number(reader, object, "points", 0.0, 100.0, &attempt->score) &&
           get_flag(reader, object, "passed", &attempt->passed) &&
           get_flag(reader, object, "finished", &attempt->finished) &&
           get_text(reader, object, "end", true, attempt->end, sizeof attempt->end) &&
           get_text(reader, object, "operator", false, attempt->operator_name, sizeof attempt->operator_name) &&
           get_text(reader, object, "machine", false, attempt->machine, sizeof attempt->machine) &&
           get_text(reader, object, "build", false, attempt->build, sizeof attempt->build) &&
           get_text(reader, object, "recording_xxh3", false, attempt->recording_hash, sizeof attempt->recording_hash) &&
           (json_object_get(object, "recording_seal") == NULL || // of an earlier version
            get_text(reader, object, "recording_seal", false, attempt->recording_seal, sizeof attempt->recording_seal));
}

static bool read_metrics(Reader *reader, const json_t *object, ResultAttempt *attempt)
{
    const json_t *list;
    if (!get_array(reader, object, "metrics", EXERCISE_MAX_METRICS, &list)) {
        return false;
    }
    size_t length = strlen(reader->place);
    attempt->metric_count = (int)json_array_size(list);
    for (int k = 0; k < attempt->metric_count; k++) {
        ExerciseMetric *metric = &attempt->metrics[k];
        const json_t *item = json_array_get(list, (size_t)k);
        snprintf(reader->place + length, PLACE - length, ".metrics[%d]", k);
        if (!get_text(reader, item, "name", true, metric->name, sizeof metric->name) ||
            !get_text(reader, item, "unit", false, metric->unit, sizeof metric->unit) ||
            !get_number(reader, item, "value", -LARGEST, LARGEST, &metric->value)) {
            return false;
        }
        for (int other = 0; other < k; other++) {
            if (strcmp(attempt->metrics[other].name, metric->name) == 0) {
                return refuse(reader, "name", "read \"%s\" a second time, allowed once", metric->name);
            }
        }
    }
    reader->place[length] = '\0';
    return true;
}

static bool read_scores(Reader *reader, const json_t *object, ResultAttempt *attempt)
{
    const json_t *list;
    if (!get_array(reader, object, "scores", SCENE_MAX_SCORES, &list)) {
        return false;
    }
    size_t length = strlen(reader->place);
    attempt->score_count = (int)json_array_size(list);
    for (int k = 0; k < attempt->score_count; k++) {
        ResultScore *row = &attempt->scores[k];
        const json_t *item = json_array_get(list, (size_t)k);
        snprintf(reader->place + length, PLACE - length, ".scores[%d]", k);
        if (!get_text(reader, item, "label", false, row->label, sizeof row->label) ||
            !get_text(reader, item, "group", false, row->group, sizeof row->group) ||
            !get_number(reader, item, "weight", 0.0, 100.0, &row->weight) ||
            !get_number(reader, item, "value", -LARGEST, LARGEST, &row->value) ||
            !get_number(reader, item, "share", 0.0, 1.0, &row->share) ||
            !get_number(reader, item, "points", 0.0, 100.0, &row->points)) {
            return false;
        }
    }
    reader->place[length] = '\0';
    return true;
}

/// Is an attempt of that name there already? -1 with `status`.
static int is_known(Results *results, const char *uuid, Status *status)
{
    sqlite3_stmt *row = results_prepare(results, "SELECT 1 FROM attempt WHERE uuid = ?", status);
    if (row == NULL) {
        return -1;
    }
    results_bind(row, 1, uuid);
    int known = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return known;
}

static bool take_attempt(Results *results, Reader *reader, const json_t *object, const char *trainee,
                         ResultsImport *import)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    bool good = attempt != NULL || status_fail(reader->status, STATUS_LACKING, "out of memory for an attempt");
    good = good && (json_is_object(object) || refuse(reader, "", "read %s, allowed an object", type_name(object))) &&
           read_head(reader, object, attempt) && read_metrics(reader, object, attempt) &&
           read_scores(reader, object, attempt);
    if (good) {
        snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee);
        int known = is_known(results, attempt->uuid, reader->status);
        import->known += known > 0;
        import->attempts += known == 0;
        good = known > 0 || (known == 0 && results_insert(results, attempt, reader->status));
    }
    free(attempt);
    return good;
}

/// ---- in ------------------------------------------------------------------------------------------------------------

static bool take_trainee(Results *results, Reader *reader, const json_t *object, int index, ResultsImport *import)
{
    char name[RESULT_NAME];
    const json_t *attempts;
    snprintf(reader->place, PLACE, "trainees[%d]", index);
    if (!get_text(reader, object, "name", true, name, sizeof name) ||
        !get_array(reader, object, "attempts", SIZE_MAX, &attempts) ||
        !results_insert_member(results, import->class_name, name, reader->status)) {
        return false;
    }
    import->trainees++;
    for (size_t k = 0; k < json_array_size(attempts); k++) {
        snprintf(reader->place, PLACE, "trainees[%d].attempts[%zu]", index, k);
        if (!take_attempt(results, reader, json_array_get(attempts, k), name, import)) {
            return false;
        }
    }
    return true;
}

static bool take_class(Results *results, Reader *reader, const json_t *root, ResultsImport *import)
{
    char format[32];
    double version;
    const json_t *trainees;
    if (!get_text(reader, root, "format", true, format, sizeof format) ||
        (strcmp(format, FORMAT) != 0 && !refuse(reader, "format", "read %s, allowed %s", format, FORMAT)) ||
        !get_number(reader, root, "version", VERSION, VERSION, &version) ||
        !get_text(reader, root, "class", true, import->class_name, sizeof import->class_name) ||
        !get_array(reader, root, "trainees", MOST_TRAINEES, &trainees)) {
        return false;
    }
    for (size_t k = 0; k < json_array_size(trainees); k++) {
        if (!take_trainee(results, reader, json_array_get(trainees, k), (int)k, import)) {
            return false;
        }
    }
    return true;
}

bool results_import_class(Results *results, const char *path, ResultsImport *import, Status *status)
{
    json_error_t error;
    *import = (ResultsImport){0};
    FILE *file = regular_file_open(path, status);
    if (file == NULL || !plain_text_check_file(path, file, status)) {
        if (file != NULL) {
            fclose(file);
        }
        return false;
    }
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (root == NULL && error.line < 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s", path, error.text);
    }
    if (root == NULL) {
        return status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    }
    Reader reader = {.path = path, .status = status};
    bool good =
        results_begin(results, status) && results_end(results, take_class(results, &reader, root, import), status);
    json_decref(root);
    return good && status_good(status);
}
