/// The shape of a tool (a bucket, a blade, a ripper, a truck's bed): convex prisms with a cutting edge.
///
/// Every piece is a convex polygon in the tool's x-z plane, extruded along y from y_min to y_max. Polygons run
/// counter-clockwise seen from -y, with x to the right and z up, and every corner turns left (checked when a file is
/// loaded). A bucket is a few thin plates along its profile and two side plates:
///
///       z ^   _______
///         |  |      /  <- a side plate: the whole profile as one polygon, y_min..y_max = its thickness
///         |   \____/
///         +----------> x       the bottom: one thin polygon for each straight stretch, as wide as the bucket
///
/// Plain values in the frame of the body that carries the tool; any thread.
#ifndef SPADEWORK_DATA_TOOL_SHAPE_H
#define SPADEWORK_DATA_TOOL_SHAPE_H

#include <stdbool.h>

enum { TOOL_MAX_PIECES = 32, TOOL_MAX_CORNERS = 10, TOOL_MAX_OPENING = 12 };

/// One convex prism.
typedef struct ToolPiece {
    int corner_count; ///< 3..TOOL_MAX_CORNERS
    double corners[TOOL_MAX_CORNERS][2]; ///< m, -20..20: x, z
    double y_min, y_max; ///< m, -10..10, y_min < y_max
    /// Outward unit normals of the sides, x and z, by tool_shape_finish (tool_geometry.h). Without it distances are the
    /// same, and take longer.
    double normals[TOOL_MAX_CORNERS][2];
    bool finished;
} ToolPiece;

typedef struct ToolShape {
    int piece_count; ///< 1..TOOL_MAX_PIECES
    ToolPiece pieces[TOOL_MAX_PIECES];
    /// Cutting edge: the line from (edge[0], -edge_width / 2, edge[1]) to (edge[0], +edge_width / 2, edge[1]).
    double edge[2]; ///< m, -20..20: x, z
    double edge_width; ///< m, 0.1..10
    /// Inside of the container, for payload and fill: a convex polygon in x-z, as those of the pieces, between the side
    /// plates.
    int inside_count; ///< 3..TOOL_MAX_OPENING; 0: contains nothing
    double inside[TOOL_MAX_OPENING][2]; ///< m, -20..20: x, z
    double inside_width; ///< m, 0.1..10: y from -inside_width / 2 to +inside_width / 2
} ToolShape;

#endif
