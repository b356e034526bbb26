/// Chooses the pair kernel for the processor at hand. All kernels give the same bits, so that only time depends on it.
#include <stddef.h>

#include "soil/pairs/pair_list.h"

const PairKernel *pair_kernel_choose(int lanes)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if ((lanes == 0 || lanes == 16) && __builtin_cpu_supports("avx512f")) {
        return &pair_kernel_avx512;
    }
    if ((lanes == 0 || lanes == 8) && __builtin_cpu_supports("avx2")) {
        return &pair_kernel_avx2;
    }
#endif
    return lanes == 0 || lanes == 4 ? &pair_kernel_baseline : NULL;
}
