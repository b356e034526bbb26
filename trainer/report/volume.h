/// Volumes between two surfaces of survey files, and the as-built page of them: a table and a map of cut and fill.
///
/// Both surfaces are read at the middles of square cells (data/files/survey.h); where both have a height, a cell counts
/// with their difference, later less earlier.
#ifndef SPADEWORK_TRAINER_VOLUME_H
#define SPADEWORK_TRAINER_VOLUME_H

#include <stdbool.h>

#include "data/core/status.h"
#include "data/schema/settings_params.h"

#define VOLUME_LEAST_CELL 0.01 ///< m
#define VOLUME_MOST_CELL  10.0 ///< m

typedef struct VolumeRequest {
    /// Survey files; "FILE#SURFACE" where a file has several surfaces.
    const char *from, *to;
    double cell; ///< m, VOLUME_LEAST_CELL..VOLUME_MOST_CELL; 0: a 500th of the longer side, rounded
    double tolerance; ///< m, above 0: within it a cell counts as equal
} VolumeRequest;

/// A place where the surfaces differ most.
typedef struct VolumePlace {
    double change, east, north; ///< m
} VolumePlace;

typedef struct Volume {
    double cell; ///< m
    double east, north; ///< m: the lower left corner of cell (0, 0)
    int rows, columns;
    float *change; ///< [rows][columns], m; NaN: one of the surfaces has no height there
    double area; ///< m2 that both have
    double cut, fill; ///< m3
    double equal; ///< m2 within the tolerance
    VolumePlace lowest, highest;
} Volume;

/// Compares two surfaces; on success the caller ends with volume_free. False with `status`: a file is bad or has many
/// surfaces, the two have nothing in common (STATUS_BAD_FILE), there would be too many cells (STATUS_BAD_USAGE), or
/// memory lacks.
bool volume_compare(const VolumeRequest *request, Volume *volume, Status *status);
void volume_free(Volume *volume);

/// Writes the page, by the path's ending as PDF, SVG or PNG, in the reader's language and units. False with `status`:
/// another ending (STATUS_BAD_USAGE), another kind of file is there, or it cannot be written (STATUS_LACKING).
bool volume_write(const Volume *volume, const VolumeRequest *request, const char *path, TextUnits units,
                  Status *status);

#endif
