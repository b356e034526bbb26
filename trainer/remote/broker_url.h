/// Where a broker is and how it is asked in: addresses and passwords as people give them. Pure but for the one file.
#ifndef SPADEWORK_TRAINER_BROKER_URL_H
#define SPADEWORK_TRAINER_BROKER_URL_H

#include <stdbool.h>

#include "data/core/status.h"

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

/// Reads the first line of a regular file that only its owner may read, 1..BROKER_PASSWORD - 1 bytes. False with
/// `status` (STATUS_BAD_FILE), which holds nothing of it.
bool broker_password_read(const char *path, char password[BROKER_PASSWORD], Status *status);

#endif
