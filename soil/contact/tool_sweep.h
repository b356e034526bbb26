/// Tools move particles within a tick, whatever speed those had at its start: how far, at most.
#ifndef SPADEWORK_SOIL_PUSHERS_H
#define SPADEWORK_SOIL_PUSHERS_H

#include <math.h>

#include "soil/soil_parts.h"
#include "data/core/tool_geometry.h"

typedef struct Pushers {
    int count;
    double push[SOIL_MAX_BODIES]; ///< m: most that a tool moves in this tick
    double near[SOIL_MAX_BODIES]; ///< m: particles so near the tool's middle may be pushed, through other soil
    Vec3 middle[SOIL_MAX_BODIES];
} Pushers;

/// Most is what the cells' skin leaves room for.
static inline void pushers_find(Pushers *pushers, const Soil *soil, double dt)
{
    double most = (SOIL_CELL_SKIN - SOIL_SKIN) * soil->model.particle_radius;
    pushers->count = soil->derived.body_count;
    for (int b = 0; b < soil->derived.body_count; b++) {
        const SoilTool *tool = &soil->derived.bodies[b].tool;
        Vec3 middle;
        double radius = tool_bounding_sphere(tool->shape, &middle);
        double speed = vec3_length(tool->motion.velocity) + vec3_length(tool->motion.spin) * 2.0 * radius;
        pushers->push[b] = fmin(SOIL_APPROACH * dt * speed, most);
        pushers->middle[b] = pose_apply(&tool->motion.frame, middle);
        pushers->near[b] = radius + SOIL_PUSHED;
    }
}

/// m: most that a particle may be pushed.
static inline double pushers_most(const Pushers *pushers)
{
    double most = 0.0;
    for (int b = 0; b < pushers->count; b++) {
        most = fmax(most, pushers->push[b]);
    }
    return most;
}

/// How far particle i may be pushed, m.
static inline double pushers_reach(const Pushers *pushers, const Soil *soil, int32_t i)
{
    const Particles *p = &soil->state.particles;
    double push = 0.0;
    for (int b = 0; b < pushers->count; b++) {
        Vec3 to = vec3_sub(vec3(p->x[i], p->y[i], p->z[i]), pushers->middle[b]);
        if (pushers->push[b] > push && vec3_dot(to, to) < pushers->near[b] * pushers->near[b]) {
            push = pushers->push[b];
        }
    }
    return push;
}

#endif
