/// Tools move particles within a tick, whatever speed those had at its start: how far, at most.
#ifndef SPADEWORK_SOIL_TOOL_SWEEP_H
#define SPADEWORK_SOIL_TOOL_SWEEP_H

#include <math.h>

#include "data/core/tool_geometry.h"
#include "soil/contact/contact_system.h"

/// m: soil so far from a tool's bounding sphere may be pushed by it within a tick, through other soil. Chosen.
#define TOOL_SWEEP_MARGIN 0.8

typedef struct ToolSweep {
    int count;
    double push[SOIL_MAX_BODIES]; ///< m: most that a tool moves in this tick
    double near[SOIL_MAX_BODIES]; ///< m: particles so near the tool's middle may be pushed, through other soil
    Vec3 middle[SOIL_MAX_BODIES];
} ToolSweep;

/// Most is what the cells' skin leaves room for.
static inline void tool_sweep_find(ToolSweep *sweep, const ContactSystem *system, double dt)
{
    double most = (PAIR_CELL_SKIN - PAIR_SKIN) * system->model->particle_radius;
    sweep->count = system->body_count;
    for (int b = 0; b < system->body_count; b++) {
        const SoilTool *tool = &system->bodies[b].tool;
        Vec3 middle;
        double radius = tool_bounding_sphere(tool->shape, &middle);
        double speed = vec3_length(tool->motion.velocity) + vec3_length(tool->motion.spin) * 2.0 * radius;
        sweep->push[b] = fmin(PAIR_APPROACH * dt * speed, most);
        sweep->middle[b] = pose_apply(&tool->motion.frame, middle);
        sweep->near[b] = radius + TOOL_SWEEP_MARGIN;
    }
}

/// m: most that a particle may be pushed.
static inline double tool_sweep_most(const ToolSweep *sweep)
{
    double most = 0.0;
    for (int b = 0; b < sweep->count; b++) {
        most = fmax(most, sweep->push[b]);
    }
    return most;
}

/// How far particle i may be pushed, m.
static inline double tool_sweep_reach(const ToolSweep *sweep, const Particles *p, int32_t i)
{
    double push = 0.0;
    for (int b = 0; b < sweep->count; b++) {
        Vec3 to = vec3_sub(vec3(p->x[i], p->y[i], p->z[i]), sweep->middle[b]);
        if (sweep->push[b] > push && vec3_dot(to, to) < sweep->near[b] * sweep->near[b]) {
            push = sweep->push[b];
        }
    }
    return push;
}

#endif
