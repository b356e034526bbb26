/// The verbs of `spadework results` are rows of a table: words, arguments, what they may do to the file.
#include "trainer/cli/cli_results.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/load.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/cli/cli_delete.h"
#include "trainer/cli/cli_proof.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

#define SEND_PATIENCE   60.0 ///< s: who asks to send waits for it. Chosen
#define CHANGE_PATIENCE 20.0 ///< s: before a change and after it. Chosen

/// One call of a verb.
typedef struct Call {
    const CliOptions *options;
    Results *results;
    const char *const *words; ///< [word_count] arguments behind the verb
    int word_count;
    Status *status;
} Call;

enum { MANY = -1 };

typedef struct Verb {
    const char *words[2]; ///< "class", "add"; the second may be NULL
    const char *arguments; ///< "NAME TRAINEE"
    int argument_count; ///< MANY: one or more
    ResultsMode mode;
    bool (*run)(const Call *call);
} Verb;

/// ---- verbs ---------------------------------------------------------------------------------------------------------

/// Where a name is asked for that nobody has, that is told, rather than an empty list.
static bool check_names(const Call *call)
{
    return results_check_people(call->results, call->options->class_name, call->options->run.trainee, call->status);
}

static bool list_attempts(const Call *call)
{
    const CliOptions *options = call->options;
    SettingsParams settings = {0};
    ResultFilter filter = {
        .trainee = options->run.trainee, .class_name = options->class_name, .scene = options->result_scene};
    ResultsFormat format = options->result_csv    ? RESULTS_CSV
                           : options->result_xapi ? RESULTS_XAPI
                           : options->run.json    ? RESULTS_JSON
                                                  : RESULTS_TABLE;
    if (!check_names(call) || (format == RESULTS_XAPI && !results_settings(&settings, call->status))) {
        return false;
    }
    if (format == RESULTS_XAPI && settings.xapi.home_page[0] == '\0') {
        fprintf(stderr,
                "spadework: xapi.home_page is not set in the settings: the statements name everybody's account at %s, "
                "as every other computer does, so that people of one name become one; set the address of your school\n",
                RESULTS_HOME_PAGE);
    }
    return results_print(call->results, &filter, format, settings.xapi.home_page, stdout, call->status);
}

