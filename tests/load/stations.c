/// The stations: each has a link of its own, as a real one has.
#include "tests/load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>
#include <mosquitto.h>

#define TEND_EVERY  0.5 ///< s between two looks at keep-alives
#define EVENT_EVERY 10 ///< states. Chosen: a drive has an event now and then, and this is many

double load_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// ---- the tape ------------------------------------------------------------------------------------------------------

/// Keeps what is not written anew.
static char *cut_line(const char *line)
{
    static const char *const own[] = {"version", "sequence", "sent", "drive", "phase"};
    json_t *state = json_loads(line, 0, NULL);
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
        json_object_del(state, own[k]);
    }
    char *text = json_is_object(state) ? json_dumps(state, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(state);
    if (text != NULL) {
        size_t length = strlen(text);
        memmove(text, text + 1, length - 2);
        text[length - 2] = '\0';
    }
    return text;
}

bool load_tape_read(LoadTape *tape, const char *path)
{
    char line[4096];
    *tape = (LoadTape){0};
    FILE *file = fopen(path, "r");
    bool good = file != NULL;
    while (good && tape->count < LOAD_LINES && fgets(line, sizeof line, file) != NULL) {
        tape->line[tape->count] = cut_line(line);
        good = tape->line[tape->count] != NULL;
        tape->count += good;
    }
    if (file != NULL) {
        fclose(file);
    }
    if (!good || tape->count == 0) {
        fprintf(stderr, "load: %s: line %d is no state\n", path, tape->count + 1);
    }
    return good && tape->count > 0;
}

void load_tape_free(LoadTape *tape)
{
    for (int k = 0; k < tape->count; k++) {
        free(tape->line[k]);
    }
}

/// ---- one station ---------------------------------------------------------------------------------------------------

static void publish(LoadStation *station, const char *word, const char *payload, int qos, bool retain)
{
    char topic[64];
    snprintf(topic, sizeof topic, "spadework/%s/%s", station->name, word);
    mosquitto_publish(station->link, NULL, topic, (int)strlen(payload), payload, qos, retain);
}

static void publish_status(LoadStation *station)
{
    char payload[512];
    snprintf(payload, sizeof payload,
             "{\"version\":1,\"online\":true,\"station\":\"%s\",\"phase\":\"%s\",\"scene\":\"trench\","
             "\"title\":\"Dig a trench\",\"trainee\":\"Trainee "
             "%s\",\"drive\":\"20260101t000000-000%s\",\"program\":\"load\","
             "\"since\":\"2026-01-01T00:00:00Z\"}",
             station->name, station->frozen ? "frozen" : "driving", station->name + 4, station->name + 4);
    publish(station, "status", payload, 1, true);
}

static double unix_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void publish_state(LoadStation *station, const LoadTape *tape, int place, double now)
{
    char payload[4096];
    // Each begins elsewhere on the tape.
    const char *rest = tape->line[(station->states + 7L * place) % tape->count];
    int size = snprintf(
        payload, sizeof payload,
        "{\"version\":1,\"sequence\":%ld,\"sent\":%.3f,\"drive\":\"20260101t000000-000%s\",\"phase\":\"%s\",%s}",
        station->states, unix_time(), station->name + 4, station->frozen ? "frozen" : "driving", rest);
    station->sent[station->states % LOAD_KEPT] = now;
    station->states++;
    station->bytes += size;
    publish(station, "state", payload, 0, false);
}

static void publish_event(LoadStation *station)
{
    char payload[256];
    station->events++;
    snprintf(payload, sizeof payload,
             "{\"version\":1,\"drive\":\"20260101t000000-000%s\",\"number\":%ld,\"time\":%.1f,\"kind\":\"load\","
             "\"detail\":\"load %ld of the truck\"}",
             station->name + 4, station->events, (double)station->states * 0.1, station->events);
    publish(station, "event", payload, 2, false);
}

/// Takes an order, as a station does.
static void obey(struct mosquitto *link, void *context, const struct mosquitto_message *message)
{
    LoadStation *station = context;
    char payload[128];
    (void)link;
    json_t *order = json_loadb(message->payload, (size_t)message->payloadlen, 0, NULL);
    const char *id = json_string_value(json_object_get(order, "id"));
    const char *command = json_string_value(json_object_get(order, "command"));
    if (id != NULL && command != NULL) {
        bool known = strcmp(command, "load") != 0;
        bool freezes = strcmp(command, "freeze") == 0, goes_on = strcmp(command, "continue") == 0;
        snprintf(payload, sizeof payload, "{\"version\":1,\"id\":\"%.40s\",\"taken\":%s%s}", id,
                 known ? "true" : "false", known ? "" : ",\"error\":\"load: this drive has its scene\"");
        publish(station, "answer", payload, 1, false);
        station->orders++;
        if (freezes || goes_on) {
            station->frozen = freezes;
            publish_status(station);
        }
    }
    json_decref(order);
}

