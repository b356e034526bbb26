/// Walks the tables of keys of one kind of file. A list is told by its own row and those of its items below PATH[].
#include "data/schema/reference.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/key_words.h"
#include "data/schema/machine_keys.h"
#include "data/schema/schemas.h"

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
    {"truck", "Trucks: kind truck", &data_truck_schema},
    {"soil", "Soils: kind soil", &data_soil_schema},
    {"controls", "Control maps: kind controls", &data_controls_schema},
    {"expert", "Expert runs: kind expert", &data_expert_schema},
    {"course", "Courses: kind course", &data_course_schema},
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
