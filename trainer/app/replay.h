/// The place of a replay: which tick is shown, how fast it goes, and how a seek is split so that scrubbing stays fluid.
#ifndef SPADEWORK_TRAINER_REPLAY_H
#define SPADEWORK_TRAINER_REPLAY_H

#include "trainer/report/report.h"
#include "trainer/record/record.h"
#include "trainer/app/replay_marks.h"
#include "trainer/app/session_view.h"

/// A recording being watched. The session follows the recording's controls.
typedef struct Replay {
    Recording *recording;
    RecordingSeal seal; ///< what its seals say: of a changed one only what its levers replay is shown
    Session *session;
    SessionView *view;
    MotionStream *motion; ///< NULL: nobody is told what the seat feels
    int64_t first; ///< where the recording begins: > 0 when it continues another
    int64_t tick, ticks; ///< done; in the recording
    double ahead; ///< ticks of wall-clock time not yet played
    double speed; ///< 0.25..16
    bool playing;
    double real_speed; ///< simulated s per wall s that was reached lately
    ReplayMarks marks;
    GroundPath path; ///< of the machine, all of it
} Replay;

/// `motion`: HOST:PORT that is told what the seat feels, or NULL.
bool replay_open(Replay *replay, const char *path, const char *motion, int threads, TextUnits units, Status *status);
void replay_close(Replay *replay);
/// Plays on for `elapsed` s of the wall clock, at most about 25 ms of work; what lies too far ahead is reached by
/// keyframes. Stops at the end.
bool replay_advance(Replay *replay, double elapsed, Status *status);
/// Goes to a tick (clamped). `roughly`: only to the whole second before it, which is quick.
bool replay_seek(Replay *replay, int64_t tick, bool roughly, Status *status);
/// Share of a tick that has passed, for drawing between ticks.
double replay_blend(const Replay *replay);

#endif
