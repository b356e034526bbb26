/// Grains that sleep: what falls asleep, what wakes it, that nothing is lost, and that nobody decides but the state.
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

enum { ACROSS = 24, ALONG = 24, LAYERS = 4, GRAINS = ACROSS * ALONG * LAYERS };

static SceneParams bed_scene(bool sleepless)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    scene.particles.sleepless = sleepless;
    return scene;
}

/// A bed of four layers on the ground, 2.7 m along each side, which slumps at its edges.
static Soil *lay_bed(const SceneParams *scene, int threads)
{
    Soil *soil = make_soil(scene, SOIL_SOLVER_DEFAULT, threads);
    for (int k = 0; k < GRAINS; k++) {
        int layer = k / (ACROSS * ALONG), i = k % ACROSS, j = k / ACROSS % ALONG;
        double shift = layer % 2 == 0 ? 0.0 : 0.056, stray = (k * 7 % 11 - 5) * 0.0005;
        Vec3 at = vec3((i - ACROSS / 2) * 0.112 + shift + stray, (j - ALONG / 2) * 0.112 + shift - stray,
                       0.05 + 0.102 * layer);
        assert_int_equal(soil_add_particle(soil, at, vec3(0, 0, 0), 0.05 * (0.92 + 0.02 * (k % 5)), 0, 0.87), k);
    }
    return soil;
}

static double mean_height(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double sum = 0.0;
    for (int i = 0; i < p.count; i++) {
        sum += p.z[i];
    }
    return sum / p.count;
}

static int count_asleep(const Soil *soil)
{
    return soil_get_counters(soil).asleep;
}

/// A plate at the bed's corner, which it pushes in along x.
static SoilTool corner_plate(const ToolShape *shape, double x, double speed)
{
    SoilTool plate = box_tool(shape, vec3(x, -1.0, 0.02));
    plate.motion.velocity = vec3(speed, 0.0, 0.0);
    return plate;
}

/// One tick in which the plate goes on at its speed.
static void push(Soil *soil, const ToolShape *shape, double *x, double speed)
{
    Wrench wrench;
    SoilTool plate = corner_plate(shape, *x, speed);
    soil_begin_tick(soil, &plate, 1, 1.0 / 60.0);
    for (int k = 0; k < 8; k++) {
        plate = corner_plate(shape, *x + speed * k / 480.0, speed);
        soil_substep(soil, &plate, 1, 1.0 / 480.0, &wrench);
    }
    *x += speed / 60.0;
    plate = corner_plate(shape, *x, speed);
    soil_end_tick(soil, &plate, 1);
}

/// A settled bed sleeps as a whole, where it lay without sleep, and does not stir.
TEST(test_a_settled_bed_sleeps)
{
    double height[2];
    for (int sleepless = 0; sleepless < 2; sleepless++) {
        SceneParams scene = bed_scene(sleepless != 0);
        Soil *soil = lay_bed(&scene, 1);
        run_ticks(soil, NULL, 0, 200);
        assert_int_equal(count_asleep(soil), sleepless ? 0 : GRAINS);
        uint64_t before = hash_soil(soil);
        double z = mean_height(soil);
        run_ticks(soil, NULL, 0, 30);
        height[sleepless] = mean_height(soil);
        assert_true(sleepless || z == height[0]);
        assert_true(before != hash_soil(soil)); // the tick counts on
        soil_destroy(soil);
    }
    assert_near(height[0], height[1], 1e-5); // m
}

/// The same bits whoever works and however wide, while a plate stirs one corner and the other sleeps.
TEST(test_sleep_depends_on_the_state_alone)
{
    const int threads[] = {1, 2, 3, 4, 8}, lanes[] = {4, 8, 16};
    SceneParams scene = bed_scene(false);
    ToolShape shape = plate_shape(0.1, 0.6, 0.5);
    uint64_t first = 0;
    int some = 0;
    for (int k = 0; k < 7; k++) {
        Soil *soil = lay_bed(&scene, threads[k < 5 ? k : 1]);
        if (!soil_set_lanes(soil, lanes[k < 5 ? k % 3 : k - 4])) {
            soil_set_lanes(soil, 4);
        }
        double x = -1.6;
        run_ticks(soil, NULL, 0, 60);
        for (int t = 0; t < 90; t++) {
            push(soil, &shape, &x, 0.5);
            some += count_asleep(soil) > GRAINS / 10 && count_asleep(soil) < GRAINS;
        }
        first = k == 0 ? hash_soil(soil) : first;
        assert_true(hash_soil(soil) == first);
        soil_destroy(soil);
    }
    print_message("ticks of %d in which a part slept: %d\n", 7 * 90, some);
    assert_true(some > 7 * 45);
}

