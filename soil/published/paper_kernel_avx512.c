/// The iteration of p2 for processors with AVX-512F (compiled with -mavx512f).
#define KERNEL_NAME paper_kernel_avx512
#include "soil/published/paper_kernel.h"
