/// A beginner's hands, between a scripted operator and the levers.
///
/// They come late and slowly, do not go all the way, pause, hold a lever too long, and now and then move the one beside
/// it; and the eye is off by some centimetres to decimetres. All that grows with the share of clumsiness, and follows
/// from the seed and the time alone. Its memory belongs to the operator, it is no session state.
#ifndef SPADEWORK_TRAINER_CLUMSY_HANDS_H
#define SPADEWORK_TRAINER_CLUMSY_HANDS_H

#include "trainer/pilot/autopilot.h"

enum { CLUMSY_MOST_LATE = 128 }; ///< ticks that are remembered

typedef struct ClumsyHands {
    double share; ///< 0..1; 0: the levers go through as they are
    uint64_t seed;
    int ticks; ///< since the start
    OperatorControls asked[CLUMSY_MOST_LATE]; ///< what was asked for in the last ticks, a ring
    double lever[CONTROL_COUNT]; ///< -1..1: where the levers are
    int answers; ///< given so far
} ClumsyHands;

/// Begins. share  0..1
void clumsy_start(ClumsyHands *hands, double share, uint64_t seed);
/// What the eye is off in this moment. time  s
void clumsy_aim(const ClumsyHands *hands, double time, OperatorAim *aim);
/// Turns what is asked for into what the hands do; once a tick.
/// time, dt  s: of the session, of the tick
void clumsy_move(ClumsyHands *hands, double time, double dt, OperatorControls *controls);

#endif
