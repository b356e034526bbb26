/// The machine: rigid bodies, hydraulics, engine and tracks of the machine that MachineParams describes.
///
///     Machine *machine = machine_create(&params, &status);
///     MachineState state;
///     machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
///     for (int step = 0; step < 480; step++) {
///         int count = machine_track_patches(machine, &state, places); // then fill ground[count]
///         const MachineInputs inputs = {.controls = &controls, .ground = ground};
///         machine_step(machine, &inputs, 1.0 / 480.0, &state);
///     }
///     machine_destroy(machine);
///
/// Frames  world: x east, y north, z up. Bodies and joint angles: data/schema/machine_params.h. SI units throughout.
/// Owner   the state (MachineState) is the caller's, plain memory; a Machine holds constants and ODE's scratch, and
///         nothing from one step to the next. ODE's types never leave this floor. After machine_create only ODE
///         allocates, for more joints in a step than ever before; it does not survive a lack of memory.
/// Thread  one thread at a time for each machine; different machines share nothing, and a machine may pass from one
///         thread to another. Functions that take a `const Machine *` and make no step may run in several threads at
///         once. A process that sets a message handler of ODE's does so before it creates a machine: afterwards ODE's
///         handler is the machine's, which passes on what comes outside a step.
/// Errors  machine_create alone fails, with a text; the rest asserts its arguments. A step is a pure function: equal
///         inputs give equal bits, in the default floating-point environment (data/core/float_mode.h).
/// Headers cylinder.h and excavator_arm.h (kinematics), solids.h (touches and movable bodies), lifting.h (a pipe on a
///         sling), rocks.h (a heap of rocks), truck.h (a dump truck and its driver). Behind them, from bottom to top:
///         contact (two convex solids), drive (levers to motors), body (ODE and the step), lifting, rocks, truck.
#ifndef SPADEWORK_MACHINE_MACHINE_H
#define SPADEWORK_MACHINE_MACHINE_H

#include "data/core/operator_controls.h"
#include "data/core/vec.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/schema/machine_params.h"

enum { MACHINE_MAX_PATCHES = 32, MACHINE_MAX_STRUTS = 8 };

typedef struct Machine Machine; ///< constant data and ODE's scratch; holds no state between steps

/// A rigid body's state. Position is that of the centre of mass.
typedef struct MachineBodyState {
    double position[3]; ///< m, world
    double quaternion[4]; ///< -1..1, w first, ODE's raw value: its norm is 1 within rounding only
    double velocity[3]; ///< m/s
    double spin[3]; ///< rad/s, world axes
} MachineBodyState;

/// Everything that changes and is hashed, saved and restored; machine_state_visit lists its fields. Entries past the
/// machine's own numbers of bodies, joints and patches stay 0.
typedef struct MachineState {
    MachineBodyState body[MACHINE_MAX_BODIES]; ///< [body_count], in the order of MachineParams.body
    double spool[MACHINE_MAX_JOINTS]; ///< [joint_count], as MachineParams.joint: valve opening, -1..1
    double track_spool[2]; ///< -1..1: left, right
    double joint_speed[MACHINE_MAX_JOINTS]; ///< [joint_count] rad/s, or m/s of the cylinder: commanded, after ramps
    double joint_force[MACHINE_MAX_JOINTS]; ///< [joint_count] N (cylinders, + pushes) or N m (a swing motor): last step
    double track_shear[MACHINE_MAX_PATCHES][2]; ///< m: shear displacement of each patch, along and across the track
    double track_speed[2]; ///< m/s of the belts: left, right
    double track_flow[2]; ///< m/s: speed that the pumps' oil gives each belt, after valves and pumps; travel motors
    double track_hold[2]; ///< m/s: speed beyond which each counterbalance valve brakes its belt; travel motors
    double track_travel[2]; ///< m the belts have run, left, right; for drawing
    double track_force[2]; ///< N: drive force on each belt, left, right, in the last step; forward positive
    double patch_load[MACHINE_MAX_PATCHES]; ///< N on each patch, as machine_track_patches, in the last step
    double engine_speed; ///< rad/s
    double pump_power; ///< W taken from the engine in the last step: by pumps and converter
    double fuel; ///< kg left
    double hammer_spool; ///< valve opening of the hammer, 0..1
    double hammer_clock; ///< 0..1: share of the time to its next blow that is over
    double hammer_rate; ///< Hz of its blows in the last step; 0: it rests
    double shift_clock; ///< s until the gears may shift again; first the drive comes back
    int gear; ///< 1..3 forward, -1..-3 reverse, 0 neutral; 0 of travel motors
    int hammer_blows; ///< blows since the start
    int limits; ///< set of MACHINE_LIMIT_BIT: all that acted in the last step
    int floating; ///< set of MACHINE_RELIEF_JOINT: joints whose lever stands in its float position
    int relief; ///< set of MACHINE_RELIEF_JOINT and MACHINE_RELIEF_TRACK: functions at relief in the last step
} MachineState;

