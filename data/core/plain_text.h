/// Checks of text that comes into the program: whether a file is text at all, and whether a name may be used.
///
/// Text is UTF-8 without NUL. Every reader of a format checks its file here first, so that a file of another encoding
/// (Latin-1, UTF-16) or a picture under a text's name gives the same error everywhere. Names of trainees, classes,
/// courses and stations come in by the command line, the window or a file. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_PLAIN_TEXT_H
#define SPADEWORK_DATA_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "data/core/status.h"

/// ---- text files ----------------------------------------------------------------------------------------------------

/// True when `text` [size] is UTF-8 (RFC 3629: no overlong form, no surrogate, none above U+10FFFF) without a NUL.
/// Else `status` (STATUS_BAD_FILE) says "LABEL:LINE:COLUMN: ", the byte that was read and what is allowed; columns
/// count characters from 1.
bool plain_text_check(const char *label, const char *text, size_t size, Status *status);

/// The same of an open file from its present place on; it stands at its beginning afterwards. False, too, when it
/// cannot be read.
bool plain_text_check_file(const char *label, FILE *file, Status *status);

/// Line and column of a byte, as above.
void plain_text_place(const char *text, size_t at, int *line, int *column);

/// ---- names ---------------------------------------------------------------------------------------------------------

/// True for a name: 1..most bytes of one line without a fault. Else `status` (STATUS_BAD_USAGE) says what was read and
/// what is allowed; `what` is the name's name ("--trainee").
bool visible_name_check(const char *what, const char *name, size_t most, Status *status);

#endif
