/// Calls of gettext and of the process's locale; no other file has any.
#include "data/language/language.h"

#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DOMAIN    "spadework"
#define NO_DOMAIN "spadework-untranslated" ///< has no catalogues: every text is its own
#define LETTERS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/// True for a name that the build made a catalogue of. Letters alone: the name becomes part of a path.
static bool has_catalogue(const char *language)
{
    size_t length = strspn(language, LETTERS);
    char path[1024];
    int size = snprintf(path, sizeof path, SPADEWORK_TEXTS_DIR "/%s/LC_MESSAGES/" DOMAIN ".mo", language);
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

bool language_choose(const char *wanted, Status *status)
{
    char found[8] = "";
    if (wanted == NULL) {
        language_of_environment(found);
    }
    const char *language = wanted != NULL ? wanted : found;
    if (!has_catalogue(language)) {
        textdomain(NO_DOMAIN);
        return wanted == NULL || strcmp(wanted, "en") == 0 ||
               status_fail(status, STATUS_BAD_USAGE, "language: read %.40s, allowed en, " SPADEWORK_LANGUAGES, wanted);
    }
    // gettext asks LANGUAGE only where the locale is not "C"; C.UTF-8 is part of the C library itself.
    if (setlocale(LC_MESSAGES, "C.UTF-8") == NULL || setenv("LANGUAGE", language, 1) != 0 ||
        bindtextdomain(DOMAIN, SPADEWORK_TEXTS_DIR) == NULL || bind_textdomain_codeset(DOMAIN, "UTF-8") == NULL ||
        textdomain(DOMAIN) == NULL) {
        return wanted == NULL ||
               status_fail(status, STATUS_LACKING, "language %.40s: this computer's C library has no C.UTF-8", wanted);
    }
    return true;
}

const char *language_text(const char *english)
{
    return english == NULL || english[0] == '\0' ? english
                                                 : gettext(english); // the translation of "" is the catalogue's head
}

const char *language_decimal_mark(void)
{
    return language_text("."); // the decimal mark
}
