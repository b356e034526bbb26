/// A line of JSON as it is written, for what has many numbers: jansson takes 2,500 instructions for one, this 60. Any
/// thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_LINE_H
#define SPADEWORK_TRAINER_CONSOLE_LINE_H

#include <stddef.h>

/// Begins as {0}. The caller frees `bytes`.
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

#endif
