/// A biaxial cell: a block of grains in plane strain, pressed from above between two walls that hold a pressure.
///
/// All plates are smooth. The block is poured dry, consolidated under the same pressure from above and both sides,
/// bonded when the soil has adhesion, and then compressed by the lid at a constant speed. It has no weight meanwhile,
/// as in shear_box.h.
#ifndef SPADEWORK_VALIDATION_BIAXIAL_CELL_H
#define SPADEWORK_VALIDATION_BIAXIAL_CELL_H

#include "tests/validation/harness/experiment.h"

enum { BIAXIAL_SAMPLES = 160 };

typedef struct BiaxialCell {
    SoilParams soil;
    double radius; ///< m, of the particles
    double length, width, height; ///< diameters: between the walls, between the smooth faces, from the floor to the lid
    double rate; ///< 1/s: strain of the lid
    double strain; ///< at the end
    uint64_t seed;
} BiaxialCell;

/// Mean over a short part of the way. Strains count positive in compression.
typedef struct BiaxialSample {
    double strain; ///< of the height
    double volume_strain;
    double axial, lateral; ///< Pa
} BiaxialSample;

typedef struct BiaxialTest {
    int particles;
    double solid; ///< share of the consolidated block's volume that is particles
    BiaxialSample samples[BIAXIAL_SAMPLES];
} BiaxialTest;

/// Compresses one block. False with run_fail.
bool biaxial_test(Run *run, const BiaxialCell *cell, double pressure, BiaxialTest *test);

#endif
