/// The link of a station to the broker of its classroom: publishes status, states and events, holds the station's name,
/// and queues commands. Two threads meet here: the drive's, and the broker's, which reads commands.
#include "trainer/remote/link.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "data/core/random.h"
#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "trainer/pilot/pilot.h"
#include "trainer/remote/broker.h"
#include "trainer/remote/console_guard.h"
#include "trainer/report/report.h"

#define STATE_EVERY 0.1 ///< s between two states
#define PATIENCE    3.0 ///< s after the start that a broker may take before its absence is reported. Chosen

enum { TOPIC = 96, ERROR = 160, LINE = 640, SINCE = 24, COMPUTER = 256, WHO = 160 }; ///< bytes
enum { OBJECTIONS_PER_SECOND = 10, OBJECTIONS_BURST = 20 }; ///< of replies to claims of other programs. Chosen

/// The last status of the drive's thread.
typedef struct Told {
    char phase[16], scene[LINK_STATION], title[256], trainee[256], drive[LINK_DRIVE], since[SINCE];
} Told;

/// A command that was seen, by its id.
typedef struct Seen {
    char id[LINK_ID]; ///< "": none
    bool answered;
    char error[ERROR]; ///< "": it was taken
} Seen;

struct Link {
    Broker *broker;
    char station[LINK_STATION];
    bool takes_scenes;
    double opened; ///< s, drive_clock
    char topic_status[TOPIC], topic_claim[TOPIC];

    // The drive's thread.
    char drive[LINK_DRIVE]; ///< id; "": nobody drives
    int events; ///< of the drive so far
    int told; ///< events of the exercise that were published
    SceneParams *shown; ///< what is driven, with its texts in the station's language; NULL: nothing yet, or no memory
    long long sequence; ///< of states
    double stated; ///< s, of the last state
    LinkStanding known; ///< how the link stands, as who drives knows

    pthread_mutex_t lock; ///< of all that follows
    ConsoleQueue queue; ///< of orders
    Seen seen[LINK_SEEN]; ///< a ring
    int next_seen;
    double watched; ///< s, drive_clock, until which the classroom watches
    LinkClaim claim; ///< of the station's name
    LinkWho who; ///< this program
    bool was_out; ///< another program held the name since this one did last
    bool settles; ///< link_settle waits, and its caller reports that the name is taken
    bool closes; ///< nothing more is published about the name
    Told told_status;
    char *scenes; ///< what may be loaded, owned, until it was published behind the first status
    GuardRate orders, lines, objections; ///< of commands, of reported refusals, of replies to other programs
    int lines_lost; ///< since the last one
};

/// ---- sending -------------------------------------------------------------------------------------------------------

/// Publishes a text of `size` bytes under the station's topic.
static void send_bytes(Link *link, const char *leaf, const char *text, size_t size, int qos, bool retain)
{
    char topic[TOPIC];
    snprintf(topic, sizeof topic, "spadework/%s/%s", link->station, leaf);
    broker_publish(link->broker, &(BrokerMessage){topic, text, size, qos, retain});
}

/// The same of a text that is then freed; NULL is nothing.
static void send_text(Link *link, const char *leaf, char *text, int qos, bool retain)
{
    if (text != NULL) {
        send_bytes(link, leaf, text, strlen(text), qos, retain);
    }
    free(text);
}

/// ---- the name, on the broker's thread ------------------------------------------------------------------------------

/// Writes what a person needs to find the program: computer, address, process.
static void describe_program(const LinkWho *who, char text[WHO])
{
    snprintf(text, WHO, "%s (%s, process %d)", who->host[0] != '\0' ? who->host : "a computer without a name",
             who->address[0] != '\0' ? who->address : "address unknown", who->process);
}

/// With the lock held.
static void fail_taken(const Link *link, Status *status)
{
    char rival[WHO], own[WHO];
    describe_program(&link->claim.rival, rival);
    describe_program(&link->who, own);
    status_fail(status, STATUS_LACKING,
                "station %s: the name is in use by %s; this is %s. End that program, or choose another name here with "
                "--station NAME",
                link->station, rival, own);
}

