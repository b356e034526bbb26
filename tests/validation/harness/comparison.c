/// Judges the cases of published measurements and sums them up, from the JSON of a run alone, so that the run, its page
/// and the tables of a saved result cannot differ.
#include "tests/validation/harness/comparison.h"

#include <math.h>
#include <string.h>

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const json_t *comparison_find_set(const json_t *run, const char *name)
{
    size_t k;
    json_t *set;
    json_array_foreach(json_object_get(run, "sets"), k, set)
    {
        if (strcmp(json_string_value(json_object_get(set, "set")), name) == 0) {
            return set;
        }
    }
    return NULL;
}

Comparison comparison_of(const json_t *one)
{
    const json_t *measured = json_object_get(one, "measured");
    double scatter = number_of(json_object_get(one, "scatter"));
    Comparison of = {.ran = json_is_true(json_object_get(one, "ran")),
                     .figure = number_of(json_object_get(one, "figure")),
                     .law = number_of(json_object_get(one, "law")),
                     .low = number_of(json_array_get(measured, 0)),
                     .high = number_of(json_array_get(measured, 1))};
    double middle = 0.5 * (of.low + of.high);
    of.compared = of.ran && !isnan(middle);
    of.least = of.low * (1.0 - scatter);
    of.most = of.high * (1.0 + scatter);
    of.error = fabs(of.figure / middle - 1.0);
    of.law_error = fabs(of.law / middle - 1.0);
    of.within = of.figure >= of.least && of.figure <= of.most; // false for NAN
    of.nearer = of.error <= of.law_error;
    return of;
}

void comparison_add(ComparisonSums *sums, const Comparison *comparison)
{
    if (!comparison->compared) {
        return;
    }
    sums->cases++;
    sums->within += comparison->within;
    sums->error += comparison->error;
    if (!isnan(comparison->law)) {
        sums->with_law++;
        sums->within_with_law += comparison->within;
        sums->nearer += comparison->nearer;
        sums->error_with_law += comparison->error;
        sums->law_error += comparison->law_error;
    }
}
