/// A class with its trainees and attempts as JSON, out and in: to move it from one computer to another.
#include <stdlib.h>
#include <string.h>

#include "trainer/results/results_store_internal.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_print.h"
#include "trainer/results/results_reader.h"

#define FORMAT  "spadework-class" ///< of the file
#define LARGEST 1e12 ///< any figure, in its unit. Chosen

enum { VERSION = RESULTS_ATTEMPT_VERSION, MOST_TRAINEES = 100000 };

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

bool results_export_class(Results *results, const char *class_name, const char *path, Status *status)
{
    json_t *value = class_json(results, class_name, status);
    bool good = value != NULL && results_write_json(path, value, 1, status);
    json_decref(value);
    return good && status_good(status);
}

/// ---- in ------------------------------------------------------------------------------------------------------------

/// One trainee of the file.
typedef struct Person {
    char name[RESULT_NAME];
    char gone[RESULT_TIME]; ///< UTC: when he was deleted here; "" = he was not, or is to come back
    bool added; ///< to the class
} Person;

/// Adds him to the class with the first attempt that stays.
static bool add_person(Results *results, ResultsReader *reader, Person *person, ResultsImport *import)
{
    if (person->added) {
        return true;
    }
    person->added = true;
    import->trainees++;
    return results_insert_member(results, import->class_name, person->name, reader->status);
}

/// What began before somebody was deleted stays deleted.
static bool take_attempt(Results *results, ResultsReader *reader, const json_t *object, Person *person,
                         ResultsImport *import)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        return status_fail(reader->status, STATUS_LACKING, "out of memory for an attempt");
    }
    bool good = results_read_attempt(reader, object, attempt);
    if (good && strcmp(attempt->started, person->gone) <= 0) {
        import->left_out++;
    } else if (good) {
        snprintf(attempt->trainee, sizeof attempt->trainee, "%s", person->name);
        int known = results_is_known(results, attempt->uuid, reader->status);
        import->known += known > 0;
        import->attempts += known == 0;
        good = known >= 0 && add_person(results, reader, person, import) &&
               (known > 0 || results_insert(results, attempt, reader->status));
    }
    free(attempt);
    return good;
}

/// Whether he was deleted here, or is brought back.
static bool find_person(Results *results, Person *person, bool restore, Status *status)
{
    return restore ? results_restore(results, person->name, status)
                   : results_find_gone(results, person->name, person->gone, status);
}

static bool take_trainee(Results *results, ResultsReader *reader, const json_t *object, int index, bool restore,
                         ResultsImport *import)
{
    Person person = {.gone = ""};
    const json_t *attempts;
    snprintf(reader->place, RESULTS_PLACE, "trainees[%d]", index);
    if (!results_read_text(reader, object, "name", true, person.name, sizeof person.name) ||
        !results_read_array(reader, object, "attempts", SIZE_MAX, &attempts) ||
        !find_person(results, &person, restore, reader->status) ||
        (person.gone[0] == '\0' && !add_person(results, reader, &person, import))) {
        return false;
    }
    for (size_t k = 0; k < json_array_size(attempts); k++) {
        snprintf(reader->place, RESULTS_PLACE, "trainees[%d].attempts[%zu]", index, k);
        if (!take_attempt(results, reader, json_array_get(attempts, k), &person, import)) {
            return false;
        }
    }
    if (!person.added) {
        snprintf(import->gone_name, sizeof import->gone_name, "%s",
                 import->gone == 0 ? person.name : import->gone_name);
        import->gone++;
    }
    return true;
}

static bool take_class(Results *results, ResultsReader *reader, const json_t *root, bool restore, ResultsImport *import)
{
    char format[32];
    double version = 0.0;
    const json_t *trainees;
    if (!results_read_text(reader, root, "format", true, format, sizeof format) ||
        (strcmp(format, FORMAT) != 0 && !results_refuse(reader, "format", "read %s, allowed %s", format, FORMAT)) ||
        !results_read_number(reader, root, "version", 1, VERSION, &version) ||
        !results_read_text(reader, root, "class", true, import->class_name, sizeof import->class_name) ||
        !results_read_array(reader, root, "trainees", MOST_TRAINEES, &trainees)) {
        return false;
    }
    reader->version = (int)version;
    for (size_t k = 0; k < json_array_size(trainees); k++) {
        if (!take_trainee(results, reader, json_array_get(trainees, k), (int)k, restore, import)) {
            return false;
        }
    }
    return true;
}

bool results_import_class(Results *results, const char *path, bool restore, ResultsImport *import, Status *status)
{
    *import = (ResultsImport){0};
    json_t *root = results_load_json(path, status);
    if (root == NULL) {
        return false;
    }
    ResultsReader reader = {.path = path, .largest = LARGEST, .status = status};
    bool good = results_begin(results, status) &&
                results_end(results, take_class(results, &reader, root, restore, import), status);
    json_decref(root);
    return good && status_good(status);
}
