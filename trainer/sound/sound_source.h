/// What of a session is heard.
#ifndef SPADEWORK_TRAINER_SOUND_SOURCE_H
#define SPADEWORK_TRAINER_SOUND_SOURCE_H

#include "trainer/session/session.h"
#include "trainer/sound/sound.h"

/// The sounds of the session's last tick at full volume. Only reads the session.
SoundInput sound_source_read(Session *session);

#endif
