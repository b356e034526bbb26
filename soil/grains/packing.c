/// The packing: spheres at random places, pushed apart step by step until they hardly overlap, in a box that repeats.
///
/// Each pair that overlaps gives way by a part of the overlap, all pairs at once from the same places (a relaxation
/// after Jacobi), so that the result depends on no order. What is left of the overlap at the end is a hundredth of a
/// radius or two; contacts at birth remember the gap they were born with, so that it holds no force.
#include "soil/grains/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/random.h"

/// Steps in all, and steps between two lists of near spheres. Chosen so that overlaps end as packing.h says.
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

bool packing_create(Packing *packing)
{
    Pushing *pushing = malloc(sizeof *pushing); // too large for a small stack
    if (pushing == NULL) {
        return false;
    }
    place_at_random(pushing);
    for (int push = 0; push < PUSHES; push++) {
        if (push % PUSHES_A_LIST == 0) {
            list_near(pushing);
        }
        push_apart(pushing);
    }
    int count = 0;
    for (int column = 0; column < PACKING_SIDE * PACKING_SIDE; column++) {
        packing->first[column] = count;
        for (int i = 0; i < PACKING_SPHERES; i++) {
            if (column_of(pushing, i) == column) {
                packing->spheres[count++] = (PackingSphere){.x = (float)(pushing->at[i][0] - floor(pushing->at[i][0])),
                                                            .y = (float)(pushing->at[i][1] - floor(pushing->at[i][1])),
                                                            .z = (float)pushing->at[i][2],
                                                            .radius = (float)pushing->radius[i]};
            }
        }
        int first = packing->first[column];
        qsort(packing->spheres + first, (size_t)(count - first), sizeof *packing->spheres, compare_heights);
    }
    packing->first[PACKING_SIDE * PACKING_SIDE] = count;
    free(pushing);
    return true;
}

static int wrap(int column)
{
    return (column % PACKING_SIDE + PACKING_SIDE) % PACKING_SIDE;
}

double packing_next(const Packing *packing, int column_x, int column_y, double z, const PackingSphere **sphere)
{
    int column = wrap(column_y) * PACKING_SIDE + wrap(column_x);
    int first = packing->first[column], end = packing->first[column + 1];
    for (double base = PACKING_PERIOD * floor(z / PACKING_PERIOD);; base += PACKING_PERIOD) {
        for (int k = first; k < end; k++) {
            double height = base + (double)packing->spheres[k].z;
            if (height > z) {
                *sphere = &packing->spheres[k];
                return height;
            }
        }
    }
}

/// Newton's iteration from above: it falls until rounding stops it.
double packing_cube_root(double value)
{
    double root = value > 1.0 ? value : 1.0, next;
    while (value > 0.0) {
        next = root - (root - value / (root * root)) / 3.0;
        if (next >= root) {
            return root;
        }
        root = next;
    }
    return 0.0;
}
