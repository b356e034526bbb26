/// Builds the menus over a drive (pause, briefing, questions, failure), the message in the middle of the screen, and
/// the page after an attempt from the summary that the debrief uses; opens the debrief.
#include "trainer/app/drive_pages.h"

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
#include "data/core/quantity.h"
#include "data/core/system_files.h"
#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "data/schema/settings_params.h"
#include "trainer/app/menu.h"
#include "trainer/results/results.h"

/// ---- message -------------------------------------------------------------------------------------------------------

/// A long text is broken into lines that fit and shown line by line; a line with a successor ends with an ellipsis.

#define LINE_TIME 3.5 ///< s that each line of a longer text is shown. Chosen

void message_say(Message *message, const char *text)
{
    snprintf(message->text, sizeof message->text, "%s", text);
    message->age = 0.0;
    int length = (int)strlen(message->text), lines = length / MESSAGE_LINE + 1;
    int most = lines > 1 ? length / lines + 4 : MESSAGE_LINE; // lines of equal length rather than a last word alone
    char *line = message->text, *space = NULL;
    for (char *p = message->text; *p != '\0'; p++) {
        if (*p == ' ') {
            space = p;
        }
        if (p - line >= most && space > line) {
            *space = '\n';
            line = space + 1;
        }
    }
}

const char *message_line(Message *message)
{
    const char *start = message->text;
    for (int skip = (int)(message->age / LINE_TIME); skip > 0 && start != NULL; skip--) {
        start = strchr(start, '\n');
        start = start != NULL ? start + 1 : NULL;
    }
    if (start == NULL || start[0] == '\0') {
        return NULL;
    }
    size_t length = strcspn(start, "\n");
    snprintf(message->line, sizeof message->line, "%.*s%s", (int)length, start, start[length] != '\0' ? " \u2026" : "");
    return message->line;
}

/// ---- briefing ------------------------------------------------------------------------------------------------------

/// Lines of the briefing in an instructor's order: goal, steps, points, rules.

#define LINE_LENGTH 80 ///< letters of a line: more have no room beside the plan

bool briefing_is_worth(const SceneExercise *asked)
{
    return asked->scores_count > 0 || asked->steps_count > 0;
}

/// Appends a line and returns its buffer of MENU_TEXT characters; in a full menu it replaces the last line.
static char *add_line(Menu *menu)
{
    MenuItem *item = menu_tell(menu, RENDER_MENU_TELLS, "");
    return item != NULL ? item->text : menu->items[RENDER_MAX_MENU - 1].text;
}

/// Formats a time: "45 s", "6:00".
static void print_time(double seconds, char text[16])
{
    int whole = (int)lround(seconds);
    if (whole < 60) {
        snprintf(text, 16, "%d s", whole);
    } else {
        snprintf(text, 16, "%d:%02d", whole / 60, whole % 60);
    }
}

static void add_task(Menu *menu, const SceneExercise *asked, TextUnits units)
{
    char par[16], limit[16];
    print_time(asked->par_time, par);
    print_time(asked->time_limit, limit);
    snprintf(add_line(menu), MENU_TEXT, language_text("Time: a good operator takes %s, the limit is %s"), par, limit);
    if (asked->scores_count > 0) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Passed from %s points of 100"),
                 quantity_digits(asked->pass_mark, 4).number);
    }
    const SceneTrench *trench = &asked->trench;
    if (asked->kind == EXERCISE_TRENCH) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Measure: %s long, %s wide, %s deep, tolerance %s"),
                 quantity(QUANTITY_LENGTH, trench->length, units).text,
                 quantity(QUANTITY_LENGTH, trench->width, units).text,
                 quantity(QUANTITY_LENGTH, trench->depth, units).text,
                 quantity(QUANTITY_FINE, trench->tolerance, units).text);
    }
    if (asked->kind == EXERCISE_TRUCK_LOADING) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Load: %s in all"),
                 quantity(QUANTITY_TONNES, asked->truck.target_mass, units).text);
    }
    if (asked->surface.parts_count > 0) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Surface: tolerance %s"),
                 quantity(QUANTITY_FINE, asked->surface.tolerance, units).text);
    }
    if (asked->rip.depth > 0.0) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Rip: %s long, %s wide, %s deep"),
                 quantity(QUANTITY_LENGTH, asked->rip.length, units).text,
                 quantity(QUANTITY_LENGTH, asked->rip.width, units).text,
                 quantity(QUANTITY_LENGTH, asked->rip.depth, units).text);
    }
}

