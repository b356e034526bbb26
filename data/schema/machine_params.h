/// A machine, as its file states it: bodies, the joints between them, tools, travel, engine. File:
/// data/machines/NAME.yaml; keys in brackets where file units differ. The file's key `type` (excavator, the default, or
/// dozer) says which keys belong in it; the schema of the type (machine_schema.c) turns them
/// into the tables below. All code but the files that carry a type's name asks these tables, never the type.
///
/// Frames are right-handed, x forward, y left, z up, and parallel to each other when all joint angles are 0. Body 0
/// stands on the tracks; its origin lies on the ground between them. Every other body hangs on one joint, its origin on
/// that joint; joints lie in the middle plane (y = 0) of their parent.
#ifndef SPADEWORK_DATA_MACHINE_PARAMS_H
#define SPADEWORK_DATA_MACHINE_PARAMS_H

#include <stdbool.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/operator_controls.h"
#include "data/core/tool_geometry.h"

/// The state keeps room for so many; a machine may have fewer.
enum {
    MACHINE_MAX_BODIES = 9,
    MACHINE_MAX_JOINTS = 8,
    MACHINE_MAX_TOOLS = 2,
    MACHINE_MAX_SOLIDS = 24,
    MACHINE_NAME_SIZE = 16
};

enum { MACHINE_BASE = 0 }; ///< the body on the tracks: undercarriage, chassis

/// The types of machines, X(TYPE, type); the first is what a file without the key `type` means. A row here, a table
/// data_TYPE_schema in machine_schema.c, and files under data/machines make a new one.
#define MACHINE_TYPES(X)                                                                                               \
    X(EXCAVATOR, excavator)                                                                                            \
    X(DOZER, dozer)

typedef enum MachineType {
#define X(TYPE, type) MACHINE_##TYPE,
    MACHINE_TYPES(X)
#undef X
} MachineType;

/// A point in a link's x-z plane, m (-20..20), in that link's frame. In files: [x, z].
typedef struct PlanePoint {
    double x, z; ///< m
} PlanePoint;

typedef struct MachineBodyParams {
    char name[MACHINE_NAME_SIZE]; ///< its key under `bodies`
    double mass; ///< kg, 1..1e6
    double center[3]; ///< m, -20..20: centre of mass in the body's frame
    double inertia_size[3]; ///< m: sides of the box of equal inertia, 0.01..20
} MachineBodyParams;

/// The axis a joint turns about, the same in both frames, and what a positive angle does.
typedef enum MachineAxis {
    MACHINE_PITCH, ///< about -y: the child's x axis rises (from straight on, at 0)
    MACHINE_YAW, ///< about -z: the child turns to the right
    MACHINE_ROLL, ///< about +x: the child's right side sinks
} MachineAxis;

/// What moves a joint.
typedef enum MachineDrive {
    MACHINE_DRIVE_CYLINDER, ///< MachineJointParams.cylinder
    MACHINE_DRIVE_SWING_MOTOR, ///< MachineParams.swing; turns without end
    MACHINE_DRIVE_ROTARY, ///< MachineJointParams.rotary; turns without end where the joint has no range
} MachineDrive;

/// How the equal cylinders of a function work together. Opposed: one either side of the joint, mirrored in the middle
/// plane; one pushes while the other pulls. Pins, length and lever arm are the left one's; the other one's arm is taken
/// to be the same.
typedef enum MachineArrangement { MACHINE_SIDE_BY_SIDE, MACHINE_OPPOSED } MachineArrangement;

