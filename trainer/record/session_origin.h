/// Where a session begins: at the first tick of a scene, or at a moment of a recording that it takes over.
#ifndef SPADEWORK_TRAINER_SESSION_ORIGIN_H
#define SPADEWORK_TRAINER_SESSION_ORIGIN_H

#include "trainer/record/recording.h"

typedef struct SessionOrigin {
    char parent[DATA_PATH_LENGTH]; ///< path of the recording that is taken over; "" = none
    double at; ///< s of it, rounded to a tick
    char seal[SEAL_TEXT]; ///< its last seal, once its session was made; ""
} SessionOrigin;

/// parent  NULL: the first tick of the options' scene
/// at      s of the parent
SessionOrigin session_origin(const char *parent, double at);
/// NULL: no recording is taken over.
const char *session_origin_parent(const SessionOrigin *origin);
/// Finds the recording that holds the moment `at` (s): the one named, or, where that begins later, the one in its
/// folder that it took over, and so on. False with `status` (STATUS_BAD_USAGE: none holds it; STATUS_BAD_FILE).
bool session_origin_find(const char *recording, double at, SessionOrigin *origin, Status *status);
/// Makes the session, which the caller destroys, and notes the parent's seal. Of `params` only `threads` counts where a
/// recording is taken over. NULL with `status`: STATUS_BAD_USAGE when
/// the recording does not hold the moment, else as recording_open, recording_create_session or session_create.
Session *session_origin_make(SessionOrigin *origin, const SessionParams *params, Status *status);

#endif
