/// Zones around persons on the site, the walker and the cabs of trucks: which part of the machine, or which truck,
/// reaches them, comes into their zone or passes above. Nothing is pushed or stopped; each case becomes one incident
/// (incidents.h).
///
/// A person is the upright capsule of its scene around where it stands on the undisturbed ground; a zone is the
/// cylinder around it up to the person's height, and what is above that.
#ifndef SPADEWORK_TRAINER_ZONES_H
#define SPADEWORK_TRAINER_ZONES_H

#include "data/core/status.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/walker.h"

typedef struct Zones Zones;

/// Where persons stand and trucks' cabs are. False with `status`: the machine starts on a person, or memory is short.
bool zones_create(const SceneParams *scene, const Machine *machine, const MachineState *state, const Soil *soil,
                  Zones **zones, Status *status);
void zones_destroy(Zones *zones); ///< NULL is nothing
/// End of a tick: reports to the exercise the incidents that began in it.
/// walks   m from the machine that the walker comes up to; 0: there is none, or he leaves
/// manner  how he comes
void zones_tick(Zones *zones, const IncidentSight *sight, double walks, WalkManner manner, Exercise *exercise);
/// Height of the ground, m, that a person of the scene stands on.
double zones_ground(const Zones *zones, int person);

/// The feet of the walker, m, world; false: there is none.
bool zones_walker(const Zones *zones, Vec3 *feet);

/// Visits the state: nothing where there are neither persons nor trucks.
void zones_visit(Zones *zones, StateVisitor *visitor);
/// Visits the walker: no fields where there is none. The last fields of a session.
void zones_visit_walker(Zones *zones, const Soil *soil, StateVisitor *visitor);

#endif