/// One cylinder (or several equal ones) between two pins. It lies in the plane its joint turns in; pins are [x, z] at a
/// pitch joint, [x, y] at a yaw joint, [y, z] at a roll joint.
typedef struct MachineCylinder {
    int count; ///< 1..4
    double bore; ///< m [bore_mm 20..500]
    double rod; ///< m [rod_mm 10..450], < bore
    double stroke; ///< m [stroke_mm 50..5000]
    double closed; ///< m [closed_mm 100..8000], > stroke: pin-to-pin length with the rod fully in
    PlanePoint base; ///< pin on the parent
    PlanePoint head; ///< rod pin on the child; absent where the rod works a linkage
    double relief; ///< Pa [relief_mpa 1..100]: both ports
    double
        flow_share; ///< 0..2: most of the pumps' flow this function can take, in pumps (boom and stick 2, bucket 1...)
    double flow_share_in; ///< 0..2: the same while the rod goes in; 0: as `flow_share`
    MachineArrangement arrangement; ///< of several: side by side (default), or opposed (2 of them)
    double spacing; ///< m between those side by side, for drawing
    /// N/m [stiffness_kn_per_mm 1..1000] of the oil between closed valves and the piston of one cylinder; 0: it gives
    /// nothing. What the cylinder holds then yields and follows like a spring.
    double stiffness;
    double damping; ///< s [damping_s 0..0.2]: with w rad/s of a swing on that oil its damping ratio is w damping / 2
} MachineCylinder;

/// Four-bar linkage: rocker about a pin on the parent, link from the rocker's end to the child; the cylinder's rod
/// pushes the pin that joins rocker and link.
typedef struct MachineLinkage {
    PlanePoint rocker_pivot; ///< on the parent (the stick)
    double rocker_length; ///< m, 0.05..3; 0: the joint has no linkage
    double link_length; ///< m, 0.05..3
    PlanePoint link_pin; ///< on the child (the bucket)
} MachineLinkage;

/// What turns a joint with the same torque at every angle: a motor with a worm gear, or a pair of opposed cylinders,
/// whose torques add up to nearly that.
typedef struct MachineRotary {
    double torque; ///< N m [torque_knm 0.1..500]: of the oil at its relief pressure
    double holding; ///< N m [holding_knm 0.1..1000], >= torque: what it holds with its valve closed before it gives way
    double speed; ///< rad/s [speed_rpm 0.5..60] with all the oil that it takes
    double flow; ///< m3/s [flow_lpm 5..500]: most oil that it takes
    double relief; ///< Pa [relief_mpa 1..50]
    PlanePoint base, head; ///< m: pins of the left one of two cylinders beside the joint, for drawing: to the left of
        ///< the axis and above it, on parent and child
    double bore, rod; ///< m: of these; 0: there are none
} MachineRotary;

/// A joint that a lever drives: the edge of the tree from `parent` to `child`.
typedef struct MachineJointParams {
    char name[MACHINE_NAME_SIZE]; ///< of its keys: NAME_cylinder, NAME_range_deg; on gauges
    char column[MACHINE_NAME_SIZE]; ///< of its columns in telemetry, where no machine stands beside the name
    int parent, child; ///< bodies; the parent's own joint comes before this one
    PlanePoint origin; ///< m: of the child's frame, in the parent's frame
    MachineAxis axis;
    double lean; ///< rad: the axis is that of both frames pitched up by so much; 0 but of a tiltrotator
    double range[2]; ///< rad [NAME_range_deg]: lowest, highest angle; not used with a swing motor
    ControlAxis control; ///< the lever
    int control_sign; ///< +1: the lever's positive direction turns to positive angles; -1: to negative ones
    MachineDrive drive;
    MachineCylinder cylinder;
    MachineLinkage linkage;
    MachineRotary rotary;
    int falls; ///< way of the cylinder (+1 out, -1 in) in which the function's own weight moves it; 0: no such way
    /// Of the valve's float position, which opens the cylinder's ports to the tank; 0: the valve has none.
    double float_pressure; ///< Pa [lift_float_mpa 0..5]: what resists a rod that moves slowly
} MachineJointParams;

