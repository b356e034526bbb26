/// Water on the ground: levels of basins by closed forms, the saddle between two, the volume that is kept, the site's
/// edge; and the flow out of a hole.
// test: sanitized

#include "data/core/constants.h"
#include "tests/support/test.h"
#include "trainer/sim/flood.h"
#include "trainer/sim/utilities.h"

enum { ROWS = 30, COLUMNS = 40 };
static const double spacing = 0.1;

/// A site at the height 0 with pits.
typedef struct Yard {
    float height[ROWS * COLUMNS];
    SoilGridView grid;
    Flood *flood;
} Yard;

static void dig(Yard *yard, int row, int column, int rows, int columns, float height)
{
    for (int i = row; i < row + rows; i++) {
        for (int j = column; j < column + columns; j++) {
            yard->height[i * COLUMNS + j] = height;
        }
    }
}

static Yard *make_yard(void)
{
    Yard *yard = calloc(1, sizeof *yard);
    assert_non_null(yard);
    yard->grid = (SoilGridView){.rows = ROWS, .columns = COLUMNS, .spacing = spacing, .height = yard->height};
    yard->flood = flood_create(ROWS, COLUMNS);
    assert_non_null(yard->flood);
    return yard;
}

static void free_yard(Yard *yard)
{
    flood_destroy(yard->flood);
    free(yard);
}

/// m3 between the ground and the water's surface, summed over the columns.
static double standing(const Yard *yard)
{
    double sum = 0.0;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        double surface = flood_surface(yard->flood, k / COLUMNS, k % COLUMNS);
        sum += surface > -HUGE_VAL ? spacing * spacing * (surface - (double)yard->height[k]) : 0.0;
    }
    return sum;
}

TEST(a_hole_fills_to_its_volume_over_its_floor)
{
    Yard *yard = make_yard();
    dig(yard, 5, 5, 10, 20, -1.0f); // 1 m x 2 m
    FloodPool pool = flood_pour(yard->flood, &yard->grid, 1.0, 1.0, 0.5);
    assert_near(pool.level, -0.75, 1e-9);
    assert_near(pool.depth, 0.25, 1e-9);
    assert_near(pool.volume, 0.5, 1e-12);
    assert_near(pool.run_off, 0.0, 0.0);
    assert_near(standing(yard), 0.5, 1e-9);
    assert_near(pool.high[0] - pool.low[0], 2.0, 1e-9);
    assert_near(pool.high[1] - pool.low[1], 1.0, 1e-9);
    dig(yard, 5, 5, 10, 10, -0.9f); // half of the floor is 0.1 m higher: V = 1 m x 1 m x (h + h - 0.1)
    pool = flood_pour(yard->flood, &yard->grid, 0.6, 1.0, 0.5); // over the higher half
    assert_near(pool.depth, 0.3, 1e-6);
    assert_near(standing(yard), 0.5, 1e-6);
    pool = flood_pour(yard->flood, &yard->grid, 0.6, 1.0, 0.0);
    assert_near(pool.depth, 0.0, 0.0);
    free_yard(yard);
}

/// Two pits of 1 m2 with a ridge 0.5 m over the floors between: the first is full with 0.5 m3, the second takes the
/// next 0.5 m3, and from there on both rise together with the ridge under water.
TEST(a_full_basin_runs_over_its_saddle_into_the_next)
{
    Yard *yard = make_yard();
    dig(yard, 5, 5, 10, 10, -1.0f);
    dig(yard, 5, 15, 10, 2, -0.5f);
    dig(yard, 5, 17, 10, 10, -1.0f);
    const struct {
        double volume, first, second;
    } steps[] = {{0.4, -0.6, -HUGE_VAL}, {0.7, -0.5, -0.8}, {0.9, -0.5, -0.6}, {1.22, -0.4, -0.4}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        FloodPool pool = flood_pour(yard->flood, &yard->grid, 1.0, 1.0, steps[k].volume);
        assert_near(flood_surface(yard->flood, 10, 10), steps[k].first, 1e-6);
        double second = flood_surface(yard->flood, 10, 20);
        assert_true(isfinite(second) == isfinite(steps[k].second));
        assert_true(!isfinite(second) || fabs(second - steps[k].second) < 1e-6);
        assert_near(standing(yard), steps[k].volume, 1e-6);
        assert_near(pool.run_off, 0.0, 0.0);
    }
    free_yard(yard);
}

TEST(what_a_full_hole_does_not_hold_runs_off_the_site)
{
    Yard *yard = make_yard();
    dig(yard, 5, 5, 10, 10, -0.3f);
    FloodPool pool = flood_pour(yard->flood, &yard->grid, 1.0, 1.0, 2.0);
    assert_near(pool.level, 0.0, 1e-6);
    assert_near(pool.volume, 0.3, 1e-6);
    assert_near(pool.volume + pool.run_off, 2.0, 1e-12);
    assert_near(standing(yard), pool.volume, 1e-6);
    free_yard(yard);
}

/// On uneven ground nothing is lost, however many basins there are; the same call gives the same water.
TEST(uneven_ground_keeps_the_volume)
{
    Yard *yard = make_yard();
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        yard->height[k] = (float)(((unsigned)k * 2654435761u >> 20) % 100u) * 0.003f;
    }
    for (int k = 1; k < 12; k++) {
        double volume = 0.02 * k;
        FloodPool pool = flood_pour(yard->flood, &yard->grid, 2.0, 1.5, volume);
        assert_near(pool.volume + pool.run_off, volume, 1e-12);
        assert_near(standing(yard), pool.volume, 1e-9);
        FloodPool again = flood_pour(yard->flood, &yard->grid, 2.0, 1.5, volume);
        assert_memory_equal(&again, &pool, sizeof pool);
    }
    free_yard(yard);
}

/// Q = 0.62 (pi d^2 / 4) sqrt(2 p / rho): 4 bar through 50 mm are 28.3 m/s and 34.4 l/s.
TEST(the_flow_out_of_a_hole_is_torricellis)
{
    assert_near(utilities_leak(0.05, 4e5), 0.62 * 0.25 * M_PI * 0.05 * 0.05 * sqrt(800.0), 1e-12);
    assert_near(utilities_leak(0.05, 4e5), 0.03443, 1e-5);
    assert_near(utilities_leak(0.05, 0.0), 0.0, 0.0);
    assert_near(utilities_leak(0.05, -1e3), 0.0, 0.0);
}

TEST_GROUP(NULL, NULL)
