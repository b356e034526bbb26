/// Attempts are proven one by one; each replay takes all processors.
#include "trainer/command/results/cli_proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/signals/signals.h"
#include "trainer/recording/recording.h"

typedef struct Proving {
    const CliOptions *options;
    int attempts, proven;
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

static bool prove(Recording *recording, const Proving *self, const ResultAttempt *attempt, Status *status)
{
    VerifyResult result;
    if (!recording_verify(recording, recording_first_tick(recording), false, self->options->run.threads, NULL, NULL,
                          &result, status)) {
        return false;
    }
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

static bool prove_attempt(void *context, const ResultAttempt *attempt)
{
    Proving *self = context;
    Status status = {STATUS_GOOD, ""};
    bool there = attempt->recording[0] != '\0' && access(attempt->recording, F_OK) == 0;
    Recording *recording = there ? recording_open(attempt->recording, &status) : NULL;
    bool good = recording != NULL && prove(recording, self, attempt, &status);
    recording_close(recording);
    if (!good && signals_stop_asked()) {
        return false;
    }
    self->attempts++;
    self->proven += good;
    printf("%.19s  %-16.16s  %-16.16s  %5.1f  %s\n", attempt->started,
           attempt->trainee[0] != '\0' ? attempt->trainee : "-", attempt->scene, attempt->score,
           good    ? "proven"
           : there ? status.text
                   : "its recording is gone");
    fflush(stdout);
    return true;
}

bool cli_prove(const CliOptions *options, Results *results, const ResultFilter *filter, Status *status)
{
    Proving self = {.options = options};
    signals_take();
    bool good = results_each(results, filter, prove_attempt, &self, status);
    signals_release();
    if (!good) {
        return false;
    }
    if (!signals_go_on("results verify", status)) {
        printf("%d of %d attempts are proven so far\n", self.proven, self.attempts);
        return false;
    }
    printf("%d of %d attempts are proven\n", self.proven, self.attempts);
    return self.proven == self.attempts || status_fail(status, STATUS_NOT_VERIFIED, "%d of %d attempts are not proven",
                                                       self.attempts - self.proven, self.attempts);
}
