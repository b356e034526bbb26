/// A link to an MQTT broker: its URL and password, the mail that waits, the calls of libmosquitto, its thread and its
/// life.
///
/// libmosquitto is called on the link's thread alone, and its own threads are not used: with them, what is published
/// would pile up without a bound.
#include <errno.h>
#include <fcntl.h>
#include <mqtt_protocol.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <mqtt_protocol.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "trainer/pilot/pilot.h"
#include "trainer/remote/broker_internal.h"

#define TURN       0.5 ///< s that the thread sleeps at most while it is connected. Chosen
#define FIRST_WAIT 1.0 ///< s before the second try
#define STEADY     10.0 ///< s of a connection after which the pauses begin anew
#define CLOSE_WAIT (BROKER_FAREWELL + 1.0) ///< s for the thread to end

enum { UNDER_WAY = 16, REFUSED = 0x80 }; ///< messages handed over and not confirmed, chosen; answer to a subscription
enum { TURN_READS = 256, TURN_BYTES = 256 << 10 }; ///< packets, bytes of messages that one turn reads at most. Chosen

static const char trusted_folder[] = "/etc/ssl/certs";

/// ---- address and password ------------------------------------------------------------------------------------------

#define ALLOWED "mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS"

enum { PLAIN_PORT = 1883, TLS_PORT = 8883, SHOWN = 80 }; ///< of MQTT; letters of a URL in a message

static bool is_plain(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '-' || letter == '.' || letter == '_';
}

static bool all_plain(const char *text, size_t length, const char *also)
{
    for (size_t k = 0; k < length; k++) {
        if (!is_plain(text[k]) && (text[k] == '\0' || strchr(also, text[k]) == NULL)) {
            return false;
        }
    }
    return length > 0;
}

/// Copies plain letters and those of `also`; false: there are others, none, or too many.
static bool copy_plain(const char *text, size_t length, const char *also, char *kept, size_t room)
{
    if (length >= room || !all_plain(text, length, also)) {
        return false;
    }
    memcpy(kept, text, length);
    kept[length] = '\0';
    return true;
}

/// Reads ":PORT" to the end; "" leaves the port as it is.
static bool read_port(const char *text, int *port)
{
    if (*text == '\0') {
        return true;
    }
    size_t digits = strspn(text + 1, "0123456789");
    if (*text != ':' || digits == 0 || digits > 5 || text[1 + digits] != '\0') {
        return false;
    }
    *port = 0;
    for (size_t k = 1; k <= digits; k++) {
        *port = 10 * *port + (text[k] - '0');
    }
    return *port >= 1 && *port <= 65535;
}

static bool read_place(const char *text, BrokerUrl *url)
{
    if (*text == '[') {
        size_t length = strcspn(text, "]");
        return text[length] == ']' && copy_plain(text + 1, length - 1, ":", url->host, sizeof url->host) &&
               read_port(text + length + 1, &url->port);
    }
    size_t length = strcspn(text, ":");
    return copy_plain(text, length, "", url->host, sizeof url->host) && read_port(text + length, &url->port);
}

bool broker_url_read(const char *text, BrokerUrl *url, Status *status)
{
    *url = (BrokerUrl){.port = PLAIN_PORT};
    const char *rest = text;
    if (strncmp(text, "mqtts://", 8) == 0) {
        url->tls = true;
        url->port = TLS_PORT;
        rest = text + 8;
    } else if (strncmp(text, "mqtt://", 7) == 0) {
        rest = text + 7;
    } else {
        return status_fail(status, STATUS_BAD_USAGE, "--broker: %.*s was read; allowed is " ALLOWED,
                           (int)strcspn(text, "@") < SHOWN ? (int)strcspn(text, "@") : SHOWN, text);
    }
    const char *at = strrchr(rest, '@');
    if (at != NULL && memchr(rest, ':', (size_t)(at - rest)) != NULL) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--broker: a password was read in the URL, where others see it; allowed is " ALLOWED
                           " and --broker-password-file FILE");
    }
    if (at != NULL && !copy_plain(rest, (size_t)(at - rest), "+~", url->user, sizeof url->user)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--broker: a user of %d bytes was read; allowed are 1..%d letters, digits and . - _ + ~",
                           (int)(at - rest), BROKER_USER - 1);
    }
    return read_place(at != NULL ? at + 1 : rest, url) ||
           status_fail(status, STATUS_BAD_USAGE, "--broker: %.*s was read; allowed is " ALLOWED, SHOWN,
                       at != NULL ? at + 1 : text);
}

