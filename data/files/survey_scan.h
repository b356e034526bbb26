/// What readers of survey files have in common: which surfaces are wanted, and who takes them.
///
/// Readers hand over one surface after another, as triangles in metres, x east and y north.
#ifndef SPADEWORK_DATA_SURVEY_SCAN_H
#define SPADEWORK_DATA_SURVEY_SCAN_H

#include <stdbool.h>
#include <stdio.h>

#include "data/core/status.h"
#include "data/core/survey_info.h"
#include "data/files/tin.h"

#define SURVEY_FARTHEST 1e8 ///< largest coordinate allowed, in units of the file

/// A rectangle of the survey, m.
typedef struct SurveyCrop {
    double east, north; ///< its middle
    double length, width; ///< along east, along north
    const char *called; ///< by errors: "the crop"
} SurveyCrop;

/// Takes a surface that is not finished (tin_finish), m; `began`: where it begins in the file. The reader frees it.
/// False with `status` ends the reading.
typedef bool SurveyTake(void *context, const char *name, Tin *tin, TinPlace began, Status *status);

/// Takes what a surface holds that is too large to be handed over: without loops.
typedef bool SurveyMeasure(void *context, const SurveySurface *surface, TinPlace began, Status *status);

/// Which surfaces are wanted: the file's only one, that of a name, or one after another all of them.
typedef enum SurveyChoice { SURVEY_ONLY, SURVEY_NAMED, SURVEY_ALL } SurveyChoice;

/// What is wanted of a file, and who takes it.
typedef struct SurveyWish {
    SurveyChoice choice;
    const char *name; ///< of SURVEY_NAMED
    const SurveyCrop *crop; ///< or NULL; readers may leave out what lies beyond it
    double longest_edge; ///< m: of triangles between points; 0: by the distances of the points
    SurveyTake *take;
    SurveyMeasure *measure; ///< or NULL: surfaces that are too large are refused
    void *context;
} SurveyWish;

/// Reads a file of any size, piece by piece: one a format. `unit`: [SURVEY_NAME_LENGTH].
typedef bool SurveyScan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status);

/// The sides of a crop, m: low and high, east and north.
void survey_crop_sides(const SurveyCrop *crop, double low[2], double high[2]);

/// Fails because a surface, which reaches from `low` to `high` (m), has nothing within a crop.
bool survey_fail_crop(const char *label, TinPlace began, const SurveyCrop *crop, const double low[2],
                      const double high[2], Status *status);

/// Fails when a surface of a name is wanted of a format whose only surface has none; `what` names the format.
bool survey_check_unnamed(const char *label, const SurveyWish *wish, const char *what, Status *status);

#endif
