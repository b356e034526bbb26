/// What one file names in another: found, read and kept. Internal to data/.
#ifndef SPADEWORK_DATA_REFERENCES_H
#define SPADEWORK_DATA_REFERENCES_H

#include "data/core/data_files.h"
#include "data/files/key_table.h"

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
