/// The calls of libmosquitto, all on the link's thread. Its own threads are not used: with them, what is published
/// would pile up without a bound.
#include "trainer/remote/broker_internal.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mqtt_protocol.h>
#include <sys/socket.h>

enum { UNDER_WAY = 16, REFUSED = 0x80 }; ///< messages handed over and not confirmed, chosen; answer to a subscription
enum { TURN_READS = 256, TURN_BYTES = 256 << 10 }; ///< packets, bytes of messages that one turn reads at most. Chosen

static const char trusted_folder[] = "/etc/ssl/certs";

/// ---- what libmosquitto tells ---------------------------------------------------------------------------------------

static void on_connect(struct mosquitto *client, void *context, int answer, int flags)
{
    (void)client;
    broker_answered(context, answer, (flags & 1) != 0);
}

static void on_publish(struct mosquitto *client, void *context, int number)
{
    (void)client;
    Broker *broker = context;
    pthread_mutex_lock(&broker->lock);
    broker_mail_done(&broker->mail, number);
    pthread_mutex_unlock(&broker->lock);
}

/// MQTT 5: a message that the broker refuses is done, too. For QoS 2 the library reports that here alone.
static void on_publish_5(struct mosquitto *client, void *context, int number, int reason,
                         const mosquitto_property *properties)
{
    (void)reason;
    (void)properties;
    on_publish(client, context, number);
}

/// MQTT 5: the broker says why it ends the connection.
static void on_disconnect_5(struct mosquitto *client, void *context, int reason, const mosquitto_property *properties)
{
    (void)client;
    (void)properties;
    Broker *broker = context;
    if (reason == MQTT_RC_SESSION_TAKEN_OVER) {
        snprintf(broker->detail, sizeof broker->detail, "another link came with this link's id");
    }
    // A broker that knows MQTT 3.1.1 alone answers in its packets; libmosquitto 2.0.21 reports that as malformed only,
    // 2.0.11 as an answer, too.
    if (broker_keeps_session(broker) && broker->phase == BROKER_ASKING &&
        (reason == MOSQ_ERR_MALFORMED_PACKET || reason == MOSQ_ERR_PROTOCOL)) {
        broker_answered(broker, MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION, false);
    }
}

static void on_subscribe(struct mosquitto *client, void *context, int number, int count, const int *granted)
{
    (void)client;
    (void)number;
    Broker *broker = context;
    broker->renewals -= broker->renewals > 0;
    for (int k = 0; k < count; k++) {
        if (granted[k] >= REFUSED) {
            broker_tell(broker, "does not let this link read what it subscribed to");
        }
    }
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message)
{
    (void)client;
    Broker *broker = context;
    broker->arrived += (size_t)message->payloadlen;
    if (broker->receive != NULL && message->topic != NULL) {
        broker->receive(broker->context,
                        &(BrokerArrival){.topic = message->topic,
                                         .payload = message->payload,
                                         .size = (size_t)message->payloadlen,
                                         .retained = message->retain,
                                         .late = broker_keeps_session(broker) && broker->renewals > 0});
    }
}

/// Keeps the reason that OpenSSL gives, without the file and line of its source.
static void on_log(struct mosquitto *client, void *context, int level, const char *text)
{
    (void)client;
    Broker *broker = context;
    if (level == MOSQ_LOG_ERR) {
        const char *reason = strrchr(text, ':');
        snprintf(broker->detail, sizeof broker->detail, "%s", reason != NULL ? reason + 1 : text);
    }
}

/// ---- making and connecting -----------------------------------------------------------------------------------------

enum { MOST_AT_A_TIME = 65535 }; ///< messages that are on their way, MQTT 5, 3.1.2.11.3