static void add_steps(Menu *menu, const SceneExercise *asked, const Exercise *exercise)
{
    for (int k = 0; k < asked->steps_count; k++) {
        bool done = exercise != NULL && exercise_step_tick(exercise, k) > 0;
        char text[MENU_TEXT];
        snprintf(text, sizeof text, language_text("%s Step %d: %.120s"), done ? "[x]" : "[ ]", k + 1,
                 asked->steps[k].text);
        menu_tell_text(menu, text, LINE_LENGTH);
    }
}

static void add_scores(Menu *menu, const SceneExercise *asked, const TextReader *reader)
{
    for (int k = 0; k < asked->scores_count; k++) {
        const SceneScore *score = &asked->scores[k];
        char full[SCORE_VALUE], zero[SCORE_VALUE], limit[SCORE_VALUE], fails[64] = "", text[2 * MENU_TEXT],
                                                                       what[SCORE_WHAT];
        score_write_what(score, reader, what);
        score_write_value(score->metric, score->full, reader, full);
        score_write_value(score->metric, score->zero, reader, zero);
        bool low = score->fail_below > -SCENE_NO_LIMIT;
        if (low || score->fail_above < SCENE_NO_LIMIT) {
            score_write_value(score->metric, low ? score->fail_below : score->fail_above, reader, limit);
            snprintf(fails, sizeof fails, language_text(low ? TEXT("; fails below %s") : TEXT("; fails above %s")),
                     limit);
        }
        snprintf(text, sizeof text, language_text("%s points: %s, from %.24s to %.24s%.48s"),
                 quantity_digits_for(reader, score->weight, 3).number, what, zero, full, fails);
        menu_tell_text(menu, text, LINE_LENGTH);
    }
}

static void add_rules(Menu *menu, const SceneExercise *asked, const TextReader *reader)
{
    for (int k = 0; k < asked->rules_count; k++) {
        const SceneRule *rule = &asked->rules[k];
        char what[EVENT_TEXT], let[40] = "";
        event_rule_text(rule, reader, what);
        if (rule->limit > 0) {
            snprintf(let, sizeof let, language_text(", beyond %d"), rule->limit);
        }
        if (rule->fail) {
            snprintf(add_line(menu), MENU_TEXT, language_text("Ends the attempt: %.80s%.24s"), what, let);
        } else if (rule->points > 0.0) {
            snprintf(add_line(menu), MENU_TEXT, language_text("-%s points each time: %.80s%.24s"),
                     quantity_digits_for(reader, rule->points, 3).number, what, let);
        }
    }
}

void briefing_add(Menu *menu, const SceneExercise *asked, const Exercise *exercise, TextUnits units)
{
    const TextReader reader = {.units = units};
    menu_tell_text(menu, asked->goal, LINE_LENGTH);
    add_task(menu, asked, units);
    add_steps(menu, asked, exercise);
    add_scores(menu, asked, &reader);
    add_rules(menu, asked, &reader);
}

/// ---- questions -----------------------------------------------------------------------------------------------------

/// Questions come one by one; below each stands the correct answer to the one before.

enum { REPLY_LENGTH = 78 }; ///< letters of a line of the reply

