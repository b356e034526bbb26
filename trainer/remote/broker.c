/// Life of a link, its thread, and what it tells.
#include "trainer/remote/broker_internal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mqtt_protocol.h>
#include "data/core/regular_file.h"

#define TURN       0.5 ///< s that the thread sleeps at most while it is connected. Chosen
#define FIRST_WAIT 1.0 ///< s before the second try
#define STEADY     10.0 ///< s of a connection after which the pauses begin anew
#define CLOSE_WAIT (BROKER_FAREWELL + 1.0) ///< s for the thread to end

double broker_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// ---- how the link stands -------------------------------------------------------------------------------------------

void broker_tell(Broker *broker, const char *format, ...)
{
    char line[BROKER_REASON + BROKER_HOST];
    int length = snprintf(line, sizeof line, "broker %s:%d: ", broker->url.host, broker->url.port);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    status_make_plain(line, false);
    if (broker->log != NULL) {
        broker->log(broker->context, line);
    } else {
        fprintf(stderr, "spadework: %s\n", line);
    }
}

/// Tells how the link stands if that has changed. That a broker which is away cannot be reached either is no change.
/// reason  "": it is connected
static void tell_change(Broker *broker, const char *reason)
{
    pthread_mutex_lock(&broker->lock);
    broker->state.connected = reason[0] == '\0';
    snprintf(broker->state.reason, sizeof broker->state.reason, "%s", reason);
    status_make_plain(broker->state.reason, false);
    int dropped = broker->mail.dropped - broker->dropped_told;
    pthread_mutex_unlock(&broker->lock);
    const char *now = reason[0] == '\0' ? "connected" : reason;
    bool away = broker->told[0] != '\0' && strcmp(broker->told, "connected") != 0;
    bool news = reason[0] == '\0' || !away || broker->says;
    broker->says = false;
    if (!news || strcmp(now, broker->told) == 0) {
        return;
    }
    snprintf(broker->told, sizeof broker->told, "%s", now);
    if (reason[0] != '\0') {
        broker_tell(broker, "%s; it is tried again", reason);
    } else if (dropped > 0) {
        broker->dropped_told += dropped;
        broker->full_told = false;
        broker_tell(broker, "connected; %d messages found no room and were dropped", dropped);
    } else {
        broker_tell(broker, "connected");
    }
}

/// Tells once that there is no room.
static void tell_full(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    int dropped = broker->mail.dropped, waiting = broker->mail.count;
    pthread_mutex_unlock(&broker->lock);
    if (dropped > broker->dropped_told && !broker->full_told) {
        broker->full_told = true;
        broker_tell(broker, "%d messages wait for it; there is no room for more, and they are dropped", waiting);
    }
}

static void enter(Broker *broker, BrokerPhase phase)
{
    broker->phase = phase;
    broker->since = broker_clock();
}

/// The broker lets the link in: everything that it may have forgotten is told anew.
static void begin(Broker *broker)
{
    enter(broker, BROKER_HERE);
    broker->renewals = 0;
    for (int k = 0; k < broker->topic_count; k++) {
        broker->renewals +=
            mosquitto_subscribe(broker->mosquitto, NULL, broker->topics[k], broker->topic_qos[k]) == MOSQ_ERR_SUCCESS;
    }
    char address[BROKER_ADDRESS];
    broker_client_address(broker, address);
    pthread_mutex_lock(&broker->lock);
    broker_mail_renew(&broker->mail, broker->holds_back);
    broker->state.connections++;
    memcpy(broker->state.address, address, sizeof address);
    pthread_mutex_unlock(&broker->lock);
    tell_change(broker, "");
    if (broker->tend != NULL) {
        broker->tend(broker->context, broker->state.connections, false);
    }
}

/// What a broker's answer means, of MQTT 3.1.1 (1 to 5) or 5 (0x80 and more).
static const char *find_refusal(int answer)
{
    switch (answer) {
    case 1:
    case MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION:
        return "does not know MQTT 3.1.1";
    case 2:
    case MQTT_RC_CLIENTID_NOT_VALID:
        return "refuses the id of this link";
    case 3:
    case MQTT_RC_SERVER_UNAVAILABLE:
    case MQTT_RC_SERVER_BUSY:
        return "is not ready";
    case 4:
    case 5:
    case MQTT_RC_BAD_USERNAME_OR_PASSWORD:
    case MQTT_RC_NOT_AUTHORIZED:
        return "refuses user and password";
    default:
        return "refuses this link";
    }
}

