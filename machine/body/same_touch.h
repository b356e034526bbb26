/// When two touches of the same two bodies are one: equal ones would make equal rows of a step's equations.
#ifndef SPADEWORK_MACHINE_SAME_TOUCH_H
#define SPADEWORK_MACHINE_SAME_TOUCH_H

#include <stdbool.h>

#include "data/core/vec.h"

/// m, and cosine of the angle between normals, within which two touches are one. Chosen: thinner than a plate.
#define SAME_PLACE 0.02
#define SAME_WAY   0.95

/// True when a touch at a point, m, with a normal, unit, is the same as another one.
static inline bool touches_are_one(Vec3 point, Vec3 normal, Vec3 other_point, Vec3 other_normal)
{
    Vec3 to = vec3_sub(point, other_point);
    return vec3_dot(to, to) < SAME_PLACE * SAME_PLACE && vec3_dot(normal, other_normal) > SAME_WAY;
}

#endif
