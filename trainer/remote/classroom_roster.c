/// Payloads of the stations of a classroom, the table that they fill, the lists of exercises, each kept once, and
/// orders to stations. The broker's access list decides who may publish; any payload must be harmless here. States and
/// events have numbers, by which missing ones are counted.
#include "trainer/remote/classroom_roster.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/remote/console_json.h"

#define SEQUENCE_MOST 9007199254740992.0 ///< 2^53, which a double still counts

const char *const classroom_topic_names[CLASSROOM_TOPIC_COUNT] = {
#define X(upper, lower) #lower,
    CLASSROOM_TOPICS(X)
#undef X
};
/// "waiting", ...
static const char *const classroom_phase_names[CLASSROOM_PHASES] = {"waiting", "driving", "frozen", "over"};

enum { SHOWN = 40, REAL_DIGITS = 9 }; ///< bytes of a value in a message; of a number
enum { DEPTH_MOST = 16 }; ///< of lists and objects in each other. Chosen: a view has 4

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

/// ---- topics --------------------------------------------------------------------------------------------------------

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

/// ---- payloads: kinds of values -------------------------------------------------------------------------------------

static bool read_number(const json_t *object, const char *key, double least, double most, double *number,
                        Status *status)
{
    const json_t *value = json_object_get(object, key);
    double read = json_number_value(value);
    if (!json_is_number(value) || !(read >= least && read <= most)) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a number from %g to %g", least, most);
        return console_json_refuse(key, value, SHOWN, allowed, status);
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
        return console_json_refuse(key, value, SHOWN, allowed, status);
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
    return console_json_refuse(key, value, SHOWN, allowed, status);
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
    visible_text_mask(text, false);
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
           console_json_refuse(key, value, SHOWN, "1..40 of a-z, 0-9, - and _", status);
}

/// A name of a scene or course.
static bool read_file_name(const json_t *object, const char *key, bool may_be_empty, char name[CONSOLE_NAME],
                           Status *status)
{
    return read_text(object, key, CONSOLE_NAME, name, status) &&
           ((may_be_empty && name[0] == '\0') || console_name_is_file(name) ||
            console_json_refuse(key, json_object_get(object, key), SHOWN, "1..63 of A-Z, a-z, 0-9, -, _ and .",
                                status));
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
    return console_json_refuse("phase", value, SHOWN, "waiting, driving, frozen or over", status);
}

/// ---- payloads: messages --------------------------------------------------------------------------------------------

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
        visible_text_mask(status->text, false);
        return NULL;
    }
    if (!json_is_object(object)) {
        console_json_refuse("payload", object, SHOWN, "one JSON object", status);
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
        console_json_refuse("version", version, SHOWN, "1", status);
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
    bool good = (json_is_boolean(online) || console_json_refuse("online", online, SHOWN, "true or false", status)) &&
                read_name(object, "station", false, told, status) &&
                (strcmp(told, name) == 0 ||
                 console_json_refuse("station", json_object_get(object, "station"), SHOWN, "the topic's", status));
    read->online = json_is_true(online);
    good = good && read_who(object, read->online, &read->who, status);
    if (good && read->online) {
        good = read_phase(object, &read->phase, status) && read_file_name(object, "scene", true, read->scene, status) &&
               read_long_text(object, "title", read->title, status) &&
               read_text(object, "trainee", sizeof read->trainee, read->trainee, status);
    }
    json_decref(object);
    return good;
}

static bool read_state(const char *payload, size_t size, ClassroomState *read, Status *status)
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

static bool read_event(const char *payload, size_t size, ClassroomEvent *read, Status *status)
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
                (json_is_boolean(taken) || console_json_refuse("taken", taken, SHOWN, "true or false", status)) &&
                read_long_text(object, "error", read->error, status);
    read->taken = json_is_true(taken);
    json_decref(object);
    return good;
}

/// Writes an object as one line, and gives it up. NULL for NULL.
static char *write_line(json_t *object, Status *status)
{
    bool is_there = object != NULL;
    char *line = console_json_write(object, REAL_DIGITS, NULL);
    if (is_there && line == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for a payload");
    }
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
    char name[CONSOLE_NAME], title[CLASSROOM_TEXT];
    if (!json_is_object(value)) {
        return console_json_refuse("scenes", value, SHOWN, "a list of objects", status);
    }
    return read_file_name(value, "name", false, name, status) && read_long_text(value, "title", title, status) &&
           json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "title", title)) == 0;
}

