/// Runs independent jobs in as many processes as the computer has processors. Processes, because ODE's random numbers
/// are global; and replays beside each other, a thread each, are faster than one after another with many threads.
#ifndef SPADEWORK_TRAINER_WORKERS_H
#define SPADEWORK_TRAINER_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

enum { WORKERS_MOST = 64 };

typedef struct WorkPlan {
    int jobs; ///< 0 and more
    int processes; ///< 1..WORKERS_MOST; see workers_wanted
    size_t answer_size; ///< bytes of a job's answer: numbers and text, no pointers
    /// Runs in a process of its own: of what it changes only `answer` [answer_size] comes back, which is zero before.
    void (*job)(void *context, int job, void *answer);
    void (*progress)(void *context, int done); ///< after each answer; NULL: none
    void *context;
} WorkPlan;

/// Processes for so many jobs: `asked` of them, or, of 0, as many as there are processors; never more than jobs.
int workers_wanted(int jobs, int asked);

/// Runs all jobs. `answers` [jobs][answer_size]: the answer of a job whose process ends early stays as it was before.
/// Call it from a process with one thread. False when memory is out.
bool workers_run(const WorkPlan *plan, void *answers);

#endif
