/// A face that is cut into soil, as the experiment `cut` tests it.
#ifndef SPADEWORK_VALIDATION_CUT_H
#define SPADEWORK_VALIDATION_CUT_H

#include "tests/validation/harness/experiment.h"

typedef struct Cut {
    const SoilParams *soil;
    double angle; ///< rad: of the face against the horizontal, above the friction angle
    double height; ///< m; 0: as high as the experiment likes
    double radius; ///< m, nominal, of the particles
    double hold; ///< s that the face is watched
    int blocks; ///< of particles, whose mean is taken
    char label[64];
} Cut;

#define CUT_HOLD  0.90 ///< of the critical height: stands
#define CUT_FAIL  1.05 ///< of the critical height: has failed
#define CUT_TRIED 2.50 ///< of the critical height: no higher face is tried; told of one that never fails

/// Culmann's height for a density, m.
double cut_critical_height(const SoilParams *soil, double angle, double density);
/// rad: of the failure plane.
double cut_plane_angle(const SoilParams *soil, double angle);

/// Blocks of bonded particles whose gate is taken away. False with run_fail.
bool cut_test_block(Run *run, const Cut *cut, int plot);

#endif
