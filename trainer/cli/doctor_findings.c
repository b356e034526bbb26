/// Makes findings and prints them.
#include "trainer/cli/doctor_findings.h"

#include <stdarg.h>
#include <string.h>

#include "data/core/status.h"
#include "trainer/cli/findings_internal.h"

static const char *const verdict_names[] = {
    [DOCTOR_GOOD] = "good", [DOCTOR_SLOW] = "slow", [DOCTOR_MISSING] = "missing"};

const char *doctor_part_words(DoctorPart part)
{
    static const char *const words[] = {
#define X(id, text) text,
        DOCTOR_PARTS(X)
#undef X
    };
    return words[part];
}

/// ---- making --------------------------------------------------------------------------------------------------------

/// Names of devices and drivers come from outside: no terminal's commands.
static void write_line(char line[DOCTOR_LINE], const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void write_line(char line[DOCTOR_LINE], const char *format, va_list arguments)
{
    vsnprintf(line, DOCTOR_LINE, format, arguments);
    status_make_plain(line, false);
}

DoctorFinding *finding_add(DoctorReport *report, const char *about, const char *title, DoctorVerdict verdict,
                           const char *format, ...)
{
    if (report->count == DOCTOR_MOST_FINDINGS) {
        json_decref(report->findings[--report->count].values);
    }
    DoctorFinding *finding = &report->findings[report->count++];
    *finding = (DoctorFinding){.about = about, .title = title, .verdict = verdict, .values = json_object()};
    va_list arguments;
    va_start(arguments, format);
    write_line(finding->text, format, arguments);
    va_end(arguments);
    return finding;
}

void finding_advise(DoctorFinding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(finding->advice, format, arguments);
    va_end(arguments);
}

void finding_number(DoctorFinding *finding, const char *key, double value)
{
    json_object_set_new(finding->values, key, value > 0.0 ? json_real(value) : json_null());
}

void finding_count(DoctorFinding *finding, const char *key, int value)
{
    json_object_set_new(finding->values, key, json_integer(value));
}

void finding_flag(DoctorFinding *finding, const char *key, bool value)
{
    json_object_set_new(finding->values, key, json_boolean(value));
}

/// JSON is UTF-8; paths and names of devices may be anything. What is none has question marks for all beyond ASCII.
static json_t *make_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL) {
        return value;
    }
    char plain[DATA_PATH_LENGTH + DOCTOR_LINE];
    snprintf(plain, sizeof plain, "%s", text);
    for (char *at = plain; *at != '\0'; at++) {
        *at = (unsigned char)*at < 0x80U ? *at : '?';
    }
    return json_string(plain);
}

void finding_text(DoctorFinding *finding, const char *key, const char *value)
{
    json_object_set_new(finding->values, key, value[0] != '\0' ? make_text(value) : json_null());
}

/// ---- judging -------------------------------------------------------------------------------------------------------

/// Parts whose look did not come to its end.
static void judge_ends(const DoctorFacts *facts, DoctorReport *report)
{
    for (int part = 0; part < DOCTOR_PART_COUNT; part++) {
        const DoctorLookEnd *end = &facts->ends[part];
        const char *words = doctor_part_words((DoctorPart)part);
        DoctorFinding *finding = NULL;
        if (end->end == DOCTOR_LATE) {
            finding = finding_add(report, "probe", "look", DOCTOR_MISSING,
                                  "%s: no answer within %g s; what was known by then stands above", words, end->limit);
            finding_advise(finding, "try again when the computer is idle; if it stays so, the drive would hang, too");
        } else if (end->end == DOCTOR_CRASHED) {
            finding = finding_add(report, "probe", "look", DOCTOR_MISSING,
                                  "%s: the look crashed (signal %d); what was known by then stands above", words,
                                  end->signal);
            finding_advise(finding, "a driver or a library is damaged: bring the system up to date");
        } else if (end->end == DOCTOR_NOT_LOOKED) {
            finding = finding_add(report, "probe", "look", DOCTOR_MISSING, "%s: no process could be started", words);
            finding_advise(finding, "end other programs, or raise the limit of processes (ulimit -u)");
        }
        if (finding != NULL) {
            finding_text(finding, "part", words);
            finding_count(finding, "signal", end->signal);
        }
    }
}