/// What bounds a machine, the graver the later: where one is to be named (telemetry column `limit`) it is the gravest.
typedef enum MachineLimit {
    MACHINE_LIMIT_NONE,
    MACHINE_LIMIT_STALL, ///< the engine is pulled down, or the converter stands
    MACHINE_LIMIT_RELIEF, ///< a cylinder, the swing motor or a travel motor is at its relief pressure
    MACHINE_LIMIT_SLIP, ///< the tracks slip
    MACHINE_LIMIT_TIP, ///< the machine lifts off its tracks
    MACHINE_LIMIT_COUNT
} MachineLimit;
extern const char *const machine_limit_names[MACHINE_LIMIT_COUNT]; ///< "none", "stall", "relief", "slip", "tip"
/// Several limits may act at once: a set of them has one bit for each, and is 0 when none acts.
#define MACHINE_LIMIT_BIT(limit) (1 << (limit) >> 1)
enum { MACHINE_LIMIT_BITS = (1 << MACHINE_LIMIT_COUNT >> 1) - 1 }; ///< all of them
/// The gravest of a set.
MachineLimit machine_gravest_limit(int limits);
enum { MACHINE_LIMITS_TEXT = 32 };
/// Writes a set as it is read: "relief+slip", the gravest last; "none".
void machine_limits_text(int limits, char text[MACHINE_LIMITS_TEXT]);

/// Functions at their relief pressure, as a set: the function of a joint, the motor of a track (0 left, 1 right).
#define MACHINE_RELIEF_JOINT(joint) (1 << (joint))
#define MACHINE_RELIEF_TRACK(side)  (1 << (MACHINE_MAX_JOINTS + (side)))
enum { MACHINE_JOINT_BITS = (1 << MACHINE_MAX_JOINTS) - 1 }; ///< those of the joints
enum { MACHINE_RELIEF_BITS = (1 << (MACHINE_MAX_JOINTS + 2)) - 1 }; ///< all of them

/// The ground under one track patch, filled by the caller for the position machine_track_patches gave.
typedef struct MachineGround {
    double height; ///< m
    Vec3 normal; ///< unit, upwards
    double firmness; ///< 0.05..1: multiplies the patch stiffness (loose soil is softer). What stays pressed is `height`
    double bearing; ///< Pa, above 0: the most that it bears where the patch is now; HUGE_VAL: it does not yield
    double friction; ///< 0..2: tan of the soil's friction angle
    double cohesion; ///< Pa, 0..2e5: strength of the soil without load
} MachineGround;

/// A line to be drawn between two moving pins: cylinder barrel + rod, rocker, link.
typedef struct MachineStrut {
    enum { MACHINE_STRUT_CYLINDER, MACHINE_STRUT_BAR } kind;
    Vec3 a, b; ///< world: barrel end, rod end
    double radius; ///< m: barrel
    double rod_radius; ///< m
    double barrel; ///< m: length of the barrel from a
} MachineStrut;

/// Readings for gauges. Arrays by joint are [joint_count], those of tracks left, right.
typedef struct MachineReadout {
    double angle[MACHINE_MAX_JOINTS]; ///< rad, in the order of MachineParams.joint
    double speed[MACHINE_MAX_JOINTS]; ///< rad/s
    double pressure[MACHINE_MAX_JOINTS]; ///< Pa: the higher port; swing from its torque
    double pump_power, engine_speed, fuel; ///< W, rad/s, kg: as MachineState
    Vec3 tip; ///< m, world: middle of the first tool's cutting edge
    Vec3 base; ///< m, world: origin of the base's frame
    double yaw, pitch, roll; ///< rad, of the base: to the left, nose up, left side up
    double slip[2]; ///< left, right: ratio 1 - ground speed / belt speed, 0 when the belt stands
    double track_load[2]; ///< N on each track
    int gear; ///< as MachineState
    double speed_over_ground; ///< m/s, of the base along its x axis
    double tip_height; ///< m: the edge's middle over the plane the tracks stand on
    MachineLimit limit; ///< the gravest of `limits`
    int limits, relief; ///< as MachineState
} MachineReadout;

