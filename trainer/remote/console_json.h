/// Writers and readers of JSON that page, link and classroom share. Any thread, each object on one at a time.
#ifndef SPADEWORK_TRAINER_CONSOLE_JSON_H
#define SPADEWORK_TRAINER_CONSOLE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "data/core/status.h"
#include "trainer/sim/sim.h"

/// Sets a text; NULL is "", and bytes that are no UTF-8, which have no place in JSON, are "?".
void console_json_set(json_t *object, const char *key, const char *text);
/// Writes an object as one line that the caller frees, and gives the object up. NULL: memory is short, or `object` is
/// NULL.
/// digits  of a number at most; 0: as many as it takes to read the same number again
/// size    bytes of the line, out; may be NULL
char *console_json_write(json_t *object, size_t digits, size_t *size);

/// Refuses a value; returns false with `status` (STATUS_BAD_FILE): "FIELD: VALUE was read; allowed is ALLOWED".
/// value  NULL: "nothing" was read
/// most   bytes of the value that are shown
bool console_json_refuse(const char *field, const json_t *value, int most, const char *allowed, Status *status);
/// Reads one object, in which no key comes twice, that the caller gives up. NULL with `status` (STATUS_BAD_FILE), which
/// calls it `what`.
/// most   bytes that it may have
/// shown  as `most` of console_json_refuse
json_t *console_json_read(const char *what, const char *bytes, size_t size, size_t most, int shown, Status *status);

/// A line of JSON as it is written, for texts of many numbers: jansson takes 2,500 instructions for one, this 60.
/// Begins as {0}; the caller frees `bytes`.
typedef struct ConsoleLine {
    char *bytes; ///< [size], without a NUL; NULL: nothing yet, or memory is short and nothing more is added
    size_t size, room; ///< bytes; SIZE_MAX room: memory is short
} ConsoleLine;

/// Adds a text as it stands.
void console_line_add(ConsoleLine *line, const char *text);
/// Adds a text as a string of JSON. text  UTF-8
void console_line_add_string(ConsoleLine *line, const char *text);
/// Adds a number and a comma, rounded to `decimals` (0..3), without zeros behind its last digit.
/// value  beyond 1e9 either way it is that
void console_line_add_number(ConsoleLine *line, double value, int decimals);
/// Takes back the last byte where it is a comma: behind the last of a list.
void console_line_end_list(ConsoleLine *line);
/// Ends the line with a NUL, which `size` leaves out, and returns its bytes, which the caller frees; NULL: memory was
/// short.
char *console_line_finish(ConsoleLine *line, size_t *size);

/// Adds an event, for the page and for the broker of a classroom: as data, and beside it in the station's language.
///
/// Adds `kind`, `form` ("" of a kind that has one), `part` and `thing` ({"kind", "index", "name"}; left out where there
/// is none), `numbers` (those that the kind carries, in SI), `text` (what somebody typed; left out where nobody did),
/// and for people `title` and `detail`.
/// scene  with its texts in the station's language
void console_event_add(json_t *object, const ExerciseEvent *event, const SceneExercise *scene);

/// The levers that the machine has, to a thousandth: {NAME: -1..1, ...}. The caller gives it up.
json_t *console_levers(const MachineParams *params, const OperatorControls *controls);

#endif
