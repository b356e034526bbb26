/// Loads and inclinations of trucks as incidents.
#include "data/core/elementary.h"
#include "trainer/sim/truck_incidents.h"

#include <math.h>

/// s for which a truck has to bear too much: what falls into a bed strikes harder than it weighs.
#define OVERLOAD_TIME 2.0
/// Of the truck's payload, that counts as too much: a few clods are none.
#define OVERLOAD_LEAST 0.002
#define TIPPED_TIME    0.5 ///< s

static ExerciseEvent event_of(const IncidentSight *sight, const IncidentTruck *truck, int index)
{
    Vec3 at = truck->chassis.position;
    ExerciseEvent event = {
        .tick = sight->tick,
        .number = {.x = at.x,
                   .y = at.y,
                   .z = at.z,
                   .speed = truck->speed,
                   .load = truck->load,
                   .inclination = same_acos(fmax(-1.0, fmin(truck->chassis.rotation.m[2][2], 1.0)))}};
    event.thing = event_thing(THING_TRUCK, index, "");
    return event;
}

void truck_incidents_tick(TruckIncidents *incidents, const IncidentSight *sight, Exercise *exercise)
{
    for (int k = 0; k < sight->truck_count; k++) {
        const IncidentTruck *truck = &sight->truck[k];
        ExerciseEvent event = event_of(sight, truck, k);
        if (event_spell_begins(&incidents->overload[k], truck->overload > OVERLOAD_LEAST * sight->scene->truck.payload,
                               OVERLOAD_TIME, sight->dt)) {
            ExerciseEvent overload = event;
            overload.number.excess = truck->overload;
            exercise_report(exercise, INCIDENT_TRUCK_OVERLOAD, &overload);
        }
        if (event_spell_begins(&incidents->tipped[k], truck->tipped, TIPPED_TIME, sight->dt)) {
            exercise_report(exercise, INCIDENT_TRUCK_TIPPED, &event);
        }
    }
}

void truck_incidents_visit(TruckIncidents *incidents, StateVisitor *visitor)
{
    event_spells_visit(incidents->overload, SCENE_MAX_TRUCKS, visitor);
    event_spells_visit(incidents->tipped, SCENE_MAX_TRUCKS, visitor);
}
