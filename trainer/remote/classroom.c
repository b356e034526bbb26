/// All stations of a broker on one page: messages of stations come in, orders go out, changes are shown.
///
/// Three threads meet here under one lock, which each holds for as long as it takes to read one message or write one
/// text: the link's, which brings messages; one of the server's, which brings orders; the caller's, which shows what
/// has changed. None waits for the network.
#include "trainer/remote/classroom.h"

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/core/random.h"
#include "trainer/pilot/pilot.h"
#include "trainer/remote/classroom_roster.h"
#include "trainer/remote/console_json.h"

#define SHOWN_EVERY       0.25 ///< s between two texts of all stations
#define WATCH_EVERY       10.0 ///< s after which a station is asked again for its view, while its page is open
#define WATCH_SECONDS     15 ///< s for which it is asked
#define SILENCE_TOLERATED 1.0 ///< s between two texts of all stations where nothing changes

enum { ANSWERS = 6 }; ///< that a station's page still gets

/// The page of all stations has files of its own, and shares the style of the console.
// clang-format off
const ConsolePage classroom_page = {
    .file_count = 9,
    .files = {{"", "classroom/index.html", "text/html"},
              {"page.js", "console/page.js", "text/javascript"},
              {"classroom.js", "classroom/classroom.js", "text/javascript"},
              {"lesson.js", "classroom/lesson.js", "text/javascript"},
              {"console.css", "console/console.css", "text/css"},
              {"classroom.css", "classroom/classroom.css", "text/css"},
              {"en.json", "classroom/en.json", "application/json"},
              {"de.json", "classroom/de.json", "application/json"},
              {"es.json", "classroom/es.json", "application/json"}},
    .channel_count = CLASSROOM_CHANNELS,
    .channels = {"stations", "lessons", "orders"},
};
// clang-format on

/// A station as the classroom serves it, beside its messages.
typedef struct Desk {
    int part; ///< of the console
    double watched; ///< s, when it was last asked for its view; 0: its page is closed
    struct {
        char id[CLASSROOM_NAME];
        bool taken;
        char error[CLASSROOM_TEXT];
    } answers[ANSWERS]; ///< the newest last
    int answer_count;
} Desk;

struct Classroom {
    Console *console;
    pthread_mutex_t lock; ///< of all that follows
    Broker *broker; ///< NULL before and after
    ClassroomRoster roster;
    ClassroomOrders orders;
    ClassroomLessons lessons;
    Desk desks[CLASSROOM_STATIONS]; ///< by place in the roster
    bool changed, lessons_changed, orders_changed; ///< since the last text
    double shown; ///< s, of the last text
};

/// s that never go back, more than 0.
static double read_clock(void)
{
    return 1.0 + drive_clock();
}

/// ---- messages of stations ------------------------------------------------------------------------------------------

/// Publishes a list at a station's page, and gives it up.
static void publish_list(Classroom *self, int station, int channel, json_t *list)
{
    size_t size;
    char *text = console_json_write(list, 0, &size);
    if (text != NULL) {
        console_publish_part(self->console, self->desks[station].part, channel, text, size);
    }
    free(text);
}

/// Puts an answer among the last ones of a station's page.
static void show_answer(Classroom *self, int station, const char *id, bool taken, const char *error)
{
    Desk *desk = &self->desks[station];
    if (desk->answer_count == ANSWERS) {
        memmove(&desk->answers[0], &desk->answers[1], sizeof desk->answers - sizeof desk->answers[0]);
        desk->answer_count--;
    }
    int place = desk->answer_count++;
    snprintf(desk->answers[place].id, sizeof desk->answers[place].id, "%s", id);
    snprintf(desk->answers[place].error, sizeof desk->answers[place].error, "%s", error);
    desk->answers[place].taken = taken;
    json_t *list = json_array();
    for (int k = 0; k < desk->answer_count; k++) {
        json_array_append_new(list, json_pack("{s:s, s:b, s:s}", "id", desk->answers[k].id, "taken",
                                              desk->answers[k].taken, "error", desk->answers[k].error));
    }
    publish_list(self, station, CONSOLE_ANSWERS, list);
    snprintf(self->roster.stations[station].failed, CLASSROOM_TEXT, "%s", taken ? "" : error[0] != '\0' ? error : "?");
    self->changed = true;
}

static bool take_answer(Classroom *self, int station, const BrokerArrival *arrival, Status *status)
{
    ClassroomAnswer answer;
    if (!classroom_read_answer(arrival->payload, arrival->size, &answer, status)) {
        return false;
    }
    if (classroom_orders_answered(&self->orders, station, &answer)) { // else it is another classroom's
        show_answer(self, station, answer.id, answer.taken, answer.error);
    }
    self->orders_changed = true;
    return true;
}

