/// What the writers of attempts share. Internal to the results.
#ifndef SPADEWORK_TRAINER_RESULTS_PRINT_H
#define SPADEWORK_TRAINER_RESULTS_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "trainer/results/results_store.h"

/// A course that statements name.
typedef struct ResultsCourse {
    char name[SCENE_NAME_LENGTH];
    char title[RESULT_NAME]; ///< its name where there is no such course here
    char language[RESULT_LANGUAGE]; ///< of the title; "" = not known
} ResultsCourse;

enum { RESULTS_COURSES = 64 };

/// An output on its way.
typedef struct ResultsPrinting {
    Results *results;
    FILE *file;
    const char *home_page; ///< of the actors' accounts
    const char *class_name; ///< of the filter, or NULL
    int count; ///< attempts written
    bool lacking; ///< memory was too short for one: the reading has ended
    int member_count; ///< -1: the members could not be read; statements alone name them
    ResultMember *members; ///< [member_count] by trainee; the caller frees them
    int course_count; ///< 0..RESULTS_COURSES
    ResultsCourse courses[RESULTS_COURSES]; ///< that were looked up
} ResultsPrinting;

/// Visits (ResultsVisit) that write an attempt as an item of a JSON array.
bool results_print_json(void *context, const ResultAttempt *attempt);
bool results_print_statement(void *context, const ResultAttempt *attempt);

/// An attempt as an object, with its metrics and score rows; NULL when memory is short. `files`: with the paths of its
/// recording and its parent, and the trainee's name.
json_t *results_attempt_json(const ResultAttempt *attempt, bool files);
/// Writes an item of an array, and frees it. False, and nothing is written, when memory was too short for it (NULL is
/// such an item): `lacking` is set.
bool results_print_item(ResultsPrinting *self, json_t *item);

#endif
