/// Pours grains and measures bodies of them: layers on a lattice, or scattered within roomy places, with radii and
/// places drawn by splitmix64 from the seed. A body is at rest when the root mean square of its speeds has been below a
/// hundredth of sqrt(g spacing) for ten ticks. Heights and fronts are read from the outlines of the grains in strips.
#include "tests/validation/rigs/soil/packing.h"
#include "data/core/constants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SOLID_LATTICE 0.74048 ///< solid share of the lattice that ground turns into particles on
#define SOLID_POURED  0.6 ///< solid share of poured equal spheres
#define LATTICE_GAP   0.05 ///< gap between the largest grains on the starting lattice, in diameters
#define POUR          5.0 ///< depth of a pour, in grains

bool packing_load_sand(Run *run, SoilParams *sand)
{
    if (!run_load_soil(run, "sand", sand)) {
        return false;
    }
    option_override(run, "friction", 1.0, &sand->contact_friction);
    return true;
}

Grains packing_grains(const SoilParams *soil, double radius)
{
    return (Grains){.radius = radius, .spread = 0.08, .solid_density = soil->bank_density / SOLID_LATTICE};
}

void packing_fit_scene(SceneParams *scene, const Grains *grains)
{
    scene->ground.column_spacing = 2.0 * grains->radius * (1.0 + grains->spread);
    scene->particles.per_column_side = 1;
}

int packing_sweep(const Run *run, const char *key, const double *full, const double *quick, double values[SWEEP_MOST])
{
    const double *list = run_quick(run) ? quick : full;
    int count = 0;
    if (option_is_set(run, key)) {
        values[count++] = option_number(run, key);
        return count;
    }
    while (count < SWEEP_MOST && list[count] > 0.0) {
        values[count] = list[count];
        count++;
    }
    return count;
}

/// Mean of r^3 over radii spread evenly: r^3 (1 + spread^2).
double packing_grain_mass(const Grains *grains)
{
    double r = grains->radius;
    return 4.0 / 3.0 * M_PI * r * r * r * (1.0 + grains->spread * grains->spread) * grains->solid_density;
}

int packing_count(const Grains *grains, double volume)
{
    return (int)(SOLID_POURED * volume * grains->solid_density / packing_grain_mass(grains)) + 1;
}

