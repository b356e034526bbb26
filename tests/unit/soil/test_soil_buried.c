/// A pipe in the ground: soil lies on it and is dug down to it, grains rest on it, and nothing of it is dug away.
#include "tests/support/soil_fixture.h"

#include "data/schema/scene_site.h"
#include "soil/soil_parts.h"

/// A pipe of 0.6 m across y, its crown 0.5 m deep.
static SceneParams piped_scene(void)
{
    SceneParams scene = loam_scene();
    scene.fixtures_count = 1;
    scene.fixtures[0] = (SceneFixture){.name = "main",
                                       .shape = SCENE_FIXTURE_PIPE,
                                       .x = 0.05,
                                       .heading = radians(90),
                                       .length = 4,
                                       .radius = 0.3,
                                       .z = -0.8,
                                       .bottom = -1.1,
                                       .top = -0.5};
    return scene;
}

TEST(a_pipe_is_a_level_cylinder)
{
    SceneParams scene = piped_scene();
    const SceneFixture *pipe = &scene.fixtures[0];
    Vec3 points[SCENE_FIXTURE_MAX_POINTS];
    assert_int_equal(scene_fixture_points(pipe, points), 24);
    for (int k = 0; k < 24; k++) {
        assert_near(points[k].y, k < 12 ? -2.0 : 2.0, 1e-9);
        assert_near(hypot(points[k].x - 0.05, points[k].z + 0.8), 0.3 / cos(M_PI / 12), 1e-9);
    }
    assert_near(scene_fixture_crown(pipe, 0.05, 1.9), -0.5, 1e-9);
    assert_near(scene_fixture_crown(pipe, 0.23, -1.9), -0.8 + 0.24, 1e-9); // 0.18 beside: a 3-4-5 triangle
    assert_true(scene_fixture_crown(pipe, 0.36, 0.0) < -1e9);
    assert_true(scene_fixture_crown(pipe, 0.05, 2.1) < -1e9);
}

/// Everything is taken that can be: over the pipe down to it, beside it down to bedrock.
TEST(soil_is_dug_down_to_the_pipe_alone)
{
    SceneParams scene = piped_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Ground *ground = soil->state.grounds.site;
    int64_t total = ground_total(ground), taken = 0;
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        int index;
        double loose;
        taken += ground_cut(ground, k / ground->columns, k % ground->columns, -5.0, &index, &loose);
    }
    assert_true(ground_total(ground) + taken == total);
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        double x = ground->origin_x + k % ground->columns * ground->spacing;
        double y = ground->origin_y + k / ground->columns * ground->spacing;
        double crown = scene_fixture_crown(&scene.fixtures[0], x, y);
        assert_near((double)ground->height[k], crown > -2.0 ? crown : -2.0, 1e-4);
    }
    soil_destroy(soil);
}

/// Where the trench beside it is deep, loosened soil over the pipe slides off it, but not what is kept.
TEST(what_is_loosened_over_it_slides_off_and_no_more)
{
    SceneParams scene = piped_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Ground *ground = soil->state.grounds.site;
    int row, column, index;
    double loose;
    for (int k = 0; k < 200; k++) { // a trench of 1 m with the pipe in its middle, 0.1 m of soil left on that
        ground_column_at(ground, -0.45 + 0.1 * (k % 10), -0.95 + 0.1 * (double)(k / 10), &row, &column);
        bool over = k % 10 >= 2 && k % 10 <= 7;
        ground_cut(ground, row, column, over ? -0.4 : -1.2, &index, &loose);
        ground_loosen(ground, row, column, -5.0);
    }
    int64_t total = ground_total(ground);
    for (int k = 0; k < 3000; k++) {
        ground_slide(ground, 0, 1);
    }
    assert_true(ground_total(ground) == total);
    double lowest = 0.0;
    for (int k = 2; k <= 7; k++) {
        ground_column_at(ground, -0.45 + 0.1 * k, 0.05, &row, &column);
        double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
        double height = (double)ground->height[ground_index(ground, row, column)];
        double crown = scene_fixture_crown(&scene.fixtures[0], x, y);
        assert_true(crown < -2.0 || height >= crown - 1e-4);
        lowest = fmin(lowest, height);
    }
    assert_true(lowest < -0.45); // it did slide
    soil_destroy(soil);
}

TEST(grains_rest_on_the_bare_pipe)
{
    SceneParams scene = piped_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Ground *ground = soil->state.grounds.site;
    int row, column, index;
    double loose;
    for (int k = 0; k < 400; k++) { // all around it is dug away, deeper than it lies
        ground_column_at(ground, -0.95 + 0.1 * (k % 20), -0.95 + 0.1 * (double)(k / 20), &row, &column);
        ground_cut(ground, row, column, -1.6, &index, &loose);
    }
    int64_t total = soil_get_ledger(soil).total;
    assert_true(soil_add_particle(soil, vec3(0.05, 0.0, -0.3), vec3(0, 0, 0), 0.05, 0, 0.8) >= 0);
    assert_true(soil_add_particle(soil, vec3(0.75, 0.0, -0.3), vec3(0, 0, 0), 0.05, 0, 0.8) >= 0);
    total += 2 * (int64_t)(0.8 / SOIL_QUANTUM + 0.5);
    run_ticks(soil, NULL, 0, 120);
    SoilParticleView grains = soil_get_particles(soil);
    assert_int_equal(grains.count, 2);
    for (int k = 0; k < 2; k++) {
        bool beside = (double)grains.x[k] > 0.45;
        assert_near((double)grains.z[k], beside ? -1.55 : -0.45, 0.02);
    }
    assert_true(soil_get_ledger(soil).total == total);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
