/// The page after an attempt: the verdict, what went well, what cost most, and what to do next; and the screen that
/// shows it.
#ifndef SPADEWORK_TRAINER_END_PAGE_H
#define SPADEWORK_TRAINER_END_PAGE_H

#include "data/schema/scene_params.h"
#include "trainer/app/menu.h"
#include "trainer/app/screens.h"
#include "trainer/app/session_view.h"
#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"
#include "trainer/sim/sim.h"

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

/// ---- screen after a drive ------------------------------------------------------------------------------------------

/// The page that follows a drive.

/// A drive that is closed, not yet destroyed.
typedef struct AfterParams {
    const Drive *drive;
    SessionView *view; ///< of its session
    const ScoreTrail *trail; ///< the score over time
    const char *recorded; ///< path, "" = nothing was recorded
} AfterParams;

/// Shows the page until the person leaves, starts again or goes to the next exercise (END_LEAVE, END_AGAIN, END_NEXT).
/// wish  what is done at once: END_DEBRIEF, END_WATCH, END_LOOK + a mistake's number; END_NOTHING: nothing
/// next  receives the next exercise
/// end   receives SCREEN_END_CLOSE when the window is to go, else SCREEN_END_LEAVE
EndChoice after_screen(Window *window, const AfterParams *params, int wish, NextExercise *next, ScreenEnd *end);

#endif
