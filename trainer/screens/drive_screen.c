/// The screen on which a session is driven: polls the window, answers its commands and the pause menu, draws each frame and
/// says on the screen what the person should know.
#include "trainer/screens/screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trainer/screens/axes_table.h"
#include "trainer/screens/menu.h"

#define MOST_ELAPSED 0.5 ///< s: a frame that hung longer (window moved, computer asleep) counts as this
#define WORK_A_FRAME 0.03 ///< s of simulation in a frame; as long as the drawing where that takes longer
#define LINE_LENGTH  50 ///< characters that the screen's message has room for
#define LINE_TIME    3.5 ///< s that each line of a longer text is shown

/// In the order of the pause menu.
enum { ITEM_RESUME, ITEM_RESTART, ITEM_CAMERA, ITEM_AXES, ITEM_LEAVE, ITEM_UNRECORDED };

typedef struct Screen {
    Window *window;
    WindowDrive drive;
    InputSample sample; ///< devices at the last frame
    AxesTable controls;
    bool in_menu;
    Menu menu;
    bool told_finished; ///< the finish menu comes once
    bool shot_done;
    char message[512]; ///< one line after the other, each ended by \n
    char line[LINE_LENGTH * 4]; ///< the one that is shown
    double message_age; ///< s since it was said
    double drawing; ///< s the last frame took to draw
    bool over; ///< leave after this frame
    ScreenEnd end;
    Status *status;
} Screen;

const char *camera_name(RenderCamera camera)
{
    static const char *const names[RENDER_CAMERA_COUNT] = {"around", "behind", "cab", "bucket"};
    return names[camera];
}

static void next_camera(Window *window, int steps)
{
    Camera *camera = window_camera(window);
    int next = ((int)camera->camera + steps) % RENDER_CAMERA_COUNT;
    camera->camera = (RenderCamera)(next < 0 ? next + RENDER_CAMERA_COUNT : next);
}

