/// Incidents that follow from the motion of machine and trucks: tipping, lying on a side, tracks lifted or over an
/// edge, a fall into a hole, cylinders at their end stops, leaving the site, overload. Checked once a tick, after
/// everything has moved; never changes a motion.
///
/// Each incident has a spell: it begins when its condition has held for a while, and it can begin anew only once the
/// condition was away for half a second; so one incident is one event.
#ifndef SPADEWORK_TRAINER_INCIDENTS_H
#define SPADEWORK_TRAINER_INCIDENTS_H

#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "machine/solids.h"
#include "soil/soil.h"
#include "trainer/sim/exercise.h"

/// Whether a condition holds, for how long, and whether its event has been added.
typedef struct EventSpell {
    int32_t held; ///< ticks in which it held since the spell began, gaps of up to half a second left out
    int32_t clear; ///< ticks since it last held
    int32_t told; ///< 1 once its incident has begun
} EventSpell;

/// Adds a tick of `dt` s. True in the tick in which the incident begins: the condition has held for `least` s.
bool event_spell_begins(EventSpell *spell, bool holds, double least, double dt);
/// Visits `count` spells; numbers that no spell has fail a restoring visitor.
void event_spells_visit(EventSpell *spells, int count, StateVisitor *visitor);

/// State; zero at the start.
typedef struct MachineIncidents {
    EventSpell tip, lifted, tipped_over, hole, edge[2], slam[MACHINE_MAX_JOINTS];
    EventSpell site[2]; ///< tracks, the tool's body
    double tip_time; ///< s since the tip began
    double tip_most; ///< rad: greatest inclination in it
    double edge_height[2]; ///< m: the base's height when a track went over an edge
    double edge_inclination[2]; ///< rad: the machine's then
    double joint_speed[MACHINE_MAX_JOINTS]; ///< rad/s, at the last tick's end
} MachineIncidents;

/// A truck where it is now.
typedef struct IncidentTruck {
    Pose chassis, bed;
    double speed; ///< m/s, 0 or more
    double load; ///< kg in the bed
    double overload; ///< kg that bed or an axle bear beyond what they may, the most of them; or 0
    bool tipped; ///< it falls, or lies
} IncidentTruck;

/// A load on a sling where it is now.
typedef struct IncidentLoad {
    const SolidThing *thing; ///< with its motion
    const char *name;
    bool hangs; ///< clear of the ground
} IncidentLoad;

/// Inputs of a tick; belong to the caller.
typedef struct IncidentSight {
    const SceneParams *scene;
    const Machine *machine;
    const MachineState *state;
    const MachineReadout *readout;
    const Soil *soil;
    double payload; ///< kg in the tool
    int truck_count;
    IncidentTruck truck[SCENE_MAX_TRUCKS];
    int load_count;
    IncidentLoad load[SCENE_MAX_LOADS];
    int64_t tick;
    double dt; ///< s, of a tick
} IncidentSight;

/// End of a tick: reports to the exercise the incidents that began in it.
void machine_incidents_tick(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise);
/// How far the machine's tracks reach beyond the edge of the site, m; 0 or less: they are on it. `part`, if not NULL:
/// 0 the left track, 1 the right one, which reaches farthest; `at`: where, m, world.
double machine_beyond_site(const SceneGround *ground, const Machine *machine, const MachineState *state, int *part,
                           Vec3 *at);

/// Visits the state; spells and numbers that there cannot be fail a restoring visitor and are set to nothing.
void machine_incidents_visit(MachineIncidents *events, StateVisitor *visitor);

/// ---- trucks --------------------------------------------------------------------------------------------------------
///
/// A truck that carries more than it or an axle may, and one that has fallen over.

/// State; zero at the start.
typedef struct TruckIncidents {
    EventSpell overload[SCENE_MAX_TRUCKS], tipped[SCENE_MAX_TRUCKS];
} TruckIncidents;

/// End of a tick: reports to the exercise the incidents that began in it.
void truck_incidents_tick(TruckIncidents *incidents, const IncidentSight *sight, Exercise *exercise);
void truck_incidents_visit(TruckIncidents *incidents, StateVisitor *visitor);

#endif
