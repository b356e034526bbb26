/// Builds the menus over a drive (pause, briefing, questions, failure) and the message in the middle of the screen.
#include "trainer/app/drive_pages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/app/pictures.h"

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
        char full[SCORE_VALUE], zero[SCORE_VALUE], limit[SCORE_VALUE], fails[64] = "", text[MENU_TEXT];
        score_write_value(score->metric, score->full, reader, full);
        score_write_value(score->metric, score->zero, reader, zero);
        bool low = score->fail_below > -SCENE_NO_LIMIT;
        if (low || score->fail_above < SCENE_NO_LIMIT) {
            score_write_value(score->metric, low ? score->fail_below : score->fail_above, reader, limit);
            snprintf(fails, sizeof fails, language_text(low ? TEXT("; fails below %s") : TEXT("; fails above %s")),
                     limit);
        }
        snprintf(text, sizeof text, language_text("%s points: %.63s, from %.24s to %.24s%.48s"),
                 quantity_digits_for(reader, score->weight, 3).number, language_text(score_label(score)), zero, full,
                 fails);
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

void drive_pages_pause(Menu *menu, const Drive *drive, const SceneParams *scene, const char *title, bool shows_axes,
                       const char *camera)
{
    bool recorded = drive->recorder != NULL;
    menu_start(menu, title, scene->title);
    menu_add(menu, DRIVE_ITEM_RESUME, language_text("Drive on"), "");
    menu_add(menu, DRIVE_ITEM_RESTART, language_text("Start again"),
             recorded ? language_text("with a new recording") : "");
    menu_add(menu, DRIVE_ITEM_CAMERA, "", "");
    menu_add(menu, DRIVE_ITEM_AXES,
             language_text(shows_axes ? TEXT("Hide what each axis does") : TEXT("Show what each axis does")),
             language_text("F4 while driving"));
    if (briefing_is_worth(&scene->exercise)) {
        menu_add(menu, DRIVE_ITEM_BRIEFING, language_text("Read the exercise again"),
                 language_text("goal, plan, steps, points"));
    }
    menu_add(menu, DRIVE_ITEM_SETTINGS, language_text("Settings"), "");
    menu_add(menu, DRIVE_ITEM_LEAVE,
             language_text(recorded ? TEXT("Save and leave") : TEXT("Leave (nothing is recorded)")),
             recorded ? drive->record : "");
    drive_pages_name_camera(menu, camera);
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
    menu_start(menu, language_text("Leave it before its end?"),
               drive->recorder != NULL
                   ? language_text("The recording is kept. The exercise counts as left before its end")
                   : language_text("Nothing is recorded: what you did is lost"));
    menu_add(menu, DRIVE_ITEM_LEAVE_NOW,
             closes ? language_text("Leave it and end Spadework") : language_text("Leave it"), "");
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
        [RECORDER_LOCKED] = TEXT("Another program keeps the recording's file: it waits in memory"),
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
