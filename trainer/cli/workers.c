/// Runs jobs in processes: each one takes every n-th job and sends its answers through a pipe of its own (POSIX fork,
/// poll).
#include "trainer/cli/workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/core/signals.h"

/// A process and the message that it sends: the job's number, then its answer. Larger than what a pipe takes at once.
typedef struct Worker {
    pid_t process;
    int pipe; ///< end to read from; -1: closed
    size_t got; ///< bytes of `message` so far
    unsigned char *message; ///< [sizeof(int32_t) + answer_size]
} Worker;

static bool send_whole(int file, const void *data, size_t size)
{
    const char *bytes = data;
    while (size > 0) {
        ssize_t wrote = write(file, bytes, size);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

static _Noreturn void run_jobs(const WorkPlan *plan, int first, unsigned char *message, int pipe)
{
    for (int32_t k = first; k < plan->jobs; k += plan->processes) {
        memset(message, 0, sizeof k + plan->answer_size);
        memcpy(message, &k, sizeof k);
        plan->job(plan->context, k, message + sizeof k);
        if (!send_whole(pipe, message, sizeof k + plan->answer_size)) {
            break;
        }
    }
    _exit(0);
}

/// Starts the processes; returns how many could be started.
static int start_workers(const WorkPlan *plan, Worker *workers)
{
    int count = 0;
    fflush(NULL);
    for (; count < plan->processes; count++) {
        int ends[2];
        if (pipe(ends) != 0) {
            break;
        }
        pid_t process = fork();
        if (process == 0) {
            signals_in_child();
            for (int k = 0; k < count; k++) {
                close(workers[k].pipe); // so that nobody but the parent reads what the others send
            }
            close(ends[0]);
            run_jobs(plan, count, workers[count].message, ends[1]);
        }
        close(ends[1]);
        workers[count].process = process;
        workers[count].pipe = process > 0 ? ends[0] : -1;
        if (process < 0) {
            close(ends[0]);
        }
    }
    return count;
}

/// Reads what a worker has sent; false when it has ended.
static bool read_answer(const WorkPlan *plan, Worker *worker, unsigned char *answers, int *done)
{
    int32_t job;
    size_t whole = sizeof job + plan->answer_size;
    ssize_t got = read(worker->pipe, worker->message + worker->got, whole - worker->got);
    if (got < 0 && errno == EINTR) {
        return true;
    }
    if (got <= 0) {
        return false;
    }
    worker->got += (size_t)got;
    if (worker->got == whole) {
        memcpy(&job, worker->message, sizeof job);
        memcpy(answers + (size_t)job * plan->answer_size, worker->message + sizeof job, plan->answer_size);
        worker->got = 0;
        (*done)++;
    }
    return true;
}

/// Waits for all; when a stop was asked for, ends them before.
static void end_workers(const Worker *workers, int count)
{
    for (int k = 0; k < count; k++) {
        if (workers[k].process > 0 && signals_stop_asked()) {
            kill(workers[k].process, SIGTERM);
        }
    }
    for (int k = 0; k < count; k++) {
        while (workers[k].process > 0 && waitpid(workers[k].process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}

static void gather_answers(const WorkPlan *plan, Worker *workers, int count, unsigned char *answers)
{
    int open = 0, done = 0;
    for (int k = 0; k < count; k++) {
        open += workers[k].pipe >= 0;
    }
    while (open > 0 && !signals_stop_asked()) {
        struct pollfd waits[WORKERS_MOST];
        for (int k = 0; k < count; k++) {
            waits[k] = (struct pollfd){.fd = workers[k].pipe, .events = POLLIN};
        }
        if (poll(waits, (nfds_t)count, -1) < 0) {
            if (errno != EINTR) {
                break;
            }
            continue; // a signal, which may ask for an end
        }
        int before = done;
        for (int k = 0; k < count; k++) {
            if (workers[k].pipe >= 0 && waits[k].revents != 0 && !read_answer(plan, &workers[k], answers, &done)) {
                close(workers[k].pipe);
                workers[k].pipe = -1;
                open--;
            }
        }
        if (done > before && plan->progress != NULL) {
            plan->progress(plan->context, done);
        }
    }
    end_workers(workers, count);
}

int workers_wanted(int jobs, int asked)
{
    long processors = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = processors < 1 ? 1 : processors > WORKERS_MOST ? WORKERS_MOST : (int)processors;
    return wanted < jobs ? wanted : jobs;
}

bool workers_run(const WorkPlan *plan, void *answers)
{
    Worker *workers = calloc(WORKERS_MOST, sizeof *workers);
    bool good = workers != NULL;
    for (int k = 0; k < plan->processes && good; k++) {
        workers[k].message = malloc(sizeof(int32_t) + plan->answer_size);
        good = workers[k].message != NULL;
    }
    if (good) {
        gather_answers(plan, workers, start_workers(plan, workers), answers);
    }
    for (int k = 0; k < plan->processes && workers != NULL; k++) {
        free(workers[k].message);
    }
    free(workers);
    return good;
}
