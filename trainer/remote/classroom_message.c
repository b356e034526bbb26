/// Reads payloads of stations. Who may publish is the broker's business; whatever was published must be harmless here.
#include "trainer/remote/classroom_message.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "data/core/visible_text.h"

#define SEQUENCE_MOST 9007199254740992.0 ///< 2^53, which a double still counts

const char *const classroom_topic_names[CLASSROOM_TOPIC_COUNT] = {
#define X(upper, lower) #lower,
    CLASSROOM_TOPICS(X)
#undef X
};
const char *const classroom_phase_names[CLASSROOM_PHASES] = {"waiting", "driving", "frozen", "over"};

enum { DEPTH_MOST = 16 }; ///< of lists and objects in each other. Chosen: a view has 4

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

bool classroom_topic_read(const char *topic, char name[CLASSROOM_NAME], ClassroomTopic *kind)
{
    static const char prefix[] = "spadework/";
    if (strncmp(topic, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    const char *start = topic + sizeof prefix - 1;
    size_t length = strspn(start, name_letters);
    if (length == 0 || length >= CLASSROOM_NAME || start[length] != '/') {
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    for (int k = 0; k < CLASSROOM_TOPIC_COUNT; k++) {
        if (strcmp(start + length + 1, classroom_topic_names[k]) == 0) {
            *kind = (ClassroomTopic)k;
            return true;
        }
    }
    return false;
}

/// ---- kinds of values -----------------------------------------------------------------------------------------------

static bool refuse(const char *key, const json_t *value, const char *allowed, Status *status)
{
    char *dumped = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    status_fail(status, STATUS_BAD_FILE, "%s: %.40s was read; allowed is %s", key, dumped != NULL ? dumped : "nothing",
                allowed);
    free(dumped);
    return false;
}

static bool read_number(const json_t *object, const char *key, double least, double most, double *number,
                        Status *status)
{
    const json_t *value = json_object_get(object, key);
    double read = json_number_value(value);
    if (!json_is_number(value) || !(read >= least && read <= most)) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a number from %g to %g", least, most);
        return refuse(key, value, allowed, status);
    }
    *number = read;
    return true;
}

static bool read_count(const json_t *object, const char *key, int least, int most, int *count, Status *status)
{
    const json_t *value = json_object_get(object, key);
    json_int_t read = json_integer_value(value);
    if (!json_is_integer(value) || read < least || read > most) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a whole number from %d to %d", least, most);
        return refuse(key, value, allowed, status);
    }
    *count = (int)read;
    return true;
}

/// A text that is not there is empty.
static bool read_text(const json_t *object, const char *key, size_t room, char *text, Status *status)
{
    const json_t *value = json_object_get(object, key);
    const char *read = value != NULL ? json_string_value(value) : "";
    size_t length = value != NULL ? json_string_length(value) : 0;
    if (read != NULL && length < room && strlen(read) == length &&
        visible_text_fault(read, length, false, NULL) == VISIBLE_GOOD) {
        memcpy(text, read, length + 1);
        return true;
    }
    text[0] = '\0';
    char allowed[80];
    snprintf(allowed, sizeof allowed, "a text of at most %zu bytes without control characters and directions",
             room - 1);
    return refuse(key, value, allowed, status);
}

/// The same, cut at the end of a letter where it is longer.
static bool read_long_text(const json_t *object, const char *key, char text[CLASSROOM_TEXT], Status *status)
{
    const json_t *value = json_object_get(object, key);
    const char *read = json_string_value(value);
    if (read == NULL || json_string_length(value) < CLASSROOM_TEXT) {
        return read_text(object, key, CLASSROOM_TEXT, text, status);
    }
    size_t length = CLASSROOM_TEXT - 1;
    while (length > 0 && ((unsigned char)read[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(text, read, length);
    text[length] = '\0';
    status_make_plain(text, false);
    return true;
}

static bool read_name(const json_t *object, const char *key, bool may_be_empty, char name[CLASSROOM_NAME],
                      Status *status)
{
    const json_t *value = json_object_get(object, key);
    if (!read_text(object, key, CLASSROOM_NAME, name, status)) {
        return false;
    }
    return (name[strspn(name, name_letters)] == '\0' && (may_be_empty || name[0] != '\0')) ||
           refuse(key, value, "1..40 of a-z, 0-9, - and _", status);
}

static bool read_phase(const json_t *object, ClassroomPhase *phase, Status *status)
{
    const json_t *value = json_object_get(object, "phase");
    for (int k = 0; json_is_string(value) && k < CLASSROOM_PHASES; k++) {
        if (strcmp(json_string_value(value), classroom_phase_names[k]) == 0) {
            *phase = (ClassroomPhase)k;
            return true;
        }
    }
    return refuse("phase", value, "waiting, driving, frozen or over", status);
}

/// ---- payloads ------------------------------------------------------------------------------------------------------

/// How deep a text's arrays and objects lie in each other: jansson reads each by a call of its own, on a thread whose
/// stack is another's choice.
static bool is_shallow(const char *payload, size_t size)
{
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (size_t k = 0; k < size; k++) {
        char letter = payload[k];
        if (quoted && letter == '\\') {
            k++;
        } else if (letter == '"') {
            quoted = !quoted;
        } else if (!quoted) {
            depth += (letter == '[' || letter == '{') - (letter == ']' || letter == '}');
            deepest = depth > deepest ? depth : deepest;
        }
    }
    return deepest <= DEPTH_MOST;
}

/// One object; the caller lets it go.
static json_t *read_any(const char *payload, size_t size, Status *status)
{
    json_error_t error = {0};
    if (size > CLASSROOM_PAYLOAD) {
        status_fail(status, STATUS_BAD_FILE, "%zu bytes were read; allowed are %d", size, CLASSROOM_PAYLOAD);
        return NULL;
    }
    if (!is_shallow(payload, size)) {
        status_fail(status, STATUS_BAD_FILE, "lists in lists were read; allowed are %d", DEPTH_MOST);
        return NULL;
    }
    json_t *object = size > 0 ? json_loadb(payload, size, JSON_REJECT_DUPLICATES, &error) : json_null();
    if (object == NULL) {
        status_fail(status, STATUS_BAD_FILE, "byte %d: %.80s; allowed is one JSON object", error.position, error.text);
        status_make_plain(status->text, false);
        return NULL;
    }
    if (!json_is_object(object)) {
        refuse("payload", object, "one JSON object", status);
        json_decref(object);
        return NULL;
    }
    return object;
}

/// One object of this version.
static json_t *read_object(const char *payload, size_t size, Status *status)
{
    json_t *object = read_any(payload, size, status);
    const json_t *version = json_object_get(object, "version");
    if (object != NULL && json_integer_value(version) != 1) {
        refuse("version", version, "1", status);
        json_decref(object);
        object = NULL;
    }
    return object;
}

/// Reads the sender; stations of an older version have none. A last will has the instance alone.
static bool read_who(const json_t *object, bool online, LinkWho *who, Status *status)
{
    if (json_object_get(object, "instance") == NULL) {
        return true;
    }
    if (online) {
        return link_who_read(object, who, status);
    }
    return read_text(object, "instance", sizeof who->instance, who->instance, status);
}

bool classroom_read_status(const char *payload, size_t size, const char *name, ClassroomStatus *read, Status *status)
{
    char told[CLASSROOM_NAME];
    *read = (ClassroomStatus){0};
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return false;
    }
    const json_t *online = json_object_get(object, "online");
    bool good =
        (json_is_boolean(online) || refuse("online", online, "true or false", status)) &&
        read_name(object, "station", false, told, status) &&
        (strcmp(told, name) == 0 || refuse("station", json_object_get(object, "station"), "the topic's", status));
    read->online = json_is_true(online);
    good = good && read_who(object, read->online, &read->who, status);
    if (good && read->online) {
        good = read_phase(object, &read->phase, status) && read_name(object, "scene", true, read->scene, status) &&
               read_long_text(object, "title", read->title, status) &&
               read_text(object, "trainee", sizeof read->trainee, read->trainee, status);
    }
    json_decref(object);
    return good;
}

bool classroom_read_state(const char *payload, size_t size, ClassroomState *read, Status *status)
{
    double sequence = 0.0;
    *read = (ClassroomState){0};
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return false;
    }
    bool good = read_number(object, "sequence", 0.0, SEQUENCE_MOST, &sequence, status) &&
                read_number(object, "sent", 0.0, 1e11, &read->sent, status) &&
                read_text(object, "drive", sizeof read->drive, read->drive, status) &&
                read_phase(object, &read->phase, status) &&
                read_number(object, "time", 0.0, 1e7, &read->time, status) &&
                read_number(object, "score", -1e6, 1e6, &read->score, status) &&
                read_number(object, "progress", 0.0, 1.0, &read->progress, status) &&
                read_number(object, "real_time", 0.0, 1e4, &read->real_time, status) &&
                read_count(object, "faults", 0, CLASSROOM_MOST_FAULTS, &read->faults, status);
    read->sequence = (int64_t)sequence;
    json_decref(object);
    return good;
}

bool classroom_read_event(const char *payload, size_t size, ClassroomEvent *read, Status *status)
{
    char kind[CLASSROOM_TEXT];
    *read = (ClassroomEvent){0};
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return false;
    }
    bool good = read_text(object, "drive", sizeof read->drive, read->drive, status) &&
                read_count(object, "number", 1, CLASSROOM_MOST_EVENTS, &read->number, status) &&
                read_number(object, "time", 0.0, 1e7, &read->time, status) &&
                read_text(object, "kind", sizeof kind, kind, status) &&
                read_long_text(object, "detail", read->text, status);
    if (good && read->text[0] == '\0') {
        bool titled = json_is_string(json_object_get(object, "title"));
        good = read_long_text(object, titled ? "title" : "kind", read->text, status);
    }
    json_decref(object);
    return good;
}

bool classroom_read_answer(const char *payload, size_t size, ClassroomAnswer *read, Status *status)
{
    *read = (ClassroomAnswer){0};
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return false;
    }
    const json_t *taken = json_object_get(object, "taken");
    bool good = read_name(object, "id", true, read->id, status) &&
                (json_is_boolean(taken) || refuse("taken", taken, "true or false", status)) &&
                read_long_text(object, "error", read->error, status);
    read->taken = json_is_true(taken);
    json_decref(object);
    return good;
}

