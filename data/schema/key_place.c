/// Reads a file once more: it was good as a file, and is small.
#include "data/schema/key_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/document.h"
#include "data/files/files.h"

/// `said` may lie in the status.
static bool fail_in_text(const char *label, const char *text, size_t size, const char *key, const char *said,
                         Status *status)
{
    char copy[sizeof status->text];
    Document document;
    Status ignored;
    snprintf(copy, sizeof copy, "%s", said);
    if (!document_open(&document, label, text, size, &ignored)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s", label, copy);
    }
    const char *rest = NULL;
    const DocumentMark mark = document_walk(&document, key, &rest)->start;
    status_fail(status, STATUS_BAD_FILE, "%s:%zu:%zu: %s", label, mark.line, mark.column, copy);
    document_close(&document);
    return false;
}

bool key_place_fail(const char *file, const char *key, const char *text, Status *status)
{
    char *read = NULL;
    size_t size = 0;
    Status ignored;
    if (!file_read(file, &read, &size, &ignored)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s", file, text);
    }
    fail_in_text(file, read, size, key, text, status);
    free(read);
    return false;
}

bool key_place_fail_in(const DataFile *file, const char *key, const char *text, Status *status)
{
    char label[DATA_PATH_LENGTH];
    snprintf(label, sizeof label, "kept %s/%s.yaml", file->kind, file->name);
    return fail_in_text(file->path[0] != '\0' ? file->path : label, file->text, file->size, key, text, status);
}

bool key_place_has(const DataFile *file, const char *key)
{
    Document document;
    Status ignored;
    if (!document_open(&document, file->name, file->text, file->size, &ignored)) {
        return false;
    }
    bool has = document_find(&document, key) != NULL;
    document_close(&document);
    return has;
}

void key_place_of_text(const char *text, char key[KEY_PLACE_LENGTH])
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.");
    bool ends = text[length] == ':' || strncmp(text + length, " (", 2) == 0;
    bool is_key = length > 0 && length < KEY_PLACE_LENGTH && ends;
    snprintf(key, KEY_PLACE_LENGTH, "%.*s", is_key ? (int)length : 0, text);
}

bool key_place_text(const DataFile *file, Status *status)
{
    char key[KEY_PLACE_LENGTH];
    if (file != NULL && status->code == STATUS_BAD_FILE) {
        key_place_of_text(status->text, key);
        key_place_fail_in(file, key, status->text, status);
    }
    return false;
}
