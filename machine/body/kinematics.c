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
    tip->x = params->boom_foot.x + params->boom_length * cos(a) + params->stick_length * cos(b) +
             params->tip_radius * cos(c);
    tip->z = params->boom_foot.z + params->boom_length * sin(a) + params->stick_length * sin(b) +
             params->tip_radius * sin(c);
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
    double a = params->boom_length, b = params->stick_length;
    double x = tip->x - params->tip_radius * cos(tip->elevation) - params->boom_foot.x;
    double z = tip->z - params->tip_radius * sin(tip->elevation) - params->boom_foot.z;
    double cosine = (x * x + z * z - a * a - b * b) / (2.0 * a * b);
    bool good = cosine >= -1.0 && cosine <= 1.0;

    angles->stick = -acos(clamp(cosine, -1.0, 1.0));
    good = clamp_joint(&angles->stick, params->stick_range) && good;
    // With the stick as it is now the boom brings the pin into the wanted direction, also when the distance was not met.
    double inner = atan2(b * sin(angles->stick), a + b * cos(angles->stick));
    angles->boom = unwrap(atan2(z, x) - inner, params->boom_range);
    good = clamp_joint(&angles->boom, params->boom_range) && good;
    angles->bucket = unwrap(tip->elevation - angles->boom - angles->stick, params->bucket_range);
    return clamp_joint(&angles->bucket, params->bucket_range) && good;
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

bool kinematics_linkage(const MachineParams *params, double angle, PlanePoint *rocker_end, PlanePoint *link_pin)
{
    const MachineLinkage *linkage = &params->linkage;
    PlanePoint arm = rotate(linkage->link_pin, angle);
    *link_pin = (PlanePoint){params->stick_length + arm.x, arm.z};
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

// Bucket cylinder: base on the stick, head at the rocker's end C; B is the link's pin on the bucket, P the bucket pin,
// O the rocker's pivot. With B' = perp(B - P) and C' = w perp(C - O), |C - B| stays constant:
//   w = (C - B) . B' / ((C - B) . perp(C - O)),  dL/dangle = (C - base) . C' / L
static bool bucket_cylinder(const MachineParams *params, double angle, double *length, double *length_per_rad)
{
    PlanePoint c, b;
    if (!kinematics_linkage(params, angle, &c, &b)) {
        return false;
    }
    PlanePoint o = params->linkage.rocker_pivot, base = params->bucket_cylinder.base;
    double link_x = c.x - b.x, link_z = c.z - b.z;
    double rocker_x = -(c.z - o.z), rocker_z = c.x - o.x; // perp(C - O)
    double across = link_x * rocker_x + link_z * rocker_z;
    if (fabs(across) < 1e-9) {
        return false;
    }
    double w = (link_x * -b.z + link_z * (b.x - params->stick_length)) / across;
    double dx = c.x - base.x, dz = c.z - base.z;
    *length = sqrt(dx * dx + dz * dz);
    *length_per_rad = w * (dx * rocker_x + dz * rocker_z) / *length;
    return *length > 0.0;
}

// A dozer's cylinders, each in the plane that its joint turns in. Seen in its plane [x, y] the angle turns the other way round.
static void dozer_cylinder(const MachineParams *params, int joint, double angle, double *length, double *length_per_rad)
{
    const MachineDozer *dozer = &params->dozer;
    const MachineCylinder *cylinder = &dozer->cylinder[joint];
    const PlanePoint ball = {dozer->frame_length, 0.0}, origin = {0.0, 0.0};
    switch (joint) {
    case DOZER_JOINT_RIPPER:
        straight_cylinder(cylinder, dozer->ripper_hinge, angle, length, length_per_rad);
        return;
    case DOZER_JOINT_LIFT:
        straight_cylinder(cylinder, dozer->trunnion, angle, length, length_per_rad);
        return;
    case DOZER_JOINT_ANGLE:
        straight_cylinder(cylinder, ball, -angle, length, length_per_rad);
        *length_per_rad = -*length_per_rad;
        return;
    default:
        straight_cylinder(cylinder, origin, angle, length, length_per_rad);
        return;
    }
}

bool kinematics_cylinder(const MachineParams *params, int joint, double angle, double *length, double *length_per_rad)
{
    if (params->type == MACHINE_DOZER) {
        dozer_cylinder(params, joint, angle, length, length_per_rad);
        return *length > 0.0;
    }
    switch (joint) {
    case MACHINE_JOINT_BOOM:
        straight_cylinder(&params->boom_cylinder, params->boom_foot, angle, length, length_per_rad);
        return true;
    case MACHINE_JOINT_STICK:
        straight_cylinder(&params->stick_cylinder, (PlanePoint){params->boom_length, 0.0}, angle, length,
                          length_per_rad);
        return true;
    case MACHINE_JOINT_BUCKET:
        return bucket_cylinder(params, angle, length, length_per_rad);
    default:
        return false;
    }
}
