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

/// Takes a surface that is not finished (tin_finish), m; `began`: where it begins in the file. The reader frees it.
/// False with `status` ends the reading.
typedef bool SurveyTake(void *context, const char *name, Tin *tin, TinPlace began, Status *status);

/// Which surfaces are wanted: the file's only one, that of a name, or one after another all of them.
typedef enum SurveyChoice { SURVEY_ONLY, SURVEY_NAMED, SURVEY_ALL } SurveyChoice;

/// What is wanted of a file, and who takes it.
typedef struct SurveyWish {
    SurveyChoice choice;
    const char *name; ///< of SURVEY_NAMED
    SurveyTake *take;
    void *context;
} SurveyWish;

/// Reads a file of any size, piece by piece: one a format. `unit`: [SURVEY_NAME_LENGTH].
typedef bool SurveyScan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status);

#endif
