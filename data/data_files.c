/// Keeps the texts of files for whoever wants to store them beside what was made of them.
///
/// A set has a fixed number of places: a scene has one machine, at most one attachment and one truck, SCENE_MAX_SOILS
/// soils and SCENE_MAX_GRAINS meshes, and every file once.
#include "data/data_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SPADEWORK_DATA_DIR
#define SPADEWORK_DATA_DIR "data"
#endif

const char *data_folder(void)
{
    const char *folder = getenv("SPADEWORK_DATA");
    return folder && folder[0] ? folder : SPADEWORK_DATA_DIR;
}

void data_files_free(DataFiles *files)
{
    for (int i = 0; i < files->count; ++i) {
        free(files->files[i].text);
    }
    *files = (DataFiles){0};
}

bool data_files_add(DataFiles *files, const char *kind, const char *name, char *text, size_t size, Status *status)
{
    if (!files || files->count >= DATA_MAX_FILES) {
        free(text);
        return !files ||
               status_fail(status, STATUS_BAD_FILE, "%s: more than %d files in one scene", name, DATA_MAX_FILES);
    }
    DataFile *file = &files->files[files->count++];
    *file = (DataFile){.text = text, .size = size};
    snprintf(file->kind, sizeof file->kind, "%s", kind);
    snprintf(file->name, sizeof file->name, "%s", name);
    return true;
}

const DataFile *data_files_find(const DataFiles *files, const char *kind, const char *name)
{
    for (int i = 0; i < files->count; ++i) {
        if (strcmp(files->files[i].kind, kind) == 0 && (!name || strcmp(files->files[i].name, name) == 0)) {
            return &files->files[i];
        }
    }
    return NULL;
}
