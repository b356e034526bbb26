/// Topics and payloads of a station, in both directions: orders and notices of the name are read, or refused unless
/// they are exactly one; states, events and answers are written. The claim of a name is a state machine.
#include "trainer/remote/link_messages.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/remote/broker.h"
#include "trainer/remote/console_json.h"

#ifndef SPADEWORK_VERSION
#define SPADEWORK_VERSION "?"
#endif

enum { STATUS_MOST = 8192 }; ///< bytes of a status, which has texts of an exercise. Chosen
enum { SHOWN = 60 }; ///< bytes of a value in a message
enum { REAL_DIGITS = 14 }; ///< of a number in a text: ms since 1970

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

/// ---- orders and watches that are read ------------------------------------------------------------------------------

static bool has_version(const json_t *object, Status *status)
{
    const json_t *version = json_object_get(object, "version");
    return (json_is_integer(version) && json_integer_value(version) == 1) ||
           console_json_refuse("version", version, SHOWN, "1", status);
}

static bool read_id(const json_t *object, char id[LINK_ID], Status *status)
{
    const json_t *value = json_object_get(object, "id");
    const char *read = json_string_value(value);
    size_t length = read != NULL ? json_string_length(value) : 0;
    if (length == 0 || length >= LINK_ID || strspn(read, small) != length || memchr(read, '_', length) != NULL) {
        return console_json_refuse("id", value, SHOWN, "1..40 of a-z, 0-9 and -", status);
    }
    memcpy(id, read, length + 1);
    return true;
}

bool link_order_read(const char *payload, size_t size, LinkOrder *order, Status *status)
{
    *order = (LinkOrder){0};
    json_t *object = console_json_read("payload", payload, size, CONSOLE_BODY, SHOWN, status);
    if (object == NULL) {
        return false;
    }
    bool good = read_id(object, order->id, status) && has_version(object, status);
    json_object_del(object, "id");
    json_object_del(object, "version");
    good = good && console_command_read_object(object, &order->command, status);
    json_decref(object);
    return good;
}

bool link_watch_read(const char *payload, size_t size, int *seconds, Status *status)
{
    json_t *object = console_json_read("payload", payload, size, CONSOLE_BODY, SHOWN, status);
    if (object == NULL) {
        return false;
    }
    const json_t *value = json_object_get(object, "seconds");
    json_int_t read = json_integer_value(value);
    bool good = has_version(object, status) &&
                ((json_is_integer(value) && read >= 1 && read <= LINK_WATCH_MOST) ||
                 console_json_refuse("seconds", value, SHOWN, "a whole number from 1 to 60", status)) &&
                (json_object_size(object) == 2 ||
                 status_fail(status, STATUS_BAD_FILE, "keys: %zu were read; allowed are version and seconds",
                             json_object_size(object)));
    *seconds = good ? (int)read : 0;
    json_decref(object);
    return good;
}

/// ---- notices of the name that are read -----------------------------------------------------------------------------

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
        visible_text_mask(text, false);
        return true;
    }
    text[0] = '\0';
    snprintf(allowed, sizeof allowed, "%zu..%zu bytes%s%s", least, room - 1, letters != NULL ? " of " : "",
             letters != NULL ? letters : "");
    return console_json_refuse(key, value, SHOWN, allowed, status);
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
    return console_json_refuse(key, value, SHOWN, allowed, status);
}

static bool read_flag(const json_t *object, const char *key, bool *flag, Status *status)
{
    const json_t *value = json_object_get(object, key);
    *flag = json_is_true(value);
    return json_is_boolean(value) || console_json_refuse(key, value, SHOWN, "true or false", status);
}

static bool read_instance(const json_t *object, LinkWho *who, Status *status)
{
    return read_text(object, "instance", "0123456789abcdef", LINK_INSTANCE - 1, LINK_INSTANCE, who->instance, status);
}

