/// Attempts are proven in processes beside each other, one a processor, and told in the order of the results.
#include "trainer/cli/cli_proof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "trainer/cli/workers.h"
#include "trainer/report/report.h"
#include "trainer/record/record.h"

#define CLUMSY_WRITTEN 1e-8 ///< what a recording's nine digits may be off

/// What came of an attempt.
typedef struct Proof {
    bool good, there;
    RecordingSeal seal;
    RecordingParent parent;
    Status status;
} Proof;

enum { CHUNK = 256 }; ///< attempts that are proven at once, and kept in memory meanwhile. Chosen

typedef struct Proving {
    const CliOptions *options;
    int threads; ///< of each replay
    ResultAttempt *attempts; ///< [CHUNK]
    Proof *proofs; ///< [CHUNK]
    int count; ///< of them
    int done, proven; ///< in the chunks before
    bool stopped; ///< by a signal
    Status status; ///< why it ended early
} Proving;

static bool unproven(Status *status, const ResultAttempt *attempt, const char *what)
{
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: %s", attempt->recording, what);
}

/// Who drove, and what it began in, as the recording has it.
static bool compare_credit(Recording *recording, const ResultAttempt *attempt, Status *status)
{
    Credit there, told = results_credit(attempt);
    recording_credit(recording, &there);
    if (there.driver != told.driver || fabs(there.clumsy - told.clumsy) > CLUMSY_WRITTEN) {
        return status_fail(
            status, STATUS_NOT_VERIFIED,
            "%s: the results say that it was driven by %s with hands of clumsiness %.9g, the recording %s, %.9g",
            attempt->recording, credit_driver_name(told.driver), told.clumsy, credit_driver_name(there.driver),
            there.clumsy);
    }
    return strcmp(there.parent, told.parent) == 0 ||
           status_fail(status, STATUS_NOT_VERIFIED,
                       "%s: the results say that it began in \"%.80s\", the recording "
                       "\"%.80s\"",
                       attempt->recording, told.parent, there.parent);
}

/// The attempt's figures are those of the recording, which its replay has just given; what counts for nobody is told as
/// not passed.
static bool compare_metrics(Recording *recording, const ResultAttempt *attempt, Status *status)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
    Credit credit = results_credit(attempt);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, "passed") == 0) {
            metrics[k].value = credit_counts(&credit, attempt->trainee) ? metrics[k].value : 0.0;
            if ((metrics[k].value > 0.0) != attempt->passed) {
                return status_fail(status, STATUS_NOT_VERIFIED, "%s: the results say %s, the recording %s",
                                   attempt->recording, attempt->passed ? "passed" : "not passed",
                                   attempt->passed ? "not passed" : "passed");
            }
        }
    }
    for (int k = 0; k < attempt->metric_count; k++) {
        const ExerciseMetric *told = &attempt->metrics[k];
        int at = 0;
        while (at < count && strcmp(metrics[at].name, told->name) != 0) {
            at++;
        }
        if (at == count || metrics[at].value != told->value) {
            return status_fail(status, STATUS_NOT_VERIFIED, "%s: the results say %s %g, the recording %g",
                               attempt->recording, told->name, told->value, at < count ? metrics[at].value : 0.0);
        }
    }
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, "score") == 0 && metrics[k].value != attempt->score) {
            return status_fail(status, STATUS_NOT_VERIFIED, "%s: the results say %g points, the recording %g",
                               attempt->recording, attempt->score, metrics[k].value);
        }
    }
    return true;
}

static bool same_meta(Recording *recording, const char *key, const char *told)
{
    const char *text = recording_meta(recording, key);
    return strcmp(text != NULL ? text : "", told) == 0;
}

static bool prove(Recording *recording, int threads, const ResultAttempt *attempt, Proof *proof)
{
    VerifyResult result;
    Status *status = &proof->status;
    // The seals are hashes alone: what does not fit them needs no replay.
    if (!recording_check_seals(recording, &proof->seal, status) ||
        !recording_verify(recording, recording_first_tick(recording), false, threads, NULL, NULL, &result, status)) {
        return false;
    }
    proof->parent = result.parent;
    if (attempt->recording_seal[0] != '\0' && strcmp(attempt->recording_seal, result.seal.hash) != 0) {
        return unproven(status, attempt, "is another recording than the one that the attempt names by its seal");
    }
    if (!same_meta(recording, "scene", attempt->scene)) {
        return unproven(status, attempt, "is of another scene than the attempt");
    }
    if (!same_meta(recording, "trainee", attempt->trainee)) {
        return unproven(status, attempt, "is of another trainee than the attempt");
    }
    return compare_credit(recording, attempt, status) &&
           (result.metrics > 0 || unproven(status, attempt, "was cut short: it proves no points")) &&
           compare_metrics(recording, attempt, status);
}

