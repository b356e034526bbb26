/// Which exercise comes after the one that was driven, in its course.
#ifndef SPADEWORK_TRAINER_NEXT_EXERCISE_H
#define SPADEWORK_TRAINER_NEXT_EXERCISE_H

#include "trainer/command/cli_options.h"

typedef struct NextExercise {
    char scene[64]; ///< "" = there is none
    char title[96];
    bool open;
    bool last; ///< the exercise is the last one of its course
    double needs; ///< points that open it
} NextExercise;

/// Finds it by the options of a drive (course, scene, trainee, results).
/// score  points that were just won, 0..100; they open it whether they are stored already or not. Below 0: none that
///        count
void next_exercise_find(const RunOptions *options, double score, NextExercise *next);

#endif
