/// The sounds of a session: their synthesis, and the loudspeaker that plays them.
///
/// Synthesis of engine, hydraulics, tracks, digging, falling soil, horn and alarms (sound_): numbers only, no session,
/// clock, file or device. Deterministic: the same inputs at the same samples give the same samples, however the buffer
/// is divided. Nothing allocates after sound_create. One thread at a time. All levels are engineering estimates,
/// balanced at the driver's ear: horn over engine at full load over digging over tracks over hydraulics.
///
/// The loudspeaker: SDL calls back on a thread of its own, which takes the latest snapshot without a lock; neither it
/// nor the simulation waits for the other. Without a working output device a drive is silent.
#ifndef SPADEWORK_TRAINER_SOUND_H
#define SPADEWORK_TRAINER_SOUND_H

#include <SDL.h>
#include <stdbool.h>

#include "data/core/status.h"
#include "trainer/sim/sim.h"

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

/// ---- sounds of a session -------------------------------------------------------------------------------------------

/// The sounds of the session's last tick at full volume. Only reads the session.
SoundInput sound_source_read(Session *session);

/// Sets the bearings of the sounds for a head in the cab turned by `head` (rad, + left). The engine is
/// behind the cab where travel motors drive the tracks, and ahead of it where a powertrain does. Only reads the
/// session.
void sound_source_hear(Session *session, double head, SoundInput *input);

/// ---- loudspeaker ---------------------------------------------------------------------------------------------------

typedef struct Loudspeaker Loudspeaker;

/// Opens the usual output at `volume` 0..1; 0: none is opened. Never fails: without a device one line on stderr, and
/// silence.
Loudspeaker *loudspeaker_open(double volume);
/// Plays at another volume 0..1 from now on; an output is opened where none was.
void loudspeaker_set_volume(Loudspeaker *sound, double volume);
void loudspeaker_close(Loudspeaker *sound); ///< may be NULL

/// Call once a frame: plays the session's present state, or silence when it does not run. After three seconds
/// without a call it falls silent.
/// head  rad, + left: turn of the head in the cab; not a number: the listener is elsewhere, and all sounds are in the
///       middle
void loudspeaker_play(Loudspeaker *sound, Session *session, bool running, double head);
/// Handles outputs that are plugged in and out.
void loudspeaker_handle(Loudspeaker *sound, const SDL_Event *event);
/// Mutes or unmutes; true when there is sound now.
bool loudspeaker_toggle(Loudspeaker *sound);
/// The device that plays, 0 = none.
SDL_AudioDeviceID loudspeaker_device(const Loudspeaker *sound);

#endif
