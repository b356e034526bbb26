/// Plain types that the soil's interface and its rooms share. Users include soil.h.
/// World frame: x east, y north, z up; SI units.
#ifndef SPADEWORK_SOIL_TYPES_H
#define SPADEWORK_SOIL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"
#include "data/core/tool_geometry.h"

typedef struct Soil Soil;

enum { SOIL_MAX_TOOLS = 44, SOIL_MAX_TRAYS = 3, SOIL_MAX_LAYERS = 6 };

/// A layer of a column, as it is now.
typedef struct SoilLayer {
    double bottom; ///< m, world z
    int soil; ///< index into the scene's soils
    double looseness; ///< 0..1: intact or compacted to bank density to as it was put down
} SoilLayer;

typedef enum SoilSolver {
    SOIL_SOLVER_DEFAULT, ///< accumulated multipliers, warm start, tangential anchors; true forces
    SOIL_SOLVER_P2, ///< Parallel Particles as published: Jacobi with constraint averaging
    SOIL_SOLVER_GS, ///< the same constraints, sequential Gauss-Seidel
} SoilSolver;

/// A rigid body that touches soil, as the caller knows it at the start of a substep.
typedef struct SoilTool {
    const ToolShape *shape; ///< in the frame of `motion`; the caller owns it and keeps it over the tick
    RigidMotion motion;
    bool cuts; ///< its edge turns ground into particles, its other faces press on the ground
    bool presses; ///< its faces press on the ground though it has no edge (a tamping plate)
    /// Factor that multiplies the soils' steel friction, 0 or more; no default: 1 is the soil's own
    double steel_friction;
} SoilTool;

/// A container that keeps settled soil (a truck's bed): a box open at the top. It stands level where it was added until
/// soil_move_tray moves it.
typedef struct SoilTray {
    double x, y; ///< m, world: middle of the floor, over the site
    double heading; ///< rad: the length runs along it, the tail is at its beginning
    double length, width; ///< m, 4 columns..30
    double floor; ///< m, world z of the floor, above the ground
    double wall; ///< m, 0..5: height of the walls
    bool tail_open; ///< no wall at the tail
    double tail; ///< m, 0..wall: height of the tail's wall; 0 = as the others
} SoilTray;

/// How a tray moves in the next tick: on a prescribed way, whatever it carries.
typedef struct SoilTrayMotion {
    Pose frame; ///< at the tick's start: origin in the middle of the floor, x to the front, z off the floor
    Vec3 velocity; ///< m/s of the frame's origin, at most 30
    Vec3 spin; ///< rad/s, at most 10
    bool tail_open; ///< no wall at the tail: what lies there steeper than it can stand runs out
} SoilTrayMotion;

/// A place where soil pressed on a tool in the last substep.
typedef struct SoilToolContact {
    Vec3 point; ///< m, world, on the tool
    Vec3 normal; ///< unit, world, from the tool to the soil
    Vec3 force; ///< N, world, on the tool
    uint32_t particle; ///< id, or SOIL_NO_PARTICLE: intact ground bears the tool there
    int tool; ///< index of the tool
} SoilToolContact;
#define SOIL_NO_PARTICLE UINT32_MAX

/// What the last tick did; zero before the first one and after a restore.
typedef struct SoilCounters {
    int particles; ///< at the tick's end
    int contacts; ///< listed: pairs of particles, and of particles with tools and walls
    int active_columns; ///< of tiles whose slopes may still slide, in site and trays
    int spawned, absorbed; ///< particles
    int faces, failed; ///< feet of intact faces that were judged, and that could not stand
    int asleep; ///< particles that slept in the tick
    int lists; ///< how often neighbour lists were made anew
    int looked; ///< particles whose pairs were searched for without a new list
    int hastened; ///< of those absorbed: sooner than they would be if less moved
    double crowding; ///< 0..1: how strongly the scene's most_awake acts
    int late; ///< particles that left their ways within the tick: their pairs were searched for then
} SoilCounters;

