/// The rows of a dozer in the tables of MachineParams.
///
/// Frames:
///   chassis  origin on the ground, midway between the tracks and along them
///   ripper   origin at its hinge behind the chassis; the shank reaches towards -x
///   frame    (push frame) origin at the trunnions; x to the ball joint that carries the blade
///   yoke     origin at the ball joint; turns about the frame's z
///   blade    origin at the ball joint; turns about the yoke's x; the mouldboard faces +x
/// Joint angles, rad, as the levers:
///   ripper   positive turns the shank down
///   lift     elevation of the frame's x axis over the chassis's: positive raises the blade
///   angle    positive turns the blade's face to the RIGHT
///   tilt     positive lowers the blade's RIGHT corner
#ifndef SPADEWORK_DATA_DOZER_PARAMS_H
#define SPADEWORK_DATA_DOZER_PARAMS_H

#include <math.h>

#include "data/core/elementary.h"
#include "data/schema/machine_params.h"

enum { DOZER_CHASSIS = MACHINE_BASE, DOZER_RIPPER, DOZER_FRAME, DOZER_YOKE, DOZER_BLADE, DOZER_BODY_COUNT };
enum { DOZER_JOINT_RIPPER, DOZER_JOINT_LIFT, DOZER_JOINT_ANGLE, DOZER_JOINT_TILT, DOZER_JOINT_COUNT };
enum { DOZER_TOOL_BLADE, DOZER_TOOL_RIPPER, DOZER_TOOL_COUNT };

/// True of the machines that have the ripper.
static inline bool dozer_has_ripper(const MachineParams *machine)
{
    return machine->type == MACHINE_DOZER;
}

/// Height of the ripper's point over the plane that the tracks stand on, m, at an angle of its joint.
static inline double dozer_ripper_height(const MachineParams *dozer, double angle)
{
    const double *point = dozer->tool[DOZER_TOOL_RIPPER].shape.edge;
    return dozer->joint[DOZER_JOINT_RIPPER].origin.z + point[0] * same_sin(angle) + point[1] * same_cos(angle);
}

#endif