/// What the machine works with: a bucket, a blade, a ripper. The first is the one that gauges, payload and exercises
/// are about.
typedef struct MachineToolParams {
    int body; ///< that carries it; the shape is in its frame
    ToolShape shape;
    bool cuts; ///< its edge cuts the ground
    PlanePoint tip; ///< m: middle of the cutting edge as the gauges have it
    double middle; ///< m along x: the aim of a camera beside the tool
    double capacity; ///< m3 heaped, 0.01..50 [bucket_capacity, blade_capacity]; 0: carries nothing
    int teeth; ///< on a bucket's edge, for drawing
} MachineToolParams;

/// A hydraulic hammer: a piston that strikes a chisel. Its tool has a tip and no inside.
typedef struct MachineHammer {
    double blow_energy; ///< J [blow_energy_kj 0.05..30]; 0: the tool is no hammer
    double blow_rate; ///< Hz [blows_per_min 100..3000], with all the flow it is made for
    double flow; ///< m3/s [flow_lpm 5..500]
    double pressure; ///< Pa [pressure_mpa 5..35], at work
    double piston_mass; ///< kg, 0.5..2000
    double feed; ///< N [feed_kn 0.1..100]: so hard the chisel must be pressed in for the piston to run
    double chisel; ///< m [chisel_mm 20..300]: diameter
    PlanePoint top; ///< m: a point on the chisel's axis, in the tool's frame; the tip is the other one
} MachineHammer;

/// A convex piece of steel. Beside these a machine touches things with the pieces of its tools, its tracks and its cab.
typedef struct MachineSolidParams {
    char name[MACHINE_NAME_SIZE]; ///< name for people: "counterweight"
    char carrier[MACHINE_NAME_SIZE]; ///< [body] name of the body that carries it
    int body; ///< that body; -1: there is none of that name
    ToolPiece piece; ///< in that body's frame
} MachineSolidParams;

typedef struct MachineTracks {
    double gauge; ///< m, 0.5..8, between track centre lines
    double contact_length; ///< m, 0.5..12, roller centres; at most length
    double length; ///< m, 0.5..15, over all
    double shoe_width; ///< m, 0.1..2
    double height; ///< m, 0.2..3, of the track over the ground
    int patches; ///< contact patches a side, 3..16
    /// Pa/m, 1e4..5e7: pressure for each metre by which the undercarriage and ground that was pressed before give
    double stiffness;
    double ground_stiffness; ///< Pa/m, stiffness..5e8: of that ground alone; as stiffness: a rigid undercarriage
    double damping_ratio; ///< 0..2, of the machine's heave on its tracks
    double friction; ///< 0..2: share of the soil's shear strength (c + p tan(phi)) that the shoes' grousers use
    double
        side_friction; ///< 0.05..2: coefficient of lateral resistance, share of the load that resists sliding sideways
    double shear_modulus_length; ///< m: K of Janosi-Hanamoto, 0.005..0.2
    double rolling_resistance; ///< 0..0.5: share of the weight
    /// The rest is of MACHINE_TRAVEL_MOTORS.
    double max_speed; ///< m/s [max_speed_kmh 0.1..30]
    double drawbar; ///< N [drawbar_kn 1..5000]: most pull of both on level ground, their own resistance taken off
    double relief; ///< Pa [relief_mpa 1..100], for the gauges
    double start_time; ///< s, 0.05..5: the travel valves take at least that long to open fully (throttled pilot oil)
    double flow_time; ///< s, 0.01..2: lag of the pumps' flow behind an opening travel valve
    double stop_time; ///< s, 0.05..5: the counterbalance valves take that long to close from full speed
} MachineTracks;

/// What turns the tracks.
typedef enum MachineTravel {
    MACHINE_TRAVEL_MOTORS, ///< a hydraulic motor each, fed by the pumps (MachineTracks)
    MACHINE_TRAVEL_POWERTRAIN, ///< converter, gears, steering brakes (MachinePowertrain)
} MachineTravel;

enum { MACHINE_GEARS = 3 };

