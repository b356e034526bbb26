/// Shapes of tools (buckets, blades, rippers, truck beds): convex prisms with a cutting edge, and distances to them.
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
#ifndef SPADEWORK_DATA_TOOL_GEOMETRY_H
#define SPADEWORK_DATA_TOOL_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"

/// ---- shape ---------------------------------------------------------------------------------------------------------

enum { TOOL_MAX_PIECES = 32, TOOL_MAX_CORNERS = 10, TOOL_MAX_OPENING = 12 };

/// One convex prism.
typedef struct ToolPiece {
    int corner_count; ///< 3..TOOL_MAX_CORNERS
    double corners[TOOL_MAX_CORNERS][2]; ///< m, -20..20: x, z
    double y_min, y_max; ///< m, -10..10, y_min < y_max
    /// Outward unit normals of the sides, x and z, by tool_shape_finish. Without it distances are the
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

/// ---- distances -----------------------------------------------------------------------------------------------------

/// Faces of a piece: its sides by the number of their first corner, and its two ends.
enum {
    TOOL_FACE_RIGHT = 100, ///< y_min
    TOOL_FACE_LEFT, ///< y_max
    TOOL_NO_FACE = 255 ///< of a point that has not been at a piece before
};

/// Fills what follows from the corners of a shape's pieces; to be called again when they change.
void tool_shape_finish(ToolShape *shape);

/// Signed distance (negative inside) from a point to a piece, and the unit normal that leads away from it.
/// face    in: the face the point was last at, or TOOL_NO_FACE; out: the nearest one. Of a point inside, a known face
///         is kept unless it is more than 0.15 m away, so that a particle pressed beyond the middle of a thin plate is
///         pushed back to the side it came from.
/// normal  out
double tool_piece_distance(const ToolPiece *piece, Vec3 point, uint8_t *face, Vec3 *normal);

/// The same for a point before the rim of a thin plate that slices on: to the nearer of its two ends, as if the plate
/// went on. The plate parts what it comes to, and does not push it ahead.
double tool_slice_distance(const ToolPiece *piece, Vec3 point, uint8_t *face, Vec3 *normal);

/// Bits of the pieces that are side plates of an edge: thinner than a tenth of its width, within as much of its ends.
uint32_t tool_side_plates(const ToolShape *shape);

/// Signed distance to the nearest piece; infinite without pieces.
double tool_distance(const ToolShape *shape, Vec3 point);

/// True when a point is nearer than `distance` (above 0) to a piece, or inside one; cheaper than tool_distance.
bool tool_is_within(const ToolShape *shape, Vec3 point, double distance);

/// True when a point lies inside a piece, not on its surface.
bool tool_piece_holds(const ToolPiece *piece, Vec3 point);

/// True when a point lies in the container (the `inside` polygon between the side plates), or outside it by less than
/// `margin` (0 or more) from each of its faces.
bool tool_contains(const ToolShape *shape, Vec3 point, double margin);

/// True when thin plates end the edge on both sides: pieces thinner than a tenth of the edge's width, within as much of
/// its ends. Such a tool shears soil off at its sides; one without tears it.
bool tool_has_side_plates(const ToolShape *shape);

/// Volume of the container up to its opening, which lies between the last and the first corner of `inside`, m3.
double tool_struck_volume(const ToolShape *shape);
/// The same with a heap on it whose sides rise by 1 to 1 from the rim (ISO 7451, SAE J296), m3: on an opening of l by
/// w, the less of them first, l^2 w / 4 - l^3 / 12.
double tool_heaped_volume(const ToolShape *shape);

/// Writes the corners of a piece, m; returns how many: twice those of its polygon.
int tool_piece_points(const ToolPiece *piece, Vec3 points[2 * TOOL_MAX_CORNERS]);

/// Radius of a sphere around all pieces, and its middle: that of their bounding box, not the smallest there is.
double tool_bounding_sphere(const ToolShape *shape, Vec3 *middle);

#endif
