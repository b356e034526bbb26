/// The map is printed into memory first, so that nothing on the disk is touched before it is whole.
#include "trainer/app/map_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/write_whole.h"
#include "data/schema/controls_write.h"

bool map_file_write(const ControlsParams *params, const char *path, Status *status)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    bool good = stream != NULL && controls_write(params, stream);
    if (stream != NULL && fclose(stream) != 0) {
        good = false;
    }
    good = good ? write_whole(path, text, size, status) && data_check_file(path, NULL, status)
                : status_fail(status, STATUS_LACKING, "%s: out of memory", path);
    free(text);
    return good;
}

/// "Gladiator NXT, ISO" becomes "gladiator-nxt-iso".
static void print_name(const char *title, char name[64])
{
    size_t length = 0;
    for (const char *p = title; *p != '\0' && length < 48; p++) {
        bool letter = isalnum((unsigned char)*p) && (unsigned char)*p < 128;
        if (letter) {
            name[length++] = (char)tolower((unsigned char)*p);
        } else if (length > 0 && name[length - 1] != '-') {
            name[length++] = '-';
        }
    }
    while (length > 0 && name[length - 1] == '-') {
        length--;
    }
    name[length] = '\0';
    if (length == 0) {
        snprintf(name, 64, "my-levers");
    }
}

bool map_file_keep(const ControlsParams *params, const char *title, char name[64], Status *status)
{
    char folder[DATA_PATH_LENGTH], path[DATA_PATH_LENGTH + 80], own[64];
    print_name(title, name);
    snprintf(path, sizeof path, "%.500s/controls/%s.yaml", data_folder(), name);
    if (access(path, F_OK) == 0) { // of two of one name the shipped one is meant
        snprintf(own, sizeof own, "my-%.60s", name);
        memcpy(name, own, sizeof own);
    }
    if (!user_data_path("controls", folder, status) || !user_make_folder(folder, status)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    return map_file_write(params, path, status);
}
