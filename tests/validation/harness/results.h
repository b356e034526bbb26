/// What a run measured, as a table or as JSON.
#ifndef SPADEWORK_VALIDATION_RESULTS_H
#define SPADEWORK_VALIDATION_RESULTS_H

#include <stdio.h>

#include "tests/validation/harness/run.h"

/// JSON has no NaN: what could not be measured is null.
json_t *results_number(double value);
/// {"name","solver","seed","quick","parameters":{...},"results":[...],"pass"}; of published measurements also their
/// "sets" (comparison.h); with `plots` also the curves:
/// "plots":[{"title","x","y","series":[{"name","points":[[x, y],...]}]}].
json_t *results_to_json(const Run *run, bool plots);
void results_print(const Run *run, FILE *file);

#endif
