/// Formats failures as one line of text, and collects them.
#include "data/core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/core/visible_text.h"

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
    snprintf(to, room, "%.*s%s", (int)length, text, more);
}

bool status_fail(Status *status, StatusCode code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status->code = code;
    vsnprintf(status->text, sizeof status->text, format, arguments);
    va_end(arguments);
    visible_text_mask(status->text, true);
    return false;
}

bool status_good(Status *status)
{
    status->code = STATUS_GOOD;
    status->text[0] = '\0';
    return true;
}

/// ---- findings ------------------------------------------------------------------------------------------------------

void findings_add(Findings *findings, bool warning, const char *text)
{
    for (int k = 0; k < findings->count; k++) {
        if (strcmp(findings->list[k].text, text) == 0) {
            return;
        }
    }
    findings->faults += !warning;
    if (findings->count == FINDINGS_MOST) {
        findings->beyond++;
        return;
    }
    Finding *finding = &findings->list[findings->count++];
    finding->warning = warning;
    snprintf(finding->text, sizeof finding->text, "%s", text);
}
