/// What the files of the link share.
#ifndef SPADEWORK_TRAINER_BROKER_INTERNAL_H
#define SPADEWORK_TRAINER_BROKER_INTERNAL_H

#include <pthread.h>

#include <mosquitto.h>

#include "trainer/remote/broker.h"
#include "trainer/remote/broker_mail.h"
#include "trainer/remote/broker_url.h"

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
    bool says; ///< the broker, or its certificate, gave the reason: it is told even where one was told before
    size_t arrived; ///< bytes of messages, in this turn
    int renewals; ///< subscriptions that the broker has not confirmed
    double since, next; ///< s, broker_clock: of the phase, of the next try
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

/// Tells one line (printf), cleaned of control characters. The link's thread.
void broker_tell(Broker *broker, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// True when the broker is asked to keep the session.
static inline bool broker_keeps_session(const Broker *broker)
{
    return broker->keeps_session && !broker->old;
}
/// The address of this computer in the present connection; "" where there is none.
void broker_client_address(const Broker *broker, char address[BROKER_ADDRESS]);

/// Makes libmosquitto's client anew, which forgets what was under way; that waits again. False: memory is short, or a
/// file of certificates cannot be read (`detail`).
bool broker_client_make(Broker *broker);
/// Connects and asks the broker in; waits for name servers and for TCP. True: BROKER_ASKING.
bool broker_client_connect(Broker *broker);
/// Gives libmosquitto what it may send now; never more than the socket has taken but for one message.
void broker_client_hand_over(Broker *broker);
/// Waits at most `patience` s, then writes and reads what there is, of what comes in a bounded share. False when the
/// connection has ended (`detail`).
bool broker_client_turn(Broker *broker, double patience);

/// What the broker's answer was; libmosquitto's number and flags.
void broker_answered(Broker *broker, int answer, bool remembers);

#endif
