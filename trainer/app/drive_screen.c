/// Runs a drive in the window: polls input, carries out commands and the pause menu, and draws each frame with its
/// messages.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/cab_page.h"
#include "trainer/app/drive_pages.h"
#include "trainer/app/ghost.h"
#include "trainer/app/hints.h"
#include "trainer/app/menu.h"
#include "trainer/app/mouse_levers.h"
#include "trainer/app/offscreen.h"
#include "trainer/app/replay.h"
#include "trainer/app/screens.h"
#include "trainer/app/session_view.h"
#include "trainer/app/settings_page.h"
#include "trainer/report/report.h"

#define MOST_WORK 0.03 ///< s of catching up before the next picture. Chosen
#define REST      1 ///< ms between two polls of the events when no tick is due. Chosen
#define HELP_TIME 20.0 ///< s after which the list of keys goes, unless it was asked for. Chosen
#define MOUSE_TURN                                                                                                     \
    1.8 ///< rad that the operator on foot turns when the mouse is dragged over the picture's height. Chosen
#define MOUSE_STEP   0.7 ///< m that a click of the wheel walks: a step. Chosen
#define MOUSE_PRESS  0.05 ///< s: some ticks
#define FAILURE_TIME 4.0 ///< s that a failure is in sight before its page covers it. Chosen

typedef struct Screen {
    Window *window;
    Drive drive;
    SessionView *view;
    Hints hints;
    Ghost ghost;
    bool shows_ghost;
    GhostLead told; ///< how far ahead it is
    AxesTable controls;
    MouseLevers mouse;
    bool mouse_told; ///< how to drive by the mouse
    bool in_menu;
    bool begins; ///< the menu is the briefing before the first tick, from which one goes back to where one came from
    int asked; ///< questions whose answer was given here
    bool on_foot; ///< the camera is the eye of the operator on foot
    char sign[CAB_SIGN]; ///< what to do next before the work
    Menu menu;
    bool told_finished; ///< the page of the end comes once
    double driven; ///< s, without pauses
    double ended; ///< s for which the exercise has been judged
    ScoreTrail trail; ///< how the score stood, for the page of the end
    EndPage page; ///< of the end, while the drive can still continue
    char map[DATA_PATH_LENGTH]; ///< control map that was chosen on the way; "" = none
    int wish; ///< EndChoice that the drive was ended by; END_NOTHING: none
    bool left; ///< before it ended by itself
    bool closes; ///< the question before leaving is about the window
    DrivePictures pictures;
    bool shot_done;
    DriveFiles files; ///< at the last frame
    int restarts; ///< of the drive, as followed last
    bool pad_lost; ///< the same, and told
    bool waits; ///< the menu is the page about a lost pad
    int unrested_told; ///< as the operator's, so far
    int gear; ///< of keys, at the last tick; 0: the control map has none
    Message message;
    char notice[INPUT_NEWS_TEXT]; ///< about devices, in the reader's language
    double last_round; ///< drive_clock
    int64_t heard; ///< last tick passed to the sound
    const RenderView *shown; ///< what was drawn last, or NULL
    bool lent; ///< the last picture went to the guide alone
    bool over; ///< leave after this frame
    ScreenEnd end;
} Screen;

static void end_drive(Screen *screen, ScreenEnd end)
{
    screen->over = true;
    screen->end = end;
}

static void open_menu(Screen *screen, const char *title)
{
    drive_pages_pause(&screen->menu, &screen->drive, session_view_scene(screen->view, screen->drive.session), title,
                      &(PauseShows){.axes = window_shows_controls(screen->window),
                                    .mouse = window_shows_mouse_levers(screen->window),
                                    .camera = camera_name(window_camera(screen->window)->camera)});
    screen->in_menu = true;
}

/// Opens the end page while the drive can still continue.
static void open_end_page(Screen *screen)
{
    const Drive *drive = &screen->drive;
    screen->page = (EndPage){.scene = session_view_scene(screen->view, drive->session),
                             .exercise = session_exercise(drive->session),
                             .units = window_units(screen->window),
                             .trail = &screen->trail,
                             .dt = session_dt(drive->session),
                             .runs = true,
                             .credit = drive_credit(drive),
                             .trainee = drive->params.options->trainee,
                             .from_menu = drive->params.from_menu,
                             .recorded = drive->recorder != NULL};
    if (drive->params.parent == NULL) {
        next_exercise_find(drive->params.options, drive_pages_points_won(drive), &screen->page.next);
    }
    end_page_fill(&screen->page, &screen->menu, NULL);
    screen->in_menu = true;
}

/// begins  before the first tick
static void open_briefing(Screen *screen, bool begins)
{
    drive_pages_briefing(&screen->menu, &screen->drive, session_view_scene(screen->view, screen->drive.session), begins,
                         window_units(screen->window), &screen->pictures);
    screen->in_menu = true;
    screen->begins = begins;
}

