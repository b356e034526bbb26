/// The keys of a course. Each exercise is a scene that there is, and stands once.
#include "data/schema/course_params.h"

#include <string.h>

#include "data/files/files.h"
#include "data/schema/schemas.h"

static const DataKey exercise_keys[] = {
    ROW_TEXT("scene", CourseExercise, scene, "name of a scene's file"),
    ROW_NUMBER_OR("needs", CourseExercise, needs, 0, 100, 1, 0,
                  "points: that open the next exercise; 0: the scene's own pass mark"),
    ROW_INTEGER_OR("difficulty", CourseExercise, difficulty, 0, 5, 0,
                   "how hard it is, 1 for whoever holds a lever for the first time, to 5; 0: it is not told"),
    ROW_END,
};
static const DataKey exercise = ROW_ITEM(CourseExercise, exercise_keys);

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", CourseParams, title, "shown in lists"),
    ROW_TEXT_LINES("description", CourseParams, description, "whom the course is for and what is learnt"),
    ROW_TEXT_OPTIONAL("language", CourseParams, language,
                      "that title and description are written in, as a tag (de, pt-BR), for learning platforms"),
    ROW_INTEGER_OR("place", CourseParams, place, 1, 100, 50, "courses are listed by it, the least first"),
    ROW_LIST("exercises", CourseParams, exercises, exercises_count, 1, COURSE_MAX_EXERCISES, &exercise,
             "scenes in the order in which they are learnt"),
    ROW_END,
};

static bool check_exercise(Document *document, const CourseParams *course, int index, Status *status)
{
    const char *scene = course->exercises[index].scene;
    DocumentPath at = document_path("exercises.%d.scene", index);
    char path[DATA_PATH_LENGTH];
    Status reason;
    if (!reference_path(&data_scene_schema, scene, document->label, path, &reason)) {
        return document_fail_at(document, at.text, status, "%s", reason.text);
    }
    for (int k = 0; k < index; k++) {
        if (strcmp(course->exercises[k].scene, scene) == 0) {
            return document_fail_at(document, at.text, status, "read %s, allowed each scene once: it is exercise %d",
                                    scene, k + 1);
        }
    }
    return true;
}

static bool check(Document *document, const void *params, Status *status)
{
    const CourseParams *course = params;
    if (!document_check_language(document, "language", course->language, status)) {
        return false;
    }
    for (int k = 0; k < course->exercises_count; k++) {
        if (!check_exercise(document, course, k, status)) {
            return false;
        }
    }
    return true;
}

const DataSchema data_course_schema = {.kind = "course",
                                       .folder = "courses",
                                       .keys = keys,
                                       .size = sizeof(CourseParams),
                                       .name_size = KEY_SIZE(CourseParams, name),
                                       .check = check,
                                       .rules_go_on = true};
