/// Text inside HTML.
#ifndef SPADEWORK_DATA_HTML_H
#define SPADEWORK_DATA_HTML_H

#include <stdio.h>

/// Writes text from files and people so that nothing in it is markup; control bytes become spaces. Any thread.
/// text  UTF-8
void html_put(FILE *file, const char *text);

#endif