/// Uniform in -1..1: the seed, a stream and an index mixed by splitmix64's finaliser.
static double random_sign(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t x = (seed * 8 + stream) * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u;
    for (int round = 0; round < 2; round++) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x ^= x >> 31;
    }
    return (double)(x >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static bool has_room(const PackingSpace *space, double x, double y, double margin)
{
    if (space->radius > 0.0) {
        return hypot(x, y) <= space->radius - margin;
    }
    return fabs(x) <= 0.5 * space->length - margin && fabs(y) <= 0.5 * space->width - margin;
}

#define ROOMY 2.9 ///< largest radii: side of a scattered grain's place

int packing_layer(const Grains *grains, const PackingSpace *space)
{
    double roomy = ROOMY * grains->radius * (1.0 + grains->spread);
    return (int)(space->length / roomy) * (int)(space->width / roomy);
}

/// The next number of splitmix64 from `state`, -1..1.
static double next_sign(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1.0;
}

static int scatter(Soil *soil, const Grains *g, const PackingSpace *space, double bottom, int count, uint64_t seed)
{
    double largest = g->radius * (1.0 + g->spread), roomy = ROOMY * largest;
    int columns = (int)(space->length / roomy), rows = (int)(space->width / roomy);
    double step_x = space->length / columns, step_y = space->width / rows;
    uint64_t state = seed * 0x2545f4914f6cdd1du + 1u;
    for (int k = 0; k < count; k++) {
        int layer = k / (columns * rows), place = k % (columns * rows);
        double x = (place % columns + 0.5) * step_x - 0.5 * space->length;
        double y = (place / columns + 0.5) * step_y - 0.5 * space->width;
        double z = (layer + 0.5) * roomy + bottom;
        x += (0.5 * step_x - largest) * next_sign(&state);
        y += (0.5 * step_y - largest) * next_sign(&state);
        z += (0.5 * roomy - largest) * next_sign(&state);
        double radius = g->radius * (1.0 + g->spread * next_sign(&state));
        double mass = 4.0 / 3.0 * M_PI * radius * radius * radius * g->solid_density;
        Vec3 at = vec3(space->x + x, space->y + y, z);
        if (soil_add_particle(soil, at, vec3(0.0, 0.0, 0.0), radius, 0, mass) < 0) {
            return k;
        }
    }
    return count;
}

int packing_fill(Soil *soil, const Grains *grains, const PackingSpace *space, double bottom, int count, uint64_t seed)
{
    if (space->scattered) {
        return packing_layer(grains, space) > 0 ? scatter(soil, grains, space, bottom, count, seed) : 0;
    }
    double largest = grains->radius * (1.0 + grains->spread), step = 2.0 * largest * (1.0 + LATTICE_GAP);
    double jitter = LATTICE_GAP * largest;
    double half_x = space->radius > 0.0 ? space->radius : 0.5 * space->length;
    double half_y = space->radius > 0.0 ? space->radius : 0.5 * space->width;
    int columns = (int)(2.0 * half_x / step) + 2, rows = (int)(2.0 * half_y / step) + 2, added = 0;
    for (uint64_t layer = 0; added < count; layer++) {
        // Each layer is shifted as a whole, so that no grain stands on the one below like in a tower.
        uint64_t first = layer * (uint64_t)(rows * columns);
        double shift_x = 0.5 * step * random_sign(seed, 4, layer), shift_y = 0.5 * step * random_sign(seed, 5, layer);
        int before = added;
        for (int cell = 0; cell < rows * columns && added < count; cell++) {
            uint64_t index = first + (uint64_t)cell;
            double x = (cell % columns - 0.5 * (columns - 1)) * step + shift_x + jitter * random_sign(seed, 0, index);
            double y = (cell / columns - 0.5 * (rows - 1)) * step + shift_y + jitter * random_sign(seed, 1, index);
            double z = bottom + largest + jitter + (double)layer * step + jitter * random_sign(seed, 2, index);
            double radius = grains->radius * (1.0 + grains->spread * random_sign(seed, 3, index));
            if (!has_room(space, x, y, largest)) {
                continue;
            }
            double mass = 4.0 / 3.0 * M_PI * radius * radius * radius * grains->solid_density;
            Vec3 at = vec3(space->x + x, space->y + y, z);
            if (soil_add_particle(soil, at, vec3(0, 0, 0), radius, 0, mass) < 0) {
                return added;
            }
            added++;
        }
        if (added == before && layer > 8) {
            return added; // too narrow for a grain
        }
    }
    return added;
}

double packing_speed(const Soil *soil, double above)
{
    SoilParticleView p = soil_get_particles(soil);
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < p.count; k++) {
        if (p.z[k] > above) {
            sum += p.vx[k] * p.vx[k] + p.vy[k] * p.vy[k] + p.vz[k] * p.vz[k];
            count++;
        }
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

double packing_settle(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count, double limit)
{
    double rest = 0.01 * sqrt(STANDARD_GRAVITY * scene->ground.column_spacing), dt = 1.0 / scene->rates.tick_rate,
           time = 0.0;
    int still = 0; // a fresh lattice is still, too: wait until it has begun to fall
    while (time < limit && still < 10) {
        run_tick(soil, scene, tools, tool_count, NULL);
        time += dt;
        still = packing_speed(soil, -HUGE_VAL) < rest ? still + 1 : 0;
    }
    return time;
}

void packing_pour(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count, const Grains *grains,
                  const PackingSpace *space, int count, uint64_t seed, double limit)
{
    double area = space->radius > 0.0 ? M_PI * space->radius * space->radius : space->length * space->width;
    int batch = packing_count(grains, area * POUR * 2.0 * grains->radius), poured = 0;
    if (space->scattered) { // whole layers
        int layer = packing_layer(grains, space);
        batch = layer > 0 ? (batch + layer - 1) / layer * layer : 0;
    }
    for (uint64_t k = 0; poured < count; k++) {
        double bottom = poured > 0 ? packing_top(soil) + grains->radius : 0.0;
        int wanted = batch < count - poured ? batch : count - poured;
        int added = packing_fill(soil, grains, space, bottom, wanted, seed + 1000u * k);
        if (added == 0) {
            break;
        }
        poured += added;
        packing_settle(soil, scene, tools, tool_count, 0.4);
    }
    packing_settle(soil, scene, tools, tool_count, limit);
}

void packing_copy(Soil *to, const Soil *from, double start, double slope)
{
    SoilParticleView p = soil_get_particles(from);
    for (int k = 0; k < p.count; k++) {
        if (p.x[k] >= start + p.z[k] * slope) {
            Vec3 at = vec3(p.x[k], p.y[k], p.z[k]);
            soil_add_particle(to, at, vec3(0.0, 0.0, 0.0), (double)p.radius[k], p.soil[k], p.mass[k] * SOIL_QUANTUM);
        }
    }
}

double packing_top(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double top = -HUGE_VAL;
    for (int k = 0; k < p.count; k++) {
        top = fmax(top, p.z[k]);
    }
    return top;
}

double packing_height(const Soil *soil, double floor)
{
    SoilParticleView p = soil_get_particles(soil);
    double moment = 0.0, mass = 0.0;
    for (int k = 0; k < p.count; k++) {
        moment += p.mass[k] * (p.z[k] - floor);
        mass += p.mass[k];
    }
    return mass > 0.0 ? 2.0 * moment / mass : 0.0;
}

/// Distance of a grain from the axis, or from x = 0 when the deposit lies between walls.
static double distance_of(const SoilParticleView *p, int k, double width)
{
    return width > 0.0 ? p->x[k] : hypot(p->x[k], p->y[k]);
}

enum { FRONT_STEPS = 4096 };

/// Area of the outlines by distance: covered[s] belongs to distances s .. s + 1 in units of `step`.
static void cover_strips(const Soil *soil, double width, double step, double covered[FRONT_STEPS])
{
    SoilParticleView p = soil_get_particles(soil);
    for (int s = 0; s < FRONT_STEPS; s++) {
        covered[s] = 0.0;
    }
    for (int k = 0; k < p.count; k++) {
        double s = distance_of(&p, k, width) / step, r = (double)p.radius[k];
        if (s >= 0.0 && s < FRONT_STEPS) {
            covered[(int)s] += M_PI * r * r;
        }
    }
}

double packing_front(const Soil *soil, double start, double width, double grain_radius)
{
    enum { STRIP = 8 }; // steps a strip: two grains wide
    double step = 0.5 * grain_radius, before = 1.0;
    double covered[FRONT_STEPS];
    cover_strips(soil, width, step, covered);
    for (int s = (int)(start / step); s + STRIP <= FRONT_STEPS; s++) {
        double sum = 0.0, low = s * step, high = (s + STRIP) * step;
        for (int k = s; k < s + STRIP; k++) {
            sum += covered[k];
        }
        double share = sum / (width > 0.0 ? width * (high - low) : M_PI * (high * high - low * low));
        if (share < 0.5) {
            double past = before > share ? (before - 0.5) / (before - share) : 1.0;
            return 0.5 * (low + high) - (1.0 - fmin(past, 1.0)) * step;
        }
        before = share;
    }
    return FRONT_STEPS * step;
}

void packing_run_out(Run *run, Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count,
                     const Grains *grains, int plot, Runout *runout)
{
    enum { MAX_TICKS = 1500, LEAST_TICKS = 20 }; // it does not move at once
    double scale = sqrt(runout->height / STANDARD_GRAVITY), rest = 0.01 * sqrt(STANDARD_GRAVITY * 2.0 * grains->radius);
    int last = (int)fmin(MAX_TICKS, (8.0 * scale + 1.0) * scene->rates.tick_rate), ticks = 0, moving = 0;
    double fronts[MAX_TICKS];
    char series[32];
    snprintf(series, sizeof series, "a = %.2f", runout->height / runout->start);
    do {
        run_tick(soil, scene, tools, tool_count, NULL);
        fronts[ticks] = packing_front(soil, 0.8 * runout->start, runout->width, grains->radius);
        double time = (ticks + 1.0) / scene->rates.tick_rate;
        run_point(run, plot, series, time / scale, (fronts[ticks] - runout->start) / runout->start);
        ticks++;
    } while (ticks < LEAST_TICKS || (ticks < last && packing_speed(soil, -HUGE_VAL) > rest));
    runout->front = fronts[ticks - 1];
    for (int k = 0; k < ticks; k++) {
        moving = fabs(fronts[k] - runout->front) < grains->radius ? moving : k + 1;
    }
    runout->stop = (double)moving / scene->rates.tick_rate;
}

typedef struct Placed {
    double distance;
    int32_t mass;
} Placed;

static int by_distance(const void *a, const void *b)
{
    double x = ((const Placed *)a)->distance, y = ((const Placed *)b)->distance;
    return (x > y) - (x < y);
}

double packing_reach(const Soil *soil, double share, double width)
{
    SoilParticleView p = soil_get_particles(soil);
    Placed *placed = calloc((size_t)p.count + 1, sizeof *placed);
    if (placed == NULL || p.count == 0) {
        free(placed);
        return 0.0;
    }
    double total = 0.0, sum = 0.0;
    for (int k = 0; k < p.count; k++) {
        placed[k] = (Placed){distance_of(&p, k, width), p.mass[k]};
        total += p.mass[k];
    }
    qsort(placed, (size_t)p.count, sizeof *placed, by_distance);
    int k = 0;
    while (k < p.count - 1 && (sum += placed[k].mass) < share * total) {
        k++;
    }
    double reach = placed[k].distance;
    free(placed);
    return reach;
}
