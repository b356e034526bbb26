/// The pair kernels for every processor.
#define KERNEL_NAME pair_kernel_baseline
#include "soil/contact/pair_kernel.h"
