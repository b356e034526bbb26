/// A machine's steel beside its tools against the soil: house, counterweight, cab, boom, stick, belly and the upper
/// half of the tracks lie on heaps, push them and are held by them as a plate does that is pressed on the ground
/// (soil/tool/bearing.c), and loose grains meet them. What the tracks stand on is theirs (coupling_ground), what bucket
/// and blade meet is their own.
///
/// The soil is shown the steel of a body only in the ticks in which it is near ground or grains.
#ifndef SPADEWORK_TRAINER_SESSION_HULL_H
#define SPADEWORK_TRAINER_SESSION_HULL_H

#include "machine/machine.h"
#include "soil/soil.h"

/// The steel of a machine's bodies. Plain memory, its owner's.
typedef struct SessionHull {
    ToolShape shape[MACHINE_MAX_BODIES]; ///< in the frame of each body; the pieces on none
    ToolShape nothing; ///< of a body that is near no soil
    bool near[MACHINE_MAX_BODIES]; ///< in this tick
    /// State: the last substep's wrench on each body, for the machine's next one.
    Wrench pending[MACHINE_MAX_BODIES];
} SessionHull;

/// Takes the steel of a machine.
void session_hull_create(const Machine *machine, SessionHull *hull);
/// Before a tick of `dt` s: finds which bodies are near ground or grains.
void session_hull_begin_tick(SessionHull *hull, const Machine *machine, const MachineState *state, const Soil *soil,
                             double dt);
/// Every body's steel as the soil sees it. Returns their number, that of the machine's bodies.
int session_hull_tools(const SessionHull *hull, const Machine *machine, const MachineState *state,
                       SoilTool tools[MACHINE_MAX_BODIES]);
/// Keeps what the soil did to the bodies in a substep, `wrenches` in their order.
void session_hull_take(SessionHull *hull, const Wrench *wrenches, int count);
/// Adds it to what loads the bodies in the machine's next step.
void session_hull_add_loads(const SessionHull *hull, Wrench loads[MACHINE_MAX_BODIES]);

/// Visits the state.
void session_hull_visit(SessionHull *hull, StateVisitor *visitor);
bool session_hull_is_finite(const SessionHull *hull);

#endif
