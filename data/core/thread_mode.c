/// The thread's mode. The one locale is made at the first call and kept for the process.
#include "data/core/thread_mode.h"

#include <pthread.h>

static pthread_once_t made = PTHREAD_ONCE_INIT;
static locale_t plain; ///< "C"; 0 when memory was short: then the thread keeps its own

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

ThreadMode thread_mode_begin(void)
{
    ThreadMode mode;
    pthread_once(&made, make_plain);
    mode.locale = uselocale(plain); // (locale_t)0 changes nothing
    mode.numbers = float_mode_begin();
    return mode;
}

void thread_mode_end(const ThreadMode *mode)
{
    float_mode_end(&mode->numbers);
    uselocale(mode->locale);
}
