/// A quick coupler: what holds a tool between the linkage of an excavator and the tool's own pins. File:
/// data/couplers/NAME.yaml; a scene chooses one by `machine.coupler`. It takes the place of the tool on the stick's pin
/// and on the link, and holds the tool by two pins of the same distance.
///
/// Frame: origin at the pin on the stick, z along the line to the pin of the link, x square to it, away from the stick:
/// down when the stick and the line between the pins stand as in work. The tool's pins are at x = height.
#ifndef SPADEWORK_DATA_COUPLER_PARAMS_H
#define SPADEWORK_DATA_COUPLER_PARAMS_H

#include "data/schema/machine_params.h"

enum { COUPLER_MAX_PIECES = 4 };
#define COUPLER_SOLID "coupler" ///< name of its pieces among a machine's solids

/// A tiltrotator below a coupler's upper part: a housing that tilts about an axis along the line between the pins, and
/// a hitch on it that turns without end about the axis midway between the pins, and holds the tool. Both hang straight
/// with their angles at 0; places are in the coupler's frame then.
typedef struct CouplerRotator {
    double tilt_height; ///< m, 0.02..1: from the machine's pins out to the tilt axis
    double tilt_range[2]; ///< rad [tilt_range_deg -60..60]: below and above 0
    MachineRotary tilt, rotate; ///< what turns them; those of `tilt` with the drawn cylinders
    MachineBodyParams housing, hitch; ///< masses, centres, boxes of equal inertia
    int housing_count, hitch_count; ///< 1..COUPLER_MAX_PIECES
    ToolPiece housing_piece[COUPLER_MAX_PIECES], hitch_piece[COUPLER_MAX_PIECES]; ///< their steel
} CouplerRotator;

typedef struct CouplerParams {
    char name[64];
    char title[96];
    double carrier_mass[2]; ///< kg, 500..200000: lightest and heaviest machine that carries it, with its tool
    double pin_distance; ///< m, 0.1..2: between the pins, of the machine and of the tool
    double height; ///< m, 0.02..1.5: the tool's pins lie so much further out than the machine's
    double start_boom; ///< rad [start_boom_deg 0..20], default 0: the boom starts so much higher
    MachineBodyParams body; ///< mass, centre of mass, box of equal inertia
    int piece_count; ///< 1..COUPLER_MAX_PIECES
    ToolPiece piece[COUPLER_MAX_PIECES]; ///< its steel, which touches things
    CouplerRotator rotator; ///< [tiltrotator]; zero: it has none
    CouplerLock lock; ///< zero: tools are not changed from the cab
} CouplerParams;

#endif
