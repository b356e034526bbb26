/// The page at the end of an attempt: passed, not passed, time up or failed, with what went well and what cost most.
#ifndef SPADEWORK_TRAINER_END_PAGE_H
#define SPADEWORK_TRAINER_END_PAGE_H

#include "trainer/report/report.h"
#include "trainer/screens/menu.h"

/// Ids of what the page only tells, and of the first mistake; the others follow.
enum { END_PAGE_TELLS = 100, END_PAGE_MISTAKES = 200 };

/// Begins the menu of a judged exercise: title, verdict, and behind the items that it already has what went well and
/// the costliest mistakes.
/// dt     s of a tick
/// links  a mistake can be looked at: the drive is recorded
/// ticks  [REPORT_MISTAKES] receives where each mistake was costliest, by id - END_PAGE_MISTAKES; -1: nowhere to look
void end_page_begin(Menu *menu, const ReportSummary *summary, const Exercise *exercise);
void end_page_add(Menu *menu, const ReportSummary *summary, double dt, bool links, int64_t *ticks);

#endif