TEST(test_sleep_goes_on_from_any_state)
{
    SceneParams scene = bed_scene(false);
    ToolShape shape = plate_shape(0.1, 0.6, 0.5);
    Soil *soil = lay_bed(&scene, 1);
    Copier copier = {.visitor = {.field = copy_field}, .size = 64 << 20};
    copier.bytes = malloc(copier.size);
    double x = -1.6;
    run_ticks(soil, NULL, 0, 60);
    for (int t = 0; t < 60; t += 6) {
        Soil *copy = copy_soil(soil, &scene, &copier);
        double other = x;
        for (int k = 0; k < 6; k++) {
            push(soil, &shape, &x, 0.5);
            push(copy, &shape, &other, 0.5);
            assert_int_equal(count_asleep(copy), count_asleep(soil));
            assert_true(hash_soil(copy) == hash_soil(soil));
        }
        soil_destroy(copy);
    }
    free(copier.bytes);
    soil_destroy(soil);
}

/// A grain that falls on a bed that sleeps wakes what is below it, soon after it has come there; the far end sleeps on.
TEST(test_a_grain_that_falls_wakes_what_it_strikes)
{
    SceneParams scene = bed_scene(false);
    Soil *soil = lay_bed(&scene, 1);
    run_ticks(soil, NULL, 0, 200);
    assert_int_equal(count_asleep(soil), GRAINS);
    soil_add_particle(soil, vec3(0.0, 0.0, 0.9), vec3(0, 0, 0), 0.05, 0, 0.87);
    int least = GRAINS;
    for (int t = 0; t < 120; t++) {
        run_ticks(soil, NULL, 0, 1);
        least = count_asleep(soil) < least ? count_asleep(soil) : least;
    }
    assert_true(least < GRAINS - 100 && least > GRAINS / 3);
    assert_int_equal(count_asleep(soil), GRAINS + 1); // it has come to rest
    soil_destroy(soil);
}

/// Ground that is taken away wakes what lay on it, which falls after it.
TEST(test_grains_wake_when_the_ground_goes)
{
    SceneParams scene = bed_scene(false);
    Soil *soil = lay_bed(&scene, 1);
    run_ticks(soil, NULL, 0, 200);
    double before = mean_height(soil);
    for (int k = 0; k < 100; k++) {
        soil_remove_ground(soil, -0.45 + 0.1 * (k % 10), -0.45 + 0.1 * (k / 10), -0.3);
    }
    run_ticks(soil, NULL, 0, 1);
    assert_true(count_asleep(soil) < GRAINS - 100);
    run_ticks(soil, NULL, 0, 100);
    assert_true(mean_height(soil) < before - 0.01);
    soil_destroy(soil);
}

/// Nothing sleeps that a tool may touch, and what it meets feels no more of it where the rest sleeps than where all is
/// awake: the draft of a plate through the bed is the same.
TEST(test_a_plate_meets_as_much_in_a_bed_that_sleeps)
{
    double draft[2] = {0.0, 0.0};
    for (int sleepless = 0; sleepless < 2; sleepless++) {
        SceneParams scene = bed_scene(sleepless != 0);
        Soil *soil = lay_bed(&scene, 1);
        ToolShape shape = plate_shape(0.1, 0.6, 0.5);
        double x = -1.6;
        run_ticks(soil, NULL, 0, 60);
        for (int t = 0; t < 240; t++) {
            push(soil, &shape, &x, 0.3);
            SoilToolContactView view = soil_get_tool_contacts(soil);
            for (int k = 0; k < view.count; k++) {
                draft[sleepless] -= view.contacts[k].force.x / 240.0;
            }
        }
        soil_destroy(soil);
    }
    print_message("draft %.1f N, %.1f N without sleep\n", draft[0], draft[1]);
    assert_near(draft[0] / draft[1], 1.0, 0.03);
}

TEST_GROUP(NULL, NULL)