static bool is_slow(const DoctorReport *report, const char *about)
{
    const DoctorFinding *finding = doctor_find(report, about);
    return finding != NULL && finding->verdict == DOCTOR_SLOW;
}

void doctor_judge(const DoctorFacts *facts, DoctorReport *report)
{
    memset(report, 0, sizeof *report);
    rules_speed(facts, report);
    rules_drawing(facts, report);
    rules_devices(facts, report);
    rules_files(facts, report);
    judge_ends(facts, report);
    const DrawingFacts *drawing = &facts->drawing;
    report->headless = facts->session.made && facts->ends[DOCTOR_SESSION].end != DOCTOR_CRASHED;
    report->window =
        report->headless && drawing->display && drawing->context && facts->ends[DOCTOR_DRAWING].end != DOCTOR_CRASHED;
    report->slow = is_slow(report, "real_time") || (report->window && is_slow(report, "pictures"));
}

void doctor_free(DoctorReport *report)
{
    for (int k = 0; k < report->count; k++) {
        json_decref(report->findings[k].values);
    }
    report->count = 0;
}

const DoctorFinding *doctor_find(const DoctorReport *report, const char *about)
{
    for (int k = 0; k < report->count; k++) {
        if (strcmp(report->findings[k].about, about) == 0) {
            return &report->findings[k];
        }
    }
    return NULL;
}

/// ---- printing ------------------------------------------------------------------------------------------------------

enum { TEXT_COLUMN = 24 };

static const char *whole_of(const DoctorReport *report)
{
    if (report->window) {
        return report->slow ? "A drive in the window can run, but slowly." : "A drive in the window can run.";
    }
    return report->headless ? "No drive in a window can run here. Commands without one work: spadework run trench "
                              "--headless --operator auto --seconds 40"
                            : "Nothing can be driven here: see what is missing above.";
}

void doctor_print(const DoctorReport *report, FILE *file)
{
    for (int k = 0; k < report->count; k++) {
        const DoctorFinding *finding = &report->findings[k];
        fprintf(file, "%-8s %-14s %s\n", verdict_names[finding->verdict], finding->title, finding->text);
        if (finding->advice[0] != '\0') {
            fprintf(file, "%*s-> %s\n", TEXT_COLUMN, "", finding->advice);
        }
    }
    fprintf(file, "\n%s\n", whole_of(report));
}

void doctor_print_json(const DoctorReport *report, FILE *file)
{
    json_t *whole = json_object(), *findings = json_array();
    json_object_set_new(whole, "format", json_integer(DOCTOR_FORMAT));
    json_object_set_new(whole, "version", json_string(SPADEWORK_VERSION));
    json_object_set_new(whole, "window", json_boolean(report->window));
    json_object_set_new(whole, "headless", json_boolean(report->headless));
    json_object_set_new(whole, "slow", json_boolean(report->slow));
    json_object_set_new(whole, "findings", findings);
    for (int k = 0; k < report->count; k++) {
        const DoctorFinding *finding = &report->findings[k];
        json_t *row = json_object();
        json_object_set_new(row, "about", json_string(finding->about));
        json_object_set_new(row, "verdict", json_string(verdict_names[finding->verdict]));
        json_object_set_new(row, "text", make_text(finding->text));
        json_object_set_new(row, "advice", finding->advice[0] != '\0' ? make_text(finding->advice) : json_null());
        json_object_set(row, "values", finding->values);
        json_array_append_new(findings, row);
    }
    json_dumpf(whole, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    fputc('\n', file);
    json_decref(whole);
}
