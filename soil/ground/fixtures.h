/// What stands on a site for good (walls, containers, posts): bodies that grains touch, and columns that hold no soil
/// that moves.
///
/// A column whose middle is in a fixture that reaches from below the undisturbed surface to above it neither gives nor
/// takes soil; between columns on two sides of a fixture nothing slides. Where a fixture lies below the surface whole,
/// soil lies on it: the column over it is lowered to its upper side at most, and what the column holds below that (in
/// place of the fixture, and under it) stays for good.
#ifndef SPADEWORK_SOIL_FIXTURES_H
#define SPADEWORK_SOIL_FIXTURES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/tool_shape.h"
#include "soil/ground/ground.h"
#include "soil/soil_types.h"

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
/// short; fixtures_destroy frees what there is.
bool fixtures_create(const SceneParams *scene, Ground *site, Fixtures *fixtures);
void fixtures_destroy(Fixtures *fixtures);

/// A fixture as a body that nothing moves.
SoilTool fixtures_body(const Fixtures *fixtures, int index);

#endif
