/// Constants of a soil: its scene and what follows from it. Every part of soil/ may read them; soil.c fills them in.
#ifndef SPADEWORK_SOIL_MODEL_H
#define SPADEWORK_SOIL_MODEL_H

#include <stdint.h>

#include "data/schema/scene_params.h"
#include "soil/soil_types.h"

struct PairKernel;

#define SOIL_STILL_SPEED 0.002 ///< m/s: a slower tool stands still. Chosen: an arm that is held drifts by less

/// Constant but for gravity (soil_set_gravity) and the kernel (soil_set_lanes). What is not the scene's is worked out
/// from it.
typedef struct SoilModel {
    SceneParams scene;
    SoilSolver solver;
    int threads;
    uint64_t seed;
    double particle_radius; ///< m, of a particle with the nominal mass
    double gravity; ///< m/s2, downwards
    int pieces; ///< in which the default solver takes a substep
    double layer_height; ///< m of a column that make one particle on the mean
    double yielding[SCENE_MAX_SOILS]; ///< Pa: soil pinched below a tool presses on it with no more
    double crushing[SCENE_MAX_SOILS]; ///< Pa: unconfined compressive strength, which flattens a clod against steel
    double tan_friction[SCENE_MAX_SOILS]; ///< ratio: tangent of each soil's angle of internal friction
    double tan_steel[SCENE_MAX_SOILS]; ///< ratio: tangent of each soil's angle of friction on steel
    /// What the model states in seconds, in ticks of the scene: 1 or more.
    int quiet_ticks, crowded_ticks, lying_ticks, calm_ticks;
    const struct PairKernel *kernel; ///< of the widest vectors that the processor has, or as soil_set_lanes chose
} SoilModel;

/// How often something that happens `per_second` times a second happens in a tick (counted from 0).
static inline int model_times(const SoilModel *model, int64_t tick, int per_second)
{
    int64_t rate = model->scene.rates.tick_rate;
    return (int)((tick + 1) * per_second / rate - tick * per_second / rate);
}

/// s: length of a tick.
static inline double model_tick(const SoilModel *model)
{
    return 1.0 / model->scene.rates.tick_rate;
}

#endif