/// Shows why this drive cannot pass the exercise, where that is so.
static void show_credit(Screen *screen)
{
    char why[CREDIT_WORDS];
    Credit credit = drive_credit(&screen->drive);
    credit_words(&credit, screen->drive.params.options->trainee, why);
    if (why[0] != '\0') {
        message_say(&screen->message, why);
    }
}

/// Resets the screen after the drive was restarted, by the person or by the guide.
static void reset_after_restart(Screen *screen)
{
    if (screen->restarts != screen->drive.restarts) {
        screen->restarts = screen->drive.restarts;
        screen->told_finished = screen->in_menu = screen->begins = screen->waits = screen->closes = false;
        screen->asked = 0;
        screen->ended = 0.0;
        screen->trail.count = 0;
        show_credit(screen);
        session_view_jump(screen->view, screen->drive.session);
    }
}

/// Restarts the drive; the path of the recording so far goes to stdout.
static bool restart(Screen *screen, Status *status)
{
    Drive *drive = &screen->drive;
    char before[DATA_PATH_LENGTH];
    snprintf(before, sizeof before, "%s", drive->recorder != NULL ? drive->record : "");
    drive_pages_keep_picture(screen->window, screen->view, &screen->drive);
    bool good = drive_restart(drive, status);
    if (good && before[0] != '\0') {
        printf("recorded %s\n", before);
    }
    reset_after_restart(screen);
    return good;
}

/// Carries out a choice of the end page. All but driving on end the drive: debrief and replay need the recording
/// closed and follow then.
static bool choose_end(Screen *screen, int id, Status *status)
{
    screen->in_menu = false;
    drive_forget_time(&screen->drive);
    if (id == END_AGAIN) {
        return restart(screen, status);
    }
    if (id != END_DRIVE_ON) {
        screen->wish = id;
        end_drive(screen, SCREEN_END_LEAVE);
    }
    return true;
}

/// Asks before an exercise that runs is left.
static void open_leave_page(Screen *screen, bool closes)
{
    screen->closes = closes;
    screen->waits = false;
    drive_pages_leave(&screen->menu, &screen->drive, closes);
    screen->in_menu = true;
}

static void describe_hints(Screen *screen)
{
    Drive *drive = &screen->drive;
    const SessionFrame *frame = session_frame(drive->session);
    hints_describe(&screen->hints, &drive->driver, session_machine_params(drive->session),
                   session_loads(drive->session) != NULL, frame->cab.has || frame->foot.has, frame->coupler.has);
}

/// Applies changed settings: reads texts again in the chosen language and units, and changes the control map. Returns
/// to the pause menu's item.
static void take_settings(Screen *screen, const char *controls, int item)
{
    Drive *drive = &screen->drive;
    Status status;
    if (controls[0] != '\0' && operator_change_controls(&drive->driver, controls, drive->session, &status)) {
        snprintf(screen->map, sizeof screen->map, "%s", controls);
    } else if (controls[0] != '\0') {
        message_say(&screen->message, status.text);
    }
    describe_hints(screen);
    drive_pictures_free(&screen->pictures);
    window_set_title(screen->window, session_view_scene(screen->view, drive->session)->title);
    open_menu(screen, language_text("Paused"));
    menu_select(&screen->menu, item);
}

/// Runs the screen of the settings, or of the controls, then returns to the pause menu unless the guide has dismissed
/// the person.
static bool open_settings(Screen *screen, bool pictured, Status *status)
{
    Drive *drive = &screen->drive;
    char controls[DATA_PATH_LENGTH];
    SettingsEnd end = settings_screen(screen->window, screen->view, drive, pictured, controls, status);
    if (end == SETTINGS_END_FAILED) {
        return false;
    }
    take_settings(screen, controls, pictured ? DRIVE_ITEM_CONTROLS : DRIVE_ITEM_SETTINGS);
    reset_after_restart(screen);
    if (drive->dismissed) {
        end_drive(screen, SCREEN_END_LEAVE);
    } else if (end == SETTINGS_END_CLOSE && drive_pages_asks_before_leaving(drive)) {
        open_leave_page(screen, true);
    } else if (end == SETTINGS_END_CLOSE) {
        end_drive(screen, SCREEN_END_CLOSE);
    }
    screen->shown = NULL; // what was drawn last was no page of the drive
    screen->last_round = drive_clock();
    drive_forget_time(drive);
    return true;
}

