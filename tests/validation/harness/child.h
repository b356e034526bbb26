/// Runs in a process of their own: a crash costs one run and not the report.
#ifndef SPADEWORK_VALIDATION_CHILD_H
#define SPADEWORK_VALIDATION_CHILD_H

#include "tests/validation/harness/run.h"

/// Runs an experiment in a child process. Returns the object of results_to_json with its plots, to which "seconds"
/// (wall clock) is added; or {"name", "solver", "seed", "failure": TEXT, "pass": false} when it could not be done.
json_t *child_run(const RunRequest *request);

/// Solvers an experiment is run with: all, or only the default when it compares the published ones among themselves.
int solver_count_for(const Experiment *experiment);

#endif
