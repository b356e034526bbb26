/// The packing that undisturbed soil becomes: random spheres in a box that repeats in all directions.
///
/// A specimen of the direct shear test is a random packing; a lattice would be stronger in some directions and weaker
/// in others, and would hold twice as many bonds. Ground that turns into particles therefore becomes a piece of this
/// packing, always the same piece at the same place: what is cut today fits what was cut beside it yesterday.
///
/// Lengths are in units of the nominal diameter, 2 r: a unit column is one nominal diameter wide and holds on the
/// mean one sphere for each 1 / sqrt(2) of height.
#ifndef SPADEWORK_SOIL_PACKING_H
#define SPADEWORK_SOIL_PACKING_H

enum { PACKING_SIDE = 8, PACKING_SPHERES = PACKING_SIDE * PACKING_SIDE * PACKING_SIDE };

#define PACKING_PERIOD (PACKING_SIDE * 0.70710678118654752) ///< height after which it repeats
#define PACKING_SOLID  0.60 ///< share of the spheres' volume, as in a poured specimen
#define PACKING_SPREAD 0.08 ///< radii lie within the mean (1 +- spread), evenly

typedef struct PackingSphere {
    float x, y; ///< from the low corner of its unit column, 0..1
    float z; ///< 0..PACKING_PERIOD
    float radius;
} PackingSphere;

/// The spheres by unit column, then upwards.
extern const PackingSphere packing_spheres[PACKING_SPHERES];
/// The first sphere of the unit column [y * PACKING_SIDE + x]; last the number of all.
extern const int packing_first[PACKING_SIDE * PACKING_SIDE + 1];

/// The height of the lowest sphere of a unit column (counted from anywhere, also negative) whose centre is above `z`.
/// The packing is always the same. Its spheres lay at random places and were pushed apart until they overlapped no more
/// than a hundredth of a radius or two (test_soil_packing). Any thread.
double packing_next(int column_x, int column_y, double z, const PackingSphere **sphere);

/// The same on all machines (that of the mathematical library need not be).
double packing_cube_root(double value);

#endif
