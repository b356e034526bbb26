/// How dense the soil is that was filled in below a design surface, as an examiner with a penetrometer finds it.
#ifndef SPADEWORK_TRAINER_FILL_SURVEY_H
#define SPADEWORK_TRAINER_FILL_SURVEY_H

#include "data/schema/scene_params.h"
#include "soil/soil.h"

typedef struct DesignSurface DesignSurface; ///< data/schema/design_surface.h
typedef struct FillSurvey FillSurvey;

/// Finds the columns of the site that the scene wants filled, before the start. Without `surface.compaction` there are
/// none. NULL when memory is short. The caller frees it; it keeps nothing that is passed in. Nothing of it is state.
FillSurvey *fill_survey_create(const SceneParams *scene, const Soil *soil);
void fill_survey_destroy(FillSurvey *self); ///< NULL is nothing

/// Share (0..1) of the volume between the ground before the start and the design over it that now holds soil as dense
/// as is asked; -1: nothing is to be filled.
double fill_survey_dense(const FillSurvey *self, const SceneParams *scene, const Soil *soil);

#endif
