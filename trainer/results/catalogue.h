/// What there is to drive: the courses with their exercises, and all scenes, shipped and the user's own, each with what
/// a trainee has reached there. Titles and descriptions are in the trainee's language. For menus. Any thread; plain
/// values.
#ifndef SPADEWORK_TRAINER_CATALOGUE_H
#define SPADEWORK_TRAINER_CATALOGUE_H

#include "data/schema/schema.h"
#include "trainer/results/results_store.h"

enum { CATALOGUE_FAULT = 640, CATALOGUE_GOAL = 512 };

typedef struct CatalogueScene {
    char name[64]; ///< what it is loaded by
    char title[96];
    char description[512];
    char goal[CATALOGUE_GOAL]; ///< what it teaches; "" = nothing is said
    char picture[SCENE_NAME_LENGTH]; ///< as SceneExercise.picture
    char fault[CATALOGUE_FAULT]; ///< why it cannot be loaded, its first fault; "" = it can
    bool own; ///< of the user's folder or the shared one
    bool in_course;
    bool scored;
    double pass_mark; ///< points, 0..100
    int attempts; ///< of the trainee, that count: neither practice nor scripted (trainer/record)
    bool passed; ///< by one of them
    double best; ///< points, 0..100, of those that may be compared (credit_is_comparable); -1: there is none
    double won; ///< points, 0..100: the most that one of them passed with; -1: none has
} CatalogueScene;

/// An exercise of a course.
typedef struct CatalogueStep {
    int scene; ///< index of the catalogue's scenes
    int difficulty; ///< 1..5; 0: it is not told
    double needs; ///< points, 0..100, that it is to be passed with to open the next one; at least its pass mark
    bool open;
} CatalogueStep;

typedef struct CatalogueCourse {
    char name[COURSE_NAME_LENGTH];
    int place; ///< as CourseParams.place
    char title[96];
    char description[512];
    char fault[CATALOGUE_FAULT]; ///< why it cannot be loaded; "" = it can
    int step_count;
    CatalogueStep steps[COURSE_MAX_EXERCISES];
    int passed; ///< how many the trainee has passed
} CatalogueCourse;

/// Zero-initialise; end with catalogue_free.
typedef struct Catalogue {
    int scene_count;
    CatalogueScene *scenes; ///< [scene_count], the shipped ones, the shared ones, the user's, each part by name
    int course_count;
    CatalogueCourse *courses; ///< [course_count], by their places, else by name
    bool locks; ///< one exercise opens the next for the trainee of the last catalogue_judge; else all are open
} Catalogue;

/// Reads all courses and scenes; a broken one is listed with its fault. Nothing was driven yet and every exercise is
/// open. False with `status` when the shipped data cannot be listed.
/// further  path of a course beside those that are listed, as --course takes it; NULL, a name, or none that can be
///          read: none
bool catalogue_read(Catalogue *catalogue, const char *further, Status *status);
void catalogue_free(Catalogue *catalogue);

/// Fills in what a trainee has reached, and opens the exercises he may drive: the first of each course, each whose
/// predecessor an attempt that counts has passed with the points it needs (credit_counts), and those that he has
/// passed. Without a trainee (NULL or ""), and where the user's settings say so (courses.exercises: open), every
/// exercise is open. False with `status` when the results cannot be read; then every exercise is open, too.
/// results  file of results, NULL: the user's own
bool catalogue_judge(Catalogue *catalogue, const char *results, const char *trainee, Status *status);

/// Finds the step of a course by the name of its scene; NULL when there is no such course, or the scene is not in it.
/// after  how many steps further
const CatalogueStep *catalogue_step(const Catalogue *catalogue, const char *course, const char *scene, int after);

#endif