/// Publishes a view or the ground at a station's page, as the station sent it.
static bool publish_view(Classroom *self, int station, ClassroomTopic topic, const BrokerArrival *arrival,
                         Status *status)
{
    char *line = topic == CLASSROOM_VIEW ? classroom_read_view(arrival->payload, arrival->size, status)
                                         : classroom_read_ground(arrival->payload, arrival->size, status);
    if (line == NULL) {
        return false;
    }
    int channel = topic == CLASSROOM_VIEW ? CONSOLE_STATE : CONSOLE_GROUND;
    console_publish_part(self->console, self->desks[station].part, channel, line, strlen(line));
    free(line);
    return true;
}

/// Publishes what may be loaded at the station's page and on the page of all. Stations do not publish their trainees.
static bool take_scenes(Classroom *self, int station, const BrokerArrival *arrival, Status *status)
{
    char *line = classroom_read_scenes(arrival->payload, arrival->size, status);
    json_t *read = line != NULL ? json_loads(line, 0, NULL) : NULL;
    bool good = read != NULL;
    if (good) {
        publish_list(self, station, CONSOLE_SCENES, json_incref(json_object_get(read, "scenes")));
        publish_list(self, station, CONSOLE_CHOICES,
                     json_pack("{s:O, s:[]}", "courses", json_object_get(read, "courses"), "trainees"));
        good = classroom_lessons_set(&self->lessons, station, line, status);
        self->lessons_changed = true;
    }
    json_decref(read);
    free(line);
    return good;
}

/// Another station has the place of one that was gone.
static void replace_station(Classroom *self, int station, const char *name)
{
    Desk *desk = &self->desks[station];
    classroom_orders_forget(&self->orders, station);
    classroom_lessons_forget(&self->lessons, station);
    self->lessons_changed = self->orders_changed = true;
    console_rename_part(self->console, desk->part, name);
    *desk = (Desk){.part = desk->part};
    if (self->roster.counts.dropped == 1) { // said once
        console_log(self->console, "%d stations are in the table: those that are gone make room for others",
                    CLASSROOM_STATIONS);
    }
}

static bool take_status(Classroom *self, const char *name, const BrokerArrival *arrival, Status *status)
{
    int before = self->roster.count;
    long dropped = self->roster.counts.dropped;
    int station = classroom_roster_status(&self->roster, name, arrival->payload, arrival->size, arrival->retained,
                                          read_clock(), status);
    if (self->roster.count > before) {
        self->desks[station] = (Desk){.part = console_part(self->console, name)};
    } else if (self->roster.counts.dropped > dropped) {
        replace_station(self, station, name);
    }
    return station >= 0;
}

/// With the lock held. False with `status`: it is refused.
static bool take_message(Classroom *self, const char *name, ClassroomTopic topic, const BrokerArrival *arrival,
                         Status *status)
{
    if (topic == CLASSROOM_STATUS) {
        return take_status(self, name, arrival, status);
    }
    int station = classroom_roster_find(&self->roster, name);
    if (station < 0) { // without a status it is none
        return true;
    }
    if (topic == CLASSROOM_CLAIM) { // perhaps of another program: no sign of life
        return classroom_roster_claim(&self->roster, station, arrival->payload, arrival->size, read_clock(), status);
    }
    if (!arrival->retained) { // a retained message is no sign of life
        self->roster.stations[station].told = read_clock();
    }
    switch (topic) {
    case CLASSROOM_STATE:
        return classroom_roster_state(&self->roster, station, arrival->payload, arrival->size, read_clock(), status);
    case CLASSROOM_EVENT:
        return classroom_roster_event(&self->roster, station, arrival->payload, arrival->size, status);
    case CLASSROOM_ANSWER:
        return take_answer(self, station, arrival, status);
    case CLASSROOM_SCENES:
        return take_scenes(self, station, arrival, status);
    default:
        return publish_view(self, station, topic, arrival, status);
    }
}

static void receive_message(void *context, const BrokerArrival *arrival)
{
    Classroom *self = context;
    char name[CLASSROOM_NAME];
    ClassroomTopic topic;
    Status status;
    if (!classroom_topic_read(arrival->topic, name, &topic)) {
        return; // watch and command are a classroom's own
    }
    pthread_mutex_lock(&self->lock);
    bool good = take_message(self, name, topic, arrival, &status);
    self->changed = true;
    pthread_mutex_unlock(&self->lock);
    if (!good) {
        console_log(self->console, "refused %s of %s: %.120s", classroom_topic_names[topic], name, status.text);
    }
}

