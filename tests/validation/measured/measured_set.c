/// Reads files of published measurements with the tables of keys that all of the project's files are read with.
#include "tests/validation/measured/measured_set.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/references.h"
#include "tests/validation/harness/experiments.h"

#define FOLDER    SPADEWORK_TEST_DIR "/validation/measured/sets"
#define EXTENSION ".yaml"
#define SOIL_KEY  "soil="
#define MOST      1e6 ///< of a figure

static const KeyChoice truths[] = {{"yes", 1}, {"no", 0}, {NULL, 0}};

static const DataKey setting_item = {
    .type = KEY_TEXT, .size = sizeof(MeasuredSetting), .min = 3, .meaning = "KEY=VALUE of the experiment"};

static const DataKey case_keys[] = {
    ROW_TEXT("name", MeasuredCase, name, "what was measured"),
    ROW_TEXT("experiment", MeasuredCase, experiment, "which experiment repeats it"),
    ROW_LIST_OPTIONAL("set", MeasuredCase, settings, setting_count, 0, MEASURED_MOST_SETTINGS, &setting_item,
                      "its options"),
    ROW_TEXT("quantity", MeasuredCase, quantity, "which of its results is compared"),
    ROW_TEXT_OPTIONAL("unit", MeasuredCase, unit, "unit of the figure that is compared"),
    ROW_TEXT_OPTIONAL("over", MeasuredCase, over, "the case by whose figure that is divided"),
    ROW_NUMBER_OR("per", MeasuredCase, per, 1e-6, MOST, 1, 1.0, "by which the figure is divided"),
    ROW_TUPLE_OPTIONAL("measured", MeasuredCase, measured, double, 2, -MOST, MOST, 1,
                       "least and most that was measured"),
    ROW_NUMBER_OR("scatter", MeasuredCase, scatter, 0, 1, 1, 0.0, "by which a repetition may differ from that"),
    ROW_TEXT_OPTIONAL("law_quantity", MeasuredCase, law_quantity, "the result that is the classical law's"),
    ROW_NUMBER_OR("law", MeasuredCase, law, -MOST, MOST, 1, 0.0, "what the classical law says"),
    ROW_CHOICE_OPTIONAL("quick", MeasuredCase, quick, truths, "whether the quick form has it"),
    ROW_END,
};

static const DataKey case_item = ROW_ITEM(MeasuredCase, case_keys);

static const DataKey set_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", MeasuredSet, title, "one line"),
    ROW_TEXT_LINES("source", MeasuredSet, source, "who measured it, and where it is published"),
    ROW_TEXT_LINES("note", MeasuredSet, note, "how it is repeated, and what differs"),
    ROW_LIST("cases", MeasuredSet, cases, case_count, 1, MEASURED_MOST_CASES, &case_item, "the measurements"),
    ROW_END,
};

static bool is_measured(const MeasuredCase *one)
{
    return one->measured[0] != 0.0 || one->measured[1] != 0.0;
}

/// Names, references and ranges, which need more than one key.
static bool check_set(Document *document, const void *params, Status *status)
{
    const MeasuredSet *set = params;
    for (int k = 0; k < set->case_count; k++) {
        const MeasuredCase *one = &set->cases[k];
        if (measured_set_find(set, one->name) != k) {
            return document_fail_at(document, document_path("cases.%d.name", k).text, status,
                                    "read %s, a case before it has that name; allowed is a name of its own", one->name);
        }
        if (experiment_find(one->experiment) == NULL) {
            return document_fail_at(document, document_path("cases.%d.experiment", k).text, status,
                                    "read %s, allowed is a name that `validate list` prints", one->experiment);
        }
        int over = one->over[0] != '\0' ? measured_set_find(set, one->over) : -2;
        if (over == -1 || over == k || (over >= 0 && set->cases[over].over[0] != '\0')) {
            return document_fail_at(document, document_path("cases.%d.over", k).text, status,
                                    "read %s, allowed is the name of another case that is divided by none", one->over);
        }
        if (over >= 0 && one->law_quantity[0] != '\0' && set->cases[over].law_quantity[0] == '\0') {
            return document_fail_at(document, document_path("cases.%d.law_quantity", k).text, status,
                                    "%s, by which it is divided, has no law_quantity; allowed is none, or one of both",
                                    one->over);
        }
        if (one->measured[0] > one->measured[1]) {
            return document_fail_at(document, document_path("cases.%d.measured", k).text, status,
                                    "read %g to %g, allowed are the least and the most, in this order",
                                    one->measured[0], one->measured[1]);
        }
        if (is_measured(one) && one->measured[0] <= 0.0) {
            return document_fail_at(document, document_path("cases.%d.measured", k).text, status,
                                    "read %g, allowed are figures above 0: errors are shares of them",
                                    one->measured[0]);
        }
    }
    return true;
}

