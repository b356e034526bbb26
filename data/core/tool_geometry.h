/// Geometry of tools: distance of a point to a convex prism, inside test, bounds.
///
/// All lengths in m, all points and normals in the tool's frame. Pure functions of plain values: any thread, no
/// failure. Shapes are those that tool_shape.h allows; a polygon with a side of no length gives NaN.
#ifndef SPADEWORK_DATA_TOOL_GEOMETRY_H
#define SPADEWORK_DATA_TOOL_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/tool_shape.h"
#include "data/core/vec.h"

enum { TOOL_NO_FACE = 255 }; ///< of a point that has not been at a piece before

/// Fills what follows from the corners of a shape's pieces; to be called again when they change.
void tool_shape_finish(ToolShape *shape);

/// Signed distance (negative inside) from a point to a piece, and the unit normal that leads away from it.
/// face    in: the face the point was last at, or TOOL_NO_FACE; out: the nearest one. Of a point inside, a known face
///         is kept unless it is more than 0.15 m away, so that a particle pressed beyond the middle of a thin plate is
///         pushed back to the side it came from.
/// normal  out
double tool_piece_distance(const ToolPiece *piece, Vec3 point, uint8_t *face, Vec3 *normal);

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
