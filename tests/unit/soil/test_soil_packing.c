/// The packing of undisturbed soil: its table, made anew.
///
/// Spheres at random places are pushed apart step by step until they hardly overlap, in a box that repeats. Each pair
/// that overlaps gives way by a part of the overlap, all pairs at once from the same places (a relaxation after
/// Jacobi), so that the result depends on no order. What is left of the overlap at the end is a hundredth of a radius
/// or two; contacts at birth remember the gap they were born with, so that it holds no force.
#include "data/core/random.h"
#include "soil/grains/packing.h"
#include "tests/support/test.h"

/// Steps in all, and steps between two lists of near spheres. Chosen so that overlaps end below OVERLAP.
enum { PUSHES = 400, PUSHES_A_LIST = 25 };
/// Room for near spheres of one: within 2.7 mean radii of a random packing there are some thirty at most.
enum { MOST_NEAR = 40 };

/// Part of an overlap that each of the two gives way by in a push.
#define YIELD 0.3
/// Spheres nearer than so many radii are looked at until the next list is made.
#define NEAR 2.7

typedef struct Pushing {
    double at[PACKING_SPHERES][3], radius[PACKING_SPHERES];
    double radius_mean;
    int near_count[PACKING_SPHERES];
    int near[PACKING_SPHERES][MOST_NEAR]; ///< with higher numbers
} Pushing;

static const double periods[3] = {PACKING_SIDE, PACKING_SIDE, PACKING_PERIOD};

/// The way from sphere j to the nearest copy of sphere i; returns its square.
static double way(const Pushing *pushing, int i, int j, double between[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = pushing->at[i][k] - pushing->at[j][k];
        between[k] = d - periods[k] * floor(d / periods[k] + 0.5);
        square += between[k] * between[k];
    }
    return square;
}

static void place_at_random(Pushing *pushing)
{
    double sum = 0.0, volume = periods[0] * periods[1] * periods[2];
    for (uint64_t i = 0; i < PACKING_SPHERES; i++) {
        for (uint64_t k = 0; k < 3; k++) {
            pushing->at[i][k] = periods[k] * random_unit(1, k, i);
        }
        pushing->radius[i] = 1.0 + PACKING_SPREAD * (2.0 * random_unit(1, 3, i) - 1.0);
        sum += pushing->radius[i] * pushing->radius[i] * pushing->radius[i];
    }
    pushing->radius_mean = packing_cube_root(PACKING_SOLID * volume / (4.0 / 3.0 * M_PI * sum));
    for (int i = 0; i < PACKING_SPHERES; i++) {
        pushing->radius[i] *= pushing->radius_mean;
    }
}

static void list_near(Pushing *pushing)
{
    double far = NEAR * pushing->radius_mean, between[3];
    for (int i = 0; i < PACKING_SPHERES; i++) {
        pushing->near_count[i] = 0;
        for (int j = i + 1; j < PACKING_SPHERES && pushing->near_count[i] < MOST_NEAR; j++) {
            if (way(pushing, i, j, between) < far * far) {
                pushing->near[i][pushing->near_count[i]++] = j;
            }
        }
    }
}

static void push_apart(Pushing *pushing)
{
    double moves[PACKING_SPHERES][3];
    memset(moves, 0, sizeof moves);
    for (int i = 0; i < PACKING_SPHERES; i++) {
        for (int n = 0; n < pushing->near_count[i]; n++) {
            int j = pushing->near[i][n];
            double between[3], square = way(pushing, i, j, between), touch = pushing->radius[i] + pushing->radius[j];
            if (square >= touch * touch || square <= 0.0) {
                continue;
            }
            double push = YIELD * (touch / sqrt(square) - 1.0);
            for (int k = 0; k < 3; k++) {
                moves[i][k] += push * between[k];
                moves[j][k] -= push * between[k];
            }
        }
    }
    for (int i = 0; i < PACKING_SPHERES; i++) {
        for (int k = 0; k < 3; k++) {
            double at = pushing->at[i][k] + moves[i][k];
            pushing->at[i][k] = at - periods[k] * floor(at / periods[k]);
        }
    }
}

/// Unit column of a sphere.
static int column_of(const Pushing *pushing, int i)
{
    int x = (int)pushing->at[i][0] % PACKING_SIDE, y = (int)pushing->at[i][1] % PACKING_SIDE;
    return y * PACKING_SIDE + x;
}

static int compare_heights(const void *a, const void *b)
{
    float first = ((const PackingSphere *)a)->z, second = ((const PackingSphere *)b)->z;
    return (first > second) - (first < second);
}

static void make_packing(Pushing *pushing)
{
    place_at_random(pushing);
    for (int push = 0; push < PUSHES; push++) {
        if (push % PUSHES_A_LIST == 0) {
            list_near(pushing);
        }
        push_apart(pushing);
    }
}

/// Lists the spheres by unit column, then upwards.
static void list_spheres(const Pushing *pushing, PackingSphere spheres[PACKING_SPHERES],
                         int first[PACKING_SIDE * PACKING_SIDE + 1])
{
    int count = 0;
    for (int column = 0; column < PACKING_SIDE * PACKING_SIDE; column++) {
        first[column] = count;
        for (int i = 0; i < PACKING_SPHERES; i++) {
            const double *at = pushing->at[i];
            if (column_of(pushing, i) == column) {
                spheres[count++] = (PackingSphere){.x = (float)(at[0] - floor(at[0])),
                                                   .y = (float)(at[1] - floor(at[1])),
                                                   .z = (float)at[2],
                                                   .radius = (float)pushing->radius[i]};
            }
        }
        qsort(spheres + first[column], (size_t)(count - first[column]), sizeof *spheres, compare_heights);
    }
    first[PACKING_SIDE * PACKING_SIDE] = count;
}

/// A sphere that differs is printed as the table has to hold it.
TEST(the_table_is_the_packing_that_is_made)
{
    Pushing pushing;
    PackingSphere spheres[PACKING_SPHERES];
    int first[PACKING_SIDE * PACKING_SIDE + 1], different = 0;
    make_packing(&pushing);
    list_spheres(&pushing, spheres, first);
    for (int k = 0; k < PACKING_SPHERES; k++) {
        if (memcmp(&spheres[k], &packing_spheres[k], sizeof spheres[k]) != 0) {
            print_error("sphere %d: {%aF, %aF, %aF, %aF},\n", k, (double)spheres[k].x, (double)spheres[k].y,
                        (double)spheres[k].z, (double)spheres[k].radius);
            different++;
        }
    }
    assert_int_equal(different, 0);
    assert_memory_equal(first, packing_first, sizeof first);
}

/// Radii: overlap that is left of two spheres.
#define OVERLAP 0.03

TEST(spheres_hardly_overlap)
{
    Pushing pushing;
    double deepest = 0.0, between[3];
    make_packing(&pushing);
    for (int i = 0; i < PACKING_SPHERES; i++) {
        for (int j = i + 1; j < PACKING_SPHERES; j++) {
            double gap = sqrt(way(&pushing, i, j, between)) - pushing.radius[i] - pushing.radius[j];
            deepest = fmax(deepest, -gap / pushing.radius_mean);
        }
    }
    assert_true(deepest < OVERLAP);
}

TEST_GROUP(NULL, NULL)
