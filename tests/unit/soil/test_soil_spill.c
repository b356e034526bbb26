/// Spill: what lies where it should not, to the quantum.
#include "tests/support/soil_fixture.h"

static const SoilPlace circle = {.x = -2.0, .radius = 1.5};

TEST(test_untouched_ground_is_no_spill)
{
    SceneParams scene = loam_scene();
    scene.ground.roughness = 0.05;
    scene.ground.mound_count = 1;
    scene.ground.mounds[0] = (SceneMound){.x = 1.0, .height = 0.8};
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    run_ticks(soil, NULL, 0, 10);
    assert_true(soil_get_spill(soil, NULL, 0, 0.0) == 0);
    soil_destroy(soil);
}

/// Of two heaps one lies where it should. While they fall nothing has been spilled; grains at rest and ground count
/// alike.
TEST(test_what_lies_outside_is_spilled)
{
    for (int persistent = 0; persistent < 2; persistent++) {
        SceneParams scene = loam_scene();
        scene.particles.persistent = persistent != 0;
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        int64_t right = drop_heap(soil, -2.0, 0.0, 0.0), wrong = drop_heap(soil, 2.0, 0.0, 0.0);
        assert_true(soil_get_spill(soil, &circle, 1, 0.0) == 0);
        run_ticks(soil, NULL, 0, 360);
        assert_true(soil_get_spill(soil, &circle, 1, 0.0) == wrong);
        assert_true(soil_get_spill(soil, NULL, 0, 0.0) == right + wrong);
        SoilPlace strip = {.x = 2.0, .heading = 0.5 * M_PI, .length = 4.0, .width = 3.0};
        assert_true(soil_get_spill(soil, &strip, 1, 0.0) == right);
        soil_destroy(soil);
    }
}

/// Crumbs: columns that rose by less than `least` count nothing, those that rose by more count whole.
TEST(test_crumbs_are_no_spill)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t heap = drop_heap(soil, 2.0, 0.0, 0.0);
    run_ticks(soil, NULL, 0, 360);
    int64_t much = soil_get_spill(soil, NULL, 0, 0.02);
    assert_true(much > heap / 2 && much < heap);
    assert_true(soil_get_spill(soil, NULL, 0, 5.0) == 0);
    soil_destroy(soil);
}

TEST(test_what_lies_in_a_tray_or_tool_is_not_spilled)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Status status;
    SoilTray tray = {.x = 2.0, .length = 2.0, .width = 2.0, .floor = 1.0, .wall = 0.6};
    assert_int_equal(soil_add_tray(soil, &tray, &status), 0);
    ToolShape shape = box_shape(1.4, 1.4, 0.8);
    SoilTool box = box_tool(&shape, vec3(-2.0, 0.0, 0.3));
    drop_heap(soil, 2.0, 0.0, 1.0);
    drop_heap(soil, -2.0, 0.0, 0.3);
    run_ticks(soil, &box, 1, 200);
    assert_true(soil_get_spill(soil, NULL, 0, 0.0) == 0);
    soil_destroy(soil);
}

/// Hung over the ground and turned over by 180 degrees, a box's whole load is spilled.
TEST(test_a_dropped_load_is_spilled)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    ToolShape shape = box_shape(1.0, 1.0, 0.6);
    SoilTool box = box_tool(&shape, vec3(0.0, 0.0, 2.0));
    int64_t load = drop_heap(soil, 0.0, 0.0, 2.0);
    for (int t = 0; t < 480; t++) {
        double angle = radians(180.0) * fmin(t / 180.0, 1.0), c = cos(angle), s = sin(angle);
        box.motion.frame.rotation = (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
        box.motion.spin = vec3(0, t < 180 ? radians(60.0) : 0.0, 0);
        run_ticks(soil, &box, 1, 1);
    }
    assert_true(soil_get_spill(soil, NULL, 0, 0.0) == load);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
