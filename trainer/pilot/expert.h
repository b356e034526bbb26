/// The expert: a scripted operator that carries out a list of actions (data/schema/expert_params.h), one after the
/// other in closed loop. It sees what a person sees (readout, ground) and returns levers; its memory is its own and is
/// not session state (a recording holds its levers). The same session gives the same levers.
#ifndef SPADEWORK_TRAINER_EXPERT_H
#define SPADEWORK_TRAINER_EXPERT_H

#include "data/schema/expert_params.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/sim.h"

enum { EXPERT_PHASE_TEXT = 64, EXPERT_REPORT_TEXT = 120 };

typedef struct Expert Expert;

/// An expert at the beginning of its list. NULL with `status`: the list is for another machine, or does what the scene
/// lacks (STATUS_BAD_FILE, the text begins with the key of the expert's file), or memory is short (STATUS_LACKING). The
/// caller frees it; it holds neither the session nor `params`, which is copied.
Expert *expert_create(const ExpertParams *params, const Session *session, Status *status);
void expert_destroy(Expert *expert); ///< NULL is nothing
/// Writes the levers of the session's next tick. Call once a tick, in order, from the session's thread; reads the
/// session alone. After the last action the levers are neutral.
/// aim  what the operator misjudges in this tick (autopilot.h); NULL: nothing
void expert_controls(Expert *expert, Session *session, const OperatorAim *aim, OperatorControls *controls);
bool expert_is_done(const Expert *expert); ///< the list is at its end
/// Actions that ran out of time; then the list went on.
int expert_late(const Expert *expert);
/// Writes how far it came, for people: "all 12 actions are done; 2 were late, the first: 3 tip".
void expert_report(const Expert *expert, char text[EXPERT_REPORT_TEXT]);

#endif
