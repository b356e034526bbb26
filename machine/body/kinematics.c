#include "machine/body/kinematics.h"

#include <math.h>

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static PlanePoint rotate(PlanePoint p, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (PlanePoint){c * p.x - s * p.z, s * p.x + c * p.z};
}

void kinematics_tip(const MachineParams *params, const ArmAngles *angles, ArmTip *tip)
{
    double a = angles->boom, b = a + angles->stick, c = b + angles->bucket;
    tip->x = excavator_boom_foot(params).x + excavator_boom_length(params) * cos(a) +
             excavator_stick_length(params) * cos(b) + excavator_tip_radius(params) * cos(c);
    tip->z = excavator_boom_foot(params).z + excavator_boom_length(params) * sin(a) +
             excavator_stick_length(params) * sin(b) + excavator_tip_radius(params) * sin(c);
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
bool kinematics_solve(const MachineParams *params, const ArmTip *tip, ArmAngles *angles)
{
    double a = excavator_boom_length(params), b = excavator_stick_length(params);
    double x = tip->x - excavator_tip_radius(params) * cos(tip->elevation) - excavator_boom_foot(params).x;
    double z = tip->z - excavator_tip_radius(params) * sin(tip->elevation) - excavator_boom_foot(params).z;
    double cosine = (x * x + z * z - a * a - b * b) / (2.0 * a * b);
    bool good = cosine >= -1.0 && cosine <= 1.0;

    angles->stick = -acos(clamp(cosine, -1.0, 1.0));
    good = clamp_joint(&angles->stick, params->joint[EXCAVATOR_JOINT_STICK].range) && good;
    // With the stick as it is now the boom brings the pin into the wanted direction, also when the distance was not met.
    double inner = atan2(b * sin(angles->stick), a + b * cos(angles->stick));
    angles->boom = unwrap(atan2(z, x) - inner, params->joint[EXCAVATOR_JOINT_BOOM].range);
    good = clamp_joint(&angles->boom, params->joint[EXCAVATOR_JOINT_BOOM].range) && good;
    angles->bucket = unwrap(tip->elevation - angles->boom - angles->stick, params->joint[EXCAVATOR_JOINT_BUCKET].range);
    return clamp_joint(&angles->bucket, params->joint[EXCAVATOR_JOINT_BUCKET].range) && good;
}

// Cylinder from `base` (parent frame) to `head` (child frame) whose frame sits at `pivot` of the parent:
//   L = |pivot + R(angle) head - base|,  dL/dangle = (pin - base) . (R' head) / L
static void straight_cylinder(const MachineCylinder *cylinder, PlanePoint pivot, double angle, double *length,
                              double *length_per_rad)
{
    PlanePoint arm = rotate(cylinder->head, angle);
    double dx = pivot.x + arm.x - cylinder->base.x, dz = pivot.z + arm.z - cylinder->base.z;
    *length = sqrt(dx * dx + dz * dz);
    *length_per_rad = (dz * arm.x - dx * arm.z) / *length;
}

bool kinematics_linkage(const MachineJointParams *joint, double angle, PlanePoint *rocker_end, PlanePoint *link_pin)
{
    const MachineLinkage *linkage = &joint->linkage;
    PlanePoint arm = rotate(linkage->link_pin, angle);
    *link_pin = (PlanePoint){joint->origin.x + arm.x, joint->origin.z + arm.z};
    double dx = link_pin->x - linkage->rocker_pivot.x, dz = link_pin->z - linkage->rocker_pivot.z;
    double d2 = dx * dx + dz * dz;
    double r = linkage->rocker_length, l = linkage->link_length;
    // Circles about both pins: the chord is at u d from the rocker's pivot, half its length is v d.
    double u = (d2 + r * r - l * l) / (2.0 * d2);
    double v2 = r * r / d2 - u * u;
    if (!(d2 > 1e-12) || !(v2 > 0.0)) {
        return false;
    }
    double v = sqrt(v2);
    *rocker_end = (PlanePoint){linkage->rocker_pivot.x + u * dx - v * dz, linkage->rocker_pivot.z + u * dz + v * dx};
    return true;
}

// Cylinder of a linkage: base on the parent, head at the rocker's end C; B is the link's pin on the child, P the joint,
// O the rocker's pivot. With B' = perp(B - P) and C' = w perp(C - O), |C - B| stays constant:
//   w = (C - B) . B' / ((C - B) . perp(C - O)),  dL/dangle = (C - base) . C' / L
static bool linked_cylinder(const MachineJointParams *joint, double angle, double *length, double *length_per_rad)
{
    PlanePoint c, b;
    if (!kinematics_linkage(joint, angle, &c, &b)) {
        return false;
    }
    PlanePoint o = joint->linkage.rocker_pivot, base = joint->cylinder.base;
    double link_x = c.x - b.x, link_z = c.z - b.z;
    double rocker_x = -(c.z - o.z), rocker_z = c.x - o.x; // perp(C - O)
    double across = link_x * rocker_x + link_z * rocker_z;
    if (fabs(across) < 1e-9) {
        return false;
    }
    double w = (link_x * -(b.z - joint->origin.z) + link_z * (b.x - joint->origin.x)) / across;
    double dx = c.x - base.x, dz = c.z - base.z;
    *length = sqrt(dx * dx + dz * dz);
    *length_per_rad = w * (dx * rocker_x + dz * rocker_z) / *length;
    return *length > 0.0;
}

// Pin of the joint in its cylinder's plane, and the sense in which positive angles turn that plane's first axis to its second.
static PlanePoint joint_pivot(const MachineJointParams *joint, double *sense)
{
    *sense = joint->axis == MACHINE_YAW ? -1.0 : 1.0; // seen in [x, y] a turn to the right goes the other way round
    switch (joint->axis) {
    case MACHINE_YAW:
        return (PlanePoint){joint->origin.x, 0.0};
    case MACHINE_ROLL:
        return (PlanePoint){0.0, joint->origin.z};
    default:
        return joint->origin;
    }
}

bool kinematics_cylinder(const MachineParams *params, int joint, double angle, double *length, double *length_per_rad)
{
    const MachineJointParams *one = &params->joint[joint];
    if (one->drive != MACHINE_DRIVE_CYLINDER) {
        return false;
    }
    if (one->linkage.rocker_length > 0.0) {
        return linked_cylinder(one, angle, length, length_per_rad);
    }
    double sense;
    PlanePoint pivot = joint_pivot(one, &sense);
    straight_cylinder(&one->cylinder, pivot, sense * angle, length, length_per_rad);
    *length_per_rad *= sense;
    return *length > 0.0;
}
