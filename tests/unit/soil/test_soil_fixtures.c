/// Fixtures hold soil: grains and sliding ground stay on their side of a wall, what leans on it stands higher, a tool
/// scrapes along it, and no quantum is lost.

#include "tests/support/soil_fixture.h"

#define WALL 0.35 ///< m: the face of the wall that the soil is put before, x

/// Sand with a wall across it, `thickness` m thick, whose face looks to lower x; 0: without.
static SceneParams walled_scene(double thickness, double top)
{
    SceneParams scene = sand_scene();
    if (thickness > 0.0) {
        scene.fixtures_count = 1;
        scene.fixtures[0] = (SceneFixture){
            .name = "wall", .x = WALL + 0.5 * thickness, .length = thickness, .width = 6.0, .bottom = -0.5, .top = top};
    }
    return scene;
}

/// Puts a block of loose grains before the wall, `columns` grains from it, 20 wide and `high` high. Returns the quanta.
static int64_t put_block(Soil *soil, int columns, int high)
{
    int64_t before = soil_get_ledger(soil).total;
    for (int k = 0; k < columns * 20 * high; k++) {
        double x = WALL - 0.06 - 0.1 * (k % columns), y = 0.1 * (k / columns % 20) - 0.95;
        soil_add_particle(soil, vec3(x, y, 0.06 + 0.1 * (k / columns / 20)), vec3(0, 0, 0), 0.05, 0, 1.1);
    }
    return soil_get_ledger(soil).total - before;
}

/// Runs until all lies, or 20 s.
static int settle(Soil *soil)
{
    int tick = 0;
    for (; tick < 1200 && (tick == 0 || soil_get_counters(soil).particles > 0); tick++) {
        run_ticks(soil, NULL, 0, 1);
    }
    for (int k = 0; k < 300; k++) { // slopes
        run_ticks(soil, NULL, 0, 1);
    }
    return tick;
}

/// Mass (quanta) that columns beyond x hold more than at the start, and particles there.
static int64_t beyond(Soil *soil, double x)
{
    SoilPlace here = {.x = x - 20.0, .length = 40.0, .width = 40.0};
    int64_t grains = 0;
    SoilParticleView particles = soil_get_particles(soil);
    for (int i = 0; i < particles.count; i++) {
        grains += particles.x[i] > x ? particles.mass[i] : 0;
    }
    return soil_get_spill(soil, &here, 1, 0.0) + grains;
}

static double mean_height(const Soil *soil, double x)
{
    double sum = 0.0;
    for (int k = 0; k < 10; k++) {
        SoilGridView grid = soil_get_grid(soil);
        int column = (int)((x - grid.origin_x) / grid.spacing + 0.5);
        int row = (int)((0.1 * k - 0.45 - grid.origin_y) / grid.spacing + 0.5);
        sum += (double)grid.height[row * grid.columns + column] / 10.0;
    }
    return sum;
}

static void lean_on(double thickness, double *height)
{
    SceneParams scene = walled_scene(thickness, 2.0);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    int64_t total = soil_get_ledger(soil).total + put_block(soil, 6, 12);
    int ticks = settle(soil);
    *height = mean_height(soil, WALL - 0.1);
    print_message(
        "wall of %.2f m: after %d ticks %d grains, %.3f m high before it, %.3f m beyond; %lld quanta beyond\n",
        thickness, ticks, soil_get_counters(soil).particles, *height, mean_height(soil, WALL + 0.5),
        (long long)beyond(soil, WALL + fmax(thickness, 0.1)));
    assert_true(soil_get_ledger(soil).total == total);
    if (thickness > 0.0) {
        assert_true(beyond(soil, WALL + thickness) == 0);
        assert_near(mean_height(soil, WALL + 0.15), 0.0, 1e-9); // in the thick one: as it was
        assert_true(soil_get_counters(soil).particles <= 20);
    }
    soil_destroy(soil);
}

/// Sand that is let go before a wall lies at its angle of repose on three sides, against the wall on the fourth: twice
/// the volume of half a heap, higher than the heap without a wall.
TEST(a_heap_leans_on_a_wall)
{
    double free_height, height;
    lean_on(0.0, &free_height);
    lean_on(0.3, &height);
    assert_true(height > free_height + 0.1);
    lean_on(0.05, &height); // thinner than a column
    assert_true(height > free_height + 0.1);
}

/// What lies higher than a low wall runs over its top, not through it.
TEST(soil_runs_over_a_low_wall)
{
    SceneParams scene = walled_scene(0.3, 0.3);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    int64_t total = soil_get_ledger(soil).total + put_block(soil, 6, 12);
    for (int k = 0; k < 1500; k++) {
        run_ticks(soil, NULL, 0, 1);
    }
    double height = mean_height(soil, WALL - 0.1);
    print_message("low wall: %.3f m high before it, %lld quanta over it, %d grains\n", height,
                  (long long)beyond(soil, WALL + 0.3), soil_get_counters(soil).particles);
    assert_true(soil_get_ledger(soil).total == total);
    assert_true(beyond(soil, WALL + 0.3) > total / 100000);
    assert_true(height < 0.55);
    soil_destroy(soil);
}

