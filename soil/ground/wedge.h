/// Stability of a face of ground: the plane through its toe along which a wedge would slide first.
#ifndef SPADEWORK_SOIL_WEDGE_H
#define SPADEWORK_SOIL_WEDGE_H

#include <stdbool.h>

#include "soil/ground/ground.h"

enum { WEDGE_REACH = 256, WEDGE_PLANES = 44 };

/// m: what a cut face has lost of its strength, where a body is free behind too. Soil breaks along its natural clods,
/// and a clod at a face is held on one side only: as thick as coarse blocky ones, 20 to 50 mm (Soil Survey Staff, Soil
/// Survey Manual, 2017, chapter 3).
#define WEDGE_SKIN 0.05

/// A column as a wedge sees it. Layers bottom first, `bottom[count]` is the surface.
typedef struct WedgeColumn {
    int count;
    double bottom[GROUND_LAYERS + 1]; ///< m, ground frame
    double density[GROUND_LAYERS]; ///< kg/m3
    double cohesion[GROUND_LAYERS]; ///< Pa; loose soil has none
    double tan_friction[GROUND_LAYERS];
    bool loose[GROUND_LAYERS];
    double load; ///< kg/m2 of soil on its surface
    double surcharge; ///< kg/m2 of what else stands on it: a machine, a truck
    double crack; ///< m: depth of an open crack below its highest intact layer's top; 0: none
} WedgeColumn;

/// A vertical section through a face: the columns from its foot on, one `pitch` after another. The column before the
/// first one is the foot, whose surface is the toe.
typedef struct WedgeProfile {
    double pitch; ///< m between the middles of columns
    double toe; ///< m: height of the foot's surface, or of a weak layer's bottom in the face
    int count; ///< 0..WEDGE_REACH
    WedgeColumn columns[WEDGE_REACH];
} WedgeProfile;

/// The most dangerous plane of a section.
typedef struct Wedge {
    double toe; ///< m: height the plane starts from
    double first; ///< m from there to the middle of the profile's first column
    double tan_angle; ///< of the plane, against the horizontal
    double excess; ///< N/m: what drives the wedge less what holds it; above 0 it fails
    double cohesion; ///< Pa, mean along the plane
    int columns; ///< of the profile that the plane passes below
    bool topples; ///< it falls over (thin walls); its plane is level
} Wedge;

/// m: height of a wedge's plane below the middle of column k of the profile, or at any place between.
static inline double wedge_plane(const Wedge *wedge, double pitch, double k)
{
    return wedge->toe + (wedge->first + k * pitch) * wedge->tan_angle;
}

/// m: surface of a column with the soil that lies on it, as high as it would stand as soil of the column's top.
static inline double wedge_filled_top(const WedgeColumn *column)
{
    double density = column->count > 0 ? column->density[column->count - 1] : 0.0;
    return column->bottom[column->count] + (density > 0.0 ? column->load / density : 0.0);
}

/// m: top of a column's highest intact layer.
static inline double wedge_firm_top(const WedgeColumn *column)
{
    int k = column->count;
    while (k > 0 && column->loose[k - 1]) {
        k--;
    }
    return column->bottom[k];
}

/// Trial planes, tan of 2, 4 .. 88 degrees.
void wedge_trial_planes(double tangents[WEDGE_PLANES]);
/// Finds the plane whose excess of shear stress over strength is the largest, mean along the plane. False when
/// every plane holds: the section stands.
bool wedge_find(const WedgeProfile *profile, const double tangents[WEDGE_PLANES], Wedge *wedge);

/// Stability of a wall that is free on both sides: a strip of soil between two cuts, a fang, the end of a fin.

/// Acceleration of the ground beside a machine that digs, of gravity. Peak velocity 2.3 mm/s at 7.6 m from a large
/// bulldozer, and it falls with the distance to the power 1.5 (Federal Transit Administration, Transit Noise and
/// Vibration Impact Assessment Manual, 2018, table 7-4): 17 mm/s at 2 m, which at 20 Hz is 2.1 m/s2.
#define THIN_WALL_SHAKING 0.2

/// Finds the way in which the wall that begins at a section's toe falls over: about the lower of its feet or the
/// higher one, whichever asks for more. False when the section is no such wall, or it stands. The plane that is found
/// is level, `excess` what is lacking at the height of half the wall.
bool thin_wall_find(const WedgeProfile *profile, Wedge *wedge);
/// True when a wall `thickness` m thick could fall over that is `height` m high and carries nothing: what a section
/// need not be read for otherwise.
bool thin_wall_may_fall(double thickness, double height);

#endif
