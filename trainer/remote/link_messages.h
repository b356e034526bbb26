/// Topics and payloads of a station, as data/classroom/messages.schema.json describes them: what strangers send becomes
/// an order, a notice or a refusal, and what the station publishes becomes one JSON text; and the rules by which
/// one of several programs gets a station's name. Pure; a text of a session is written on its thread, all else on any.
#ifndef SPADEWORK_TRAINER_LINK_MESSAGES_H
#define SPADEWORK_TRAINER_LINK_MESSAGES_H

#include <stdbool.h>

#include "trainer/remote/console_commands.h"
#include "trainer/sim/sim.h"

/// ---- claim of a name -----------------------------------------------------------------------------------------------

/// Decides which program may use a station's name, where several programs use the same name at one broker.
///
/// Every run of the program has an instance id of its own and connects as a client of its own, so that the broker never
/// replaces one by another. A program claims the name before it publishes anything under it, and the holder objects.
/// The rules give the same result in every program:
///
/// - The holder repeats its status every LINK_BEAT s, and answers a claim with its status at once.
/// - A claim succeeds when nobody has objected for LINK_QUIET s. If the broker has kept the status of another program,
///   that program must also have been silent for LINK_DEAD s, or its last will must have arrived.
/// - Of two programs that claim at the same time, the one that held the name at its last connection wins, else the one
///   with the lower instance id. If messages are late, two programs may hold the name: the one with the lower term
///   keeps it, else the one with the lower id. The term is 1, plus 1 for each takeover from a silent program.
/// - A program that lost stays out. It publishes that every LINK_BEAT s, and claims the name again when the holder has
///   gone, or was silent for LINK_DEAD s.
/// - Each connection begins with a claim, because the name may have been given to another program meanwhile.
///
/// Pure; not thread-safe. Times are in s of a clock of the caller's that never goes back.

#define LINK_BEAT  3.0 ///< s between two statuses of a holder, or two claims. Chosen
#define LINK_QUIET 1.0 ///< s without an objection after which a claim succeeds. Chosen: many round trips of a network
#define LINK_DEAD  8.0 ///< s without a status after which a holder counts as dead: two statuses may be lost
/// s after which a claim succeeds although the broker has not returned it, as when an access list forbids that. Longer
/// than a dead connection lasts (20 s).
#define LINK_NO_ECHO 25.0

/// Bytes with the NUL: of an instance's id, of a computer's name and of its numeric address.
enum { LINK_INSTANCE = 17, LINK_HOST = 65, LINK_ADDRESS = 46 };
enum { LINK_TERM_MOST = 1000000 };

/// A program that uses a station's name.
typedef struct LinkWho {
    char instance[LINK_INSTANCE]; ///< hexadecimal digits, of one run of the program alone; "": nobody
    char host[LINK_HOST]; ///< the computer's name, or ""
    char address[LINK_ADDRESS]; ///< numeric, as the broker is reached from, or ""
    int process; ///< number of the process there, or 0
} LinkWho;

/// What a program publishes about the name.
typedef enum LinkNoticeKind {
    LINK_NOTICE_CLAIM, ///< it claims the name
    LINK_NOTICE_OUT, ///< it stays out
    LINK_NOTICE_HOLDS, ///< its status: it holds the name
    LINK_NOTICE_GONE, ///< its last will, or its farewell
} LinkNoticeKind;
typedef struct LinkNotice {
    LinkNoticeKind kind;
    LinkWho who;
    bool kept; ///< retained by the broker: published at some time before
    bool held; ///< of a claim: the program held the name at its last connection
    int term; ///< of a status, 1..LINK_TERM_MOST
} LinkNotice;

typedef enum LinkPhase {
    LINK_ASKING, ///< the name is claimed, and not decided yet
    LINK_HOLDING, ///< the name is this program's
    LINK_OUT, ///< another program holds the name
} LinkPhase;

/// What the caller must publish now, as a set of bits.
enum { LINK_PUBLISH_CLAIM = 1, LINK_PUBLISH_STATUS = 2 };

typedef struct LinkClaim {
    char instance[LINK_INSTANCE];
    LinkPhase phase;
    int connection; ///< 0: there was none yet
    bool held; ///< this program held the name at its last connection, or holds it
    double asked; ///< s, of the first claim in this phase; 0: none yet
    double echoed; ///< s, when the broker first returned it; 0: not yet
    double published; ///< s, of the last claim or status
    int term; ///< LINK_HOLDING: of this program; else the highest of another one
    LinkWho rival; ///< LINK_OUT: the holder; LINK_ASKING: the program whose status the broker has kept
    double rival_seen; ///< s, LINK_OUT: of the holder's last message
} LinkClaim;

void link_claim_begin(LinkClaim *claim, const char *instance);
/// Lets time pass; call it first at each connection, before link_claim_receive, and then at least twice a second while
/// connected. Returns what must be published.
/// connection  counts the connections, from 1
/// subscribed  the broker passes on what is published from now on
int link_claim_tend(LinkClaim *claim, int connection, bool subscribed, double now);
/// Takes a notice that was published under the name, including this program's own. Returns what must be published.
int link_claim_receive(LinkClaim *claim, const LinkNotice *notice, double now);

/// ---- messages ------------------------------------------------------------------------------------------------------

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
