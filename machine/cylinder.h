/// Cylinders as geometry and as areas. Pure functions of the parameters: no state, any thread.
#ifndef SPADEWORK_MACHINE_CYLINDER_H
#define SPADEWORK_MACHINE_CYLINDER_H

#include <stdbool.h>

#include "data/schema/machine_params.h"

/// Pin-to-pin length of a joint's cylinder at a joint angle, and the lever arm dL/d(angle).
/// angle           rad, see MachineAxis
/// length          m, out
/// length_per_rad  m/rad, out; its sign says whether a growing angle draws the rod out (+) or takes it in (-)
/// Returns false, with the results undefined, for a joint without a cylinder and where its linkage cannot close.
bool cylinder_length(const MachineJointParams *joint, double angle, double *length, double *length_per_rad);

/// Pins of a joint's linkage at an angle (rad), m, in the parent's x-z plane: where rocker, link and cylinder rod meet,
/// and where the link meets the child. False when the linkage cannot close.
bool linkage_pins(const MachineJointParams *joint, double angle, PlanePoint *rocker_end, PlanePoint *link_pin);

/// Pressurised area of all cylinders of a function, m2: pushing fills the bore, pulling the ring round the rod.
double cylinder_area(const MachineCylinder *cylinder, bool push);
/// Most of the pumps' flow that it can take, 0..2 pumps: when it pushes, and when it pulls.
double cylinder_flow_share(const MachineCylinder *cylinder, bool push);
/// Port pressure, Pa (0 or more), that gives `force` (N, + pushes): of the bore or of the ring.
double cylinder_pressure(const MachineCylinder *cylinder, double force);

/// The cylinder of a function (drive/drive.h), or NULL: swing motor, tracks. Belongs to `params`.
const MachineCylinder *function_cylinder(const MachineParams *params, int function);

#endif
