/// Finding and reading data files. Internal to data/.
#ifndef SPADEWORK_DATA_FILES_H
#define SPADEWORK_DATA_FILES_H

#include "data/read/key_table.h"
#include "data/load.h"

/// Schema of a folder ("scenes") or NULL.
const DataSchema *schema_of_folder(const char *folder);
/// Schema of a kind ("scene") or NULL.
const DataSchema *schema_of_kind(const char *kind);

/// True when a reference is a path (holds '/' or ends as files of its kind do), false when it is a name under data/.
bool reference_is_path(const DataSchema *schema, const char *reference);

/// The name of a reference: its last part without .yaml or .obj. False when it does not fit or holds odd characters.
bool reference_name(const DataSchema *schema, const char *reference, char *name, size_t size, Status *status);

/// Where a reference leads. `beside` is the file that refers (relative paths start in its folder) or NULL.
bool reference_path(const DataSchema *schema, const char *reference, const char *beside, char path[DATA_PATH_LENGTH],
                    Status *status);

/// Reads a whole regular text file of at most 1 MiB. The text is malloc'd, NUL-terminated, without byte order mark.
bool file_read(const char *path, char **text, size_t *size, Status *status);

/// Adds a text to the set, which takes it over (also on failure, when it is freed). `files` NULL frees the text.
bool files_add(DataFiles *files, const DataSchema *schema, const char *name, char *text, size_t size, Status *status);
const DataFile *files_find(const DataFiles *files, const char *folder, const char *name);

#endif