/// Publishes the status of the moment, or a claim. With the lock held.
static void publish_name(Link *link, int what)
{
    if ((what & LINK_PUBLISH_CLAIM) != 0) {
        char *text = link_claim_text(&link->who, link->claim.held, link->claim.phase == LINK_OUT);
        if (text != NULL) {
            broker_publish_ahead(link->broker, &(BrokerMessage){link->topic_claim, text, strlen(text), 1, false});
        }
        free(text);
    }
    if ((what & LINK_PUBLISH_STATUS) != 0) {
        const Told *told = &link->told_status;
        send_text(link, "status",
                  link_status_text(&(LinkStatus){.station = link->station,
                                                 .phase = told->phase,
                                                 .scene = told->scene,
                                                 .title = told->title,
                                                 .trainee = told->trainee,
                                                 .drive = told->drive,
                                                 .since = told->since,
                                                 .who = &link->who,
                                                 .term = link->claim.term}),
                  1, true);
    }
}

/// Applies a step of the claim: mail is released while the name is held, a change is reported on stderr. With the lock
/// held.
static void apply_claim(Link *link, LinkPhase before, int what)
{
    const LinkClaim *claim = &link->claim;
    if (link->closes) {
        return;
    }
    if (claim->phase != before && claim->phase == LINK_OUT && !link->settles) {
        Status status;
        fail_taken(link, &status);
        visible_text_mask(status.text, false);
        fprintf(stderr, "spadework: %s. What is driven here goes on without the broker\n", status.text);
    } else if (claim->phase == LINK_HOLDING && before != LINK_HOLDING && link->was_out) {
        fprintf(stderr, "spadework: station %s: the name is free again, and is used here\n", link->station);
    }
    link->was_out = claim->phase == LINK_OUT || (link->was_out && claim->phase != LINK_HOLDING);
    broker_hold(link->broker, claim->connection, claim->phase != LINK_HOLDING);
    publish_name(link, what);
    if (claim->phase == LINK_HOLDING && link->scenes != NULL) { // a classroom ignores them before the first status
        send_text(link, "scenes", link->scenes, 1, true);
        link->scenes = NULL;
    }
}

static void tend_claim(void *context, int connection, bool subscribed)
{
    Link *link = context;
    BrokerState state;
    pthread_mutex_lock(&link->lock);
    if (connection != link->claim.connection) {
        broker_state(link->broker, &state);
        snprintf(link->who.address, sizeof link->who.address, "%.*s", LINK_ADDRESS - 1, state.address);
    }
    LinkPhase before = link->claim.phase;
    apply_claim(link, before, link_claim_tend(&link->claim, connection, subscribed, drive_clock()));
    pthread_mutex_unlock(&link->lock);
}

/// Takes a claim or status that was published under the station's name, including this program's own.
static void receive_claim(Link *link, const BrokerArrival *arrival)
{
    LinkNotice notice;
    Status unused;
    if (arrival->late && !arrival->retained) {
        return; // published while this link was away
    }
    bool claims = link_topic(arrival->topic, link->station) == LINK_CLAIM;
    if (!(claims ? link_claim_read : link_status_read)(arrival->payload, arrival->size, &notice, &unused)) {
        return; // no station of this version
    }
    notice.kept = arrival->retained;
    pthread_mutex_lock(&link->lock);
    LinkPhase before = link->claim.phase;
    int what = link_claim_receive(&link->claim, &notice, drive_clock());
    bool may = what == 0 || link->claim.phase != before ||
               guard_rate(&link->objections, drive_clock(), OBJECTIONS_PER_SECOND, OBJECTIONS_BURST);
    apply_claim(link, before, may ? what : 0);
    pthread_mutex_unlock(&link->lock);
}

/// ---- commands, on the broker's thread ------------------------------------------------------------------------------

