/// The server: what may be asked for, and all that is refused before anything is answered.
#include "trainer/remote/console_internal.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

/// A request while its body comes in.
typedef struct Request {
    size_t size; ///< bytes
    bool too_long;
    char body[]; ///< [Console.body] of a POST
} Request;

/// What a path means.
typedef struct Place {
    const ConsoleKind *kind; ///< NULL: nothing
    const char *name; ///< [length] of the part
    size_t length; ///< bytes; 0: the page at /
    const char *rest; ///< behind the page's own path
    int file; ///< of the kind, or -1
    int channel; ///< of the kind, or -1
    int document; ///< of the page at /, or -1
    bool live, command;
} Place;

/// ---- answers -------------------------------------------------------------------------------------------------------

void console_add_policy_headers(struct MHD_Response *response, const char *type, const char *policy)
{
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++) {
        MHD_add_response_header(response, headers[k][0], headers[k][1]);
    }
}

void console_add_headers(struct MHD_Response *response, const char *type)
{
    console_add_policy_headers(response, type,
                               "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                               "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned code, const char *type, const char *bytes,
                              size_t size)
{
    // The text is the caller's, who may change it: MHD copies it, though it asks for one that it may write to.
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL) {
        return MHD_NO;
    }
    console_add_headers(response, type);
    if (code == MHD_HTTP_UNAUTHORIZED) {
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    }
    enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// How often each of guard_single_headers came.
typedef struct HeaderCounts {
    int of[GUARD_SINGLE_HEADERS];
} HeaderCounts;

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    (void)value;
    HeaderCounts *counts = context;
    for (int k = 0; k < GUARD_SINGLE_HEADERS; k++) {
        counts->of[k] += strcasecmp(name, guard_single_headers[k]) == 0;
    }
    return MHD_YES;
}

/// The first header that came more than once, of those that may not; NULL: none.
static const char *find_doubled(struct MHD_Connection *connection)
{
    HeaderCounts counts = {{0}};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &counts);
    for (int k = 0; k < GUARD_SINGLE_HEADERS; k++) {
        if (counts.of[k] > 1) {
            return guard_single_headers[k];
        }
    }
    return NULL;
}

static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return guard_unescape(text);
}

/// Logs what was refused and answers why.
static enum MHD_Result refuse(Console *console, struct MHD_Connection *connection, unsigned code, const char *path,
                              const char *why)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    char from[64] = "?";
    if (info != NULL && info->client_addr != NULL) {
        socklen_t size =
            info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
        getnameinfo(info->client_addr, size, from, sizeof from, NULL, 0, NI_NUMERICHOST);
    }
    console_log(console, "refused %.60s of %s (%u): %.100s", path, from, code, why);
    json_t *object = json_pack("{s:s}", "error", why);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    const char *given = text != NULL ? text : "{}";
    enum MHD_Result result = answer(connection, code, "application/json", given, strlen(given));
    free(text);
    json_decref(object);
    return result;
}

static enum MHD_Result answer_text(Console *console, struct MHD_Connection *connection, int part, int channel)
{
    ConsoleEvent *event = console_hold_newest(console, part, channel);
    enum MHD_Result result =
        answer(connection, MHD_HTTP_OK, "application/json", event != NULL ? event->bytes + event->text_at : "null",
               event != NULL ? event->text_size : 4);
    console_release(event);
    return result;
}

/// ---- orders --------------------------------------------------------------------------------------------------------

