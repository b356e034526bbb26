/// Tells a row's type, bounds and fallback in the words of an error message, so that the reference of keys and the
/// comments of a new exercise say what `check` says.
#include "data/schema/key_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BEYOND 1e8 ///< bounds of more than this are none

static bool is_numeric(const DataKey *row)
{
    return row->type == KEY_NUMBER || row->type == KEY_TUPLE;
}

/// Length of the unit in front of a meaning; 0 of what has none.
static size_t unit_length(const DataKey *row)
{
    const char *end = is_numeric(row) && row->meaning != NULL ? strstr(row->meaning, ": ") : NULL;
    return end != NULL ? (size_t)(end - row->meaning) : 0;
}

void key_unit(const DataKey *row, char unit[KEY_UNIT])
{
    snprintf(unit, KEY_UNIT, "%.*s", (int)unit_length(row), row->meaning != NULL ? row->meaning : "");
}

const char *key_phrase(const DataKey *row)
{
    size_t unit = unit_length(row);
    return row->meaning == NULL ? "" : row->meaning + (unit > 0 ? unit + 2 : 0);
}

int key_choice_count(const DataKey *row)
{
    int count = 0;
    while (row->type == KEY_CHOICE && row->choices[count].name != NULL) {
        count++;
    }
    return count;
}

void key_type(const DataKey *row, char words[KEY_WORDS])
{
    static const char *const types[] = {[KEY_NUMBER] = "number",
                                        [KEY_INTEGER] = "whole number",
                                        [KEY_SEED] = "whole number",
                                        [KEY_TEXT] = "text",
                                        [KEY_CHOICE] = "choice",
                                        [KEY_MAPPING] = "keys",
                                        [KEY_ONE] = "one key",
                                        [KEY_LIST] = "list",
                                        [KEY_TUPLE] = "",
                                        [KEY_KIND] = "word",
                                        [KEY_FORMER] = "former name"};
    if (row->type == KEY_TUPLE) {
        snprintf(words, KEY_WORDS, "%d numbers", row->count_max);
    } else {
        snprintf(words, KEY_WORDS, "%s", types[row->type]);
    }
}

static void list_choices(const DataKey *row, char words[KEY_WORDS])
{
    int count = key_choice_count(row);
    words[0] = '\0';
    if (count > KEY_FEW_CHOICES) {
        snprintf(words, KEY_WORDS, "one of %d names", count);
        return;
    }
    for (int k = 0; k < count; k++) {
        size_t length = strlen(words);
        const char *join = k == 0 ? "" : k == count - 1 ? " or " : ", ";
        snprintf(words + length, KEY_WORDS - length, "%s%s", join, row->choices[k].name);
    }
}

void key_allowed(const DataKey *row, char words[KEY_WORDS])
{
    words[0] = '\0';
    switch (row->type) {
    case KEY_NUMBER:
    case KEY_TUPLE:
        if (row->max > BEYOND) {
            snprintf(words, KEY_WORDS, "any");
        } else {
            snprintf(words, KEY_WORDS, "%.10g to %.10g", row->min, row->max);
        }
        break;
    case KEY_INTEGER:
        snprintf(words, KEY_WORDS, "%.0f to %.0f", row->min, row->max);
        break;
    case KEY_SEED:
        snprintf(words, KEY_WORDS, "0 to 9223372036854775807");
        break;
    case KEY_TEXT:
        snprintf(words, KEY_WORDS, "up to %zu bytes%s", row->size - 1, row->lines ? ", several lines" : "");
        break;
    case KEY_CHOICE:
        list_choices(row, words);
        break;
    case KEY_LIST:
        snprintf(words, KEY_WORDS, "%d to %d items", row->count_min, row->count_max);
        break;
    case KEY_MAPPING:
    case KEY_ONE:
    case KEY_KIND:
    case KEY_FORMER:
        break;
    }
}

/// The name of the choice that zero stands for: a missing choice leaves its member zero.
static const char *first_choice(const DataKey *row)
{
    for (const KeyChoice *choice = row->choices; choice->name != NULL; choice++) {
        if (choice->value == 0) {
            return choice->name;
        }
    }
    return "";
}

void key_default(const DataKey *row, char words[KEY_WORDS])
{
    words[0] = '\0';
    if (!row->optional) {
        return;
    }
    if (row->type == KEY_NUMBER && fabs(row->fallback) < BEYOND) {
        snprintf(words, KEY_WORDS, "%.10g", row->fallback);
    } else if (row->type == KEY_INTEGER) {
        snprintf(words, KEY_WORDS, "%.0f", row->fallback);
    } else if (row->type == KEY_CHOICE && key_choice_count(row) <= KEY_FEW_CHOICES) {
        snprintf(words, KEY_WORDS, "%s", first_choice(row));
    }
}
