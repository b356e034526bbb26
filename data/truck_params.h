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
    TruckDrive drive;
    TruckTip tip;
} TruckParams;

#endif
