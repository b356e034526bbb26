/// Builds settled piles of spheres for the benchmarks: a bed or a heap on a close-packed lattice, left for a set time
/// with the shipped rates, then saved, so that every solver and every number of threads starts from the same grains.
/// What the grains take in memory is the growth of the process over that of the same site without them.
#include "tests/bench/pile.h"

#include <math.h>
#include <stdlib.h>

#include "data/core/random.h"
#include "data/schema/load.h"

enum { BED_LAYERS = 6, LEAST_BUDGET = 100 };

#define RADIUS       (0.5 * PILE_SPACING) ///< m, of the largest
#define SPACING      (2.4 * RADIUS) ///< of the lattice the particles start on, along x and y
#define LAYER        (2.02 * RADIUS) ///< between its layers
#define JITTER       (0.5 * SPACING - RADIUS) ///< m along x and y: so far each may stray without touching another
#define START_SLOPE  0.8 ///< of the cone they start in; it slumps to less
#define SOLID        0.6 ///< share of a heap that spheres fill
#define HEAP_SECONDS 3.0 ///< of settling: a heap has to slump
#define BED_SECONDS  6.0 ///< until the grains at the edges have rolled off

typedef struct Site {
    double order; ///< the lowest come first
    Vec3 at;
} Site;

static int compare_sites(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    if (x->at.z != y->at.z) {
        return x->at.z < y->at.z ? -1 : 1;
    }
    if (x->at.y != y->at.y) {
        return x->at.y < y->at.y ? -1 : 1;
    }
    return (x->at.x > y->at.x) - (x->at.x < y->at.x);
}

/// Half the width of the square, m, that n particles need at the start.
static double half_width(PileShape shape, int n)
{
    double cells = (double)n * SPACING * SPACING * LAYER; // m3
    return shape == PILE_BED ? 0.5 * sqrt(cells / (BED_LAYERS * LAYER)) : cbrt(3.0 * cells / (M_PI * START_SLOPE));
}

/// Lattice sites around the pile, sorted: the first n are its particles.
static Site *list_sites(PileShape shape, int n, size_t *count)
{
    int half = (int)(half_width(shape, n) / SPACING) + 3;
    int layers = shape == PILE_BED ? BED_LAYERS : (int)(START_SLOPE * half * SPACING / LAYER) + 1;
    Site *sites = malloc((size_t)(2 * half + 1) * (size_t)(2 * half + 1) * (size_t)layers * sizeof *sites);
    *count = 0;
    for (int k = 0; sites != NULL && k < layers; k++) {
        for (int j = -half; j <= half; j++) {
            for (int i = -half; i <= half; i++) {
                Site *site = &sites[(*count)++];
                double shift =
                    k % 2 == 0 ? 0.0 : 0.5 * SPACING; // grains straight above each other would stand as towers
                site->at = vec3(i * SPACING + shift, j * SPACING + shift, (k + 0.5) * LAYER);
                double x = site->at.x, y = site->at.y;
                site->order =
                    shape == PILE_BED ? fmax(fabs(x), fabs(y)) : sqrt(x * x + y * y) + site->at.z / START_SLOPE;
            }
        }
    }
    if (sites != NULL) {
        qsort(sites, *count, sizeof *sites, compare_sites);
    }
    return sites;
}

bool pile_add(Soil *soil, const SceneParams *scene, PileShape shape, int n, Vec3 middle, Status *status)
{
    size_t count;
    Site *sites = list_sites(shape, n, &count);
    if (sites == NULL || count < (size_t)n) {
        free(sites);
        return status_fail(status, STATUS_LACKING, "out of memory for a pile of %d particles", n);
    }
    const SoilParams *params = &scene->soils[0];
    double density = params->bank_density / (1.0 + params->swell) / SOLID;
    bool good = true;
    for (int k = 0; good && k < n; k++) {
        uint64_t index = (uint64_t)k;
        double radius = RADIUS * (0.9 + 0.1 * random_unit(scene->seed, 1, index));
        Vec3 at = vec3_add(middle, sites[k].at);
        at.x += JITTER * (2.0 * random_unit(scene->seed, 2, index) - 1.0);
        at.y += JITTER * (2.0 * random_unit(scene->seed, 3, index) - 1.0);
        double mass = density * 4.0 / 3.0 * M_PI * radius * radius * radius;
        good = soil_add_particle(soil, at, vec3(0.0, 0.0, 0.0), radius, 0, mass) >= 0;
    }
    free(sites);
    return good ||
           status_fail(status, STATUS_BAD_USAGE, "%d particles exceed the budget of %d", n, scene->particles.budget);
}