/// A session that the broker has lost would take the second half of a QoS 2 message for one that it never saw: what was
/// under way is then sent whole.
void broker_answered(Broker *broker, int answer, bool remembers)
{
    if (answer == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION && broker_keeps_session(broker)) {
        broker->old = broker->anew = true; // the next connection speaks 3.1.1
        return;
    }
    if (answer != 0) {
        broker->refused = broker->says = true;
        snprintf(broker->detail, sizeof broker->detail, "%s", find_refusal(answer));
        return;
    }
    broker->anew = (broker_keeps_session(broker) && broker->clean) ||
                   (broker->keeps_session && !remembers && broker->mail.handed > 0);
    broker->clean = false;
    if (broker->anew) {
        mosquitto_disconnect(broker->mosquitto);
    } else {
        begin(broker);
    }
}

/// ---- the thread ----------------------------------------------------------------------------------------------------

static bool is_to_end(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    bool ends = broker->ends;
    pthread_mutex_unlock(&broker->lock);
    return ends;
}

static void empty_pipe(Broker *broker)
{
    char bytes[16];
    pthread_mutex_lock(&broker->lock);
    while (read(broker->wake[0], bytes, sizeof bytes) > 0) {
    }
    broker->woken = false;
    pthread_mutex_unlock(&broker->lock);
}

/// The connection has ended, or there was none: when the next try is.
static void fail(Broker *broker)
{
    bool steady = broker->phase == BROKER_HERE && broker_clock() - broker->since > STEADY;
    broker->pause = steady || broker->pause <= 0.0 ? FIRST_WAIT : broker->pause;
    enter(broker, BROKER_AWAY);
    if (broker->anew) {
        broker->anew = false;
        broker->next = broker->since;
        broker_client_make(broker);
        return;
    }
    pthread_mutex_lock(&broker->lock);
    broker->state.failures++;
    pthread_mutex_unlock(&broker->lock);
    double pause = broker->refused ? BROKER_PAUSE_MOST : broker->pause;
    broker->refused = false;
    broker->next = broker->since + pause;
    broker->pause = broker->pause * 2.0 < BROKER_PAUSE_MOST ? broker->pause * 2.0 : BROKER_PAUSE_MOST;
    tell_change(broker, broker->detail);
}

static void wait_or_connect(Broker *broker)
{
    double left = broker->next - broker_clock();
    if (left > 0.0) {
        poll(&(struct pollfd){broker->wake[0], POLLIN, 0}, 1, (int)(left * 1e3) + 1);
    } else if (broker_client_connect(broker)) {
        enter(broker, BROKER_ASKING);
    } else if (!is_to_end(broker)) { // nobody may wait for this thread any more
        fail(broker);
    }
}

static void turn(Broker *broker, double patience)
{
    if (broker->tend != NULL && broker->phase == BROKER_HERE) {
        broker->tend(broker->context, broker->state.connections, broker->renewals == 0);
    }
    broker_client_hand_over(broker);
    if (!broker_client_turn(broker, patience)) {
        fail(broker);
    } else if (broker->phase == BROKER_ASKING && broker_clock() - broker->since > BROKER_ALIVE) {
        snprintf(broker->detail, sizeof broker->detail, "does not answer");
        fail(broker); // the next try closes the socket; what was under way is not forgotten
    }
}

static bool has_mail(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    bool has = !broker_mail_is_empty(&broker->mail);
    pthread_mutex_unlock(&broker->lock);
    return has || mosquitto_want_write(broker->mosquitto);
}

/// Sends what waits while there is time, and says goodbye.
static void say_goodbye(Broker *broker)
{
    double until = broker_clock() + BROKER_FAREWELL;
    pthread_mutex_lock(&broker->lock);
    bool late = broker->orphaned;
    pthread_mutex_unlock(&broker->lock);
    while (!late && broker->phase != BROKER_AWAY && broker_clock() < until &&
           (broker->phase != BROKER_HERE || has_mail(broker))) {
        turn(broker, 0.05);
    }
    if (!late && broker->phase == BROKER_HERE && mosquitto_disconnect(broker->mosquitto) == MOSQ_ERR_SUCCESS) {
        broker->phase = BROKER_ASKING; // nothing more is handed over
        while (broker_clock() < until && broker_client_turn(broker, 0.05)) {
        }
    }
}

