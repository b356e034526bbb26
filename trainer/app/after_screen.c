/// The page that follows a drive, over the site as it was left. The recording is closed by then, so that it can be
/// read: the debrief is opened from here, mistakes are looked at, and the page comes back.
#include "trainer/app/after_screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/language.h"
#include "trainer/app/drive_pages.h"
#include "trainer/app/debrief.h"

#define LEAD_TIME 3.0 ///< s before a mistake from which it is watched. Chosen

typedef struct After {
    Window *window;
    const AfterParams *params;
    EndPage page;
    Menu menu;
    char told[MENU_SUBTITLE];
    EndChoice choice; ///< that ends the page; END_NOTHING: none yet
    ScreenEnd end;
} After;

static void fill(After *after)
{
    end_page_fill(&after->page, &after->menu, after->told[0] != '\0' ? after->told : NULL);
}

/// Watches the recording from a second on; what goes wrong is told, and the page stays.
static void watch(After *after, double from)
{
    Status status = {0};
    ScreenEnd end =
        watch_and_drive(after->window, after->params->recorded, from, after->params->drive->params.options, &status);
    window_set_title(after->window, after->page.scene->title);
    if (end == SCREEN_END_CLOSE) {
        after->choice = END_LEAVE;
        after->end = end;
    } else if (end == SCREEN_END_FAILED) {
        snprintf(after->told, sizeof after->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
}

static void follow(After *after, int id)
{
    after->told[0] = '\0';
    if (id == END_DEBRIEF) {
        debrief_open(after->params->recorded, after->params->drive->params.options->results, after->page.units,
                     after->told, sizeof after->told);
        printf("%s\n", after->told);
        fflush(stdout);
    } else if (id == END_WATCH) {
        watch(after, 0.0);
    } else if (id >= END_LOOK && after->page.ticks[id - END_LOOK] >= 0) {
        watch(after, fmax((double)after->page.ticks[id - END_LOOK] * after->page.dt - LEAD_TIME, 0.0));
    } else if (id == END_NEXT || id == END_AGAIN || id == END_LEAVE) {
        after->choice = (EndChoice)id;
        return;
    }
    fill(after);
    menu_select(&after->menu, id);
}

/// The guide is heard at each poll, also of what is opened from the page.
static bool hear(void *context)
{
    After *after = context;
    const DriveGuide *guide = after->params->drive->params.guide;
    return guide->follows(guide->context, after->params->drive);
}

/// What became of the attempt, and which exercise it opens.
static void tell_results(After *after)
{
    const AfterParams *params = after->params;
    if (!credit_is_practice(&after->page.credit)) {
        next_exercise_find(params->drive->params.options, drive_pages_points_won(params->drive), &after->page.next);
    }
    const Status *lost = &params->drive->results_failure;
    const DriveResults *kept = &params->drive->results;
    after->page.cleared = kept->cleared;
    if (kept->waits[0] != '\0') {
        snprintf(after->told, sizeof after->told,
                 language_text("This drive waits, and is stored when the results can be opened. %s"), lost->text);
    } else if (lost->code != STATUS_GOOD) {
        snprintf(after->told, sizeof after->told, language_text("This drive is not among the results. %s"), lost->text);
    } else if (params->drive->results.waiting > 0) {
        snprintf(after->told, sizeof after->told, language_text("Results that wait for the server: %d"),
                 params->drive->results.waiting);
    }
}

EndChoice after_screen(Window *window, const AfterParams *params, int wish, NextExercise *next, ScreenEnd *end)
{
    After *after = calloc(1, sizeof *after);
    if (after == NULL) {
        abort();
    }
    Session *session = params->drive->session;
    const RenderView *shown = NULL;
    *after = (After){.window = window, .params = params, .choice = END_NOTHING, .end = SCREEN_END_LEAVE};
    after->page = (EndPage){.scene = session_view_scene(params->view, session),
                            .exercise = session_exercise(session),
                            .units = window_units(window),
                            .trail = params->trail,
                            .dt = session_dt(session),
                            .scripted = params->drive->driver.kind != OPERATOR_PERSON,
                            .credit = drive_credit(params->drive),
                            .trainee = params->drive->params.options->trainee,
                            .from_menu = params->drive->params.from_menu,
                            .recorded = params->recorded[0] != '\0'};
    tell_results(after);
    fill(after);
    const DriveGuide *guide = params->drive->params.guide;
    bool guided = guide != NULL && guide->follows != NULL;
    if (guided) {
        window_set_caller(window, hear, after);
    }
    if (wish != END_NOTHING) {
        follow(after, wish);
    }
    while (after->choice == END_NOTHING) {
        WindowInput input;
        window_poll(window, NULL, &input);
        MenuAnswer answer = menu_take(&after->menu, &input, shown);
        if (input.close) {
            after->choice = END_LEAVE;
            after->end = SCREEN_END_CLOSE;
        } else if (answer == MENU_BACK) {
            after->choice = END_LEAVE;
        } else if (answer == MENU_CHOSEN) {
            follow(after, menu_id(&after->menu));
        }
        RenderView *view = session_view_build(params->view, session, 1.0);
        menu_show(&after->menu, &view->menu);
        window_play(window, session, false);
        window_show(window, view);
        shown = view;
    }
    if (guided) {
        window_set_caller(window, NULL, NULL);
    }
    EndChoice choice = after->choice;
    *end = after->end;
    *next = after->page.next;
    free(after);
    return choice;
}
