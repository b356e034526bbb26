/// Reads the packing: which sphere of a unit column lies next above a height. Its spheres are a table, since making
/// them takes longer than all else of a soil.
#include "soil/grains/packing.h"

#include <math.h>

static int wrap(int column)
{
    return (column % PACKING_SIDE + PACKING_SIDE) % PACKING_SIDE;
}

double packing_next(int column_x, int column_y, double z, const PackingSphere **sphere)
{
    int column = wrap(column_y) * PACKING_SIDE + wrap(column_x);
    int first = packing_first[column], end = packing_first[column + 1];
    for (double base = PACKING_PERIOD * floor(z / PACKING_PERIOD);; base += PACKING_PERIOD) {
        for (int k = first; k < end; k++) {
            double height = base + (double)packing_spheres[k].z;
            if (height > z) {
                *sphere = &packing_spheres[k];
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
