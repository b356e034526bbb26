/// A dump truck's scripted driver: it backs to the spot, is loaded, hauls, tips and comes back, on prescribed roads
/// (data/schema/truck_way.h). Where the driver wants to be is bounded in speed, acceleration and sideways acceleration,
/// whatever the load weighs; the truck as a body on its springs follows (machine/truck/truck_body.h).
///
/// Frames  world: x east, y north, z up; headings in rad from x towards y; SI units throughout.
/// Owner   the state (TruckState) is the caller's, plain memory. Nothing allocates.
/// Thread  any: all functions are pure but for what they write through their arguments.
/// Errors  none: params and route come checked from data/schema/load.h; the rest asserts.
#ifndef SPADEWORK_MACHINE_TRUCK_H
#define SPADEWORK_MACHINE_TRUCK_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "data/schema/truck_way.h"

/// What the driver is at, in its order.
typedef enum TruckPhase {
    TRUCK_LOADING, ///< stands at the spot
    TRUCK_HAULING, ///< drives to the dump and backs up
    TRUCK_RAISING, ///< the bed goes up
    TRUCK_EMPTYING, ///< the bed is up; the truck draws ahead a little, off its heap
    TRUCK_LOWERING,
    TRUCK_RETURNING, ///< drives to where it waits
    TRUCK_WAITING,
    TRUCK_SPOTTING, ///< backs to the spot
    TRUCK_PHASE_COUNT
} TruckPhase;

extern const char *const truck_phase_names[TRUCK_PHASE_COUNT]; ///< "loading", "hauling", ...

/// Ground under these points carries the truck.
typedef enum TruckProbe {
    TRUCK_PROBE_REAR_LEFT,
    TRUCK_PROBE_REAR_RIGHT,
    TRUCK_PROBE_FRONT_LEFT,
    TRUCK_PROBE_FRONT_RIGHT,
    TRUCK_PROBE_COUNT
} TruckProbe;

/// Every scalar of the state: hashed, saved, restored.
#define TRUCK_SCALARS(X)                                                                                               \
    X(int32_t, phase) /* TruckPhase */                                                                                 \
    X(int32_t, leaving) /* 1 full, 2 told to by the horn; 0: stays for more */                                         \
    X(int32_t, on_road) /* 1 while it returns, once the road was free for that */                                      \
    X(int32_t, blocked) /* 1 while something is in its way */                                                          \
    X(double, distance) /* m along the road of the phase: its position and heading */                                  \
    X(double, goal) /* m along it where it stops */                                                                    \
    X(double, speed) /* m/s, 0 or more, forward or in reverse as the road says */                                      \
    X(double, rolled) /* m the wheels have run forward */                                                              \
    X(double, bed_angle) /* rad */                                                                                     \
    X(double, bed_rate) /* rad/s */                                                                                    \
    X(double, timer) /* s: full, or free to go, while loading; free while driving; without less load while emptying */ \
    X(double, phase_time) /* s since the phase began */                                                                \
    X(double, mark) /* kg: load at the last look while loading or emptying */                                          \
    X(double, load) /* kg in the bed, told by truck_weigh */                                                           \
    X(double, hauled) /* kg with which it left the spot */                                                             \
    X(double, delivered) /* kg tipped in all */                                                                        \
    X(int64_t, departures) /* times it left the spot */                                                                \
    X(int64_t, full_departures) /* of these, times with a load worth the way */                                        \
    X(int64_t, loads) /* times it tipped */                                                                            \
    X(int64_t, passes) /* buckets that fell into the bed since it came */                                              \
    X(int64_t, all_passes) /* of the full loads it left with */                                                        \
    X(double, since_pass) /* s since soil last fell into the bed */

typedef struct TruckState {
#define X(type, name) type name;
    TRUCK_SCALARS(X)
#undef X
    double height[TRUCK_PROBE_COUNT]; ///< m: of the ground as the springs let the truck follow it
    double slope[TRUCK_PROBE_COUNT]; ///< m a metre driven: of `height`
} TruckState;

/// Inputs of the driver in one tick.
typedef struct TruckSight {
    bool called; ///< the operator's horn
    bool may_go; ///< road and place ahead are free of other trucks
    bool blocked; ///< bucket or machine are in the way (truck_looks_ahead)
    double ground[TRUCK_PROBE_COUNT]; ///< m: height of the ground at truck_probes
    double heap; ///< m: how much higher the ground behind the tail is than under the rear wheels
} TruckSight;

