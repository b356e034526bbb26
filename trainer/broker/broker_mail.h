/// What waits for the broker, in bounded memory: a plain structure without threads; its owner locks it.
///
/// Three kinds: retained messages, of which the newest of a topic counts and is due anew at each connection; lasting
/// ones (QoS 1 and 2), which stay until the broker has them for sure; fleeting ones (QoS 0), the oldest of which give
/// way.
#ifndef SPADEWORK_TRAINER_BROKER_MAIL_H
#define SPADEWORK_TRAINER_BROKER_MAIL_H

#include "trainer/broker/broker_message.h"

/// A message with its bytes. The topic lies in the same block behind the payload.
typedef struct BrokerLetter {
    char *bytes; ///< [size] and the topic with its NUL, owned; NULL: none
    size_t size; ///< bytes of the payload
    int qos;
    bool retain;
    int number; ///< that libmosquitto gave it; 0: it was not handed over
    bool done; ///< the broker has it
} BrokerLetter;

const char *broker_letter_topic(const BrokerLetter *letter);
/// Copies a message; false when memory is short.
bool broker_letter_write(BrokerLetter *letter, const BrokerMessage *message);

typedef struct BrokerMail {
    BrokerLetter retained[BROKER_RETAINED];
    bool due[BROKER_RETAINED]; ///< it is to be sent
    BrokerLetter *lasting; ///< [BROKER_LASTING], a ring, owned
    int first, count, handed; ///< of `lasting`; the first `handed` were handed over, or are done
    size_t bytes; ///< of `lasting`
    BrokerLetter fleeting[BROKER_FLEETING]; ///< a ring
    int fleeting_first, fleeting_count;
    int dropped; ///< messages of QoS 1 and 2, so far
} BrokerMail;

bool broker_mail_create(BrokerMail *mail); ///< false when memory is short
void broker_mail_destroy(BrokerMail *mail);

/// Takes a letter over; false when there is no room for it, and it was freed and counted. connected  the broker is
/// there, without which no fleeting letter is kept
bool broker_mail_put(BrokerMail *mail, BrokerLetter letter, bool connected);
/// Takes the oldest fleeting letter out; the caller frees its bytes. False: there is none.
bool broker_mail_take_fleeting(BrokerMail *mail, BrokerLetter *letter);
/// Copies a retained letter that is due, which it is no longer; the caller frees its bytes. False: there is none, or
/// memory is short.
bool broker_mail_take_retained(BrokerMail *mail, BrokerLetter *letter);
/// The oldest lasting letter that was not handed over; NULL: none, or `most` of them are under way. It stays where it
/// is until it is done.
BrokerLetter *broker_mail_next(BrokerMail *mail, int most);
/// Notes that the letter of broker_mail_next was handed over under this number.
void broker_mail_handed(BrokerMail *mail, int number);
/// The broker has the letter of this number.
void broker_mail_done(BrokerMail *mail, int number);
/// What was handed over and is not done waits again, in its order.
void broker_mail_hand_back(BrokerMail *mail);
/// A new connection: retained messages are due, fleeting ones of the last one are dropped.
void broker_mail_renew(BrokerMail *mail);
/// How many lasting letters are not done.
int broker_mail_waiting(const BrokerMail *mail);
/// True when nothing is to be sent and nothing is under way.
bool broker_mail_is_empty(const BrokerMail *mail);

#endif
