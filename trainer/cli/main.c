/// The program: parses the command line and calls the function of the command. The pictures of headless runs and of
/// exports are drawn here.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/language.h"
#include "data/core/signals.h"
#include "trainer/app/app.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/cli_parse.h"
#include "trainer/cli/doctor.h"
#include "trainer/cli/headless.h"
#include "trainer/remote/remote.h"
#include "trainer/results/results.h"

/// The pictures of a headless run.
typedef struct Shot {
    const char *path; ///< NULL: none is written
    double at; ///< simulated s; < 0: at the end
    OffscreenLook look;
    Ghost ghost; ///< beside it; zero: none
    GroundPath way; ///< of the machine up to now
    int width, height; ///< pixels
    bool asked, written;
    Lookout lookout; ///< pictures for the instructor's console
} Shot;

static OffscreenPanels picture_panels(const RunOptions *options)
{
    bool none = options->plain || options->panels == 0 || options->panels == 1 + SETTINGS_GAUGES_NONE;
    return none                                           ? OFFSCREEN_PANELS_OFF
           : options->panels == 1 + SETTINGS_GAUGES_STRIP ? OFFSCREEN_PANELS_STRIP
                                                          : OFFSCREEN_PANELS_ALL;
}

static OffscreenLook picture_options(const RunOptions *options)
{
    return (OffscreenLook){.views = run_views(&options->views, NULL),
                           .camera = options->camera < 0 ? RENDER_CAMERA_ORBIT : (RenderCamera)options->camera,
                           .debug = options->overlay,
                           .units = results_units(),
                           .panels = picture_panels(options),
                           .cut_fill = options->cut_fill,
                           .quality = window_quality(options->quality > 0 ? (SettingsQuality)(options->quality - 1)
                                                                          : SETTINGS_QUALITY_AUTO)};
}

static bool draw_shot(void *context, Session *session, bool last, Status *status)
{
    Shot *shot = context;
    lookout_look(&shot->lookout, session);
    if (shot->path == NULL) {
        return true;
    }
    GroundStep step;
    ground_step_of_session(session, &step);
    ground_path_add(&shot->way, &step);
    bool due = last || (shot->at >= 0.0 && session_frame(session)->time >= shot->at - 1e-9);
    if (shot->asked || !due) {
        return true;
    }
    shot->asked = true;
    RenderGhost beside;
    RenderHud race;
    GhostLead told;
    if (shot->ghost.count > 0) {
        ghost_beside(&shot->ghost, session);
        ghost_show(&shot->ghost, session_frame(session)->time, &beside);
        ghost_tell(&shot->ghost, session, &told, &race);
        shot->look.ghost = &beside;
        shot->look.race = &race;
    }
    shot->look.path = &shot->way;
    shot->written = offscreen_shot(session, shot->path, &shot->look, shot->width, shot->height, status);
    return shot->written;
}

/// ---- run and resume ------------------------------------------------------------------------------------------------

/// Fills `status` when it fails.
static int run_headless(const RunOptions *options, const char *parent, double at, const DriveGuide *guide,
                        Status *status)
{
    RunSummary summary;
    Shot shot = {.path = options->shot,
                 .at = options->shot_at,
                 .look = picture_options(options),
                 .width = options->width > 0 ? options->width : CLI_PICTURE_WIDTH,
                 .height = options->height > 0 ? options->height : CLI_PICTURE_HEIGHT,
                 .lookout = {.guide = guide}};
    HeadlessStart start = {.options = options, .parent = parent, .at = at, .guide = guide};
    GhostAsked asked = {
        .who = options->ghost, .results = options->results, .scene = options->scene, .recording = parent};
    if (!ghost_ask(&shot.ghost, &asked, status)) {
        return cli_fail(status);
    }
    if (shot.path != NULL || guide != NULL) {
        start.hook = (HeadlessHook){&shot, draw_shot};
    }
    bool good = headless_run(&start, &summary, status);
    lookout_close(&shot.lookout);
    ghost_close(&shot.ghost);
    ground_path_free(&shot.way);
    if (summary.ticks > 0 || good) {
        summary.shot = shot.written ? shot.path : NULL;
        run_summary_print(&summary, options->json, stdout);
    }
    int printed = cli_flush();
    return good ? printed : cli_fail(status);
}

