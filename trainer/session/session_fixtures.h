/// Fixtures in a session: where the machine touches what stands on the site, and what is told of it.
///
/// A touch becomes an event of the exercise (kind `touch`) when a body of the machine meets a fixture from which it was
/// clear for half a second: which part, which fixture, how fast, what impulse in the tick.
#ifndef SPADEWORK_TRAINER_SESSION_FIXTURES_H
#define SPADEWORK_TRAINER_SESSION_FIXTURES_H

#include "data/scene_params.h"
#include "machine/solids.h"
#include "trainer/exercise/exercise.h"

typedef struct SessionFixtures SessionFixtures;

/// The fixtures of a scene. `*fixtures` is NULL, without an error, when the scene has none; so may it be in all that
/// follows. False with `status`: the machine starts in one, or memory is short.
bool session_fixtures_create(const SceneParams *scene, const Machine *machine, const MachineState *state,
                             SessionFixtures **fixtures, Status *status);
void session_fixtures_destroy(SessionFixtures *fixtures);

/// Finds where the machine touches them now. The touches are the fixtures' own until the next call; NULL: none.
MachineTouch *session_fixtures_find(SessionFixtures *fixtures, const Machine *machine, const MachineState *state,
                                    int *count);
/// Notes what came of those touches in a substep of `h` s.
void session_fixtures_take(SessionFixtures *fixtures, double h);
/// End of a tick: tells what was touched in it.
void session_fixtures_end_tick(SessionFixtures *fixtures, const Machine *machine, int64_t tick, double dt,
                               Exercise *exercise);

/// Visits the state: nothing without fixtures.
void session_fixtures_visit(SessionFixtures *fixtures, StateVisitor *visitor);

#endif
