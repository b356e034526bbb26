/// Where an edge cuts, and how particles appear: for the site (spawn.c, cut.c) and for what lies in trays
/// (tray_unload.c).
#ifndef SPADEWORK_SOIL_SPAWN_H
#define SPADEWORK_SOIL_SPAWN_H

#include "soil/soil_parts.h"

enum { MAX_SEEDS = 128 };

/// A point of a cutting edge, and how the wedge rises around it.
typedef struct Seed {
    Vec3 at; ///< m, lowest place in this tick
    double direction_x, direction_y; ///< unit motion, or zero
    /// Rise of the wedge a metre: ahead where the law has its plane, and down to where it may be deepened; behind
    double slope_ahead, slope_deepest, slope_behind;
    double room; ///< m: thickness of what is freed below the law's plane
    double reach; ///< m ahead: farther away the wedge has come out of the soil
    bool plunges; ///< the edge goes down rather than ahead, or trails behind its plate in undisturbed ground
} Seed;

/// What a cutting edge frees in a tick.
typedef struct CutEdge {
    int count; ///< 0..MAX_SEEDS
    Seed seeds[MAX_SEEDS];
    double middle_x, middle_y; ///< m: of the edge
    Vec3 velocity; ///< m/s: of its middle
    double speed; ///< m/s: of its fastest point
    double rake; ///< rad between the plate and the way of the edge's middle
    double side_x, side_y; ///< unit vector along the edge, horizontal
    double half_width; ///< m: nothing farther to the side is cut; infinite without side plates
    double step; ///< m: a column of the wedge that the edge does not pass is lowered by no more in this tick
} CutEdge;

/// Seeds of a tool's edge over a ground, in whose frame the tool is given; none when it rests, moves along its
/// edge or is above the ground.
void spawn_seed_edge(const Ground *ground, const SoilTool *tool, double room, double dt, CutEdge *edge);
/// True when a column at (x, y) lies between the tool's side plates.
bool spawn_is_between_sides(const CutEdge *edge, double x, double y);
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

#endif
