/// The page after an attempt: the verdict, what went well, what cost most, and what to do next; and the debrief, which the
/// page opens.
#ifndef SPADEWORK_TRAINER_END_PAGE_H
#define SPADEWORK_TRAINER_END_PAGE_H

#include "data/schema/scene_params.h"
#include "trainer/app/menu.h"
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

/// ---- debrief -------------------------------------------------------------------------------------------------------

/// Writes the debrief beside the recording (REC.spade.html), compared with the expert's run and the trainee's own last
/// ones, and opens it with xdg-open, without waiting for it. `told` [size] receives one line: where it lies, and that
/// it could not be opened or written.
/// results  file of results, NULL: the user's own
/// units    that quantities are written in
void end_page_open_debrief(const char *recording, const char *results, TextUnits units, char *told, size_t size);

#endif