/// ---- orders --------------------------------------------------------------------------------------------------------

/// Hands one order over; false when it cannot go out.
static bool send_order(Classroom *self, const ClassroomOrder *order, int station, ClassroomBatch *batch,
                       char id[CLASSROOM_NAME])
{
    char topic[BROKER_TOPIC];
    snprintf(topic, sizeof topic, "spadework/%s/command", self->roster.stations[station].name);
    char *payload = classroom_order_payload(&self->orders, order, &self->roster, station, batch, read_clock(), id);
    bool good =
        payload != NULL && broker_publish(self->broker, &(BrokerMessage){topic, payload, strlen(payload), 1, false});
    free(payload);
    return good;
}

/// A station that is offline or silent gets no order; the batch records that.
static unsigned send_orders(Classroom *self, const ClassroomOrder *order, int part, char accepted[CONSOLE_ACCEPTED],
                            Status *status)
{
    char id[CLASSROOM_NAME] = "";
    int sent = 0, there = 0;
    double now = read_clock();
    for (int k = 0; k < self->roster.count; k++) {
        there += order->to[k] && classroom_station_is_there(&self->roster.stations[k], now);
    }
    ClassroomBatch *batch =
        part == 0 && there > 0 ? classroom_orders_begin_batch(&self->orders, order->command.kind) : NULL;
    for (int k = 0; k < self->roster.count && there > 0; k++) {
        bool goes = order->to[k] && classroom_station_is_there(&self->roster.stations[k], now) &&
                    send_order(self, order, k, batch, id);
        if (order->to[k] && !goes && batch != NULL) {
            batch->results[k] = CLASSROOM_NOT_SENT;
        }
        sent += goes;
    }
    self->orders_changed |= batch != NULL;
    if (sent == 0) {
        status_fail(status, STATUS_LACKING, "none of the stations is there");
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
    if (part > 0) {
        snprintf(accepted, CONSOLE_ACCEPTED, "{\"accepted\":true,\"id\":\"%s\"}", id);
    } else {
        snprintf(accepted, CONSOLE_ACCEPTED, "{\"accepted\":true,\"stations\":%d,\"number\":%ld}", sent,
                 batch != NULL ? batch->number : 0L);
    }
    return MHD_HTTP_ACCEPTED;
}

static int find_desk(const Classroom *self, int part)
{
    for (int k = 0; k < self->roster.count; k++) {
        if (self->desks[k].part == part) {
            return k;
        }
    }
    return -1;
}

/// With the lock held.
static bool is_connected(const Classroom *self)
{
    BrokerState state = {0};
    if (self->broker != NULL) {
        broker_state(self->broker, &state);
    }
    return state.connected;
}

/// ConsoleTake.
static unsigned take_order(void *context, int part, const char *body, size_t size, char accepted[CONSOLE_ACCEPTED],
                           Status *status)
{
    Classroom *self = context;
    ClassroomOrder order;
    unsigned code = MHD_HTTP_BAD_REQUEST;
    pthread_mutex_lock(&self->lock);
    if (!is_connected(self)) {
        status_fail(status, STATUS_LACKING, "the broker is not there");
        code = MHD_HTTP_SERVICE_UNAVAILABLE;
    } else if (classroom_order_read(body, size, part > 0 ? find_desk(self, part) : -1, &self->roster, read_clock(),
                                    &order, status)) {
        code = send_orders(self, &order, part, accepted, status);
        classroom_order_free(&order);
    }
    pthread_mutex_unlock(&self->lock);
    return code;
}

/// Silence is an answer, too: its text is the page's.
static void give_up_orders(Classroom *self, double now)
{
    char id[CLASSROOM_NAME];
    int station;
    while (classroom_orders_late(&self->orders, now, &station, id)) {
        show_answer(self, station, id, false, "");
        self->orders_changed = true;
    }
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

static void send_watch(Classroom *self, int station, int seconds)
{
    char topic[BROKER_TOPIC], payload[64];
    snprintf(topic, sizeof topic, "spadework/%s/watch", self->roster.stations[station].name);
    int size = snprintf(payload, sizeof payload, "{\"version\":1,\"seconds\":%d}", seconds);
    broker_publish(self->broker, &(BrokerMessage){topic, payload, (size_t)size, 1, false});
}

/// Asks the stations whose pages are open to send their views.
static void watch_stations(Classroom *self, double now)
{
    for (int k = 0; k < self->roster.count; k++) {
        Desk *desk = &self->desks[k];
        bool looked_at = console_lookers(self->console, desk->part) > 0;
        self->roster.stations[k].looked_at = looked_at;
        if (!looked_at || !classroom_station_is_there(&self->roster.stations[k], now)) {
            desk->watched = 0.0;
        } else if (desk->watched == 0.0 || now - desk->watched >= WATCH_EVERY) {
            desk->watched = now;
            send_watch(self, k, WATCH_SECONDS);
        }
    }
}

static void publish_text(Classroom *self, int channel, char *text, size_t size)
{
    if (text != NULL) {
        console_publish(self->console, channel, text, size);
    }
    free(text);
}

/// Publishes what changes seldom.
static void show_lists(Classroom *self)
{
    size_t size;
    if (self->lessons_changed) {
        self->lessons_changed = false;
        char *text = classroom_lessons_text(&self->lessons, &self->roster, &size);
        publish_text(self, CLASSROOM_CHANNEL_LESSONS, text, size);
    }
    if (self->orders_changed) {
        self->orders_changed = false;
        char *text = classroom_orders_text(&self->orders, &self->roster, &size);
        publish_text(self, CLASSROOM_CHANNEL_ORDERS, text, size);
    }
}

static void show_stations(Classroom *self, double now)
{
    size_t size;
    char *text = classroom_roster_text(&self->roster, is_connected(self), now, &size);
    publish_text(self, CLASSROOM_CHANNEL_STATIONS, text, size);
    self->changed = false;
    self->shown = now;
    show_lists(self);
}

void classroom_step(Classroom *classroom)
{
    double now = read_clock();
    pthread_mutex_lock(&classroom->lock);
    watch_stations(classroom, now);
    give_up_orders(classroom, now);
    bool changed = classroom->changed || classroom->orders_changed || classroom->lessons_changed;
    if (now - classroom->shown >= (changed ? SHOWN_EVERY : SILENCE_TOLERATED)) {
        show_stations(classroom, now);
    }
    pthread_mutex_unlock(&classroom->lock);
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static void log_broker(void *context, const char *line)
{
    Classroom *self = context;
    console_log(self->console, "%s", line);
}

static bool open_console(Classroom *self, ConsoleParams params, Status *status)
{
    params.page = &classroom_page;
    params.part_page = &console_page;
    params.parts = CLASSROOM_STATIONS;
    params.take = take_order;
    params.take_context = self;
    params.body = CLASSROOM_BODY;
    self->console = console_start(&params, status);
    return self->console != NULL;
}

static bool open_broker(Classroom *self, BrokerParams params, const char *mark, Status *status)
{
    static const int qos[CLASSROOM_TOPIC_COUNT] = {[CLASSROOM_STATUS] = 1,
                                                   [CLASSROOM_EVENT] = 2,
                                                   [CLASSROOM_SCENES] = 1,
                                                   [CLASSROOM_ANSWER] = 1,
                                                   [CLASSROOM_CLAIM] = 1};
    char client[32], topics[CLASSROOM_TOPIC_COUNT][BROKER_TOPIC];
    snprintf(client, sizeof client, "classroom-%s", mark);
    for (int k = 0; k < CLASSROOM_TOPIC_COUNT; k++) {
        snprintf(topics[k], sizeof topics[k], "spadework/+/%s", classroom_topic_names[k]);
        params.subscriptions[k] = (BrokerSubscription){topics[k], qos[k]};
    }
    params.client = client;
    params.receive = receive_message;
    params.log = log_broker;
    params.context = self;
    Broker *broker = broker_open(&params, status);
    pthread_mutex_lock(&self->lock);
    self->broker = broker; // the server runs already
    pthread_mutex_unlock(&self->lock);
    return broker != NULL;
}

Classroom *classroom_open(const ClassroomParams *params, Status *status)
{
    char mark[CLASSROOM_MARK];
    Classroom *self = calloc(1, sizeof *self);
    if (self == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the classroom");
        return NULL;
    }
    pthread_mutex_init(&self->lock, NULL);
    if (!random_hex(mark, sizeof mark / 2, status)) {
        classroom_close(self);
        return NULL;
    }
    classroom_orders_begin(&self->orders, mark);
    if (!open_console(self, params->console, status) || !open_broker(self, params->broker, mark, status)) {
        classroom_close(self);
        return NULL;
    }
    return self;
}

void classroom_close(Classroom *classroom)
{
    if (classroom != NULL) {
        pthread_mutex_lock(&classroom->lock);
        Broker *broker = classroom->broker;
        classroom->broker = NULL; // for the server's threads
        pthread_mutex_unlock(&classroom->lock);
        broker_close(broker);
        console_stop(classroom->console);
        classroom_lessons_free(&classroom->lessons);
        pthread_mutex_destroy(&classroom->lock);
        free(classroom);
    }
}

const char *classroom_url(const Classroom *classroom)
{
    return console_url(classroom->console);
}
