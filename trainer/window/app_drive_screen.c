#include "trainer/window/app_screens.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trainer/window/app_controls.h"
#include "trainer/window/app_menu.h"

#define MOST_ELAPSED 0.5 ///< s: a frame that hung longer (window moved, computer asleep) counts as this
#define WORK_A_FRAME 0.03 ///< s of simulation in a frame; as long as the drawing where that takes longer
#define LINE_LENGTH  50 ///< characters that the screen's message has room for
#define LINE_TIME    3.5 ///< s that each line of a longer text is shown

/// In the order of the pause menu.
enum { ITEM_RESUME, ITEM_RESTART, ITEM_CAMERA, ITEM_AXES, ITEM_LEAVE, ITEM_UNRECORDED };

typedef struct Screen {
    AppWindow *window;
    AppDrive drive;
    InputSample sample; ///< devices at the last frame
    AppControls controls;
    bool in_menu;
    AppMenu menu;
    bool told_finished; ///< the finish menu comes once
    bool shot_done;
    char message[512]; ///< one line after the other, each ended by \n
    char line[LINE_LENGTH * 4]; ///< the one that is shown
    double message_age; ///< s since it was said
    double drawing; ///< s the last frame took to draw
    bool over; ///< leave after this frame
    AppEnd end;
    Status *status;
} Screen;

const char *app_camera_name(RenderCamera camera)
{
    static const char *const names[RENDER_CAMERA_COUNT] = {"around", "behind", "cab", "bucket"};
    return names[camera];
}

static void next_camera(AppWindow *window, int steps)
{
    AppCamera *camera = app_window_camera(window);
    int next = ((int)camera->camera + steps) % RENDER_CAMERA_COUNT;
    camera->camera = (RenderCamera)(next < 0 ? next + RENDER_CAMERA_COUNT : next);
}

void app_move_camera(AppWindow *window, const AppInput *input)
{
    AppCamera *camera = app_window_camera(window);
    next_camera(window, input->pressed[APP_CAMERA]);
    app_camera_drag(camera, input->drag_x, input->drag_y);
    app_camera_zoom(camera, input->wheel);
}

/// Sets the centre message: broken into lines that fit, which are shown one after the other.
static void say(Screen *screen, const char *text)
{
    snprintf(screen->message, sizeof screen->message, "%s", text);
    screen->message_age = 0.0;
    int length = (int)strlen(screen->message), lines = length / LINE_LENGTH + 1;
    int most = lines > 1 ? length / lines + 4 : LINE_LENGTH; // lines of equal length rather than a last word alone
    char *line = screen->message, *space = NULL;
    for (char *p = screen->message; *p != '\0'; p++) {
        if (*p == ' ') {
            space = p;
        }
        if (p - line >= most && space > line) {
            *space = '\n';
            line = space + 1;
        }
    }
}

/// The line of the message that is due, or NULL when all were shown; `line` receives it.
static const char *line_due(const Screen *screen, char *line, size_t size)
{
    const char *start = screen->message;
    for (int skip = (int)(screen->message_age / LINE_TIME); skip > 0 && start != NULL; skip--) {
        start = strchr(start, '\n');
        start = start != NULL ? start + 1 : NULL;
    }
    if (start == NULL || start[0] == '\0') {
        return NULL;
    }
    snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
    return line;
}

static void finish(Screen *screen, AppEnd end)
{
    screen->over = true;
    screen->end = end;
}

static void show_camera_item(Screen *screen)
{
    for (int i = 0; i < screen->menu.count; i++) {
        if (screen->menu.items[i].id == ITEM_CAMERA) {
            snprintf(screen->menu.items[i].text, APP_MENU_TEXT, "Camera: %s",
                     app_camera_name(app_window_camera(screen->window)->camera));
        }
    }
}

static void open_menu(Screen *screen, const char *title, const char *subtitle)
{
    const AppDrive *drive = &screen->drive;
    app_menu_start(&screen->menu, title, subtitle);
    app_menu_add(&screen->menu, ITEM_RESUME, "Drive on", "");
    app_menu_add(&screen->menu, ITEM_RESTART, "Start again", drive->record[0] != '\0' ? "with a new recording" : "");
    app_menu_add(&screen->menu, ITEM_CAMERA, "", "");
    app_menu_add(&screen->menu, ITEM_AXES,
                 app_window_shows_controls(screen->window) ? "Hide what each axis does" : "Show what each axis does",
                 "F4 while driving");
    app_menu_add(&screen->menu, ITEM_LEAVE, drive->record[0] != '\0' ? "Save and leave" : "Leave (nothing is recorded)",
                 drive->record);
    show_camera_item(screen);
    screen->in_menu = true;
}

