/// A settled pile of loose sand on level ground: the soil benchmarks' common state.
#ifndef SPADEWORK_BENCH_PILE_H
#define SPADEWORK_BENCH_PILE_H

#include "tests/bench/bench.h"
#include "trainer/sim/state_io.h"

typedef enum PileShape {
    PILE_HEAP, ///< a cone
    PILE_BED, ///< a square bed six particles deep: contacts a particle hardly depend on its size
} PileShape;

/// The pile after it has come to rest, kept as a saved state. Zero-initialise; free with pile_free.
typedef struct Pile {
    SceneParams scene; ///< shipped rates and iterations; level ground; particles persist
    int n;
    StateBuffer state;
    double bytes; ///< that the process grew by: soil with its particles, settled
    double bytes_empty; ///< the same site with the smallest budget and no particle
} Pile;

#define PILE_SPACING 0.1 ///< m, of columns: twice the radius of the largest particle

/// Adds n particles of the scene's first soil, a lattice with jitter that has not settled yet, around `middle` on level
/// ground.
bool pile_add(Soil *soil, const SceneParams *scene, PileShape shape, int n, Vec3 middle, Status *status);

/// Builds and settles a pile of n particles with the default solver; deterministic.
bool pile_make(Pile *pile, PileShape shape, int n, int threads, const BenchReport *report, Status *status);
void pile_free(Pile *pile);

/// The scene as a solver runs it: shipped substeps and iterations; p2 and gs: one substep of 1/60 s with 10 iterations.
SceneParams pile_scene(const Pile *pile, SoilSolver solver);
/// A soil of its own in the settled state. NULL with `status`.
Soil *pile_soil(const Pile *pile, SoilSolver solver, int threads, Status *status);
/// One frame of 1/60 s with neighbour search; tools move as their velocity says. Returns its time.
BenchSample pile_frame(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count);

/// An upright plate, 0.6 x 0.1 m, that is driven through the pile: something moves in every frame.
ToolShape pile_stirrer_shape(void);
/// The plate on its circle round the pile's middle, at 1 m/s. Velocity and place only: it does not turn.
SoilTool pile_stirrer(const ToolShape *shape, double time);

#endif
