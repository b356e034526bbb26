/// `validate`: runs experiments whose outcome is known from elsewhere, and reports how far the soil is from it.
///
/// Exit codes: 0 all results within their tolerance, 3 some are not, 2 wrong usage, 1 a file could not be written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/validation/command/calibrate.h"
#include "tests/validation/command/compare.h"
#include "tests/validation/command/report.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/harness/options.h"
#include "tests/validation/harness/results.h"

enum { MAX_SETTINGS = 64, MAX_NAMES = 64 };

static const char usage[] =
    "usage: validate list [NAME]                 the experiments, or the options of one\n"
    "       validate run NAME [OPTION]...        runs one; exit 0 = within tolerance, 3 = not\n"
    "       validate report OUT.html [OPTION]... runs all (or --only) with every solver; curves over their laws\n"
    "       validate report OUT.md [OPTION]...   the same as Markdown tables\n"
    "       validate compare [NAME]... [OPTION]...  accuracy and cost of the solvers (also: validate --compare)\n"
    "       validate calibrate OUT.csv [SOIL]... [OPTION]...  contact parameters from the soils' bulk properties\n"
    "options: --solver default|p2|gs  --set KEY=VALUE  --seed N  --threads N (0: all)  --quick  --awake  --json\n"
    "         --only NAME,...  --seeds N (report, compare)\n"
    "         --from FILE (report): `measured` as `validate run measured --json` saved it, not run again; several "
    "files:\n"
    "         their sets and seeds together\n";

/// What the command line says.
typedef struct Arguments {
    const char *command;
    int name_count;
    const char *names[MAX_NAMES];
    const char *settings[MAX_SETTINGS];
    const char *only; ///< NULL = all
    int from_count;
    const char *from[MAX_NAMES]; ///< files of saved results
    int seeds; ///< 0 = as the form says
    bool json, help, solver_given;
    RunRequest request;
} Arguments;

static bool read_limited(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *value,
                         Status *status)
{
    if (!read_whole(text, high, value) || *value < low) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %s: a whole number from %llu to %llu is expected", option,
                           text, (unsigned long long)low, (unsigned long long)high);
    }
    return true;
}

/// An option with its value.
static bool read_option(Arguments *arguments, const char *option, const char *text, Status *status)
{
    uint64_t number;
    if (strcmp(option, "--solver") == 0) {
        arguments->solver_given = true;
        return solver_find(text, &arguments->request.solver) ||
               status_fail(status, STATUS_BAD_USAGE, "--solver %s: allowed are default, p2, gs", text);
    }
    if (strcmp(option, "--set") == 0) {
        if (arguments->request.setting_count == MAX_SETTINGS) {
            return status_fail(status, STATUS_BAD_USAGE, "--set %s: at most %d are allowed", text, MAX_SETTINGS);
        }
        arguments->settings[arguments->request.setting_count++] = text;
        return true;
    }
    if (strcmp(option, "--seed") == 0) {
        return read_limited(option, text, 0, INT64_MAX, &arguments->request.seed, status);
    }
    if (strcmp(option, "--threads") == 0 || strcmp(option, "--seeds") == 0) {
        bool threads = strcmp(option, "--threads") == 0;
        if (!read_limited(option, text, threads ? 0 : 1, threads ? RUN_MAX_THREADS : 20, &number, status)) {
            return false;
        }
        *(threads ? &arguments->request.threads : &arguments->seeds) = (int)number;
        return true;
    }
    if (strcmp(option, "--from") == 0) {
        if (arguments->from_count == MAX_NAMES) {
            return status_fail(status, STATUS_BAD_USAGE, "--from %s: at most %d are allowed", text, MAX_NAMES);
        }
        arguments->from[arguments->from_count++] = text;
        return true;
    }
    arguments->only = text; // --only, the last one that takes a value
    return true;
}

