/// What the files of this folder share about a Machine; not for other floors.
#ifndef SPADEWORK_MACHINE_MACHINE_PARTS_H
#define SPADEWORK_MACHINE_MACHINE_PARTS_H

#include "machine/drive/hydraulics.h"
#include "machine/machine.h"
#include "machine/body/ode_world.h"
#include "machine/drive/tracks.h"

/// How a cylinder and its joint go together, from the params.
typedef struct CylinderRange {
    double shortest, longest; ///< m: lengths at the ends of the joint's range
    double lever_sign; ///< +1 when the lever's positive direction extends the cylinder, else -1
} CylinderRange;

struct Machine {
    MachineParams params;
    OdeWorld *world;
    CylinderRange range[MACHINE_MAX_JOINTS]; ///< of the joints that cylinders drive
    double mass; ///< kg of all bodies
};

/// Angles and rates of all joints, rad and rad/s (swing in -pi..pi).
void machine_joint_motion(const Machine *machine, const MachineState *state, double angles[MACHINE_MAX_JOINTS],
                          double rates[MACHINE_MAX_JOINTS]);

/// Checks what only geometry can tell: cylinders reach, the linkage closes, lever arms do not vanish. Fills the ranges.
bool machine_check(const MachineParams *params, CylinderRange range[MACHINE_MAX_JOINTS], Status *status);

/// One joint's drive in a step and what it can give.
typedef struct JointDrive {
    OdeMotor motor;
    double length_per_rad; ///< m/rad of the cylinder; of the swing 1
    bool at_end; ///< the lever pushes the cylinder against its end
} JointDrive;

/// Levers -> spools -> pump flow -> motors of the joints, speeds and forces of the belts. Writes spools, joint_speed, pump_power,
/// engine_speed, fuel, gear and shift_clock; reads last step's forces. Returns true when the engine is pulled down.
bool machine_drive(const Machine *machine, const OperatorControls *controls, const double angles[MACHINE_MAX_JOINTS],
                   const double rates[MACHINE_MAX_JOINTS], double dt, MachineState *state,
                   JointDrive drives[MACHINE_MAX_JOINTS], TrackDrive *belts);

/// What the ground does to the corners of the house or hood (tail, front, roof) when the machine rears or falls over: about the
/// centre of mass of the body that carries the cab. A tail that swings into a heap beside the tracks is not felt: the machine knows the ground under
/// its tracks only. (house.c)
Wrench house_rest(const Machine *machine, const MachineState *state, const MachineGround *ground);

#endif
