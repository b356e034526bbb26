/// Reads courses and scenes once; what a trainee has reached is filled in from the results as often as he has driven.
#include "trainer/results/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/language.h"
#include "trainer/results/results_settings.h"
#include "trainer/results/results_shared.h"

enum { MOST_SCENES = 512, MOST_COURSES = 64 };

/// ---- reading -------------------------------------------------------------------------------------------------------

static bool list(const char *kind, int most, DataListEntry **entries, int *count, Status *status)
{
    *entries = calloc((size_t)most, sizeof **entries);
    if (*entries == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the list of %s", kind);
    }
    *count = data_list(kind, *entries, most, status);
    return *count >= 0;
}

static void read_scene(const DataListEntry *entry, SceneParams *scene, MachineParams *machine, CatalogueScene *told)
{
    Status status = {0};
    *told = (CatalogueScene){.own = entry->own || entry->shared, .best = -1.0, .won = -1.0};
    snprintf(told->name, sizeof told->name, "%s", entry->name);
    snprintf(told->title, sizeof told->title, "%s", language_text(entry->title));
    if (!data_load_scene(entry->name, NULL, 0, scene, machine, NULL, &status)) {
        snprintf(told->fault, sizeof told->fault, "%.*s", CATALOGUE_FAULT - 1, status.text);
        return;
    }
    snprintf(told->description, sizeof told->description, "%s", language_text(scene->description));
    snprintf(told->goal, sizeof told->goal, "%s", language_text(scene->exercise.goal));
    snprintf(told->picture, sizeof told->picture, "%s", scene->exercise.picture);
    told->scored = scene->exercise.scores_count > 0;
    told->pass_mark = scene->exercise.pass_mark;
}

static bool read_scenes(Catalogue *catalogue, Status *status)
{
    DataListEntry *entries = NULL;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = list("scenes", MOST_SCENES, &entries, &catalogue->scene_count, status);
    catalogue->scenes = good ? calloc((size_t)catalogue->scene_count + 1, sizeof *catalogue->scenes) : NULL;
    if (good && (scene == NULL || machine == NULL || catalogue->scenes == NULL)) {
        status_fail(status, STATUS_LACKING, "out of memory for the scenes");
        good = false;
    }
    catalogue->scene_count = good ? catalogue->scene_count : 0;
    for (int k = 0; k < catalogue->scene_count; k++) {
        read_scene(&entries[k], scene, machine, &catalogue->scenes[k]);
    }
    free(machine);
    free(scene);
    free(entries);
    return good;
}

