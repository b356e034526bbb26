/// Compaction of loose soil: the logarithmic law, its bounds, ruts.
#include "tests/support/soil_fixture.h"

#include "data/schema/load.h"
#include "soil/ground/ground.h"

enum { SIDE = 20 };

/// A level site on whose every column `thickness` m of loose soil lie.
static Ground *filled_ground(const SceneParams *scene, double thickness)
{
    Ground *ground = ground_create(scene, &scene->ground, 7, SIDE, SIDE, -scene->ground.bedrock_depth);
    assert_non_null(ground);
    const SoilParams *soil = &scene->soils[0];
    double mass = thickness * soil->bank_density / (1.0 + soil->swell) * ground->area / SOIL_QUANTUM;
    for (int k = 0; k < SIDE * SIDE; k++) {
        ground_put(ground, k / SIDE, k % SIDE, 0, (int64_t)(mass + 0.5), false);
    }
    return ground;
}

static double height_of(const Ground *ground, int row, int column)
{
    return (double)ground->height[ground_index(ground, row, column)];
}

/// Presses a column until it sinks no more; returns how far.
static double press_until_still(Ground *ground, int row, int column, double pressure, double width)
{
    double start = height_of(ground, row, column), before = start, now;
    for (int pass = 0; pass < 1000; pass++) {
        ground_compact(ground, row, column, pressure, width, 0.002);
        now = height_of(ground, row, column);
        assert_true(now <= before && before - now < 0.002 + 1e-6);
        if (now == before) {
            return start - now;
        }
        before = now;
    }
    fail_msg("still sinking after 1000 passes");
    return 0.0;
}

/// Of 0.3 m of loose soil on intact ground nothing is dense; pressed once more than the law asks for, all of it is, and
/// intact ground always was.
TEST(what_is_dense_enough_is_told_by_height)
{
    SceneParams scene = loam_scene();
    Status status;
    assert_true(data_load_soil("loam", &scene.soils[0], NULL, &status));
    Ground *ground = filled_ground(&scene, 0.3);
    double top = height_of(ground, 5, 5), below = top - 0.3;
    assert_near(ground_dense_thickness(ground, 5, 5, below, top, 0.9), 0.0, 1e-4);
    assert_near(ground_dense_thickness(ground, 5, 5, below - 0.2, top, 0.9), 0.2, 1e-4);
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count = ground_profile_layers(ground, 5, 5, layers);
    assert_int_equal(count, 2); // what was put down, and the bank
    assert_near(layers[0].bottom, below, 1e-4);
    assert_near(layers[0].looseness, 1.0, 1e-4);
    assert_near(layers[1].bottom, -scene.ground.bedrock_depth, 0.05);
    assert_near(layers[1].looseness, 0.0, 1e-9);
    // 80 kPa: 1232 / (1 - 1232 / 2650 x 0.2 / ln 10 x ln 16) = 1388 kg/m3, 0.901 of 1540.
    double sunk = press_until_still(ground, 5, 5, 80e3, 1e6);
    assert_near(ground_dense_thickness(ground, 5, 5, below, top, 0.9), 0.3 - sunk, 1e-4);
    assert_near(ground_dense_thickness(ground, 5, 5, below, top, 0.91), 0.0, 1e-4);
    assert_near(ground_dense_thickness(ground, 5, 5, below + 0.1, below + 0.15, 0.9), 0.05, 1e-4);
    ground_destroy(ground);
}

/// Terzaghi: a layer of thickness H under a wide plate settles by H Cc / (1 + e0) log10(sigma / sigma0).
TEST(a_wide_plate_settles_as_terzaghi_says)
{
    SceneParams scene = loam_scene();
    Status status;
    assert_true(data_load_soil("loam", &scene.soils[0], NULL, &status));
    const SoilParams *soil = &scene.soils[0];
    double e0 = 2650.0 / (soil->bank_density / (1.0 + soil->swell)) - 1.0;
    double last = 0.0;
    for (double pressure = 10e3; pressure < 200e3; pressure *= 2.0) {
        Ground *ground = filled_ground(&scene, 0.3);
        int64_t total = ground_total(ground);
        double expected = 0.3 * soil->compression_index / (1.0 + e0) * log10(pressure / 5e3);
        double sunk = press_until_still(ground, 5, 5, pressure, 1e6);
        print_message("loam under %3.0f kPa: %.1f mm of 300, law %.1f\n", pressure / 1e3, 1e3 * sunk, 1e3 * expected);
        assert_near(sunk, expected, 0.01 * expected + 1e-4);
        assert_true(sunk > last);
        assert_true(ground_total(ground) == total);
        last = sunk;
        ground_destroy(ground);
    }
}

