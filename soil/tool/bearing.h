/// Tools pressed on the ground: what bears them, what it does to the ground, and the notes of a tick for views.
#ifndef SPADEWORK_SOIL_BEARING_H
#define SPADEWORK_SOIL_BEARING_H

#include <stdbool.h>

#include "data/core/vec.h"
#include "data/schema/soil_params.h"
#include "soil/contact/contact_system.h"
#include "soil/ground/grounds.h"
#include "soil/soil_types.h"

/// ---- notes ---------------------------------------------------------------------------------------------------------
/// What the last tick did to tools and columns, for the getters of soil.h: nothing in the simulation reads it.

/// Contacts of particles are as many as the solver holds; beside them so many places where the ground bears a tool are
/// shown.
enum { PROBE_BEARINGS = 2048, PROBE_CUTS = 1024, PROBE_YIELDS = 64 };

typedef struct ProbeCut {
    int row, column;
    float floor, top; ///< m
    int64_t tick; ///< in which it happened
} ProbeCut;

typedef struct Probe {
    int contact_count, contact_capacity;
    SoilToolContact *contacts; ///< of the last substep: the ground's first, then the particles'
    double substep; ///< s; 0: no substep in this tick yet
    int tool_count;
    int64_t cut_count; ///< ever, since the last restore
    int yield_count;
    Vec3 yields[PROBE_YIELDS]; ///< m, world: where ground under a tool failed in the last substep
    ProbeCut cuts[PROBE_CUTS]; ///< ring: cut k is in k % PROBE_CUTS
} Probe;

/// False when memory for `capacity` contacts is short.
bool probe_create(Probe *probe, int capacity);
void probe_destroy(Probe *probe);
void probe_begin_tick(Probe *probe);
/// Forgets the forces of the substep before. `tool_count`: bodies from there on are the walls of trays, which are not
/// shown.
void probe_begin_substep(Probe *probe, int tool_count, double dt);
/// Forgets all, after a restore: what was noted belongs to another tick.
void probe_forget(Probe *probe);

/// Notes a column that was cut from height `top` down to `floor` in a tick.
void probe_note_cut(Probe *probe, int64_t tick, int row, int column, double floor, double top);
/// Notes a contact of a body with the particle of that id. `on_particle`: force on the particle, N.
void probe_note_contact(Probe *probe, const SolverBody *bodies, const BodyContact *contact, uint32_t id,
                        Vec3 on_particle);

/// ---- patches and footings ------------------------------------------------------------------------------------------

/// Pa/m: stiffness of ground under a plate below its capacity. Chosen; see test_soil_bearing.
#define BEARING_MODULUS 2e7
/// Cosine to straight down: a face turned less downwards than by 60 degrees is a wall. Chosen; see test_soil_walls.
#define BEARING_WALL 0.5

/// Room for a machine that lies in the ground: the faces of all pieces of the 22 t have 18,000 patches, but those
/// within other pieces, those that look up and those above the ground are none. Every body may lie in the site's ground
/// and in that of every tray.
enum { BEARING_PATCHES = 8192, BEARING_FOOTINGS = SOIL_MAX_TOOLS * (SOIL_MAX_TRAYS + 1) };

/// The ground under a plate at one point.
typedef struct BearingGround {
    const SoilParams *soil;
    double density; ///< kg/m3, of the top layer
    double firmness; ///< 0 loose .. 1 intact
} BearingGround;

/// Computes the pressure (Pa) at which ground fails under a plate: c Nc + q Nq + 1/2 g rho B Ngamma. `width` B, m;
/// `surcharge` q, Pa; `down`: cosine between the plate's pressing direction and straight down, 0 (a wall) .. 1 (a
/// footing).
double bearing_capacity(const BearingGround *ground, double width, double surcharge, double down);

/// What the pressure at which ground fails is made of, for one soil and one way of pressing.
typedef struct BearingFactors {
    const SoilParams *soil; ///< borrowed; NULL: nothing is found yet
    double down; ///< as of bearing_capacity
    double tangent, passive, rubbing; ///< tan(phi), tan(pi/4 + phi/2), and of the angle of friction on steel
    double nq, nc, ngamma;
} BearingFactors;

