/// Runs an experiment in a child process (fork) that sends its results as JSON through a pipe. A child that crashes or
/// writes nothing becomes a run with a failure, and the report goes on.
#include "tests/validation/harness/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "tests/validation/harness/results.h"

int solver_count_for(const Experiment *experiment)
{
    return experiment->paper_only ? 1 : RUN_SOLVERS;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static json_t *failure(const RunRequest *request, const char *text)
{
    return json_pack("{s:s, s:s, s:I, s:s, s:b}", "name", request->experiment->name, "solver",
                     solver_name(request->solver), "seed", (json_int_t)request->seed, "failure", text, "pass", 0);
}

/// In the child: runs, writes the object and ends.
static void run_and_write(const RunRequest *request, FILE *pipe)
{
    Status status;
    double start = now();
    Run *run = run_create(request, &status);
    bool done = run != NULL && run_execute(run, &status);
    json_t *object = done ? results_to_json(run, true) : failure(request, status.text);
    json_object_set_new(object, "seconds", json_real(now() - start));
    bool written = json_dumpf(object, pipe, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0 && fflush(pipe) == 0;
    _exit(written ? 0 : 1);
}

/// A child that runs when a stop is asked for is ended before this process is.
static void end_both(pid_t child)
{
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    signals_end();
}

/// Starts the child and reads its object; NULL when it sent none. `code` is what it ended with.
static json_t *start_and_hear(const RunRequest *request, int ends[2], pid_t *child, int *code)
{
    *child = fork();
    if (*child == 0) {
        signals_in_child();
        close(ends[0]);
        FILE *output = fdopen(ends[1], "w");
        if (output == NULL) {
            _exit(1);
        }
        run_and_write(request, output);
    }
    close(ends[1]);
    FILE *input = *child > 0 ? fdopen(ends[0], "r") : NULL;
    json_t *object = input != NULL ? json_loadf(input, 0, NULL) : NULL;
    if (input != NULL) {
        fclose(input);
    } else {
        close(ends[0]);
    }
    if (*child > 0 && signals_stop_asked()) {
        end_both(*child);
    }
    while (*child > 0 && waitpid(*child, code, 0) < 0 && errno == EINTR) {
        if (signals_stop_asked()) {
            end_both(*child);
        }
    }
    return object;
}

json_t *child_run(const RunRequest *request)
{
    int ends[2], code = 0;
    if (pipe(ends) != 0) {
        return failure(request, "no pipe for a process of its own");
    }
    fflush(stdout);
    fflush(stderr);
    pid_t child;
    signals_take();
    if (signals_stop_asked()) { // just after the child before
        signals_end();
    }
    json_t *object = start_and_hear(request, ends, &child, &code);
    signals_release();
    if (child > 0 && object != NULL && WIFEXITED(code) && WEXITSTATUS(code) == 0) {
        return object;
    }
    json_decref(object);
    char text[128];
    if (child > 0 && WIFSIGNALED(code)) {
        snprintf(text, sizeof text, "the run was ended by signal %d (%s)", WTERMSIG(code), strsignal(WTERMSIG(code)));
    } else {
        snprintf(text, sizeof text, "the run ended without results");
    }
    return failure(request, text);
}
