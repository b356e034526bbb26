/// Runs probes in child processes. The child writes the whole facts into a pipe, as often as it likes; the parent takes
/// each whole copy, and kills the child (SIGKILL) at the limit. A child whose parent has gone ends by its own alarm.
#include "trainer/cli/doctor_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trainer/pilot/pilot.h"

#define STEP  0.005 ///< s between two checks whether the child has ended. Chosen
#define DYING 0.9 ///< s that a killed child is waited for; one that a disk holds is left. Chosen

const char *doctor_part_words(DoctorPart part)
{
    static const char *const words[] = {
#define X(id, text) text,
        DOCTOR_PARTS(X)
#undef X
    };
    return words[part];
}

struct DoctorSender {
    int to;
    unsigned patience; ///< s until this process ends itself
};

void doctor_send(DoctorSender *sender, const DoctorFacts *facts)
{
    const char *bytes = (const char *)facts;
    alarm(sender->patience);
    for (size_t done = 0; done < sizeof *facts;) {
        ssize_t count = write(sender->to, bytes + done, sizeof *facts - done);
        if (count < 0 && errno != EINTR) {
            return; // the parent has gone
        }
        done += count > 0 ? (size_t)count : 0;
    }
}

/// The child: what libraries print goes nowhere, a crash leaves no core.
static void run_probe(DoctorFacts *facts, DoctorProbe *probe, int to, double limit)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    DoctorSender sender = {to, (unsigned)limit + 2};
    alarm(sender.patience);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0) {
        nowhere = open("/", O_RDONLY | O_DIRECTORY); // nothing can be written to it either
    }
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    probe(facts, &sender);
    doctor_send(&sender, facts);
    _exit(0);
}

/// Takes whole copies until the pipe ends or there was none for `limit` s; returns when that was, or will be.
static double receive_facts(int from, DoctorFacts *facts, double limit)
{
    double until = drive_clock() + limit;
    DoctorFacts *copy = malloc(sizeof *copy);
    char *bytes = (char *)copy;
    size_t filled = 0;
    for (bool open = bytes != NULL; open;) {
        double left = until - drive_clock();
        struct pollfd poller = {.fd = from, .events = POLLIN};
        int ready = left > 0.0 ? poll(&poller, 1, (int)ceil(1e3 * left)) : 0;
        ssize_t count = ready > 0 ? read(from, bytes + filled, sizeof *facts - filled) : -1;
        open = count > 0 || (ready != 0 && count < 0 && errno == EINTR);
        filled += count > 0 ? (size_t)count : 0;
        if (filled == sizeof *facts) {
            *facts = *copy;
            filled = 0;
            until = drive_clock() + limit;
        }
    }
    free(copy);
    return until;
}

/// True when the child has ended by then; `how` is waitpid's status.
static bool wait_until(pid_t child, double until, int *how)
{
    for (;;) {
        pid_t ended = waitpid(child, how, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return ended == child;
        }
        if (drive_clock() >= until) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = (long)(STEP * 1e9)}, NULL);
    }
}

static DoctorProbeEnd collect_end(pid_t child, double until, double limit)
{
    DoctorProbeEnd end = {.end = DOCTOR_LATE, .limit = limit};
    int how = 0;
    if (!wait_until(child, until, &how)) {
        kill(child, SIGKILL);
        wait_until(child, drive_clock() + DYING, &how);
        return end;
    }
    if (WIFSIGNALED(how)) {
        end.end = DOCTOR_CRASHED;
        end.signal = WTERMSIG(how);
    } else {
        end.end = WEXITSTATUS(how) == 0 ? DOCTOR_ANSWERED : DOCTOR_CRASHED;
    }
    return end;
}

/// Both ends of a pipe, none of them one of the three standard streams, which may be closed.
static bool make_pipe(int ends[2])
{
    int low[2];
    if (pipe(low) != 0) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        ends[k] = fcntl(low[k], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low[k]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

void doctor_probe(DoctorFacts *facts, DoctorPart part, DoctorProbe *probe, double limit)
{
    int ends[2] = {-1, -1};
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL); // where it is ignored, which children inherit, none can be waited for
    pid_t child = make_pipe(ends) ? fork() : -1;
    if (child == 0) {
        close(ends[0]);
        run_probe(facts, probe, ends[1], limit);
    }
    if (ends[1] >= 0) {
        close(ends[1]);
    }
    facts->ends[part] = (DoctorProbeEnd){.end = DOCTOR_NOT_PROBED, .limit = limit};
    if (child > 0) {
        DoctorProbeEnd before[DOCTOR_PART_COUNT];
        memcpy(before, facts->ends, sizeof before);
        double until = receive_facts(ends[0], facts, limit);
        memcpy(facts->ends, before, sizeof before);
        facts->ends[part] = collect_end(child, until, limit);
    }
    if (ends[0] >= 0) {
        close(ends[0]);
    }
}
