/// Makes the samples that an exercise reads: figures of the ground, taken once the soil lies still and the bucket is
/// out of the cut.
#ifndef SPADEWORK_TRAINER_SESSION_EXERCISE_H
#define SPADEWORK_TRAINER_SESSION_EXERCISE_H

#include "data/core/operator_controls.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "soil/soil.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/session_rocks.h"
#include "trainer/sim/session_truck.h"

/// ---- the density of fill -------------------------------------------------------------------------------------------
///
/// Density of the soil that was filled in below a design surface, as a penetrometer would find it.

typedef struct DesignSurface DesignSurface; ///< data/schema/design_surface.h
typedef struct FillSurvey FillSurvey;

/// Finds the columns of the site that the scene wants filled, before the start. Without `surface.compaction` there are
/// none. NULL when memory is short. The caller frees it; it keeps nothing that is passed in. Nothing of it is state.
FillSurvey *fill_survey_create(const SceneParams *scene, const Soil *soil);
void fill_survey_destroy(FillSurvey *self); ///< NULL is nothing

/// Share (0..1) of the volume between the ground before the start and the design over it that now holds soil as dense
/// as is asked; -1: nothing is to be filled.
double fill_survey_dense(const FillSurvey *self, const SceneParams *scene, const Soil *soil);

/// ---- samples -------------------------------------------------------------------------------------------------------

typedef struct SessionExercise SessionExercise;

/// Remembers the ground of the dump before the start. NULL when memory is short. The caller frees it; it keeps nothing
/// that is passed in. Nothing of it is state.
SessionExercise *session_exercise_create(const SceneParams *scene, const Soil *soil);
void session_exercise_destroy(SessionExercise *self); ///< NULL is nothing

/// The parts of a session that a sample is made from; borrowed for one call.
typedef struct SessionSight {
    int64_t tick; ///< ticks done
    double dt; ///< s, of a tick
    const SceneParams *scene;
    const MachineParams *machine;
    const MachineReadout *readout; ///< after the tick
    const OperatorControls *controls; ///< of the tick
    const double *belts; ///< [2] m/s of the tracks, left and right
    double payload; ///< kg in the bucket
    Soil *soil; ///< only scratch of it is changed
    const SessionTrucks *trucks; ///< or NULL
    const SessionRocks *rocks; ///< or NULL
    ExerciseLoads loads;
    ExerciseTools changes; ///< of the coupler
    ExerciseWalk walk;
    ExerciseStartUp start_up;
    double tray_rocks; ///< kg of rocks in a bed that nobody drives
    const SoilTool *tools; ///< [tool_count], the machine's
    int tool_count;
    bool waited; ///< exercise_waited
    const DesignSurface *surface; ///< exercise_surface
} SessionSight;

/// Fills the sample of a tick. Its heights are lent until the next call or tick.
void session_exercise_sample(SessionExercise *self, const SessionSight *sight, ExerciseSample *sample);

#endif
