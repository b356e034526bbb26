/// Particles at rest become ground again.
///
/// Soil that never moved while it was particles goes back intact, with its bank density.
/// A particle is absorbed when it has been quiet for QUIET_TICKS, lies on the ground (bottom layer first, so that a pile goes
/// from below) and no tool is near. Its quanta go to the columns it covers as loose soil. Particles that the risen ground
/// then overlaps keep that overlap as their rest gap: nothing pops.
#include <math.h>

#include "soil/geometry.h"
#include "soil/tool.h"
#include "soil/tray.h"

enum { QUIET_TICKS = 24, CROWDED_TICKS = 6 };

#define QUIET_SPEED     0.08 ///< m/s
#define DISTURBED_SPEED 0.15 ///< m/s: soil that once moved so fast is loose
#define TOOL_DISTANCE   0.35 ///< m from a tool's bounding sphere

/// Distance from a point to the nearest moving tool's bounding sphere.
static double tool_clearance(const Soil *soil, Vec3 at)
{
    double nearest = HUGE_VAL;
    for (int b = 0; b < soil->body_count; b++) {
        const SoilTool *tool = &soil->bodies[b].tool;
        if (tool->shape->edge_width <= 0.0) {
            continue; // a tray's walls do not keep its soil awake
        }
        Vec3 middle;
        double radius = tool_bounding_sphere(tool->shape, &middle);
        double distance = vec3_length(vec3_sub(at, pose_apply(&tool->frame, middle))) - radius;
        nearest = fmin(nearest, distance);
    }
    return nearest;
}

static void count_quiet(Particles *p)
{
    for (int32_t i = 0; i < p->count; i++) {
        double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        if (square > QUIET_SPEED * QUIET_SPEED) {
            p->quiet[i] = 0;
            p->disturbed[i] |= square > DISTURBED_SPEED * DISTURBED_SPEED;
        } else if (p->quiet[i] < 255) {
            p->quiet[i]++;
        }
        p->newborn[i] = 0;
    }
}

/// Height of the surface under each particle, into the particles' sorting buffer.
static void note_heights(Soil *soil, double *heights)
{
    const Particles *p = &soil->particles;
    for (int32_t i = 0; i < p->count; i++) {
        heights[i] = soil_support(soil, p->x[i], p->y[i], p->z[i]).height;
    }
}

/// Ground that rose under a particle must not throw it up: the overlap is its rest gap from now on.
static void rest_on_risen_ground(Soil *soil, const double *heights)
{
    Particles *p = &soil->particles;
    for (int32_t i = 0; i < p->count; i++) {
        Support support = soil_support(soil, p->x[i], p->y[i], p->z[i]);
        double gap = soil_ground_gap(p, i, p->z[i], &support);
        if (support.height > heights[i] && gap < (double)p->ground_rest[i] && gap < 0.0) {
            p->ground_rest[i] = (float)fmax(gap, -2.0 * (double)p->radius[i]);
        }
    }
}

/// Puts a particle's mass on the ground that carries it.
static void lay_down(Soil *soil, int32_t i)
{
    Particles *p = &soil->particles;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    Support support = soil_support(soil, at.x, at.y, at.z);
    if (support.tray != NULL) {
        at = pose_apply_inverse(&support.tray->frame, at);
    } else if (!p->disturbed[i]) { // soil that was loosened but never moved goes back to where it came from, intact
        int row, column;
        ground_column_at(support.ground, at.x, at.y, &row, &column);
        ground_put(support.ground, row, column, p->soil[i], p->mass[i], true);
        p->mass[i] = 0;
        return;
    }
    ground_spread(support.ground, at.x, at.y, 2.0 * (double)p->radius[i], p->soil[i], p->mass[i]);
    p->mass[i] = 0;
}

void soil_absorb_resting(Soil *soil)
{
    Particles *p = &soil->particles;
    count_quiet(p);
    soil->counters.absorbed = 0;
    if (soil->scene.particles.persistent) {
        return;
    }
    bool crowded = p->count > p->capacity - p->capacity / 8;
    int needed = crowded ? CROWDED_TICKS : QUIET_TICKS;
    int absorbed = 0;
    int32_t *chosen = soil->neighbours.order; // chosen by the ground before any is laid down: one layer a tick
    for (int32_t i = 0; i < p->count; i++) {
        if (p->quiet[i] < needed) {
            continue;
        }
        Support support = soil_support(soil, p->x[i], p->y[i], p->z[i]);
        double above = (p->z[i] - support.height) * support.normal.z;
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        bool settles = above < (double)p->radius[i] && tool_clearance(soil, at) > TOOL_DISTANCE;
        if (settles && (support.tray == NULL || tray_settles(soil, support.tray, at))) {
            chosen[absorbed++] = i;
        }
    }
    soil->counters.absorbed = absorbed;
    if (absorbed == 0) {
        return;
    }
    note_heights(soil, p->buffer);
    for (int k = 0; k < absorbed; k++) {
        lay_down(soil, chosen[k]);
    }
    rest_on_risen_ground(soil, p->buffer);
    particles_remove_empty(p, chosen);
    soil_forget_removed(soil, chosen);
}
