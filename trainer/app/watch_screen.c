/// Shows a recording: time line, bookmarks, list of events, curves, speed, cameras, and taking over at the current
/// tick.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/visible_text.h"
#include "render/render.h"
#include "trainer/app/ghost.h"
#include "trainer/app/replay.h"
#include "trainer/app/screens.h"
#include "trainer/app/window.h"
#include "trainer/report/report.h"

/// ---- bookmarks -----------------------------------------------------------------------------------------------------

/// Names bookmarks and keeps file, bookmarks and marks in step.

enum { NAMING_TEXT = 512 };

/// Zero is none.
typedef struct Naming {
    const char *path; ///< of the recording, borrowed
    Bookmarks bookmarks;
    bool readable; ///< REC.marks was; else nothing is written over it
    bool typing; ///< a name is being typed
    char name[BOOKMARK_NAME];
    char told[NAMING_TEXT]; ///< the question, or what went wrong; "" = nothing
} Naming;

static double time_of(const Replay *replay)
{
    return (double)replay->tick * session_dt(replay->session);
}

static void show_failure(Naming *naming, const Status *status)
{
    snprintf(naming->told, sizeof naming->told, "%.500s", status->text);
    fprintf(stderr, "spadework: %s\n", status->text);
}

/// Reads the bookmarks into the replay's marks. A faulty REC.marks is reported and left untouched.
static void open_bookmarks(Naming *naming, const char *path, Replay *replay)
{
    double dt = session_dt(replay->session);
    Status status;
    *naming = (Naming){.path = path};
    naming->readable = bookmarks_read(path, (double)replay->ticks * dt, &naming->bookmarks, &status);
    if (naming->readable) {
        replay_marks_set_bookmarks(&replay->marks, &naming->bookmarks, dt);
    } else {
        show_failure(naming, &status);
    }
}

/// Writes changed bookmarks; a failure reverts the change, so the list matches the file.
static void store_bookmarks(Naming *naming, Replay *replay, const Bookmarks *changed)
{
    Status status;
    if (!bookmarks_write(naming->path, changed, &status)) {
        show_failure(naming, &status);
        return;
    }
    naming->bookmarks = *changed;
    naming->told[0] = '\0';
    replay_marks_set_bookmarks(&replay->marks, changed, session_dt(replay->session));
}

static void store_name(Naming *naming, Replay *replay)
{
    Bookmarks changed = naming->bookmarks;
    if (naming->name[0] == '\0') {
        snprintf(naming->name, sizeof naming->name, language_text("Bookmark %d"), changed.count + 1);
    }
    if (visible_text_fault(naming->name, strlen(naming->name), false, NULL) != VISIBLE_GOOD) {
        snprintf(naming->told, sizeof naming->told, "%s",
                 language_text("A name needs letters, and may have no control characters or directions"));
    } else if (bookmarks_set(&changed, time_of(replay), naming->name)) {
        store_bookmarks(naming, replay, &changed);
    } else {
        snprintf(naming->told, sizeof naming->told, language_text("There are %d bookmarks already"), BOOKMARKS_MOST);
    }
}

static void type_name(Naming *naming, Window *window, Replay *replay, const WindowInput *input)
{
    window_edit_text(input, naming->name, sizeof naming->name);
    naming->typing = input->pressed[WINDOW_ACCEPT] + input->pressed[WINDOW_BACK] == 0;
    snprintf(naming->told, sizeof naming->told,
             language_text("Name of the bookmark: %s_     (Enter: keep it   Esc: leave it)"), naming->name);
    if (!naming->typing) {
        window_take_text(window, false);
        naming->told[0] = '\0';
        if (input->pressed[WINDOW_ACCEPT] > 0) {
            store_name(naming, replay);
        }
    }
}

/// Handles the keys of bookmarks. True while a name is typed: the keys are then consumed.
static bool edit_bookmarks(Naming *naming, Window *window, Replay *replay, const WindowInput *input)
{
    if (naming->typing) {
        type_name(naming, window, replay, input);
        return true;
    }
    if (!naming->readable) {
        return false;
    }
    if (input->pressed[WINDOW_REMOVE] > 0) {
        Bookmarks changed = naming->bookmarks;
        int row = replay_marks_chosen(&replay->marks, replay->tick, -1);
        for (; row >= 0 && replay_marks_kind(&replay->marks.events[row]) != RENDER_MARK_BOOKMARK; row--) {
        }
        if (row >= 0 && replay->marks.events[row].tick == replay->tick && bookmarks_remove(&changed, time_of(replay))) {
            store_bookmarks(naming, replay, &changed);
        }
    }
    if (input->pressed[WINDOW_BOOKMARK] > 0) {
        replay->playing = false;
        naming->name[0] = '\0';
        naming->typing = true;
        window_take_text(window, true);
        type_name(naming, window, replay, &(WindowInput){0});
    }
    return naming->typing;
}

