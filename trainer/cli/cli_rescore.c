/// The command rescore: many recordings, shared among processes (workers.h); answers are printed in the order of the
/// files.
#include "trainer/cli/cli_rescore.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/cli/cli_output.h"
#include "trainer/report/report.h"
#include "trainer/cli/workers.h"
#include "trainer/record/record.h"

/// What is told of one file.
typedef struct Answer {
    bool good;
    Status status;
    Rescore result;
} Answer;

typedef struct Rescoring {
    const CliOptions *options;
    const RescoreRules *rules;
} Rescoring;

static void rescore_one(void *context, int file, void *answer)
{
    const Rescoring *self = context;
    Answer *own = answer;
    own->good = rescore_recording(self->options->files[file], self->rules, &own->result, &own->status);
}

static void show_progress(void *context, int done)
{
    const CliOptions *options = ((const Rescoring *)context)->options;
    if (options->run.progress || isatty(STDERR_FILENO)) {
        fprintf(stderr, "\rrescored %d of %d recordings%s", done, options->file_count,
                done == options->file_count ? "\n" : "");
    }
}

/// The verdict, or why it counts for nobody.
static const char *verdict_of(const Rescore *result, char why[CREDIT_WORDS])
{
    credit_words_plain(&result->credit, result->trainee, why);
    return why[0] != '\0' ? why : result->verdict;
}

static json_t *answer_json(const char *path, const Answer *answer)
{
    const Rescore *result = &answer->result;
    char why[CREDIT_WORDS];
    json_t *entry = json_object();
    json_object_set_new(entry, "recording", json_string(path));
    json_object_set_new(entry, "evidence", cli_seal_json(&result->seal));
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
    json_object_set_new(entry, "verdict", json_string(verdict_of(result, why)));
    json_object_set_new(entry, "counts", json_boolean(credit_counts(&result->credit, result->trainee)));
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
            char words[SEAL_WORDS], why[CREDIT_WORDS];
            seal_words(&result->seal, true, words, sizeof words);
            printf("%s  %s%s%s  %.1f -> %.1f  %s%s  [%s]\n", options->files[k], result->scene,
                   result->trainee[0] != '\0' ? "  " : "", result->trainee, result->before, result->after,
                   verdict_of(result, why), result->replayed ? " (replayed)" : "", words);
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
    int code = STATUS_GOOD;
    if (status.code != STATUS_GOOD || answers == NULL) {
        code = status.code != STATUS_GOOD ? cli_fail(&status) : STATUS_LACKING;
    } else {
        for (int k = 0; k < options->file_count; k++) {
            status_fail(&answers[k].status, STATUS_LACKING, "%s: the process that scored it ended early",
                        options->files[k]);
        }
        Rescoring self = {options, rules};
        WorkPlan plan = {.jobs = options->file_count,
                         .processes = workers_wanted(options->file_count, options->run.threads),
                         .answer_size = sizeof *answers,
                         .job = rescore_one,
                         .progress = show_progress,
                         .context = &self};
        show_progress(&self, 0);
        code = !workers_run(&plan, answers)        ? STATUS_LACKING
               : signals_go_on("rescore", &status) ? print_answers(options, answers)
                                                   : cli_fail(&status);
    }
    free(answers);
    rescore_rules_free(rules);
    return code;
}
