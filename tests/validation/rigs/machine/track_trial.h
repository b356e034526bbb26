/// A machine on soil that tows a braked car: the slip of its tracks is set by the speed of the car. Its tools touch
/// nothing.
#ifndef SPADEWORK_VALIDATION_TRACK_TRIAL_H
#define SPADEWORK_VALIDATION_TRACK_TRIAL_H

#include "tests/validation/harness/experiment.h"

typedef struct TrackTrial {
    const char *soil; ///< a name or a file
    const char *machine;
    double slip; ///< 0..0.95: share of the belts' speed that the car takes away; 0: it drives alone
    double lever; ///< 0..1: of both tracks
} TrackTrial;

/// Means over the last second.
typedef struct TrackResult {
    double standing; ///< m: depth of the middle of the tracks below the ground before it drove
    double driving; ///< m: the same while it drives, after more than its length on fresh ground
    double rear; ///< m: of the rear end of the tracks
    double slip; ///< of the belts
    double pull; ///< of the rope, over the machine's weight
} TrackResult;

/// Runs a trial. False with run_fail.
bool track_trial_run(Run *run, const TrackTrial *trial, TrackResult *result);

#endif
