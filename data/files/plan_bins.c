/// Bins as one list of items with the place where each bin begins. There are about as many bins as items, and fewer
/// where long items would lie in too many of them.
#include "data/files/plan_bins.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BINS = 128, ITEMS_EACH = 16 }; ///< a side; places in bins that an item may take on the mean

void plan_bins_free(PlanBins *bins)
{
    free(bins->first);
    free(bins->items);
    *bins = (PlanBins){0};
}

static int bin_of(double at, double low, double size, int count)
{
    double bin = floor((at - low) / size);
    return bin < 0.0 ? 0 : bin > count - 1 ? count - 1 : (int)bin;
}

/// The bins that a box touches: first and last column, first and last row.
static void bins_of(const PlanBins *bins, const double *box, int range[4])
{
    for (int k = 0; k < 2; k++) {
        range[k] = bin_of(box[k], bins->x, bins->size, bins->columns);
        range[2 + k] = bin_of(box[2 + k], bins->y, bins->size, bins->rows);
    }
}

/// Lays `side` bins along the longer side; returns how many places in bins the items take.
static double lay(PlanBins *bins, const PlanBox *boxes, int count, const double whole[4], int side)
{
    double width = whole[1] - whole[0], height = whole[3] - whole[2];
    bins->x = whole[0];
    bins->y = whole[2];
    bins->size = fmax(fmax(width, height) / side, 1e-3);
    bins->columns = (int)fmax(1.0, ceil(width / bins->size));
    bins->rows = (int)fmax(1.0, ceil(height / bins->size));
    double places = 0.0;
    for (int k = 0; k < count; k++) {
        int range[4];
        bins_of(bins, boxes[k], range);
        places += (double)(range[1] - range[0] + 1) * (range[3] - range[2] + 1);
    }
    return places;
}

/// Puts the items into their bins: counted first, then laid from the end of each bin on.
static void fill(PlanBins *bins, const PlanBox *boxes, int count)
{
    int bin_count = bins->columns * bins->rows;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = count - 1; k >= 0; k--) {
            int range[4];
            bins_of(bins, boxes[k], range);
            for (int row = range[2]; row <= range[3]; row++) {
                for (int column = range[0]; column <= range[1]; column++) {
                    int *at = &bins->first[row * bins->columns + column];
                    if (pass == 0) {
                        (*at)++;
                    } else {
                        bins->items[--*at] = k;
                    }
                }
            }
        }
        for (int k = 1; k <= bin_count && pass == 0; k++) {
            bins->first[k] += bins->first[k - 1];
        }
    }
}

bool plan_bins_make(PlanBins *bins, const PlanBox *boxes, int count)
{
    *bins = (PlanBins){0};
    double whole[4] = {boxes[0][0], boxes[0][1], boxes[0][2], boxes[0][3]};
    for (int k = 1; k < count; k++) {
        for (int axis = 0; axis < 4; axis += 2) {
            whole[axis] = fmin(whole[axis], boxes[k][axis]);
            whole[axis + 1] = fmax(whole[axis + 1], boxes[k][axis + 1]);
        }
    }
    int side = (int)fmin(MOST_BINS, ceil(sqrt(count)));
    double places = lay(bins, boxes, count, whole, side);
    while (places > (double)ITEMS_EACH * count && side > 1) {
        side /= 2;
        places = lay(bins, boxes, count, whole, side);
    }
    bins->first = calloc((size_t)bins->columns * (size_t)bins->rows + 1, sizeof *bins->first);
    bins->items = calloc((size_t)places + 1, sizeof *bins->items);
    if (bins->first == NULL || bins->items == NULL) {
        plan_bins_free(bins);
        return false;
    }
    fill(bins, boxes, count);
    return true;
}

int plan_bins_at(const PlanBins *bins, double x, double y, const int **items)
{
    if (bins->first == NULL || x < bins->x || y < bins->y || x > bins->x + bins->columns * bins->size ||
        y > bins->y + bins->rows * bins->size) {
        return 0;
    }
    int bin =
        bin_of(y, bins->y, bins->size, bins->rows) * bins->columns + bin_of(x, bins->x, bins->size, bins->columns);
    *items = bins->items + bins->first[bin];
    return bins->first[bin + 1] - bins->first[bin];
}
