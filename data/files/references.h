/// Finds, reads and lists data files, and loads those that another file names, from the disk or among the files that a
/// recording kept. Internal to data/.
#ifndef SPADEWORK_DATA_REFERENCES_H
#define SPADEWORK_DATA_REFERENCES_H

#include "data/core/data_files.h"
#include "data/files/key_table.h"

/// ---- files ---------------------------------------------------------------------------------------------------------

/// The name of a reference: its last part without .yaml or .obj. False when it does not fit or holds odd characters.
bool reference_name(const DataSchema *schema, const char *reference, char *name, size_t size, Status *status);

/// Where a reference leads. `beside` is the file that refers (relative paths start in its folder) or NULL. False, with
/// those there are in the status, when a name has no file.
bool reference_path(const DataSchema *schema, const char *reference, const char *beside, char path[DATA_PATH_LENGTH],
                    Status *status);

/// True of a path that ends like files of a kind, in letters of any size.
bool extension_is_of(const DataSchema *schema, const char *path);

/// Reads a whole regular file of at most DOCUMENT_MAX_SIZE bytes. The text is malloc'd, NUL-terminated, without byte
/// order mark, and the caller's.
bool file_read(const char *path, char **text, size_t *size, Status *status);

/// Lists the shipped files of a kind, sorted by name, behind them the shared ones and the user's, so far as no file
/// before them has their name. Returns how many were written (at most `capacity`), or -1 with the status filled.
int files_list(const DataSchema *schema, DataListEntry *entries, int capacity, Status *status);

/// ---- references ----------------------------------------------------------------------------------------------------

/// Where referred files come from: the disk (beside the scene's file), or texts that were kept.
typedef struct ReferenceSource {
    const DataFiles *kept; ///< or NULL
    const char *beside; ///< path of the scene's file, or NULL
    DataFiles *files; ///< takes every text read, or NULL
} ReferenceSource;

/// What a reference leads to.
typedef struct ReferenceFound {
    char name[64];
    char label[DATA_PATH_LENGTH]; ///< for errors
    const char *text;
    size_t size; ///< bytes
    char *own_text; ///< the same text when it was read from the disk, to be given to the source's files or freed
} ReferenceFound;

/// Finds what `reference` names on the disk, as far as its name and label, which is its path.
bool reference_locate(const DataSchema *schema, const char *reference, const ReferenceSource *source,
                      ReferenceFound *found, Status *status);
/// Finds and reads what `reference` names. On success reference_keep takes over.
bool reference_find(const DataSchema *schema, const char *reference, const ReferenceSource *source,
                    ReferenceFound *found, Status *status);
/// Gives the text to the source's files when it was `good`, else frees it. False when it was not, or they are full.
bool reference_keep(const DataSchema *schema, const ReferenceSource *source, ReferenceFound *found, bool good,
                    Status *status);
/// Loads what `reference` names, a YAML file, into `params`.
bool reference_load(const DataSchema *schema, const char *reference, const ReferenceSource *source, void *params,
                    Status *status);

#endif
