/// The sounds of a session, and the loudspeaker that plays them. SDL calls back on a thread of its own, which takes the
/// latest snapshot without a lock; neither it nor the simulation waits for the other. Without a working output device a
/// drive is silent.
#ifndef SPADEWORK_TRAINER_LOUDSPEAKER_H
#define SPADEWORK_TRAINER_LOUDSPEAKER_H

#include <SDL.h>

#include "trainer/app/sound.h"
#include "trainer/sim/sim.h"

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
