/// Writes failures as one line of text; see status.h.
#include "data/core/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "data/core/visible_text.h"

void status_make_plain(char *text, bool keep_lines)
{
    visible_text_mask(text, keep_lines);
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