/// Reads the first line of a regular file that only its owner may read, 1..BROKER_PASSWORD - 1 bytes. False with
/// `status` (STATUS_BAD_FILE), which holds nothing of it.
static bool read_password(const char *path, char password[BROKER_PASSWORD], Status *status)
{
    struct stat info;
    char line[BROKER_PASSWORD + 1] = "";
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool own = fstat(fileno(file), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    size_t size = own ? fread(line, 1, sizeof line - 1, file) : 0;
    fclose(file);
    size_t length = strcspn(line, "\r\n");
    if (!own) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: others may read this password; allow it to its owner alone (chmod 600)", path);
    }
    if (length == 0 || length >= BROKER_PASSWORD || (length == size && memchr(line, '\0', size) != NULL)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: a first line of %zu bytes was read; a password has 1..%d",
                           path, length, BROKER_PASSWORD - 1);
    }
    memcpy(password, line, length);
    password[length] = '\0';
    return true;
}

/// ---- letters -------------------------------------------------------------------------------------------------------

static const char *letter_topic(const BrokerLetter *letter)
{
    return letter->bytes + letter->size;
}

/// Copies a message into a letter; false when memory is short.
static bool copy_letter(BrokerLetter *letter, const BrokerMessage *message)
{
    size_t topic = strlen(message->topic) + 1;
    *letter = (BrokerLetter){
        .bytes = malloc(message->size + topic), .size = message->size, .qos = message->qos, .retain = message->retain};
    if (letter->bytes == NULL) {
        return false;
    }
    if (message->size > 0) {
        memcpy(letter->bytes, message->payload, message->size);
    }
    memcpy(letter->bytes + message->size, message->topic, topic);
    return true;
}

static BrokerLetter *lasting_at(const BrokerMail *mail, int place)
{
    return &mail->lasting[(mail->first + place) % BROKER_LASTING];
}

bool broker_mail_create(BrokerMail *mail)
{
    *mail = (BrokerMail){.lasting = calloc(BROKER_LASTING, sizeof *mail->lasting)};
    return mail->lasting != NULL;
}

/// ---- rings of letters ----------------------------------------------------------------------------------------------

static bool take_oldest(BrokerRing *ring, BrokerLetter *letter)
{
    if (ring->count == 0) {
        return false;
    }
    *letter = ring->letters[ring->first];
    ring->first = (ring->first + 1) % BROKER_FLEETING;
    ring->count--;
    return true;
}

static void put_newest(BrokerRing *ring, BrokerLetter letter)
{
    BrokerLetter oldest;
    if (ring->count == BROKER_FLEETING && take_oldest(ring, &oldest)) {
        free(oldest.bytes);
    }
    ring->letters[(ring->first + ring->count++) % BROKER_FLEETING] = letter;
}

static void empty_ring(BrokerRing *ring)
{
    BrokerLetter letter;
    while (take_oldest(ring, &letter)) {
        free(letter.bytes);
    }
}

void broker_mail_destroy(BrokerMail *mail)
{
    empty_ring(&mail->fleeting);
    empty_ring(&mail->ahead);
    for (int k = 0; k < mail->count; k++) {
        free(lasting_at(mail, k)->bytes);
    }
    for (int k = 0; k < BROKER_RETAINED; k++) {
        free(mail->retained[k].bytes);
    }
    free(mail->lasting);
    *mail = (BrokerMail){0};
}

/// ---- putting mail in -----------------------------------------------------------------------------------------------

/// Frees and counts a letter for which there is no room; returns false.
static bool drop_letter(BrokerMail *mail, BrokerLetter letter)
{
    mail->dropped++;
    free(letter.bytes);
    return false;
}

