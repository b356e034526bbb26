#include "trainer/command/thread_spin.h"

#include <stdlib.h>
#include <unistd.h>

void thread_spin_briefly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL &&
        setenv("GOMP_SPINCOUNT", "2000", 1) == 0) {
        execv("/proc/self/exe", argv); // returns only when it cannot: then with the runtime's own waiting
    }
}
