/// Internals of the link to a broker that its tests use: its URL, the mail that waits, its state and single turns.
#ifndef SPADEWORK_TRAINER_BROKER_INTERNAL_H
#define SPADEWORK_TRAINER_BROKER_INTERNAL_H

#include <pthread.h>

#include <mosquitto.h>

#include "trainer/remote/broker.h"

enum { BROKER_HOST = 256, BROKER_USER = 65, BROKER_PASSWORD = 257 }; ///< bytes with the NUL

typedef struct BrokerUrl {
    bool tls;
    char user[BROKER_USER]; ///< "": none
    char host[BROKER_HOST]; ///< name or number, without brackets
    int port; ///< 1..65535
} BrokerUrl;

/// Reads mqtt://[USER@]HOST[:PORT] or mqtts://...; an IPv6 number stands in brackets. False with `status`
/// (STATUS_BAD_USAGE); a password in a URL is refused, and not repeated in the message.
bool broker_url_read(const char *text, BrokerUrl *url, Status *status);

/// A message with its bytes. The topic lies in the same block behind the payload.
typedef struct BrokerLetter {
    char *bytes; ///< [size] and the topic with its NUL, owned; NULL: none
    size_t size; ///< bytes of the payload
    int qos;
    bool retain;
    int number; ///< that libmosquitto gave it; 0: it was not handed over
    bool done; ///< the broker has it
} BrokerLetter;

/// Letters of which the oldest gives way.
typedef struct BrokerRing {
    BrokerLetter letters[BROKER_FLEETING];
    int first, count;
} BrokerRing;

/// Mail that waits for the broker, in bounded memory; a plain structure whose owner locks it. Four kinds: retained
/// messages, of which the newest of a topic counts and is due anew at each connection; lasting ones (QoS 1 and 2),
/// which stay until the broker has them for sure; fleeting ones (QoS 0), the oldest of which give way; and those that
/// go ahead of all others, also while the mail is held.
typedef struct BrokerMail {
    bool held; ///< only what goes ahead may be taken out
    BrokerLetter retained[BROKER_RETAINED];
    bool due[BROKER_RETAINED]; ///< it is to be sent
    BrokerLetter *lasting; ///< [BROKER_LASTING], a ring, owned
    int first, count, handed; ///< of `lasting`; the first `handed` were handed over, or are done
    size_t bytes; ///< of `lasting`
    BrokerRing fleeting, ahead;
    int dropped; ///< messages of QoS 1 and 2, so far
} BrokerMail;

bool broker_mail_create(BrokerMail *mail); ///< false when memory is short
void broker_mail_destroy(BrokerMail *mail);

enum { BROKER_CLIENT = 65, BROKER_WILL = 1024 }; ///< bytes with the NUL; of a last will

/// How far a connection has come.
typedef enum BrokerPhase {
    BROKER_AWAY, ///< no connection
    BROKER_ASKING, ///< the broker has not answered yet
    BROKER_HERE,
} BrokerPhase;

struct Broker {
    // Set once by broker_open.
    BrokerUrl url;
    char password[BROKER_PASSWORD], ca_file[4096], client[BROKER_CLIENT];
    bool keeps_session;
    char will_topic[BROKER_TOPIC], will[BROKER_WILL];
    size_t will_size; ///< bytes
    int will_qos;
    bool will_retain;
    char topics[BROKER_SUBSCRIPTIONS][BROKER_TOPIC];
    int topic_qos[BROKER_SUBSCRIPTIONS], topic_count;
    bool holds_back;
    void (*receive)(void *context, const BrokerArrival *arrival);
    void (*tend)(void *context, int connection, bool subscribed);
    void (*log)(void *context, const char *line);
    void *context;

    // The link's thread alone.
    struct mosquitto *mosquitto; ///< NULL: none could be made yet
    BrokerPhase phase;
    bool clean; ///< the connection drops what the broker kept
    bool old; ///< the broker does not know MQTT 5
    bool anew; ///< the connection is ended so that another begins from nothing
    bool refused; ///< the link was, by the broker
    bool says; ///< the broker, or its certificate, gave the reason: it is logged even where one was logged before
    size_t arrived; ///< bytes of messages, in this turn
    int renewals; ///< subscriptions that the broker has not confirmed
    double since, next; ///< s, drive_clock: of the phase, of the next try
    double pause; ///< s until the try after it
    char detail[BROKER_REASON]; ///< what libmosquitto said last
    char told[BROKER_REASON]; ///< the last line about how the link stands
    int dropped_told;
    bool full_told; ///< that there is no room, since it was connected last

    int wake[2]; ///< a pipe; what is written there wakes the thread
    pthread_t thread;
    pthread_mutex_t lock; ///< of all that follows
    pthread_cond_t over_now;
    bool ends, over, orphaned; ///< broker_close was called; the thread has ended; nobody waits for it
    bool woken; ///< a byte lies in the pipe
    BrokerMail mail;
    BrokerState state;
};

/// Connects and asks the broker in; waits for name servers and for TCP. True: BROKER_ASKING.
bool broker_client_connect(Broker *broker);
/// Waits at most `patience` s, then writes and reads what there is, of what comes in a bounded share. False when the
/// connection has ended (`detail`).
bool broker_client_turn(Broker *broker, double patience);

#endif
