/// Statics of the excavator with its arm straight ahead: which force at the edge each limit allows, in closed form.
///
/// Plane of the arm, x forward, z up, origin on the ground below the swing axis; moments turn x up to z. The machine
/// stands level and rigid. Force at the edge along the way it moves when one cylinder works alone (ISO 6015); that
/// cylinder drives, the others and the tracks hold.
#ifndef SPADEWORK_VALIDATION_STATICS_H
#define SPADEWORK_VALIDATION_STATICS_H

#include "data/schema/machine_params.h"

typedef enum StaticsLimit {
    STATICS_BOOM, ///< joints less the swing: relief of a cylinder
    STATICS_STICK,
    STATICS_BUCKET,
    STATICS_TIPPING,
    STATICS_SLIPPING,
    STATICS_LIMITS
} StaticsLimit;
extern const char *const statics_limit_names[STATICS_LIMITS];

typedef struct StaticsForce {
    double allowed[STATICS_LIMITS]; ///< N at the edge that each limit allows, weights included; HUGE_VAL: any
    StaticsLimit first; ///< which allows least
    double weight; ///< N: share of the driving cylinder's force that the weight of what it moves gives
    PlanePoint edge, direction; ///< m, unit: where the edge is and how it moves
} StaticsForce;

/// `function` is EXCAVATOR_JOINT_STICK (pulled in) or EXCAVATOR_JOINT_BUCKET (curled in); `arm` the angles of boom,
/// stick, bucket. The ground's strength as MachineGround.
StaticsForce statics_force(const MachineParams *params, int function, const double arm[3], double friction,
                           double cohesion);

#endif
