/// All settled ground of a soil: the site with its fixtures, the trays, and which of them carries a place.
#ifndef SPADEWORK_SOIL_GROUNDS_H
#define SPADEWORK_SOIL_GROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "data/core/tool_geometry.h"
#include "soil/ground/ground.h"
#include "soil/model.h"
#include "soil/soil_types.h"

/// ---- a tray --------------------------------------------------------------------------------------------------------
/// One tray: a container that carries settled soil, moves and tips.

/// m: thickness of a tray's walls and slab. Chosen so large that no particle is pushed through; see test_soil_tray.
#define TRAY_WALL 0.12

/// Its settled soil is a small ground of its own; floor and walls are a body on a prescribed way.
typedef struct Tray {
    SoilTray params;
    Ground *ground; ///< in the tray's frame, but that heights count from below params.floor
    ToolShape walls; ///< the tail is the last piece
    Pose frame; ///< origin in the middle of the floor. State
    bool tail_open; ///< State
    Vec3 velocity; ///< m/s, of this tick
    Vec3 spin; ///< rad/s, of this tick
    int32_t *first; ///< [rows * columns + 2] scratch (tray_unload.c)
} Tray;

/// The body of a tray as the contacts see it.
SoilTool tray_body(const Tray *tray);
/// Velocity of the tray at a place in the world, m/s.
Vec3 tray_velocity(const Tray *tray, Vec3 at);
/// A tool as it is seen from a tray: in the tray's frame, heights as of the tray's ground, velocities against the tray.
/// Its inverse inertia stays the world's.
SoilTool tray_see_tool(const Tray *tray, const SoilTool *tool);
/// Place in the world of one that is seen from a tray so.
Vec3 tray_show_place(const Tray *tray, Vec3 at);
/// True unless a place in the world is at least `margin` m beside the tray's floor.
bool tray_is_below(const Tray *tray, Vec3 at, double margin);

/// How steeply loose soil of a kind may rise, in the tray's frame, from the four edges of the tray as it leans.
typedef struct TrayEdges {
    int soil;
    bool slides; ///< the floor falls to an open tail more steeply than steel holds the soil
    double rise[4]; ///< m: of the tail, the front, and beside at low and high y
    double slope[4]; ///< tangent
} TrayEdges;
void tray_edges(const Tray *tray, int soil_index, TrayEdges *edges);
/// Height off the floor (m, tray's frame) that it may have at a place without running out.
double tray_stable_height(const Tray *tray, const TrayEdges *edges, double x, double y);
/// Sets how the tray's ground leans, for its slopes.
void tray_lean(Tray *tray);
/// True when a particle at rest at a place in the world may settle: the tray stands still and about level, and the
/// particle would not run out.
bool tray_settles(const SoilModel *model, const Tray *tray, Vec3 at);

/// ---- fixtures ------------------------------------------------------------------------------------------------------

/// What stands on a site for good (walls, containers, posts): bodies that grains touch, and columns that hold no soil
/// that moves.
///
/// A column whose middle is in a fixture that reaches from below the undisturbed surface to above it neither gives nor
/// takes soil; between columns on two sides of a fixture nothing slides. Where a fixture lies below the surface whole,
/// soil lies on it: the column over it is lowered to its upper side at most, and what the column holds below that (in
/// place of the fixture, and under it) stays for good.

/// A column beside a fixture, and the one straight behind that fixture.
typedef struct FixtureBorder {
    int32_t index, behind;
    float top; ///< m: of the fixture
} FixtureBorder;

/// Constant over the life of a soil.
typedef struct Fixtures {
    int count; ///< 0..SCENE_MAX_FIXTURES
    ToolShape *shape; ///< [count] prisms along the y axis of their frame
    Pose *frame; ///< [count] y axis upright; of a pipe along its axis
    Vec3 (*box)[2]; ///< m, [count] lowest and highest corner, world
    FixtureBorder *border;
    int border_count;
} Fixtures;

/// Makes the bodies of a scene's fixtures, and bars the columns of the site that they stand in. False when memory is
/// short; grounds_destroy frees what there is.
bool fixtures_create(const SceneParams *scene, Ground *site, Fixtures *fixtures);

/// A fixture as a body that nothing moves.
SoilTool fixtures_body(const Fixtures *fixtures, int index);

/// ---- grounds and trays ---------------------------------------------------------------------------------------------

/// The site's ground, its fixtures and the trays.
typedef struct Grounds {
    Ground *site;
    int tray_count;
    Tray trays[SOIL_MAX_TRAYS];
    Fixtures fixtures; ///< that stand on the site
} Grounds;

/// Destroys the site and all trays.
void grounds_destroy(Grounds *grounds);

/// Adds a tray. Returns its index, or -1 with the reason in `status`.
int grounds_add_tray(const SoilModel *model, Grounds *grounds, const SoilTray *params, Status *status);
/// Sets how a tray moves in the next tick. False, with the reason in `status`, when that is out of range: the tray
/// stays as it is.
bool grounds_move_tray(const SoilModel *model, Grounds *grounds, int index, const SoilTrayMotion *motion,
                       Status *status);
/// Moves all trays on by `h` seconds.
void grounds_advance_trays(Grounds *grounds, double h);
/// Stops all trays, at the end of a tick. True when any of them moved.
bool grounds_rest_trays(Grounds *grounds);
/// Visits the trays' part of the state.
void grounds_visit_trays(const SoilModel *model, Grounds *grounds, StateVisitor *visitor);

/// ---- support -------------------------------------------------------------------------------------------------------

/// The ground below a place, and its surface there in world coordinates.
typedef struct Support {
    Ground *ground; ///< borrowed from the grounds
    double
        height; ///< m, world z of the surface straight below or above the place; of a tilted tray: of its plane there
    Vec3 normal; ///< unit, world
    int soil; ///< of the top layer
    const Tray *tray; ///< NULL: the site
    bool bare; ///< the steel floor of an empty tray
} Support;

/// Finds the nearest of the surfaces below (x, y, z), m, world. A tilted surface is taken as a plane.
Support support_find(const SoilModel *model, const Grounds *grounds, double x, double y, double z);
/// Friction coefficient of a soil on a support: on soil the mean of the two soils' own, on a bare floor that of steel.
double support_friction(const SoilModel *model, const Support *support, int soil_index);

#endif
