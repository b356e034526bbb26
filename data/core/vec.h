/// Vectors, rotations, rigid poses, motions and wrenches in double precision. Frames are right-handed, z up. Plain
/// values; any thread.
#ifndef SPADEWORK_DATA_VEC_H
#define SPADEWORK_DATA_VEC_H

#include <math.h>

#include "data/core/elementary.h"

typedef struct Vec3 {
    double x, y, z;
} Vec3;

/// Unit quaternion, w first (as ODE).
typedef struct Quat {
    double w, x, y, z;
} Quat;

/// Rotation matrix, row-major: column k is where axis k goes.
typedef struct Mat3 {
    double m[3][3];
} Mat3;

/// Rigid pose: p_world = position + rotation * p_local.
typedef struct Pose {
    Vec3 position;
    Mat3 rotation;
} Pose;

static inline Vec3 vec3(double x, double y, double z)
{
    return (Vec3){x, y, z};
}
static inline Vec3 vec3_add(Vec3 a, Vec3 b)
{
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline Vec3 vec3_sub(Vec3 a, Vec3 b)
{
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline Vec3 vec3_scale(Vec3 a, double s)
{
    return (Vec3){a.x * s, a.y * s, a.z * s};
}
/// a + s b
static inline Vec3 vec3_madd(Vec3 a, double s, Vec3 b)
{
    return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double vec3_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline Vec3 vec3_cross(Vec3 a, Vec3 b)
{
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec3_length(Vec3 a)
{
    return sqrt(vec3_dot(a, a));
}
/// a / |a|, or `fallback` where |a| is 0.
static inline Vec3 vec3_unit(Vec3 a, Vec3 fallback)
{
    double length = vec3_length(a);
    return length > 0.0 ? vec3_scale(a, 1.0 / length) : fallback;
}

static inline Vec3 mat3_mul(const Mat3 *r, Vec3 v)
{
    return (Vec3){r->m[0][0] * v.x + r->m[0][1] * v.y + r->m[0][2] * v.z,
                  r->m[1][0] * v.x + r->m[1][1] * v.y + r->m[1][2] * v.z,
                  r->m[2][0] * v.x + r->m[2][1] * v.y + r->m[2][2] * v.z};
}
/// Transposed (for a rotation: inverse) times v.
static inline Vec3 mat3_mul_transposed(const Mat3 *r, Vec3 v)
{
    return (Vec3){r->m[0][0] * v.x + r->m[1][0] * v.y + r->m[2][0] * v.z,
                  r->m[0][1] * v.x + r->m[1][1] * v.y + r->m[2][1] * v.z,
                  r->m[0][2] * v.x + r->m[1][2] * v.y + r->m[2][2] * v.z};
}
static inline Mat3 mat3_identity(void)
{
    return (Mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}
/// Rotation about z by `angle` (rad, counter-clockwise seen from above).
static inline Mat3 mat3_yaw(double angle)
{
    double c = same_cos(angle), s = same_sin(angle);
    return (Mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}
/// First b, then a.
static inline Mat3 mat3_product(const Mat3 *a, const Mat3 *b)
{
    Mat3 c;
    for (int k = 0; k < 3; k++) {
        Vec3 column = mat3_mul(a, (Vec3){b->m[0][k], b->m[1][k], b->m[2][k]});
        c.m[0][k] = column.x;
        c.m[1][k] = column.y;
        c.m[2][k] = column.z;
    }
    return c;
}
/// Product of two rotations: b first, then a.
static inline Quat quat_mul(Quat a, Quat b)
{
    return (Quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// Rotation by `angle` (rad) about a unit axis.
static inline Quat quat_turn(Vec3 axis, double angle)
{
    double s = same_sin(0.5 * angle);
    return (Quat){same_cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/// Rotation matrix of a unit quaternion.
static inline Mat3 mat3_from_quat(Quat q)
{
    return (Mat3){{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
                   {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
                   {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
}
static inline Vec3 pose_apply(const Pose *pose, Vec3 local)
{
    return vec3_add(pose->position, mat3_mul(&pose->rotation, local));
}
static inline Vec3 pose_apply_inverse(const Pose *pose, Vec3 world)
{
    return mat3_mul_transposed(&pose->rotation, vec3_sub(world, pose->position));
}

/// ---- rigid bodies --------------------------------------------------------------------------------------------------

/// One type each for machine, soil and rocks; world frame (x east, y north, z up), SI units.

/// Where a rigid body is, how it moves and how hard it is to push, at one instant.
typedef struct RigidMotion {
    Pose frame; ///< m: pose of the body's own frame in the world (its shape is given in this frame)
    Vec3 center; ///< m: centre of mass, world
    Vec3 velocity; ///< m/s of the centre of mass
    Vec3 spin; ///< rad/s, world axes
    double inverse_mass; ///< 1/kg, 0 or more; 0 = nothing stops it (kinematic)
    Mat3 inertia_inverse; ///< 1/(kg m2) about the centre of mass, world axes; zero = nothing turns it (kinematic)
} RigidMotion;

/// Force and moment on a body, world axes. Unless a function says otherwise: about the body's centre of mass.
typedef struct Wrench {
    Vec3 force; ///< N
    Vec3 moment; ///< N m
} Wrench;

/// Adds `share` (0..1) of a wrench about the same point.
static inline void wrench_add(Wrench *sum, const Wrench *wrench, double share)
{
    sum->force = vec3_madd(sum->force, share, wrench->force);
    sum->moment = vec3_madd(sum->moment, share, wrench->moment);
}

#endif
