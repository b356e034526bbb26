/// The page at the end of an attempt: passed, not passed, time up, failed, or left before the end; what went well, what
/// cost most, and what can be done next.
#ifndef SPADEWORK_TRAINER_END_PAGE_H
#define SPADEWORK_TRAINER_END_PAGE_H

#include "data/schema/scene_params.h"
#include "trainer/sim/sim.h"
#include "trainer/report/report.h"
#include "trainer/app/next_exercise.h"
#include "trainer/app/menu.h"

/// What can be chosen. A mistake to look at is END_LOOK + its number.
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

/// What the page is made from.
typedef struct EndPage {
    TextUnits units; ///< that quantities are written in
    const SceneParams *scene;
    const Exercise *exercise; ///< as it ended
    const ScoreTrail *trail; ///< how the score stood in its course
    double dt; ///< s of a tick
    bool runs; ///< the drive can be gone on with
    bool scripted; ///< nobody drove it
    Credit credit; ///< what it counts as
    const char *trainee; ///< whose name it bears, or NULL
    const char *cleared; ///< recordings that the clean-up has deleted; "" or NULL: none
    bool from_menu;
    bool recorded; ///< there is something to look at
    NextExercise next;
    int64_t ticks[REPORT_MISTAKES]; ///< out: where each mistake happened; -1: nowhere to look
} EndPage;

/// Points that count, 0..100; below 0: those of this drive count for nobody.
double end_page_score(const EndPage *page);
/// Fills the menu with the page. told: a line instead of the verdict, or NULL.
void end_page_fill(EndPage *page, Menu *menu, const char *told);

#endif
