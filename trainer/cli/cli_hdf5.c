/// export --hdf5, which makes demonstrations of recordings, and replay --verify of what it wrote.
#include "trainer/cli/cli_commands.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/workers.h"
#include "trainer/record/record.h"
#include "trainer/report/report.h"

/// ---- export --------------------------------------------------------------------------------------------------------

/// What became of one recording.
typedef struct DemoAnswer {
    bool good;
    Status status;
    Hdf5Summary summary;
} DemoAnswer;

typedef struct Demos {
    const CliOptions *options;
    Hdf5Params params;
    CliProgress progress;
    int shown; ///< recordings that the line on stderr says are done; -1: none was shown
} Demos;

/// True when every recording gets a file of its own, in a folder.
static bool is_folder(const CliOptions *options)
{
    return options->file_count > 1 && options->layout != HDF5_LAYOUT_ROBOMIMIC;
}

/// The file of a recording; ACT's loader asks for these names.
static void name_file(const CliOptions *options, int number, char path[DATA_PATH_LENGTH])
{
    if (is_folder(options)) {
        snprintf(path, DATA_PATH_LENGTH, "%s/%s_%d.hdf5", options->hdf5,
                 options->layout == HDF5_LAYOUT_ACT ? "episode" : "drive", number);
    } else {
        snprintf(path, DATA_PATH_LENGTH, "%s", options->hdf5);
    }
}

static void show_done(void *context, int done)
{
    Demos *self = context;
    if (cli_shows_progress(&self->options->run) && done != self->shown) {
        self->shown = done;
        fprintf(stderr, "\rexported %d of %d recordings%s", done, self->options->file_count,
                done == self->options->file_count ? "\n" : "");
    }
}

/// Ticks of one recording; of several, how many are done.
static void show_ticks(void *context, int recording, int64_t done, int64_t ticks)
{
    Demos *self = context;
    if (self->options->file_count == 1) {
        cli_show_progress(&self->progress, done, ticks);
    } else {
        show_done(self, recording + (done == ticks));
    }
}

/// One of several recordings, in a process of its own.
static void export_one(void *context, int number, void *answer)
{
    Demos *self = context;
    DemoAnswer *own = answer;
    char path[DATA_PATH_LENGTH];
    Hdf5Params params = self->params;
    name_file(self->options, number, path);
    params.recordings = &self->options->files[number];
    params.count = 1;
    params.path = path;
    params.threads = 1;
    own->good = export_hdf5(&params, &own->summary, &own->status);
}

static bool export_folder(Demos *self, DemoAnswer *answers, Status *status)
{
    const CliOptions *options = self->options;
    if (!output_make_folder(options->hdf5, status)) {
        return false;
    }
    for (int k = 0; k < options->file_count; k++) {
        status_fail(&answers[k].status, STATUS_LACKING, "%s: the process that exported it ended early",
                    options->files[k]);
    }
    WorkPlan plan = {.jobs = options->file_count,
                     .processes = workers_wanted(options->file_count, options->run.threads),
                     .answer_size = sizeof *answers,
                     .job = export_one,
                     .progress = show_done,
                     .context = self};
    show_done(self, 0);
    return (workers_run(&plan, answers) || status_fail(status, STATUS_LACKING, "export: no memory for processes")) &&
           signals_go_on("export", status);
}

/// All recordings go into one file: all are good, or none is.
static bool export_file(Demos *self, DemoAnswer *answers, Status *status)
{
    int count = self->options->file_count;
    Hdf5Summary *summaries = calloc((size_t)count, sizeof *summaries);
    if (summaries == NULL) {
        return status_fail(status, STATUS_LACKING, "export: no memory");
    }
    bool good = export_hdf5(&self->params, summaries, status);
    for (int k = 0; k < count && good; k++) {
        answers[k] = (DemoAnswer){.good = true, .summary = summaries[k]};
    }
    free(summaries);
    return good;
}

static json_t *answer_json(const CliOptions *options, int number, const DemoAnswer *answer)
{
    const Hdf5Summary *summary = &answer->summary;
    char path[DATA_PATH_LENGTH];
    name_file(options, number, path);
    json_t *entry = json_object();
    json_object_set_new(entry, "recording", json_string(options->files[number]));
    json_object_set_new(entry, "file", answer->good ? json_string(path) : json_null());
    json_object_set_new(entry, "error", answer->good ? json_null() : json_string(answer->status.text));
    json_object_set_new(entry, "ticks", json_integer(summary->ticks));
    json_object_set_new(entry, "samples", json_integer(summary->samples));
    json_object_set_new(entry, "rate", json_integer(summary->rate));
    json_object_set_new(entry, "pictures", json_integer(summary->pictures));
    json_object_set_new(entry, "evidence", cli_seal_json(&summary->seal));
    return entry;
}

