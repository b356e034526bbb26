/// cglm (float, column-major, OpenGL clip space) beside data/core/vec.h (double): both want the name `vec3`, so cglm's
/// vector is called FloatVec3 here.
#ifndef SPADEWORK_RENDER_LINEAR_H
#define SPADEWORK_RENDER_LINEAR_H

#define vec3 FloatVec3
#include <cglm/cglm.h>
#undef vec3

#include "data/core/vec.h"

/// Rounds a place or direction to float.
static inline void linear_from_vec3(Vec3 v, FloatVec3 out)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/// Writes a pose as the matrix that takes its local points (m) to the world. The rotation may be scaled.
static inline void linear_from_pose(const Pose *pose, mat4 matrix)
{
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            matrix[column][row] = (float)pose->rotation.m[row][column];
        }
        matrix[column][3] = 0.0f;
    }
    linear_from_vec3(pose->position, matrix[3]);
    matrix[3][3] = 1.0f;
}

#endif