/// Logs and answers a refusal, if there were not too many of late. With the lock held.
static void refuse_message(Link *link, const char *what, const char *id, const char *why)
{
    if (!guard_rate(&link->lines, drive_clock(), GUARD_LINES_PER_SECOND, GUARD_LINES_BURST)) {
        link->lines_lost++;
        return;
    }
    char line[LINE], lost[40] = "";
    if (link->lines_lost > 0) {
        snprintf(lost, sizeof lost, "(%d lines left out) ", link->lines_lost);
    }
    link->lines_lost = 0;
    snprintf(line, sizeof line, "broker: %srefused %s%s%s: %.200s", lost, what, id[0] != '\0' ? " " : "", id, why);
    visible_text_mask(line, false);
    fprintf(stderr, "spadework: %s\n", line);
    if (strcmp(what, "command") == 0) {
        send_text(link, "answer", link_answer_text(id, why), 1, false);
    }
}

/// The place of an id among those that were seen; -1: it is new. With the lock held.
static int find_seen(const Link *link, const char *id)
{
    for (int k = 0; k < LINK_SEEN; k++) {
        if (strcmp(link->seen[k].id, id) == 0) {
            return k;
        }
    }
    return -1;
}

static int remember_order(Link *link, const char *id)
{
    int place = link->next_seen;
    link->next_seen = (place + 1) % LINK_SEEN;
    link->seen[place] = (Seen){0};
    snprintf(link->seen[place].id, sizeof link->seen[place].id, "%s", id);
    return place;
}

/// Why a command that was read cannot be taken here; NULL: it can.
static const char *find_obstacle(const Link *link, const LinkOrder *order, const BrokerArrival *arrival)
{
    if (arrival->retained) {
        return "it was retained by the broker; allowed are commands that the broker does not keep";
    }
    if (arrival->late) {
        return "it was sent while this station was away; send it again";
    }
    if (order->command.kind == CONSOLE_LOAD && !link->takes_scenes) {
        return "load: this drive has its scene; spadework serve takes others";
    }
    return link->queue.ring.count == LINK_QUEUE ? "the queue of commands is full" : NULL;
}

/// What was seen before is answered again, and not taken again. With the lock held.
static void take_order(Link *link, const LinkOrder *order, const BrokerArrival *arrival)
{
    int place = find_seen(link, order->id);
    const char *obstacle = find_obstacle(link, order, arrival);
    if (place >= 0) {
        const Seen *seen = &link->seen[place];
        if (seen->answered) {
            send_text(link, "answer", link_answer_text(seen->id, seen->error[0] != '\0' ? seen->error : NULL), 1,
                      false);
        }
    } else if (obstacle != NULL) {
        refuse_message(link, "command", order->id, obstacle);
    } else {
        console_queue_put(&link->queue, &order->command, remember_order(link, order->id));
    }
}

/// True when this program must answer an order: it holds the name, or the broker has kept the order, which is refused
/// in any case; that answer waits until the name is given. With the lock held.
static bool is_addressed(const Link *link, const BrokerArrival *arrival)
{
    bool kept = arrival->retained || (link->claim.held && arrival->late);
    return link->claim.phase == LINK_HOLDING || (link->claim.phase == LINK_ASKING && kept);
}

static void receive_order(Link *link, const BrokerArrival *arrival)
{
    LinkOrder order;
    Status status;
    bool read = link_order_read(arrival->payload, arrival->size, &order, &status);
    pthread_mutex_lock(&link->lock);
    if (!is_addressed(link, arrival)) {
        // the holder of the name answers
    } else if (!guard_rate(&link->orders, drive_clock(), GUARD_ORDERS_PER_SECOND, GUARD_ORDERS_BURST)) {
        refuse_message(link, "command", order.id, "too many commands; allowed are 10 a second");
    } else if (!read) {
        refuse_message(link, "command", order.id, status.text);
    } else {
        take_order(link, &order, arrival);
    }
    pthread_mutex_unlock(&link->lock);
}

