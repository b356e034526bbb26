/// The environment server's sockets: where it listens, a thread for each connection, and its end.
// accept4 is an extension of GNU and Linux.
#define _GNU_SOURCE
#include "trainer/remote/env_server.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "data/core/random.h"
#include "data/core/signals.h"
#include "data/core/system_files.h"
#include "trainer/pilot/pilot.h"
#include "trainer/remote/console_guard.h"
#include "trainer/remote/env_calls.h"

#define LAST_WORD 1.0 ///< s that a client has to read why its connection ends, while it still sends. Chosen

enum {
    LOOK_EVERY = 200, ///< ms at most until a connection that has ended is cleared away. Chosen
    STACK = 1 << 20, ///< bytes of a connection's thread
    TOKEN_BYTES = 16, ///< of a random one
    QUEUE = 64 ///< connections that wait to be accepted
};

typedef struct Connection {
    EnvServer *server;
    bool used;
    int socket;
    double deadline; ///< s, of drive_clock, until which the token must be there; 0: it is, or none is needed
    EnvClient *client;
    pthread_t thread;
    atomic_bool done; ///< the thread has nothing left to do
} Connection;

struct EnvServer {
    EnvShared shared;
    int socket; ///< that listens; -1: none
    char address[ENV_ADDRESS];
    char token[GUARD_TOKEN_MOST + 1]; ///< "": none is needed
    bool own_token; ///< it is random
    char path[ENV_ADDRESS]; ///< of the Unix socket; "": TCP
    struct stat made; ///< the Unix socket's file, so that no other one is removed at the end
    int connection_most;
    Connection *connections; ///< [connection_most], own
};

/// ---- addresses -----------------------------------------------------------------------------------------------------

#define ALLOWED "unix:PATH, or HOST:PORT with a numeric HOST or localhost, as 127.0.0.1:4700, and port 0 for a free one"

/// The path of a Unix socket, or NULL.
static const char *path_of(const char *listen)
{
    static const char scheme[] = "unix:";
    if (strncmp(listen, scheme, sizeof scheme - 1) == 0) {
        return listen + sizeof scheme - 1;
    }
    return strchr(listen, '/') != NULL ? listen : NULL;
}

/// True when nobody listens on the socket that lies at a path any more.
static bool is_left_over(const struct sockaddr_un *place)
{
    struct stat info;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool left = probe >= 0 && lstat(place->sun_path, &info) == 0 && S_ISSOCK(info.st_mode) &&
                connect(probe, (const struct sockaddr *)place, sizeof *place) != 0 && errno == ECONNREFUSED;
    if (probe >= 0) {
        close(probe);
    }
    return left;
}

static bool bind_path(EnvServer *server, const struct sockaddr_un *place)
{
    mode_t mask = umask(S_IXUSR | S_IRWXG | S_IRWXO);
    bool bound = bind(server->socket, (const struct sockaddr *)place, sizeof *place) == 0;
    umask(mask);
    return bound;
}

static bool listen_on_path(EnvServer *server, const char *path, Status *status)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (path[0] == '\0' || strlen(path) >= sizeof place.sun_path) {
        return status_fail(status, STATUS_BAD_USAGE, "--listen %.120s: the path has %zu bytes; allowed are 1 to %zu",
                           path, strlen(path), sizeof place.sun_path - 1);
    }
    memcpy(place.sun_path, path, strlen(path) + 1);
    if (is_left_over(&place)) {
        unlink(path);
    }
    server->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->socket < 0 || !bind_path(server, &place)) {
        return status_fail(status, STATUS_LACKING, "--listen %.120s: the socket cannot be made: %s%s", path,
                           strerror(errno),
                           errno == EADDRINUSE ? "; another program listens there, or it is a file" : "");
    }
    snprintf(server->path, sizeof server->path, "%s", path);
    snprintf(server->address, sizeof server->address, "unix:%s", path);
    return lstat(path, &server->made) == 0 && listen(server->socket, QUEUE) == 0
               ? true
               : status_fail(status, STATUS_LACKING, "--listen %.120s: %s", path, strerror(errno));
}

/// Splits HOST:PORT or [HOST]:PORT.
static bool split_address(const char *listen, char host[ENV_ADDRESS], char port[8])
{
    const char *colon = strrchr(listen, ':');
    size_t digits = colon != NULL ? strspn(colon + 1, "0123456789") : 0,
           length = colon != NULL ? (size_t)(colon - listen) : 0;
    if (digits == 0 || digits > 5 || colon[1 + digits] != '\0' || atoi(colon + 1) > 65535 || length == 0 ||
        length >= ENV_ADDRESS) {
        return false;
    }
    bool bracketed = listen[0] == '[' && colon[-1] == ']';
    snprintf(host, ENV_ADDRESS, "%.*s", (int)(bracketed ? length - 2 : length), bracketed ? listen + 1 : listen);
    memcpy(port, colon + 1, digits + 1);
    if (strcmp(host, "localhost") == 0) {
        snprintf(host, ENV_ADDRESS, "127.0.0.1");
    }
    return bracketed == (strchr(host, ':') != NULL);
}

