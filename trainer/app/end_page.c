/// Builds the page after an attempt from the summary that the debrief uses, and opens the debrief.
#include "trainer/app/end_page.h"

#include <math.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/language.h"
#include "data/core/system_files.h"
#include "data/core/quantity.h"
#include "data/core/signals.h"
#include "data/schema/settings_params.h"
#include "trainer/app/drive_pages.h"
#include "trainer/results/results.h"

/// ---- next exercise -------------------------------------------------------------------------------------------------

void next_exercise_find(const RunOptions *options, double won, NextExercise *next)
{
    Catalogue catalogue;
    Status unused;
    *next = (NextExercise){0};
    if (options->course == NULL || options->scene == NULL || !catalogue_read(&catalogue, &unused)) {
        return;
    }
    catalogue_judge(&catalogue, options->results, options->trainee, &unused);
    const CatalogueStep *step = catalogue_step(&catalogue, options->course, options->scene, 0);
    const CatalogueStep *after = catalogue_step(&catalogue, options->course, options->scene, 1);
    next->last = step != NULL && after == NULL;
    if (step != NULL && after != NULL && catalogue.scenes[after->scene].fault[0] == '\0') {
        const CatalogueScene *scene = &catalogue.scenes[after->scene];
        snprintf(next->scene, sizeof next->scene, "%s", scene->name);
        snprintf(next->title, sizeof next->title, "%s", scene->title);
        next->needs = step->needs;
        next->open = after->open || won >= step->needs;
    }
    catalogue_free(&catalogue);
}

/// ---- what next -----------------------------------------------------------------------------------------------------

/// Advice on the mistake that cost most; "" where there is none.
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

/// ---- page of the end -----------------------------------------------------------------------------------------------

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

/// Lists the recordings that the clean-up deleted.
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

/// ---- debrief -------------------------------------------------------------------------------------------------------

/// The desktop opens the debrief in a browser; the program neither waits for the browser nor ends it.

extern char **environ;

/// The shell starts it in the background and ends at once.
static bool open_by_desktop(const char *path)
{
    char script[] = "xdg-open \"$1\" >/dev/null 2>&1 </dev/null &", shell[] = "sh", flag[] = "-c";
    char whole[DATA_PATH_LENGTH];
    char *real = realpath(path, NULL);
    snprintf(whole, sizeof whole, "%s", real != NULL ? real : path);
    free(real);
    char *arguments[] = {shell, flag, script, shell, whole, NULL};
    pid_t child = 0;
    int ended = 0;
    if (!program_is_there("xdg-open")) {
        return false;
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    signals_for_program(&attributes);
    bool started = posix_spawnp(&child, shell, NULL, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    return started && waitpid(child, &ended, 0) == child && ended == 0;
}

void end_page_open_debrief(const char *recording, const char *results, TextUnits units, char *told, size_t size)
{
    char path[DATA_PATH_LENGTH];
    ResultsComparison company = {0};
    ReportOther others[1 + RESULTS_OWN_RUNS];
    Status status = {STATUS_GOOD, ""}, unused;
    if (!results_find_comparison(results, recording, &company, &unused)) {
        company.count = 0; // unreadable results are reported where they are written
    }
    for (int k = 0; k < company.count; k++) {
        bool expert = company.has_expert && k == 0;
        others[k] =
            (ReportOther){.path = company.path[k], .role = expert ? TEXT("expert") : TEXT("earlier"), .found = true};
    }
    ReportRequest request = {.units = units,
                             .recording = recording,
                             .against = others,
                             .against_count = company.count,
                             .note = "",
                             .html = path};
    bool fits = snprintf(path, sizeof path, "%s.html", recording) < (int)sizeof path;
    if (!fits || !output_may_replace(path, OUTPUT_HTML, &status) || !report_write(&request, &status)) {
        snprintf(told, size, language_text("No debrief: %s"),
                 fits ? status.text : language_text("its path is too long"));
    } else if (open_by_desktop(path)) {
        snprintf(told, size, language_text("The debrief opens in the browser: %s"), path);
    } else {
        snprintf(told, size, language_text("The debrief is in %s (xdg-open is missing: open it in a browser)"), path);
    }
}
