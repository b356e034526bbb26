/// What the files of the console share.
#ifndef SPADEWORK_TRAINER_CONSOLE_INTERNAL_H
#define SPADEWORK_TRAINER_CONSOLE_INTERNAL_H

#include <pthread.h>
#include <stdint.h>

#include <microhttpd.h>

#include "data/data_files.h"
#include "trainer/console/console.h"
#include "trainer/console/console_guard.h"

enum { CONSOLE_FILES = 7, CONSOLE_FILE_MOST = 1 << 18 };

/// A file of the page, read once at the start.
typedef struct ConsoleFile {
    const char *path; ///< under which it is asked for
    const char *name; ///< in the folder
    const char *type; ///< media type
    char *bytes; ///< [size], owned
    size_t size; ///< bytes
} ConsoleFile;

/// A published text.
typedef struct ConsoleText {
    char *bytes; ///< [size], owned; NULL: nothing yet
    size_t size; ///< bytes
    uint64_t version; ///< 0: nothing yet
} ConsoleText;

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
    uint64_t sent[CONSOLE_CHANNELS]; ///< versions
    char *bytes; ///< [size], owned: what is being sent
    size_t size, done; ///< bytes
    bool sleeps; ///< until something is published
} ConsoleStream;

struct Console {
    int port;
    double patience; ///< s that a request may take to arrive
    bool loopback, takes_faults, takes_scenes;
    char token[GUARD_TOKEN_MOST + 1];
    char station[64];
    char url[CONSOLE_URL];
    void (*log)(void *context, const char *line);
    void *log_context;
    ConsoleFile files[CONSOLE_FILES];
    struct MHD_Daemon *daemon;
    pthread_t waker; ///< wakes streams, and closes whoever takes too long
    bool waker_runs;

    pthread_mutex_t lock; ///< of all that follows
    pthread_cond_t news; ///< something was published, or the console ends
    bool ends, has_news;
    ConsoleText texts[CONSOLE_CHANNELS];
    ConsoleCommand queue[CONSOLE_QUEUE];
    int first, waiting; ///< of the queue
    ConsoleVisitor visitors[GUARD_CONNECTIONS];
    ConsoleStream streams[GUARD_STREAMS];
    GuardRate orders, lines; ///< of orders taken, of lines of the log
    int lines_lost; ///< since the last line
};

/// s that never go back.
double console_clock(void);
/// Tells one line of the log (printf), cleaned of control characters; lines that come too fast are counted.
void console_log(Console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Puts an order at the end of the queue; false when it is full.
bool console_queue(Console *console, const ConsoleCommand *command);
/// Reads the page's files, or fills `status`.
bool console_read_files(Console *console, const char *folder, Status *status);

/// Starts and ends the server's threads.
bool console_serve(Console *console, const char *address, Status *status);
void console_end_serving(Console *console);

/// Answers with a stream of what is published. MHD_NO: memory is short.
enum MHD_Result console_answer_stream(Console *console, struct MHD_Connection *connection);
/// Wakes whoever sleeps. With the lock held.
void console_wake_streams(Console *console);
/// Adds the headers that every answer has.
void console_add_headers(struct MHD_Response *response, const char *type);

#endif
