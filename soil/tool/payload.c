/// What a tool carries: the particles in its container and on the heap above it, as far as they move with it.
///
/// A heap is all that stands straight above the inside of the container, at most 0.6 m; what falls in or runs out is
/// faster than the tool by 2 m/s and is not carried. Measured loads agree with the weight that the linkage feels; see
/// `validate run bucket`.
#include "soil/tool/payload.h"

#include "data/core/tool_geometry.h"

/// m: what lies above the edge and the side plates rests on them; about as far as a bucket's plates are thick.
#define RIM 0.055

/// True when a particle lies in the container or heaped above it: straight below it, within 0.6 m, is the inside or its
/// rim.
static bool is_carried(const SoilTool *tool, Vec3 at)
{
    enum { HEAP_STEPS = 6 };
    const double step = 0.1; // m
    Vec3 local = pose_apply_inverse(&tool->motion.frame, at);
    Vec3 down = mat3_mul_transposed(&tool->motion.frame.rotation, vec3(0.0, 0.0, -1.0));
    for (int k = 0; k <= HEAP_STEPS; k++) {
        if (tool_contains(tool->shape, vec3_madd(local, k * step, down), RIM)) {
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
    int64_t quanta = 0;
    *count = 0;
    for (int32_t i = 0; i < particles->count; i++) {
        Vec3 at = vec3(particles->x[i], particles->y[i], particles->z[i]), to = vec3_sub(at, center);
        Vec3 moved = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(at, tool->motion.center)));
        Vec3 relative = vec3_sub(vec3(particles->vx[i], particles->vy[i], particles->vz[i]), moved);
        bool near = vec3_dot(to, to) < radius * radius, along = vec3_dot(relative, relative) < falling * falling;
        if (near && along && is_carried(tool, at)) {
            quanta += particles->mass[i];
            ++*count;
        }
    }
    return quanta;
}

bool payload_holds(const SolverBody *bodies, int body_count, Vec3 at)
{
    for (int b = 0; b < body_count; b++) {
        if (bodies[b].tool.shape->inside_count >= 3 && is_carried(&bodies[b].tool, at)) {
            return true;
        }
    }
    return false;
}
