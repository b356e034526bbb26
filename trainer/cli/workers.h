/// Jobs that share nothing, on as many processes as the computer has processors. Processes, because ODE keeps its
/// random numbers in the process; and replays by one thread each take less than one after another by many.
#ifndef SPADEWORK_TRAINER_WORKERS_H
#define SPADEWORK_TRAINER_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

enum { WORKERS_MOST = 64 };

typedef struct WorkPlan {
    int jobs; ///< 0 and more
    int processes; ///< 1..WORKERS_MOST; see workers_wanted
    size_t answer_size; ///< bytes of what a job answers: numbers and text, no pointers
    /// Runs in a process of its own: nothing that it changes is seen but `answer` [answer_size], which is zero.
    void (*job)(void *context, int job, void *answer);
    void (*progress)(void *context, int done); ///< after each answer; NULL: none
    void *context;
} WorkPlan;

/// Processes for so many jobs: `asked` of them, or, of 0, as many as there are processors; never more than jobs.
int workers_wanted(int jobs, int asked);

/// Runs all jobs. `answers` [jobs][answer_size]: what a job whose process ends early would answer stays as it was.
/// Call it from a process with one thread. False when memory is out.
bool workers_run(const WorkPlan *plan, void *answers);

#endif
