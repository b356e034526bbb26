/// Threads for the time of one call.
#include "data/core/deep_call.h"

#include <pthread.h>

#include "data/core/thread_mode.h"

enum { MOST_THREADS = 256 };

typedef struct DeepWork {
    void (*work)(void *context);
    void *context;
} DeepWork;

static void *run(void *context)
{
    const DeepWork *deep = context;
    ThreadMode mode = thread_mode_begin(); // a thread has the floating-point environment of the one that creates it
    deep->work(deep->context);
    thread_mode_end(&mode);
    return NULL;
}

static bool start(pthread_t *thread, DeepWork *deep)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    bool started =
        pthread_attr_setstacksize(&attributes, DEEP_STACK) == 0 && pthread_create(thread, &attributes, run, deep) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

bool deep_call(void (*work)(void *context), void *context)
{
    DeepWork deep = {work, context};
    pthread_t thread;
    return start(&thread, &deep) && pthread_join(thread, NULL) == 0;
}

void deep_calls(void (*work)(void *context), void *context, int threads)
{
    DeepWork deep = {work, context};
    pthread_t thread[MOST_THREADS];
    int started = 0;
    while (started < threads - 1 && started < MOST_THREADS && start(&thread[started], &deep)) {
        started++;
    }
    work(context);
    for (int k = 0; k < started; k++) {
        pthread_join(thread[k], NULL);
    }
}
