/// Things that lie in the plan, sorted into square bins, so that what may lie at a place is found without looking at
/// all of them.
#ifndef SPADEWORK_DATA_PLAN_BINS_H
#define SPADEWORK_DATA_PLAN_BINS_H

#include <stdbool.h>

/// Zero-initialise; free with plan_bins_free.
typedef struct PlanBins {
    double x, y, size; ///< m: lower left corner of the first bin, and a bin's side
    int columns, rows;
    int *first; ///< [rows * columns + 1]: where a bin's items begin
    int *items; ///< their numbers, rising within a bin
} PlanBins;

/// Box of an item: its low and high x, then its low and high y, m.
typedef double PlanBox[4];

/// Sorts `count` (at least 1) boxes. False when memory is short.
bool plan_bins_make(PlanBins *bins, const PlanBox *boxes, int count);
void plan_bins_free(PlanBins *bins);

/// The items of the bin at a place; returns how many (0 outside of all bins). They belong to the bins.
int plan_bins_at(const PlanBins *bins, double x, double y, const int **items);

#endif
