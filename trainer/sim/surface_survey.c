/// The survey of a design surface: the ground's columns inside it are compared with the design and with the start.
#include "trainer/sim/exercise_internal.h"

#include <stdlib.h>

bool surface_create(SurfaceSurvey *survey, const SceneExercise *exercise, double spacing)
{
    *survey = (SurfaceSurvey){0};
    Status ignored;
    DesignBox box;
    survey->surface = design_create(exercise, DESIGN_OF_SURFACE, NULL, &ignored);
    if (survey->surface == NULL) {
        return false;
    }
    if (!design_box(survey->surface, &box)) {
        return true; // a file without its text: the scene is only looked at
    }
    survey->capacity = (int)(((box.high.x - box.low.x) / spacing + 2.0) * ((box.high.y - box.low.y) / spacing + 2.0));
    survey->index = calloc((size_t)survey->capacity, sizeof *survey->index);
    survey->design = calloc((size_t)survey->capacity, sizeof *survey->design);
    survey->start = calloc((size_t)survey->capacity, sizeof *survey->start);
    if (survey->index == NULL || survey->design == NULL || survey->start == NULL) {
        surface_destroy(survey);
        return false;
    }
    return true;
}

void surface_destroy(SurfaceSurvey *survey)
{
    design_destroy(survey->surface);
    free(survey->index);
    free(survey->design);
    free(survey->start);
    *survey = (SurfaceSurvey){0};
}

void surface_start(SurfaceSurvey *survey, const ExerciseSample *sample)
{
    survey->count = 0;
    for (int row = 0; row < sample->rows; row++) {
        for (int column = 0; column < sample->columns && survey->count < survey->capacity; column++) {
            double x = sample->origin_x + column * sample->spacing, y = sample->origin_y + row * sample->spacing;
            double design;
            // The outermost columns lean on what lies outside, and judge nothing.
            if (!design_holds(survey->surface, x, y, sample->spacing) ||
                !design_height(survey->surface, x, y, &design)) {
                continue;
            }
            int k = survey->count++;
            survey->index[k] = row * sample->columns + column;
            survey->design[k] = (float)design;
            survey->start[k] = sample->heights[survey->index[k]];
        }
    }
}

void surface_measure(const SurfaceSurvey *survey, double tolerance, const ExerciseSample *sample, ExerciseState *state)
{
    double squares = 0.0, worst = 0.0, cut = 0.0, fill = 0.0, over = 0.0, left = 0.0, asked = 0.0;
    int within = 0;
    for (int k = 0; k < survey->count; k++) {
        double design = (double)survey->design[k], start = (double)survey->start[k] - design;
        double error = (double)sample->heights[survey->index[k]] - design;
        squares += error * error;
        worst = fabs(error) > fabs(worst) ? error : worst;
        within += fabs(error) <= tolerance;
        cut += error > 0.0 ? error : 0.0;
        fill += error < 0.0 ? -error : 0.0;
        // Soil that was there and is wanted back.
        over += start > -tolerance && error < -tolerance ? -error - tolerance : 0.0;
        asked += fabs(start) > tolerance ? fabs(start) - tolerance : 0.0;
        // What is dug too deep is no work undone: it is told as over-dig. Fill is left where it was asked for.
        left += error > tolerance || (error < -tolerance && start < -tolerance) ? fabs(error) - tolerance : 0.0;
    }
    double area = sample->spacing * sample->spacing, count = survey->count > 0 ? survey->count : 1;
    state->surface_rms = sqrt(squares / count);
    state->surface_worst = worst;
    state->surface_within = within / count;
    state->surface_cut = cut * area;
    state->surface_fill = fill * area;
    state->surface_overdig = over * area;
    state->surface_work = asked > 0.0 ? fmax(0.0, 1.0 - left / asked) : 1.0;
}
