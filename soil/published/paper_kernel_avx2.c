/// The iteration of p2 for processors with AVX2 (compiled with -mavx2).
#define KERNEL_NAME paper_kernel_avx2
#include "soil/published/paper_kernel.h"
