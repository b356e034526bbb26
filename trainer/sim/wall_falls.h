/// Walls of ground that fall (soil_get_falls): which of them are reported, and whom they bury.
///
/// A wall counts from the mass and height on that the exercise names (SceneWalls). A person is buried who stands on
/// what falls, or before the wall within its height and lower than its crest: fallen soil comes to rest about as far
/// out as the wall was high. Plates of a trench box between him and the wall save him.
#ifndef SPADEWORK_TRAINER_WALL_FALLS_H
#define SPADEWORK_TRAINER_WALL_FALLS_H

#include "trainer/sim/incidents.h"
#include "trainer/sim/persons.h"

/// State; zero at the start.
typedef struct WallFalls {
    EventSpell fell; ///< walls that fall within half a second of each other are one
    EventSpell buried[SCENE_MAX_PERSONS + 1]; ///< persons as zones_find_person numbers them
} WallFalls;

/// End of a tick: reports to the exercise the incidents that began in it. plates  [count] that hold walls
void wall_falls_tick(WallFalls *falls, const IncidentSight *sight, const Zones *zones, const SoilPlate *plates,
                     int count, Exercise *exercise);
void wall_falls_visit(WallFalls *falls, StateVisitor *visitor);

#endif
