/// The motion of rocks in contact: velocities and impulses of one step. Pure arithmetic on the arrays given.
///
/// Sequential impulses (Catto 2005, "Iterative dynamics with temporal coherence", GDC) in small steps, each contact a
/// soft spring that is relaxed afterwards (Catto 2023, "Solver2D": soft step; Macklin et al. 2019, "Small steps in
/// physics simulation"): contacts are found once a tick, followed through its steps by the bodies' motion, and start
/// each step, and each tick, with the impulse of the last. A light rock then bears a heavy machine, which a solver that
/// starts anew in every step does not find in a few sweeps.
#ifndef SPADEWORK_MACHINE_ROCK_SOLVER_H
#define SPADEWORK_MACHINE_ROCK_SOLVER_H

#include <stdbool.h>

#include "data/core/vec.h"

/// A body in a tick. What stands has no inverse mass and no velocity.
typedef struct RockBody {
    Vec3 velocity, spin; ///< m/s, rad/s
    double inverse_mass; ///< 1/kg
    Mat3 inertia_inverse; ///< 1/(kg m2), world axes
    Vec3 moved; ///< m, since the contacts were found
    Mat3 turned; ///< rotation since then
    bool loaded; ///< its velocity holds what the contacts' impulses of the last step have done to it already
    double borne; ///< N s: sum of the impulses of the step's contacts with ground that may yield
} RockBody;

/// A contact in a tick. Normal from b to a.
typedef struct RockConstraint {
    int a, b; ///< indices of bodies
    Vec3 normal, tangent[2];
    Vec3 arm_a, arm_b; ///< m: from the centres of mass, when the contact was found
    double gap; ///< m, then; negative: overlap
    double friction;
    Vec3 drift; ///< m/s: of b's surface over b
    double mass, tangent_mass[2]; ///< kg: that the contact moves along each direction
    double impulse, tangent_impulse[2]; ///< N s of the last step
    double approach; ///< m/s along the normal when the contact was found
    double most; ///< N s: largest impulse of the tick's steps
    bool stiff; ///< b stands or is driven
    bool parts; ///< b is a mover that is lifted out of a deep overlap, not the rock alone pushed away
    bool soft; ///< b is ground that yields where it bears no more
    double bears, holds; ///< N: of all of the rock's soft contacts together, along the normal and across it
    double damping; ///< N s/m: what sinking faster takes beyond that
    double sunk; ///< m: way that the ground has given in the tick
} RockConstraint;

/// m: a mover that is deeper in a rock squeezed below it is to part from it.
#define ROCK_PARTS_FROM 0.01

/// Fills directions and masses; impulse_world (N s) is what the contact begins with.
void rock_solver_prepare(const RockBody *bodies, RockConstraint *constraint, Vec3 impulse_world);
Vec3 rock_solver_impulse(const RockConstraint *constraint); ///< N s on a, world

/// Contacts that are swept more often: of light rocks that are squeezed between a heavy mover and what stands. One
/// sweep carries only the rock's share of the mover's mass.
typedef struct RockSqueeze {
    const int *list; ///< [count] indices of constraints, ascending
    int count, sweeps;
} RockSqueeze;

/// Brings the bodies' velocities, which hold what gravity and loads gave them, to what the contacts allow in a step of
/// h s: with the velocities after rock_solver_push overlaps close; they are for moving. Then rock_solver_relax takes
/// that back, but for movers that are to part (`parts`): these keep some speed.
void rock_solver_push(RockBody *bodies, RockConstraint *constraints, int count, const RockSqueeze *squeeze, double h);
void rock_solver_relax(RockBody *bodies, RockConstraint *constraints, int count, const RockSqueeze *squeeze, double h);
/// At the end of a tick: what was hit faster than a walk of 0.5 m/s bounces.
void rock_solver_bounce(RockBody *bodies, RockConstraint *constraints, int count, double restitution);

#endif
