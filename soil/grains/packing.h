/// How undisturbed soil is made of particles: a random packing of spheres that repeats in all directions.
///
/// A specimen of the direct shear test is a random packing; a lattice would be stronger in some directions and weaker
/// in others, and would hold twice as many bonds. Ground that turns into particles therefore becomes a piece of this
/// packing, always the same piece at the same place: what is cut today fits what was cut beside it yesterday.
///
/// Lengths are in units of the nominal diameter, 2 r: a unit column is one nominal diameter wide and holds on the
/// mean one sphere for each 1 / sqrt(2) of height.
#ifndef SPADEWORK_SOIL_BANK_H
#define SPADEWORK_SOIL_BANK_H

enum { BANK_SIDE = 8, BANK_SPHERES = BANK_SIDE * BANK_SIDE * BANK_SIDE };

#define BANK_PERIOD (BANK_SIDE * 0.70710678118654752) ///< height after which it repeats
#define BANK_SOLID  0.60 ///< share of the spheres' volume, as in a poured specimen
#define BANK_SPREAD 0.08 ///< radii lie within the mean (1 +- spread), evenly

typedef struct BankSphere {
    float x, y; ///< from the low corner of its unit column, 0..1
    float z; ///< 0..BANK_PERIOD
    float radius;
} BankSphere;

typedef struct Bank {
    BankSphere spheres[BANK_SPHERES]; ///< by unit column, then upwards
    int first[BANK_SIDE * BANK_SIDE + 1]; ///< of the unit column [y * BANK_SIDE + x]
} Bank;

/// Makes the packing, always the same: spheres at random places are pushed apart until they overlap no more than a
/// hundredth of a radius or two.
void bank_create(Bank *bank);

/// The height of the lowest sphere of a unit column (counted from anywhere, also negative) whose centre is above `z`.
double bank_next(const Bank *bank, int column_x, int column_y, double z, const BankSphere **sphere);

/// The same on all machines (that of the mathematical library need not be).
double bank_cube_root(double value);

#endif