/// Binds and listens, and learns the port.
static bool bind_port(EnvServer *server, const struct addrinfo *place, int *port)
{
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof bound;
    int on = 1;
    server->socket = socket(place->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = server->socket >= 0 && setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                bind(server->socket, place->ai_addr, place->ai_addrlen) == 0 && listen(server->socket, QUEUE) == 0 &&
                getsockname(server->socket, (struct sockaddr *)&bound, &size) == 0;
    struct sockaddr_in four; // the port stands at the same place in an address of IPv6
    memcpy(&four, &bound, sizeof four);
    *port = ntohs(four.sin_port);
    return good;
}

static bool listen_on_port(EnvServer *server, const EnvServerParams *params, Status *status)
{
    char host[ENV_ADDRESS], service[8];
    int port = 0;
    struct addrinfo *place = NULL;
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    if (!split_address(params->listen, host, service) || getaddrinfo(host, service, &hints, &place) != 0) {
        return status_fail(status, STATUS_BAD_USAGE, "--listen %.120s: allowed is " ALLOWED, params->listen);
    }
    bool near = guard_is_loopback(host) || params->any_host, bound = near && bind_port(server, place, &port);
    int error = errno;
    freeaddrinfo(place);
    if (!near) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--listen %.120s: other computers reach this address, unencrypted; allowed are 127.0.0.1, "
                           "::1 and localhost, and with --any-host any",
                           params->listen);
    }
    bool six = strchr(host, ':') != NULL;
    snprintf(server->address, sizeof server->address, "%s%.100s%s:%d", six ? "[" : "", host, six ? "]" : "", port);
    return bound || status_fail(status, STATUS_LACKING, "--listen %.120s: %s", params->listen, strerror(error));
}

/// ---- token ---------------------------------------------------------------------------------------------------------

/// Reads the first line of a file that its owner alone may read.
static bool read_token(const char *path, char token[GUARD_TOKEN_MOST + 1], Status *status)
{
    struct stat info;
    char line[GUARD_TOKEN_MOST + 2] = "";
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool own = fstat(fileno(file), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    size_t size = own ? fread(line, 1, sizeof line - 1, file) : 0;
    fclose(file);
    line[size] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (!own) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: others may read this token; allow it to its owner alone (chmod 600)", path);
    }
    if (!guard_token_is_one(line)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: a first line of %zu bytes was read; a token has %d to %d letters, digits, - and _",
                           path, strlen(line), GUARD_TOKEN_LEAST, GUARD_TOKEN_MOST);
    }
    memcpy(token, line, strlen(line) + 1);
    return true;
}

static bool choose_token(EnvServer *server, const EnvServerParams *params, bool tcp, Status *status)
{
    if (params->token_file != NULL) {
        return read_token(params->token_file, server->token, status);
    }
    server->own_token = tcp;
    return !tcp || random_hex(server->token, TOKEN_BYTES, status);
}

/// ---- connections ---------------------------------------------------------------------------------------------------

/// Waits until there is something to read. False: the time for the token is over.
static bool wait_to_read(const Connection *connection)
{
    while (connection->deadline > 0.0 && !env_client_is_known(connection->client)) {
        double left = connection->deadline - drive_clock();
        struct pollfd look = {.fd = connection->socket, .events = POLLIN};
        if (left <= 0.0) {
            return false;
        }
        if (poll(&look, 1, 1 + (int)(1000.0 * left)) > 0) {
            return true;
        }
    }
    return true;
}

static bool take(void *context, void *bytes, size_t size)
{
    const Connection *connection = context;
    char *at = bytes;
    while (size > 0) {
        ssize_t some = wait_to_read(connection) ? recv(connection->socket, at, size, 0) : 0;
        if (some == 0 || (some < 0 && errno != EINTR)) {
            return false;
        }
        at += some > 0 ? some : 0;
        size -= some > 0 ? (size_t)some : 0;
    }
    return true;
}

static bool put(void *context, const void *bytes, size_t size)
{
    const Connection *connection = context;
    const char *at = bytes;
    while (size > 0) {
        ssize_t some = send(connection->socket, at, size, MSG_NOSIGNAL);
        if (some < 0 && errno != EINTR) {
            return false;
        }
        at += some > 0 ? some : 0;
        size -= some > 0 ? (size_t)some : 0;
    }
    return true;
}

static bool is_gone(void *context)
{
    const Connection *connection = context;
    struct pollfd look = {.fd = connection->socket};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLHUP | POLLERR)) != 0;
}

/// Throws away what a client still sends: a socket that is closed before has its last answer lost on the way.
static void drain(int socket)
{
    char thrown[4096];
    double end = drive_clock() + LAST_WORD;
    shutdown(socket, SHUT_WR);
    for (;;) {
        double left = end - drive_clock();
        struct pollfd look = {.fd = socket, .events = POLLIN};
        if (left <= 0.0 ||
            (poll(&look, 1, 1 + (int)(1000.0 * left)) > 0 && recv(socket, thrown, sizeof thrown, 0) <= 0)) {
            return;
        }
    }
}

