/// A course: exercises in the order in which they are learnt. File: data/courses/NAME.yaml.
#ifndef SPADEWORK_DATA_COURSE_PARAMS_H
#define SPADEWORK_DATA_COURSE_PARAMS_H

enum { COURSE_MAX_EXERCISES = 32, COURSE_NAME_LENGTH = 64, COURSE_LANGUAGE = 36 };

typedef struct CourseExercise {
    char scene[COURSE_NAME_LENGTH]; ///< name of a scene's file, each once
    int difficulty; ///< 1 (first lever) .. 5, 0: not stated
    double needs; ///< 0..100 points that open the next one, default 0: the exercise's own pass mark
} CourseExercise;

typedef struct CourseParams {
    char name[COURSE_NAME_LENGTH]; ///< file name without .yaml
    char title[96];
    char description[512];
    char language[COURSE_LANGUAGE]; ///< that its texts are written in, as SceneParams.language
    int place; ///< 1..100, default 50: courses are listed by it, and by name where it is the same
    int exercises_count; ///< 1..COURSE_MAX_EXERCISES
    CourseExercise exercises[COURSE_MAX_EXERCISES];
} CourseParams;

#endif
