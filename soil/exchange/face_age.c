/// Clocks of open faces, and the cohesion that is left after a time.
#include "soil/exchange/face_age.h"

#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"

#define FRESH   0.1F ///< m: a foot that is lowered by more begins anew. Chosen: less than a bite, more than a ripple
#define LONGEST 1e7F ///< s: no clock runs longer

bool face_age_acts(const SoilModel *model)
{
    for (int k = 0; k < model->scene.soil_count; k++) {
        const SoilParams *soil = &model->scene.soils[k];
        bool wet = model->scene.ground.wet && soil->soaking_time > 0.0;
        if (soil->soft_cohesion < soil->cohesion && (soil->standing_time > 0.0 || wet)) {
            return true;
        }
    }
    return false;
}

bool face_age_create(const SoilModel *model, size_t cells, FaceAge *age)
{
    if (!face_age_acts(model)) {
        return true;
    }
    age->open = zeroed_alloc(cells, sizeof *age->open);
    age->wet = zeroed_alloc(cells, sizeof *age->wet);
    age->foot = zeroed_alloc(cells, sizeof *age->foot);
    age->counted = zeroed_alloc(cells, sizeof *age->counted);
    return age->open != NULL && age->wet != NULL && age->foot != NULL && age->counted != NULL;
}

void face_age_destroy(FaceAge *age)
{
    zeroed_free(age->open);
    zeroed_free(age->wet);
    zeroed_free(age->foot);
    zeroed_free(age->counted);
}

void face_age_count(const SoilModel *model, FaceAge *age, int index, float foot, uint32_t look, double dt)
{
    if (age->open == NULL || age->counted[index] == look) {
        return;
    }
    age->counted[index] = look;
    if (age->open[index] <= 0.0F || foot < age->foot[index] - FRESH) {
        age->open[index] = age->wet[index] = 0.0F;
        age->foot[index] = foot;
    }
    age->open[index] = fminf(age->open[index] + (float)dt, LONGEST);
    age->wet[index] = model->scene.ground.wet ? fminf(age->wet[index] + (float)dt, LONGEST) : age->wet[index];
}

double face_age_cohesion(const FaceAge *age, int foot, const SoilParams *soil)
{
    if (age->open == NULL || soil->soft_cohesion >= soil->cohesion) {
        return soil->cohesion;
    }
    double gone = soil->standing_time > 0.0 ? (double)age->open[foot] / soil->standing_time : 0.0;
    gone += soil->soaking_time > 0.0 ? (double)age->wet[foot] / soil->soaking_time : 0.0;
    return soil->soft_cohesion + (soil->cohesion - soil->soft_cohesion) * same_exp(-gone);
}

/// The columns of one row of a tile.
static void visit_row(FaceAge *age, const Ground *ground, int row, int column, StateVisitor *visitor)
{
    size_t count = (size_t)(ground->columns - column < GROUND_TILE ? ground->columns - column : GROUND_TILE);
    int first = ground_index(ground, row, column);
    state_visit_array(visitor, "faces.open", age->open + first, sizeof *age->open, count);
    state_visit_array(visitor, "faces.wet", age->wet + first, sizeof *age->wet, count);
    state_visit_array(visitor, "faces.foot", age->foot + first, sizeof *age->foot, count);
    for (size_t k = 0; visitor->restoring && k < count && !visitor->failed; k++) {
        float open = age->open[first + (int)k], wet = age->wet[first + (int)k];
        bool good =
            open >= 0.0F && open <= LONGEST && wet >= 0.0F && wet <= open && isfinite(age->foot[first + (int)k]);
        visitor->failed = visitor->failed || !good;
    }
}

void face_age_visit(FaceAge *age, const Ground *ground, StateVisitor *visitor)
{
    if (age->open == NULL) {
        return;
    }
    size_t cells = (size_t)ground->rows * (size_t)ground->columns;
    if (visitor->restoring) {
        memset(age->open, 0, cells * sizeof *age->open);
        memset(age->wet, 0, cells * sizeof *age->wet);
        memset(age->foot, 0, cells * sizeof *age->foot);
    }
    int count = visitor->measuring ? ground->tile_rows * ground->tile_columns : ground->live_count;
    for (int n = 0; n < count; n++) {
        int index = visitor->measuring ? n : ground->live[n];
        int first = index / ground->tile_columns * GROUND_TILE, column = index % ground->tile_columns * GROUND_TILE;
        for (int row = first; row < first + GROUND_TILE && row < ground->rows; row++) {
            visit_row(age, ground, row, column, visitor);
        }
    }
}
