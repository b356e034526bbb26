/// The checks before every answer of the console. Each refuses whatever differs from the requests of this server's own
/// pages.
#include "trainer/remote/console_guard.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <arpa/inet.h>

enum { HOST = 64 };

/// ---- token ---------------------------------------------------------------------------------------------------------

static bool is_token_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '-' || letter == '_';
}

bool guard_token_is_one(const char *token)
{
    size_t length = strnlen(token, GUARD_TOKEN_MOST + 1);
    if (length < GUARD_TOKEN_LEAST || length > GUARD_TOKEN_MOST) {
        return false;
    }
    for (size_t k = 0; k < length; k++) {
        if (!is_token_letter(token[k])) {
            return false;
        }
    }
    return true;
}

bool guard_knows_token(const char *header, const char *token)
{
    static const char scheme[] = "Bearer ";
    size_t length = strlen(token);
    if (header == NULL || strncasecmp(header, scheme, sizeof scheme - 1) != 0) {
        return false;
    }
    const char *told = header + sizeof scheme - 1;
    size_t told_length = strlen(told);
    unsigned different = told_length != length;
    // Every letter of the header is compared, also behind a wrong one.
    for (size_t k = 0; k < told_length; k++) {
        different |= (unsigned)((unsigned char)told[k] ^ (unsigned char)token[k % length]);
    }
    return different == 0;
}

/// ---- origin of a request -------------------------------------------------------------------------------------------

bool guard_is_loopback(const char *address)
{
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, address, &four) == 1) {
        return (ntohl(four.s_addr) >> 24) == 127;
    }
    return inet_pton(AF_INET6, address, &six) == 1 && memcmp(&six, &in6addr_loopback, sizeof six) == 0;
}

static bool is_number(const char *address)
{
    struct in6_addr unused; // holds both kinds
    return inet_pton(AF_INET, address, &unused) == 1 || inet_pton(AF_INET6, address, &unused) == 1;
}

/// Splits NAME, NAME:PORT or [NUMBER]:PORT; false when it is none of these. Without a port it is HTTP's own.
static bool split_host(const char *host, char name[HOST], int *port, bool *bracketed)
{
    *bracketed = host[0] == '[';
    const char *start = host + *bracketed, *end = *bracketed ? strchr(start, ']') : start + strcspn(start, ":");
    size_t length = end != NULL ? (size_t)(end - start) : HOST;
    if (length == 0 || length >= HOST) {
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    end += *bracketed;
    *port = 80;
    if (*end == '\0') {
        return true;
    }
    size_t digits = strspn(end + 1, "0123456789");
    if (*end != ':' || digits == 0 || digits > 5 || end[1 + digits] != '\0' || end[1] == '0') {
        return false;
    }
    *port = 0;
    for (size_t k = 1; k <= digits; k++) {
        *port = 10 * *port + (end[k] - '0');
    }
    return true;
}

bool guard_host(const char *host, int port, bool loopback)
{
    char name[HOST];
    int told;
    bool bracketed;
    if (host == NULL || !split_host(host, name, &told, &bracketed) || told != port) {
        return false;
    }
    if (!bracketed && strcasecmp(name, "localhost") == 0) {
        return true;
    }
    if (!is_number(name) || bracketed != (strchr(name, ':') != NULL)) {
        return false;
    }
    return !loopback || guard_is_loopback(name);
}

bool guard_origin(const char *origin, const char *fetch_site, const char *host)
{
    static const char scheme[] = "http://";
    if (fetch_site != NULL && strcmp(fetch_site, "same-origin") != 0 && strcmp(fetch_site, "none") != 0) {
        return false;
    }
    return origin == NULL ||
           (strncmp(origin, scheme, sizeof scheme - 1) == 0 && strcasecmp(origin + sizeof scheme - 1, host) == 0);
}

/// ---- headers and paths ---------------------------------------------------------------------------------------------

const char *const guard_single_headers[GUARD_SINGLE_HEADERS] = {"Host",          "Origin",         "Sec-Fetch-Site",
                                                                "Authorization", "Content-Length", "Transfer-Encoding"};

/// The value of a hexadecimal digit; -1: it is none.
static int read_digit(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

size_t guard_unescape(char *text)
{
    size_t written = 0;
    for (const char *at = text; *at != '\0'; at++) {
        int high = *at == '%' ? read_digit(at[1]) : -1, low = high >= 0 ? read_digit(at[2]) : -1;
        int letter = low >= 0 ? 16 * high + low : 0;
        if (letter != 0) {
            at += 2;
        }
        text[written++] = letter != 0 ? (char)letter : *at;
    }
    text[written] = '\0';
    return written;
}

/// ---- rates ---------------------------------------------------------------------------------------------------------

bool guard_rate(GuardRate *rate, double now, double per_second, double burst)
{
    double passed = rate->last > 0.0 ? now - rate->last : burst / per_second;
    double left = rate->left + (passed > 0.0 ? passed : 0.0) * per_second;
    rate->left = left < burst ? left : burst;
    rate->last = now;
    if (rate->left < 1.0) {
        return false;
    }
    rate->left -= 1.0;
    return true;
}
