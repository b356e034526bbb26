/// Synthesis of the machine's sounds: engine, hydraulics, tracks, digging, falling soil, horn and alarms. Numbers only:
/// no session, clock, file or device. Deterministic: the same inputs at the same samples give the same samples, however
/// the buffer is divided. Nothing allocates after sound_create. One thread at a time.
///
/// All levels are engineering estimates, balanced at the driver's ear: horn over engine at full load over digging over
/// tracks over hydraulics.
#ifndef SPADEWORK_TRAINER_SOUND_H
#define SPADEWORK_TRAINER_SOUND_H

#include <stdbool.h>

#include "data/core/status.h"

#define SOUND_RATE_LEAST 22050 ///< samples a second
#define SOUND_RATE_MOST  96000

/// Left and right tone of the horn, Hz: a pair of disc horns, a major third apart.
#define SOUND_HORN_LOW  340.0
#define SOUND_HORN_HIGH 425.0
/// Tone of the travel alarm, Hz, half a second on and half a second off; and of the warning in the cab.
#define SOUND_TRAVEL_TONE  1250.0
#define SOUND_WARNING_TONE 2400.0
/// Pistons of the axial-piston pump on the crankshaft: it whines at this many times the engine's revolutions.
#define SOUND_PUMP_PISTONS 9

/// Where the sounds come from, as seen by the listener.
typedef enum SoundPlace {
    SOUND_AT_ENGINE,
    SOUND_AT_PUMPS, ///< and valves
    SOUND_AT_LEFT_TRACK,
    SOUND_AT_RIGHT_TRACK,
    SOUND_AT_TOOL, ///< and where soil falls
    SOUND_AT_SIGNALS, ///< horn and alarms
    SOUND_PLACE_COUNT
} SoundPlace;

/// Inputs of the synthesis. A value out of range is clamped; one that is not a number counts as the lowest: nothing
/// runs.
typedef struct SoundInput {
    double volume; ///< 0..1: of everything
    double engine_speed; ///< rad/s, 0..600; 0 = stands
    double rated_speed; ///< rad/s, 30..600
    int cylinders; ///< 1..16, four-stroke: fires at engine_speed / (4 pi) x cylinders
    double engine_load; ///< share of the full torque, 0..1.5; over about 0.85 the engine lugs
    double pump_pressure; ///< Pa, 0..1e8
    double pump_flow; ///< share of all the pumps can give, 0..1
    double relief_flow; ///< share of a function's flow that goes over its relief valve, 0..1
    double swing_speed; ///< rad/s, either way, 0..4
    double shoe_pitch; ///< m, 0.05..1: from one track shoe to the next
    double belt_speed[2]; ///< m/s, either way, left and right, 0..10
    double slip_speed[2]; ///< m/s, either way, of the belt over the ground, 0..10
    double tool_force; ///< N on the tool from the soil it cuts, 0..1e7
    double tool_speed; ///< m/s of its edge, 0..20
    double falling; ///< kg of soil that is falling, 0..1e5
    bool horn, travel_alarm, warning;
    double bearing[SOUND_PLACE_COUNT]; ///< rad from the listener's direction of view, + left; 0 = in the middle
} SoundInput;

/// Nothing runs; what must not be 0 has its usual value.
SoundInput sound_input_default(void);

typedef struct Sound Sound;

/// NULL with `status` when `rate` (samples a second) is out of range. Silent until it is set.
Sound *sound_create(int rate, Status *status);
void sound_destroy(Sound *sound);

/// Inputs from the next block of 32 samples on; all levels glide there within some hundredths of a second.
void sound_set(Sound *sound, const SoundInput *input);

/// The next `count` samples of both ears, left and right by turns, each between -1 and 1: loud sums are bent smoothly,
/// never cut. A source has the same energy wherever it is; one in the middle is the same in both.
/// samples  [count][2], out
void sound_fill(Sound *sound, float (*samples)[2], int count);

#endif
