/// The report: one HTML file with every measured curve over its law, or the tables alone as Markdown (NAME.md).
#ifndef SPADEWORK_VALIDATION_REPORT_H
#define SPADEWORK_VALIDATION_REPORT_H

#include "tests/validation/command/saved.h"

/// Runs the experiments with every solver and `seeds` seeds from the request's on (0: three, in the quick form one) and
/// writes the report. `saved` results, where there are some, are reported as `measured`, which is then not run. Returns
/// the exit code: 0, 3 when the default solver misses a tolerance, 1 or 2 with `status`.
StatusCode report_write(const char *path, const RunRequest *request, const Experiment *const *experiments, int count,
                        int seeds, const SavedRuns *saved, Status *status);

#endif