static bool carry_out_item(Screen *screen, int id, Status *status)
{
    Drive *drive = &screen->drive;
    screen->waits = false;
    if (id == DRIVE_ITEM_LEAVE && drive_pages_asks_before_leaving(drive)) {
        open_leave_page(screen, false);
        return true;
    }
    if (id == DRIVE_ITEM_CAMERA) {
        window_next_camera(screen->window, 1);
        drive_pages_name_camera(&screen->menu, camera_name(window_camera(screen->window)->camera));
        return true;
    }
    if (id == DRIVE_ITEM_SETTINGS || id == DRIVE_ITEM_CONTROLS) {
        return open_settings(screen, id == DRIVE_ITEM_CONTROLS, status);
    }
    if (id == DRIVE_ITEM_BRIEFING) {
        open_briefing(screen, false);
        return true;
    }
    if (id >= END_NOTHING) {
        return choose_end(screen, id, status);
    }
    if (id == DRIVE_ITEM_SWITCHES) {
        cab_page_begin(&screen->menu, drive);
        return true;
    }
    bool closes = screen->closes;
    screen->in_menu = screen->begins = screen->closes = false;
    drive_forget_time(drive);
    if (cab_page_press(id, drive)) {
        return true;
    }
    if (id > QUESTION_PAGE_ANSWERS && session_frame(drive->session)->foot.open >= 0) {
        drive->driver.answer = id - QUESTION_PAGE_ANSWERS;
    } else if (id > QUESTION_PAGE_ANSWERS) {
        drive->driver.answer = id - QUESTION_PAGE_ANSWERS;
        screen->asked = exercise_question(session_exercise(drive->session)) + 1;
    } else if (id == DRIVE_ITEM_LEAVE || id == DRIVE_ITEM_LEAVE_NOW) {
        screen->left = true;
        end_drive(screen, closes ? SCREEN_END_CLOSE : SCREEN_END_LEAVE);
    } else if (id == DRIVE_ITEM_AXES) {
        window_set_controls(screen->window, !window_shows_controls(screen->window));
    } else if (id == DRIVE_ITEM_MOUSE) {
        window_set_mouse_levers(screen->window, !window_shows_mouse_levers(screen->window));
    } else if (id == DRIVE_ITEM_UNRECORDED) {
        drive_record_no_more(drive);
    } else if (id == DRIVE_ITEM_RESTART) {
        return restart(screen, status);
    }
    return true;
}

static bool take_menu(Screen *screen, const WindowInput *input, Status *status)
{
    if (question_page_is_answered(&screen->menu, input->camera)) {
        return carry_out_item(screen, menu_id(&screen->menu), status);
    }
    MenuAnswer answer = menu_take(&screen->menu, input, screen->shown);
    if (answer == MENU_CHOSEN) {
        return carry_out_item(screen, menu_id(&screen->menu), status);
    }
    if (answer == MENU_BACK && screen->begins && input->pressed[WINDOW_BACK] + input->back_clicks > 0) {
        return carry_out_item(screen, DRIVE_ITEM_LEAVE_NOW, status);
    }
    if (answer == MENU_BACK && !screen->drive.asks) {
        return carry_out_item(screen, DRIVE_ITEM_RESUME, status);
    }
    if ((answer == MENU_LEFT || answer == MENU_RIGHT) && menu_id(&screen->menu) == DRIVE_ITEM_CAMERA) {
        window_next_camera(screen->window, answer == MENU_LEFT ? -1 : 1);
        drive_pages_name_camera(&screen->menu, camera_name(window_camera(screen->window)->camera));
    }
    return true;
}

/// A person answers the questions of the exercise one after the other; after the last the reply goes to the screen. The
/// next one waits for a tick without an answer: one in the very next tick would count as the same, still held.
static void open_question(Screen *screen)
{
    Drive *drive = &screen->drive;
    const Exercise *exercise = session_exercise(drive->session);
    const SceneExercise *asked = &session_view_scene(screen->view, drive->session)->exercise;
    int question = exercise_question(exercise);
    bool held = control_value(&session_frame(drive->session)->controls, CONTROL_ANSWER) > 0.0;
    if (drive->driver.kind != OPERATOR_PERSON || screen->in_menu || held) {
        return;
    }
    int thing = session_frame(drive->session)->foot.open;
    if (thing >= 0 && drive->driver.answer > 0) {
        return; // the next tick takes the answer that was given
    }
    if (thing >= 0) {
        thing_page_begin(&screen->menu, &asked->walk_round.things[thing]);
        menu_add(&screen->menu, DRIVE_ITEM_LEAVE, language_text("Leave"), "");
        screen->in_menu = true;
    } else if (question >= screen->asked && question >= 0) {
        question_page_begin(&screen->menu, asked, exercise);
        menu_tell(&screen->menu, RENDER_MENU_TELLS, ""); // what follows is no answer
        menu_add(&screen->menu, DRIVE_ITEM_LEAVE, language_text("Leave the exercise"), "");
        screen->in_menu = true;
    } else if (question < 0 && screen->asked == asked->questions_count && screen->asked > 0) {
        char reply[QUESTION_PAGE_TEXT];
        question_page_reply(asked, exercise, screen->asked - 1, reply);
        message_say(&screen->message, reply);
        screen->asked++; // said once
    }
}

