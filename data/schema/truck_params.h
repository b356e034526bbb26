/// A dump truck, as its file states it. File: data/machines/NAME.yaml with `kind: truck`; keys in brackets where file
/// units differ.
///
/// Frames (right-handed, x forward, y left, z up):
///   chassis  origin on the ground under the middle of the bed's floor
///   bed      origin in the middle of the bed's floor; tips about the lower edge of its tail
#ifndef SPADEWORK_DATA_TRUCK_PARAMS_H
#define SPADEWORK_DATA_TRUCK_PARAMS_H

typedef struct TruckBed {
    double length; ///< m, 2..10
    double width; ///< m, 1.5..5
    double height; ///< m, 0.3..3: of the side walls over the floor
    double tail_height; ///< m, 0.1..3, at most height: of the tail over the floor
    double floor_height; ///< m, 0.5..3, over the ground
    double capacity; ///< m3, 0.5..200, heaped
} TruckBed;

typedef struct TruckDrive {
    double speed_empty, speed_loaded; ///< m/s [.._kmh 1..80]: on the haul road, without and with the full payload
    double speed_reverse; ///< m/s [speed_reverse_kmh 0.5..30]
    double acceleration, braking; ///< m/s2, 0.1..2: so gentle that the load stays where it is
    double cornering; ///< m/s2, 0.1..2: most sideways
    double turning_radius; ///< m, 3..30, of the middle between the rear wheels
} TruckDrive;

typedef struct TruckTip {
    double angle; ///< rad [angle_deg 20..75]
    double raise_time, lower_time; ///< s, 3..120
} TruckTip;

/// The truck as a body on springs and tyres. A side of the rear axles is one support at their middle, for a beam shares
/// the load between them; a side of the front axle is another.
typedef struct TruckChassis {
    double front_share; ///< 0.2..0.8: of the tare on the front axle
    double center_height; ///< m, 0.3..4: of the tare's centre of mass over the ground
    double inertia_size[3]; ///< m, 0.5..20: length, width, height of the box of the tare's inertia
    double gauge; ///< m, 0.8..5, at most the bed's width: between the middles of left and right tyres
    double front_stiffness, rear_stiffness; ///< N/m, 1e4..5e7: of a side, its springs and tyres in series
    double damping_ratio; ///< 0.05..1, of the empty truck on its springs
    double tyre_stiffness; ///< N/m, 1e4..5e7: of the tyres of one support along the ground
    double tyre_friction; ///< 0.1..2: Coulomb's, of tyres on a site's ground
    double front_limit, rear_limit; ///< kg, 500..500000, more than the tare's share: what an axle (both rear) may carry
} TruckChassis;

/// What a blow of a machine does to it, by its energy, ascending.
typedef struct TruckDamage {
    double scratch, dent, wreck; ///< J [scratch_kj, dent_kj, wreck_kj 0.001..10000]; 0: damage_limits.h
} TruckDamage;

/// What its driver puts up with.
typedef struct TruckDriver {
    double uneven; ///< 0.02..1, default 0.15: so much more on one side than on the other, over all, he complains about
    double refuse; ///< 0..1, default 0.1: of the payload too much, or of an axle's limit, and he does not leave
    double delay; ///< s, 0..600, default 15: by which he leaves later after a complaint
} TruckDriver;

typedef struct TruckParams {
    char name[64];
    char title[96];
    double tare; ///< kg [tare_mass], 1000..500000
    double payload; ///< kg, 500..500000
    TruckBed bed;
    double front; ///< m, 2..15: from the bed's middle to the front bumper
    double rear_axle; ///< m, -8..8: middle of the rear axles in the chassis frame; steers nothing
    double wheelbase; ///< m, 1.5..12: from there to the front axle
    double wheel_diameter; ///< m, 0.4..4
    TruckChassis chassis;
    TruckDrive drive;
    TruckTip tip;
    TruckDamage damage; ///< optional
    TruckDriver driver; ///< optional; all 0 without: damage_limits.h
} TruckParams;

#endif