bool link_who_read(const json_t *object, LinkWho *who, Status *status)
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
    json_t *object = console_json_read("payload", payload, size, STATUS_MOST, SHOWN, status);
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
    json_t *object = console_json_read("payload", payload, size, STATUS_MOST, SHOWN, status);
    bool good = object != NULL && has_version(object, status) && read_flag(object, "online", &online, status);
    notice->kind = online ? LINK_NOTICE_HOLDS : LINK_NOTICE_GONE;
    good = good && (online ? link_who_read(object, &notice->who, status) &&
                                 read_number(object, "term", 1, LINK_TERM_MOST, &notice->term, status)
                           : read_instance(object, &notice->who, status));
    json_decref(object);
    return good;
}

/// ---- texts of the station ------------------------------------------------------------------------------------------

/// An object of this version.
static json_t *make_object(void)
{
    return json_pack("{s:i}", "version", 1);
}

/// To a thousandth.
static void set_real(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(isfinite(value) ? round(value * 1000.0) / 1000.0 : 0.0));
}

static void set_who(json_t *object, const LinkWho *who)
{
    console_json_set(object, "instance", who->instance);
    console_json_set(object, "host", who->host);
    console_json_set(object, "address", who->address);
    json_object_set_new(object, "process", json_integer(who->process));
}

char *link_status_text(const LinkStatus *status)
{
    json_t *object = make_object();
    json_object_set_new(object, "online", json_true());
    console_json_set(object, "station", status->station);
    console_json_set(object, "phase", status->phase);
    console_json_set(object, "scene", status->scene);
    console_json_set(object, "title", status->title);
    console_json_set(object, "trainee", status->trainee);
    console_json_set(object, "drive", status->drive);
    console_json_set(object, "program", SPADEWORK_VERSION);
    console_json_set(object, "since", status->since);
    set_who(object, status->who);
    json_object_set_new(object, "term", json_integer(status->term));
    return console_json_write(object, REAL_DIGITS, NULL);
}

char *link_gone_text(const char *station, const char *instance)
{
    json_t *object = make_object();
    json_object_set_new(object, "online", json_false());
    console_json_set(object, "station", station);
    console_json_set(object, "instance", instance);
    return console_json_write(object, REAL_DIGITS, NULL);
}

char *link_claim_text(const LinkWho *who, bool held, bool out)
{
    json_t *object = make_object();
    set_who(object, who);
    json_object_set_new(object, "held", json_boolean(held));
    json_object_set_new(object, "out", json_boolean(out));
    return console_json_write(object, REAL_DIGITS, NULL);
}

static char *write_scenes(const LinkScene *scenes, int count, const char *courses)
{
    json_t *object = make_object(), *list = json_array();
    json_t *read = courses != NULL ? json_loads(courses, 0, NULL) : NULL;
    for (int k = 0; k < count; k++) {
        json_t *scene = json_object();
        console_json_set(scene, "name", scenes[k].name);
        console_json_set(scene, "title", scenes[k].title);
        json_array_append_new(list, scene);
    }
    json_object_set_new(object, "scenes", list);
    json_object_set_new(object, "courses", read != NULL ? read : json_array());
    return console_json_write(object, REAL_DIGITS, NULL);
}

char *link_scenes_text(const LinkScene *scenes, int count, const char *courses)
{
    char *text = write_scenes(scenes, count, courses);
    while (text != NULL && strlen(text) > BROKER_PAYLOAD && count > 0) {
        free(text);
        count -= count / 8 + 1;
        text = write_scenes(scenes, count, courses);
    }
    return text;
}

char *link_answer_text(const char *id, const char *error)
{
    json_t *object = make_object();
    console_json_set(object, "id", id);
    json_object_set_new(object, "taken", json_boolean(error == NULL));
    if (error != NULL) {
        console_json_set(object, "error", error);
    }
    return console_json_write(object, REAL_DIGITS, NULL);
}

/// ---- texts of the drive --------------------------------------------------------------------------------------------

char *link_event_text(const char *drive, int number, double time, const ExerciseEvent *event,
                      const SceneExercise *scene)
{
    json_t *object = make_object();
    console_json_set(object, "drive", drive);
    json_object_set_new(object, "number", json_integer(number));
    set_real(object, "time", time);
    console_event_add(object, event, scene);
    return console_json_write(object, REAL_DIGITS, NULL);
}

