/// Checks that files are text (UTF-8, RFC 3629) and that names which people enter may be used.
#include "data/core/plain_text.h"

#include <errno.h>
#include <string.h>

#include "data/core/visible_text.h"

/// ---- UTF-8 ---------------------------------------------------------------------------------------------------------

/// Where a text is being read.
typedef struct TextState {
    int line, column; ///< of the next character, from 1
} TextState;

static const TextState text_start = {.line = 1, .column = 1};

/// Passes a character; false with the place kept where it is none, or a NUL.
static bool pass_letter(TextState *state, VisibleLetter letter)
{
    if (letter.fault == VISIBLE_NOT_TEXT || letter.code == 0) {
        return false;
    }
    state->line += letter.code == '\n';
    state->column = letter.code == '\n' ? 1 : state->column + 1;
    return true;
}

static bool refuse_letter(const char *label, TextState state, VisibleLetter letter, Status *status)
{
    if (letter.code == 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: read a NUL byte (0x00), allowed text (UTF-8)", label,
                           state.line, state.column);
    }
    return status_fail(status, STATUS_BAD_FILE,
                       "%s:%d:%d: read the byte 0x%02X, which is no character, allowed text (UTF-8)", label, state.line,
                       state.column, letter.code);
}

bool plain_text_check(const char *label, const char *text, size_t size, Status *status)
{
    TextState state = text_start;
    for (size_t k = 0; k < size;) {
        VisibleLetter letter = visible_text_letter(text + k, size - k, true);
        if (!pass_letter(&state, letter)) {
            return refuse_letter(label, state, letter, status);
        }
        k += (size_t)letter.length;
    }
    return true;
}

bool plain_text_check_file(const char *label, FILE *file, Status *status)
{
    TextState state = text_start;
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        char bytes[4] = {(char)byte};
        size_t size = 1, length = (size_t)visible_text_length((unsigned)byte);
        while (size < length && (byte = getc(file)) != EOF) {
            bytes[size++] = (char)byte;
        }
        VisibleLetter letter = visible_text_letter(bytes, size, true);
        if (ferror(file) == 0 && !pass_letter(&state, letter)) {
            return refuse_letter(label, state, letter, status);
        }
    }
    if (ferror(file) != 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", label, strerror(errno));
    }
    rewind(file);
    return true;
}

void plain_text_place(const char *text, size_t at, int *line, int *column)
{
    TextState state = text_start;
    for (size_t k = 0; k < at;) {
        VisibleLetter letter = visible_text_letter(text + k, at - k, true);
        if (!pass_letter(&state, letter)) {
            break;
        }
        k += (size_t)letter.length;
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
