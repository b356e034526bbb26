/// Pours the heap of the paper's figures 1, 3 and 5 layer by layer through a round hole onto a rough plate. Its slope
/// is that of the cone with the same mean height and mean distance from the axis, weighted by mass; its surface is the
/// mean height of the highest grains in rings of one grain radius.
#include "tests/validation/paper/paper_heap.h"

#include <math.h>
#include <string.h>

#include "tests/validation/rigs/soil/apparatus.h"

#define GRAIN_SPREAD 0.08
#define DROP         4.0 ///< diameters that grains start above the heap
#define START_SPEED  1.0 ///< m/s downwards

PaperHeapParams paper_heap_params(const Run *run, int quick_count)
{
    bool quick = run_quick(run) && !option_is_set(run, "count");
    return (PaperHeapParams){.solver = SOIL_SOLVER_P2,
                             .threads = run_threads(run),
                             .iterations = 10,
                             .error_reduction = 0.5,
                             .sleep_distance = 0.0003,
                             .stiffness = 2e5,
                             .damping = 0.5,
                             .friction_angle = 30.0 * M_PI / 180.0,
                             .count = quick ? quick_count : (int)option_number(run, "count"),
                             .radius = option_number(run, "radius"),
                             .settle = 3.0};
}

static double largest_radius(const PaperHeap *heap)
{
    return heap->params.radius * (1.0 + GRAIN_SPREAD);
}

/// Radius of the hole: a grain and a half for 20 grains, as wide against the heap for any number of them.
static double hole_radius(const PaperHeap *heap)
{
    return 1.2 * heap->params.radius * cbrt(heap->params.count / 20.0);
}

bool paper_heap_create(PaperHeap *heap, Run *run, const PaperHeapParams *params)
{
    memset(heap, 0, sizeof *heap);
    heap->params = *params;
    heap->random = run_seed(run);
    heap->ticks_left = (int)(params->settle * 60.0 + 0.5);
    SoilParams soil = grain_soil(params->stiffness, params->damping, tan(params->friction_angle));
    soil.contact_adhesion = params->adhesion;
    soil.steel_friction_angle = 45.0 * M_PI / 180.0; // the plate is rough: the heap is to fail inside
    heap->scene = run_scene(run, &soil, params->count, 1.0);
    heap->scene.rates.substeps = 1;
    heap->scene.particles.iterations = params->iterations;
    heap->scene.particles.error_reduction = params->error_reduction;
    heap->scene.particles.sleep_distance = params->sleep_distance;
    heap->scene.ground.column_spacing = 2.0 * largest_radius(heap);
    double side = 12.0 * params->radius * cbrt(params->count); // nothing reaches its edge
    heap->plate_shape = plate_shape(side, side);
    heap->plate = still_tool(&heap->plate_shape, vec3(0, 0, 0));
    Status status;
    heap->soil = soil_create(&heap->scene, run_seed(run), params->solver, params->threads, &status);
    if (heap->soil == NULL) {
        run_fail(run, "%s", status.text);
    }
    return heap->soil != NULL;
}

void paper_heap_destroy(PaperHeap *heap)
{
    soil_destroy(heap->soil);
    memset(heap, 0, sizeof *heap);
}

