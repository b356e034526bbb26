/// Reads payloads by the console's own table. Whatever is not exactly one is refused.
#include "trainer/remote/link_commands.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { STATUS_MOST = 8192 }; ///< bytes of a status, which has texts of an exercise. Chosen

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
    static const char *const leaves[] = {
        [LINK_COMMAND] = "/command", [LINK_WATCH] = "/watch", [LINK_STATUS] = "/status", [LINK_CLAIM] = "/claim"};
    for (int k = LINK_COMMAND; k <= LINK_CLAIM; k++) {
        if (strcmp(rest + length, leaves[k]) == 0) {
            return (LinkTopic)k;
        }
    }
    return LINK_NO_TOPIC;
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
/// most  bytes that it may have
static json_t *read_object(const char *payload, size_t size, size_t most, Status *status)
{
    json_error_t error;
    if (size > most) {
        status_fail(status, STATUS_BAD_FILE, "payload: %zu bytes were read; allowed are %zu", size, most);
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
    json_t *object = read_object(payload, size, CONSOLE_BODY, status);
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
    json_t *object = read_object(payload, size, CONSOLE_BODY, status);
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

/// ---- who holds the name --------------------------------------------------------------------------------------------

/// A text of `room` - 1 bytes at most, without what a terminal takes as a command; of `letters` alone where they are
/// given.
static bool read_text(const json_t *object, const char *key, const char *letters, size_t least, size_t room, char *text,
                      Status *status)
{
    const json_t *value = json_object_get(object, key);
    const char *read = json_string_value(value);
    size_t length = read != NULL ? json_string_length(value) : 0;
    char allowed[64];
    if (read != NULL && length >= least && length < room && strlen(read) == length &&
        (letters == NULL || strspn(read, letters) == length)) {
        memcpy(text, read, length + 1);
        status_make_plain(text, false);
        return true;
    }
    text[0] = '\0';
    snprintf(allowed, sizeof allowed, "%zu..%zu bytes%s%s", least, room - 1, letters != NULL ? " of " : "",
             letters != NULL ? letters : "");
    return refuse(key, value, allowed, status);
}

static bool read_number(const json_t *object, const char *key, int least, int most, int *number, Status *status)
{
    const json_t *value = json_object_get(object, key);
    json_int_t read = json_integer_value(value);
    char allowed[64];
    if (json_is_integer(value) && read >= least && read <= most) {
        *number = (int)read;
        return true;
    }
    snprintf(allowed, sizeof allowed, "a whole number from %d to %d", least, most);
    return refuse(key, value, allowed, status);
}

static bool read_flag(const json_t *object, const char *key, bool *flag, Status *status)
{
    const json_t *value = json_object_get(object, key);
    *flag = json_is_true(value);
    return json_is_boolean(value) || refuse(key, value, "true or false", status);
}

static bool read_instance(const json_t *object, LinkWho *who, Status *status)
{
    return read_text(object, "instance", "0123456789abcdef", LINK_INSTANCE - 1, LINK_INSTANCE, who->instance, status);
}

bool link_who_read(const void *object, LinkWho *who, Status *status)
{
    *who = (LinkWho){0};
    return read_instance(object, who, status) &&
           read_text(object, "host", NULL, 0, sizeof who->host, who->host, status) &&
           read_text(object, "address", "0123456789abcdef:.", 0, sizeof who->address, who->address, status) &&
           read_number(object, "process", 0, INT_MAX, &who->process, status);
}

bool link_claim_read(const char *payload, size_t size, LinkNotice *notice, Status *status)
{
    bool out = false;
    *notice = (LinkNotice){0};
    json_t *object = read_object(payload, size, STATUS_MOST, status);
    bool good = object != NULL && has_version(object, status) && link_who_read(object, &notice->who, status) &&
                read_flag(object, "held", &notice->held, status) && read_flag(object, "out", &out, status);
    notice->kind = out ? LINK_NOTICE_OUT : LINK_NOTICE_CLAIM;
    json_decref(object);
    return good;
}

bool link_status_read(const char *payload, size_t size, LinkNotice *notice, Status *status)
{
    bool online = false;
    *notice = (LinkNotice){0};
    json_t *object = read_object(payload, size, STATUS_MOST, status);
    bool good = object != NULL && has_version(object, status) && read_flag(object, "online", &online, status);
    notice->kind = online ? LINK_NOTICE_HOLDS : LINK_NOTICE_GONE;
    good = good && (online ? link_who_read(object, &notice->who, status) &&
                                 read_number(object, "term", 1, LINK_TERM_MOST, &notice->term, status)
                           : read_instance(object, &notice->who, status));
    json_decref(object);
    return good;
}
