/// The poured pile itself.
#include "tests/validation/rigs/soil/repose_pile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/packing.h"

/// The funnel is the same for every pile, in grains: a mouth 5 diameters wide that is kept 2 diameters over the apex.
/// Grains leave it at sqrt(g d), as from a real mouth, in layers; that is two thirds of what Beverloo's law gives for
/// such a mouth. So a large pile is poured as gently as a small one, and no grain is put where another still is.
#define MOUTH    2.5 ///< diameters: radius of the mouth
#define DROP     2.0 ///< diameters of the largest grain: from the middle of the highest one that has landed
#define PERIOD   1.15 ///< between two layers, in sqrt(d / g): the last one has fallen out of the way of the next
#define GRIP     10.0 ///< friction of the plate: what touches it stays
#define SETTLING 5.0 ///< s after the last grain

typedef struct Pour {
    const ReposePile *pile;
    Soil *soil;
    Grains grains;
    ToolShape shape;
    SoilTool plate;
    uint64_t random;
} Pour;

/// Uniform in 0..1, splitmix64.
static double random_share(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/// Speed that grains leave the funnel with, m/s.
static double outflow(const Grains *grains)
{
    return sqrt(STANDARD_GRAVITY * 2.0 * grains->radius);
}

/// Height of the mouth: DROP over the highest grain that has landed, and so far over those that still fall from it that
/// the next layer overlaps none.
static double mouth_height(const Pour *pour)
{
    SoilParticleView p = soil_get_particles(pour->soil);
    double largest = pour->grains.radius * (1.0 + pour->grains.spread), height = DROP * 2.0 * largest;
    double falling = -0.5 * outflow(&pour->grains), mouth = MOUTH * 2.0 * pour->grains.radius + 2.0 * largest;
    for (int k = 0; k < p.count; k++) {
        if (p.vz[k] > falling) {
            height = fmax(height, p.z[k] + DROP * 2.0 * largest);
        } else if (hypot(p.x[k], p.y[k]) < mouth) {
            height = fmax(height, p.z[k] + 2.05 * largest);
        }
    }
    return height;
}

/// Lets one layer of grains go. Its lattice is shifted by chance, and each grain in its place.
static void drop_layer(Pour *pour)
{
    const Grains *g = &pour->grains;
    double largest = g->radius * (1.0 + g->spread), step = 2.4 * largest, play = 0.2 * largest;
    double z = mouth_height(pour);
    double shift_x = step * random_share(&pour->random), shift_y = step * random_share(&pour->random);
    double mouth = MOUTH * 2.0 * g->radius;
    int reach = (int)(mouth / step) + 2;
    for (int row = -reach; row <= reach; row++) {
        for (int column = -reach; column <= reach; column++) {
            double x = column * step + shift_x + play * (random_share(&pour->random) - 0.5);
            double y = row * step + shift_y + play * (random_share(&pour->random) - 0.5);
            double radius = g->radius * (1.0 + g->spread * (2.0 * random_share(&pour->random) - 1.0));
            if (hypot(x, y) <= mouth && soil_get_particles(pour->soil).count < pour->pile->count) {
                double mass = 4.0 / 3.0 * M_PI * radius * radius * radius * g->solid_density;
                soil_add_particle(pour->soil, vec3(x, y, z), vec3(0.0, 0.0, -outflow(g)), radius, 0, mass);
            }
        }
    }
}

typedef struct Axis {
    double x, y;
} Axis;

static Axis middle_of(const SoilParticleView *p)
{
    Axis axis = {0.0, 0.0};
    for (int k = 0; k < p->count; k++) {
        axis.x += p->x[k] / p->count;
        axis.y += p->y[k] / p->count;
    }
    return axis;
}

/// Where the falling profile crosses a height, m from the axis.
static double distance_at(const ReposeProfile *profile, double height)
{
    for (int k = 1; k < REPOSE_RINGS; k++) {
        if (profile->height[k] < height) {
            double above = profile->height[k - 1], share = (above - height) / fmax(above - profile->height[k], 1e-9);
            return (k - 0.5 + fmin(fmax(share, 0.0), 1.0)) * profile->step;
        }
    }
    return REPOSE_RINGS * profile->step;
}

/// Least squares over the rings between three quarters and a quarter of the height.
static void fit_flank(ReposeProfile *profile)
{
    profile->top = fmax(profile->height[0], profile->height[1]);
    double inner = distance_at(profile, 0.75 * profile->top), outer = distance_at(profile, 0.25 * profile->top);
    double s = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < REPOSE_RINGS; k++) {
        double x = (k + 0.5) * profile->step, w = profile->cells[k];
        if (x < inner || x > outer) {
            continue;
        }
        s += w;
        sx += w * x;
        sy += w * profile->height[k];
        sxx += w * x * x;
        sxy += w * x * profile->height[k];
    }
    double spread = s * sxx - sx * sx;
    profile->angle = spread > 0.0 ? atan(-(s * sxy - sx * sy) / spread) : 0.0;
}

