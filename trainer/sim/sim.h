/// The simulation: machine, soil, rocks, trucks and loads on one site, with one exercise, in ticks of 1/60 s.
///
/// A session (session.h) owns all state and advances it tick by tick. Its exercise (exercise.h) measures the work and
/// scores it. An instructor's orders (session_order.h) act from the next tick on, as levers do. The whole state can be
/// hashed, saved, restored and compared field by field (state_io.h). The same scene, seed, levers and orders give the
/// same bits on every computer and with any number of threads.
///
///     Status status = {0};
///     Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
///     OperatorControls levers = {0};
///     for (int tick = 0; session != NULL && tick < 60; tick++) {
///         session_tick(session, &levers);
///     }
///     session_destroy(session);
///
/// Threads    one thread at a time calls a session and uses what it returns; the soil starts worker threads of its own.
///            Sessions share nothing: each may have its own thread. The caller's floating-point mode changes no result.
/// Ownership  what a create or load function returns is freed with the destroy function beside it. Pointers that a
///            session returns are the session's own.
/// Errors     a Status: a code and one line with file, line, key, what was read and what is allowed. A tick fails only
///            for lack of memory (session_has_failed).
///
/// Headers from bottom to top; each may use those above it:
///     events.h         kinds, things and numbers of events, and their sentences
///     score.h          rows, points and verdicts from figures alone, and when a row lost its points
///     exercise.h       figures, events, steps, rules and end of an exercise, sampled once a tick
///     session_order.h  faults that an instructor orders, and lists of them with times
///     session.h        the session: a tick, the frame that displays read, and its parts, whose headers it includes
///                      (coupling.h, seat_motion.h, session_loads.h, session_rocks.h, session_truck.h)
///     ground_patch.h   a patch of the site as arrays: heights with grains, the design beside it
///     state_io.h       hash, save, restore, difference; range and unit of every field of the state
#ifndef SPADEWORK_TRAINER_SIM_DOOR_H
#define SPADEWORK_TRAINER_SIM_DOOR_H

#include "trainer/sim/events.h"
#include "trainer/sim/score.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/session_order.h"
#include "trainer/sim/session.h"
#include "trainer/sim/ground_patch.h"
#include "trainer/sim/state_io.h"

#endif
