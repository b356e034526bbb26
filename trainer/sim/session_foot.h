/// The operator on foot: walks round the machine before the work, looks at things from near, and says of each whether
/// it is fine or must be reported. A scene without `walk_round` has none: the operator sits in the cab.
///
/// On foot the levers of the machine move the operator: sticks and keys are those of every control map.
///
///     stick out, both tracks ahead    ahead            swing, tracks against each other    turns
///     bucket dump                     to the right     boom up                             looks up
///     inspect, or the horn            looks closely at what is in front, then climbs in at the door of the cab
///     answer 1, answer 2              it is fine; it must be reported
///
/// The operator is a point with a circle about it, goes round the tracks and the house, and stays on the site.
#ifndef SPADEWORK_TRAINER_SESSION_FOOT_H
#define SPADEWORK_TRAINER_SESSION_FOOT_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/operator_controls.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "soil/soil.h"
#include "trainer/sim/exercise.h"

#define FOOT_WALKING 1.4 ///< m/s: comfortable gait of adults (Bohannon 1997, Age and Ageing 26: 1.3 to 1.5)
#define FOOT_TURNING 2.1 ///< rad/s; chosen
#define FOOT_LOOKING 1.2 ///< rad/s; chosen
#define FOOT_EYE     1.65 ///< m: eye over the ground: of a man of 1.76 m (DIN 33402-2, median)

/// What was done about a thing.
typedef enum FootFinding { FOOT_NOT_SEEN, FOOT_SEEN, FOOT_PASSED, FOOT_REPORTED, FOOT_FINDING_COUNT } FootFinding;
enum { FOOT_ANSWER_FINE = 1, FOOT_ANSWER_REPORT = 2 };

/// State, each field once; bounds and units are those of state_io.c.
#define FOOT_FIELDS(F, A)                                                                                              \
    F(int32_t, walks, 0.0, 1.0, "") /* 1: on foot; 0: in the cab */                                                    \
    F(int32_t, open, 0.0, SCENE_MAX_THINGS, "") /* number of the thing that is looked at closely, from 1; 0: none */   \
    F(int32_t, pressed, 0.0, 1.0, "") /* inspect was pressed in the last tick */                                       \
    F(int32_t, answered, 0.0, 1.0, "") /* an answer was pressed in the last tick */                                    \
    F(int32_t, early, 0.0, 1.0, "") /* climbed in before everything was looked at */                                   \
    F(double, x, -1e4, 1e4, "m")                                                                                       \
    F(double, y, -1e4, 1e4, "m")                                                                                       \
    F(double, yaw, -1e4, 1e4, "rad") /* from x towards y */                                                            \
    F(double, pitch, -1.6, 1.6, "rad") /* up above 0 */                                                                \
    A(int32_t, finding, SCENE_MAX_THINGS, 0.0, FOOT_FINDING_COUNT - 1.0, "")

typedef struct SessionFoot SessionFoot;

/// The parts of a session that surround the operator; borrowed for one call.
typedef struct FootSite {
    const Soil *soil;
    const Machine *machine;
    const MachineState *state;
} FootSite;

/// What people see of the walk.
typedef struct FootReadout {
    bool has; ///< the scene has a walk-round
    bool walks; ///< on foot
    Vec3 eye; ///< m, world
    double yaw, pitch; ///< rad: where the operator looks
    int near; ///< thing that can be looked at closely from here, -1: none
    int open; ///< thing that is looked at closely and waits for an answer, -1: none
    bool at_door; ///< near enough to climb in
    bool may_leave; ///< in the cab, and nothing can move: climbing out is possible
    int looked, count; ///< things that were looked at, of all
} FootReadout;

/// `foot` receives NULL where the scene has no walk-round. False with `status` (STATUS_LACKING) when memory is short.
bool session_foot_create(const SceneParams *scene, const MachineParams *machine, SessionFoot **foot, Status *status);
void session_foot_destroy(SessionFoot *foot); ///< NULL is nothing

/// Moves the operator by the levers, which are neutral for the machine meanwhile. NULL: nothing.
/// locked     the exercise asks questions: nothing moves
/// may_leave  the machine is at rest, and its levers are locked where it has a safety lever
void session_foot_tick(SessionFoot *foot, const FootSite *site, int64_t tick, double dt, bool locked, bool may_leave,
                       OperatorControls *controls, Exercise *exercise);
bool session_foot_seated(const SessionFoot *foot); ///< NULL: true
FootReadout session_foot_readout(const SessionFoot *foot, const FootSite *site, bool may_leave);
/// Place of a thing, m, world, x out of its front; false: it is not there any more, since it was reported and taken
/// away when the operator climbed in. thing  0..things_count - 1
bool session_foot_thing(const SessionFoot *foot, const FootSite *site, int thing, Pose *place);
ExerciseWalk session_foot_sample(const SessionFoot *foot);
/// Visits the state; NULL: there is none.
void session_foot_visit(SessionFoot *foot, StateVisitor *visitor);
bool session_foot_is_finite(const SessionFoot *foot);

#endif
