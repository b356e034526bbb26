/// The command report: checks where it may write, looks up what to compare with, and says what was written.
#include "trainer/cli/cli_report.h"

#include <stdio.h>

#include "data/core/language.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/cli/cli_output.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

enum { MOST_OTHERS = 8, NOTE = RESULTS_COMMAND + 160 };

static bool may_write(const CliOptions *options, Status *status)
{
    if (options->file_count - 1 > MOST_OTHERS) {
        return status_fail(status, STATUS_BAD_USAGE, "report: %d recordings to compare with, allowed at most %d",
                           options->file_count - 1, MOST_OTHERS);
    }
    return output_may_replace(options->html, OUTPUT_HTML, status) &&
           output_may_replace(options->pdf, OUTPUT_PDF, status);
}

/// The recordings that the command line names.
static int take_named(const CliOptions *options, ReportOther others[MOST_OTHERS])
{
    int count = options->file_count - 1;
    for (int k = 0; k < count; k++) {
        others[k] = (ReportOther){.path = options->files[k + 1], .role = ""};
    }
    return count;
}

/// How a run of the scene's expert is made; of what is no scene's name nothing is said that could be copied.
static void tell_of_expert(const char *scene, char note[NOTE])
{
    char command[RESULTS_COMMAND];
    if (results_expert_command(scene, command)) {
        snprintf(note, NOTE, language_text("No run of this scene's expert is known. This makes one: %s"), command);
        fprintf(stderr, "spadework: No run of this scene's expert is known. This makes one: %s\n", command);
    } else {
        snprintf(note, NOTE, "%s", language_text("No run of this scene's expert is known."));
        fprintf(stderr, "spadework: No run of this scene's expert is known.\n");
    }
}

/// Runs that the results know; -1 with `status` when a file of results that was named cannot be read. The user's own
/// results are not asked for: where they are bad, stderr says so.
static int look_up(const CliOptions *options, ResultsCompany *company, ReportOther others[MOST_OTHERS], char note[NOTE],
                   Status *status)
{
    if (!results_find_company(options->run.results, options->files[0], company, status)) {
        if (options->run.results != NULL) {
            return -1;
        }
        fprintf(stderr, "spadework: %s; the report compares with no other run\n", status->text);
        return 0;
    }
    for (int k = 0; k < company->count; k++) {
        bool expert = company->has_expert && k == 0;
        others[k] =
            (ReportOther){.path = company->path[k], .role = expert ? TEXT("expert") : TEXT("earlier"), .found = true};
    }
    if (company->scene[0] != '\0' && !company->has_expert && !company->is_expert) {
        tell_of_expert(company->scene, note);
    }
    return company->count;
}

/// Says on stdout what was written and what the recording's seals say.
static void print_written(const CliOptions *options, const RecordingSeal *seal)
{
    char words[SEAL_WORDS];
    if (options->html != NULL) {
        printf("report        %s\n", options->html);
    }
    if (options->pdf != NULL) {
        printf("report        %s\n", options->pdf);
    }
    seal_words(seal, true, words, sizeof words);
    printf("recording     %s\n", words);
}

static bool write(const CliOptions *options, RecordingSeal *seal, Status *status)
{
    CliProgress progress = {.done = "checked", .what = "seals"};
    ResultsCompany company;
    ReportOther others[MOST_OTHERS];
    char note[NOTE] = "";
    bool named = options->file_count > 1;
    ReportRequest request = {.units = results_units(),
                             .recording = options->files[0],
                             .against = others,
                             .note = note,
                             .html = options->html,
                             .pdf = options->pdf,
                             .progress = cli_shows_progress(&options->run) ? cli_show_progress : NULL,
                             .context = &progress,
                             .seal = seal};
    if (named) {
        request.against_count = take_named(options, others);
    } else if (!options->no_compare) {
        request.against_count = look_up(options, &company, others, note, status);
    }
    return request.against_count >= 0 && report_write(&request, status);
}

int cli_report(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    RecordingSeal seal = {0};
    if (!may_write(options, &status) || !write(options, &seal, &status)) {
        return cli_fail(&status);
    }
    print_written(options, &seal);
    int written = cli_flush();
    if (seal.state == RECORDING_CHANGED) {
        char words[SEAL_WORDS];
        seal_words(&seal, true, words, sizeof words);
        status_fail(&status, STATUS_NOT_VERIFIED, "%s: %s; the report shows no score", options->files[0], words);
        return cli_fail(&status);
    }
    return written;
}