static bool put_retained(BrokerMail *mail, BrokerLetter letter)
{
    for (int k = 0; k < BROKER_RETAINED; k++) {
        BrokerLetter *kept = &mail->retained[k];
        if (kept->bytes == NULL || strcmp(letter_topic(kept), letter_topic(&letter)) == 0) {
            free(kept->bytes);
            *kept = letter;
            mail->due[k] = true;
            return true;
        }
    }
    return drop_letter(mail, letter);
}

static bool put_lasting(BrokerMail *mail, BrokerLetter letter)
{
    if (mail->count == BROKER_LASTING || mail->bytes + letter.size > BROKER_BYTES) {
        return drop_letter(mail, letter);
    }
    *lasting_at(mail, mail->count++) = letter;
    mail->bytes += letter.size;
    return true;
}

/// Takes a letter over; false when there is no room for it, and it was freed and counted. connected  the broker is
/// there, without which no fleeting letter is kept
static bool mail_put(BrokerMail *mail, BrokerLetter letter, bool connected)
{
    if (letter.retain) {
        return put_retained(mail, letter);
    }
    if (letter.qos > 0) {
        return put_lasting(mail, letter);
    }
    if (!connected || mail->held) {
        free(letter.bytes);
        return false;
    }
    put_newest(&mail->fleeting, letter);
    return true;
}

/// Takes a letter over that goes ahead of all others, whatever its QoS; the oldest of them gives way.
static void mail_put_ahead(BrokerMail *mail, BrokerLetter letter)
{
    put_newest(&mail->ahead, letter);
}

/// ---- taking mail out -----------------------------------------------------------------------------------------------

/// Copies a retained letter that is due, which it is no longer.
static bool take_retained(BrokerMail *mail, BrokerLetter *letter)
{
    for (int k = 0; k < BROKER_RETAINED; k++) {
        const BrokerLetter *kept = &mail->retained[k];
        if (mail->due[k]) {
            mail->due[k] = false;
            return copy_letter(letter, &(BrokerMessage){.topic = letter_topic(kept),
                                                        .payload = kept->bytes,
                                                        .size = kept->size,
                                                        .qos = kept->qos,
                                                        .retain = true});
        }
    }
    return false;
}

/// Takes the next letter out that is not a lasting one: one that goes ahead, a copy of a retained one that is due, or a
/// fleeting one. The caller frees its bytes. False: there is none, it is held, or memory is short.
static bool mail_take(BrokerMail *mail, BrokerLetter *letter)
{
    return take_oldest(&mail->ahead, letter) ||
           (!mail->held && (take_retained(mail, letter) || take_oldest(&mail->fleeting, letter)));
}

/// The oldest lasting letter that was not handed over; NULL: none, it is held, or `most` of them are under way. It
/// stays where it is until it is done. Letters that are done already went out on an earlier connection.
static BrokerLetter *mail_next(BrokerMail *mail, int most)
{
    while (mail->handed < mail->count && lasting_at(mail, mail->handed)->done) {
        mail->handed++;
    }
    bool any = !mail->held && mail->handed < mail->count && mail->handed < most;
    return any ? lasting_at(mail, mail->handed) : NULL;
}

/// Notes that the letter of mail_next was handed over under this number.
static void mail_handed(BrokerMail *mail, int number)
{
    lasting_at(mail, mail->handed++)->number = number;
}

/// The broker has the letter of this number.
static void mail_done(BrokerMail *mail, int number)
{
    for (int k = 0; k < mail->handed; k++) {
        BrokerLetter *letter = lasting_at(mail, k);
        letter->done |= letter->number == number;
    }
    while (mail->count > 0 && lasting_at(mail, 0)->done) {
        BrokerLetter *letter = lasting_at(mail, 0);
        mail->bytes -= letter->size;
        free(letter->bytes);
        *letter = (BrokerLetter){0};
        mail->first = (mail->first + 1) % BROKER_LASTING;
        mail->count--;
        mail->handed -= mail->handed > 0;
    }
}