/// Reads an order of the console's own and puts it into the queue. Returns the code of HTTP.
static unsigned queue_order(Console *console, const Request *request, char accepted[CONSOLE_ACCEPTED], Status *status)
{
    ConsoleCommand command;
    if (!console_command_read(request->body, request->size, &command, status)) {
        return MHD_HTTP_BAD_REQUEST;
    }
    if (command.kind == CONSOLE_FAULT && !console->takes_faults) {
        status_fail(status, STATUS_BAD_USAGE, "fault: faults cannot be ordered here");
        return MHD_HTTP_NOT_IMPLEMENTED;
    }
    if (command.kind == CONSOLE_LOAD && !console->takes_scenes) {
        status_fail(status, STATUS_BAD_USAGE, "load: this drive has its scene; spadework serve takes others");
        return MHD_HTTP_CONFLICT;
    }
    if (!console_queue(console, &command)) {
        status_fail(status, STATUS_LACKING, "the queue of orders is full");
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
    snprintf(accepted, CONSOLE_ACCEPTED, "{\"accepted\":true}");
    return MHD_HTTP_ACCEPTED;
}

static const char *too_long(const Console *console, char text[64])
{
    snprintf(text, 64, "body: allowed are %zu bytes", console->body);
    return text;
}

static enum MHD_Result take_order(Console *console, struct MHD_Connection *connection, const char *path, int part,
                                  const Request *request)
{
    char accepted[CONSOLE_ACCEPTED] = "", why[64];
    Status status;
    if (request->too_long) {
        return refuse(console, connection, MHD_HTTP_CONTENT_TOO_LARGE, path, too_long(console, why));
    }
    if (!guard_rate(&console->orders, console_clock(), GUARD_ORDERS_PER_SECOND, GUARD_ORDERS_BURST)) {
        return refuse(console, connection, MHD_HTTP_TOO_MANY_REQUESTS, path,
                      "too many orders; allowed are 10 a second");
    }
    unsigned code = console->take != NULL
                        ? console->take(console->take_context, part, request->body, request->size, accepted, &status)
                        : queue_order(console, request, accepted, &status);
    return code == MHD_HTTP_ACCEPTED ? answer(connection, code, "application/json", accepted, strlen(accepted))
                                     : refuse(console, connection, code, path, status.text);
}

/// ---- requests ------------------------------------------------------------------------------------------------------

/// Takes the name of a part off the front of a path, where there are parts; false when it is none.
static bool find_part_name(Place *place)
{
    static const char folder[] = "station/", letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    if (strncmp(place->rest, folder, sizeof folder - 1) != 0) {
        return false;
    }
    const char *name = place->rest + sizeof folder - 1;
    size_t length = strspn(name, letters);
    if (length == 0 || length >= CONSOLE_NAME || name[length] != '/') {
        return false;
    }
    place->name = name;
    place->length = length;
    place->rest = name + length + 1;
    return true;
}

/// What the page of this path has there; kind NULL: nothing.
static Place find_place(const Console *console, const char *path)
{
    Place place = {.rest = path + (path[0] == '/'), .file = -1, .channel = -1, .document = -1};
    bool is_part = console->kinds[CONSOLE_PARTS].page != NULL && find_part_name(&place);
    const ConsoleKind *kind = &console->kinds[is_part ? CONSOLE_PARTS : CONSOLE_OWN];
    if (path[0] != '/') {
        return place;
    }
    for (int k = 0; k < kind->page->file_count; k++) {
        place.file = strcmp(kind->page->files[k].path, place.rest) == 0 ? k : place.file;
    }
    for (int k = 0; k < kind->page->channel_count; k++) {
        place.channel = strcmp(kind->page->channels[k], place.rest) == 0 ? k : place.channel;
    }
    place.live = strcmp(place.rest, "live") == 0;
    place.command = strcmp(place.rest, "command") == 0;
    place.document = is_part ? -1 : console_find_document(console, place.rest);
    bool any = place.file >= 0 || place.channel >= 0 || place.document >= 0 || place.live || place.command;
    place.kind = any ? kind : NULL;
    return place;
}

/// Refuses before a body is read; true when it has answered.
static bool refuse_early(Console *console, struct MHD_Connection *connection, const char *path, const char *method,
                         enum MHD_Result *result)
{
    const char *host = header(connection, "Host");
    Place place = find_place(console, path);
    bool posts = place.command, is_secret = place.file < 0 && place.document < 0;
    const char *length = header(connection, "Content-Length");
    unsigned code = 0;
    char text[64];
    const char *why = "", *doubled = find_doubled(connection);
    if (doubled != NULL) {
        code = MHD_HTTP_BAD_REQUEST;
        snprintf(text, sizeof text, "%s: it came more than once; allowed is one", doubled);
        why = text;
    } else if (!guard_host(host, console->port, console->loopback)) {
        code = MHD_HTTP_MISDIRECTED_REQUEST;
        why = "Host: allowed are this server's number and localhost, with its port";
    } else if (!guard_origin(header(connection, "Origin"), header(connection, "Sec-Fetch-Site"), host)) {
        code = MHD_HTTP_FORBIDDEN;
        why = "Origin: allowed is this server's own page";
    } else if (place.kind == NULL) {
        code = MHD_HTTP_NOT_FOUND;
        why = "there is no such path";
    } else if (is_secret && !guard_knows_token(header(connection, "Authorization"), console->token)) {
        code = MHD_HTTP_UNAUTHORIZED;
        why = "Authorization: allowed is Bearer with the console's token";
    } else if (strcmp(method, posts ? "POST" : "GET") != 0) {
        code = MHD_HTTP_METHOD_NOT_ALLOWED;
        why = posts ? "allowed is POST" : "allowed is GET";
    } else if (posts && length != NULL && (strlen(length) > 6 || atoi(length) > (int)console->body)) {
        code = MHD_HTTP_CONTENT_TOO_LARGE;
        why = too_long(console, text);
    } else if (is_secret && place.length > 0 && console_find_part(console, place.name, place.length) < 0) {
        code = MHD_HTTP_NOT_FOUND; // who knows the token alone is told which there are
        why = "there is no such station";
    }
    *result = code != 0 ? refuse(console, connection, code, path, why) : MHD_YES;
    return code != 0;
}

/// Of a request that refuse_early has let through.
static enum MHD_Result answer_request(Console *console, struct MHD_Connection *connection, const char *path,
                                      const Request *request)
{
    Place place = find_place(console, path);
    if (place.file >= 0) {
        const ConsoleFile *file = &place.kind->files[place.file];
        return answer(connection, MHD_HTTP_OK, place.kind->page->files[place.file].type, file->bytes, file->size);
    }
    if (place.document >= 0) {
        return console_answer_document(console, connection, place.document);
    }
    int part = place.length > 0 ? console_find_part(console, place.name, place.length) : 0;
    if (place.live) {
        enum MHD_Result result = console_answer_stream(console, connection, part);
        return result == MHD_YES ? result
                                 : refuse(console, connection, MHD_HTTP_SERVICE_UNAVAILABLE, path,
                                          "too many pages look on; allowed are 24");
    }
    return place.command ? take_order(console, connection, path, part, request)
                         : answer_text(console, connection, part, place.channel);
}

/// Called for the headers, for each part of a body, and at the end.
static enum MHD_Result take_request(void *context, struct MHD_Connection *connection, const char *path,
                                    const char *method, const char *version, const char *upload, size_t *upload_size,
                                    void **kept)
{
    (void)version;
    Console *console = context;
    Request *request = *kept;
    enum MHD_Result result;
    if (request == NULL) {
        if (refuse_early(console, connection, path, method, &result)) {
            return result;
        }
        *kept = calloc(1, sizeof *request + (strcmp(method, "POST") == 0 ? console->body : 0));
        return *kept != NULL ? MHD_YES : MHD_NO;
    }
    if (*upload_size > 0) {
        size_t room = strcmp(method, "POST") == 0 ? console->body - request->size : 0;
        request->too_long |= *upload_size > room;
        if (!request->too_long) {
            memcpy(request->body + request->size, upload, *upload_size);
            request->size += *upload_size;
        }
        *upload_size = 0;
        return MHD_YES;
    }
    return answer_request(console, connection, path, request);
}

static void end_request(void *context, struct MHD_Connection *connection, void **kept,
                        enum MHD_RequestTerminationCode code)
{
    (void)code;
    (void)context;
    free(*kept);
    *kept = NULL;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    ConsoleVisitor *visitor = info != NULL ? info->socket_context : NULL;
    if (visitor != NULL) {
        visitor->since = console_clock();
        visitor->streams = false;
    }
}

/// ---- visitors ------------------------------------------------------------------------------------------------------

static void greet(Console *console, struct MHD_Connection *connection, void **kept)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    for (int k = 0; k < GUARD_CONNECTIONS && info != NULL && *kept == NULL; k++) {
        if (!console->visitors[k].open) {
            console->visitors[k] = (ConsoleVisitor){true, info->connect_fd, console_clock(), false};
            *kept = &console->visitors[k];
        }
    }
}

