/// Rocks that are poured, for experiments: shapes, and what the surface of a heap of them looks like.
#ifndef SPADEWORK_VALIDATION_ROCK_HEAP_H
#define SPADEWORK_VALIDATION_ROCK_HEAP_H

#include "machine/rocks.h"
#include "tests/validation/harness/experiment.h"

/// kg/m3: stone.
#define ROCK_HEAP_DENSITY 2600.0

/// An L of two bars, `size` m tall and wide, bars `thick` m square.
void rock_heap_make_l(RockShapeParams *shape, double size, double thick);
/// A ring of six straight pieces (an O), `outer` and `inner` m from its axis to the corners, `thick` m high.
void rock_heap_make_ring(RockShapeParams *shape, double outer, double inner, double thick);
/// A box as one part, about (x, y, z).
void rock_heap_make_box(RockPart *part, Vec3 middle, Vec3 size);
/// A turn drawn evenly from all of them.
Quat rock_heap_random_turn(Run *run);

/// Shape of a heap, from the surface that rain would fall on, in columns 0.05 m wide.
typedef struct RockHeap {
    double height; ///< m: of the cone with the same mean height over its volume: 2 int h2 dA / int h dA
    double peak; ///< m: mean of the highest 0.25 m2, which is a few rocks
    double radius; ///< m: holds 80 % of the volume, about its own middle
    double volume; ///< m3 under the surface
} RockHeap;
/// Of rocks within `reach` m of (0, 0).
RockHeap rock_heap_measure(const Rocks *rocks, int budget, double reach);

#endif
