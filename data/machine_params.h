/// A machine, as its file states it: an excavator. File: data/machines/NAME.yaml; keys in brackets where file units differ.
///
/// Frames (all right-handed, x forward, y left, z up, when swing = 0 and all links point forward):
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
#ifndef SPADEWORK_DATA_MACHINE_PARAMS_H
#define SPADEWORK_DATA_MACHINE_PARAMS_H

#include "data/tool_shape.h"

typedef enum MachineBody {
    MACHINE_UNDERCARRIAGE,
    MACHINE_HOUSE,
    MACHINE_BOOM,
    MACHINE_STICK,
    MACHINE_BUCKET,
    MACHINE_BODY_COUNT
} MachineBody;

/// The joints driven by levers.
typedef enum MachineJoint {
    MACHINE_JOINT_SWING,
    MACHINE_JOINT_BOOM,
    MACHINE_JOINT_STICK,
    MACHINE_JOINT_BUCKET,
    MACHINE_JOINT_COUNT
} MachineJoint;

/// A point in a link's x-z plane, m, in that link's frame.
typedef struct PlanePoint {
    double x, z;
} PlanePoint;

typedef struct MachineBodyParams {
    double mass; ///< kg, 1..1e6
    double center[3]; ///< m: centre of mass in the body's frame
    double inertia_size[3]; ///< m: sides of the box of equal inertia, 0.01..20
} MachineBodyParams;

/// One cylinder (or several equal ones side by side) between two pins.
typedef struct MachineCylinder {
    int count; ///< 1..4
    double bore; ///< m [bore_mm]
    double rod; ///< m [rod_mm], < bore
    double stroke; ///< m [stroke_mm]
    double closed; ///< m [closed_mm]: pin-to-pin length with the rod fully in
    PlanePoint base; ///< pin on the parent link (house, boom, stick)
    PlanePoint head; ///< rod pin on the driven link (boom, stick); of the bucket cylinder: unused, see linkage
    double relief; ///< Pa [relief_mpa]: both ports
    double
        flow_share; ///< 0..2: most of the pumps' flow this function can take, in pumps (boom and stick 2, bucket 1...)
} MachineCylinder;

/// Four-bar linkage of the bucket: rocker about a pin on the stick, link from the rocker's end to the bucket; the bucket
/// cylinder's rod pushes the pin that joins rocker and link.
typedef struct MachineLinkage {
    PlanePoint rocker_pivot; ///< on the stick
    double rocker_length; ///< m
    double link_length; ///< m
    PlanePoint link_pin; ///< on the bucket
} MachineLinkage;

typedef struct MachineTracks {
    double gauge; ///< m between track centre lines
    double contact_length; ///< m, roller centres
    double length; ///< m over all
    double shoe_width; ///< m
    double height; ///< m of the track over the ground
    int patches; ///< contact patches a side, 3..16
    double max_speed; ///< m/s [max_speed_kmh]
    double drawbar; ///< N [drawbar_kn]: most pull of both tracks
    double relief; ///< Pa [relief_mpa], for the gauges
    double stiffness; ///< Pa/m: ground pressure per sinkage of firm ground (patch pressure / sinkage)
    double damping_ratio; ///< of the machine's heave on its tracks
    double friction; ///< tan of the shear angle under the shoes
    double shear_modulus_length; ///< m: K of Janosi-Hanamoto, 0.005..0.2
    double rolling_resistance; ///< share of the weight
} MachineTracks;

typedef struct MachineSwing {
    double max_speed; ///< rad/s [max_speed_rpm]
    double torque; ///< N m [torque_knm]
    double brake_torque; ///< N m [brake_torque_knm], holding
    double relief; ///< Pa [relief_mpa], for the gauges
} MachineSwing;

typedef struct MachineEngine {
    double power; ///< W [power_kw]
    double idle_speed; ///< rad/s [idle_rpm]
    double rated_speed; ///< rad/s [rated_rpm]
    double inertia; ///< kg m2
    double fuel_rate; ///< kg/J [fuel_g_per_kwh]
    double idle_fuel; ///< kg/s [idle_fuel_kg_per_h]
    double tank; ///< kg of fuel at the start
} MachineEngine;

typedef struct MachineHydraulics {
    double pump_flow; ///< m3/s of one pump at rated speed [pump_flow_lpm]
    int pump_count; ///< 1..3
    double efficiency; ///< 0.3..1: hydraulic power / engine power
    double dead_band; ///< 0..0.3 of the lever
    double spool_time; ///< s: lag of a spool, 0.01..1
    double cushion; ///< m [cushion_mm]: end cushion of a cylinder
    double lowering_ratio; ///< how much faster the boom falls than the pumps alone would lower it, 1..3
} MachineHydraulics;

/// Where the driver sits and looks from, in the house frame.
typedef struct MachineCab {
    double eye[3]; ///< m
    double size[3]; ///< m: length, width, height of the cab box
    double corner[3]; ///< m: rear right lower corner of the cab box
} MachineCab;

typedef struct MachineParams {
    char name[64];
    char title[96];
    double swing_height; ///< m: house frame above ground
    PlanePoint boom_foot; ///< in the house frame
    double boom_length, stick_length, tip_radius; ///< m
    double boom_range[2], stick_range[2], bucket_range[2]; ///< rad [.._range_deg]: lowest, highest joint angle
    double start_pose[4]; ///< rad [start_pose_deg]: swing, boom, stick, bucket at the start
    double tail_radius, upper_width, clearance; ///< m: for drawing and collision
    MachineBodyParams body[MACHINE_BODY_COUNT];
    MachineCylinder boom_cylinder, stick_cylinder, bucket_cylinder;
    MachineLinkage linkage;
    MachineTracks tracks;
    MachineSwing swing;
    MachineEngine engine;
    MachineHydraulics hydraulics;
    MachineCab cab;
    double bucket_capacity; ///< m3 heaped
    ToolShape tool; ///< the bucket, in its frame
} MachineParams;

#endif