void question_page_reply(const SceneExercise *asked, const Exercise *exercise, int question,
                         char text[QUESTION_PAGE_TEXT])
{
    text[0] = '\0';
    int answer = exercise_answer(exercise, question);
    if (answer > 0) {
        const SceneQuestion *one = &asked->questions[question];
        bool right = answer == one->right;
        if (right) {
            snprintf(text, QUESTION_PAGE_TEXT, language_text("Right. %s"), one->why);
        } else {
            snprintf(text, QUESTION_PAGE_TEXT, language_text("No, it is: %s. %s"), one->answers[one->right - 1],
                     one->why);
        }
    }
}

void question_page_begin(Menu *menu, const SceneExercise *asked, const Exercise *exercise)
{
    int question = exercise_question(exercise);
    char title[MENU_TEXT], reply[QUESTION_PAGE_TEXT];
    snprintf(title, sizeof title, language_text("Question %d of %d"), question + 1, asked->questions_count);
    menu_start(menu, title, asked->questions[question].text);
    snprintf(menu->footer, sizeof menu->footer, "%s", language_text("Up/Down: move   Enter or A: choose"));
    for (int k = 0; k < asked->questions[question].answers_count; k++) {
        menu_add(menu, QUESTION_PAGE_ANSWERS + k + 1, asked->questions[question].answers[k], "");
    }
    question_page_reply(asked, exercise, question - 1, reply);
    if (reply[0] != '\0') {
        menu_tell(menu, RENDER_MENU_HEADING, language_text("The one before"));
        menu_tell_text(menu, reply, REPLY_LENGTH);
    }
}

bool question_page_is_answered(Menu *menu, int digit)
{
    if (digit > 0) {
        menu_select(menu, QUESTION_PAGE_ANSWERS + digit);
    }
    return digit > 0 && menu_id(menu) == QUESTION_PAGE_ANSWERS + digit;
}

/// ---- pages over a drive --------------------------------------------------------------------------------------------

enum { PICTURE_WIDTH = 320 }; ///< pixels of a recording's picture
enum { PLAN_WIDTH = 400, PLAN_HEIGHT = 250, PLAN_ALONE_HEIGHT = 340 }; ///< points

void drive_pages_name_camera(Menu *menu, const char *camera)
{
    for (int k = 0; k < menu->count; k++) {
        if (menu->items[k].id == DRIVE_ITEM_CAMERA) {
            snprintf(menu->items[k].text, MENU_TEXT, language_text("Camera: %s"), camera);
        }
    }
}

void drive_pages_pause(Menu *menu, const Drive *drive, const SceneParams *scene, const char *title,
                       const PauseShows *shows)
{
    bool recorded = drive->recorder != NULL;
    menu_start(menu, title, scene->title);
    menu_add(menu, DRIVE_ITEM_RESUME, language_text("Drive on"), "");
    const SessionFrame *frame = session_frame(drive->session);
    if (frame->cab.has || frame->foot.has || frame->coupler.has) {
        menu_add(
            menu, DRIVE_ITEM_SWITCHES, language_text("Switches of the cab"),
            language_text(frame->cab.has || frame->foot.has ? TEXT("key, safety lever, lights") : TEXT("coupler")));
    }
    menu_add(menu, DRIVE_ITEM_RESTART, language_text("Start again"),
             recorded ? language_text("with a new recording") : "");
    menu_add(menu, DRIVE_ITEM_CAMERA, "", "");
    menu_add(menu, DRIVE_ITEM_AXES,
             language_text(shows->axes ? TEXT("Hide what each axis does") : TEXT("Show what each axis does")),
             language_text("F4 while driving"));
    if (drive->driver.kind == OPERATOR_PERSON) {
        menu_add(menu, DRIVE_ITEM_MOUSE,
                 shows->mouse ? language_text("Levers for the mouse: shown")
                              : language_text("Levers for the mouse: hidden"),
                 "");
    }
    if (briefing_is_worth(&scene->exercise)) {
        menu_add(menu, DRIVE_ITEM_BRIEFING, language_text("Read the exercise again"),
                 language_text("goal, plan, steps, points"));
    }
    menu_add(menu, DRIVE_ITEM_CONTROLS, language_text("Controls"), "");
    menu_add(menu, DRIVE_ITEM_SETTINGS, language_text("Settings"), "");
    menu_add(menu, DRIVE_ITEM_LEAVE,
             language_text(recorded ? TEXT("Save and leave") : TEXT("Leave (nothing is recorded)")),
             recorded ? drive->record : "");
    drive_pages_name_camera(menu, shows->camera);
}

