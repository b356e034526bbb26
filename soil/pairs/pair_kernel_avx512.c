/// The pair kernels for processors with AVX-512F (compiled with -mavx512f).
#define KERNEL_NAME pair_kernel_avx512
#include "soil/pairs/pair_kernel.h"