/// A pit before a wall: the ground below the wall stands, as its foundation does.
TEST(ground_under_a_wall_stands)
{
    SceneParams scene = walled_scene(0.3, 2.0);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    for (int k = 0; k < 900; k++) {
        soil_remove_ground(soil, WALL - 0.1 - 0.1 * (k % 15), 0.1 * (k / 15) - 2.95, -1.0);
    }
    int64_t total = soil_get_ledger(soil).total;
    settle(soil);
    assert_true(soil_get_ledger(soil).total == total);
    assert_near(mean_height(soil, WALL + 0.15), 0.0, 1e-9);
    assert_near(mean_height(soil, WALL + 0.5), 0.0, 1e-9);
    soil_destroy(soil);
}

/// A post of many sides in the middle of the sand.
static SceneParams post_scene(void)
{
    SceneParams scene = sand_scene();
    scene.fixtures_count = 1;
    scene.fixtures[0] = (SceneFixture){
        .name = "post", .shape = SCENE_FIXTURE_POST, .x = 0.1, .radius = 0.3, .bottom = -0.5, .top = 2.0};
    return scene;
}

TEST(no_grain_enters_a_post)
{
    SceneParams scene = post_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    for (int k = 0; k < 900; k++) {
        double x = 0.1 * (k % 10) - 0.35, y = 0.1 * (k / 10 % 10) - 0.45;
        if (hypot(x - 0.1, y) > 0.37) {
            soil_add_particle(soil, vec3(x, y, 0.06 + 0.1 * (k / 100)), vec3(1.5, 0, 0), 0.05, 0, 1.1);
        }
    }
    int64_t total = soil_get_ledger(soil).total;
    double nearest = HUGE_VAL;
    for (int tick = 0; tick < 300; tick++) {
        run_ticks(soil, NULL, 0, 1);
        SoilParticleView p = soil_get_particles(soil);
        for (int i = 0; i < p.count; i++) {
            nearest = fmin(nearest, hypot(p.x[i] - 0.1, p.y[i]) - (double)p.radius[i]);
        }
    }
    print_message("grains come to %.4f m from the post's middle\n", nearest);
    assert_true(nearest > 0.29);
    assert_true(soil_get_ledger(soil).total == total);
    soil_destroy(soil);
}

/// A blade goes along a wall, 0.1 m from it and 0.2 m deep: what it moves stays before the wall, and the force on it
/// has no jump. The run is the same with another number of threads, and from any state on the way.
TEST(a_tool_scrapes_along_a_wall)
{
    SceneParams scene = walled_scene(0.3, 2.0);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *copy = NULL;
    ToolShape shape = plate_shape(0.04, 0.6, 0.8);
    Copier copier = {.visitor = {.field = copy_field}, .bytes = malloc(64U << 20), .size = 64U << 20};
    assert_non_null(copier.bytes);
    int64_t total = soil_get_ledger(soil).total;
    double strongest = 0.0;
    SoilTool tool = box_tool(&shape, vec3(WALL - 0.5, -1.5, -0.2));
    tool.motion.frame.rotation = mat3_yaw(0.5 * M_PI);
    tool.cuts = true;
    for (int tick = 0; tick < 240; tick++) {
        if (tick == 120) {
            copy = copy_soil(soil, &scene, &copier);
        }
        tool.motion.velocity = vec3(0.0, 0.5, 0.0);
        Soil *both[2] = {soil, copy};
        for (int s = 0; s < 2 && both[s] != NULL; s++) {
            SoilTool now = tool;
            Wrench wrench;
            soil_begin_tick(both[s], &now, 1, 1.0 / 60.0);
            for (int k = 0; k < 8; k++) {
                soil_substep(both[s], &now, 1, 1.0 / 480.0, &wrench);
                strongest = fmax(strongest, vec3_length(wrench.force));
                now.motion.frame.position.y += 0.5 / 480.0;
                now.motion.center = now.motion.frame.position;
            }
            soil_end_tick(both[s], &now, 1);
        }
        tool.motion.frame.position.y += 0.5 / 60.0;
        tool.motion.center = tool.motion.frame.position;
    }
    print_message("blade along a wall: at most %.1f kN, %d grains, %lld quanta beyond\n", 1e-3 * strongest,
                  soil_get_counters(soil).particles, (long long)beyond(soil, WALL + 0.3));
    assert_true(hash_soil(soil) == hash_soil(copy));
    assert_true(soil_get_ledger(soil).total == total);
    assert_true(soil_is_finite(soil) && beyond(soil, WALL + 0.3) == 0);
    assert_true(strongest < 30e3);
    soil_destroy(copy);
    soil_destroy(soil);
    free(copier.bytes);
}

TEST_GROUP(NULL, NULL)
