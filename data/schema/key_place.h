/// Where a key stands in a file, for faults that are found when what the file says is built. Any thread.
#ifndef SPADEWORK_DATA_KEY_PLACE_H
#define SPADEWORK_DATA_KEY_PLACE_H

#include <stdbool.h>

#include "data/core/status.h"
#include "data/core/data_files.h"

enum { KEY_PLACE_LENGTH = 96 }; ///< bytes of a key

/// Writes `FILE:LINE:COLUMN: TEXT` with the place of a dotted key, of its nearest parent where it is missing, or
/// without a place where the file cannot be read, into the status (STATUS_BAD_FILE). Returns false.
bool key_place_fail(const char *file, const char *key, const char *text, Status *status);

/// The same of a file as it was loaded (a scene: after --set); one that a recording kept is called "kept KIND/NAME".
bool key_place_fail_in(const DataFile *file, const char *key, const char *text, Status *status);

/// The same of a failure whose text begins with its key; only of STATUS_BAD_FILE, other failures stay what they are.
/// `file` NULL: without a place.
bool key_place_text(const DataFile *file, Status *status);

/// True when a loaded file has the key.
bool key_place_has(const DataFile *file, const char *key);

/// Copies the dotted key that a text begins with ("machine.x: read ...", "fixtures.0 (wall): ..."); "" when it begins
/// with none.
void key_place_of_text(const char *text, char key[KEY_PLACE_LENGTH]);

#endif