static void open_failure_menu(Screen *screen)
{
    app_menu_start(&screen->menu, "The recording stopped", screen->drive.failure.text);
    snprintf(screen->menu.footer, sizeof screen->menu.footer, "Up/Down: move   Enter or A: choose   F11: full screen");
    app_menu_add(&screen->menu, ITEM_LEAVE, "Leave", "what was written so far is kept");
    app_menu_add(&screen->menu, ITEM_UNRECORDED, "Drive on unrecorded", "");
    screen->in_menu = true;
}

static void choose(Screen *screen, int id)
{
    AppDrive *drive = &screen->drive;
    if (id == ITEM_CAMERA) {
        next_camera(screen->window, 1);
        show_camera_item(screen);
        return;
    }
    screen->in_menu = false;
    app_drive_forget_time(drive);
    if (id == ITEM_LEAVE) {
        finish(screen, drive->record_failed ? APP_END_FAILED : APP_END_LEAVE);
    } else if (id == ITEM_AXES) {
        app_window_set_controls(screen->window, !app_window_shows_controls(screen->window));
    } else if (id == ITEM_UNRECORDED) {
        app_drive_stop_recording(drive);
        say(screen, "Driving on unrecorded");
    } else if (id == ITEM_RESTART) {
        screen->told_finished = false;
        if (!app_drive_restart(drive, screen->status)) {
            finish(screen, APP_END_FAILED);
        }
    }
}

static void take_menu(Screen *screen, const AppInput *input)
{
    AppMenuAnswer answer = app_menu_take(&screen->menu, input);
    bool failed = screen->drive.record_failed;
    if (answer == APP_MENU_CHOSEN) {
        choose(screen, app_menu_id(&screen->menu));
    } else if (answer == APP_MENU_BACK && !failed) {
        choose(screen, ITEM_RESUME);
    } else if ((answer == APP_MENU_LEFT || answer == APP_MENU_RIGHT) && app_menu_id(&screen->menu) == ITEM_CAMERA) {
        next_camera(screen->window, answer == APP_MENU_LEFT ? -1 : 1);
        show_camera_item(screen);
    }
}

/// A recording that broke stops the session, unless the options say to go on without.
static void answer_record_failure(Screen *screen)
{
    AppDrive *drive = &screen->drive;
    const RunOptions *options = drive->start.options;
    if (options->keep_going) {
        say(screen, "The recording stopped; driving on unrecorded");
        app_drive_stop_recording(drive);
    } else if (drive->driver.person) {
        open_failure_menu(screen);
    } else {
        finish(screen, APP_END_FAILED);
    }
}

static void check_end(Screen *screen, double until)
{
    AppDrive *drive = &screen->drive;
    if (drive->record_failed) {
        answer_record_failure(screen);
    } else if (session_frame(drive->session)->time >= until ||
               (isinf(until) && app_operator_is_done(&drive->driver, drive->session))) {
        finish(screen, APP_END_LEAVE);
    } else if (drive->driver.person && !screen->told_finished &&
               exercise_is_finished(session_exercise(drive->session))) {
        char title[APP_MENU_TEXT];
        snprintf(title, sizeof title, "Finished: %.0f points", session_frame(drive->session)->score);
        open_menu(screen, title, session_scene(drive->session)->title);
        screen->told_finished = true;
    }
}

static const char *center_message(Screen *screen)
{
    const AppOperator *driver = &screen->drive.driver;
    if (driver->pad_lost) {
        return "Pad lost: levers neutral. Plug it in or press Enter";
    }
    if (driver->notice_left > 0.0) {
        return driver->notice;
    }
    return line_due(screen, screen->line, sizeof screen->line);
}

