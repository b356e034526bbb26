/// Writes failures as one line of text; see status.h.
#include "data/core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void status_make_plain(char *text, bool keep_lines)
{
    for (unsigned char *at = (unsigned char *)text; *at != '\0'; at++) {
        bool c1 = *at == 0xc2U && at[1] >= 0x80U && at[1] <= 0x9fU;
        if ((*at < 0x20U && !(keep_lines && *at == '\n')) || *at == 0x7fU || c1) {
            *at = '?';
        }
        if (c1) {
            at[1] = '?';
        }
    }
}

void status_copy_text(char *to, size_t room, const char *text)
{
    static const char more[] = "\xe2\x80\xa6";
    size_t length = strlen(text);
    if (length < room) {
        memcpy(to, text, length + 1);
        return;
    }
    length = room - sizeof more;
    while (length > 0 && ((unsigned char)text[length] & 0xc0U) == 0x80U) { // amid a letter
        length--;
    }
    memcpy(to, text, length);
    memcpy(to + length, more, sizeof more);
}

bool status_fail(Status *status, StatusCode code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status->code = code;
    vsnprintf(status->text, sizeof status->text, format, arguments);
    va_end(arguments);
    status_make_plain(status->text, true);
    return false;
}

bool status_good(Status *status)
{
    status->code = STATUS_GOOD;
    status->text[0] = '\0';
    return true;
}
