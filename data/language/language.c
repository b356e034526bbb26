/// Calls of gettext and of the process's locale; no other file has any.
#include "data/language/language.h"

#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data_files.h"

#define DOMAIN    "spadework-" ///< and the language: a domain of gettext for each, so that choosing one is one call
#define NO_DOMAIN "spadework-en" ///< has no catalogue: every text is its own
#define FOLDER    "mul" ///< of all catalogues, in the place of a language
#define LETTERS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/// Where the catalogues are: installed beside the program, or where the build made them.
static void find_catalogues(char folder[DATA_PATH_LENGTH])
{
    if (!data_find_installed("texts", folder)) {
        snprintf(folder, DATA_PATH_LENGTH, "%s", SPADEWORK_TEXTS_DIR);
    }
}

/// True for a name that the build made a catalogue of. Letters alone: the name becomes part of a path.
static bool has_catalogue(const char *language)
{
    size_t length = strspn(language, LETTERS);
    char folder[DATA_PATH_LENGTH], path[1024];
    find_catalogues(folder);
    int size = snprintf(path, sizeof path, "%s/" FOLDER "/LC_MESSAGES/" DOMAIN "%s.mo", folder, language);
    return length > 0 && length < 16 && language[length] == '\0' && size < (int)sizeof path && access(path, R_OK) == 0;
}

/// The two letters of the first language that the environment asks for, in the order in which gettext asks; "" = none.
static void language_of_environment(char language[8])
{
    static const char *const names[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    const char *asked = NULL;
    for (size_t k = 0; k < sizeof names / sizeof names[0] && (asked == NULL || asked[0] == '\0'); k++) {
        asked = getenv(names[k]);
    }
    size_t length = asked == NULL ? 0 : strspn(asked, LETTERS);
    snprintf(language, 8, "%.*s", length < 8 ? (int)length : 0, asked == NULL ? "" : asked);
}

/// Lets gettext find the catalogues, whatever the environment says. It asks LANGUAGE only where the locale is not "C";
/// C.UTF-8 is part of the C library itself. What the environment asks for stays LANGUAGE's first word.
static bool open_folder(void)
{
    char asked[8], folders[16];
    const char *now = getenv("LANGUAGE"), *last = now != NULL ? strrchr(now, ':') : NULL;
    if (last != NULL && strcmp(last, ":" FOLDER) == 0) {
        return true;
    }
    language_of_environment(asked);
    snprintf(folders, sizeof folders, "%s:" FOLDER, has_catalogue(asked) ? asked : "en"); // gettext stops at "C"
    return setlocale(LC_MESSAGES, "C.UTF-8") != NULL && setenv("LANGUAGE", folders, 1) == 0;
}

bool language_choose(const char *wanted, Status *status)
{
    char found[8] = "", domain[sizeof DOMAIN + 16], folder[DATA_PATH_LENGTH];
    bool open = open_folder();
    if (wanted == NULL) {
        language_of_environment(found);
    }
    const char *language = wanted != NULL ? wanted : found;
    if (!has_catalogue(language)) {
        bool english = wanted == NULL || strcmp(wanted, "en") == 0;
        if (english) {
            textdomain(NO_DOMAIN);
        }
        return english ||
               status_fail(status, STATUS_BAD_USAGE, "language: read %.40s, allowed en, " SPADEWORK_LANGUAGES, wanted);
    }
    snprintf(domain, sizeof domain, DOMAIN "%s", language);
    find_catalogues(folder);
    if (!open || bindtextdomain(domain, folder) == NULL || bind_textdomain_codeset(domain, "UTF-8") == NULL ||
        bind_textdomain_codeset("libc", "UTF-8") == NULL || textdomain(domain) == NULL) {
        return wanted == NULL ||
               status_fail(status, STATUS_LACKING, "language %.40s: this computer's C library has no C.UTF-8", wanted);
    }
    return true;
}

const char *language_code(void)
{
    return language_text("en"); // the language's own code, of two letters
}

const char *language_text(const char *english)
{
    return english == NULL || english[0] == '\0' ? english
                                                 : gettext(english); // the translation of "" is the catalogue's head
}

void language_end_whole(char *text)
{
    size_t length = strlen(text), begin = length;
    while (begin > 0 && ((unsigned char)text[begin - 1] & 0xC0u) == 0x80u) {
        begin--;
    }
    unsigned char first = begin > 0 ? (unsigned char)text[begin - 1] : 0;
    size_t needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
    if (needed > length - begin + 1) {
        text[begin - 1] = '\0';
    }
}

const char *language_decimal_mark(void)
{
    return language_text("."); // the decimal mark
}