void drive_pages_name_pad(Menu *menu, bool lost)
{
    snprintf(menu->title, sizeof menu->title, "%s",
             lost ? language_text("The pad is lost") : language_text("The pad is back"));
    snprintf(menu->subtitle, sizeof menu->subtitle, "%s",
             lost ? language_text("The levers are neutral. Plug it in again, or drive on by the keyboard")
                  : language_text("Press a button, and drive on"));
}

bool drive_pages_asks_before_leaving(const Drive *drive)
{
    return drive->driver.kind == OPERATOR_PERSON && !(drive->params.options->seconds > 0.0) &&
           briefing_is_worth(&session_scene(drive->session)->exercise) &&
           !exercise_is_finished(session_exercise(drive->session)) &&
           session_frame(drive->session)->tick > drive->first_tick;
}

void drive_pages_leave(Menu *menu, const Drive *drive, bool closes)
{
    menu_start(menu, language_text("Leave before the end?"),
               drive->recorder != NULL
                   ? language_text("The recording is kept. The exercise counts as left before its end")
                   : language_text("Nothing is recorded: what you did is lost"));
    menu_add(menu, DRIVE_ITEM_LEAVE_NOW,
             closes ? language_text("Leave it and quit Spadework") : language_text("Leave it"), "");
    menu_add(menu, DRIVE_ITEM_RESUME, language_text("Drive on"), "");
}

void drive_pages_failure(Menu *menu, const Drive *drive)
{
    char text[MENU_SUBTITLE];
    snprintf(text, sizeof text, language_text("It can no longer be written: %s"), drive->record_failure.text);
    menu_start(menu, language_text("The recording stopped"), text);
    snprintf(menu->footer, sizeof menu->footer, "%s",
             language_text("Up/Down, pad or mouse: move   Enter, A or click: choose"));
    menu_add(menu, DRIVE_ITEM_LEAVE_NOW, language_text("Leave"), ""); // the reason says what is kept
    menu_add(menu, DRIVE_ITEM_UNRECORDED, language_text("Drive on unrecorded"), "");
}

void drive_pages_briefing(Menu *menu, const Drive *drive, const SceneParams *scene, bool begins, TextUnits units,
                          DrivePictures *pictures)
{
    menu_start(menu, scene->title, scene->description);
    menu_add(menu, DRIVE_ITEM_RESUME, begins ? language_text("Start") : language_text("Drive on"), "");
    if (begins) {
        menu_add(menu, DRIVE_ITEM_LEAVE_NOW, language_text("Back"), "");
    }
    briefing_add(menu, &scene->exercise, session_exercise(drive->session), units);
    if (pictures->plan == NULL) {
        pictures->scene = pictures_of_scene(scene->name, scene->exercise.picture);
        pictures->plan =
            pictures_plan(scene, units, PLAN_WIDTH, pictures->scene != NULL ? PLAN_HEIGHT : PLAN_ALONE_HEIGHT);
    }
    menu->has_side = true;
    menu->pictures[0] = pictures->plan;
    menu->pictures[1] = pictures->scene;
}

void drive_pictures_free(DrivePictures *pictures)
{
    pictures_free(pictures->scene);
    pictures_free(pictures->plan);
    *pictures = (DrivePictures){0};
}

