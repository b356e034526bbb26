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
#include "trainer/sim/session_rocks.h"

/// Every field of a spell, F(type, name, low, high, unit): hashed, saved, restored.
#define EVENT_SPELL_FIELDS(F)                                                                                          \
    F(int32_t, held, 0.0, 1e6, "ticks") /* in which it held since the spell began, gaps up to 0.5 s left out */        \
    F(int32_t, clear, 0.0, 1e6, "ticks") /* since it last held */                                                      \
    F(int32_t, told, 0.0, 1.0, "") /* 1 once its incident has begun */

/// Whether a condition holds, for how long, and whether its event has been added.
typedef struct EventSpell {
#define F(type, name, low, high, unit) type name;
    EVENT_SPELL_FIELDS(F)
#undef F
} EventSpell;

/// Adds a tick of `dt` s. True in the tick in which the incident begins: the condition has held for `least` s.
bool event_spell_begins(EventSpell *spell, bool holds, double least, double dt);
/// Visits `count` spells; numbers that no spell has fail a restoring visitor.
void event_spells_visit(EventSpell *spells, int count, StateVisitor *visitor);

/// Every field beside the spells, as above, and A(type, name, count, low, high, unit): arrays.
#define MACHINE_INCIDENT_FIELDS(F, A)                                                                                  \
    F(double, tip_time, 0.0, LONGEST, "s") /* since the tip began */                                                   \
    F(double, tip_most, -1e6, 1e6, "") /* rad: greatest inclination in it */                                           \
    F(int32_t, rolled, 0.0, 1.0, "") /* 1: the machine has tipped over, and stands for good */                         \
    A(double, edge_height, 2, -1e4, 1e4, "m") /* the base's height when a track went over an edge */                   \
    A(double, edge_inclination, 2, -1e4, 1e4, "rad") /* the machine's then */                                          \
    A(double, joint_speed, MACHINE_MAX_JOINTS, -1e3, 1e3, "rad/s") /* at the last tick's end */

/// State; zero at the start.
typedef struct MachineIncidents {
    EventSpell tip, lifted, tipped_over, hole, edge[2], slam[MACHINE_MAX_JOINTS];
    EventSpell site[2]; ///< tracks, the tool's body
#define F(type, name, low, high, unit)        type name;
#define A(type, name, count, low, high, unit) type name[count];
    MACHINE_INCIDENT_FIELDS(F, A)
#undef F
#undef A
} MachineIncidents;

/// A truck where it is now.
typedef struct IncidentTruck {
    Pose chassis, bed;
    double speed; ///< m/s, 0 or more
    bool spots; ///< backs to where it is loaded
    double load; ///< kg in the bed
    double overload; ///< kg that bed or an axle bear beyond what they may, the most of them; or 0
    bool tipped; ///< it falls, or lies
} IncidentTruck;

/// A load on a sling, or a tool that is not locked, where it is now.
typedef struct IncidentLoad {
    const SolidThing *thing; ///< with its motion
    const char *name;
    bool hangs; ///< clear of the ground
    int tool; ///< 1 + the number of a loose tool; 0: it is a load
    bool hooked, called; ///< on the hook; the slinger is wanted at it
    Vec3 middle; ///< m
    double heading; ///< rad: of its axis
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
    IncidentLoad load[SCENE_MAX_LOADS + 1 + SCENE_MAX_TOOLS]; ///< then tools that hang or fall
    const SessionRocks *rocks; ///< NULL: there are none
    int64_t tick;
    double dt; ///< s, of a tick
} IncidentSight;

/// End of a tick: reports to the exercise the incidents that began in it.
void machine_incidents_tick(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise);
/// How far the machine's tracks reach beyond the edge of the site, m; 0 or less: they are on it. `part`, if not NULL:
/// 0 the left track, 1 the right one, which reaches farthest; `at`: where, m, world.
double machine_beyond_site(const SceneGround *ground, const Machine *machine, const MachineState *state, int *part,
                           Vec3 *at);

/// True once the machine has tipped over: its engine is off and its levers are dead.
bool machine_incidents_halt(const MachineIncidents *events);

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
