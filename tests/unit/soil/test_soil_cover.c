/// What lies on the ground as it was at the start: how thick, and on which soil.
#include "tests/support/soil_fixture.h"

/// Ticks until all grains have become ground.
static void settle(Soil *soil)
{
    for (int tick = 0; tick < 1200 && soil_get_ledger(soil).particles > 0; tick++) {
        run_ticks(soil, NULL, 0, 1);
    }
    assert_int_equal(soil_get_ledger(soil).particles, 0);
}

/// Bare ground has no cover; a heap that is dropped on it is as thick as it stands high; where the ground under it is
/// cut there is none.
TEST(a_heap_lies_on_the_ground_as_it_was)
{
    SceneParams scene = layered_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int under = -1;
    assert_near(soil_get_cover(soil, 2.0, 1.0, &under), 0.0, 1e-9);
    assert_int_equal(under, 0);
    double before = soil_get_height(soil, 0.05, 0.05);
    drop_heap(soil, 0.0, 0.0, before);
    settle(soil);
    double put = soil_get_height(soil, 0.05, 0.05) - before, cover = soil_get_cover(soil, 0.05, 0.05, &under);
    assert_true(put > 0.05);
    assert_near(cover, put, 1e-3);
    assert_int_equal(under, 0);
    assert_true(soil_remove_ground(soil, 0.05, 0.05, before - 0.1) > 0.0);
    assert_true(soil_get_cover(soil, 0.05, 0.05, &under) < 0.0);
    soil_destroy(soil);
}

/// A mound of the scene lies on the soil below it, before and after something has touched it.
TEST(a_mound_lies_on_the_soil_below)
{
    SceneParams scene = layered_scene();
    scene.ground.mound_count = 1;
    scene.ground.mounds[0] = (SceneMound){.height = 0.8, .soil_index = 2};
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    for (int touched = 0; touched < 2; touched++) {
        for (int k = 0; k < 4; k++) {
            int under = -1;
            double x = 0.05 + 0.3 * k, level = soil_get_firm_height(soil, 3.5, 3.5);
            double mound = soil_get_height(soil, x, 0.05) - level;
            assert_near(soil_get_cover(soil, x, 0.05, &under), mound, 1e-3);
            assert_int_equal(under, 0);
        }
        soil_remove_ground(soil, 0.05, 0.05, soil_get_height(soil, 0.05, 0.05) - 0.1);
    }
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
