/// Incidents of trucks: one that carries more than it or an axle may, and one that has fallen over.
#ifndef SPADEWORK_TRAINER_TRUCK_INCIDENTS_H
#define SPADEWORK_TRAINER_TRUCK_INCIDENTS_H

#include "trainer/sim/machine_incidents.h"

/// State; zero at the start.
typedef struct TruckIncidents {
    EventSpell overload[SCENE_MAX_TRUCKS], tipped[SCENE_MAX_TRUCKS];
} TruckIncidents;

/// End of a tick: tells the exercise what has begun in it.
void truck_incidents_tick(TruckIncidents *incidents, const IncidentSight *sight, Exercise *exercise);
void truck_incidents_visit(TruckIncidents *incidents, StateVisitor *visitor);

#endif
