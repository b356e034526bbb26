/// The rows of an excavator in the tables of MachineParams, and its arm's measures by their names in the trade.
///
/// Frames:
///   undercarriage  origin on the ground under the swing axis
///   house          origin on the swing axis, swing_height above the ground
///   boom           origin at the boom foot pin, x along the line to the stick pin
///   stick          origin at the stick pin, x along the line to the bucket pin
///   bucket         origin at the bucket pin, x along the line to the tip (the cutting edge)
/// Joint angles, rad:
///   swing  positive turns to the RIGHT (clockwise seen from above), as the lever
///   boom   elevation of the boom line over the house's x axis
///   stick  stick line against boom line (0 = straight on, negative = folded down)
///   bucket tip line against stick line (0 = straight on, negative = curled in)
#ifndef SPADEWORK_DATA_EXCAVATOR_PARAMS_H
#define SPADEWORK_DATA_EXCAVATOR_PARAMS_H

#include "data/schema/machine_params.h"

enum {
    EXCAVATOR_UNDERCARRIAGE = MACHINE_BASE,
    EXCAVATOR_HOUSE,
    EXCAVATOR_BOOM,
    EXCAVATOR_STICK,
    EXCAVATOR_BUCKET,
    EXCAVATOR_BODY_COUNT
};

enum {
    EXCAVATOR_JOINT_SWING,
    EXCAVATOR_JOINT_BOOM,
    EXCAVATOR_JOINT_STICK,
    EXCAVATOR_JOINT_BUCKET,
    EXCAVATOR_JOINT_COUNT
};

/// m: house frame above the ground.
static inline double excavator_swing_height(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_SWING].origin.z;
}
/// In the house frame.
static inline PlanePoint excavator_boom_foot(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_BOOM].origin;
}
/// m: boom foot pin to stick pin.
static inline double excavator_boom_length(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_STICK].origin.x;
}
/// m: stick pin to bucket pin.
static inline double excavator_stick_length(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_BUCKET].origin.x;
}
/// m: bucket pin to the cutting edge.
static inline double excavator_tip_radius(const MachineParams *params)
{
    return params->tool[0].tip.x;
}

#endif