/// Opens the console and the link to a broker that are asked for, none where none is. False with `status`.
static bool open_console(const RunOptions *options, Instructor **instructor, Status *status)
{
    bool asked = options->has_console || options->broker != NULL;
    *instructor = asked ? instructor_open(options, false, status) : NULL;
    return *instructor != NULL || !asked;
}

static int run_beside(const RunOptions *options, const DriveGuide *guide, Status *why)
{
    return options->headless ? run_headless(options, NULL, 0.0, guide, why) : screens_run(options, guide, why);
}

static int run(const RunOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    Instructor *instructor;
    if (!output_may_replace(options->shot, OUTPUT_PICTURE, &status) || !open_console(options, &instructor, &status)) {
        return cli_fail(&status);
    }
    int code = run_beside(options, instructor_guide(instructor), &status);
    instructor_close(instructor);
    return code;
}

static int resume(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    Instructor *instructor;
    const RunOptions *run = &options->run;
    if (!output_may_replace(run->shot, OUTPUT_PICTURE, &status) || !open_console(run, &instructor, &status)) {
        return cli_fail(&status);
    }
    const DriveGuide *guide = instructor_guide(instructor);
    int code = run->headless ? run_headless(run, options->recording, options->at, guide, &status)
                             : screens_resume(options->recording, options->at, run, guide);
    instructor_close(instructor);
    return code;
}

/// Refuses to start a station that could not show an exercise.
static int serve_station(const CliOptions *options)
{
    Status status;
    if (!options->demo && !options->run.headless && !window_has_display()) {
        status_fail(&status, STATUS_LACKING,
                    "serve: no display found (DISPLAY and WAYLAND_DISPLAY lead nowhere), so exercises could not be "
                    "shown; start it on a desktop, or use --headless for a station without a window");
        return cli_fail(&status);
    }
    return cli_serve(options, run_beside);
}

/// ---- export --------------------------------------------------------------------------------------------------------

/// Draws pictures of a recording with one context, made for the first one.
typedef struct FilmPainter {
    const RunOptions *options;
    const Still *place; ///< of the camera, where a picture says nothing else
    const char *recording; ///< its path
    bool read; ///< `path` is
    GroundPath path; ///< of the recorded machine
    RenderClearance clearance; ///< of the film's panels
    Offscreen *offscreen;
} FilmPainter;

/// The recorded machine's path, which is read for the first picture.
static const GroundPath *read_recorded_path(FilmPainter *self, const Session *session)
{
    Status ignored;
    Recording *recording = self->read ? NULL : recording_open(self->recording, &ignored);
    if (recording != NULL) {
        ghost_read_path(recording, session_machine(session), &self->path);
        recording_close(recording);
    }
    self->read = true;
    return &self->path;
}

static bool draw_moment(FilmPainter *self, Session *session, const OffscreenLook *look, Status *status)
{
    const RunOptions *options = self->options;
    if (self->offscreen == NULL) {
        self->offscreen =
            offscreen_create(options->width > 0 ? options->width : CLI_PICTURE_WIDTH,
                             options->height > 0 ? options->height : CLI_PICTURE_HEIGHT, look->quality, status);
    }
    if (self->offscreen != NULL) {
        offscreen_draw(self->offscreen, session, look);
    }
    return self->offscreen != NULL;
}

/// Puts the camera to a place on the site, if it has one.
static void place_camera(OffscreenLook *look, const Still *place)
{
    look->placed = place->placed;
    look->eye = place->eye;
    look->target = place->target;
}

static bool paint_film(void *context, Session *session, unsigned char *rgb, Status *status)
{
    FilmPainter *self = context;
    OffscreenLook look = picture_options(self->options);
    look.path = read_recorded_path(self, session);
    look.clearance = &self->clearance;
    place_camera(&look, self->place);
    if (!draw_moment(self, session, &look, status)) {
        return false;
    }
    offscreen_pixels(self->offscreen, rgb);
    return true;
}

