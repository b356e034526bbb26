/// Soil that is loosened and never moves becomes the ground again that it was.
#include "soil/exchange/exchange.h"
#include "tests/support/soil_fixture.h"

static double highest(const Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    double top = ground->base;
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        top = fmax(top, (double)ground->height[k]);
    }
    return top;
}

/// Cuts 9 columns of level ground down to a depth (m) again and again while the grains come to rest and go back.
/// Returns the highest that any column has been, m.
static double shave(double deep, int times)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t total = soil_get_ledger(soil).total;
    double most = 0.0;
    for (int k = 0; k < times; k++) {
        for (int n = 0; n < 9; n++) {
            int row = 39 + n / 3, column = 39 + n % 3;
            cut_mark(soil, row, column, -deep, false);
        }
        cut_marked(soil);
        run_ticks(soil, NULL, 0, 6);
        assert_true(soil_get_ledger(soil).total == total);
        most = fmax(most, highest(soil));
    }
    print_message("cut to %.3f m: highest %.3f m, %d particles left\n", deep, most, soil->state.particles.count);
    soil_destroy(soil);
    return most;
}

/// A grain that comes up again where another lies takes of all columns around and goes back to one: no column rises
/// more than a diameter over the grain, and so over the old surface (0.13 m where all go back).
TEST(shavings_that_come_back_make_no_fangs)
{
    assert_true(shave(0.012, 40) < 0.1);
    assert_true(shave(0.05, 40) < 0.1);
}

/// A patch of 5 x 5 columns is loosened, loose soil runs in below its grains, and they come to rest. Returns how far
/// below the old surface the ground is intact again, of the depth to which it was loosened.
static double sunk_share(const SceneParams *scene)
{
    Soil *soil = make_soil(scene, SOIL_SOLVER_DEFAULT, 1);
    Ground *ground = soil->state.grounds.site;
    const int low = 38, high = 42;
    double depth = 2.0 * soil->model.layer_height, sunk = 0.0, way_under = 0.02;
    for (int k = 0; k < 25; k++) {
        cut_mark(soil, low + k / 5, low + k % 5, -depth, false);
    }
    cut_marked(soil);
    run_ticks(soil, NULL, 0, 2);
    for (int k = 0; k < 25; k++) {
        double density = scene->soils[0].bank_density / (1.0 + scene->soils[0].swell);
        int64_t mass = (int64_t)(density * ground->area * way_under / SOIL_QUANTUM);
        ground_put(ground, low + k / 5, low + k % 5, 0, mass, false);
    }
    int64_t total = soil_get_ledger(soil).total;
    run_ticks(soil, NULL, 0, 90);
    assert_int_equal(soil_get_ledger(soil).total, total);
    assert_int_equal(soil->state.particles.count, 0);
    for (int row = low; row <= high; row++) {
        for (int column = low; column <= high; column++) {
            sunk -= ground_firm_top(ground, row, column) / 25.0;
        }
    }
    print_message("loosened %.3f m deep: intact again up to %.3f m below the old surface\n", depth, sunk);
    soil_destroy(soil);
    return sunk / depth;
}

/// The grains are intact ground again, and the loose soil lies on them.
TEST(soil_goes_back_below_what_ran_in_under_it)
{
    SceneParams scene = loam_scene();
    assert_true(sunk_share(&scene) < 1.0 / 3.0);
}

/// Nothing bonds them to the ground below the loose soil: what has lain on it is loose, and slides as it does.
TEST(soil_without_cohesion_stays_on_what_ran_in_under_it)
{
    SceneParams scene = sand_scene();
    assert_true(sunk_share(&scene) > 0.9);
}

TEST_GROUP(NULL, NULL)
