/// The link of a station to the broker of its classroom: its status, states and events go out, orders come in.
///
/// All functions are called on the drive's thread; only link_settle waits for the network. docs/broker.md has the
/// topics.
#ifndef SPADEWORK_TRAINER_LINK_H
#define SPADEWORK_TRAINER_LINK_H

#include "trainer/remote/link_messages.h"

enum { LINK_QUEUE = 16, LINK_SEEN = 64 }; ///< commands that wait at most; whose ids are remembered

/// Read by link_open; belongs to the caller.
typedef struct LinkParams {
    const char *url, *password_file, *ca_file; ///< as broker_open takes them
    const char *station; ///< name, 1..40 of a-z, 0-9, - and _; NULL: that of the computer, made to fit
    bool takes_scenes; ///< the command `load` is taken
    const LinkScene *scenes; ///< [scene_count], what may be loaded
    int scene_count;
    const char *courses; ///< as link_scenes_text takes them
} LinkParams;

typedef struct Link Link;

/// Starts it; a broker that is away is no failure. NULL with `status`: as broker_open, or the station's name is none
/// (STATUS_BAD_USAGE). The caller ends it with link_close.
Link *link_open(const LinkParams *params, Status *status);
void link_close(Link *link); ///< publishes that the station is gone. NULL is nothing

const char *link_station(const Link *link); ///< the name; belongs to the link
const char *link_instance(const Link *link); ///< the id of this run; belongs to the link

/// How the link stands.
typedef enum LinkStanding {
    LINK_AWAY, ///< not connected, or the name is not decided yet
    LINK_HERE, ///< connected under its name
    LINK_TAKEN, ///< another program holds the name: nothing is published and no order taken until it has gone
} LinkStanding;
/// `status`, where it is not NULL, is filled for LINK_TAKEN (STATUS_LACKING): which computers use the name, what to do.
LinkStanding link_standing(Link *link, Status *status);
/// Waits until the name is given or refused; at most LINK_SETTLE_CONNECT s for the broker,
/// then LINK_SETTLE_NAME s, and no longer than until a signal asks to stop or the first try to connect has failed.
/// False with `status` as link_standing: another program holds the name.
bool link_settle(Link *link, Status *status);
#define LINK_SETTLE_CONNECT 3.0 ///< s. Chosen: a local broker answers in milliseconds
#define LINK_SETTLE_NAME    (LINK_DEAD + 2.0)

/// A command to be obeyed.
typedef struct LinkCommand {
    ConsoleCommand order;
    int place; ///< for link_answer
} LinkCommand;
/// Takes the oldest command that waits. False when there is none.
bool link_next(Link *link, LinkCommand *command);
/// Answers it, once. error  why it could not be obeyed; NULL: it was
void link_answer(Link *link, const LinkCommand *command, const char *error);

/// A drive begins, or begins again: events of its exercise from now on belong to it, and are numbered from 1.
void link_begin(Link *link, const Session *session);
/// What link_show publishes beside the session. Borrowed; NULL is "".
typedef struct LinkNotes {
    const char *phase; ///< "driving", "frozen", "over"
    const char *trainee;
    double real_time; ///< simulated s per wall s
} LinkNotes;
/// After each round of the drive: publishes new events at once, the state ten times a second (`now`: at once).
void link_show(Link *link, Session *session, const LinkNotes *notes, bool now);
/// An event, of the exercise or not. time  s of the session
void link_publish_event(Link *link, double time, const ExerciseEvent *event);
/// Nobody drives.
void link_wait(Link *link);

/// True while the classroom watches: the console's texts are then wanted.
bool link_is_watched(Link *link);
/// Hands on the console's text of the state, or of the ground.
void link_view(Link *link, bool ground, const char *text, size_t size);

/// How the link stands, for who drives: true once per change, at first after some seconds without a broker.
/// standing  out
bool link_changed(Link *link, LinkStanding *standing);

#endif
