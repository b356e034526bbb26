/// A message that is published, and how much may wait.
#ifndef SPADEWORK_TRAINER_BROKER_MESSAGE_H
#define SPADEWORK_TRAINER_BROKER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

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
    bool retain; ///< the broker keeps it for whoever subscribes later
} BrokerMessage;

#endif
