#include "trainer/window/app_screens.h"

#include <math.h>
#include <stdio.h>

#include "render/panels/panels.h"
#include "trainer/window/app_replay.h"

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

typedef struct Watch {
    AppWindow *window;
    AppReplay replay;
    bool scrubbing; ///< the mouse holds the time line
    bool over;
    AppEnd end;
    Status *status;
} Watch;

static void finish(Watch *watch, AppEnd end)
{
    watch->over = true;
    watch->end = end;
}

static void seek(Watch *watch, int64_t tick, bool roughly)
{
    if (!app_replay_seek(&watch->replay, tick, roughly, watch->status)) {
        finish(watch, APP_END_FAILED);
    }
}

static bool over_timeline(const AppWindow *window, const AppInput *input)
{
    int width = 0, height = 0;
    app_window_size(window, &width, &height);
    return input->mouse_y > height - TIMELINE_REACH * panel_unit(width, height);
}

static int64_t tick_under_mouse(const Watch *watch, const AppInput *input)
{
    int width = 0, height = 0;
    app_window_size(watch->window, &width, &height);
    double unit = panel_unit(width, height), length = fmax(width - (TIMELINE_LEFT + TIMELINE_RIGHT) * unit, 1.0);
    double share = (input->mouse_x - TIMELINE_LEFT * unit) / length;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return (int64_t)llround(share * (double)watch->replay.ticks);
}

/// While the mouse is held only whole seconds are shown, each a keyframe; letting go brings the exact tick.
static void scrub(Watch *watch, const AppInput *input, bool was_down)
{
    if (input->button && !was_down) {
        watch->scrubbing = over_timeline(watch->window, input);
    }
    if (watch->scrubbing) {
        seek(watch, tick_under_mouse(watch, input), input->button);
        watch->scrubbing = input->button;
    } else {
        app_move_camera(watch->window, input);
    }
}

static void take_keys(Watch *watch, const AppInput *input)
{
    AppReplay *replay = &watch->replay;
    double rate = 1.0 / session_dt(replay->session);
    int steps = input->pressed[APP_RIGHT] - input->pressed[APP_LEFT];
    if (steps != 0) {
        double step = input->shift ? LONG_STEP : STEP;
        seek(watch, replay->tick + (int64_t)llround(steps * step * rate), false);
    }
    double speed = replay->speed * pow(2.0, input->pressed[APP_FASTER] - input->pressed[APP_SLOWER]);
    replay->speed = speed < SLOWEST ? SLOWEST : speed > FASTEST ? FASTEST : speed;
    if (input->pressed[APP_PLAY] + input->pressed[APP_ACCEPT] > 0) {
        replay->playing = !replay->playing;
        if (replay->playing && replay->tick >= replay->ticks) {
            seek(watch, 0, false);
        }
    }
    if (input->pressed[APP_TAKE_OVER] > 0) {
        finish(watch, APP_END_TAKE_OVER);
    } else if (input->pressed[APP_BACK] > 0) {
        finish(watch, APP_END_LEAVE);
    }
    if (input->close) {
        finish(watch, APP_END_CLOSE);
    }
}

static RenderView *build(Watch *watch)
{
    AppReplay *replay = &watch->replay;
    RenderView *view = app_view_build(replay->view, replay->session, app_replay_blend(replay));
    view->hud.visible = app_window_shows_hud(watch->window);
    if (app_window_shows_debug(watch->window)) {
        app_view_add_debug(replay->view, replay->session);
    }
    double dt = session_dt(replay->session);
    view->timeline = (RenderTimeline){.visible = true,
                                      .position = (double)replay->tick * dt,
                                      .duration = (double)replay->ticks * dt,
                                      .speed = replay->playing ? replay->speed : 0.0,
                                      .event_count = replay->event_count,
                                      .events = replay->events,
                                      .footer = app_window_shows_help(watch->window)
                                                    ? "Space: play/pause   Left/Right: 1 s (Shift: 10 s)   +/-: speed  "
                                                      " C: camera   F3: soil   F6: sound   T: take "
                                                      "over from here   Esc: leave"
                                                    : NULL};
    return view;
}

AppEnd app_watch_screen(AppWindow *window, const char *path, double from, int threads, int64_t *tick, Status *status)
{
    Watch watch = {.window = window, .status = status};
    if (!app_replay_open(&watch.replay, path, threads, status)) {
        return APP_END_FAILED;
    }
    app_window_set_title(window, session_scene(watch.replay.session)->title);
    seek(&watch, (int64_t)llround(from / session_dt(watch.replay.session)), false);
    double last = app_clock();
    bool was_down = false;
    while (!watch.over) {
        double now = app_clock(), elapsed = now - last < MOST_ELAPSED ? now - last : MOST_ELAPSED;
        last = now;
        AppInput input;
        app_window_poll(window, NULL, &input, NULL);
        scrub(&watch, &input, was_down);
        was_down = input.button;
        take_keys(&watch, &input);
        if (!watch.over && !watch.scrubbing && !app_replay_advance(&watch.replay, elapsed, status)) {
            finish(&watch, APP_END_FAILED);
        }
        app_window_play(window, watch.replay.session, watch.replay.playing && !watch.scrubbing && !watch.over);
        app_window_show(window, build(&watch));
    }
    *tick = watch.replay.tick;
    app_replay_close(&watch.replay);
    return watch.end;
}

AppEnd app_watch_and_drive(AppWindow *window, const char *path, double from, const RunOptions *options, Status *status)
{
    for (;;) {
        int64_t tick = 0;
        AppEnd end = app_watch_screen(window, path, from, options->threads, &tick, status);
        if (end != APP_END_TAKE_OVER) {
            return end;
        }
        RunOptions person = *options;
        person.record = NULL; // numbered beside the old one
        person.operator_name = NULL;
        char recorded[DATA_PATH_LENGTH];
        AppDriveStart start = {.options = &person, .parent = path, .parent_tick = tick};
        end = app_drive_screen(window, &start, recorded, status);
        if (recorded[0] != '\0') {
            printf("recorded %s\n", recorded);
        }
        if (end != APP_END_LEAVE) {
            return end;
        }
        from = 0.0;
    }
}