static RenderView *build(Screen *screen)
{
    AppDrive *drive = &screen->drive;
    RenderView *view = app_view_build(drive->view, drive->session, app_drive_blend(drive));
    RenderHud *hud = &view->hud;
    if (app_window_shows_debug(screen->window)) {
        app_view_add_debug(drive->view, drive->session);
    }
    hud->visible = app_window_shows_hud(screen->window);
    hud->pattern = drive->driver.pattern;
    hud->real_time = drive->real_time;
    hud->message = screen->in_menu ? NULL : center_message(screen);
    hud->recording = drive->recorder != NULL;
    hud->paused = screen->in_menu;
    for (int i = 0; i < drive->driver.hint_count && app_window_shows_help(screen->window); i++) {
        hud->hints[i] = drive->driver.hints[i];
    }
    if (app_window_shows_controls(screen->window)) {
        app_controls_show(&screen->controls, &drive->driver, drive->session, &screen->sample, &hud->controls);
    }
    if (screen->in_menu) {
        app_menu_show(&screen->menu, &view->menu);
    }
    return view;
}

/// --shot: at its second, or with the last frame.
static void take_shot(Screen *screen, RenderView *view)
{
    const RunOptions *options = screen->drive.start.options;
    double time = session_frame(screen->drive.session)->time;
    bool due = options->shot_at >= 0.0 ? time >= options->shot_at : screen->over;
    if (options->shot != NULL && !screen->shot_done && (due || screen->over)) {
        screen->shot_done = true;
        if (!app_window_write_png(screen->window, view, options->shot, screen->status)) {
            finish(screen, APP_END_FAILED);
        }
    }
}

static void run_frame(Screen *screen, double elapsed, double until)
{
    AppDrive *drive = &screen->drive;
    AppInput input;
    app_window_poll(screen->window, drive->driver.map, &input, &screen->sample);
    app_operator_update(&drive->driver, app_window_devices(screen->window), &input, elapsed);
    if (input.close) {
        finish(screen, APP_END_CLOSE);
    } else if (screen->in_menu) {
        take_menu(screen, &input);
    } else if (input.pressed[APP_PAUSE] > 0 || input.pressed[APP_ESCAPE] > 0) {
        open_menu(screen, "Paused", session_scene(drive->session)->title);
    } else if (input.pressed[APP_RESTART] > 0) {
        open_menu(screen, "Start again?", session_scene(drive->session)->title);
        screen->menu.selected = ITEM_RESTART;
    } else {
        app_move_camera(screen->window, &input);
        screen->message_age += elapsed;
        bool measured = drive->telemetry != NULL;
        app_drive_advance(drive, elapsed, fmax(WORK_A_FRAME, screen->drawing), until, &screen->sample);
        app_operator_feel(&drive->driver, app_window_devices(screen->window), drive->session, elapsed);
        if (measured && drive->telemetry == NULL) {
            say(screen, "The telemetry stopped; driving on without it");
        }
        check_end(screen, until);
    }
    app_window_play(screen->window, drive->session, !screen->in_menu && !screen->over);
    RenderView *view = build(screen);
    take_shot(screen, view);
    double start = app_clock();
    app_window_show(screen->window, view);
    screen->drawing = app_clock() - start;
}

AppEnd app_drive_screen(AppWindow *window, const AppDriveStart *start, char recorded[DATA_PATH_LENGTH], Status *status)
{
    Screen screen = {.window = window, .status = status};
    recorded[0] = '\0';
    if (!app_drive_create(&screen.drive, start, status)) {
        return APP_END_FAILED;
    }
    const SceneParams *scene = session_scene(screen.drive.session);
    app_window_set_title(window, scene->title);
    say(&screen, scene->description);
    double until =
        start->options->seconds > 0.0 ? session_frame(screen.drive.session)->time + start->options->seconds : HUGE_VAL;
    double last = app_clock();
    while (!screen.over) {
        double now = app_clock();
        run_frame(&screen, now - last < MOST_ELAPSED ? now - last : MOST_ELAPSED, until);
        last = now;
    }
    if (screen.drive.record_failed) {
        *status = screen.drive.failure;
    }
    snprintf(recorded, DATA_PATH_LENGTH, "%s", screen.drive.record);
    input_devices_use(app_window_devices(window), NULL, 0); // the menus take every device as a pad
    Status closing;
    if (!app_drive_destroy(&screen.drive, &closing) && screen.end != APP_END_FAILED) {
        *status = closing;
        screen.end = APP_END_FAILED;
    }
    return screen.end;
}
