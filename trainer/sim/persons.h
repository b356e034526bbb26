/// Persons on the site: the walker whom an instructor orders onto it, and the zones around
/// persons, the walker and the cabs of trucks.
#ifndef SPADEWORK_TRAINER_PERSONS_H
#define SPADEWORK_TRAINER_PERSONS_H

#include <stdbool.h>

#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "soil/soil.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/people.h"
#include "trainer/sim/walk_round.h"

/// ---- the walker ----------------------------------------------------------------------------------------------------
///
/// Walks onto the site by order of the instructor: from out of the operator's sight up to the ordered distance from the
/// machine, and off again. He goes round trucks and fixtures, steps back from a truck that comes too near, and stops
/// where no way leads on. The machine is no obstacle to him.

#define WALK_IN_NAME "the walker"
#define WALK_IN_FROM 25.0 ///< m from the machine, or less where the site ends, that he appears and vanishes at. Chosen

/// How he walks. Straight on is how recordings have it that were made before he went round things.
typedef enum WalkManner { WALK_STRAIGHT = 1, WALK_ROUND } WalkManner;

/// Every field of the state, F(type, name, low, high, unit): hashed, saved, restored.
#define WALKER_FIELDS(F)                                                                                               \
    F(double, x, -1e4, 1e4, "m") /* world */                                                                           \
    F(double, y, -1e4, 1e4, "m")                                                                                       \
    F(int32_t, there, 0.0, 2.0, "") /* WalkManner; 0: no walker */

/// State; zero: no walker.
typedef struct WalkIn {
#define F(type, name, low, high, unit) type name;
    WALKER_FIELDS(F)
#undef F
} WalkIn;

/// Inputs of a tick.
typedef struct WalkSight {
    double stop; ///< m from the middle of the machine's base that he walks up to; 0: he goes away, if he is there
    int32_t manner; ///< WalkManner on the way up; on the way back he keeps the one he came with
    const Soil *soil;
    WalkRound round; ///< obstacles; of WALK_ROUND alone
    Vec3 base; ///< m: the machine's place
    double facing; ///< rad: direction in which its operator faces
} WalkSight;

/// ---- zones ---------------------------------------------------------------------------------------------------------
///
/// Which part of the machine, or which truck, reaches a person or a cab, comes into its zone or passes above. Nothing
/// is pushed or stopped; each case becomes one incident (incidents.h).
///
/// A person is the upright capsule of its scene around where it stands on the undisturbed ground; a zone is the
/// cylinder around it up to the person's height, and what is above that.

typedef struct Zones Zones;

/// Where persons stand and trucks' cabs are. False with `status`: the machine starts on a person, or memory is short.
bool zones_create(const SceneParams *scene, const Machine *machine, const MachineState *state, const Soil *soil,
                  Zones **zones, Status *status);
void zones_destroy(Zones *zones); ///< NULL is nothing
/// End of a tick: reports to the exercise the incidents that began in it.
/// walks   m from the machine that the walker comes up to; 0: there is none, or he leaves
/// manner  how he comes
void zones_tick(Zones *zones, const IncidentSight *sight, double walks, WalkManner manner, Exercise *exercise);
const PersonState *zones_person(const Zones *zones, int person); ///< of the scene
/// True in the tick in which the slinger hooks or takes off the load that was called for.
bool zones_slinger_hooks(const Zones *zones);
bool zones_is_attended(const Zones *zones); ///< a slinger is so near to load or eye that neither may move
bool zones_stops(const Zones *zones); ///< a banksman signals stop or danger to the operator

/// The feet of a person, m, world, and what events call him: 0..SCENE_MAX_PERSONS - 1 of the scene, then the walker.
/// False: there is none.
bool zones_find_person(const Zones *zones, int person, Vec3 *feet, EventThing *thing);
/// The feet of the walker, m, world; false: there is none.
bool zones_walker(const Zones *zones, Vec3 *feet);

/// Visits the state: nothing where there are neither persons nor trucks.
void zones_visit(Zones *zones, StateVisitor *visitor);
/// Visits the walker: no fields where there is none. The last fields of a session.
void zones_visit_walker(Zones *zones, const Soil *soil, StateVisitor *visitor);

#endif
