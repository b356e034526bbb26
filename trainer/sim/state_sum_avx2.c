/// XXH3 for processors with AVX2 (compiled with -mavx2).
#define KERNEL_NAME state_sum_avx2
#include "trainer/sim/state_sum_kernel.h"