static void receive_watch(Link *link, const BrokerArrival *arrival)
{
    int seconds;
    Status status;
    bool read = link_watch_read(arrival->payload, arrival->size, &seconds, &status);
    pthread_mutex_lock(&link->lock);
    if (!is_addressed(link, arrival)) {
        // as above
    } else if (!read) {
        refuse_message(link, "watch", "", status.text);
    } else if (!arrival->retained && !arrival->late) {
        link->watched = drive_clock() + seconds;
    }
    pthread_mutex_unlock(&link->lock);
}

static void receive_message(void *context, const BrokerArrival *arrival)
{
    Link *link = context;
    if (arrival->size == 0) { // how a retained message is taken back
        return;
    }
    switch (link_topic(arrival->topic, link->station)) {
    case LINK_COMMAND:
        receive_order(link, arrival);
        break;
    case LINK_WATCH:
        receive_watch(link, arrival);
        break;
    case LINK_STATUS:
    case LINK_CLAIM:
        receive_claim(link, arrival);
        break;
    case LINK_NO_TOPIC:
        break;
    }
}

/// ---- commands, on the drive's --------------------------------------------------------------------------------------

bool link_next(Link *link, LinkCommand *command)
{
    ConsoleWaiting oldest;
    pthread_mutex_lock(&link->lock);
    bool is_there = console_queue_take(&link->queue, &oldest);
    pthread_mutex_unlock(&link->lock);
    if (is_there) {
        *command = (LinkCommand){oldest.command, oldest.place};
    }
    return is_there;
}

void link_answer(Link *link, const LinkCommand *command, const char *error)
{
    pthread_mutex_lock(&link->lock);
    Seen *seen = &link->seen[command->place];
    seen->answered = true;
    status_copy_text(seen->error, sizeof seen->error, error != NULL ? error : "");
    char *text = link_answer_text(seen->id, error != NULL ? seen->error : NULL);
    pthread_mutex_unlock(&link->lock);
    send_text(link, "answer", text, 1, false);
}

/// ---- what is shown -------------------------------------------------------------------------------------------------

static void write_utc(char text[SINCE], const char *format)
{
    time_t now = time(NULL);
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&now, &utc) != NULL) {
        strftime(text, SINCE, format, &utc);
    }
}

/// Publishes the status if anything in it has changed.
static void publish_status(Link *link, const LinkStatus *status)
{
    Told now = {0}; // compared bytewise
    snprintf(now.phase, sizeof now.phase, "%s", status->phase);
    snprintf(now.scene, sizeof now.scene, "%s", status->scene);
    snprintf(now.title, sizeof now.title, "%s", status->title);
    snprintf(now.trainee, sizeof now.trainee, "%s", status->trainee);
    snprintf(now.drive, sizeof now.drive, "%s", status->drive);
    pthread_mutex_lock(&link->lock);
    memcpy(now.since, link->told_status.since, sizeof now.since);
    if (memcmp(&now, &link->told_status, sizeof now) != 0) {
        write_utc(now.since, "%Y-%m-%dT%H:%M:%SZ");
        link->told_status = now;
        publish_name(link, link->claim.phase == LINK_HOLDING ? LINK_PUBLISH_STATUS : 0);
    }
    pthread_mutex_unlock(&link->lock);
}

void link_wait(Link *link)
{
    link->drive[0] = '\0';
    publish_status(link, &(LinkStatus){.phase = "waiting", .scene = "", .title = "", .trainee = "", .drive = ""});
}

/// An id that no other drive has: its beginning and a number of chance.
void link_begin(Link *link, const Session *session)
{
    char begun[SINCE];
    unsigned chance = 0;
    write_utc(begun, "%Y%m%dt%H%M%S");
    if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) < 0) {
        chance = (unsigned)getpid();
    }
    snprintf(link->drive, sizeof link->drive, "%s-%06x", begun, chance & 0xffffffU);
    link->events = 0;
    link->told = exercise_event_count(session_exercise(session));
    link->shown = link->shown != NULL ? link->shown : malloc(sizeof *link->shown);
    if (link->shown != NULL) {
        *link->shown = *session_scene(session);
        language_translate_scene(link->shown);
    }
    link->stated = 0.0;
}

