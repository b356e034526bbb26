/// Reads saved results of `measured` (harness/comparison.h has their form) and puts those of several files together.
/// Every value that page and tables take from a file is checked before; other keys are ignored.
#include "tests/validation/command/saved.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "tests/validation/harness/comparison.h"

typedef enum FieldKind {
    FIELD_TEXT, ///< with a letter
    FIELD_ANY_TEXT, ///< may be empty
    FIELD_FLAG,
    FIELD_SEED,
    FIELD_NUMBER,
    FIELD_NUMBER_OR_NULL,
    FIELD_RANGE_OR_NULL,
    FIELD_TEXTS,
    FIELD_LIST,
} FieldKind;

typedef struct Field {
    const char *key;
    FieldKind kind;
    double low, high; ///< of numbers; how many elements of a list
    bool defines; ///< the set: the same in every run of it
} Field;

#define MOST 1e6 ///< of a figure, as in the files of sets

#define MOST_SETS 1000 ///< of a file

static const Field run_fields[] = {
    {"solver", FIELD_TEXT, 0, 0, false}, {"seed", FIELD_SEED, 0, 0, false},         {"quick", FIELD_FLAG, 0, 0, false},
    {"pass", FIELD_FLAG, 0, 0, false},   {"sets", FIELD_LIST, 1, MOST_SETS, false}, {NULL, FIELD_TEXT, 0, 0, false},
};

static const Field set_fields[] = {
    {"set", FIELD_TEXT, 0, 0, true},
    {"title", FIELD_TEXT, 0, 0, true},
    {"source", FIELD_TEXT, 0, 0, true},
    {"note", FIELD_TEXT, 0, 0, true},
    {"cases", FIELD_LIST, 1, COMPARISON_MOST_CASES, false},
    {NULL, FIELD_TEXT, 0, 0, false},
};

static const Field case_fields[] = {
    {"name", FIELD_TEXT, 0, 0, true},
    {"experiment", FIELD_TEXT, 0, 0, true},
    {"options", FIELD_TEXTS, 0, 0, true},
    {"quantity", FIELD_TEXT, 0, 0, true},
    {"over", FIELD_ANY_TEXT, 0, 0, true},
    {"per", FIELD_NUMBER, 1e-6, MOST, true},
    {"unit", FIELD_ANY_TEXT, 0, 0, true},
    {"measured", FIELD_RANGE_OR_NULL, 0, MOST, true},
    {"scatter", FIELD_NUMBER, 0, 1, true},
    {"ran", FIELD_FLAG, 0, 0, true},
    {"figure", FIELD_NUMBER_OR_NULL, -HUGE_VAL, HUGE_VAL, false},
    {"law", FIELD_NUMBER_OR_NULL, -HUGE_VAL, HUGE_VAL, false},
    {NULL, FIELD_TEXT, 0, 0, false},
};

/// Where in which file something is read, for error messages.
typedef struct Place {
    const char *file;
    char path[96]; ///< "" or "sets.0.cases.2."
    Status *status;
} Place;

static bool refuse(const Place *place, const char *key, const json_t *read, const char *allowed)
{
    char *text = read != NULL ? json_dumps(read, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10)) : NULL;
    status_fail(place->status, STATUS_BAD_FILE,
                "%s: %s%s: read %.60s, allowed is %s; `validate run measured --json` writes it", place->file,
                place->path, key, text != NULL ? text : "nothing", allowed);
    free(text);
    return false;
}

static bool is_text(const json_t *value, bool empty)
{
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    return text != NULL && strlen(text) == length && visible_text_fault(text, length, true, NULL) == VISIBLE_GOOD &&
           (empty || length > 0);
}

static bool are_texts(const json_t *list)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        if (!is_text(json_array_get(list, k), false)) {
            return false;
        }
    }
    return json_is_array(list);
}

static bool is_range(const json_t *value, double most)
{
    double low = json_number_value(json_array_get(value, 0)), high = json_number_value(json_array_get(value, 1));
    return json_array_size(value) == 2 && low > 0.0 && low <= high && high <= most;
}

static bool check_number(const Place *place, const Field *field, const json_t *value)
{
    double number = json_number_value(value);
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a number from %g to %g", field->low, field->high);
    return (json_is_number(value) && number >= field->low && number <= field->high) ||
           refuse(place, field->key, value, allowed);
}

