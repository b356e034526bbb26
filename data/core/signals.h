/// Ends a command on request: Ctrl-C (SIGINT), kill (SIGTERM) or a terminal that is closed (SIGHUP).
/// This is the only place of the program that changes what a signal does.
///
/// A command that takes the signals (signals_take) promises to ask signals_stop_asked at least once a tick, and to end
/// in good order when it says so: recording closed, figures printed. Every other command is ended by the signal itself.
///
/// - The first signal only notes its number. Calls that wait (write into a pipe without a reader, read, poll, sleep)
///   come back with EINTR, for handlers are set without SA_RESTART; as the signal may come just before such a call, it
///   is interrupted again each SIGNALS_NUDGE until the program has ended.
/// - A second one ends the program at once by its default action, so that a shell sees 128 + number. One that follows
///   the first within SIGNALS_SAME belongs to it (timeout(1) sends each twice), and so does a SIGHUP that follows one
///   within SIGNALS_SAME_HANGUP: a shell passes on what its terminal tells the program, too.
/// - A SIGHUP that was ignored when the program began stays ignored: nohup(1) asks for that. SIGINT and SIGTERM are
///   always taken; of a shell script's background jobs, which begin with SIGINT ignored, from here on.
/// - SIGPIPE is ignored: a write to a reader that has gone fails (EPIPE).
/// - A handler runs on the thread that took the signals and calls async-signal-safe functions alone; on any other
///   thread it passes the signal on to that one. The handlers' state is the program's only changeable global: a handler
///   is given nothing else.
#ifndef SPADEWORK_DATA_SIGNALS_H
#define SPADEWORK_DATA_SIGNALS_H

#include <spawn.h>
#include <stdbool.h>

#include "data/core/status.h"

#define SIGNALS_NUDGE       0.5 ///< s. Chosen: a slow reader has that long for each of the last writes
#define SIGNALS_SAME        0.25 ///< s. Chosen: shorter than a deliberate second Ctrl-C takes
#define SIGNALS_SAME_HANGUP 2.0 ///< s. Chosen: a shell that ends with its terminal has passed it on by then

/// Takes the signals on the calling thread, which asks from then on. May be nested: the first call counts.
void signals_take(void);
/// Ends one signals_take; the last one puts back what the signals did before. A stop that was asked for stays so.
void signals_release(void);

/// True once one of the signals has come; it never becomes false again. Any thread.
bool signals_stop_asked(void);
/// True while no stop was asked for. Else false, with `status` (STATUS_STOPPED): "R.spade: ended by SIGTERM before it
/// was done". Any thread. what  that is not done, for the line
bool signals_go_on(const char *what, Status *status);
/// Ends the process by the signal that asked to stop, as if nobody had taken it. Does not return. Main thread; only
/// when signals_stop_asked, and when all files are closed: nothing is flushed.
_Noreturn void signals_end(void);

/// In a child made by fork: all signals do what they do by default, and no stop is asked for.
void signals_in_child(void);
/// Lets a program that is started (posix_spawn) begin with the default actions of signals that this one ignores.
void signals_for_program(posix_spawnattr_t *attributes);
/// Lets a write over a file size limit fail (EFBIG) instead of ending the program (SIGXFSZ).
void signals_ignore_size_limit(void);

#endif
