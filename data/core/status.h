/// Failures of the outside world (a file, a device, a disk): a code and one line of text; and lists of them. Our own
/// bugs are asserts instead.
#ifndef SPADEWORK_DATA_STATUS_H
#define SPADEWORK_DATA_STATUS_H

#include <stdbool.h>
#include <stddef.h>

/// What a command ends with; these numbers are the program's exit codes.
typedef enum StatusCode {
    STATUS_GOOD = 0, ///< all is well
    STATUS_BAD_FILE = 1, ///< an input file is wrong
    STATUS_BAD_USAGE = 2, ///< the command line is wrong
    STATUS_NOT_VERIFIED = 3, ///< a verification failed
    STATUS_LACKING = 4, ///< the computer lacks something: a display, a device, disk space
    STATUS_STOPPED = 5, ///< ended by a signal before it was done; the program then ends by that signal: 128 + number
} StatusCode;

/// One failure: its kind and one line that says where, what was read and what is allowed or to be done.
typedef struct Status {
    StatusCode code;
    char text[1024];
} Status;

/// Writes a failure (printf style; longer text is cut; bytes that may not be shown become question marks) into
/// `status` and returns false, so that a caller can `return status_fail(...)`. `status` may not be NULL.
bool status_fail(Status *status, StatusCode code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Sets `status` to good and returns true.
bool status_good(Status *status);

/// Copies a UTF-8 text into `to` [room], 4 bytes or more; a longer one is cut between characters and ends with "…".
void status_copy_text(char *to, size_t room, const char *text);

/// ---- findings ------------------------------------------------------------------------------------------------------

/// What checking a file finds: all its faults, and warnings about values that are allowed but cannot work.

enum { FINDINGS_MOST = 64 };

typedef struct Finding {
    bool warning; ///< else a fault: the file is refused
    char text[1024]; ///< file:line:column: key: what was read, what is allowed
} Finding;

/// Zero-initialise; belongs to one thread at a time.
typedef struct Findings {
    int count; ///< 0..FINDINGS_MOST, in the order in which they were found
    int beyond; ///< found when the list was full, and not kept
    int faults; ///< of all that were found
    Finding list[FINDINGS_MOST];
} Findings;

/// Adds one; a text that is known already is left out.
void findings_add(Findings *findings, bool warning, const char *text);

#endif
