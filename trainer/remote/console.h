/// The instructor's console: a small web server in the program, whose page shows a running session and sends orders.
///
/// The console never touches a session. The drive's thread hands it texts (console_publish) and takes orders from it
/// (console_next); all network work happens on a thread of the console's own. Neither call waits for the network: each
/// holds a lock for as long as it takes to swap a pointer or copy an order.
#ifndef SPADEWORK_TRAINER_CONSOLE_H
#define SPADEWORK_TRAINER_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "trainer/remote/console_commands.h"

/// ---- pages: what they are made of; constant ------------------------------------------------------------------------

enum { CONSOLE_FILES_MOST = 12, CONSOLE_CHANNELS_MOST = 5, CONSOLE_DOCUMENTS_MOST = 2 };

/// A file of a page, read once at the start.
typedef struct ConsoleFileRow {
    const char *path; ///< behind the page's own: "", "console.js"
    const char *name; ///< below the shipped data: "console/console.js"
    const char *type; ///< media type
} ConsoleFileRow;

/// Something that a browser opens by its address, which holds a ticket in the place of the token.
typedef struct ConsoleDocumentRow {
    const char *path; ///< behind `offered/TICKET/`
    const char *type; ///< media type
    const char *policy; ///< what it may do: a Content-Security-Policy
} ConsoleDocumentRow;

typedef struct ConsolePage {
    int file_count; ///< 1..CONSOLE_FILES_MOST
    ConsoleFileRow files[CONSOLE_FILES_MOST];
    int channel_count; ///< 1..CONSOLE_CHANNELS_MOST
    const char
        *channels[CONSOLE_CHANNELS_MOST]; ///< name of the events, and path of the newest text behind the page's own
    int document_count; ///< 0..CONSOLE_DOCUMENTS_MOST; of the page at / alone
    ConsoleDocumentRow documents[CONSOLE_DOCUMENTS_MOST];
} ConsolePage;

/// What is published to the console's page. The newest of each counts.
typedef enum ConsoleChannel {
    CONSOLE_STATE, ///< what changes all the time
    CONSOLE_GROUND, ///< the ground around the machine, now and then
    CONSOLE_SCENES, ///< what may be loaded
    CONSOLE_ANSWERS, ///< how the last orders went, where that is known only later
    CONSOLE_CHOICES, ///< courses and trainees
    CONSOLE_CHANNELS
} ConsoleChannel;

/// What the console's page offers.
typedef enum ConsoleDocument {
    CONSOLE_DEBRIEF, ///< of the last drive that was recorded
    CONSOLE_PICTURE, ///< what the operator sees
    CONSOLE_DOCUMENTS
} ConsoleDocument;

/// The page of one drive: data/console/.
extern const ConsolePage console_page;

/// ---- the server ----------------------------------------------------------------------------------------------------

enum { CONSOLE_URL = 256, CONSOLE_LOG_LINE = 240, CONSOLE_ACCEPTED = 128 };

/// Takes the body of an order, [size] bytes, in the place of the console's own queue: on the console's thread,
/// and must not wait. Returns the code of HTTP: 202, with one JSON object in `accepted`, which the page gets; else a
/// refusal with `status`.
/// part  of the page that sent it, see console_part
typedef unsigned ConsoleTake(void *context, int part, const char *body, size_t size, char accepted[CONSOLE_ACCEPTED],
                             Status *status);

/// Read by console_start; belongs to the caller.
typedef struct ConsoleParams {
    const char *address; ///< numeric address to listen on; NULL: "127.0.0.1", which only this computer reaches
    int port; ///< 0..65535; 0: one that is free
    const char *token; ///< that who asks must know: 16..64 letters, digits, - and _; NULL: a random one
    bool takes_faults; ///< the order `fault` is taken
    bool takes_scenes; ///< the order `load` is taken
    double patience; ///< s that a request may take to arrive; 0: GUARD_SECONDS
    const char *folder; ///< where the folders of the pages' files are; NULL: the shipped data
    const ConsolePage *page; ///< what is at /; NULL: console_page. Constant
    const ConsolePage *part_page; ///< what is at /station/NAME/ of each part; NULL: there are no parts. Constant
    int parts; ///< at most, without the page at /
    ConsoleTake *take; ///< gets every order; NULL: console_next does, and none is longer than CONSOLE_BODY
    void *take_context; ///< belongs to the caller, until console_stop has returned
    size_t body; ///< bytes that an order may have, where there is `take`
    /// Gets one line, without its end, for each thing that was refused, from the console's thread; NULL: stderr.
    void (*log)(void *context, const char *line);
    void *log_context; ///< belongs to the caller, until console_stop has returned
} ConsoleParams;

#define CONSOLE_INTEREST 4.0 ///< s

typedef struct Console Console;

/// Starts to listen. NULL with `status`: an address, port or token that is none (STATUS_BAD_USAGE); a file of the page
/// is missing, the port is taken, memory or threads are short (STATUS_LACKING). The caller ends it with console_stop.
Console *console_start(const ConsoleParams *params, Status *status);
/// Ends every connection, waits for the console's thread and frees it. NULL is nothing.
void console_stop(Console *console);

/// Address of the page with the token behind the #, which browsers keep to themselves. It belongs to the console.
const char *console_url(const Console *console);
/// The port that it listens on, 1..65535.
int console_port(const Console *console);

/// Hands on a text of `size` bytes, copied, at the page at /; nothing is published when memory is short. Each is one
/// JSON text without an end of line. From the drive's thread.
/// channel  of the page: its place in ConsolePage, for console_page a ConsoleChannel
void console_publish(Console *console, int channel, const char *json, size_t size);
/// True when this is the text that was published last at the page at /.
bool console_is_newest(Console *console, int channel, const char *json, size_t size);
/// Offers a document of `size` bytes, copied, at the page at /, in the place of the one before; 0: there is none any
/// more.
/// document  its place in ConsolePage, for console_page a ConsoleDocument
void console_offer(Console *console, int document, const char *bytes, size_t size);
/// True when a document was asked for in the last CONSOLE_INTEREST s. Any thread.
bool console_is_wanted(Console *console, int document);
/// 32 hexadecimal digits that stand in the address of each document; who knows them may read those. The console's.
const char *console_ticket(const Console *console);
/// Takes the oldest order that waits, of at most CONSOLE_QUEUE. False when there is none. From the drive's thread.
bool console_next(Console *console, ConsoleCommand *command);

/// Adds a part with a page of its own, from the drive's thread: its number from 1 up, or 0 when ConsoleParams.parts are
/// there.
/// name  1..40 of a-z, 0-9, - and _; of no other part
int console_part(Console *console, const char *name);
/// Gives a part's place to another one, whose page has nothing yet; while its page is open the last texts stay until
/// there are others.
void console_rename_part(Console *console, int part, const char *name);
/// As console_publish, at the page of a part (0: the one at /).
void console_publish_part(Console *console, int part, int channel, const char *json, size_t size);
/// How many open pages a part has.
int console_lookers(Console *console, int part);

/// Logs one line (printf), cleaned of control characters; lines that come too fast are counted. Any thread.
void console_log(Console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
