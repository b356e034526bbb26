/// The catalogues that were chosen, and the process's locale of messages; no other file has either.
#include "data/core/language.h"

#include <libintl.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/catalogue.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/// A language whose catalogue was read. Kept to the end of the process: its texts may be in use anywhere.
typedef struct Language {
    struct Language *next;
    Catalogue *catalogue;
    char name[16];
} Language;

static _Atomic(const Language *) chosen; ///< NULL = English
static Language *languages; ///< all that were chosen so far
static pthread_mutex_t choosing = PTHREAD_MUTEX_INITIALIZER; ///< guards `languages`
static pthread_once_t messages_set = PTHREAD_ONCE_INIT;

/// The path of a language's catalogue, installed beside the program or where the build made it. False when the build
/// made none of this name. Letters alone: the name becomes part of a path.
static bool find_catalogue(const char *language, char path[1024])
{
    size_t length = strspn(language, LETTERS);
    char folder[DATA_PATH_LENGTH];
    if (!data_find_installed("texts", folder)) {
        snprintf(folder, sizeof folder, "%s", SPADEWORK_TEXTS_DIR);
    }
    int size = snprintf(path, 1024, "%s/%s.mo", folder, language);
    return length > 0 && length < sizeof((Language *)NULL)->name && language[length] == '\0' && size < 1024 &&
           access(path, R_OK) == 0;
}

/// The letters of the first language that the environment asks for, in the order in which gettext asks; "" = none.
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

/// The system's own messages ("No space left on device") are in the user's language where the system has it.
static void set_messages(void)
{
    setlocale(LC_MESSAGES, "");
    bind_textdomain_codeset("libc", "UTF-8");
}

/// The language of this name, whose catalogue is read when it is asked for first. NULL with `status`.
static const Language *open_language(const char *name, const char *path, Status *status)
{
    for (const Language *known = languages; known != NULL; known = known->next) {
        if (strcmp(known->name, name) == 0) {
            return known;
        }
    }
    Language *language = calloc(1, sizeof *language);
    if (language == NULL) {
        status_fail(status, STATUS_LACKING, "language %s: no memory", name);
        return NULL;
    }
    language->catalogue = catalogue_open(path, status);
    if (language->catalogue == NULL) {
        free(language);
        return NULL;
    }
    snprintf(language->name, sizeof language->name, "%s", name);
    language->next = languages;
    languages = language;
    return language;
}

bool language_choose(const char *wanted, Status *status)
{
    char found[8] = "", path[1024];
    pthread_once(&messages_set, set_messages);
    if (wanted == NULL) {
        language_of_environment(found);
    }
    const char *name = wanted != NULL ? wanted : found;
    if (!find_catalogue(name, path)) {
        bool english = wanted == NULL || strcmp(wanted, "en") == 0;
        if (english) {
            atomic_store(&chosen, NULL);
        }
        return english ||
               status_fail(status, STATUS_BAD_USAGE, "language: read %.40s, allowed en, " SPADEWORK_LANGUAGES, wanted);
    }
    pthread_mutex_lock(&choosing);
    const Language *language = open_language(name, path, status);
    pthread_mutex_unlock(&choosing);
    if (language == NULL && wanted != NULL) {
        return false;
    }
    atomic_store(&chosen, language);
    return true;
}

const char *language_code(void)
{
    return language_text("en"); // the language's own code, of two letters
}

const char *language_text(const char *english)
{
    const Language *language = atomic_load(&chosen);
    const char *translation = NULL;
    if (language != NULL && english != NULL && english[0] != '\0') { // the translation of "" is the catalogue's head
        translation = catalogue_find(language->catalogue, english);
    }
    return translation != NULL ? translation : english;
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
