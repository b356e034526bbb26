/// All settled ground of a soil: the site's, and what lies in trays.
#ifndef SPADEWORK_SOIL_GROUNDS_H
#define SPADEWORK_SOIL_GROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "data/core/tool_geometry.h"
#include "soil/ground/ground.h"
#include "soil/ground/tray.h"
#include "soil/model.h"
#include "soil/soil_types.h"

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

/// Which ground carries a particle at a place: the site or a tray.

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
