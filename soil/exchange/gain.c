/// Accounts of the site and its trays: what tools carry, whether the site has settled, its surface with the grains laid
/// down, and what lies where it did not lie before.
#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "soil/exchange/exchange.h"
#include "soil/ground/ground.h"
#include "soil/ground/grounds.h"

/// ---- what tools carry ----------------------------------------------------------------------------------------------
/// What a tool carries: the particles in its container and on the heap above it, as far as they move with it.
///
/// A heap is all that stands straight above the inside of the container, at most 0.6 m; what falls in or runs out is
/// faster than the tool by 2 m/s and is not carried. Measured loads agree with the weight that the linkage feels; see
/// `validate run bucket`.

/// m: what lies above the edge and the side plates rests on them; about as far as a bucket's plates are thick.
#define RIM 0.055

/// A tool's container as tool_contains has it, with what does not depend on the place.
typedef struct Container {
    const SoilTool *tool;
    Vec3 down; ///< unit, tool frame
    double half_width; ///< m
    int count; ///< of sides; 0: it has no inside
    double from[TOOL_MAX_OPENING][2], along[TOOL_MAX_OPENING][2]; ///< m: a side's first corner, and the way to its last
    double least[TOOL_MAX_OPENING]; ///< m2: least cross product of the way and what lies within the rim
} Container;

static Container container_of(const SoilTool *tool)
{
    const ToolShape *shape = tool->shape;
    Container self = {.tool = tool,
                      .down = mat3_mul_transposed(&tool->motion.frame.rotation, vec3(0.0, 0.0, -1.0)),
                      .half_width = 0.5 * shape->inside_width + RIM,
                      .count = shape->inside_count < 3 ? 0 : shape->inside_count};
    for (int k = 0; k < self.count; k++) {
        const double *a = shape->inside[k], *b = shape->inside[(k + 1) % shape->inside_count];
        double ex = b[0] - a[0], ez = b[1] - a[1];
        self.from[k][0] = a[0];
        self.from[k][1] = a[1];
        self.along[k][0] = ex;
        self.along[k][1] = ez;
        self.least[k] = -RIM * sqrt(ex * ex + ez * ez);
    }
    return self;
}

/// True when a place (m, tool frame) is inside, or no farther than the rim.
static bool holds(const Container *self, Vec3 local)
{
    if (fabs(local.y) > self->half_width) {
        return false;
    }
    for (int k = 0; k < self->count; k++) {
        const double *from = self->from[k], *along = self->along[k];
        if (along[0] * (local.z - from[1]) - along[1] * (local.x - from[0]) < self->least[k]) {
            return false;
        }
    }
    return self->count > 0;
}

/// True when the straight way between two places (m, tool frame) passes the container by on one side: both ends are
/// beyond it there, by more than rounding.
static bool passes_by(const Container *self, Vec3 from, Vec3 to)
{
    const double doubt = 1e-6; // m, m2
    double wide = self->half_width + doubt;
    if ((from.y > wide && to.y > wide) || (from.y < -wide && to.y < -wide)) {
        return true;
    }
    for (int k = 0; k < self->count; k++) {
        const double *corner = self->from[k], *along = self->along[k], least = self->least[k] - doubt;
        if (along[0] * (from.z - corner[1]) - along[1] * (from.x - corner[0]) < least &&
            along[0] * (to.z - corner[1]) - along[1] * (to.x - corner[0]) < least) {
            return true;
        }
    }
    return false;
}

/// True when a particle lies in the container or heaped above it: straight below it, within 0.6 m, is the inside or its
/// rim.
static bool is_carried(const Container *container, Vec3 at)
{
    enum { HEAP_STEPS = 6 };
    const double step = 0.1; // m
    Vec3 local = pose_apply_inverse(&container->tool->motion.frame, at);
    if (holds(container, local)) {
        return true;
    }
    if (passes_by(container, local, vec3_madd(local, HEAP_STEPS * step, container->down))) {
        return false;
    }
    for (int k = 1; k <= HEAP_STEPS; k++) {
        if (holds(container, vec3_madd(local, k * step, container->down))) {
            return true;
        }
    }
    return false;
}

