/// The menus over a drive: pause, what a broken recording asks, and the briefing. They know what is shown; what is done
/// is the drive's screen's.
#ifndef SPADEWORK_TRAINER_DRIVE_PAGES_H
#define SPADEWORK_TRAINER_DRIVE_PAGES_H

#include "data/schema/scene_params.h"
#include "trainer/app/menu.h"
#include "trainer/app/session_view.h"
#include "trainer/pilot/pilot.h"
#include "trainer/sim/sim.h"

/// ---- message -------------------------------------------------------------------------------------------------------

/// What the screen says in its middle: a text of any length, a line of it at a time.

enum { MESSAGE_LINE = 50 }; ///< letters that the screen has room for

/// Zero says nothing.
typedef struct Message {
    char text[512]; ///< one line after the other, each ended by \n
    char line[MESSAGE_LINE * 4]; ///< the one that is shown
    double age; ///< s since it was said
} Message;

/// Says a text from now on.
void message_say(Message *message, const char *text);
/// Returns the line that is due, valid until the next call; NULL when all were shown.
const char *message_line(Message *message);

/// ---- briefing ------------------------------------------------------------------------------------------------------

/// The page of an exercise before it starts and in its pause: what is to be done, how it is judged, and which steps are
/// done. All of it comes from the scene's values.

/// True where there is something to tell: the scene scores something or lists steps.
bool briefing_is_worth(const SceneExercise *asked);
/// Appends goal, times, tolerance, steps (ticked off where `exercise` says so), points and what ends the attempt.
void briefing_add(Menu *menu, const SceneExercise *asked, const Exercise *exercise, TextUnits units);

/// ---- questions -----------------------------------------------------------------------------------------------------

/// The page of a question that is to be answered before the levers move anything.

/// Ids of the answers: of answer k, from 1 on, QUESTION_PAGE_ANSWERS + k.
enum { QUESTION_PAGE_ANSWERS = 300 };
enum { QUESTION_PAGE_TEXT = 512 };

/// Begins the menu of the question that is asked now: its text, its answers, and what was right before it.
void question_page_begin(Menu *menu, const SceneExercise *asked, const Exercise *exercise);
/// Writes whether a question was answered rightly, and why; "" while it was not answered.
/// question  0..questions_count - 1
void question_page_reply(const SceneExercise *asked, const Exercise *exercise, int question,
                         char text[QUESTION_PAGE_TEXT]);
/// A digit selects the answer of its number; true when there is one.
bool question_page_is_answered(Menu *menu, int digit);

/// ---- pages over a drive --------------------------------------------------------------------------------------------

typedef enum DriveItem {
    DRIVE_ITEM_RESUME,
    DRIVE_ITEM_RESTART,
    DRIVE_ITEM_CAMERA,
    DRIVE_ITEM_AXES,
    DRIVE_ITEM_LEAVE,
    DRIVE_ITEM_LEAVE_NOW, ///< without a question
    DRIVE_ITEM_UNRECORDED,
    DRIVE_ITEM_BRIEFING,
    DRIVE_ITEM_SETTINGS
} DriveItem;

/// Pictures of the briefing: of the exercise, where there is one, and the plan of its site. Zero-initialise.
typedef struct DrivePictures {
    RenderPicture *scene, *plan; ///< NULL: none, or not yet made
} DrivePictures;
void drive_pictures_free(DrivePictures *pictures);

/// Fills the menu of a pause. scene: in the trainee's language; shows_axes: the table of axes is in sight.
void drive_pages_pause(Menu *menu, const Drive *drive, const SceneParams *scene, const char *title, bool shows_axes,
                       const char *camera);
/// Says on a pause's page that it is for a lost pad, or that there is one again.
void drive_pages_name_pad(Menu *menu, bool lost);
/// Writes the camera's name into a pause's menu.
void drive_pages_name_camera(Menu *menu, const char *camera);
/// True where a person who leaves now is asked first: his exercise runs and is not over.
bool drive_pages_asks_before_leaving(const Drive *drive);
/// Fills the menu with that question. closes: the whole program would end.
void drive_pages_leave(Menu *menu, const Drive *drive, bool closes);
void drive_pages_failure(Menu *menu, const Drive *drive);
/// How the files of a drive were at the last frame; zero: there were none.
typedef struct DriveFiles {
    bool records, measures, disturbed;
    RecorderHold held_up;
    int told_count; ///< of the drive
} DriveFiles;
/// Points that the drive has passed its exercise with by the person's own work from its start; -1: it has not.
double drive_pages_points_won(const Drive *drive);
/// Says once that a file was given up, what keeps the recording waiting, that another program wrote into it, or what an
/// instructor says; brings `last` up to date.
void drive_pages_tell_files(DriveFiles *last, const Drive *drive, Message *message);
/// Fills the menu with what is to be done and how it is judged, beside picture and plan, which it makes when they are
/// not there.
/// begins  before the first tick: the exercise is started or left from here; else it is driven on
void drive_pages_briefing(Menu *menu, const Drive *drive, const SceneParams *scene, bool begins, TextUnits units,
                          DrivePictures *pictures);

/// The recording, if there is one, gets a picture of how the ground and the machine are left.
void drive_pages_keep_picture(Window *window, SessionView *own, const Drive *drive);

#endif
