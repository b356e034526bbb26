/// The stations of a classroom: their messages, read and range-checked, a table of at most CLASSROOM_STATIONS of them,
/// and the orders that they get. Pure; the caller keeps two threads apart.
#ifndef SPADEWORK_TRAINER_CLASSROOM_ROSTER_H
#define SPADEWORK_TRAINER_CLASSROOM_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/status.h"
#include "trainer/remote/console_commands.h"
#include "trainer/remote/link_messages.h"

/// Bytes with the NUL: of names and drives, of texts that are shown, of refusals; and of a whole payload.
enum { CLASSROOM_NAME = 41, CLASSROOM_DRIVE = 97, CLASSROOM_TEXT = 201, CLASSROOM_PAYLOAD = 65536 };
/// Of one list of scenes; of broken parts; of events in one drive.
enum {
    CLASSROOM_MOST_SCENES = 512,
    CLASSROOM_MOST_COURSES = 64,
    CLASSROOM_MOST_FAULTS = 1000,
    CLASSROOM_MOST_EVENTS = 1000000
};

/// The last words of a topic.
#define CLASSROOM_TOPICS(X)                                                                                            \
    X(STATUS, status)                                                                                                  \
    X(STATE, state)                                                                                                    \
    X(EVENT, event) X(SCENES, scenes) X(VIEW, view) X(GROUND, ground) X(ANSWER, answer) X(CLAIM, claim)
typedef enum ClassroomTopic {
#define X(upper, lower) CLASSROOM_##upper,
    CLASSROOM_TOPICS(X)
#undef X
        CLASSROOM_TOPIC_COUNT
} ClassroomTopic;
extern const char *const classroom_topic_names[CLASSROOM_TOPIC_COUNT];

/// Splits spadework/NAME/WORD. False when it is no topic of a station's.
bool classroom_topic_read(const char *topic, char name[CLASSROOM_NAME], ClassroomTopic *kind);

typedef enum ClassroomPhase {
    CLASSROOM_WAITING,
    CLASSROOM_DRIVING,
    CLASSROOM_FROZEN,
    CLASSROOM_OVER,
    CLASSROOM_PHASES
} ClassroomPhase;

typedef struct ClassroomStatus {
    bool online;
    ClassroomPhase phase;
    char scene[CONSOLE_NAME], title[CLASSROOM_TEXT], trainee[CLASSROOM_TEXT]; ///< or ""
    LinkWho who; ///< the sender; instance "": unknown
} ClassroomStatus;

typedef struct ClassroomState {
    int64_t sequence; ///< 0..2^53
    double sent; ///< s since 1970
    char drive[CLASSROOM_DRIVE]; ///< or ""
    ClassroomPhase phase;
    double time; ///< s, 0..1e7
    double score; ///< points, -1e6..1e6
    double progress; ///< 0..1
    double real_time; ///< simulated s per wall s, 0..1e4
    int faults; ///< 0..CLASSROOM_MOST_FAULTS
} ClassroomState;

typedef struct ClassroomEvent {
    char drive[CLASSROOM_DRIVE];
    int number; ///< 1..CLASSROOM_MOST_EVENTS
    double time; ///< s, 0..1e7
    char text[CLASSROOM_TEXT]; ///< its detail, or its kind where there is none; cut
} ClassroomEvent;

typedef struct ClassroomAnswer {
    char id[CLASSROOM_NAME]; ///< of the order; "": it had none that could be read
    bool taken;
    char error[CLASSROOM_TEXT]; ///< "" when it was taken; cut
} ClassroomAnswer;

/// Each reads a payload of `size` bytes. False with `status` (STATUS_BAD_FILE): which key is wrong, what is allowed.
/// name  the station's, which the status must have, too
bool classroom_read_status(const char *payload, size_t size, const char *name, ClassroomStatus *read, Status *status);
bool classroom_read_answer(const char *payload, size_t size, ClassroomAnswer *read, Status *status);

/// Reads what is handed to a page as it is (one JSON object), and returns it as one line that the caller frees; NULL
/// with `status`. A view has no address of a debrief then, which would be one of the station's own server, or of
/// anybody's: "station" where there is one, else "".
char *classroom_read_ground(const char *payload, size_t size, Status *status);
char *classroom_read_view(const char *payload, size_t size, Status *status);
/// Reads what may be loaded: returns {"scenes": [...], "courses": [...]} as one line that the caller frees; NULL with
/// `status`. A payload without courses has none.
char *classroom_read_scenes(const char *payload, size_t size, Status *status);

/// ---- the table of stations -----------------------------------------------------------------------------------------

enum { CLASSROOM_STATIONS = 512 };

#define CLASSROOM_SILENT 7.0 ///< s without a message after which a station counts as silent: two of LINK_BEAT and 1 s
#define CLASSROOM_RIVAL  300.0 ///< s for which the page shows a program that was refused a station's name. Chosen

