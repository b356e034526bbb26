/// Keeps what stations tell, and counts what is missing: states and events have numbers.
#include "trainer/remote/classroom_roster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

int classroom_roster_find(const ClassroomRoster *roster, const char *name)
{
    for (int k = 0; k < roster->count; k++) {
        if (strcmp(roster->stations[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/// ---- who is there --------------------------------------------------------------------------------------------------

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

/// ---- what comes in -------------------------------------------------------------------------------------------------

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
        station->heard = 0.0; // what it told before is another program's, or another drive's
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
    if (!classroom_read_state(payload, size, &read, status)) {
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
    if (!classroom_read_event(payload, size, &read, status)) {
        roster->counts.refused++;
        return false;
    }
    ClassroomStation *own = &roster->stations[station];
    bool same = own->event.number > 0 && strcmp(own->event.drive, read.drive) == 0;
    if (same && read.number <= own->event.number) {
        roster->counts.events_again++;
        return true;
    }
    if (own->event.number > 0) { // whoever begins to listen amid a drive misses nothing that was promised
        roster->counts.events_lost += read.number - 1 - (same ? own->event.number : 0);
    }
    roster->counts.events++;
    own->event = read;
    return true;
}

/// ---- what the page shows -------------------------------------------------------------------------------------------

static int compare_names(const void *left, const void *right)
{
    const ClassroomStation *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

/// Rounds for a shorter text.
static json_t *rounded(double value, double step)
{
    return json_real(round(value / step) * step);
}

/// Writes what a person needs to find a computer. process  true if names and addresses are the same for two programs
static json_t *show_computer(const LinkWho *who, bool process)
{
    json_t *object = json_pack("{s:s, s:s}", "host", who->host, "address", who->address);
    if (process) {
        json_object_set_new(object, "process", json_integer(who->process));
    }
    return object;
}

/// Adds the programs that were refused the name.
static void show_rivals(json_t *object, const ClassroomStation *station, double now)
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
                                                  show_computer(&station->rivals[k].who, alike), "age", floor(age)));
        }
    }
    if (holder->instance[0] != '\0') {
        json_object_set_new(object, "computer", show_computer(holder, alike));
    }
    if (json_array_size(list) > 0) {
        json_object_set(object, "rivals", list);
    }
    json_decref(list);
}

static json_t *show_station(const ClassroomStation *station, double now)
{
    const ClassroomStatus *status = &station->status;
    const ClassroomState *state = &station->state;
    bool has_state = station->heard > 0.0;
    json_t *object =
        json_pack("{s:s, s:b, s:s, s:s, s:s}", "name", station->name, "online", status->online, "phase",
                  classroom_phase_names[station->phase], "title", status->title, "trainee", status->trainee);
    if (has_state) {
        json_object_set_new(object, "age", rounded(now - station->heard, 0.01));
        json_object_set_new(object, "time", rounded(state->time, 0.1));
        json_object_set_new(object, "score", rounded(state->score, 0.1));
        json_object_set_new(object, "progress", rounded(state->progress, 0.001));
        json_object_set_new(object, "faults", json_integer(state->faults));
        json_object_set_new(object, "sequence", json_integer(state->sequence));
    }
    if (station->event.number > 0) {
        json_object_set_new(object, "event", json_string(station->event.text));
        json_object_set_new(object, "event_time", rounded(station->event.time, 0.1));
    }
    if (station->failed[0] != '\0') {
        json_object_set_new(object, "failed", json_string(station->failed));
    }
    if (classroom_station_is_silent(station, now)) {
        json_object_set_new(object, "silent", json_true());
    }
    show_rivals(object, station, now);
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
        json_array_append_new(list, show_station(order[k], now));
    }
    json_t *object =
        json_pack("{s:b, s:{s:I, s:I, s:I, s:I, s:I, s:I}, s:o}", "connected", connected, "counts", "states",
                  (json_int_t)counts->states, "states_lost", (json_int_t)counts->states_lost, "events",
                  (json_int_t)counts->events, "events_again", (json_int_t)counts->events_again, "events_lost",
                  (json_int_t)counts->events_lost, "refused", (json_int_t)counts->refused, "stations", list);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    *size = text != NULL ? strlen(text) : 0;
    json_decref(object);
    return text;
}