int64_t payload_measure(const SoilTool *tool, const Particles *particles, int *count)
{
    const double heap = 0.3, falling = 2.0; // m above the tool's bounding sphere; m/s against the tool
    Vec3 middle;
    double radius = tool_bounding_sphere(tool->shape, &middle) + heap;
    Vec3 center = pose_apply(&tool->motion.frame, middle);
    Container container = container_of(tool);
    int64_t quanta = 0;
    *count = 0;
    for (int32_t i = 0; i < particles->count; i++) {
        Vec3 at = vec3(particles->x[i], particles->y[i], particles->z[i]), to = vec3_sub(at, center);
        if (vec3_dot(to, to) >= radius * radius) {
            continue;
        }
        Vec3 moved = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(at, tool->motion.center)));
        Vec3 relative = vec3_sub(vec3(particles->vx[i], particles->vy[i], particles->vz[i]), moved);
        if (vec3_dot(relative, relative) < falling * falling && is_carried(&container, at)) {
            quanta += particles->mass[i];
            ++*count;
        }
    }
    return quanta;
}

bool tool_carries(const SoilTool *tool, Vec3 at)
{
    if (tool->shape->inside_count < 3) {
        return false;
    }
    Container container = container_of(tool);
    return is_carried(&container, at);
}

bool payload_holds(const SolverBody *bodies, int body_count, Vec3 at)
{
    for (int b = 0; b < body_count; b++) {
        if (tool_carries(&bodies[b].tool, at)) {
            return true;
        }
    }
    return false;
}

/// ---- rest ----------------------------------------------------------------------------------------------------------
/// What moves and what lies: whether the site has settled, and the ground as it is with its grains laid down.
///
/// A grain lies once it has been slow for 0.1 s (absorb.c counts the ticks). What a tool carries and what lies in a
/// tray is neither: it is no part of the site.

/// True when a place (m, world) lies in one of places[count].
static bool place_holds(const SoilPlace *places, int count, double x, double y)
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

/// True when a grain is one of `grains`.
static bool rest_counts(const Soil *soil, int32_t i, SoilGrains grains)
{
    const Particles *p = &soil->state.particles;
    return grains == SOIL_GRAINS_ALL ||
           ((grains == SOIL_GRAINS_LOOSE || p->quiet[i] >= soil->model.lying_ticks) &&
            !payload_holds(soil->derived.bodies, soil->derived.body_count, vec3(p->x[i], p->y[i], p->z[i])));
}

bool rest_is_stirred(const Soil *soil, const Tray *tray, const SoilPlace *places, int count, int64_t least)
{
    const Particles *p = &soil->state.particles;
    int64_t quanta = 0;
    for (int32_t i = 0; i < p->count && quanta <= least; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (p->quiet[i] < soil->model.lying_ticks && !place_holds(places, count, at.x, at.y) &&
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
        if (!rest_counts(soil, i, grains) || !ground_has_column(ground, at.x, at.y) ||
            support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z).tray != NULL) {
            continue;
        }
        const SoilParams *params = &ground->soils[p->soil[i]];
        bool loose = particle_is_disturbed(p, i, soil->model.particle_radius);
        double density = loose ? ground_loose_density(params) : params->bank_density;
        raise(ground, at.x, at.y, p->mass[i] * SOIL_QUANTUM / density, heights);
    }
}

/// ---- gain ----------------------------------------------------------------------------------------------------------
/// Counts what lies where it did not lie before, to the quantum, and the volume that it had in the bank.
///
/// Columns are compared with what they held when the soil was created; grains count to the column below them. Beyond
/// the edge of the site each grain counts where it lies, and what has left the site lies in no place of a query.
/// What lies in trays is no part of the site.

typedef struct Gain {
    const SoilGainQuery *query;
    int64_t quanta[SCENE_MAX_SOILS]; ///< so far, of each soil: whole numbers, so that no order of sums matters
} Gain;

static SoilGain sum_of(const Ground *ground, const int64_t quanta[SCENE_MAX_SOILS])
{
    SoilGain sum = {0};
    for (int k = 0; k < ground->soil_count; k++) {
        sum.quanta += quanta[k];
        sum.bank_volume += (double)quanta[k] * SOIL_QUANTUM / ground->soils[k].bank_density;
    }
    return sum;
}

