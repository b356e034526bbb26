/// Whether the compiler keeps the stores of a plain loop with the flags of this build. Without
/// -fno-delete-null-pointer-checks, gcc 12.2 drops those of raise_heap() at -O1, -O2 and -O3. Its pass for induction
/// variables writes the address of grid->height[at] as a null pointer plus an index; the search for functions without
/// effect takes a store through null for a store to no memory, finds raise_heap() const, and the call goes. With that
/// flag null counts as memory. A call that may set errno makes a function no candidate, so -fno-math-errno brings the
/// mistake into loops with sqrt and sin. The loop has no undefined behaviour: gcc -O0, clang and the address, memory
/// and undefined behaviour sanitizers agree on it. Bug 113787 of gcc is the same mistake about an address passed on.
// test: long
#include "tests/support/test.h"

enum { SIDE = 401, CELLS = SIDE * SIDE, SOIL = 3 };

typedef struct Grid {
    float height[CELLS]; ///< m
    uint8_t soil[CELLS], loose[CELLS]; ///< of another width: without them one pointer would step through all
} Grid;

static double roughness(double x, double y)
{
    return floor(1.3 * x + 0.7 * y) * 0.5 + floor(0.61 * x - 1.9 * y + 1.0) * 0.35 + floor(2.7 * x + 3.1 * y) * 0.15;
}

/// A heap around (x, y), m, as the pictures' tests make it, with calls that cannot set errno.
__attribute__((noinline)) static void raise_heap(Grid *grid, double x, double y, double top, int soil)
{
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            double dx = (i - SIDE / 2) * 0.1 - x, dy = (j - SIDE / 2) * 0.1 - y, d = fabs(dx * dx + dy * dy + 0.08);
            double rough = 0.10 * roughness(2.2 * dx, 2.2 * dy) + 0.05 * roughness(5.0 * dy, 6.0 * dx);
            double height = top + 0.25 - 0.72 * d + rough;
            int at = j * SIDE + i;
            if (height > (double)grid->height[at]) {
                grid->height[at] = (float)height;
                grid->soil[at] = (uint8_t)soil;
                grid->loose[at] = 255;
            }
        }
    }
}

TEST(a_call_that_only_stores_is_kept)
{
    Grid *grid = calloc(1, sizeof *grid);
    assert_non_null(grid);
    raise_heap(grid, 0.0, 0.0, 1.6, SOIL);
    int middle = 200 * SIDE + 200;
    assert_near(grid->height[middle], 1.8449, 1e-6);
    assert_int_equal(grid->soil[middle], SOIL);
    assert_int_equal(grid->loose[middle], 255);
    free(grid);
}

TEST_GROUP(NULL, NULL)
