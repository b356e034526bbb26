/// Physical constants and reference quantities that several floors share.
#ifndef SPADEWORK_DATA_CONSTANTS_H
#define SPADEWORK_DATA_CONSTANTS_H

/// m/s2: acceleration of free fall, downwards. The value of the scenes' laws and of the closed forms that tests compare
/// with (standard gravity, 9.80665 m/s2, ISO 80000-3, to three digits).
#define STANDARD_GRAVITY 9.81

/// m: radius of the particle that `contact_stiffness` and `contact_damping` of a soil's file are given for; stiffness
/// grows in proportion to the radius, so that a packing has the same modulus whatever its particles' size.
#define REFERENCE_RADIUS 0.05

/// kg: mass is counted in whole quanta of this size in the ground, in particles and in trays, so that sums are exact.
#define SOIL_QUANTUM 1e-4

#endif
