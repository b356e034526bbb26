/// What a tool carries: the particles in its container and on the heap above it, as far as they move with it.
///
/// A heap is all that stands straight above the inside of the container, at most 0.6 m; what falls in or runs out is
/// faster than the tool by 2 m/s and is not carried. Measured loads agree with the weight that the linkage feels; see
/// `validate run bucket`.
#include "soil/tool/payload.h"

#include <math.h>

#include "data/core/tool_geometry.h"

/// m: what lies above the edge and the side plates rests on them; about as far as a bucket's plates are thick.
#define RIM 0.055

/// A tool's container as tool_contains has it, with what does not depend on the place.
typedef struct Container {
    const SoilTool *tool;
    Vec3 down; ///< unit, tool frame
    double half_width; ///< m
    int count; ///< of sides; 0: it has no inside
    double from[TOOL_MAX_OPENING][2], along[TOOL_MAX_OPENING][2]; ///< m: a side's first corner, and the way to its last
    double least[TOOL_MAX_OPENING]; ///< m2: least cross product of the way and what lies within the rim
} Container;

static Container container_of(const SoilTool *tool)
{
    const ToolShape *shape = tool->shape;
    Container self = {.tool = tool,
                      .down = mat3_mul_transposed(&tool->motion.frame.rotation, vec3(0.0, 0.0, -1.0)),
                      .half_width = 0.5 * shape->inside_width + RIM,
                      .count = shape->inside_count < 3 ? 0 : shape->inside_count};
    for (int k = 0; k < self.count; k++) {
        const double *a = shape->inside[k], *b = shape->inside[(k + 1) % shape->inside_count];
        double ex = b[0] - a[0], ez = b[1] - a[1];
        self.from[k][0] = a[0];
        self.from[k][1] = a[1];
        self.along[k][0] = ex;
        self.along[k][1] = ez;
        self.least[k] = -RIM * sqrt(ex * ex + ez * ez);
    }
    return self;
}

/// True when a place (m, tool frame) is inside, or no farther than the rim.
static bool holds(const Container *self, Vec3 local)
{
    if (fabs(local.y) > self->half_width) {
        return false;
    }
    for (int k = 0; k < self->count; k++) {
        const double *from = self->from[k], *along = self->along[k];
        if (along[0] * (local.z - from[1]) - along[1] * (local.x - from[0]) < self->least[k]) {
            return false;
        }
    }
    return self->count > 0;
}

/// True when the straight way between two places (m, tool frame) passes the container by on one side: both ends are
/// beyond it there, by more than rounding.
static bool passes_by(const Container *self, Vec3 from, Vec3 to)
{
    const double doubt = 1e-6; // m, m2
    double wide = self->half_width + doubt;
    if ((from.y > wide && to.y > wide) || (from.y < -wide && to.y < -wide)) {
        return true;
    }
    for (int k = 0; k < self->count; k++) {
        const double *corner = self->from[k], *along = self->along[k], least = self->least[k] - doubt;
        if (along[0] * (from.z - corner[1]) - along[1] * (from.x - corner[0]) < least &&
            along[0] * (to.z - corner[1]) - along[1] * (to.x - corner[0]) < least) {
            return true;
        }
    }
    return false;
}

/// True when a particle lies in the container or heaped above it: straight below it, within 0.6 m, is the inside or its
/// rim.
static bool is_carried(const Container *container, Vec3 at)
{
    enum { HEAP_STEPS = 6 };
    const double step = 0.1; // m
    Vec3 local = pose_apply_inverse(&container->tool->motion.frame, at);
    if (holds(container, local)) {
        return true;
    }
    if (passes_by(container, local, vec3_madd(local, HEAP_STEPS * step, container->down))) {
        return false;
    }
    for (int k = 1; k <= HEAP_STEPS; k++) {
        if (holds(container, vec3_madd(local, k * step, container->down))) {
            return true;
        }
    }
    return false;
}

int64_t payload_measure(const SoilTool *tool, const Particles *particles, int *count)
{
    const double heap = 0.3, falling = 2.0; // m above the tool's bounding sphere; m/s against the tool
    Vec3 middle;
    double radius = tool_bounding_sphere(tool->shape, &middle) + heap;
    Vec3 center = pose_apply(&tool->motion.frame, middle);
    Container container = container_of(tool);
    int64_t quanta = 0;
    *count = 0;
    for (int32_t i = 0; i < particles->count; i++) {
        Vec3 at = vec3(particles->x[i], particles->y[i], particles->z[i]), to = vec3_sub(at, center);
        if (vec3_dot(to, to) >= radius * radius) {
            continue;
        }
        Vec3 moved = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(at, tool->motion.center)));
        Vec3 relative = vec3_sub(vec3(particles->vx[i], particles->vy[i], particles->vz[i]), moved);
        if (vec3_dot(relative, relative) < falling * falling && is_carried(&container, at)) {
            quanta += particles->mass[i];
            ++*count;
        }
    }
    return quanta;
}

bool payload_holds(const SolverBody *bodies, int body_count, Vec3 at)
{
    for (int b = 0; b < body_count; b++) {
        if (bodies[b].tool.shape->inside_count >= 3) {
            Container container = container_of(&bodies[b].tool);
            if (is_carried(&container, at)) {
                return true;
            }
        }
    }
    return false;
}
