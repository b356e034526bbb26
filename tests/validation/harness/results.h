/// What a run measured, as a table or as JSON.
#ifndef SPADEWORK_VALIDATION_RESULTS_H
#define SPADEWORK_VALIDATION_RESULTS_H

#include <stdio.h>

#include "tests/validation/harness/run.h"

/// {"name","solver","seed","parameters":{...},"results":[...],"pass"}; with `plots` also the curves:
/// "plots":[{"title","x","y","series":[{"name","points":[[x, y],...]}]}].
json_t *results_to_json(const Run *run, bool plots);
void results_print(const Run *run, FILE *file);

#endif