static void meet(void *context, struct MHD_Connection *connection, void **kept,
                 enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *kept = NULL;
        greet(context, connection, kept);
    } else if (*kept != NULL) {
        *(ConsoleVisitor *)*kept = (ConsoleVisitor){0};
        *kept = NULL;
    }
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static void log_library(void *context, const char *format, va_list arguments)
{
    char line[CONSOLE_LOG_LINE];
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = '\0';
    console_log(context, "%s", line);
}

static bool find_address(const char *address, int port, struct sockaddr_storage *found, socklen_t *size, Status *status)
{
    char service[8];
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE},
                    *list = NULL;
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(address, service, &hints, &list) != 0) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--console-address %.60s: allowed is a numeric address (127.0.0.1, 0.0.0.0, ::1)", address);
    }
    memcpy(found, list->ai_addr, list->ai_addrlen);
    *size = list->ai_addrlen;
    freeaddrinfo(list);
    return true;
}

/// Opens the socket and learns its port; -1 with `status`.
static int listen_on(const char *address, int *port, Status *status)
{
    struct sockaddr_storage place = {0};
    socklen_t size = 0;
    if (!find_address(address, *port, &place, &size, status)) {
        return -1;
    }
    int on = 1, opened = socket(place.ss_family, SOCK_STREAM, 0);
    bool good = opened >= 0 && setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                bind(opened, (struct sockaddr *)&place, size) == 0 && listen(opened, GUARD_CONNECTIONS) == 0 &&
                getsockname(opened, (struct sockaddr *)&place, &size) == 0;
    if (!good) {
        status_fail(status, STATUS_LACKING, "console: cannot listen on %.60s, port %d: %s", address, *port,
                    strerror(errno));
        if (opened >= 0) {
            close(opened);
        }
        return -1;
    }
    *port = ntohs(place.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&place)->sin6_port
                                              : ((struct sockaddr_in *)&place)->sin_port);
    return opened;
}

