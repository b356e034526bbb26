/// The screen on which a recording is watched: time line, speed, cameras, and taking over at the tick that is shown.
#include "trainer/screens/screen.h"

#include <math.h>
#include <stdio.h>

#include "render/render.h"
#include "trainer/screens/replay.h"

#define MOST_ELAPSED 0.25 ///< s
#define SLOWEST      0.25
#define FASTEST      16.0
#define STEP         1.0 ///< s that an arrow key moves
#define LONG_STEP    10.0 ///< s with shift held

/// Where the renderer draws the time line's bar, in design units: from this far from the left edge to that far
/// from the right one; the mouse takes hold of it this near to the lower edge.
#define TIMELINE_LEFT  98.0
#define TIMELINE_RIGHT 190.0
#define TIMELINE_REACH 80.0
#define MARK_REACH     0.008 ///< of the bar's length: so near to a mark the mouse means it. Chosen
#define TOLD_TIME      1.5 ///< s for which an event is told after it was reached. Chosen

typedef struct Watch {
    Window *window;
    Replay replay;
    bool scrubbing; ///< the mouse holds the time line
    int64_t hovered; ///< tick of the time line under the mouse; -1: it is elsewhere
    char told[REPLAY_MARK_TEXT];
    bool over;
    ScreenEnd end;
    Status *status;
} Watch;

static void finish(Watch *watch, ScreenEnd end)
{
    watch->over = true;
    watch->end = end;
}

static void seek(Watch *watch, int64_t tick, bool roughly)
{
    if (!replay_seek(&watch->replay, tick, roughly, watch->status)) {
        finish(watch, SCREEN_END_FAILED);
    }
}

static bool over_timeline(const Window *window, const WindowInput *input)
{
    int width = 0, height = 0;
    window_size(window, &width, &height);
    return input->mouse_y > height - TIMELINE_REACH * render_panel_unit(width, height);
}

static int64_t tick_under_mouse(const Watch *watch, const WindowInput *input)
{
    int width = 0, height = 0;
    window_size(watch->window, &width, &height);
    double unit = render_panel_unit(width, height), length = fmax(width - (TIMELINE_LEFT + TIMELINE_RIGHT) * unit, 1.0);
    double share = (input->mouse_x - TIMELINE_LEFT * unit) / length;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return (int64_t)llround(share * (double)watch->replay.ticks);
}

/// While the mouse is held only whole seconds are shown, each a keyframe; letting go brings the exact tick.
static void scrub(Watch *watch, const WindowInput *input, bool was_down)
{
    if (input->button && !was_down) {
        watch->scrubbing = over_timeline(watch->window, input);
    }
    watch->hovered = !watch->scrubbing && over_timeline(watch->window, input) ? tick_under_mouse(watch, input) : -1;
    if (watch->scrubbing) {
        seek(watch, tick_under_mouse(watch, input), input->button);
        watch->scrubbing = input->button;
    } else {
        screen_move_camera(watch->window, input);
    }
}

/// One tick, or from event to event; the picture stands there, to be looked at.
static void take_small_steps(Watch *watch, const WindowInput *input)
{
    Replay *replay = &watch->replay;
    int ticks = input->pressed[WINDOW_TICK_ON] - input->pressed[WINDOW_TICK_BACK];
    int events = input->pressed[WINDOW_MARK_ON] - input->pressed[WINDOW_MARK_BACK];
    if (ticks != 0) {
        replay->playing = false;
        seek(watch, replay->tick + ticks, false);
    }
    if (events != 0) {
        int mark = replay_marks_next(&replay->marks, replay->tick, events > 0);
        if (mark >= 0) {
            replay->playing = false;
            seek(watch, replay->marks.events[mark].tick, false);
        }
    }
}

static void take_keys(Watch *watch, const WindowInput *input)
{
    Replay *replay = &watch->replay;
    double rate = 1.0 / session_dt(replay->session);
    int steps = input->pressed[WINDOW_RIGHT] - input->pressed[WINDOW_LEFT];
    if (steps != 0) {
        double step = input->shift ? LONG_STEP : STEP;
        seek(watch, replay->tick + (int64_t)llround(steps * step * rate), false);
    }
    take_small_steps(watch, input);
    double speed = replay->speed * pow(2.0, input->pressed[WINDOW_FASTER] - input->pressed[WINDOW_SLOWER]);
    replay->speed = speed < SLOWEST ? SLOWEST : speed > FASTEST ? FASTEST : speed;
    if (input->pressed[WINDOW_PLAY] + input->pressed[WINDOW_ACCEPT] > 0) {
        replay->playing = !replay->playing;
        if (replay->playing && replay->tick >= replay->ticks) {
            seek(watch, 0, false);
        }
    }
    if (input->pressed[WINDOW_TAKE_OVER] > 0) {
        finish(watch, SCREEN_END_TAKE_OVER);
    } else if (input->pressed[WINDOW_BACK] > 0) {
        finish(watch, SCREEN_END_LEAVE);
    }
    if (input->close) {
        finish(watch, SCREEN_END_CLOSE);
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

static RenderView *build(Watch *watch)
{
    Replay *replay = &watch->replay;
    RenderView *view = session_view_build(replay->view, replay->session, replay_blend(replay));
    view->hud.visible = window_shows_hud(watch->window);
    if (window_shows_debug(watch->window)) {
        session_view_add_debug(replay->view, replay->session);
    }
    double dt = session_dt(replay->session);
    int told = find_told(watch);
    if (told >= 0) {
        replay_marks_tell(&replay->marks, told, dt, watch->told);
    }
    view->timeline = (RenderTimeline){
        .visible = true,
        .position = (double)replay->tick * dt,
        .duration = (double)replay->ticks * dt,
        .speed = replay->playing ? replay->speed : 0.0,
        .mark_count = replay->marks.count,
        .marks = replay->marks.marks,
        .chosen = told,
        .told = told >= 0 ? watch->told : NULL,
        .footer = window_shows_help(watch->window)
                      ? "Space: play   Left/Right: 1 s (Shift: 10 s)   ,/.: one tick   PgUp/PgDn: events  "
                        " +/-: speed   C: camera   T: take over from here   Esc: leave"
                      : NULL};
    return view;
}

ScreenEnd watch_screen(Window *window, const char *path, double from, const RunOptions *options, double *at,
                       Status *status)
{
    Watch watch = {.window = window, .status = status};
    if (!replay_open(&watch.replay, path, options->motion, options->threads, status)) {
        return SCREEN_END_FAILED;
    }
    window_set_title(window, session_scene(watch.replay.session)->title);
    seek(&watch, (int64_t)llround(from / session_dt(watch.replay.session)), false);
    double last = drive_clock();
    bool was_down = false;
    while (!watch.over) {
        double now = drive_clock(), elapsed = now - last < MOST_ELAPSED ? now - last : MOST_ELAPSED;
        last = now;
        WindowInput input;
        window_poll(window, NULL, &input);
        scrub(&watch, &input, was_down);
        was_down = input.button;
        take_keys(&watch, &input);
        if (!watch.over && !watch.scrubbing && !replay_advance(&watch.replay, elapsed, status)) {
            finish(&watch, SCREEN_END_FAILED);
        }
        window_play(window, watch.replay.session, watch.replay.playing && !watch.scrubbing && !watch.over);
        window_show(window, build(&watch));
    }
    *at = (double)watch.replay.tick * session_dt(watch.replay.session);
    replay_close(&watch.replay);
    return watch.end;
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
