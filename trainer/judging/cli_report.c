/// The command report: checks where it may write, and says what was written.
#include "trainer/judging/cli_report.h"

#include <stdio.h>

#include "trainer/command/cli_commands.h"
#include "trainer/export/output_file.h"
#include "trainer/report/report.h"

enum { MOST_OTHERS = 8 };

static bool may_write(const CliOptions *options, Status *status)
{
    if (options->file_count - 1 > MOST_OTHERS) {
        return status_fail(status, STATUS_BAD_USAGE, "report: %d recordings to compare with, allowed at most %d",
                           options->file_count - 1, MOST_OTHERS);
    }
    return output_may_replace(options->html, OUTPUT_HTML, status) &&
           output_may_replace(options->pdf, OUTPUT_PDF, status);
}

int cli_report(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    ReportRequest request = {.recording = options->files[0],
                             .against = options->files + 1,
                             .against_count = options->file_count - 1,
                             .html = options->html,
                             .pdf = options->pdf};
    if (!may_write(options, &status) || !report_write(&request, &status)) {
        return cli_fail(&status);
    }
    if (options->html != NULL) {
        printf("report        %s\n", options->html);
    }
    if (options->pdf != NULL) {
        printf("report        %s\n", options->pdf);
    }
    return cli_flush();
}
