/// A file of GNU MO is two tables of (length, place) of as many texts, originals in order and their translations.
#include "data/core/catalogue.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/regular_file.h"

enum { HEAD_BYTES = 28, ROW_BYTES = 8 };
#define MAGIC 0x950412deu

struct Catalogue {
    uint32_t count, originals, translations; ///< texts; where the tables begin
    size_t size;
    unsigned char bytes[]; ///< [size]
};

static uint32_t number_at(const Catalogue *catalogue, size_t place)
{
    const unsigned char *byte = catalogue->bytes + place;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/// A text of a catalogue that was checked.
static const char *text_at(const Catalogue *catalogue, uint32_t table, uint32_t row)
{
    return (const char *)catalogue->bytes + number_at(catalogue, table + (size_t)row * ROW_BYTES + 4);
}

static bool table_fits(const Catalogue *catalogue, uint32_t table)
{
    return table <= catalogue->size && (uint64_t)catalogue->count * ROW_BYTES <= catalogue->size - table;
}

/// True when the text and its NUL lie in the file.
static bool text_fits(const Catalogue *catalogue, uint32_t table, uint32_t row)
{
    uint32_t length = number_at(catalogue, table + (size_t)row * ROW_BYTES);
    uint32_t place = number_at(catalogue, table + (size_t)row * ROW_BYTES + 4);
    return place < catalogue->size && length < catalogue->size - place && catalogue->bytes[place + length] == '\0';
}

static bool is_whole(Catalogue *catalogue)
{
    if (catalogue->size < HEAD_BYTES || number_at(catalogue, 0) != MAGIC || number_at(catalogue, 4) != 0) {
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
static Catalogue *read_open(FILE *file, const char *path, Status *status)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || size > CATALOGUE_MOST_BYTES || fseek(file, 0, SEEK_SET) != 0) {
        status_fail(status, STATUS_BAD_FILE, "%s: a catalogue of texts has at most %d bytes; install Spadework again",
                    path, CATALOGUE_MOST_BYTES);
        return NULL;
    }
    Catalogue *catalogue = calloc(1, sizeof *catalogue + (size_t)size);
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

Catalogue *catalogue_open(const char *path, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return NULL;
    }
    Catalogue *catalogue = read_open(file, path, status);
    fclose(file);
    return catalogue;
}

const char *catalogue_find(const Catalogue *catalogue, const char *english)
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

void catalogue_close(Catalogue *catalogue)
{
    free(catalogue);
}
