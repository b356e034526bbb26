/// The instructor's console: its pages, what is published to them, and the web server (libmicrohttpd) that answers
/// browsers and takes orders.
///
/// The server's thread answers requests, sends news to the pages that look on, and closes connections that take too
/// long. It never waits for the drive, and the drive's threads never wait for it: it runs as a batch job, which takes
/// no processor from threads that work.
// Batch scheduling and the names of threads are extensions of GNU and Linux.
#define _GNU_SOURCE
#include "trainer/remote/console.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <microhttpd.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/random.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "trainer/pilot/pilot.h"
#include "trainer/remote/console_guard.h"
#include "trainer/remote/console_json.h"

#define LATE 1.2 ///< of the patience: idle connections are gone by then, slow ones are not. Chosen

enum { LOOK_EVERY = 500 }; ///< ms at most between two checks for connections that take too long. Chosen
enum { CONSOLE_FILE_MOST = 1 << 18, CONSOLE_TICKET = 33 }; ///< bytes of a page's file; of a ticket, with the NUL
enum { SECRET_BYTES = (CONSOLE_TICKET - 1) / 2 };

// clang-format off
const ConsolePage console_page = {
    .file_count = 8,
    .files = {{"", "console/index.html", "text/html"},
              {"page.js", "console/page.js", "text/javascript"},
              {"console.js", "console/console.js", "text/javascript"},
              {"drawing.js", "console/drawing.js", "text/javascript"},
              {"console.css", "console/console.css", "text/css"},
              {"en.json", "console/en.json", "application/json"},
              {"de.json", "console/de.json", "application/json"},
              {"es.json", "console/es.json", "application/json"}},
    .channel_count = CONSOLE_CHANNELS,
    .channels = {"state", "ground", "scenes", "answers", "choices"},
    .document_count = CONSOLE_DOCUMENTS,
    .documents = {{"debrief", "text/html; charset=utf-8",
                   "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups; "
                   "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                  {"picture", "image/png", "default-src 'none'"}},
};
// clang-format on

/// What a file of a page holds.
typedef struct ConsoleFile {
    char *bytes; ///< [size], owned
    size_t size; ///< bytes
} ConsoleFile;

/// A kind of page with its files.
typedef struct ConsoleKind {
    const ConsolePage *page; ///< NULL: there is none
    ConsoleFile files[CONSOLE_FILES_MOST];
} ConsoleKind;
enum { CONSOLE_OWN, CONSOLE_PARTS, CONSOLE_KINDS }; ///< of the page at /, of those of parts

/// A text that was published, as the event that every page gets: "event: NAME", "data: TEXT", an empty line.
/// Its place among the newest and each stream that sends it hold it; the last holder frees it.
typedef struct ConsoleEvent {
    atomic_int holders;
    size_t size; ///< bytes of the event
    size_t text_at, text_size; ///< bytes: where the text is in it
    char bytes[]; ///< [size]
} ConsoleEvent;

/// The newest of a channel.
typedef struct ConsoleNewest {
    ConsoleEvent *event; ///< held; NULL: nothing yet
    uint64_t version; ///< 0: nothing yet
} ConsoleNewest;

/// A document that is offered.
typedef struct ConsoleOffer {
    char *bytes; ///< [size], owned; NULL: nothing
    size_t size; ///< bytes
} ConsoleOffer;

enum { PART_NAME = 41 }; ///< bytes of a part's name

/// A page with what is published to it.
typedef struct ConsolePart {
    char name[PART_NAME]; ///< of the one at /: ""
    ConsoleNewest newest[CONSOLE_CHANNELS_MOST];
    int lookers; ///< streams of it
} ConsolePart;

/// A connection while it is open. The server's thread alone.
typedef struct ConsoleVisitor {
    bool open;
    int socket;
    double since; ///< s, of read_clock: when its present request began
    bool streams; ///< it is a stream of news, without a limit of time
} ConsoleVisitor;

/// A stream of news to an open page. The server's thread alone.
typedef struct ConsoleStream {
    Console *console; ///< NULL: this one is free
    struct MHD_Connection *connection;
    int part; ///< whose news it sends
    uint64_t sent[CONSOLE_CHANNELS_MOST]; ///< versions
    ConsoleEvent *event; ///< held: what is being sent; NULL: nothing
    size_t done; ///< bytes of it
    bool sleeps; ///< until something is published
} ConsoleStream;

struct Console {
    int port;
    double patience; ///< s that a request may take to arrive
    bool loopback, takes_faults, takes_scenes;
    char token[GUARD_TOKEN_MOST + 1], ticket[CONSOLE_TICKET];
    char url[CONSOLE_URL];
    void (*log)(void *context, const char *line);
    void *log_context;
    ConsoleKind kinds[CONSOLE_KINDS];
    int part_most; ///< with the page at /
    ConsoleTake *take; ///< NULL: orders go to the queue
    void *take_context;
    size_t body; ///< bytes that an order may have
    struct MHD_Daemon *daemon;
    int bell; ///< eventfd that wakes the server's thread: something was published, or the console ends; -1: none
    pthread_t server; ///< waits for the bell and for visitors, and answers all of them in one turn
    bool server_runs;
    ConsoleVisitor visitors[GUARD_CONNECTIONS];
    ConsoleStream streams[GUARD_STREAMS];
    GuardRate orders; ///< of orders taken

    pthread_mutex_t lock; ///< of all that follows
    bool ends;
    ConsolePart *parts; ///< [part_most], owned; 0: the page at /
    int part_count;
    ConsoleOffer documents[CONSOLE_DOCUMENTS_MOST]; ///< of the page at /
    double asked[CONSOLE_DOCUMENTS_MOST]; ///< read_clock: when it was last asked for; 0: never
    ConsoleQueue queue; ///< of orders
    GuardRate lines; ///< of lines of the log
    int lines_lost; ///< since the last line
};

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

/// ---- log -----------------------------------------------------------------------------------------------------------

static void write_to_stderr(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "spadework: %s\n", line);
}

void console_log(Console *console, const char *format, ...)
{
    char line[CONSOLE_LOG_LINE];
    pthread_mutex_lock(&console->lock);
    bool may = guard_rate(&console->lines, drive_clock(), GUARD_LINES_PER_SECOND, GUARD_LINES_BURST);
    int lost = console->lines_lost;
    console->lines_lost = may ? 0 : lost + 1;
    pthread_mutex_unlock(&console->lock);
    if (!may) {
        return;
    }
    int length = lost > 0 ? snprintf(line, sizeof line, "console: (%d lines left out) ", lost)
                          : snprintf(line, sizeof line, "console: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    visible_text_mask(line, false);
    console->log(console->log_context, line);
}

/// ---- files ---------------------------------------------------------------------------------------------------------

static bool read_file(ConsoleFile *file, const char *folder, const char *name, Status *status)
{
    char path[DATA_PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *opened = regular_file_open(path, status);
    if (opened == NULL) {
        status->code = STATUS_LACKING;
        return false;
    }
    file->bytes = malloc(CONSOLE_FILE_MOST);
    file->size = file->bytes != NULL ? fread(file->bytes, 1, CONSOLE_FILE_MOST, opened) : 0;
    fclose(opened);
    return (file->size > 0 && file->size < CONSOLE_FILE_MOST) ||
           status_fail(status, STATUS_LACKING, "%s: %zu bytes were read; a file of the page has 1..%d", path,
                       file->size, CONSOLE_FILE_MOST - 1);
}

/// Reads the pages' files, or fills `status`.
/// folder  where their folders are; NULL: the shipped data
static bool read_files(Console *console, const char *folder, Status *status)
{
    for (int kind = 0; kind < CONSOLE_KINDS; kind++) {
        const ConsolePage *page = console->kinds[kind].page;
        for (int k = 0; page != NULL && k < page->file_count; k++) {
            if (!read_file(&console->kinds[kind].files[k], folder != NULL ? folder : data_folder(), page->files[k].name,
                           status)) {
                return false;
            }
        }
    }
    return true;
}

/// ---- queue of orders -----------------------------------------------------------------------------------------------

static bool queue_command(Console *console, const ConsoleCommand *command)
{
    pthread_mutex_lock(&console->lock);
    bool room = console_queue_put(&console->queue, command, 0);
    pthread_mutex_unlock(&console->lock);
    return room;
}

bool console_next(Console *console, ConsoleCommand *command)
{
    ConsoleWaiting oldest;
    pthread_mutex_lock(&console->lock);
    bool is_there = console_queue_take(&console->queue, &oldest);
    pthread_mutex_unlock(&console->lock);
    if (is_there) {
        *command = oldest.command;
    }
    return is_there;
}

/// ---- what is published ---------------------------------------------------------------------------------------------

enum { HEAD = 64 }; ///< bytes before the text, at most

/// The kind of a part's page.
static const ConsoleKind *kind_of_part(const Console *console, int part)
{
    return &console->kinds[part > 0 ? CONSOLE_PARTS : CONSOLE_OWN];
}

/// Releases an event, and frees it where nobody else holds it. NULL is nothing. Any thread.
static void release_event(ConsoleEvent *event)
{
    if (event != NULL && atomic_fetch_sub(&event->holders, 1) == 1) {
        free(event);
    }
}

/// The newest event of a channel, held; NULL: nothing yet. Any thread.
static ConsoleEvent *hold_newest(Console *console, int part, int channel)
{
    pthread_mutex_lock(&console->lock);
    ConsoleEvent *event = console->parts[part].newest[channel].event;
    if (event != NULL) {
        atomic_fetch_add(&event->holders, 1);
    }
    pthread_mutex_unlock(&console->lock);
    return event;
}

/// Writes a text as its event, which all streams then send; NULL when memory is short.
static ConsoleEvent *make_event(const char *channel, const char *json, size_t size)
{
    ConsoleEvent *event = malloc(sizeof *event + HEAD + size + 2);
    if (event == NULL) {
        return NULL;
    }
    atomic_init(&event->holders, 1);
    event->text_at = (size_t)snprintf(event->bytes, HEAD, "event: %s\ndata: ", channel);
    event->text_size = size;
    event->size = event->text_at + size + 2;
    memcpy(event->bytes + event->text_at, json, size);
    event->bytes[event->size - 2] = event->bytes[event->size - 1] = '\n';
    return event;
}

void console_publish_part(Console *console, int part, int channel, const char *json, size_t size)
{
    ConsoleEvent *event = make_event(kind_of_part(console, part)->page->channels[channel], json, size);
    if (event == NULL) {
        return;
    }
    pthread_mutex_lock(&console->lock);
    ConsoleNewest *newest = &console->parts[part].newest[channel];
    ConsoleEvent *before = newest->event;
    *newest = (ConsoleNewest){event, newest->version + 1};
    bool seen = console->parts[part].lookers > 0;
    pthread_mutex_unlock(&console->lock);
    release_event(before);
    if (seen) { // the thread that wakes finds the lock free
        eventfd_write(console->bell, 1);
    }
}

void console_publish(Console *console, int channel, const char *json, size_t size)
{
    console_publish_part(console, 0, channel, json, size);
}

bool console_is_newest(Console *console, int channel, const char *json, size_t size)
{
    ConsoleEvent *event = hold_newest(console, 0, channel);
    bool same = event != NULL && event->text_size == size && memcmp(event->bytes + event->text_at, json, size) == 0;
    release_event(event);
    return same;
}

/// ---- parts ---------------------------------------------------------------------------------------------------------

/// A part by its name of `length` letters; -1: there is none.
static int find_part(Console *console, const char *name, size_t length)
{
    int found = -1;
    pthread_mutex_lock(&console->lock);
    for (int k = 1; k < console->part_count && found < 0; k++) {
        const char *other = console->parts[k].name;
        found = strlen(other) == length && memcmp(other, name, length) == 0 ? k : -1;
    }
    pthread_mutex_unlock(&console->lock);
    return found;
}

int console_part(Console *console, const char *name)
{
    int part = 0;
    pthread_mutex_lock(&console->lock);
    if (console->part_count < console->part_most) {
        part = console->part_count++;
        snprintf(console->parts[part].name, sizeof console->parts[part].name, "%s", name);
    }
    pthread_mutex_unlock(&console->lock);
    return part;
}

void console_rename_part(Console *console, int part, const char *name)
{
    pthread_mutex_lock(&console->lock);
    ConsolePart *own = &console->parts[part];
    for (int k = 0; k < CONSOLE_CHANNELS_MOST && own->lookers == 0; k++) {
        release_event(own->newest[k].event);
        own->newest[k] = (ConsoleNewest){0};
    }
    snprintf(own->name, sizeof own->name, "%s", name);
    pthread_mutex_unlock(&console->lock);
}

int console_lookers(Console *console, int part)
{
    pthread_mutex_lock(&console->lock);
    int lookers = console->parts[part].lookers;
    pthread_mutex_unlock(&console->lock);
    return lookers;
}

/// ---- documents -----------------------------------------------------------------------------------------------------

const char *console_ticket(const Console *console)
{
    return console->ticket;
}

void console_offer(Console *console, int document, const char *bytes, size_t size)
{
    char *copy = size > 0 ? malloc(size) : NULL;
    if (copy != NULL) {
        memcpy(copy, bytes, size);
    }
    pthread_mutex_lock(&console->lock);
    char *before = console->documents[document].bytes;
    console->documents[document] = (ConsoleOffer){copy, copy != NULL ? size : 0};
    pthread_mutex_unlock(&console->lock);
    free(before);
}

bool console_is_wanted(Console *console, int document)
{
    pthread_mutex_lock(&console->lock);
    double asked = console->asked[document];
    pthread_mutex_unlock(&console->lock);
    return asked > 0.0 && drive_clock() - asked < CONSOLE_INTEREST;
}

/// Takes a time that depends on no letter of it.
static bool is_ticket(const char *text, const char ticket[CONSOLE_TICKET])
{
    unsigned char differs = 0;
    if (strlen(text) < CONSOLE_TICKET - 1) {
        return false;
    }
    for (size_t k = 0; k < CONSOLE_TICKET - 1; k++) {
        differs |= (unsigned char)(text[k] ^ ticket[k]);
    }
    return differs == 0;
}

/// The document at a path behind the page's own; -1: none, or the ticket is not the one. Browsers open documents
/// without a header of the page's: a ticket in the address stands for the token, and allows no order.
static int find_document(const Console *console, const char *path)
{
    static const char folder[] = "offered/";
    const ConsolePage *page = console->kinds[CONSOLE_OWN].page;
    if (strncmp(path, folder, sizeof folder - 1) != 0 || !is_ticket(path + sizeof folder - 1, console->ticket)) {
        return -1;
    }
    const char *rest = path + sizeof folder - 1 + CONSOLE_TICKET - 1;
    int found = -1;
    for (int k = 0; k < page->document_count && rest[0] == '/'; k++) {
        found = strcmp(page->documents[k].path, rest + 1) == 0 ? k : found;
    }
    return found;
}

/// ---- answers -------------------------------------------------------------------------------------------------------

/// Adds the headers that every answer has.
/// policy  what the browser lets it do
static void add_policy_headers(struct MHD_Response *response, const char *type, const char *policy)
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

/// The same with the policy of the page.
static void add_headers(struct MHD_Response *response, const char *type)
{
    add_policy_headers(response, type,
                       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                       "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
}

static enum MHD_Result answer_bytes(struct MHD_Connection *connection, unsigned code, const char *type,
                                    const char *bytes, size_t size)
{
    // The text is the caller's, who may change it: MHD copies it, though it asks for one that it may write to.
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL) {
        return MHD_NO;
    }
    add_headers(response, type);
    if (code == MHD_HTTP_UNAUTHORIZED) {
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    }
    enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static const char *find_header(struct MHD_Connection *connection, const char *name)
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

static size_t unescape_path(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return guard_unescape(text);
}

/// Logs what was refused and answers why.
static enum MHD_Result refuse_request(Console *console, struct MHD_Connection *connection, unsigned code,
                                      const char *path, const char *why)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    char from[64] = "?";
    if (info != NULL && info->client_addr != NULL) {
        socklen_t size =
            info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
        getnameinfo(info->client_addr, size, from, sizeof from, NULL, 0, NI_NUMERICHOST);
    }
    console_log(console, "refused %.60s of %s (%u): %.100s", path, from, code, why);
    char *text = console_json_write(json_pack("{s:s}", "error", why), 0, NULL);
    const char *given = text != NULL ? text : "{}";
    enum MHD_Result result = answer_bytes(connection, code, "application/json", given, strlen(given));
    free(text);
    return result;
}

static enum MHD_Result answer_text(Console *console, struct MHD_Connection *connection, int part, int channel)
{
    ConsoleEvent *event = hold_newest(console, part, channel);
    enum MHD_Result result =
        answer_bytes(connection, MHD_HTTP_OK, "application/json",
                     event != NULL ? event->bytes + event->text_at : "null", event != NULL ? event->text_size : 4);
    release_event(event);
    return result;
}

/// Answers with a document; with 404 where nothing is offered.
static enum MHD_Result answer_document(Console *console, struct MHD_Connection *connection, int document)
{
    static const char nothing[] = "there is none yet";
    const ConsoleDocumentRow *row = &console->kinds[CONSOLE_OWN].page->documents[document];
    pthread_mutex_lock(&console->lock);
    const ConsoleOffer *text = &console->documents[document];
    console->asked[document] = drive_clock();
    bool is_there = text->bytes != NULL;
    const char *bytes = is_there ? text->bytes : nothing;
    // MHD copies it, though it asks for bytes that it may write to.
    struct MHD_Response *response = MHD_create_response_from_buffer(is_there ? text->size : sizeof nothing - 1,
                                                                    (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    pthread_mutex_unlock(&console->lock);
    if (response == NULL) {
        return MHD_NO;
    }
    add_policy_headers(response, is_there ? row->type : "text/plain", row->policy);
    enum MHD_Result result = MHD_queue_response(connection, is_there ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND, response);
    MHD_destroy_response(response);
    return result;
}

/// ---- streams of news -----------------------------------------------------------------------------------------------

/// True when there is something to send: the rest of an event, or the next one.
static bool take_next_event(ConsoleStream *stream)
{
    Console *console = stream->console;
    if (stream->event != NULL) {
        return true;
    }
    pthread_mutex_lock(&console->lock);
    const ConsoleNewest *newest = console->parts[stream->part].newest;
    for (int k = 0; k < CONSOLE_CHANNELS_MOST && stream->event == NULL; k++) {
        if (newest[k].version != stream->sent[k]) {
            stream->sent[k] = newest[k].version;
            stream->event = newest[k].event;
            atomic_fetch_add(&stream->event->holders, 1);
            stream->done = 0;
        }
    }
    pthread_mutex_unlock(&console->lock);
    return stream->event != NULL;
}

static void drop_event(ConsoleStream *stream)
{
    release_event(stream->event);
    stream->event = NULL;
}

static bool has_ended(Console *console)
{
    pthread_mutex_lock(&console->lock);
    bool ends = console->ends;
    pthread_mutex_unlock(&console->lock);
    return ends;
}

/// Fills `buffer` with all that is to be sent; suspends the stream where there is nothing. A page that reads slowly
/// skips what was newer in between. What is published meanwhile rings the bell, which is checked after this.
static ssize_t send_news(void *context, uint64_t position, char *buffer, size_t most)
{
    (void)position;
    ConsoleStream *stream = context;
    size_t given = 0;
    if (has_ended(stream->console)) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    while (given < most && take_next_event(stream)) {
        size_t left = stream->event->size - stream->done, now = left < most - given ? left : most - given;
        memcpy(buffer + given, stream->event->bytes + stream->done, now);
        stream->done += now;
        given += now;
        if (now == left) {
            drop_event(stream);
        }
    }
    if (given == 0) {
        stream->sleeps = true;
        MHD_suspend_connection(stream->connection);
    }
    return (ssize_t)given;
}

/// Resumes the streams that sleep.
static void wake_streams(Console *console)
{
    for (int k = 0; k < GUARD_STREAMS; k++) {
        ConsoleStream *stream = &console->streams[k];
        if (stream->console != NULL && stream->sleeps) {
            stream->sleeps = false;
            MHD_resume_connection(stream->connection);
        }
    }
}

static void count_looker(Console *console, int part, int more)
{
    pthread_mutex_lock(&console->lock);
    console->parts[part].lookers += more;
    pthread_mutex_unlock(&console->lock);
}

static void end_stream(void *context)
{
    ConsoleStream *stream = context;
    drop_event(stream);
    count_looker(stream->console, stream->part, -1);
    *stream = (ConsoleStream){0};
}

static ConsoleStream *reserve_stream(Console *console, struct MHD_Connection *connection, int part)
{
    ConsoleStream *found = NULL;
    for (int k = 0; k < GUARD_STREAMS && found == NULL; k++) {
        if (console->streams[k].console == NULL) {
            found = &console->streams[k];
            *found = (ConsoleStream){.console = console, .connection = connection, .part = part};
            count_looker(console, part, 1);
        }
    }
    return found;
}

/// Marks the connection as one that may take its time.
static void mark_visitor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    ConsoleVisitor *visitor = info != NULL ? info->socket_context : NULL;
    if (visitor != NULL) {
        visitor->streams = true;
    }
}

/// Answers with a stream of what is published to a part. MHD_NO: memory is short, or too many look on.
static enum MHD_Result answer_stream(Console *console, struct MHD_Connection *connection, int part)
{
    ConsoleStream *stream = reserve_stream(console, connection, part);
    if (stream == NULL) {
        return MHD_NO;
    }
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1 << 15, send_news, stream, end_stream);
    if (response == NULL) {
        end_stream(stream);
        return MHD_NO;
    }
    add_headers(response, "text/event-stream; charset=utf-8");
    mark_visitor(connection);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
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
    if (!queue_command(console, &command)) {
        status_fail(status, STATUS_LACKING, "the queue of orders is full");
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
    snprintf(accepted, CONSOLE_ACCEPTED, "{\"accepted\":true}");
    return MHD_HTTP_ACCEPTED;
}

static const char *write_limit(const Console *console, char text[64])
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
        return refuse_request(console, connection, MHD_HTTP_CONTENT_TOO_LARGE, path, write_limit(console, why));
    }
    if (!guard_rate(&console->orders, drive_clock(), GUARD_ORDERS_PER_SECOND, GUARD_ORDERS_BURST)) {
        return refuse_request(console, connection, MHD_HTTP_TOO_MANY_REQUESTS, path,
                              "too many orders; allowed are 10 a second");
    }
    unsigned code = console->take != NULL
                        ? console->take(console->take_context, part, request->body, request->size, accepted, &status)
                        : queue_order(console, request, accepted, &status);
    return code == MHD_HTTP_ACCEPTED ? answer_bytes(connection, code, "application/json", accepted, strlen(accepted))
                                     : refuse_request(console, connection, code, path, status.text);
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
    if (length == 0 || length >= PART_NAME || name[length] != '/') {
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
    place.document = is_part ? -1 : find_document(console, place.rest);
    bool any = place.file >= 0 || place.channel >= 0 || place.document >= 0 || place.live || place.command;
    place.kind = any ? kind : NULL;
    return place;
}

/// Refuses before a body is read; true when it has answered.
static bool refuse_early(Console *console, struct MHD_Connection *connection, const char *path, const char *method,
                         enum MHD_Result *result)
{
    const char *host = find_header(connection, "Host");
    Place place = find_place(console, path);
    bool posts = place.command, is_secret = place.file < 0 && place.document < 0;
    const char *length = find_header(connection, "Content-Length");
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
    } else if (!guard_origin(find_header(connection, "Origin"), find_header(connection, "Sec-Fetch-Site"), host)) {
        code = MHD_HTTP_FORBIDDEN;
        why = "Origin: allowed is this server's own page";
    } else if (place.kind == NULL) {
        code = MHD_HTTP_NOT_FOUND;
        why = "there is no such path";
    } else if (is_secret && !guard_knows_token(find_header(connection, "Authorization"), console->token)) {
        code = MHD_HTTP_UNAUTHORIZED;
        why = "Authorization: allowed is Bearer with the console's token";
    } else if (strcmp(method, posts ? "POST" : "GET") != 0) {
        code = MHD_HTTP_METHOD_NOT_ALLOWED;
        why = posts ? "allowed is POST" : "allowed is GET";
    } else if (posts && length != NULL && (strlen(length) > 6 || atoi(length) > (int)console->body)) {
        code = MHD_HTTP_CONTENT_TOO_LARGE;
        why = write_limit(console, text);
    } else if (is_secret && place.length > 0 && find_part(console, place.name, place.length) < 0) {
        code = MHD_HTTP_NOT_FOUND; // only with the token, which this request has, it is said which stations there are
        why = "there is no such station";
    }
    *result = code != 0 ? refuse_request(console, connection, code, path, why) : MHD_YES;
    return code != 0;
}

/// Of a request that refuse_early has let through.
static enum MHD_Result answer_request(Console *console, struct MHD_Connection *connection, const char *path,
                                      const Request *request)
{
    Place place = find_place(console, path);
    if (place.file >= 0) {
        const ConsoleFile *file = &place.kind->files[place.file];
        return answer_bytes(connection, MHD_HTTP_OK, place.kind->page->files[place.file].type, file->bytes, file->size);
    }
    if (place.document >= 0) {
        return answer_document(console, connection, place.document);
    }
    int part = place.length > 0 ? find_part(console, place.name, place.length) : 0;
    if (place.live) {
        enum MHD_Result result = answer_stream(console, connection, part);
        return result == MHD_YES ? result
                                 : refuse_request(console, connection, MHD_HTTP_SERVICE_UNAVAILABLE, path,
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
        visitor->since = drive_clock();
        visitor->streams = false;
    }
}

/// ---- connections ---------------------------------------------------------------------------------------------------

static void add_visitor(Console *console, struct MHD_Connection *connection, void **kept)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    for (int k = 0; k < GUARD_CONNECTIONS && info != NULL && *kept == NULL; k++) {
        if (!console->visitors[k].open) {
            console->visitors[k] = (ConsoleVisitor){true, info->connect_fd, drive_clock(), false};
            *kept = &console->visitors[k];
        }
    }
}

static void follow_connection(void *context, struct MHD_Connection *connection, void **kept,
                              enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *kept = NULL;
        add_visitor(context, connection, kept);
    } else if (*kept != NULL) {
        *(ConsoleVisitor *)*kept = (ConsoleVisitor){0};
        *kept = NULL;
    }
}

/// ---- turns of the server -------------------------------------------------------------------------------------------

/// Closes connections whose request has not arrived in time, also where a byte arrives now and then.
static void close_slow(Console *console)
{
    double now = drive_clock();
    int closed = 0;
    for (int k = 0; k < GUARD_CONNECTIONS; k++) {
        ConsoleVisitor *visitor = &console->visitors[k];
        if (visitor->open && !visitor->streams && now - visitor->since > LATE * console->patience) {
            shutdown(visitor->socket, SHUT_RDWR);
            visitor->since = now;
            closed++;
        }
    }
    if (closed > 0) {
        console_log(console, "closed %d that took more than %.3g s for a request", closed, LATE * console->patience);
    }
}

/// Returns when the bell was rung, a connection has come or can be sent more, or slow connections are due to be
/// checked. False: the console ends.
static bool wait_for_work(Console *console, int sockets)
{
    MHD_UNSIGNED_LONG_LONG soon;
    bool hurries = MHD_get_timeout(console->daemon, &soon) == MHD_YES && soon < LOOK_EVERY;
    struct pollfd places[] = {{console->bell, POLLIN, 0}, {sockets, POLLIN, 0}};
    poll(places, sizeof places / sizeof places[0], hurries ? (int)soon : LOOK_EVERY);
    eventfd_t rung;
    if ((places[0].revents & POLLIN) != 0) {
        eventfd_read(console->bell, &rung);
        wake_streams(console);
    }
    pthread_mutex_lock(&console->lock);
    bool ends = console->ends;
    pthread_mutex_unlock(&console->lock);
    return !ends;
}

/// The server's thread: returns when the console ends. context  the console
static void *run_server(void *context)
{
    Console *console = context;
    int sockets = MHD_get_daemon_info(console->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    pthread_setname_np(pthread_self(), "console");
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0}); // where it may not, it goes without
    while (wait_for_work(console, sockets)) {
        MHD_run(console->daemon);
        close_slow(console);
    }
    wake_streams(console); // they end
    MHD_run(console->daemon);
    return NULL;
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
    struct sockaddr_in bound; // the port stands at the same place in an address of IPv6
    memcpy(&bound, &place, sizeof bound);
    *port = ntohs(bound.sin_port);
    return opened;
}

