/// Tells at the end of an attempt what it was worth, from the same summary as the debrief.
#include "trainer/app/end_page.h"

#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/app/briefing.h"
#include "trainer/app/what_next.h"

enum { CLEARED_LETTERS = 90 }; ///< of a line of names

static const char *name_end(const EndPage *page)
{
    bool passed = exercise_is_passed(page->exercise) && credit_counts(&page->credit, page->trainee);
    switch (exercise_end(page->exercise)) {
    case EXERCISE_FAILED:
        return language_text("The attempt failed");
    case EXERCISE_TIME_UP:
        return language_text(passed ? TEXT("Time is up: passed") : TEXT("Time is up: not passed"));
    case EXERCISE_DONE:
        return language_text(passed ? TEXT("Passed") : TEXT("Finished, not passed"));
    default:
        return language_text(page->scripted ? TEXT("The run is over, the exercise is not")
                                            : TEXT("Left before the end"));
    }
}

double end_page_score(const EndPage *page)
{
    return credit_counts(&page->credit, page->trainee) ? exercise_score(page->exercise) : -1.0;
}

static void add_choices(const EndPage *page, Menu *menu)
{
    char text[MENU_TEXT];
    if (page->runs) {
        menu_add(menu, END_DRIVE_ON, language_text("Drive on"), "");
    }
    if (page->next.scene[0] != '\0') {
        snprintf(text, sizeof text, language_text("Next exercise: %s"), page->next.title);
        if (page->next.open) {
            menu_add(menu, END_NEXT, text, "");
        } else {
            MenuItem *item = menu_tell(menu, RENDER_MENU_TELLS, text);
            if (item != NULL) {
                snprintf(item->detail, sizeof item->detail,
                         language_text("opens when this one is passed with %s points"),
                         quantity_digits(page->next.needs, 3).number);
            }
        }
    }
    if (page->recorded) {
        menu_add(menu, END_DEBRIEF, language_text("Open the debrief in the browser"), "");
        menu_add(menu, END_WATCH, language_text("Watch the recording"), "");
    }
    menu_add(menu, END_AGAIN, language_text("Start again"), "");
    menu_add(menu, END_LEAVE, language_text(page->from_menu ? TEXT("Back to the menu") : TEXT("Leave")), "");
}

static void add_mistake(EndPage *page, Menu *menu, int index, const ReportMistake *mistake)
{
    char text[MENU_TEXT], look[48] = "";
    page->ticks[index] = page->recorded && mistake->moment_count > 0 ? mistake->moments[0] : -1;
    bool links = page->ticks[index] >= 0;
    if (links) {
        int second = (int)((double)page->ticks[index] * page->dt);
        snprintf(look, sizeof look, language_text("Look at %d:%02d   "), second / 60, second % 60);
    }
    snprintf(text, sizeof text, "-%.0f: %.140s", mistake->points, mistake->what);
    language_end_whole(text);
    MenuItem *item = links ? menu_add(menu, END_LOOK + index, text, "") : menu_tell(menu, RENDER_MENU_TELLS, text);
    if (item != NULL) {
        snprintf(item->detail, sizeof item->detail, "%s%.110s", look, mistake->advice);
        language_end_whole(item->detail);
    }
}

/// What the clean-up took, by name.
static void add_cleared(const EndPage *page, Menu *menu)
{
    if (page->cleared != NULL && page->cleared[0] != '\0') {
        menu_tell(menu, RENDER_MENU_HEADING, language_text("Old recordings that the clean-up has deleted"));
        menu_tell_text(menu, page->cleared, CLEARED_LETTERS);
    }
}

void end_page_fill(EndPage *page, Menu *menu, const char *told)
{
    char title[MENU_TEXT], subtitle[SCORE_VERDICT + 1 + MENU_SUBTITLE];
    ReportSummary summary;
    report_summarise_exercise(&page->scene->exercise, page->exercise, page->trail, page->dt, page->units, &summary);
    report_give_credit(&summary, &page->credit, page->trainee);
    if (!briefing_is_worth(&page->scene->exercise)) {
        menu_start(menu, page->scripted ? language_text("The run is over") : page->scene->title,
                   told != NULL ? told : page->scene->title);
        add_choices(page, menu);
        add_cleared(page, menu);
        menu_select(menu, END_LEAVE);
        return;
    }
    if (summary.practice) {
        snprintf(title, sizeof title, language_text("Practice: %.0f points together with the drive that it began in"),
                 metric_whole(summary.score));
    } else {
        snprintf(title, sizeof title, language_text("%s, %.0f of 100 points"), name_end(page),
                 metric_whole(summary.score));
    }
    bool ended = exercise_is_finished(page->exercise);
    snprintf(subtitle, sizeof subtitle, "%s. ", summary.verdict);
    what_next(&summary, &page->next, ended, subtitle + strlen(subtitle));
    menu_start(menu, title, told != NULL ? told : subtitle);
    add_choices(page, menu);
    if (summary.mistake_count > 0) {
        menu_tell(menu, RENDER_MENU_HEADING, language_text("What cost most"));
    }
    for (int k = 0; k < summary.mistake_count; k++) {
        add_mistake(page, menu, k, &summary.mistakes[k]);
    }
    if (summary.good_count > 0) {
        menu_tell(menu, RENDER_MENU_HEADING, language_text("Went well"));
    }
    for (int k = 0; k < summary.good_count; k++) {
        menu_tell(menu, RENDER_MENU_TELLS, summary.good[k]);
    }
    add_cleared(page, menu);
    menu_select(menu, page->next.open && summary.passed ? END_NEXT : ended && !summary.passed ? END_AGAIN : END_LEAVE);
    if (page->runs) {
        menu_select(menu, END_DRIVE_ON);
    }
}
