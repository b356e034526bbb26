/// The contact kernels as the count takes them: not compiled to count, for the calls of the counting function would
/// make the compiler keep its vectors in memory, and a third more instructions of them. A call adds to the clock what
/// its work has taken as callgrind counts it.
#ifndef SPADEWORK_BENCH_COUNTED_KERNEL_H
#define SPADEWORK_BENCH_COUNTED_KERNEL_H

#include <stdint.h>

#include "soil/soil.h"

/// Units of work of the kernels of 8 lanes. X(name, instructions): a group is up to 8 contacts of a batch. The numbers
/// are callgrind's counts of each kernel function while the heap of 10,000 grains is stirred, over its units (gcc 12,
/// -O3 -mavx2). `tested` and `renewed` are of one function, told apart by a fit to its counts in two heaps.
#define COUNTED_UNITS(X)                                                                                               \
    X(begun, 226) /* groups of pairs that give the rows what they held */                                              \
    X(tested, 213) /* groups of pairs that slept, tested whether they may touch */                                     \
    X(renewed, 816) /* groups of pairs renewed */                                                                      \
    X(solved, 329) /* groups of pairs visited once more */                                                             \
    X(ground_begun, 122) /* groups of ground contacts, as above */                                                     \
    X(ground_renewed, 519)                                                                                             \
    X(advanced, 18) /* grains moved on */                                                                              \
    X(cells, 79) /* cells in which a grain's neighbours are searched */                                                \
    X(compared, 14) /* grains whose velocity is compared with that at the tick's start */

typedef struct CountedUnits {
#define X(name, instructions) uint64_t name;
    COUNTED_UNITS(X)
#undef X
} CountedUnits;

/// Gives a soil the counted kernels of 8 lanes. Returns false, and changes nothing, when this processor cannot.
bool counted_kernel_use(Soil *soil);

#endif
