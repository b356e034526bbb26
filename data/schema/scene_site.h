/// The site of a scene before the start: its undisturbed ground, its fixtures, and the truck, whose measures follow
/// from its bed. Pure functions.
#ifndef SPADEWORK_DATA_SCENE_SITE_H
#define SPADEWORK_DATA_SCENE_SITE_H

#include <stdbool.h>

#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "data/schema/truck_way.h"

/// ---- ground --------------------------------------------------------------------------------------------------------

/// One soil between two depths.
typedef struct SceneStratum {
    double thickness; ///< m, above 0
    int soil; ///< index into SceneParams.soils
    bool loose; ///< of a mound, or of a bank that was tipped
} SceneStratum;

/// Top first. A patch splits a layer at most in two; a mound lies on top, and so does a fill up to heights of a file.
enum { SCENE_MAX_STRATA = SCENE_MAX_LAYERS + 2 * SCENE_MAX_PATCHES + SCENE_MAX_EARTHWORKS + SCENE_MAX_MOUNDS + 1 };

typedef struct SceneProfile {
    int count;
    SceneStratum strata[SCENE_MAX_STRATA];
} SceneProfile;

typedef struct SceneDirection {
    double cosine, sine; ///< of a heading
} SceneDirection;

/// How an earthwork's sides fall.
typedef struct SceneSides {
    SceneDirection heading;
    double side, start, end; ///< m a metre; HUGE_VAL: upright
} SceneSides;

/// What follows from the angles of a ground's patches and earthworks: computed once for all places of the ground.
typedef struct SceneAngles {
    SceneDirection patch[SCENE_MAX_PATCHES];
    SceneSides earthwork[SCENE_MAX_EARTHWORKS];
} SceneAngles;
void scene_find_angles(const SceneGround *ground, SceneAngles *angles);

/// True when a patch holds the place (x, y), m.
bool scene_patch_holds(const ScenePatch *patch, double x, double y);

/// Height of a mound's cone over the surface at (x, y), m; `tan_repose` of its soil.
double scene_mound_height(const SceneMound *mound, double tan_repose, double x, double y);

/// Height of the planes of an earthwork at (x, y), m, world: a bank reaches up to it, a cut down to it. Beside an
/// upright side -HUGE_VAL of a bank, HUGE_VAL of a cut.
double scene_earthwork_height(const SceneEarthwork *earthwork, double x, double y);

/// Height of the surface at (x, y), m, world, as the heights of a file and earthworks leave it where it was at
/// `undisturbed` m; without mounds.
double scene_surface(const SceneGround *ground, double undisturbed, double x, double y);

/// A plane that a rectangle of the surface without roughness and mounds lies in or below.
typedef struct SceneStand {
    double height; ///< m, world, in the rectangle's middle
    double along, across; ///< m a metre: rise towards the heading, and to its left
    double deepest; ///< m: so far lies the surface below it at most
} SceneStand;

/// What a rigid rectangle rests on, which is the plane through the surface by least squares, lifted until nothing of
/// it stands above: `length` m along the heading (rad), `width` m across, about (x, y).
SceneStand scene_stand(const SceneGround *ground, double x, double y, double heading, double length, double width);

/// Returns the height (m, world) of the surface where earthworks have changed it most below a rectangle whose middle
/// line runs from along[0] to along[1] m beyond (x, y) towards the heading (rad); `half_width` m to either side.
double scene_surface_change(const SceneGround *ground, double x, double y, double heading, const double along[2],
                            double half_width);

/// The strata at (x, y), where bedrock lies `depth` m below the surface of the undisturbed ground without heights of a
/// file. `angles` are those of the ground, `tan_repose` is by soil.
void scene_profile(const SceneGround *ground, const SceneAngles *angles, const double *tan_repose, double depth,
                   double x, double y, SceneProfile *profile);

/// ---- fixtures and truck --------------------------------------------------------------------------------------------

/// m of soil over a buried thing's upper side that do not hide it: crumbs. Chosen.
#define SCENE_EXPOSED_FILM 0.005

/// Corners of a post and a pipe: a prism of twelve sides around the circle.
enum { SCENE_POST_SIDES = 12, SCENE_FIXTURE_MAX_POINTS = 2 * SCENE_POST_SIDES };

/// Writes the corners of a fixture, m, world: those of its bottom counter-clockwise seen from above, then those of its
/// top in the same order; of a pipe those of its start counter-clockwise seen from there, then those of its end in the
/// same order. Returns how many.
int scene_fixture_points(const SceneFixture *fixture, Vec3 points[SCENE_FIXTURE_MAX_POINTS]);

/// Returns a box or a post as it lies on the site's level after it was pushed over about its foot towards `heading`,
/// rad: a box falls across its thinner side, to the nearer of its two sides there; a post becomes a pipe.
SceneFixture scene_fixture_lying(const SceneFixture *fixture, double heading);

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
