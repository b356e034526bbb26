/// The iteration of p2 for every processor.
#define KERNEL_NAME paper_kernel_baseline
#include "soil/paper_kernel.h"