/// Uniform in -1..1 (splitmix64): the same grains for every solver.
static double random_sign(PaperHeap *heap)
{
    uint64_t z = heap->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

/// Height from which the next layer may fall. False when the last one is still in the way.
static bool find_room(const PaperHeap *heap, double *height)
{
    SoilParticleView p = soil_get_particles(heap->soil);
    double reach = hole_radius(heap) + 2.0 * largest_radius(heap), resting = 0.0, highest = 0.0;
    for (int k = 0; k < p.count; k++) {
        if (hypot(p.x[k], p.y[k]) < reach) {
            bool falls = p.vz[k] < -0.5 * START_SPEED;
            resting = falls ? resting : fmax(resting, p.z[k]);
            highest = fmax(highest, p.z[k]);
        }
    }
    *height = resting + DROP * 2.0 * heap->params.radius;
    return highest < *height - 2.2 * largest_radius(heap);
}

/// One layer of grains, shifted as a whole and each a little to the side, so that none stands on the one below.
static void pour_layer(PaperHeap *heap, double height)
{
    double step = 2.3 * largest_radius(heap), hole = hole_radius(heap);
    double shift_x = 0.5 * step * random_sign(heap), shift_y = 0.5 * step * random_sign(heap);
    int half = (int)(hole / step) + 1;
    for (int k = 0; k < (2 * half + 1) * (2 * half + 1) && heap->poured < heap->params.count; k++) {
        double x = (k % (2 * half + 1) - half) * step + shift_x, y = (k / (2 * half + 1) - half) * step + shift_y;
        double radius = heap->params.radius * (1.0 + GRAIN_SPREAD * random_sign(heap));
        double side_x = 0.1 * radius * random_sign(heap), side_y = 0.1 * radius * random_sign(heap);
        if (hypot(x, y) <= hole) {
            Vec3 at = vec3(x + side_x, y + side_y, height);
            soil_add_particle(heap->soil, at, vec3(0, 0, -START_SPEED), radius, 0, grain_mass(radius));
            heap->poured++;
        }
    }
}

bool paper_heap_step(PaperHeap *heap)
{
    double height;
    if (heap->poured < heap->params.count) {
        if (find_room(heap, &height)) {
            pour_layer(heap, height);
        }
    } else if (heap->ticks_left-- <= 0) {
        return false;
    }
    run_tick(heap->soil, &heap->scene, &heap->plate, 1, NULL);
    heap->ticks++;
    return true;
}

double paper_heap_progress(const PaperHeap *heap)
{
    return (double)heap->poured / heap->params.count;
}

enum { RINGS = 256, SECTORS = 16 };

/// The surface: in each ring of one grain radius the mean over the sectors of the highest grain's top. Returns the
/// number of rings.
static int measure_surface(const PaperHeap *heap, double surface[RINGS])
{
    static const double nothing = -1.0;
    double top[RINGS][SECTORS];
    SoilParticleView p = soil_get_particles(heap->soil);
    for (int k = 0; k < RINGS * SECTORS; k++) {
        top[k / SECTORS][k % SECTORS] = nothing;
    }
    for (int k = 0; k < p.count; k++) {
        int ring = (int)(hypot(p.x[k], p.y[k]) / heap->params.radius);
        int sector = (int)((atan2(p.y[k], p.x[k]) / (2.0 * M_PI) + 0.5) * SECTORS) % SECTORS;
        if (ring < RINGS && p.z[k] > 0.0) {
            top[ring][sector] = fmax(top[ring][sector], p.z[k] + (double)p.radius[k]);
        }
    }
    int rings = 0;
    for (int ring = 0; ring < RINGS; ring++) {
        double sum = 0.0;
        int filled = 0;
        for (int sector = 0; sector < SECTORS; sector++) {
            sum += fmax(top[ring][sector], 0.0);
            filled += top[ring][sector] > nothing;
        }
        // Rings so narrow that they have no grain in some sectors: only those that have.
        bool narrow = ring < SECTORS / 4;
        surface[ring] = filled > 0 ? sum / (narrow ? filled : SECTORS) : 0.0;
        rings = filled > 0 ? ring + 1 : rings;
    }
    return rings;
}

void paper_heap_plot(const PaperHeap *heap, Run *run, int plot, const char *series)
{
    double surface[RINGS];
    int rings = measure_surface(heap, surface);
    for (int ring = 0; ring < rings; ring++) {
        run_point(run, plot, series, 0.5 * (ring + 0.5), 0.5 * surface[ring] / heap->params.radius);
    }
}

double paper_heap_slope(const PaperHeap *heap)
{
    SoilParticleView p = soil_get_particles(heap->soil);
    double mass = 0.0, height = 0.0, distance = 0.0;
    for (int k = 0; k < p.count; k++) {
        mass += p.mass[k];
        height += p.mass[k] * (p.z[k] - heap->params.radius); // the lowest grain lies at its radius
        distance += p.mass[k] * hypot(p.x[k], p.y[k]);
    }
    return mass > 0.0 ? atan2(2.0 * height, distance) * 180.0 / M_PI : 0.0;
}
