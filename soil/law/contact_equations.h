/// Equations that contacts of every vector width share: vectors, the update of a multiplier, Coulomb's limit.
///
/// Equations and symbols: contact_law.h. The including file says what a number is: pair_kernel.h takes 4, 8 or 16
/// contacts at once, body_contacts.c one. It defines `Real`, `RealBits` (the result of a comparison of two Real),
/// real_all(float), real_larger(a, b), real_smaller(a, b), real_select(bits, yes, no) and real_sqrt(value).
///
/// Two things are not shared, because float sums depend on their order and every width and every recording has to give
/// the same bits. Particles and ground split the displacement into drift and what contacts add, and sum the drift's
/// terms once a substep, since they are visited up to twice; steel sums them in each visit, since another contact of
/// the body may have moved both sides. And steel has a largest lambda (PINCHED_FOOTING), the others have none.
#ifndef SPADEWORK_SOIL_CONTACT_EQUATIONS_H
#define SPADEWORK_SOIL_CONTACT_EQUATIONS_H

#define CONTACT_INLINE static inline __attribute__((always_inline))

typedef struct Real3 {
    Real x, y, z;
} Real3;

CONTACT_INLINE Real dot(Real3 a, Real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

CONTACT_INLINE Real3 add3(Real3 a, Real3 b)
{
    return (Real3){a.x + b.x, a.y + b.y, a.z + b.z};
}

CONTACT_INLINE Real3 sub3(Real3 a, Real3 b)
{
    return (Real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

CONTACT_INLINE Real3 scale3(Real s, Real3 a)
{
    return (Real3){s * a.x, s * a.y, s * a.z};
}

/// Shortened to a length, where it is longer.
CONTACT_INLINE Real3 cap3(Real3 a, Real limit)
{
    Real square = dot(a, a);
    return scale3(real_select(square > limit * limit, limit / real_sqrt(square), real_all(1.0F)), a);
}

/// What is left of a vector whose part along a unit normal is known.
CONTACT_INLINE Real3 flatten(Real3 a, Real along, Real3 normal)
{
    return sub3(a, scale3(along, normal));
}

/// lambda + dlambda of the normal equation, for an error C + alpha lambda + gamma (...), at least -tension (N s2: what
/// adhesion holds). `damped` is 1 + gamma.
CONTACT_INLINE Real relax_normal(Real lambda, Real error, Real damped, Real inverse_mass, Real alpha, Real tension)
{
    return real_larger(lambda - error / (damped * inverse_mass + alpha), -tension);
}

/// lambda_t + dlambda_t of the tangential equation, before Coulomb's limit; `slid` is s + d_t of this substep, m.
CONTACT_INLINE Real3 relax_friction(Real3 lambda_t, Real3 slid, Real inverse_mass, Real alpha_t)
{
    slid = add3(slid, scale3(alpha_t, lambda_t));
    return sub3(lambda_t, scale3(1.0F / (inverse_mass + alpha_t), slid));
}

/// Coulomb's limit without hardening, N s2: friction of what presses and what adhesion holds against sliding.
CONTACT_INLINE Real friction_hold(Real friction, Real lambda, Real adhesive_hold)
{
    return friction * real_larger(lambda, real_all(0.0F)) + adhesive_hold;
}

#endif
