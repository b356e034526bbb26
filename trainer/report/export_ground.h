/// Writes the ground of a moment of a recording for survey programs (data/files/survey_grid.h): the ground with the
/// grains that lie on it, the ground at the start, the design, or one of its layers.
#ifndef SPADEWORK_TRAINER_EXPORT_GROUND_H
#define SPADEWORK_TRAINER_EXPORT_GROUND_H

#include <stdbool.h>

#include "data/core/data_files.h"
#include "data/core/status.h"
#include "data/schema/schema.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum { GROUNDS_MOST = 16 };

/// Heights that can be asked for.
typedef enum GroundPart {
    GROUND_SURFACE, ///< with grains laid down where they are, but for those that a tool carries or that are in trays
    GROUND_START, ///< the same at the exercise's first tick
    GROUND_DESIGN, ///< what the exercise asks for; no height where it asks for nothing
    GROUND_FIRM, ///< the highest ground that is intact
    GROUND_SOIL, ///< the top of the highest layer of a soil; no height where a column has none of it
} GroundPart;

/// A file that is asked for.
typedef struct GroundShot {
    char path[DATA_PATH_LENGTH]; ///< its ending is the format (survey_format_of)
    double time; ///< s of simulated time
    GroundPart part;
    char soil[SOIL_NAME_LENGTH]; ///< of GROUND_SOIL, by the name of its file
    bool on_site; ///< in the site's own coordinates, also where it has a survey
} GroundShot;

/// What was written.
typedef struct GroundWritten {
    int rows, columns;
    double below, above; ///< m3 between it and the ground at the start, over the columns that have both
} GroundWritten;

/// Writes what a session's present state and its start show. `heights` is the start: [rows][columns] of the site's
/// grid, m (export_ground_start). False with `status`: another kind of file is there already, a soil that the scene has
/// not, no design, a format that cannot hold it (STATUS_BAD_USAGE), or it cannot be written (STATUS_LACKING).
bool export_ground(Session *session, const float *start, const GroundShot *shot, GroundWritten *written,
                   Status *status);

/// Fails as export_ground does before anything is replayed, where that can be known from the scene alone.
bool export_ground_check(const Session *session, const GroundShot *shot, Status *status);

/// The heights at a recording's start, which the caller frees; NULL with `status`.
float *export_ground_start(Recording *recording, int threads, Status *status);

#endif