void link_publish_event(Link *link, double time, const ExerciseEvent *event)
{
    const SceneExercise *scene = link->shown != NULL ? &link->shown->exercise : NULL;
    link->events++;
    send_text(link, "event", link_event_text(link->drive, link->events, time, event, scene), 2, false);
}

static void publish_events(Link *link, const Session *session)
{
    const Exercise *exercise = session_exercise(session);
    int count = exercise_event_count(exercise);
    for (; link->told < count; link->told++) {
        const ExerciseEvent *event = exercise_event(exercise, link->told);
        link_publish_event(link, (double)event->tick * session_dt(session), event);
    }
}

void link_show(Link *link, Session *session, const LinkNotes *notes, bool now)
{
    const SceneParams *scene = session_scene(session);
    double clock = drive_clock();
    publish_events(link, session);
    if (!now && clock - link->stated < STATE_EVERY) {
        return;
    }
    link->stated = clock;
    publish_status(link, &(LinkStatus){.phase = notes->phase,
                                       .scene = scene->name,
                                       .title = scene->title,
                                       .trainee = notes->trainee != NULL ? notes->trainee : "",
                                       .drive = link->drive});
    if (link_standing(link, NULL) == LINK_HERE) {
        struct timespec wall;
        clock_gettime(CLOCK_REALTIME, &wall);
        LinkMoment moment = {.sequence = ++link->sequence,
                             .sent = (double)wall.tv_sec + (double)wall.tv_nsec * 1e-9,
                             .drive = link->drive,
                             .phase = notes->phase,
                             .real_time = notes->real_time,
                             .events = link->events};
        send_text(link, "state", link_state_text(&moment, session), 0, false);
    }
}

bool link_is_watched(Link *link)
{
    pthread_mutex_lock(&link->lock);
    bool watched = drive_clock() < link->watched;
    pthread_mutex_unlock(&link->lock);
    return watched;
}

/// The console's texts begin with their first key; the version is put before it.
void link_view(Link *link, bool ground, const char *text, size_t size)
{
    static const char head[] = "{\"version\":1,";
    char *whole = size > 2 ? malloc(sizeof head + size) : NULL;
    if (whole != NULL) {
        memcpy(whole, head, sizeof head - 1);
        memcpy(whole + sizeof head - 1, text + 1, size - 1);
        send_bytes(link, ground ? "ground" : "view", whole, sizeof head + size - 2, 0, false);
    }
    free(whole);
}

LinkStanding link_standing(Link *link, Status *status)
{
    BrokerState state;
    broker_state(link->broker, &state);
    pthread_mutex_lock(&link->lock);
    LinkPhase phase = link->claim.connection == state.connections ? link->claim.phase : LINK_ASKING;
    LinkStanding standing = phase == LINK_OUT                          ? LINK_TAKEN
                            : state.connected && phase == LINK_HOLDING ? LINK_HERE
                                                                       : LINK_AWAY;
    if (standing == LINK_TAKEN && status != NULL) {
        fail_taken(link, status);
    }
    pthread_mutex_unlock(&link->lock);
    return standing;
}

static void set_settles(Link *link, bool settles)
{
    pthread_mutex_lock(&link->lock);
    link->settles = settles;
    pthread_mutex_unlock(&link->lock);
}

bool link_settle(Link *link, Status *status)
{
    set_settles(link, true);
    double begun = drive_clock(), connected = 0.0, now = begun;
    BrokerState state;
    LinkStanding standing = link_standing(link, status);
    while (standing == LINK_AWAY && !signals_stop_asked() &&
           now - begun < (connected > 0.0 ? LINK_SETTLE_NAME + connected - begun : LINK_SETTLE_CONNECT)) {
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        broker_state(link->broker, &state);
        if (state.failures > 0) {
            break;
        }
        now = drive_clock();
        connected = connected > 0.0 || !state.connected ? connected : now;
        standing = link_standing(link, status);
    }
    set_settles(link, false);
    return standing != LINK_TAKEN;
}

