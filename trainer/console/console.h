/// The instructor's console: a small web server in the program, whose page shows a session as it goes and sends orders.
///
/// The console never touches a session. Whoever drives hands it texts (console_publish) and takes orders from it
/// (console_next), both from the drive's thread; everything that the network does happens on threads of the console's
/// own. Neither call waits for the network: each holds a lock for as long as it takes to swap a pointer or copy an
/// order.
#ifndef SPADEWORK_TRAINER_CONSOLE_H
#define SPADEWORK_TRAINER_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "trainer/console/console_commands.h"

enum { CONSOLE_URL = 256, CONSOLE_LOG_LINE = 240, CONSOLE_QUEUE = 32 };

/// Read by console_start; belongs to the caller.
typedef struct ConsoleParams {
    const char *address; ///< numeric address to listen on; NULL: "127.0.0.1", which only this computer reaches
    int port; ///< 0..65535; 0: one that is free
    const char *token; ///< that who asks must know: 16..64 letters, digits, - and _; NULL: a random one
    const char *station; ///< what this place is called on the page; NULL: ""
    bool takes_faults; ///< the order `fault` is taken
    bool takes_scenes; ///< the order `load` is taken
    double patience; ///< s that a request may take to arrive; 0: GUARD_SECONDS
    const char *folder; ///< of the page's files; NULL: console/ in the shipped data
    /// Gets one line, without its end, for each thing that was refused, from the console's threads; NULL: stderr.
    void (*log)(void *context, const char *line);
    void *log_context; ///< belongs to the caller, until console_stop has returned
} ConsoleParams;

typedef struct Console Console;

/// What is published. Each is one JSON text without an end of line; the newest counts.
typedef enum ConsoleChannel {
    CONSOLE_STATE, ///< what changes all the time
    CONSOLE_GROUND, ///< the ground around the machine, now and then
    CONSOLE_SCENES, ///< what may be loaded
    CONSOLE_CHANNELS
} ConsoleChannel;

/// Starts to listen. NULL with `status`: an address, port or token that is none (STATUS_BAD_USAGE); a file of the page
/// is missing, the port is taken, memory or threads are short (STATUS_LACKING). The caller ends it with console_stop.
Console *console_start(const ConsoleParams *params, Status *status);
/// Ends every connection, waits for the console's threads and frees it. NULL is nothing.
void console_stop(Console *console);

/// Address of the page with the token behind the #, which browsers keep to themselves. It belongs to the console.
const char *console_url(const Console *console);
/// The port that it listens on, 1..65535.
int console_port(const Console *console);

/// Hands on a text of `size` bytes, copied; nothing is published when memory is short. From the drive's thread.
void console_publish(Console *console, ConsoleChannel channel, const char *json, size_t size);
/// Takes the oldest order that waits, of at most CONSOLE_QUEUE. False when there is none. From the drive's thread.
bool console_next(Console *console, ConsoleCommand *command);

#endif