/// Writes an object as one line, and lets it go.
static char *write_line(json_t *object, Status *status)
{
    char *line = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (object != NULL && line == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for a payload");
    }
    json_decref(object);
    return line;
}

char *classroom_read_ground(const char *payload, size_t size, Status *status)
{
    return write_line(read_any(payload, size, status), status);
}

char *classroom_read_view(const char *payload, size_t size, Status *status)
{
    json_t *object = read_any(payload, size, status);
    if (object != NULL) {
        const char *debrief = json_string_value(json_object_get(object, "debrief"));
        bool there = debrief != NULL && debrief[0] != '\0';
        json_object_set_new(object, "debrief", json_string(there ? "station" : ""));
        json_object_set_new(object, "picture", json_string(""));
    }
    return write_line(object, status);
}

/// One scene of the list.
static bool read_scene(const json_t *value, json_t *list, Status *status)
{
    char name[CLASSROOM_NAME], title[CLASSROOM_TEXT];
    if (!json_is_object(value)) {
        return refuse("scenes", value, "a list of objects", status);
    }
    return read_name(value, "name", false, name, status) && read_long_text(value, "title", title, status) &&
           json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "title", title)) == 0;
}

static bool read_scene_list(const json_t *scenes, json_t *list, Status *status)
{
    bool good = (json_is_array(scenes) && json_array_size(scenes) <= CLASSROOM_MOST_SCENES) ||
                refuse("scenes", scenes, "a list of at most 512", status);
    for (size_t k = 0; good && k < json_array_size(scenes); k++) {
        good = read_scene(json_array_get(scenes, k), list, status);
    }
    return good;
}

