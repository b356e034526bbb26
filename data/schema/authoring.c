/// Lists every key of a kind of file from its tables, and writes commented copies of scenes and courses.
#include "data/schema/authoring.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data/files/document.h"
#include "data/files/references.h"
#include "data/files/key_table.h"
#include "data/schema/schemas.h"

/// ---- reference of keys ---------------------------------------------------------------------------------------------

/// A list has its own row and those of its items below PATH[].

static_assert((int)REFERENCE_WORDS == (int)KEY_WORDS, "words of a row fit");

typedef struct Part {
    const char *kind, *title;
    const DataSchema *schema;
} Part;

static const Part parts[] = {
    {"scene", "Scenes: kind scene", &data_scene_schema},
#define X(TYPE, type) {"machine", "Machines: kind machine, type " #type, &data_##type##_schema},
    MACHINE_TYPES(X)
#undef X
        {"attachment", "Attachments: kind attachment", &data_attachment_schema},
    {"coupler", "Couplers: kind coupler", &data_coupler_schema},
    {"truck", "Trucks: kind truck", &data_truck_schema},
    {"soil", "Soils: kind soil", &data_soil_schema},
    {"controls", "Control maps: kind controls", &data_controls_schema},
    {"expert", "Expert runs: kind expert", &data_expert_schema},
    {"course", "Courses: kind course", &data_course_schema},
    {"condition", "Times of day and weathers: kind condition", &data_condition_schema},
    {"settings", "The user's settings: kind settings", &data_settings_schema},
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

const char *reference_kind(int index)
{
    const char *last = "";
    for (int k = 0; k < PART_COUNT; k++) {
        if (strcmp(parts[k].kind, last) != 0 && index-- == 0) {
            return parts[k].kind;
        }
        last = parts[k].kind;
    }
    return NULL;
}

static const Part *find_part(const char *kind, int part)
{
    for (int k = 0; k < PART_COUNT; k++) {
        if (strcmp(parts[k].kind, kind) == 0 && part-- == 0) {
            return &parts[k];
        }
    }
    return NULL;
}

const char *reference_part(const char *kind, int part)
{
    const Part *found = find_part(kind, part);
    return found != NULL ? found->title : NULL;
}

/// The keys so far.
typedef struct Listing {
    const char *kind;
    ReferenceKey *keys;
    int count, capacity;
} Listing;

static void list_rows(Listing *listing, const DataKey *rows, const char *above);

static void list_row(Listing *listing, const DataKey *row, const char *path)
{
    if (listing->count == listing->capacity) {
        return;
    }
    ReferenceKey *key = &listing->keys[listing->count++];
    *key = (ReferenceKey){
        .needed = !row->optional, .meaning = key_phrase(row), .choices = row->type == KEY_CHOICE ? row->choices : NULL};
    snprintf(key->path, sizeof key->path, "%s", path);
    key_type(row, key->type);
    key_unit(row, key->unit);
    key_allowed(row, key->allowed);
    if (row->type == KEY_KIND) {
        snprintf(key->allowed, sizeof key->allowed, "%s", listing->kind);
    }
    key_default(row, key->fallback);
    if (row->type == KEY_MAPPING || row->type == KEY_ONE) {
        list_rows(listing, row->inside, path);
    } else if (row->type == KEY_LIST && (row->inside->type == KEY_MAPPING || row->inside->type == KEY_ONE)) {
        char items[REFERENCE_PATH];
        snprintf(items, sizeof items, "%.*s[]", REFERENCE_PATH - 4, path);
        list_rows(listing, row->inside->inside, items);
    }
}

static void list_rows(Listing *listing, const DataKey *rows, const char *above)
{
    for (const DataKey *row = rows; row->key != NULL; row++) {
        char path[REFERENCE_PATH];
        snprintf(path, sizeof path, "%s%s%s", above, above[0] != '\0' ? "." : "", row->key);
        if (row->type != KEY_FORMER) {
            list_row(listing, row, path);
        }
    }
}

int reference_keys(const char *kind, int part, ReferenceKey *keys, int capacity)
{
    const Part *found = find_part(kind, part);
    Listing listing = {.kind = kind, .keys = keys, .capacity = capacity};
    if (found != NULL) {
        list_rows(&listing, found->schema->keys, "");
    }
    return listing.count;
}

const char *reference_choice(const ReferenceKey *key, int index)
{
    const KeyChoice *choices = key->choices;
    return choices != NULL ? choices[index].name : NULL;
}

int reference_choice_count(const ReferenceKey *key)
{
    int count = 0;
    while (reference_choice(key, count) != NULL) {
        count++;
    }
    return count;
}

/// ---- commented copies ----------------------------------------------------------------------------------------------

/// Writes comments into the text of a file: the tree of the document says in which line each key stands, the tables of
/// keys what it means. A key on a line of its own has its comment above it; keys in braces, and those of a list's
/// items, have theirs together above the line where the brace or the list begins, each with its name.

enum { NOTE_LENGTH = 1024, NAME_COLUMN = 14 };

/// A comment above a line.
typedef struct Note {
    size_t line; ///< from 1
    int column; ///< spaces before it
    char text[NOTE_LENGTH];
} Note;

typedef struct Notes {
    Note *list; ///< in the order of their lines
    int count, capacity;
    bool lacking; ///< memory was short
} Notes;

static void add_note(Notes *notes, size_t line, int column, const char *text)
{
    if (notes->count == notes->capacity) {
        int capacity = notes->capacity > 0 ? 2 * notes->capacity : 64;
        Note *list = realloc(notes->list, (size_t)capacity * sizeof *list);
        if (list == NULL) {
            notes->lacking = true;
            return;
        }
        notes->list = list;
        notes->capacity = capacity;
    }
    Note *note = &notes->list[notes->count++];
    note->line = line;
    note->column = column;
    snprintf(note->text, sizeof note->text, "%s", text);
}

/// "m, 0.2 to 6: depth of the floor below the level of the site"
static void describe(const DataKey *row, char text[NOTE_LENGTH])
{
    char unit[KEY_UNIT], allowed[KEY_WORDS], fallback[KEY_WORDS];
    key_unit(row, unit);
    key_allowed(row, allowed);
    key_default(row, fallback);
    const char *left_out = fallback[0] != '\0' ? ", default " : row->optional ? ", may be left out" : "";
    snprintf(text, NOTE_LENGTH, "%s%s%s%s%s%s%s", unit, unit[0] != '\0' && allowed[0] != '\0' ? ", " : "", allowed,
             unit[0] == '\0' && allowed[0] == '\0' && left_out[0] == ',' ? left_out + 2 : left_out, fallback,
             unit[0] != '\0' || allowed[0] != '\0' || left_out[0] != '\0' ? ": " : "", key_phrase(row));
}

/// The row of a key, of a former name today's.
static const DataKey *find_row(const DataKey *rows, const char *key)
{
    const DataKey *row = rows;
    while (row->key != NULL && strcmp(row->key, key) != 0) {
        row++;
    }
    return row->key == NULL ? NULL : row->type == KEY_FORMER ? find_row(rows, row->current) : row;
}

/// Where the comments of a brace or list go.
typedef struct Place {
    size_t line;
    int column;
} Place;

/// True when a mapping, or any item of a list of mappings, has the key.
static bool has_key(const DocumentNode *node, const char *key)
{
    bool found = node->type == DOCUMENT_MAPPING && document_child(node, key) != NULL;
    for (const DocumentNode *item = node->first; item != NULL && node->type == DOCUMENT_LIST && !found;
         item = item->next) {
        found = document_child(item, key) != NULL;
    }
    return found;
}

/// One line with the names of the keys that do not stand in a mapping, or in no item of a list, and may.
static void note_others(Notes *notes, const DataKey *rows, const DocumentNode *node, const char *above, Place place)
{
    char others[NOTE_LENGTH] = "", line[2 * NOTE_LENGTH], where[DOCUMENT_PATH_LENGTH] = "";
    for (const DataKey *row = rows; row->key != NULL; row++) {
        size_t length = strlen(others);
        if (row->type != KEY_FORMER && !has_key(node, row->key)) {
            snprintf(others + length, sizeof others - length, "%s%s", length > 0 ? ", " : "", row->key);
        }
    }
    if (others[0] != '\0') {
        if (above[0] != '\0') {
            snprintf(where, sizeof where, " in %.*s", (int)strlen(above) - 1, above);
        }
        snprintf(line, sizeof line, "#   may also stand%s: %s", where, others);
        add_note(notes, place.line, place.column, line);
    }
}

/// Of a list or brace: one line for each key that stands in it. `above`: "" or "parts.".
static void note_group(Notes *notes, const DataKey *rows, const DocumentNode *node, const char *above, Place place)
{
    for (const DataKey *row = rows; row->key != NULL; row++) {
        char text[NOTE_LENGTH], name[DOCUMENT_PATH_LENGTH], line[2 * NOTE_LENGTH];
        if (!has_key(node, row->key)) {
            continue;
        }
        describe(row, text);
        snprintf(name, sizeof name, "%s%s", above, row->key);
        snprintf(line, sizeof line, "#   %-*s %s", NAME_COLUMN, name, text);
        add_note(notes, place.line, place.column, line);
        const DataKey *inside = row->type == KEY_LIST ? row->inside : row;
        const DocumentNode *child = node->type == DOCUMENT_MAPPING ? document_child(node, row->key) : NULL;
        if (child != NULL && inside->type == KEY_MAPPING) {
            snprintf(name, sizeof name, "%s%s.", above, row->key);
            note_group(notes, inside->inside, child, name, place);
        }
    }
    note_others(notes, rows, node, above, place);
}

/// The keys of a mapping on lines of their own, and what is below them.
static void note_mapping(Notes *notes, const DataKey *rows, const DocumentNode *mapping)
{
    for (const DocumentNode *member = mapping->first; member != NULL; member = member->next) {
        const DataKey *row = find_row(rows, member->key);
        Place place = {member->key_start.line, (int)member->key_start.column - 1};
        char text[NOTE_LENGTH], line[NOTE_LENGTH + 8];
        if (row == NULL) {
            continue;
        }
        describe(row, text);
        snprintf(line, sizeof line, "# %s", text);
        add_note(notes, place.line, place.column, line);
        const DataKey *inside = row->type == KEY_LIST ? row->inside : row;
        if (inside->type != KEY_MAPPING || member->first == NULL) {
            continue;
        }
        if (member->type == DOCUMENT_MAPPING && !member->flow) {
            note_others(notes, inside->inside, member, "", place);
            note_mapping(notes, inside->inside, member);
        } else {
            note_group(notes, inside->inside, member, "", place);
        }
    }
}

/// ---- the text ------------------------------------------------------------------------------------------------------

/// A text that grows.
typedef struct Writer {
    char *text;
    size_t size, capacity; ///< bytes
    bool lacking;
} Writer;

static void write_bytes(Writer *writer, const char *bytes, size_t count)
{
    if (writer->text == NULL || writer->size + count + 1 > writer->capacity) {
        size_t capacity = 2 * (writer->size + count + 1);
        char *text = realloc(writer->text, capacity);
        if (text == NULL) {
            writer->lacking = true;
            return;
        }
        writer->text = text;
        writer->capacity = capacity;
    }
    memcpy(writer->text + writer->size, bytes, count);
    writer->size += count;
    writer->text[writer->size] = '\0';
}

/// True when the comment stands in the lines of comments that were written last.
static bool stands_already(const Writer *writer, const char *comment)
{
    size_t end = writer->size, length = strlen(comment);
    while (end > 0) {
        size_t begin = end - 1;
        while (begin > 0 && writer->text[begin - 1] != '\n') {
            begin--;
        }
        const char *line = writer->text + begin;
        size_t space = strspn(line, " ");
        if (line[space] != '#') {
            return false;
        }
        if (strncmp(line + space, comment, length) == 0 && strcspn(line + space, "\r\n") == length) {
            return true;
        }
        end = begin;
    }
    return false;
}

static void write_note(Writer *writer, const Note *note)
{
    char spaces[16];
    if (stands_already(writer, note->text)) {
        return;
    }
    for (int left = note->column; left > 0; left -= 8) {
        int count = snprintf(spaces, sizeof spaces, "%*s", left < 8 ? left : 8, "");
        write_bytes(writer, spaces, (size_t)count);
    }
    write_bytes(writer, note->text, strlen(note->text));
    write_bytes(writer, "\n", 1);
}

/// Each line of the document with the comments that belong above it.
static void write_lines(Writer *writer, const Document *document, const Notes *notes)
{
    size_t line = 1, at = 0;
    int next = 0;
    while (at < document->size) {
        for (; next < notes->count && notes->list[next].line <= line; next++) {
            write_note(writer, &notes->list[next]);
        }
        const char *end = memchr(document->text + at, '\n', document->size - at);
        size_t length = end != NULL ? (size_t)(end - document->text) - at + 1 : document->size - at;
        write_bytes(writer, document->text + at, length);
        at += length;
        line++;
    }
}

/// Gives the document another title.
static bool set_title(Document *document, const char *title, Status *status)
{
    char set[512];
    int length = snprintf(set, sizeof set, "title=%s", title);
    return (length < (int)sizeof set || status_fail(status, STATUS_BAD_USAGE, "the title is too long")) &&
           override_apply(document, set, status);
}

static bool write_copy(const DataSchema *schema, Document *document, char **text, size_t *size, Status *status)
{
    const Place top = {document->root->first != NULL ? document->root->first->key_start.line : 1, 0};
    Notes notes = {0};
    Writer writer = {0};
    add_note(&notes, top.line, 0,
             "# Above each key: its unit, what is allowed, what it is when left out, and what it means.");
    char help[NOTE_LENGTH];
    snprintf(help, sizeof help, "# `spadework check FILE` tells what is wrong, `spadework reference %s` all keys.",
             schema->kind);
    add_note(&notes, top.line, 0, help);
    if (document->root->flow) {
        note_group(&notes, schema->keys, document->root, "", top);
    } else {
        note_others(&notes, schema->keys, document->root, "", top);
        note_mapping(&notes, schema->keys, document->root);
    }
    write_lines(&writer, document, &notes);
    bool lacking = notes.lacking || writer.lacking || writer.text == NULL;
    free(notes.list);
    if (lacking) {
        free(writer.text);
        return status_fail(status, STATUS_LACKING, "out of memory for the copy of the %s", schema->kind);
    }
    *text = writer.text;
    *size = writer.size;
    return true;
}

/// Writes the path of what a copy is made from: of a name, a path, or (NULL) of what the kind begins with.
static bool find_original(const DataSchema *schema, const char *from, char path[DATA_PATH_LENGTH], Status *status)
{
    if (from != NULL) {
        return reference_path(schema, from, NULL, path, status);
    }
    int length = snprintf(path, DATA_PATH_LENGTH, "%s/starts/%s.yaml", data_folder(), schema->kind);
    return length < DATA_PATH_LENGTH || status_fail(status, STATUS_BAD_FILE, "%.200s...: the path is too long", path);
}

bool data_copy(const char *kind, const char *from, const char *title, char **text, size_t *size, Status *status)
{
    const DataSchema *schema = schema_of_kind(kind);
    char path[DATA_PATH_LENGTH];
    char *read = NULL;
    size_t read_size = 0;
    Document document;
    if (!find_original(schema, from, path, status) || !file_read(path, &read, &read_size, status)) {
        return false;
    }
    bool good = document_open(&document, path, read, read_size, status);
    if (good) {
        good = set_title(&document, title, status) && write_copy(schema, &document, text, size, status);
        document_close(&document);
    }
    free(read);
    return good;
}

bool scene_copy_find(const char *scene, char path[DATA_PATH_LENGTH], Status *status)
{
    return reference_path(&data_scene_schema, scene, NULL, path, status);
}

bool data_copy_may_be_called(const char *kind, const char *name, Status *status)
{
    const DataSchema *schema = schema_of_kind(kind);
    const char *const folders[] = {data_folder(), data_shared_folder()};
    static const char *const owners[] = {"a shipped", "a shared"};
    char plain[64], path[2 * DATA_PATH_LENGTH];
    Status reason;
    struct stat info;
    if (!reference_name(schema, name, plain, sizeof plain, &reason)) {
        return status_fail(status, STATUS_BAD_USAGE, "%s", reason.text);
    }
    if (strcmp(plain, name) != 0) {
        return status_fail(status, STATUS_BAD_USAGE, "%.200s: a name is expected, such as %s, no path", name, plain);
    }
    for (int k = 0; k < 2 && folders[k] != NULL; k++) {
        snprintf(path, sizeof path, "%s/%s/%s.yaml", folders[k], schema->folder, plain);
        if (stat(path, &info) == 0) {
            return status_fail(status, STATUS_BAD_USAGE,
                               "%s: %s %s has this name, and is the one that is found by it: choose another", plain,
                               owners[k], schema->kind);
        }
    }
    return true;
}
