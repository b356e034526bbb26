/// Somebody who walks onto the site because the instructor says so: on foot, out of the operator's sight, up to the
/// machine, as far as is said; and off again. He goes round trucks and fixtures, and steps back from a truck that comes
/// too near; where no way leads on, he stops. The machine he does not mind.
#ifndef SPADEWORK_TRAINER_WALK_IN_H
#define SPADEWORK_TRAINER_WALK_IN_H

#include <stdbool.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "soil/soil.h"
#include "trainer/sim/walk_round.h"

#define WALK_IN_NAME "the walker"
#define WALK_IN_FROM 25.0 ///< m from the machine, or less where the site ends, that he appears and vanishes at. Chosen

/// How he walks. Straight on is how recordings have it that were made before he went round things.
typedef enum WalkManner { WALK_STRAIGHT = 1, WALK_ROUND } WalkManner;

/// State; zero: nobody is there.
typedef struct WalkIn {
    double x, y; ///< m, world
    int32_t there; ///< WalkManner; 0: nobody is
} WalkIn;

/// What he is told, and what is about him.
typedef struct WalkSight {
    double stop; ///< m from the middle of the machine's base that he walks up to; 0: he goes away, if he is there
    int32_t manner; ///< WalkManner, of who walks up; who goes away goes as he came
    const Soil *soil;
    WalkRound round; ///< what is in the way; not looked at by who walks straight on
    Vec3 base; ///< m: the machine's place
    double facing; ///< rad: where its operator looks
} WalkSight;

/// Moves him for a tick of `dt` s.
void walk_in_tick(WalkIn *walker, const WalkSight *sight, double dt);
/// Visits the state. Nobody there is no field; a restoring visitor tells by `holds` whether they
/// come.
void walk_in_visit(WalkIn *walker, StateVisitor *visitor);

#endif
