/// A language that shows where it was used: each translated text has other vowels, and a text that is drawn with a
/// plain vowel has never been given to language_text, or no language has it. Units and keys have none, or are known.
///
/// A program that includes this is linked with --wrap of language_text, pango_layout_set_text and cairo_show_text.
#ifndef SPADEWORK_TESTS_MARKED_WORDS_H
#define SPADEWORK_TESTS_MARKED_WORDS_H

#include <cairo/cairo.h>
#include <ctype.h>
#include <pango/pango.h>

#include "data/core/language.h"
#include "tests/support/test.h"

enum { MARKED_TABLE = 8192, MARKED_MOST_FAULTS = 60 };

typedef struct MarkedText {
    const char *english; ///< the catalogue's: NULL: a free place
    char *marked;
} MarkedText;

static MarkedText marked_table[MARKED_TABLE];
static int marked_faults, marked_seen;
static char marked_told[MARKED_MOST_FAULTS][160];
static const char *marked_where = "";

const char *__real_language_text(const char *english);
const char *__wrap_language_text(const char *english);
void __real_pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void __wrap_pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void __real_cairo_show_text(cairo_t *cairo, const char *text);
void __wrap_cairo_show_text(cairo_t *cairo, const char *text);

/// Writes the text with other vowels, but for places of values.
static inline void mark_text(const char *english, char *marked)
{
    static const char *const vowels[][2] = {{"a", "\u00e4"}, {"e", "\u00eb"}, {"i", "\u00ef"}, {"o", "\u00f6"},
                                            {"u", "\u00fc"}, {"A", "\u00c4"}, {"E", "\u00cb"}, {"I", "\u00cf"},
                                            {"O", "\u00d6"}, {"U", "\u00dc"}};
    for (const char *c = english; *c != '\0';) {
        size_t place = *c == '%' ? 1 + strspn(c + 1, "+-#0123456789.lhz") + 1 : 0;
        const char *put = NULL;
        for (size_t k = 0; k < sizeof vowels / sizeof vowels[0] && place == 0; k++) {
            put = *c == vowels[k][0][0] ? vowels[k][1] : put;
        }
        if (put != NULL) {
            memcpy(marked, put, 2);
            marked += 2;
            c++;
        } else {
            size_t length = place > 0 ? place : 1;
            for (size_t k = 0; k < length && *c != '\0'; k++) {
                *marked++ = *c++;
            }
        }
    }
    *marked = '\0';
}

const char *__wrap_language_text(const char *english)
{
    const char *known = __real_language_text(english);
    if (known == english || english == NULL || english[0] == '\0') {
        return english;
    }
    unsigned hash = 5381;
    for (const char *c = english; *c != '\0'; c++) {
        hash = 33 * hash + (unsigned char)*c;
    }
    for (unsigned k = hash % MARKED_TABLE;; k = (k + 1) % MARKED_TABLE) {
        MarkedText *text = &marked_table[k];
        if (text->english == NULL) {
            size_t size = strlen(english) + 1;
            char *copy = malloc(size);
            text->marked = malloc(2 * size);
            assert_true(copy != NULL && text->marked != NULL);
            memcpy(copy, english, size);
            mark_text(english, text->marked);
            text->english = copy;
        }
        if (strcmp(text->english, english) == 0) {
            return text->marked;
        }
    }
}

/// Is a word the same in all languages: a unit, a name, a file?
static inline bool mark_is_common(const char *word, size_t length)
{
    static const char *const common[] = {"MPa", "psi",     "in",      "UTC",    "Spadework", "Ann",  "ISO",
                                         "SAE", "English", "Deutsch", "Espa",   "rev",       "min",  "USB",
                                         "Esc", "Enter",   "Ada",     "trench", "Back",      "Start"};
    for (size_t k = 0; k < sizeof common / sizeof common[0]; k++) {
        if (strlen(common[k]) == length && memcmp(common[k], word, length) == 0) {
            return true;
        }
    }
    return false;
}

/// Looks for words with plain vowels; what has a slash or a dot inside, or stands behind "spadework", is a file or a
/// command.
static inline bool mark_has_plain_word(const char *text)
{
    const char *rest = text;
    while (*rest != '\0') {
        rest += strspn(rest, " \n");
        size_t length = strcspn(rest, " \n"), begin = 0;
        if (length == strlen("spadework") && memcmp(rest, "spadework", length) == 0) {
            return false; // a command to the end
        }
        bool file =
            strncmp(rest, "--", 2) == 0 || memchr(rest, '/', length) != NULL || memchr(rest, '_', length) != NULL;
        for (size_t k = 1; k + 2 < length; k++) {
            file |= rest[k] == '.' && isalpha((unsigned char)rest[k + 1]) && isalnum((unsigned char)rest[k - 1]);
        }
        for (size_t k = 0; k <= length && !file; k++) {
            bool letter = k < length && (isalpha((unsigned char)rest[k]) || (unsigned char)rest[k] >= 0x80);
            if (letter) {
                continue;
            }
            bool plain = false;
            for (size_t n = begin; n < k; n++) {
                plain |= strchr("aeiouAEIOU", rest[n]) != NULL;
            }
            if (plain && k > begin + 1 && !mark_is_common(rest + begin, k - begin)) {
                return true;
            }
            begin = k + 1;
        }
        rest += length;
    }
    return false;
}

/// Counts a drawn text that is in no language, each once.
static inline void mark_look(const char *text)
{
    marked_seen++;
    if (!mark_has_plain_word(text)) {
        return;
    }
    for (int k = 0; k < marked_faults && k < MARKED_MOST_FAULTS; k++) {
        if (strncmp(marked_told[k], text, 150) == 0) {
            return;
        }
    }
    if (marked_faults < MARKED_MOST_FAULTS) {
        snprintf(marked_told[marked_faults], sizeof marked_told[0], "%.150s", text);
    }
    print_error("%s: \"%s\" is in no language\n", marked_where, text);
    marked_faults++;
}

void __wrap_pango_layout_set_text(PangoLayout *layout, const char *text, int length)
{
    mark_look(text);
    __real_pango_layout_set_text(layout, text, length);
}

void __wrap_cairo_show_text(cairo_t *cairo, const char *text)
{
    mark_look(text);
    __real_cairo_show_text(cairo, text);
}

/// Fails when a text since the last call was in no language, or nothing was drawn.
static inline void mark_judge(void)
{
    int faults = marked_faults, seen = marked_seen;
    marked_faults = marked_seen = 0;
    assert_true(seen > 0);
    assert_int_equal(faults, 0);
}

#endif
