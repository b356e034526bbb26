/// Commands that read recordings: replay --verify, export, report and rescore.
#include "trainer/cli/cli_commands.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data/core/language.h"
#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/workers.h"
#include "trainer/record/record.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

/// ---- replay --verify -----------------------------------------------------------------------------------------------

/// --signed asks for a recording that ended in good order and is signed by a station that is trusted here. False with
/// STATUS_NOT_VERIFIED when it is none.
static bool check_signature(const CliOptions *options, const RecordingSeal *seal, Status *status)
{
    char trusted[STATION_NAME];
    unsigned char key[STATION_KEY];
    if (seal->key[0] != '\0' && station_key_read(seal->key, key) && !station_find(key, trusted, status)) {
        return false; // a list of stations that cannot be read trusts nobody
    }
    if (!options->is_signed) {
        return true;
    }
    if (seal->trusted[0] == '\0') {
        return status_fail(status, STATUS_NOT_VERIFIED, "%s: %s%s%s%s", options->recording,
                           seal->key[0] == '\0' ? "is not signed" : "is signed by a station that is not trusted here: ",
                           seal->key, seal->key[0] == '\0' ? "" : " ", seal->station);
    }
    return seal->closed ||
           status_fail(status, STATUS_NOT_VERIFIED,
                       seal->state == RECORDING_LIVE ? "%s: is signed, and still being recorded: its end is not proven"
                                                     : "%s: is signed, and cut short: its end is not proven",
                       options->recording);
}

static void print_evidence(const VerifyResult *result)
{
    const RecordingSeal *seal = &result->seal;
    if (result->samples > 0) {
        printf("; %d metrics, %d events, %d samples and %d maps follow from it", result->metrics, result->events,
               result->samples, result->grounds);
    }
    printf("; sealed%s, %s%s%s",
           seal->closed                    ? ""
           : seal->state == RECORDING_LIVE ? ", and being recorded"
                                           : ", and cut short",
           seal->key[0] == '\0' ? "not signed" : "signed by ", seal->trusted[0] != '\0' ? seal->trusted : seal->station,
           seal->key[0] != '\0' && seal->trusted[0] == '\0' ? ", which is not trusted here" : "");
}

/// What lies beside a recording that took another one over.
static void print_parent(const RecordingParent *parent)
{
    static const char *const known[] = {[PARENT_NONE] = "",
                                        [PARENT_MISSING] = " is not beside it: where it begins is not proven",
                                        [PARENT_UNSEALED] = " has no seals: only its state was compared",
                                        [PARENT_FITS] = " is the one that it took over"};
    if (parent->state != PARENT_NONE) {
        printf("; its parent %s%s", parent->name, known[parent->state]);
    }
}

static int print_verified(const CliOptions *options, const VerifyResult *result, bool good, const Status *status)
{
    if (options->run.json) {
        json_t *object = json_object();
        json_object_set_new(object, "recording", json_string(options->recording));
        json_object_set_new(object, "verified", json_boolean(good));
        json_object_set_new(object, "ticks", json_integer(result->ticks));
        json_object_set_new(object, "keyframes", json_integer(result->keyframes));
        json_object_set_new(object, "first_difference",
                            result->first_difference >= 0 ? json_integer(result->first_difference) : json_null());
        json_object_set_new(object, "field", result->field[0] != '\0' ? json_string(result->field) : json_null());
        json_object_set_new(object, "metrics", json_integer(result->metrics));
        json_object_set_new(object, "events", json_integer(result->events));
        json_object_set_new(object, "samples", json_integer(result->samples));
        json_object_set_new(object, "maps", json_integer(result->grounds));
        json_object_set_new(object, "seals", json_integer(result->seal.count));
        json_object_set_new(object, "closed", json_boolean(result->seal.closed));
        json_object_set_new(object, "seal", json_string(result->seal.hash));
        json_object_set_new(object, "parent",
                            result->parent.name[0] != '\0' ? json_string(result->parent.name) : json_null());
        json_object_set_new(object, "parent_fits", json_boolean(result->parent.state == PARENT_FITS));
        json_object_set_new(object, "station_key", json_string(result->seal.key));
        json_object_set_new(object, "trusted_station", json_string(result->seal.trusted));
        json_object_set_new(object, "evidence", cli_seal_json(&result->seal));
        json_object_set_new(object, "message", good ? json_null() : json_string(status->text));
        cli_print_json(object);
        return cli_flush();
    }
    if (good) {
        printf("%s: verified %lld ticks", visible_text_shown(options->recording).text, (long long)result->ticks);
        if (options->keyframes) {
            printf(", %d keyframes", result->keyframes);
        }
        print_evidence(result);
        print_parent(&result->parent);
        putchar('\n');
    }
    return cli_flush();
}