/// Engine to tracks by torque converter, powershift gears, final drives and steering brakes.
typedef struct MachinePowertrain {
    double forward[MACHINE_GEARS]; ///< m/s [forward_kmh 0.5..40], increasing: belt speed at the engine's rated speed
    double reverse[MACHINE_GEARS]; ///< m/s [reverse_kmh 0.5..40], increasing
    double stall_ratio; ///< 1..4: torque the converter gives over what it takes, with its turbine stalled
    double coupling_ratio; ///< 0.5..0.95: turbine speed over engine speed from which it multiplies no more
    double stall_speed; ///< rad/s [stall_rpm 300..4000], < rated: engine at full torque with the turbine stalled
    double efficiency; ///< 0.5..1, of gears and final drives
    double shift_time; ///< s, 0.05..2: from one gear to the next the drive comes back
    double brake_force; ///< N [brake_kn 5..2000], of each track's brake
    double speeding_up; ///< m/s2, 0.1..10: the clutches bring the belts up to speed no faster
    double braking; ///< m/s2, 0.1..10: the brakes slow the belts down no faster
} MachinePowertrain;

typedef struct MachineSwing {
    double max_speed; ///< rad/s [max_speed_rpm 0.5..30]
    double torque; ///< N m [torque_knm 0.1..5000]
    double brake_torque; ///< N m [brake_torque_knm 0.1..5000], holding
    double relief; ///< Pa [relief_mpa 1..100], for the gauges
} MachineSwing;

typedef struct MachineEngine {
    double power; ///< W [power_kw 5..3000]
    double idle_speed; ///< rad/s [idle_rpm 300..3000], < rated_speed
    double rated_speed; ///< rad/s [rated_rpm 500..4000]
    double inertia; ///< kg m2, 0.05..200
    double fuel_rate; ///< kg/J [fuel_g_per_kwh 100..600]
    double idle_fuel; ///< kg/s [idle_fuel_kg_per_h 0..100]
    double tank; ///< kg, 0..10000, of fuel at the start
} MachineEngine;

typedef struct MachineHydraulics {
    double pump_flow; ///< m3/s of one pump at rated speed [pump_flow_lpm 5..3000]
    int pump_count; ///< 1..3
    double efficiency; ///< 0.3..1: hydraulic power / engine power
    double dead_band; ///< 0..0.3 of the lever
    double spool_time; ///< s: lag of a spool, 0.01..1
    double cushion; ///< m [cushion_mm 0..500]: end cushion of a cylinder
    double lowering_ratio; ///< how much faster a function falls than the pumps alone would lower it, 1..3
} MachineHydraulics;

/// What the switches of the cab do, and the oil that has to be warmed up.
typedef struct MachineSwitches {
    double low_travel; ///< share of the full speed in the low travel range, 0.1..1 [low_travel]
    double eco_speed; ///< rad/s [eco_rpm 0, 400..4000]: most engine speed in economy mode; 0: 0.9 of the rated speed
    double auto_idle_speed; ///< rad/s [auto_idle_rpm 0, 300..3000]: with auto-idle; 0: the idle speed
    double auto_idle_time; ///< s [auto_idle_s 1..60] that all levers are neutral before
    double crank_time; ///< s [crank_s 0.2..10] that the starter turns before the engine runs
    double oil_volume; ///< m3 [oil_l 10..2000] of hydraulic oil
    double oil_warm; ///< degC [oil_warm_c 0..60]: colder oil is sluggish
} MachineSwitches;

/// The driver's seat and eye, in the frame of the body that carries the cab (MachineParams.cab_body).
typedef struct MachineCab {
    double eye[3]; ///< m, -10..10
    double size[3]; ///< m, 0.1..10: length, width, height of the cab box
    double corner[3]; ///< m, -10..10: rear right lower corner of the cab box
} MachineCab;

