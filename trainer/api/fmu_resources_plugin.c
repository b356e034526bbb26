/// Reads the folder `resources` of the FMU: session.txt lists the files of the session, a line "KIND NAME" each, in
/// their order; their texts are the files KIND/NAME. Together they make the session again, without any other data.
#include <stdlib.h>
#include <string.h>

#include "data/core/system_files.h"
#include "trainer/api/fmu_instance.h"

enum {
    MOST_BYTES = 64 << 20, ///< of a file
    MOST_PATH = DATA_PATH_LENGTH - 100 ///< of the folder: kind and name of a file find room behind it
};

/// Reads a whole file into a malloc'd text with a NUL. NULL with `status`.
static char *read_file(const char *path, size_t *size, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return NULL;
    }
    size_t room = 1 << 16;
    char *text = malloc(room);
    *size = 0;
    while (text != NULL) {
        *size += fread(text + *size, 1, room - 1 - *size, file);
        if (*size < room - 1 || room > MOST_BYTES) {
            break;
        }
        room *= 2;
        char *more = realloc(text, room);
        if (more == NULL) {
            free(text);
        }
        text = more;
    }
    bool whole = !ferror(file) && (text == NULL || *size < room - 1);
    fclose(file);
    if (text == NULL || !whole) {
        free(text);
        status_fail(status, STATUS_BAD_FILE, "%s cannot be read whole; allowed are %d bytes", path, (int)MOST_BYTES);
        return NULL;
    }
    text[*size] = '\0';
    return text;
}

/// Adds the file that a line of session.txt names.
static bool add_file(const char *folder, const char *line, DataFiles *files, Status *status)
{
    char kind[16], path[DATA_PATH_LENGTH];
    const char *name = strchr(line, ' ');
    size_t length = name == NULL ? 0 : (size_t)(name - line), size = 0;
    if (length == 0 || length >= sizeof kind || memchr(line, '/', length) != NULL || strchr(name + 1, '/') != NULL ||
        name[1] == '\0' || name[1] == '.' || line[0] == '.') {
        return status_fail(status, STATUS_BAD_FILE, "%s/session.txt: '%s' is no line 'KIND NAME': unpack the FMU again",
                           folder, line);
    }
    memcpy(kind, line, length);
    kind[length] = '\0';
    if (snprintf(path, sizeof path, "%s/%s/%s", folder, kind, name + 1) >= (int)sizeof path) {
        return status_fail(status, STATUS_BAD_FILE, "%s/session.txt: the name '%s' is too long: unpack the FMU again",
                           folder, name + 1);
    }
    char *text = read_file(path, &size, status);
    return text != NULL && data_files_add(files, kind, name + 1, text, size, status);
}

bool fmu_resources_read(const char *folder, DataFiles *files, Status *status)
{
    char root[MOST_PATH + 1], path[DATA_PATH_LENGTH], *rest = NULL;
    size_t length = strlen(folder), size = 0;
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    if (length > MOST_PATH) {
        return status_fail(status, STATUS_BAD_FILE,
                           "resourcePath has %zu bytes; allowed are %d: unpack the FMU elsewhere", length,
                           (int)MOST_PATH);
    }
    memcpy(root, folder, length);
    root[length] = '\0';
    snprintf(path, sizeof path, "%s/session.txt", root);
    char *list = read_file(path, &size, status);
    bool read = list != NULL;
    for (char *line = list == NULL ? NULL : strtok_r(list, "\n", &rest); line != NULL && read;
         line = strtok_r(NULL, "\n", &rest)) {
        read = add_file(root, line, files, status);
    }
    if (read && files->count == 0) {
        read = status_fail(status, STATUS_BAD_FILE, "%s lists no file: unpack the FMU again", path);
    }
    free(list);
    return read;
}
