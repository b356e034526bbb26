/// A text as the survey file that readers are given.
#ifndef SPADEWORK_TESTS_SURVEY_TEXT_H
#define SPADEWORK_TESTS_SURVEY_TEXT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "data/files/survey.h"
#include "tests/support/test.h"

/// The caller closes it.
static inline FILE *survey_text_open(const char *text)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    return file;
}

static inline bool survey_text_check(const char *label, const char *text, Findings *findings, SurveyInfo *info,
                                     Status *status)
{
    FILE *file = survey_text_open(text);
    *info = (SurveyInfo){.format = NULL};
    bool good = survey_check(label, file, findings, info, status);
    fclose(file);
    return good;
}

/// A text is refused with a line that says so.
static inline void survey_text_refused(const char *text, const char *says)
{
    Status status;
    SurveyInfo info;
    if (survey_text_check("t", text, NULL, &info, &status)) {
        fail_msg("accepted where \"%s\" is expected", says);
    }
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_contains(status.text, says);
    assert_null(strchr(status.text, '\n'));
}

static inline bool tin_has_point(const Tin *tin, double x, double y, double z)
{
    bool found = false;
    for (int k = 0; k < tin->point_count; k++) {
        const double *p = tin->points[k];
        found = found || (fabs(p[0] - x) < 1e-4 && fabs(p[1] - y) < 1e-4 && fabs(p[2] - z) < 1e-4);
    }
    return found;
}

/// What a scene keeps of a file; the caller frees the text. NULL with `status`.
static inline char *survey_text_reduce(const char *label, const char *text, const char *name, const SurveyCrop *crop,
                                       size_t *size, Status *status)
{
    char *kept = NULL, left_out[SURVEY_LEFT_OUT];
    FILE *file = survey_text_open(text);
    bool good = survey_reduce(label, file, name, crop, 0.0, &kept, size, left_out, status);
    fclose(file);
    assert_true(!good || left_out[0] == '\0');
    return good ? kept : NULL;
}

#endif
