/// Banks and cuts in the columns of the ground: planes by hand, layers that a cut opens, mass, and slopes that slide.
#include "tests/support/soil_fixture.h"

#include "data/schema/scene_site.h"
#include "soil/soil_parts.h"

static SceneEarthwork bank(double height)
{
    return (SceneEarthwork){.shape = SCENE_EARTHWORK_BANK,
                            .length = 2,
                            .width = 1,
                            .height = height,
                            .slope = radians(45),
                            .soil_index = 2};
}

static SceneEarthwork cut(double height)
{
    SceneEarthwork shape = bank(height);
    shape.shape = SCENE_EARTHWORK_CUT;
    return shape;
}

TEST(planes_fall_from_the_crest_and_rise_from_the_floor)
{
    SceneEarthwork shape = bank(1.5);
    shape.x = 1;
    shape.heading = radians(90); // 2 m along y
    shape.start_slope = atan(0.25);
    shape.end_slope = radians(90);
    assert_near(scene_earthwork_height(&shape, 1.5, 0.9), 1.5, 1e-12); // on the crest
    assert_near(scene_earthwork_height(&shape, 1.8, 0.5), 1.2, 1e-12); // 0.3 m beside it, 45 degrees
    assert_near(scene_earthwork_height(&shape, 1.0, -3.0), 1.0, 1e-12); // 2 m behind it, 1 : 4
    assert_near(scene_earthwork_height(&shape, 2.2, -3.0), 0.8, 1e-12); // the greater fall holds at a corner
    assert_true(scene_earthwork_height(&shape, 1.0, 1.1) < -1e9); // an upright end
    shape.shape = SCENE_EARTHWORK_CUT;
    shape.height = -1.0;
    assert_near(scene_earthwork_height(&shape, 1.8, 0.5), -0.7, 1e-12);
    assert_true(scene_earthwork_height(&shape, 1.0, 1.1) > 1e9);
}

TEST(a_bank_lies_on_what_was_there_and_a_cut_opens_it)
{
    SceneParams scene = layered_scene();
    scene.ground.earthwork_count = 2;
    scene.ground.earthworks[0] = bank(1.0);
    scene.ground.earthworks[1] = cut(-0.8);
    scene.ground.earthworks[1].x = 1.5; // floor from 0.5 to 2.5
    expect_strata(&scene, -0.8, 0, 3, (int[]){2, 0, 1},
                  (double[]){0.5, 0.5, 1.5}); // 1.3 m beside the floor: cut at 0.5
    expect_strata(&scene, 0.2, 0, 1, (int[]){1}, (double[]){1.5}); // 0.3 m beside it: cut at -0.5, where clay begins
    expect_strata(&scene, 1.0, 0, 1, (int[]){1}, (double[]){1.2});
    expect_strata(&scene, -1.4, 0, 3, (int[]){2, 0, 1}, (double[]){0.6, 0.5, 1.5}); // 0.4 m beside the crest, uncut
}

TEST(later_shapes_act_on_earlier_ones)
{
    SceneParams scene = layered_scene();
    scene.ground.earthwork_count = 3;
    scene.ground.earthworks[0] = cut(-1.0);
    scene.ground.earthworks[1] = bank(-0.4); // fills the cut again, with another soil
    scene.ground.earthworks[2] = cut(-0.7);
    scene.ground.earthworks[2].length = 0.5;
    expect_strata(&scene, 0.9, 0, 2, (int[]){2, 1}, (double[]){0.6, 1.0});
    expect_strata(&scene, 0.0, 0, 2, (int[]){2, 1}, (double[]){0.3, 1.0});
    expect_strata(&scene, 3.0, 0, 2, (int[]){0, 1}, (double[]){0.5, 1.5}); // beside all of them
    assert_near(scene_surface(&scene.ground, 0.02, 0.0, 0.0), -0.7, 1e-12);
    assert_near(scene_surface(&scene.ground, 0.02, 3.5, 0.0), 0.02, 1e-12);
}

