/// The scores of shipped scenes, for exercises that a test makes up.
#ifndef SPADEWORK_TESTS_SCORE_FIXTURE_H
#define SPADEWORK_TESTS_SCORE_FIXTURE_H

#include <string.h>

#include "data/schema/schema.h"
#include "tests/support/test.h"

/// Takes the rows and the pass mark of a scene under data/scenes.
static inline void take_scores(const char *name, SceneExercise *exercise)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    Status status = {0};
    assert_true(scene != NULL && machine != NULL);
    assert_good(data_load_scene(name, NULL, 0, scene, machine, NULL, &status), status);
    exercise->scores_count = scene->exercise.scores_count;
    memcpy(exercise->scores, scene->exercise.scores, sizeof exercise->scores);
    exercise->pass_mark = scene->exercise.pass_mark;
    free(machine);
    free(scene);
}

#endif