static json_t *make_pose(const MachineReadout *readout)
{
    json_t *object = json_object();
    set_real(object, "x", readout->base.x);
    set_real(object, "y", readout->base.y);
    set_real(object, "z", readout->base.z);
    set_real(object, "heading", readout->yaw);
    set_real(object, "pitch", readout->pitch);
    set_real(object, "roll", readout->roll);
    return object;
}

static int count_faults(const Session *session)
{
    char unused[ORDER_NAME];
    int count = 0;
    for (int fault = 0; fault < SESSION_FAULT_COUNT; fault++) {
        for (int part = 0; part < ORDER_PARTS; part++) {
            bool there = session_order_part((SessionFault)fault, part, session_scene(session),
                                            session_machine_params(session), unused);
            double sound = session_fault_kind((SessionFault)fault)->sound;
            count += there && (session_orders(session)->value[fault][part] < sound ||
                               session_orders(session)->value[fault][part] > sound);
        }
    }
    return count;
}

char *link_state_text(const LinkMoment *moment, Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const Exercise *exercise = session_exercise(session);
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    json_t *object = make_object();
    json_object_set_new(object, "sequence", json_integer(moment->sequence));
    set_real(object, "sent", moment->sent);
    console_json_set(object, "drive", moment->drive);
    console_json_set(object, "phase", moment->phase);
    set_real(object, "time", frame->time);
    set_real(object, "score", exercise_score(exercise));
    set_real(object, "progress", fmax(0.0, fmin(1.0, values[METRIC_WORK_SHARE])));
    set_real(object, "real_time", moment->real_time);
    json_object_set_new(object, "pose", make_pose(&frame->machine));
    json_object_set_new(object, "levers", console_levers(session_machine_params(session), &frame->controls));
    json_object_set_new(object, "faults", json_integer(count_faults(session)));
    json_object_set_new(object, "events", json_integer(moment->events));
    return console_json_write(object, REAL_DIGITS, NULL);
}

/// ---- claim of a name -----------------------------------------------------------------------------------------------

void link_claim_begin(LinkClaim *claim, const char *instance)
{
    *claim = (LinkClaim){.phase = LINK_ASKING};
    snprintf(claim->instance, sizeof claim->instance, "%s", instance);
}

static bool is_own(const LinkClaim *claim, const LinkWho *who)
{
    return strcmp(claim->instance, who->instance) == 0;
}

/// ---- phases --------------------------------------------------------------------------------------------------------

static void ask_again(LinkClaim *claim)
{
    claim->phase = LINK_ASKING;
    claim->asked = claim->echoed = 0.0;
    claim->rival = (LinkWho){0};
}

static int stay_out(LinkClaim *claim, const LinkNotice *rival, double now)
{
    claim->phase = LINK_OUT;
    claim->held = false;
    claim->term = rival->kind == LINK_NOTICE_HOLDS ? rival->term : claim->term;
    claim->rival = rival->who;
    claim->rival_seen = now;
    claim->published = now;
    return LINK_PUBLISH_CLAIM;
}

static int hold_name(LinkClaim *claim, double now)
{
    claim->phase = LINK_HOLDING;
    claim->term += !claim->held && claim->term < LINK_TERM_MOST;
    claim->held = true;
    claim->published = now;
    claim->rival = (LinkWho){0};
    return LINK_PUBLISH_STATUS;
}

/// Publishes the status again, as a sign of life or as an objection.
static int beat(LinkClaim *claim, double now)
{
    claim->published = now;
    return LINK_PUBLISH_STATUS;
}

/// ---- time passes ---------------------------------------------------------------------------------------------------

/// True when nobody has objected for long enough; a program whose status was kept gets the time of a dead one.
static bool has_succeeded(const LinkClaim *claim, double now)
{
    bool echoed = claim->echoed > 0.0;
    double quiet = claim->rival.instance[0] != '\0' ? LINK_DEAD : LINK_QUIET;
    return echoed ? now - claim->echoed >= quiet : now - claim->asked >= LINK_NO_ECHO;
}

