/// Items of the menus over a drive.
#include "trainer/app/drive_pages.h"

#include <stdio.h>
#include <stdlib.h>

#include "data/core/language.h"
#include "trainer/app/briefing.h"
#include "trainer/app/pictures.h"

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
