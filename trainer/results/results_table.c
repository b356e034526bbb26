/// Attempts as lines for people and as CSV.
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_print.h"

/// ---- table ---------------------------------------------------------------------------------------------------------

/// The text with as many characters (not bytes) as the column has.
static void print_cell(FILE *file, const char *text, int width)
{
    char shown[RESULT_NAME]; // an older program may have taken any name
    int characters = 0;
    visible_text_show(text, false, shown, sizeof shown);
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

static bool print_line(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    FILE *file = self->file;
    if (self->count++ == 0) {
        fputs("started (UTC)        trainee           scene             points  passed  min:s   end      recording\n",
              file);
    }
    char started[RESULT_TIME];
    snprintf(started, sizeof started, "%s", attempt->started);
    started[10] = started[10] == 'T' ? ' ' : started[10];
    started[19] = '\0';
    print_cell(file, started, 19);
    print_cell(file, attempt->trainee[0] != '\0' ? attempt->trainee : "-", 16);
    print_cell(file, attempt->scene, 16);
    int seconds = (int)attempt->duration;
    fprintf(file, "%6.1f  %-6s  %3d:%02d  %-7s  %s\n", attempt->score, attempt->passed ? "yes" : "no", seconds / 60,
            seconds % 60, attempt->end, attempt->recording[0] != '\0' ? attempt->recording : "-");
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
          "recording_xxh3,recording_seal,parent",
          file);
    for (int k = 0; k < METRIC_COUNT; k++) {
        fprintf(file, ",%s", metric_infos[k].name);
    }
    fputc('\n', file);
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
    fprintf(file, "%.3f,%.6g,%d,%d", attempt->duration, attempt->score, attempt->passed, attempt->finished);
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        fputc(',', file);
        print_field(file, more[k]);
    }
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
    ResultsPrinting self = {.file = file,
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
    bool good = results_each(results, filter, visit, &self, status);
    if (json) {
        fputs(self.count > 0 ? "\n]\n" : "]\n", file);
    } else if (format == RESULTS_TABLE && self.count == 0 && good) {
        fputs("no attempts\n", file);
    }
    return good;
}