/// Counts what a column gained. The gain lies on top: its volume is that of the grains, then of the layers below them,
/// until the gain is used up.
/// resting  quanta of grains on the column;   tile  NULL: nothing has touched it, the grains are all that it gained
static void add_gain(Gain *self, const Ground *ground, int row, int column, int64_t resting, const GroundTile *tile)
{
    int slot = ground_tile_slot(row, column), layers = tile != NULL ? tile->count[slot] : 0;
    int64_t gain = resting - (tile != NULL ? tile->original[slot] : 0);
    for (int k = 0; k < layers; k++) {
        gain += tile->mass[slot][k];
    }
    const SoilParams *top = &ground->soils[ground_top_soil(ground, row, column)];
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    bool much =
        gain > 0 && (double)gain * SOIL_QUANTUM >= self->query->least * ground_loose_density(top) * ground->area;
    if (!much || place_holds(self->query->places, self->query->count, x, y) != self->query->inside) {
        return;
    }
    int64_t left = gain, part = resting < left ? resting : left;
    self->quanta[ground_top_soil(ground, row, column)] += part;
    left -= part;
    for (int k = layers - 1; k >= 0 && left > 0; k--) {
        part = tile->mass[slot][k] < left ? tile->mass[slot][k] : left;
        self->quanta[tile->soil[slot][k]] += part;
        left -= part;
    }
}

/// Puts the grains that count on the columns below them. Ground that nothing touched has no tile.
static void add_particles(const Soil *soil, Gain *self)
{
    const Ground *ground = soil->state.grounds.site;
    const Particles *p = &soil->state.particles;
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (!rest_counts(soil, i, self->query->grains) ||
            support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z).tray != NULL) {
            continue;
        }
        int row, column;
        ground_column_at(ground, at.x, at.y, &row, &column);
        GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
        if (!ground_has_column(ground, at.x, at.y)) {
            bool asked = place_holds(self->query->places, self->query->count, at.x, at.y) == self->query->inside;
            self->quanta[p->soil[i]] += asked ? p->mass[i] : 0;
        } else if (tile != NULL) {
            tile->resting[ground_tile_slot(row, column)] += p->mass[i];
        } else {
            add_gain(self, ground, row, column, p->mass[i], NULL);
        }
    }
}

static void add_tile(Gain *self, const Ground *ground, int tile_row, int tile_column)
{
    const GroundTile *tile = ground->tiles[tile_row * ground->tile_columns + tile_column];
    FOR_TILE(ground, tile_row, tile_column, row, column)
    {
        add_gain(self, ground, row, column, tile->resting[ground_tile_slot(row, column)], tile);
    }
}

SoilGain gain_count(const Soil *soil, const SoilGainQuery *query)
{
    const Ground *ground = soil->state.grounds.site;
    Gain self = {.query = query};
    for (int n = 0; n < ground->live_count; n++) {
        GroundTile *tile = ground->tiles[ground->live[n]];
        memset(tile->resting, 0, sizeof tile->resting);
    }
    add_particles(soil, &self);
    for (int n = 0; n < ground->live_count; n++) {
        add_tile(&self, ground, ground->live[n] / ground->tile_columns, ground->live[n] % ground->tile_columns);
    }
    for (int k = 0; k < SCENE_MAX_SOILS; k++) {
        self.quanta[k] += query->inside ? 0 : soil->state.left[k];
    }
    return sum_of(ground, self.quanta);
}

/// ---- trays ---------------------------------------------------------------------------------------------------------

bool tray_carries(const Soil *soil, const Tray *tray, Vec3 at)
{
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    return fabs(local.x) < 0.5 * tray->params.length && fabs(local.y) < 0.5 * tray->params.width && local.z > -0.1 &&
           local.z < tray->params.wall + 0.5 && !payload_holds(soil->derived.bodies, soil->derived.body_count, at);
}

SoilGain gain_of_tray(const Soil *soil, const Tray *tray)
{
    const Ground *ground = tray->ground;
    int64_t quanta[SCENE_MAX_SOILS] = {0};
    for (int n = 0; n < ground->live_count; n++) {
        const GroundTile *tile = ground->tiles[ground->live[n]];
        for (int slot = 0; slot < GROUND_TILE * GROUND_TILE; slot++) {
            for (int layer = 0; layer < tile->count[slot]; layer++) {
                quanta[tile->soil[slot][layer]] += tile->mass[slot][layer];
            }
        }
    }
    const Particles *p = &soil->state.particles;
    for (int32_t i = 0; i < p->count; i++) {
        if (tray_carries(soil, tray, vec3(p->x[i], p->y[i], p->z[i]))) {
            quanta[p->soil[i]] += p->mass[i];
        }
    }
    return sum_of(ground, quanta);
}
