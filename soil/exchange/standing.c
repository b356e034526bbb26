/// What stands on the ground, as a surcharge of columns.
#include "soil/exchange/standing.h"

#include <assert.h>
#include <math.h>

#include "data/core/constants.h"
#include "soil/ground/footprint.h"

#define MEAN_TIME 0.5 ///< s. Chosen: longer than a machine rocks, shorter than a wall takes to fall
#define LEAST     1.0 ///< Pa: less is nothing

static bool stands(const SoilFootprint *footprint)
{
    return footprint->pressure > 0.0 && footprint->length > 0.0 && footprint->width > 0.0;
}

void standing_take(Soil *soil, const SoilFootprint *footprints, int count)
{
    assert(count >= 0 && count <= SOIL_MAX_FOOTPRINTS);
    double share = fmin(1.0, model_tick(&soil->model) / MEAN_TIME);
    soil->derived.standing_count = count;
    for (int k = 0; k < SOIL_MAX_FOOTPRINTS; k++) {
        double *mean = &soil->state.borne[k];
        bool here = k < count && stands(&footprints[k]);
        *mean += share * ((here ? fmin(footprints[k].pressure, STANDING_MOST) : 0.0) - *mean);
        *mean = *mean < LEAST ? 0.0 : *mean;
        if (k < count) {
            soil->derived.standing[k] = footprints[k];
            soil->derived.standing[k].pressure = here ? *mean : 0.0;
        }
    }
}

enum { MOST_COVERED = 2048 }; ///< columns of a footprint: 5 m2 in columns of 0.05 m

/// Columns that a footprint stands on; 0 beyond the edge of the site.
static int cover(const Ground *ground, const SoilFootprint *footprint, int32_t at[MOST_COVERED])
{
    int count = 0;
    FootprintWalk walk = footprint_walk(ground, footprint);
    while (footprint_next(ground, footprint, &walk) && count < MOST_COVERED) {
        at[count++] = ground_index(ground, walk.row, walk.column);
    }
    if (count == 0 && ground_has_column(ground, footprint->middle.x, footprint->middle.y)) {
        int row, column;
        ground_column_at(ground, footprint->middle.x, footprint->middle.y, &row, &column);
        at[count++] = ground_index(ground, row, column);
    }
    return count;
}

void standing_add(const Soil *soil, float *map)
{
    const Ground *ground = soil->state.grounds.site;
    int32_t at[MOST_COVERED];
    for (int k = 0; k < soil->derived.standing_count; k++) {
        const SoilFootprint *footprint = &soil->derived.standing[k];
        int count = stands(footprint) ? cover(ground, footprint, at) : 0;
        double mass = footprint->pressure * footprint->length * footprint->width / STANDARD_GRAVITY;
        for (int n = 0; n < count; n++) {
            map[at[n]] += (float)(mass / (count * ground->area));
        }
    }
}

void standing_clear(const Soil *soil, float *map)
{
    int32_t at[MOST_COVERED];
    for (int k = 0; k < soil->derived.standing_count; k++) {
        const SoilFootprint *footprint = &soil->derived.standing[k];
        int count = stands(footprint) ? cover(soil->state.grounds.site, footprint, at) : 0;
        for (int n = 0; n < count; n++) {
            map[at[n]] = 0.0F;
        }
    }
}
