/// A session: one machine on one site, one exercise. Owns all state; advances by ticks; knows no clock, window or device.
#ifndef SPADEWORK_TRAINER_SESSION_H
#define SPADEWORK_TRAINER_SESSION_H

#include "data/load.h"
#include "data/core/operator_controls.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "machine/machine.h"
#include "soil/soil.h"
#include "trainer/exercise/exercise.h"
#include "trainer/session/session_rocks.h"
#include "trainer/session/session_truck.h"

typedef struct SessionParams {
    const char *scene; ///< path or name
    const char *const *set; ///< KEY=VALUE overrides
    int set_count;
    bool has_seed;
    uint64_t seed; ///< when has_seed; else the scene's
    SoilSolver solver;
    int threads; ///< 0 = one for each processor
    const DataFiles *files; ///< not NULL: texts from a recording instead of `scene`
} SessionParams;

typedef struct Session Session;

Session *session_create(const SessionParams *params, Status *status);
void session_destroy(Session *session);

/// Advances one tick with these controls.
void session_tick(Session *session, const OperatorControls *controls);

/// What happened in the last tick, as telemetry and HUD show it.
typedef struct SessionFrame {
    int64_t tick; ///< ticks done
    double time; ///< s
    OperatorControls controls;
    MachineReadout machine;
    RigidMotion tool; ///< at the end of the tick
    Wrench tool_wrench; ///< mean over the tick's substeps
    double payload; ///< kg of soil and rocks in the tool
    SoilLedger ledger;
    int64_t mass_drift; ///< quanta: the ledger's total less what it was at the session's creation; always 0
    SoilCounters counters;
    double score; ///< 0..100
    int event_count; ///< events so far
    int64_t rock_mass; ///< quanta of all rocks; the ledger counts soil alone
    double soil_ms, machine_ms,
        tick_ms; ///< wall times (rocks count to the machine): never enter the state; 0 = no tick since the start or restore
} SessionFrame;
const SessionFrame *session_frame(const Session *session);

const SceneParams *session_scene(const Session *session);
const MachineParams *session_machine_params(const Session *session);
const DataFiles *session_files(const Session *session); ///< texts the session was made of
uint64_t session_seed(const Session *session);
SoilSolver session_solver(const Session *session);
double session_dt(const Session *session); ///< s a tick
Soil *session_soil(Session *session);
const Machine *session_machine(const Session *session);
const MachineState *session_machine_state(const Session *session);
const SessionRocks *session_rocks(const Session *session); ///< NULL: the scene has none
const Exercise *session_exercise(const Session *session);
const SessionTrucks *session_trucks(const Session *session); ///< NULL where no truck is driven

/// Visits the whole state (machine, soil, exercise, tick, rocks) in a fixed order.
void session_visit(Session *session, StateVisitor *visitor);
/// Rebuilds what follows from the state after a restoring visit (the frame's figures). False when the state is not usable.
bool session_after_restore(Session *session, Status *status);
/// True when every number is finite.
bool session_is_finite(const Session *session);

#endif
