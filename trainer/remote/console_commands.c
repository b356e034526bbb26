/// Reads orders by one table, and queues them. Whatever is not exactly an order is refused with the field, the value
/// that was read and what is allowed.
#include "trainer/remote/console_commands.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/remote/console_json.h"

const char *const console_command_names[CONSOLE_COMMAND_COUNT] = {
#define X(upper, lower, fields) #lower,
    CONSOLE_COMMANDS(X)
#undef X
};
static const int command_fields[CONSOLE_COMMAND_COUNT] = {
#define X(upper, lower, fields) fields,
    CONSOLE_COMMANDS(X)
#undef X
};

/// One key beside "command".
typedef struct Field {
    const char *name;
    int bit;
} Field;
static const Field fields[] = {{"text", CONSOLE_TEXT_BIT},
                               {"name", CONSOLE_NAME_BIT},
                               {"part", CONSOLE_PART_BIT},
                               {"value", CONSOLE_VALUE_BIT},
                               {"conditions", CONSOLE_CONDITIONS_BIT}};
enum { FIELDS = sizeof fields / sizeof fields[0], SHOWN = 63 }; ///< SHOWN: bytes of a value in a message

/// ---- kinds of values -----------------------------------------------------------------------------------------------

static bool read_line(const json_t *value, bool may_be_empty, char text[CONSOLE_TEXT], Status *status)
{
    const char *read = json_string_value(value);
    if (read == NULL || json_string_length(value) >= CONSOLE_TEXT || (!may_be_empty && read[0] == '\0') ||
        strlen(read) != json_string_length(value) ||
        visible_text_fault(read, strlen(read), false, NULL) != VISIBLE_GOOD) {
        return console_json_refuse("text", value, SHOWN,
                                   may_be_empty ? "a text of 0..90 bytes without control characters and directions"
                                                : "a text of 1..90 bytes without control characters and directions",
                                   status);
    }
    memcpy(text, read, strlen(read) + 1);
    return true;
}

/// Letters of the names of files (data/files), and the space, which parts of machines have.
static const char name_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_. ";

bool console_name_is_file(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length < CONSOLE_NAME && name[0] != '.' && strspn(name, name_letters) == length &&
           strchr(name, ' ') == NULL;
}

/// A name; a part may be empty, and be of two words.
static bool read_name(const char *field, const json_t *value, bool is_part, char name[CONSOLE_NAME], Status *status)
{
    const char *read = json_string_value(value);
    size_t length = read != NULL ? strlen(read) : 0;
    bool whole = read != NULL && length == json_string_length(value) && length < CONSOLE_NAME;
    bool good =
        whole && (is_part ? strspn(read, name_letters) == length && read[0] != '.' : console_name_is_file(read));
    if (!good) {
        return console_json_refuse(
            field, value, SHOWN,
            is_part ? "0..63 of A-Z, a-z, 0-9, -, _, . and space" : "1..63 of A-Z, a-z, 0-9, -, _ and .", status);
    }
    memcpy(name, read, length + 1);
    return true;
}

/// An object of names by condition; each may be absent or "".
static bool read_conditions(const json_t *value, Conditions *conditions, Status *status)
{
    size_t known = 0;
    if (value == NULL) {
        return true;
    }
    for (int k = 0; k < CONDITION_COUNT; k++) {
        const json_t *one = json_object_get(value, condition_names[k]);
        const char *name = one != NULL ? json_string_value(one) : "";
        bool good = name != NULL && (name[0] == '\0' || console_name_is_file(name));
        if (!good) {
            return console_json_refuse(condition_names[k], one, SHOWN, "nothing, or 1..63 of A-Z, a-z, 0-9, -, _ and .",
                                       status);
        }
        snprintf(conditions->name[k], CONDITION_NAME, "%s", name);
        known += one != NULL;
    }
    return (json_is_object(value) && json_object_size(value) == known) ||
           console_json_refuse("conditions", value, SHOWN, "an object of time, weather, soil, machine and start",
                               status);
}

/// The drive checks which values a fault takes.
static bool read_value(const json_t *value, bool is_flag, double *number, Status *status)
{
    double read = json_number_value(value);
    if (is_flag && value != NULL && !(json_is_integer(value) && (json_integer_value(value) | 1) == 1)) {
        return console_json_refuse("value", value, SHOWN, "0 or 1", status);
    }
    if (is_flag) { // it may be left out
        *number = read;
        return true;
    }
    if (!json_is_number(value) || !(read >= 0.0 && read <= CONSOLE_VALUE_MOST)) {
        return console_json_refuse("value", value, SHOWN, "a number from 0 to 1e6", status);
    }
    *number = read;
    return true;
}

