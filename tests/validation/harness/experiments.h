/// The experiments of `validate`, each in a file of its own. A new one adds its name here.
#ifndef SPADEWORK_VALIDATION_EXPERIMENTS_H
#define SPADEWORK_VALIDATION_EXPERIMENTS_H

#include "tests/validation/harness/experiment.h"

/// The experiments in the order of the list and the report. `title` and `law` of each say what it does (`validate
/// list`).
#define EXPERIMENTS(X)                                                                                                 \
    X(column)                                                                                                          \
    X(thirdlaw)                                                                                                        \
    X(contact)                                                                                                         \
    X(incline)                                                                                                         \
    X(shear)                                                                                                           \
    X(biaxial)                                                                                                         \
    X(repose)                                                                                                          \
    X(collapse)                                                                                                        \
    X(collapse2d)                                                                                                      \
    X(hopper)                                                                                                          \
    X(silo)                                                                                                            \
    X(cut)                                                                                                             \
    X(blade)                                                                                                           \
    X(bucket)                                                                                                          \
    X(cycles)                                                                                                          \
    X(slot)                                                                                                            \
    X(same)                                                                                                            \
    X(crowding)                                                                                                        \
    X(wall)                                                                                                            \
    X(footing)                                                                                                         \
    X(plate)                                                                                                           \
    X(reach)                                                                                                           \
    X(iso6015)                                                                                                         \
    X(cycle)                                                                                                           \
    X(traction)                                                                                                        \
    X(sinkage)                                                                                                         \
    X(coast)                                                                                                           \
    X(hold)                                                                                                            \
    X(tipping)                                                                                                         \
    X(dozer)                                                                                                           \
    X(work)                                                                                                            \
    X(dozing)                                                                                                          \
    X(figure1)                                                                                                         \
    X(figure3)                                                                                                         \
    X(figure4)                                                                                                         \
    X(figure5)                                                                                                         \
    X(figure6)                                                                                                         \
    X(figure7)                                                                                                         \
    X(piles)                                                                                                           \
    X(measured)

#define EXPERIMENT_DECLARE(name) extern const Experiment experiment_##name;
EXPERIMENTS(EXPERIMENT_DECLARE)
#undef EXPERIMENT_DECLARE

/// Number of experiments; `experiment_at` 0..count-1 in the order of the report.
int experiment_count(void);
const Experiment *experiment_at(int index);
/// NULL when there is none of that name.
const Experiment *experiment_find(const char *name);

#endif
