/// A flat blade that is pushed through level ground at an even depth and speed: what it feels, beside the fundamental
/// equation of earthmoving (earthmoving.h) for the soil's own strength.
///
/// What the blade has cut lies on the wedge and is pushed along: the law is taken with the mass that really lies above
/// each trial plane, at every moment. Means are taken over the last part of the travel. Closed sides (smooth walls)
/// make the wide blade of the plane law; free sides lift crescents. The law's walls are smooth, but clay sticks to
/// steel: what drags at the walls is taken off.
///
/// Undisturbed ground is always the same packing, so that a blade that begins at one place has one specimen, whatever
/// the seed: a shallow cut of few grains scatters by 5 % and more. Means are taken over several places.
#ifndef SPADEWORK_VALIDATION_BLADE_TRIAL_H
#define SPADEWORK_VALIDATION_BLADE_TRIAL_H

#include "tests/validation/harness/experiment.h"
#include "tests/validation/rigs/soil/earthmoving.h"

enum { BLADE_MOST_STARTS = 20 };

typedef struct BladeTrial {
    Earthmoving law; ///< rake, depth, width, speed and sides of the blade; its masses are those of each moment
    SoilParams soil;
    double radius; ///< m of a particle; columns are two wide
    double length; ///< m: travel
    double heading; ///< rad: of the way against the site's columns
    double from; ///< share of the travel after which means are taken, 0..1
    int starts; ///< places where it begins, 1..BLADE_MOST_STARTS
    int budget; ///< most particles
} BladeTrial;

/// Means over the window and over the places where the blade begins.
typedef struct BladeOutcome {
    double draft, vertical; ///< N: against the motion; drawing the blade down
    double drag; ///< N: of what sticks to the walls, not in the draft
    double peak; ///< N: largest draft of the whole travel, means over a tenth of the depth
    double law_draft, law_vertical; ///< N, with the mass above each plane at each moment
    double rupture, law_rupture; ///< m at the surface, ahead of where the face of the blade meets it
    /// m3 at the end, between closed walls at a heading of 0 (else 0): what lies above the old surface before the face
    /// of the blade, by the outline of the grains, and what it may be by the volume that was cut.
    double heap, heap_least, heap_most;
    double slope; ///< rad: of the heap's front, from its highest place to its foot; 0 likewise
    double spread; ///< standard deviation of draft over law_draft between those places
    int most; ///< particles
} BladeOutcome;

/// Pushes the blade from each of its places. `draws`: curves over the travel, of the first one. False with run_fail.
bool blade_trial_run(Run *run, const BladeTrial *trial, bool draws, BladeOutcome *outcome);

#endif
