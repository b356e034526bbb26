/// Vessels that stand upright: round walls, floors with a round hole and plates, as the shapes of tools.
///
/// A tool's piece is a convex polygon in the shape's x-z plane, extruded along its y (data/core/tool_geometry.h). The
/// shapes here lie on their side: the shape's y is world z and its z is world -y, so that polygons are seen from above.
/// vessel_tool() gives the tool the frame that sets them upright. All lengths below are in world directions, from the
/// tool's place.
#ifndef SPADEWORK_VALIDATION_VESSEL_H
#define SPADEWORK_VALIDATION_VESSEL_H

#include "soil/soil_lab.h"

/// A ring with a vertical axis: a wall, or a floor with a round hole.
typedef struct VesselRing {
    double inner; ///< m: radius of the circle whose area the polygon inside has
    double thickness; ///< m, radially
    double bottom, top; ///< m, z
    int sides; ///< 8..TOOL_MAX_PIECES
} VesselRing;

/// Adds the pieces first .. first + count - 1 of a ring to a shape (zeroed before the first call). Piece k reaches from
/// the angle 2 pi k / sides to the next, counted from +x towards +y.
void vessel_add_ring(ToolShape *shape, const VesselRing *ring, int first, int count);

/// Adds an upright box.
void vessel_add_box(ToolShape *shape, Vec3 low, Vec3 high);

/// A kinematic tool with an upright shape at a place. `steel_friction` multiplies the soil's friction on steel.
SoilTool vessel_tool(const ToolShape *shape, Vec3 at, double steel_friction);

#endif
