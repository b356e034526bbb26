/// What the things of a site bear before a blow of the machine damages or breaks them: limits of their files, or those
/// that follow from their measures. Pure functions.
#ifndef SPADEWORK_DATA_DAMAGE_LIMITS_H
#define SPADEWORK_DATA_DAMAGE_LIMITS_H

#include "data/schema/scene_params.h"

/// A pipe breaks beyond any of the two.
typedef struct PipeLimits {
    double force; ///< N: mean thrust of a touch
    double energy; ///< J that a blow takes up
} PipeLimits;

/// Returns what the pipe of a fixture with a utility bears.
///
/// A tooth pushes through the wall of a pipe at F = (1.17 - 0.0029 D/t) (L + W) t s, with the diameter D, the wall t,
/// its tensile strength s and the tooth's length L and width W at its tip (Driver and Playdon, Limit states design of
/// pipelines for accidental outside force, 1997, the semi-empirical resistance of the EPRG), here L + W = 0.1 m. The
/// force rises over a way of one wall, so that a blow of F t / 2 does the same.
PipeLimits pipe_limits(const SceneFixture *fixture);

/// Writes the energies, J, of blows that scratch a fixture, crack or bend it, and push it over.
///
/// Those that its file does not state: a box is a block of masonry of 2400 kg/m3, b thick and h high. It falls once its
/// middle has risen over the edge that it turns about: m g (sqrt(h^2 + b^2) - h) / 2. A post is a steel tube with a
/// wall of 1/40 of its diameter D, which bends at its foot with the plastic moment 235 MPa D^2 t, and lies at 0.25 rad.
/// A fifth of that cracks or bends it, a fiftieth scratches it; these two shares are chosen.
void fixture_damage_limits(const SceneFixture *fixture, double limits[DAMAGE_CLASSES]);

/// Writes the energies, J, of blows that scratch, dent and wreck a truck: of its file, or 0.5, 3 and 40 kJ. Sheet and
/// frame of a vehicle are crushed with about 1e6 N/m (the crush stiffness of CRASH3, National Highway Traffic Safety
/// Administration 1982), so that these are 3, 8 and 28 cm.
void truck_damage_limits(const TruckParams *truck, double limits[DAMAGE_CLASSES]);

/// Returns the class of damage, DAMAGE_NONE..DAMAGE_WRECKED, of a blow of `energy` J.
int damage_class(const double limits[DAMAGE_CLASSES], double energy);

/// Returns what the driver of a truck puts up with: of its file, or the defaults of TruckDriver.
TruckDriver truck_driver_limits(const TruckParams *truck);

#endif