/// ---- watching ------------------------------------------------------------------------------------------------------

#define MOST_ELAPSED 0.25 ///< s
#define SLOWEST      0.25
#define FASTEST      16.0
#define STEP         1.0 ///< s that an arrow key moves
#define LONG_STEP    10.0 ///< s with shift held

#define MARK_REACH 0.008 ///< of the bar's length: so near to a mark the mouse means it. Chosen
#define TOLD_TIME  1.5 ///< s for which an event's line is shown after its tick. Chosen

typedef struct Watch {
    Window *window;
    Replay replay;
    ReplayCurves curves;
    char changed[SEAL_WORDS]; ///< what was changed in the recording; "" = nothing
    Ghost ghost;
    Naming naming;
    bool shows_ghost;
    GhostTold race; ///< how far ahead it is
    const RenderView *view; ///< what was drawn last, where the mouse points; NULL at first
    bool list; ///< the list of events is shown
    int wanted; ///< row of the list that was gone to
    bool scrubbing; ///< the mouse holds the time line
    int64_t hovered; ///< tick of the time line under the mouse; -1: it is elsewhere
    char told[REPLAY_MARK_TEXT];
    bool over;
    ScreenEnd end;
    Status *status;
} Watch;

static void end_watching(Watch *watch, ScreenEnd end)
{
    watch->over = true;
    watch->end = end;
}

static void seek_replay(Watch *watch, int64_t tick, bool roughly)
{
    if (!replay_seek(&watch->replay, tick, roughly, watch->status)) {
        end_watching(watch, SCREEN_END_FAILED);
    }
}

/// The tick of the time line under the mouse, -1 elsewhere. `held`: the bar is being dragged and the mouse may leave
/// it.
static int64_t tick_under_mouse(const Watch *watch, const WindowInput *input, bool held)
{
    int width = 0, height = 0;
    window_size(watch->window, &width, &height);
    double share = watch->view == NULL ? -1.0
                                       : render_timeline_at(watch->view, width, height, input->mouse_x,
                                                            held ? height - 20.0 : input->mouse_y);
    return share < 0.0 ? -1 : (int64_t)llround(share * (double)watch->replay.ticks);
}

/// Seeks to a row of the list and pauses.
static void go_to_row(Watch *watch, int row)
{
    if (row >= 0 && row < watch->replay.marks.count) {
        watch->replay.playing = false;
        watch->wanted = row;
        seek_replay(watch, watch->replay.marks.events[row].tick, false);
    }
}

/// A click on a row of the list goes there.
static bool click_row(Watch *watch, const WindowInput *input)
{
    int width = 0, height = 0;
    window_size(watch->window, &width, &height);
    int row = watch->view != NULL ? render_event_at(watch->view, width, height, input->mouse_x, input->mouse_y) : -1;
    go_to_row(watch, row);
    return row >= 0;
}

/// While the mouse is held only whole seconds are shown, each a keyframe; letting go brings the exact tick.
static void scrub(Watch *watch, const WindowInput *input, bool was_down)
{
    int64_t under = tick_under_mouse(watch, input, watch->scrubbing);
    if (input->button && !was_down && !click_row(watch, input)) {
        watch->scrubbing = under >= 0;
    }
    watch->hovered = !watch->scrubbing ? under : -1;
    if (watch->scrubbing) {
        seek_replay(watch, under, input->button);
        watch->scrubbing = input->button;
    } else {
        window_move_camera(watch->window, input);
    }
}

