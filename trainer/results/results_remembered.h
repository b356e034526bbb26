/// Who drove last, for the menu that asks who drives: a file of one line in the user's data. Any thread.
#ifndef SPADEWORK_TRAINER_RESULTS_REMEMBERED_H
#define SPADEWORK_TRAINER_RESULTS_REMEMBERED_H

#include "trainer/results/results_store.h"

/// Writes the name that was remembered; "" when there is none, or it is no name for a trainee.
void results_remembered(char name[RESULT_NAME]);
/// Remembers a name; "": nobody. False with `status` (STATUS_LACKING) when it cannot be written.
bool results_remember(const char *name, Status *status);

#endif
