/// Memory in a tick: taken for tiles that are touched for the first time, for a larger grid of the neighbour search and
/// for the contacts of a larger block alone; given back when grains have come to rest, and when they are gone.
/// The test is linked so that every call of the allocator in soil/ comes by here.
// test: sanitized, alone
#include "tests/support/soil_fixture.h"

#include "soil/grains/neighbours.h"
#include "soil/soil_parts.h"
#include "soil/ground/ground.h"

/// What was taken since it was set to 0.
typedef struct Taken {
    int tiles, others;
    int grids; ///< cells of the neighbour search
    int visits; ///< pieces of the threads' memory for the contacts of one block
} Taken;
static Taken taken;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__real_zeroed_alloc(size_t count, size_t size);
void *__wrap_zeroed_alloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    taken.others++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    bool tile = count == 1 && size == sizeof(GroundTile);
    taken.tiles += tile;
    taken.others += !tile;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    taken.others++;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return __real_aligned_alloc(alignment, size); // of zeroed_alloc alone: nothing else in soil/ uses it
}

void *__wrap_zeroed_alloc(size_t count, size_t size)
{
    bool grid = size == sizeof(CellContents) + sizeof(int32_t), visits = size == sizeof(PairVisit);
    taken.grids += grid;
    taken.visits += visits;
    taken.others += !grid && !visits;
    return __real_zeroed_alloc(count, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

#define DT (1.0 / 60.0)

static void move_tick(Soil *soil, SoilTool *tool, Vec3 velocity)
{
    Wrench wrench;
    tool->motion.velocity = velocity;
    soil_begin_tick(soil, tool, 1, DT);
    for (int k = 0; k < 8; k++) {
        tool->motion.frame.position = tool->motion.center = vec3_madd(tool->motion.center, DT / 8.0, velocity);
        soil_substep(soil, tool, 1, DT / 8.0, &wrench);
    }
    soil_end_tick(soil, tool, 1);
}

/// A blade digs along the site, across the borders of tiles, and grains come to rest behind it.
static void check_solver(SoilSolver solver)
{
    enum { TICKS = 120, DUG = 60 };
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, solver, 2);
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool blade = box_tool(&shape, vec3(-2, 0, -0.2));
    blade.cuts = true;
    int tiles = 0, grids = 0, visits = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        memset(&taken, 0, sizeof taken);
        move_tick(soil, &blade, vec3(tick < DUG ? 1.0 : 0.0, 0, tick < DUG ? 0.0 : 0.5));
        assert_int_equal(taken.others, 0);
        tiles += taken.tiles;
        grids += taken.grids;
        visits += taken.visits > 0;
    }
    print_message("%d tiles, %d grids, larger blocks in %d of %d ticks\n", tiles, grids, visits, TICKS);
    assert_true(tiles > 1 && tiles <= 9 && grids > 0 && grids < 10 && visits < 10);
    soil_destroy(soil);
}

TEST(a_tick_takes_tiles_grids_and_blocks_alone)
{
    check_solver(SOIL_SOLVER_DEFAULT);
}

TEST(a_tick_of_the_published_solver_too)
{
    check_solver(SOIL_SOLVER_P2);
}

#ifndef SANITIZED

enum { GRAINS = 5000, SECONDS = 60 }; ///< ticks of a second

/// Layers of grains that fall on one another, 4.5 m square.
static void drop_bed(Soil *soil)
{
    enum { SIDE = 40 };
    for (int k = 0; k < GRAINS; k++) {
        int row = k / SIDE % SIDE, column = k % SIDE, layer = k / (SIDE * SIDE);
        double shift = layer % 2 == 0 ? 0.0 : 0.055;
        Vec3 at = vec3(0.11 * (column - SIDE / 2) + shift, 0.11 * (row - SIDE / 2) + shift, 0.06 + 0.1 * layer);
        assert_true(soil_add_particle(soil, at, vec3(0, 0, 0), 0.05, 0, 0.8) >= 0);
    }
}

/// What is needed to look for grains that move goes back when they lie still, the rest when they have become ground.
/// Bounds: rows and half of the lists of a grain are more than 100 bytes; tiles of ground stay.
TEST(memory_goes_back_when_grains_rest_and_when_they_are_gone)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    scene.particles.sleepless = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    run_ticks(soil, NULL, 0, 2);
    double before = resident_bytes();
    drop_bed(soil);
    run_ticks(soil, NULL, 0, SECONDS);
    double moving = resident_bytes() - before;
    run_ticks(soil, NULL, 0, 4 * SECONDS);
    double resting = resident_bytes() - before;
    soil->model.scene.particles.persistent = false;
    run_ticks(soil, NULL, 0, 6 * SECONDS);
    double gone = resident_bytes() - before;
    print_message("%.0f bytes a grain that moves, %.0f at rest; %d grains left, %.0f bytes of all\n", moving / GRAINS,
                  resting / GRAINS, soil->state.particles.count, gone);
    assert_true(soil->state.particles.count < GRAINS / 50);
    assert_true(resting < moving - 20.0 * GRAINS);
    assert_true(gone < 0.4 * resting);
    soil_destroy(soil);
}

#endif

TEST_GROUP(NULL, NULL)
