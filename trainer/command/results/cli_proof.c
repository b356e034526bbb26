/// Attempts are proven in processes beside each other, one a processor, and told in the order of the results.
#include "trainer/command/results/cli_proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/signals/signals.h"
#include "trainer/workers/workers.h"
#include "trainer/language/seal_words.h"
#include "trainer/recording/recording.h"

/// What came of an attempt.
typedef struct Proof {
    bool good, there;
    RecordingSeal seal;
    RecordingParent parent;
    Status status;
} Proof;

typedef struct Proving {
    const CliOptions *options;
    int threads; ///< of each replay
    ResultAttempt *attempts; ///< [count]
    int count, room;
    bool short_of_memory;
} Proving;

static bool unproven(Status *status, const ResultAttempt *attempt, const char *what)
{
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: %s", attempt->recording, what);
}

/// The attempt's figures are those of the recording, which its replay has just given.
static bool compare_metrics(Recording *recording, const ResultAttempt *attempt, Status *status)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
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
    return (result.metrics > 0 || unproven(status, attempt, "was cut short: it proves no points")) &&
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
        fprintf(stderr, "\rreplayed %d of %d%s", done, self->count, done == self->count ? "\n" : "");
    }
}

static bool take_attempt(void *context, const ResultAttempt *attempt)
{
    Proving *self = context;
    if (self->count == self->room) {
        int room = self->room > 0 ? 2 * self->room : 16;
        ResultAttempt *grown = realloc(self->attempts, (size_t)room * sizeof *grown);
        self->short_of_memory = grown == NULL;
        if (grown == NULL) {
            return false;
        }
        self->attempts = grown;
        self->room = room;
    }
    self->attempts[self->count++] = *attempt;
    return true;
}

static void print_proof(const ResultAttempt *attempt, const Proof *proof)
{
    bool begins = proof->good && proof->parent.state == PARENT_MISSING;
    char words[SEAL_WORDS];
    seal_words(&proof->seal, true, words, sizeof words);
    printf("%.19s  %-16.16s  %-16.16s  %5.1f  %s%s%s%s%s\n", attempt->started,
           attempt->trainee[0] != '\0' ? attempt->trainee : "-", attempt->scene, attempt->score,
           proof->good    ? "proven"
           : proof->there ? proof->status.text
                          : "its recording is gone",
           begins ? " from where it begins; not beside it is its parent " : "", begins ? proof->parent.name : "",
           proof->good ? ": " : "", proof->good ? words : "");
}

static bool prove_all(Proving *self, Status *status)
{
    int proven = 0, processes = workers_wanted(self->count, self->options->run.threads);
    Proof *proofs = calloc((size_t)self->count + 1, sizeof *proofs);
    WorkPlan plan = {.jobs = self->count,
                     .processes = processes,
                     .answer_size = sizeof *proofs,
                     .job = prove_attempt,
                     .progress = show_progress,
                     .context = self};
    self->threads = processes > 1 ? 1 : 0; // one alone takes all processors
    for (int k = 0; k < self->count && proofs != NULL; k++) {
        proofs[k].there = true;
        status_fail(&proofs[k].status, STATUS_LACKING, "%s: the process that replayed it ended early",
                    self->attempts[k].recording);
    }
    if (proofs == NULL || !workers_run(&plan, proofs)) {
        free(proofs);
        return status_fail(status, STATUS_LACKING, "out of memory for %d attempts", self->count);
    }
    bool whole = signals_go_on("results verify", status);
    for (int k = 0; k < self->count; k++) {
        if (whole) {
            print_proof(&self->attempts[k], &proofs[k]);
        }
        proven += proofs[k].good;
    }
    free(proofs);
    if (!whole) {
        printf("%d of %d attempts are proven so far\n", proven, self->count);
        return false;
    }
    printf("%d of %d attempts are proven\n", proven, self->count);
    return proven == self->count || status_fail(status, STATUS_NOT_VERIFIED, "%d of %d attempts are not proven",
                                                self->count - proven, self->count);
}

bool cli_prove(const CliOptions *options, Results *results, const ResultFilter *filter, Status *status)
{
    Proving self = {.options = options};
    signals_take();
    bool good = results_each(results, filter, take_attempt, &self, status) &&
                (!self.short_of_memory || status_fail(status, STATUS_LACKING, "out of memory for the attempts")) &&
                prove_all(&self, status);
    signals_release();
    free(self.attempts);
    return good;
}