/// How a coupler takes hold of a tool's pins and lets go of them. The first pin lies in a hook, which opens to one side
/// and bears nothing there; a wedge that a cylinder moves holds the second one.
typedef struct CouplerLock {
    double opening; ///< rad [opening_deg -180..0]: to where the hook opens, in the coupler's frame, from x towards z
    double mouth; ///< m, 0.04..0.5: a pin that is further out has left the hook; 0: tools are changed by hand
    double capture; ///< m, 0.01..0.2: a pin so near to the line of the opening comes into the hook
    double tolerance; ///< m, 0.005..0.1: pins that lie so near to their seats can be locked
    double wedge_time; ///< s, 0.1..10: that the wedge takes
    double confirm_time; ///< s, 1..20: within which a release is to be confirmed
    double curled; ///< rad [curled_deg 1..60]: the bucket is released nearer to its curled end
    double most_load; ///< kg, 1..2000: with more in the tool it is not released
    double most_force; ///< N [most_force_kn 0.5..100]: with more on the tool from outside it is not released
} CouplerLock;

typedef struct MachineParams {
    char name[64];
    char title[96];
    char attachment[64]; ///< name of what hangs in place of the file's own bucket; "" = nothing does
    int jaw_count; ///< of a grab, or 1 of a thumb: its last bodies and joints
    bool thumb; ///< the jaw is a thumb: it hangs on the stick and holds things against the tool
    bool takes_attachment; ///< the body of the first tool hangs on a pin that others fit
    char coupler[64]; ///< name of the coupler between the linkage and the tool; "" = there is none
    /// The frame of the tool's own file in the frame of the body that carries it: 0 without a coupler.
    PlanePoint tool_origin; ///< m
    double tool_turn; ///< rad: elevation of its x axis
    CouplerLock lock; ///< of the coupler; zero without, and of one without a lock
    MachineType type; ///< for what has one file per type: meshes, gauges, scripted operators
    char controls[32]; ///< the control map (data/controls) that drives it when none is asked for

    int body_count, joint_count, tool_count;
    MachineBodyParams body[MACHINE_MAX_BODIES]; ///< MACHINE_BASE first
    MachineJointParams joint[MACHINE_MAX_JOINTS];
    MachineToolParams tool[MACHINE_MAX_TOOLS];
    MachineHammer hammer; ///< of the first tool; zero without
    PlanePoint lifting_eye; ///< m: where a sling hangs, in the frame of the first tool's body; 0, 0: there is none
    int solid_count; ///< 0..MACHINE_MAX_SOLIDS
    MachineSolidParams solid[MACHINE_MAX_SOLIDS];
    double
        start_pose[MACHINE_MAX_JOINTS]; ///< rad [start_pose_deg], within the ranges: angle of each joint at the start
    int cab_body; ///< the body that carries the cab
    int lift_joint; ///< the joint that raises and lowers the first tool
    int swing_joint; ///< the joint with the swing motor, or -1

    double tail_radius, upper_width, clearance; ///< m, 0.3..10, 0.3..10, 0.05..3: for drawing and collision
    MachineCab cab;
    MachineTracks tracks;
    MachineTravel travel;
    MachinePowertrain powertrain; ///< of MACHINE_TRAVEL_POWERTRAIN; else zero
    MachineSwing swing; ///< of a joint with a swing motor; else zero
    MachineEngine engine;
    MachineHydraulics hydraulics;
    MachineSwitches switches;
} MachineParams;

enum { ATTACHMENT_JAWS = 2, ATTACHMENT_JAW_PIECES = 6, ATTACHMENT_POSE = 4 };

/// A jaw of a grab, on a pin of its body. Its frame has its origin there and lies as the body's at the angle 0.
typedef struct AttachmentJaw {
    MachineBodyParams body; ///< mass, centre of mass, box of equal inertia
    PlanePoint pin; ///< m: in the frame of the grab's body
    double range[2]; ///< rad [range_deg]: closed, open
    double start; ///< rad [start_deg], between the two
    MachineCylinder cylinder; ///< base on the grab's body, head on the jaw; the lever `auxiliary` closes it
    int piece_count; ///< 1..ATTACHMENT_JAW_PIECES
    ToolPiece pieces[ATTACHMENT_JAW_PIECES]; ///< convex, in the jaw's frame
} AttachmentJaw;