static void greet(struct mosquitto *link, void *context, int code)
{
    LoadStation *station = context;
    char topic[64];
    station->connected = code == 0;
    snprintf(topic, sizeof topic, "spadework/%s/command", station->name);
    mosquitto_subscribe(link, NULL, topic, 1);
    publish_status(station);
}

static bool begin(LoadStation *station, int place, int port)
{
    char topic[64], will[128];
    station->seen = -1;
    snprintf(station->name, sizeof station->name, "sim-%03d", place + 1);
    station->link = mosquitto_new(station->name, true, station);
    snprintf(topic, sizeof topic, "spadework/%s/status", station->name);
    snprintf(will, sizeof will, "{\"version\":1,\"online\":false,\"station\":\"%s\"}", station->name);
    if (station->link == NULL) {
        return false;
    }
    mosquitto_int_option(station->link, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(station->link, greet);
    mosquitto_message_callback_set(station->link, obey);
    mosquitto_will_set(station->link, topic, (int)strlen(will), will, 1, true);
    return mosquitto_connect(station->link, "127.0.0.1", port, 60) == MOSQ_ERR_SUCCESS;
}

/// ---- all of them ---------------------------------------------------------------------------------------------------

static bool all_connected(const LoadPlay *play)
{
    for (int k = 0; k < play->count; k++) {
        if (!play->stations[k].connected) {
            return false;
        }
    }
    return true;
}

bool load_play_begin(LoadPlay *play)
{
    static struct pollfd polls[LOAD_STATIONS];
    mosquitto_lib_init();
    for (int k = 0; k < play->count; k++) {
        if (!begin(&play->stations[k], k, play->port)) {
            fprintf(stderr, "load: station %d cannot connect to the broker on port %d\n", k + 1, play->port);
            return false;
        }
    }
    double until = load_clock() + 20.0;
    while (!all_connected(play) && load_clock() < until) {
        load_play_ask(play, polls);
        poll(polls, (nfds_t)play->count, 10);
        load_play_answer(play, polls, load_clock());
    }
    double now = load_clock();
    for (int k = 0; k < play->count; k++) { // one after the other, as people begin
        play->stations[k].begin = now + (1.0 + (double)k / play->count) / play->rate;
    }
    return all_connected(play) || (fprintf(stderr, "load: not every station is connected after 20 s\n"), false);
}

void load_play_step(LoadPlay *play, double now)
{
    for (int k = 0; k < play->count; k++) {
        LoadStation *station = &play->stations[k];
        while (now >= station->begin + (double)station->states / play->rate) {
            publish_state(station, play->tape, k, now);
            if ((station->states + k) % EVENT_EVERY == 0) {
                publish_event(station);
            }
        }
    }
}

void load_play_ask(const LoadPlay *play, struct pollfd *polls)
{
    for (int k = 0; k < play->count; k++) {
        struct mosquitto *link = play->stations[k].link;
        short writes = mosquitto_want_write(link) ? POLLOUT : 0;
        polls[k] = (struct pollfd){.fd = mosquitto_socket(link), .events = (short)(POLLIN | writes)};
    }
}

void load_play_answer(LoadPlay *play, const struct pollfd *polls, double now)
{
    bool tends = now - play->tended >= TEND_EVERY;
    for (int k = 0; k < play->count; k++) {
        struct mosquitto *link = play->stations[k].link;
        if ((polls[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
            mosquitto_loop_read(link, 1);
        }
        if (mosquitto_want_write(link)) {
            mosquitto_loop_write(link, 1);
        }
        if (tends) {
            mosquitto_loop_misc(link);
        }
    }
    play->tended = tends ? now : play->tended;
}

void load_play_end(LoadPlay *play)
{
    for (int k = 0; k < play->count; k++) {
        if (play->stations[k].link != NULL) {
            mosquitto_disconnect(play->stations[k].link);
            mosquitto_destroy(play->stations[k].link);
        }
    }
    mosquitto_lib_cleanup();
}
