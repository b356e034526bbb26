/// The commands without window and drive: list, replay --verify and export. Results go to stdout, as text or as
/// JSON for other programs; each failure is one line on stderr, with the exit code of its status.
#include "trainer/cli/cli_commands.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "data/schema/load.h"
#include "trainer/cli/cli_output.h"
#include "trainer/report/report.h"
#include "data/core/language.h"
#include "trainer/record/record.h"

enum { LIST_MOST = 512 };

int cli_fail(const Status *status)
{
    fprintf(stderr, "spadework: %s\n", status->text);
    return (int)status->code;
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return STATUS_GOOD;
    }
    fprintf(stderr, "spadework: the output cannot be written: %s\n", strerror(errno));
    return STATUS_LACKING;
}

static int print_json(json_t *value)
{
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(value);
    return cli_flush();
}

/// ---- list ----------------------------------------------------------------------------------------------------------

int cli_list(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    DataListEntry *entries = calloc(LIST_MOST, sizeof *entries);
    if (entries == NULL) {
        status_fail(&status, STATUS_LACKING, "out of memory for the list");
        return cli_fail(&status);
    }
    int count = data_list(options->kind, entries, LIST_MOST, &status);
    json_t *array = options->run.json ? json_array() : NULL;
    for (int k = 0; k < count; k++) {
        if (array != NULL) {
            json_t *entry = json_object();
            json_object_set_new(entry, "name", json_string(entries[k].name));
            json_object_set_new(entry, "title", json_string(entries[k].title));
            json_object_set_new(entry, "own", json_boolean(entries[k].own));
            json_array_append_new(array, entry);
        } else {
            printf("%-20s %s%s\n", entries[k].name, language_text(entries[k].title), entries[k].own ? " (own)" : "");
        }
    }
    free(entries);
    if (count < 0) {
        json_decref(array);
        return cli_fail(&status);
    }
    return array != NULL ? print_json(array) : cli_flush();
}

/// ---- replay --verify -----------------------------------------------------------------------------------------------

/// --signed asks for a recording that ended in good order and is signed by a station that is trusted here. False with
/// STATUS_NOT_VERIFIED when it is none.
static bool judge_signature(const CliOptions *options, const RecordingSeal *seal, Status *status)
{
    char trusted[STATION_NAME];
    unsigned char key[STATION_KEY];
    if (seal->key[0] != '\0' && station_key_read(seal->key, key) && !station_find(key, trusted, status)) {
        return false; // a list of stations that cannot be read trusts nobody, which is told
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

static int print_result(const CliOptions *options, const VerifyResult *result, bool good, const Status *status)
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
        return print_json(object);
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
    good = good && judge_signature(options, &result.seal, &status);
    int written = print_result(options, &result, good, &status);
    return good ? written : cli_fail(&status);
}

/// ---- export --------------------------------------------------------------------------------------------------------

static int print_export(const CliOptions *options, const ExportSummary *summary)
{
    if (options->run.json) {
        json_t *object = json_object();
        json_object_set_new(object, "recording", json_string(options->recording));
        json_object_set_new(object, "first_tick", json_integer(summary->first_tick));
        json_object_set_new(object, "last_tick", json_integer(summary->last_tick));
        json_object_set_new(object, "ply", options->ply != NULL ? json_string(options->ply) : json_null());
        json_object_set_new(object, "frames", json_integer(summary->frames));
        json_object_set_new(object, "particles_most", json_integer(summary->particles_most));
        json_object_set_new(object, "csv", options->csv != NULL ? json_string(options->csv) : json_null());
        json_object_set_new(object, "rows", json_integer(summary->rows));
        json_object_set_new(object, "events", options->events != NULL ? json_string(options->events) : json_null());
        json_object_set_new(object, "event_rows", json_integer(summary->events));
        json_object_set_new(object, "video", options->video != NULL ? json_string(options->video) : json_null());
        json_object_set_new(object, "pictures", json_integer(summary->pictures));
        json_object_set_new(object, "stills", json_integer(summary->stills));
        json_object_set_new(object, "evidence", cli_seal_json(&summary->seal));
        return print_json(object);
    }
    char words[SEAL_WORDS];
    seal_words(&summary->seal, true, words, sizeof words);
    printf("%s: %s\n", visible_text_shown(options->recording).text, words);
    if (options->ply != NULL) {
        printf("%s: %lld frames of ticks %lld to %lld, %d particles at most\n", options->ply,
               (long long)summary->frames, (long long)summary->first_tick, (long long)summary->last_tick,
               summary->particles_most);
    }
    if (options->csv != NULL) {
        printf("%s: %lld rows\n", options->csv, (long long)summary->rows);
    }
    if (options->events != NULL) {
        printf("%s: %lld events\n", options->events, (long long)summary->events);
    }
    if (options->video != NULL) {
        printf("%s: %lld pictures\n", options->video, (long long)summary->pictures);
    }
    for (int k = 0; k < summary->stills; k++) {
        printf("%s: a picture of second %g\n", visible_text_shown(options->stills[k].path).text,
               options->stills[k].time);
    }
    return cli_flush();
}

int cli_export(const CliOptions *options, const ExportPainter *painter, const StillPainter *still_painter)
{
    Status status;
    CliProgress progress = {.done = "exported", .what = "ticks", .at_once = true};
    ExportParams params = {.recording = options->recording,
                           .ply = options->ply,
                           .csv = options->csv,
                           .events = options->events,
                           .every = options->every,
                           .video = options->video,
                           .width = options->run.width > 0 ? options->run.width : CLI_PICTURE_WIDTH,
                           .height = options->run.height > 0 ? options->run.height : CLI_PICTURE_HEIGHT,
                           .fps = options->fps > 0 ? options->fps : CLI_FPS,
                           .painter = *painter,
                           .stills = options->stills,
                           .still_count = options->still_count,
                           .still_painter = *still_painter,
                           .threads = options->run.threads,
                           .progress = cli_shows_progress(&options->run) ? cli_show_progress : NULL,
                           .context = &progress};
    ExportSummary summary;
    return export_recording(&params, &summary, &status) ? print_export(options, &summary) : cli_fail(&status);
}