/// What of a step is worth telling.
typedef enum TruckNews {
    TRUCK_NEWS_NONE,
    TRUCK_NEWS_SPOTTED, ///< stands at the spot
    TRUCK_NEWS_FULL, ///< leaves with the load it was to take
    TRUCK_NEWS_CALLED, ///< leaves because it was called
    TRUCK_NEWS_TIPPED, ///< its bed is down again
    TRUCK_NEWS_BLOCKED, ///< stops
    TRUCK_NEWS_FREE, ///< goes on
} TruckNews;

/// Writes the state of an empty truck that stands at the spot (TRUCK_LOADING) or where it waits (TRUCK_WAITING).
/// truck_settle follows.
void truck_start(const TruckRoute *route, TruckPhase phase, TruckState *state);
/// Puts the truck down. ground: m, height of the ground at truck_probes of its place.
void truck_settle(const double ground[TRUCK_PROBE_COUNT], TruckState *state);

/// One tick of the driver and the truck.
/// load_mass  kg: with so much in the bed it leaves
/// dt         s, of a tick
/// Returns what of it is worth telling.
TruckNews truck_step(const TruckParams *params, const TruckRoute *route, double load_mass, const TruckSight *sight,
                     double dt, TruckState *state);
/// Sets what lies in the bed after the soil's tick of `dt` s: `load` kg.
void truck_weigh(const TruckParams *params, double load, double dt, TruckState *state);

/// ---- where it is ---------------------------------------------------------------------------------------------------

/// Position and heading on that road.
TruckPlace truck_place(const TruckRoute *route, const TruckState *state);
/// Where the ground carries the truck, in plan, m, world.
void truck_probes(const TruckParams *params, const TruckPlace *place, Vec3 points[TRUCK_PROBE_COUNT]);
/// Where its six wheels touch the ground, in plan, m, world: rear axles first.
void truck_wheel_points(const TruckParams *params, const TruckPlace *place, Vec3 points[6]);
/// Points behind the tail whose highest ground the sight's `heap` is about.
enum { TRUCK_TAIL_POINTS = 3 };
void truck_tail_points(const TruckParams *params, const TruckPlace *place, Vec3 points[TRUCK_TAIL_POINTS]);
/// Frames of chassis and bed in the world where the driver wants them, without what springs give way.
void truck_frames(const TruckParams *params, const TruckRoute *route, const TruckState *state, Pose *chassis,
                  Pose *bed);
/// Frame of the chassis at a place on ground of `height` m under its supports, as truck_frames.
Pose truck_chassis(const TruckParams *params, const TruckPlace *place, const double height[TRUCK_PROBE_COUNT]);
/// Frame of the bed, tipped by `angle` rad, of a chassis.
Pose truck_bed(const TruckParams *params, const Pose *chassis, double angle);
/// A box of a truck, in the frame of its bed or of its chassis.
typedef struct TruckSolid {
    const char *name; ///< "bed", "cab", "chassis"
    bool on_bed; ///< the frame is the bed's
    bool tail; ///< not there while the tail is open
    Vec3 low, high; ///< m
} TruckSolid;
enum { TRUCK_SOLIDS = 7, TRUCK_SOLID_CAB = TRUCK_SOLIDS - 1 };
/// What of a truck is solid.
void truck_solids(const TruckParams *params, TruckSolid solids[TRUCK_SOLIDS]);
/// Turn of the front wheels, rad, + left.
double truck_steering(const TruckParams *params, const TruckRoute *route, const TruckState *state);
/// True where the bed's tail is open.
bool truck_tail_open(const TruckState *state);
/// True while the truck stands at the spot to be loaded, and is to stay.
bool truck_is_at_spot(const TruckState *state);

/// True when the truck, going on as far as it needs to stop and a little more, comes near a circle in plan.
/// x, y, radius  m, world
bool truck_looks_ahead(const TruckParams *params, const TruckRoute *route, const TruckState *state, double x, double y,
                       double radius);

/// Visits every field of the state once. A restored state that is on no road fails the visitor.
void truck_visit(TruckState *state, const TruckRoute *route, StateVisitor *visitor);
/// True when all numbers of the state are finite.
bool truck_is_finite(const TruckState *state);

#endif
