/// Rings of letters.
#include "trainer/remote/broker_mail.h"

#include <stdlib.h>
#include <string.h>

const char *broker_letter_topic(const BrokerLetter *letter)
{
    return letter->bytes + letter->size;
}

bool broker_letter_write(BrokerLetter *letter, const BrokerMessage *message)
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

/// ---- rings ---------------------------------------------------------------------------------------------------------

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

/// ---- putting in ----------------------------------------------------------------------------------------------------

static bool drop(BrokerMail *mail, BrokerLetter letter)
{
    mail->dropped++;
    free(letter.bytes);
    return false;
}

static bool put_retained(BrokerMail *mail, BrokerLetter letter)
{
    for (int k = 0; k < BROKER_RETAINED; k++) {
        BrokerLetter *kept = &mail->retained[k];
        if (kept->bytes == NULL || strcmp(broker_letter_topic(kept), broker_letter_topic(&letter)) == 0) {
            free(kept->bytes);
            *kept = letter;
            mail->due[k] = true;
            return true;
        }
    }
    return drop(mail, letter);
}

static bool put_lasting(BrokerMail *mail, BrokerLetter letter)
{
    if (mail->count == BROKER_LASTING || mail->bytes + letter.size > BROKER_BYTES) {
        return drop(mail, letter);
    }
    *lasting_at(mail, mail->count++) = letter;
    mail->bytes += letter.size;
    return true;
}

bool broker_mail_put(BrokerMail *mail, BrokerLetter letter, bool connected)
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

void broker_mail_put_ahead(BrokerMail *mail, BrokerLetter letter)
{
    put_newest(&mail->ahead, letter);
}

/// ---- taking out ----------------------------------------------------------------------------------------------------

/// Copies a retained letter that is due, which it is no longer.
static bool take_retained(BrokerMail *mail, BrokerLetter *letter)
{
    for (int k = 0; k < BROKER_RETAINED; k++) {
        const BrokerLetter *kept = &mail->retained[k];
        if (mail->due[k]) {
            mail->due[k] = false;
            return broker_letter_write(letter, &(BrokerMessage){.topic = broker_letter_topic(kept),
                                                                .payload = kept->bytes,
                                                                .size = kept->size,
                                                                .qos = kept->qos,
                                                                .retain = true});
        }
    }
    return false;
}

bool broker_mail_take(BrokerMail *mail, BrokerLetter *letter)
{
    return take_oldest(&mail->ahead, letter) ||
           (!mail->held && (take_retained(mail, letter) || take_oldest(&mail->fleeting, letter)));
}

/// Skips what is done already: it went out on an earlier connection.
BrokerLetter *broker_mail_next(BrokerMail *mail, int most)
{
    while (mail->handed < mail->count && lasting_at(mail, mail->handed)->done) {
        mail->handed++;
    }
    bool any = !mail->held && mail->handed < mail->count && mail->handed < most;
    return any ? lasting_at(mail, mail->handed) : NULL;
}

void broker_mail_handed(BrokerMail *mail, int number)
{
    lasting_at(mail, mail->handed++)->number = number;
}

void broker_mail_done(BrokerMail *mail, int number)
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

void broker_mail_hand_back(BrokerMail *mail)
{
    for (int k = 0; k < mail->handed; k++) {
        lasting_at(mail, k)->number = 0;
    }
    mail->handed = 0;
}

void broker_mail_renew(BrokerMail *mail, bool held)
{
    mail->held = held;
    empty_ring(&mail->fleeting);
    empty_ring(&mail->ahead);
    for (int k = 0; k < BROKER_RETAINED; k++) {
        mail->due[k] = mail->retained[k].bytes != NULL;
    }
}

int broker_mail_waiting(const BrokerMail *mail)
{
    int waiting = 0;
    for (int k = 0; k < mail->count; k++) {
        waiting += !lasting_at(mail, k)->done;
    }
    return waiting;
}

bool broker_mail_is_empty(const BrokerMail *mail)
{
    bool due = false;
    for (int k = 0; k < BROKER_RETAINED; k++) {
        due |= mail->due[k];
    }
    return mail->ahead.count == 0 && (mail->held || (!due && mail->count == 0 && mail->fleeting.count == 0));
}