static int find_scene(const Catalogue *catalogue, const char *name)
{
    for (int k = 0; k < catalogue->scene_count; k++) {
        if (strcmp(catalogue->scenes[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static void fill_course(Catalogue *catalogue, const CourseParams *course, CatalogueCourse *told)
{
    *told = (CatalogueCourse){.place = course->place};
    snprintf(told->name, sizeof told->name, "%s", course->name);
    snprintf(told->title, sizeof told->title, "%s", language_text(course->title));
    snprintf(told->description, sizeof told->description, "%s", language_text(course->description));
    for (int k = 0; k < course->exercises_count; k++) {
        int scene = find_scene(catalogue, course->exercises[k].scene);
        if (scene >= 0) {
            double needs = course->exercises[k].needs;
            catalogue->scenes[scene].in_course = true;
            told->steps[told->step_count++] = (CatalogueStep){.scene = scene,
                                                              .difficulty = course->exercises[k].difficulty,
                                                              .needs = fmax(needs, catalogue->scenes[scene].pass_mark),
                                                              .open = true};
        }
    }
}

static void read_course(Catalogue *catalogue, const DataListEntry *entry, CatalogueCourse *told)
{
    CourseParams course;
    Status status = {0};
    *told = (CatalogueCourse){.place = 100};
    snprintf(told->name, sizeof told->name, "%s", entry->name);
    snprintf(told->title, sizeof told->title, "%s", language_text(entry->title));
    if (!data_load_course(entry->name, &course, &status)) {
        snprintf(told->fault, sizeof told->fault, "%.*s", CATALOGUE_FAULT - 1, status.text);
        return;
    }
    fill_course(catalogue, &course, told);
}

static int compare_courses(const void *a, const void *b)
{
    const CatalogueCourse *one = a, *other = b;
    return one->place != other->place ? one->place - other->place : strcmp(one->name, other->name);
}

/// Adds a course that is named by a path; it takes the place of a listed one of its name. There is room for one.
static void read_further_course(Catalogue *catalogue, const char *reference)
{
    CourseParams course;
    Status unused;
    int place = 0;
    if (!data_load_course(reference, &course, &unused) || strcmp(course.name, reference) == 0) {
        return;
    }
    while (place < catalogue->course_count && strcmp(catalogue->courses[place].name, course.name) != 0) {
        place++;
    }
    catalogue->course_count += place == catalogue->course_count;
    fill_course(catalogue, &course, &catalogue->courses[place]);
}

bool catalogue_read(Catalogue *catalogue, const char *further, Status *status)
{
    DataListEntry *entries = NULL;
    *catalogue = (Catalogue){0};
    bool good =
        read_scenes(catalogue, status) && list("courses", MOST_COURSES, &entries, &catalogue->course_count, status);
    catalogue->courses = good ? calloc((size_t)catalogue->course_count + 1, sizeof *catalogue->courses) : NULL;
    if (good && catalogue->courses == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the courses");
        good = false;
    }
    catalogue->course_count = good ? catalogue->course_count : 0;
    for (int k = 0; k < catalogue->course_count; k++) {
        read_course(catalogue, &entries[k], &catalogue->courses[k]);
    }
    if (good && further != NULL) {
        read_further_course(catalogue, further);
    }
    if (good) {
        qsort(catalogue->courses, (size_t)catalogue->course_count, sizeof *catalogue->courses, compare_courses);
    }
    free(entries);
    if (!good) {
        catalogue_free(catalogue);
    }
    return good;
}

void catalogue_free(Catalogue *catalogue)
{
    free(catalogue->scenes);
    free(catalogue->courses);
    *catalogue = (Catalogue){0};
}

/// ---- what was reached ----------------------------------------------------------------------------------------------

static bool count_attempt(void *context, const ResultAttempt *attempt)
{
    Catalogue *catalogue = context;
    int index = find_scene(catalogue, attempt->scene);
    Credit credit = results_credit(attempt);
    if (index >= 0 && credit_counts(&credit, attempt->trainee)) {
        CatalogueScene *scene = &catalogue->scenes[index];
        scene->attempts++;
        scene->passed |= attempt->passed;
        if (credit_is_comparable(attempt->changed)) {
            scene->best = fmax(scene->best, attempt->score);
        }
        scene->won = attempt->passed ? fmax(scene->won, attempt->score) : scene->won;
    }
    return true;
}

/// all  whether everything is open
static void open_steps(Catalogue *catalogue, bool all)
{
    catalogue->locks = !all;
    for (int c = 0; c < catalogue->course_count; c++) {
        CatalogueCourse *course = &catalogue->courses[c];
        course->passed = 0;
        for (int k = 0; k < course->step_count; k++) {
            const CatalogueStep *before = k > 0 ? &course->steps[k - 1] : NULL;
            bool passed = catalogue->scenes[course->steps[k].scene].passed;
            course->steps[k].open =
                all || passed || before == NULL || catalogue->scenes[before->scene].won >= before->needs;
            course->passed += passed;
        }
    }
}

bool catalogue_judge(Catalogue *catalogue, const char *results, const char *trainee, Status *status)
{
    for (int k = 0; k < catalogue->scene_count; k++) {
        catalogue->scenes[k].attempts = 0;
        catalogue->scenes[k].passed = false;
        catalogue->scenes[k].best = catalogue->scenes[k].won = -1.0;
    }
    if (trainee == NULL || trainee[0] == '\0') {
        open_steps(catalogue, true);
        return status_good(status);
    }
    SettingsParams settings;
    Status unused; // bad settings are reported where they are shown
    bool all = results_settings(&settings, &unused) && settings.courses.exercises == SETTINGS_EXERCISES_OPEN;
    if (results != NULL && !results_are_shared(results) && access(results, F_OK) != 0) { // made with the first attempt
        open_steps(catalogue, all);
        return status_good(status);
    }
    Results *file = results_open(results, RESULTS_READ, status);
    bool good =
        file != NULL && results_each(file, &(ResultFilter){.trainee = trainee}, count_attempt, catalogue, status);
    results_close(file);
    open_steps(catalogue, all || !good);
    return good;
}

const CatalogueStep *catalogue_step(const Catalogue *catalogue, const char *course, const char *scene, int after)
{
    for (int c = 0; c < catalogue->course_count; c++) {
        const CatalogueCourse *one = &catalogue->courses[c];
        for (int k = 0; strcmp(one->name, course) == 0 && k + after < one->step_count; k++) {
            if (strcmp(catalogue->scenes[one->steps[k].scene].name, scene) == 0) {
                return &one->steps[k + after];
            }
        }
    }
    return NULL;
}
