/// Escapes text for HTML.
#ifndef SPADEWORK_DATA_HTML_H
#define SPADEWORK_DATA_HTML_H

#include <stdio.h>

/// Writes text from files and people so that nothing in it is markup; control bytes become spaces. Any thread.
/// text  UTF-8
static inline void html_put(FILE *file, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        switch (*c) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\'':
            fputs("&#39;", file);
            break;
        default:
            fputc(*c < 0x20 || *c == 0x7f ? ' ' : *c, file);
        }
    }
}

#endif