/// The surface is the top of the highest grain over each place of a grid one radius wide; its mean is taken ring by
/// ring.
static void measure(const Pour *pour, ReposeProfile *profile)
{
    SoilParticleView p = soil_get_particles(pour->soil);
    Axis axis = middle_of(&p);
    double r = pour->grains.radius, cell = r;
    int side = 4 * REPOSE_RINGS;
    memset(profile, 0, sizeof *profile);
    profile->step = 2.0 * r;
    double *surface = calloc((size_t)side * (size_t)side, sizeof *surface);
    if (surface == NULL) {
        abort(); // the figures would be lost
    }
    for (int k = 0; k < p.count; k++) {
        double radius = (double)p.radius[k], x = (p.x[k] - axis.x) / cell + 0.5 * side,
               y = (p.y[k] - axis.y) / cell + 0.5 * side;
        int reach = (int)(radius / cell) + 1;
        for (int row = (int)y - reach; row <= (int)y + reach; row++) {
            for (int column = (int)x - reach; column <= (int)x + reach; column++) {
                double dx = (column + 0.5 - x) * cell, dy = (row + 0.5 - y) * cell,
                       rise = radius * radius - dx * dx - dy * dy;
                if (row >= 0 && row < side && column >= 0 && column < side && rise >= 0.0) {
                    double *place = &surface[(size_t)row * (size_t)side + (size_t)column];
                    *place = fmax(*place, p.z[k] + sqrt(rise));
                }
            }
        }
    }
    for (int k = 0; k < side * side; k++) {
        double dx = (k % side + 0.5 - 0.5 * side) * cell, dy = (k / side + 0.5 - 0.5 * side) * cell;
        int ring = (int)(hypot(dx, dy) / profile->step);
        if (ring < REPOSE_RINGS) {
            profile->height[ring] += surface[k];
            profile->cells[ring] += 1.0;
        }
    }
    free(surface);
    for (int k = 0; k < REPOSE_RINGS; k++) {
        profile->height[k] /= fmax(profile->cells[k], 1.0);
    }
    fit_flank(profile);
}

static void watch(Pour *pour, ReposeProgress progress, void *context, double share, ReposeResult *result)
{
    const SceneParams *scene = &pour->pile->scene;
    int ticks = (int)(pour->pile->rest * scene->rates.tick_rate);
    int count = soil_get_particles(pour->soil).count;
    double(*start)[3] = calloc((size_t)count, sizeof *start);
    if (start == NULL) {
        abort();
    }
    SoilParticleView p = soil_get_particles(pour->soil);
    for (int k = 0; k < count; k++) {
        start[p.id[k]][0] = p.x[k];
        start[p.id[k]][1] = p.y[k];
        start[p.id[k]][2] = p.z[k];
    }
    for (int tick = 0; tick < ticks; tick++) {
        run_tick(pour->soil, scene, &pour->plate, 1, NULL);
        if (progress != NULL && tick % 60 == 0) {
            progress(context, share + (1.0 - share) * tick / ticks);
        }
    }
    p = soil_get_particles(pour->soil);
    for (int k = 0; k < p.count; k++) {
        const double *from = start[p.id[k]];
        result->creep += vec3_length(vec3(p.x[k] - from[0], p.y[k] - from[1], p.z[k] - from[2])) / p.count;
        double square = p.vx[k] * p.vx[k] + p.vy[k] * p.vy[k] + p.vz[k] * p.vz[k];
        result->energy += 0.5 * p.mass[k] * SOIL_QUANTUM * square / p.count;
        result->lost += p.z[k] < 0.0;
    }
    free(start);
}

