/// Topics and payloads of a station, as data/classroom/messages.schema.json describes them: what strangers send becomes
/// an order, a notice or a refusal, and what the station publishes becomes one JSON text. Pure; a text of a session is
/// written on its thread, all else on any.
#ifndef SPADEWORK_TRAINER_LINK_MESSAGES_H
#define SPADEWORK_TRAINER_LINK_MESSAGES_H

#include <stdbool.h>

#include "trainer/remote/console_commands.h"
#include "trainer/remote/link_claim.h"
#include "trainer/sim/sim.h"

/// Bytes with the NUL: of a station's name, of a command's id.
enum { LINK_STATION = 41, LINK_ID = 41, LINK_WATCH_MOST = 60 };

/// True for 1..40 of a-z, 0-9, - and _.
bool link_station_is_one(const char *name);
/// Makes a name of any text: letters small, "-" for whatever does not fit, cut; "station" of nothing.
void link_station_fit(const char *text, char name[LINK_STATION]);

/// What a topic is to the station.
typedef enum LinkTopic { LINK_NO_TOPIC, LINK_COMMAND, LINK_WATCH, LINK_STATUS, LINK_CLAIM } LinkTopic;
/// Takes spadework/STATION/command, watch, status and claim apart.
LinkTopic link_topic(const char *topic, const char *station);

typedef struct LinkOrder {
    char id[LINK_ID]; ///< 1..40 of a-z, 0-9 and -
    ConsoleCommand command;
} LinkOrder;
/// Reads {"version": 1, "id": ID, "command": NAME, ...}, where what follows is as console_command_read_object reads
/// it. False with `status` (STATUS_BAD_FILE): the field, what was read and what is allowed; `order->id` is then the id
/// where that could be read, else "".
bool link_order_read(const char *payload, size_t size, LinkOrder *order, Status *status);

/// Reads {"version": 1, "seconds": 1..LINK_WATCH_MOST}. False with `status` as above.
bool link_watch_read(const char *payload, size_t size, int *seconds, Status *status);

/// Reads the sender of a status or a claim: {..., "instance": 16 of 0-9 and a-f, "host": TEXT, "address": NUMBER,
/// "process": 0 or more}. False with `status` as above.
bool link_who_read(const json_t *object, LinkWho *who, Status *status);
/// Reads a claim of a station's name. False with `status` as above.
bool link_claim_read(const char *payload, size_t size, LinkNotice *notice, Status *status);
/// Reads the keys of a status that decide who holds the name. False with `status` as above.
bool link_status_read(const char *payload, size_t size, LinkNotice *notice, Status *status);

/// ---- what is written: each text is freed by the caller; NULL when memory is short ----------------------------------

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
/// The text in its place once the station is gone.
char *link_gone_text(const char *station, const char *instance);
/// A program claims the name, or stays out. held  as LinkNotice has it
char *link_claim_text(const LinkWho *who, bool held, bool out);

/// What a state says beside the session.
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
