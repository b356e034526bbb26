/// What of a session is heard.
#ifndef SPADEWORK_TRAINER_SOUND_SOURCE_H
#define SPADEWORK_TRAINER_SOUND_SOURCE_H

#include "trainer/sim/sim.h"
#include "trainer/app/sound.h"

/// The sounds of the session's last tick at full volume. Only reads the session.
SoundInput sound_source_read(Session *session);

/// Sets where the sounds come from for who sits in the cab with the head turned by `head` (rad, + left). The engine is
/// behind the cab where travel motors drive the tracks, and ahead of it where a powertrain does. Only reads the
/// session.
void sound_source_hear(Session *session, double head, SoundInput *input);

#endif
