/// Finds the parts of a line between the letters of a pattern. A part reaches to the first place where the letters that
/// follow it in the pattern stand.
#include "data/language/sentence.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/language/language.h"
#include "data/language/quantity.h"

enum { MOST_PARTS = 10, PART_LENGTH = 128 };

typedef struct Parts {
    int count;
    char text[MOST_PARTS][PART_LENGTH];
} Parts;

/// Copies the letters of a pattern up to its next %s or end, %% as %; returns where it goes on.
static const char *read_letters(const char *pattern, char letters[PART_LENGTH])
{
    size_t length = 0;
    while (*pattern != '\0' && !(pattern[0] == '%' && pattern[1] == 's')) {
        pattern += pattern[0] == '%' && pattern[1] == '%' ? 1 : 0;
        if (length + 1 < PART_LENGTH) {
            letters[length++] = *pattern;
        }
        pattern++;
    }
    letters[length] = '\0';
    return pattern;
}

static bool fits(const char *pattern, const char *english, Parts *parts)
{
    char letters[PART_LENGTH];
    parts->count = 0;
    pattern = read_letters(pattern, letters);
    if (strncmp(english, letters, strlen(letters)) != 0) {
        return false;
    }
    english += strlen(letters);
    while (*pattern != '\0') {
        pattern = read_letters(pattern + 2, letters);
        const char *end = letters[0] == '\0' ? english + strlen(english) : strstr(english, letters);
        if (end == NULL || parts->count == MOST_PARTS) {
            return false;
        }
        snprintf(parts->text[parts->count++], PART_LENGTH, "%.*s", (int)(end - english), english);
        english = end + strlen(letters);
    }
    return *english == '\0';
}

/// A number with the language's mark, or in the other system with its unit; a word as it is said.
static void say_part(const char *part, SettingsUnits units, char said[PART_LENGTH])
{
    char *end = NULL;
    double value = strtod(part, &end);
    if (end == part || (*end != ' ' && *end != '\0')) {
        snprintf(said, PART_LENGTH, "%s", language_text(part));
        return;
    }
    const char *unit = *end == ' ' ? end + 1 : "1";
    if (units == SETTINGS_UNITS_IMPERIAL && *end == ' ') {
        snprintf(said, PART_LENGTH, "%s", quantity_named(value, unit, units).text);
        return;
    }
    snprintf(said, PART_LENGTH, "%s", part);
    char *point = memchr(said, '.', (size_t)(end - part));
    const char *mark = language_decimal_mark();
    if (point != NULL && strlen(mark) == 1) {
        *point = mark[0];
    }
}

static void say(const char *pattern, const Parts *parts, SettingsUnits units, char *text, size_t size)
{
    size_t used = 0;
    const char *rest = language_text(pattern);
    for (int k = 0; used < size; k++) {
        char letters[PART_LENGTH], said[PART_LENGTH] = "";
        rest = read_letters(rest, letters);
        if (*rest != '\0' && k < parts->count) {
            say_part(parts->text[k], units, said);
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", letters, said);
        if (*rest == '\0') {
            return;
        }
        rest += 2;
    }
}

void language_sentence(const char *const *patterns, int count, const char *english, SettingsUnits units, char *text,
                       size_t size)
{
    Parts parts;
    for (int k = 0; k < count; k++) {
        if (fits(patterns[k], english, &parts)) {
            say(patterns[k], &parts, units, text, size);
            return;
        }
    }
    snprintf(text, size, "%s", language_text(english));
}
