/// Units of the data files as factors to SI.
#ifndef SPADEWORK_DATA_UNITS_H
#define SPADEWORK_DATA_UNITS_H

#include <math.h>

#define UNIT_DEG       (M_PI / 180.0)
#define UNIT_RPM       (M_PI / 30.0)
#define UNIT_MM        1e-3
#define UNIT_KPA       1e3
#define UNIT_MPA       1e6
#define UNIT_KN        1e3
#define UNIT_KNM       1e3
#define UNIT_KW        1e3
#define UNIT_KJ        1e3
#define UNIT_PER_MIN   (1.0 / 60.0)
#define UNIT_BOND      36.0 // 10 x 3600 J/kg per kWh/t x 1e-3 sqrt(m) per sqrt(um): of work indices, to J sqrt(m)/kg
#define UNIT_KMH       (1.0 / 3.6)
#define UNIT_LPM       (1e-3 / 60.0)
#define UNIT_G_PER_KWH (1e-3 / 3.6e6)
#define UNIT_KG_PER_H  (1.0 / 3600.0)
#define UNIT_HOUR      3600.0
#define UNIT_MM_PER_H  (1e-3 / 3600.0)

#endif
