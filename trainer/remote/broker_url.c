/// Takes URLs apart letter by letter: whatever is not exactly one is refused.
#include "trainer/remote/broker_url.h"

#include <string.h>
#include <sys/stat.h>

#include "data/core/regular_file.h"

#define ALLOWED "mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS"

enum { PLAIN_PORT = 1883, TLS_PORT = 8883, SHOWN = 80 }; ///< of MQTT; letters of a URL in a message

static bool is_plain(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '-' || letter == '.' || letter == '_';
}

static bool all_plain(const char *text, size_t length, const char *also)
{
    for (size_t k = 0; k < length; k++) {
        if (!is_plain(text[k]) && (text[k] == '\0' || strchr(also, text[k]) == NULL)) {
            return false;
        }
    }
    return length > 0;
}

static bool keep(const char *text, size_t length, const char *also, char *kept, size_t room)
{
    if (length >= room || !all_plain(text, length, also)) {
        return false;
    }
    memcpy(kept, text, length);
    kept[length] = '\0';
    return true;
}

/// Reads ":PORT" to the end; "" leaves the port as it is.
static bool read_port(const char *text, int *port)
{
    if (*text == '\0') {
        return true;
    }
    size_t digits = strspn(text + 1, "0123456789");
    if (*text != ':' || digits == 0 || digits > 5 || text[1 + digits] != '\0') {
        return false;
    }
    *port = 0;
    for (size_t k = 1; k <= digits; k++) {
        *port = 10 * *port + (text[k] - '0');
    }
    return *port >= 1 && *port <= 65535;
}

static bool read_place(const char *text, BrokerUrl *url)
{
    if (*text == '[') {
        size_t length = strcspn(text, "]");
        return text[length] == ']' && keep(text + 1, length - 1, ":", url->host, sizeof url->host) &&
               read_port(text + length + 1, &url->port);
    }
    size_t length = strcspn(text, ":");
    return keep(text, length, "", url->host, sizeof url->host) && read_port(text + length, &url->port);
}

bool broker_url_read(const char *text, BrokerUrl *url, Status *status)
{
    *url = (BrokerUrl){.port = PLAIN_PORT};
    const char *rest = text;
    if (strncmp(text, "mqtts://", 8) == 0) {
        url->tls = true;
        url->port = TLS_PORT;
        rest = text + 8;
    } else if (strncmp(text, "mqtt://", 7) == 0) {
        rest = text + 7;
    } else {
        return status_fail(status, STATUS_BAD_USAGE, "--broker: %.*s was read; allowed is " ALLOWED,
                           (int)strcspn(text, "@") < SHOWN ? (int)strcspn(text, "@") : SHOWN, text);
    }
    const char *at = strrchr(rest, '@');
    if (at != NULL && memchr(rest, ':', (size_t)(at - rest)) != NULL) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--broker: a password was read in the URL, where others see it; allowed is " ALLOWED
                           " and --broker-password-file FILE");
    }
    if (at != NULL && !keep(rest, (size_t)(at - rest), "+~", url->user, sizeof url->user)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--broker: a user of %d bytes was read; allowed are 1..%d letters, digits and . - _ + ~",
                           (int)(at - rest), BROKER_USER - 1);
    }
    return read_place(at != NULL ? at + 1 : rest, url) ||
           status_fail(status, STATUS_BAD_USAGE, "--broker: %.*s was read; allowed is " ALLOWED, SHOWN,
                       at != NULL ? at + 1 : text);
}

bool broker_password_read(const char *path, char password[BROKER_PASSWORD], Status *status)
{
    struct stat info;
    char line[BROKER_PASSWORD + 1] = "";
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool own = fstat(fileno(file), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    size_t size = own ? fread(line, 1, sizeof line - 1, file) : 0;
    fclose(file);
    size_t length = strcspn(line, "\r\n");
    if (!own) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: others may read this password; allow it to its owner alone (chmod 600)", path);
    }
    if (length == 0 || length >= BROKER_PASSWORD || (length == size && memchr(line, '\0', size) != NULL)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: a first line of %zu bytes was read; a password has 1..%d",
                           path, length, BROKER_PASSWORD - 1);
    }
    memcpy(password, line, length);
    password[length] = '\0';
    return true;
}
