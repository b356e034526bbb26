/// The contact kernels as the count takes them: not compiled to count, for the calls of the counting function would
/// make the compiler keep its vectors in memory, and a third more instructions of them. A call adds to the clock what
/// its work has taken as callgrind counts it.
#ifndef SPADEWORK_BENCH_COUNTED_KERNEL_H
#define SPADEWORK_BENCH_COUNTED_KERNEL_H

#include <stdint.h>

#include "soil/soil.h"

/// Units of work of the kernels of 8 lanes. X(name, instructions): a group is up to 8 contacts of a batch. The numbers
/// are a least-squares fit to callgrind's counts of each kernel function in 60 frames of the settled and 60 of the
/// stirred heap of 10,000 grains (gcc 12, -O3 -mavx2); the fit is within 2 % of each function's sum.
#define COUNTED_UNITS(X)                                                                                               \
    X(begun, 256) /* groups of pairs that give the rows what they held */                                              \
    X(tested, 213) /* groups of pairs that slept, tested whether they may touch */                                     \
    X(renewed, 873) /* groups of pairs renewed */                                                                      \
    X(solved, 335) /* groups of pairs visited once more */                                                             \
    X(ground_begun, 145) /* groups of ground contacts, as above */                                                     \
    X(ground_renewed, 584)                                                                                             \
    X(advanced, 18) /* grains moved on */                                                                              \
    X(cells, 139) /* cells in which a grain's neighbours are searched */

typedef struct CountedUnits {
#define X(name, instructions) uint64_t name;
    COUNTED_UNITS(X)
#undef X
} CountedUnits;

/// Gives a soil the counted kernels of 8 lanes. Returns false, and changes nothing, when this processor cannot.
bool counted_kernel_use(Soil *soil);
/// Units since the program began, of all members.
CountedUnits counted_units(void);

#endif
