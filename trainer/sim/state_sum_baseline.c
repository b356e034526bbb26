/// XXH3 for every processor.
#define KERNEL_NAME state_sum_baseline
#include "trainer/sim/state_sum_kernel.h"
