/// Sets of published measurements, a file each (sets/*.yaml): the source, and cases that say which experiment of
/// `validate` repeats a measurement, with which options, and which of its results is compared.
#ifndef SPADEWORK_VALIDATION_MEASURED_SET_H
#define SPADEWORK_VALIDATION_MEASURED_SET_H

#include "data/core/status.h"
#include "tests/validation/harness/comparison.h"
#include "tests/validation/harness/options.h"

enum {
    MEASURED_MOST_CASES = COMPARISON_MOST_CASES,
    MEASURED_MOST_SETTINGS = 16,
    MEASURED_MOST_SETS = 32,
    MEASURED_NAME = 64
};

typedef struct MeasuredSetting {
    char text[OPTION_WORD_LENGTH]; ///< KEY=VALUE, as --set has it
} MeasuredSetting;

/// One measurement. The figure that is compared with it is that of the experiment's result `quantity`, divided by the
/// figure of the case `over` and by `per`.
typedef struct MeasuredCase {
    char name[MEASURED_NAME];
    char experiment[MEASURED_NAME];
    int setting_count;
    MeasuredSetting settings[MEASURED_MOST_SETTINGS];
    char unit[24]; ///< of the figure that is compared; "": that of the result, or none where it is divided
    char quantity[96]; ///< a result's name, or its part before the first ", " or behind the last ": "
    char over[MEASURED_NAME]; ///< "": none
    double per;
    double measured[2]; ///< least and most that was measured; both 0: only for others to be divided by
    double scatter; ///< share of these by which a repetition may differ from them
    char law_quantity[96]; ///< the result that is the classical law's figure; "": `law` is
    double law; ///< 0: there is none
    int quick; ///< whether the quick form has it
} MeasuredCase;

typedef struct MeasuredSet {
    char name[MEASURED_NAME];
    char title[96], source[512], note[1024];
    int case_count;
    MeasuredCase cases[MEASURED_MOST_CASES];
} MeasuredSet;

/// Reads a shipped set by its name, or any by its file (a path that ends in .yaml). Soils that end in .yaml lie beside
/// it. False with `status`, which names file, line and column, or the sets that there are.
bool measured_set_load(const char *name, MeasuredSet *set, Status *status);
/// The case of that name, or -1.
int measured_set_find(const MeasuredSet *set, const char *name);
/// Names of the shipped sets, sorted. Returns how many; 0 with `status`.
int measured_set_list(char names[MEASURED_MOST_SETS][MEASURED_NAME], Status *status);

#endif