int link_claim_tend(LinkClaim *claim, int connection, bool subscribed, double now)
{
    if (connection != claim->connection) {
        claim->connection = connection;
        ask_again(claim);
    }
    if (!subscribed) {
        return 0;
    }
    if (claim->phase == LINK_OUT && now - claim->rival_seen >= LINK_DEAD) {
        ask_again(claim);
    }
    if (claim->phase == LINK_ASKING && claim->asked > 0.0 && has_succeeded(claim, now)) {
        return hold_name(claim, now);
    }
    if (claim->phase == LINK_ASKING && claim->asked == 0.0) {
        claim->asked = claim->published = now;
        return LINK_PUBLISH_CLAIM;
    }
    if (now - claim->published < LINK_BEAT) {
        return 0;
    }
    if (claim->phase == LINK_HOLDING) {
        return beat(claim, now);
    }
    claim->published = now;
    return LINK_PUBLISH_CLAIM;
}

/// ---- notices -------------------------------------------------------------------------------------------------------

static int receive_own(LinkClaim *claim, const LinkNotice *notice, double now)
{
    if (notice->kind == LINK_NOTICE_CLAIM && claim->phase == LINK_ASKING && claim->echoed == 0.0) {
        claim->echoed = now;
    }
    // The last will of an earlier connection has replaced the status.
    return notice->kind == LINK_NOTICE_GONE && !notice->kept && claim->phase == LINK_HOLDING ? beat(claim, now) : 0;
}

static int receive_asking(LinkClaim *claim, const LinkNotice *notice, double now)
{
    bool lower = strcmp(claim->instance, notice->who.instance) < 0;
    bool first = claim->held != notice->held ? claim->held : lower;
    switch (notice->kind) {
    case LINK_NOTICE_HOLDS:
        if (!notice->kept) {
            return stay_out(claim, notice, now);
        }
        claim->rival = notice->who;
        claim->term = claim->held ? claim->term : notice->term;
        return 0;
    case LINK_NOTICE_GONE:
        if (strcmp(claim->rival.instance, notice->who.instance) == 0) {
            claim->rival = (LinkWho){0};
        }
        return 0;
    case LINK_NOTICE_CLAIM:
        if (!first) {
            return stay_out(claim, notice, now);
        }
        return claim->asked > 0.0 ? LINK_PUBLISH_CLAIM : 0; // the other may have subscribed after the first claim
    case LINK_NOTICE_OUT:
        return 0;
    }
    return 0;
}

static int receive_holding(LinkClaim *claim, const LinkNotice *notice, double now)
{
    bool lower = strcmp(claim->instance, notice->who.instance) < 0;
    bool first = claim->term != notice->term ? claim->term < notice->term : lower;
    if (notice->kind == LINK_NOTICE_HOLDS && !notice->kept && !first) {
        return stay_out(claim, notice, now);
    }
    // The will of another program has replaced the status, or another program claims.
    return notice->kind == LINK_NOTICE_OUT || notice->kept ? 0 : beat(claim, now);
}

static int receive_out(LinkClaim *claim, const LinkNotice *notice, double now)
{
    bool is_rival = strcmp(claim->rival.instance, notice->who.instance) == 0;
    if (notice->kind == LINK_NOTICE_HOLDS && !notice->kept) {
        claim->rival = notice->who;
        claim->term = notice->term;
        claim->rival_seen = now;
    } else if (notice->kind == LINK_NOTICE_CLAIM && is_rival) {
        claim->rival_seen = now;
    } else if (notice->kind == LINK_NOTICE_GONE && is_rival && !notice->kept) {
        ask_again(claim);
    }
    return 0;
}

int link_claim_receive(LinkClaim *claim, const LinkNotice *notice, double now)
{
    if (is_own(claim, &notice->who)) {
        return receive_own(claim, notice, now);
    }
    switch (claim->phase) {
    case LINK_ASKING:
        return receive_asking(claim, notice, now);
    case LINK_HOLDING:
        return receive_holding(claim, notice, now);
    case LINK_OUT:
        return receive_out(claim, notice, now);
    }
    return 0;
}
