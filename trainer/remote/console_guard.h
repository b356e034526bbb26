/// Checks of requests to the console: token, host, origin, path and rate. Pure functions without a socket; any thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_GUARD_H
#define SPADEWORK_TRAINER_CONSOLE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum {
    GUARD_TOKEN_LEAST = 16,
    GUARD_TOKEN_MOST = 64, ///< letters of a token
    GUARD_CONNECTIONS = 96, ///< at a time
    GUARD_CONNECTIONS_EACH = 64, ///< at a time from one address
    GUARD_STREAMS = 24, ///< open pages at a time
    GUARD_MEMORY = 16384, ///< bytes for a connection's headers
    GUARD_SECONDS = 10, ///< that a request may take to arrive, and a reader to take what it was sent
};

/// True when it may be a token: GUARD_TOKEN_LEAST..GUARD_TOKEN_MOST letters, digits, - and _.
bool guard_token_is_one(const char *token);
/// True when an Authorization header (NULL: there is none) is "Bearer TOKEN". The time that it takes depends on the
/// header's length and on no letter of the token.
bool guard_knows_token(const char *header, const char *token);

/// True when a Host header names this server by a number or as localhost, with its port. A name could be one that
/// a foreign name server leads here (DNS rebinding).
/// port      1..65535
/// loopback  only numbers of this computer itself are meant
bool guard_host(const char *host, int port, bool loopback);
/// True when a page of this server asks, or no page at all: without Origin, or with the one of this Host, which has
/// passed guard_host; and with the Sec-Fetch-Site "same-origin" or "none", where there is one.
bool guard_origin(const char *origin, const char *fetch_site, const char *host);

/// Decodes %XX of a path in place, as MHD_http_unescape does, but leaves %00 as it is: a path that is cut there would
/// be taken for the one before it. Returns the length.
size_t guard_unescape(char *text);

/// The headers that guards read: each may come once. What comes twice is read one way by a proxy and another way here.
extern const char *const guard_single_headers[];
enum { GUARD_SINGLE_HEADERS = 6 };

/// True when a numeric address is one of this computer alone: 127.x.x.x, ::1.
bool guard_is_loopback(const char *address);

#define GUARD_ORDERS_PER_SECOND 10.0 ///< Hz of orders. Chosen: faster than a hand
#define GUARD_ORDERS_BURST      20.0
#define GUARD_LINES_PER_SECOND  5.0 ///< Hz of lines of a log. Chosen: what one can read
#define GUARD_LINES_BURST       20.0

/// So much may happen in a time: a bucket that fills up again.
typedef struct GuardRate {
    double left; ///< ratio: how much may still happen
    double last; ///< s, at which that was so
} GuardRate;
/// True when it may happen once more at the second `now`.
/// per_second  Hz, more than 0
/// burst       1 or more, at once
bool guard_rate(GuardRate *rate, double now, double per_second, double burst);

#endif
