/// Which exercise comes after the one that was driven, in its course.
#ifndef SPADEWORK_TRAINER_NEXT_EXERCISE_H
#define SPADEWORK_TRAINER_NEXT_EXERCISE_H

#include "trainer/pilot/pilot.h"

typedef struct NextExercise {
    char scene[64]; ///< "" = there is none
    char title[96];
    bool open;
    bool last; ///< the exercise is the last one of its course
    double needs; ///< points that the exercise before it is to be passed with
} NextExercise;

/// Finds it by the options of a drive (course, scene, trainee, results).
/// won  points, 0..100, that it was just passed with by the trainee's own work, which open it whether they are stored
///      already or not; -1: it was not
void next_exercise_find(const RunOptions *options, double won, NextExercise *next);

#endif
