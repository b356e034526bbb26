/// Writes the debrief and hands it to the desktop. The browser belongs to the desktop, not to this program: it is
/// neither waited for nor ended.
#include "trainer/app/debrief.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/core/program_file.h"
#include "data/core/signals.h"
#include "data/core/data_files.h"
#include "data/core/language.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

extern char **environ;

/// The shell starts it in the background and ends at once.
static bool open_by_desktop(const char *path)
{
    char script[] = "xdg-open \"$1\" >/dev/null 2>&1 </dev/null &", shell[] = "sh", flag[] = "-c";
    char whole[DATA_PATH_LENGTH];
    char *real = realpath(path, NULL);
    snprintf(whole, sizeof whole, "%s", real != NULL ? real : path);
    free(real);
    char *arguments[] = {shell, flag, script, shell, whole, NULL};
    pid_t child = 0;
    int ended = 0;
    if (!program_is_there("xdg-open")) {
        return false;
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    signals_for_program(&attributes);
    bool started = posix_spawnp(&child, shell, NULL, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    return started && waitpid(child, &ended, 0) == child && ended == 0;
}

void debrief_open(const char *recording, const char *results, TextUnits units, char *told, size_t size)
{
    char path[DATA_PATH_LENGTH];
    ResultsCompany company = {0};
    ReportOther others[1 + RESULTS_OWN_RUNS];
    Status status = {STATUS_GOOD, ""}, unused;
    if (!results_find_company(results, recording, &company, &unused)) {
        company.count = 0; // results that cannot be read are told where they are written
    }
    for (int k = 0; k < company.count; k++) {
        bool expert = company.has_expert && k == 0;
        others[k] =
            (ReportOther){.path = company.path[k], .role = expert ? TEXT("expert") : TEXT("earlier"), .found = true};
    }
    ReportRequest request = {.units = units,
                             .recording = recording,
                             .against = others,
                             .against_count = company.count,
                             .note = "",
                             .html = path};
    bool fits = snprintf(path, sizeof path, "%s.html", recording) < (int)sizeof path;
    if (!fits || !output_may_replace(path, OUTPUT_HTML, &status) || !report_write(&request, &status)) {
        snprintf(told, size, language_text("No debrief: %s"),
                 fits ? status.text : language_text("its path is too long"));
    } else if (open_by_desktop(path)) {
        snprintf(told, size, language_text("The debrief opens in the browser: %s"), path);
    } else {
        snprintf(told, size, language_text("The debrief is in %s (xdg-open is missing: open it in a browser)"), path);
    }
}