static bool read_scene_list(const json_t *scenes, json_t *list, Status *status)
{
    bool good = (json_is_array(scenes) && json_array_size(scenes) <= CLASSROOM_MOST_SCENES) ||
                console_json_refuse("scenes", scenes, SHOWN, "a list of at most 512", status);
    for (size_t k = 0; good && k < json_array_size(scenes); k++) {
        good = read_scene(json_array_get(scenes, k), list, status);
    }
    return good;
}

/// One course of the list, with the names of its scenes.
static bool read_course(const json_t *value, json_t *list, Status *status)
{
    char name[CONSOLE_NAME], title[CLASSROOM_TEXT];
    const json_t *scenes = json_object_get(value, "scenes");
    if (!json_is_object(value)) {
        return console_json_refuse("courses", value, SHOWN, "a list of objects", status);
    }
    if (!json_is_array(scenes) || json_array_size(scenes) > CLASSROOM_MOST_SCENES) {
        return console_json_refuse("scenes", scenes, SHOWN, "a list of at most 512 names", status);
    }
    json_t *names = json_array();
    bool good = read_file_name(value, "name", false, name, status) && read_long_text(value, "title", title, status);
    for (size_t k = 0; good && k < json_array_size(scenes); k++) {
        const char *scene = json_string_value(json_array_get(scenes, k));
        good = (scene != NULL && console_name_is_file(scene)) ||
               console_json_refuse("scenes", json_array_get(scenes, k), SHOWN,
                                   "names of 1..63 of A-Z, a-z, 0-9, -, _ and .", status);
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
                console_json_refuse("courses", courses, SHOWN, "a list of at most 64", status);
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

/// ---- stations by name ----------------------------------------------------------------------------------------------

int classroom_roster_find(const ClassroomRoster *roster, const char *name)
{
    for (int k = 0; k < roster->count; k++) {
        if (strcmp(roster->stations[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/// ---- stations that are there ---------------------------------------------------------------------------------------

bool classroom_station_is_silent(const ClassroomStation *station, double now)
{
    return station->status.online && now - station->told > CLASSROOM_SILENT;
}

bool classroom_station_is_there(const ClassroomStation *station, double now)
{
    return station->status.online && !classroom_station_is_silent(station, now);
}

int classroom_roster_gone(const ClassroomRoster *roster, double now)
{
    int gone = -1, silent = -1;
    for (int k = 0; k < roster->count; k++) {
        const ClassroomStation *station = &roster->stations[k];
        if (!station->looked_at && !station->status.online &&
            (gone < 0 || station->told < roster->stations[gone].told)) {
            gone = k;
        }
        if (!station->looked_at && classroom_station_is_silent(station, now) &&
            (silent < 0 || station->told < roster->stations[silent].told)) {
            silent = k;
        }
    }
    return gone >= 0 ? gone : silent;
}

/// ---- programs of one name ------------------------------------------------------------------------------------------

static bool is_same(const LinkWho *a, const LinkWho *b)
{
    return a->instance[0] != '\0' && strcmp(a->instance, b->instance) == 0;
}

static bool is_same_computer(const LinkWho *a, const LinkWho *b)
{
    return strcmp(a->host, b->host) == 0 && strcmp(a->address, b->address) == 0;
}

/// Forgets this rival, and earlier ones of the same computer.
static void drop_rival(ClassroomStation *station, const LinkWho *who)
{
    int kept = 0;
    for (int k = 0; k < station->rival_count; k++) {
        if (!is_same(&station->rivals[k].who, who) && !is_same_computer(&station->rivals[k].who, who)) {
            station->rivals[kept++] = station->rivals[k];
        }
    }
    station->rival_count = kept;
}

bool classroom_roster_claim(ClassroomRoster *roster, int station, const char *payload, size_t size, double now,
                            Status *status)
{
    LinkNotice notice;
    ClassroomStation *own = &roster->stations[station];
    if (!link_claim_read(payload, size, &notice, status)) {
        roster->counts.refused++;
        return false;
    }
    if (notice.kind != LINK_NOTICE_OUT || is_same(&notice.who, &own->status.who)) {
        return true;
    }
    drop_rival(own, &notice.who);
    if (own->rival_count == CLASSROOM_RIVALS) {
        memmove(&own->rivals[0], &own->rivals[1], sizeof own->rivals - sizeof own->rivals[0]);
        own->rival_count--;
    }
    own->rivals[own->rival_count++] = (ClassroomRival){notice.who, now};
    return true;
}

/// ---- messages that the table takes ---------------------------------------------------------------------------------

/// A place for one that comes; -1 with `status`.
static int find_room(ClassroomRoster *roster, bool online, double now, Status *status)
{
    if (roster->count < CLASSROOM_STATIONS) {
        return roster->count++;
    }
    int place = online ? classroom_roster_gone(roster, now) : -1;
    if (place >= 0) {
        roster->counts.dropped++;
    } else {
        roster->counts.refused++;
        status_fail(status, STATUS_LACKING, "%d stations are there; allowed are no more", CLASSROOM_STATIONS);
    }
    return place;
}

/// True for the last will of another program than the one that holds the name.
static bool is_of_another(const ClassroomStation *station, const ClassroomStatus *read, double now)
{
    return !read->online && classroom_station_is_there(station, now) && station->status.who.instance[0] != '\0' &&
           read->who.instance[0] != '\0' && !is_same(&station->status.who, &read->who);
}

int classroom_roster_status(ClassroomRoster *roster, const char *name, const char *payload, size_t size, bool kept,
                            double now, Status *status)
{
    ClassroomStatus read;
    if (!classroom_read_status(payload, size, name, &read, status)) {
        roster->counts.refused++;
        return -1;
    }
    int place = classroom_roster_find(roster, name);
    if (place < 0) {
        place = find_room(roster, read.online, now, status);
        if (place < 0) {
            return -1;
        }
        roster->stations[place] = (ClassroomStation){0};
        memcpy(roster->stations[place].name, name, strlen(name) + 1);
    }
    ClassroomStation *station = &roster->stations[place];
    if (is_of_another(station, &read, now)) {
        return place;
    }
    station->told = kept && read.online && station->status.online ? station->told : now;
    if (!read.online) { // it keeps what it was at
        station->status.online = false;
        return place;
    }
    bool is_other = !is_same(&station->status.who, &read.who) && read.who.instance[0] != '\0';
    if (!station->status.online || is_other || read.phase == CLASSROOM_WAITING) {
        station->heard = 0.0; // its earlier states are another program's, or another drive's
    }
    for (int k = 0; k < station->rival_count && is_other; k++) {
        if (is_same(&station->rivals[k].who, &read.who)) { // it has the name now
            drop_rival(station, &read.who);
        }
    }
    station->status = read;
    station->phase = read.phase;
    return place;
}

bool classroom_roster_state(ClassroomRoster *roster, int station, const char *payload, size_t size, double now,
                            Status *status)
{
    ClassroomState read;
    if (!read_state(payload, size, &read, status)) {
        roster->counts.refused++;
        return false;
    }
    ClassroomStation *own = &roster->stations[station];
    if (own->heard > 0.0 && read.sequence > own->state.sequence + 1) {
        roster->counts.states_lost += (long)(read.sequence - own->state.sequence - 1);
    }
    roster->counts.states++;
    own->state = read;
    own->phase = read.phase;
    own->heard = now;
    return true;
}

bool classroom_roster_event(ClassroomRoster *roster, int station, const char *payload, size_t size, Status *status)
{
    ClassroomEvent read;
    if (!read_event(payload, size, &read, status)) {
        roster->counts.refused++;
        return false;
    }
    ClassroomStation *own = &roster->stations[station];
    bool same = own->event.number > 0 && strcmp(own->event.drive, read.drive) == 0;
    if (same && read.number <= own->event.number) {
        roster->counts.events_again++;
        return true;
    }
    if (own->event.number > 0) { // before its first event here nothing was lost
        roster->counts.events_lost += read.number - 1 - (same ? own->event.number : 0);
    }
    roster->counts.events++;
    own->event = read;
    return true;
}

/// ---- texts of the table --------------------------------------------------------------------------------------------

static int compare_names(const void *left, const void *right)
{
    const ClassroomStation *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

/// Rounds for a shorter text.
static json_t *make_rounded(double value, double step)
{
    return json_real(round(value / step) * step);
}

/// Writes what a person needs to find a computer. process  true if names and addresses are the same for two programs
static json_t *make_computer(const LinkWho *who, bool process)
{
    json_t *object = json_pack("{s:s, s:s}", "host", who->host, "address", who->address);
    if (process) {
        json_object_set_new(object, "process", json_integer(who->process));
    }
    return object;
}

/// Adds the programs that were refused the name.
static void add_rivals(json_t *object, const ClassroomStation *station, double now)
{
    const LinkWho *holder = &station->status.who;
    bool alike = false;
    json_t *list = json_array();
    for (int k = 0; k < station->rival_count; k++) {
        alike |= is_same_computer(&station->rivals[k].who, holder);
    }
    for (int k = 0; k < station->rival_count; k++) {
        double age = now - station->rivals[k].heard;
        if (station->status.online && age <= CLASSROOM_RIVAL) { // else the name is free
            json_array_append_new(list, json_pack("{s:o, s:f}", "computer",
                                                  make_computer(&station->rivals[k].who, alike), "age", floor(age)));
        }
    }
    if (holder->instance[0] != '\0') {
        json_object_set_new(object, "computer", make_computer(holder, alike));
    }
    if (json_array_size(list) > 0) {
        json_object_set(object, "rivals", list);
    }
    json_decref(list);
}

static json_t *make_station(const ClassroomStation *station, double now)
{
    const ClassroomStatus *status = &station->status;
    const ClassroomState *state = &station->state;
    bool has_state = station->heard > 0.0;
    json_t *object =
        json_pack("{s:s, s:b, s:s, s:s, s:s}", "name", station->name, "online", status->online, "phase",
                  classroom_phase_names[station->phase], "title", status->title, "trainee", status->trainee);
    if (has_state) {
        json_object_set_new(object, "age", make_rounded(now - station->heard, 0.01));
        json_object_set_new(object, "time", make_rounded(state->time, 0.1));
        json_object_set_new(object, "score", make_rounded(state->score, 0.1));
        json_object_set_new(object, "progress", make_rounded(state->progress, 0.001));
        json_object_set_new(object, "faults", json_integer(state->faults));
        json_object_set_new(object, "sequence", json_integer(state->sequence));
    }
    if (station->event.number > 0) {
        json_object_set_new(object, "event", json_string(station->event.text));
        json_object_set_new(object, "event_time", make_rounded(station->event.time, 0.1));
    }
    if (station->failed[0] != '\0') {
        json_object_set_new(object, "failed", json_string(station->failed));
    }
    if (classroom_station_is_silent(station, now)) {
        json_object_set_new(object, "silent", json_true());
    }
    add_rivals(object, station, now);
    return object;
}

char *classroom_roster_text(const ClassroomRoster *roster, bool connected, double now, size_t *size)
{
    const ClassroomStation *order[CLASSROOM_STATIONS];
    const ClassroomCounts *counts = &roster->counts;
    for (int k = 0; k < roster->count; k++) {
        order[k] = &roster->stations[k];
    }
    qsort(order, (size_t)roster->count, sizeof order[0], compare_names);
    json_t *list = json_array();
    for (int k = 0; k < roster->count; k++) {
        json_array_append_new(list, make_station(order[k], now));
    }
    json_t *object =
        json_pack("{s:b, s:{s:I, s:I, s:I, s:I, s:I, s:I}, s:o}", "connected", connected, "counts", "states",
                  (json_int_t)counts->states, "states_lost", (json_int_t)counts->states_lost, "events",
                  (json_int_t)counts->events, "events_again", (json_int_t)counts->events_again, "events_lost",
                  (json_int_t)counts->events_lost, "refused", (json_int_t)counts->refused, "stations", list);
    return console_json_write(object, REAL_DIGITS, size);
}

/// ---- lists of exercises --------------------------------------------------------------------------------------------

/// Frees the lists that no station has any more.
static void free_unused_lists(ClassroomLessons *lessons)
{
    bool used[CLASSROOM_LISTS + 1] = {false};
    for (int k = 0; k < CLASSROOM_STATIONS; k++) {
        used[lessons->of[k]] = true;
    }
    for (int k = 0; k < CLASSROOM_LISTS; k++) {
        if (!used[k + 1]) {
            free(lessons->lists[k]);
            lessons->lists[k] = NULL;
        }
    }
}

void classroom_lessons_forget(ClassroomLessons *lessons, int station)
{
    lessons->of[station] = 0;
    free_unused_lists(lessons);
}

bool classroom_lessons_set(ClassroomLessons *lessons, int station, const char *list, Status *status)
{
    int vacant = -1;
    lessons->of[station] = 0;
    for (int k = CLASSROOM_LISTS - 1; k >= 0; k--) {
        if (lessons->lists[k] != NULL && strcmp(lessons->lists[k], list) == 0) {
            lessons->of[station] = k + 1;
        }
    }
    free_unused_lists(lessons);
    for (int k = CLASSROOM_LISTS - 1; k >= 0; k--) {
        vacant = lessons->lists[k] == NULL ? k : vacant;
    }
    if (lessons->of[station] == 0 && vacant >= 0) {
        size_t size = strlen(list) + 1;
        lessons->lists[vacant] = malloc(size);
        if (lessons->lists[vacant] != NULL) {
            memcpy(lessons->lists[vacant], list, size);
            lessons->of[station] = vacant + 1;
        }
    }
    return lessons->of[station] > 0 ||
           status_fail(status, STATUS_LACKING, "exercises: the stations have more than %d different lists",
                       CLASSROOM_LISTS);
}

void classroom_lessons_free(ClassroomLessons *lessons)
{
    for (int k = 0; k < CLASSROOM_LISTS; k++) {
        free(lessons->lists[k]);
    }
    *lessons = (ClassroomLessons){0};
}

char *classroom_lessons_text(const ClassroomLessons *lessons, const ClassroomRoster *roster, size_t *size)
{
    json_t *lists = json_array(), *of = json_object();
    for (int k = 0; k < CLASSROOM_LISTS; k++) {
        json_t *list = lessons->lists[k] != NULL ? json_loads(lessons->lists[k], 0, NULL) : NULL;
        json_array_append_new(lists, list != NULL ? list : json_null());
    }
    for (int k = 0; k < roster->count; k++) {
        if (lessons->of[k] > 0) {
            json_object_set_new(of, roster->stations[k].name, json_integer(lessons->of[k] - 1));
        }
    }
    json_t *object = json_pack("{s:o, s:o}", "lists", lists, "of", of);
    return console_json_write(object, 0, size);
}

/// ---- orders --------------------------------------------------------------------------------------------------------

/// "", "waits", ...
static const char *const classroom_result_names[CLASSROOM_RESULTS] = {
    [CLASSROOM_NOT_ASKED] = "",      [CLASSROOM_WAITS] = "waits",         [CLASSROOM_TAKEN] = "taken",
    [CLASSROOM_REFUSED] = "refused", [CLASSROOM_NO_ANSWER] = "no_answer", [CLASSROOM_NOT_SENT] = "not_sent",
};

void classroom_orders_begin(ClassroomOrders *orders, const char *mark)
{
    *orders = (ClassroomOrders){0};
    snprintf(orders->mark, sizeof orders->mark, "%s", mark);
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        orders->pending[k].station = -1;
    }
}

/// ---- orders of the page --------------------------------------------------------------------------------------------

static bool add_station(ClassroomOrder *order, const ClassroomRoster *roster, const char *name, Status *status)
{
    int place = name != NULL ? classroom_roster_find(roster, name) : -1;
    if (place < 0) {
        char read[CLASSROOM_NAME];
        snprintf(read, sizeof read, "%s", name != NULL ? name : "no text");
        visible_text_mask(read, false);
        return status_fail(status, STATUS_BAD_FILE, "stations: %s was read; allowed are those of the page", read);
    }
    order->count += !order->to[place];
    order->to[place] = true;
    return true;
}

/// "all" are those that are there.
static bool read_stations(const json_t *value, const ClassroomRoster *roster, double now, ClassroomOrder *order,
                          Status *status)
{
    if (json_is_string(value) && strcmp(json_string_value(value), "all") == 0) {
        for (int k = 0; k < roster->count; k++) {
            order->to[k] = classroom_station_is_there(&roster->stations[k], now);
            order->count += order->to[k];
        }
    } else if (!json_is_array(value) || json_array_size(value) > CLASSROOM_STATIONS) {
        return status_fail(status, STATUS_BAD_FILE, "stations: allowed is \"all\", or a list of at most %d names",
                           CLASSROOM_STATIONS);
    }
    for (size_t k = 0; k < json_array_size(value); k++) {
        if (!add_station(order, roster, json_string_value(json_array_get(value, k)), status)) {
            return false;
        }
    }
    return order->count > 0 || status_fail(status, STATUS_BAD_FILE, "stations: none of them is there");
}

/// Reads the trainee of each station: names of stations that get the order, each with what `load` takes as its text.
static bool read_trainees(json_t *object, json_t *trainees, const ClassroomRoster *roster, ClassroomOrder *order,
                          Status *status)
{
    const char *name;
    json_t *value;
    if (!json_is_object(trainees) || order->command.kind != CONSOLE_LOAD) {
        return status_fail(status, STATUS_BAD_FILE,
                           "trainees: allowed is an object with a text for each station, with load alone");
    }
    json_t *one = json_copy(object);
    bool good = one != NULL;
    json_object_foreach(trainees, name, value)
    {
        ConsoleCommand unused;
        int place = classroom_roster_find(roster, name);
        if (good && (place < 0 || !order->to[place])) {
            char read[CLASSROOM_NAME];
            snprintf(read, sizeof read, "%.40s", name);
            visible_text_mask(read, false);
            good = status_fail(status, STATUS_BAD_FILE, "trainees: %s was read; allowed are those in stations", read);
        }
        good = good && json_object_set(one, "text", value) == 0 && console_command_read_object(one, &unused, status);
    }
    json_decref(one);
    order->trainees = good ? json_incref(trainees) : NULL;
    return good;
}

/// Takes "stations" and "trainees" out, reads the rest as an order, and keeps it.
static bool read_order(json_t *object, int station, const ClassroomRoster *roster, double now, ClassroomOrder *order,
                       Status *status)
{
    json_t *trainees = NULL;
    if (station >= 0) {
        order->to[station] = true;
        order->count = 1;
    } else if (!read_stations(json_object_get(object, "stations"), roster, now, order, status)) {
        return false;
    } else {
        trainees = json_incref(json_object_get(object, "trainees"));
        json_object_del(object, "stations");
        json_object_del(object, "trainees");
    }
    bool good = console_command_read_object(object, &order->command, status) &&
                (trainees == NULL || read_trainees(object, trainees, roster, order, status));
    json_decref(trainees);
    json_object_set_new(object, "version", json_integer(1));
    order->payload = good ? json_incref(object) : NULL;
    return good;
}

void classroom_order_free(ClassroomOrder *order)
{
    json_decref(order->payload);
    json_decref(order->trainees);
    order->payload = order->trainees = NULL;
}

bool classroom_order_read(const char *body, size_t size, int station, const ClassroomRoster *roster, double now,
                          ClassroomOrder *order, Status *status)
{
    *order = (ClassroomOrder){0};
    json_t *object = console_command_parse(body, size, CLASSROOM_BODY, status);
    if (object == NULL) {
        return false;
    }
    status_fail(status, STATUS_LACKING, "out of memory for an order");
    bool good = read_order(object, station, roster, now, order, status);
    json_decref(object);
    if (!good) {
        classroom_order_free(order);
    }
    return good;
}

/// ---- payloads and answers ------------------------------------------------------------------------------------------

static void write_id(const ClassroomOrders *orders, long number, char id[CLASSROOM_NAME])
{
    snprintf(id, CLASSROOM_NAME, "%s-%ld", orders->mark, number);
}

ClassroomBatch *classroom_orders_begin_batch(ClassroomOrders *orders, ConsoleCommandKind kind)
{
    ClassroomBatch *batch = &orders->batches[orders->batch_count++ % CLASSROOM_BATCHES];
    *batch = (ClassroomBatch){.number = orders->batch_count, .kind = kind};
    return batch;
}

/// The order as one station gets it.
static char *write_payload(const ClassroomOrder *order, const char *station, const char *id)
{
    json_t *object = json_copy(order->payload);
    json_t *trainee = json_object_get(order->trainees, station);
    json_object_set_new(object, "id", json_string(id));
    if (trainee != NULL) {
        json_object_set(object, "text", trainee);
    }
    return console_json_write(object, 0, NULL);
}

char *classroom_order_payload(ClassroomOrders *orders, const ClassroomOrder *order, const ClassroomRoster *roster,
                              int station, ClassroomBatch *batch, double now, char id[CLASSROOM_NAME])
{
    ClassroomPending *found = NULL;
    for (int k = 0; k < CLASSROOM_PENDING && found == NULL; k++) {
        found = orders->pending[k].station < 0 ? &orders->pending[k] : NULL;
    }
    if (found == NULL) {
        return NULL;
    }
    write_id(orders, orders->sent, id);
    char *payload = write_payload(order, roster->stations[station].name, id);
    if (payload != NULL) {
        double patience = order->command.kind == CONSOLE_LOAD ? CLASSROOM_PATIENCE_LOAD : CLASSROOM_PATIENCE;
        if (batch != NULL) {
            batch->ids[station] = orders->sent;
            batch->results[station] = CLASSROOM_WAITS;
        }
        *found = (ClassroomPending){station, orders->sent++, now + patience};
    }
    return payload;
}

/// The batch in which an order went to a station; NULL: none that is kept.
static ClassroomBatch *find_batch(ClassroomOrders *orders, int station, const char *id)
{
    for (int k = 0; k < CLASSROOM_BATCHES; k++) {
        char own[CLASSROOM_NAME];
        ClassroomBatch *batch = &orders->batches[k];
        write_id(orders, batch->ids[station], own);
        if (batch->number > 0 && batch->results[station] != CLASSROOM_NOT_ASKED &&
            batch->results[station] != CLASSROOM_NOT_SENT && strcmp(own, id) == 0) {
            return batch;
        }
    }
    return NULL;
}

bool classroom_orders_answered(ClassroomOrders *orders, int station, const ClassroomAnswer *answer)
{
    ClassroomBatch *batch = find_batch(orders, station, answer->id);
    if (batch != NULL) {
        batch->results[station] = answer->taken ? CLASSROOM_TAKEN : CLASSROOM_REFUSED;
        snprintf(batch->errors[station], sizeof batch->errors[station], "%s", answer->taken ? "" : answer->error);
    }
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        char own[CLASSROOM_NAME];
        ClassroomPending *pending = &orders->pending[k];
        if (pending->station != station) {
            continue;
        }
        write_id(orders, pending->number, own);
        if (strcmp(own, answer->id) == 0) {
            pending->station = -1;
            return true;
        }
    }
    return false;
}

void classroom_orders_forget(ClassroomOrders *orders, int station)
{
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        if (orders->pending[k].station == station) {
            orders->pending[k].station = -1;
        }
    }
    for (int k = 0; k < CLASSROOM_BATCHES; k++) {
        orders->batches[k].results[station] = CLASSROOM_NOT_ASKED;
    }
}

bool classroom_orders_late(ClassroomOrders *orders, double now, int *station, char id[CLASSROOM_NAME])
{
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        ClassroomPending *pending = &orders->pending[k];
        if (pending->station >= 0 && now > pending->until) {
            *station = pending->station;
            write_id(orders, pending->number, id);
            ClassroomBatch *batch = find_batch(orders, *station, id);
            if (batch != NULL) {
                batch->results[*station] = CLASSROOM_NO_ANSWER;
            }
            pending->station = -1;
            return true;
        }
    }
    return false;
}

/// ---- texts of the orders -------------------------------------------------------------------------------------------

static json_t *make_batch(const ClassroomBatch *batch, const ClassroomRoster *roster)
{
    json_t *list = json_array();
    for (int k = 0; k < roster->count; k++) {
        if (batch->results[k] == CLASSROOM_NOT_ASKED) {
            continue;
        }
        json_t *one = json_pack("{s:s, s:s}", "name", roster->stations[k].name, "result",
                                classroom_result_names[batch->results[k]]);
        if (batch->results[k] == CLASSROOM_REFUSED) {
            json_object_set_new(one, "error", json_string(batch->errors[k]));
        }
        json_array_append_new(list, one);
    }
    return json_pack("{s:I, s:s, s:o}", "number", (json_int_t)batch->number, "command",
                     console_command_names[batch->kind], "stations", list);
}

char *classroom_orders_text(const ClassroomOrders *orders, const ClassroomRoster *roster, size_t *size)
{
    json_t *list = json_array();
    for (long k = orders->batch_count; k > 0 && k > orders->batch_count - CLASSROOM_BATCHES; k--) {
        json_array_append_new(list, make_batch(&orders->batches[(k - 1) % CLASSROOM_BATCHES], roster));
    }
    return console_json_write(list, 0, size);
}