/// Steps by one tick or to the next event, and pauses.
static void take_small_steps(Watch *watch, const WindowInput *input)
{
    Replay *replay = &watch->replay;
    int ticks = input->pressed[WINDOW_TICK_ON] - input->pressed[WINDOW_TICK_BACK];
    int events = input->pressed[WINDOW_MARK_ON] - input->pressed[WINDOW_MARK_BACK];
    int rows = input->pressed[WINDOW_DOWN] - input->pressed[WINDOW_UP];
    if (ticks != 0) {
        replay->playing = false;
        seek_replay(watch, replay->tick + ticks, false);
    }
    if (events != 0) {
        go_to_row(watch, replay_marks_next(&replay->marks, replay->tick, events > 0));
    }
    if (rows != 0) {
        int chosen = replay_marks_chosen(&replay->marks, replay->tick, watch->wanted);
        bool before = rows < 0 && chosen >= 0 && replay->marks.events[chosen].tick < replay->tick;
        go_to_row(watch, chosen + rows + (before ? 1 : 0)); // up leads to the row at hand first
    }
}

static void take_keys(Watch *watch, const WindowInput *input)
{
    Replay *replay = &watch->replay;
    double rate = 1.0 / session_dt(replay->session);
    int steps = input->pressed[WINDOW_RIGHT] - input->pressed[WINDOW_LEFT];
    if (steps != 0) {
        double step = input->shift ? LONG_STEP : STEP;
        seek_replay(watch, replay->tick + (int64_t)llround(steps * step * rate), false);
    }
    take_small_steps(watch, input);
    replay_curves_step(&watch->curves, input->shift ? -input->pressed[WINDOW_CURVES] : input->pressed[WINDOW_CURVES]);
    replay_curves_zoom(&watch->curves, input->pressed[WINDOW_SPAN]);
    watch->shows_ghost = watch->shows_ghost != ((input->pressed[WINDOW_GHOST] & 1) != 0);
    watch->list = (input->pressed[WINDOW_LIST] & 1) != 0 ? !watch->list : watch->list;
    double speed = replay->speed * pow(2.0, input->pressed[WINDOW_FASTER] - input->pressed[WINDOW_SLOWER]);
    replay->speed = speed < SLOWEST ? SLOWEST : speed > FASTEST ? FASTEST : speed;
    if (input->pressed[WINDOW_PLAY] + input->pressed[WINDOW_ACCEPT] > 0) {
        replay->playing = !replay->playing;
        if (replay->playing && replay->tick >= replay->ticks) {
            seek_replay(watch, 0, false);
        }
    }
    if (input->pressed[WINDOW_TAKE_OVER] > 0) {
        end_watching(watch, SCREEN_END_TAKE_OVER);
    } else if (input->pressed[WINDOW_BACK] > 0) {
        end_watching(watch, SCREEN_END_LEAVE);
    }
    if (input->close) {
        end_watching(watch, SCREEN_END_CLOSE);
    }
}

/// The mark under the mouse, or else the one that was just reached: -1 when there is none.
static int find_told(const Watch *watch)
{
    const Replay *replay = &watch->replay;
    double rate = 1.0 / session_dt(replay->session);
    if (watch->hovered >= 0) {
        int64_t reach = (int64_t)llround(MARK_REACH * (double)replay->ticks);
        int under = replay_marks_near(&replay->marks, watch->hovered, reach, reach);
        if (under >= 0) {
            return under;
        }
    }
    return replay_marks_near(&replay->marks, replay->tick, (int64_t)llround(TOLD_TIME * rate), 0);
}

