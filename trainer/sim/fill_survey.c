/// Each column that lay more than the tolerance below the design is looked at from where its ground was up to the
/// design: what is dense enough there counts, what lies over the design does not.
#include "trainer/sim/fill_survey.h"

#include <stdlib.h>

#include "data/schema/design_surface.h"

typedef struct FillColumn {
    int row, column;
    double start, design; ///< m, world: the ground before the start, and as it is to become
} FillColumn;

struct FillSurvey {
    int count, capacity;
    FillColumn *columns; ///< [count]
    double asked; ///< m: sum of the heights to fill
};

/// False when memory is short.
static bool add(FillSurvey *self, FillColumn column)
{
    if (self->count == self->capacity) {
        int capacity = self->capacity > 0 ? 2 * self->capacity : 256;
        FillColumn *grown = realloc(self->columns, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        self->columns = grown;
        self->capacity = capacity;
    }
    self->columns[self->count++] = column;
    self->asked += column.design - column.start;
    return true;
}

static bool find_columns(FillSurvey *self, const DesignSurface *design, const SoilGridView *grid)
{
    for (int row = 0; row < grid->rows; row++) {
        for (int column = 0; column < grid->columns; column++) {
            double x = grid->origin_x + column * grid->spacing, y = grid->origin_y + row * grid->spacing, height;
            double start = (double)grid->height[row * grid->columns + column];
            // As of the surface, the outermost columns judge nothing.
            if (design_holds(design, x, y, grid->spacing) && design_height(design, x, y, &height) &&
                start < height - design_tolerance(design) &&
                !add(self, (FillColumn){.row = row, .column = column, .start = start, .design = height})) {
                return false;
            }
        }
    }
    return true;
}

FillSurvey *fill_survey_create(const SceneParams *scene, const Soil *soil)
{
    FillSurvey *self = calloc(1, sizeof *self);
    if (self == NULL || !scene_has_part(&scene->exercise, METRIC_OF_COMPACTION)) {
        return self;
    }
    Status ignored; // the scene's files are checked when it is loaded
    DesignSurface *design = design_create(&scene->exercise, DESIGN_OF_SURFACE, NULL, &ignored);
    SoilGridView grid = soil_get_grid(soil);
    bool good = design != NULL && find_columns(self, design, &grid);
    design_destroy(design);
    if (!good) {
        fill_survey_destroy(self);
        return NULL;
    }
    return self;
}

void fill_survey_destroy(FillSurvey *self)
{
    if (self != NULL) {
        free(self->columns);
        free(self);
    }
}

double fill_survey_dense(const FillSurvey *self, const SceneParams *scene, const Soil *soil)
{
    double dense = 0.0, share = scene->exercise.surface.compaction;
    for (int k = 0; k < self->count; k++) {
        const FillColumn *column = &self->columns[k];
        dense += soil_get_dense_thickness(soil, column->row, column->column, column->start, column->design, share);
    }
    return self->count > 0 ? dense / self->asked : -1.0;
}
