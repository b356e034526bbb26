/// A direct shear box: what it takes, what it measures. Used by the experiment `shear` and by `validate calibrate`.
///
/// Two half boxes without friction, a floor and a lid that grip. The specimen is poured, loaded by the lid, bonded when
/// the soil has adhesion, and sheared by moving the upper half along x. The lid follows the specimen up and down
/// without turning.
///
/// A loaded specimen has no weight: in a laboratory it is a few centimetres deep and weighs less than 1 kPa. One of
/// grains of 0.05 m is 0.8 m deep; its weight of 12 kPa, more than the least load, would make its strength depend on
/// the size of its grains.
#ifndef SPADEWORK_VALIDATION_SHEAR_H
#define SPADEWORK_VALIDATION_SHEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/soil.h"

enum { SHEAR_MAX_SAMPLES = 200, SHEAR_MAX_TESTS = 16 };

/// The box and how it is used. Lengths in diameters of the particles scale with them: the result must not depend on
/// `radius`.
typedef struct ShearBox {
    SceneParams scene; ///< rates and iterations; soils[0] is what is tested
    SoilSolver solver;
    uint64_t seed;
    int threads;
    double radius; ///< m, of the particles
    double length, width, height; ///< diameters: inside of the box, and depth of the poured specimen
    double speed; ///< m/s of the upper half
    double travel; ///< diameters
    int specimens; ///< filled anew each; the mean of their curves is the test's
} ShearBox;

/// Mean over a short part of the travel.
typedef struct ShearSample {
    double travel; ///< m
    double shear, normal; ///< Pa on the plane of shear
    double lift; ///< m that the lid has risen since shearing began
} ShearSample;

/// One load: the mean over the specimens.
typedef struct ShearTest {
    double pressure; ///< Pa on the lid
    int particles;
    double solid; ///< share of a loaded specimen's volume that is particles
    int sample_count;
    ShearSample samples[SHEAR_MAX_SAMPLES];
    ShearSample peak; ///< highest shear stress of the running mean
    ShearSample residual; ///< mean over the last quarter of the travel
} ShearTest;

/// Mohr-Coulomb line through several tests: shear = cohesion + normal tan(friction_angle).
typedef struct ShearLine {
    double friction_angle; ///< rad
    double cohesion; ///< Pa
    double r2; ///< share of the variance that the line explains
} ShearLine;

/// A box of 48 x 16 diameters, 8 deep, that travels 5 diameters, for shear spreads over its depth and its peak comes
/// late. Long, because its ends add to the strength: sand that a periodic cell shears at 0.61 of the normal stress
/// (LAMMPS) shows 0.84 in a box of 12, 0.68 in one of 24 and 0.61 in one of 48 diameters.
ShearBox shear_box(const SceneParams *scene, SoilSolver solver, uint64_t seed, int threads, double radius);
/// Shears fresh specimens. False with `status` when the soil cannot be created.
bool shear_test(const ShearBox *box, double pressure, ShearTest *test, Status *status);
/// The line through the peaks (or the residual values) of `count` tests, at least two (fit_line in apparatus.h).
ShearLine shear_line(const ShearTest *tests, int count, bool residual);

#endif
