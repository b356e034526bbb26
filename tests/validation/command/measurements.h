/// Pages and tables of published measurements: measured, law and simulation side by side.
#ifndef SPADEWORK_VALIDATION_MEASUREMENTS_H
#define SPADEWORK_VALIDATION_MEASUREMENTS_H

#include <stdio.h>

#include "tests/validation/harness/comparison.h"

/// Of several runs (objects of results_to_json, one a seed, at most PLOT_MOST_FIGURES; one that failed has no sets):
/// sums over their sets, then a section for each set, which is a page when it is printed.
void measurements_write_page(FILE *file, const json_t *const *runs, int count);
/// The same as Markdown: a table by set, one by case, and the sources.
void measurements_write_tables(FILE *file, const json_t *const *runs, int count);
/// The rules of CSS for the page.
extern const char measurements_style[];
/// Sums over all cases of all runs.
ComparisonSums measurements_sums(const json_t *const *runs, int count);

#endif
