/// A session: one machine on one site, with one exercise. It owns all state and advances by ticks; it knows no clock,
/// window, device or file but those it is made of. Nothing that wall-clock time decides enters it.
///
/// One thread at a time calls a session and uses what it returns; sessions of one process share nothing, so that each
/// may have a thread of its own, and may go from one thread to another. The soil works with threads of its own inside
/// session_tick, whose number does not change any result. Functions that compute the state (create, tick, order, visit,
/// after_restore, and those of state_io.h) do it in the default floating-point environment, whatever the caller's, and
/// leave the caller's as it was. Their stack needs, measured on x86-64 over all shipped scenes: session_create 40 kB,
/// session_tick 32 kB, all else less (test_sim_threads). Frames: world x, y horizontal, z up, m; angles in rad; see
/// data/core/vec.h.
#ifndef SPADEWORK_TRAINER_SESSION_H
#define SPADEWORK_TRAINER_SESSION_H

#include <stdbool.h>

#include "data/core/data_files.h"
#include "data/core/operator_controls.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/schema/schema.h"
#include "machine/machine.h"
#include "soil/soil.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/damage.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/flood.h"
#include "trainer/sim/people.h"
#include "trainer/sim/seat_motion.h"
#include "trainer/sim/session_cab.h"
#include "trainer/sim/session_foot.h"
#include "trainer/sim/session_loads.h"
#include "trainer/sim/session_order.h"
#include "trainer/sim/session_rocks.h"
#include "trainer/sim/session_tools.h"
#include "trainer/sim/session_truck.h"

/// Everything is read by session_create and belongs to the caller. Zero is the default of every field but `scene`.
typedef struct SessionParams {
    const char *scene; ///< path, or a name under data/scenes; not read when `files` is given
    const char *const *set; ///< [set_count] overrides "KEY=VALUE" of the scene, keys dotted
    int set_count;
    bool has_seed; ///< false: the scene's seed
    uint64_t seed; ///< 0..2^63-1
    SoilSolver solver; ///< default SOIL_SOLVER_DEFAULT
    int threads; ///< 0 = one for each processor
    const DataFiles *files; ///< not NULL: texts from a recording instead of `scene`
} SessionParams;

typedef struct Session Session;

/// Makes a session at tick 0, rocks settled and the machine standing on the ground. NULL with `status`: a file or an
/// override is wrong, or a tool starts inside the ground (STATUS_BAD_FILE, STATUS_BAD_USAGE of --set); memory is short
/// (STATUS_LACKING). The caller frees it with session_destroy.
Session *session_create(const SessionParams *params, Status *status);
/// Puts the session to tick 0 of a seed, 0..2^63-1: the state, and all that follows, of a session that session_create
/// makes with that seed. Reads no file; rocks are settled anew. Whatever the session has returned before is gone,
/// except scene, machine parameters and files. False with `status`, as session_create: the session is as it was before
/// the call, and what it has returned holds. Takes the memory of a second session while it runs.
bool session_reseed(Session *session, uint64_t seed, Status *status);
/// Frees the session and everything that it returned. NULL is nothing.
void session_destroy(Session *session);

/// Advances one tick (session_dt). Levers that are held are given again in each tick. The soil's mass is the same after
/// it as before, which is asserted. Takes memory only for ground that is reached for the first time and for more
/// particles, contacts or joints than there ever were (test_sim_allocation). Where the soil gets none, the tick fails:
/// session_has_failed. ODE ends the process when it gets none for more joints: it does not check.
/// controls  levers of the whole tick; copied
void session_tick(Session *session, const OperatorControls *controls);

/// True when a tick got no memory. It does not count: session_frame is that of the tick before. Further ticks do
/// nothing, and the state is worthless: destroy the session, or restore a state, which makes it whole again when it
/// succeeds.
bool session_has_failed(const Session *session);

/// Gives an order between two ticks: it acts from the next tick on, and adds an event of kind "fault". False
/// with `status` (STATUS_BAD_USAGE) and no change when the scene or its machine lacks what is named, or the value is
/// out of its range. Who records the session gives the order to the recorder, too (recorder_order).
bool session_order(Session *session, const SessionOrder *order, Status *status);
/// What is ordered now; belongs to the session.
const SessionOrders *session_orders(const Session *session);

/// What happened in the last tick, as telemetry and HUD show it.
typedef struct SessionFrame {
    int64_t tick; ///< ticks done
    double time; ///< s
    OperatorControls controls; ///< of that tick, before safety lever and walk; control_neutral after a restore
    MachineReadout machine; ///< at the end of the tick
    RigidMotion tool; ///< bucket or blade at the end of the tick, world
    Wrench
        tool_wrench; ///< N, N m: soil and rocks on the tool, about its centre of mass, world axes; mean of the substeps
    /// N: all that the machine's tools feel, by where it comes from; after a restore that of soil and rocks alone.
    ToolForce tool_force[MACHINE_MAX_TOOLS];
    SeatSample seat; ///< what the operator's seat feels at the end of the tick; no part of the state (seat_motion.h)
    double payload; ///< kg of soil and rocks in the tool
    double rock_payload; ///< kg of it that is rocks
    CabReadout cab; ///< how the switches of the cab stand
    FootReadout foot; ///< the operator on foot
    SessionLift lift; ///< of the lifting eye; nothing where the scene has no loads
    CouplerReadout coupler; ///< nothing where the scene has no tools
    SoilLedger ledger; ///< quanta of soil by where they are
    int64_t mass_drift; ///< quanta: the ledger's total less what it was at the session's creation; always 0
    SoilCounters counters;
    double score; ///< 0..100
    double held; ///< s since what the score takes from the ground was last true; 0 while it is (exercise_held)
    int event_count; ///< events so far
    double overlap; ///< m: the deepest that two solid things (machine, fixture, truck, rock) were inside each other
    int64_t rock_mass; ///< quanta of all rocks; the ledger counts soil alone
    double
        soil_ms; ///< ms of wall time in the soil. Wall times never enter the state; 0: no tick since start or restore
    double machine_ms; ///< ms in machine and rocks
    double tick_ms; ///< ms of the whole tick
} SessionFrame;
/// The last tick's figures; at the start and after a restore those of the state. Valid until the next tick.
const SessionFrame *session_frame(const Session *session);
/// N: size of the total force on one of the machine's tools (coupling.h); 0 for a tool that does not exist.
double session_tool_load(const Session *session, int tool);

