/// The ground against the corners of house or hood when the machine rears or falls over: damped springs and friction,
/// so that it comes to rest on its tail or roof. The four numbers are chosen for that; see test_machine_motion.
#include "machine/body/machine_internal.h"

#include <math.h>

/// Stiffness (N/m) and damping ratio (of the whole machine on it) of one corner on the ground, friction of paint on
/// soil.
#define CORNER_STIFFNESS 2e6
#define CORNER_DAMPING   0.5
#define CORNER_FRICTION  0.5
#define SLIDING_SPEED    0.05 ///< m/s: friction is full above it

/// The ground under the track patch nearest to a point: the only ground the machine is told about.
static const MachineGround *nearest_ground(const Vec3 *patches, int count, const MachineGround *ground, Vec3 point)
{
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        double distance = hypot(patches[i].x - point.x, patches[i].y - point.y);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return &ground[best];
}

/// Force of the ground on a corner at `point` that moves with `v`: a damped spring upwards and friction.
static Vec3 corner_force(const Machine *machine, const MachineGround *ground, Vec3 point, Vec3 v)
{
    double depth = ground->height - point.z;
    if (depth <= 0.0) {
        return vec3(0.0, 0.0, 0.0);
    }
    double damping = 2.0 * CORNER_DAMPING * sqrt(CORNER_STIFFNESS * machine->mass);
    double load = fmax(0.0, CORNER_STIFFNESS * depth - damping * v.z);
    double grip = CORNER_FRICTION * load / fmax(SLIDING_SPEED, hypot(v.x, v.y));
    return vec3(-grip * v.x, -grip * v.y, load);
}

Wrench hull_contact(const Machine *machine, const MachineState *state, const MachineGround *ground)
{
    const MachineParams *params = &machine->params;
    int carrier = params->cab_body;
    const MachineBodyState *body = &state->body[carrier];
    Vec3 center = vec3(body->position[0], body->position[1], body->position[2]);
    Vec3 velocity = vec3(body->velocity[0], body->velocity[1], body->velocity[2]);
    Vec3 spin = vec3(body->spin[0], body->spin[1], body->spin[2]);
    Vec3 patches[MACHINE_MAX_PATCHES];
    Pose frame;
    machine_get_body_frame(machine, state, carrier, &frame);
    int count = machine_track_patches(machine, state, patches);
    double roof = params->cab.corner[2] + params->cab.size[2];
    Wrench wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 8; i++) {
        Vec3 local = vec3((i & 1) != 0 ? -params->tail_radius : 0.5 * params->tail_radius,
                          ((i & 2) != 0 ? 0.5 : -0.5) * params->upper_width, (i & 4) != 0 ? roof : params->hull_floor);
        Vec3 point = pose_apply(&frame, local), arm = vec3_sub(point, center);
        Vec3 v = vec3_add(velocity, vec3_cross(spin, arm));
        Vec3 force = corner_force(machine, nearest_ground(patches, count, ground, point), point, v);
        wrench.force = vec3_add(wrench.force, force);
        wrench.moment = vec3_add(wrench.moment, vec3_cross(arm, force));
    }
    return wrench;
}
