/// Ways of a truck: arcs of its turning circle and straights, forward or in reverse. Pure geometry.
#ifndef SPADEWORK_DATA_TRUCK_WAY_H
#define SPADEWORK_DATA_TRUCK_WAY_H

#include <stdbool.h>

#include "data/schema/scene_params.h"
#include "data/schema/truck_params.h"

/// The middle between the rear wheels, and the truck's heading.
typedef struct TruckPlace {
    double x, y; ///< m
    double heading; ///< rad, of the truck (not of its travel when it reverses); runs on beyond pi along a way
} TruckPlace;

/// A stretch of one curvature and direction.
typedef struct TruckPiece {
    TruckPlace start;
    double at; ///< m along the way where it begins
    double length; ///< m
    double curvature; ///< rad of heading a metre driven
    bool reverse;
} TruckPiece;

enum { TRUCK_WAY_PIECES = 40 };

typedef struct TruckWay {
    int count;
    double length; ///< m
    TruckPiece pieces[TRUCK_WAY_PIECES];
} TruckWay;

/// The ways of a haul.
typedef enum TruckRoad {
    TRUCK_ROAD_OUT, ///< from the spot to the dump; its end is backed up
    TRUCK_ROAD_BACK, ///< from the dump to where the truck waits
    TRUCK_ROAD_IN, ///< from there backwards to the spot
    TRUCK_ROAD_COUNT
} TruckRoad;

#define TRUCK_APRON 10.0 ///< m straight before the dump, driven both ways: OUT ends and BACK begins with it

typedef struct TruckRoute {
    TruckWay roads[TRUCK_ROAD_COUNT];
    double clear; ///< m along OUT from which on a truck is out of the way of one on IN
} TruckRoute;

/// Start of a way.
void truck_way_begin(TruckWay *way, TruckPlace start);
/// Adds the shortest drive to a place that is arc, straight, arc of `radius` m. Dubins 1957 without his CCC words;
/// formulas as of Shkel and Lumelsky 2001, table 1. False when the way has no room for it.
bool truck_way_drive(TruckWay *way, TruckPlace to, double radius, bool reverse);

/// Where the truck is after `distance` m. Curvature sets in over a few metres, as a driver turns the wheel, except
/// where the truck stops.
TruckPlace truck_way_at(const TruckWay *way, double distance);
/// The piece at `distance` m.
const TruckPiece *truck_way_piece(const TruckWay *way, double distance);
/// m along the way of the next place at or beyond `distance` where the truck stops to change its direction, or of the
/// end.
double truck_way_stop(const TruckWay *way, double distance);

/// The roads of a scene with a haul. False when they have too many pieces.
bool truck_route(const TruckParams *truck, const SceneTruck *spot, const SceneHaul *haul, TruckRoute *route);

/// The middle (x, y) of the bed in plan, m, of a truck at a place; and back.
void truck_bed_middle(const TruckParams *truck, const TruckPlace *place, double *x, double *y);
TruckPlace truck_place_of(const TruckParams *truck, const ScenePose *bed);

/// Distance in plan from a point (x, y) to a truck at a place, m; 0 inside.
double truck_distance(const TruckParams *truck, const TruckPlace *place, double x, double y);
/// True when two trucks of a kind at two places are less than about `margin` m from each other.
bool truck_places_meet(const TruckParams *truck, const TruckPlace *a, const TruckPlace *b, double margin);

#endif
