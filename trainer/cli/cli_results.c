/// The command `results`. Its verbs are rows of a table: words, arguments, what they may do to the file.
#include "trainer/cli/cli_commands.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "data/schema/schema.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/workers.h"
#include "trainer/record/record.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

/// ---- deleting people -----------------------------------------------------------------------------------------------

/// Results and recordings lie apart: a recording is a file of the station that made it. Each one is looked up here and
/// printed with what became of it; those of other stations are printed by their place.

#define DELETE_PATIENCE 20.0 ///< s that an exchange with the server may take. Chosen

typedef struct Deleting {
    const CliOptions *options;
    char folder[DATA_PATH_LENGTH]; ///< of the user's recordings, absolute; "" = there is none
    char station[RESULT_NAME]; ///< this computer
    bool shared;
    bool dry; ///< nothing is deleted
    int deleted, left, elsewhere; ///< recordings: gone, here and not ours to delete, on other stations
} Deleting;

static void begin_deleting(Deleting *self, const CliOptions *options)
{
    char folder[DATA_PATH_LENGTH];
    Status unused;
    *self = (Deleting){.options = options, .dry = options->dry_run, .shared = results_are_shared(options->run.results)};
    results_station(self->station);
    if (user_data_path("recordings", folder, &unused)) {
        char *real = realpath(folder, NULL);
        snprintf(self->folder, sizeof self->folder, "%s", real != NULL ? real : "");
        free(real);
    }
}

static bool is_in_folder(const Deleting *self, const char *path)
{
    size_t length = strlen(self->folder);
    return length > 0 && strncmp(path, self->folder, length) == 0 && path[length] == '/' &&
           strchr(path + length + 1, '/') == NULL;
}

/// Another station's recording may have the path of one that lies here.
static bool is_that_file(const char *path, const char *recording_hash)
{
    char hash[RESULT_HASH];
    return recording_hash[0] == '\0' || (results_hash_file(path, hash) && strcmp(hash, recording_hash) == 0);
}

static void delete_recording(Deleting *self, const char *path)
{
    if (is_in_folder(self, path) && recording_is_one(path) && (self->dry || results_delete_recording(path))) {
        printf("%s %s\n", self->dry ? "would delete" : "deleted", visible_text_shown(path).text);
        self->deleted++;
    } else {
        printf("left, since it is not in the folder of recordings: %s\n", visible_text_shown(path).text);
        self->left++;
    }
}

/// One recording of the results.
static void delete_attempt_recording(Deleting *self, const ResultsDeleted *one)
{
    bool here = one->station[0] == '\0' || strcmp(one->station, self->station) == 0;
    if (one->recording[0] == '\0') {
        return;
    }
    if (access(one->recording, F_OK) == 0 && is_that_file(one->recording, one->hash)) {
        delete_recording(self, one->recording);
    } else if (one->cleared) {
        printf("deleted already by the clean-up: %s\n", visible_text_shown(one->recording).text);
    } else if (here && (!self->shared || one->station[0] != '\0')) {
        printf(access(one->recording, F_OK) == 0 ? "left, since it is another file by now: %s\n" : "gone already: %s\n",
               visible_text_shown(one->recording).text);
    } else {
        printf("left at %s, where \"spadework results purge\" deletes it: %s\n",
               one->station[0] != '\0' ? one->station : "another station", visible_text_shown(one->recording).text);
        self->elsewhere++;
    }
}

/// Recordings in the folder that bear the name and that no attempt of these results names.
static void delete_by_name(Deleting *self, const char *trainee, const ResultsDeletion *told)
{
    ResultRecordings list;
    Status status;
    if (!results_recordings(NULL, &list, &status)) {
        fprintf(stderr, "spadework: %s\n", status.text);
        return;
    }
    for (int k = 0; k < list.count; k++) {
        const char *path = list.entries[k].path;
        char *real = realpath(path, NULL);
        bool known = false;
        for (int n = 0; n < told->count && !known; n++) {
            known = strcmp(told->attempts[n].recording, real != NULL ? real : path) == 0;
        }
        if (!known && list.entries[k].fault[0] == '\0' && strcmp(list.entries[k].glance.trainee, trainee) == 0) {
            delete_recording(self, real != NULL ? real : path);
        }
        free(real);
    }
    results_recordings_free(&list);
}

