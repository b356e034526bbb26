/// What a machine can run into in a session: the scene's fixtures, and trucks with bed, chassis and cab; and what is
/// told of it.
///
/// A touch becomes an event of the exercise (kind `touch`) when a body of the machine meets a thing from which it was
/// clear for half a second: which part, which thing, how fast, what impulse in the tick. A truck stands or drives on
/// whatever touches it.
#ifndef SPADEWORK_TRAINER_SESSION_SOLIDS_H
#define SPADEWORK_TRAINER_SESSION_SOLIDS_H

#include "data/scene_params.h"
#include "machine/solids.h"
#include "trainer/exercise/exercise.h"
#include "trainer/session/session_truck.h"

typedef struct SessionSolids SessionSolids;

/// The solids of a scene, trucks where they are now (`trucks` may be NULL). `*solids` is NULL, without an error, when
/// the scene has none; so may it be in all that follows. False with `status`: the machine starts in one, or memory is
/// short.
bool session_solids_create(const SceneParams *scene, const SessionTrucks *trucks, const Machine *machine,
                           const MachineState *state, SessionSolids **solids, Status *status);
void session_solids_destroy(SessionSolids *solids);

/// Before the drivers decide: where the trucks come from in this tick.
void session_solids_before_tick(SessionSolids *solids, const SessionTrucks *trucks);
/// Once they have: where they go in it, within `dt` s.
void session_solids_begin_tick(SessionSolids *solids, const SessionTrucks *trucks, double dt);
/// Finds where the machine touches them `elapsed` (0..1) of the way through the tick. The touches are the solids' own
/// until the next call; NULL: none.
MachineTouch *session_solids_find(SessionSolids *solids, double elapsed, const Machine *machine,
                                  const MachineState *state, int *count);
/// Notes what came of those touches in a substep of `h` s.
void session_solids_take(SessionSolids *solids, double h);
/// Returns how deep the machine was inside any of them in this tick, m; 0 when it touched none.
double session_solids_deepest(const SessionSolids *solids);
/// End of a tick of `dt` s: tells what was touched in it.
void session_solids_end_tick(SessionSolids *solids, const Machine *machine, int64_t tick, double dt,
                             Exercise *exercise);

/// Visits the state: nothing without solids.
void session_solids_visit(SessionSolids *solids, StateVisitor *visitor);

#endif
