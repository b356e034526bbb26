/// Poured piles and the angle they stand at. Used by the experiment `repose` and by `validate calibrate`.
#ifndef SPADEWORK_VALIDATION_REPOSE_H
#define SPADEWORK_VALIDATION_REPOSE_H

#include "soil/soil.h"

enum { REPOSE_RINGS = 128 };

/// A pile that is poured on a plate no grain slides on.
typedef struct ReposePile {
    SceneParams scene; ///< rates and iterations; soils[0] is what is poured
    SoilSolver solver;
    uint64_t seed;
    int threads;
    double radius; ///< m, of the particles
    int count;
    int pours; ///< piles whose mean is taken; 0 = 1
    double rest; ///< s that the finished pile is watched
} ReposePile;

/// Mean height of the surface in rings around the pile's axis.
typedef struct ReposeProfile {
    double step; ///< m: width of a ring
    double height[REPOSE_RINGS]; ///< m over the plate
    double cells[REPOSE_RINGS]; ///< how many places the mean is over
    double top; ///< m: mean height around the axis
    double angle; ///< rad: slope of the middle half of the flank
} ReposeProfile;

typedef struct ReposeResult {
    ReposeProfile fresh; ///< after the pile has settled
    ReposeProfile rested; ///< at the end
    double energy; ///< J a particle at the end
    double creep; ///< m: mean way of a particle in the time of rest
    int lost; ///< particles that are not on the piles: none should be
    double scatter; ///< rad: standard deviation of the fresh angles of single piles
} ReposeResult;

/// Tells how much is done, 0..1; may be NULL.
typedef void (*ReposeProgress)(void *context, double share);

/// Pours and watches a pile. False with `status` when the soil cannot be created.
bool repose_pour(const ReposePile *pile, ReposeProgress progress, void *context, ReposeResult *result, Status *status);

#endif