static RenderView *build_view(Watch *watch)
{
    Replay *replay = &watch->replay;
    RenderView *view = session_view_build(replay->view, replay->session, replay_blend(replay));
    view->hud.visible = true;
    view->hud.compact = window_gauges(watch->window) == SETTINGS_GAUGES_STRIP;
    session_view_add_grade(replay->view, replay->session, window_shows_grade(watch->window),
                           window_shows_cut_fill(watch->window));
    if (window_shows_debug(watch->window)) {
        session_view_add_debug(replay->view, replay->session);
    }
    if (window_cuts_ground(watch->window)) {
        session_view_add_section(replay->view, replay->session, window_section(watch->window));
    }
    double dt = session_dt(replay->session);
    int told = find_told(watch);
    if (told >= 0) {
        replay_marks_tell(&replay->marks, told, dt, watch->told);
    }
    view->timeline = (RenderTimeline){.visible = true,
                                      .position = (double)replay->tick * dt,
                                      .duration = (double)replay->ticks * dt,
                                      .speed = replay->playing ? replay->speed : 0.0,
                                      .mark_count = replay->marks.count,
                                      .marks = replay->marks.marks,
                                      .chosen = told,
                                      .told = told >= 0                   ? watch->told
                                              : watch->changed[0] != '\0' ? watch->changed
                                                                          : NULL};
    if (window_shows_help(watch->window)) {
        view->timeline.keys[0] =
            language_text("Space: play   +/-: speed   Left/Right: 1 s (Shift: 10 s)   ,/.: one tick   "
                          "Up/Down or a click: events   L: their list   B/Del: bookmark");
        view->timeline.keys[1] =
            language_text("V/Shift+V: curves   Z: their span   G: ghost   C: camera   T: take over from here   "
                          "F2: gauges   F1: keys   Esc: leave");
    }
    view->events = (RenderEvents){.visible = watch->list && replay->marks.count > 0,
                                  .title = language_text("What happened"),
                                  .count = replay->marks.count,
                                  .chosen = replay_marks_chosen(&replay->marks, replay->tick, watch->wanted),
                                  .rows = replay->marks.rows};
    replay_curves_show(&watch->curves, (double)replay->tick * dt, (double)replay->ticks * dt, &view->curves);
    if (watch->shows_ghost) {
        ghost_show(&watch->ghost, (double)replay->tick * dt, &view->ghost);
        ghost_tell(&watch->ghost, replay->session, &watch->race, &view->hud);
        view->timeline.told = told >= 0 || watch->ghost.samples == NULL ? view->timeline.told : watch->ghost.told;
    }
    if (watch->naming.told[0] != '\0') {
        view->timeline.told = watch->naming.told;
    }
    watch->view = view;
    return view;
}

/// A recording without samples is watched without curves.
static bool open_watch(Watch *watch, const char *path, const RunOptions *options, Status *status)
{
    Replay *replay = &watch->replay;
    if (!replay_open(replay, path, options->motion, options->threads, window_units(watch->window), status)) {
        return false;
    }
    Status reason;
    if (replay->seal.state == RECORDING_CHANGED) {
        seal_words(&replay->seal, false, watch->changed, sizeof watch->changed);
        recording_tell_change(replay->recording, &replay->seal, &reason);
        fprintf(stderr, "spadework: %s; its events and curves are not shown\n", reason.text);
    } else if (!replay_curves_open(&watch->curves, replay->recording, session_machine_params(replay->session),
                                   session_dt(replay->session), window_units(watch->window), &reason)) {
        fprintf(stderr, "spadework: no curves: %s\n", reason.text);
    }
    open_bookmarks(&watch->naming, path, replay);
    if (options->ghost == NULL) {
        return true;
    }
    GhostAsked asked = {.who = options->ghost, .results = options->results, .recording = path};
    if (!ghost_ask(&watch->ghost, &asked, status)) {
        replay_curves_close(&watch->curves);
        replay_close(replay);
        return false;
    }
    ghost_warn(&watch->ghost, replay->session);
    return true;
}

ScreenEnd watch_screen(Window *window, const char *path, double from, const RunOptions *options, double *at,
                       Status *status)
{
    Watch watch = {.window = window, .shows_ghost = true, .list = true, .wanted = -1, .status = status};
    if (!open_watch(&watch, path, options, status)) {
        return SCREEN_END_FAILED;
    }
    window_set_title(window, language_text(session_scene(watch.replay.session)->title));
    seek_replay(&watch, (int64_t)llround(from / session_dt(watch.replay.session)), false);
    double last = drive_clock();
    bool was_down = false;
    while (!watch.over) {
        double now = drive_clock(), elapsed = now - last < MOST_ELAPSED ? now - last : MOST_ELAPSED;
        last = now;
        WindowInput input;
        window_poll(window, NULL, &input);
        scrub(&watch, &input, was_down);
        was_down = input.button;
        if (!edit_bookmarks(&watch.naming, window, &watch.replay, &input)) {
            take_keys(&watch, &input);
        } else if (input.close) {
            end_watching(&watch, SCREEN_END_CLOSE);
        }
        if (!watch.over && !watch.scrubbing && !replay_advance(&watch.replay, elapsed, status)) {
            end_watching(&watch, SCREEN_END_FAILED);
        }
        window_play(window, watch.replay.session, watch.replay.playing && !watch.scrubbing && !watch.over);
        window_show(window, build_view(&watch));
    }
    *at = (double)watch.replay.tick * session_dt(watch.replay.session);
    replay_curves_close(&watch.curves);
    ghost_close(&watch.ghost);
    replay_close(&watch.replay);
    return watch.end;
}
