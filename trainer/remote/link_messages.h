/// The payloads that a station sends: data/classroom/messages.schema.json describes them. Each is one JSON text, which
/// the caller frees; NULL when memory is short. Pure; the session's thread where a session is read.
#ifndef SPADEWORK_TRAINER_LINK_MESSAGES_H
#define SPADEWORK_TRAINER_LINK_MESSAGES_H

#include <stdbool.h>

#include "trainer/remote/link_claim.h"
#include "trainer/sim/sim.h"

enum { LINK_DRIVE = 32 }; ///< bytes of a drive's id, with the NUL

/// How a station stands. Strings are borrowed; NULL is "".
typedef struct LinkStatus {
    const char *station, *phase; ///< "waiting", "driving", "frozen", "over"
    const char *scene, *title, *trainee, *drive;
    const char *since; ///< UTC, as 2026-01-31T12:00:00Z
    const LinkWho *who; ///< that holds the name
    int term; ///< as LinkClaim has it
} LinkStatus;
char *link_status_text(const LinkStatus *status);
/// What stands in its place once the station is gone.
char *link_gone_text(const char *station, const char *instance);
/// A program claims the name, or stays out. held  as LinkNotice has it
char *link_claim_text(const LinkWho *who, bool held, bool out);

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
/// What may be loaded. Scenes that have no room in a message are left out, the last ones first.
/// courses  JSON, a list of {"name": NAME, "title": TITLE, "scenes": [NAME, ...]}; NULL: none
char *link_scenes_text(const LinkScene *scenes, int count, const char *courses);

#endif
