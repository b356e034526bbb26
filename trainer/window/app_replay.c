#include "trainer/window/app_replay.h"

#include <stdlib.h>

#include "trainer/window/app_window.h"

#define WORK_A_FRAME 0.025 ///< s of simulation before the screen is drawn again
#define MAX_MARKS    512

static bool read_events(AppReplay *replay, Status *status)
{
    ExerciseEvent *events = calloc(MAX_MARKS, sizeof *events);
    replay->events = calloc(MAX_MARKS, sizeof *replay->events);
    if (events == NULL || replay->events == NULL) {
        abort();
    }
    int count = recording_events(replay->recording, events, MAX_MARKS);
    count = count < 0 ? 0 : count > MAX_MARKS ? MAX_MARKS : count;
    for (int i = 0; i < count; i++) {
        replay->events[i] = (double)events[i].tick * session_dt(replay->session);
    }
    replay->event_count = count;
    free(events);
    return status_good(status);
}

bool app_replay_open(AppReplay *replay, const char *path, int threads, Status *status)
{
    *replay = (AppReplay){.speed = 1.0, .real_speed = 1.0, .playing = true};
    replay->recording = recording_open(path, status);
    if (replay->recording != NULL) {
        replay->session = recording_create_session(replay->recording, threads, status);
    }
    if (replay->session == NULL) {
        app_replay_close(replay);
        return false;
    }
    replay->first = recording_first_tick(replay->recording);
    replay->tick = replay->first;
    replay->ticks = recording_ticks(replay->recording);
    replay->view = app_view_create();
    app_view_jump(replay->view, replay->session);
    return read_events(replay, status);
}

void app_replay_close(AppReplay *replay)
{
    app_view_destroy(replay->view);
    if (replay->session != NULL) {
        session_destroy(replay->session);
    }
    if (replay->recording != NULL) {
        recording_close(replay->recording);
    }
    free(replay->events);
    *replay = (AppReplay){0};
}

static bool play_tick(AppReplay *replay, Status *status)
{
    OperatorControls controls;
    if (!recording_controls(replay->recording, replay->tick, &controls, status)) {
        return false;
    }
    session_tick(replay->session, &controls);
    app_view_tick(replay->view, replay->session);
    replay->tick++;
    return true;
}

bool app_replay_seek(AppReplay *replay, int64_t tick, bool roughly, Status *status)
{
    int64_t second = session_scene(replay->session)->rates.tick_rate;
    tick = tick < replay->first ? replay->first : tick > replay->ticks ? replay->ticks : tick;
    tick -= roughly ? (tick - replay->first) % second : 0;
    if (tick == replay->tick) {
        return true;
    }
    if (!recording_seek(replay->recording, replay->session, tick, status)) {
        return false;
    }
    replay->tick = tick;
    replay->ahead = 0.0;
    app_view_jump(replay->view, replay->session);
    OperatorControls controls;
    Status ignored; // a damaged row shows as neutral levers
    if (tick > replay->first && recording_controls(replay->recording, tick - 1, &controls, &ignored)) {
        app_view_set_levers(replay->view, &controls);
    }
    return true;
}

bool app_replay_advance(AppReplay *replay, double elapsed, Status *status)
{
    if (!replay->playing) {
        return true;
    }
    double rate = 1.0 / session_dt(replay->session);
    int64_t before = replay->tick;
    replay->ahead += elapsed * replay->speed * rate;
    double start = app_clock();
    while (replay->ahead >= 1.0 && replay->tick < replay->ticks && app_clock() - start < WORK_A_FRAME) {
        if (!play_tick(replay, status)) {
            return false;
        }
        replay->ahead -= 1.0;
    }
    if (replay->tick >= replay->ticks) {
        replay->playing = false;
        replay->ahead = 0.0;
    } else if (replay->ahead >= 2.0 * rate && replay->speed > 1.0) {
        // Two seconds behind: a jump to the keyframe there costs less than the ticks between.
        int64_t target = replay->tick + (int64_t)replay->ahead;
        if (!app_replay_seek(replay, target, true, status)) {
            return false;
        }
    } else if (replay->ahead > rate && replay->speed <= 1.0) {
        replay->ahead = 1.0; // slower than real time: show every tick, late
    }
    if (elapsed > 0.0) {
        double now = (double)(replay->tick - before) / rate / elapsed;
        replay->real_speed += 0.1 * (now - replay->real_speed);
    }
    return true;
}

double app_replay_blend(const AppReplay *replay)
{
    double blend = replay->playing ? replay->ahead : 1.0;
    return blend > 1.0 ? 1.0 : blend;
}
