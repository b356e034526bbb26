/// A broker for a test: a real mosquitto on a free port of this computer, in a folder of its own.
#ifndef SPADEWORK_TESTS_BROKER_FIXTURE_H
#define SPADEWORK_TESTS_BROKER_FIXTURE_H

#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct BrokerFixture {
    char folder[64]; ///< "": none yet
    int port;
    pid_t process; ///< 0: none
} BrokerFixture;

static inline void broker_fixture_rest(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

/// A port that nobody listens on now.
static inline int broker_fixture_free_port(void)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    bool good = opened >= 0 && bind(opened, (struct sockaddr *)&place, size) == 0 &&
                getsockname(opened, (struct sockaddr *)&place, &size) == 0;
    close(opened);
    return good ? ntohs(place.sin_port) : 0;
}

static inline bool broker_fixture_listens(int port)
{
    struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    bool good = opened >= 0 && connect(opened, (struct sockaddr *)&place, sizeof place) == 0;
    close(opened);
    return good;
}

/// Makes the folder and chooses the port; writes a file into the folder.
static inline void broker_fixture_create(BrokerFixture *fixture)
{
    *fixture = (BrokerFixture){.folder = "/tmp/spadework-broker-XXXXXX", .port = broker_fixture_free_port()};
    if (mkdtemp(fixture->folder) == NULL || chmod(fixture->folder, 0755) != 0) {
        perror(fixture->folder);
        abort();
    }
}

static inline void broker_fixture_write(const BrokerFixture *fixture, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", fixture->folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0 || chmod(path, 0600) != 0) {
        perror(path);
        abort();
    }
}

/// Starts it and waits until it listens. False where there is no mosquitto.
/// more  further lines of its configuration, or ""
static inline bool broker_fixture_start(BrokerFixture *fixture, const char *more)
{
    char text[1024], path[128];
    snprintf(text, sizeof text,
             "listener %d 127.0.0.1\nuser root\npersistence true\npersistence_location %s/\n"
             "log_type none\n%s\n%s\n",
             fixture->port, fixture->folder, strstr(more, "password_file") != NULL ? "" : "allow_anonymous true", more);
    broker_fixture_write(fixture, "mosquitto.conf", text);
    snprintf(path, sizeof path, "%s/mosquitto.conf", fixture->folder);
    char *arguments[] = {(char[]){"mosquitto"}, (char[]){"-c"}, path, NULL};
    if (posix_spawnp(&fixture->process, "mosquitto", NULL, NULL, arguments, environ) != 0 &&
        posix_spawn(&fixture->process, "/usr/sbin/mosquitto", NULL, NULL, arguments, environ) != 0) {
        fixture->process = 0;
        return false;
    }
    for (int k = 0; k < 200 && !broker_fixture_listens(fixture->port); k++) {
        broker_fixture_rest(0.05);
    }
    return broker_fixture_listens(fixture->port);
}

/// Ends it, in good order (SIGTERM) or at once (SIGKILL).
static inline void broker_fixture_stop(BrokerFixture *fixture, int number)
{
    if (fixture->process > 0) {
        kill(fixture->process, number);
        waitpid(fixture->process, NULL, 0);
    }
    fixture->process = 0;
}

static inline void broker_fixture_destroy(BrokerFixture *fixture)
{
    static const char *const names[] = {"mosquitto.conf", "mosquitto.db", "mosquitto.db.new", "passwords", "password"};
    char path[128];
    broker_fixture_stop(fixture, SIGTERM);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(path, sizeof path, "%s/%s", fixture->folder, names[k]);
        unlink(path);
    }
    rmdir(fixture->folder);
}

/// Makes and starts it; where there is no mosquitto the test program ends as skipped.
static inline void broker_fixture_need(BrokerFixture *fixture)
{
    broker_fixture_create(fixture);
    if (!broker_fixture_start(fixture, "")) {
        fprintf(stderr, "no mosquitto here\n");
        exit(77);
    }
}

/// The main function of tests that share one broker, which `fixture`, a BrokerFixture of the file, is.
#define BROKER_FIXTURE_MAIN(fixture)                                                                                   \
    static int begin_broker(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        broker_fixture_need(&(fixture));                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static int end_broker(void **state)                                                                                \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        broker_fixture_destroy(&(fixture));                                                                            \
        return 0;                                                                                                      \
    }                                                                                                                  \
    TEST_GROUP(begin_broker, end_broker)

#endif
