/// Translates between the machine and the soil, which do not know each other.
#ifndef SPADEWORK_TRAINER_COUPLING_H
#define SPADEWORK_TRAINER_COUPLING_H

#include "machine/machine.h"
#include "soil/soil.h"

/// The machine's bucket or blade as the soil sees it: its pose, velocities and finite mass.
///
/// The mass is that of the bucket alone, not of the arm behind it: particles then see a body that gives way at least as
/// much as the real one, which keeps the exchange stable when the load outweighs the bucket; what the arm holds back
/// reaches the particles through the bucket's velocity in the next substep, so that a load at rest is carried in full.
void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool);

enum { COUPLING_MAX_TOOLS = MACHINE_MAX_TOOLS };

/// Every tool of the machine, in the order of MachineParams.tool. Returns their number, the same in all of a session.
int coupling_tools(const Machine *machine, const MachineState *state, SoilTool tools[COUPLING_MAX_TOOLS]);

/// What the soil did to the tools, as wrenches for the machine's next substep.
void coupling_loads(const Machine *machine, const Wrench wrenches[COUPLING_MAX_TOOLS],
                    Wrench loads[MACHINE_MAX_BODIES]);

/// The ground under each track patch: the plane through what its shoes cover, for they bridge what is smaller.
/// `positions` and `count` come from machine_track_patches, `tracks` are its machine's, `soils` are the scene's.
void coupling_ground(const Soil *soil, const SoilParams *soils, const MachineTracks *tracks, const Vec3 *positions,
                     int count, MachineGround *ground);

/// The tracks press the ground they stand on (ruts in loose soil).
void coupling_ruts(Soil *soil, const Machine *machine, const MachineState *state);

#endif
