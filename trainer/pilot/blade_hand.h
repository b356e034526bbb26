/// A scripted operator's hand on the lever of a dozer's blade.
///
/// The edge is to follow a line while the machine rocks. The way to that line is corrected by what edge and nose move
/// until the lever acts, and by what the lever was already asked for but the eye cannot see yet, because hands are late
/// (a Smith predictor: Smith 1957). Without the second correction a hand that is 0.2 s late overshoots each time, and
/// the blade swings by decimetres. Lengths in m, time in s. One thread.
#ifndef SPADEWORK_TRAINER_BLADE_HAND_H
#define SPADEWORK_TRAINER_BLADE_HAND_H

enum { BLADE_HAND_TICKS = 256 }; ///< that a hand remembers

typedef struct BladeHand {
    double tip_height, tip_rate; ///< m over the tracks' plane and m/s, smoothed: of the edge, as last seen
    double plane, plane_rate; ///< m, world, and m/s: the tracks' plane at the edge, in the same way
    double speed[BLADE_HAND_TICKS]; ///< m/s that the lever gives the edge, by what was asked for in the last ticks
    int ticks;
} BladeHand;

/// What the eye sees in one tick.
typedef struct BladeLook {
    double edge; ///< m, world: height of the edge
    double tip_height; ///< m: of the edge over the tracks' plane
    double dt; ///< s since the last look
    double late; ///< s from the eye to a lever that has moved, 0 or more
} BladeLook;

/// At rest, with nothing asked for.
BladeHand blade_hand_rest(const BladeLook *look);
/// Share of the blade's full speed, -1 (down) to 1 (up), that brings the edge to `height` (m, world); 0 when less than
/// `still` (m) is missing. Call once a tick.
double blade_hand_share(BladeHand *hand, const BladeLook *look, double height, double still);

#endif
