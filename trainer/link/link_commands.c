/// Reads payloads by the console's own table. Whatever is not exactly one is refused.
#include "trainer/link/link_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const char small[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

/// ---- names ---------------------------------------------------------------------------------------------------------

bool link_station_is_one(const char *name)
{
    size_t length = strnlen(name, LINK_STATION);
    return length > 0 && length < LINK_STATION && strspn(name, small) == length;
}

void link_station_fit(const char *text, char name[LINK_STATION])
{
    size_t length = strnlen(text, LINK_STATION - 1);
    for (size_t k = 0; k < length; k++) {
        char letter = text[k] >= 'A' && text[k] <= 'Z' ? (char)(text[k] - 'A' + 'a') : text[k];
        name[k] = letter;
        if (strchr(small, letter) == NULL) {
            name[k] = '-';
        }
    }
    name[length] = '\0';
    if (length == 0) {
        strcpy(name, "station");
    }
}

LinkTopic link_topic(const char *topic, const char *station)
{
    static const char prefix[] = "spadework/";
    size_t length = strlen(station);
    if (strncmp(topic, prefix, sizeof prefix - 1) != 0) {
        return LINK_NO_TOPIC;
    }
    const char *rest = topic + sizeof prefix - 1;
    if (strncmp(rest, station, length) != 0) {
        return LINK_NO_TOPIC;
    }
    return strcmp(rest + length, "/command") == 0 ? LINK_COMMAND
           : strcmp(rest + length, "/watch") == 0 ? LINK_WATCH
                                                  : LINK_NO_TOPIC;
}

/// ---- payloads ------------------------------------------------------------------------------------------------------

static bool refuse(const char *field, const json_t *value, const char *allowed, Status *status)
{
    char *read = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    status_fail(status, STATUS_BAD_FILE, "%s: %.60s was read; allowed is %s", field, read != NULL ? read : "nothing",
                allowed);
    free(read);
    return false;
}

/// Reads one object of this version; the caller gives it up. NULL with `status`.
static json_t *read_object(const char *payload, size_t size, Status *status)
{
    json_error_t error;
    if (size > CONSOLE_BODY) {
        status_fail(status, STATUS_BAD_FILE, "payload: %zu bytes were read; allowed are %d", size, CONSOLE_BODY);
        return NULL;
    }
    json_t *object = json_loadb(payload != NULL ? payload : "", size, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL) {
        status_make_plain(error.text, false); // it has some of what was sent
        status_fail(status, STATUS_BAD_FILE, "payload: byte %d: %.120s; allowed is one JSON object", error.position,
                    error.text);
        return NULL;
    }
    if (!json_is_object(object)) {
        refuse("payload", object, "one JSON object", status);
        json_decref(object);
        return NULL;
    }
    return object;
}

static bool has_version(const json_t *object, Status *status)
{
    const json_t *version = json_object_get(object, "version");
    return (json_is_integer(version) && json_integer_value(version) == 1) || refuse("version", version, "1", status);
}

static bool read_id(const json_t *object, char id[LINK_ID], Status *status)
{
    const json_t *value = json_object_get(object, "id");
    const char *read = json_string_value(value);
    size_t length = read != NULL ? json_string_length(value) : 0;
    if (length == 0 || length >= LINK_ID || strspn(read, small) != length || memchr(read, '_', length) != NULL) {
        return refuse("id", value, "1..40 of a-z, 0-9 and -", status);
    }
    memcpy(id, read, length + 1);
    return true;
}

bool link_order_read(const char *payload, size_t size, LinkOrder *order, Status *status)
{
    *order = (LinkOrder){0};
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return false;
    }
    bool good = read_id(object, order->id, status) && has_version(object, status);
    json_object_del(object, "id");
    json_object_del(object, "version");
    char *rest = good ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    good = good && (rest != NULL || status_fail(status, STATUS_BAD_FILE, "payload: it cannot be kept"));
    good = good && console_command_read(rest, strlen(rest), &order->command, status);
    free(rest);
    return good;
}

bool link_watch_read(const char *payload, size_t size, int *seconds, Status *status)
{
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return false;
    }
    const json_t *value = json_object_get(object, "seconds");
    json_int_t read = json_integer_value(value);
    bool good = has_version(object, status) &&
                ((json_is_integer(value) && read >= 1 && read <= LINK_WATCH_MOST) ||
                 refuse("seconds", value, "a whole number from 1 to 60", status)) &&
                (json_object_size(object) == 2 ||
                 status_fail(status, STATUS_BAD_FILE, "keys: %zu were read; allowed are version and seconds",
                             json_object_size(object)));
    *seconds = good ? (int)read : 0;
    json_decref(object);
    return good;
}