enum { CLASSROOM_RIVALS = 4 }; ///< programs that are refused one name, of which the page shows the newest

/// A program that uses a station's name and stays out.
typedef struct ClassroomRival {
    LinkWho who;
    double heard; ///< s of the caller's clock
} ClassroomRival;

typedef struct ClassroomStation {
    char name[CLASSROOM_NAME];
    ClassroomStatus status; ///< its last one
    ClassroomState state; ///< the newest; valid when heard > 0
    double heard; ///< s of the caller's clock, when the newest state came; 0: none since it is online, or waits
    ClassroomPhase phase; ///< of status or state, whichever came last
    ClassroomEvent event; ///< the last one; number 0: none
    char failed[CLASSROOM_TEXT]; ///< why its last order was not taken, or ""
    double told; ///< s of the caller's clock: its last message or last will; retained messages do not count
    bool looked_at; ///< its page is open
    ClassroomRival rivals[CLASSROOM_RIVALS]; ///< the newest last
    int rival_count;
} ClassroomStation;

/// What came in since the start.
typedef struct ClassroomCounts {
    long states, states_lost; ///< lost: by gaps in the sequence
    long events, events_again, events_lost; ///< again: the same (drive, number) once more; lost: by gaps in the number
    long refused; ///< payloads that are none
    long dropped; ///< stations that were gone and made room for others
} ClassroomCounts;

typedef struct ClassroomRoster {
    int count;
    ClassroomStation stations[CLASSROOM_STATIONS]; ///< in the order in which they came
    ClassroomCounts counts;
} ClassroomRoster;

/// A station by its name; -1: there is none.
int classroom_roster_find(const ClassroomRoster *roster, const char *name);

/// True when a station that is online has sent nothing for CLASSROOM_SILENT s: it died, or cannot be reached.
bool classroom_station_is_silent(const ClassroomStation *station, double now);
/// True when a station can be given an order.
bool classroom_station_is_there(const ClassroomStation *station, double now);

/// The station that is gone for longest and whose page is closed: by its last will, or else one that is silent. -1: all
/// are there.
int classroom_roster_gone(const ClassroomRoster *roster, double now);

/// Takes a status; the first one of a name adds its station. Where CLASSROOM_STATIONS are there, one that is gone makes
/// room for one that comes (counts.dropped). The last will of a program that does not hold the name changes nothing.
/// The station's place, or -1 with `status`: the payload is none, or there is no room.
/// kept  retained by the broker: no sign of life of a station that was online already
/// now   s of the caller's clock, more than 0
int classroom_roster_status(ClassroomRoster *roster, const char *name, const char *payload, size_t size, bool kept,
                            double now, Status *status);
/// Takes a claim of a station's name: a program that stays out is a rival. False with `status`.
/// station  its place
bool classroom_roster_claim(ClassroomRoster *roster, int station, const char *payload, size_t size, double now,
                            Status *status);
/// Takes a state or an event of a station. False with `status`.
/// station  its place
/// now      as above
bool classroom_roster_state(ClassroomRoster *roster, int station, const char *payload, size_t size, double now,
                            Status *status);
bool classroom_roster_event(ClassroomRoster *roster, int station, const char *payload, size_t size, Status *status);

/// All that the page shows of all stations, by name, as one JSON text of `size` bytes that the caller frees; NULL when
/// memory is short. docs/classroom.md has its keys.
/// connected  the broker is there
/// now        s of the caller's clock
char *classroom_roster_text(const ClassroomRoster *roster, bool connected, double now, size_t *size);

/// ---- lists of exercises: most stations have the same, and each list is kept once -----------------------------------

enum { CLASSROOM_LISTS = 16 }; ///< different ones at most: versions and languages in one classroom. Chosen

typedef struct ClassroomLessons {
    char *lists[CLASSROOM_LISTS]; ///< JSON as classroom_read_scenes returns it, owned; NULL: free
    int of[CLASSROOM_STATIONS]; ///< 1 + the place of each station's list, by its place in the roster; 0: none
} ClassroomLessons;

/// Gives a station its list, copied. False with `status` (STATUS_LACKING): there are too many different ones, or memory
/// is short; the station has none then.
bool classroom_lessons_set(ClassroomLessons *lessons, int station, const char *list, Status *status);
/// The station is another one from now on, and has none yet.
void classroom_lessons_forget(ClassroomLessons *lessons, int station);
void classroom_lessons_free(ClassroomLessons *lessons);

/// {"lists": [{"scenes": [...], "courses": [...]}, ...], "of": {STATION: place in lists}} as one JSON text of `size`
/// bytes that the caller frees; NULL when memory is short.
char *classroom_lessons_text(const ClassroomLessons *lessons, const ClassroomRoster *roster, size_t *size);

