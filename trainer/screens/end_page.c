/// Tells at the end of an attempt what it was worth, from the same summary as the debrief.
#include "trainer/screens/end_page.h"

#include <stdio.h>

static const char *name_end(const Exercise *exercise)
{
    if (exercise_end(exercise) == EXERCISE_FAILED) {
        return "The attempt failed";
    }
    bool passed = exercise_is_passed(exercise);
    if (exercise_end(exercise) == EXERCISE_TIME_UP) {
        return passed ? "Time is up: passed" : "Time is up: not passed";
    }
    return passed ? "Passed" : "Finished, not passed";
}

void end_page_begin(Menu *menu, const ReportSummary *summary, const Exercise *exercise)
{
    char title[MENU_TEXT];
    snprintf(title, sizeof title, "%s, %.0f of 100 points", name_end(exercise), summary->score);
    menu_start(menu, title, summary->verdict);
}

void end_page_add(Menu *menu, const ReportSummary *summary, double dt, bool links, int64_t *ticks)
{
    for (int k = 0; k < summary->mistake_count; k++) {
        const ReportMistake *mistake = &summary->mistakes[k];
        char text[MENU_TEXT], detail[MENU_TEXT], look[48] = "";
        ticks[k] = links && mistake->moment_count > 0 ? mistake->moments[0] : -1;
        if (ticks[k] >= 0) {
            int second = (int)((double)ticks[k] * dt);
            snprintf(look, sizeof look, "Look at %d:%02d   ", second / 60, second % 60);
        }
        snprintf(text, sizeof text, "-%.0f: %.140s", mistake->points, mistake->what);
        snprintf(detail, sizeof detail, "%s%.110s", look, mistake->advice);
        menu_add(menu, END_PAGE_MISTAKES + k, text, detail);
    }
    for (int k = 0; k < summary->good_count; k++) {
        menu_add(menu, END_PAGE_TELLS, "Went well", summary->good[k]);
    }
}
