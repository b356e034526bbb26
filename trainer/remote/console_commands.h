/// Orders of page, link and classroom: their names and values, the one reader of all of them, and the queue in which
/// they wait for the drive. Pure; any thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_COMMANDS_H
#define SPADEWORK_TRAINER_CONSOLE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "data/core/status.h"
#include "data/schema/schema.h"
#include "trainer/pilot/pilot.h"

/// Every order and the values that it takes, as a set of CONSOLE_TEXT_BIT and the like.
#define CONSOLE_COMMANDS(X)                                                                                            \
    X(FREEZE, freeze, 0) /* time stands still */                                                                       \
    X(CONTINUE, continue, 0) /* it continues */                                                                        \
    X(MARK, mark, CONSOLE_TEXT_BIT) /* a note in the recording */                                                      \
    X(MESSAGE, message, CONSOLE_TEXT_BIT) /* the same, and shown to who drives */                                      \
    X(END, end, 0) /* the drive ends in good order */                                                                  \
    X(RESTART, restart, 0) /* from the beginning, with a recording of its own */                                       \
    X(SNAPSHOT, snapshot, CONSOLE_TEXT_BIT) /* the moment is one to return to; text: what it is called, may be "" */   \
    X(RETURN, return, CONSOLE_VALUE_BIT) /* to a snapshot; value: its number, from 1 */                                \
    X(REWIND, rewind, CONSOLE_VALUE_BIT) /* to a moment that was recorded; value: s of the session */                  \
    X(FAULT, fault, CONSOLE_NAME_BIT | CONSOLE_PART_BIT | CONSOLE_VALUE_BIT) /* something breaks */                    \
    X(COMMENT, comment, CONSOLE_TEXT_BIT) /* on the attempt that was driven last; "" takes it away */                  \
    X(GRADE, grade, CONSOLE_TEXT_BIT) /* the same of its grade */                                                      \
    /* a scene by its name; text: the trainee, may be ""; part: the course, may be "" or absent; value: 1 where it */  \
    /* is to stand still at its beginning until `continue`, 0 or left out where it is not */                           \
    /* conditions: names of data/schema/conditions.h by condition, may be absent */                                    \
    X(LOAD, load, CONSOLE_NAME_BIT | CONSOLE_TEXT_BIT | CONSOLE_PART_BIT | CONSOLE_VALUE_BIT | CONSOLE_CONDITIONS_BIT)

typedef enum ConsoleCommandKind {
#define X(upper, lower, fields) CONSOLE_##upper,
    CONSOLE_COMMANDS(X)
#undef X
        CONSOLE_COMMAND_COUNT
} ConsoleCommandKind;
extern const char *const console_command_names[CONSOLE_COMMAND_COUNT]; ///< "freeze", ...

enum {
    CONSOLE_TEXT_BIT = 1,
    CONSOLE_NAME_BIT = 2,
    CONSOLE_PART_BIT = 4,
    CONSOLE_VALUE_BIT = 8,
    CONSOLE_CONDITIONS_BIT = 16
};
/// Bytes of UTF-8 with the NUL; of a body as it is sent.
enum { CONSOLE_TEXT = 91, CONSOLE_NAME = 64, CONSOLE_BODY = 2048 };

#define CONSOLE_VALUE_MOST 1e6

typedef struct ConsoleCommand {
    ConsoleCommandKind kind;
    char text[CONSOLE_TEXT]; ///< 1..90 bytes, without control characters; of load, snapshot, comment and grade 0..90
    char name[CONSOLE_NAME]; ///< 1..63 of A-Z, a-z, 0-9, -, _ and ., as files are named
    char part[CONSOLE_NAME]; ///< 0..63 of the same and spaces
    Conditions conditions; ///< each "" or as `name`; whether there is such a choice is found when it is obeyed
    double value; ///< 0..CONSOLE_VALUE_MOST, as the order says; of a fault in its unit; of load 0 or 1
} ConsoleCommand;

/// True for 1..CONSOLE_NAME-1 of the letters that files of scenes and courses are named with: A-Z, a-z, 0-9, -, _, .
bool console_name_is_file(const char *name);

/// Reads an order from an object of jansson: {"command": NAME, ...}. False with `status` (STATUS_BAD_FILE): which
/// field is wrong, what was read there and what is allowed. A value that the order does not take is refused, too.
bool console_command_read_object(json_t *object, ConsoleCommand *command, Status *status);
/// Reads a body of `size` bytes, at most `most`, as one object that the caller gives up. NULL with `status` as above.
json_t *console_command_parse(const char *body, size_t size, size_t most, Status *status);
/// Reads an order from a body of at most CONSOLE_BODY bytes. False with `status` as above.
bool console_command_read(const char *body, size_t size, ConsoleCommand *command, Status *status);

enum { CONSOLE_QUEUE = 32 };

/// An order that waits.
typedef struct ConsoleWaiting {
    ConsoleCommand command;
    int place; ///< number that its sender gave the order; the answer is returned under it
} ConsoleWaiting;

/// Orders that wait, the oldest first; its owner locks it.
typedef struct ConsoleQueue {
    OrderRing ring; ///< of at most CONSOLE_QUEUE
    ConsoleWaiting waiting[CONSOLE_QUEUE];
} ConsoleQueue;
bool console_queue_put(ConsoleQueue *queue, const ConsoleCommand *command, int place); ///< false when it is full
bool console_queue_take(ConsoleQueue *queue, ConsoleWaiting *oldest); ///< false when it is empty

#endif
