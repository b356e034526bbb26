/// The demonstration: drives two scenes by the scripted operator and draws pictures. Where the first scene takes long
/// the second is left out; a computer that cannot draw gets no pictures.
#include "trainer/cli/cli_commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "data/core/visible_text.h"
#include "trainer/app/app.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/headless.h"

#define FOLDER     "spadework-demo"
#define SECONDS    45.0 ///< of each scene
#define PATIENCE   150.0 ///< s of wall time the first scene may take for the second to be driven too
#define FULL_SHARE 0.25 ///< of the rated load: a bucket worth showing

enum { DEMO_PATH = 96 };

/// The pictures of one scene, in the order in which they are taken.
typedef enum DemoPicture { PICTURE_DUMP, PICTURE_HALF, PICTURE_CAB, PICTURES } DemoPicture;

static const struct {
    const char *name;
    RenderCamera camera;
} pictures[PICTURES] = {{"dump", RENDER_CAMERA_ORBIT}, {"halfway", RENDER_CAMERA_ORBIT}, {"cab", RENDER_CAMERA_CAB}};

typedef struct Demo {
    Offscreen *offscreen; ///< made for the first picture; NULL: none yet
    const char *folder, *scene;
    bool blind; ///< pictures cannot be drawn here
    bool taken[PICTURES]; ///< of the present scene
    char paths[PICTURES][DEMO_PATH];
} Demo;

/// ---- pictures ------------------------------------------------------------------------------------------------------

/// True when the bucket is full and above its place to empty.
static bool is_full_over_target(const Session *session)
{
    const SceneExercise *exercise = &session_scene(session)->exercise;
    const SessionFrame *frame = session_frame(session);
    bool truck = exercise->kind == EXERCISE_TRUCK_LOADING;
    double x = truck ? exercise->truck.x : exercise->trench.dump_x;
    double y = truck ? exercise->truck.y : exercise->trench.dump_y;
    double reach = truck ? 0.6 * exercise->truck.bed_width : 0.7 * exercise->trench.dump_radius;
    double full = FULL_SHARE * machine_rated_load(session_machine_params(session));
    return frame->payload > full && hypot(frame->tool.center.x - x, frame->tool.center.y - y) < reach;
}

static bool is_due(const Session *session, DemoPicture picture, bool last)
{
    double time = session_frame(session)->time;
    switch (picture) {
    case PICTURE_DUMP:
        return is_full_over_target(session);
    case PICTURE_HALF:
        return time >= 0.5 * SECONDS;
    case PICTURE_CAB:
        return time >= 0.7 * SECONDS || last;
    case PICTURES:
        break;
    }
    return false;
}

/// Draws with one context, made for the first picture.
static bool paint(Demo *self, Session *session, RenderCamera camera, const char *path, Status *status)
{
    if (self->offscreen == NULL) {
        self->offscreen = offscreen_create(CLI_PICTURE_WIDTH, CLI_PICTURE_HEIGHT, RENDER_QUALITY_HIGH, status);
    }
    if (self->offscreen == NULL) {
        return false;
    }
    offscreen_draw(self->offscreen, session, &(OffscreenLook){.camera = camera});
    return offscreen_write(self->offscreen, path, status);
}

/// The hook of the headless run. A picture that fails never ends the demonstration.
static bool draw_due_pictures(void *context, Session *session, bool last, Status *status)
{
    Demo *self = context;
    for (DemoPicture k = PICTURE_DUMP; k < PICTURES && !self->blind; k++) {
        if (self->taken[k] || !is_due(session, k, last)) {
            continue;
        }
        if (paint(self, session, pictures[k].camera, self->paths[k], status)) {
            self->taken[k] = true;
        } else {
            fprintf(stderr, "\nspadework: %s; going on without pictures\n", status->text);
            self->blind = true;
            status_good(status);
        }
    }
    return true;
}

/// ---- the run -------------------------------------------------------------------------------------------------------

/// A folder that did not exist: spadework-demo, spadework-demo-2, ...
static bool make_folder(char folder[32], Status *status)
{
    for (int k = 1; k < 1000; k++) {
        if (k == 1) {
            snprintf(folder, 32, "%s", FOLDER);
        } else {
            snprintf(folder, 32, "%s-%d", FOLDER, k);
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

/// Drives one scene and prints its summary.
static bool drive_scene(Demo *self, const char *scene, RunSummary *summary, Status *status)
{
    char record[DEMO_PATH], telemetry[DEMO_PATH];
    snprintf(record, sizeof record, "%s/%s.spade", self->folder, scene);
    snprintf(telemetry, sizeof telemetry, "%s/%s.csv", self->folder, scene);
    self->scene = scene;
    for (int k = 0; k < PICTURES; k++) {
        self->taken[k] = false;
        snprintf(self->paths[k], sizeof self->paths[k], "%s/%s-%s.png", self->folder, scene, pictures[k].name);
    }
    RunOptions options = {.scene = scene,
                          .headless = true,
                          .operator_name = "auto",
                          .seconds = SECONDS,
                          .record = record,
                          .telemetry = telemetry,
                          .shot_at = -1.0,
                          .progress = true};
    HeadlessStart start = {.options = &options, .hook = {self, draw_due_pictures}};
    fprintf(stderr, "%s, %.0f s:\n", scene, SECONDS);
    bool good = headless_run(&start, summary, status);
    if (good) {
        run_summary_print(summary, false, stdout);
        for (int k = 0; k < PICTURES; k++) {
            if (self->taken[k]) {
                printf("picture       %s\n", self->paths[k]);
            }
        }
        printf("\n");
        fflush(stdout);
    }
    return good;
}

/// Drives the scenes; false with `status`.
static bool drive_scenes(Demo *self, Status *status)
{
    RunSummary summary = {0};
    if (!drive_scene(self, "trench", &summary, status)) {
        return false;
    }
    bool second = !summary.interrupted && summary.wall < PATIENCE;
    return !second || drive_scene(self, "truck-loading", &summary, status);
}

int cli_demo(void)
{
    Status status = {STATUS_GOOD, ""};
    char folder[32];
    fputs("spadework: there is no display, so the scripted operator shows a trench and a truck being loaded "
          "(with a display this opens the menu; see: spadework --help)\n",
          stderr);
    if (!make_folder(folder, &status)) {
        return cli_fail(&status);
    }
    Demo self = {.folder = folder};
    bool good = drive_scenes(&self, &status);
    offscreen_destroy(self.offscreen);
    if (!good) {
        return cli_fail(&status);
    }
    char path[2 * DATA_PATH_LENGTH], word[4 * DATA_PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s.spade", folder, self.scene);
    if (shell_word_file(path, word, sizeof word)) {
        printf("Watch it on a computer with a display: spadework replay %s\n", word);
    }
    return cli_flush();
}