/// What changes a column of the site.
typedef enum SoilCause {
    SOIL_CAUSE_LAB, ///< functions of soil_lab.h, between two ticks
    SOIL_CAUSE_EDGE, ///< the edge itself passes
    SOIL_CAUSE_WEDGE, ///< the wedge that the edge needs loose
    SOIL_CAUSE_BEARING, ///< ground fails under a tool and is pushed aside
    SOIL_CAUSE_ABSORPTION, ///< particles come to rest
    SOIL_CAUSE_SLIDE, ///< loose soil runs down
    SOIL_CAUSE_FACE, ///< an intact face falls
    SOIL_CAUSES,
} SoilCause;

/// What one cause did to one column: the column's quanta have changed by given + restored - intact - loose.
typedef struct SoilAccountEntry {
    int64_t intact; ///< quanta of intact ground that were taken, or loosened in place (those are given, too)
    int64_t loose; ///< quanta of loose soil that were taken
    int64_t given; ///< quanta that were put down as loose soil
    int64_t restored; ///< quanta that went back as intact ground
} SoilAccountEntry;

/// What a patch of a track or a tyre covers, and how it presses.
typedef struct SoilFootprint {
    Vec3 middle; ///< m, world: of its underside
    double heading; ///< rad: its length runs along
    double slope[2]; ///< m a metre: how its underside rises along and across, to the left
    double length, width; ///< m
    double pressure; ///< Pa, mean
    double stiffness; ///< Pa/m, above 0, of a track: of ground that was pressed before. 0: a tyre, which only compacts
    double sheared; ///< m, 0 or more: way in which it has sheared the soil since the last call; of a track
    double track_length; ///< m, above 0: of the whole track
} SoilFootprint;
enum { SOIL_MAX_FOOTPRINTS = 48 }; ///< of what stands on the ground at a time (soil_load)

/// An upright plate that holds the faces before it: of a trench box (exchange/shoring.h).
typedef struct SoilPlate {
    double x, y; ///< m, world: middle of it, seen from above
    double heading; ///< rad: its length runs along
    double length, thickness; ///< m
    double bottom, top; ///< m, world z
} SoilPlate;
enum { SOIL_MAX_PLATES = 8 };

/// An intact face that fell in a tick.
typedef struct SoilFall {
    Vec3 foot; ///< m, world: middle of the foot of what fell
    Vec3 middle; ///< m: middle of what fell, seen from above; z: of the crest
    double height; ///< m of the face, at its highest
    double length; ///< m along the face
    double mass; ///< kg
    double spoil; ///< kg of it that lay loose on the crest
    double standing; ///< kg that a machine or trucks bore down on it
} SoilFall;
enum { SOIL_MAX_FALLS = 16 };

/// A piece of a tension crack, open at the surface behind a face that is near its limit.
typedef struct SoilCrack {
    Vec3 from, to; ///< m, world
} SoilCrack;
enum { SOIL_MAX_CRACKS = 512 };

/// A place where soil may lie: a circle, or a rectangle.
typedef struct SoilPlace {
    double x, y; ///< m: its middle
    double radius; ///< m; 0: a rectangle
    double heading, length, width; ///< rad, m, m: of a rectangle; its length runs along the heading
} SoilPlace;

/// What columns of the site hold more than when the soil was created.
typedef struct SoilGain {
    int64_t quanta;
    double bank_volume; ///< m3 that the same soil took in the bank (in place, before it was dug)
} SoilGain;

/// Which grains are laid down where they are before the ground is measured.
typedef enum SoilGrains {
    SOIL_GRAINS_LYING, ///< those at rest that no tool carries
    SOIL_GRAINS_LOOSE, ///< also those that move; none that a tool carries
    SOIL_GRAINS_ALL, ///< also those that a tool carries, as though they fell straight down
} SoilGrains;

/// Selects columns of the site, and which grains are laid down on them.
typedef struct SoilGainQuery {
    const SoilPlace *places; ///< [count]; NULL with 0
    int count;
    bool inside; ///< columns whose middle is in one of the places; else those that are in none
    double least; ///< m of loose soil that a column must have gained (0: every quantum; 0.02: crumbs do not count)
    SoilGrains grains;
} SoilGainQuery;

#endif
