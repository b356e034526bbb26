/// Reading and printing of an experiment's options.
#ifndef SPADEWORK_VALIDATION_OPTIONS_H
#define SPADEWORK_VALIDATION_OPTIONS_H

#include <stdio.h>

#include "tests/validation/harness/run.h"

/// A finite decimal number and nothing else: no spaces, no hexadecimal, no nan, no inf.
bool read_number(const char *text, double *value);
/// A whole number in decimal digits, at most `high`.
bool read_whole(const char *text, uint64_t high, uint64_t *value);

/// Fills the run's values: the defaults, then the settings of its request. False with `status` when one is wrong.
bool options_read(Run *run, Status *status);
/// {"key": value, ...} as used.
json_t *options_to_json(const Run *run);
/// The options of an experiment with range, default and meaning.
void options_print(const Experiment *experiment, FILE *file);

#endif
