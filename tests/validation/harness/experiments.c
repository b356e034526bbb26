/// The list of experiments as the commands walk it. Each experiment is a constant in the file that runs it; the order
/// is that of experiments.h, which is that of the report.
#include "tests/validation/harness/experiments.h"

#include <string.h>

#define EXPERIMENT_ADDRESS(name) &experiment_##name,
static const Experiment *const experiments[] = {EXPERIMENTS(EXPERIMENT_ADDRESS)};

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