bool link_changed(Link *link, LinkStanding *standing)
{
    *standing = link_standing(link, NULL);
    bool early = *standing == LINK_AWAY && link->known == LINK_HERE && drive_clock() - link->opened < PATIENCE;
    bool changed = *standing != link->known && !early;
    link->known = changed ? *standing : link->known;
    return changed;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool take_name(Link *link, const char *name, Status *status)
{
    char computer[COMPUTER] = "";
    if (gethostname(computer, sizeof computer - 1) != 0) {
        computer[0] = '\0';
    }
    snprintf(link->who.host, sizeof link->who.host, "%.*s", LINK_HOST - 1, computer);
    visible_text_mask(link->who.host, false);
    link->who.process = (int)getpid();
    if (name != NULL && !link_station_is_one(name)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--station: %.80s was read; allowed are 1..%d of a-z, 0-9, - and _", name, LINK_STATION - 1);
    }
    link_station_fit(name != NULL ? name : computer, link->station);
    return random_hex(link->who.instance, (LINK_INSTANCE - 1) / 2, status);
}

/// The client id is that of the instance: two stations of one name are two clients.
static bool start_link(Link *link, const LinkParams *params, Status *status)
{
    char client[LINK_INSTANCE + 16], topics[2][TOPIC];
    static const char *const leaves[] = {"command", "watch"};
    if (!take_name(link, params->station, status)) {
        return false;
    }
    link_claim_begin(&link->claim, link->who.instance);
    snprintf(client, sizeof client, "spadework-%s", link->who.instance);
    for (int k = 0; k < 2; k++) {
        snprintf(topics[k], sizeof topics[k], "spadework/%s/%s", link->station, leaves[k]);
    }
    snprintf(link->topic_status, sizeof link->topic_status, "spadework/%s/status", link->station);
    snprintf(link->topic_claim, sizeof link->topic_claim, "spadework/%s/claim", link->station);
    char *gone = link_gone_text(link->station, link->who.instance);
    BrokerParams broker = {
        .url = params->url,
        .password_file = params->password_file,
        .ca_file = params->ca_file,
        .client = client,
        .keeps_session = true,
        .holds_back = true,
        .will = {link->topic_status, gone, gone != NULL ? strlen(gone) : 0, 1, true},
        .subscriptions = {{link->topic_status, 0}, {link->topic_claim, 0}, {topics[0], 1}, {topics[1], 1}},
        .receive = receive_message,
        .tend = tend_claim,
        .context = link};
    pthread_mutex_lock(&link->lock); // what comes in waits until the link knows its broker
    link->broker = gone != NULL ? broker_open(&broker, status) : NULL;
    pthread_mutex_unlock(&link->lock);
    if (gone == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the link to the broker");
    }
    free(gone);
    return link->broker != NULL;
}

Link *link_open(const LinkParams *params, Status *status)
{
    Link *link = calloc(1, sizeof *link);
    if (link == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the link to the broker");
        return NULL;
    }
    pthread_mutex_init(&link->lock, NULL);
    link->queue.ring.most = LINK_QUEUE;
    link->takes_scenes = params->takes_scenes;
    link->opened = drive_clock();
    link->known = LINK_HERE;
    link->scenes = link_scenes_text(params->scenes, params->scene_count, params->courses);
    link_wait(link);
    if (!start_link(link, params, status)) {
        pthread_mutex_destroy(&link->lock);
        free(link->scenes);
        free(link);
        return NULL;
    }
    return link;
}

void link_close(Link *link)
{
    if (link != NULL) {
        pthread_mutex_lock(&link->lock);
        link->closes = true;
        pthread_mutex_unlock(&link->lock);
        send_text(link, "status", link_gone_text(link->station, link->who.instance), 1, true);
        broker_close(link->broker);
        pthread_mutex_destroy(&link->lock);
        free(link->shown);
        free(link->scenes);
        free(link);
    }
}

const char *link_station(const Link *link)
{
    return link->station;
}

const char *link_instance(const Link *link)
{
    return link->who.instance;
}
