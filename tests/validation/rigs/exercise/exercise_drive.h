/// A shipped exercise, turned as a whole, driven by its scripted operator or by levers that were recorded before, and
/// what it came to.
#ifndef SPADEWORK_VALIDATION_EXERCISE_DRIVE_H
#define SPADEWORK_VALIDATION_EXERCISE_DRIVE_H

#include "tests/validation/harness/experiment.h"
#include "tests/validation/rigs/exercise/turned_scene.h"

/// Levers of each tick of the scene as its file states it. Zero is none.
typedef struct ExerciseLevers {
    int count, capacity;
    OperatorControls *ticks; ///< own
} ExerciseLevers;

void exercise_levers_free(ExerciseLevers *levers);

/// Figures at the end; places and headings as they lie in the scene's file.
typedef enum ExerciseFigure {
    EXERCISE_SCORE, ///< points
    EXERCISE_TIME, ///< s
    EXERCISE_DUG, ///< m3: of ground that lies lower than at the start
    EXERCISE_DELIVERED, ///< kg on the dump or in the truck
    EXERCISE_SPILLED, ///< kg
    EXERCISE_FUEL, ///< kg
    EXERCISE_WORK, ///< kJ that the tool has done against soil
    EXERCISE_HEAP_X,
    EXERCISE_HEAP_Y, ///< m: middle of the ground that lies higher than at the start
    EXERCISE_BASE_X,
    EXERCISE_BASE_Y, ///< m: the machine
    EXERCISE_HEADING, ///< deg: of the machine
    EXERCISE_FIGURES
} ExerciseFigure;
/// Unit and words for each, "" of no unit.
extern const char *const exercise_figure_units[EXERCISE_FIGURES];
extern const char *const exercise_figure_names[EXERCISE_FIGURES];

typedef struct ExerciseDrive {
    const char *scene; ///< name of one with the scripted operator "auto"
    SceneTurn turn;
    double seconds; ///< s that are driven, then 1 to 12 s of rest until the ground is judged; 0: to the exercise's end
    const ExerciseLevers *levers; ///< mirrored here where the scene is; NULL: the scripted operator drives
    ExerciseLevers *record; ///< NULL: levers are not kept
} ExerciseDrive;

typedef struct ExerciseOutcome {
    double of[EXERCISE_FIGURES];
    double early_time; ///< s: before the tool is loaded, at most
    Vec3 early; ///< m: the tool's edge then, as it lies in the scene's file
} ExerciseOutcome;

/// False with run_fail: the scene cannot be turned, has no operator of its own, or does not load.
bool exercise_drive(Run *run, const ExerciseDrive *drive, ExerciseOutcome *outcome);

#endif