static bool list_trainees(const Call *call)
{
    ResultTrainee *list = NULL;
    int count = results_trainees(call->results, call->options->class_name, &list, call->status);
    json_t *array = json_array();
    for (int k = 0; k < count; k++) {
        if (call->options->run.json) {
            json_array_append_new(array, json_pack("{s:s, s:i, s:i, s:f}", "trainee", list[k].name, "attempts",
                                                   list[k].attempts, "passed", list[k].passed, "best", list[k].best));
        } else {
            printf("%-24s %4d attempts, %4d passed, best %5.1f points\n", list[k].name, list[k].attempts,
                   list[k].passed, list[k].best);
        }
    }
    if (count >= 0 && call->options->run.json) {
        json_dumpf(array, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    }
    json_decref(array);
    free(list);
    return count >= 0;
}

static bool list_courses(const Call *call)
{
    ResultProgress *list = NULL;
    int count =
        check_names(call) ? results_progress(call->results, call->options->run.trainee, &list, call->status) : -1;
    json_t *array = json_array();
    for (int k = 0; k < count; k++) {
        const ResultProgress *one = &list[k];
        if (call->options->run.json) {
            json_array_append_new(array,
                                  json_pack("{s:s, s:s, s:s, s:s, s:f}", "trainee", one->trainee, "course", one->course,
                                            "scene", one->scene, "passed", one->passed, "best", one->best));
        } else {
            printf("%-24s %-20s %-20s %.10s, best %5.1f points\n", one->trainee, one->course, one->scene, one->passed,
                   one->best);
        }
    }
    if (count >= 0 && call->options->run.json) {
        json_dumpf(array, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    }
    json_decref(array);
    free(list);
    return count >= 0;
}

static bool add_member(const Call *call)
{
    return results_add_member(call->results, call->words[0], call->words[1], call->status);
}

static bool remove_member(const Call *call)
{
    return results_remove_member(call->results, call->words[0], call->words[1], call->status);
}

static bool delete_trainee(const Call *call)
{
    return cli_delete(call->options, call->results, call->words[0], call->status);
}

static bool purge(const Call *call)
{
    return cli_purge(call->options, call->results, call->status);
}

static bool export_class(const Call *call)
{
    bool good = results_export_class(call->results, call->words[0], call->words[1], call->status);
    if (good) {
        printf("%s: class %s\n", call->words[1], call->words[0]);
    }
    return good;
}

static bool import_class(const Call *call)
{
    ResultsImport import;
    bool restore = call->options->restore,
         good = results_import_class(call->results, call->words[0], restore, &import, call->status);
    if (good) {
        printf("class %s: %d trainees, %d new attempts, %d were known\n", import.class_name, import.trainees,
               import.attempts, import.known);
    }
    if (good && (import.gone > 0 || import.left_out > 0)) {
        printf("left out: %d attempts that began before their trainees were deleted here", import.left_out);
        if (import.gone > 0) {
            printf(", %d of the trainees (%s%s)", import.gone, import.gone_name, import.gone > 1 ? ", ..." : "");
        }
        printf("; --restore brings them back\n");
    }
    return good;
}

/// Adds the attempts of recordings, one after the other; one that is refused is told, and the others are added.
static bool add_recordings(const Call *call)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    int added = 0;
    if (attempt == NULL) {
        return status_fail(call->status, STATUS_LACKING, "out of memory for an attempt");
    }
    Status first = {STATUS_GOOD, ""};
    for (int k = 0; k < call->word_count; k++) {
        Status reason;
        char why[CREDIT_WORDS];
        if (!results_of_recording(call->words[k], attempt, &reason) ||
            !results_add_recorded(call->results, attempt, call->options->restore, &reason)) {
            fprintf(stderr, "spadework: %s\n", reason.text);
            first = first.code == STATUS_GOOD ? reason : first;
            continue;
        }
        added++;
        Credit credit = results_credit(attempt);
        credit_words_plain(&credit, attempt->trainee, why);
        printf("added %s: %s, %s, %s%s%s\n", call->words[k], attempt->started,
               attempt->trainee[0] != '\0' ? attempt->trainee : "nobody named", attempt->scene,
               why[0] != '\0'      ? ". "
               : attempt->passed   ? ", passed"
               : attempt->finished ? ", not passed"
                                   : ", left before its end",
               why);
    }
    free(attempt);
    printf("%d of %d recordings added\n", added, call->word_count);
    if (first.code != STATUS_GOOD) {
        int missing = call->word_count - added;
        return status_fail(call->status, first.code, "%d recording%s not added, see above", missing,
                           missing == 1 ? " was" : "s were");
    }
    return true;
}

static bool draw_progress(const Call *call)
{
    const char *name = call->options->run.course;
    CourseParams *course = name != NULL ? calloc(1, sizeof *course) : NULL;
    bool good = name == NULL || (course != NULL ? data_load_course(name, course, call->status)
                                                : status_fail(call->status, STATUS_LACKING, "out of memory"));
    good = good && results_draw_progress(call->results, call->words[0], course, call->words[1], call->status);
    free(course);
    if (good) {
        printf("%s: progress of %s\n", call->words[1], call->words[0]);
    }
    return good;
}

static bool verify(const Call *call)
{
    ResultFilter filter = {.trainee = call->options->run.trainee,
                           .class_name = call->options->class_name,
                           .scene = call->options->result_scene};
    return (call->options->run.trainee == NULL && call->options->class_name == NULL ? true : check_names(call)) &&
           cli_prove(call->options, call->results, &filter, call->status);
}

static bool send_waiting(const Call *call)
{
    int sent = 0;
    if (!results_are_shared(call->options->run.results)) {
        return status_fail(call->status, STATUS_BAD_USAGE,
                           "results send: needs --results postgresql://..., the server of shared results");
    }
    bool good = results_exchange(call->results, SEND_PATIENCE, &sent, call->status);
    printf("%d sent, %d waiting\n", sent, results_waiting(call->results));
    return good;
}

static const Verb verbs[] = {
    {{"verify", NULL}, "", 0, RESULTS_READ, verify},
    {{"trainees", NULL}, "", 0, RESULTS_READ, list_trainees},
    {{"courses", NULL}, "", 0, RESULTS_READ, list_courses},
    {{"class", "add"}, "NAME TRAINEE", 2, RESULTS_WRITE, add_member},
    {{"class", "remove"}, "NAME TRAINEE", 2, RESULTS_WRITE, remove_member},
    {{"add", NULL}, "RECORDING...", MANY, RESULTS_WRITE, add_recordings},
    {{"delete", NULL}, "TRAINEE", 1, RESULTS_WRITE, delete_trainee},
    {{"purge", NULL}, "", 0, RESULTS_WRITE, purge},
    {{"export-class", NULL}, "NAME FILE.json", 2, RESULTS_READ, export_class},
    {{"import-class", NULL}, "FILE.json", 1, RESULTS_WRITE, import_class},
    {{"send", NULL}, "", 0, RESULTS_WRITE, send_waiting},
    {{"progress", NULL}, "TRAINEE FILE.svg|FILE.png", 2, RESULTS_READ, draw_progress},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };
static const Verb listing = {{"", NULL}, "", 0, RESULTS_READ, list_attempts};

/// ---- which ---------------------------------------------------------------------------------------------------------

static int verb_length(const Verb *verb)
{
    return verb->words[1] != NULL ? 2 : verb->words[0][0] != '\0';
}

static bool is_verb(const Verb *verb, const CliOptions *options)
{
    int length = verb_length(verb);
    bool same = options->file_count >= length;
    for (int k = 0; k < length && same; k++) {
        same = strcmp(options->files[k], verb->words[k]) == 0;
    }
    return same;
}

/// The verb that is called; NULL with `status`.
static const Verb *find_verb(const CliOptions *options, Status *status)
{
    const Verb *verb = options->file_count == 0 ? &listing : NULL;
    for (int k = 0; k < VERB_COUNT && verb == NULL; k++) {
        verb = is_verb(&verbs[k], options) ? &verbs[k] : NULL;
    }
    if (verb == NULL) {
        status_fail(status, STATUS_BAD_USAGE,
                    "results %.80s: nothing, verify, trainees, courses, add, class add, class remove, delete, purge, "
                    "export-class, import-class, send or progress is allowed; see: spadework results --help",
                    options->files[0]);
        return NULL;
    }
    int given = options->file_count - verb_length(verb);
    if (verb->argument_count == MANY ? given < 1 : given != verb->argument_count) {
        status_fail(status, STATUS_BAD_USAGE, "results %s%s%s: needs %s, and has %d arguments", verb->words[0],
                    verb->words[1] != NULL ? " " : "", verb->words[1] != NULL ? verb->words[1] : "",
                    verb->argument_count != 0 ? verb->arguments : "none", given);
        return NULL;
    }
    return verb;
}

/// Options that would do nothing are refused.
static bool check_options(const CliOptions *options, const Verb *verb, Status *status)
{
    int formats = options->run.json + options->result_csv + options->result_xapi;
    bool proves = verb->run == verify;
    bool attempts = verb == &listing, people = verb->run == list_trainees, courses = verb->run == list_courses;
    if (formats > 1) {
        return status_fail(status, STATUS_BAD_USAGE, "results: only one of --json, --csv and --xapi is allowed");
    }
    const char *idle = !attempts && !proves && !courses && options->run.trainee != NULL               ? "--trainee"
                       : !attempts && !proves && options->result_scene != NULL                        ? "--scene"
                       : !attempts && options->result_csv                                             ? "--csv"
                       : !attempts && options->result_xapi                                            ? "--xapi"
                       : !attempts && !people && !courses && options->run.json                        ? "--json"
                       : !attempts && !proves && !people && options->class_name != NULL               ? "--class"
                       : verb->run != draw_progress && options->run.course                            ? "--course"
                       : verb->run != import_class && verb->run != add_recordings && options->restore ? "--restore"
                       : verb->run != delete_trainee && verb->run != purge && options->dry_run        ? "--dry-run"
                       : verb->run != delete_trainee && options->yes                                  ? "--yes"
                                                                                                      : NULL;
    return idle == NULL || status_fail(status, STATUS_BAD_USAGE,
                                       "results %s: takes no %s; see: spadework results --help", verb->words[0], idle);
}

/// Before and after a change of shared results: a server that is away is told at the end, any other fault is one.
static bool bring_up_to_date(Results *results, Status *status)
{
    return results_exchange(results, CHANGE_PATIENCE, NULL, status) ||
           (status->code == STATUS_LACKING && status_good(status));
}

static void tell_waiting(Results *results)
{
    char told[RESULTS_TOLD];
    cli_tell_left(results);
    if (results_shared_told(results, told)) {
        fprintf(stderr, "spadework: %s\n", told);
    }
}

int cli_results(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const Verb *verb = find_verb(options, &status);
    if (verb == NULL || !check_options(options, verb, &status)) {
        return cli_fail(&status);
    }
    Results *results = results_open(options->run.results, verb->mode, &status);
    if (results == NULL) {
        return cli_fail(&status);
    }
    int length = verb_length(verb);
    Call call = {options, results, options->files + length, options->file_count - length, &status};
    bool changes = verb->mode == RESULTS_WRITE && verb->run != send_waiting;
    bool good = !changes || bring_up_to_date(results, &status);
    good = good && verb->run(&call) && (!changes || options->dry_run || bring_up_to_date(results, &status));
    if (status.code == STATUS_GOOD) {
        tell_waiting(results);
    }
    results_close(results);
    int written = cli_flush();
    return good ? written : cli_fail(&status);
}