static bool start_serving(Console *console, const char *address, Status *status)
{
    int opened = listen_on(address, &console->port, status);
    if (opened < 0) {
        return false;
    }
    console->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, take_request, console,
        MHD_OPTION_EXTERNAL_LOGGER, log_library, console, MHD_OPTION_LISTEN_SOCKET, opened, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, console, MHD_OPTION_NOTIFY_CONNECTION, follow_connection, console, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)GUARD_CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)GUARD_CONNECTIONS_EACH,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ceil(console->patience), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)GUARD_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, unescape_path, console,
        MHD_OPTION_END);
    if (console->daemon == NULL) {
        close(opened);
        return status_fail(status, STATUS_LACKING, "console: the server cannot start on %.60s, port %d", address,
                           console->port);
    }
    console->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    console->server_runs = console->bell >= 0 && pthread_create(&console->server, NULL, run_server, console) == 0;
    return console->server_runs || status_fail(status, STATUS_LACKING, "console: no thread could be started");
}

static void end_serving(Console *console)
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

static bool take_token(Console *console, const char *token, Status *status)
{
    if (token == NULL) {
        return random_hex(console->token, SECRET_BYTES, status);
    }
    if (!guard_token_is_one(token)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--console-token: %zu bytes were read; allowed are %d..%d letters, digits, - and _",
                           strlen(token), GUARD_TOKEN_LEAST, GUARD_TOKEN_MOST);
    }
    memcpy(console->token, token, strlen(token) + 1);
    return true;
}

