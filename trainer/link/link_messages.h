/// The payloads that a station sends: data/classroom/messages.schema.json describes them. Each is one JSON text, which
/// the caller frees; NULL when memory is short. Pure; the session's thread where a session is read.
#ifndef SPADEWORK_TRAINER_LINK_MESSAGES_H
#define SPADEWORK_TRAINER_LINK_MESSAGES_H

#include <stdbool.h>

#include "trainer/session/session.h"

enum { LINK_DRIVE = 32 }; ///< bytes of a drive's id, with the NUL

/// How a station stands. Strings are borrowed; NULL is "".
typedef struct LinkStatus {
    const char *station, *phase; ///< "waiting", "driving", "frozen", "over"
    const char *scene, *title, *trainee, *drive;
    const char *since; ///< UTC, as 2026-01-31T12:00:00Z
} LinkStatus;
char *link_status_text(const LinkStatus *status);
/// What stands in its place once the station is gone.
char *link_gone_text(const char *station);

/// What a state tells beside the session.
typedef struct LinkMoment {
    long long sequence; ///< 1, 2, ... of this station's link
    double sent; ///< s since 1970
    const char *drive, *phase;
    double real_time; ///< simulated s per wall s
    int events; ///< of this drive so far
} LinkMoment;
char *link_state_text(const LinkMoment *moment, Session *session);

/// number  1, 2, ... in its drive
/// time    s of the session
/// scene   the exercise with its texts in the station's language; NULL: there is none
char *link_event_text(const char *drive, int number, double time, const ExerciseEvent *event,
                      const SceneExercise *scene);

/// error  NULL: it was taken
char *link_answer_text(const char *id, const char *error);

/// A scene that may be loaded.
typedef struct LinkScene {
    const char *name, *title;
} LinkScene;
char *link_scenes_text(const LinkScene *scenes, int count);

#endif