void drive_pages_keep_picture(Window *window, SessionView *own, const Drive *drive)
{
    Recorder *recorder = drive->recorder;
    if (recorder == NULL) {
        return;
    }
    int width = 0, height = 0;
    RenderView *view = session_view_build(own, drive->session, 1.0);
    view->hud.visible = false;
    view->menu.visible = false;
    unsigned char *rgb = window_read(window, view, &width, &height);
    if (rgb != NULL) {
        size_t size = 0;
        unsigned char *png = pictures_encode(rgb, width, height, width < PICTURE_WIDTH ? width : PICTURE_WIDTH, &size);
        recorder_keep_picture(recorder, png, size);
    }
    free(rgb);
}

double drive_pages_points_won(const Drive *drive)
{
    const Exercise *exercise = session_exercise(drive->session);
    Credit credit = drive_credit(drive);
    return credit_counts(&credit, drive->params.options->trainee) && exercise_is_passed(exercise)
               ? exercise_score(exercise)
               : -1.0;
}

void drive_pages_tell_files(DriveFiles *last, const Drive *drive, Message *message)
{
    static const char *const holds[] = {
        [RECORDER_WRITES] = TEXT("The recording goes on"),
        [RECORDER_LOCKED] = TEXT("Another program has locked the recording's file: it waits in memory"),
        [RECORDER_FULL] = TEXT("The disk is full: the recording waits in memory"),
    };
    DriveFiles now = {.records = drive->recorder != NULL,
                      .measures = drive->telemetry != NULL,
                      .disturbed = drive->disturbed,
                      .held_up = drive->held_up,
                      .told_count = drive->told_count};
    if (last->records && !now.records && drive->record_failure.code != STATUS_GOOD) {
        message_say(message, language_text("The recording stopped; driving on unrecorded"));
    } else if (last->measures && !now.measures && drive->telemetry_failure.code != STATUS_GOOD) {
        message_say(message, language_text("The telemetry stopped; driving on without it"));
    } else if (now.records && last->held_up != now.held_up) {
        message_say(message, language_text(holds[now.held_up]));
    } else if (now.records && now.disturbed && !last->disturbed) {
        message_say(message, language_text("Another program wrote into the recording: it will count as changed"));
    }
    if (last->told_count != now.told_count) {
        char line[DRIVE_TOLD + 64];
        snprintf(line, sizeof line, language_text("Instructor: %s"), drive->told);
        message_say(message, line);
    }
    *last = now;
}

/// ---- next exercise -------------------------------------------------------------------------------------------------

void next_exercise_find(const RunOptions *options, double won, NextExercise *next)
{
    Catalogue catalogue;
    CourseParams course;
    Status unused;
    *next = (NextExercise){0};
    if (options->course == NULL || options->scene == NULL || !data_load_course(options->course, &course, &unused) ||
        !catalogue_read(&catalogue, options->course, &unused)) {
        return;
    }
    catalogue_judge(&catalogue, options->results, options->trainee, &unused);
    const CatalogueStep *step = catalogue_step(&catalogue, course.name, options->scene, 0);
    const CatalogueStep *after = catalogue_step(&catalogue, course.name, options->scene, 1);
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
        snprintf(text, MENU_SUBTITLE, language_text("What to do next: drive it again, and above all: %s"), advice);
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
    // A share that is missing from the start on has no moment of its own to look at.
    page->ticks[index] =
        page->recorded && mistake->moment_count > 0 && mistake->moments[0] > 0 ? mistake->moments[0] : -1;
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
    ResultsRemarks remarks;
    char logo[SETTINGS_LOGO];
    results_logo(logo);
    results_find_remarks(results, recording, &remarks);
    ReportRequest request = {.units = units,
                             .comment = remarks.comment,
                             .grade = remarks.grade,
                             .logo = logo,
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
    visible_text_hide_home(told);
}