/// Builds a machine.
/// params  copied; as data_load_machine fills it
/// status  out: good, or the key and the reason why it cannot be built (a cylinder that cannot reach, a linkage that
///         cannot close), or STATUS_LACKING when ODE cannot start
/// Returns NULL on failure. The caller destroys it.
Machine *machine_create(const MachineParams *params, Status *status);
/// NULL is allowed.
void machine_destroy(Machine *machine);
/// The copy that machine_create made; valid as long as the machine.
const MachineParams *machine_params(const Machine *machine);

/// Writes the state at rest in the params' start pose, settled on firm level ground; engine at rated speed, tank full.
/// x, y, z  m, world: the base frame's origin before it sinks in
/// heading  rad, from x towards y
void machine_start(const Machine *machine, double x, double y, double z, double heading, MachineState *state);
/// The same on firm ground that is a plane with the upward unit normal `up` (world) through (x, y, z). The machine is
/// turned to the heading on the level, and then tilted with the level until that is the plane.
void machine_start_on(const Machine *machine, Vec3 place, Vec3 up, double heading, MachineState *state);
/// True when no tool is below level ground in the start pose; else `status` (STATUS_BAD_FILE): "MACHINE: KEY: ...". A
/// machine may be made all the same: it may start beside a cut.
bool machine_starts_above(const Machine *machine, Status *status);

/// Finds where the track patches touch. The caller fills one MachineGround for each before a step.
/// positions  m, world, out: left side first, each from the rear to the front
/// Returns how many, 2 x tracks.patches, the same for the machine's life.
int machine_track_patches(const Machine *machine, const MachineState *state, Vec3 positions[MACHINE_MAX_PATCHES]);
/// Area of one patch, m2.
double machine_patch_area(const Machine *machine);
/// Normal pressure under a patch in the last step, Pa (0 where it hangs in the air), for ruts. `patch`: 0 up to what
/// machine_track_patches returned.
double machine_patch_pressure(const Machine *machine, const MachineState *state, int patch);

/// How fast the patch shears the soil below it beyond what comes back, m/s, 0 or more (tracks.c).
double machine_patch_shearing(const Machine *machine, const MachineState *state, int patch);

/// Faults of a machine in a step; docs/machine-model.md, "Faults", gives their laws. A function is named by a bit:
/// MACHINE_RELIEF_JOINT and MACHINE_RELIEF_TRACK.
typedef struct MachineFaults {
    double pressure; ///< 0..1: share of the relief pressure that the pumps reach; default 1
    double swing; ///< 0..1: share of its speed that the swing motor reaches; default 1
    double oil_heat; ///< K, 0..MACHINE_OIL_HEAT_MOST: how much too hot the oil is; default 0
    int stuck; ///< set of functions whose valve stays where it stands; default none
    int dead; ///< set of functions whose valve goes to neutral, whatever the lever asks; default none
    bool engine_stopped; ///< the engine gets no fuel; default false
    bool starter; ///< the starter turns an engine that gets no fuel; default false
    double cold; ///< 0..1: share of each function's flow that cold, thick oil holds back; default 0
} MachineFaults;
#define MACHINE_OIL_HEAT_MOST 30.0 ///< K above the temperature that is allowed
/// A step with these gives the same bits as one without faults.
#define MACHINE_NO_FAULTS ((MachineFaults){.pressure = 1.0, .swing = 1.0})

/// Share of each function's flow, 0..1, that the oil leaves: hot, thin oil leaks past valves and pistons; cold, thick
/// oil takes the pressure in lines and valves.
double machine_flow_left(const MachineFaults *faults);