int cli_verify(const CliOptions *options)
{
    if (hdf5_is_file(options->recording)) {
        return cli_verify_hdf5(options);
    }
    Status status = {STATUS_GOOD, ""};
    Recording *recording = recording_open(options->recording, &status);
    if (recording == NULL) {
        return cli_fail(&status);
    }
    const char *text = recording_meta(recording, "tick_rate");
    double rate = text != NULL ? strtod(text, NULL) : 0.0;
    CliProgress progress = {.done = "verified",
                            .what = "ticks",
                            .at_once = true,
                            .from = options->has_from ? (int64_t)llround(options->from * rate)
                                                      : recording_first_tick(recording)};
    VerifyResult result = {.first_difference = -1};
    bool shows = cli_shows_progress(&options->run);
    bool good = recording_verify(recording, progress.from, options->keyframes, options->run.threads,
                                 shows ? cli_show_progress : NULL, &progress, &result, &status);
    recording_close(recording);
    good = good && check_signature(options, &result.seal, &status);
    int written = print_verified(options, &result, good, &status);
    return good ? written : cli_fail(&status);
}

/// ---- export --------------------------------------------------------------------------------------------------------

static json_t *list_grounds(const CliOptions *options, const ExportSummary *summary)
{
    json_t *list = json_array();
    for (int k = 0; k < summary->grounds; k++) {
        const GroundWritten *written = &summary->ground[k];
        json_t *object = json_object();
        json_object_set_new(object, "file", json_string(options->grounds[k].path));
        json_object_set_new(object, "second", json_real(options->grounds[k].time));
        json_object_set_new(object, "rows", json_integer(written->rows));
        json_object_set_new(object, "columns", json_integer(written->columns));
        json_object_set_new(object, "below_start_m3", json_real(written->below));
        json_object_set_new(object, "above_start_m3", json_real(written->above));
        json_array_append_new(list, object);
    }
    return list;
}

static int print_export(const CliOptions *options, const ExportSummary *summary)
{
    if (options->run.json) {
        json_t *object = json_object();
        json_object_set_new(object, "recording", json_string(options->recording));
        json_object_set_new(object, "first_tick", json_integer(summary->first_tick));
        json_object_set_new(object, "last_tick", json_integer(summary->last_tick));
        json_object_set_new(object, "ply", options->ply != NULL ? json_string(options->ply) : json_null());
        json_object_set_new(object, "frames", json_integer(summary->frames));
        json_object_set_new(object, "empty_frames", json_integer(summary->empty_frames));
        json_object_set_new(object, "particles_most", json_integer(summary->particles_most));
        json_object_set_new(object, "csv", options->csv != NULL ? json_string(options->csv) : json_null());
        json_object_set_new(object, "rows", json_integer(summary->rows));
        json_object_set_new(object, "events", options->events != NULL ? json_string(options->events) : json_null());
        json_object_set_new(object, "event_rows", json_integer(summary->events));
        json_object_set_new(object, "mcap", options->mcap != NULL ? json_string(options->mcap) : json_null());
        json_object_set_new(object, "messages", json_integer(summary->messages));
        json_object_set_new(object, "video", options->video != NULL ? json_string(options->video) : json_null());
        json_object_set_new(object, "pictures", json_integer(summary->pictures));
        json_object_set_new(object, "stills", json_integer(summary->stills));
        json_object_set_new(object, "grounds", list_grounds(options, summary));
        json_object_set_new(object, "evidence", cli_seal_json(&summary->seal));
        cli_print_json(object);
        return cli_flush();
    }
    char words[SEAL_WORDS];
    seal_words(&summary->seal, true, words, sizeof words);
    printf("%s: %s\n", visible_text_shown(options->recording).text, words);
    if (options->ply != NULL) {
        printf("%s: %lld frames of ticks %lld to %lld, %d particles at most", options->ply, (long long)summary->frames,
               (long long)summary->first_tick, (long long)summary->last_tick, summary->particles_most);
        if (summary->empty_frames > 0) {
            printf("; %lld without particles left out", (long long)summary->empty_frames);
        }
        printf("\n");
    }
    if (options->csv != NULL) {
        printf("%s: %lld rows\n", options->csv, (long long)summary->rows);
    }
    if (options->events != NULL) {
        printf("%s: %lld events\n", options->events, (long long)summary->events);
    }
    if (options->mcap != NULL) {
        printf("%s: %lld messages\n", options->mcap, (long long)summary->messages);
    }
    if (options->video != NULL) {
        printf("%s: %lld pictures\n", options->video, (long long)summary->pictures);
    }
    for (int k = 0; k < summary->stills; k++) {
        printf("%s: a picture of second %g\n", visible_text_shown(options->stills[k].path).text,
               options->stills[k].time);
    }
    for (int k = 0; k < summary->grounds; k++) {
        const GroundWritten *written = &summary->ground[k];
        printf("%s: %d x %d heights of second %g, %.2f m3 below the ground at the start and %.2f m3 above it\n",
               visible_text_shown(options->grounds[k].path).text, written->columns, written->rows,
               options->grounds[k].time, written->below, written->above);
    }
    return cli_flush();
}

