/// The commands without window and drive: list, check, replay --verify and export. Results go to stdout, as text or as
/// JSON for other programs; each failure is one line on stderr, with the exit code of its status.
#include "trainer/command/cli_commands.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/load.h"
#include "trainer/command/drive.h"
#include "trainer/export/export.h"
#include "trainer/language/language.h"
#include "trainer/recording/recording.h"

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

/// ---- check ---------------------------------------------------------------------------------------------------------

/// By its name or by its first bytes.
static bool is_recording(const char *path)
{
    char head[16] = "";
    size_t length = strlen(path);
    if (length > 6 && strcmp(path + length - 6, ".spade") == 0) {
        return true;
    }
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        size_t got = fread(head, 1, sizeof head, file);
        fclose(file);
        return got == sizeof head && memcmp(head, "SQLite format 3", sizeof head) == 0;
    }
    return false;
}

/// Every keyframe must restore: there is one at each whole second and at the end.
static bool check_keyframes(Recording *recording, Session *session, Status *status)
{
    int64_t rate = session_scene(session)->rates.tick_rate, last = recording_ticks(recording);
    int64_t tick = recording_first_tick(recording);
    while (tick < last) {
        if (!recording_seek(recording, session, tick, status)) {
            return false;
        }
        tick = (tick / rate + 1) * rate;
    }
    return recording_seek(recording, session, last, status);
}

/// A file of data/; a machine must also be one that can be built.
static bool check_data(const char *path, Findings *findings, Status *status)
{
    MachineParams params;
    Status other;
    if (!data_check_file(path, findings, status) || !data_load_machine(path, &params, NULL, &other)) {
        return status->code == STATUS_GOOD; // good, and no machine
    }
    Machine *machine = machine_create(&params, status);
    machine_destroy(machine);
    return machine != NULL;
}

static bool check_file(const char *path, Findings *findings, Status *status)
{
    status_good(status);
    if (!is_recording(path)) {
        return check_data(path, findings, status);
    }
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    Session *session = recording_create_session(recording, 1, status);
    bool good = session != NULL && check_keyframes(recording, session, status);
    session_destroy(session);
    recording_close(recording);
    return good;
}

/// Prints all faults and warnings of a file, one a line; of none that is a data file's, the status.
static void print_findings(const Findings *findings, const Status *status)
{
    for (int k = 0; k < findings->count; k++) {
        fprintf(stderr, "%s%s\n", findings->list[k].warning ? "warning: " : "", findings->list[k].text);
    }
    if (findings->beyond > 0) {
        fprintf(stderr, "... and %d more\n", findings->beyond);
    }
    if (findings->count == 0 && status->code != STATUS_GOOD) {
        fprintf(stderr, "%s\n", status->text);
    }
}

static json_t *list_findings(const Findings *findings, bool warnings)
{
    json_t *list = json_array();
    for (int k = 0; k < findings->count; k++) {
        if (findings->list[k].warning == warnings) {
            json_array_append_new(list, json_string(findings->list[k].text));
        }
    }
    return list;
}

int cli_check(const CliOptions *options)
{
    json_t *array = options->run.json ? json_array() : NULL;
    int result = STATUS_GOOD;
    for (int k = 0; k < options->file_count; k++) {
        static Findings findings;
        Status status;
        findings = (Findings){0};
        bool good = check_file(options->files[k], &findings, &status);
        print_findings(&findings, &status);
        if (!good) {
            result = result == STATUS_GOOD || status.code == STATUS_BAD_FILE ? (int)status.code : result;
        } else if (array == NULL) {
            printf("%s: good\n", options->files[k]);
        }
        if (array != NULL) {
            json_t *entry = json_object();
            json_object_set_new(entry, "file", json_string(options->files[k]));
            json_object_set_new(entry, "good", json_boolean(good));
            json_object_set_new(entry, "message", good ? json_null() : json_string(status.text));
            json_object_set_new(entry, "faults", list_findings(&findings, false));
            json_object_set_new(entry, "warnings", list_findings(&findings, true));
            json_array_append_new(array, entry);
        }
    }
    int written = array != NULL ? print_json(array) : cli_flush();
    return result != STATUS_GOOD ? result : written;
}

/// ---- progress -------------------------------------------------------------------------------------------------

typedef struct Progress {
    const char *done; ///< "verified", "exported"
    int64_t from;
    double shown; ///< wall clock, s
} Progress;

static void show_progress(void *context, int64_t tick, int64_t ticks)
{
    Progress *self = context;
    double now = drive_clock();
    if (now - self->shown < 0.25 && tick < ticks) {
        return;
    }
    self->shown = now;
    int64_t whole = ticks - self->from;
    fprintf(stderr, "\r%s %lld of %lld ticks (%d %%)%s", self->done, (long long)(tick - self->from), (long long)whole,
            whole > 0 ? (int)(100 * (tick - self->from) / whole) : 100, tick < ticks ? "" : "\n");
}

/// ---- replay --verify -----------------------------------------------------------------------------------------------

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
        json_object_set_new(object, "message", good ? json_null() : json_string(status->text));
        return print_json(object);
    }
    if (good) {
        printf("%s: verified %lld ticks", options->recording, (long long)result->ticks);
        if (options->keyframes) {
            printf(", %d keyframes", result->keyframes);
        }
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
    Progress progress = {.done = "verified",
                         .from = options->has_from ? (int64_t)llround(options->from * rate)
                                                   : recording_first_tick(recording)};
    VerifyResult result = {.first_difference = -1};
    bool shows = options->run.progress || isatty(STDERR_FILENO) == 1;
    bool good = recording_verify(recording, progress.from, options->keyframes, options->run.threads,
                                 shows ? show_progress : NULL, &progress, &result, &status);
    recording_close(recording);
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
        return print_json(object);
    }
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
    return cli_flush();
}

int cli_export(const CliOptions *options, const ExportPainter *painter)
{
    Status status;
    Progress progress = {.done = "exported"};
    bool shows = options->run.progress || isatty(STDERR_FILENO) == 1;
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
                           .threads = options->run.threads,
                           .progress = shows ? show_progress : NULL,
                           .context = &progress};
    ExportSummary summary;
    return export_recording(&params, &summary, &status) ? print_export(options, &summary) : cli_fail(&status);
}