void screen_move_camera(Window *window, const WindowInput *input)
{
    Camera *camera = window_camera(window);
    next_camera(window, input->pressed[WINDOW_CAMERA]);
    camera_drag(camera, input->drag_x, input->drag_y);
    camera_zoom(camera, input->wheel);
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

static void finish(Screen *screen, ScreenEnd end)
{
    screen->over = true;
    screen->end = end;
}

static void show_camera_item(Screen *screen)
{
    for (int i = 0; i < screen->menu.count; i++) {
        if (screen->menu.items[i].id == ITEM_CAMERA) {
            snprintf(screen->menu.items[i].text, MENU_TEXT, "Camera: %s",
                     camera_name(window_camera(screen->window)->camera));
        }
    }
}

static void open_menu(Screen *screen, const char *title, const char *subtitle)
{
    const WindowDrive *drive = &screen->drive;
    menu_start(&screen->menu, title, subtitle);
    menu_add(&screen->menu, ITEM_RESUME, "Drive on", "");
    menu_add(&screen->menu, ITEM_RESTART, "Start again", drive->record[0] != '\0' ? "with a new recording" : "");
    menu_add(&screen->menu, ITEM_CAMERA, "", "");
    menu_add(&screen->menu, ITEM_AXES,
             window_shows_controls(screen->window) ? "Hide what each axis does" : "Show what each axis does",
             "F4 while driving");
    menu_add(&screen->menu, ITEM_LEAVE, drive->record[0] != '\0' ? "Save and leave" : "Leave (nothing is recorded)",
             drive->record);
    show_camera_item(screen);
    screen->in_menu = true;
}

static void open_failure_menu(Screen *screen)
{
    menu_start(&screen->menu, "The recording stopped", screen->drive.failure.text);
    snprintf(screen->menu.footer, sizeof screen->menu.footer, "Up/Down: move   Enter or A: choose   F11: full screen");
    menu_add(&screen->menu, ITEM_LEAVE, "Leave", "what was written so far is kept");
    menu_add(&screen->menu, ITEM_UNRECORDED, "Drive on unrecorded", "");
    screen->in_menu = true;
}

static void choose(Screen *screen, int id)
{
    WindowDrive *drive = &screen->drive;
    if (id == ITEM_CAMERA) {
        next_camera(screen->window, 1);
        show_camera_item(screen);
        return;
    }
    screen->in_menu = false;
    window_drive_forget_time(drive);
    if (id == ITEM_LEAVE) {
        finish(screen, drive->record_failed ? SCREEN_END_FAILED : SCREEN_END_LEAVE);
    } else if (id == ITEM_AXES) {
        window_set_controls(screen->window, !window_shows_controls(screen->window));
    } else if (id == ITEM_UNRECORDED) {
        window_drive_stop_recording(drive);
        say(screen, "Driving on unrecorded");
    } else if (id == ITEM_RESTART) {
        screen->told_finished = false;
        if (!window_drive_restart(drive, screen->status)) {
            finish(screen, SCREEN_END_FAILED);
        }
    }
}

static void take_menu(Screen *screen, const WindowInput *input)
{
    MenuAnswer answer = menu_take(&screen->menu, input);
    bool failed = screen->drive.record_failed;
    if (answer == MENU_CHOSEN) {
        choose(screen, menu_id(&screen->menu));
    } else if (answer == MENU_BACK && !failed) {
        choose(screen, ITEM_RESUME);
    } else if ((answer == MENU_LEFT || answer == MENU_RIGHT) && menu_id(&screen->menu) == ITEM_CAMERA) {
        next_camera(screen->window, answer == MENU_LEFT ? -1 : 1);
        show_camera_item(screen);
    }
}

/// A recording that broke stops the session, unless the options say to go on without.
static void answer_record_failure(Screen *screen)
{
    WindowDrive *drive = &screen->drive;
    const RunOptions *options = drive->start.options;
    if (options->keep_going) {
        say(screen, "The recording stopped; driving on unrecorded");
        window_drive_stop_recording(drive);
    } else if (drive->driver.person) {
        open_failure_menu(screen);
    } else {
        finish(screen, SCREEN_END_FAILED);
    }
}

static void check_end(Screen *screen, double until)
{
    WindowDrive *drive = &screen->drive;
    if (drive->record_failed) {
        answer_record_failure(screen);
    } else if (session_frame(drive->session)->time >= until ||
               (isinf(until) && window_operator_is_done(&drive->driver, drive->session))) {
        finish(screen, SCREEN_END_LEAVE);
    } else if (drive->driver.person && !screen->told_finished &&
               exercise_is_finished(session_exercise(drive->session))) {
        char title[MENU_TEXT];
        snprintf(title, sizeof title, "Finished: %.0f points", session_frame(drive->session)->score);
        open_menu(screen, title, session_scene(drive->session)->title);
        screen->told_finished = true;
    }
}

static const char *center_message(Screen *screen)
{
    const WindowOperator *driver = &screen->drive.driver;
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
    WindowDrive *drive = &screen->drive;
    RenderView *view = session_view_build(drive->view, drive->session, window_drive_blend(drive));
    RenderHud *hud = &view->hud;
    if (window_shows_debug(screen->window)) {
        session_view_add_debug(drive->view, drive->session);
    }
    hud->visible = window_shows_hud(screen->window);
    hud->pattern = drive->driver.pattern;
    hud->real_time = drive->real_time;
    hud->message = screen->in_menu ? NULL : center_message(screen);
    hud->recording = drive->recorder != NULL;
    hud->paused = screen->in_menu;
    for (int i = 0; i < drive->driver.hint_count && window_shows_help(screen->window); i++) {
        hud->hints[i] = drive->driver.hints[i];
    }
    if (window_shows_controls(screen->window)) {
        axes_table_show(&screen->controls, &drive->driver, drive->session, &screen->sample, &hud->controls);
    }
    if (screen->in_menu) {
        menu_show(&screen->menu, &view->menu);
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
        if (!window_write_png(screen->window, view, options->shot, screen->status)) {
            finish(screen, SCREEN_END_FAILED);
        }
    }
}

static void run_frame(Screen *screen, double elapsed, double until)
{
    WindowDrive *drive = &screen->drive;
    WindowInput input;
    window_poll(screen->window, drive->driver.map, &input, &screen->sample);
    window_operator_update(&drive->driver, window_devices(screen->window), &input, elapsed);
    if (input.close) {
        finish(screen, SCREEN_END_CLOSE);
    } else if (screen->in_menu) {
        take_menu(screen, &input);
    } else if (input.pressed[WINDOW_PAUSE] > 0 || input.pressed[WINDOW_ESCAPE] > 0) {
        open_menu(screen, "Paused", session_scene(drive->session)->title);
    } else if (input.pressed[WINDOW_RESTART] > 0) {
        open_menu(screen, "Start again?", session_scene(drive->session)->title);
        screen->menu.selected = ITEM_RESTART;
    } else {
        screen_move_camera(screen->window, &input);
        screen->message_age += elapsed;
        bool measured = drive->telemetry != NULL;
        window_drive_advance(drive, elapsed, fmax(WORK_A_FRAME, screen->drawing), until, &screen->sample);
        window_operator_feel(&drive->driver, window_devices(screen->window), drive->session, elapsed);
        if (measured && drive->telemetry == NULL) {
            say(screen, "The telemetry stopped; driving on without it");
        }
        check_end(screen, until);
    }
    window_play(screen->window, drive->session, !screen->in_menu && !screen->over);
    RenderView *view = build(screen);
    take_shot(screen, view);
    double start = window_clock();
    window_show(screen->window, view);
    screen->drawing = window_clock() - start;
}

ScreenEnd drive_screen(Window *window, const WindowDriveStart *start, char recorded[DATA_PATH_LENGTH], Status *status)
{
    Screen screen = {.window = window, .status = status};
    recorded[0] = '\0';
    if (!window_drive_create(&screen.drive, start, status)) {
        return SCREEN_END_FAILED;
    }
    const SceneParams *scene = session_scene(screen.drive.session);
    window_set_title(window, scene->title);
    say(&screen, scene->description);
    double until =
        start->options->seconds > 0.0 ? session_frame(screen.drive.session)->time + start->options->seconds : HUGE_VAL;
    double last = window_clock();
    while (!screen.over) {
        double now = window_clock();
        run_frame(&screen, now - last < MOST_ELAPSED ? now - last : MOST_ELAPSED, until);
        last = now;
    }
    if (screen.drive.record_failed) {
        *status = screen.drive.failure;
    }
    snprintf(recorded, DATA_PATH_LENGTH, "%s", screen.drive.record);
    input_devices_use(window_devices(window), NULL, 0); // the menus take every device as a pad
    Status closing;
    if (!window_drive_destroy(&screen.drive, &closing) && screen.end != SCREEN_END_FAILED) {
        *status = closing;
        screen.end = SCREEN_END_FAILED;
    }
    return screen.end;
}
