/// The stations of a classroom, as far as their messages tell: a table that is never longer than CLASSROOM_STATIONS,
/// whatever a broker brings. Pure; the caller keeps two threads apart.
#ifndef SPADEWORK_TRAINER_CLASSROOM_ROSTER_H
#define SPADEWORK_TRAINER_CLASSROOM_ROSTER_H

#include "trainer/remote/classroom_message.h"

enum { CLASSROOM_STATIONS = 512 };

#define CLASSROOM_SILENT 7.0 ///< s without a message after which a station counts as silent: two of LINK_BEAT and 1 s
#define CLASSROOM_RIVAL  300.0 ///< s for which the page shows a program that was refused a station's name. Chosen

enum { CLASSROOM_RIVALS = 4 }; ///< programs that are refused one name, of which the page tells; the newest

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
    bool looked_at; ///< somebody has its page open
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

/// The station that is gone for longest and that nobody looks at: by its last will, or else one that is silent. -1: all
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
/// memory is short. README.md has its keys.
/// connected  the broker is there
/// now        s of the caller's clock
char *classroom_roster_text(const ClassroomRoster *roster, bool connected, double now, size_t *size);

#endif
