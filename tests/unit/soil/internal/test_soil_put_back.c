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

TEST_MAIN(NULL, NULL)
