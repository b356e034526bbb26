/// Breaks a text into lines that fit, which are shown one after the other; a line that goes on ends with an ellipsis.
#include "trainer/app/message.h"

#include <stdio.h>
#include <string.h>

#define LINE_TIME 3.5 ///< s that each line of a longer text is shown. Chosen

void message_say(Message *message, const char *text)
{
    snprintf(message->text, sizeof message->text, "%s", text);
    message->age = 0.0;
    int length = (int)strlen(message->text), lines = length / MESSAGE_LINE + 1;
    int most = lines > 1 ? length / lines + 4 : MESSAGE_LINE; // lines of equal length rather than a last word alone
    char *line = message->text, *space = NULL;
    for (char *p = message->text; *p != '\0'; p++) {
        if (*p == ' ') {
            space = p;
        }
        if (p - line >= most && space > line) {
            *space = '\n';
            line = space + 1;
        }
    }
}

const char *message_line(Message *message)
{
    const char *start = message->text;
    for (int skip = (int)(message->age / LINE_TIME); skip > 0 && start != NULL; skip--) {
        start = strchr(start, '\n');
        start = start != NULL ? start + 1 : NULL;
    }
    if (start == NULL || start[0] == '\0') {
        return NULL;
    }
    size_t length = strcspn(start, "\n");
    snprintf(message->line, sizeof message->line, "%.*s%s", (int)length, start, start[length] != '\0' ? " \u2026" : "");
    return message->line;
}
