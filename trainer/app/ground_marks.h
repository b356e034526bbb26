/// Marks that tracks, teeth and blades leave on the ground, for the picture alone: nothing of them reaches the session.
#ifndef SPADEWORK_TRAINER_GROUND_MARKS_H
#define SPADEWORK_TRAINER_GROUND_MARKS_H

#include "render/render.h"

/// A rectangle that something passes over the ground in: a belt, or an edge between two moments.
typedef struct GroundTread {
    RenderTraceKind kind;
    Pose frame; ///< x along the way, its origin on the ground in the middle
    double length, width; ///< m
    double low, high; ///< m along z: ground between them has been touched
    double pitch; ///< m from one bar or tooth to the next
    double run; ///< m that the belt has run
} GroundTread;

/// Zero-initialise; owned by the caller, freed by ground_marks_free.
typedef struct GroundMarks {
    int rows, columns;
    uint32_t *mark; ///< [rows][columns] of render_mark
    float *height; ///< m, [rows][columns]: of the ground when it was marked
    int row_min, row_max, column_min, column_max; ///< what has changed since ground_marks_show
} GroundMarks;
void ground_marks_free(GroundMarks *own);
/// Nothing is marked any more.
void ground_marks_clear(GroundMarks *own, int rows, int columns);

/// Marks the columns under a tread whose ground it touches.
void ground_marks_press(GroundMarks *own, const RenderGrid *site, const GroundTread *tread);
/// Fades marks where the ground was dug or covered since, until none is left, and shows the others in `site`, whose
/// dirty rectangle is widened to what has changed.
void ground_marks_show(GroundMarks *own, RenderGrid *site);

#endif
