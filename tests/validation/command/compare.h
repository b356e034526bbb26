/// The comparison of solvers: accuracy and what it costs.
#ifndef SPADEWORK_VALIDATION_COMPARE_H
#define SPADEWORK_VALIDATION_COMPARE_H

#include "tests/validation/harness/run.h"

/// Runs the experiments with every solver and prints accuracy, milliseconds and accuracy per millisecond. Returns the
/// exit code: 0, or 2 with `status`.
StatusCode compare_print(const RunRequest *request, const Experiment *const *experiments, int count, int seeds,
                         bool json, Status *status);

#endif
