/// From the levers to the motors of the joints and the belts, and back from their forces to gauges and limits.
/// No bodies and no ODE: angles and torques come and go as numbers. One call of each function a step.
#ifndef SPADEWORK_MACHINE_DRIVE_STEP_H
#define SPADEWORK_MACHINE_DRIVE_STEP_H

#include "machine/drive/hydraulics.h"
#include "machine/drive/tracks.h"
#include "machine/machine.h"

/// How a joint's lever, angle and drive go together: constant, from the params.
typedef struct DriveRange {
    double shortest, longest; ///< m: lengths of the cylinder at the ends of the joint's range; 0 of a swing motor
    double
        lever_sign; ///< +1 when the lever's positive direction extends the cylinder or turns the motor forward, else -1
} DriveRange;

/// What a joint's motor does in one step: it brings the joint to `speed` unless that takes more than `limit`.
typedef struct JointMotor {
    double speed; ///< rad/s, of the joint angle
    double limit; ///< N m, > 0
} JointMotor;

/// The drives' answer to the levers in one step.
typedef struct DriveStep {
    JointMotor motor[MACHINE_MAX_JOINTS];
    double length_per_rad[MACHINE_MAX_JOINTS]; ///< m/rad of the cylinder; of a swing motor 1
    bool at_end[MACHINE_MAX_JOINTS]; ///< the lever pushes the cylinder against its end
    TrackDrive belts;
    HammerStep hammer;
    bool stalled; ///< the engine is pulled down, or the converter stands
    bool weak; ///< the pumps do not reach the relief pressure: no relief valve opens
} DriveStep;

/// Levers -> spools -> pump flow -> motors of the joints, speeds and forces of the belts; the engine's step.
/// range   [joint_count]
/// mass    kg of the whole machine
/// faults  what fails; never NULL
/// push    N, along the chisel of a hammer into its housing, in the last step
/// angles  rad [joint_count]   rates  rad/s [joint_count]: of the joints, as the bodies stand
/// state   writes spools, joint_speed, pump_power, engine_speed, fuel, gear, shift_clock and the hammer's clock, rate
///         and blows; reads the last step's forces
DriveStep drive_step(const MachineParams *params, const DriveRange *range, double mass, double push,
                     const OperatorControls *controls, const MachineFaults *faults, const double *angles,
                     const double *rates, double dt, MachineState *state);

/// Takes what the bodies made of it: the motors' torques (N m [joint_count]) become the forces of the functions
/// (joint_force), which the next step, the limits and the gauges read. Writes who of them and of the travel motors is
/// at its relief pressure (relief).
void drive_take_torques(const MachineParams *params, const DriveStep *step, const double *torques, const double *rates,
                        MachineState *state);

/// Pressure of a function's higher port, Pa: what a gauge shows. It is that of the last step's force, at most its
/// relief; the relief itself while that is open, as it is too for a cylinder driven into its end.
double drive_pressure(const MachineParams *params, const MachineState *state, int joint);

#endif