static int count_by_name(const char *trainee)
{
    ResultRecordings list;
    Status unused;
    int count = 0;
    if (results_recordings(NULL, &list, &unused)) {
        for (int k = 0; k < list.count; k++) {
            count += list.entries[k].fault[0] == '\0' && strcmp(list.entries[k].glance.trainee, trainee) == 0;
        }
        results_recordings_free(&list);
    }
    return count;
}

/// Prints how many attempts and recordings there are, a line a station.
static void print_stations(const Deleting *self, const ResultsDeletion *told)
{
    for (int k = 0; k < told->count;) {
        int first = k, recordings = 0;
        while (k < told->count && strcmp(told->attempts[k].station, told->attempts[first].station) == 0) {
            recordings += told->attempts[k++].recording[0] != '\0';
        }
        const char *station = told->attempts[first].station;
        bool here = strcmp(station, self->station) == 0;
        printf("%s%s: %d attempt%s, %d recording%s\n", station[0] != '\0' ? station : "where it is not known",
               here ? " (here)" : "", k - first, k - first == 1 ? "" : "s", recordings, recordings == 1 ? "" : "s");
    }
}

/// Asks at a terminal whether to delete. False with `status`: not.
static bool ask_to_delete(const Deleting *self, const char *trainee, Status *status)
{
    char answer[16] = "";
    if (self->options->yes || isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) {
        return true;
    }
    printf("Delete %s with all this? [y/N] ", trainee);
    fflush(stdout);
    if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y')) {
        return true;
    }
    return status_fail(status, STATUS_BAD_USAGE, "results delete: nothing was deleted; --yes does not ask");
}

/// Deletes on the server now, or when it can be reached.
static void delete_on_server(Results *results)
{
    Status status;
    if (results_exchange(results, DELETE_PATIENCE, NULL, &status)) {
        printf("deleted on the server; other stations follow when they next reach it\n");
    } else {
        printf("not yet deleted on the server, which waits here to be told: %s\n", status.text);
    }
}

static void print_deleted(const Deleting *self, const char *trainee, bool was_known)
{
    printf("%s %s deleted from these results%s%s\n", trainee, self->dry ? "would be" : "is",
           self->left > 0 || self->elsewhere > 0 ? "; recordings that bear the name are left, see above" : "",
           was_known ? "" : ", which did not hold the name");
    printf("what was exported, sent to learning platforms or copied, backups among it, is not reached\n");
}

/// The menu remembers who drove last.
static void forget_last_trainee(const char *trainee)
{
    char last[RESULT_NAME];
    Status unused;
    results_remembered(last);
    if (strcmp(last, trainee) == 0) {
        results_remember("", &unused);
    }
}

/// Deletes a trainee, after a question at a terminal. False with `status`.
static bool delete_person(const CliOptions *options, Results *results, const char *trainee, Status *status)
{
    Deleting self;
    ResultsDeletion told;
    begin_deleting(&self, options);
    if (!results_describe(results, trainee, &told, status)) {
        return false;
    }
    int named = count_by_name(trainee);
    if (!told.known && named == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no trainee %.80s", trainee);
    }
    print_stations(&self, &told);
    bool known = told.known, good = self.dry || ask_to_delete(&self, trainee, status);
    if (good && known && !self.dry) { // attempts that were added meanwhile are deleted, too
        results_deletion_free(&told);
        good = results_delete_trainee(results, trainee, &told, status);
    }
    if (good) {
        for (int k = 0; k < told.count; k++) {
            delete_attempt_recording(&self, &told.attempts[k]);
        }
        delete_by_name(&self, trainee, &told);
        if (!self.dry) {
            forget_last_trainee(trainee);
        }
        if (self.shared && known && !self.dry) {
            delete_on_server(results);
        }
        print_deleted(&self, trainee, known);
    }
    results_deletion_free(&told);
    return good;
}

/// Deletes the recordings of people who were deleted at another station. False with `status`.
static bool purge_recordings(const CliOptions *options, Results *results, Status *status)
{
    Deleting self;
    ResultsDeleted *list = NULL;
    begin_deleting(&self, options);
    int count = results_left(results, &list, status);
    bool good = count >= 0;
    for (int k = 0; k < count && good; k++) {
        bool there = access(list[k].recording, F_OK) == 0 && is_that_file(list[k].recording, list[k].hash);
        int left = self.left;
        if (there) {
            delete_recording(&self, list[k].recording);
        }
        if (!self.dry && self.left == left) {
            good = results_forget_left(results, list[k].recording, status);
        }
    }
    if (good) {
        printf("%d recording%s of people who were deleted %s deleted, %d left\n", self.deleted,
               self.deleted == 1 ? "" : "s",
               self.dry            ? "would be"
               : self.deleted == 1 ? "is"
                                   : "are",
               self.left);
    }
    free(list);
    return good;
}

