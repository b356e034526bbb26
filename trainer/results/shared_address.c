/// What may be shown of an address, and what tells one database from another.
#include "trainer/results/shared_address.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

bool shared_is_url(const char *path)
{
    return path != NULL && (strncmp(path, "postgresql://", 13) == 0 || strncmp(path, "postgres://", 11) == 0);
}

/// What an address says of a keyword, else what libpq takes without it; NULL: nothing.
static const char *value_of(const PQconninfoOption *given, const PQconninfoOption *usual, const char *keyword)
{
    const char *value = NULL;
    for (const PQconninfoOption *option = given; option->keyword != NULL; option++) {
        value = strcmp(option->keyword, keyword) == 0 ? option->val : value;
    }
    for (const PQconninfoOption *option = usual; value == NULL && option != NULL && option->keyword != NULL; option++) {
        value = strcmp(option->keyword, keyword) == 0 ? option->val : value;
    }
    return value;
}

bool shared_describe(const char *url, char shown[SHARED_ADDRESS], char key[SHARED_KEY], Status *status)
{
    static const char *const naming[] = {"host", "hostaddr", "port", "dbname", "service", "options"};
    PQconninfoOption *given = PQconninfoParse(url, NULL), *usual = PQconndefaults();
    char text[1024] = "";
    shown[0] = key[0] = '\0';
    if (given == NULL) { // libpq's message quotes the address, which may hold a password
        PQconninfoFree(usual);
        return status_fail(status, STATUS_BAD_USAGE,
                           "the address of the results is none that libpq takes; allowed is "
                           "postgresql://USER@HOST:PORT/DATABASE");
    }
    const char *user = value_of(given, usual, "user"), *host = value_of(given, usual, "host");
    const char *port = value_of(given, usual, "port"), *name = value_of(given, usual, "dbname");
    name = name != NULL ? name : user;
    for (size_t k = 0; k < sizeof naming / sizeof naming[0]; k++) {
        const char *value = strcmp(naming[k], "dbname") == 0 ? name : value_of(given, usual, naming[k]);
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s\n", value != NULL ? value : "");
    }
    snprintf(shown, SHARED_ADDRESS, "postgresql://%.60s@%.80s:%.10s/%.60s", user != NULL ? user : "",
             host != NULL ? host : "", port != NULL ? port : "", name != NULL ? name : "");
    snprintf(key, SHARED_KEY, "%016llx", (unsigned long long)XXH3_64bits(text, strlen(text)));
    PQconninfoFree(given);
    PQconninfoFree(usual);
    return true;
}
