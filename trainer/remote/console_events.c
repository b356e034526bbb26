/// Server-sent events: each page that looks on gets the newest of every channel, and sleeps until there is another. A
/// page that reads slowly skips what was newer in between; one that reads nothing is closed by the server's time limit.
#include "trainer/remote/console_internal.h"

#include <string.h>

/// True when there is something to send: the rest of an event, or the next one.
static bool take_news(ConsoleStream *stream)
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
    console_release(stream->event);
    stream->event = NULL;
}

static bool has_ended(Console *console)
{
    pthread_mutex_lock(&console->lock);
    bool ends = console->ends;
    pthread_mutex_unlock(&console->lock);
    return ends;
}

/// Fills `buffer` with all that is to be sent; sleeps where there is nothing. What is published meanwhile rings the
/// bell, which is looked at after this.
static ssize_t send_news(void *context, uint64_t position, char *buffer, size_t most)
{
    (void)position;
    ConsoleStream *stream = context;
    size_t given = 0;
    if (has_ended(stream->console)) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    while (given < most && take_news(stream)) {
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

void console_wake_streams(Console *console)
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

static ConsoleStream *reserve(Console *console, struct MHD_Connection *connection, int part)
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

enum MHD_Result console_answer_stream(Console *console, struct MHD_Connection *connection, int part)
{
    ConsoleStream *stream = reserve(console, connection, part);
    if (stream == NULL) {
        return MHD_NO;
    }
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1 << 15, send_news, stream, end_stream);
    if (response == NULL) {
        end_stream(stream);
        return MHD_NO;
    }
    console_add_headers(response, "text/event-stream; charset=utf-8");
    mark_visitor(connection);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}
