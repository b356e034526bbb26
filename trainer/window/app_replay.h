/// The place of a replay: which tick is shown, how fast it goes, and how a seek is split so that scrubbing stays fluid.
#ifndef SPADEWORK_TRAINER_APP_REPLAY_H
#define SPADEWORK_TRAINER_APP_REPLAY_H

#include "trainer/window/app_view.h"
#include "trainer/recording/recording.h"

/// A recording being watched. The session follows the recording's controls.
typedef struct AppReplay {
    Recording *recording;
    Session *session;
    AppView *view;
    int64_t first; ///< where the recording begins: > 0 when it continues another
    int64_t tick, ticks; ///< done; in the recording
    double ahead; ///< ticks of wall-clock time not yet played
    double speed; ///< 0.25..16
    bool playing;
    double real_speed; ///< simulated s per wall s that was reached lately
    int event_count;
    double *events; ///< s
} AppReplay;

bool app_replay_open(AppReplay *replay, const char *path, int threads, Status *status);
void app_replay_close(AppReplay *replay);
/// Plays on for `elapsed` s of the wall clock, at most about 25 ms of work; what lies too far ahead is reached by
/// keyframes. Stops at the end.
bool app_replay_advance(AppReplay *replay, double elapsed, Status *status);
/// Goes to a tick (clamped). `roughly`: only to the whole second before it, which is quick.
bool app_replay_seek(AppReplay *replay, int64_t tick, bool roughly, Status *status);
/// Share of a tick that has passed, for drawing between ticks.
double app_replay_blend(const AppReplay *replay);

#endif
