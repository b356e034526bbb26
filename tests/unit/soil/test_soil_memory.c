/// Memory in a tick: taken for tiles that are touched for the first time, for a larger grid of the neighbour search and
/// for the contacts of a larger block alone.
/// The test is linked so that every call of the allocator in soil/ comes by here.
// test: sanitized, alone
#include "tests/support/soil_fixture.h"

#include "soil/grains/neighbours.h"
#include "soil/ground/ground.h"

/// What was taken since it was set to 0.
typedef struct Taken {
    int tiles, others, pieces;
    _Atomic int visits; ///< pieces of the threads' memory for the contacts of one block
    size_t piece[64]; ///< bytes
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

void *__wrap_malloc(size_t size)
{
    taken.piece[taken.pieces++ % 64] = size;
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
    taken.visits++;
    return __real_aligned_alloc(alignment, size);
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
        assert_int_equal(taken.pieces % 2, 0);
        for (int k = 0; k < taken.pieces; k += 2) { // first cells, contents of cells
            assert_true(taken.piece[k] * sizeof(CellContents) == taken.piece[k + 1] * sizeof(int32_t));
        }
        tiles += taken.tiles;
        grids += taken.pieces / 2;
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

TEST_GROUP(NULL, NULL)
