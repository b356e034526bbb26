/// Closed-form kinematics of the excavator's arm: three links in the house frame's x-z plane, forwards and backwards.
#include "data/core/elementary.h"
#include "machine/excavator_arm.h"

#include <math.h>

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

void excavator_tip(const MachineParams *params, const ArmAngles *angles, ArmTip *tip)
{
    double a = angles->boom, b = a + angles->stick, c = b + angles->bucket;
    tip->x = excavator_boom_foot(params).x + excavator_boom_length(params) * same_cos(a) +
             excavator_stick_length(params) * same_cos(b) + excavator_tip_radius(params) * same_cos(c);
    tip->z = excavator_boom_foot(params).z + excavator_boom_length(params) * same_sin(a) +
             excavator_stick_length(params) * same_sin(b) + excavator_tip_radius(params) * same_sin(c);
    tip->elevation = c;
}

// Clamps to the joint's range; false when that changed the angle by more than rounding.
static bool clamp_joint(double *angle, const double range[2])
{
    double inside = clamp(*angle, range[0], range[1]);
    bool good = fabs(inside - *angle) < 1e-9;
    *angle = inside;
    return good;
}

// The same direction within half a turn of the middle of the joint's range.
static double unwrap(double angle, const double range[2])
{
    double middle = 0.5 * (range[0] + range[1]);
    return angle - 2.0 * M_PI * floor((angle - middle + M_PI) / (2.0 * M_PI));
}

// Two links a, b from the boom foot to the bucket pin at distance d:
//   cos(stick) = (d^2 - a^2 - b^2) / (2 a b), stick <= 0 (elbow up)
//   boom = direction of the pin + angle between the boom line and that direction
bool excavator_reach(const MachineParams *params, const ArmTip *tip, ArmAngles *angles)
{
    double a = excavator_boom_length(params), b = excavator_stick_length(params);
    double x = tip->x - excavator_tip_radius(params) * same_cos(tip->elevation) - excavator_boom_foot(params).x;
    double z = tip->z - excavator_tip_radius(params) * same_sin(tip->elevation) - excavator_boom_foot(params).z;
    double cosine = (x * x + z * z - a * a - b * b) / (2.0 * a * b);
    bool good = cosine >= -1.0 && cosine <= 1.0;

    angles->stick = -same_acos(clamp(cosine, -1.0, 1.0));
    good = clamp_joint(&angles->stick, params->joint[EXCAVATOR_JOINT_STICK].range) && good;
    // With the stick as it is now the boom brings the pin into the wanted direction, also when the distance was not
    // met.
    double inner = same_atan2(b * same_sin(angles->stick), a + b * same_cos(angles->stick));
    angles->boom = unwrap(same_atan2(z, x) - inner, params->joint[EXCAVATOR_JOINT_BOOM].range);
    good = clamp_joint(&angles->boom, params->joint[EXCAVATOR_JOINT_BOOM].range) && good;
    angles->bucket = unwrap(tip->elevation - angles->boom - angles->stick, params->joint[EXCAVATOR_JOINT_BUCKET].range);
    return clamp_joint(&angles->bucket, params->joint[EXCAVATOR_JOINT_BUCKET].range) && good;
}
