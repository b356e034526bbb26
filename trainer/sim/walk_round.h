/// The way on foot round obstacles.
///
/// The shortest way in plan from corner to corner of the obstacles with their clearance. Pure, and the same bits
/// everywhere: of two ways of equal length the one over earlier corners is taken.
#ifndef SPADEWORK_TRAINER_WALK_ROUND_H
#define SPADEWORK_TRAINER_WALK_ROUND_H

#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "soil/soil.h"

enum { WALK_CORNERS = 4, WALK_OUTLINES = SCENE_MAX_FIXTURES + SCENE_MAX_TRUCKS };

/// What is in the way; zero: nothing is.
typedef struct WalkRound {
    int count;
    /// m, world, z 0, counter-clockwise: SCENE_WALK_CLEAR around an obstacle.
    Vec3 outline[WALK_OUTLINES][WALK_CORNERS];
} WalkRound;

/// Adds a thing by its outline without the clearance, a rectangle or what is almost one; a full one drops it.
void walk_round_add(WalkRound *round, const Vec3 outline[WALK_CORNERS]);
/// Adds the rectangle about points [count], m, world, with sides along and across `heading` (rad).
void walk_round_add_points(WalkRound *round, const Vec3 *points, int count, double heading);
/// Adds the scene's fixtures that reach between knee and head height over the present ground beside them.
void walk_round_add_fixtures(WalkRound *round, const SceneParams *scene, const Soil *soil);

/// The outline that holds a place; -1: none does.
int walk_round_holds(const WalkRound *round, double x, double y);
/// The corner, or the end, that he goes straight to next on his way to (x, y): the end itself where nothing is between,
/// and where no way leads there.
Vec3 walk_round_next(const WalkRound *round, Vec3 from, double x, double y);
/// Where a step of at most `length` m to (x, y) leads; one who is inside an outline steps out of it, one whose step
/// would lead into one stays.
Vec3 walk_round_step(const WalkRound *round, Vec3 from, double x, double y, double length);

#endif
