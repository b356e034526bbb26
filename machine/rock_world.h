/// Rocks as bodies of ODE, stepped as a pure function from states and contacts to states. ODE's types stay in rock_world.c.
#ifndef SPADEWORK_MACHINE_ROCK_WORLD_H
#define SPADEWORK_MACHINE_ROCK_WORLD_H

#include <stdbool.h>

#include "data/vec.h"

/// A rock's motion. Position is that of the centre of mass.
typedef struct RockBody {
    double *position; ///< [3], m
    double *quaternion; ///< [4], w first, ODE's raw value
    double *velocity; ///< [3], m/s
    double *spin; ///< [3], rad/s, world axes
} RockBody;

enum { ROCK_STANDS = -1 };

/// A contact for one step: rock `a` against rock `b`, or against something that stands (ROCK_STANDS).
typedef struct RockTouch {
    int a, b;
    Vec3 point, normal; ///< m; unit, from b to a
    double depth; ///< m
} RockTouch;

typedef struct RockWorld RockWorld;

/// Room for `budget` rocks. NULL when ODE or memory lacks.
RockWorld *rock_world_create(int budget, double friction, double restitution);
void rock_world_destroy(RockWorld *world);
/// `inertia`: kg m2 about the centre of mass, rock's axes.
void rock_world_set_mass(RockWorld *world, int rock, double mass, const double inertia[3][3]);
/// Steps the rocks listed in `active` (ascending); all others stand like ground. Contacts in a fixed order give the same bits.
void rock_world_step(RockWorld *world, const int *active, int active_count, RockBody (*body)(void *owner, int rock),
                     void *owner, const RockTouch *touches, int touch_count, double dt);

#endif
