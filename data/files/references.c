/// Finds and reads data files: a reference is a name under data/ or a path; a path starts beside the file that refers.
/// Scenes, courses and control maps may also stand in the folder that stations share and in the user's. Of files of one
/// name the shipped one is meant, else the shared one, since courses, results and lessons go by names that have one
/// meaning at every station.
///
/// Names may hold letters, digits, - _ and . alone, since they become names of files in recordings and exports.
/// Whatever is no regular file is refused before it is opened: a named pipe would block, a device could go on for ever.
#include "data/files/references.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "data/core/system_files.h"
#include "data/files/document.h"

static const char *extension_of(const DataSchema *schema)
{
    return schema->extension ? schema->extension : ".yaml";
}

/// Length of a file name without its kind's ending, in letters of any size, or 0 when it has no such ending (or nothing
/// before it).
static size_t stem_length(const DataSchema *schema, const char *file)
{
    size_t length = strlen(file), ending = strlen(extension_of(schema));
    return length > ending && strcasecmp(file + length - ending, extension_of(schema)) == 0 ? length - ending : 0;
}

/// True of a file in a folder of its kind that is found by its name: its ending is written as that of the kind.
static bool ends_as_named(const DataSchema *schema, const char *file)
{
    size_t stem = stem_length(schema, file);
    return stem > 0 && strcmp(file + stem, extension_of(schema)) == 0;
}

bool extension_is_of(const DataSchema *schema, const char *path)
{
    const char *ending = strrchr(path, '.');
    if (!ending || strchr(ending, '/')) {
        return false;
    }
    bool known = strcasecmp(ending, extension_of(schema)) == 0;
    for (int k = 0; !known && schema->other_extensions && schema->other_extensions[k]; k++) {
        known = strcasecmp(ending, schema->other_extensions[k]) == 0;
    }
    return known;
}

static bool reference_is_path(const DataSchema *schema, const char *reference)
{
    return strchr(reference, '/') || extension_is_of(schema, reference);
}

bool reference_name(const DataSchema *schema, const char *reference, char *name, size_t size, Status *status)
{
    const char *slash = strrchr(reference, '/');
    const char *file = slash ? slash + 1 : reference;
    size_t stem = stem_length(schema, file);
    size_t length = stem ? stem : strlen(file);
    bool good = length > 0 && length < size && length < schema->name_size && file[0] != '.';
    for (size_t i = 0; good && i < length; ++i) {
        good = isalnum((unsigned char)file[i]) || strchr("-_.", file[i]);
    }
    if (!good) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%.200s: not a %s name, allowed letters, digits, - _ . and at most %zu of them", reference,
                           schema->kind, (size < schema->name_size ? size : schema->name_size) - 1);
    }
    memcpy(name, file, length);
    name[length] = '\0';
    return true;
}

/// ---- reading -------------------------------------------------------------------------------------------------------