/// A patch of a tool's surface that may come to lie in the ground in this tick. World coordinates; of a footing in a
/// tray: the tray's, heights as of its ground.
typedef struct BearingPatch {
    uint32_t key; ///< tells it from all others of the tick and finds it again in the next
    int footing;
    Vec3 local, out_local; ///< middle and outward normal, tool's frame
    Vec3 along_local, across_local; ///< half its sides, tool's frame
    double area; ///< m2
    bool edge; ///< of the cutting edge
    /// m along the tool's y axis from the patch to where the ground is looked at: a side plate cuts as the edge beside
    /// it does, though the column that it stands in may reach beyond it
    double inward;
    /// As it was at the tick's start.
    bool upright; ///< only ground before it bears it, none below
    bool wall; ///< it is upright, and ground that stands higher is before it
    int row, column; ///< of that ground
    int soil; ///< of that ground, before the patch; of one that rests on the ground: below it, in this substep
    double ahead; ///< m: height of that ground above the patch's foot
    double capacity; ///< Pa: most that it bears
    double yielding; ///< m: how far the patch is pushed when it bears that
    double rubbing; ///< tangent of the angle of friction of that soil on steel
    double crushing; ///< Pa: unconfined compressive strength of its clods
    double pushed; ///< m: how far the patch has been pushed into the ground it stands before
    /// As it is in this substep.
    Vec3 at, out;
    Vec3 under; ///< where the ground is read and gives way
    double depth; ///< m below the surface, at right angles to it
    double weight; ///< 0..1: share of it that faces the ground; 0 when it is not in the ground
    double pressure; ///< Pa
    bool fails; ///< the ground is at its capacity
} BearingPatch;

/// What of a body lies in one ground.
typedef struct Footing {
    int body;
    Ground *ground; ///< borrowed
    const Tray *tray; ///< whose ground it is, borrowed; NULL: the site's
    SoilTool tool; ///< as it is seen from that ground in this substep
    GroundCover cover; ///< the rectangle that it rests on, y along the tool's y axis
    double around; ///< m: height of the ground around it
    int first, count; ///< its patches
    int pressed; ///< how many of them rest on the ground
} Footing;

/// What outlasts a tick: how far walls are pushed into the ground. State.
typedef struct BearingMemory {
    int32_t count;
    uint32_t key[BEARING_PATCHES]; ///< [count], rising
    double pushed[BEARING_PATCHES]; ///< [count], m
} BearingMemory;

/// All patches and footings of a tick. Found at its start, followed in each substep.
typedef struct Bearing {
    double tick; ///< s
    int count, footing_count;
    BearingPatch patches[BEARING_PATCHES]; ///< [count], footing by footing, keys rising
    Footing footings[BEARING_FOOTINGS]; ///< [footing_count]
} Bearing;

/// Start of a tick of `dt` seconds: finds the patches of the tools that may come to lie in the site's ground or in what
/// is settled in trays, and which of them stand before ground.
void bearing_find_patches(Bearing *bearing, const Grounds *grounds, const BearingMemory *memory,
                          const SolverBody *bodies, int body_count, double dt);
/// True beyond the edge of the site, where the ground is hard and does not give way.
static inline bool bearing_is_beyond(const Footing *footing, Vec3 at)
{
    return footing->tray == NULL && !ground_has_column(footing->ground, at.x, at.y);
}

/// Presses the bodies on the ground for a substep of `h` seconds: adds to the bodies' sums (bearing.c).
void bearing_press(Bearing *bearing, SolverBody *bodies, double h, Probe *probe);

/// End of a tick: what was pressed compacts, what failed is pushed aside.
void bearing_fail(const Bearing *bearing, Grounds *grounds);

/// The walls that are pressed into the site's ground, face by face, and the level box around their middles.
typedef struct PressedWalls {
    double low[2], high[2]; ///< m: x, y
    int count;
    int16_t patches[BEARING_PATCHES]; ///< [count] their numbers
    int16_t next[BEARING_PATCHES]; ///< [count] where the next face begins: patches of one lie in one plane
} PressedWalls;
void bearing_find_pressed(const Bearing *bearing, PressedWalls *walls);
/// True when a grain of `radius` m at `at` lies before a pressed wall, within its own diameter.
bool bearing_catches(const Bearing *bearing, const PressedWalls *walls, Vec3 at, double radius);

/// Keeps what outlasts the tick; finds it again.
void bearing_remember(const Bearing *bearing, BearingMemory *memory);
void bearing_memory_visit(BearingMemory *memory, StateVisitor *visitor);
bool bearing_memory_is_valid(const BearingMemory *memory);

#endif
