/// Menus and messages over a drive: pause, briefing, questions, leaving, a failed recording; and the page after an
/// attempt with its debrief. These functions build what is shown; drive_screen.c carries out what is chosen.
#ifndef SPADEWORK_TRAINER_DRIVE_PAGES_H
#define SPADEWORK_TRAINER_DRIVE_PAGES_H

#include "data/schema/scene_params.h"
#include "trainer/app/menu.h"
#include "trainer/app/session_view.h"
#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"
#include "trainer/sim/sim.h"

/// ---- message -------------------------------------------------------------------------------------------------------

/// The message in the middle of the screen: a text of any length, shown line by line.

enum { MESSAGE_LINE = 50 }; ///< letters that the screen has room for

/// Zero is no message.
typedef struct Message {
    char text[512]; ///< one line after the other, each ended by \n
    char line[MESSAGE_LINE * 4]; ///< the one that is shown
    double age; ///< s since it was set
} Message;

/// Sets the text.
void message_say(Message *message, const char *text);
/// Returns the line that is due, valid until the next call; NULL when all were shown.
const char *message_line(Message *message);

/// ---- briefing ------------------------------------------------------------------------------------------------------

/// The exercise's briefing, before it starts and in its pause: the task, how it is judged, and which steps are
/// done. All of it comes from the scene's values.

/// True where there is something to read: the scene scores something or lists steps.
bool briefing_is_worth(const SceneExercise *asked);
/// Appends goal, times, tolerance, steps (those done are ticked off), points and what ends the attempt.
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
    DRIVE_ITEM_SETTINGS,
    DRIVE_ITEM_CONTROLS,
    DRIVE_ITEM_SWITCHES,
    DRIVE_ITEM_MOUSE ///< levers for the mouse
} DriveItem;

/// Pictures of the briefing: of the exercise, where there is one, and the plan of its site. Zero-initialise.
typedef struct DrivePictures {
    RenderPicture *scene, *plan; ///< NULL: none, or not yet made
} DrivePictures;
void drive_pictures_free(DrivePictures *pictures);

/// What is in sight during the drive.
typedef struct PauseShows {
    bool axes; ///< the table of what each axis does
    bool mouse; ///< the levers for the mouse
    const char *camera; ///< its name
} PauseShows;

/// Fills the menu of a pause. scene: in the trainee's language.
void drive_pages_pause(Menu *menu, const Drive *drive, const SceneParams *scene, const char *title,
                       const PauseShows *shows);
/// Writes on a pause's page that the pad is lost, or that it is back.
void drive_pages_name_pad(Menu *menu, bool lost);
/// Writes the camera's name into a pause's menu.
void drive_pages_name_camera(Menu *menu, const char *camera);
/// True where leaving now needs a question first: the exercise runs and is not over.
bool drive_pages_asks_before_leaving(const Drive *drive);
/// Fills the menu with that question. closes: the whole program would end.
void drive_pages_leave(Menu *menu, const Drive *drive, bool closes);
void drive_pages_failure(Menu *menu, const Drive *drive);
/// State of a drive's files at the last frame; zero: there were none.
typedef struct DriveFiles {
    bool records, measures, disturbed;
    RecorderHold held_up;
    int told_count; ///< of the drive
} DriveFiles;
/// Points with which the person has passed the exercise by own work from its start; -1: not passed.
double drive_pages_points_won(const Drive *drive);
/// Reports once that a file was given up, what delays the recording, that another program wrote into it, or an
/// instructor's words; updates `last`.
void drive_pages_tell_files(DriveFiles *last, const Drive *drive, Message *message);
/// Fills the menu with the briefing beside picture and plan, which are made when they are
/// not there.
/// begins  before the first tick: the exercise is started or left from here; else it is driven on
void drive_pages_briefing(Menu *menu, const Drive *drive, const SceneParams *scene, bool begins, TextUnits units,
                          DrivePictures *pictures);

/// Stores a picture of the final ground and machine in the recording, if there is one.
void drive_pages_keep_picture(Window *window, SessionView *own, const Drive *drive);

/// ---- next exercise -------------------------------------------------------------------------------------------------

/// The exercise after the one that was driven, in its course.

typedef struct NextExercise {
    char scene[64]; ///< "" = there is none
    char title[96];
    bool open;
    bool last; ///< the exercise is the last one of its course
    double needs; ///< points that the exercise before it is to be passed with
} NextExercise;

/// Finds it by the options of a drive (course, scene, trainee, results).
/// won  points, 0..100, that it was just passed with by the trainee's own work, which open it whether they are stored
///      already or not; -1: it was not
void next_exercise_find(const RunOptions *options, double won, NextExercise *next);

/// ---- what next -----------------------------------------------------------------------------------------------------

/// One sentence that advises what to do next.

/// Writes the sentence in the reader's language.
/// ended  the exercise was judged, else it was left before its end
void what_next(const ReportSummary *summary, const NextExercise *next, bool ended, char text[MENU_SUBTITLE]);

/// ---- page of the end -----------------------------------------------------------------------------------------------

/// Items of the page. END_LOOK + k watches mistake k.
typedef enum EndChoice {
    END_NOTHING = 400,
    END_DRIVE_ON,
    END_NEXT,
    END_DEBRIEF,
    END_WATCH,
    END_AGAIN,
    END_LEAVE,
    END_LOOK
} EndChoice;

/// Inputs of the page.
typedef struct EndPage {
    TextUnits units; ///< that quantities are written in
    const SceneParams *scene;
    const Exercise *exercise; ///< as it ended
    const ScoreTrail *trail; ///< the score over time
    double dt; ///< s of a tick
    bool runs; ///< the drive can continue
    bool scripted; ///< nobody drove it
    Credit credit; ///< how the drive counts
    const char *trainee; ///< whose name it bears, or NULL
    const char *cleared; ///< recordings that the clean-up has deleted; "" or NULL: none
    bool from_menu;
    bool recorded; ///< there is a recording to watch
    NextExercise next;
    int64_t ticks[REPORT_MISTAKES]; ///< out: tick of each mistake; -1: unknown
} EndPage;

/// Points that count, 0..100; below 0: those of this drive count for nobody.
double end_page_score(const EndPage *page);
/// Fills the menu with the page. told: a line instead of the verdict, or NULL.
void end_page_fill(EndPage *page, Menu *menu, const char *told);

/// ---- debrief -------------------------------------------------------------------------------------------------------

/// Writes the debrief beside the recording (REC.spade.html), compared with the expert's run and the trainee's own last
/// ones, and opens it with xdg-open, without waiting for it. `told` [size] receives one line: where it lies, and that
/// it could not be opened or written.
/// results  file of results, NULL: the user's own
/// units    that quantities are written in
void end_page_open_debrief(const char *recording, const char *results, TextUnits units, char *told, size_t size);

#endif
