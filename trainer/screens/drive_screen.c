/// The screen on which a session is driven: polls the window, answers its commands and the pause menu, draws each frame
/// and says on the screen what the person should know.
#include "trainer/screens/screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trainer/ghost/ghost.h"
#include "trainer/report/report.h"
#include "trainer/screens/axes_table.h"
#include "trainer/screens/briefing/briefing.h"
#include "trainer/screens/end_page.h"
#include "trainer/screens/hints.h"
#include "trainer/screens/menu.h"
#include "trainer/screens/question_page.h"
#include "trainer/window/session_view.h"

#define LONGEST_FRAME 0.5 ///< s: a frame that hung longer (window moved, computer asleep) counts as this. Chosen
#define WORK_A_FRAME  0.03 ///< s of simulation in a frame; as long as the drawing where that takes longer. Chosen
#define LINE_LENGTH   50 ///< characters that the screen's message has room for
#define FAILURE_TIME  4.0 ///< s that a failure is in sight before its page covers it. Chosen
#define LEAD_TIME     3.0 ///< s before a mistake from which it is watched. Chosen
#define LINE_TIME     3.5 ///< s that each line of a longer text is shown. Chosen

/// In the order of the pause menu.
enum { ITEM_RESUME, ITEM_RESTART, ITEM_CAMERA, ITEM_AXES, ITEM_LEAVE, ITEM_UNRECORDED, ITEM_BRIEFING };