static bool pour_one(const ReposePile *pile, uint64_t seed, ReposeProgress progress, void *context,
                     ReposeResult *result, Status *status)
{
    ReposePile own = *pile;
    Pour pour = {.pile = &own, .grains = packing_grains(&own.scene.soils[0], own.radius)};
    packing_fit_scene(&own.scene, &pour.grains);
    own.scene.soils[0].steel_friction_angle = M_PI / 4.0;
    own.scene.soils[0].steel_adhesion = 0.0;
    pour.soil = soil_create(&own.scene, seed, own.solver, own.threads, status);
    if (pour.soil == NULL) {
        return false;
    }
    memset(result, 0, sizeof *result);
    pour.random = seed * 0x2545f4914f6cdd1du + 7u;
    pour.shape = plate_shape(400.0 * own.radius, 400.0 * own.radius);
    pour.plate = still_tool(&pour.shape, vec3(0.0, 0.0, 0.0));
    pour.plate.steel_friction = GRIP;
    int period = (int)fmax(1.0, PERIOD * sqrt(2.0 * own.radius / STANDARD_GRAVITY) * own.scene.rates.tick_rate + 0.5),
        settling = (int)(SETTLING * own.scene.rates.tick_rate);
    for (int tick = 0, after = 0; after < settling; tick++) {
        int poured = soil_get_particles(pour.soil).count;
        if (tick % period == 0 && poured < own.count) {
            drop_layer(&pour);
            if (progress != NULL) {
                progress(context, 0.7 * poured / own.count);
            }
        }
        after += poured >= own.count;
        run_tick(pour.soil, &own.scene, &pour.plate, 1, NULL);
    }
    measure(&pour, &result->fresh);
    watch(&pour, progress, context, 0.7, result);
    measure(&pour, &result->rested);
    soil_destroy(pour.soil);
    return true;
}

static void add_profile(ReposeProfile *sum, const ReposeProfile *profile, double share)
{
    sum->step = profile->step;
    sum->top += share * profile->top;
    sum->angle += share * profile->angle;
    for (int k = 0; k < REPOSE_RINGS; k++) {
        sum->height[k] += share * profile->height[k];
        sum->cells[k] += share * profile->cells[k];
    }
}

/// The progress of one pile of several.
typedef struct Stage {
    ReposeProgress progress;
    void *context;
    double first, share;
} Stage;

static void show_stage(void *context, double share)
{
    const Stage *stage = context;
    if (stage->progress != NULL) {
        stage->progress(stage->context, stage->first + stage->share * share);
    }
}

bool repose_pour(const ReposePile *pile, ReposeProgress progress, void *context, ReposeResult *result, Status *status)
{
    int pours = pile->pours > 1 ? pile->pours : 1;
    memset(result, 0, sizeof *result);
    for (int n = 0; n < pours; n++) {
        Stage stage = {.progress = progress, .context = context, .first = (double)n / pours, .share = 1.0 / pours};
        ReposeResult one;
        if (!pour_one(pile, pile->seed * 64 + (uint64_t)n, show_stage, &stage, &one, status)) {
            return false;
        }
        add_profile(&result->fresh, &one.fresh, stage.share);
        add_profile(&result->rested, &one.rested, stage.share);
        result->energy += stage.share * one.energy;
        result->creep += stage.share * one.creep;
        result->lost += one.lost;
        result->scatter += stage.share * one.fresh.angle * one.fresh.angle;
    }
    double square = result->fresh.angle * result->fresh.angle;
    result->scatter = pours > 1 ? sqrt(fmax(0.0, result->scatter - square) * pours / (pours - 1)) : 0.0;
    return true;
}
