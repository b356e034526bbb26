#include "data/read/key_table.h"

#include <cyaml/cyaml.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Room for a libcyaml schema made from a key table. Rows refer to each other by address, so it never moves.
enum { MAX_FIELDS = 512, MAX_VALUES = 64, MAX_CHOICES = 64 };
typedef struct Room {
    cyaml_schema_field_t fields[MAX_FIELDS];
    cyaml_schema_value_t values[MAX_VALUES];
    cyaml_strval_t choices[MAX_CHOICES];
    size_t field_count, value_count, choice_count;
} Room;

static const cyaml_schema_field_t *build_fields(Room *room, const DataKey *keys);
static cyaml_schema_value_t build_value(Room *room, const DataKey *key);

static const cyaml_schema_value_t *keep_value(Room *room, cyaml_schema_value_t value)
{
    // The tables are constant, so running out is our own mistake, and every test that loads a file would show it.
    if (room->value_count >= MAX_VALUES) {
        abort();
    }
    room->values[room->value_count] = value;
    return &room->values[room->value_count++];
}

static cyaml_schema_value_t build_choice(Room *room, const DataKey *key)
{
    const cyaml_strval_t *first = &room->choices[room->choice_count];
    uint32_t count = 0;
    for (; key->choices[count].name; ++count) {
        if (room->choice_count >= MAX_CHOICES) {
            abort();
        }
        room->choices[room->choice_count++] = (cyaml_strval_t){key->choices[count].name, key->choices[count].value};
    }
    return (cyaml_schema_value_t){.type = CYAML_ENUM,
                                  .flags = CYAML_FLAG_STRICT,
                                  .data_size = (uint32_t)key->size,
                                  .enumeration = {.strings = first, .count = count}};
}

static cyaml_schema_value_t build_value(Room *room, const DataKey *key)
{
    uint32_t size = (uint32_t)key->size;
    cyaml_schema_value_t value = {.type = CYAML_IGNORE, .data_size = size};
    switch (key->type) {
    case KEY_NUMBER:
        value.type = CYAML_FLOAT;
        break;
    case KEY_INTEGER:
        value.type = CYAML_INT;
        break;
    case KEY_SEED:
        value.type = CYAML_UINT;
        break;
    case KEY_TEXT:
        value.type = CYAML_STRING;
        value.string.max = size - 1;
        break;
    case KEY_CHOICE:
        value = build_choice(room, key);
        break;
    case KEY_MAPPING:
        value.type = CYAML_MAPPING;
        value.mapping.fields = build_fields(room, key->inside);
        break;
    case KEY_LIST:
        value.type = CYAML_SEQUENCE;
        value.sequence.entry = keep_value(room, build_value(room, key->inside));
        break;
    case KEY_TUPLE:
        value.type = CYAML_SEQUENCE_FIXED;
        value.sequence.entry = keep_value(room, (cyaml_schema_value_t){.type = CYAML_FLOAT, .data_size = size});
        break;
    case KEY_KIND:
        break;
    }
    if (key->type == KEY_LIST || key->type == KEY_TUPLE) {
        value.sequence.min = (uint32_t)key->count_min;
        value.sequence.max = (uint32_t)key->count_max;
    }
    if (key->optional) {
        value.flags = (enum cyaml_flag)(value.flags | CYAML_FLAG_OPTIONAL);
    }
    return value;
}

static const cyaml_schema_field_t *build_fields(Room *room, const DataKey *keys)
{
    size_t count = 0;
    while (keys[count].key) {
        ++count;
    }
    cyaml_schema_field_t *fields = &room->fields[room->field_count];
    room->field_count += count + 1;
    if (room->field_count > MAX_FIELDS) {
        abort();
    }
    for (size_t i = 0; i < count; ++i) {
        fields[i] = (cyaml_schema_field_t){.key = keys[i].key,
                                           .data_offset = (uint32_t)keys[i].offset,
                                           .count_offset = (uint32_t)keys[i].count_offset,
                                           .count_size = sizeof(int),
                                           .value = build_value(room, &keys[i])};
    }
    return fields; // calloc has ended the list with a NULL key
}

/// Keeps the first thing libcyaml complains of and, from its backtrace, the place.
typedef struct Complaint {
    char text[256];
    char place[256];
} Complaint;

static void log_complaint(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    (void)level;
    Complaint *complaint = context;
    char line[256];
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = '\0';
    if (!complaint->text[0]) {
        memcpy(complaint->text, line, sizeof line);
    } else if (!complaint->place[0] && strstr(line, "(line:")) {
        memcpy(complaint->place, line, sizeof line);
    }
}

bool schema_fill(const DataSchema *schema, const Document *document, void *params, Status *status)
{
    Room *room = calloc(1, sizeof *room);
    if (!room) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", document->label);
    }
    const cyaml_schema_value_t top = {.type = CYAML_MAPPING,
                                      .flags = CYAML_FLAG_POINTER,
                                      .data_size = (uint32_t)schema->size,
                                      .mapping = {.fields = build_fields(room, schema->keys)}};
    Complaint complaint = {"", ""};
    const cyaml_config_t config = {.log_fn = log_complaint,
                                   .log_ctx = &complaint,
                                   .mem_fn = cyaml_mem,
                                   .log_level = CYAML_LOG_ERROR,
                                   .flags = CYAML_CFG_NO_ALIAS};
    cyaml_data_t *data = NULL;
    cyaml_err_t error = cyaml_load_data((const uint8_t *)document->text, document->size, &config, &top, &data, NULL);
    bool good = error == CYAML_OK && data;
    if (good) {
        memcpy(params, data, schema->size);
    } else {
        status_fail(status, STATUS_BAD_FILE, "%s: %s%s", document->label,
                    complaint.text[0] ? complaint.text : cyaml_strerror(error), complaint.place);
    }
    cyaml_free(&config, &top, data, 0);
    free(room);
    return good;
}