/// What is served, and who takes the orders.
static bool take_pages(Console *console, const ConsoleParams *params, Status *status)
{
    console->kinds[CONSOLE_OWN].page = params->page != NULL ? params->page : &console_page;
    console->kinds[CONSOLE_PARTS].page = params->part_page;
    console->take = params->take;
    console->take_context = params->take_context;
    console->body = params->take != NULL ? params->body : CONSOLE_BODY;
    console->part_most = 1 + params->parts;
    console->parts = calloc((size_t)console->part_most, sizeof *console->parts);
    console->part_count = 1;
    return console->parts != NULL || status_fail(status, STATUS_LACKING, "out of memory for the console");
}

static bool start_console(Console *console, const ConsoleParams *params, Status *status)
{
    const char *address = params->address != NULL ? params->address : "127.0.0.1";
    if (params->port < 0 || params->port > 65535) {
        return status_fail(status, STATUS_BAD_USAGE, "--console: %d was read; allowed is 0..65535", params->port);
    }
    console->port = params->port;
    console->patience = params->patience > 0.0 ? params->patience : GUARD_SECONDS;
    console->loopback = guard_is_loopback(address);
    console->takes_faults = params->takes_faults;
    console->takes_scenes = params->takes_scenes;
    console->log = params->log != NULL ? params->log : write_to_stderr;
    console->log_context = params->log_context;
    if (!take_pages(console, params, status) || !take_token(console, params->token, status) ||
        !random_hex(console->ticket, SECRET_BYTES, status) || !read_files(console, params->folder, status) ||
        !start_serving(console, address, status)) {
        return false;
    }
    bool six = strchr(address, ':') != NULL;
    snprintf(console->url, sizeof console->url, "http://%s%s%s:%d/#%s", six ? "[" : "", address, six ? "]" : "",
             console->port, console->token);
    return true;
}

