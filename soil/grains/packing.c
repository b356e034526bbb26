#include "soil/grains/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "soil/grains/random.h"

enum { PUSHES = 400, PUSHES_A_LIST = 25, MOST_NEAR = 40 };

/// Part of an overlap that each of the two gives way by in a push.
#define YIELD 0.3
/// Spheres nearer than so many radii are looked at until the next list is made.
#define NEAR 2.7

typedef struct Packing {
    double at[BANK_SPHERES][3], radius[BANK_SPHERES];
    double radius_mean;
    int near_count[BANK_SPHERES];
    int near[BANK_SPHERES][MOST_NEAR]; ///< with higher numbers
} Packing;

static const double periods[3] = {BANK_SIDE, BANK_SIDE, BANK_PERIOD};

/// The way from sphere j to the nearest copy of sphere i; returns its square.
static double way(const Packing *packing, int i, int j, double between[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = packing->at[i][k] - packing->at[j][k];
        between[k] = d - periods[k] * floor(d / periods[k] + 0.5);
        square += between[k] * between[k];
    }
    return square;
}

static void place_at_random(Packing *packing)
{
    double sum = 0.0, volume = periods[0] * periods[1] * periods[2];
    for (uint64_t i = 0; i < BANK_SPHERES; i++) {
        for (uint64_t k = 0; k < 3; k++) {
            packing->at[i][k] = periods[k] * random_unit(1, k, i);
        }
        packing->radius[i] = 1.0 + BANK_SPREAD * (2.0 * random_unit(1, 3, i) - 1.0);
        sum += packing->radius[i] * packing->radius[i] * packing->radius[i];
    }
    packing->radius_mean = bank_cube_root(BANK_SOLID * volume / (4.0 / 3.0 * M_PI * sum));
    for (int i = 0; i < BANK_SPHERES; i++) {
        packing->radius[i] *= packing->radius_mean;
    }
}

static void list_near(Packing *packing)
{
    double far = NEAR * packing->radius_mean, between[3];
    for (int i = 0; i < BANK_SPHERES; i++) {
        packing->near_count[i] = 0;
        for (int j = i + 1; j < BANK_SPHERES && packing->near_count[i] < MOST_NEAR; j++) {
            if (way(packing, i, j, between) < far * far) {
                packing->near[i][packing->near_count[i]++] = j;
            }
        }
    }
}

static void push_apart(Packing *packing)
{
    double moves[BANK_SPHERES][3];
    memset(moves, 0, sizeof moves);
    for (int i = 0; i < BANK_SPHERES; i++) {
        for (int n = 0; n < packing->near_count[i]; n++) {
            int j = packing->near[i][n];
            double between[3], square = way(packing, i, j, between), touch = packing->radius[i] + packing->radius[j];
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
    for (int i = 0; i < BANK_SPHERES; i++) {
        for (int k = 0; k < 3; k++) {
            double at = packing->at[i][k] + moves[i][k];
            packing->at[i][k] = at - periods[k] * floor(at / periods[k]);
        }
    }
}

/// Unit column of a sphere.
static int column_of(const Packing *packing, int i)
{
    int x = (int)packing->at[i][0] % BANK_SIDE, y = (int)packing->at[i][1] % BANK_SIDE;
    return y * BANK_SIDE + x;
}

static int compare_heights(const void *a, const void *b)
{
    float first = ((const BankSphere *)a)->z, second = ((const BankSphere *)b)->z;
    return (first > second) - (first < second);
}

void bank_create(Bank *bank)
{
    Packing packing;
    place_at_random(&packing);
    for (int push = 0; push < PUSHES; push++) {
        if (push % PUSHES_A_LIST == 0) {
            list_near(&packing);
        }
        push_apart(&packing);
    }
    int count = 0;
    for (int column = 0; column < BANK_SIDE * BANK_SIDE; column++) {
        bank->first[column] = count;
        for (int i = 0; i < BANK_SPHERES; i++) {
            if (column_of(&packing, i) == column) {
                bank->spheres[count++] = (BankSphere){.x = (float)(packing.at[i][0] - floor(packing.at[i][0])),
                                                      .y = (float)(packing.at[i][1] - floor(packing.at[i][1])),
                                                      .z = (float)packing.at[i][2],
                                                      .radius = (float)packing.radius[i]};
            }
        }
        int first = bank->first[column];
        qsort(bank->spheres + first, (size_t)(count - first), sizeof *bank->spheres, compare_heights);
    }
    bank->first[BANK_SIDE * BANK_SIDE] = count;
}

static int wrap(int column)
{
    return (column % BANK_SIDE + BANK_SIDE) % BANK_SIDE;
}

double bank_next(const Bank *bank, int column_x, int column_y, double z, const BankSphere **sphere)
{
    int column = wrap(column_y) * BANK_SIDE + wrap(column_x);
    int first = bank->first[column], end = bank->first[column + 1];
    for (double base = BANK_PERIOD * floor(z / BANK_PERIOD);; base += BANK_PERIOD) {
        for (int k = first; k < end; k++) {
            double height = base + (double)bank->spheres[k].z;
            if (height > z) {
                *sphere = &bank->spheres[k];
                return height;
            }
        }
    }
}

/// Newton's iteration from above: it falls until rounding stops it.
double bank_cube_root(double value)
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
