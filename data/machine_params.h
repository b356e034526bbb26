/// A machine, as its file states it: an excavator or a dozer. File: data/machines/NAME.yaml; keys in brackets where file units
/// differ. The file's key `type` (excavator, the default, or dozer) says which keys belong in it.
///
/// Both have five bodies and four driven joints; the last body carries the tool. Frames of an excavator (all right-handed, x forward, y left, z up, when swing = 0 and all links point forward):
///   undercarriage  origin on the ground under the swing axis
///   house          origin on the swing axis, swing_height above the ground; turns about z
///   boom           origin at the boom foot pin, x along the line to the stick pin
///   stick          origin at the stick pin, x along the line to the bucket pin
///   bucket         origin at the bucket pin, x along the line to the tip (the cutting edge)
/// Joint angles, rad, positive turns the link's x axis up:
///   boom   elevation of the boom line over the house's x axis
///   stick  stick line against boom line (0 = straight on, negative = folded down)
///   bucket tip line against stick line (0 = straight on, negative = curled in)
///   swing  positive turns to the RIGHT (clockwise seen from above), as the lever
///
/// A dozer has its own parts in the same places (DozerBody, DozerJoint). Frames, parallel to each other when all joints are at 0:
///   chassis  origin on the ground, midway between the tracks and along them
///   ripper   origin at its hinge behind the chassis; the shank reaches towards -x
///   frame    (push frame) origin at the trunnions, in the middle plane; x to the ball joint that carries the blade
///   yoke     origin at the ball joint; turns about the frame's z
///   blade    origin at the ball joint; turns about the yoke's x; the mouldboard looks towards +x
/// Joint angles, rad, as the levers:
///   ripper   positive turns the shank down
///   lift     elevation of the frame's x axis over the chassis's: positive raises the blade
///   angle    positive turns the blade's face to the RIGHT
///   tilt     positive lowers the blade's RIGHT corner
#ifndef SPADEWORK_DATA_MACHINE_PARAMS_H
#define SPADEWORK_DATA_MACHINE_PARAMS_H

#include "data/core/tool_shape.h"

typedef enum MachineBody {
    MACHINE_UNDERCARRIAGE,
    MACHINE_HOUSE,
    MACHINE_BOOM,
    MACHINE_STICK,
    MACHINE_BUCKET,
    MACHINE_BODY_COUNT
} MachineBody;

/// A dozer's parts, in the excavator's places.
typedef enum DozerBody {
    DOZER_CHASSIS = MACHINE_UNDERCARRIAGE,
    DOZER_RIPPER = MACHINE_HOUSE,
    DOZER_FRAME = MACHINE_BOOM,
    DOZER_YOKE = MACHINE_STICK,
    DOZER_BLADE = MACHINE_BUCKET,
} DozerBody;

/// The joints driven by levers.
typedef enum MachineJoint {
    MACHINE_JOINT_SWING,
    MACHINE_JOINT_BOOM,
    MACHINE_JOINT_STICK,
    MACHINE_JOINT_BUCKET,
    MACHINE_JOINT_COUNT
} MachineJoint;

typedef enum DozerJoint {
    DOZER_JOINT_RIPPER = MACHINE_JOINT_SWING,
    DOZER_JOINT_LIFT = MACHINE_JOINT_BOOM,
    DOZER_JOINT_ANGLE = MACHINE_JOINT_STICK,
    DOZER_JOINT_TILT = MACHINE_JOINT_BUCKET,
} DozerJoint;

typedef enum MachineType { MACHINE_EXCAVATOR, MACHINE_DOZER } MachineType;

/// A point in a link's x-z plane, m (-20..20), in that link's frame. In files: [x, z].
typedef struct PlanePoint {
    double x, z;
} PlanePoint;

typedef struct MachineBodyParams {
    double mass; ///< kg, 1..1e6
    double center[3]; ///< m, -20..20: centre of mass in the body's frame
    double inertia_size[3]; ///< m: sides of the box of equal inertia, 0.01..20
} MachineBodyParams;

/// How the equal cylinders of a function work together. Opposed: one either side of the joint, mirrored in the middle plane; one
/// pushes while the other pulls. Pins, length and lever arm are the left one's; the other one's arm is taken to be the same.
typedef enum MachineArrangement { MACHINE_SIDE_BY_SIDE, MACHINE_OPPOSED } MachineArrangement;

/// One cylinder (or several equal ones) between two pins.
typedef struct MachineCylinder {
    int count; ///< 1..4
    double bore; ///< m [bore_mm 20..500]
    double rod; ///< m [rod_mm 10..450], < bore
    double stroke; ///< m [stroke_mm 50..5000]
    double closed; ///< m [closed_mm 100..8000], > stroke: pin-to-pin length with the rod fully in
    PlanePoint base; ///< pin on the parent link (house, boom, stick)
    PlanePoint head; ///< rod pin on the driven link (boom, stick); absent for the bucket cylinder, see linkage
    double relief; ///< Pa [relief_mpa 1..100]: both ports
    double
        flow_share; ///< 0..2: most of the pumps' flow this function can take, in pumps (boom and stick 2, bucket 1...)
    MachineArrangement arrangement; ///< of several: side by side (default), or opposed (2, of a dozer only)
} MachineCylinder;

