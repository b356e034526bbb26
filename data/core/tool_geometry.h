/// Geometry of tools: distance of a point to a convex prism, inside test, bounds. Pure functions in the tool's frame.
#ifndef SPADEWORK_SOIL_TOOL_H
#define SPADEWORK_SOIL_TOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/tool_shape.h"
#include "data/core/vec.h"

/// Signed distance (negative inside) from a point to a piece, and the unit normal that leads away from it.
/// `face`: in, the face the point was last at (255 = none); out, the nearest one. Inside, a known face is kept, so that a
/// particle squeezed beyond the middle of a thin plate is pushed back to the side it came from.
double tool_piece_distance(const ToolPiece *piece, Vec3 point, uint8_t *face, Vec3 *normal);

/// Distance to the nearest piece (no normal).
double tool_distance(const ToolShape *shape, Vec3 point);

/// True when a point lies in the container (the `inside` polygon between the side plates), or outside it by less than `margin`.
bool tool_contains(const ToolShape *shape, Vec3 point, double margin);

/// Radius of a sphere around all pieces, and its middle.
double tool_bounding_sphere(const ToolShape *shape, Vec3 *middle);

#endif