bool console_serve(Console *console, const char *address, Status *status)
{
    int opened = listen_on(address, &console->port, status);
    if (opened < 0) {
        return false;
    }
    console->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, take_request, console,
        MHD_OPTION_EXTERNAL_LOGGER, log_library, console, MHD_OPTION_LISTEN_SOCKET, opened, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, console, MHD_OPTION_NOTIFY_CONNECTION, meet, console, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)GUARD_CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)GUARD_CONNECTIONS_EACH,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ceil(console->patience), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)GUARD_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, unescape, console,
        MHD_OPTION_END);
    if (console->daemon == NULL) {
        close(opened);
        return status_fail(status, STATUS_LACKING, "console: the server cannot start on %.60s, port %d", address,
                           console->port);
    }
    console->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    console->server_runs =
        console->bell >= 0 && pthread_create(&console->server, NULL, console_take_turns, console) == 0;
    return console->server_runs || status_fail(status, STATUS_LACKING, "console: no thread could be started");
}

void console_end_serving(Console *console)
{
    pthread_mutex_lock(&console->lock);
    console->ends = true;
    pthread_mutex_unlock(&console->lock);
    if (console->server_runs) {
        eventfd_write(console->bell, 1);
        pthread_join(console->server, NULL);
    }
    if (console->daemon != NULL) {
        MHD_stop_daemon(console->daemon);
    }
    if (console->bell >= 0) {
        close(console->bell);
    }
}
