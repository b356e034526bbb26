/// Reads catalogues of translations and holds the language that was chosen, with the locale of the system's messages.
/// No other file sets a locale.
#include "data/core/language.h"

#include <libintl.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/system_files.h"

/// ---- catalogue: a file of translations -----------------------------------------------------------------------------

/// A GNU MO file has two tables of (length, place) of equal length: the originals in order, and their translations.

enum { HEAD_BYTES = 28, ROW_BYTES = 8, MOST_BYTES = 16 << 20 };
#define MO_MAGIC 0x950412deu

struct TextCatalogue {
    uint32_t count, originals, translations; ///< texts; where the tables begin
    size_t size;
    unsigned char bytes[]; ///< [size]
};

static uint32_t number_at(const TextCatalogue *catalogue, size_t place)
{
    const unsigned char *byte = catalogue->bytes + place;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/// A text of a catalogue that was checked.
static const char *text_at(const TextCatalogue *catalogue, uint32_t table, uint32_t row)
{
    return (const char *)catalogue->bytes + number_at(catalogue, table + (size_t)row * ROW_BYTES + 4);
}

static bool table_fits(const TextCatalogue *catalogue, uint32_t table)
{
    return table <= catalogue->size && (uint64_t)catalogue->count * ROW_BYTES <= catalogue->size - table;
}

/// True when the text and its NUL lie in the file.
static bool text_fits(const TextCatalogue *catalogue, uint32_t table, uint32_t row)
{
    uint32_t length = number_at(catalogue, table + (size_t)row * ROW_BYTES);
    uint32_t place = number_at(catalogue, table + (size_t)row * ROW_BYTES + 4);
    return place < catalogue->size && length < catalogue->size - place && catalogue->bytes[place + length] == '\0';
}

static bool is_whole(TextCatalogue *catalogue)
{
    if (catalogue->size < HEAD_BYTES || number_at(catalogue, 0) != MO_MAGIC || number_at(catalogue, 4) != 0) {
        return false;
    }
    catalogue->count = number_at(catalogue, 8);
    catalogue->originals = number_at(catalogue, 12);
    catalogue->translations = number_at(catalogue, 16);
    bool good = table_fits(catalogue, catalogue->originals) && table_fits(catalogue, catalogue->translations);
    for (uint32_t row = 0; good && row < catalogue->count; row++) {
        good = text_fits(catalogue, catalogue->originals, row) && text_fits(catalogue, catalogue->translations, row) &&
               (row == 0 || strcmp(text_at(catalogue, catalogue->originals, row - 1),
                                   text_at(catalogue, catalogue->originals, row)) < 0);
    }
    return good;
}

/// Reads what is open into a catalogue; NULL with `status`.
static TextCatalogue *read_open(FILE *file, const char *path, Status *status)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || size > MOST_BYTES || fseek(file, 0, SEEK_SET) != 0) {
        status_fail(status, STATUS_BAD_FILE, "%s: a catalogue of texts has at most %d bytes; install Spadework again",
                    path, MOST_BYTES);
        return NULL;
    }
    TextCatalogue *catalogue = calloc(1, sizeof *catalogue + (size_t)size);
    if (catalogue == NULL) {
        status_fail(status, STATUS_LACKING, "%s: no memory for a catalogue of %ld bytes", path, size);
        return NULL;
    }
    catalogue->size = fread(catalogue->bytes, 1, (size_t)size, file);
    if (catalogue->size != (size_t)size || !is_whole(catalogue)) {
        status_fail(status, STATUS_BAD_FILE,
                    "%s: a catalogue of texts (GNU MO) that is damaged; install Spadework again", path);
        free(catalogue);
        return NULL;
    }
    return catalogue;
}

TextCatalogue *text_catalogue_open(const char *path, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return NULL;
    }
    TextCatalogue *catalogue = read_open(file, path, status);
    fclose(file);
    return catalogue;
}

const char *text_catalogue_find(const TextCatalogue *catalogue, const char *english)
{
    uint32_t low = 0, high = catalogue->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(english, text_at(catalogue, catalogue->originals, middle));
        if (order == 0) {
            return text_at(catalogue, catalogue->translations, middle);
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

void text_catalogue_close(TextCatalogue *catalogue)
{
    free(catalogue);
}

/// ---- the chosen language -------------------------------------------------------------------------------------------

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/// A language whose catalogue was read. Kept to the end of the process: its texts may be in use anywhere.
typedef struct Language {
    struct Language *next;
    TextCatalogue *catalogue;
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
    language->catalogue = text_catalogue_open(path, status);
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
        translation = text_catalogue_find(language->catalogue, english);
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
