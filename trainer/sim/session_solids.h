/// Solid things that a machine can run into: the scene's fixtures, loads, and trucks with bed, chassis and cab; and the
/// events of touching them.
///
/// A touch becomes an event of the exercise (kind `touch`) when a body of the machine meets a thing from which it was
/// clear for half a second: which part, which thing, where, how fast, and what impulse and energy in the tick. A truck
/// gives way to what touches it, on its springs and tyres (session_truck.h).
#ifndef SPADEWORK_TRAINER_SESSION_SOLIDS_H
#define SPADEWORK_TRAINER_SESSION_SOLIDS_H

#include "data/schema/scene_params.h"
#include "machine/solids.h"
#include "trainer/sim/damage.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/session_loads.h"
#include "trainer/sim/session_truck.h"

/// Every field of the touches of one thing, F(type, name, low, high, unit): hashed, saved, restored.
#define TOUCH_SPELL_FIELDS(F)                                                                                          \
    F(int32_t, clear, 0.0, 1e6, "ticks") /* since the last touch */                                                    \
    F(int32_t, told, 0.0, 1.0, "") /* 1: one of its blows was reported */                                              \
    F(int32_t, lasts, 0.0, 1e6, "ticks") /* since the blow began; 0: none goes on */                                   \
    F(int32_t, part, 0.0, 1e3, "") /* of the machine, that it began with */                                            \
    F(int32_t, thing, 0.0, 1e3, "") /* that it began with */                                                           \
    F(double, x, -1e4, 1e4, "m") /* where */                                                                           \
    F(double, y, -1e4, 1e4, "m")                                                                                       \
    F(double, z, -1e4, 1e4, "m")                                                                                       \
    F(double, speed, 0.0, FASTEST, "m/s") /* the fastest of its touches */                                             \
    F(double, impulse, 0.0, 1e12, "N s")                                                                               \
    F(double, energy, 0.0, 1e12, "J") /* that its touches took up */

typedef struct SessionSolids SessionSolids;

/// The bodies that move in the machine's step beside its own: trucks, loads, then loose tools.
enum {
    SESSION_FIRST_TOOL = SCENE_MAX_TRUCKS + SCENE_MAX_LOADS,
    SESSION_MOVERS = SESSION_FIRST_TOOL + 1 + SCENE_MAX_TOOLS
};
_Static_assert((int)SESSION_MOVERS <= (int)MACHINE_MAX_MOVERS, "the machine's step has room for trucks and loads");

/// The solids of a scene with its trucks and loads (both may be NULL). `*solids` is NULL, without an error, when
/// the scene has none; so may it be in all that follows. False with `status`: the machine starts in one, or memory is
/// short.
bool session_solids_create(const SceneParams *scene, const SessionTrucks *trucks, const SessionLoads *loads,
                           const Machine *machine, const MachineState *state, SessionSolids **solids, Status *status);
void session_solids_destroy(SessionSolids *solids);

/// Start of a tick. What was pushed over lies from now on.
void session_solids_begin_tick(SessionSolids *solids, const SceneParams *scene, const SiteDamage *damage);
/// Finds where the machine touches them `elapsed` (0..1) of the way through a tick of `dt` s, with the trucks where
/// they are now. The touches are the solids' own until the next call; NULL: none. Those of truck k are of mover k,
/// those of load k of mover SCENE_MAX_TRUCKS + k.
MachineTouch *session_solids_find(SessionSolids *solids, const SessionTrucks *trucks, const SessionLoads *loads,
                                  double elapsed, double dt, const Machine *machine, const MachineState *state,
                                  int *count);
/// Returns how deep the machine was inside any of them in this tick, m; 0 when it touched none.
double session_solids_deepest(const SessionSolids *solids);
/// Notes what came of those touches in a substep of `h` s, which has led to `state` and to where the movers are now.
void session_solids_add_touches(SessionSolids *solids, const Machine *machine, const MachineState *state,
                                const MachineMover movers[SESSION_MOVERS], double h);
/// End of a tick of `dt` s: adds the events of its touches.
void session_solids_end_tick(SessionSolids *solids, const Machine *machine, int64_t tick, double dt,
                             Exercise *exercise);

/// The things, where they were last put: their number (0 for NULL), each of them and what it is called. They belong to
/// `solids`.
int session_solids_count(const SessionSolids *solids);
const SolidThing *session_solids_thing(const SessionSolids *solids, int k);
const EventThing *session_solids_called(const SessionSolids *solids, int k);
/// Returns the blows that ended in the last tick, [count]; they are the solids' own until the next tick's end.
const SolidBlow *session_solids_blows(const SessionSolids *solids, int *count);

/// Visits the state: nothing without solids.
void session_solids_visit(SessionSolids *solids, StateVisitor *visitor);

#endif