static bool check_field(const Place *place, const Field *field, const json_t *value)
{
    switch (field->kind) {
    case FIELD_TEXT:
        return is_text(value, false) || refuse(place, field->key, value, "a text that can be displayed");
    case FIELD_ANY_TEXT:
        return is_text(value, true) || refuse(place, field->key, value, "a text that can be displayed, or \"\"");
    case FIELD_FLAG:
        return json_is_boolean(value) || refuse(place, field->key, value, "true or false");
    case FIELD_SEED:
        return (json_is_integer(value) && json_integer_value(value) >= 0) ||
               refuse(place, field->key, value, "a whole number from 0");
    case FIELD_NUMBER:
        return check_number(place, field, value);
    case FIELD_NUMBER_OR_NULL:
        return json_is_number(value) || json_is_null(value) || refuse(place, field->key, value, "a number or null");
    case FIELD_RANGE_OR_NULL:
        return json_is_null(value) || is_range(value, field->high) ||
               refuse(place, field->key, value, "null, or least and most above 0 and up to 1e6, in this order");
    case FIELD_TEXTS:
        return are_texts(value) || refuse(place, field->key, value, "a list of texts that can be displayed");
    case FIELD_LIST:
        break;
    }
    size_t size = json_array_size(value);
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a list of %g to %g elements", field->low, field->high);
    return (size >= (size_t)field->low && size <= (size_t)field->high) || refuse(place, field->key, value, allowed);
}

static bool check_fields(const Place *place, const Field *fields, const json_t *object)
{
    for (const Field *field = fields; field->key != NULL; field++) {
        if (!check_field(place, field, json_object_get(object, field->key))) {
            return false;
        }
    }
    return true;
}

static bool check_set(const char *file, size_t s, const json_t *set, Status *status)
{
    Place place = {.file = file, .status = status};
    snprintf(place.path, sizeof place.path, "sets.%zu.", s);
    if (!check_fields(&place, set_fields, set)) {
        return false;
    }
    const json_t *cases = json_object_get(set, "cases");
    for (size_t k = 0; k < json_array_size(cases); k++) {
        snprintf(place.path, sizeof place.path, "sets.%zu.cases.%zu.", s, k);
        if (!check_fields(&place, case_fields, json_array_get(cases, k))) {
            return false;
        }
    }
    return true;
}

static const char *name_of(const json_t *set)
{
    return json_string_value(json_object_get(set, "set"));
}

/// Whether a run holds no set twice.
static bool check_names(const char *file, const json_t *run, Status *status)
{
    const json_t *sets = json_object_get(run, "sets");
    for (size_t k = 0; k < json_array_size(sets); k++) {
        const json_t *set = json_array_get(sets, k);
        if (comparison_find_set(run, name_of(set)) != set) {
            return status_fail(status, STATUS_BAD_FILE,
                               "%s: sets.%zu.set: read \"%s\", which a set before it is called", file, k, name_of(set));
        }
    }
    return true;
}

static json_t *read_run(const char *path, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return NULL;
    }
    json_error_t error;
    json_t *run = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (run == NULL) {
        status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: no JSON: %s; `validate run measured --json` writes it", path,
                    error.line, error.column, error.text);
        return NULL;
    }
    Place place = {.file = path, .status = status};
    const json_t *name = json_object_get(run, "name");
    SoilSolver solver;
    bool good = name != NULL && json_is_string(name) && strcmp(json_string_value(name), "measured") == 0;
    good = (good || refuse(&place, "name", name, "\"measured\"")) && check_fields(&place, run_fields, run);
    if (good && !solver_find(json_string_value(json_object_get(run, "solver")), &solver)) {
        good = refuse(&place, "solver", json_object_get(run, "solver"), "\"default\", \"p2\" or \"gs\"");
    }
    const json_t *sets = json_object_get(run, "sets");
    for (size_t k = 0; good && k < json_array_size(sets); k++) {
        good = check_set(path, k, json_array_get(sets, k), status);
    }
    if (!good || !check_names(path, run, status)) {
        json_decref(run);
        return NULL;
    }
    return run;
}

/// The first key that defines a set, or a case of it, and differs; NULL: none does.
static const char *first_difference(const Field *fields, const json_t *a, const json_t *b)
{
    for (const Field *field = fields; field->key != NULL; field++) {
        if (field->defines && !json_equal(json_object_get(a, field->key), json_object_get(b, field->key))) {
            return field->key;
        }
    }
    return NULL;
}

