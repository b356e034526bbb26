/// What the rooms of soil/ share. Not for users of the library: they include soil/soil.h.
#ifndef SPADEWORK_SOIL_INTERNAL_H
#define SPADEWORK_SOIL_INTERNAL_H

#include "soil/contacts.h"
#include "soil/ground.h"
#include "soil/neighbours.h"
#include "soil/paper.h"
#include "soil/particles.h"
#include "soil/soil.h"

enum { SOIL_MAX_TRAYS = 3, SOIL_MAX_BODIES = SOIL_MAX_TOOLS + SOIL_MAX_TRAYS };

/// Below this much work one thread is faster than waking the others, above all on a machine that is busy with other things.
enum { SOIL_PARALLEL_PAIRS = 6000, SOIL_PARALLEL_PARTICLES = 3000 };

#define SOIL_GRAVITY 9.81 ///< m/s2

/// A parked container: its settled soil is a small ground of its own, its walls are a body that never moves.
typedef struct Tray {
    SoilTray params;
    Ground *ground; ///< in the tray's frame
    ToolShape walls;
    Pose frame; ///< origin in the middle of the floor
} Tray;

/// A body during one substep: the tool as given and how far the contacts have moved it.
typedef struct SolverBody {
    SoilTool tool;
    Vec3 displacement; ///< m that contacts have added, of the centre of mass
    Vec3 rotation; ///< rad that contacts have added
    Vec3 impulse; ///< sum of what acts on the body, as force x dt^2
    Vec3 moment; ///< the same about the centre of mass
    int contacts;
} SolverBody;

struct Soil {
    SceneParams scene;
    SoilSolver solver;
    int threads;
    uint64_t seed;
    double particle_radius; ///< m, of a particle with the nominal mass
    double layer_height; ///< m between the lattice layers particles appear on
    double tan_friction[SCENE_MAX_SOILS], tan_steel[SCENE_MAX_SOILS]; ///< of the soils' angles
    /// State.
    int64_t tick;
    Ground *ground;
    Particles particles;
    ContactMemory memory;
    int tray_count;
    Tray trays[SOIL_MAX_TRAYS];
    /// Scratch, rebuilt each tick.
    Neighbours neighbours;
    Contacts contacts;
    Paper paper;
    int body_count;
    SolverBody bodies[SOIL_MAX_BODIES];
    SoilCounters counters;
    /// Points where a tool overstressed intact ground in this tick: spawn there next. Part of the state.
    int yield_count;
    Vec3 yields[64];
};

/// The ground (site or tray) that carries a particle at a place, and the surface there in world coordinates.
typedef struct Support {
    Ground *ground;
    double height; ///< world z of the surface
    Vec3 normal; ///< unit, world
    int soil; ///< of the top layer
} Support;
Support soil_support(const Soil *soil, double x, double y, double z);

/// Puts a particle's mass on the ground that carries it; the particle is then gone (absorb.c).
void soil_absorb_resting(Soil *soil);
/// Turns ground into particles ahead of the cutting tools for the motion of `dt` seconds (spawn.c).
void soil_spawn_ahead(Soil *soil, double dt);

/// One substep of the particles by each solver (solve_*.c). Positions and velocities of the particles and the sums of the
/// bodies are the result.
void soil_solve_default(Soil *soil, double h);
void soil_solve_paper(Soil *soil, double h, bool jacobi);

/// Builds the pair list and the list of body contacts for one tick (contacts.c).
void soil_build_contacts(Soil *soil, double dt);
/// Keeps what the contacts have to remember for the next tick (contacts.c).
void soil_remember_contacts(Soil *soil);
/// Pressure of bodies on intact ground (bearing.c): adds to the bodies' sums.
void soil_bear(Soil *soil, double h);

#endif