static bool paint_still(void *context, Session *session, const Still *still, Status *status)
{
    FilmPainter *self = context;
    OffscreenLook look = picture_options(self->options);
    look.path = read_recorded_path(self, session);
    look.camera = still->view >= 0 ? (RenderCamera)still->view : look.camera;
    place_camera(&look, still->view >= 0 ? still : self->place);
    return draw_moment(self, session, &look, status) && offscreen_write(self->offscreen, still->path, status);
}

static int export(const CliOptions *options)
{
    FilmPainter film = {.options = &options->run, .place = &options->place, .recording = options->recording};
    int result = cli_export(options, &(ExportPainter){&film, paint_film}, &(StillPainter){&film, paint_still});
    offscreen_destroy(film.offscreen);
    ground_path_free(&film.path);
    return result;
}

/// Draws the pictures of demonstrations, of one recording after the other.
static bool paint_camera(void *context, const char *recording, Session *session, int camera, unsigned char *rgb,
                         Status *status)
{
    FilmPainter *self = context;
    OffscreenLook look = picture_options(self->options);
    if (self->recording != recording) {
        ground_path_free(&self->path);
        self->recording = recording;
        self->read = false;
    }
    look.path = read_recorded_path(self, session);
    look.camera = (RenderCamera)camera;
    if (!draw_moment(self, session, &look, status)) {
        return false;
    }
    offscreen_pixels(self->offscreen, rgb);
    return true;
}

static int export_demonstrations(const CliOptions *options)
{
    RunOptions run = options->run;
    run.width = options->picture_width > 0 ? options->picture_width : HDF5_PICTURE_WIDTH;
    run.height = options->picture_height > 0 ? options->picture_height : HDF5_PICTURE_HEIGHT;
    run.plain = true;
    run.quality = run.quality > 0 ? run.quality : 1 + SETTINGS_QUALITY_LOW;
    FilmPainter film = {.options = &run};
    int result = cli_export_hdf5(options, &(CameraPainter){&film, paint_camera});
    offscreen_destroy(film.offscreen);
    ground_path_free(&film.path);
    return result;
}

/// ---- without arguments ---------------------------------------------------------------------------------------------

static int start_without_arguments(const RunOptions *options)
{
    return window_has_display() ? screens_menu(options) : cli_demo();
}

/// ---- the program ---------------------------------------------------------------------------------------------------

static int run_command(const CliOptions *options)
{
    switch (options->command) {
    case CLI_NOTHING:
        return start_without_arguments(&options->run);
    case CLI_HELP:
        cli_print_help(options->topic, stdout);
        return cli_flush();
    case CLI_VERSION:
        puts("spadework " SPADEWORK_VERSION);
        return cli_flush();
    case CLI_MENU:
        return screens_menu(&options->run);
    case CLI_RUN:
        return run(&options->run);
    case CLI_REPLAY:
        if (options->list_marks) {
            return screens_list_marks(options->recording);
        }
        return options->verify ? cli_verify(options) : screens_replay(options->recording, options->from, &options->run);
    case CLI_RESUME:
        return resume(options);
    case CLI_CHECK:
        return cli_check(options);
    case CLI_LIST:
        return cli_list(options);
    case CLI_EXPORT:
        return options->hdf5 != NULL ? export_demonstrations(options) : export(options);
    case CLI_MODEL:
        return cli_model(options, &machine_drawing_painter);
    case CLI_VOLUME:
        return cli_volume(options);
    case CLI_TEXTS:
        return cli_texts(options);
    case CLI_PREVIEW:
        return cli_preview(options);
    case CLI_NEW:
        return cli_new(options);
    case CLI_REFERENCE:
        return cli_reference(options);
    case CLI_REPORT:
        return cli_report(options);
    case CLI_RESCORE:
        return cli_rescore(options);
    case CLI_RESULTS:
        return cli_results(options);
    case CLI_STATION:
        return cli_station(options);
    case CLI_DOCTOR:
        return cli_doctor(options);
    case CLI_SERVE:
        return options->classroom ? cli_classroom(options) : serve_station(options);
    case CLI_ENV:
        return cli_env(options);
    case CLI_CALIBRATE:
        return screens_calibrate(options->map, options->run.controls);
    }
    return STATUS_BAD_USAGE;
}

