/// Texts, names and the decimal mark in the language of who reads.
#include "data/core/reader.h"

#include <stdio.h>
#include <string.h>

#include "data/core/language.h"

/// gettext looks a text of a context up by the context, this letter and the text.
#define CONTEXT "name\004"

const TextReader reader_of_files = {.english = true, .units = TEXT_UNITS_METRIC};

const char *reader_text(const TextReader *reader, const char *english)
{
    return reader->english ? english : language_text(english);
}

const char *reader_name(const TextReader *reader, const char *name)
{
    char key[160];
    int size = snprintf(key, sizeof key, CONTEXT "%s", name);
    if (reader->english || name[0] == '\0' || size >= (int)sizeof key) {
        return name;
    }
    const char *translation = language_text(key);
    return translation == key ? name : translation;
}

const char *reader_decimal_mark(const TextReader *reader)
{
    return reader->english ? "." : language_decimal_mark();
}
