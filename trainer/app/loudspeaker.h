/// The loudspeaker: plays what sound.h makes of the session. SDL calls back on a thread of its own, which takes the
/// latest snapshot without a lock and never waits for the simulation, nor the simulation for it. A computer without a
/// loudspeaker, or one that loses it, drives on in silence.
#ifndef SPADEWORK_TRAINER_LOUDSPEAKER_H
#define SPADEWORK_TRAINER_LOUDSPEAKER_H

#include <SDL.h>

#include "trainer/app/sound.h"
#include "trainer/sim/sim.h"

/// ---- sounds of a session -------------------------------------------------------------------------------------------

/// What of a session is heard.

/// The sounds of the session's last tick at full volume. Only reads the session.
SoundInput sound_source_read(Session *session);

/// Sets where the sounds come from for who sits in the cab with the head turned by `head` (rad, + left). The engine is
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

/// Once a frame: the session as it is now, or silence when it does not run. What is not told for three seconds falls
/// silent.
/// head  rad, + left: how far who sits in the cab has turned the head; not a number: heard from elsewhere, in the
///       middle
void loudspeaker_play(Loudspeaker *sound, Session *session, bool running, double head);
/// Takes notice of outputs that come and go.
void loudspeaker_handle(Loudspeaker *sound, const SDL_Event *event);
/// Silence until it is called again; true when there is sound now.
bool loudspeaker_toggle(Loudspeaker *sound);
/// The device that plays, 0 = none.
SDL_AudioDeviceID loudspeaker_device(const Loudspeaker *sound);

#endif
