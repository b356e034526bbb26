#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "trainer/app.h"
#include "trainer/app_drive.h"
#include "trainer/cli_commands.h"
#include "trainer/runner.h"

enum { PICTURE_WIDTH = 1280, PICTURE_HEIGHT = 720 };

/// One picture of a headless run.
typedef struct Shot {
    const char *path;
    double at; ///< simulated s; < 0: at the end
    RenderCamera camera;
    bool done;
} Shot;

typedef struct Shots {
    int count;
    Shot *shots;
} Shots;

static bool take_shots(void *context, Session *session, bool last, Status *status)
{
    Shots *self = context;
    double time = session_frame(session)->time;
    for (int k = 0; k < self->count; k++) {
        Shot *shot = &self->shots[k];
        bool due = last || (shot->at >= 0.0 && time >= shot->at - 1e-9);
        if (!shot->done && due) {
            shot->done = true;
            if (!app_shot(session, shot->path, shot->camera, PICTURE_WIDTH, PICTURE_HEIGHT, status)) {
                return false;
            }
        }
    }
    return true;
}

/// ---- run and resume --------------------------------------------------------------------------------------------------

static int run_headless(const RunOptions *options, const char *parent, double at, Shots *shots)
{
    Status status = {STATUS_GOOD, ""};
    RunSummary summary;
    RunnerStart start = {.options = options, .parent = parent, .at = at};
    if (shots->count > 0) {
        start.hook = (RunnerHook){shots, take_shots};
    }
    bool good = runner_run(&start, &summary, &status);
    if (summary.ticks > 0 || good) {
        summary.shot = options->shot;
        runner_print(&summary, options->json, stdout);
    }
    return good ? STATUS_GOOD : cli_fail(&status);
}

static int run_with_shot(const RunOptions *options, const char *parent, double at)
{
    Shot shot = {.path = options->shot, .at = options->shot_at, .camera = RENDER_CAMERA_CHASE};
    Shots shots = {options->shot != NULL ? 1 : 0, &shot};
    return run_headless(options, parent, at, &shots);
}

static int run(const RunOptions *options)
{
    return options->headless ? run_with_shot(options, NULL, 0.0) : app_run(options);
}

static int resume(const CliOptions *options)
{
    if (!options->run.headless) {
        return app_resume(options->recording, options->at, &options->run);
    }
    char numbered[DATA_PATH_LENGTH];
    RunOptions run = options->run;
    if (run.record == NULL) {
        app_numbered_path(options->recording, numbered, sizeof numbered);
        run.record = numbered;
    }
    return run_with_shot(&run, options->recording, options->at);
}

/// ---- without arguments -----------------------------------------------------------------------------------------------

#define DEMO_SCENE   "truck-loading"
#define DEMO_SECONDS 60.0
#define DEMO_FOLDER  "spadework-demo"

/// A folder that did not exist: spadework-demo, spadework-demo-2, ...
static bool make_folder(char folder[32], Status *status)
{
    for (int k = 1; k < 1000; k++) {
        if (k == 1) {
            snprintf(folder, 32, "%s", DEMO_FOLDER);
        } else {
            snprintf(folder, 32, "%s-%d", DEMO_FOLDER, k);
        }
        if (mkdir(folder, 0777) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return status_fail(status, STATUS_LACKING, "%s: cannot be made here: %s; go to a folder that can be written",
                       folder, strerror(errno));
}

static int demonstrate(void)
{
    Status status = {STATUS_GOOD, ""};
    char folder[32], record[64], telemetry[64], pictures[3][64];
    fputs("No display: a scripted operator digs and loads a truck. With a display this opens the scene menu;\n"
          "spadework --help tells more.\n",
          stdout);
    fflush(stdout);
    if (!make_folder(folder, &status)) {
        return cli_fail(&status);
    }
    snprintf(record, sizeof record, "%s/demo.spade", folder);
    snprintf(telemetry, sizeof telemetry, "%s/demo.csv", folder);
    for (int k = 0; k < 3; k++) {
        snprintf(pictures[k], sizeof pictures[k], "%s/demo-%d.png", folder, k + 1);
    }
    RunOptions options = {.scene = DEMO_SCENE,
                          .headless = true,
                          .operator_name = "auto",
                          .seconds = DEMO_SECONDS,
                          .record = record,
                          .telemetry = telemetry,
                          .shot_at = -1.0,
                          .progress = true};
    Shot list[] = {{.path = pictures[0], .at = 5.0, .camera = RENDER_CAMERA_CHASE},
                   {.path = pictures[1], .at = 20.0, .camera = RENDER_CAMERA_CAB},
                   {.path = pictures[2], .at = -1.0, .camera = RENDER_CAMERA_ORBIT}};
    Shots shots = {3, list};
    int result = run_headless(&options, NULL, 0.0, &shots);
    for (int k = 0; k < 3 && result == STATUS_GOOD; k++) {
        printf("picture       %s\n", pictures[k]);
    }
    return result;
}

static int start_without_arguments(const RunOptions *options)
{
    return app_has_display() ? app_menu(options) : demonstrate();
}

/// ---- the program -----------------------------------------------------------------------------------------------------

static int run_command(const CliOptions *options)
{
    switch (options->command) {
    case CLI_NOTHING:
        return start_without_arguments(&options->run);
    case CLI_HELP:
        fputs(cli_help(options->topic), stdout);
        return STATUS_GOOD;
    case CLI_VERSION:
        puts("spadework " SPADEWORK_VERSION);
        return STATUS_GOOD;
    case CLI_MENU:
        return app_menu(&options->run);
    case CLI_RUN:
        return run(&options->run);
    case CLI_REPLAY:
        return options->verify ? cli_verify(options) : app_replay(options->recording, options->from, &options->run);
    case CLI_RESUME:
        return resume(options);
    case CLI_CHECK:
        return cli_check(options);
    case CLI_LIST:
        return cli_list(options);
    }
    return STATUS_BAD_USAGE;
}

int main(int argc, char **argv)
{
    // A file size limit is told by the write that fails, not by a signal that kills.
    signal(SIGXFSZ, SIG_IGN);
    CliOptions options;
    Status status;
    if (!cli_parse(argc, (const char *const *)argv, &options, &status)) {
        return cli_fail(&status);
    }
    return run_command(&options);
}
