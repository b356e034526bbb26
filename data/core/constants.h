/// Physical constants, reference quantities, and the units of the data files.
#ifndef SPADEWORK_DATA_CONSTANTS_H
#define SPADEWORK_DATA_CONSTANTS_H

#include <math.h>

/// m/s2: acceleration of free fall, downwards. The value of the scenes' laws and of the closed forms that tests compare
/// with (standard gravity, 9.80665 m/s2, ISO 80000-3, to three digits).
#define STANDARD_GRAVITY 9.81

/// m: radius of the particle that `contact_stiffness` and `contact_damping` of a soil's file are given for; stiffness
/// grows in proportion to the radius, so that a packing has the same modulus whatever its particles' size.
#define REFERENCE_RADIUS 0.05

/// kg: mass is counted in whole quanta of this size in the ground, in particles and in trays, so that sums are exact.
#define SOIL_QUANTUM 1e-4

/// ---- units of the data files as factors to SI ----------------------------------------------------------------------

#define UNIT_DEG       (M_PI / 180.0)
#define UNIT_RPM       (M_PI / 30.0)
#define UNIT_MM        1e-3
#define UNIT_KPA       1e3
#define UNIT_MPA       1e6
#define UNIT_KN        1e3
#define UNIT_KN_PER_MM 1e6
#define UNIT_KNM       1e3
#define UNIT_KW        1e3
#define UNIT_KJ        1e3
#define UNIT_PER_MIN   (1.0 / 60.0)
#define UNIT_BOND      36.0 // 10 x 3600 J/kg per kWh/t x 1e-3 sqrt(m) per sqrt(um): of work indices, to J sqrt(m)/kg
#define UNIT_KMH       (1.0 / 3.6)
#define UNIT_LPM       (1e-3 / 60.0)
#define UNIT_LITRE     1e-3
#define UNIT_G_PER_KWH (1e-3 / 3.6e6)
#define UNIT_KG_PER_H  (1.0 / 3600.0)
#define UNIT_HOUR      3600.0
#define UNIT_MM_PER_H  (1e-3 / 3600.0)

#endif