/// Says on stderr how many such recordings there are.
static void warn_of_left_recordings(Results *results)
{
    ResultsDeleted *list = NULL;
    Status unused;
    int count = results_left(results, &list, &unused), here = 0;
    for (int k = 0; k < count; k++) {
        if (access(list[k].recording, F_OK) != 0) { // another station's, or gone by now
            results_forget_left(results, list[k].recording, &unused);
        } else {
            here++;
        }
    }
    if (here > 0) {
        fprintf(stderr,
                "spadework: %d recording%s of people who were deleted at another station %s left here: \"spadework "
                "results purge\" deletes them\n",
                here, here == 1 ? "" : "s", here == 1 ? "is" : "are");
    }
    free(list);
}

/// ---- proving attempts by their recordings --------------------------------------------------------------------------

#define CLUMSY_WRITTEN 1e-8 ///< what a recording's nine digits may be off

/// The outcome of an attempt's proof. Attempts are proven in processes beside each other, one a processor, and printed
/// in the order of the results.
typedef struct Proof {
    bool good, there;
    RecordingSeal seal;
    RecordingParent parent;
    Status status;
} Proof;

enum { CHUNK = 256 }; ///< attempts that are proven at once, and kept in memory meanwhile. Chosen

typedef struct Proving {
    const CliOptions *options;
    int threads; ///< of each replay
    ResultAttempt *attempts; ///< [CHUNK]
    Proof *proofs; ///< [CHUNK]
    int count; ///< of them
    int done, proven; ///< in the chunks before
    bool stopped; ///< by a signal
    Status status; ///< why it ended early
} Proving;

static bool fail_unproven(Status *status, const ResultAttempt *attempt, const char *what)
{
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: %s", attempt->recording, what);
}

/// Who drove, and what it began in, as the recording has it.
static bool compare_credit(Recording *recording, const ResultAttempt *attempt, Status *status)
{
    Credit there, told = results_credit(attempt);
    recording_credit(recording, &there);
    if (there.driver != told.driver || fabs(there.clumsy - told.clumsy) > CLUMSY_WRITTEN) {
        return status_fail(
            status, STATUS_NOT_VERIFIED,
            "%s: the results say that it was driven by %s with hands of clumsiness %.9g, the recording %s, %.9g",
            attempt->recording, credit_driver_name(told.driver), told.clumsy, credit_driver_name(there.driver),
            there.clumsy);
    }
    return strcmp(there.parent, told.parent) == 0 ||
           status_fail(status, STATUS_NOT_VERIFIED,
                       "%s: the results say that it began in \"%.80s\", the recording "
                       "\"%.80s\"",
                       attempt->recording, told.parent, there.parent);
}

/// The attempt's figures are those of the recording, which its replay has just given; an attempt that counts for nobody
/// is not passed.
static bool compare_metrics(Recording *recording, const ResultAttempt *attempt, Status *status)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
    Credit credit = results_credit(attempt);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, "passed") == 0) {
            metrics[k].value = credit_counts(&credit, attempt->trainee) ? metrics[k].value : 0.0;
            if ((metrics[k].value > 0.0) != attempt->passed) {
                return status_fail(status, STATUS_NOT_VERIFIED, "%s: the results say %s, the recording %s",
                                   attempt->recording, attempt->passed ? "passed" : "not passed",
                                   attempt->passed ? "not passed" : "passed");
            }
        }
    }
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

