/// The pair kernels for processors with AVX2 (compiled with -mavx2).
#define KERNEL_NAME pair_kernel_avx2
#include "soil/pairs/pair_kernel.h"