Console *console_start(const ConsoleParams *params, Status *status)
{
    Console *console = calloc(1, sizeof *console);
    if (console == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the console");
        return NULL;
    }
    pthread_mutex_init(&console->lock, NULL);
    console->bell = -1;
    console->queue.ring.most = CONSOLE_QUEUE;
    if (!start_console(console, params, status)) {
        console_stop(console);
        return NULL;
    }
    return console;
}

void console_stop(Console *console)
{
    if (console == NULL) {
        return;
    }
    end_serving(console);
    for (int part = 0; console->parts != NULL && part < console->part_count; part++) {
        for (int k = 0; k < CONSOLE_CHANNELS_MOST; k++) {
            release_event(console->parts[part].newest[k].event);
        }
    }
    free(console->parts);
    for (int k = 0; k < CONSOLE_DOCUMENTS_MOST; k++) {
        free(console->documents[k].bytes);
    }
    for (int kind = 0; kind < CONSOLE_KINDS; kind++) {
        for (int k = 0; k < CONSOLE_FILES_MOST; k++) {
            free(console->kinds[kind].files[k].bytes);
        }
    }
    pthread_mutex_destroy(&console->lock);
    free(console);
}

const char *console_url(const Console *console)
{
    return console->url;
}

int console_port(const Console *console)
{
    return console->port;
}
