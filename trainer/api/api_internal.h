/// What the sources of libspadework share: an open session, and how a call takes and leaves it.
#ifndef SPADEWORK_TRAINER_API_INTERNAL_H
#define SPADEWORK_TRAINER_API_INTERNAL_H

#include "data/core/data_files.h"
#include "data/core/thread_mode.h"
#include "data/core/operator_controls.h"
#include "data/core/status.h"
#include "trainer/api/plugins.h"
#include "trainer/api/spadework.h"
#include "trainer/sim/sim.h"

/// Columns of the site for which the exercise asks a height, found at the first look.
typedef struct ApiDesign {
    int32_t count;
    int32_t *column; ///< [count], own: index into the site's grid
    float *height; ///< [count] m, own: asked for there
    float *rest; ///< [rows][columns] m, own: the ground's heights, scratch; made when they are first measured
} ApiDesign;

/// What the tools felt in the last tick, which the session's own state does not hold.
typedef struct ApiForces {
    Wrench tool; ///< N, N m: SessionFrame.tool_wrench
    double load[MACHINE_MAX_TOOLS]; ///< N: session_tool_load
} ApiForces;

/// An open session; belongs to the call that has taken it.
typedef struct ApiSession {
    Session *session;
    DataFiles files; ///< texts of another session that it was made of, own; none: a scene was named
    int threads;
    bool asks; ///< questions are left to the program
    bool failed; ///< restore, reset or close it
    int action_count;
    ControlAxis action[CONTROL_COUNT]; ///< levers of a step, in their order
    uint64_t site; ///< XXH3 of the texts: states go where it is equal
    ApiForces forces; ///< of the last tick, also after a restore
    StateBuffer start; ///< state at the start
    ApiForces start_forces;
    StateBuffer zero; ///< state at tick 0, where that is not the start; else empty
    int64_t start_tick;
    StateBuffer saved; ///< the last state that was saved
    bool is_saved; ///< nothing has changed since
    ApiDesign design;
    bool looked; ///< for `design`
    const ApiRecorder *recorder;
    void *recording; ///< NULL: none
    const ApiRenderer *renderer; ///< NULL: nothing was drawn
    char error[SPADEWORK_TEXT];
} ApiSession;

/// A call: between api_enter and api_leave the session is its own, and the thread in the mode of thread_mode.h.
typedef struct ApiCall {
    ApiSession *own;
    ThreadMode mode;
    size_t place; ///< in the table
} ApiCall;

/// Takes a session. Else SPADEWORK_CLOSED or SPADEWORK_BUSY; then nothing is to be left.
int api_enter(ApiCall *call, Spadework session);
/// Gives it back; returns `result`.
int api_leave(ApiCall *call, int result);
/// Puts a session into the table. 0: no memory.
Spadework api_add(ApiSession *own);
/// Gives the call back and takes its session out of the table for good.
void api_remove(ApiCall *call);

/// Writes the session's error (printf style) and returns `result`.
int api_fail(ApiSession *own, int result, const char *format, ...) __attribute__((format(printf, 3, 4)));
/// The same for a status: its text, and the result that stands for its code. usage, lacking: results for
/// STATUS_BAD_USAGE and STATUS_LACKING
int api_fail_status(ApiSession *own, const Status *status, int usage, int lacking);

/// Takes the forces of the tick that was made.
void api_take_forces(ApiSession *own);
/// Puts the session to tick 0, and from there to its start, with the answers of its questions. recording: each tick
/// is passed to the session's recording.
bool api_go_to_start(ApiSession *own, Status *status);

/// ---- rows ----------------------------------------------------------------------------------------------------------

/// A number that is read. The name is `prefix` followed by `suffix`.
typedef struct ApiNumber {
    const char *prefix, *suffix;
    const char *unit; ///< "1": none
    const char *phrase; ///< what it is, or ""
    double low, high; ///< between which it is expected
    double value;
    bool live; ///< true in every tick; else as the last survey of the ground found it
} ApiNumber;
typedef void ApiPut(void *context, const ApiNumber *number);
/// Calls `put` for each number of spadework_observe, in order.
void api_observation(const ApiSession *own, ApiPut *put, void *context);
/// The same of spadework_exercise. False when memory is short.
/// measures  false: the ground is not measured for it, and what follows from that is 0
bool api_exercise(ApiSession *own, bool measures, ApiPut *put, void *context);
void api_design_free(ApiDesign *design);

/// True when a lever moves anything of the machine.
bool api_axis_acts(const ApiSession *own, ControlAxis axis);
/// A lever's place without an operator, -1..1.
double api_axis_neutral(ControlAxis axis);

#endif
