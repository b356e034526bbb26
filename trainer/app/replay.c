/// Plays a recording at a chosen speed. A session follows the recorded controls; places far away are reached from the
/// nearest keyframe, so that scrubbing stays fluid on long recordings.
#include "trainer/app/replay.h"

#include "trainer/pilot/pilot.h"
#include "trainer/app/ghost_path.h"

#define WORK_A_FRAME 0.025 ///< s of simulation before the screen is drawn again

bool replay_open(Replay *replay, const char *path, const char *motion, int threads, TextUnits units, Status *status)
{
    *replay = (Replay){.speed = 1.0, .real_speed = 1.0, .playing = true};
    replay->recording = recording_open(path, status);
    if (replay->recording != NULL && recording_prove(replay->recording, NULL, NULL, &replay->seal, status)) {
        replay->session = recording_create_session(replay->recording, threads, status);
    }
    if (replay->session != NULL && motion != NULL) {
        replay->motion = motion_stream_create(motion, status);
    }
    if (replay->session == NULL || (motion != NULL && replay->motion == NULL)) {
        replay_close(replay);
        return false;
    }
    replay->first = recording_first_tick(replay->recording);
    replay->tick = replay->first;
    replay->ticks = recording_ticks(replay->recording);
    replay->view = session_view_create();
    session_view_set_units(replay->view, units);
    bool believed = replay->seal.state != RECORDING_CHANGED;
    if (believed) {
        ghost_read_path(replay->recording, session_machine(replay->session), &replay->path);
    }
    session_view_set_path(replay->view, replay->path.count > 0 ? &replay->path : NULL);
    replay->marks.reader.units = units;
    session_view_jump(replay->view, replay->session);
    if (believed) {
        replay_marks_read(&replay->marks, replay->recording, session_dt(replay->session));
    }
    return true;
}

void replay_close(Replay *replay)
{
    session_view_destroy(replay->view);
    motion_stream_close(replay->motion);
    if (replay->session != NULL) {
        session_destroy(replay->session);
    }
    if (replay->recording != NULL) {
        recording_close(replay->recording);
    }
    replay_marks_free(&replay->marks);
    ground_path_free(&replay->path);
    *replay = (Replay){0};
}

static bool play_tick(Replay *replay, Status *status)
{
    if (!recording_advance(replay->recording, replay->session, status)) {
        return false;
    }
    if (replay->motion != NULL) {
        motion_stream_tick(replay->motion, replay->session);
    }
    session_view_tick(replay->view, replay->session);
    replay->tick++;
    return true;
}

bool replay_seek(Replay *replay, int64_t tick, bool roughly, Status *status)
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
    motion_stream_jump(replay->motion);
    session_view_jump(replay->view, replay->session);
    OperatorControls controls;
    Status ignored; // a damaged row shows as neutral levers
    if (tick > replay->first && recording_controls(replay->recording, tick - 1, &controls, &ignored)) {
        session_view_set_levers(replay->view, &controls);
    }
    return true;
}

bool replay_advance(Replay *replay, double elapsed, Status *status)
{
    if (!replay->playing) {
        return true;
    }
    double rate = 1.0 / session_dt(replay->session);
    int64_t before = replay->tick;
    replay->ahead += elapsed * replay->speed * rate;
    double start = drive_clock();
    while (replay->ahead >= 1.0 && replay->tick < replay->ticks && drive_clock() - start < WORK_A_FRAME) {
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
        if (!replay_seek(replay, target, true, status)) {
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

double replay_blend(const Replay *replay)
{
    double blend = replay->playing ? replay->ahead : 1.0;
    return blend > 1.0 ? 1.0 : blend;
}
