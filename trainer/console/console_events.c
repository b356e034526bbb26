/// Server-sent events: each page that looks on gets the newest of every channel, and sleeps until there is another. A
/// page that reads slowly skips what was newer in between; one that reads nothing is closed by the server's time limit.
#include "trainer/console/console_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Puts the next event into the stream's bytes; false when nothing is new. With the lock held.
static bool take_news(ConsoleStream *stream)
{
    const ConsolePage *page = console_kind(stream->console, stream->part)->page;
    for (int k = 0; k < page->channel_count; k++) {
        const ConsoleText *text = &stream->console->parts[stream->part].texts[k];
        if (text->version == stream->sent[k]) {
            continue;
        }
        char *bytes = realloc(stream->bytes, text->size + 64);
        if (bytes == NULL) {
            return false;
        }
        size_t head = (size_t)snprintf(bytes, 64, "event: %s\ndata: ", page->channels[k]);
        memcpy(bytes + head, text->bytes, text->size);
        bytes[head + text->size] = bytes[head + text->size + 1] = '\n';
        stream->bytes = bytes;
        stream->size = head + text->size + 2;
        stream->done = 0;
        stream->sent[k] = text->version;
        return true;
    }
    return false;
}

/// Fills `buffer` with what is to be sent; sleeps where there is nothing.
static ssize_t send_news(void *context, uint64_t position, char *buffer, size_t most)
{
    (void)position;
    ConsoleStream *stream = context;
    Console *console = stream->console;
    pthread_mutex_lock(&console->lock);
    ssize_t given = 0;
    if (console->ends) {
        given = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (stream->done < stream->size || take_news(stream)) {
        size_t left = stream->size - stream->done, now = left < most ? left : most;
        memcpy(buffer, stream->bytes + stream->done, now);
        stream->done += now;
        given = (ssize_t)now;
    } else {
        stream->sleeps = true;
        MHD_suspend_connection(stream->connection);
    }
    pthread_mutex_unlock(&console->lock);
    return given;
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

static void end_stream(void *context)
{
    ConsoleStream *stream = context;
    Console *console = stream->console;
    pthread_mutex_lock(&console->lock);
    free(stream->bytes);
    console->parts[stream->part].lookers--;
    *stream = (ConsoleStream){0};
    pthread_mutex_unlock(&console->lock);
}

static ConsoleStream *reserve(Console *console, struct MHD_Connection *connection, int part)
{
    ConsoleStream *found = NULL;
    pthread_mutex_lock(&console->lock);
    for (int k = 0; k < GUARD_STREAMS && found == NULL; k++) {
        if (console->streams[k].console == NULL) {
            found = &console->streams[k];
            *found = (ConsoleStream){.console = console, .connection = connection, .part = part};
            console->parts[part].lookers++;
        }
    }
    pthread_mutex_unlock(&console->lock);
    return found;
}

/// Marks the connection as one that may take its time.
static void mark_visitor(Console *console, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    ConsoleVisitor *visitor = info != NULL ? info->socket_context : NULL;
    if (visitor != NULL) {
        pthread_mutex_lock(&console->lock);
        visitor->streams = true;
        pthread_mutex_unlock(&console->lock);
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
    mark_visitor(console, connection);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}
