/// Options of an experiment: their values, how they are read and how they are told.
#ifndef SPADEWORK_VALIDATION_OPTIONS_H
#define SPADEWORK_VALIDATION_OPTIONS_H

#include <stdio.h>

#include <jansson.h>

#include "data/core/status.h"
#include "tests/validation/harness/experiment.h"

enum { OPTIONS_MOST = 24, OPTION_WORD_LENGTH = 256 };

/// Value of one option.
typedef struct OptionValue {
    double number; ///< in the option's unit
    char word[OPTION_WORD_LENGTH];
    bool set; ///< by the user
} OptionValue;

typedef struct Options {
    const Experiment *experiment;
    OptionValue values[OPTIONS_MOST]; ///< one for each option of the experiment, in its order
} Options;

/// A finite decimal number and nothing else: no spaces, no hexadecimal, no nan, no inf.
bool read_number(const char *text, double *value);
/// A whole number in decimal digits, at most `high`.
bool read_whole(const char *text, uint64_t high, uint64_t *value);

/// Fills the values: the defaults of `experiment`, then the `count` settings KEY=VALUE. False with `status` when one is
/// wrong.
bool options_read(Options *options, const Experiment *experiment, const char *const *settings, int count,
                  Status *status);
/// Number of an option among the values. A key that the experiment does not list ends the program: its figures would be
/// those of another option.
int options_find(const Options *options, const char *key);
/// {"key": value, ...} as used.
json_t *options_to_json(const Options *options);
/// Prints the options of an experiment with range, default and meaning.
void options_print(const Experiment *experiment, FILE *file);

#endif