static bool same_version(const char *file, const json_t *known, const json_t *set, Status *status)
{
    const json_t *cases = json_object_get(known, "cases"), *others = json_object_get(set, "cases");
    const char *key = first_difference(set_fields, known, set), *of = "the set";
    if (key == NULL && json_array_size(cases) != json_array_size(others)) {
        key = "cases";
    }
    for (size_t k = 0; key == NULL && k < json_array_size(cases); k++) {
        key = first_difference(case_fields, json_array_get(cases, k), json_array_get(others, k));
        of = json_string_value(json_object_get(json_array_get(cases, k), "name"));
    }
    return key == NULL ||
           status_fail(status, STATUS_BAD_FILE,
                       "%s: %s: %s of %s differs from that of a file before; both must be of one version of the set",
                       file, name_of(set), key, of);
}

/// Whether a run belongs to those that were read before.
static bool fits(const char *file, const SavedRuns *saved, const json_t *run, Status *status)
{
    static const char *const alike[] = {"solver", "quick"};
    for (size_t k = 0; saved->count > 0 && k < sizeof alike / sizeof alike[0]; k++) {
        const json_t *value = json_object_get(run, alike[k]), *before = json_object_get(saved->runs[0], alike[k]);
        if (!json_equal(value, before)) {
            char allowed[64], *text = json_dumps(before, JSON_ENCODE_ANY);
            snprintf(allowed, sizeof allowed, "%s as in the file before", text != NULL ? text : "the same");
            free(text);
            return refuse(&(Place){.file = file, .status = status}, alike[k], value, allowed);
        }
    }
    const json_t *sets = json_object_get(run, "sets");
    for (size_t k = 0; k < json_array_size(sets); k++) {
        const json_t *set = json_array_get(sets, k);
        for (int r = 0; r < saved->count; r++) {
            const json_t *known = comparison_find_set(saved->runs[r], name_of(set));
            const json_t *seed = json_object_get(run, "seed");
            if (known != NULL && json_equal(seed, json_object_get(saved->runs[r], "seed"))) {
                return status_fail(status, STATUS_BAD_FILE,
                                   "%s: sets.%zu.set: read \"%s\" of seed %lld, which a file before it has", file, k,
                                   name_of(set), (long long)json_integer_value(seed));
            }
            if (known != NULL && !same_version(file, known, set, status)) {
                return false;
            }
        }
    }
    return true;
}

/// Adds a run, which the saved ones own from then on: to that of its seed, or as one of its own.
static bool add_run(const char *file, SavedRuns *saved, json_t *run, Status *status)
{
    for (int r = 0; r < saved->count; r++) {
        json_t *known = saved->runs[r];
        if (json_equal(json_object_get(known, "seed"), json_object_get(run, "seed"))) {
            bool pass = json_is_true(json_object_get(known, "pass")) && json_is_true(json_object_get(run, "pass"));
            json_object_set_new(known, "pass", json_boolean(pass));
            bool added = json_array_extend(json_object_get(known, "sets"), json_object_get(run, "sets")) == 0;
            json_decref(run);
            return added || status_fail(status, STATUS_LACKING, "%s: out of memory", file);
        }
    }
    if (saved->count == SAVED_MOST_SEEDS) {
        json_decref(run);
        return status_fail(status, STATUS_BAD_FILE, "%s: one seed too many; allowed are %d", file, SAVED_MOST_SEEDS);
    }
    saved->runs[saved->count++] = run;
    return true;
}

bool saved_read(const char *const *paths, int count, SavedRuns *saved, Status *status)
{
    saved->count = 0;
    bool good = true;
    for (int k = 0; good && k < count; k++) {
        json_t *run = read_run(paths[k], status);
        good = run != NULL && fits(paths[k], saved, run, status);
        if (good) {
            good = add_run(paths[k], saved, run, status);
        } else {
            json_decref(run);
        }
    }
    if (!good) {
        saved_drop(saved);
    }
    return good;
}

void saved_drop(SavedRuns *saved)
{
    for (int k = 0; k < saved->count; k++) {
        json_decref(saved->runs[k]);
    }
    saved->count = 0;
}