static bool set_up(Broker *broker, struct mosquitto *client)
{
    int bad = 0;
    if (broker_keeps_session(broker)) {
        // As many at a time as there can be: what was on its way at the end of a connection is not given back to the
        // count of the next one, which stands still once all are gone.
        bad = mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5) |
              mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, MOST_AT_A_TIME);
    }
    if (broker->url.user[0] != '\0') {
        bad |=
            mosquitto_username_pw_set(client, broker->url.user, broker->password[0] != '\0' ? broker->password : NULL);
    }
    if (broker->will_topic[0] != '\0') {
        bad |= mosquitto_will_set(client, broker->will_topic, (int)broker->will_size, broker->will, broker->will_qos,
                                  broker->will_retain);
    }
    if (broker->url.tls) {
        const char *file = broker->ca_file[0] != '\0' ? broker->ca_file : NULL;
        bad |= mosquitto_tls_set(client, file, file != NULL ? NULL : trusted_folder, NULL, NULL, NULL);
    }
    mosquitto_connect_with_flags_callback_set(client, on_connect);
    mosquitto_publish_callback_set(client, on_publish);
    mosquitto_publish_v5_callback_set(client, on_publish_5);
    mosquitto_disconnect_v5_callback_set(client, on_disconnect_5);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_message_callback_set(client, on_message);
    mosquitto_log_callback_set(client, on_log);
    return bad == 0;
}

bool broker_client_make(Broker *broker)
{
    if (broker->mosquitto != NULL) {
        mosquitto_destroy(broker->mosquitto);
    }
    pthread_mutex_lock(&broker->lock);
    broker_mail_hand_back(&broker->mail);
    pthread_mutex_unlock(&broker->lock);
    broker->mosquitto = mosquitto_new(broker->client, !broker_keeps_session(broker) || broker->clean, broker);
    if (broker->mosquitto != NULL && set_up(broker, broker->mosquitto)) {
        return true;
    }
    snprintf(broker->detail, sizeof broker->detail, "out of memory, or no certificates in %.120s",
             broker->ca_file[0] != '\0' ? broker->ca_file : trusted_folder);
    mosquitto_destroy(broker->mosquitto);
    broker->mosquitto = NULL;
    return false;
}

/// What a call of libmosquitto failed with, where it did not say more.
static void explain(Broker *broker, int failure, int error)
{
    const char *text = mosquitto_strerror(failure);
    switch (failure) {
    case MOSQ_ERR_ERRNO:
        text = strerror(error);
        break;
    case MOSQ_ERR_EAI:
        text = gai_strerror(error);
        break;
    case MOSQ_ERR_KEEPALIVE:
        text = "does not answer any more";
        break;
    case MOSQ_ERR_CONN_LOST:
    case MOSQ_ERR_NO_CONN:
        text = broker->phase == BROKER_ASKING ? "closed the connection before it let this link in (is it full?)"
                                              : "closed the connection";
        break;
    case MOSQ_ERR_TLS:
        broker->says = true;
        text = "no encrypted connection";
        break;
    default:
        break;
    }
    char reason[BROKER_REASON];
    snprintf(reason, sizeof reason, "%s%s%.120s", text, broker->detail[0] != '\0' ? ": " : "", broker->detail);
    memcpy(broker->detail, reason, sizeof reason);
}

/// Asks for a session that expires: client ids are not used again, so sessions of lost links would pile up.
static int connect_keeping_session(Broker *broker)
{
    mosquitto_property *properties = NULL;
    int failure =
        mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, (uint32_t)BROKER_SESSION);
    if (failure == MOSQ_ERR_SUCCESS) {
        failure = mosquitto_connect_bind_v5(broker->mosquitto, broker->url.host, broker->url.port, BROKER_ALIVE, NULL,
                                            properties);
    }
    mosquitto_property_free_all(&properties);
    return failure;
}

bool broker_client_connect(Broker *broker)
{
    broker->detail[0] = '\0';
    if (broker->mosquitto == NULL && !broker_client_make(broker)) {
        return false;
    }
    errno = 0;
    int failure = broker_keeps_session(broker)
                      ? connect_keeping_session(broker)
                      : mosquitto_connect(broker->mosquitto, broker->url.host, broker->url.port, BROKER_ALIVE);
    if (failure != MOSQ_ERR_SUCCESS) {
        explain(broker, failure, errno);
    }
    return failure == MOSQ_ERR_SUCCESS;
}