static void *serve(void *context)
{
    Connection *connection = context;
    const EnvWire wire = {connection, take, put};
    if (env_client_serve(connection->client, &wire)) {
        drain(connection->socket);
    }
    env_client_destroy(connection->client);
    shutdown(connection->socket, SHUT_RDWR); // a client that sees its end knows that its sessions are closed
    atomic_store(&connection->done, true);
    return NULL;
}

static void clear_away(Connection *connection)
{
    pthread_join(connection->thread, NULL);
    close(connection->socket);
    connection->used = false;
}

static void clear_ended(EnvServer *server)
{
    for (int k = 0; k < server->connection_most; k++) {
        Connection *connection = &server->connections[k];
        if (connection->used && atomic_load(&connection->done)) {
            clear_away(connection);
        }
    }
}

/// Ends a connection that has no place, with the reason.
static void refuse(int socket, const char *code, const char *error)
{
    EnvMessage answer = {.head = NULL};
    Connection connection = {.socket = socket};
    const EnvWire wire = {&connection, take, put};
    env_refusal(&answer, code, error);
    env_message_write(&answer, &wire);
    env_message_free(&answer);
    close(socket);
}

static bool start_thread(Connection *connection)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    bool started = pthread_create(&connection->thread, &attributes, serve, connection) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static void begin_connection(EnvServer *server, int socket)
{
    int on = 1, k = 0;
    while (k < server->connection_most && server->connections[k].used) {
        k++;
    }
    if (k == server->connection_most) {
        refuse(socket, "too-many", "all connections of this server are in use; start it with more (--connections)");
        return;
    }
    Connection *connection = &server->connections[k];
    *connection = (Connection){.server = server, .socket = socket};
    if (server->path[0] == '\0') {
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    }
    connection->deadline = server->token[0] != '\0' ? drive_clock() + GUARD_SECONDS : 0.0;
    connection->client = env_client_create(&server->shared, is_gone, connection);
    if (connection->client == NULL || !start_thread(connection)) {
        env_client_destroy(connection->client);
        refuse(socket, "no-memory", "no memory or thread for another connection");
        return;
    }
    connection->used = true;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool start(EnvServer *server, const EnvServerParams *params, Status *status)
{
    const char *path = path_of(params->listen);
    server->connection_most = params->connection_most > 0 ? params->connection_most : ENV_CONNECTIONS;
    server->connections = calloc((size_t)server->connection_most, sizeof *server->connections);
    if (server->connections == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the environment server");
    }
    if (!choose_token(server, params, path == NULL, status)) {
        return false;
    }
    server->shared.session_most = params->session_most > 0 ? params->session_most : ENV_SESSIONS;
    server->shared.token = server->token[0] != '\0' ? server->token : NULL;
    return path != NULL ? listen_on_path(server, path, status) : listen_on_port(server, params, status);
}

EnvServer *env_server_start(const EnvServerParams *params, Status *status)
{
    EnvServer *server = calloc(1, sizeof *server);
    if (server == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the environment server");
        return NULL;
    }
    server->socket = -1;
    if (!start(server, params, status)) {
        env_server_close(server);
        return NULL;
    }
    return server;
}

void env_server_run(EnvServer *server)
{
    while (!signals_stop_asked()) {
        struct pollfd look = {.fd = server->socket, .events = POLLIN};
        bool waits = poll(&look, 1, LOOK_EVERY) > 0;
        clear_ended(server);
        int socket = waits ? accept4(server->socket, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (socket >= 0) {
            begin_connection(server, socket);
        } else if (waits && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
            nanosleep(&(struct timespec){0, LOOK_EVERY * 1000000L}, NULL); // until a connection ends
        }
    }
}

void env_server_close(EnvServer *server)
{
    if (server == NULL) {
        return;
    }
    atomic_store(&server->shared.ends, true);
    struct stat info;
    if (server->path[0] != '\0' && lstat(server->path, &info) == 0 && info.st_ino == server->made.st_ino &&
        info.st_dev == server->made.st_dev) {
        unlink(server->path);
    }
    if (server->socket >= 0) {
        close(server->socket);
    }
    for (int k = 0; k < server->connection_most && server->connections != NULL; k++) {
        if (server->connections[k].used) {
            shutdown(server->connections[k].socket, SHUT_RDWR);
        }
    }
    for (int k = 0; k < server->connection_most && server->connections != NULL; k++) {
        if (server->connections[k].used) {
            clear_away(&server->connections[k]);
        }
    }
    free(server->connections);
    free(server);
}

const char *env_server_address(const EnvServer *server)
{
    return server->address;
}

const char *env_server_token(const EnvServer *server)
{
    return server->own_token ? server->token : NULL;
}
