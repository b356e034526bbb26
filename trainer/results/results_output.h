/// Attempts as text for people and for other programs. Any thread that has the results open.
#ifndef SPADEWORK_TRAINER_RESULTS_OUTPUT_H
#define SPADEWORK_TRAINER_RESULTS_OUTPUT_H

#include <stdio.h>

#include "data/schema/scene_params.h"
#include "trainer/results/results_store.h"

typedef enum ResultsFormat {
    RESULTS_TABLE, ///< lines for people
    RESULTS_CSV, ///< a row an attempt, a column a metric (RFC 4180)
    RESULTS_JSON, ///< an array of objects with metrics and score rows
    RESULTS_XAPI, ///< an array of statements of the Experience API 1.0.3
} ResultsFormat;

/// How a statement names who and where.
#define RESULTS_HOME_PAGE "https://localhost/spadework"

/// Writes the attempts that fit the filter, in order of time. False with `status` when they cannot be read; whether
/// they could be written stands in `file`.
/// home_page  of the actors' accounts in statements, "" or NULL: RESULTS_HOME_PAGE
bool results_print(Results *results, const ResultFilter *filter, ResultsFormat format, const char *home_page,
                   FILE *file, Status *status);

/// Draws a trainee's points over his attempts, a panel a scene, beside the mean of his classes' attempts of the same
/// number and the best that an expert drove without a trainee's name, into a file that is not there yet: SVG or PNG, by
/// its ending. False with `status`: STATUS_BAD_USAGE for another ending, a name without attempts; STATUS_LACKING.
/// course  its exercises alone, in its order, driven or not, with the points that open the next one; NULL: all that
///         was driven
bool results_draw_progress(Results *results, const char *trainee, const CourseParams *course, const char *path,
                           Status *status);

/// Writes a class with its trainees and all their attempts as JSON into a file that is not there yet; recordings are
/// named by their hash alone. False with `status`.
bool results_export_class(Results *results, const char *class_name, const char *path, Status *status);
/// What came in.
typedef struct ResultsImport {
    char class_name[RESULT_NAME];
    int trainees, attempts; ///< members; attempts that are new
    int known; ///< attempts that were there already
    int left_out; ///< attempts of people who were deleted here after they had begun
    int gone; ///< people who were deleted here and stay so
    char gone_name[RESULT_NAME]; ///< the first of them; ""
} ResultsImport;
/// Reads such a file: all of it or nothing. False with `status` (STATUS_BAD_FILE) with the place, what was read and
/// what is allowed.
/// restore  people who were deleted here come back with what they drove before; false: they stay deleted
bool results_import_class(Results *results, const char *path, bool restore, ResultsImport *import, Status *status);

#endif