int cli_export(const CliOptions *options, const ExportPainter *painter, const StillPainter *still_painter)
{
    Status status;
    CliProgress progress = {.done = "exported", .what = "ticks", .at_once = true};
    ExportParams params = {.recording = options->recording,
                           .ply = options->ply,
                           .ply_style = {(PlyColor)options->ply_color, options->ply_solid},
                           .csv = options->csv,
                           .events = options->events,
                           .mcap = options->mcap,
                           .rate = options->rate,
                           .every = options->every,
                           .video = options->video,
                           .width = options->run.width > 0 ? options->run.width : CLI_PICTURE_WIDTH,
                           .height = options->run.height > 0 ? options->run.height : CLI_PICTURE_HEIGHT,
                           .fps = options->fps > 0 ? options->fps : CLI_FPS,
                           .film_from = options->has_film_from ? &options->film_from : NULL,
                           .film_to = options->has_film_to ? &options->film_to : NULL,
                           .painter = *painter,
                           .stills = options->stills,
                           .still_count = options->still_count,
                           .still_painter = *still_painter,
                           .grounds = options->grounds,
                           .ground_count = options->ground_count,
                           .threads = options->run.threads,
                           .progress = cli_shows_progress(&options->run) ? cli_show_progress : NULL,
                           .context = &progress};
    ExportSummary summary;
    return export_recording(&params, &summary, &status) ? print_export(options, &summary) : cli_fail(&status);
}

/// ---- report --------------------------------------------------------------------------------------------------------

enum { MOST_OTHERS = 8, REPORT_NOTE = RESULTS_COMMAND + 160 };

static bool check_report_outputs(const CliOptions *options, Status *status)
{
    if (options->file_count - 1 > MOST_OTHERS) {
        return status_fail(status, STATUS_BAD_USAGE, "report: %d recordings to compare with, allowed at most %d",
                           options->file_count - 1, MOST_OTHERS);
    }
    return output_may_replace(options->html, OUTPUT_HTML, status) &&
           output_may_replace(options->pdf, OUTPUT_PDF, status);
}

/// The recordings that the command line names.
static int list_named(const CliOptions *options, ReportOther others[MOST_OTHERS])
{
    int count = options->file_count - 1;
    for (int k = 0; k < count; k++) {
        others[k] = (ReportOther){.path = options->files[k + 1], .role = ""};
    }
    return count;
}

/// Says how a run of the scene's expert is made; without a command where `scene` is no scene's name.
static void suggest_expert_run(const char *scene, char note[REPORT_NOTE])
{
    char command[RESULTS_COMMAND];
    if (results_expert_command(scene, command)) {
        snprintf(note, REPORT_NOTE, language_text("No run of this scene's expert is known. This makes one: %s"),
                 command);
        fprintf(stderr, "spadework: No run of this scene's expert is known. This makes one: %s\n", command);
    } else {
        snprintf(note, REPORT_NOTE, "%s", language_text("No run of this scene's expert is known."));
        fprintf(stderr, "spadework: No run of this scene's expert is known.\n");
    }
}

