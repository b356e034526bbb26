/// Says what is wrong with a name.
#include "data/core/visible_name.h"

#include <string.h>

#include "data/core/visible_text.h"

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
