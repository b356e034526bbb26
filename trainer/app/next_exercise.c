/// Asks the catalogue, as the menu does.
#include "trainer/app/next_exercise.h"

#include <stdio.h>

#include "trainer/results/results.h"

void next_exercise_find(const RunOptions *options, double won, NextExercise *next)
{
    Catalogue catalogue;
    Status unused;
    *next = (NextExercise){0};
    if (options->course == NULL || options->scene == NULL || !catalogue_read(&catalogue, &unused)) {
        return;
    }
    catalogue_judge(&catalogue, options->results, options->trainee, &unused);
    const CatalogueStep *step = catalogue_step(&catalogue, options->course, options->scene, 0);
    const CatalogueStep *after = catalogue_step(&catalogue, options->course, options->scene, 1);
    next->last = step != NULL && after == NULL;
    if (step != NULL && after != NULL && catalogue.scenes[after->scene].fault[0] == '\0') {
        const CatalogueScene *scene = &catalogue.scenes[after->scene];
        snprintf(next->scene, sizeof next->scene, "%s", scene->name);
        snprintf(next->title, sizeof next->title, "%s", scene->title);
        next->needs = step->needs;
        next->open = after->open || won >= step->needs;
    }
    catalogue_free(&catalogue);
}
