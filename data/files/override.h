/// `--set KEY=VALUE`: one value of a YAML text replaced, everything else (comments, lines) kept. Internal to data/.
#ifndef SPADEWORK_DATA_OVERRIDE_H
#define SPADEWORK_DATA_OVERRIDE_H

#include "data/core/status.h"
#include "data/files/document.h"

/// Applies one KEY=VALUE to an open document, whose text is then its own (`own_text`). A key that is missing is added
/// to its mapping, which must exist; whether it may stand there is for the schema to say. On failure the document stays
/// as it was, and the error names the argument.
bool override_apply(Document *document, const char *set, Status *status);

/// True when the text of a failure speaks of the key of a --set, or of something that holds it.
bool override_is_told_of(const char *set, const char *text);

#endif
