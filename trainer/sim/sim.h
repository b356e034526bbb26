/// The simulation: one machine on one site with one exercise, in ticks of 1/60 s.
///
/// A session (session.h) joins soil, machine, rocks, trucks and loads, and steps them together; an exercise (exercise.h)
/// measures what happens and scores it; an instructor's orders (session_order.h) enter like levers. The whole state can
/// be saved, hashed, restored and compared field by field (state_io.h). The same scene, seed, levers and orders give the
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
/// One thread at a time for a session. Failures are a Status with file, line and what is allowed.
#ifndef SPADEWORK_TRAINER_SIM_DOOR_H
#define SPADEWORK_TRAINER_SIM_DOOR_H

#include "trainer/sim/event_text.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/order_script.h"
#include "trainer/sim/score.h"
#include "trainer/sim/score_moments.h"
#include "trainer/sim/session.h"
#include "trainer/sim/session_order.h"
#include "trainer/sim/start_fault.h"
#include "trainer/sim/state_io.h"
#include "trainer/sim/state_ranges.h"
#include "trainer/sim/work_phases.h"

#endif