/// ---- orders --------------------------------------------------------------------------------------------------------

/// Orders to stations: an order of the page is checked and becomes a payload for each station; the station's answer, or
/// its silence, decides later what became of it. Pure; the caller keeps two threads apart.

#define CLASSROOM_PATIENCE      5.0 ///< s that a station may take to answer
#define CLASSROOM_PATIENCE_LOAD 20.0 ///< s that it may take to begin an exercise. Chosen: a slow computer's way there

/// Of orders without an answer; bytes of one that is sent to many, with their names and trainees; of the id's
/// beginning; orders to many that are kept.
enum { CLASSROOM_PENDING = 1024, CLASSROOM_BODY = 131072, CLASSROOM_MARK = 9, CLASSROOM_BATCHES = 3 };

/// What became of an order at one station.
typedef enum ClassroomResult {
    CLASSROOM_NOT_ASKED,
    CLASSROOM_WAITS, ///< it was sent, and is not answered yet
    CLASSROOM_TAKEN,
    CLASSROOM_REFUSED,
    CLASSROOM_NO_ANSWER,
    CLASSROOM_NOT_SENT, ///< the station was not there
    CLASSROOM_RESULTS
} ClassroomResult;

/// An order to many, with what became of it.
typedef struct ClassroomBatch {
    long number; ///< 1, 2, ...; 0: there is none
    ConsoleCommandKind kind;
    long ids[CLASSROOM_STATIONS]; ///< number of the order to each station, by its place
    ClassroomResult results[CLASSROOM_STATIONS];
    char errors[CLASSROOM_STATIONS][CLASSROOM_TEXT]; ///< of those that refused
} ClassroomBatch;

typedef struct ClassroomPending {
    int station; ///< its place; -1: this one is free
    long number; ///< of the order
    double until; ///< s of the caller's clock
} ClassroomPending;

typedef struct ClassroomOrders {
    char mark[CLASSROOM_MARK]; ///< of this classroom's ids: letters of one that no other classroom has
    long sent; ///< orders so far
    ClassroomPending pending[CLASSROOM_PENDING];
    ClassroomBatch batches[CLASSROOM_BATCHES]; ///< a ring
    long batch_count; ///< so far
} ClassroomOrders;

/// mark  1..8 of a-z and 0-9
void classroom_orders_begin(ClassroomOrders *orders, const char *mark);

/// An order as it was sent by the page of all stations: with the key `stations`, a list of names or "all", and of
/// `load` with `trainees`, an object with a text for each of some stations.
typedef struct ClassroomOrder {
    ConsoleCommand command;
    json_t *payload; ///< of the order alone, without id: held
    json_t *trainees; ///< the key `trainees`, held; NULL: there are none
    bool to[CLASSROOM_STATIONS]; ///< by place in the roster
    int count; ///< of these
} ClassroomOrder;
/// Reads the body of an order, [size] bytes; the caller ends it with classroom_order_free. False with `status`
/// (STATUS_BAD_FILE), and nothing is owned.
/// station  its place, where the page of one station sent it; -1: it says to whom it goes
/// now      s of the caller's clock: "all" are those that are there now
bool classroom_order_read(const char *body, size_t size, int station, const ClassroomRoster *roster, double now,
                          ClassroomOrder *order, Status *status);
void classroom_order_free(ClassroomOrder *order);
/// Begins to keep what becomes of an order to many; the oldest one is forgotten. It belongs to the orders.
ClassroomBatch *classroom_orders_begin_batch(ClassroomOrders *orders, ConsoleCommandKind kind);
/// The payload for one station, with an id of its own, that the caller frees: remembered until it is answered, or its
/// patience has passed. NULL when too many wait or memory is short.
/// batch  where its result goes; NULL: nowhere
/// now    s of the caller's clock
char *classroom_order_payload(ClassroomOrders *orders, const ClassroomOrder *order, const ClassroomRoster *roster,
                              int station, ClassroomBatch *batch, double now, char id[CLASSROOM_NAME]);

/// Takes an answer. True when it is one to an order of this classroom's that still waits, which is forgotten then; the
/// answer of a station that was too late goes into its batch all the same.
bool classroom_orders_answered(ClassroomOrders *orders, int station, const ClassroomAnswer *answer);
/// Forgets the orders to a station that is another one from now on.
void classroom_orders_forget(ClassroomOrders *orders, int station);
/// Takes one order out that has waited too long, and returns its station and id. False: there is none.
bool classroom_orders_late(ClassroomOrders *orders, double now, int *station, char id[CLASSROOM_NAME]);

/// What became of the orders to many, the newest first, as one JSON text of `size` bytes that the caller frees; NULL
/// when memory is short. docs/classroom.md has its keys.
char *classroom_orders_text(const ClassroomOrders *orders, const ClassroomRoster *roster, size_t *size);

#endif