static bool prove_recording(Recording *recording, int threads, const ResultAttempt *attempt, Proof *proof)
{
    VerifyResult result;
    Status *status = &proof->status;
    // The seals are hashes alone: what does not fit them needs no replay.
    if (!recording_check_seals(recording, &proof->seal, status) ||
        !recording_verify(recording, recording_first_tick(recording), false, threads, NULL, NULL, &result, status)) {
        return false;
    }
    proof->parent = result.parent;
    if (attempt->recording_seal[0] != '\0' && strcmp(attempt->recording_seal, result.seal.hash) != 0) {
        return fail_unproven(status, attempt, "is another recording than the one that the attempt names by its seal");
    }
    if (!same_meta(recording, "scene", attempt->scene)) {
        return fail_unproven(status, attempt, "is of another scene than the attempt");
    }
    if (!same_meta(recording, "trainee", attempt->trainee)) {
        return fail_unproven(status, attempt, "is of another trainee than the attempt");
    }
    return compare_credit(recording, attempt, status) &&
           (result.metrics > 0 || fail_unproven(status, attempt, "was cut short: it proves no points")) &&
           compare_metrics(recording, attempt, status);
}

static void prove_job(void *context, int job, void *answer)
{
    const Proving *self = context;
    const ResultAttempt *attempt = &self->attempts[job];
    Proof *proof = answer;
    proof->there = attempt->recording[0] != '\0' && access(attempt->recording, F_OK) == 0;
    Recording *recording = proof->there ? recording_open(attempt->recording, &proof->status) : NULL;
    proof->good = recording != NULL && prove_recording(recording, self->threads, attempt, proof);
    recording_close(recording);
}

static void show_replayed(void *context, int done)
{
    const Proving *self = context;
    if (isatty(STDERR_FILENO) == 1) {
        fprintf(stderr, "\rreplayed %d%s", self->done + done, done == self->count ? "\r" : "");
    }
}

static void print_proof(const ResultAttempt *attempt, const Proof *proof)
{
    bool begins = proof->good && proof->parent.state == PARENT_MISSING;
    char words[SEAL_WORDS], points[16] = "-";
    seal_words(&proof->seal, true, words, sizeof words);
    if (attempt->parent[0] == '\0') {
        snprintf(points, sizeof points, "%.1f", attempt->score);
    }
    printf("%.19s  %-16.16s  %-16.16s  %5s  %s%s%s%s%s\n", attempt->started,
           attempt->trainee[0] != '\0' ? attempt->trainee : "-", attempt->scene, points,
           proof->good                   ? "proven"
           : proof->there                ? proof->status.text
           : attempt->cleared[0] != '\0' ? "its recording was deleted by the clean-up"
                                         : "its recording is gone",
           begins ? " from where it begins; not beside it is its parent " : "", begins ? proof->parent.name : "",
           proof->good ? ": " : "", proof->good ? words : "");
}

/// Proves and prints the attempts that were gathered. False with `status`: it was stopped or failed.
static bool prove_chunk(Proving *self)
{
    int processes = workers_wanted(self->count, self->options->run.threads);
    WorkPlan plan = {.jobs = self->count,
                     .processes = processes,
                     .answer_size = sizeof *self->proofs,
                     .job = prove_job,
                     .progress = show_replayed,
                     .context = self};
    self->threads = processes > 1 ? 1 : 0; // one alone takes all processors
    memset(self->proofs, 0, CHUNK * sizeof *self->proofs);
    for (int k = 0; k < self->count; k++) {
        self->proofs[k].there = true;
        status_fail(&self->proofs[k].status, STATUS_LACKING, "%s: the process that replayed it ended early",
                    self->attempts[k].recording);
    }
    if (self->count > 0 && !workers_run(&plan, self->proofs)) {
        return status_fail(&self->status, STATUS_LACKING, "out of memory for %d attempts", self->count);
    }
    self->stopped = !signals_go_on("results verify", &self->status);
    for (int k = 0; k < self->count; k++) {
        if (!self->stopped) {
            print_proof(&self->attempts[k], &self->proofs[k]);
        }
        self->proven += self->proofs[k].good;
    }
    fflush(stdout);
    self->done += self->count;
    self->count = 0;
    return !self->stopped;
}

/// Nothing of the results is held while a chunk is replayed.
static bool gather_attempt(void *context, const ResultAttempt *attempt)
{
    Proving *self = context;
    self->attempts[self->count++] = *attempt;
    return self->count < CHUNK || prove_chunk(self);
}

static bool print_proofs(const Proving *self, Status *status)
{
    printf("%d of %d attempts are proven%s\n", self->proven, self->done, self->stopped ? " so far" : "");
    if (self->status.code != STATUS_GOOD) {
        *status = self->status;
        return false;
    }
    return self->proven == self->done || status_fail(status, STATUS_NOT_VERIFIED, "%d of %d attempts are not proven",
                                                     self->done - self->proven, self->done);
}

