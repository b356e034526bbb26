/// Courses with their scenes in order, and trainees by name.
#include "trainer/instructor/choices.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "data/language/language.h"
#include "data/load.h"
#include "trainer/results/results.h"

enum { MOST_COURSES = 64, MOST_TRAINEES = 500 };

static json_t *list_courses(void)
{
    Status unused;
    DataListEntry *entries = calloc(MOST_COURSES, sizeof *entries);
    CourseParams *course = malloc(sizeof *course);
    bool has_room = entries != NULL && course != NULL;
    int count = has_room ? data_list("courses", entries, MOST_COURSES, &unused) : 0;
    json_t *list = json_array();
    for (int k = 0; k < count && k < MOST_COURSES; k++) {
        if (!data_load_course(entries[k].name, course, &unused)) {
            continue;
        }
        json_t *scenes = json_array();
        for (int step = 0; step < course->exercises_count; step++) {
            json_array_append_new(scenes, json_string(course->exercises[step].scene));
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", entries[k].name, "title",
                                              language_text(course->title), "scenes", scenes));
    }
    free(course);
    free(entries);
    return list;
}

static json_t *list_trainees(const char *path)
{
    Status unused;
    ResultTrainee *trainees = NULL;
    Results *results = results_open(path, RESULTS_READ, &unused);
    int count = results != NULL ? results_trainees(results, NULL, &trainees, &unused) : 0;
    json_t *list = json_array();
    for (int k = 0; k < count && k < MOST_TRAINEES; k++) {
        json_array_append_new(list, json_string(trainees[k].name));
    }
    free(trainees);
    results_close(results);
    return list;
}

char *choices_text(const char *results, size_t *size)
{
    json_t *choices = json_pack("{s:o, s:o}", "courses", list_courses(), "trainees", list_trainees(results));
    char *text = choices != NULL ? json_dumps(choices, JSON_COMPACT) : NULL;
    *size = text != NULL ? strlen(text) : 0;
    json_decref(choices);
    return text;
}
