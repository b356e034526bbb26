/// What the files of a session's trucks share: session_truck.c has the drivers, session_truck_body.c the bodies.
#ifndef SPADEWORK_TRAINER_SESSION_TRUCK_INTERNAL_H
#define SPADEWORK_TRAINER_SESSION_TRUCK_INTERNAL_H

#include "machine/truck/truck_body.h"
#include "trainer/sim/session_truck.h"

/// What a driver does with his truck in a tick. Scratch.
typedef struct TruckDrivePlan {
    double height[TRUCK_PROBE_COUNT]; ///< m: of the ground under its supports at the tick's start
    double bed_angle; ///< rad, at the tick's start
    double bed_rate; ///< rad/s
    TruckFooting footing; ///< its heights at the tick's start
    bool moves; ///< it drives, or its bed or tail moves
    bool touched; ///< something has touched it in this tick
} TruckDrivePlan;

struct SessionTrucks {
    TruckParams params;
    TruckRoute route; ///< without roads where nobody drives
    TruckPlace spot; ///< of the truck that nobody drives
    bool driven;
    double load_mass; ///< kg
    int count;
    TruckDrivePlan plan[SCENE_MAX_TRUCKS];
    /// State.
    TruckState states[SCENE_MAX_TRUCKS];
    TruckBody bodies[SCENE_MAX_TRUCKS];
};

/// Where the driver of a truck wants it.
TruckPlace session_truck_place(const SessionTrucks *trucks, int index);
/// Puts the body of a truck, empty, to where its driver's state has it.
void session_truck_put(SessionTrucks *trucks, int index);
/// Plans the treads' way in a tick of `dt` s: the driver's state was `before`, and is now what the trucks have; he
/// drove from the place `from`. Moves the tray of the bed with the body.
void session_truck_plan(SessionTrucks *trucks, int index, const TruckState *before, const TruckPlace *from, Soil *soil,
                        double dt);

#endif