/// What turns a tool without end about its x axis, below a bracket that hangs on the machine's pins: the lever
/// `tool_rotate`.
typedef struct AttachmentRotator {
    double height; ///< m, 0.05..1.5: from the machine's pin along x to the frame of what turns, parallel to the tool's
    MachineRotary drive; ///< without drawn cylinders
    MachineBodyParams bracket; ///< mass, centre, box of equal inertia of what does not turn, in the tool's frame
    int piece_count; ///< 1..ATTACHMENT_JAW_PIECES
    ToolPiece pieces[ATTACHMENT_JAW_PIECES]; ///< its steel, convex, in the tool's frame
} AttachmentRotator;

/// What hangs on an excavator's stick in place of the bucket of its file. File: data/attachments/NAME.yaml; a scene
/// chooses one by `machine.attachment`. Frame: that of the body it takes the place of: origin at the pin on the stick,
/// x to the middle of the cutting edge (or to the tip of a chisel).
typedef struct AttachmentParams {
    char name[64];
    char title[96];
    double carrier_mass[2]; ///< kg, 500..200000: lightest and heaviest machine that carries it, with its own bucket
    MachineBodyParams body; ///< mass, centre of mass, box of equal inertia
    double capacity; ///< m3 heaped (ISO 7451), 0.01..50; 0: carries nothing
    PlanePoint link_pin; ///< m: of the bucket linkage; 0, 0: as the machine's own bucket has it
    double range[2]; ///< rad [bucket_range_deg]: lowest, highest angle; 0, 0: as the machine's own bucket
    double start_pose[ATTACHMENT_POSE]; ///< rad [start_pose_deg] of the arm; all 0: as the machine's own bucket
    int teeth; ///< 0..12, default 5: on the edge, for drawing
    ToolShape shape; ///< [tool]
    PlanePoint lifting_eye; ///< m; 0, 0: it has none
    MachineHammer hammer; ///< zero: it is none
    int jaw_count; ///< 0..ATTACHMENT_JAWS; 0: it is no grab
    AttachmentJaw jaw[ATTACHMENT_JAWS];
    AttachmentRotator rotator; ///< piece_count 0: it has none
    AttachmentJaw thumb; ///< piece_count 0: it has none. Pin and base from the tool's pin, along and above the stick
} AttachmentParams;

