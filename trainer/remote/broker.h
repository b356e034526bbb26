/// A link to an MQTT broker (libmosquitto, MQTT 5 or 3.1.1), which sends and receives messages of any meaning.
///
/// All network work happens on one thread of the link's own, the only one that calls libmosquitto. The caller hands a
/// copy of a message over and never waits, also where the broker is away or takes nothing. The link tries to connect
/// for as long as it is open, after pauses of 1 s that double up to BROKER_PAUSE_MOST; each change of its state is
/// logged in one line, however often it is tried.
#ifndef SPADEWORK_TRAINER_BROKER_H
#define SPADEWORK_TRAINER_BROKER_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

enum {
    BROKER_TOPIC = 128, ///< bytes of a topic, with the NUL
    BROKER_PAYLOAD = 65536, ///< bytes of a message that is published, at most
    BROKER_SUBSCRIPTIONS = 12,
    BROKER_RETAINED = 8, ///< topics with a retained message
    BROKER_LASTING = 4096, ///< messages of QoS 1 and 2 that wait, at most
    BROKER_FLEETING = 64, ///< messages of QoS 0 that wait, and of those that go ahead, at most; the oldest gives way
    BROKER_BYTES = 8 << 20, ///< of all messages of QoS 1 and 2 that wait, at most
};

/// A message to be published. All is borrowed until broker_publish has returned.
typedef struct BrokerMessage {
    const char *topic; ///< 1..BROKER_TOPIC - 1 bytes, without + and #
    const void *payload; ///< [size]
    size_t size; ///< bytes, 0..BROKER_PAYLOAD
    int qos; ///< 0: at most once, 1: at least once, 2: exactly once
    bool retain; ///< the broker keeps it for later subscribers
} BrokerMessage;

enum {
    BROKER_PAUSE_MOST = 30, ///< s between two tries to connect; at once after a refused password
    BROKER_ALIVE = 10, ///< s without a word, after which the other side is asked for one, and after as many is given up
    BROKER_FAREWELL = 2, ///< s that broker_close gives to what still waits
    BROKER_REASON = 200, ///< bytes
    BROKER_ADDRESS = 46, ///< bytes of a numeric address, with the NUL
    BROKER_SESSION = 600, ///< s for which a broker keeps the session of a link that is away. Chosen
};

/// A message that came in. All is borrowed until the callback has returned.
typedef struct BrokerArrival {
    const char *topic;
    const char *payload; ///< [size], not ended by a 0; NULL where `size` is 0
    size_t size; ///< bytes, as many as the broker lets through
    bool retained; ///< it was kept by the broker, and sent long ago
    bool late; ///< the broker held it back while this link was away
} BrokerArrival;

/// One subscription, renewed at each connection.
typedef struct BrokerSubscription {
    const char *topic; ///< 1..BROKER_TOPIC - 1 bytes; + and # as MQTT has them
    int qos; ///< 0..2
} BrokerSubscription;

/// Read by broker_open; belongs to the caller, `context` until broker_close has returned.
typedef struct BrokerParams {
    const char *url; ///< mqtt://[USER@]HOST[:PORT] (1883), or mqtts:// with TLS (8883)
    const char *password_file; ///< its first line is the password; only its owner may read it. NULL: none
    const char *ca_file; ///< PEM, whom to trust with mqtts://; NULL: /etc/ssl/certs
    const char *client; ///< id, 1..64 of letters, digits, - and _; a broker knows one link of a name at a time
    /// The broker is to keep what is under way while the link is away, for BROKER_SESSION s, so that QoS 2 is exactly
    /// once across it. What it kept for an earlier link of this name is dropped at the first connection. This needs
    /// MQTT 5, where sessions expire; a broker that speaks only 3.1.1 keeps none.
    bool keeps_session;
    /// Mail is held back at each connection until broker_hold releases it; broker_publish_ahead is not affected.
    bool holds_back;
    BrokerMessage will; ///< what the broker publishes when the link is lost; topic NULL: nothing
    BrokerSubscription subscriptions[BROKER_SUBSCRIPTIONS]; ///< up to the first without a topic
    /// Gets each message that comes in, on the link's thread, which waits for it. It may call broker_publish and
    /// nothing else of the link. NULL: nothing is wanted.
    void (*receive)(void *context, const BrokerArrival *arrival);
    /// Called on the link's thread at each connection, before any message of it comes in, and then at least twice a
    /// second while the link is connected; it may call broker_publish,
    /// broker_publish_ahead, broker_hold and broker_state. NULL: nothing is wanted.
    /// connection  counts the connections, from 1
    /// subscribed  the broker has confirmed every subscription of this connection
    void (*tend)(void *context, int connection, bool subscribed);
    /// Gets one line, without its end, at each change, on the link's thread; NULL: stderr.
    void (*log)(void *context, const char *line);
    void *context;
} BrokerParams;

typedef struct Broker Broker;

/// Starts a link; that it is not connected yet is no failure. NULL with `status`: a URL, id or topic that is none
/// (STATUS_BAD_USAGE), a file that cannot be read or that others may read (STATUS_BAD_FILE), memory or threads are
/// short (STATUS_LACKING). The caller ends it with broker_close.
Broker *broker_open(const BrokerParams *params, Status *status);
/// Gives what waits BROKER_FAREWELL s, if the broker is there, ends the connection in good order (no last will is
/// published) and frees the link. NULL is nothing.
void broker_close(Broker *broker);

/// Hands a copy over, from any thread. QoS 0 is dropped without a word while the broker is away. QoS 1 and 2 wait for
/// it, at most BROKER_LASTING of them; more are dropped, and their number is logged once it is back. Of retained
/// messages (QoS 1) the newest of a topic counts; it is sent anew at each connection. False when it was dropped.
bool broker_publish(Broker *broker, const BrokerMessage *message);
/// The same for a message that is sent before all others, also while mail is held back, and dropped while the broker
/// is away.
bool broker_publish_ahead(Broker *broker, const BrokerMessage *message);

/// How the link stands.
typedef struct BrokerState {
    bool connected;
    int connections; ///< how often it was connected so far
    int dropped; ///< messages of QoS 1 and 2, so far
    int waiting; ///< messages of QoS 1 and 2 that the broker does not have for sure
    char reason[BROKER_REASON]; ///< why it is not connected, one plain line; "" while it is
    int failures; ///< tries to connect that have failed so far, and connections that were lost
    char address[BROKER_ADDRESS]; ///< of this computer, as the broker is reached from; "": none yet
} BrokerState;
void broker_state(Broker *broker, BrokerState *state); ///< from any thread

/// Lets mail that BrokerParams.holds_back holds go out, or holds it again. From any thread.
/// connection  of BrokerParams.tend, for which this is so; nothing happens where that is over
void broker_hold(Broker *broker, int connection, bool held);

#endif
