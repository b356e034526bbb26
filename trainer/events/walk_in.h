/// Somebody who walks onto the site because the instructor says so: on foot, out of the operator's sight, straight at
/// the machine, as far as is said; and off again. Nothing stops him, and he stops for nothing.
#ifndef SPADEWORK_TRAINER_WALK_IN_H
#define SPADEWORK_TRAINER_WALK_IN_H

#include <stdbool.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "soil/soil.h"

#define WALK_IN_NAME "the walker"
#define WALK_IN_FROM 25.0 ///< m from the machine, or less where the site ends, that he appears and vanishes at. Chosen

/// State; zero: nobody is there.
typedef struct WalkIn {
    double x, y; ///< m, world
    int32_t there; ///< 1: somebody is
} WalkIn;

/// Moves him for a tick of `dt` s.
/// stop          m from the middle of the machine's base that he walks up to; 0: he goes away, if he is there
/// base, facing  the machine's place, m, and the direction, rad, that its operator looks in
void walk_in_tick(WalkIn *walker, double stop, const Soil *soil, Vec3 base, double facing, double dt);
/// Visits the state. Nobody there is no field; a restoring visitor tells by `holds` whether they
/// come.
void walk_in_visit(WalkIn *walker, StateVisitor *visitor);

#endif
