/// What moves and what lies: whether the site has settled, and the ground as it is with its grains laid down.
///
/// A grain lies once it has been slow for LYING_TICKS (absorb.c counts them). What a tool carries and what lies in a
/// tray is neither: it is no part of the site.
#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "soil/exchange/exchange.h"
#include "soil/ground/ground_internal.h"
#include "soil/ground/support.h"
#include "soil/tool/payload.h"

bool place_holds(const SoilPlace *places, int count, double x, double y)
{
    for (int k = 0; k < count; k++) {
        const SoilPlace *place = &places[k];
        double dx = x - place->x, dy = y - place->y, c = same_cos(place->heading), s = same_sin(place->heading);
        bool inside = place->radius > 0.0
                          ? dx * dx + dy * dy <= place->radius * place->radius
                          : fabs(c * dx + s * dy) <= 0.5 * place->length && fabs(c * dy - s * dx) <= 0.5 * place->width;
        if (inside) {
            return true;
        }
    }
    return false;
}

bool rest_counts(const Soil *soil, int32_t i, SoilGrains grains)
{
    const Particles *p = &soil->state.particles;
    return grains == SOIL_GRAINS_ALL ||
           ((grains == SOIL_GRAINS_LOOSE || p->quiet[i] >= LYING_TICKS) &&
            !payload_holds(soil->derived.bodies, soil->derived.body_count, vec3(p->x[i], p->y[i], p->z[i])));
}

bool rest_is_stirred(const Soil *soil, const Tray *tray, const SoilPlace *places, int count, int64_t least)
{
    const Particles *p = &soil->state.particles;
    int64_t quanta = 0;
    for (int32_t i = 0; i < p->count && quanta <= least; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (p->quiet[i] < LYING_TICKS && !place_holds(places, count, at.x, at.y) &&
            support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z).tray == tray &&
            !payload_holds(soil->derived.bodies, soil->derived.body_count, at)) {
            quanta += p->mass[i];
        }
    }
    return quanta > least;
}

/// Raises the four columns around a place by a volume, each by its share of the place.
static void raise(const Ground *ground, double x, double y, double volume, float *heights)
{
    double u = fmin(fmax((x - ground->origin_x) / ground->spacing, 0.0), ground->columns - 1.0);
    double v = fmin(fmax((y - ground->origin_y) / ground->spacing, 0.0), ground->rows - 1.0);
    int column = (int)u, row = (int)v;
    u -= column;
    v -= row;
    for (int k = 0; k < 4; k++) {
        int across = k % 2, along = k / 2;
        double share = (across ? u : 1.0 - u) * (along ? v : 1.0 - v);
        if (share > 0.0) {
            heights[ground_index(ground, row + along, column + across)] += (float)(share * volume / ground->area);
        }
    }
}

void rest_lay_down(const Soil *soil, SoilGrains grains, float *heights)
{
    const Particles *p = &soil->state.particles;
    const Ground *ground = soil->state.grounds.site;
    memcpy(heights, ground->height, (size_t)ground->rows * (size_t)ground->columns * sizeof *heights);
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (!rest_counts(soil, i, grains) ||
            support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z).tray != NULL) {
            continue;
        }
        const SoilParams *params = &ground->soils[p->soil[i]];
        bool loose = particle_is_disturbed(p, i, soil->model.particle_radius);
        double density = loose ? ground_loose_density(params) : params->bank_density;
        raise(ground, at.x, at.y, p->mass[i] * SOIL_QUANTUM / density, heights);
    }
}
