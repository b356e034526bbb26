/// Which rocks a scene begins with, and where each is put. Follows from scene and seed alone.
#ifndef SPADEWORK_TRAINER_ROCK_LAYOUT_H
#define SPADEWORK_TRAINER_ROCK_LAYOUT_H

#include "data/schema/scene_params.h"
#include "machine/rocks.h"
#include "soil/soil.h"

/// Adds the shapes and the budget of the scene's rocks: each group has its share of the shapes there may be.
void rock_layout_shapes(const SceneParams *scene, uint64_t seed, RocksParams *params);

typedef struct RockLayout {
    const SceneParams *scene;
    uint64_t seed;
    const Soil *soil;
    const double *radius; ///< m, [shapes]: of a ball around the centre of mass that holds the shape
} RockLayout;

/// Adds the rocks that fall at the start, or those that do not: above the ground, clear of one another. `count`: rocks
/// there are, before and after. False with `status`.
bool rock_layout_add(const RockLayout *layout, Rocks *rocks, bool fall, int *count, Status *status);

#endif
