/// The iteration of p2 for every processor.
#define KERNEL_NAME paper_kernel_baseline
#include "soil/published/paper_kernel.h"