static void destroy(Broker *broker)
{
    if (broker->mosquitto != NULL) {
        mosquitto_destroy(broker->mosquitto);
    }
    for (int k = 0; k < 2; k++) {
        if (broker->wake[k] >= 0) {
            close(broker->wake[k]);
        }
    }
    broker_mail_destroy(&broker->mail);
    pthread_cond_destroy(&broker->over_now);
    pthread_mutex_destroy(&broker->lock);
    free(broker);
    mosquitto_lib_cleanup();
}

static void *run(void *context)
{
    Broker *broker = context;
    while (!is_to_end(broker)) {
        if (broker->phase == BROKER_AWAY) {
            wait_or_connect(broker);
        } else {
            turn(broker, TURN);
        }
        empty_pipe(broker);
        tell_full(broker);
    }
    say_goodbye(broker);
    pthread_mutex_lock(&broker->lock);
    broker->over = true;
    bool orphaned = broker->orphaned;
    pthread_cond_signal(&broker->over_now);
    pthread_mutex_unlock(&broker->lock);
    if (orphaned) {
        destroy(broker);
    }
    return NULL;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool is_client_id(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t length = strnlen(text, BROKER_CLIENT);
    return length > 0 && length < BROKER_CLIENT && strspn(text, allowed) == length;
}

static bool copy_topic(const char *topic, char copy[BROKER_TOPIC], Status *status)
{
    if (strnlen(topic, BROKER_TOPIC) == BROKER_TOPIC || topic[0] == '\0') {
        return status_fail(status, STATUS_BAD_USAGE, "broker: a topic of %zu bytes was read; allowed are 1..%d",
                           strlen(topic), BROKER_TOPIC - 1);
    }
    strcpy(copy, topic);
    return true;
}

static bool take_will(Broker *broker, const BrokerMessage *will, Status *status)
{
    if (will->topic == NULL) {
        return true;
    }
    if (will->size > BROKER_WILL) {
        return status_fail(status, STATUS_BAD_USAGE, "broker: a last will of %zu bytes was read; allowed are 0..%d",
                           will->size, BROKER_WILL);
    }
    memcpy(broker->will, will->payload, will->size);
    broker->will_size = will->size;
    broker->will_qos = will->qos;
    broker->will_retain = will->retain;
    return copy_topic(will->topic, broker->will_topic, status);
}

/// A file of certificates to trust (PEM, RFC 7468). Without this check only a connection finds a wrong one.
static bool check_ca(const char *path, Status *status)
{
    char line[1024];
    bool found = false;
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        Status inner = *status;
        return status_fail(status, STATUS_BAD_FILE, "--broker-ca %.960s", inner.text);
    }
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, "-----BEGIN ", 11) == 0 && strstr(line, "CERTIFICATE-----") != NULL;
    }
    fclose(file);
    return found ||
           status_fail(status, STATUS_BAD_FILE,
                       "--broker-ca %s: no certificate was read; allowed is a file of certificates (PEM)", path);
}

static bool take_ca(Broker *broker, const char *path, Status *status)
{
    if (path == NULL) {
        return true;
    }
    if (!broker->url.tls) {
        return status_fail(status, STATUS_BAD_USAGE, "--broker-ca %s goes with mqtts:// alone", path);
    }
    if (strlen(path) >= sizeof broker->ca_file) {
        return status_fail(status, STATUS_BAD_FILE, "--broker-ca %.80s...: the path is too long", path);
    }
    if (!check_ca(path, status)) {
        return false;
    }
    strcpy(broker->ca_file, path);
    return true;
}

static bool take_params(Broker *broker, const BrokerParams *params, Status *status)
{
    if (!broker_url_read(params->url, &broker->url, status)) {
        return false;
    }
    if (!is_client_id(params->client)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "broker: the id %.80s was read; allowed are 1..%d letters, digits, - and _", params->client,
                           BROKER_CLIENT - 1);
    }
    strcpy(broker->client, params->client);
    if (params->password_file != NULL && broker->url.user[0] == '\0') {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--broker-password-file goes with a user in the URL: mqtt://USER@HOST");
    }
    for (int k = 0; k < BROKER_SUBSCRIPTIONS && params->subscriptions[k].topic != NULL; k++) {
        broker->topic_qos[k] = params->subscriptions[k].qos;
        broker->topic_count++;
        if (!copy_topic(params->subscriptions[k].topic, broker->topics[k], status)) {
            return false;
        }
    }
    broker->keeps_session = broker->clean = params->keeps_session;
    broker->holds_back = params->holds_back;
    broker->receive = params->receive;
    broker->tend = params->tend;
    broker->log = params->log;
    broker->context = params->context;
    snprintf(broker->state.reason, sizeof broker->state.reason, "not connected yet");
    return take_ca(broker, params->ca_file, status) && take_will(broker, &params->will, status) &&
           (params->password_file == NULL || broker_password_read(params->password_file, broker->password, status));
}