/// Once in a drive, a person whose exercise is judged gets the page of its end. An attempt that failed stays in sight
/// for FAILURE_TIME; the message in the middle gives the reason.
static void show_finished(Screen *screen)
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

/// Reports on stderr that an input is ignored, that the levers are neutral, or that they work again. Losing a pad that
/// had been used pauses the drive.
static void report_pads(Screen *screen)
{
    const Operator *driver = &screen->drive.driver;
    if (driver->unrested_told != screen->unrested_told) {
        char notice[INPUT_NEWS_TEXT];
        input_news_text(&driver->unrested, &(TextReader){.english = true}, notice);
        fprintf(stderr, "spadework: %s\n", notice);
        screen->unrested_told = driver->unrested_told;
    }
    if (driver->pad_lost != screen->pad_lost) {
        char notice[INPUT_NEWS_TEXT];
        input_news_text(&driver->notice, &(TextReader){.english = true}, notice);
        fprintf(stderr, "spadework: %s\n", driver->pad_lost ? notice : "driving on after a pad was lost");
        screen->pad_lost = driver->pad_lost;
        if (driver->driving_lost && !screen->in_menu) {
            open_menu(screen, "");
            screen->waits = true;
        }
        if (screen->waits) {
            drive_pages_name_pad(&screen->menu, driver->pad_lost);
        }
    }
}

static const char *center_message(Screen *screen)
{
    const Operator *driver = &screen->drive.driver;
    if (driver->pad_lost) {
        return language_text("Pad lost: levers neutral. Plug it in or press Enter");
    }
    if (driver->notice_left > 0.0) {
        input_news_text(&driver->notice, &(TextReader){.english = false}, screen->notice);
        return screen->notice;
    }
    const char *line = message_line(&screen->message);
    const Session *session = screen->drive.session;
    const char *failure = session_view_failure(screen->view, session, hints_key(driver->controls, "reset"));
    const char *notice = session_view_notice(screen->view, session);
    const SceneParams *scene = session_view_scene(screen->view, session);
    bool signs = cab_sign(&screen->drive, scene, screen->hints.devices, screen->sign);
    return failure != NULL ? failure : line != NULL ? line : notice != NULL ? notice : signs ? screen->sign : NULL;
}

/// On foot the camera is the operator's eye; in the cab it is again the driver's.
static void follow_operator(Screen *screen)
{
    const FootReadout *foot = &session_frame(screen->drive.session)->foot;
    Camera *camera = window_camera(screen->window);
    if (foot->walks && (!screen->on_foot || camera->camera == RENDER_CAMERA_CAB)) {
        camera_select(camera, RENDER_CAMERA_FREE);
    } else if (!foot->walks && screen->on_foot) {
        camera_select(camera, RENDER_CAMERA_CAB);
    }
    screen->on_foot = foot->walks;
}

/// The mouse alone walks, too: it turns by dragging, goes ahead by the wheel, and a click inspects.
static void walk_by_mouse(Screen *screen, const WindowInput *input)
{
    Operator *driver = &screen->drive.driver;
    double pixels = input->height > 0 ? (double)input->height : 1.0;
    operator_walk(driver, MOUSE_TURN * input->drag_x / pixels, -MOUSE_TURN * input->drag_y / pixels,
                  MOUSE_STEP * input->wheel);
    if (input->clicks > 0) {
        operator_press(driver, CONTROL_INSPECT, MOUSE_PRESS);
    }
}

/// True while the levers for the mouse are shown: they were chosen, and a person sits in the cab.
static bool has_mouse_levers(const Screen *screen)
{
    return window_shows_mouse_levers(screen->window) && screen->drive.driver.kind == OPERATOR_PERSON &&
           !screen->on_foot && !screen->in_menu;
}

/// Says once how to drive by the mouse, where a person without a pad clicks into the picture.
static void tell_of_mouse(Screen *screen, const WindowInput *input)
{
    const Operator *driver = &screen->drive.driver;
    if (input->clicks > 0 && !screen->mouse_told && driver->kind == OPERATOR_PERSON && driver->pads == 0 &&
        !window_shows_mouse_levers(screen->window)) {
        screen->mouse_told = true;
        message_say(&screen->message, language_text("Right click shows the levers for the mouse"));
    }
}

/// Moves cameras and levers by the mouse.
static void take_mouse(Screen *screen, WindowInput *input, OperatorPresses *presses)
{
    Operator *driver = &screen->drive.driver;
    if (screen->on_foot && driver->kind == OPERATOR_PERSON) {
        walk_by_mouse(screen, input);
        window_turn_cameras(screen->window, input);
        return;
    }
    if (has_mouse_levers(screen) && mouse_levers_take(&screen->mouse, input, screen->shown, driver, presses)) {
        input->drag_x = input->drag_y = 0.0;
    } else {
        tell_of_mouse(screen, input);
    }
    window_move_camera(screen->window, input);
}

