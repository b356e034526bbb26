/// The shape of a tool (a bucket, a blade, a truck bed): convex prisms with a cutting edge.
///
/// Every piece is a convex polygon in the tool's x-z plane, counter-clockwise seen from -y (x to the right, z up), extruded
/// from y_min to y_max. A bucket is a few thin plates along its profile and two side plates.
#ifndef SPADEWORK_DATA_TOOL_SHAPE_H
#define SPADEWORK_DATA_TOOL_SHAPE_H

enum { TOOL_MAX_PIECES = 32, TOOL_MAX_CORNERS = 10, TOOL_MAX_OPENING = 12 };

typedef struct ToolPiece {
    int corner_count; ///< 3..TOOL_MAX_CORNERS
    double corners[TOOL_MAX_CORNERS][2]; ///< m: x, z
    double y_min, y_max; ///< m
} ToolPiece;

typedef struct ToolShape {
    int piece_count;
    ToolPiece pieces[TOOL_MAX_PIECES];
    /// Cutting edge: a line from (edge[0], -edge_width/2, edge[1]) to (edge[0], +edge_width/2, edge[1]).
    double edge[2]; ///< m: x, z
    double edge_width; ///< m
    /// Inside of the container, for payload and fill: convex polygon x, z between the side plates (counter-clockwise).
    int inside_count; ///< 3..TOOL_MAX_OPENING
    double inside[TOOL_MAX_OPENING][2]; ///< m: x, z
    double inside_width; ///< m
} ToolShape;

#endif