/// Reads at most `most` bytes; what is appended meanwhile to a file that had fewer than are allowed is left out.
static bool read_stream(FILE *stream, const char *path, char *text, size_t most, size_t *size, Status *status)
{
    *size = fread(text, 1, most < DOCUMENT_MAX_SIZE ? most : DOCUMENT_MAX_SIZE + 1, stream);
    if (ferror(stream)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (*size > DOCUMENT_MAX_SIZE) {
        return status_fail(status, STATUS_BAD_FILE, "%s: larger than 1 MiB", path);
    }
    if (*size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        *size -= 3;
        memmove(text, text + 3, *size);
    }
    text[*size] = '\0';
    return true;
}

/// Bytes to make room for: as many as the file has; the most allowed where it has more or does not say (/proc).
static size_t largest_size(FILE *stream)
{
    struct stat info;
    bool known = fstat(fileno(stream), &info) == 0 && info.st_size > 0 && info.st_size < (off_t)DOCUMENT_MAX_SIZE;
    return known ? (size_t)info.st_size : DOCUMENT_MAX_SIZE;
}

bool file_read(const char *path, char **text, size_t *size, Status *status)
{
    FILE *stream = regular_file_open(path, status);
    if (!stream) {
        return false;
    }
    size_t most = largest_size(stream);
    char *room = calloc(1, most + 2);
    if (!room) {
        fclose(stream);
        status_fail(status, STATUS_LACKING, "%s: out of memory", path);
        return false;
    }
    bool good = read_stream(stream, path, room, most, size, status);
    fclose(stream);
    if (!good) {
        free(room);
        return false;
    }
    *text = room;
    return true;
}

/// ---- listing -------------------------------------------------------------------------------------------------------

/// The first comment of a file that is no YAML: the first line of a mesh, or what stands behind <!-- in XML.
static void read_comment(const char *text, char *title, size_t size)
{
    const char *xml = strstr(text, "<!--");
    const char *start = text[0] == '#' ? text + 1 : xml ? xml + 4 : "";
    start += strspn(start, "# \t");
    size_t length = strcspn(start, "\r\n");
    const char *end = xml ? strstr(start, "-->") : NULL;
    length = end && (size_t)(end - start) < length ? (size_t)(end - start) : length;
    while (length > 0 && start[length - 1] == ' ') {
        --length;
    }
    snprintf(title, size, "%.*s", (int)length, start);
}

/// Title of a file for a listing: listings must work beside a broken file.
static void read_title(const DataSchema *schema, const char *path, char *title, size_t size)
{
    snprintf(title, size, "(not readable: see `check`)");
    Status ignored;
    char *text = NULL;
    size_t length = 0;
    Document document;
    if (!file_read(path, &text, &length, &ignored) || !text) {
        return;
    }
    if (!schema->keys) {
        read_comment(text, title, size);
    } else if (document_open(&document, path, text, length, &ignored)) {
        const DocumentNode *node = document_child(document.root, "title");
        if (node && node->text[0]) {
            snprintf(title, size, "%s", node->text);
        }
        document_close(&document);
    }
    free(text);
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const DataListEntry *)a)->name, ((const DataListEntry *)b)->name);
}

/// Where files of a kind are found by name, in this order.
typedef enum Place { PLACE_SHIPPED, PLACE_SHARED, PLACE_OWN, PLACE_COUNT } Place;

/// Writes the path of a kind's folder; false where there is none of this place, or its path is too long.
static bool find_folder(const DataSchema *schema, Place place, char path[DATA_PATH_LENGTH])
{
    Status ignored;
    if (place == PLACE_OWN) {
        return schema->users_too && user_data_path(schema->folder, path, &ignored);
    }
    const char *above = place == PLACE_SHIPPED ? data_folder() : schema->users_too ? data_shared_folder() : NULL;
    return above != NULL && snprintf(path, DATA_PATH_LENGTH, "%s/%s", above, schema->folder) < DATA_PATH_LENGTH;
}

/// Marks an entry of another folder that has the name; false: there is none.
static bool hide_behind(DataListEntry *entries, int count, const char *name)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(entries[i].name, name) == 0) {
            entries[i].hides = true;
            return true;
        }
    }
    return false;
}

/// Appends the files of a folder, sorted by name, behind `count` entries; returns how many there are then. Names that
/// stand among the entries already are left out.
static int list_folder(const DataSchema *schema, DIR *folder, const char *folder_path, Place place,
                       DataListEntry *entries, int count, int capacity)
{
    int first = count;
    for (struct dirent *file = readdir(folder); file && count < capacity; file = readdir(folder)) {
        char name[sizeof entries[0].name], path[DATA_PATH_LENGTH + 300];
        Status ignored;
        if (!ends_as_named(schema, file->d_name) ||
            !reference_name(schema, file->d_name, name, sizeof name, &ignored) || hide_behind(entries, first, name)) {
            continue;
        }
        DataListEntry *entry = &entries[count++];
        *entry = (DataListEntry){.own = place == PLACE_OWN, .shared = place == PLACE_SHARED};
        memcpy(entry->name, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s", folder_path, file->d_name);
        read_title(schema, path, entry->title, sizeof entry->title);
    }
    qsort(entries + first, (size_t)(count - first), sizeof entries[0], compare_entries);
    return count;
}

int files_list(const DataSchema *schema, DataListEntry *entries, int capacity, Status *status)
{
    int count = 0;
    for (Place place = 0; place < PLACE_COUNT; ++place) {
        char path[DATA_PATH_LENGTH] = "";
        DIR *folder = find_folder(schema, place, path) ? opendir(path) : NULL;
        if (!folder && place == PLACE_SHIPPED) {
            status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s (is SPADEWORK_DATA right?)", path,
                        strerror(errno));
            return -1;
        }
        if (folder) {
            count = list_folder(schema, folder, path, place, entries, count, capacity);
            closedir(folder);
        }
    }
    status_good(status);
    return count;
}

