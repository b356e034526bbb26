/// Shapes of boulders: convex bodies drawn from counter-based random numbers, and as prisms for soil to touch; and
/// of what moves among them. Pure functions.
#ifndef SPADEWORK_TRAINER_ROCK_SHAPES_H
#define SPADEWORK_TRAINER_ROCK_SHAPES_H

#include <stdint.h>

#include "data/core/tool_geometry.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "machine/rocks.h"
#include "soil/soil.h"

/// A boulder with the volume of a sphere of diameter `size` m; its mass is a whole number of soil quanta. Equal (seed,
/// index) give equal shapes.
void rock_shape_make(SceneRockShape shape, double size, double density, uint64_t seed, uint64_t index,
                     RockShapeParams *out);

/// Rounds to millionths: what sines and roots of another computer's library give differently in the last bit is equal
/// then.
double rock_round(double value);

/// A hull cut into slices along y, each a prism with the hull's section at its middle: how soil sees a rock. Same
/// frame.
void rock_shape_slice(const ConvexHull *hull, ToolShape *shape);

/// The last part of rock_mover_tray: what closes it at its tail.
enum { ROCK_TRAY_TAIL = 4 };

/// Makes what moves among rocks of a machine's bodies: tools, solids, tracks and cab; `movers` come empty. False, with
/// a reason, where one has more parts than ROCK_MAX_MOVER_PARTS.
bool rock_mover_bodies(const MachineParams *machine, RockMoverParams movers[MACHINE_MAX_BODIES], Status *status);
/// Adds the parts of a tray's floor and walls.
void rock_mover_tray(const SoilTray *tray, RockMoverParams *mover);

/// Number of the piece of a tool that ends in its tip.
int rock_chisel_piece(const ToolShape *shape);

#endif
