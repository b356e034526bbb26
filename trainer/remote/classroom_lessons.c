/// Keeps each list of exercises once.
#include "trainer/remote/classroom_lessons.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/// Frees the lists that no station has any more.
static void drop_unused(ClassroomLessons *lessons)
{
    bool used[CLASSROOM_LISTS + 1] = {false};
    for (int k = 0; k < CLASSROOM_STATIONS; k++) {
        used[lessons->of[k]] = true;
    }
    for (int k = 0; k < CLASSROOM_LISTS; k++) {
        if (!used[k + 1]) {
            free(lessons->lists[k]);
            lessons->lists[k] = NULL;
        }
    }
}

void classroom_lessons_forget(ClassroomLessons *lessons, int station)
{
    lessons->of[station] = 0;
    drop_unused(lessons);
}

bool classroom_lessons_set(ClassroomLessons *lessons, int station, const char *list, Status *status)
{
    int vacant = -1;
    lessons->of[station] = 0;
    for (int k = CLASSROOM_LISTS - 1; k >= 0; k--) {
        if (lessons->lists[k] != NULL && strcmp(lessons->lists[k], list) == 0) {
            lessons->of[station] = k + 1;
        }
    }
    drop_unused(lessons);
    for (int k = CLASSROOM_LISTS - 1; k >= 0; k--) {
        vacant = lessons->lists[k] == NULL ? k : vacant;
    }
    if (lessons->of[station] == 0 && vacant >= 0) {
        size_t size = strlen(list) + 1;
        lessons->lists[vacant] = malloc(size);
        if (lessons->lists[vacant] != NULL) {
            memcpy(lessons->lists[vacant], list, size);
            lessons->of[station] = vacant + 1;
        }
    }
    return lessons->of[station] > 0 ||
           status_fail(status, STATUS_LACKING, "exercises: the stations have more than %d different lists",
                       CLASSROOM_LISTS);
}

void classroom_lessons_free(ClassroomLessons *lessons)
{
    for (int k = 0; k < CLASSROOM_LISTS; k++) {
        free(lessons->lists[k]);
    }
    *lessons = (ClassroomLessons){0};
}

char *classroom_lessons_text(const ClassroomLessons *lessons, const ClassroomRoster *roster, size_t *size)
{
    json_t *lists = json_array(), *of = json_object();
    for (int k = 0; k < CLASSROOM_LISTS; k++) {
        json_t *list = lessons->lists[k] != NULL ? json_loads(lessons->lists[k], 0, NULL) : NULL;
        json_array_append_new(lists, list != NULL ? list : json_null());
    }
    for (int k = 0; k < roster->count; k++) {
        if (lessons->of[k] > 0) {
            json_object_set_new(of, roster->stations[k].name, json_integer(lessons->of[k] - 1));
        }
    }
    json_t *object = json_pack("{s:o, s:o}", "lists", lists, "of", of);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    *size = text != NULL ? strlen(text) : 0;
    json_decref(object);
    return text;
}