/// ---- the order -----------------------------------------------------------------------------------------------------

static bool read_kind(const json_t *value, ConsoleCommandKind *kind, Status *status)
{
    const char *name = json_string_value(value);
    for (int k = 0; name != NULL && k < CONSOLE_COMMAND_COUNT; k++) {
        if (strcmp(name, console_command_names[k]) == 0 && strlen(name) == json_string_length(value)) {
            *kind = (ConsoleCommandKind)k;
            return true;
        }
    }
#define X(upper, lower, fields) " " #lower
    return console_json_refuse("command", value, SHOWN, "one of" CONSOLE_COMMANDS(X), status);
#undef X
}

/// True when the order takes every key that is there.
static bool has_known_keys(json_t *object, const ConsoleCommand *command, Status *status)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        int bit = 0;
        for (int k = 0; k < FIELDS; k++) {
            bit |= strcmp(key, fields[k].name) == 0 ? fields[k].bit : 0;
        }
        if (strcmp(key, "command") != 0 && (bit & command_fields[command->kind]) == 0) {
            char allowed[64] = "command", read[48];
            for (int k = 0; k < FIELDS; k++) {
                if ((command_fields[command->kind] & fields[k].bit) != 0) {
                    snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), ", %s", fields[k].name);
                }
            }
            snprintf(read, sizeof read, "%.40s", key);
            visible_text_mask(read, false);
            return status_fail(status, STATUS_BAD_FILE, "key %s was read; %s takes %s alone", read,
                               console_command_names[command->kind], allowed);
        }
    }
    return true;
}

static bool read_fields(json_t *object, ConsoleCommand *command, Status *status)
{
    int taken = command_fields[command->kind];
    bool loads = command->kind == CONSOLE_LOAD;
    bool left_out = loads && json_object_get(object, "part") == NULL;
    bool may_be_empty = loads || command->kind == CONSOLE_SNAPSHOT || command->kind == CONSOLE_COMMENT ||
                        command->kind == CONSOLE_GRADE;
    return has_known_keys(object, command, status) &&
           ((taken & CONSOLE_TEXT_BIT) == 0 ||
            read_line(json_object_get(object, "text"), may_be_empty, command->text, status)) &&
           ((taken & CONSOLE_NAME_BIT) == 0 ||
            read_name("name", json_object_get(object, "name"), false, command->name, status)) &&
           ((taken & CONSOLE_PART_BIT) == 0 || left_out ||
            read_name("part", json_object_get(object, "part"), true, command->part, status)) &&
           ((taken & CONSOLE_CONDITIONS_BIT) == 0 ||
            read_conditions(json_object_get(object, "conditions"), &command->conditions, status)) &&
           ((taken & CONSOLE_VALUE_BIT) == 0 ||
            read_value(json_object_get(object, "value"), loads, &command->value, status));
}

bool console_command_read_object(json_t *object, ConsoleCommand *command, Status *status)
{
    *command = (ConsoleCommand){0};
    return read_kind(json_object_get(object, "command"), &command->kind, status) &&
           read_fields(object, command, status);
}

json_t *console_command_parse(const char *body, size_t size, size_t most, Status *status)
{
    return console_json_read("body", body, size, most, SHOWN, status);
}

bool console_command_read(const char *body, size_t size, ConsoleCommand *command, Status *status)
{
    *command = (ConsoleCommand){0};
    json_t *object = console_command_parse(body, size, CONSOLE_BODY, status);
    bool good = object != NULL && console_command_read_object(object, command, status);
    json_decref(object);
    return good;
}

/// ---- the queue -----------------------------------------------------------------------------------------------------

bool console_queue_put(ConsoleQueue *queue, const ConsoleCommand *command, int place)
{
    int k = order_ring_put(&queue->ring);
    if (k >= 0) {
        queue->waiting[k] = (ConsoleWaiting){*command, place};
    }
    return k >= 0;
}

bool console_queue_take(ConsoleQueue *queue, ConsoleWaiting *oldest)
{
    int k = order_ring_take(&queue->ring);
    if (k >= 0) {
        *oldest = queue->waiting[k];
    }
    return k >= 0;
}