/// Every soil: denser with pressure, never denser than in the bank, and at rest under what it has borne.
TEST(soil_compacts_to_bank_density_at_most)
{
    static const char *const names[] = {"sand", "gravel", "topsoil", "loam", "clay", "wet-clay"};
    for (int k = 0; k < 6; k++) {
        SoilParams soil;
        Status status;
        assert_true(data_load_soil(names[k], &soil, NULL, &status));
        double loose = soil.bank_density / (1.0 + soil.swell), last = 0.0;
        assert_near(compact_density(&soil, 0.0), loose, 1e-9);
        assert_near(compact_density(&soil, 5e3), loose, 1e-9);
        for (double pressure = 1e3; pressure < 1e9; pressure *= 1.5) {
            double density = compact_density(&soil, pressure);
            assert_true(density >= last && density <= soil.bank_density);
            last = density;
        }
        assert_near(last, soil.bank_density, 1e-9);
        print_message("%-8s loose %4.0f, at 50 kPa %4.0f, bank %4.0f kg/m3\n", names[k], loose,
                      compact_density(&soil, 50e3), soil.bank_density);
    }
}

/// A pass with less pressure than before does nothing, one with more sinks deeper, a narrower plate less deep.
TEST(passes_saturate_and_more_pressure_sinks_deeper)
{
    SceneParams scene = loam_scene();
    Ground *ground = filled_ground(&scene, 1.0);
    int64_t total = ground_total(ground);
    double first = press_until_still(ground, 5, 5, 50e3, 0.6);
    assert_true(first > 0.01);
    assert_near(press_until_still(ground, 5, 5, 50e3, 0.6), 0.0, 0.0);
    assert_near(press_until_still(ground, 5, 5, 30e3, 0.6), 0.0, 0.0);
    assert_true(press_until_still(ground, 5, 5, 100e3, 0.6) > 0.005);
    double narrow = press_until_still(ground, 9, 9, 50e3, 0.15);
    assert_true(narrow > 0.0 && narrow < 0.8 * first);
    assert_true(ground_total(ground) == total);
    assert_near(height_of(ground, 2, 2), 1.0, 1e-4); // columns beside it do not move
    // Near the surface it is denser than below.
    assert_true(ground_looseness(ground, 5, 5, 0.2) < ground_looseness(ground, 5, 5, 0.9) - 0.05);
    ground_destroy(ground);
}

TEST(intact_ground_and_light_pressure_change_nothing)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    uint64_t before = hash_soil(soil);
    for (int pass = 0; pass < 50; pass++) {
        soil_press(soil, &(SoilFootprint){.heading = 0.3, .length = 3.0, .width = 0.6, .pressure = 80e3});
    }
    assert_true(hash_soil(soil) == before);
    soil_destroy(soil);
    Ground *ground = filled_ground(&scene, 0.5);
    assert_near(press_until_still(ground, 5, 5, 5e3, 0.6), 0.0, 0.0);
    ground_destroy(ground);
}

/// A track that goes over a mound leaves a rut of its own width; the surface there is firmer than beside it.
TEST(a_track_leaves_a_rut)
{
    SceneParams scene = loam_scene();
    scene.ground.mound_count = 1;
    scene.ground.mounds[0] = (SceneMound){.x = 0.0, .y = 0.0, .height = 0.8};
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t total = soil_get_ledger(soil).total;
    double middle = soil_get_height(soil, 0.0, 0.0), beside = soil_get_height(soil, 0.0, 0.6);
    for (int pass = 0; pass < 200; pass++) {
        soil_press(soil, &(SoilFootprint){.length = 1.0, .width = 0.6, .pressure = 50e3});
    }
    double rut = middle - soil_get_height(soil, 0.0, 0.0);
    print_message("rut in loose loam under 50 kPa on a 0.6 m track: %.0f mm\n", 1e3 * rut);
    assert_true(rut > 0.01 && rut < 0.1);
    assert_near(soil_get_height(soil, 0.0, 0.6), beside, 1e-6);
    assert_true(soil_get_surface(soil, 0.0, 0.0).looseness < soil_get_surface(soil, 0.0, 0.6).looseness - 0.1);
    assert_true(soil_get_ledger(soil).total == total);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
