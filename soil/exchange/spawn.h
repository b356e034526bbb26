/// Cutting edges and new particles, for the site (spawn.c) and for trays (tray_unload.c): the seeds of an edge, the
/// plane of failure ahead of a blade, and functions that make particles.
#ifndef SPADEWORK_SOIL_SPAWN_H
#define SPADEWORK_SOIL_SPAWN_H

#include "data/schema/soil_params.h"
#include "soil/soil_parts.h"

enum { MAX_SEEDS = 128 };

/// A point of a cutting edge, and how the wedge rises around it.
typedef struct Seed {
    Vec3 at; ///< m, lowest place in this tick
    double direction_x, direction_y; ///< unit motion, or zero
    /// Rise of the wedge a metre: ahead where the law has its plane, and down to where it may be deepened; behind
    double slope_ahead, slope_deepest, slope_behind;
    double fall; ///< m a metre ahead by which the plane falls over which the wedge rises; 0 on level and rising ground
    double room; ///< m: thickness of what is freed below the law's plane
    double reach; ///< m ahead: farther away the wedge has come out of the soil
    double sinks; ///< m a metre by which the edge has gone down on its way; 0 when it has not
    bool next; ///< where the edge will be at the end of the tick
    bool plunges; ///< the edge goes down rather than ahead, or trails behind its plate in undisturbed ground
} Seed;

/// What a cutting edge frees in a tick.
typedef struct CutEdge {
    int count; ///< 0..MAX_SEEDS
    double middle_x, middle_y; ///< m: of the edge
    Vec3 velocity; ///< m/s: of its middle
    double speed; ///< m/s: of its fastest point
    double rake; ///< rad between the plate and the way of the edge's middle
    double side_x, side_y; ///< unit vector along the edge, horizontal
    double half_width; ///< m: nothing farther to the side is cut; infinite without side plates
    double half_edge; ///< m: half the edge's width
    double half_column; ///< m: half a column's width as the edge goes over it, along the edge
    double step; ///< m: a column of the wedge that the edge does not pass is lowered by no more in this tick
    Seed seeds[MAX_SEEDS]; ///< [count]
} CutEdge;

/// Seeds of a tool's edge over a ground, in whose frame the tool is given; none when it rests, moves along its
/// edge or is above the ground.
void spawn_seed_edge(const Ground *ground, const SoilTool *tool, double room, double dt, CutEdge *edge);
/// Share of the column at (x, y) that lies between the ends of the edge, 0..1.
double spawn_share_of_column(const CutEdge *edge, double x, double y);
/// Height to which a column at (x, y) is cut of which a share lies between the ends of the edge, when that share is cut
/// to `floor` (m): the rest of it stands as high as the ground beside.
double spawn_shared_floor(const Ground *ground, const CutEdge *edge, double x, double y, double share, double floor);
/// Height to which a column at (x, y) has to be cut for a seed; with `deepest`, to which it may be cut at most.
double spawn_seed_floor(const Seed *seed, double x, double y, bool deepest);

/// True when a place (world) is in a tool or nearer than `room` (m) to it: a new particle would stick there.
bool spawn_is_in_tool(const SolverBody *bodies, int body_count, Vec3 at, double room);
/// Makes a particle of loose soil, of `mass` quanta at a place (world), about as large as undisturbed soil of `nominal`
/// quanta. The budget must hold one more. Returns its index.
int spawn_particle(Soil *soil, Vec3 at, int soil_index, int64_t mass, double nominal);

/// Adds a particle of loose soil that was never ground: `mass` kg, rounded to whole quanta. Returns its index, or -1
/// when the budget is full.
int spawn_loose_particle(Particles *particles, Vec3 at, Vec3 velocity, double radius, int soil_index, double mass);

/// The plane on which soil fails ahead of a blade.

enum { RUPTURE_REACH = 40 };

/// A vertical section ahead of a blade's edge.
typedef struct RuptureProfile {
    int count; ///< 1..RUPTURE_REACH
    double pitch; ///< m between two heights, above 0
    double top[RUPTURE_REACH]; ///< m: height of the soil above the edge, from right above it on
} RuptureProfile;

/// Tangent of the angle, against the horizontal, at which the plane of failure rises from a blade's edge: of all planes
/// the one on which the soil above it takes the least force (fundamental equation of earthmoving, Reece 1965, for the
/// surface as it is; the trial wedge is Coulomb's). Below a level surface that is the law's angle; a chip at the foot
/// of a high face breaks out steeply before it. Pure function, any thread.
///   rake   rad between the blade and the way it comes, 0.35..1.75 (others count as the nearest): pi/2 = upright, less
///          = the edge ahead
double rupture_slope(const SoilParams *soil, double rake, const RuptureProfile *profile);
/// The same below a level surface, `depth` m above the edge (0.05 at least is taken), in closed form.
double rupture_slope_level(const SoilParams *soil, double rake, double depth);

/// N a metre of width that the soil above a plane takes from a blade; HUGE_VAL where it locks.
double rupture_force(const SoilParams *soil, double rake, const RuptureProfile *profile, double slope);
/// Tangent of the flattest plane that takes at most `excess` (1 or more) times the least force.
double rupture_flattest(const SoilParams *soil, double rake, const RuptureProfile *profile, double excess);

/// m from the edge to where a plane of a slope (above 0) comes out of the soil, or to the profile's end.
double rupture_exit(const RuptureProfile *profile, double slope);

/// The section below a level surface, `depth` m above the edge: 0.05 at least is taken.
RuptureProfile rupture_level(double depth, double pitch);

#endif