/// Four-bar linkage of the bucket: rocker about a pin on the stick, link from the rocker's end to the bucket; the bucket
/// cylinder's rod pushes the pin that joins rocker and link.
typedef struct MachineLinkage {
    PlanePoint rocker_pivot; ///< on the stick
    double rocker_length; ///< m, 0.05..3
    double link_length; ///< m, 0.05..3
    PlanePoint link_pin; ///< on the bucket
} MachineLinkage;

typedef struct MachineTracks {
    double gauge; ///< m, 0.5..8, between track centre lines
    double contact_length; ///< m, 0.5..12, roller centres; at most length
    double length; ///< m, 0.5..15, over all
    double shoe_width; ///< m, 0.1..2
    double height; ///< m, 0.2..3, of the track over the ground
    int patches; ///< contact patches a side, 3..16
    /// max_speed, drawbar and relief are an excavator's; a dozer has a powertrain instead.
    double max_speed; ///< m/s [max_speed_kmh 0.1..30]
    double
        drawbar; ///< N [drawbar_kn 1..5000]: most pull of both tracks on level ground, their own resistance taken off
    double relief; ///< Pa [relief_mpa 1..100], for the gauges
    double stiffness; ///< Pa/m, 1e4..5e7: ground pressure per sinkage of firm ground (patch pressure / sinkage)
    double damping_ratio; ///< 0..2, of the machine's heave on its tracks
    double friction; ///< 0..2: share of the soil's shear strength (c + p tan(phi)) that the shoes' grousers use
    double shear_modulus_length; ///< m: K of Janosi-Hanamoto, 0.005..0.2
    double rolling_resistance; ///< 0..0.5: share of the weight
} MachineTracks;

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
    double lowering_ratio; ///< how much faster the boom falls than the pumps alone would lower it, 1..3
} MachineHydraulics;

enum { MACHINE_GEARS = 3 };

/// Drive of a dozer: engine, torque converter, powershift gears, final drives, steering brakes.
typedef struct MachinePowertrain {
    double forward[MACHINE_GEARS]; ///< m/s [forward_kmh 0.5..40], increasing: belt speed at the engine's rated speed
    double reverse[MACHINE_GEARS]; ///< m/s [reverse_kmh 0.5..40], increasing
    double stall_ratio; ///< 1..4: torque the converter gives over what it takes, with its turbine stalled
    double coupling_ratio; ///< 0.5..0.95: turbine speed over engine speed from which it multiplies no more
    double
        stall_speed; ///< rad/s [stall_rpm 300..4000], < rated speed: the engine at full torque with the turbine stalled
    double efficiency; ///< 0.5..1, of gears and final drives
    double shift_time; ///< s, 0.05..2: from one gear to the next the drive comes back
    double brake_force; ///< N [brake_kn 5..2000], of each track's brake
} MachinePowertrain;

/// What only a dozer has. Cylinders lie in the plane their joint turns in; pins are [x, z] of ripper and lift, [x, y] of the
/// angle (base on the frame, head on the yoke) and [y, z] of the tilt (base on the yoke, head on the blade).
typedef struct MachineDozer {
    PlanePoint ripper_hinge; ///< in the chassis frame
    PlanePoint trunnion; ///< in the chassis frame
    double frame_length; ///< m, 0.5..10: trunnions to ball joint
    double range[MACHINE_JOINT_COUNT][2]; ///< rad [.._range_deg -60..60]: ripper, lift, angle, tilt; lowest, highest
    MachineCylinder cylinder[MACHINE_JOINT_COUNT]; ///< ripper, lift, angle, tilt
    double lift_spacing; ///< m, 0.1..5, between the lift cylinders, for drawing
    MachinePowertrain powertrain;
    ToolShape ripper; ///< the shank, in the ripper's frame
} MachineDozer;

/// Where the driver sits and looks from, in the frame of the body that carries the cab (machine_cab_body).
typedef struct MachineCab {
    double eye[3]; ///< m, -10..10
    double size[3]; ///< m, 0.1..10: length, width, height of the cab box
    double corner[3]; ///< m, -10..10: rear right lower corner of the cab box
} MachineCab;

typedef struct MachineParams {
    char name[64];
    char title[96];
    MachineType type;
    double swing_height; ///< m, 0.2..5: house frame above ground
    PlanePoint boom_foot; ///< in the house frame
    double boom_length, stick_length, tip_radius; ///< m, 0.5..20, 0.3..15, 0.2..5
    double boom_range[2], stick_range[2],
        bucket_range[2]; ///< rad [.._range_deg -90..120, -180..60, -180..90]: lowest, highest joint angle
    double start_pose[4]; ///< rad [start_pose_deg], within the ranges: swing, boom, stick, bucket at the start
    double tail_radius, upper_width, clearance; ///< m, 0.3..10, 0.3..10, 0.05..3: for drawing and collision
    MachineBodyParams body[MACHINE_BODY_COUNT];
    MachineCylinder boom_cylinder, stick_cylinder, bucket_cylinder;
    MachineLinkage linkage;
    MachineTracks tracks;
    MachineSwing swing;
    MachineEngine engine;
    MachineHydraulics hydraulics;
    MachineCab cab;
    double bucket_capacity; ///< m3 heaped, 0.01..50 [blade_capacity of a dozer]
    ToolShape tool; ///< the bucket or blade, in its frame
    MachineDozer dozer; ///< of MACHINE_DOZER; else zero
} MachineParams;

/// The body the cab stands on.
static inline MachineBody machine_cab_body(const MachineParams *params)
{
    return params->type == MACHINE_DOZER ? (MachineBody)DOZER_CHASSIS : MACHINE_HOUSE;
}

#endif
