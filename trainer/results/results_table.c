/// Attempts as lines for people and as CSV.
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_print.h"

/// ---- table ---------------------------------------------------------------------------------------------------------

/// The text with as many characters (not bytes) as the column has, without what a terminal would take as a command.
static void print_cell(FILE *file, const char *name, int width)
{
    char shown[RESULT_NAME]; // an older program may have taken any name
    int characters = 0;
    visible_text_show(name, false, shown, sizeof shown);
    const char *p = shown;
    for (; *p != '\0'; p++) {
        bool begins = ((unsigned char)*p & 0xc0) != 0x80;
        if (begins && characters == width) {
            break;
        }
        characters += begins;
        fputc(*p, file);
    }
    fprintf(file, "%*s", width - characters + 2, "");
}

/// Whether it is passed, or why it counts for nobody.
static const char *passed_text(const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    return credit_counts(&credit, attempt->trainee) ? attempt->passed ? "yes" : "no"
           : credit_is_practice(&credit)            ? "practice"
                                                    : "scripted";
}

static bool print_line(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    FILE *file = self->file;
    if (self->count++ == 0) {
        fputs("started (UTC)        trainee           scene             points  passed    min:s   end      recording\n",
              file);
    }
    char started[RESULT_TIME];
    snprintf(started, sizeof started, "%s", attempt->started);
    started[10] = started[10] == 'T' ? ' ' : started[10];
    started[19] = '\0';
    print_cell(file, started, 19);
    print_cell(file, attempt->trainee[0] != '\0' ? attempt->trainee : "-", 16);
    print_cell(file, attempt->scene, 16);
    char points[16] = "     -", gone[40] = "", recording[DATA_PATH_LENGTH];
    if (attempt->parent[0] == '\0') { // practice has no points of its own
        snprintf(points, sizeof points, "%6.1f", attempt->score);
    }
    if (attempt->cleared[0] != '\0') {
        snprintf(gone, sizeof gone, "deleted by the clean-up on %.10s: ", attempt->cleared);
    }
    snprintf(recording, sizeof recording, "%s", attempt->recording[0] != '\0' ? attempt->recording : "-");
    status_make_plain(recording, false);
    int seconds = (int)attempt->duration;
    fprintf(file, "%s  %-8s  %3d:%02d  %-7s  %s%s\n", points, passed_text(attempt), seconds / 60, seconds % 60,
            attempt->end, gone, recording);
    return true;
}

/// ---- CSV -----------------------------------------------------------------------------------------------------------

/// In quotes where it needs them. A text that a spreadsheet would take for a formula begins with an apostrophe.
static void print_field(FILE *file, const char *text)
{
    const char *formula = text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL ? "'" : "";
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(file, "%s%s", formula, text);
        return;
    }
    fprintf(file, "\"%s", formula);
    for (const char *p = text; *p != '\0'; p++) {
        fputs(*p == '"' ? "\"\"" : (char[]){*p, '\0'}, file);
    }
    fputc('"', file);
}

static void print_heads(FILE *file)
{
    fputs("uuid,started,trainee,scene,title,course,duration_s,points,passed,finished,end,operator,machine,build,"
          "recording,"
          "recording_xxh3,recording_seal,parent,driver,clumsy,practice_from_s,points_with_parent,language,station,"
          "recording_cleared",
          file);
    for (int k = 0; k < METRIC_COUNT; k++) {
        fprintf(file, ",%s", metric_infos[k].name);
    }
    fputc('\n', file);
}

/// Who drove, what practice began in and came to, and what is not the attempt's own.
static void print_credit(FILE *file, const ResultAttempt *attempt)
{
    const char *const texts[] = {attempt->language, attempt->station, attempt->cleared};
    fprintf(file, ",%s,%.9g,", credit_driver_name(attempt->driver), attempt->clumsy);
    bool practice = attempt->parent[0] != '\0';
    if (practice && attempt->parent_at >= 0.0) {
        fprintf(file, "%.3f", attempt->parent_at);
    }
    fputc(',', file);
    if (practice) {
        fprintf(file, "%.6g", attempt->score);
    }
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        fputc(',', file);
        print_field(file, texts[k]);
    }
}

static bool print_row(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    FILE *file = self->file;
    const char *texts[] = {attempt->uuid,  attempt->started, attempt->trainee,
                           attempt->scene, attempt->title,   attempt->course};
    const char *more[] = {attempt->end,       attempt->operator_name,  attempt->machine,        attempt->build,
                          attempt->recording, attempt->recording_hash, attempt->recording_seal, attempt->parent};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        print_field(file, texts[k]);
        fputc(',', file);
    }
    char points[32] = "";
    if (attempt->parent[0] == '\0') {
        snprintf(points, sizeof points, "%.6g", attempt->score);
    }
    fprintf(file, "%.3f,%s,%d,%d", attempt->duration, points, attempt->passed, attempt->finished);
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        fputc(',', file);
        print_field(file, more[k]);
    }
    print_credit(file, attempt);
    for (int k = 0; k < METRIC_COUNT; k++) {
        fputc(',', file);
        for (int m = 0; m < attempt->metric_count; m++) {
            if (strcmp(attempt->metrics[m].name, metric_infos[k].name) == 0) {
                fprintf(file, "%.9g", attempt->metrics[m].value);
            }
        }
    }
    fputc('\n', file);
    return true;
}

/// ---- which ---------------------------------------------------------------------------------------------------------

bool results_print(Results *results, const ResultFilter *filter, ResultsFormat format, const char *home_page,
                   FILE *file, Status *status)
{
    ResultsPrinting self = {.results = results,
                            .file = file,
                            .class_name = filter != NULL ? filter->class_name : NULL,
                            .home_page = home_page != NULL && home_page[0] != '\0' ? home_page : RESULTS_HOME_PAGE};
    bool json = format == RESULTS_JSON || format == RESULTS_XAPI;
    ResultsVisit *visit = format == RESULTS_JSON   ? results_print_json
                          : format == RESULTS_XAPI ? results_print_statement
                          : format == RESULTS_CSV  ? print_row
                                                   : print_line;
    if (format == RESULTS_CSV) {
        print_heads(file);
    } else if (json) {
        fputc('[', file);
    }
    bool good = format != RESULTS_XAPI || (self.member_count = results_members(results, &self.members, status)) >= 0;
    good = good && results_each(results, filter, visit, &self, status);
    good = good && (!self.lacking || status_fail(status, STATUS_LACKING, "out of memory for the attempts"));
    free(self.members);
    if (json) {
        fputs(self.count > 0 ? "\n]\n" : "]\n", file);
    } else if (format == RESULTS_TABLE && self.count == 0 && good) {
        fputs("no attempts\n", file);
    }
    return good;
}