/// Heights are those of the planes, and the ledger holds the volume of the stumps by the prismoidal formula: with crest
/// a x b, sides falling 1 : 1 over h, V = h (a b + (a + b) h + 4/3 h^2).
TEST(columns_follow_the_planes_and_their_mass_is_the_stumps)
{
    SceneParams scene = layered_scene(), plain = scene;
    scene.ground.earthwork_count = 2;
    scene.ground.earthworks[0] = bank(1.0);
    scene.ground.earthworks[0].x = -2;
    scene.ground.earthworks[1] = cut(-0.4);
    scene.ground.earthworks[1].x = 2;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *level = make_soil(&plain, SOIL_SOLVER_DEFAULT, 1);
    assert_near(soil_get_height(soil, -2.05, 0.05), 1.0, 1e-5);
    assert_near(soil_get_height(soil, -2.05, 0.95), 0.55, 1e-5);
    assert_near(soil_get_height(soil, 2.05, 0.05), -0.4, 1e-5);
    assert_near(soil_get_height(soil, 2.05, 0.65), -0.25, 1e-5);
    assert_near(soil_get_height(soil, 3.95, 3.95), 0.0, 1e-5);
    double banked = 1.0 * (2.0 + 3.0 * 1.0 + 4.0 / 3.0), dug = 0.4 * (2.0 + 3.0 * 0.4 + 4.0 / 3.0 * 0.16);
    double mass = (double)(soil_get_ledger(soil).ground - soil_get_ledger(level).ground) * SOIL_QUANTUM;
    double expected = 1600.0 * banked - 1540.0 * dug;
    assert_near(mass, expected, 0.01 * expected); // columns of 0.1 m
    soil_destroy(soil);
    soil_destroy(level);
}

/// A cut through tipped soil leaves it steeper than it stands: it slides by itself, to its angle, without loss.
TEST(loose_soil_that_a_cut_opens_slides)
{
    for (int loose = 0; loose < 2; loose++) {
        SceneParams scene = layered_scene();
        scene.ground.earthwork_count = 2;
        scene.ground.earthworks[0] = bank(1.2);
        scene.ground.earthworks[0].slope = radians(30);
        scene.ground.earthworks[0].loose = loose == 1;
        scene.ground.earthworks[1] = cut(0.0);
        scene.ground.earthworks[1].slope = radians(80);
        scene.ground.earthworks[1].x = 2; // from 1 to 3
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        int64_t before = soil_get_ledger(soil).total;
        double high = soil_get_height(soil, 0.75, 0.05);
        for (int k = 0; k < 240; k++) {
            soil_begin_tick(soil, NULL, 0, 1.0 / 60.0);
            for (int n = 0; n < 8; n++) {
                soil_substep(soil, NULL, 0, 1.0 / 480.0, NULL);
            }
            soil_end_tick(soil, NULL, 0);
        }
        double fallen = high - soil_get_height(soil, 0.75, 0.05);
        assert_true(loose == 1 ? fallen > 0.3 : fallen == 0.0);
        assert_true(soil_get_ledger(soil).total == before);
        soil_destroy(soil);
    }
}

TEST(a_rectangle_rests_on_its_highest_places)
{
    SceneParams scene = layered_scene();
    SceneStand stand = scene_stand(&scene.ground, 0, 0, 0.3, 3, 2);
    assert_true(stand.height == 0.0 && stand.along == 0.0 && stand.across == 0.0 && stand.deepest == 0.0);
    scene.ground.earthwork_count = 1;
    scene.ground.earthworks[0] = bank(3.0);
    scene.ground.earthworks[0].width = 20;
    scene.ground.earthworks[0].slope = atan(0.25);
    stand = scene_stand(&scene.ground, 5, 0, radians(90), 2, 1); // 4 m down a slope of 1 : 4, along the contour
    assert_near(stand.height, 2.0, 1e-9);
    assert_near(stand.along, 0.0, 1e-9);
    assert_near(stand.across, 0.25, 1e-9);
    assert_near(stand.deepest, 0.0, 1e-9);
    stand = scene_stand(&scene.ground, 1, 0, 0, 2, 1); // half on the crest
    assert_near(stand.deepest, 0.25 * 2.0 / 4.0, 0.002); // a fold of grade g in the middle of L: g L / 4
    assert_near(scene_surface_change(&scene.ground, 5, 0, 0, (double[]){0, 2}, 0.5), 2.0, 1e-9);
}

TEST_GROUP(NULL, NULL)