typedef struct Screen {
    Window *window;
    Drive drive;
    SessionView *view;
    Hints hints;
    Ghost ghost;
    bool shows_ghost;
    GhostTold told; ///< how far ahead it is
    AxesTable controls;
    bool in_menu;
    int asked; ///< questions whose answer was given here
    Menu menu;
    bool told_finished; ///< the page of the end comes once
    double ended; ///< s for which the exercise has been judged
    ScoreTrail trail; ///< how the score stood, for the page of the end
    int64_t mistakes[REPORT_MISTAKES]; ///< ticks of those on the page of the end
    int64_t look_at; ///< tick of the recording to be watched next; -1: none
    bool shot_done;
    bool records, measures; ///< at the last frame
    char message[512]; ///< one line after the other, each ended by \n
    char line[LINE_LENGTH * 4]; ///< the one that is shown
    double message_age; ///< s since it was said
    double drawing; ///< s the last frame took to draw
    double last_frame; ///< drive_clock
    bool over; ///< leave after this frame
    ScreenEnd end;
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

static void add_items(Screen *screen)
{
    const Drive *drive = &screen->drive;
    bool recorded = drive->recorder != NULL;
    menu_add(&screen->menu, ITEM_RESUME, "Drive on", "");
    menu_add(&screen->menu, ITEM_RESTART, "Start again", recorded ? "with a new recording" : "");
    menu_add(&screen->menu, ITEM_CAMERA, "", "");
    menu_add(&screen->menu, ITEM_AXES,
             window_shows_controls(screen->window) ? "Hide what each axis does" : "Show what each axis does",
             "F4 while driving");
    if (briefing_is_worth(&session_scene(drive->session)->exercise)) {
        menu_add(&screen->menu, ITEM_BRIEFING, "Read the exercise again", "goal, steps, points");
    }
    menu_add(&screen->menu, ITEM_LEAVE, recorded ? "Save and leave" : "Leave (nothing is recorded)",
             recorded ? drive->record : "");
    show_camera_item(screen);
    screen->in_menu = true;
}

static void open_menu(Screen *screen, const char *title, const char *subtitle)
{
    menu_start(&screen->menu, title, subtitle);
    add_items(screen);
}

static void open_end_page(Screen *screen)
{
    const Drive *drive = &screen->drive;
    const Exercise *exercise = session_exercise(drive->session);
    double dt = session_dt(drive->session);
    ReportSummary summary;
    report_summarise_exercise(&session_view_scene(screen->view, drive->session)->exercise, exercise, &screen->trail, dt,
                              &summary);
    end_page_begin(&screen->menu, &summary, exercise);
    add_items(screen);
    end_page_add(&screen->menu, &summary, dt, drive->recorder != NULL, screen->mistakes);
}

/// Before the start and in the pause: what is to be done and how it is judged.
static void open_briefing(Screen *screen, const char *go)
{
    const Session *session = screen->drive.session;
    const SceneParams *scene = session_view_scene(screen->view, session);
    menu_start(&screen->menu, scene->title, scene->description);
    menu_add(&screen->menu, ITEM_RESUME, go, "");
    briefing_add(&screen->menu, &scene->exercise, session_exercise(session));
    screen->in_menu = true;
}

static void open_failure_menu(Screen *screen)
{
    menu_start(&screen->menu, "The recording stopped", screen->drive.record_failure.text);
    snprintf(screen->menu.footer, sizeof screen->menu.footer, "Up/Down: move   Enter or A: choose   F11: full screen");
    menu_add(&screen->menu, ITEM_LEAVE, "Leave", "what was written so far is kept");
    menu_add(&screen->menu, ITEM_UNRECORDED, "Drive on unrecorded", "");
    screen->in_menu = true;
}

/// From the beginning again; the recording so far goes to stdout.
static bool restart(Screen *screen, Status *status)
{
    Drive *drive = &screen->drive;
    char before[DATA_PATH_LENGTH];
    snprintf(before, sizeof before, "%s", drive->recorder != NULL ? drive->record : "");
    screen->told_finished = false;
    screen->asked = 0;
    screen->ended = 0.0;
    screen->trail.count = 0;
    bool good = drive_restart(drive, status);
    if (good && before[0] != '\0') {
        printf("recorded %s\n", before);
    }
    if (good) {
        session_view_jump(screen->view, drive->session);
    }
    return good;
}

static bool choose(Screen *screen, int id, Status *status)
{
    Drive *drive = &screen->drive;
    if (id == ITEM_CAMERA) {
        next_camera(screen->window, 1);
        show_camera_item(screen);
        return true;
    }
    if (id == ITEM_BRIEFING) {
        open_briefing(screen, "Drive on");
        return true;
    }
    if (id > QUESTION_PAGE_ANSWERS) {
        drive->driver.answer = id - QUESTION_PAGE_ANSWERS;
        screen->asked = exercise_question(session_exercise(drive->session)) + 1;
        screen->in_menu = false;
        drive_forget_time(drive);
        return true;
    }
    int mistake = id - END_PAGE_MISTAKES;
    if (id == END_PAGE_TELLS || id == BRIEFING_TELLS || (mistake >= 0 && screen->mistakes[mistake] < 0)) {
        return true; // there is nothing to look at
    }
    screen->in_menu = false;
    if (mistake >= 0) {
        screen->look_at = screen->mistakes[mistake];
        finish(screen, SCREEN_END_LEAVE);
        return true;
    }
    drive_forget_time(drive);
    if (id == ITEM_LEAVE) {
        finish(screen, SCREEN_END_LEAVE);
    } else if (id == ITEM_AXES) {
        window_set_controls(screen->window, !window_shows_controls(screen->window));
    } else if (id == ITEM_UNRECORDED) {
        drive_record_no_more(drive);
    } else if (id == ITEM_RESTART) {
        return restart(screen, status);
    }
    return true;
}

static bool take_menu(Screen *screen, const WindowInput *input, Status *status)
{
    MenuAnswer answer = menu_take(&screen->menu, input);
    if (answer == MENU_CHOSEN) {
        return choose(screen, menu_id(&screen->menu), status);
    }
    if (answer == MENU_BACK && !screen->drive.asks) {
        return choose(screen, ITEM_RESUME, status);
    }
    if ((answer == MENU_LEFT || answer == MENU_RIGHT) && menu_id(&screen->menu) == ITEM_CAMERA) {
        next_camera(screen->window, answer == MENU_LEFT ? -1 : 1);
        show_camera_item(screen);
    }
    return true;
}

/// A person answers the questions of the exercise one after the other; after the last the reply goes to the screen.
static void ask(Screen *screen)
{
    Drive *drive = &screen->drive;
    const Exercise *exercise = session_exercise(drive->session);
    const SceneExercise *asked = &session_view_scene(screen->view, drive->session)->exercise;
    int question = exercise_question(exercise);
    if (drive->driver.kind != OPERATOR_PERSON || screen->in_menu) {
        return;
    }
    if (question >= screen->asked && question >= 0) {
        question_page_begin(&screen->menu, asked, exercise);
        menu_add(&screen->menu, ITEM_LEAVE, "Leave", "");
        screen->in_menu = true;
    } else if (question < 0 && screen->asked == asked->questions_count && screen->asked > 0) {
        char reply[QUESTION_PAGE_TEXT];
        question_page_reply(asked, exercise, screen->asked - 1, reply);
        say(screen, reply);
        screen->asked++; // said once
    }
}

/// Once in a drive, a person whose exercise is judged gets the page of its end. An attempt that failed stays in sight
/// for a while: the message in the middle says why.
static void tell_finished(Screen *screen)
{
    Drive *drive = &screen->drive;
    const Exercise *exercise = session_exercise(drive->session);
    if (drive->driver.kind != OPERATOR_PERSON || screen->told_finished || screen->in_menu ||
        !exercise_is_finished(exercise) || (exercise_failure(exercise) != NULL && screen->ended < FAILURE_TIME)) {
        return;
    }
    open_end_page(screen);
    screen->told_finished = true;
}

/// Says once that a file was given up.
static void tell_losses(Screen *screen)
{
    const Drive *drive = &screen->drive;
    bool records = drive->recorder != NULL, measures = drive->telemetry != NULL;
    if (screen->records && !records && drive->record_failure.code != STATUS_GOOD) {
        say(screen, "The recording stopped; driving on unrecorded");
    } else if (screen->measures && !measures && drive->telemetry_failure.code != STATUS_GOOD) {
        say(screen, "The telemetry stopped; driving on without it");
    }
    screen->records = records;
    screen->measures = measures;
}

/// The key that starts again; "" where the map has none.
static const char *restart_key(const ControlsParams *params)
{
    for (int k = 0; k < params->action_count; k++) {
        if (strcmp(params->actions[k].name, "reset") == 0) {
            return params->actions[k].key;
        }
    }
    return "";
}

static const char *center_message(Screen *screen)
{
    const Operator *driver = &screen->drive.driver;
    if (driver->pad_lost) {
        return "Pad lost: levers neutral. Plug it in or press Enter";
    }
    if (driver->notice_left > 0.0) {
        return driver->notice;
    }
    const char *line = line_due(screen, screen->line, sizeof screen->line);
    return line != NULL ? line
                        : session_view_failure(screen->view, screen->drive.session, restart_key(driver->controls));
}

static RenderView *build(Screen *screen)
{
    Drive *drive = &screen->drive;
    RenderView *view = session_view_build(screen->view, drive->session, drive_blend(drive));
    RenderHud *hud = &view->hud;
    session_view_add_grade(screen->view, drive->session, window_shows_grade(screen->window),
                           window_shows_cut_fill(screen->window));
    if (window_shows_debug(screen->window)) {
        session_view_add_debug(screen->view, drive->session);
    }
    hud->visible = window_shows_hud(screen->window);
    hud->pattern = screen->hints.pattern;
    hud->real_time = drive->real_time;
    hud->message = screen->in_menu ? NULL : center_message(screen);
    hud->recording = drive->recorder != NULL;
    hud->paused = screen->in_menu;
    for (int i = 0; i < screen->hints.count && window_shows_help(screen->window); i++) {
        hud->hints[i] = screen->hints.text[i];
    }
    if (window_shows_controls(screen->window)) {
        axes_table_show(&screen->controls, &drive->driver, screen->hints.pattern, drive->session, &hud->controls);
    }
    if (screen->shows_ghost && screen->ghost.count > 0) {
        ghost_show(&screen->ghost,
                   session_frame(drive->session)->time - (1.0 - drive_blend(drive)) * session_dt(drive->session),
                   &view->ghost);
        ghost_tell(&screen->ghost, drive->session, &screen->told, hud);
    }
    if (screen->in_menu) {
        menu_show(&screen->menu, &view->menu);
    }
    return view;
}

/// --shot: at its second, or with the last frame.
static bool take_shot(Screen *screen, RenderView *view, bool last, Status *status)
{
    const RunOptions *options = screen->drive.params.options;
    double time = session_frame(screen->drive.session)->time;
    bool due = last || (options->shot_at >= 0.0 && time >= options->shot_at);
    if (options->shot == NULL || screen->shot_done || !due) {
        return true;
    }
    screen->shot_done = true;
    return window_write_png(screen->window, view, options->shot, status);
}

/// ---- the drive's host ----------------------------------------------------------------------------------------------

/// Polls the window and answers what came in; time stands still while a menu is open.
static bool before_frame(void *context, Drive *drive, DriveRound *round, Status *status)
{
    Screen *screen = context;
    double now = drive_clock();
    WindowInput input;
    const InputSample *sample = window_poll(screen->window, drive->driver.map, &input);
    *round = (DriveRound){.paced = true,
                          .elapsed = fmin(now - screen->last_frame, LONGEST_FRAME),
                          .budget = fmax(WORK_A_FRAME, screen->drawing),
                          .sample = sample,
                          .presses = {.faster = input.pressed[WINDOW_THROTTLE_UP],
                                      .slower = input.pressed[WINDOW_THROTTLE_DOWN],
                                      .go_on = input.pressed[WINDOW_ACCEPT]}};
    screen->last_frame = now;
    bool good = true, held = true;
    if (input.close) {
        finish(screen, SCREEN_END_CLOSE);
    } else if (screen->in_menu) {
        good = take_menu(screen, &input, status);
    } else if (input.pressed[WINDOW_PAUSE] > 0 || input.pressed[WINDOW_ESCAPE] > 0) {
        open_menu(screen, "Paused", session_view_scene(screen->view, drive->session)->title);
    } else if (input.pressed[WINDOW_RESTART] > 0) {
        open_menu(screen, "Start again?", session_view_scene(screen->view, drive->session)->title);
        screen->menu.selected = ITEM_RESTART;
    } else {
        screen_move_camera(screen->window, &input);
        screen->shows_ghost = screen->shows_ghost != ((input.pressed[WINDOW_GHOST] & 1) != 0);
        screen->message_age += round->elapsed;
        screen->ended += exercise_is_finished(session_exercise(drive->session)) ? round->elapsed : 0.0;
        held = false;
    }
    round->holds = held;
    round->leaves = screen->over;
    return good;
}

static void look_at_tick(void *context, Drive *drive)
{
    Screen *screen = context;
    session_view_tick(screen->view, drive->session);
    int64_t tick = session_frame(drive->session)->tick;
    if (tick % trace_interval(session_scene(drive->session)->rates.tick_rate) == 0) {
        score_trail_add(&screen->trail, session_exercise(drive->session), tick);
    }
}

static bool draw_frame(void *context, Drive *drive, bool last, Status *status)
{
    Screen *screen = context;
    if (!last) {
        tell_losses(screen);
        tell_finished(screen);
        ask(screen);
    }
    window_play(screen->window, drive->session, !screen->in_menu && !last);
    RenderView *view = build(screen);
    bool good = take_shot(screen, view, last, status);
    double start = drive_clock();
    window_show(screen->window, view);
    screen->drawing = drive_clock() - start;
    return good;
}

/// A person is asked about a recording that broke; of telemetry the screen tells.
static bool ask_person(void *context, Drive *drive, DriveFile file)
{
    Screen *screen = context;
    bool person = drive->driver.kind == OPERATOR_PERSON;
    if (person && file == DRIVE_RECORDING) {
        open_failure_menu(screen);
    }
    return person;
}

/// One line where it is no fair race.
static void tell_ghost(Screen *screen)
{
    if (screen->ghost.count > 0) {
        ghost_beside(&screen->ghost, screen->drive.session);
    }
    if (screen->ghost.differs) {
        fprintf(stderr, "spadework: %s\n", screen->ghost.note);
    }
}

ScreenEnd drive_screen(Window *window, const DriveParams *given, char recorded[DATA_PATH_LENGTH], Status *status)
{
    Screen screen = {.window = window, .look_at = -1, .shows_ghost = true};
    DriveParams params = *given;
    params.devices = window_devices(window);
    recorded[0] = '\0';
    GhostAsked asked = {.who = params.options->ghost,
                        .results = params.options->results,
                        .scene = params.options->scene,
                        .recording = params.parent};
    if (!ghost_ask(&screen.ghost, &asked, status) || !drive_create(&screen.drive, &params, status)) {
        ghost_close(&screen.ghost);
        return SCREEN_END_FAILED;
    }
    tell_ghost(&screen);
    screen.view = session_view_create();
    const SceneParams *scene = session_view_scene(screen.view, screen.drive.session);
    session_view_jump(screen.view, screen.drive.session);
    hints_describe(&screen.hints, &screen.drive.driver, session_machine_params(screen.drive.session));
    window_set_title(window, scene->title);
    say(&screen, scene->description);
    if (params.briefs && screen.drive.driver.kind == OPERATOR_PERSON && briefing_is_worth(&scene->exercise)) {
        open_briefing(&screen, "Start");
    }
    DriveHost host = {&screen, before_frame, look_at_tick, draw_frame, ask_person};
    screen.last_frame = drive_clock();
    bool good = drive_run(&screen.drive, &host, status);
    good = drive_close(&screen.drive, good, status);
    snprintf(recorded, DATA_PATH_LENGTH, "%s", screen.drive.record);
    double look_at = screen.look_at < 0 ? -1.0 : (double)screen.look_at * session_dt(screen.drive.session);
    session_view_destroy(screen.view);
    score_trail_free(&screen.trail);
    ghost_close(&screen.ghost);
    drive_destroy(&screen.drive);
    if (good && look_at >= 0.0 && recorded[0] != '\0') {
        return watch_and_drive(window, recorded, fmax(look_at - LEAD_TIME, 0.0), given->options, status);
    }
    return good ? screen.end : SCREEN_END_FAILED;
}
