/// A dump truck as a rigid body: chassis, bed and load on four supports, each a damped spring that does not pull, with
/// tyres that stick to the ground, and slip beyond Coulomb's limit. Corners of its boxes meet the ground when it has
/// fallen over.
///
/// The body moves in the machine's step (machine/solids.h, MachineMover): before it truck_body_push writes what
/// acts, after it truck_body_take takes the new motion. What the treads do over the ground (TruckFooting) is the
/// driver's: a truck follows its road as far as its tyres hold.
///
/// Frames, owner, thread, errors: as machine/truck.h.
#ifndef SPADEWORK_MACHINE_TRUCK_BODY_H
#define SPADEWORK_MACHINE_TRUCK_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "data/schema/truck_params.h"
#include "machine/solids.h"
#include "machine/truck.h"

/// Every field of the state but the motion's own, X(type, name, count): hashed, saved, restored.
#define TRUCK_BODY_FIELDS(X)                                                                                           \
    X(double, shear, 2 * TRUCK_PROBE_COUNT) /* m: of the tyres of each support, forward and left */                    \
    X(double, force, TRUCK_PROBE_COUNT) /* N, 0 or more: on each support, along the ground's normal */                 \
    X(double, load, 1) /* kg that it carries, 0 or more */                                                             \
    X(double, load_center, 3) /* m: in the chassis frame */                                                            \
    X(double, still, 1) /* s for which it has not moved */                                                             \
    X(int32_t, asleep, 1) /* 1: it stands where it is until truck_body_wake */

/// Supports are in the order of TruckProbe.
typedef struct TruckBody {
    MachineBodyState motion; ///< of the empty truck's centre of mass, axes of the chassis
#define X(type, name, count) type name[count];
    TRUCK_BODY_FIELDS(X)
#undef X
} TruckBody;

/// The ground under a truck, and how its treads run over it.
typedef struct TruckFooting {
    double height[TRUCK_PROBE_COUNT]; ///< m: of the ground under each support
    double rate[TRUCK_PROBE_COUNT]; ///< m/s at which that rises as the truck drives
    Vec3 middle; ///< m: a point of the plane that lies best through it
    Vec3 normal; ///< unit, upwards: of that plane
    Vec3 roll; ///< m/s of the treads at `middle`, level
    double turn; ///< rad/s with which they turn about it
} TruckFooting;

/// What its springs and tyres bear.
typedef struct TruckLoads {
    double front, rear; ///< N on each axle, the rear ones together
    double left, right; ///< N on each side
} TruckLoads;

/// Writes the state of an empty truck at rest whose chassis is at a pose.
void truck_body_start(const TruckParams *params, const Pose *chassis, TruckBody *body);
/// Frame of the chassis, m, world.
Pose truck_body_chassis(const TruckParams *params, const TruckBody *body);
/// The same, `dt` s later, if it moves on as it does.
Pose truck_body_ahead(const TruckParams *params, const TruckBody *body, double dt);
/// Velocity, m/s, of a point of it at `at`, m, world.
Vec3 truck_body_velocity(const TruckBody *body, Vec3 at);

/// Writes what acts on the truck in a step of `dt` s, and advances the shear of its tyres.
void truck_body_push(const TruckParams *params, const TruckFooting *footing, double dt, TruckBody *body,
                     MachineMover *mover);
/// Copies the motion of the mover after the step.
void truck_body_take(const TruckParams *params, const MachineMover *mover, TruckBody *body);

/// Sets what lies in the bed: `load` kg, `center` m in the chassis frame. Small changes do not wake the body.
void truck_body_carry(double load, Vec3 center, TruckBody *body);
/// End of a tick of `dt` s in which something `moved` it, or not: after a while without motion it falls asleep.
void truck_body_rest(bool moved, double dt, TruckBody *body);
void truck_body_wake(TruckBody *body);

TruckLoads truck_body_loads(const TruckBody *body);
/// `travel`: how far each support is pressed together from where the empty truck stands, m; where a wheel hangs in the
/// air, what its spring lets it hang down (negative).
void truck_body_travel(const TruckParams *params, const TruckBody *body, double travel[TRUCK_PROBE_COUNT]);
/// True when its centre of mass lies beyond its supports: it does not come back by itself.
bool truck_body_is_tipped(const TruckParams *params, const TruckBody *body);

/// Visits every field of the state once. A restored state of impossible numbers fails the visitor.
void truck_body_visit(TruckBody *body, StateVisitor *visitor);
/// True when all numbers of the state are finite.
bool truck_body_is_finite(const TruckBody *body);

#endif
