/// Texts for the page: a session's state, figure and ground, and lists to choose from. Reads the session and changes
/// nothing in it; the session's thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_STATE_H
#define SPADEWORK_TRAINER_CONSOLE_STATE_H

#include <stddef.h>

#include "trainer/record/record.h"
#include "trainer/remote/console_commands.h"
#include "trainer/sim/sim.h"

enum { CONSOLE_EVENTS = 14, CONSOLE_ORDERS = 6 };

/// An order that the page has sent.
typedef struct ConsoleOrder {
    double time; ///< s of the session
    const char *command; ///< its name
    const char *text; ///< what it said, or ""
    const ConsoleCommand *fault; ///< the order of a fault; NULL: it is none
} ConsoleOrder;

enum { CONSOLE_SNAPSHOTS = 32 };

/// A moment that one can return to.
typedef struct ConsoleSnapshot {
    double time; ///< s of the session
    const char *text; ///< what it is called, or ""
} ConsoleSnapshot;

/// What the session itself does not know. Strings are borrowed; NULL is "".
typedef struct ConsoleNotes {
    const char *phase; ///< "driving", "frozen", "waiting", "over"
    const char *station, *trainee, *driver; ///< names
    Credit credit; ///< what the drive counts as
    const char *recording; ///< file's name, without folders
    const char *debrief; ///< path of the debrief of the last drive, behind the page's own
    const char *picture; ///< path of the picture of what the operator sees
    double real_time; ///< simulated s per wall s
    int order_count; ///< 0..CONSOLE_ORDERS
    ConsoleOrder orders[CONSOLE_ORDERS]; ///< the newest last
    int snapshot_count; ///< 0..CONSOLE_SNAPSHOTS
    ConsoleSnapshot snapshots[CONSOLE_SNAPSHOTS]; ///< by their numbers, from 1
} ConsoleNotes;

/// Remembers the ground, so that what was cut and filled since is known. NULL when memory is short; the caller ends it
/// with console_view_destroy.
typedef struct ConsoleView ConsoleView;
ConsoleView *console_view_create(Session *session);
void console_view_destroy(ConsoleView *view); ///< NULL is nothing

/// Each returns one JSON text of `size` bytes without an end of line, that the caller frees; NULL when memory is short.
/// docs/console.md has their keys; all numbers are SI.
char *console_view_state(ConsoleView *view, Session *session, const ConsoleNotes *notes, size_t *size);
/// The ground around the machine, and the volumes of what was cut and filled, which later states tell, too.
char *console_view_ground(ConsoleView *view, Session *session, size_t *size);
/// The state of a place where nobody drives.
char *console_waiting_state(const ConsoleNotes *notes, size_t *size);

/// ---- choices -------------------------------------------------------------------------------------------------------

/// Lists for a station's page to choose from beside the scenes: courses, and trainees who have driven here before. They
/// are read on a thread of their own: where results are shared, a server that hangs delays that thread by seconds, and
/// no other.

/// The courses that can be read, with their scenes: a JSON list of {"name", "title", "scenes"} that the caller frees;
/// NULL when memory is short.
char *choices_courses(void);

typedef struct Choices Choices;

/// NULL: memory is short. The caller ends it with choices_close, on the same thread as all else.
/// results  file of results, or the address of a server; NULL: the user's own. Borrowed until then.
Choices *choices_open(const char *results);
/// Waits until what is being read is there or given up (RESULTS_PATIENCE_SERVER). NULL is nothing.
void choices_close(Choices *choices);

/// Begins to read. While something is being read, that is read to its end first. NULL is nothing.
void choices_ask(Choices *choices);
/// One JSON text of `size` bytes, that the caller frees, once for each time that something was read; else NULL. A
/// course or results that cannot be read are left out. NULL has nothing.
char *choices_take(Choices *choices, size_t *size);

#endif