static bool takes_value(const char *option)
{
    static const char *const options[] = {"--solver", "--set", "--seed", "--threads", "--seeds", "--from", "--only"};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        if (strcmp(options[k], option) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_flag(Arguments *arguments, const char *word, Status *status)
{
    if (strcmp(word, "--quick") == 0) {
        arguments->request.quick = true;
    } else if (strcmp(word, "--awake") == 0) {
        arguments->request.awake = true;
    } else if (strcmp(word, "--json") == 0) {
        arguments->json = true;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        arguments->help = true;
    } else {
        return status_fail(status, STATUS_BAD_USAGE, "unknown option %s; see validate --help", word);
    }
    return true;
}

static bool read_arguments(int count, char **words, Arguments *arguments, Status *status)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->request.seed = 1;
    arguments->request.settings = arguments->settings;
    for (int k = 1; k < count; k++) {
        const char *word = words[k];
        if (arguments->command == NULL && strcmp(word, "--compare") == 0) {
            arguments->command = "compare";
        } else if (takes_value(word)) {
            if (k + 1 == count) {
                return status_fail(status, STATUS_BAD_USAGE, "%s: a value is missing", word);
            }
            if (!read_option(arguments, word, words[++k], status)) {
                return false;
            }
        } else if (word[0] == '-') {
            if (!read_flag(arguments, word, status)) {
                return false;
            }
        } else if (arguments->command == NULL) {
            arguments->command = word;
        } else if (arguments->name_count == MAX_NAMES) {
            return status_fail(status, STATUS_BAD_USAGE, "%s: at most %d names are allowed", word, MAX_NAMES);
        } else {
            arguments->names[arguments->name_count++] = word;
        }
    }
    return true;
}

static const Experiment *find_experiment(const char *name, Status *status)
{
    const Experiment *experiment = experiment_find(name);
    if (experiment == NULL) {
        status_fail(status, STATUS_BAD_USAGE, "unknown experiment %s; see validate list", name);
    }
    return experiment;
}

/// The experiments of a comma-separated list into `names`, in place of it.
static bool split_only(Arguments *arguments, char *text, Status *status)
{
    arguments->name_count = 0;
    for (char *name = strtok(text, ","); name != NULL; name = strtok(NULL, ",")) {
        if (arguments->name_count == MAX_NAMES || find_experiment(name, status) == NULL) {
            return false;
        }
        arguments->names[arguments->name_count++] = name;
    }
    return arguments->name_count > 0 || status_fail(status, STATUS_BAD_USAGE, "--only: at least one name is expected");
}

static StatusCode list(const Arguments *arguments, Status *status)
{
    if (arguments->name_count > 1) {
        status_fail(status, STATUS_BAD_USAGE, "list: one name at most, %s is too much", arguments->names[1]);
        return status->code;
    }
    if (arguments->name_count == 1) {
        const Experiment *experiment = find_experiment(arguments->names[0], status);
        if (experiment == NULL) {
            return status->code;
        }
        printf("%s: %s\ncompared with: %s\n", experiment->name, experiment->title, experiment->law);
        options_print(experiment, stdout);
        return STATUS_GOOD;
    }
    for (int k = 0; k < experiment_count(); k++) {
        printf("%-12s %s\n", experiment_at(k)->name, experiment_at(k)->title);
    }
    return STATUS_GOOD;
}

static StatusCode run_one(Arguments *arguments, Status *status)
{
    if (arguments->name_count != 1) {
        status_fail(status, STATUS_BAD_USAGE, "run: one NAME is expected; see validate list");
        return status->code;
    }
    arguments->request.experiment = find_experiment(arguments->names[0], status);
    if (arguments->request.experiment == NULL) {
        return status->code;
    }
    Run *run = run_create(&arguments->request, status);
    if (run == NULL || !run_execute(run, status)) {
        run_destroy(run);
        return status->code;
    }
    if (arguments->json) {
        json_t *object = results_to_json(run, false);
        json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
        printf("\n");
        json_decref(object);
    } else {
        results_print(run, stdout);
    }
    StatusCode code = run_passes(run) ? STATUS_GOOD : STATUS_NOT_VERIFIED;
    run_destroy(run);
    return code;
}

/// The report of the experiments chosen, with the saved results that are named.
static StatusCode run_report(const char *path, const Arguments *arguments, const Experiment *const *chosen, int count,
                             Status *status)
{
    bool measured = false;
    for (int k = 0; k < count; k++) {
        measured = measured || strcmp(chosen[k]->name, "measured") == 0;
    }
    if (arguments->from_count > 0 && (!measured || arguments->request.setting_count > 0)) {
        status_fail(status, STATUS_BAD_USAGE, "--from %s: saved results are those of measured; --only %s",
                    arguments->from[0], measured ? "measured takes no --set with them" : "does not name it");
        return status->code;
    }
    const RunRequest *request = &arguments->request;
    if (arguments->from_count > 0 && count == 1 && (arguments->seeds > 0 || request->quick || request->awake)) {
        status_fail(status, STATUS_BAD_USAGE,
                    "--from %s: nothing is run, so --seeds, --quick and --awake change nothing", arguments->from[0]);
        return status->code;
    }
    SavedRuns saved;
    if (!saved_read(arguments->from, arguments->from_count, &saved, status)) {
        return status->code;
    }
    StatusCode code = report_write(path, request, chosen, count, arguments->seeds, &saved, status);
    saved_drop(&saved);
    return code;
}

/// Report and compare: the experiments named, or all.
static StatusCode run_many(Arguments *arguments, Status *status)
{
    bool report = strcmp(arguments->command, "report") == 0;
    const char *path = report && arguments->name_count == 1 ? arguments->names[0] : NULL;
    if (report && path == NULL) {
        status_fail(status, STATUS_BAD_USAGE, "report: one OUT.html or OUT.md is expected");
        return status->code;
    }
    char *text = arguments->only != NULL ? strdup(arguments->only) : NULL;
    if (report) {
        arguments->name_count = 0;
    }
    const Experiment *chosen[MAX_NAMES];
    int count = 0;
    bool good = text == NULL || split_only(arguments, text, status);
    for (int k = 0; good && k < arguments->name_count; k++) {
        chosen[count] = find_experiment(arguments->names[k], status);
        good = chosen[count++] != NULL;
    }
    for (int k = 0; good && arguments->name_count == 0 && k < experiment_count() && k < MAX_NAMES; k++) {
        chosen[count++] = experiment_at(k);
    }
    if (good && arguments->request.setting_count > 0 && count != 1) {
        good = status_fail(status, STATUS_BAD_USAGE, "--set %s: needs one experiment alone", arguments->settings[0]);
    }
    StatusCode code = STATUS_BAD_USAGE;
    if (good && report) {
        code = run_report(path, arguments, chosen, count, status);
    } else if (good) {
        code = compare_print(&arguments->request, chosen, count, arguments->seeds, arguments->json, status);
    }
    free(text);
    return code;
}

/// An option that a command would not heed is a mistake.
static bool options_fit(const Arguments *arguments, Status *status)
{
    const char *command = arguments->command;
    bool run = strcmp(command, "run") == 0, list_only = strcmp(command, "list") == 0;
    bool report = strcmp(command, "report") == 0, all = report || strcmp(command, "compare") == 0;
    const char *wrong = all && arguments->solver_given                      ? "--solver"
                        : (run || list_only) && arguments->only != NULL     ? "--only"
                        : (run || list_only) && arguments->seeds > 0        ? "--seeds"
                        : !report && arguments->from_count > 0              ? "--from"
                        : (report || list_only) && arguments->json          ? "--json"
                        : list_only && arguments->request.setting_count > 0 ? "--set"
                        : list_only && arguments->request.awake             ? "--awake"
                                                                            : NULL;
    return wrong == NULL ||
           status_fail(status, STATUS_BAD_USAGE, "%s takes no %s; see validate --help", command, wrong);
}

static StatusCode obey(Arguments *arguments, Status *status)
{
    if (!options_fit(arguments, status)) {
        return status->code;
    }
    if (strcmp(arguments->command, "list") == 0) {
        return list(arguments, status);
    }
    if (strcmp(arguments->command, "run") == 0) {
        return run_one(arguments, status);
    }
    if (strcmp(arguments->command, "report") == 0 || strcmp(arguments->command, "compare") == 0) {
        return run_many(arguments, status);
    }
    if (strcmp(arguments->command, "calibrate") == 0) {
        return calibrate(&arguments->request, arguments->names, arguments->name_count, status);
    }
    status_fail(status, STATUS_BAD_USAGE, "unknown command %s; see validate --help", arguments->command);
    return status->code;
}

int main(int count, char **words)
{
    Arguments arguments;
    Status status;
    status_good(&status);
    StatusCode code = STATUS_BAD_USAGE;
    if (read_arguments(count, words, &arguments, &status)) {
        if (arguments.help) {
            fputs(usage, stdout);
            return STATUS_GOOD;
        }
        if (arguments.command == NULL) {
            status_fail(&status, STATUS_BAD_USAGE, "a command is missing; see validate --help");
        } else {
            arguments.request.progress = isatty(STDERR_FILENO) == 1;
            code = obey(&arguments, &status);
        }
    }
    if (status.code != STATUS_GOOD) {
        fprintf(stderr, "validate: %s\n", status.text);
    }
    return (int)code;
}