/// True for commands that find files by name and do not report bad settings themselves.
static bool finds_names_alone(CliCommand command)
{
    return command == CLI_LIST || command == CLI_NEW || command == CLI_PREVIEW;
}

/// A shared folder that cannot be read (a network share that is not mounted) costs what lies in it, and no command. The
/// doctor reads it with patience of its own.
static void use_shared_folder(const SettingsParams *settings, bool reads)
{
    Status status;
    const char *path = settings->shared_folder;
    if (!data_set_shared_folder(path, &status)) {
        fprintf(stderr, "spadework: %s\n", status.text);
    } else if (reads && path[0] != '\0' && access(path, R_OK | X_OK) != 0) {
        fprintf(stderr,
                "spadework: the shared folder %s cannot be read: %s; its scenes and courses are missing: mount it, or "
                "change shared_folder in settings.yaml\n",
                path, strerror(errno));
    }
}

/// Takes over what counts for all commands: the shared folder of the settings, and the language that is asked for, else
/// that of the settings, else the environment's.
static bool use_settings(const CliOptions *options, Status *status)
{
    SettingsParams settings = {0};
    Status bad;
    // Other commands that need the settings report bad ones.
    if (!results_settings(&settings, &bad)) {
        settings = (SettingsParams){0};
        if (finds_names_alone(options->command)) {
            fprintf(stderr, "spadework: %s; no shared folder is used\n", bad.text);
        }
    }
    use_shared_folder(&settings, options->command != CLI_DOCTOR);
    if (options->run.language != NULL) {
        return language_choose(options->run.language, status);
    }
    return language_choose(settings.language[0] != '\0' ? settings.language : NULL, &bad) ||
           status_fail(status, STATUS_BAD_FILE, "settings.yaml of the user: %.900s", bad.text);
}

/// Commands that poll for a stop by signal; any other ends by the signal itself.
static bool polls_for_stop(const CliOptions *options)
{
    switch (options->command) {
    case CLI_NOTHING:
    case CLI_MENU:
    case CLI_RUN:
    case CLI_RESUME:
    case CLI_SERVE:
    case CLI_ENV:
    case CLI_EXPORT:
    case CLI_REPORT:
    case CLI_RESCORE:
    case CLI_CALIBRATE:
        return true;
    case CLI_REPLAY:
        return !options->list_marks;
    default:
        return false;
    }
}

/// A command that was stopped before its end ends by the signal, so that the parent process sees it.
static int run_until_stopped(const CliOptions *options)
{
    if (polls_for_stop(options)) {
        signals_take();
    }
    int code = run_command(options);
    if (code == STATUS_STOPPED) {
        fflush(stdout);
        signals_end();
    }
    return code;
}

/// `spadework --check-usage ARGS...`: parses ARGS as a command line and does nothing. The test of the documents uses it
/// (tests/e2e/documents.sh); it is not in the help. Returns the exit code: 0, or 2 with what is wrong.
static int check_usage(int argc, const char *const *argv)
{
    CliOptions options;
    Status status;
    return cli_parse(argc - 1, argv + 1, &options, &status) ? STATUS_GOOD : cli_fail(&status);
}

int main(int argc, char **argv)
{
    signals_ignore_size_limit();
    data_take_installed();
    CliOptions options;
    Status status;
    if (argc > 1 && strcmp(argv[1], "--check-usage") == 0) {
        return check_usage(argc, (const char *const *)argv);
    }
    if (!cli_parse(argc, (const char *const *)argv, &options, &status)) {
        return cli_fail(&status);
    }
    // The doctor reports bad settings itself.
    bool good = use_settings(&options, &status) || options.command == CLI_DOCTOR;
    return good ? run_until_stopped(&options) : cli_fail(&status);
}