/// Letters that were handed over and are not done wait again, in their order.
static void mail_hand_back(BrokerMail *mail)
{
    for (int k = 0; k < mail->handed; k++) {
        lasting_at(mail, k)->number = 0;
    }
    mail->handed = 0;
}

/// A new connection: retained messages are due, fleeting ones of the last one are dropped, and so are those that were
/// to go ahead. held  the mail is held until `held` is set to false
static void mail_renew(BrokerMail *mail, bool held)
{
    mail->held = held;
    empty_ring(&mail->fleeting);
    empty_ring(&mail->ahead);
    for (int k = 0; k < BROKER_RETAINED; k++) {
        mail->due[k] = mail->retained[k].bytes != NULL;
    }
}

/// How many lasting letters are not done.
static int mail_waiting(const BrokerMail *mail)
{
    int waiting = 0;
    for (int k = 0; k < mail->count; k++) {
        waiting += !lasting_at(mail, k)->done;
    }
    return waiting;
}

/// True when nothing may be sent now and nothing is under way.
static bool mail_is_empty(const BrokerMail *mail)
{
    bool due = false;
    for (int k = 0; k < BROKER_RETAINED; k++) {
        due |= mail->due[k];
    }
    return mail->ahead.count == 0 && (mail->held || (!due && mail->count == 0 && mail->fleeting.count == 0));
}

/// ---- how the link stands -------------------------------------------------------------------------------------------

/// True when the broker is asked to keep the session.
static bool asks_for_session(const Broker *broker)
{
    return broker->keeps_session && !broker->old;
}

/// Logs one line (printf), cleaned of control characters. On the link's thread.
static __attribute__((format(printf, 2, 3))) void log_line(Broker *broker, const char *format, ...)
{
    char line[BROKER_REASON + BROKER_HOST];
    int length = snprintf(line, sizeof line, "broker %s:%d: ", broker->url.host, broker->url.port);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    visible_text_mask(line, false);
    if (broker->log != NULL) {
        broker->log(broker->context, line);
    } else {
        fprintf(stderr, "spadework: %s\n", line);
    }
}

/// Logs how the link stands where that has changed. That a broker which is away cannot be reached either is no change.
/// reason  "": it is connected
static void report_change(Broker *broker, const char *reason)
{
    pthread_mutex_lock(&broker->lock);
    broker->state.connected = reason[0] == '\0';
    snprintf(broker->state.reason, sizeof broker->state.reason, "%s", reason);
    visible_text_mask(broker->state.reason, false);
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
        log_line(broker, "%s; it is tried again", reason);
    } else if (dropped > 0) {
        broker->dropped_told += dropped;
        broker->full_told = false;
        log_line(broker, "connected; %d messages found no room and were dropped", dropped);
    } else {
        log_line(broker, "connected");
    }
}

/// Logs once that there is no room.
static void report_full(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    int dropped = broker->mail.dropped, waiting = broker->mail.count;
    pthread_mutex_unlock(&broker->lock);
    if (dropped > broker->dropped_told && !broker->full_told) {
        broker->full_told = true;
        log_line(broker, "%d messages wait for it; there is no room for more, and they are dropped", waiting);
    }
}

static void enter_phase(Broker *broker, BrokerPhase phase)
{
    broker->phase = phase;
    broker->since = drive_clock();
}

/// The address of this computer in the present connection; "" where there is none.
static void find_own_address(const Broker *broker, char address[BROKER_ADDRESS])
{
    struct sockaddr_storage place = {0};
    socklen_t size = sizeof place;
    address[0] = '\0';
    if (getsockname(mosquitto_socket(broker->mosquitto), (struct sockaddr *)&place, &size) != 0 ||
        getnameinfo((struct sockaddr *)&place, size, address, BROKER_ADDRESS, NULL, 0, NI_NUMERICHOST) != 0) {
        address[0] = '\0';
    }
}