static void print_answer(const CliOptions *options, int number, const DemoAnswer *answer)
{
    char path[DATA_PATH_LENGTH], words[SEAL_WORDS];
    const Hdf5Summary *summary = &answer->summary;
    name_file(options, number, path);
    seal_words(&summary->seal, true, words, sizeof words);
    printf("%s: %lld samples, %d a second, %lld pictures of ", visible_text_shown(path).text,
           (long long)summary->samples, summary->rate, (long long)summary->pictures);
    printf("%s: %s\n", visible_text_shown(options->files[number]).text, words);
}

/// Prints the answers in the order of the recordings; returns the exit code.
static int print_answers(const CliOptions *options, const DemoAnswer *answers)
{
    json_t *drives = options->run.json ? json_array() : NULL;
    int code = STATUS_GOOD;
    for (int k = 0; k < options->file_count; k++) {
        if (!answers[k].good) {
            code = cli_fail(&answers[k].status);
        } else if (drives == NULL) {
            print_answer(options, k, &answers[k]);
        }
        if (drives != NULL) {
            json_array_append_new(drives, answer_json(options, k, &answers[k]));
        }
    }
    if (drives != NULL) {
        json_t *object = json_object();
        json_object_set_new(object, "hdf5", json_string(options->hdf5));
        json_object_set_new(object, "layout", json_string(hdf5_layout_names[options->layout]));
        json_object_set_new(object, "drives", drives);
        cli_print_json(object);
    }
    int flushed = cli_flush();
    return code != STATUS_GOOD ? code : flushed;
}

int cli_export_hdf5(const CliOptions *options, const CameraPainter *painter)
{
    Status status;
    status_good(&status);
    Demos self = {.options = options,
                  .params = {.recordings = options->files,
                             .count = options->file_count,
                             .path = options->hdf5,
                             .layout = (Hdf5Layout)options->layout,
                             .rate = options->rate,
                             .camera_count = options->camera_count,
                             .picture_rate = options->picture_rate,
                             .width = options->picture_width > 0 ? options->picture_width : HDF5_PICTURE_WIDTH,
                             .height = options->picture_height > 0 ? options->picture_height : HDF5_PICTURE_HEIGHT,
                             .painter = *painter,
                             .heights = options->heights,
                             .spacing = options->spacing,
                             .trainee_names = options->trainee_names,
                             .threads = options->run.threads,
                             .progress = cli_shows_progress(&options->run) ? show_ticks : NULL},
                  .progress = {.done = "exported", .what = "ticks", .at_once = true},
                  .shown = -1};
    for (int k = 0; k < options->camera_count; k++) {
        self.params.cameras[k] = options->cameras[k];
    }
    self.params.context = &self;
    DemoAnswer *answers = calloc((size_t)options->file_count, sizeof *answers);
    bool folder = is_folder(options);
    if (folder) {
        self.params.progress = NULL; // the parent counts
    }
    int code;
    if (answers == NULL) {
        status_fail(&status, STATUS_LACKING, "export: no memory");
        return cli_fail(&status);
    }
    if (folder ? export_folder(&self, answers, &status) : export_file(&self, answers, &status)) {
        code = print_answers(options, answers);
    } else {
        code = cli_fail(&status);
    }
    free(answers);
    return code;
}

/// ---- replay --verify -----------------------------------------------------------------------------------------------

static int print_replayed(const CliOptions *options, const Hdf5Replayed *result, bool good, const Status *status)
{
    if (options->run.json) {
        json_t *object = json_object();
        json_object_set_new(object, "recording", json_string(options->recording));
        json_object_set_new(object, "verified", json_boolean(good));
        json_object_set_new(object, "drives", json_integer(result->drives));
        json_object_set_new(object, "ticks", json_integer(result->ticks));
        json_object_set_new(object, "first_difference",
                            result->first_difference >= 0 ? json_integer(result->first_difference) : json_null());
        json_object_set_new(object, "drive", result->first_difference >= 0 ? json_integer(result->drive) : json_null());
        json_object_set_new(object, "message", good ? json_null() : json_string(status->text));
        cli_print_json(object);
    } else if (good) {
        printf("%s: verified %lld ticks of %d drive%s, from the file alone; not sealed: a recording is\n",
               visible_text_shown(options->recording).text, (long long)result->ticks, result->drives,
               result->drives == 1 ? "" : "s");
    }
    return cli_flush();
}

int cli_verify_hdf5(const CliOptions *options)
{
    Status status;
    Hdf5Replayed result;
    CliProgress progress = {.done = "verified", .what = "ticks", .at_once = true};
    const char *refused = options->keyframes   ? "--keyframes"
                          : options->is_signed ? "--signed"
                          : options->has_from  ? "--from"
                                               : NULL;
    if (refused != NULL) {
        status_fail(&status, STATUS_BAD_USAGE, "replay: %s goes with a recording, and %.200s is an HDF5 file", refused,
                    options->recording);
        return cli_fail(&status);
    }
    bool shows = cli_shows_progress(&options->run);
    bool good = hdf5_replay(options->recording, options->run.threads, shows ? cli_show_progress : NULL, &progress,
                            &result, &status);
    int written = print_replayed(options, &result, good, &status);
    return good ? written : cli_fail(&status);
}
