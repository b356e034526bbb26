/// What waits for the broker, in bounded memory: a plain structure without threads; its owner locks it.
///
/// Four kinds: retained messages, of which the newest of a topic counts and is due anew at each connection; lasting
/// ones (QoS 1 and 2), which stay until the broker has them for sure; fleeting ones (QoS 0), the oldest of which give
/// way; and those that go ahead of all others, also while the mail is held.
#ifndef SPADEWORK_TRAINER_BROKER_MAIL_H
#define SPADEWORK_TRAINER_BROKER_MAIL_H

#include "trainer/remote/broker_message.h"

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

/// Letters of which the oldest gives way.
typedef struct BrokerRing {
    BrokerLetter letters[BROKER_FLEETING];
    int first, count;
} BrokerRing;

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

/// Takes a letter over; false when there is no room for it, and it was freed and counted. connected  the broker is
/// there, without which no fleeting letter is kept
bool broker_mail_put(BrokerMail *mail, BrokerLetter letter, bool connected);
/// Takes a letter over that goes ahead of all others, whatever its QoS; the oldest of them gives way.
void broker_mail_put_ahead(BrokerMail *mail, BrokerLetter letter);
/// Takes the next letter out that is not a lasting one: one that goes ahead, a copy of a retained one that is due, or a
/// fleeting one. The caller frees its bytes. False: there is none, it is held, or memory is short.
bool broker_mail_take(BrokerMail *mail, BrokerLetter *letter);
/// The oldest lasting letter that was not handed over; NULL: none, it is held, or `most` of them are under way. It
/// stays where it is until it is done.
BrokerLetter *broker_mail_next(BrokerMail *mail, int most);
/// Notes that the letter of broker_mail_next was handed over under this number.
void broker_mail_handed(BrokerMail *mail, int number);
/// The broker has the letter of this number.
void broker_mail_done(BrokerMail *mail, int number);
/// What was handed over and is not done waits again, in its order.
void broker_mail_hand_back(BrokerMail *mail);
/// A new connection: retained messages are due, fleeting ones of the last one are dropped, and so are those that were
/// to go ahead. held  the mail is held until `held` is set to false
void broker_mail_renew(BrokerMail *mail, bool held);
/// How many lasting letters are not done.
int broker_mail_waiting(const BrokerMail *mail);
/// True when nothing may be sent now and nothing is under way.
bool broker_mail_is_empty(const BrokerMail *mail);

#endif
