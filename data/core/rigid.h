/// Motion of a rigid body, and force and moment on it: one type each for machine, soil and rocks.
///
/// World frame: x east, y north, z up; SI units. Plain values: no ownership, any thread.
#ifndef SPADEWORK_DATA_RIGID_H
#define SPADEWORK_DATA_RIGID_H

#include "data/core/vec.h"

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
