/// What the files of the console share.
#ifndef SPADEWORK_TRAINER_CONSOLE_INTERNAL_H
#define SPADEWORK_TRAINER_CONSOLE_INTERNAL_H

#include <pthread.h>
#include <stdint.h>

#include <microhttpd.h>

#include "data/data_files.h"
#include "trainer/console/console.h"
#include "trainer/console/console_guard.h"

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

/// A published text.
typedef struct ConsoleText {
    char *bytes; ///< [size], owned; NULL: nothing yet
    size_t size; ///< bytes
    uint64_t version; ///< 0: nothing yet
} ConsoleText;

enum { CONSOLE_TICKET = 33 }; ///< bytes with the NUL

/// A page with what is published to it.
typedef struct ConsolePart {
    char name[CONSOLE_NAME]; ///< of the one at /: ""
    ConsoleText texts[CONSOLE_CHANNELS_MOST];
    int lookers; ///< streams of it
} ConsolePart;

/// A connection while it is open.
typedef struct ConsoleVisitor {
    bool open;
    int socket;
    double since; ///< s, of console_clock: when its present request began
    bool streams; ///< it looks on, which may take as long as it likes
} ConsoleVisitor;

/// A page that looks on.
typedef struct ConsoleStream {
    Console *console; ///< NULL: this one is free
    struct MHD_Connection *connection;
    int part; ///< that it looks on at
    uint64_t sent[CONSOLE_CHANNELS_MOST]; ///< versions
    char *bytes; ///< [size], owned: what is being sent
    size_t size, done; ///< bytes
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
    pthread_t waker; ///< wakes streams, and closes whoever takes too long
    bool waker_runs;

    pthread_mutex_t lock; ///< of all that follows
    pthread_cond_t news; ///< something was published, or the console ends
    bool ends, has_news;
    ConsolePart *parts; ///< [part_most], owned; 0: the page at /
    int part_count;
    ConsoleText documents[CONSOLE_DOCUMENTS_MOST]; ///< of the page at /
    double asked[CONSOLE_DOCUMENTS_MOST]; ///< console_clock: when somebody last asked for it; 0: nobody
    ConsoleCommand queue[CONSOLE_QUEUE];
    int first, waiting; ///< of the queue
    ConsoleVisitor visitors[GUARD_CONNECTIONS];
    ConsoleStream streams[GUARD_STREAMS];
    GuardRate orders, lines; ///< of orders taken, of lines of the log
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

/// Starts and ends the server's threads.
bool console_serve(Console *console, const char *address, Status *status);
void console_end_serving(Console *console);

/// Answers with a stream of what is published to a part. MHD_NO: memory is short, or too many look on.
enum MHD_Result console_answer_stream(Console *console, struct MHD_Connection *connection, int part);
/// Wakes whoever sleeps. With the lock held.
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
