/// What the driver of a truck says to how it was loaded: he complains about a load to one side or too much of it and
/// leaves later, and he does not leave with far too much. His limits are those of the truck's file (TruckDriver).
#ifndef SPADEWORK_TRAINER_TRUCK_DRIVER_H
#define SPADEWORK_TRAINER_TRUCK_DRIVER_H

#include "data/core/state_visitor.h"
#include "data/schema/truck_params.h"
#include "trainer/sim/exercise.h"

/// Every field, F(type, name, low, high, unit): hashed, saved, restored.
#define DRIVER_FIELDS(F)                                                                                               \
    F(int32_t, said, 0.0, 2.0, "") /* DriverWord */                                                                    \
    F(double, wait, 0.0, 600.0, "s") /* until he leaves after a complaint */

typedef enum DriverWord { DRIVER_SAID_NOTHING, DRIVER_COMPLAINED, DRIVER_REFUSED } DriverWord;

/// State; zero at the start.
typedef struct TruckDriverState {
#define F(type, name, low, high, unit) type name;
    DRIVER_FIELDS(F)
#undef F
} TruckDriverState;

/// How a truck is loaded.
typedef struct DriverSight {
    int truck; ///< its number
    double uneven; ///< 0..1: what one side bears more than the other, over all
    double excess; ///< kg of the load or on an axle that are too much, or 0
    double over; ///< 0 and more: the same over the payload, or over the axle's limit, the worst of them
} DriverSight;

/// A tick of `dt` s in which the driver wants to leave (`leaves`) or not. True when he waits or refuses; what he says
/// is an event of the exercise.
bool truck_driver_stays(const TruckParams *params, bool leaves, const DriverSight *sight, int64_t tick, double dt,
                        TruckDriverState *state, Exercise *exercise);
/// The driver of truck number `truck` complains of a blow that has done damage of a class, DAMAGE_SCRATCHED and above.
void truck_driver_complains(int truck, int damage, int64_t tick, Exercise *exercise);
void truck_driver_visit(TruckDriverState *state, StateVisitor *visitor);

#endif