/// ---- all of them ---------------------------------------------------------------------------------------------------

static void prove_attempt(void *context, int job, void *answer)
{
    const Proving *self = context;
    const ResultAttempt *attempt = &self->attempts[job];
    Proof *proof = answer;
    proof->there = attempt->recording[0] != '\0' && access(attempt->recording, F_OK) == 0;
    Recording *recording = proof->there ? recording_open(attempt->recording, &proof->status) : NULL;
    proof->good = recording != NULL && prove(recording, self->threads, attempt, proof);
    recording_close(recording);
}

static void show_progress(void *context, int done)
{
    const Proving *self = context;
    if (isatty(STDERR_FILENO) == 1) {
        fprintf(stderr, "\rreplayed %d%s", self->done + done, done == self->count ? "\r" : "");
    }
}

static void print_proof(const ResultAttempt *attempt, const Proof *proof)
{
    bool begins = proof->good && proof->parent.state == PARENT_MISSING;
    char words[SEAL_WORDS], points[16] = "-";
    seal_words(&proof->seal, true, words, sizeof words);
    if (attempt->parent[0] == '\0') {
        snprintf(points, sizeof points, "%.1f", attempt->score);
    }
    printf("%.19s  %-16.16s  %-16.16s  %5s  %s%s%s%s%s\n", attempt->started,
           attempt->trainee[0] != '\0' ? attempt->trainee : "-", attempt->scene, points,
           proof->good                   ? "proven"
           : proof->there                ? proof->status.text
           : attempt->cleared[0] != '\0' ? "its recording was deleted by the clean-up"
                                         : "its recording is gone",
           begins ? " from where it begins; not beside it is its parent " : "", begins ? proof->parent.name : "",
           proof->good ? ": " : "", proof->good ? words : "");
}

/// Proves the attempts that were gathered, and tells them. False: that was ended, and why is in `status`.
static bool prove_chunk(Proving *self)
{
    int processes = workers_wanted(self->count, self->options->run.threads);
    WorkPlan plan = {.jobs = self->count,
                     .processes = processes,
                     .answer_size = sizeof *self->proofs,
                     .job = prove_attempt,
                     .progress = show_progress,
                     .context = self};
    self->threads = processes > 1 ? 1 : 0; // one alone takes all processors
    memset(self->proofs, 0, CHUNK * sizeof *self->proofs);
    for (int k = 0; k < self->count; k++) {
        self->proofs[k].there = true;
        status_fail(&self->proofs[k].status, STATUS_LACKING, "%s: the process that replayed it ended early",
                    self->attempts[k].recording);
    }
    if (self->count > 0 && !workers_run(&plan, self->proofs)) {
        return status_fail(&self->status, STATUS_LACKING, "out of memory for %d attempts", self->count);
    }
    self->stopped = !signals_go_on("results verify", &self->status);
    for (int k = 0; k < self->count; k++) {
        if (!self->stopped) {
            print_proof(&self->attempts[k], &self->proofs[k]);
        }
        self->proven += self->proofs[k].good;
    }
    fflush(stdout);
    self->done += self->count;
    self->count = 0;
    return !self->stopped;
}

/// Nothing of the results is held while a chunk is replayed.
static bool take_attempt(void *context, const ResultAttempt *attempt)
{
    Proving *self = context;
    self->attempts[self->count++] = *attempt;
    return self->count < CHUNK || prove_chunk(self);
}

static bool tell(const Proving *self, Status *status)
{
    printf("%d of %d attempts are proven%s\n", self->proven, self->done, self->stopped ? " so far" : "");
    if (self->status.code != STATUS_GOOD) {
        *status = self->status;
        return false;
    }
    return self->proven == self->done || status_fail(status, STATUS_NOT_VERIFIED, "%d of %d attempts are not proven",
                                                     self->done - self->proven, self->done);
}

bool cli_prove(const CliOptions *options, Results *results, const ResultFilter *filter, Status *status)
{
    Proving self = {.options = options,
                    .attempts = calloc(CHUNK, sizeof *self.attempts),
                    .proofs = calloc(CHUNK, sizeof *self.proofs)};
    signals_take();
    bool good = self.attempts != NULL && self.proofs != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the attempts");
    }
    good = good && results_each(results, filter, take_attempt, &self, status);
    if (good && self.status.code == STATUS_GOOD) {
        prove_chunk(&self);
    }
    good = good && tell(&self, status);
    signals_release();
    free(self.attempts);
    free(self.proofs);
    return good;
}