/// Replays the recording of each attempt that the filter lets through and compares what it gives with the attempt:
/// seal, scene, trainee, points and metrics. Prints a line each. False with `status` (STATUS_NOT_VERIFIED) when one is
/// not proven, or when the results cannot be read.
static bool prove_attempts(const CliOptions *options, Results *results, const ResultFilter *filter, Status *status)
{
    Proving self = {.options = options,
                    .attempts = calloc(CHUNK, sizeof *self.attempts),
                    .proofs = calloc(CHUNK, sizeof *self.proofs)};
    signals_take();
    bool good = self.attempts != NULL && self.proofs != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the attempts");
    }
    good = good && results_each(results, filter, gather_attempt, &self, status);
    if (good && self.status.code == STATUS_GOOD) {
        prove_chunk(&self);
    }
    good = good && print_proofs(&self, status);
    signals_release();
    free(self.attempts);
    free(self.proofs);
    return good;
}

#define SEND_PATIENCE   60.0 ///< s that `results send` waits for the server. Chosen
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

/// Refuses names that nobody has: an empty list would hide the mistake.
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
        cli_print_json(json_incref(array));
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
        cli_print_json(json_incref(array));
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
    return delete_person(call->options, call->results, call->words[0], call->status);
}

static bool purge(const Call *call)
{
    return purge_recordings(call->options, call->results, call->status);
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

/// Adds the attempts of recordings, one after the other; one that is refused is a line on stderr.
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
           prove_attempts(call->options, call->results, &filter, call->status);
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

/// The attempt that the first word names; of "last" those of --trainee, --class and --scene count.
static bool set_remark(const Call *call, ResultRemark remark)
{
    char uuid[RESULT_UUID];
    const ResultFilter filter = {.trainee = call->options->run.trainee,
                                 .class_name = call->options->class_name,
                                 .scene = call->options->result_scene};
    bool good = results_check_remark(remark, call->words[1], call->status) &&
                results_find_attempt(call->results, call->words[0], &filter, uuid, call->status) &&
                results_set_remark(call->results, uuid, remark, call->words[1], call->status);
    if (good) {
        printf("attempt %s: %s %s\n", uuid, remark == RESULT_REMARK_COMMENT ? "comment" : "grade",
               call->words[1][0] != '\0' ? "stored" : "taken away");
    }
    return good;
}

static bool set_comment(const Call *call)
{
    return set_remark(call, RESULT_REMARK_COMMENT);
}

static bool set_grade(const Call *call)
{
    return set_remark(call, RESULT_REMARK_GRADE);
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
    {{"comment", NULL}, "ATTEMPT TEXT", 2, RESULTS_WRITE, set_comment},
    {{"grade", NULL}, "ATTEMPT GRADE", 2, RESULTS_WRITE, set_grade},
    {{"progress", NULL}, "TRAINEE FILE.svg|FILE.png", 2, RESULTS_READ, draw_progress},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };
static const Verb listing = {{"", NULL}, "", 0, RESULTS_READ, list_attempts};

/// ---- the verb that is called ---------------------------------------------------------------------------------------

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
        status_fail(
            status, STATUS_BAD_USAGE,
            "results %.80s: nothing, verify, trainees, courses, add, class add, class remove, delete, purge, "
            "export-class, import-class, send, comment, grade or progress is allowed; see: spadework results --help",
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
    bool proves = verb->run == verify || verb->run == set_comment || verb->run == set_grade; // they choose attempts
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

/// Exchanges shared results before and after a change. A server that cannot be reached is no fault: print_notices says
/// so.
static bool exchange_with_server(Results *results, Status *status)
{
    return results_exchange(results, CHANGE_PATIENCE, NULL, status) ||
           (status->code == STATUS_LACKING && status_good(status));
}

static void print_notices(Results *results)
{
    char told[RESULTS_TOLD];
    warn_of_left_recordings(results);
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
    bool good = !changes || exchange_with_server(results, &status);
    good = good && verb->run(&call) && (!changes || options->dry_run || exchange_with_server(results, &status));
    if (status.code == STATUS_GOOD) {
        print_notices(results);
    }
    results_close(results);
    int written = cli_flush();
    return good ? written : cli_fail(&status);
}