/// The shipped rates and iterations, level sand, particles that persist and do not sleep: what is timed is solving.
static bool make_scene(SceneParams *scene, PileShape shape, int n, Status *status)
{
    MachineParams *machine = malloc(sizeof *machine);
    SoilParams sand;
    bool good = machine != NULL || status_fail(status, STATUS_LACKING, "out of memory for a scene");
    good = good && data_load_scene("trench", NULL, 0, scene, machine, NULL, status) &&
           data_load_soil("sand", &sand, NULL, status);
    free(machine);
    if (!good) {
        return false;
    }
    double size = ceil(2.0 * half_width(shape, n) + 6.0);
    scene->ground = (SceneGround){.size_x = fmax(size, 10.0),
                                  .size_y = fmax(size, 10.0),
                                  .column_spacing = PILE_SPACING,
                                  .bedrock_depth = 1.0,
                                  .layer_count = 1};
    scene->soil_count = 1;
    scene->soils[0] = sand;
    scene->particles.budget = n > LEAST_BUDGET ? n : LEAST_BUDGET;
    scene->particles.per_column_side = 1;
    scene->particles.persistent = true;
    scene->particles.sleepless = true;
    return true;
}

BenchSample pile_frame(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count)
{
    double dt = 1.0 / scene->rates.tick_rate, h = dt / scene->rates.substeps;
    Wrench wrenches[SOIL_MAX_TOOLS];
    BenchSample start = bench_now();
    soil_begin_tick(soil, tools, tool_count, dt);
    for (int k = 0; k < scene->rates.substeps; k++) {
        for (int t = 0; t < tool_count; t++) {
            tools[t].motion.frame.position = vec3_madd(tools[t].motion.frame.position, h, tools[t].motion.velocity);
            tools[t].motion.center = tools[t].motion.frame.position;
        }
        soil_substep(soil, tools, tool_count, h, wrenches);
    }
    soil_end_tick(soil, tools, tool_count);
    return bench_since(start);
}

static void visit_soil(void *subject, StateVisitor *visitor)
{
    soil_visit(subject, visitor);
}

/// What the process grows by for the same site without particles.
static double empty_bytes(const SceneParams *scene, int threads)
{
    Status status;
    SceneParams empty = *scene;
    empty.particles.budget = LEAST_BUDGET;
    double before = bench_resident_bytes();
    Soil *soil = soil_create(&empty, empty.seed, SOIL_SOLVER_DEFAULT, threads, &status);
    if (soil == NULL) {
        return 0.0;
    }
    pile_frame(soil, &empty, NULL, 0);
    double bytes = bench_resident_bytes() - before;
    soil_destroy(soil);
    return bytes;
}

bool pile_make(Pile *pile, PileShape shape, int n, int threads, const BenchReport *report, Status *status)
{
    *pile = (Pile){.n = n};
    if (!make_scene(&pile->scene, shape, n, status)) {
        return false;
    }
    bench_report_says(report, "settling %d particles", n);
    pile->bytes_empty = empty_bytes(&pile->scene, threads);
    double before = bench_resident_bytes();
    Soil *soil = soil_create(&pile->scene, pile->scene.seed, SOIL_SOLVER_DEFAULT, threads, status);
    bool good = soil != NULL && pile_add(soil, &pile->scene, shape, n, vec3(0.0, 0.0, 0.0), status);
    int frames = (int)((shape == PILE_HEAP ? HEAP_SECONDS : BED_SECONDS) * pile->scene.rates.tick_rate);
    for (int k = 0; good && k < frames; k++) {
        pile_frame(soil, &pile->scene, NULL, 0);
    }
    pile->bytes = bench_resident_bytes() - before;
    good = good && (soil_is_finite(soil) || status_fail(status, STATUS_NOT_VERIFIED, "the pile exploded"));
    good = good && state_save_visit(visit_soil, soil, &pile->state, status);
    soil_destroy(soil);
    return good;
}

void pile_free(Pile *pile)
{
    state_buffer_free(&pile->state);
}

SceneParams pile_scene(const Pile *pile, SoilSolver solver)
{
    SceneParams scene = pile->scene;
    if (solver != SOIL_SOLVER_DEFAULT) {
        scene.rates.substeps = 1;
        scene.particles.iterations = 10;
    }
    return scene;
}

Soil *pile_soil(const Pile *pile, SoilSolver solver, int threads, Status *status)
{
    SceneParams scene = pile_scene(pile, solver);
    Soil *soil = soil_create(&scene, scene.seed, solver, threads, status);
    if (soil != NULL && !state_restore_visit(visit_soil, soil, pile->state.data, pile->state.size, status)) {
        soil_destroy(soil);
        return NULL;
    }
    return soil;
}

ToolShape pile_stirrer_shape(void)
{
    ToolShape shape = {.piece_count = 1};
    shape.pieces[0] = (ToolPiece){.corner_count = 4,
                                  .corners = {{-0.05, 0.1}, {0.05, 0.1}, {0.05, 2.0}, {-0.05, 2.0}},
                                  .y_min = -0.3,
                                  .y_max = 0.3};
    return shape;
}

SoilTool pile_stirrer(const ToolShape *shape, double time)
{
    const double radius = 0.8;
    double angle = time / radius;
    SoilTool tool = {.shape = shape, .steel_friction = 1.0};
    tool.motion.frame = (Pose){vec3(radius * cos(angle), radius * sin(angle), 0.0), mat3_identity()};
    tool.motion.center = tool.motion.frame.position;
    tool.motion.velocity = vec3(-sin(angle), cos(angle), 0.0);
    return tool;
}
