/// Gets random bytes from the system (getrandom).
#include "data/core/random.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool random_hex(char *text, size_t bytes, Status *status)
{
    unsigned char bits[256];
    assert(bytes > 0 && bytes <= sizeof bits);
    text[0] = '\0';
    if (getrandom(bits, bytes, 0) != (ssize_t)bytes) {
        return status_fail(status, STATUS_LACKING, "no random numbers: %s", strerror(errno));
    }
    for (size_t k = 0; k < bytes; k++) {
        snprintf(text + 2 * k, 3, "%02x", bits[k]);
    }
    return true;
}
