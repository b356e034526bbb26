/// Guards files against being overwritten: an output replaces an older file of its own kind only, and never a file that
/// is read, so that a typing mistake destroys no scene or recording. Any thread; no state.
#ifndef SPADEWORK_TRAINER_OUTPUT_FILE_H
#define SPADEWORK_TRAINER_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

typedef enum OutputKind {
    OUTPUT_TELEMETRY,
    OUTPUT_PICTURE,
    OUTPUT_VIDEO,
    OUTPUT_EVENTS,
    OUTPUT_HTML,
    OUTPUT_PDF,
    OUTPUT_SVG,
    OUTPUT_GLTF,
    OUTPUT_MCAP,
    OUTPUT_HDF5,
    OUTPUT_GEOTIFF,
    OUTPUT_ASCII_GRID,
    OUTPUT_LANDXML,
    OUTPUT_DXF,
    OUTPUT_POINTS
} OutputKind;

/// True when nothing is at `path`, or an empty file, a device, the program's own output into a pipe (/dev/stdout), or
/// an older file of the same kind (by its first bytes). Else `status` (STATUS_LACKING) says what is there. NULL is
/// fine.
bool output_may_replace(const char *path, OutputKind kind, Status *status);

/// True when a name with something before it ends so (".pdf"), in letters of any size.
bool output_ends_in(const char *path, const char *ending);

/// Makes a folder, or takes an empty one: files of another export would get mixed up with its own. Else `status`
/// (STATUS_LACKING) says what is there.
bool output_make_folder(const char *path, Status *status);

/// True when both paths lead to one file: by their text, by links or by another spelling ("./a", "b/../a"). False when
/// either is NULL. A path where nothing is yet is compared by its text alone.
bool output_is_same_file(const char *a, const char *b);

/// Writes a path beside `path` where nothing is yet into `numbered` [size]: "dig.spade" -> "dig-2.spade",
/// "dig-3.spade", ...
void output_number_path(const char *path, char *numbered, size_t size);

#endif