/// One course of the list, with the names of its scenes.
static bool read_course(const json_t *value, json_t *list, Status *status)
{
    char name[CLASSROOM_NAME], title[CLASSROOM_TEXT];
    const json_t *scenes = json_object_get(value, "scenes");
    if (!json_is_object(value)) {
        return refuse("courses", value, "a list of objects", status);
    }
    if (!json_is_array(scenes) || json_array_size(scenes) > CLASSROOM_MOST_SCENES) {
        return refuse("scenes", scenes, "a list of at most 512 names", status);
    }
    json_t *names = json_array();
    bool good = read_name(value, "name", false, name, status) && read_long_text(value, "title", title, status);
    for (size_t k = 0; good && k < json_array_size(scenes); k++) {
        const char *scene = json_string_value(json_array_get(scenes, k));
        good = (scene != NULL && link_station_is_one(scene)) ||
               refuse("scenes", json_array_get(scenes, k), "names of 1..40 of a-z, 0-9, - and _", status);
        json_array_append(names, json_array_get(scenes, k));
    }
    if (good) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:O}", "name", name, "title", title, "scenes", names));
    }
    json_decref(names);
    return good;
}

static bool read_course_list(const json_t *courses, json_t *list, Status *status)
{
    bool good = courses == NULL || (json_is_array(courses) && json_array_size(courses) <= CLASSROOM_MOST_COURSES) ||
                refuse("courses", courses, "a list of at most 64", status);
    for (size_t k = 0; good && k < json_array_size(courses); k++) {
        good = read_course(json_array_get(courses, k), list, status);
    }
    return good;
}

char *classroom_read_scenes(const char *payload, size_t size, Status *status)
{
    json_t *object = read_object(payload, size, status);
    if (object == NULL) {
        return NULL;
    }
    json_t *scenes = json_array(), *courses = json_array();
    bool good = read_scene_list(json_object_get(object, "scenes"), scenes, status) &&
                read_course_list(json_object_get(object, "courses"), courses, status);
    json_decref(object);
    object = json_pack("{s:o, s:o}", "scenes", scenes, "courses", courses);
    if (!good) {
        json_decref(object);
        return NULL;
    }
    return write_line(object, status);
}
