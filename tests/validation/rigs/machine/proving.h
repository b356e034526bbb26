/// The proving ground: a machine alone on a plane, without soil, for experiments that measure the machine.
///
/// Firm ground is a dry, compacted cohesive fill whose strength no drive of the machine can use up: 25 kPa and 35
/// degrees, within the range of stiff fills in textbooks of soil mechanics. Ropes are springs that only pull.
#ifndef SPADEWORK_VALIDATION_PROVING_H
#define SPADEWORK_VALIDATION_PROVING_H

#include "machine/machine.h"
#include "tests/validation/harness/experiment.h"

#define PROVING_MACHINE       "excavator-22t"
#define PROVING_STEP          (1.0 / 480.0) ///< s
#define PROVING_DEGREE        (M_PI / 180.0)
#define PROVING_FIRM_FRICTION 0.7002 ///< tan(35 degrees)
#define PROVING_FIRM_COHESION 25e3 ///< Pa

typedef struct Proving {
    MachineParams params;
    Machine *machine;
    MachineState state;
    OperatorControls controls;
    Wrench loads[MACHINE_MAX_BODIES]; ///< for the next step; proving_step clears them
    double slope; ///< rad: the ground rises along x
    double friction, cohesion; ///< of the ground
} Proving;

bool proving_load(Run *run, MachineParams *params); ///< the shipped excavator; false with run_fail
bool proving_load_machine(Run *run, const char *machine,
                          MachineParams *params); ///< of data/machines; false with run_fail
/// A machine at rest in the params' start pose at the origin, heading along x, on firm level ground. False with
/// run_fail.
bool proving_create(Run *run, const MachineParams *params, Proving *proving);
/// The same in another pose of boom, stick and bucket, rad.
bool proving_create_posed(Run *run, const MachineParams *params, const double arm[3], Proving *proving);
void proving_destroy(Proving *proving);

void proving_step(Proving *proving);
/// The same on other ground than the plane. `ground`: [machine_track_patches]
void proving_step_on(Proving *proving, const MachineGround *ground);
void proving_run(Proving *proving, double seconds); ///< with no loads
void proving_lever(Proving *proving, ControlAxis axis, double value);
/// Size of the levers (0..1) that ask for the full speed of a dozer's gear: 1..MACHINE_GEARS ahead, below 0 back.
double proving_gear_lever(const MachineParams *params, int gear);
MachineReadout proving_readout(const Proving *proving);

/// A force at a point of a body, both in the world, for the next step.
void proving_pull(Proving *proving, int body, Vec3 point, Vec3 force);
/// A rope from a point of a body (in its frame) to an anchor (world), slack up to `length`; returns its tension, N.
double proving_rope(Proving *proving, int body, Vec3 local, Vec3 anchor, double length, double stiffness);
Vec3 proving_point(const Proving *proving, int body, Vec3 local); ///< where a body's point is in the world
double proving_mass(const MachineParams *params);
Vec3 proving_center(const Proving *proving); ///< centre of mass of the whole machine, world

#endif
