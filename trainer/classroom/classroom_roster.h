/// The stations of a classroom, as far as their messages tell: a table that is never longer than CLASSROOM_STATIONS,
/// whatever a broker brings. Pure; the caller keeps two threads apart.
#ifndef SPADEWORK_TRAINER_CLASSROOM_ROSTER_H
#define SPADEWORK_TRAINER_CLASSROOM_ROSTER_H

#include "trainer/classroom/classroom_message.h"

enum { CLASSROOM_STATIONS = 512 };

typedef struct ClassroomStation {
    char name[CLASSROOM_NAME];
    ClassroomStatus status; ///< its last one
    ClassroomState state; ///< the newest; valid when heard > 0
    double heard; ///< s of the caller's clock, when the newest state came; 0: none since it is online, or waits
    ClassroomPhase phase; ///< of status or state, whichever came last
    ClassroomEvent event; ///< the last one; number 0: none
    char failed[CLASSROOM_TEXT]; ///< why its last order was not taken, or ""
} ClassroomStation;

/// What came in since the start.
typedef struct ClassroomCounts {
    long states, states_lost; ///< lost: by gaps in the sequence
    long events, events_again, events_lost; ///< again: the same (drive, number) once more; lost: by gaps in the number
    long refused; ///< payloads that are none
} ClassroomCounts;

typedef struct ClassroomRoster {
    int count;
    ClassroomStation stations[CLASSROOM_STATIONS]; ///< in the order in which they came
    ClassroomCounts counts;
} ClassroomRoster;

/// A station by its name; -1: there is none.
int classroom_roster_find(const ClassroomRoster *roster, const char *name);

/// Takes a status; the first one of a name adds its station. The station's place, or -1 with `status`: the payload is
/// none, or CLASSROOM_STATIONS are there.
int classroom_roster_status(ClassroomRoster *roster, const char *name, const char *payload, size_t size,
                            Status *status);
/// Takes a state or an event of a station. False with `status`.
/// station  its place
/// now      s of the caller's clock, more than 0
bool classroom_roster_state(ClassroomRoster *roster, int station, const char *payload, size_t size, double now,
                            Status *status);
bool classroom_roster_event(ClassroomRoster *roster, int station, const char *payload, size_t size, Status *status);

/// All that the page shows of all stations, by name, as one JSON text of `size` bytes that the caller frees; NULL when
/// memory is short. README.md has its keys.
/// connected  the broker is there
/// now        s of the caller's clock
char *classroom_roster_text(const ClassroomRoster *roster, bool connected, double now, size_t *size);

#endif
