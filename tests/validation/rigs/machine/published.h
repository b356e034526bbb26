/// What is published of the excavators that are shipped: the figures that their files are fitted to, or checked with.
#ifndef SPADEWORK_VALIDATION_PUBLISHED_H
#define SPADEWORK_VALIDATION_PUBLISHED_H

#include "data/schema/machine_params.h"
#include "tests/validation/harness/experiment.h"

/// NAN: not published.
typedef struct PublishedExcavator {
    const char *machine; ///< of data/machines
    double dig_depth, ground_reach, cut_height, load_height, least_load_height, vertical_wall; ///< m (ISO 7135)
    double bucket_force, stick_force; ///< N at the lip (ISO 6015)
    double swing; ///< rpm
    double travel; ///< km/h
} PublishedExcavator;

/// The row of an experiment's `options` that says which of them is measured.
#define PUBLISHED_OPTION                                                                                               \
    {                                                                                                                  \
        "machine", 0.0, 0.0, 0.0, "", "which excavator", "excavator-22t|excavator-8t"                                  \
    }

/// Loads the machine of the option `machine`. Returns what is published of it, for the program's life; NULL with
/// run_fail.
const PublishedExcavator *published_load(Run *run, MachineParams *params);
/// Judges a measured quantity by what is published, within a share of that; where nothing is, notes it.
void published_judge(Run *run, const char *quantity, const char *unit, double measured, double published, double share);

#endif
