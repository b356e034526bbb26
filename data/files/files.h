/// Finding, reading and listing data files. Internal to data/.
#ifndef SPADEWORK_DATA_FILES_H
#define SPADEWORK_DATA_FILES_H

#include "data/core/data_files.h"
#include "data/files/key_table.h"

/// The name of a reference: its last part without .yaml or .obj. False when it does not fit or holds odd characters.
bool reference_name(const DataSchema *schema, const char *reference, char *name, size_t size, Status *status);

/// Where a reference leads. `beside` is the file that refers (relative paths start in its folder) or NULL. False, with
/// those there are in the status, when a name has no file.
bool reference_path(const DataSchema *schema, const char *reference, const char *beside, char path[DATA_PATH_LENGTH],
                    Status *status);

/// Reads a whole regular file of at most DOCUMENT_MAX_SIZE bytes. The text is malloc'd, NUL-terminated, without byte
/// order mark, and the caller's.
bool file_read(const char *path, char **text, size_t *size, Status *status);

/// Lists the shipped files of a kind, sorted by name, and behind them the user's, so far as no shipped one has their
/// name. Returns how many were written (at most `capacity`), or -1 with
/// the status filled.
int files_list(const DataSchema *schema, DataListEntry *entries, int capacity, Status *status);

#endif
