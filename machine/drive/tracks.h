/// Two crawler tracks on soft ground, as forces of contact patches: no bodies, no collision detection.
#ifndef SPADEWORK_MACHINE_TRACKS_H
#define SPADEWORK_MACHINE_TRACKS_H

#include "machine/machine.h"

/// What the drives want in one step, left and right.
typedef struct TrackDrive {
    double speed[2]; ///< m/s the belts are to run
    double force[2]; ///< N that drive or brake can give
} TrackDrive;

/// What the ground did to the tracks in one step.
typedef struct TrackReaction {
    Wrench wrench; ///< on the undercarriage, about its centre of mass
    double load; ///< N: normal load of all patches
    double sliding; ///< N: normal load of the patches at the end of their shear displacement that move over the ground
} TrackReaction;

/// Middle of a patch on the track's underside, undercarriage frame. Patches count left side first, rear to front.
Vec3 track_patch_point(const MachineTracks *tracks, int patch);
double track_patch_area(const MachineTracks *tracks); ///< m2

/// Forces of the ground on the undercarriage and the step of the belts: writes track_shear, track_speed, track_travel,
/// track_force and patch_load. `mass` (kg) of the whole machine sets the damping.
TrackReaction tracks_step(const MachineTracks *tracks, double mass, const RigidMotion *motion, const TrackDrive *drive,
                          const MachineGround *ground, double dt, MachineState *state);

/// The ground's pressure has moved to an edge of the tracks, or nothing is left of it.
bool tracks_tip(const MachineTracks *tracks, const MachineState *state);

#endif
