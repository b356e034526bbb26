/// How far ahead of a ghost, or behind it, an exercise is, by its own steps, targets and cycles and by its points at
/// the same time.
#ifndef SPADEWORK_TRAINER_GHOST_RACE_H
#define SPADEWORK_TRAINER_GHOST_RACE_H

#include "trainer/sim/sim.h"

enum { GHOST_RACE_LINES = 2, GHOST_RACE_TEXT = 96 };

/// What a race is measured by, in the order in which it is preferred where several come in one tick.
typedef enum GhostMarkKind { GHOST_STEP, GHOST_TARGET, GHOST_CYCLE, GHOST_MARK_KINDS } GhostMarkKind;

/// Something that was reached.
typedef struct GhostMark {
    GhostMarkKind kind;
    int number; ///< of its kind, from 1
    int64_t tick;
} GhostMark;

/// Takes the marks out of events ([count], in order of time); returns how many, at most `count`.
int ghost_marks(const ExerciseEvent *events, int count, GhostMark *marks);

/// What is compared.
typedef struct GhostRace {
    const GhostMark *own, *other; ///< in order of time
    int own_count, other_count;
    int64_t tick; ///< now
    double dt; ///< s of a tick, of both
    double own_score, other_score; ///< points at this time
} GhostRace;

/// s that the own run is ahead of the other one, below 0 behind: at the last mark that both have reached, or so much as
/// the other one's next mark is overdue by now, whichever is more. `at` receives that mark. False where neither is
/// known.
bool ghost_race_lead(const GhostRace *race, double *lead, GhostMark *at);
/// Writes the lines of the screen ("4.2 s behind the ghost (step 2)", "31 points, the ghost 38"); where no lead is
/// known yet, the first is "".
void ghost_race_text(const GhostRace *race, char text[GHOST_RACE_LINES][GHOST_RACE_TEXT]);

#endif
