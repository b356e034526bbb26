/// Cylinders as geometry and as areas: pin-to-pin length and lever arm at a joint angle, straight or through a four-bar
/// linkage (planar loop closure, e.g. Norton, Design of Machinery, chapter 4), and the pressure that a force takes.
#include "data/core/elementary.h"
#include "machine/cylinder.h"

#include <math.h>
#include <stddef.h>

static PlanePoint rotate(PlanePoint p, double angle)
{
    double c = same_cos(angle), s = same_sin(angle);
    return (PlanePoint){c * p.x - s * p.z, s * p.x + c * p.z};
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

bool linkage_pins(const MachineJointParams *joint, double angle, PlanePoint *rocker_end, PlanePoint *link_pin)
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
    if (!linkage_pins(joint, angle, &c, &b)) {
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

// Pin of the joint in its cylinder's plane, and the sense in which positive angles turn that plane's first axis to its
// second.
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

bool cylinder_length(const MachineJointParams *joint, double angle, double *length, double *length_per_rad)
{
    if (joint->drive != MACHINE_DRIVE_CYLINDER) {
        return false;
    }
    if (joint->linkage.rocker_length > 0.0) {
        return linked_cylinder(joint, angle, length, length_per_rad);
    }
    double sense;
    PlanePoint pivot = joint_pivot(joint, &sense);
    straight_cylinder(&joint->cylinder, pivot, sense * angle, length, length_per_rad);
    *length_per_rad *= sense;
    return *length > 0.0;
}

double cylinder_area(const MachineCylinder *cylinder, bool push)
{
    double bore = cylinder->bore * cylinder->bore, ring = bore - cylinder->rod * cylinder->rod;
    if (cylinder->arrangement == MACHINE_OPPOSED) {
        return 0.25 * M_PI * (bore + ring); // one pushes while the other pulls
    }
    return cylinder->count * 0.25 * M_PI * (push ? bore : ring);
}

double cylinder_pressure(const MachineCylinder *cylinder, double force)
{
    return fabs(force) / cylinder_area(cylinder, force >= 0.0);
}

const MachineCylinder *function_cylinder(const MachineParams *params, int function)
{
    bool cylinder = function < params->joint_count && params->joint[function].drive == MACHINE_DRIVE_CYLINDER;
    return cylinder ? &params->joint[function].cylinder : NULL;
}
