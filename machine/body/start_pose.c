/// The machine at rest in its start pose: bodies placed from the base up along the joints, then sunk and tilted as far
/// as its tracks give under the weight on level or inclined ground, so that a session does not begin with a bounce.
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "machine/body/joint_axis.h"
#include "machine/body/machine_internal.h"
#include "machine/drive/tracks.h"
#include "machine/machine.h"

// Puts a body's frame at `origin` with orientation q.
static void place(const MachineParams *params, int body, Vec3 origin, Quat q, MachineState *state)
{
    const double *local = params->body[body].center;
    Mat3 rotation = mat3_from_quat(q);
    Vec3 center = vec3_add(origin, mat3_mul(&rotation, vec3(local[0], local[1], local[2])));
    MachineBodyState *part = &state->body[body];
    memcpy(part->position, (double[3]){center.x, center.y, center.z}, sizeof part->position);
    memcpy(part->quaternion, (double[4]){q.w, q.x, q.y, q.z}, sizeof part->quaternion);
}

static Vec3 along(Quat q, Vec3 origin, Vec3 local)
{
    Mat3 rotation = mat3_from_quat(q);
    return vec3_add(origin, mat3_mul(&rotation, local));
}

// All bodies in the start pose, from the base's frame up.
static void place_all(const MachineParams *params, Vec3 base, Quat q, MachineState *state)
{
    Vec3 origins[MACHINE_MAX_BODIES] = {base};
    Quat turns[MACHINE_MAX_BODIES] = {q};
    place(params, MACHINE_BASE, base, q, state);
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        int child = joint->child;
        origins[child] = along(turns[joint->parent], origins[joint->parent], joint_origin(joint));
        turns[child] = quat_mul(turns[joint->parent], quat_turn(joint_axis(joint->axis).axis, params->start_pose[k]));
        place(params, child, origins[child], turns[child], state);
    }
}

// The shortest turn that takes the upright to `up`.
static Quat tilt_to(Vec3 up)
{
    double w = sqrt(0.5 * (1.0 + up.z));
    return (Quat){w, -0.5 * up.y / w, 0.5 * up.x / w, 0.0};
}

// Sinkage and tilt in which the patches carry the weight on firm plane ground (linear springs, all pressed):
//   depth = N / (k n),  tilt = N x_p / (k sum x_i^2) about each axis,
// with the part N of the weight that is square to the plane, and (x_p, y_p) where the plumb line through the centre of
// mass meets the plane.
static void settle(const Machine *machine, Vec3 base, Quat lean, double heading, MachineState *state)
{
    const MachineTracks *tracks = &machine->params.tracks;
    double stiffness = tracks->stiffness * track_patch_area(tracks), weight = machine->mass * STANDARD_GRAVITY;
    double sum_x = 0.0, sum_y = 0.0;
    for (int i = 0; i < 2 * tracks->patches; i++) {
        Vec3 point = track_patch_point(tracks, i);
        sum_x += point.x * point.x;
        sum_y += point.y * point.y;
    }
    Vec3 center = vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < machine->params.body_count; i++) {
        const double *p = state->body[i].position;
        double share = machine->params.body[i].mass / machine->mass;
        center = vec3_madd(center, share, vec3(p[0], p[1], p[2]));
    }
    Mat3 yaw = mat3_yaw(heading), leaning = mat3_from_quat(lean);
    center = mat3_mul_transposed(&yaw, mat3_mul_transposed(&leaning, vec3_sub(center, base)));
    Vec3 plumb = mat3_mul_transposed(&yaw, mat3_mul_transposed(&leaning, vec3(0.0, 0.0, 1.0)));
    weight *= plumb.z;
    double x = center.x - center.z * plumb.x / plumb.z, y = center.y - center.z * plumb.y / plumb.z;
    double depth = weight / (stiffness * 2 * tracks->patches);
    double pitch = weight * x / (stiffness * sum_x), roll = weight * y / (stiffness * sum_y);
    Quat q = quat_mul(quat_mul(lean, quat_turn(vec3(0.0, 0.0, 1.0), heading)),
                      quat_mul(quat_turn(vec3(0.0, 1.0, 0.0), pitch), quat_turn(vec3(1.0, 0.0, 0.0), -roll)));
    place_all(&machine->params, vec3_madd(base, -depth, mat3_mul(&leaning, vec3(0.0, 0.0, 1.0))), q, state);
}

void machine_start(const Machine *machine, double x, double y, double z, double heading, MachineState *state)
{
    machine_start_on(machine, vec3(x, y, z), vec3(0.0, 0.0, 1.0), heading, state);
}

void machine_start_on(const Machine *machine, Vec3 place, Vec3 up, double heading, MachineState *state)
{
    memset(state, 0, sizeof *state);
    Quat lean = tilt_to(up);
    place_all(&machine->params, place, quat_mul(lean, quat_turn(vec3(0.0, 0.0, 1.0), heading)), state);
    settle(machine, place, lean, heading, state);
    state->engine_speed = machine->params.engine.rated_speed;
    state->fuel = machine->params.engine.tank;
}