/// Runs that the results know; -1 with `status` when a file of results that was named cannot be read. The user's own
/// results were not asked for: where they are bad, stderr says so.
static int find_other_runs(const CliOptions *options, ResultsComparison *company, ReportOther others[MOST_OTHERS],
                           char note[REPORT_NOTE], Status *status)
{
    if (!results_find_comparison(options->run.results, options->files[0], company, status)) {
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
        suggest_expert_run(company->scene, note);
    }
    return company->count;
}

/// Says on stdout what was written and what the recording's seals say.
static void print_report(const CliOptions *options, const RecordingSeal *seal)
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

static bool write_report(const CliOptions *options, RecordingSeal *seal, Status *status)
{
    CliProgress progress = {.done = "checked", .what = "seals"};
    ResultsComparison company;
    ReportOther others[MOST_OTHERS];
    char note[REPORT_NOTE] = "";
    bool named = options->file_count > 1;
    ResultsRemarks remarks;
    char logo[SETTINGS_LOGO];
    results_logo(logo);
    results_find_remarks(options->run.results, options->files[0], &remarks);
    ReportRequest request = {.units = results_units(),
                             .recording = options->files[0],
                             .against = others,
                             .note = note,
                             .comment = remarks.comment,
                             .grade = remarks.grade,
                             .logo = logo,
                             .html = options->html,
                             .pdf = options->pdf,
                             .progress = cli_shows_progress(&options->run) ? cli_show_progress : NULL,
                             .context = &progress,
                             .seal = seal};
    if (named) {
        request.against_count = list_named(options, others);
    } else if (!options->no_compare) {
        request.against_count = find_other_runs(options, &company, others, note, status);
    }
    return request.against_count >= 0 && report_write(&request, status);
}

int cli_report(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    RecordingSeal seal = {0};
    if (!check_report_outputs(options, &status) || !write_report(options, &seal, &status)) {
        return cli_fail(&status);
    }
    print_report(options, &seal);
    int written = cli_flush();
    if (seal.state == RECORDING_CHANGED) {
        char words[SEAL_WORDS];
        seal_words(&seal, true, words, sizeof words);
        status_fail(&status, STATUS_NOT_VERIFIED, "%s: %s; the report shows no score", options->files[0], words);
        return cli_fail(&status);
    }
    return written;
}

/// ---- rescore -------------------------------------------------------------------------------------------------------

/// The new score of one recording.
typedef struct RescoreAnswer {
    bool good;
    Status status;
    Rescore result;
} RescoreAnswer;

typedef struct Rescoring {
    const CliOptions *options;
    const RescoreRules *rules;
} Rescoring;

static void rescore_one(void *context, int file, void *answer)
{
    const Rescoring *self = context;
    RescoreAnswer *own = answer;
    own->good = rescore_recording(self->options->files[file], self->rules, &own->result, &own->status);
}

static void show_rescored(void *context, int done)
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

static json_t *answer_json(const char *path, const RescoreAnswer *answer)
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
static int print_rescored(const CliOptions *options, const RescoreAnswer *answers)
{
    json_t *array = options->run.json ? json_array() : NULL;
    int code = STATUS_GOOD;
    for (int k = 0; k < options->file_count; k++) {
        const RescoreAnswer *answer = &answers[k];
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
        cli_print_json(array);
    }
    int flushed = cli_flush();
    return code != STATUS_GOOD ? code : flushed;
}

int cli_rescore(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    RescoreRules *rules = options->other_scene != NULL ? rescore_rules_load(options->other_scene, &status) : NULL;
    RescoreAnswer *answers = calloc((size_t)options->file_count, sizeof *answers);
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
                         .progress = show_rescored,
                         .context = &self};
        show_rescored(&self, 0);
        code = !workers_run(&plan, answers)        ? STATUS_LACKING
               : signals_go_on("rescore", &status) ? print_rescored(options, answers)
                                                   : cli_fail(&status);
    }
    free(answers);
    rescore_rules_free(rules);
    return code;
}
