/// What the machine's tools feel, as gauges, telemetry and summaries show it: all that presses or pulls on a tool, by
/// where it comes from. Figures alone: nothing in the session's state follows from them.
#ifndef SPADEWORK_TRAINER_TOOL_FORCE_H
#define SPADEWORK_TRAINER_TOOL_FORCE_H

#include "data/schema/scene_params.h"
#include "machine/solids.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/session_rocks.h"

/// N on a tool and the other steel of its body, world axes, mean of a tick's substeps; of solids the median. Steel that
/// runs into a wall stops within one substep, by a force that depends on the length of that step and is none to be
/// read: the event of the touch tells its impulse and energy.
typedef struct ToolForce {
    Vec3 soil; ///< of ground and grains
    Vec3 rocks;
    Vec3 solids; ///< of fixtures, trucks and loads that it touches for at least half of the tick
    Vec3 sling; ///< of the load that hangs on it
    Vec3 blows; ///< of a hammer's piston on its housing
} ToolForce;

/// All of it, N.
Vec3 tool_force_total(const ToolForce *force);

/// What acted in a substep.
typedef struct ToolForceSources {
    const Machine *machine;
    const MachineState *state; ///< after the machine's step
    const Wrench *soil; ///< [machine's tools] of the soil on each tool
    const CouplingHull *hull; ///< with what the soil did to the other steel
    const SessionRocks *rocks; ///< or NULL
    const MachineTouch *touches; ///< [touch_count], with their forces
    int touch_count;
    const MachineMover *movers; ///< [mover_count], with the tensions of their ropes
    int mover_count;
} ToolForceSources;

/// The sums of a tick. Zero-initialise.
typedef struct ToolForces {
    ToolForce force[MACHINE_MAX_TOOLS]; ///< without the solids until tool_forces_end
    int step_count; ///< substeps so far
    Vec3 solids[MACHINE_MAX_TOOLS][SCENE_MAX_SUBSTEPS]; ///< of each
} ToolForces;

/// Adds `share` (0..1) of a substep's ropes and blows, which belong to the machine's step, and notes its touches.
void tool_forces_add_step(ToolForces *forces, const ToolForceSources *sources, double share);
/// Adds `share` (0..1) of what soil and rocks did in a substep.
void tool_forces_add_soil(ToolForces *forces, const ToolForceSources *sources, double share);
/// End of the tick.
void tool_forces_end(ToolForces *forces);

#endif
