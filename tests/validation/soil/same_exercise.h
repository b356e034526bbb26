/// The part of `validate run same` that drives whole exercises.
#ifndef SPADEWORK_VALIDATION_SAME_EXERCISE_H
#define SPADEWORK_VALIDATION_SAME_EXERCISE_H

#include "tests/validation/harness/experiment.h"

/// True when an option with the choice "all" asks for `name`.
bool same_is_chosen(Run *run, const char *key, const char *name);
/// Drives the exercises that the options `exercise`, `driven`, `drives` and `seconds` ask for. False with run_fail.
bool same_run_exercises(Run *run);

#endif
