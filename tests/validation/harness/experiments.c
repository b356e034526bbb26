#include "tests/validation/harness/experiments.h"

#include <string.h>

/// In the order of the report. The empty comments keep one a line.
static const Experiment *const experiments[] = {
    &experiment_column, //
    &experiment_thirdlaw, //
    &experiment_contact, //
    &experiment_incline, //
    &experiment_shear, //
    &experiment_repose, //
    &experiment_collapse, //
    &experiment_collapse2d, //
    &experiment_hopper, //
    &experiment_silo, //
    &experiment_cut, //
    &experiment_blade, //
    &experiment_bucket, //
    &experiment_cycles, //
    &experiment_wall, //
    &experiment_footing, //
    &experiment_reach, //
    &experiment_iso6015, //
    &experiment_cycle, //
    &experiment_traction, //
    &experiment_coast, //
    &experiment_hold, //
    &experiment_tipping, //
    &experiment_dozer, //
    &experiment_figure1, //
    &experiment_figure3, //
    &experiment_figure4, //
    &experiment_figure5, //
    &experiment_figure6, //
    &experiment_figure7, //
    &experiment_piles, //
};

int experiment_count(void)
{
    return (int)(sizeof experiments / sizeof experiments[0]);
}

const Experiment *experiment_at(int index)
{
    return experiments[index];
}

const Experiment *experiment_find(const char *name)
{
    for (int k = 0; k < experiment_count(); k++) {
        if (strcmp(experiments[k]->name, name) == 0) {
            return experiments[k];
        }
    }
    return NULL;
}
