/// The events of a recording as marks on the time line: what kind each is of, which lies where, and what is told of it.
#ifndef SPADEWORK_TRAINER_REPLAY_MARKS_H
#define SPADEWORK_TRAINER_REPLAY_MARKS_H

#include "render/render.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum { REPLAY_MARK_ROW = EVENT_TEXT + 24, REPLAY_MARK_TEXT = EVENT_TEXT + 64 };

/// Zero is one without events. All arrays have `count` rows in order of tick.
typedef struct ReplayMarks {
    TextReader reader; ///< of the rows
    SceneExercise *scene; ///< with its texts in that reader's language; NULL: it cannot be read
    int count;
    ExerciseEvent *events;
    RenderMark *marks; ///< of the same events, for the picture
    RenderEvent *rows; ///< of the same events, for the list; texts belong to the marks
    char (*texts)[REPLAY_MARK_ROW];
} ReplayMarks;

/// Reads the events. Freed by replay_marks_free.
/// marks  receives them; what it held before is not freed
/// dt     s of a tick
void replay_marks_read(ReplayMarks *marks, Recording *recording, double dt);
void replay_marks_free(ReplayMarks *marks);
/// Puts the bookmarks among the events, in place of those that were there. They are events of the kind "bookmark".
/// dt  s of a tick
void replay_marks_set_bookmarks(ReplayMarks *marks, const Bookmarks *bookmarks, double dt);

/// Tells which shape an event has: incidents by their name, what took points, cycles, and what was done.
RenderMarkKind replay_marks_kind(const ExerciseEvent *event);
/// Finds the first event after `tick` (forward) or the last before it; of several in one tick the first one. -1 when
/// there is none.
int replay_marks_next(const ReplayMarks *marks, int64_t tick, bool forward);
/// Finds the row of the list that stands out: the last event at or before `tick`; of several in one tick the one of
/// `wanted`, if it is one of them, else the last. -1 before the first.
int replay_marks_chosen(const ReplayMarks *marks, int64_t tick, int wanted);
/// Finds the event nearest to `tick`, at most `before` ticks before it and `after` ticks after it; of two equally near
/// ones the graver (RenderMarkKind). -1 when there is none.
int replay_marks_near(const ReplayMarks *marks, int64_t tick, int64_t before, int64_t after);
/// Writes a line of an event: its time, its place among all, what it was and what it gave or took.
void replay_marks_tell(const ReplayMarks *marks, int index, double dt, char text[REPLAY_MARK_TEXT]);

#endif
