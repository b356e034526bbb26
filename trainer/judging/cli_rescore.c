/// The command rescore: many recordings, shared among as many processes as the computer has processors. Each process
/// takes every n-th file and sends what came of it through a pipe; answers are printed in the order of the files.
#include "trainer/judging/cli_rescore.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/core/signals/signals.h"
#include "trainer/command/cli_commands.h"
#include "trainer/rescore/rescore.h"

enum { MOST_WORKERS = 64 };

/// What a worker tells of one file; smaller than a pipe's atomic write only in parts, so that each worker has its own
/// pipe.
typedef struct Answer {
    int file; ///< index into CliOptions.files
    bool good;
    Status status;
    Rescore result;
} Answer;

typedef struct Worker {
    pid_t process;
    int pipe; ///< end to read from; -1: closed
    size_t got; ///< bytes of `answer` so far
    Answer answer;
} Worker;

static bool write_whole(int file, const void *data, size_t size)
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

static _Noreturn void work(const CliOptions *options, const RescoreRules *rules, int first, int step, int pipe)
{
    Answer *answer = calloc(1, sizeof *answer);
    for (int k = first; answer != NULL && k < options->file_count; k += step) {
        *answer = (Answer){.file = k};
        answer->good = rescore_recording(options->files[k], rules, &answer->result, &answer->status);
        if (!write_whole(pipe, answer, sizeof *answer)) {
            break;
        }
    }
    free(answer);
    _exit(0);
}

static int start_workers(const CliOptions *options, const RescoreRules *rules, Worker workers[MOST_WORKERS])
{
    long processors = options->run.threads > 0 ? options->run.threads : sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = processors < 1 ? 1 : processors > MOST_WORKERS ? MOST_WORKERS : (int)processors;
    wanted = wanted < options->file_count ? wanted : options->file_count;
    int count = 0;
    fflush(NULL);
    for (; count < wanted; count++) {
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
            work(options, rules, count, wanted, ends[1]);
        }
        close(ends[1]);
        workers[count] = (Worker){.process = process, .pipe = process > 0 ? ends[0] : -1};
        if (process < 0) {
            close(ends[0]);
        }
    }
    return count == wanted ? count : -count - 1;
}

static void show_progress(const CliOptions *options, int done)
{
    if (options->run.progress || isatty(STDERR_FILENO)) {
        fprintf(stderr, "\rrescored %d of %d recordings%s", done, options->file_count,
                done == options->file_count ? "\n" : "");
    }
}

/// Reads what a worker has sent; false when it has ended.
static bool hear(Worker *worker, Answer *answers, int *done)
{
    ssize_t got = read(worker->pipe, (char *)&worker->answer + worker->got, sizeof worker->answer - worker->got);
    if (got < 0 && errno == EINTR) {
        return true;
    }
    if (got <= 0) {
        return false;
    }
    worker->got += (size_t)got;
    if (worker->got == sizeof worker->answer) {
        answers[worker->answer.file] = worker->answer;
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

static void gather(const CliOptions *options, Worker *workers, int count, Answer *answers)
{
    int open = count, done = 0;
    show_progress(options, done);
    while (open > 0 && !signals_stop_asked()) {
        struct pollfd waits[MOST_WORKERS];
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
            if (workers[k].pipe >= 0 && waits[k].revents != 0 && !hear(&workers[k], answers, &done)) {
                close(workers[k].pipe);
                workers[k].pipe = -1;
                open--;
            }
        }
        if (done > before) {
            show_progress(options, done);
        }
    }
    end_workers(workers, count);
}

static json_t *answer_json(const char *path, const Answer *answer)
{
    const Rescore *result = &answer->result;
    json_t *entry = json_object();
    json_object_set_new(entry, "recording", json_string(path));
    if (!answer->good) {
        json_object_set_new(entry, "error", json_string(answer->status.text));
        return entry;
    }
    json_object_set_new(entry, "scene", json_string(result->scene));
    json_object_set_new(entry, "trainee", json_string(result->trainee));
    json_object_set_new(entry, "before", json_real(result->before));
    json_object_set_new(entry, "after", json_real(result->after));
    json_object_set_new(entry, "passed", json_boolean(result->passed));
    json_object_set_new(entry, "replayed", json_boolean(result->replayed));
    json_object_set_new(entry, "verdict", json_string(result->verdict));
    return entry;
}

/// Prints the answers in the order of the files; returns the exit code.
static int print_answers(const CliOptions *options, const Answer *answers)
{
    json_t *array = options->run.json ? json_array() : NULL;
    int code = STATUS_GOOD;
    for (int k = 0; k < options->file_count; k++) {
        const Answer *answer = &answers[k];
        if (!answer->good) {
            fprintf(stderr, "spadework: %s\n", answer->status.text);
            code = (int)answer->status.code;
        } else if (array == NULL) {
            const Rescore *result = &answer->result;
            printf("%s  %s%s%s  %.1f -> %.1f  %s%s\n", options->files[k], result->scene,
                   result->trainee[0] != '\0' ? "  " : "", result->trainee, result->before, result->after,
                   result->verdict, result->replayed ? " (replayed)" : "");
        }
        if (array != NULL) {
            json_array_append_new(array, answer_json(options->files[k], answer));
        }
    }
    if (array != NULL) {
        json_dumpf(array, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
        json_decref(array);
    }
    int flushed = cli_flush();
    return code != STATUS_GOOD ? code : flushed;
}

int cli_rescore(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    RescoreRules *rules = options->other_scene != NULL ? rescore_rules_load(options->other_scene, &status) : NULL;
    Answer *answers = calloc((size_t)options->file_count, sizeof *answers);
    Worker *workers = calloc(MOST_WORKERS, sizeof *workers);
    int code = STATUS_GOOD;
    if (status.code != STATUS_GOOD || answers == NULL || workers == NULL) {
        code = status.code != STATUS_GOOD ? cli_fail(&status) : STATUS_LACKING;
    } else {
        for (int k = 0; k < options->file_count; k++) {
            status_fail(&answers[k].status, STATUS_LACKING, "%s: the process that scored it ended early",
                        options->files[k]);
        }
        int count = start_workers(options, rules, workers);
        gather(options, workers, count < 0 ? -count - 1 : count, answers);
        code = signals_go_on("rescore", &status) ? print_answers(options, answers) : cli_fail(&status);
    }
    free(workers);
    free(answers);
    rescore_rules_free(rules);
    return code;
}
