/// Reads the settings KEY=VALUE of an experiment strictly (digits only, within the range, one of the words) and keeps
/// one value for each option that the experiment lists. An error names the key and what is allowed.
#include "tests/validation/harness/options.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"

bool read_number(const char *text, double *value)
{
    if (text[0] == '\0' || strspn(text, "0123456789+-.eE") != strlen(text)) {
        return false;
    }
    char *end;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

bool read_whole(const char *text, uint64_t high, uint64_t *value)
{
    *value = 0;
    if (text[0] == '\0') {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        uint64_t digit = (uint64_t)(*c - '0');
        if (digit > high || *value > (high - digit) / 10) {
            return false;
        }
        *value = *value * 10 + digit;
    }
    return true;
}

/// Copies the first of the words "a|b|c", or finds `wanted` among them. False when it is not there.
static bool choose_word(const char *choices, const char *wanted, char word[OPTION_WORD_LENGTH])
{
    for (const char *start = choices;;) {
        size_t length = strcspn(start, "|");
        assert(length < OPTION_WORD_LENGTH);
        if (wanted == NULL || (strlen(wanted) == length && strncmp(start, wanted, length) == 0)) {
            memcpy(word, start, length);
            word[length] = '\0';
            return true;
        }
        if (start[length] == '\0') {
            return false;
        }
        start += length + 1;
    }
}

/// Whether the last of an option's words allows other texts, of the kind that `other` stands for.
static bool allows_other(const char *choices, const char *other)
{
    const char *last = strrchr(choices, '|');
    return last != NULL && strcmp(last + 1, other) == 0;
}

/// Reads one of an option's words, or the name of a soil that can be read.
static bool read_word(const ExperimentOption *option, const char *text, OptionValue *value, Status *status)
{
    bool any_soil = allows_other(option->choices, OTHER_SOIL), any_text = allows_other(option->choices, OTHER_TEXT);
    const char *sign = any_soil ? OTHER_SOIL : OTHER_TEXT; // stands in the list for other texts, and is none itself
    bool listed = choose_word(option->choices, text, value->word), other = any_soil || any_text;
    if (listed && !(other && strcmp(text, sign) == 0)) {
        return true;
    }
    if (listed || !other || text[0] == '\0' || strlen(text) >= OPTION_WORD_LENGTH) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %s=%s: allowed are: %s", option->key, text,
                           option->choices);
    }
    SoilParams soil;
    Status reason;
    if (any_soil && !data_load_soil(text, &soil, NULL, &reason)) {
        return status_fail(status, reason.code, "--set %s=%s: %s", option->key, text, reason.text);
    }
    snprintf(value->word, sizeof value->word, "%s", text);
    return true;
}

/// Number of the option `key` (its first `length` characters), or -1.
static int find_option(const Experiment *experiment, const char *key, size_t length)
{
    for (int k = 0; experiment->options != NULL && experiment->options[k].key != NULL; k++) {
        const char *name = experiment->options[k].key;
        if (strlen(name) == length && strncmp(name, key, length) == 0) {
            return k;
        }
    }
    return -1;
}

static bool refuse_key(const Experiment *experiment, const char *setting, Status *status)
{
    char known[256] = "";
    for (int k = 0; experiment->options != NULL && experiment->options[k].key != NULL; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", experiment->options[k].key);
    }
    return status_fail(status, STATUS_BAD_USAGE, "--set %s: %s has no such key; allowed are: %s", setting,
                       experiment->name, known[0] != '\0' ? known : "none");
}

static bool read_setting(Options *options, const char *setting, Status *status)
{
    const Experiment *experiment = options->experiment;
    const char *equals = strchr(setting, '=');
    if (equals == NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %s: KEY=VALUE is expected", setting);
    }
    int k = find_option(experiment, setting, (size_t)(equals - setting));
    if (k < 0) {
        return refuse_key(experiment, setting, status);
    }
    const ExperimentOption *option = &experiment->options[k];
    OptionValue *value = &options->values[k];
    const char *text = equals + 1;
    if (option->choices != NULL) {
        if (!read_word(option, text, value, status)) {
            return false;
        }
    } else if (!read_number(text, &value->number) || value->number < option->low || value->number > option->high) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %s=%s: a number from %g to %g is expected%s%s", option->key,
                           text, option->low, option->high, option->unit[0] != '\0' ? ", in " : "", option->unit);
    }
    value->set = true;
    return true;
}

bool options_read(Options *options, const Experiment *experiment, const char *const *settings, int count,
                  Status *status)
{
    options->experiment = experiment;
    const ExperimentOption *known = experiment->options;
    for (int k = 0; known != NULL && known[k].key != NULL; k++) {
        assert(k < OPTIONS_MOST);
        options->values[k].number = known[k].fallback;
        if (known[k].choices != NULL) {
            choose_word(known[k].choices, NULL, options->values[k].word);
        }
    }
    for (int k = 0; k < count; k++) {
        if (!read_setting(options, settings[k], status)) {
            return false;
        }
    }
    return status_good(status);
}

json_t *options_to_json(const Options *options)
{
    json_t *object = json_object();
    const ExperimentOption *known = options->experiment->options;
    for (int k = 0; known != NULL && known[k].key != NULL; k++) {
        const OptionValue *value = &options->values[k];
        json_t *shown = json_null(); // as the soil's file has it
        if (known[k].choices != NULL) {
            shown = json_string(value->word);
        } else if (!isnan(value->number)) {
            shown = json_real(value->number);
        }
        json_object_set_new(object, known[k].key, shown);
    }
    return object;
}

void options_print(const Experiment *experiment, FILE *file)
{
    const ExperimentOption *options = experiment->options;
    for (int k = 0; options != NULL && options[k].key != NULL; k++) {
        const ExperimentOption *option = &options[k];
        if (option->choices != NULL) {
            fprintf(file, "  %-14s %s: %s (the first is the default)\n", option->key, option->text, option->choices);
        } else if (isnan(option->fallback)) {
            fprintf(file, "  %-14s %s: %g..%g%s%s, default: as the soil's file has it\n", option->key, option->text,
                    option->low, option->high, option->unit[0] != '\0' ? " " : "", option->unit);
        } else {
            fprintf(file, "  %-14s %s: %g..%g%s%s, default %g\n", option->key, option->text, option->low, option->high,
                    option->unit[0] != '\0' ? " " : "", option->unit, option->fallback);
        }
    }
}

int options_find(const Options *options, const char *key)
{
    int k = find_option(options->experiment, key, strlen(key));
    if (k < 0) { // also without asserts
        fprintf(stderr, "%s asks for the option %s, which it does not list\n", options->experiment->name, key);
        abort();
    }
    return k;
}
