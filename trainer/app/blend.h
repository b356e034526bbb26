/// Moments between two ticks: t = 0 is the earlier, 1 the later. Pure.
#ifndef SPADEWORK_TRAINER_BLEND_H
#define SPADEWORK_TRAINER_BLEND_H

#include "data/core/vec.h"

static inline Vec3 blend_vec(Vec3 a, Vec3 b, double t)
{
    return vec3_madd(a, t, vec3_sub(b, a));
}

/// Between two rotations that are a tick apart: their mean, made orthonormal again (the error of the angle is of third
/// order in the turn between them).
static inline Mat3 blend_rotation(const Mat3 *a, const Mat3 *b, double t)
{
    Mat3 m;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            m.m[row][column] = a->m[row][column] + t * (b->m[row][column] - a->m[row][column]);
        }
    }
    Vec3 x = vec3_unit(vec3(m.m[0][0], m.m[1][0], m.m[2][0]), vec3(1, 0, 0));
    Vec3 y = vec3(m.m[0][1], m.m[1][1], m.m[2][1]);
    y = vec3_unit(vec3_madd(y, -vec3_dot(x, y), x), vec3(0, 1, 0));
    Vec3 z = vec3_cross(x, y);
    return (Mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

static inline Pose blend_pose(const Pose *a, const Pose *b, double t)
{
    return (Pose){blend_vec(a->position, b->position, t), blend_rotation(&a->rotation, &b->rotation, t)};
}

#endif
