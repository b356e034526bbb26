/// The autopilot: plans bucket-tip paths by inverse kinematics and moves the same levers a person would. It reads what
/// a person sees (readout, ground, payload) and returns levers; its memory is not session state (a recording holds its
/// levers).
#ifndef SPADEWORK_TRAINER_AUTOPILOT_H
#define SPADEWORK_TRAINER_AUTOPILOT_H

#include "trainer/sim/sim.h"

typedef struct Autopilot Autopilot;

/// What an operator misjudges: the amounts are added to what he sees. The more he misjudges, the more error he accepts
/// and the more time he takes.
typedef struct OperatorAim {
    double angle[MACHINE_MAX_JOINTS]; ///< rad of the arm's joints, in the order of MachineParams.joint
    double direction; ///< rad of the direction of the arm
    double height; ///< m of a dozer's edge
    double share; ///< 0..1: how much of a beginner he is
    double late; ///< s, 0..1: from what he sees to a lever that has moved; he knows it
} OperatorAim;

/// True for the kinds of machine that a scripted operator knows: excavators and dozers.
bool autopilot_can_drive(const MachineParams *machine);
/// An operator for the session's machine and exercise, from where the machine stands. NULL when memory is short. The
/// caller frees it; it does not hold the session.
Autopilot *autopilot_create(const Session *session);
void autopilot_destroy(Autopilot *autopilot); ///< NULL is nothing
/// Writes the levers of the session's next tick. Call once a tick, in order, from the session's thread; reads the
/// session alone.
void autopilot_controls(Autopilot *autopilot, Session *session, OperatorControls *controls);
/// What the operator misjudges from the next tick on; NULL: nothing. Copied.
void autopilot_misjudge(Autopilot *autopilot, const OperatorAim *aim);
const char *autopilot_phase(const Autopilot *autopilot); ///< "dig", "lift", "swing", "dump", ...; constant text
int autopilot_cycles(const Autopilot *autopilot); ///< full dig-dump cycles done

#endif
