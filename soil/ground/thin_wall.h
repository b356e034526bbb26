/// Does a wall that is free on both sides stand? A strip of soil between two cuts, a fang, the end of a fin.
#ifndef SPADEWORK_SOIL_THIN_WALL_H
#define SPADEWORK_SOIL_THIN_WALL_H

#include "soil/ground/wedge.h"

/// Acceleration of the ground beside a machine that digs, of gravity. Peak velocity 2.3 mm/s at 7.6 m from a large
/// bulldozer, and it falls with the distance to the power 1.5 (Federal Transit Administration, Transit Noise and
/// Vibration Impact Assessment Manual, 2018, table 7-4): 17 mm/s at 2 m, which at 20 Hz is 2.1 m/s2.
#define THIN_WALL_SHAKING 0.2

/// Looks for the way in which the wall that begins at a section's toe falls over: about the lower of its feet or the
/// higher one, whichever asks for more. False when the section is no such wall, or it stands. The plane that is found
/// is level, `excess` what is lacking at the height of half the wall.
bool thin_wall_find(const WedgeProfile *profile, Wedge *wedge);
/// True when a wall `thickness` m thick could fall over that is `height` m high and carries nothing: what a section
/// need not be read for otherwise.
bool thin_wall_may_fall(double thickness, double height);

#endif
