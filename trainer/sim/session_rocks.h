/// Rocks in a session: what they lie on, what moves among them, and how soil and machine feel them.
///
/// Rocks lie on the settled ground, into which they sink as far as it does not bear them, and in trays; all steel of
/// the machine and the trays' walls push them (machine/rocks.h). Soil in motion touches the rocks that it is near, at
/// most ROCK_TOOLS of them, as it does tools, and they feel it.
#ifndef SPADEWORK_TRAINER_SESSION_ROCKS_H
#define SPADEWORK_TRAINER_SESSION_ROCKS_H

#include "data/core/tool_geometry.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "machine/rocks.h"
#include "machine/solids.h"
#include "soil/soil.h"

/// Tools of the soil that rocks take: the same number in every tick.
enum { ROCK_TOOLS = 24 };

typedef struct SessionRocks SessionRocks;

/// The loads that lie about: each in its own frame, and its motion now, without mass where it sleeps.
typedef struct RockLoads {
    int count; ///< 0..SCENE_MAX_LOADS
    const SolidThing *shape[SCENE_MAX_LOADS];
    RigidMotion motion[SCENE_MAX_LOADS];
} RockLoads;

/// What they live among. All of it belongs to the caller.
typedef struct RockPlace {
    const Machine *machine;
    const MachineState *state;
    Soil *soil;
    RockLoads loads;
} RockPlace;

/// The rocks of a scene, heaps settled. `*rocks` is NULL, without an error, when the scene has none; so may it be in
/// all that follows. False with `status`: a rock starts in a load, or memory is short.
bool session_rocks_create(const SceneParams *scene, uint64_t seed, const RockPlace *place, SessionRocks **rocks,
                          Status *status);
void session_rocks_destroy(SessionRocks *rocks);

/// Start of a tick of `dt` s, once the trays' motion is set.
void session_rocks_begin(SessionRocks *rocks, const RockPlace *place, double dt);
/// Writes the tools by which soil meets rocks, at their present places; returns how many: 0 or ROCK_TOOLS.
int session_rocks_tools(const SessionRocks *rocks, SoilTool *tools);
/// One substep, after the machine's.
void session_rocks_substep(SessionRocks *rocks, const RockPlace *place, double h);
/// The machine's hammer in the substep: its chisel pushes the rock it is pressed on, and `blows` blows go into it; one
/// that has had enough breaks at the end of the tick.
/// h  s: of the substep
void session_rocks_hammer(SessionRocks *rocks, const RockPlace *place, int blows, double h);
/// What the soil did to those tools in the substep.
void session_rocks_set_wrenches(SessionRocks *rocks, const Wrench *wrenches);
void session_rocks_end(SessionRocks *rocks, const RockPlace *place, double dt);
/// After the soil's tick: the ground makes room for rocks that have sunk into it.
void session_rocks_press(SessionRocks *rocks, const RockPlace *place);

/// Adds what the rocks did to the machine in the last substep.
void session_rocks_add_loads(const SessionRocks *rocks, Wrench loads[MACHINE_MAX_BODIES]);
/// Writes what they did to the loads.
void session_rocks_on_loads(const SessionRocks *rocks, Wrench pushes[SCENE_MAX_LOADS]);
/// The same on the first tool alone.
Wrench session_rocks_on_tool(const SessionRocks *rocks);
/// The same on one body of the machine.
Wrench session_rocks_on_body(const SessionRocks *rocks, int body);

double session_rocks_payload(const SessionRocks *rocks, const RockPlace *place); ///< kg of rocks in the tool
/// kg of rocks in a tray; `moment`: kg m, the sum of mass times place in the tray's frame.
double session_rocks_tray_load(const SessionRocks *rocks, const RockPlace *place, int tray, Vec3 *moment);
int64_t session_rocks_mass(const SessionRocks *rocks); ///< quanta (SOIL_QUANTUM) of all rocks
const Rocks *session_rocks_get(const SessionRocks *rocks); ///< NULL when there are none
/// m: diameter of a sphere of a rock's volume; 0 where there is none. rock  0 to count - 1
double session_rocks_size(const SessionRocks *rocks, int rock);
int session_rocks_count(const SessionRocks *rocks); ///< rocks are numbered 0 to count - 1

void session_rocks_visit(SessionRocks *rocks, StateVisitor *visitor);
bool session_rocks_are_finite(const SessionRocks *rocks);

/// ---- shapes of boulders --------------------------------------------------------------------------------------------
///
/// Pure functions.

/// A boulder with the volume of a sphere of diameter `size` m; its mass is a whole number of soil quanta. Equal (seed,
/// index) give equal shapes.
void rock_shape_make(SceneRockShape shape, double size, double density, uint64_t seed, uint64_t index,
                     RockShapeParams *out);
/// A hull cut into slices along y, each a prism with the hull's section at its middle: how soil sees a rock. Same
/// frame.
void rock_shape_slice(const ConvexHull *hull, ToolShape *shape);
/// Makes what moves among rocks of a machine's bodies: tools, solids, tracks and cab; `movers` come empty. False, with
/// a reason, where one has more parts than ROCK_MAX_MOVER_PARTS.
bool rock_mover_bodies(const MachineParams *machine, RockMoverParams movers[MACHINE_MAX_BODIES], Status *status);

#endif
