/// Follows references from the disk, or among the files that a recording kept.
#include "data/files/references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/files.h"

/// Reads one text into `params` and puts the name there.
static bool read_text(const DataSchema *schema, const char *label, const char *name, const char *text, size_t size,
                      void *params, Status *status)
{
    Document document;
    if (!document_open(&document, label, text, size, status)) {
        return false;
    }
    bool good = schema_read(schema, &document, params, status);
    document_close(&document);
    if (good) {
        snprintf(params, schema->name_size, "%s", name);
    }
    return good;
}

bool reference_find(const DataSchema *schema, const char *reference, const ReferenceSource *source,
                    ReferenceFound *found, Status *status)
{
    *found = (ReferenceFound){.text = NULL};
    if (!reference_name(schema, reference, found->name, sizeof found->name, status)) {
        return false;
    }
    if (!source->kept) {
        bool good = reference_path(schema, reference, source->beside, found->label, status) &&
                    file_read(found->label, &found->own_text, &found->size, status);
        found->text = found->own_text;
        return good;
    }
    const char *extension = schema->extension ? schema->extension : ".yaml";
    const DataFile *file = data_files_find(source->kept, schema->folder, found->name);
    if (!file) {
        return status_fail(status, STATUS_BAD_FILE, "the kept files hold no %s/%s%s", schema->folder, found->name,
                           extension);
    }
    snprintf(found->label, sizeof found->label, "kept %s/%s%s", schema->folder, found->name, extension);
    found->text = file->text;
    found->size = file->size;
    return true;
}

bool reference_keep(const DataSchema *schema, const ReferenceSource *source, ReferenceFound *found, bool good,
                    Status *status)
{
    if (!good || !found->own_text) {
        free(found->own_text);
        return good;
    }
    if (!data_files_add(source->files, schema->folder, found->name, found->own_text, found->size, status)) {
        return false;
    }
    if (source->files) {
        DataFile *kept = &source->files->files[source->files->count - 1];
        memcpy(kept->path, found->label, sizeof kept->path);
    }
    return true;
}

bool reference_load(const DataSchema *schema, const char *reference, const ReferenceSource *source, void *params,
                    Status *status)
{
    ReferenceFound found;
    if (!reference_find(schema, reference, source, &found, status)) {
        return false;
    }
    bool good = read_text(schema, found.label, found.name, found.text, found.size, params, status);
    return reference_keep(schema, source, &found, good, status);
}