/// The broker lets the link in: subscriptions and retained messages, which it may have forgotten, are renewed.
static void begin_connection(Broker *broker)
{
    enter_phase(broker, BROKER_HERE);
    broker->renewals = 0;
    for (int k = 0; k < broker->topic_count; k++) {
        broker->renewals +=
            mosquitto_subscribe(broker->mosquitto, NULL, broker->topics[k], broker->topic_qos[k]) == MOSQ_ERR_SUCCESS;
    }
    char address[BROKER_ADDRESS];
    find_own_address(broker, address);
    pthread_mutex_lock(&broker->lock);
    mail_renew(&broker->mail, broker->holds_back);
    broker->state.connections++;
    memcpy(broker->state.address, address, sizeof address);
    pthread_mutex_unlock(&broker->lock);
    report_change(broker, "");
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

/// Takes the broker's answer to a connection. If the broker has lost the session, it would take the second half of a
/// QoS 2 message for a message of its own, so everything under way is sent whole again.
static void take_connack(Broker *broker, int answer, bool remembers)
{
    if (answer == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION && asks_for_session(broker)) {
        broker->old = broker->anew = true; // the next connection speaks 3.1.1
        return;
    }
    if (answer != 0) {
        broker->refused = broker->says = true;
        snprintf(broker->detail, sizeof broker->detail, "%s", find_refusal(answer));
        return;
    }
    broker->anew =
        (asks_for_session(broker) && broker->clean) || (broker->keeps_session && !remembers && broker->mail.handed > 0);
    broker->clean = false;
    if (broker->anew) {
        mosquitto_disconnect(broker->mosquitto);
    } else {
        begin_connection(broker);
    }
}

/// ---- callbacks of libmosquitto -------------------------------------------------------------------------------------

static void on_connect(struct mosquitto *client, void *context, int answer, int flags)
{
    (void)client;
    take_connack(context, answer, (flags & 1) != 0);
}

static void on_publish(struct mosquitto *client, void *context, int number)
{
    (void)client;
    Broker *broker = context;
    pthread_mutex_lock(&broker->lock);
    mail_done(&broker->mail, number);
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
    if (asks_for_session(broker) && broker->phase == BROKER_ASKING &&
        (reason == MOSQ_ERR_MALFORMED_PACKET || reason == MOSQ_ERR_PROTOCOL)) {
        take_connack(broker, MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION, false);
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
            log_line(broker, "does not let this link read what it subscribed to");
        }
    }
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message)
{
    (void)client;
    Broker *broker = context;
    broker->arrived += (size_t)message->payloadlen;
    if (broker->receive != NULL && message->topic != NULL) {
        broker->receive(broker->context, &(BrokerArrival){.topic = message->topic,
                                                          .payload = message->payload,
                                                          .size = (size_t)message->payloadlen,
                                                          .retained = message->retain,
                                                          .late = asks_for_session(broker) && broker->renewals > 0});
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
    if (asks_for_session(broker)) {
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

/// Makes libmosquitto's client anew, which forgets what was under way; that waits again. False: memory is short, or a
/// file of certificates cannot be read (`detail`).
static bool make_client(Broker *broker)
{
    if (broker->mosquitto != NULL) {
        mosquitto_destroy(broker->mosquitto);
    }
    pthread_mutex_lock(&broker->lock);
    mail_hand_back(&broker->mail);
    pthread_mutex_unlock(&broker->lock);
    broker->mosquitto = mosquitto_new(broker->client, !asks_for_session(broker) || broker->clean, broker);
    if (broker->mosquitto != NULL && set_up(broker, broker->mosquitto)) {
        return true;
    }
    snprintf(broker->detail, sizeof broker->detail, "out of memory, or no certificates in %.120s",
             broker->ca_file[0] != '\0' ? broker->ca_file : trusted_folder);
    mosquitto_destroy(broker->mosquitto);
    broker->mosquitto = NULL;
    return false;
}

/// Writes into `detail` why a call of libmosquitto failed.
static void explain_failure(Broker *broker, int failure, int error)
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
    if (broker->mosquitto == NULL && !make_client(broker)) {
        return false;
    }
    errno = 0;
    int failure = asks_for_session(broker)
                      ? connect_keeping_session(broker)
                      : mosquitto_connect(broker->mosquitto, broker->url.host, broker->url.port, BROKER_ALIVE);
    if (failure != MOSQ_ERR_SUCCESS) {
        explain_failure(broker, failure, errno);
    }
    return failure == MOSQ_ERR_SUCCESS;
}

/// ---- turns of the link ---------------------------------------------------------------------------------------------

/// Publishes a letter of its own, and frees it.
static void send_letter(Broker *broker, BrokerLetter letter)
{
    mosquitto_publish(broker->mosquitto, NULL, letter_topic(&letter), (int)letter.size, letter.bytes, letter.qos,
                      letter.retain);
    free(letter.bytes);
}

/// Sends the oldest lasting letter. It stays in the ring until it is done, so that its bytes may be read unlocked.
static bool send_lasting(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    const BrokerLetter *letter = mail_next(&broker->mail, UNDER_WAY);
    pthread_mutex_unlock(&broker->lock);
    int number = 0;
    if (letter == NULL || mosquitto_publish(broker->mosquitto, &number, letter_topic(letter), (int)letter->size,
                                            letter->bytes, letter->qos, false) != MOSQ_ERR_SUCCESS) {
        return false;
    }
    pthread_mutex_lock(&broker->lock);
    mail_handed(&broker->mail, number);
    pthread_mutex_unlock(&broker->lock);
    return true;
}

static bool send_other(Broker *broker)
{
    BrokerLetter letter;
    pthread_mutex_lock(&broker->lock);
    bool found = mail_take(&broker->mail, &letter);
    pthread_mutex_unlock(&broker->lock);
    if (found) {
        send_letter(broker, letter);
    }
    return found;
}

/// Gives libmosquitto what it may send now; never more than the socket has taken but for one message.
static void hand_over_mail(Broker *broker)
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
        explain_failure(broker, failure != MOSQ_ERR_SUCCESS ? failure : MOSQ_ERR_CONN_LOST, error);
    }
    return false;
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

/// The connection has ended, or there was none: schedules the next try.
static void leave_connection(Broker *broker)
{
    bool steady = broker->phase == BROKER_HERE && drive_clock() - broker->since > STEADY;
    broker->pause = steady || broker->pause <= 0.0 ? FIRST_WAIT : broker->pause;
    enter_phase(broker, BROKER_AWAY);
    if (broker->anew) {
        broker->anew = false;
        broker->next = broker->since;
        make_client(broker);
        return;
    }
    pthread_mutex_lock(&broker->lock);
    broker->state.failures++;
    pthread_mutex_unlock(&broker->lock);
    double pause = broker->refused ? BROKER_PAUSE_MOST : broker->pause;
    broker->refused = false;
    broker->next = broker->since + pause;
    broker->pause = broker->pause * 2.0 < BROKER_PAUSE_MOST ? broker->pause * 2.0 : BROKER_PAUSE_MOST;
    report_change(broker, broker->detail);
}

static void wait_or_connect(Broker *broker)
{
    double left = broker->next - drive_clock();
    if (left > 0.0) {
        poll(&(struct pollfd){broker->wake[0], POLLIN, 0}, 1, (int)(left * 1e3) + 1);
    } else if (broker_client_connect(broker)) {
        enter_phase(broker, BROKER_ASKING);
    } else if (!is_to_end(broker)) { // broker_close may have left this thread to itself
        leave_connection(broker);
    }
}

/// One turn of a connection: sends what may be sent, waits at most `patience` s, reads what has come.
static void run_turn(Broker *broker, double patience)
{
    if (broker->tend != NULL && broker->phase == BROKER_HERE) {
        broker->tend(broker->context, broker->state.connections, broker->renewals == 0);
    }
    hand_over_mail(broker);
    if (!broker_client_turn(broker, patience)) {
        leave_connection(broker);
    } else if (broker->phase == BROKER_ASKING && drive_clock() - broker->since > BROKER_ALIVE) {
        snprintf(broker->detail, sizeof broker->detail, "does not answer");
        leave_connection(broker); // the next try closes the socket; what was under way is not forgotten
    }
}

static bool has_mail(Broker *broker)
{
    pthread_mutex_lock(&broker->lock);
    bool has = !mail_is_empty(&broker->mail);
    pthread_mutex_unlock(&broker->lock);
    return has || mosquitto_want_write(broker->mosquitto);
}

/// Sends what waits while there is time, and says goodbye.
static void say_goodbye(Broker *broker)
{
    double until = drive_clock() + BROKER_FAREWELL;
    pthread_mutex_lock(&broker->lock);
    bool late = broker->orphaned;
    pthread_mutex_unlock(&broker->lock);
    while (!late && broker->phase != BROKER_AWAY && drive_clock() < until &&
           (broker->phase != BROKER_HERE || has_mail(broker))) {
        run_turn(broker, 0.05);
    }
    if (!late && broker->phase == BROKER_HERE && mosquitto_disconnect(broker->mosquitto) == MOSQ_ERR_SUCCESS) {
        broker->phase = BROKER_ASKING; // nothing more is handed over
        while (drive_clock() < until && broker_client_turn(broker, 0.05)) {
        }
    }
}

static void free_broker(Broker *broker)
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

static void *run_thread(void *context)
{
    Broker *broker = context;
    while (!is_to_end(broker)) {
        if (broker->phase == BROKER_AWAY) {
            wait_or_connect(broker);
        } else {
            run_turn(broker, TURN);
        }
        empty_pipe(broker);
        report_full(broker);
    }
    say_goodbye(broker);
    pthread_mutex_lock(&broker->lock);
    broker->over = true;
    bool orphaned = broker->orphaned;
    pthread_cond_signal(&broker->over_now);
    pthread_mutex_unlock(&broker->lock);
    if (orphaned) {
        free_broker(broker);
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
           (params->password_file == NULL || read_password(params->password_file, broker->password, status));
}

/// Starts the thread with all signals blocked: they are the program's, and a socket that is gone gives an error.
static bool start_thread(Broker *broker, Status *status)
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
        good = pthread_create(&broker->thread, NULL, run_thread, broker) == 0;
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
    if (!take_params(broker, params, status) || !start_thread(broker, status)) {
        free_broker(broker);
        return NULL;
    }
    return broker;
}

static void wake_thread(Broker *broker)
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
    wake_thread(broker);
    while (!broker->over && pthread_cond_timedwait(&broker->over_now, &broker->lock, &until) == 0) {
    }
    bool over = broker->over;
    broker->orphaned = !over;
    pthread_mutex_unlock(&broker->lock);
    if (over) {
        pthread_join(thread, NULL);
        free_broker(broker);
    } else {
        pthread_detach(thread);
    }
}

