/// The banksman: which arm signal the work needs next, from what a person who stands beside it sees.
#ifndef SPADEWORK_TRAINER_BANKSMAN_H
#define SPADEWORK_TRAINER_BANKSMAN_H

#include "trainer/sim/people.h"

/// The load that is to be moved next.
typedef struct BanksmanLift {
    bool wanted; ///< there is one; else all lie at their places
    bool hooked, hangs;
    bool called; ///< the slinger is to come
    Vec3 eye, middle; ///< m: the lifting eye, the load's middle
    double reach; ///< m from the load's middle up to an eye that its sling reaches
    double clear; ///< m of the load over the ground
    double place[2]; ///< m: where its middle is to lie
    double within; ///< m: so near it lies there
    double swing; ///< m/s of the load
} BanksmanLift;

typedef struct BanksmanSight {
    Vec3 base; ///< m: the machine
    double time, dt; ///< s
    bool danger; ///< somebody is in reach of what moves
    bool stop; ///< somebody comes near, or the slinger is at the load
    bool finished; ///< the work is done
    bool has_lift; ///< the scene has loads with places
    BanksmanLift lift;
    bool truck_moves; ///< a truck drives near
    Vec3 truck, truck_ahead; ///< m; the way it moves
} BanksmanSight;

/// Chooses the signal of a tick, and turns the banksman, who stands, to the one it is for.
void banksman_tick(PersonState *state, const BanksmanSight *sight);
/// True when the signal tells the machine's operator to stand still, for so long that a careful one does.
bool banksman_stops(const PersonState *state);

#endif
