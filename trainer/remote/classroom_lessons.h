/// What may be loaded at the stations of a classroom. Most stations have the same exercises: each list is kept once.
/// Pure; the caller keeps two threads apart.
#ifndef SPADEWORK_TRAINER_CLASSROOM_LESSONS_H
#define SPADEWORK_TRAINER_CLASSROOM_LESSONS_H

#include "trainer/remote/classroom_roster.h"

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

#endif