void broker_client_address(const Broker *broker, char address[BROKER_ADDRESS])
{
    struct sockaddr_storage place = {0};
    socklen_t size = sizeof place;
    address[0] = '\0';
    if (getsockname(mosquitto_socket(broker->mosquitto), (struct sockaddr *)&place, &size) != 0 ||
        getnameinfo((struct sockaddr *)&place, size, address, BROKER_ADDRESS, NULL, 0, NI_NUMERICHOST) != 0) {
        address[0] = '\0';
    }
}

/// ---- turns ---------------------------------------------------------------------------------------------------------

/// Publishes a letter of its own, and frees it.
static void send_letter(Broker *broker, BrokerLetter letter)
{
    mosquitto_publish(broker->mosquitto, NULL, broker_letter_topic(&letter), (int)letter.size, letter.bytes, letter.qos,
                      letter.retain);
    free(letter.bytes);
}

/// Sends the oldest lasting letter. It stays in the ring until it is done, so that its bytes may be read unlocked.
static bool send_lasting(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    const BrokerLetter *letter = broker_mail_next(&broker->mail, UNDER_WAY);
    pthread_mutex_unlock(&broker->lock);
    int number = 0;
    if (letter == NULL || mosquitto_publish(broker->mosquitto, &number, broker_letter_topic(letter), (int)letter->size,
                                            letter->bytes, letter->qos, false) != MOSQ_ERR_SUCCESS) {
        return false;
    }
    pthread_mutex_lock(&broker->lock);
    broker_mail_handed(&broker->mail, number);
    pthread_mutex_unlock(&broker->lock);
    return true;
}

static bool send_other(Broker *broker)
{
    BrokerLetter letter;
    pthread_mutex_lock(&broker->lock);
    bool found = broker_mail_take(&broker->mail, &letter);
    pthread_mutex_unlock(&broker->lock);
    if (found) {
        send_letter(broker, letter);
    }
    return found;
}

void broker_client_hand_over(Broker *broker)
{
    bool sent = true;
    while (sent && broker->phase == BROKER_HERE && !mosquitto_want_write(broker->mosquitto)) {
        sent = send_other(broker);
        if (!mosquitto_want_write(broker->mosquitto)) {
            sent |= send_lasting(broker);
        }
    }
}

/// Reads what else has come, a packet a call, until nothing is there or the turn has had its share: what waits to be
/// sent, and who wants to close the link, is not held up by who sends without an end. A failure is libmosquitto's.
static int read_more(Broker *broker)
{
    int failure = MOSQ_ERR_SUCCESS;
    bool more = true;
    for (int k = 1; more && failure == MOSQ_ERR_SUCCESS && k < TURN_READS; k++) {
        more = broker->arrived < TURN_BYTES && mosquitto_socket(broker->mosquitto) >= 0;
        errno = 0;
        failure = more ? mosquitto_loop_read(broker->mosquitto, 1) : MOSQ_ERR_SUCCESS;
        more = more && errno != EAGAIN && errno != EWOULDBLOCK; // the socket is empty, or holds a part of a packet
    }
    return failure;
}

bool broker_client_turn(Broker *broker, double patience)
{
    short wanted = mosquitto_want_write(broker->mosquitto) ? POLLIN | POLLOUT : POLLIN;
    struct pollfd waits[2] = {{broker->wake[0], POLLIN, 0}, {mosquitto_socket(broker->mosquitto), wanted, 0}};
    poll(waits, 2, (int)(patience * 1e3));
    broker->arrived = 0;
    errno = 0;
    int failure = mosquitto_loop(broker->mosquitto, 0, 1);
    if (failure == MOSQ_ERR_SUCCESS && (waits[1].revents & POLLIN) != 0) {
        failure = read_more(broker);
    }
    int error = errno;
    if (failure == MOSQ_ERR_SUCCESS && mosquitto_socket(broker->mosquitto) >= 0) {
        return true;
    }
    if (!broker->refused) {
        explain(broker, failure != MOSQ_ERR_SUCCESS ? failure : MOSQ_ERR_CONN_LOST, error);
    }
    return false;
}
