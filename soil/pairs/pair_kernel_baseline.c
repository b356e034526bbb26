/// The pair kernels for every processor.
#define KERNEL_NAME pair_kernel_baseline
#include "soil/pairs/pair_kernel.h"
