/// Reads the file once more: it was good as a file, and is small.
#include "data/authoring/key_place.h"

#include <stdlib.h>

#include "data/read/document.h"
#include "data/read/files.h"

bool key_place_fail(const char *file, const char *key, const char *text, Status *status)
{
    char *read = NULL;
    size_t size = 0;
    Document document;
    Status ignored;
    if (!file_read(file, &read, &size, &ignored)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s", file, text);
    }
    if (document_open(&document, file, read, size, &ignored)) {
        const char *rest = NULL;
        const DocumentMark mark = document_walk(&document, key, &rest)->start;
        status_fail(status, STATUS_BAD_FILE, "%s:%zu:%zu: %s", file, mark.line, mark.column, text);
        document_close(&document);
    } else {
        status_fail(status, STATUS_BAD_FILE, "%s: %s", file, text);
    }
    free(read);
    return false;
}