/// ---- what is handed over -------------------------------------------------------------------------------------------

/// Copies a message of an allowed size; false: it has another, or memory is short.
static bool copy_message(BrokerLetter *letter, const BrokerMessage *message)
{
    return message->size <= BROKER_PAYLOAD && strlen(message->topic) < BROKER_TOPIC && copy_letter(letter, message);
}

bool broker_publish_ahead(Broker *broker, const BrokerMessage *message)
{
    BrokerLetter letter;
    bool written = copy_message(&letter, message);
    pthread_mutex_lock(&broker->lock);
    bool kept = written && broker->state.connected;
    if (kept) {
        mail_put_ahead(&broker->mail, letter);
        wake_thread(broker);
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
    bool written = copy_message(&letter, message);
    pthread_mutex_lock(&broker->lock);
    bool kept = written && mail_put(&broker->mail, letter, broker->state.connected);
    broker->mail.dropped += !written && message->qos > 0;
    wake_thread(broker);
    pthread_mutex_unlock(&broker->lock);
    return kept;
}

void broker_hold(Broker *broker, int connection, bool held)
{
    pthread_mutex_lock(&broker->lock);
    if (connection == broker->state.connections && broker->mail.held != held) {
        broker->mail.held = held;
        wake_thread(broker);
    }
    pthread_mutex_unlock(&broker->lock);
}

void broker_state(Broker *broker, BrokerState *state)
{
    pthread_mutex_lock(&broker->lock);
    *state = broker->state;
    state->dropped = broker->mail.dropped;
    state->waiting = mail_waiting(&broker->mail);
    pthread_mutex_unlock(&broker->lock);
}
