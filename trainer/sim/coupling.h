/// Couples machine and soil, which do not know each other: the machine's tools and other steel as the soil meets them,
/// the soil's wrenches as loads on the machine, the ground under the tracks, and the force on each tool by its source.
#ifndef SPADEWORK_TRAINER_COUPLING_H
#define SPADEWORK_TRAINER_COUPLING_H

#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "machine/solids.h"
#include "soil/soil.h"
#include "trainer/sim/session_rocks.h"

/// The machine's bucket or blade as the soil sees it: its pose, velocities and finite mass.
///
/// The mass is that of the bucket alone, not of the arm behind it: particles then see a body that gives way at least as
/// much as the real one, which keeps the exchange stable when the load outweighs the bucket; what the arm holds back
/// reaches the particles through the bucket's velocity in the next substep, so that a load at rest is carried in full.
void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool);

enum { COUPLING_MAX_TOOLS = MACHINE_MAX_TOOLS };

/// Every tool of the machine, in the order of MachineParams.tool. Returns their number, the same in all of a session.
int coupling_tools(const Machine *machine, const MachineState *state, SoilTool tools[COUPLING_MAX_TOOLS]);

/// True when no tool starts inside the ground; else `status` (STATUS_BAD_FILE), whose text begins with the scene's key.
bool coupling_tools_start_clear(const Machine *machine, const MachineState *state, const Soil *soil, Status *status);

/// What the soil did to the tools, as wrenches for the machine's next substep.
void coupling_loads(const Machine *machine, const Wrench wrenches[COUPLING_MAX_TOOLS],
                    Wrench loads[MACHINE_MAX_BODIES]);

/// The ground under each track patch: the plane through what its shoes cover, for they bridge what is smaller.
/// `positions` and `count` come from machine_track_patches, `tracks` are its machine's, `soils` are the scene's.
void coupling_ground(const Soil *soil, const SoilParams *soils, const MachineTracks *tracks, const Vec3 *positions,
                     int count, MachineGround *ground);

/// Writes what the patches of the tracks press on, each at its own index; of a machine that does not stand, nothing.
void coupling_standing(const Machine *machine, const MachineState *state,
                       SoilFootprint footprints[MACHINE_MAX_PATCHES]);

/// The tracks press the ground they stand on. Call it at the end of a tick of `dt` s.
void coupling_ruts(Soil *soil, const Machine *machine, const MachineState *state, double dt);

/// The ground under a machine that has just been put on it (machine_start_on with that place, m, and that way up) sinks
/// as it will under the machine's weight, each patch by its own load. Moves `place` down and tilts `up` (a unit vector)
/// to the plane through the ruts. The caller puts the machine there.
void coupling_stand(Soil *soil, const Machine *machine, const MachineState *state, Vec3 *place, Vec3 *up);

/// ---- the steel beside the tools ------------------------------------------------------------------------------------
///
/// A machine's steel beside its tools against the soil: house, counterweight, cab, boom, stick, belly and the upper
/// half of the tracks lie on heaps, push them and are held by them as a plate does that is pressed on the ground
/// (soil/tool/bearing.c), and loose grains meet them. What the tracks stand on is theirs (coupling_ground), what bucket
/// and blade meet is their own.
///
/// The soil is shown the steel of a body only in the ticks in which it is near ground or grains.

/// The steel of a machine's bodies. Plain memory, its owner's.
typedef struct CouplingHull {
    ToolShape shape[MACHINE_MAX_BODIES]; ///< in the frame of each body; the pieces on none
    ToolShape nothing; ///< of a body that is near no soil
    bool near[MACHINE_MAX_BODIES]; ///< in this tick
    /// State: the last substep's wrench on each body, for the machine's next one.
    Wrench pending[MACHINE_MAX_BODIES];
} CouplingHull;

/// Takes the steel of a machine.
void coupling_hull_create(const Machine *machine, CouplingHull *hull);
/// Before a tick of `dt` s: finds which bodies are near ground or grains.
void coupling_hull_begin_tick(CouplingHull *hull, const Machine *machine, const MachineState *state, const Soil *soil,
                              double dt);
/// Every body's steel as the soil sees it. Returns their number, that of the machine's bodies.
int coupling_hull_tools(const CouplingHull *hull, const Machine *machine, const MachineState *state,
                        SoilTool tools[MACHINE_MAX_BODIES]);
/// Keeps what the soil did to the bodies in a substep, `wrenches` in their order.
void coupling_hull_set_wrenches(CouplingHull *hull, const Wrench *wrenches, int count);
/// Adds it to what loads the bodies in the machine's next step.
void coupling_hull_add_loads(const CouplingHull *hull, Wrench loads[MACHINE_MAX_BODIES]);

/// Visits the state.
void coupling_hull_visit(CouplingHull *hull, StateVisitor *visitor);
bool coupling_hull_is_finite(const CouplingHull *hull);

/// ---- forces on the tools -------------------------------------------------------------------------------------------
///
/// All that presses or pulls on a tool, by its source, for gauges, telemetry and summaries. Figures alone: nothing in
/// the session's state follows from them.

/// N on a tool and the other steel of its body, world axes, mean of a tick's substeps; of solids the median. Steel that
/// runs into a wall stops within one substep, by a force that depends on the length of that step and is none to be
/// read: the event of the touch has its impulse and energy.
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
