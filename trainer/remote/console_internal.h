/// What the files of the console share.
#ifndef SPADEWORK_TRAINER_CONSOLE_INTERNAL_H
#define SPADEWORK_TRAINER_CONSOLE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include <microhttpd.h>

#include "data/core/data_files.h"
#include "trainer/remote/console.h"
#include "trainer/remote/console_guard.h"

enum { CONSOLE_FILE_MOST = 1 << 18 };

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

/// A text that was published, as the event that every page gets: "event: NAME", "data: TEXT", an empty line. Whoever
/// sends it holds it, and so does its place among the newest; the last of them frees it.
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

enum { CONSOLE_TICKET = 33 }; ///< bytes with the NUL

/// A page with what is published to it.
typedef struct ConsolePart {
    char name[CONSOLE_NAME]; ///< of the one at /: ""
    ConsoleNewest newest[CONSOLE_CHANNELS_MOST];
    int lookers; ///< streams of it
} ConsolePart;

/// A connection while it is open. The server's thread alone.
typedef struct ConsoleVisitor {
    bool open;
    int socket;
    double since; ///< s, of console_clock: when its present request began
    bool streams; ///< it looks on, which may take as long as it likes
} ConsoleVisitor;

/// A page that looks on. The server's thread alone.
typedef struct ConsoleStream {
    Console *console; ///< NULL: this one is free
    struct MHD_Connection *connection;
    int part; ///< that it looks on at
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
    char station[64];
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
    double asked[CONSOLE_DOCUMENTS_MOST]; ///< console_clock: when somebody last asked for it; 0: nobody
    ConsoleCommand queue[CONSOLE_QUEUE];
    int first, waiting; ///< of the queue
    GuardRate lines; ///< of lines of the log
    int lines_lost; ///< since the last line
};

/// s that never go back.
double console_clock(void);
/// Puts an order at the end of the queue; false when it is full.
bool console_queue(Console *console, const ConsoleCommand *command);
/// Reads the pages' files, or fills `status`.
/// folder  where their folders are; NULL: the shipped data
bool console_read_files(Console *console, const char *folder, Status *status);
/// The kind of a part's page.
static inline const ConsoleKind *console_kind(const Console *console, int part)
{
    return &console->kinds[part > 0 ? CONSOLE_PARTS : CONSOLE_OWN];
}
/// A part by its name of `length` letters; -1: there is none.
int console_find_part(Console *console, const char *name, size_t length);

/// The newest event of a channel, held; NULL: nothing yet. Any thread.
ConsoleEvent *console_hold_newest(Console *console, int part, int channel);
/// Lets go of an event, and frees it where nobody else holds it. NULL is nothing. Any thread.
void console_release(ConsoleEvent *event);

/// Starts and ends the server's thread.
bool console_serve(Console *console, const char *address, Status *status);
void console_end_serving(Console *console);

// What follows runs on the server's thread.

/// The thread itself: returns when the console ends. context  the console
void *console_take_turns(void *context);
/// Answers with a stream of what is published to a part. MHD_NO: memory is short, or too many look on.
enum MHD_Result console_answer_stream(Console *console, struct MHD_Connection *connection, int part);
/// Wakes whoever sleeps.
void console_wake_streams(Console *console);
/// The document at a path behind the page's own; -1: none, or the ticket is not the one.
int console_find_document(const Console *console, const char *path);
/// Answers with a document; with 404 where nothing is offered.
enum MHD_Result console_answer_document(Console *console, struct MHD_Connection *connection, int document);
/// Adds the headers that every answer has.
/// policy  what the browser lets it do
void console_add_policy_headers(struct MHD_Response *response, const char *type, const char *policy);
/// The same with the policy of the page.
void console_add_headers(struct MHD_Response *response, const char *type);

#endif
