/// Whether bytes are text, before any reader of a format looks at them: UTF-8 without NUL. A file of another encoding
/// (Latin-1, UTF-16) or a picture under a text's name is then told alike by all of them. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_PLAIN_TEXT_H
#define SPADEWORK_DATA_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "data/core/status.h"

/// True when `text` [size] is UTF-8 (RFC 3629: no overlong form, no surrogate, none above U+10FFFF) without a NUL.
/// Else `status` (STATUS_BAD_FILE) says "LABEL:LINE:COLUMN: ", the byte that was read and what is allowed; columns
/// count characters from 1.
bool plain_text_check(const char *label, const char *text, size_t size, Status *status);

/// The same of an open file from its present place on; it stands at its beginning afterwards. False, too, when it
/// cannot be read.
bool plain_text_check_file(const char *label, FILE *file, Status *status);

/// Line and column of a byte, as above.
void plain_text_place(const char *text, size_t at, int *line, int *column);

#endif
