/// What the writers of attempts share. Internal to the results.
#ifndef SPADEWORK_TRAINER_RESULTS_PRINT_H
#define SPADEWORK_TRAINER_RESULTS_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "trainer/results/results.h"

/// An output on its way.
typedef struct ResultsPrinting {
    FILE *file;
    const char *home_page; ///< of the actors' accounts
    int count; ///< attempts written
} ResultsPrinting;

/// Visits (ResultsVisit) that write an attempt as an item of a JSON array.
bool results_print_json(void *context, const ResultAttempt *attempt);
bool results_print_statement(void *context, const ResultAttempt *attempt);

/// An attempt as an object, with its metrics and score rows; NULL when memory is short. `files`: with the paths of its
/// recording and its parent, and the trainee's name.
json_t *results_attempt_json(const ResultAttempt *attempt, bool files);
/// Writes an item of an array, and frees it.
void results_print_item(ResultsPrinting *self, json_t *item);

#endif