static const DataSchema schema = {.kind = "measured",
                                  .folder = "measured",
                                  .keys = set_keys,
                                  .size = sizeof(MeasuredSet),
                                  .name_size = MEASURED_NAME,
                                  .check = check_set};

static bool ends_in_yaml(const char *text)
{
    size_t length = strlen(text), tail = strlen(EXTENSION);
    return length > tail && strcmp(text + length - tail, EXTENSION) == 0;
}

/// soil=FILE.yaml leads to the folder of the set's file.
static bool find_soils(const char *path, MeasuredSet *set, Status *status)
{
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    for (int k = 0; k < set->case_count; k++) {
        for (int s = 0; s < set->cases[k].setting_count; s++) {
            char *text = set->cases[k].settings[s].text, found[OPTION_WORD_LENGTH];
            const char *file = text + strlen(SOIL_KEY);
            if (strncmp(text, SOIL_KEY, strlen(SOIL_KEY)) != 0 || !ends_in_yaml(text) || file[0] == '/') {
                continue;
            }
            int length = snprintf(found, sizeof found, SOIL_KEY "%.*s%s", folder, path, file);
            if (length >= (int)sizeof found) {
                return status_fail(status, STATUS_BAD_FILE, "%s: cases.%d.set: the path of %s is too long, at most %d",
                                   path, k, file, (int)sizeof found - 1);
            }
            memcpy(text, found, (size_t)length + 1);
        }
    }
    return true;
}

int measured_set_find(const MeasuredSet *set, const char *name)
{
    for (int k = 0; k < set->case_count; k++) {
        if (strcmp(set->cases[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/// A set's file begins with its kind; soils lie beside them.
static bool is_set(const char *file)
{
    static const char begins[] = "kind: measured\n";
    char path[DATA_PATH_LENGTH], *text;
    size_t size;
    Status ignored;
    snprintf(path, sizeof path, FOLDER "/%s", file);
    bool is = ends_in_yaml(file) && file_read(path, &text, &size, &ignored);
    if (is) {
        is = strncmp(text, begins, sizeof begins - 1) == 0;
        free(text);
    }
    return is;
}

int measured_set_list(char names[MEASURED_MOST_SETS][MEASURED_NAME], Status *status)
{
    struct dirent **entries;
    int found = scandir(FOLDER, &entries, NULL, alphasort), count = 0;
    for (int k = 0; k < found; k++) {
        const char *file = entries[k]->d_name;
        if (is_set(file) && count < MEASURED_MOST_SETS) {
            snprintf(names[count++], MEASURED_NAME, "%.*s", (int)(strlen(file) - strlen(EXTENSION)), file);
        }
        free(entries[k]);
    }
    if (found >= 0) {
        free(entries);
    }
    if (count == 0) {
        status_fail(status, STATUS_BAD_FILE, FOLDER ": holds no sets of measurements");
    }
    return count;
}

static bool is_shipped(const char *name)
{
    char file[MEASURED_NAME + sizeof EXTENSION];
    int length = snprintf(file, sizeof file, "%s" EXTENSION, name);
    return length < (int)sizeof file && strchr(name, '/') == NULL && is_set(file);
}

static bool refuse_name(const char *name, Status *status)
{
    char names[MEASURED_MOST_SETS][MEASURED_NAME], known[512] = "";
    int count = measured_set_list(names, status);
    for (int k = 0; k < count; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", names[k]);
    }
    return status_fail(status, STATUS_BAD_FILE, "no set named %s; there are %s, or a file that ends in " EXTENSION,
                       name, known);
}

bool measured_set_load(const char *name, MeasuredSet *set, Status *status)
{
    char path[DATA_PATH_LENGTH], *text;
    size_t size;
    int length = ends_in_yaml(name) ? snprintf(path, sizeof path, "%s", name)
                                    : snprintf(path, sizeof path, FOLDER "/%s" EXTENSION, name);
    if (!ends_in_yaml(name) && !is_shipped(name)) {
        return refuse_name(name, status);
    }
    if (length >= (int)sizeof path) {
        return status_fail(status, STATUS_BAD_FILE, "%s: the path is too long, at most %d", name, (int)sizeof path - 1);
    }
    if (!file_read(path, &text, &size, status)) {
        return false;
    }
    Document document;
    bool good = document_open(&document, path, text, size, status);
    if (good) {
        good = schema_read(&schema, &document, set, status) && find_soils(path, set, status);
        document_close(&document);
    }
    free(text);
    if (good) {
        const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
        snprintf(set->name, sizeof set->name, "%.*s", (int)(strlen(file) - strlen(EXTENSION)), file);
    }
    return good;
}