/// Inputs of one step. The caller owns all of them; the machine keeps no pointer after the step.
typedef struct MachineInputs {
    const OperatorControls *controls; ///< levers; never NULL
    const MachineFaults *faults; ///< NULL: MACHINE_NO_FAULTS
    const MachineGround *ground; ///< [machine_track_patches], at the positions of `state`; never NULL
    const Wrench *loads; ///< [MACHINE_MAX_BODIES], N and N m about each body's centre of mass, world axes: soil on the
        ///< tools, a rope on the base; NULL: none
    struct MachineTouch *touches; ///< [touch_count], of machine_find_touches (machine/solids.h) on this very state; the
        ///< step writes their forces
    int touch_count; ///< 0..MACHINE_MAX_TOUCHES
    struct MachineMover
        *movers; ///< [mover_count]: movable bodies, which move with the machine in this step; a touch of
    ///< one without mass is a touch of a thing that stands
    int mover_count; ///< 0..MACHINE_MAX_MOVERS
} MachineInputs;

/// Advances the state by a step: levers -> spools -> pump flow -> motors, belts -> tracks -> ODE -> forces, limits.
/// The machine's own parts stop each other in every step.
/// dt  s, > 0; the shipped scenes use 1/480
void machine_step(Machine *machine, const MachineInputs *inputs, double dt, MachineState *state);

/// Motion of the body that carries the first tool. Its mass is that body's alone, not that of the arm behind it.
void machine_get_tool(const Machine *machine, const MachineState *state, RigidMotion *motion);
/// Motion of any body, 0 .. body_count - 1.
void machine_get_body(const Machine *machine, const MachineState *state, int body, RigidMotion *motion);
/// A hammer's chisel, and what its oil does while it strikes: the same force on the housing, the other way.
typedef struct MachineChisel {
    Vec3 tip; ///< m, world
    Vec3 axis; ///< unit, world, out of the housing; 0 without a hammer
    double thrust; ///< N along the axis on what the chisel stands on, mean over a blow, in the last step
} MachineChisel;
void machine_get_chisel(const Machine *machine, const MachineState *state, MachineChisel *chisel);
/// Pose of a body's own frame in the world, m.
void machine_get_body_frame(const Machine *machine, const MachineState *state, int body, Pose *frame);
/// How well the two bodies of a joint hold together.
typedef struct MachineJointGap {
    double distance; ///< m between the pin as the one body has it and as the other
    double angle; ///< rad between the pin's axis as the one body has it and as the other, 0..pi
} MachineJointGap;
MachineJointGap machine_joint_gap(const Machine *machine, const MachineState *state, int joint);
/// The steel of a body, in its frame, but for its tools and what the tracks stand with: the solids of the machine's
/// file, the cab, the upper half of the belts, and of their ends below it what is higher than a fifth of a track.
/// Without pieces where there is none; without edge and container.
void machine_get_steel(const Machine *machine, int body, ToolShape *steel);
/// Cylinders and linkages as lines in the world, from the tool to the base. Returns how many, the same for the
/// machine's life as long as its linkages close.
int machine_get_struts(const Machine *machine, const MachineState *state, MachineStrut struts[MACHINE_MAX_STRUTS]);
/// Unit axis of a joint, in either frame: positive angles turn the child right-handed about it.
Vec3 machine_joint_axis(const Machine *machine, int joint);
/// A joint as a hinge between two frames, for programs that build the machine with means of their own.
typedef struct MachineHinge {
    Vec3 origin; ///< m: of the child's frame, in the parent's frame
    Vec3 axis; ///< unit, in either frame: positive angles turn the child right-handed about it
    bool endless; ///< it turns without end; `range` is then 0, 0
    double range[2]; ///< rad: lowest and highest angle
    double torque; ///< N m: the most that the function gives anywhere in its range: relief pressure x area x lever arm
    double
        speed; ///< rad/s: the fastest that the pumps, or their flow and the function's weight, turn it anywhere in it
} MachineHinge;
void machine_get_hinge(const Machine *machine, int joint, MachineHinge *hinge);
/// What gauges show of the state; entries past joint_count are 0.
void machine_get_readout(const Machine *machine, const MachineState *state, MachineReadout *readout);

/// Visits every field of the state once, in a fixed order (hash, save, restore, difference). A restored gear, limit or
/// function at relief that does not exist fails the visitor and leaves a neutral one.
/// params  whose bodies give their fields' names; NULL: numbers do
void machine_state_visit(const MachineParams *params, MachineState *state, StateVisitor *visitor);

/// True when all numbers of the state are finite.
bool machine_state_is_finite(const MachineState *state);

#endif
