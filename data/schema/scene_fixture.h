/// Solids of a scene: fixtures, and the truck, whose measures follow from its bed. Pure functions.
#ifndef SPADEWORK_DATA_SCENE_FIXTURE_H
#define SPADEWORK_DATA_SCENE_FIXTURE_H

#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "data/schema/truck_way.h"

/// m of soil over a buried thing's upper side that do not hide it: crumbs. Chosen.
#define SCENE_EXPOSED_FILM 0.005

/// Corners of a post and a pipe: a prism of twelve sides around the circle.
enum { SCENE_POST_SIDES = 12, SCENE_FIXTURE_MAX_POINTS = 2 * SCENE_POST_SIDES };

/// Writes the corners of a fixture, m, world: those of its bottom counter-clockwise seen from above, then those of its
/// top in the same order; of a pipe those of its start counter-clockwise seen from there, then those of its end in the
/// same order. Returns how many.
int scene_fixture_points(const SceneFixture *fixture, Vec3 points[SCENE_FIXTURE_MAX_POINTS]);

/// Writes the outline of a fixture seen from above, m, counter-clockwise, at its bottom. Returns how many corners.
int scene_fixture_outline(const SceneFixture *fixture, Vec3 points[SCENE_POST_SIDES]);

/// Returns the height of a fixture's upper side over (x, y), m, world; -HUGE_VAL beside it.
double scene_fixture_crown(const SceneFixture *fixture, double x, double y);

/// True when a fixture is to be dug free in an exercise.
bool scene_is_to_expose(const SceneExercise *exercise, const SceneFixture *fixture);

/// Returns true when a fixture reaches into a truck that stands at a place on level ground, seen as the box around bed,
/// chassis and cab.
bool scene_fixture_meets_truck(const SceneFixture *fixture, const TruckParams *truck, const TruckPlace *place);

/// Returns the measures of a scene's truck: those of its file, or as its bed suggests.
TruckParams scene_truck_shape(const SceneParams *scene);

#endif
