/// Checks UTF-8 byte by byte (RFC 3629), and names that people enter.
#include "data/core/plain_text.h"

#include <errno.h>
#include <string.h>

#include "data/core/visible_text.h"

/// ---- UTF-8 ---------------------------------------------------------------------------------------------------------

/// Where a text is being read, and what is still wanted of a character of several bytes.
typedef struct TextState {
    int line, column; ///< of the next character
    int wanted; ///< bytes
    unsigned lead; ///< first byte of that character
    unsigned low, high; ///< what its next byte may be
} TextState;

static const TextState text_start = {.line = 1, .column = 1};

static bool begin_character(TextState *state, unsigned byte)
{
    state->lead = byte;
    state->low = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    state->high = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    state->wanted = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    return byte >= 0xc2 && byte <= 0xf4;
}

/// False at a byte that cannot stand there; `lead` is then the first of its character.
static bool take_byte(TextState *state, unsigned byte)
{
    if (state->wanted > 0) {
        if (byte < state->low || byte > state->high) {
            return false;
        }
        state->low = 0x80;
        state->high = 0xbf;
        if (--state->wanted > 0) {
            return true;
        }
    } else if (byte >= 0x80) {
        return begin_character(state, byte);
    } else if (byte == '\n') {
        state->line++;
        state->column = 0;
    }
    state->lead = byte;
    state->column++;
    return byte != 0;
}

static bool refuse(const char *label, const TextState *state, Status *status)
{
    if (state->lead == 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: read a NUL byte (0x00), allowed text (UTF-8)", label,
                           state->line, state->column - 1);
    }
    return status_fail(status, STATUS_BAD_FILE,
                       "%s:%d:%d: read the byte 0x%02X, which is no character, allowed text (UTF-8)", label,
                       state->line, state->column, state->lead);
}

bool plain_text_check(const char *label, const char *text, size_t size, Status *status)
{
    TextState state = text_start;
    for (size_t k = 0; k < size; k++) {
        if (!take_byte(&state, (unsigned char)text[k])) {
            return refuse(label, &state, status);
        }
    }
    return state.wanted == 0 || refuse(label, &state, status);
}

bool plain_text_check_file(const char *label, FILE *file, Status *status)
{
    TextState state = text_start;
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        if (!take_byte(&state, (unsigned)byte)) {
            return refuse(label, &state, status);
        }
    }
    if (ferror(file) != 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", label, strerror(errno));
    }
    rewind(file);
    return state.wanted == 0 || refuse(label, &state, status);
}

void plain_text_place(const char *text, size_t at, int *line, int *column)
{
    TextState state = text_start;
    for (size_t k = 0; k < at && take_byte(&state, (unsigned char)text[k]); k++) {
    }
    *line = state.line;
    *column = state.column;
}

/// ---- names ---------------------------------------------------------------------------------------------------------

bool visible_name_check(const char *what, const char *name, size_t most, Status *status)
{
    size_t length = strlen(name), at = 0;
    char shown[48];
    visible_text_show(name, false, shown, sizeof shown);
    if (length == 0 || length > most) {
        return status_fail(status, STATUS_BAD_USAGE, "%s \"%s\": read %zu bytes, allowed 1..%zu", what, shown, length,
                           most);
    }
    VisibleFault fault = visible_text_fault(name, length, false, &at);
    return fault == VISIBLE_GOOD ||
           status_fail(status, STATUS_BAD_USAGE,
                       "%s \"%s\": read %s, allowed are letters without control characters and directions", what, shown,
                       visible_text_words(name, at, fault).text);
}