/// ---- where a reference leads ---------------------------------------------------------------------------------------

/// "no soil named lam in data/soils, there are clay, gravel, ..."
static bool fail_unknown(const DataSchema *schema, const char *name, Status *status)
{
    enum { MOST = 64 };
    const char *shared = schema->users_too ? data_shared_folder() : NULL;
    DataListEntry *entries = calloc(MOST, sizeof *entries);
    int count = entries ? files_list(schema, entries, MOST, status) : -1;
    if (count < 0) {
        free(entries);
        return false;
    }
    char names[640] = "";
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", entries[i].name);
    }
    free(entries);
    return status_fail(status, STATUS_BAD_FILE, "no %s named %s in %s/%s%s%s%s, there are %s", schema->kind, name,
                       data_folder(), schema->folder, shared != NULL ? ", the shared folder " : "",
                       shared != NULL ? shared : "", schema->users_too ? " and the user's folder" : "",
                       count ? names : "none");
}

/// Writes the path of a named file: the first that there is in the order of places, else the shipped one that there is
/// not. Returns the path's length, of a shipped one DATA_PATH_LENGTH or more where it is too long.
static int find_named(const DataSchema *schema, const char *name, char path[DATA_PATH_LENGTH], bool *found)
{
    struct stat info;
    int length =
        snprintf(path, DATA_PATH_LENGTH, "%s/%s/%s%s", data_folder(), schema->folder, name, extension_of(schema));
    *found = length >= DATA_PATH_LENGTH || stat(path, &info) == 0 || errno != ENOENT;
    for (Place place = PLACE_SHARED; place < PLACE_COUNT && !*found; ++place) {
        char folder[DATA_PATH_LENGTH], other[2 * DATA_PATH_LENGTH];
        if (!find_folder(schema, place, folder)) {
            continue;
        }
        int other_length = snprintf(other, sizeof other, "%s/%s%s", folder, name, extension_of(schema));
        *found = other_length < DATA_PATH_LENGTH && stat(other, &info) == 0;
        if (*found) {
            memcpy(path, other, (size_t)other_length + 1);
            length = other_length;
        }
    }
    return length;
}

bool reference_path(const DataSchema *schema, const char *reference, const char *beside, char path[DATA_PATH_LENGTH],
                    Status *status)
{
    char name[64];
    if (!reference_name(schema, reference, name, sizeof name, status)) {
        return false;
    }
    int length = 0;
    if (!reference_is_path(schema, reference)) {
        bool found = false;
        length = find_named(schema, name, path, &found);
        if (!found) {
            return fail_unknown(schema, name, status);
        }
    } else {
        const char *slash = beside && reference[0] != '/' ? strrchr(beside, '/') : NULL;
        int folder = slash ? (int)(slash - beside) + 1 : 0;
        length = snprintf(path, DATA_PATH_LENGTH, "%.*s%s", folder, slash ? beside : "", reference);
    }
    if (length >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_BAD_FILE, "%.200s...: the path is longer than %d bytes", reference,
                           DATA_PATH_LENGTH - 1);
    }
    return true;
}

/// ---- references ----------------------------------------------------------------------------------------------------

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

bool reference_locate(const DataSchema *schema, const char *reference, const ReferenceSource *source,
                      ReferenceFound *found, Status *status)
{
    *found = (ReferenceFound){.text = NULL};
    return reference_name(schema, reference, found->name, sizeof found->name, status) &&
           reference_path(schema, reference, source->beside, found->label, status);
}

bool reference_find(const DataSchema *schema, const char *reference, const ReferenceSource *source,
                    ReferenceFound *found, Status *status)
{
    if (!source->kept) {
        bool good = reference_locate(schema, reference, source, found, status) &&
                    file_read(found->label, &found->own_text, &found->size, status);
        found->text = found->own_text;
        return good;
    }
    *found = (ReferenceFound){.text = NULL};
    if (!reference_name(schema, reference, found->name, sizeof found->name, status)) {
        return false;
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
