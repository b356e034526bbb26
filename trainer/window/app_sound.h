/// The loudspeaker: plays what sound.h makes of the session. SDL calls back on a thread of its own, which takes the latest
/// snapshot without a lock and never waits for the simulation, nor the simulation for it. A computer without a loudspeaker,
/// or one that loses it, drives on in silence.
#ifndef SPADEWORK_TRAINER_APP_SOUND_H
#define SPADEWORK_TRAINER_APP_SOUND_H

#include <SDL.h>

#include "trainer/session/session.h"

typedef struct AppSound AppSound;

/// Opens the usual output at `volume` 0..1; 0: none is opened. Never fails: without a device one line on stderr, and silence.
AppSound *app_sound_open(double volume);
void app_sound_close(AppSound *sound); ///< may be NULL

/// Once a frame: the session as it is now, or silence when it does not run. What is not told for three seconds falls silent.
void app_sound_play(AppSound *sound, Session *session, bool running);
/// Takes notice of outputs that come and go.
void app_sound_handle(AppSound *sound, const SDL_Event *event);
/// Silence until it is called again; true when there is sound now.
bool app_sound_toggle(AppSound *sound);
/// The device that plays, 0 = none.
SDL_AudioDeviceID app_sound_device(const AppSound *sound);

#endif
