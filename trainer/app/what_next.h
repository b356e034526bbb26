/// What an attempt's end is followed by: one sentence that says what to do next, for whoever does not know.
#ifndef SPADEWORK_TRAINER_WHAT_NEXT_H
#define SPADEWORK_TRAINER_WHAT_NEXT_H

#include "trainer/report/report.h"
#include "trainer/app/next_exercise.h"
#include "trainer/app/menu.h"

/// Writes the sentence, in the language of who reads.
/// ended  the exercise was judged, else it was left before its end
void what_next(const ReportSummary *summary, const NextExercise *next, bool ended, char text[MENU_SUBTITLE]);

#endif