/// Starts the thread with all signals blocked: they are the program's, and a socket that is gone gives an error.
static bool start(Broker *broker, Status *status)
{
    sigset_t all, before;
    bool good = broker_mail_create(&broker->mail) && pipe(broker->wake) == 0;
    broker->mail.held = broker->holds_back;
    for (int k = 0; good && k < 2; k++) {
        good = fcntl(broker->wake[k], F_SETFD, FD_CLOEXEC) == 0 && fcntl(broker->wake[k], F_SETFL, O_NONBLOCK) == 0;
    }
    if (good) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        good = pthread_create(&broker->thread, NULL, run, broker) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return good || status_fail(status, STATUS_LACKING, "broker: memory, files or threads are short");
}

Broker *broker_open(const BrokerParams *params, Status *status)
{
    Broker *broker = calloc(1, sizeof *broker);
    if (broker == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the link to the broker");
        return NULL;
    }
    broker->wake[0] = broker->wake[1] = -1;
    pthread_mutex_init(&broker->lock, NULL);
    pthread_cond_init(&broker->over_now, NULL);
    mosquitto_lib_init();
    if (!take_params(broker, params, status) || !start(broker, status)) {
        destroy(broker);
        return NULL;
    }
    return broker;
}

static void wake(Broker *broker)
{
    if (!broker->woken) {
        broker->woken = write(broker->wake[1], "", 1) == 1;
    }
}

/// A thread that waits for a name server is left to itself: it frees the link when it has its answer.
void broker_close(Broker *broker)
{
    if (broker == NULL) {
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)CLOSE_WAIT;
    pthread_t thread = broker->thread;
    pthread_mutex_lock(&broker->lock);
    broker->ends = true;
    wake(broker);
    while (!broker->over && pthread_cond_timedwait(&broker->over_now, &broker->lock, &until) == 0) {
    }
    bool over = broker->over;
    broker->orphaned = !over;
    pthread_mutex_unlock(&broker->lock);
    if (over) {
        pthread_join(thread, NULL);
        destroy(broker);
    } else {
        pthread_detach(thread);
    }
}

/// ---- what is handed over -------------------------------------------------------------------------------------------

static bool write_letter(BrokerLetter *letter, const BrokerMessage *message)
{
    return message->size <= BROKER_PAYLOAD && strlen(message->topic) < BROKER_TOPIC &&
           broker_letter_write(letter, message);
}

bool broker_publish_ahead(Broker *broker, const BrokerMessage *message)
{
    BrokerLetter letter;
    bool written = write_letter(&letter, message);
    pthread_mutex_lock(&broker->lock);
    bool kept = written && broker->state.connected;
    if (kept) {
        broker_mail_put_ahead(&broker->mail, letter);
        wake(broker);
    }
    pthread_mutex_unlock(&broker->lock);
    if (written && !kept) {
        free(letter.bytes);
    }
    return kept;
}

bool broker_publish(Broker *broker, const BrokerMessage *message)
{
    BrokerLetter letter;
    bool written = write_letter(&letter, message);
    pthread_mutex_lock(&broker->lock);
    bool kept = written && broker_mail_put(&broker->mail, letter, broker->state.connected);
    broker->mail.dropped += !written && message->qos > 0;
    wake(broker);
    pthread_mutex_unlock(&broker->lock);
    return kept;
}

void broker_hold(Broker *broker, int connection, bool held)
{
    pthread_mutex_lock(&broker->lock);
    if (connection == broker->state.connections && broker->mail.held != held) {
        broker->mail.held = held;
        wake(broker);
    }
    pthread_mutex_unlock(&broker->lock);
}

void broker_state(Broker *broker, BrokerState *state)
{
    pthread_mutex_lock(&broker->lock);
    *state = broker->state;
    state->dropped = broker->mail.dropped;
    state->waiting = broker_mail_waiting(&broker->mail);
    pthread_mutex_unlock(&broker->lock);
}