/// How far the machine's tracks reach beyond the edge of the site, m; 0 or less: they are on it.
double session_beyond_site(const Session *session);

/// The payload as gauges show it, kg. What has no bottom, as a blade, pushes rocks and does not carry them.
double session_payload_shown(const Session *session);

/// What the session is made of. All of it belongs to the session and lives as long; none is ever NULL but where it says
/// so.
const SceneParams *session_scene(const Session *session); ///< overrides applied
/// With the tool that it has now: where the scene has tools, a tick or a restore may write another machine there.
const MachineParams *session_machine_params(const Session *session);
const DataFiles *session_files(const Session *session); ///< texts the session was made of
uint64_t session_seed(const Session *session); ///< the one in use, the scene's or the caller's
SoilSolver session_solver(const Session *session);
double session_dt(const Session *session); ///< s a tick: 1 / the scene's tick rate
Soil *session_soil(Session *session); ///< read it between ticks; only the views' dirty marks may be changed
const Machine *session_machine(const Session *session);
const MachineState *session_machine_state(const Session *session);
const CouplingHull *session_hull(const Session *session); ///< the machine's steel on the ground
const SessionRocks *session_rocks(const Session *session); ///< NULL: the scene has none
const SessionLoads *session_loads(const Session *session); ///< NULL: the scene has none
const SessionTools *session_tools(const Session *session); ///< NULL: the scene has none
const Exercise *session_exercise(const Session *session);
const SeatMotion *session_seat(const Session *session); ///< the seat's samples of the last tick, one a substep
const PersonState *session_person(const Session *session, int person); ///< of the scene, now
/// True while a banksman tells the operator to stand still.
bool session_is_stopped(const Session *session);
bool session_walker(const Session *session, Vec3 *feet); ///< of the person who walks in, m, world; false: there is none
const SessionTrucks *session_trucks(const Session *session); ///< NULL only where there is none
double session_leak_left(const Session *session); ///< s of leaking until the attempt is over; 0: nothing leaks
FloodPool session_water(const Session *session); ///< out of a broken main; takes no memory
const SiteDamage *session_damage(const Session *session); ///< of trucks and fixtures
/// Place of a thing of the walk-round, m, world, x out of its front; false: it is not there (any more).
/// thing  0..things_count - 1
bool session_thing(const Session *session, int thing, Pose *place);

/// Visits the whole state (tick, pending forces, the steel's contacts, machine, soil, exercise, trucks, rocks, loads,
/// solids, incidents of the machine, near persons and of trucks, orders, cab, operator on foot, tools, walls that fell,
/// walker, utilities, damage) in a fixed order, each field by the name under which recordings hold it. A visit that
/// writes is followed by session_after_restore. Use state_io.h.
void session_visit(Session *session, StateVisitor *visitor);
/// Computes what follows from a restored state (the frame). False (STATUS_BAD_FILE) when a number is not finite:
/// restore another state, or destroy the session.
bool session_after_restore(Session *session, Status *status);
/// True when every number of the state is finite.
bool session_is_finite(const Session *session);

/// ---- joints against their bodies -----------------------------------------------------------------------------------
///
/// Whether the bodies of a restored machine hang together. Each number of a state may be in its range and its bodies
/// metres apart all the same; the solver would pull them together within a tick and fling the machine.

/// m that a joint's pin may be from where its other body has it, and rad between the pin's axes. Chosen: a thousand
/// times the worst of honest recordings, 2e-5 m and 2e-6 rad in 1860 joints of the keyframes of digging, loading and
/// dozing; what is left comes out in some ticks without a jerk that is felt.
#define JOINED_DISTANCE 0.02
#define JOINED_ANGLE    0.002

/// ---- where a start failed ------------------------------------------------------------------------------------------
///
/// The place in its files of a fault in a scene that loads but cannot start. Any thread.
///
/// The code that builds a session knows keys, not files: its failures (STATUS_BAD_FILE) begin with a key of the scene
/// ("machine: ...", "fixtures.0 (wall): ..."), those of a machine with its name and a key ("excavator-22t: linkage:
/// ...").

/// Puts `FILE:LINE:COLUMN: ` in front of such a failure. The place of a machine's key is that in its own file, or in
/// that of its attachment where this has the key; before it stands, where there is a scene among `files`, the place of
/// the scene's reference. Other failures stay what they are. Returns true when it is a machine's.
bool start_fault_place(const DataFiles *files, const MachineParams *machine, Status *status);

#endif