/// The joint that a lever moves, or -1.
static inline int machine_body_named(const MachineParams *params, const char *name)
{
    for (int k = 0; k < params->body_count; k++) {
        if (strcmp(params->body[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}
static inline int machine_joint_of_control(const MachineParams *params, ControlAxis control)
{
    for (int k = 0; k < params->joint_count; k++) {
        if (params->joint[k].control == control) {
            return k;
        }
    }
    return -1;
}

/// The joint whose valve has a float position, or -1.
static inline int machine_floating_joint(const MachineParams *params)
{
    for (int k = 0; k < params->joint_count; k++) {
        if (params->joint[k].float_pressure > 0.0) {
            return k;
        }
    }
    return -1;
}

/// Mass of the machine with what hangs on it, kg.
static inline double machine_total_mass(const MachineParams *params)
{
    double mass = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        mass += params->body[k].mass;
    }
    return mass;
}

/// Load that makers rate a heaped tool with, kg, 0 where it carries nothing: loose soil of 1.5 t/m3 (SAE J296, usual
/// for buckets and blades alike). What is small or much for a tool is a share of it.
static inline double machine_rated_load(const MachineParams *params)
{
    return 1500.0 * params->tool[0].capacity;
}

/// Pressure at which a joint's function gives way, Pa.
static inline double machine_joint_relief(const MachineParams *params, int joint)
{
    const MachineJointParams *one = &params->joint[joint];
    return one->drive == MACHINE_DRIVE_CYLINDER ? one->cylinder.relief
           : one->drive == MACHINE_DRIVE_ROTARY ? one->rotary.relief
                                                : params->swing.relief;
}

/// True for a joint that turns without end.
static inline bool machine_joint_is_endless(const MachineJointParams *joint)
{
    return joint->drive == MACHINE_DRIVE_SWING_MOTOR ||
           (joint->drive == MACHINE_DRIVE_ROTARY && !(joint->range[0] < joint->range[1]));
}

/// True of an excavator whose grab turns on a rotator of its own: its bracket has the bucket's place.
static inline bool machine_tool_turns(const MachineParams *params)
{
    int turn = machine_joint_of_control(params, CONTROL_TOOL_ROTATE);
    return turn >= 0 && machine_joint_of_control(params, CONTROL_TOOL_TILT) < 0;
}

/// ---- excavators ----------------------------------------------------------------------------------------------------

/// Rows of an excavator in the tables of MachineParams, and its arm's measures by their names in the trade.
///
/// Frames:
///   undercarriage  origin on the ground under the swing axis
///   house          origin on the swing axis, swing_height above the ground
///   boom           origin at the boom foot pin, x along the line to the stick pin
///   stick          origin at the stick pin, x along the line to the bucket pin
///   bucket         origin at the bucket pin, x along the line to the tip (the cutting edge)
/// Joint angles, rad:
///   swing  positive turns to the RIGHT (clockwise seen from above), as the lever
///   boom   elevation of the boom line over the house's x axis
///   stick  stick line against boom line (0 = straight on, negative = folded down)
///   bucket tip line against stick line (0 = straight on, negative = curled in)
///
/// With a tiltrotator the bucket's place holds its upper part, "coupler", and two joints and bodies follow: the tilted
/// "tiltrotator", and the bucket, whose origin then lies midway between its pins. All frames are parallel, and the tip
/// is on the coupler's x axis, with both joints at 0.

enum {
    EXCAVATOR_UNDERCARRIAGE = MACHINE_BASE,
    EXCAVATOR_HOUSE,
    EXCAVATOR_BOOM,
    EXCAVATOR_STICK,
    EXCAVATOR_BUCKET,
    EXCAVATOR_BODY_COUNT
};

enum {
    EXCAVATOR_JOINT_SWING,
    EXCAVATOR_JOINT_BOOM,
    EXCAVATOR_JOINT_STICK,
    EXCAVATOR_JOINT_BUCKET,
    EXCAVATOR_JOINT_COUNT,
    EXCAVATOR_JOINT_TILT = EXCAVATOR_JOINT_COUNT, ///< of a tiltrotator; there are none without
    EXCAVATOR_JOINT_ROTATE
};

/// m: house frame above the ground.
static inline double excavator_swing_height(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_SWING].origin.z;
}
/// In the house frame.
static inline PlanePoint excavator_boom_foot(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_BOOM].origin;
}
/// m: boom foot pin to stick pin.
static inline double excavator_boom_length(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_STICK].origin.x;
}
/// m: stick pin to bucket pin.
static inline double excavator_stick_length(const MachineParams *params)
{
    return params->joint[EXCAVATOR_JOINT_BUCKET].origin.x;
}
/// m: bucket pin to the cutting edge, with a tiltrotator at rest in its middle.
static inline double excavator_tip_radius(const MachineParams *params)
{
    double radius = params->tool[0].tip.x;
    for (int k = EXCAVATOR_JOINT_COUNT; k < params->joint_count - params->jaw_count; k++) {
        radius += params->joint[k].origin.x;
    }
    return radius;
}

/// ---- dozers --------------------------------------------------------------------------------------------------------

/// Rows of a dozer in the tables of MachineParams.
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
