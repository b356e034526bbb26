/// A figure of the simulation beside what was measured and what the classical law says: a case of published
/// measurements as a run hands it in, as JSON keeps it, and as page and tables read it.
///
/// A set is {"set", "title", "source", "note", "cases": [...]}; a case is
/// {"name", "experiment", "options": ["KEY=VALUE", ...], "quantity", "over", "per", "unit", "measured": [low, high],
/// "scatter", "ran", "figure", "law"}. "measured" is null of a case that only serves others as a divisor; "figure" is
/// null where the case did not run or its figure is no number, "law" where there is none.
#ifndef SPADEWORK_VALIDATION_COMPARISON_H
#define SPADEWORK_VALIDATION_COMPARISON_H

#include <stdbool.h>

#include <jansson.h>

enum { COMPARISON_MOST_CASES = 24 }; ///< of a set

/// Figures are in the unit of the case.
typedef struct Comparison {
    bool ran; ///< false: the quick form left the case out
    bool compared; ///< it ran, and there is a measurement
    double figure, law; ///< NAN: none
    double low, high; ///< measured; NAN: nothing was
    double least, most; ///< measured, and the scatter beyond
    double error, law_error; ///< distance from the middle of the measured range, as a share of it; NAN: none
    bool within; ///< between least and most
    bool nearer; ///< than the law, or as near; false where there is none
} Comparison;

/// Over the cases that were compared. Errors are sums.
typedef struct ComparisonSums {
    int cases, within;
    int with_law, within_with_law, nearer;
    double error, error_with_law, law_error;
} ComparisonSums;

/// The set of that name in a run (an object of results_to_json); NULL: it has none.
const json_t *comparison_find_set(const json_t *run, const char *name);
/// A case, judged.
Comparison comparison_of(const json_t *one);
/// Adds a case; one that was not compared is left out.
void comparison_add(ComparisonSums *sums, const Comparison *comparison);

#endif
