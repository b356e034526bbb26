/// Who has passed goes on; who has not drives it again, and minds what cost most.
#include "trainer/app/what_next.h"

#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

/// The advice of what cost most; "" where there is none.
static const char *find_advice(const ReportSummary *summary)
{
    for (int k = 0; k < summary->mistake_count; k++) {
        if (summary->mistakes[k].advice[0] != '\0') {
            return summary->mistakes[k].advice;
        }
    }
    return "";
}

void what_next(const ReportSummary *summary, const NextExercise *next, bool ended, char text[MENU_SUBTITLE])
{
    const char *advice = find_advice(summary);
    if (summary->practice) {
        snprintf(text, MENU_SUBTITLE, "%s", language_text("What to do next: drive it from its beginning, to pass it."));
    } else if (!ended) {
        snprintf(text, MENU_SUBTITLE, "%s", language_text("What to do next: drive it again, to its end."));
    } else if (summary->passed && next->open && next->scene[0] != '\0') {
        snprintf(text, MENU_SUBTITLE, language_text("What to do next: %s."), next->title);
    } else if (summary->passed && next->scene[0] != '\0') {
        snprintf(text, MENU_SUBTITLE, language_text("What to do next: drive it again, %s points open %s."),
                 quantity_digits(next->needs, 3).number, next->title);
    } else if (summary->passed && next->last) {
        snprintf(text, MENU_SUBTITLE, "%s",
                 language_text("That was the last exercise of this course: take the other one, or drive faster."));
    } else if (summary->passed) {
        text[0] = '\0';
    } else if (advice[0] != '\0') {
        snprintf(text, MENU_SUBTITLE, language_text("What to do next: drive it again, and mind this above all: %s"),
                 advice);
    } else {
        snprintf(text, MENU_SUBTITLE, "%s", language_text("What to do next: drive it again."));
    }
}
