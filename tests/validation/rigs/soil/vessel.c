/// Builds upright rings and boxes from the pieces of a tool's shape. A round wall is a regular polygon with the area of
/// its circle inside, n/2 R^2 sin(2 pi / n) = pi r^2, so that what it holds is that of the circle.
#include "tests/validation/rigs/soil/vessel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/// Distance of a regular polygon's corners from its middle when it has the area of a circle:
/// n/2 R^2 sin(2 pi / n) = pi r^2.
static double corner_radius(double radius, int sides)
{
    return radius * sqrt(2.0 * M_PI / (sides * sin(2.0 * M_PI / sides)));
}

static ToolPiece *add_piece(ToolShape *shape, double bottom, double top)
{
    assert(shape->piece_count < TOOL_MAX_PIECES);
    ToolPiece *piece = &shape->pieces[shape->piece_count++];
    memset(piece, 0, sizeof *piece);
    piece->corner_count = 4;
    piece->y_min = bottom;
    piece->y_max = top;
    return piece;
}

/// Corners are counter-clockwise in the shape's (x, z), where z is world -y: clockwise seen from above.
static void set_corner(ToolPiece *piece, int corner, double x, double y)
{
    piece->corners[corner][0] = x;
    piece->corners[corner][1] = -y;
}

void vessel_add_ring(ToolShape *shape, const VesselRing *ring, int first, int count)
{
    double inner = corner_radius(ring->inner, ring->sides), outer = inner + ring->thickness;
    for (int k = first; k < first + count; k++) {
        double from = 2.0 * M_PI * k / ring->sides, to = 2.0 * M_PI * (k + 1) / ring->sides;
        ToolPiece *piece = add_piece(shape, ring->bottom, ring->top);
        set_corner(piece, 0, inner * cos(from), inner * sin(from));
        set_corner(piece, 1, inner * cos(to), inner * sin(to));
        set_corner(piece, 2, outer * cos(to), outer * sin(to));
        set_corner(piece, 3, outer * cos(from), outer * sin(from));
    }
}

void vessel_add_box(ToolShape *shape, Vec3 low, Vec3 high)
{
    ToolPiece *piece = add_piece(shape, low.z, high.z);
    set_corner(piece, 0, low.x, low.y);
    set_corner(piece, 1, low.x, high.y);
    set_corner(piece, 2, high.x, high.y);
    set_corner(piece, 3, high.x, low.y);
}

SoilTool vessel_tool(const ToolShape *shape, Vec3 at, double steel_friction)
{
    SoilTool tool;
    memset(&tool, 0, sizeof tool);
    tool.shape = shape;
    tool.motion.frame = (Pose){at, {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}};
    tool.motion.center = at;
    tool.steel_friction = steel_friction;
    return tool;
}