static RenderView *build_view(Screen *screen)
{
    Drive *drive = &screen->drive;
    follow_operator(screen);
    RenderView *view = session_view_build(screen->view, drive->session, drive_blend(drive));
    RenderHud *hud = &view->hud;
    session_view_add_grade(screen->view, drive->session, window_shows_grade(screen->window),
                           window_shows_cut_fill(screen->window));
    if (window_shows_debug(screen->window)) {
        session_view_add_debug(screen->view, drive->session);
    }
    if (window_cuts_ground(screen->window)) {
        session_view_add_section(screen->view, drive->session, window_section(screen->window));
    }
    hud->visible = true;
    hud->compact = window_gauges(screen->window) == SETTINGS_GAUGES_STRIP;
    hud->pattern = screen->hints.pattern;
    hud->real_time = drive->real_time;
    hud->message = screen->in_menu ? NULL : center_message(screen);
    hud->recording = drive->recorder != NULL;
    hud->paused = screen->in_menu || drive->held;
    if (screen->hints.devices != (drive->driver.pads > 0)) {
        describe_hints(screen); // a pad came or went
    }
    for (int i = 0; i < screen->hints.count && window_shows_help(screen->window); i++) {
        hud->hints[i] = screen->hints.text[i];
    }
    if (window_shows_controls(screen->window)) {
        axes_table_show(&screen->controls, &drive->driver, screen->hints.pattern, drive->session, &hud->controls);
    }
    if (has_mouse_levers(screen)) {
        mouse_levers_fill(&screen->mouse, screen->hints.pattern, drive->session, session_loads(drive->session) != NULL);
        hud->mouse = screen->mouse.picture;
        hud->mouse.visible = true;
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
static bool shot_is_due(const Screen *screen, bool last)
{
    const RunOptions *options = screen->drive.params.options;
    double time = session_frame(screen->drive.session)->time;
    return options->shot != NULL && !screen->shot_done &&
           (last || (options->shot_at >= 0.0 && time >= options->shot_at));
}

static bool take_shot(Screen *screen, RenderView *view, bool last, Status *status)
{
    if (!shot_is_due(screen, last)) {
        return true;
    }
    screen->shot_done = true;
    return window_write_png(screen->window, view, screen->drive.params.options->shot, status);
}

/// ---- the drive's host ----------------------------------------------------------------------------------------------

/// Polls the window and answers what came in; time stands still while a menu is open.
static bool before_frame(void *context, Drive *drive, DriveRound *round, Status *status)
{
    Screen *screen = context;
    double now = drive_clock();
    WindowInput input;
    const InputSample *sample = window_poll(screen->window, drive->driver.map, &input);
    *round = (DriveRound){
        .paced = true,
        .elapsed = now - screen->last_round,
        .budget = MOST_WORK,
        .sample = sample,
        .presses = {.faster = input.pressed[WINDOW_THROTTLE_UP],
                    .slower = input.pressed[WINDOW_THROTTLE_DOWN],
                    .go_on = input.pressed[WINDOW_ACCEPT] + (screen->waits ? input.pressed[WINDOW_BACK] : 0)}};
    screen->last_round = now;
    bool good = true, held = true;
    if (input.close && !input.at_once && !screen->closes && drive_pages_asks_before_leaving(drive)) {
        open_leave_page(screen, true);
    } else if (input.close) {
        end_drive(screen, SCREEN_END_CLOSE);
    } else if (screen->in_menu) {
        good = take_menu(screen, &input, status);
    } else if (input.pressed[WINDOW_PAUSE] > 0 || input.pressed[WINDOW_ESCAPE] > 0 || input.back_clicks > 0) {
        open_menu(screen, language_text("Paused"));
    } else if (input.pressed[WINDOW_RESTART] > 0) {
        open_menu(screen, language_text("Start again?"));
        menu_select(&screen->menu, DRIVE_ITEM_RESTART);
    } else {
        take_mouse(screen, &input, &round->presses);
        screen->shows_ghost = screen->shows_ghost != ((input.pressed[WINDOW_GHOST] & 1) != 0);
        screen->message.age += round->elapsed;
        screen->driven += round->elapsed;
        if (screen->driven > HELP_TIME) {
            window_fade_help(screen->window);
        }
        screen->ended += exercise_is_finished(session_exercise(drive->session)) ? round->elapsed : 0.0;
        held = false;
    }
    if (!has_mouse_levers(screen)) {
        mouse_levers_release(&screen->mouse, &drive->driver);
    }
    round->holds = held;
    round->leaves = screen->over;
    return good;
}

/// Says which gear keys drive in, when another one was chosen.
static void say_gear(Screen *screen)
{
    const Operator *driver = &screen->drive.driver;
    int count = 0, gear = driver->map != NULL ? input_map_gear(driver->map, &driver->memory, &count) : 0;
    if (driver->kind == OPERATOR_PERSON && gear != screen->gear && screen->gear > 0 && gear > 0) {
        char line[64];
        snprintf(line, sizeof line, language_text("Keys drive in gear %d of %d"), gear, count);
        message_say(&screen->message, line);
    }
    screen->gear = gear;
}

static void note_tick(void *context, Drive *drive)
{
    Screen *screen = context;
    say_gear(screen);
    session_view_tick(screen->view, drive->session);
    int64_t tick = session_frame(drive->session)->tick;
    if (tick % trace_interval(session_scene(drive->session)->rates.tick_rate) == 0) {
        score_trail_add(&screen->trail, session_exercise(drive->session), tick);
    }
}

/// Passes the session to the sound once a tick; a pause is silent.
static void play_sound(Screen *screen, bool last)
{
    Session *session = screen->drive.session;
    int64_t tick = session_frame(session)->tick;
    if (tick != screen->heard || screen->in_menu || last) {
        window_play(screen->window, session, !screen->in_menu && !last);
        screen->heard = tick;
    }
}

static bool draw_frame(void *context, Drive *drive, bool last, Status *status)
{
    Screen *screen = context;
    reset_after_restart(screen);
    if (!last) {
        drive_pages_tell_files(&screen->files, drive, &screen->message);
        report_pads(screen);
        show_finished(screen);
        open_question(screen);
    }
    bool good = true;
    play_sound(screen, last);
    if (last || shot_is_due(screen, last) || (!drive_catches_up(drive) && window_is_ready(screen->window))) {
        RenderView *view = build_view(screen);
        good = take_shot(screen, view, last, status);
        // Every other picture at least is the operator's, also where one takes longer than the guide waits for the
        // next.
        screen->lent = !last && !screen->lent && lookout_lend(screen->window, view, drive->params.guide);
        if (!screen->lent) {
            window_show(screen->window, view);
        }
        screen->shown = view;
    } else if (drive_waits_for_clock(drive)) {
        window_rest(REST);
    }
    return good;
}

/// Asks the person about a failed recording; failed telemetry is reported on the screen.
static bool ask_person(void *context, Drive *drive, DriveFile file)
{
    Screen *screen = context;
    bool person = drive->driver.kind == OPERATOR_PERSON;
    if (person && file == DRIVE_RECORDING) {
        drive_pages_failure(&screen->menu, drive);
        screen->in_menu = true;
    }
    return person;
}

/// ---- screen after a drive ------------------------------------------------------------------------------------------

/// The page after a drive, over the final state of the site. The recording is closed and readable: the person may open
/// the debrief or watch mistakes, and then returns to the page.

/// A drive that is closed, not yet destroyed.
typedef struct AfterParams {
    const Drive *drive;
    SessionView *view; ///< of its session
    const ScoreTrail *trail; ///< the score over time
    const char *recorded; ///< path, "" = nothing was recorded
} AfterParams;

#define LEAD_TIME 3.0 ///< s before a mistake from which it is watched. Chosen

typedef struct After {
    Window *window;
    const AfterParams *params;
    EndPage page;
    Menu menu;
    char told[MENU_SUBTITLE];
    EndChoice choice; ///< that ends the page; END_NOTHING: none yet
    ScreenEnd end;
} After;

static void fill_after_page(After *after)
{
    end_page_fill(&after->page, &after->menu, after->told[0] != '\0' ? after->told : NULL);
}

/// Watches the recording from second `from`. A failure is shown on the page.
static void watch_recording(After *after, double from)
{
    Status status = {0};
    ScreenEnd end =
        watch_and_drive(after->window, after->params->recorded, from, after->params->drive->params.options, &status);
    window_set_title(after->window, after->page.scene->title);
    if (end == SCREEN_END_CLOSE) {
        after->choice = END_LEAVE;
        after->end = end;
    } else if (end == SCREEN_END_FAILED) {
        snprintf(after->told, sizeof after->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
}

static void carry_out_choice(After *after, int id)
{
    after->told[0] = '\0';
    if (id == END_DEBRIEF) {
        end_page_open_debrief(after->params->recorded, after->params->drive->params.options->results, after->page.units,
                              after->told, sizeof after->told);
        printf("%s\n", after->told);
        fflush(stdout);
    } else if (id == END_WATCH) {
        watch_recording(after, 0.0);
    } else if (id >= END_LOOK && after->page.ticks[id - END_LOOK] >= 0) {
        watch_recording(after, fmax((double)after->page.ticks[id - END_LOOK] * after->page.dt - LEAD_TIME, 0.0));
    } else if (id == END_NEXT || id == END_AGAIN || id == END_LEAVE) {
        after->choice = (EndChoice)id;
        return;
    }
    fill_after_page(after);
    menu_select(&after->menu, id);
}

/// Window callback: true when the guide calls the person back, also from screens opened from the page.
static bool guide_calls_back(void *context)
{
    After *after = context;
    const DriveGuide *guide = after->params->drive->params.guide;
    return guide->follows(guide->context, after->params->drive);
}

/// Writes whether the results were stored, and finds the exercise that the attempt opens.
static void note_results(After *after)
{
    const AfterParams *params = after->params;
    if (!credit_is_practice(&after->page.credit)) {
        next_exercise_find(params->drive->params.options, drive_pages_points_won(params->drive), &after->page.next);
    }
    const Status *lost = &params->drive->results_failure;
    const DriveResults *kept = &params->drive->results;
    after->page.cleared = kept->cleared;
    if (kept->waits[0] != '\0') {
        snprintf(after->told, sizeof after->told,
                 language_text("This drive waits, and is stored when the results can be opened. %s"), lost->text);
    } else if (lost->code != STATUS_GOOD) {
        snprintf(after->told, sizeof after->told, language_text("This drive is not among the results. %s"), lost->text);
    } else if (params->drive->results.waiting > 0) {
        snprintf(after->told, sizeof after->told, language_text("Results that wait for the server: %d"),
                 params->drive->results.waiting);
    }
}

/// Shows the page until the person leaves, starts again or goes to the next exercise (END_LEAVE, END_AGAIN, END_NEXT).
/// wish  what is done at once: END_DEBRIEF, END_WATCH, END_LOOK + a mistake's number; END_NOTHING: nothing
/// next  receives the next exercise
/// end   receives SCREEN_END_CLOSE when the window is to go, else SCREEN_END_LEAVE
static EndChoice after_screen(Window *window, const AfterParams *params, int wish, NextExercise *next, ScreenEnd *end)
{
    After *after = calloc(1, sizeof *after);
    if (after == NULL) {
        abort();
    }
    Session *session = params->drive->session;
    const RenderView *shown = NULL;
    *after = (After){.window = window, .params = params, .choice = END_NOTHING, .end = SCREEN_END_LEAVE};
    after->page = (EndPage){.scene = session_view_scene(params->view, session),
                            .exercise = session_exercise(session),
                            .units = window_units(window),
                            .trail = params->trail,
                            .dt = session_dt(session),
                            .scripted = params->drive->driver.kind != OPERATOR_PERSON,
                            .credit = drive_credit(params->drive),
                            .trainee = params->drive->params.options->trainee,
                            .from_menu = params->drive->params.from_menu,
                            .recorded = params->recorded[0] != '\0'};
    note_results(after);
    fill_after_page(after);
    const DriveGuide *guide = params->drive->params.guide;
    bool guided = guide != NULL && guide->follows != NULL;
    if (guided) {
        window_set_caller(window, guide_calls_back, after);
    }
    if (wish != END_NOTHING) {
        carry_out_choice(after, wish);
    }
    while (after->choice == END_NOTHING) {
        WindowInput input;
        window_poll(window, NULL, &input);
        MenuAnswer answer = menu_take(&after->menu, &input, shown);
        if (input.close) {
            after->choice = END_LEAVE;
            after->end = SCREEN_END_CLOSE;
        } else if (answer == MENU_BACK) {
            after->choice = END_LEAVE;
        } else if (answer == MENU_CHOSEN) {
            carry_out_choice(after, menu_id(&after->menu));
        }
        RenderView *view = session_view_build(params->view, session, 1.0);
        menu_show(&after->menu, &view->menu);
        window_play(window, session, false);
        window_show(window, view);
        shown = view;
    }
    if (guided) {
        window_set_caller(window, NULL, NULL);
    }
    EndChoice choice = after->choice;
    *end = after->end;
    *next = after->page.next;
    free(after);
    return choice;
}

/// ---- a drive and what follows it ----------------------------------------------------------------------------------

/// True when a page follows: the person left before the end or wants to see something, or a scripted operator finished.
/// With --seconds there is none.
static bool has_page(const Screen *screen)
{
    const Drive *drive = &screen->drive;
    bool driven = session_frame(drive->session)->tick > drive->first_tick;
    if (screen->end != SCREEN_END_LEAVE || screen->wish == END_LEAVE || drive->dismissed ||
        drive->params.options->seconds > 0.0) {
        return false;
    }
    if (screen->wish != END_NOTHING) {
        return screen->wish != END_NEXT;
    }
    return driven && (screen->left ? briefing_is_worth(&session_scene(drive->session)->exercise)
                                   : drive->driver.kind != OPERATOR_PERSON);
}

/// What follows a drive.
typedef struct Wish {
    EndChoice choice; ///< END_LEAVE, END_AGAIN, END_NEXT
    NextExercise next;
    char controls[DATA_PATH_LENGTH]; ///< that were chosen on the way; "" = none
} Wish;

/// Drives once, with the page that follows.
static ScreenEnd drive_once(Window *window, const DriveParams *params, char recorded[DATA_PATH_LENGTH], Wish *wish,
                            Status *status)
{
    Screen screen = {.window = window, .wish = END_NOTHING, .shows_ghost = true};
    recorded[0] = '\0';
    wish->choice = END_LEAVE;
    const RunOptions *options = params->options;
    GhostAsked asked = {
        .who = options->ghost, .results = options->results, .scene = options->scene, .recording = params->parent};
    if (!ghost_ask(&screen.ghost, &asked, status) || !drive_create(&screen.drive, params, status)) {
        ghost_close(&screen.ghost);
        return SCREEN_END_FAILED;
    }
    ghost_warn(&screen.ghost, screen.drive.session);
    screen.view = session_view_create();
    session_view_set_units(screen.view, window_units(window));
    const SceneParams *scene = session_view_scene(screen.view, screen.drive.session);
    session_view_jump(screen.view, screen.drive.session);
    describe_hints(&screen);
    window_set_title(window, scene->title);
    if (params->briefs && !options->no_briefing && !(options->seconds > 0.0) &&
        screen.drive.driver.kind == OPERATOR_PERSON && briefing_is_worth(&scene->exercise)) {
        open_briefing(&screen, true);
    } else {
        message_say(&screen.message, scene->description); // the page says it, too
        show_credit(&screen);
    }
    DriveHost host = {&screen, before_frame, note_tick, draw_frame, ask_person};
    screen.last_round = drive_clock();
    bool good = drive_run(&screen.drive, &host, status);
    drive_pages_keep_picture(window, screen.view, &screen.drive);
    good = drive_close(&screen.drive, good, status);
    snprintf(recorded, DATA_PATH_LENGTH, "%s", screen.drive.record);
    if (good && has_page(&screen)) {
        AfterParams after = {.drive = &screen.drive, .view = screen.view, .trail = &screen.trail, .recorded = recorded};
        wish->choice = after_screen(window, &after, screen.wish, &wish->next, &screen.end);
    } else if (good && screen.wish == END_NEXT) {
        wish->next = screen.page.next;
        wish->choice = END_NEXT;
    }
    if (screen.map[0] != '\0') {
        snprintf(wish->controls, sizeof wish->controls, "%s", screen.map);
    }
    session_view_destroy(screen.view);
    score_trail_free(&screen.trail);
    ghost_close(&screen.ghost);
    drive_pictures_free(&screen.pictures);
    drive_destroy(&screen.drive);
    return good ? screen.end : SCREEN_END_FAILED;
}

ScreenEnd drive_screen(Window *window, const DriveParams *given, char recorded[DATA_PATH_LENGTH], Status *status)
{
    RunOptions options = *given->options;
    DriveParams params = *given;
    Wish wish = {0};
    char record[DATA_PATH_LENGTH], scene[sizeof wish.next.scene];
    params.options = &options;
    params.devices = window_devices(window);
    for (;;) {
        ScreenEnd end = drive_once(window, &params, recorded, &wish, status);
        if (end != SCREEN_END_LEAVE || wish.choice == END_LEAVE) {
            return end;
        }
        if (recorded[0] != '\0') {
            printf("recorded %s\n", recorded);
        }
        if (wish.choice == END_NEXT) {
            snprintf(scene, sizeof scene, "%s", wish.next.scene);
            options.scene = scene;
        }
        options.controls = wish.controls[0] != '\0' ? wish.controls : options.controls;
        if (given->options->record != NULL) {
            output_number_path(given->options->record, record, sizeof record);
            options.record = record;
        }
    }
}

ScreenEnd watch_and_drive(Window *window, const char *path, double from, const RunOptions *options, Status *status)
{
    for (;;) {
        double at = 0.0;
        ScreenEnd end = watch_screen(window, path, from, options, &at, status);
        if (end != SCREEN_END_TAKE_OVER) {
            return end;
        }
        RunOptions person = *options;
        person.record = NULL; // numbered beside the old one
        person.operator_name = NULL;
        char recorded[DATA_PATH_LENGTH];
        DriveParams params = {.options = &person, .parent = path, .at = at};
        end = drive_screen(window, &params, recorded, status);
        if (recorded[0] != '\0') {
            printf("recorded %s\n", recorded);
        }
        if (end != SCREEN_END_LEAVE) {
            return end;
        }
        from = 0.0;
    }
}
