/// Vectors, rotations and rigid poses in double precision. Frames are right-handed, z up.
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

#endif
