/// The experiments of `validate`, each in a file of its own. A new one adds a line here and a line in experiments.c.
#ifndef SPADEWORK_VALIDATION_EXPERIMENTS_H
#define SPADEWORK_VALIDATION_EXPERIMENTS_H

#include "tests/validation/harness/experiment.h"

extern const Experiment experiment_column;
extern const Experiment experiment_thirdlaw;
extern const Experiment experiment_contact;
extern const Experiment experiment_incline;
extern const Experiment experiment_shear;
extern const Experiment experiment_repose;
extern const Experiment experiment_collapse;
extern const Experiment experiment_collapse2d;
extern const Experiment experiment_hopper;
extern const Experiment experiment_silo;
extern const Experiment experiment_cut;
extern const Experiment experiment_blade;
extern const Experiment experiment_bucket;
extern const Experiment experiment_cycles;
extern const Experiment experiment_wall;
extern const Experiment experiment_footing;
extern const Experiment experiment_reach;
extern const Experiment experiment_iso6015;
extern const Experiment experiment_cycle;
extern const Experiment experiment_traction;
extern const Experiment experiment_coast;
extern const Experiment experiment_hold;
extern const Experiment experiment_tipping;
extern const Experiment experiment_dozer;
extern const Experiment experiment_figure1;
extern const Experiment experiment_figure3;
extern const Experiment experiment_figure4;
extern const Experiment experiment_figure5;
extern const Experiment experiment_figure6;
extern const Experiment experiment_figure7;
extern const Experiment experiment_piles;

/// Number of experiments; `experiment_at` 0..count-1 in the order of the report.
int experiment_count(void);
const Experiment *experiment_at(int index);
/// NULL when there is none of that name.
const Experiment *experiment_find(const char *name);

#endif
